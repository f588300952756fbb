/* gapcheck.c - does a collective write with gaps leave the bytes between alone? A plain MPI program, for any MPI-IO.
 *
 * What it checks: 512 bytes of every 4 KiB are written by one MPI_File_write_all into an existing 256 MiB file full of known
 * bytes, records dealt round robin to the ranks; then every byte nobody wrote and every byte written is read back through POSIX.
 * An implementation that reads, modifies and writes back larger windows without coordination damages bytes that belong to nobody.
 * usage: mpiexec -n 4 gapcheck PATH [MIB]     (default 256)
 * Output: one JSON object. Exit status 0 only when the call succeeded and every byte is right.
 */
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORD = 512, EVERY = 4096, NEW_SEED = 7, OLD_SEED = 11 };

static int write_gaps(const char *path, int64_t size, int rank, int ranks, verdict *v)
{
    int64_t records = size / EVERY, mine = records / ranks + (rank < records % ranks);
    char *buffer = malloc((size_t)(mine > 0 ? mine * RECORD : 1));
    for (int64_t i = 0; i < mine; i++)
        reference_fill(buffer + i * RECORD, (i * ranks + rank) * EVERY, RECORD, NEW_SEED);
    MPI_Datatype filetype;
    MPI_File fh;
    MPI_Status status;
    int count = -1, length;
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    MPI_Type_create_hvector((int)(mine > 0 ? mine : 1), RECORD, (MPI_Aint)EVERY * ranks, MPI_BYTE, &filetype);
    MPI_Type_commit(&filetype);
    int code = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
    if (code == MPI_SUCCESS) {
        MPI_File_set_view(fh, (MPI_Offset)rank * EVERY, MPI_BYTE, filetype, "native", MPI_INFO_NULL);
        code = MPI_File_write_all(fh, buffer, (int)(mine * RECORD), MPI_BYTE, &status);
        if (code == MPI_SUCCESS)
            MPI_Get_count(&status, MPI_BYTE, &count);
        MPI_File_close(&fh);
    }
    if (code != MPI_SUCCESS) {
        MPI_Error_string(code, text, &length);
        verdict_say(v, "%s", text);
    } else if (count != mine * RECORD) {
        verdict_say(v, "status counts %d bytes, not %lld", count, (long long)(mine * RECORD));
    }
    MPI_Type_free(&filetype);
    free(buffer);
    return code;
}

static int report(const verdict *v, int64_t size, int ranks, int code)
{
    char bad[32] = "null", text[600];
    int good = v->wrong == 0 && v->damaged == 0 && v->error[0] == '\0';
    if (v->first_bad >= 0)
        snprintf(bad, sizeof bad, "%lld", (long long)v->first_bad);
    printf("{\"program\": \"gapcheck\", \"ranks\": %d, \"file_bytes\": %lld, \"return_code\": %d, \"written_wrong_bytes\": %lld, "
           "\"unwritten_damaged_bytes\": %lld, \"first_bad_offset\": %s, \"error\": %s, \"verified\": %s}\n",
           ranks, (long long)size, code, (long long)v->wrong, (long long)v->damaged, bad,
           v->error[0] != '\0' ? json_string(v->error, text, sizeof text) : "null", good ? "true" : "false");
    fflush(stdout);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    int rank, ranks, result = 2, worst;
    verdict v;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t mib = argc > 2 ? atoll(argv[2]) : 256, size = mib << 20;
    if (argc < 2 || mib < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: mpiexec -n 4 gapcheck PATH [MIB]\n");
        MPI_Finalize();
        return result;
    }
    verdict_clear(&v);
    expectation e = { .path = argv[1], .from = share_start(size, rank, ranks), .to = share_start(size, rank + 1, ranks),
                      .used = RECORD, .period = EVERY, .written_end = size, .seed = NEW_SEED, .old_seed = OLD_SEED };
    if (rank == 0)
        unlink(argv[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    int failed = reference_write(argv[1], e.from, e.to, 0, OLD_SEED);
    if (failed != 0)
        verdict_say(&v, "cannot prepare the file: %s", strerror(failed));
    MPI_Barrier(MPI_COMM_WORLD);
    int code = write_gaps(argv[1], size, rank, ranks, &v);
    MPI_Barrier(MPI_COMM_WORLD);
    verify_file(&e, &v);
    verdict_agree(&v, MPI_COMM_WORLD);
    MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) {
        result = report(&v, size, ranks, worst);
        unlink(argv[1]);
    }
    MPI_Bcast(&result, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return result;
}
