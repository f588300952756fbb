/* workload.c - one MPI program for every workload, level, direction and engine of the benchmark. It knows nothing of Collate.
 *
 * What it measures, per repetition: the time of the transfer alone (view included) and with open and close. On one node a time is
 * from the first rank's start to the last rank's end; on several nodes, where clocks differ, the longest time of any rank.
 * Specification: a write starts from a deleted file, or with --existing from a longer one full of other bytes; a read finds a
 * file made by POSIX writes. Every byte is verified every time: written files are read back through POSIX by all ranks, with the
 * bytes nobody wrote and the file size (in a fresh file MPI leaves those undefined: they are counted, and an error only with
 * --zero-gaps); after reads the user buffer is compared, ghost cells too.
 * Several operations and levels go into one launch, because starting an MPI job takes longer than most of them: repetitions are
 * outermost, then operations, then levels. Levels of one size share the file that is read; it is made before the first of them.
 * Every write has bytes of its own, so that nothing left over from another can pass for them.
 * Output: one JSON object per repetition, operation and level, as soon as it is done, on rank 0's standard output. Exit status 0
 * only when all of them are verified.
 */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const int64_t existing_tail = 1 << 20; /* bytes an existing file is longer than what is written */

/* One size: the shape that all levels of this size move. */
typedef struct sized {
    int64_t bytes; /* asked for */
    shape s;
    int64_t calls; /* of the job */
    int readable;  /* the file to read is there */
} sized;

typedef struct bench {
    options o;
    sized sizes[LEVELS];
    int size_count;
    sized *at; /* the size in hand, */
    int level, writing; /* level and operation */
    const sized *cleared; /* the size for which the buffer is clear: checking a read leaves it so */
    job j;
    int rank, ranks, one_node;
    char path[4200];
    uint64_t seed; /* of the bytes in hand */
    uint64_t writes; /* so far */
    double seconds, seconds_open, seconds_total;
} bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Time from a to b over all ranks, as the header says. */
static double span(const bench *b, double from, double to)
{
    double mine[2] = { b->one_node ? -from : 0.0, b->one_node ? to : to - from }, all[2];
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all[0] + all[1];
}

/* Part of the shared file this rank prepares or verifies: [*from, *to). */
static void my_part(const bench *b, int64_t size, int64_t *from, int64_t *to)
{
    *from = share_start(size, b->rank, b->ranks);
    *to = share_start(size, b->rank + 1, b->ranks);
}

static uint64_t old_seed(const bench *b)
{
    return b->o.existing && b->writing ? b->seed + 1000003 : 0;
}

