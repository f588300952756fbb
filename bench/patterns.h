/* patterns.h - the access patterns of the benchmark, one description for every way of doing the access.
 *
 * What it is. A `shape` says what one rank of one pattern touches: as MPI datatypes (etype, filetype, memory type) for levels
 * 2 and 3, and as numbered rows for levels 0 and 1, for POSIX pieces and for verification. The two come from the same numbers,
 * but the types are compact (vectors, subarrays) wherever the pattern is regular.
 *
 * Guarantees. Rows are in ascending file order, do not overlap, and the rows of all ranks together cover exactly the bytes with
 * `offset % period < used`. Filetype and memory type walk the bytes in the same order as the rows.
 *
 * Example. dist3d, 64 MiB, 4 ranks: 32,768 rows of 512 B a rank; the filetype is one subarray.
 */
#pragma once

#include <mpi.h>
#include <stdint.h>

/* One row: contiguous in the file; in memory `count` blocks of `block` bytes, `stride` bytes apart. */
typedef struct row {
    int64_t file;   /* bytes from the start of the step's part of the file */
    int64_t mem;    /* bytes from the start of the step's part of the user buffer */
    int64_t block;  /* bytes */
    int64_t count;  /* blocks */
    int64_t stride; /* bytes between block starts */
} row;

/* Rows that no formula gives (btio, unstruc): length[i] bytes at file[i], memory at mem[i]. */
typedef struct row_table {
    int64_t *file, *mem, *length;
} row_table;

typedef struct shape shape;
struct shape {
    MPI_Datatype etype, filetype, memtype; /* committed; one memtype is one step */
    MPI_Offset disp;                       /* view displacement, bytes */
    int steps;                             /* equal accesses one after another: dumps, or parts of at most 1 GiB a rank */
    int64_t step_extent;                   /* file bytes from one step to the next */
    int64_t mem_bytes;                     /* user buffer of one step, bytes, ghost cells included */
    int64_t rank_bytes;                    /* useful bytes of this rank in one step */
    int64_t basic_bytes;                   /* bytes of the basic element of memtype */
    int64_t total_bytes;                   /* useful bytes of all ranks and steps */
    int64_t used, period;                  /* byte o of the file is written iff o % period < used */
    int64_t file_bytes;                    /* size of a fresh file after all steps */
    int64_t rows;                          /* rows of this rank in one step */
    int64_t interleaved;                   /* the rows are so many equal parts that lie interleaved in memory; 1: they do not */
    void (*row_at)(const shape *, int64_t index, row *);
    int64_t param[8];                      /* the pattern's own numbers for row_at */
    row_table table;
};

/* A maximal run: contiguous in the file, at most 1 GiB (4 MiB when it must be packed). mem < 0: pack rows first..+rows. */
typedef struct run {
    int64_t file, length; /* absolute file offset and bytes */
    int64_t mem;          /* offset in the user buffer, or -1 */
    int64_t first, rows;
    int step;
} run;

enum { PACK_LIMIT = 4 << 20 };

/* Builds the shape of `name` for this rank; bytes is the total wanted (all ranks), the shape says what it became.
 * Returns 0, or -1 when there is no such pattern. */
int shape_build(shape *s, const char *name, int64_t bytes, int rank, int ranks);

/* The baselines' shape: bytes in one step of any size, contiguous shares, or all of it rank 0's when alone is set (engine w1).
 * For POSIX only: its types are placeholders. */
void shape_baseline(shape *s, int64_t bytes, int rank, int ranks, int alone);

void shape_free(shape *s);
const char *shape_names(void);

/* Next maximal run after *r; start with r->step = 0, r->first = r->rows = 0. Returns 0 at the end. */
int run_next(const shape *s, run *r);

/* Copies the rows of a run between the user buffer and `packed`; to_packed says which way. */
void run_copy(const shape *s, const run *r, char *buffer, char *packed, int to_packed);

/* For the files that define patterns. */
void shape_init(shape *s, int64_t bytes, int ranks);
void shape_finish(shape *s, int64_t file_span_of_step);
int64_t share_start(int64_t n, int64_t part, int64_t parts); /* first of `part` when n things are dealt to parts */
void build_dist3d(shape *s, int64_t bytes, int rank, int ranks);
void build_btio(shape *s, int64_t bytes, int rank, int ranks);
void build_unstruc(shape *s, int64_t bytes, int rank, int ranks);
void build_flash(shape *s, int64_t bytes, int rank, int ranks);

