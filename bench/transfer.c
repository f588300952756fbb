/* transfer.c - performs one access at the level, or with the POSIX engine, that the job names.
 *
 * The levels of the ROMIO paper, each for reading and for writing (direction is a value here, not a second copy of the code):
 *   0  one independent call per contiguous piece of the file       MPI_File_{read,write}_at
 *   1  the same pieces through the collective call; ranks with fewer pieces join with count 0
 *   2  a view, then one independent call                           MPI_File_{read,write}_at per step
 *   3  a view, then one collective call                            MPI_File_{read,write}_at_all per step
 * A step is a dump of btio, or 1 GiB a rank of a large access, so levels 2 and 3 make one call in nearly all cases. The view is
 * set inside the timed transfer: levels 2 and 3 cannot do without it. At levels 0 and 1 pieces that are scattered in memory are
 * packed by the program, inside the time too, as applications do.
 * POSIX engines: posix = one pread/pwrite per piece; fpp = one file per process; w1 = rank 0 moves everything; rp = every rank
 * moves its contiguous share; the last three in 1 MiB calls on a contiguous shape.
 */
#include "transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POSIX_CALL = 1 << 20 };

static void check_code(job *j, int code, const char *call)
{
    if (code == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0, class = 0;
    MPI_Error_string(code, text, &length);
    MPI_Error_class(code, &class);
    verdict_say(&j->v, "%s returned error class %d: %s", call, class, text);
}

/* The status must count what was asked for, in the type it was asked in and in basic elements. */
static void check_status(job *j, const MPI_Status *status, MPI_Datatype type, int64_t elements)
{
    int count = -1, basic = -1;
    if (type == MPI_BYTE) {
        MPI_Get_count(status, MPI_BYTE, &count);
        if (count != elements)
            verdict_say(&j->v, "status counts %d bytes, not %lld", count, (long long)elements);
        return;
    }
    MPI_Get_count(status, type, &count);
    MPI_Get_elements(status, type, &basic);
    if (count != 1 || basic != elements)
        verdict_say(&j->v, "status counts %d of the type and %d elements, not 1 and %lld", count, basic, (long long)elements);
}

/* One MPI call at an explicit offset (in etypes of the view). */
static void mpi_access(job *j, MPI_Offset at, void *buffer, int count, MPI_Datatype type)
{
    static const char *const name[2][2] = { { "MPI_File_read_at", "MPI_File_read_at_all" },
                                            { "MPI_File_write_at", "MPI_File_write_at_all" } };
    int collective = j->level % 2, code;
    MPI_Status status;
    if (j->writing && collective)
        code = MPI_File_write_at_all(j->fh, at, buffer, count, type, &status);
    else if (j->writing)
        code = MPI_File_write_at(j->fh, at, buffer, count, type, &status);
    else if (collective)
        code = MPI_File_read_at_all(j->fh, at, buffer, count, type, &status);
    else
        code = MPI_File_read_at(j->fh, at, buffer, count, type, &status);
    check_code(j, code, name[j->writing][collective]);
    if (code != MPI_SUCCESS || count == 0)
        return;
    check_status(j, &status, type, type == MPI_BYTE ? count : j->s->rank_bytes / j->s->basic_bytes);
}

static void posix_access(job *j, int64_t at, char *buffer, int64_t length)
{
    while (length > 0) {
        size_t want = (size_t)(j->engine != ENGINE_POSIX && length > POSIX_CALL ? POSIX_CALL : length);
        ssize_t done = j->writing ? pwrite(j->fd, buffer, want, (off_t)at) : pread(j->fd, buffer, want, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            verdict_say(&j->v, "%s of %zu bytes at %lld: %s", j->writing ? "pwrite" : "pread", want, (long long)at,
                        done < 0 ? strerror(errno) : "end of file");
            return;
        }
        at += done;
        buffer += done;
        length -= done;
    }
}

/* Levels 0 and 1 and the POSIX engines: piece by piece. */
static void transfer_pieces(job *j)
{
    const shape *s = j->s;
    run r = { .step = 0 };
    int64_t calls = 0, origin = j->engine == ENGINE_FPP ? job_origin(j) : 0;
    while (run_next(s, &r)) {
        char *data = r.mem < 0 ? j->packed : j->buffer + r.mem;
        if (r.mem < 0 && j->writing)
            run_copy(s, &r, j->buffer, j->packed, 1);
        if (j->engine == ENGINE_MPIIO)
            mpi_access(j, (MPI_Offset)r.file, data, (int)r.length, MPI_BYTE);
        else
            posix_access(j, r.file - origin, data, r.length);
        if (r.mem < 0 && !j->writing)
            run_copy(s, &r, j->buffer, j->packed, 0);
        calls++;
    }
    for (; j->engine == ENGINE_MPIIO && j->level == 1 && calls < j->calls; calls++)
        mpi_access(j, 0, j->buffer, 0, MPI_BYTE);
}

/* Levels 2 and 3: a view, then one call a step. */
static void transfer_view(job *j)
{
    const shape *s = j->s;
    int etype_size;
    check_code(j, MPI_File_set_view(j->fh, s->disp, s->etype, s->filetype, "native", j->info), "MPI_File_set_view");
    MPI_Type_size(s->etype, &etype_size);
    for (int step = 0; step < s->steps; step++) {
        MPI_Offset at = (MPI_Offset)(step * s->rank_bytes / etype_size);
        if (s->rank_bytes > 0)
            mpi_access(j, at, j->buffer + step * s->mem_bytes, 1, s->memtype);
        else if (j->level == 3)
            mpi_access(j, 0, j->buffer, 0, MPI_BYTE);
    }
}

int64_t job_origin(const job *j)
{
    row first = { 0 };
    if (j->s->rows > 0)
        j->s->row_at(j->s, 0, &first);
    return first.file;
}

void job_prepare(job *j)
{
    run r = { .step = 0 };
    int64_t mine = 0;
    while (run_next(j->s, &r))
        mine++;
    MPI_Allreduce(&mine, &j->calls, 1, MPI_INT64_T, MPI_MAX, j->comm);
}

void job_open(job *j)
{
    if (j->engine == ENGINE_MPIIO) {
        int mode = j->writing ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY;
        j->fh = MPI_FILE_NULL;
        check_code(j, MPI_File_open(j->comm, j->path, mode, j->info, &j->fh), "MPI_File_open");
        return;
    }
    j->fd = open(j->path, j->writing ? O_CREAT | O_RDWR : O_RDONLY, 0644);
    if (j->fd < 0)
        verdict_say(&j->v, "open %s: %s", j->path, strerror(errno));
}

void job_transfer(job *j)
{
    if (j->engine == ENGINE_MPIIO) {
        if (j->fh == MPI_FILE_NULL)
            return;
        if (j->level >= 2)
            transfer_view(j);
        else
            transfer_pieces(j);
    } else if (j->fd >= 0) {
        transfer_pieces(j);
    }
}

void job_close(job *j)
{
    if (j->engine == ENGINE_MPIIO) {
        if (j->fh != MPI_FILE_NULL)
            check_code(j, MPI_File_close(&j->fh), "MPI_File_close");
    } else if (j->fd >= 0 && close(j->fd) != 0) {
        verdict_say(&j->v, "close: %s", strerror(errno));
    }
}