/* The file before a repetition: gone, or full of old bytes, or (reading) full of reference bytes. */
static void prepare_file(bench *b)
{
    int failed = 0;
    const shape *s = &b->at->s;
    int64_t from, to, own = s->rank_bytes * s->steps, origin = job_origin(&b->j);
    if (b->o.engine == ENGINE_FPP) {
        if (unlink(b->path) != 0 && errno != ENOENT)
            failed = errno;
        else if (!b->writing)
            failed = reference_write(b->path, 0, s->total_bytes > 0 ? own : 0, origin, b->seed);
        else if (b->o.existing)
            failed = reference_write(b->path, 0, own, origin, old_seed(b));
    } else {
        if (b->rank == 0 && unlink(b->path) != 0 && errno != ENOENT)
            failed = errno;
        MPI_Barrier(MPI_COMM_WORLD);
        my_part(b, s->file_bytes + (b->writing ? existing_tail : 0), &from, &to);
        if (failed == 0 && (!b->writing || b->o.existing))
            failed = reference_write(b->path, from, to, 0, b->writing ? old_seed(b) : b->seed);
    }
    if (failed != 0)
        verdict_say(&b->j.v, "cannot prepare %s: %s", b->path, strerror(failed));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void check_size(bench *b, int64_t want)
{
    struct stat st;
    if (stat(b->path, &st) != 0)
        verdict_say(&b->j.v, "no file was written: %s", strerror(errno));
    else if (st.st_size != want)
        verdict_say(&b->j.v, "the file has %lld bytes, not %lld", (long long)st.st_size, (long long)want);
}

static void verify_written(bench *b)
{
    expectation e = { .path = b->path, .used = b->at->s.used, .period = b->at->s.period, .written_end = b->at->s.file_bytes,
                      .seed = b->seed, .old_seed = old_seed(b) };
    if (b->o.engine == ENGINE_FPP) {
        e.shift = job_origin(&b->j);
        e.to = b->at->s.rank_bytes * b->at->s.steps;
        check_size(b, e.to);
    } else {
        int64_t size = b->at->s.file_bytes + (b->o.existing ? existing_tail : 0);
        if (b->rank == 0)
            check_size(b, size);
        my_part(b, size, &e.from, &e.to);
    }
    verify_file(&e, &b->j.v);
}

static void repeat(bench *b)
{
    job *j = &b->j;
    verdict_clear(&j->v);
    if (b->writing || !b->at->readable)
        prepare_file(b);
    b->at->readable |= !b->writing;
    if (b->writing)
        buffer_fill(&b->at->s, j->buffer, b->seed);
    else if (b->cleared != b->at)
        buffer_clear(&b->at->s, j->buffer);
    b->cleared = b->writing ? NULL : b->at;
    MPI_Barrier(MPI_COMM_WORLD);
    double t0 = now();
    job_open(j);
    double t1 = now();
    MPI_Barrier(MPI_COMM_WORLD);
    double t2 = now();
    job_transfer(j);
    double t3 = now();
    MPI_Barrier(MPI_COMM_WORLD);
    double t4 = now();
    job_close(j);
    double t5 = now();
    MPI_Barrier(MPI_COMM_WORLD);
    b->seconds_open = span(b, t0, t1);
    b->seconds = span(b, t2, t3);
    b->seconds_total = b->seconds_open + b->seconds + span(b, t4, t5);
    if (b->writing)
        verify_written(b);
    else
        buffer_check(&b->at->s, j->buffer, b->seed, &j->v);
    verdict_agree(&j->v, MPI_COMM_WORLD);
}

static int report(const bench *b, int rep)
{
    const verdict *v = &b->j.v;
    int verified = v->wrong == 0 && v->damaged == 0 && v->error[0] == '\0' && (v->garbage == 0 || !b->o.zero_gaps);
    char text[600], directory[4200], bad[32] = "null";
    if (v->first_bad >= 0)
        snprintf(bad, sizeof bad, "%lld", (long long)v->first_bad);
    snprintf(directory, sizeof directory, "%s", b->o.file);
    char *slash = strrchr(directory, '/');
    if (slash != NULL)
        slash[slash == directory] = '\0';
    else
        strcpy(directory, ".");
    char quoted[4300];
    printf("{\"pattern\": \"%s\", \"level\": %d, \"op\": \"%s\", \"engine\": \"%s\", \"ranks\": %d, \"rep\": %d, \"kib\": %lld, ",
           b->o.pattern, b->level, b->writing ? "write" : "read", b->o.engine_name, b->ranks, rep, (long long)(b->at->bytes >> 10));
    printf("\"bytes\": %lld, \"file_bytes\": %lld, \"seconds\": %.9f, \"seconds_open\": %.9f, ", (long long)b->at->s.total_bytes,
           (long long)b->at->s.file_bytes, b->seconds, b->seconds_open);
    printf("\"seconds_with_open_close\": %.9f, \"verified\": %s, ", b->seconds_total, verified ? "true" : "false");
    printf("\"wrong_bytes\": %lld, \"damaged_bytes\": %lld, \"fresh_gap_garbage_bytes\": %lld, ", (long long)v->wrong,
           (long long)v->damaged, (long long)v->garbage);
    printf("\"first_bad_offset\": %s, \"error\": %s, ", bad,
           v->error[0] != '\0' ? json_string(v->error, text, sizeof text) : "null");
    printf("\"directory\": %s}\n", json_string(directory, quoted, sizeof quoted));
    fflush(stdout);
    return verified;
}

/* The shape of each different size. Returns 0, or -1 with the reason printed. */
static int set_up_sizes(bench *b)
{
    for (int i = 0; i < b->o.level_count; i++) {
        int64_t bytes = options_bytes(&b->o, b->o.levels[i]);
        int k = 0;
        while (k < b->size_count && b->sizes[k].bytes != bytes)
            k++;
        if (k < b->size_count)
            continue;
        sized *z = &b->sizes[k];
        z->bytes = bytes;
        if (shape_build(&z->s, b->o.pattern, bytes, b->rank, b->ranks) != 0) {
            if (b->rank == 0)
                fprintf(stderr, "workload: no pattern '%s'; there are: %s.\n", b->o.pattern, shape_names());
            return -1;
        }
        if (b->o.engine >= ENGINE_FPP) {
            int64_t total = z->s.total_bytes;
            shape_free(&z->s);
            shape_baseline(&z->s, total, b->rank, b->ranks, b->o.engine == ENGINE_W1);
        }
        b->size_count++;
        b->j.s = &z->s;
        job_prepare(&b->j);
        z->calls = b->j.calls;
    }
    return 0;
}

/* Shapes, and buffers large enough for all of them. Returns 0, or -1 with the reason printed. */
static int set_up(bench *b)
{
    job *j = &b->j;
    int64_t most = 1;
    *j = (job){ .engine = b->o.engine, .path = b->path, .info = b->o.info, .comm = MPI_COMM_WORLD, .fh = MPI_FILE_NULL,
                .fd = -1 };
    if (set_up_sizes(b) != 0)
        return -1;
    for (int k = 0; k < b->size_count; k++) {
        int64_t bytes = b->sizes[k].s.mem_bytes * b->sizes[k].s.steps;
        most = bytes > most ? bytes : most;
    }
    j->buffer = malloc((size_t)most);
    j->packed = malloc(PACK_LIMIT);
    if (j->buffer == NULL || j->packed == NULL) {
        fprintf(stderr, "workload: no memory for a user buffer of %lld bytes; use a smaller --mib.\n", (long long)most);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    memset(j->buffer, 0, (size_t)most);
    memset(j->packed, 0, PACK_LIMIT);
    return 0;
}

static void name_file(bench *b, int writing, int64_t bytes)
{
    char rank[24] = "", of_size[40] = "";
    if (!writing)
        snprintf(of_size, sizeof of_size, ".read-%lld", (long long)(bytes >> 10));
    if (b->o.engine == ENGINE_FPP)
        snprintf(rank, sizeof rank, ".%d", b->rank);
    snprintf(b->path, sizeof b->path, "%s%s%s", b->o.file, of_size, rank);
}

/* Takes an operation at a level in hand. */
static void choose(bench *b, int writing, int level)
{
    b->writing = writing;
    b->level = level;
    b->at = b->sizes;
    while (b->at->bytes != options_bytes(&b->o, level))
        b->at++;
    b->seed = b->o.seed + (writing ? b->writes++ : 0);
    b->j.writing = writing;
    b->j.level = level;
    b->j.s = &b->at->s;
    b->j.calls = b->at->calls;
    name_file(b, writing, b->at->bytes);
}

static void remove_files(bench *b)
{
    for (int k = -1; k < b->size_count; k++) {
        name_file(b, k < 0, k < 0 ? 0 : b->sizes[k].bytes);
        if (b->rank == 0 || b->o.engine == ENGINE_FPP)
            unlink(b->path);
    }
}

static int all_repetitions(bench *b)
{
    int good = 1;
    for (int rep = 0; rep < b->o.reps; rep++) {
        for (int i = 0; i < b->o.op_count * b->o.level_count; i++) {
            choose(b, b->o.writing[i / b->o.level_count], b->o.levels[i % b->o.level_count]);
            repeat(b);
            if (b->rank == 0)
                good &= report(b, rep);
        }
    }
    if (!b->o.keep)
        remove_files(b);
    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    static bench b;
    int on_node, result;
    MPI_Comm node;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &on_node);
    MPI_Comm_free(&node);
    b.one_node = on_node == b.ranks;
    MPI_Allreduce(MPI_IN_PLACE, &b.one_node, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    result = options_parse(&b.o, argc, argv, b.rank);
    if (result == 0) {
        result = set_up(&b) != 0 ? 2 : all_repetitions(&b);
        free(b.j.buffer);
        free(b.j.packed);
        for (int k = 0; k < b.size_count; k++)
            shape_free(&b.sizes[k].s);
    } else {
        result = result > 0 ? 0 : 2;
    }
    if (b.o.info != MPI_INFO_NULL)
        MPI_Info_free(&b.o.info);
    MPI_Finalize();
    return result;
}
