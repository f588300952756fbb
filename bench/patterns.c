/* patterns.c - the pattern table, the regular one-dimensional patterns, and the walk over maximal runs.
 *
 * What the patterns here measure:
 *   interleaved  32 KiB records dealt round robin to the ranks (h5perf -I): large pieces, dense, interleaved.
 *   tiny         64 B records round robin: the cost per piece.
 *   hard         47,008 B records round robin (IOR-hard of IO500): aligned to nothing.
 *   holes        4 KiB of every 64 KiB, records round robin: 15/16 of the file belongs to nobody and must not change.
 *   contig       each rank one contiguous region: nothing to gain, so what a library costs when it should do nothing.
 * Memory is contiguous in all of them; the filetype is one hvector. Others: dist3d.c, btio.c, unstruc.c, flash.c.
 */
#include "patterns.h"

#include <stdlib.h>
#include <string.h>

static const int64_t step_limit = (int64_t)1 << 30; /* bytes of one rank in one MPI call */

int64_t share_start(int64_t n, int64_t part, int64_t parts)
{
    int64_t each = n / parts, more = n % parts;
    return part * each + (part < more ? part : more);
}

void shape_init(shape *s, int64_t bytes, int ranks)
{
    memset(s, 0, sizeof *s);
    s->etype = MPI_BYTE;
    s->filetype = s->memtype = MPI_DATATYPE_NULL;
    s->used = s->period = s->interleaved = 1;
    s->basic_bytes = 1;
    s->steps = (int)((bytes / ranks + step_limit - 1) / step_limit);
    if (s->steps < 1)
        s->steps = 1;
}

/* Gives the filetype the extent of a step, so that the view tiles itself from step to step, and commits both types. */
void shape_finish(shape *s, int64_t file_span_of_step)
{
    if (s->rank_bytes == 0) {
        if (s->filetype != MPI_DATATYPE_NULL)
            MPI_Type_free(&s->filetype);
        if (s->memtype != MPI_DATATYPE_NULL)
            MPI_Type_free(&s->memtype);
        MPI_Type_contiguous((int)sizeof(double) * 5, MPI_BYTE, &s->filetype);
        MPI_Type_dup(MPI_BYTE, &s->memtype);
        if (s->etype != MPI_BYTE && s->etype != MPI_INT)
            MPI_Type_free(&s->etype);
        s->etype = MPI_BYTE;
        s->disp = 0;
    } else {
        MPI_Datatype plain = s->filetype;
        MPI_Type_create_resized(plain, 0, (MPI_Aint)s->step_extent, &s->filetype);
        MPI_Type_free(&plain);
    }
    MPI_Type_commit(&s->filetype);
    MPI_Type_commit(&s->memtype);
    s->file_bytes = (s->steps - 1) * s->step_extent + file_span_of_step;
}

void shape_free(shape *s)
{
    MPI_Type_free(&s->filetype);
    MPI_Type_free(&s->memtype);
    if (s->etype != MPI_BYTE && s->etype != MPI_INT)
        MPI_Type_free(&s->etype);
    free(s->table.file);
    free(s->table.mem);
    free(s->table.length);
}

/* param: record bytes, distance between the starts of this rank's records, offset of its first record. */
static void record_row(const shape *s, int64_t index, row *r)
{
    r->file = s->param[2] + index * s->param[1];
    r->mem = index * s->param[0];
    r->block = r->stride = s->param[0];
    r->count = 1;
}

/* Records of `record` bytes, one every `every` bytes of the file, record i belongs to rank i mod ranks. */
static void build_records(shape *s, int64_t bytes, const int64_t size[2], int rank, int ranks)
{
    int64_t record = size[0], every = size[1];
    shape_init(s, bytes, ranks);
    int64_t records = bytes / s->steps / record;
    if (records < 1)
        records = 1;
    s->rows = records / ranks + (rank < records % ranks);
    s->param[0] = record;
    s->param[1] = every * ranks;
    s->param[2] = every * rank;
    s->row_at = record_row;
    s->used = record;
    s->period = every;
    s->rank_bytes = s->mem_bytes = s->rows * record;
    s->step_extent = records * every;
    s->total_bytes = records * record * s->steps;
    s->disp = every * rank;
    if (s->rows > 0) {
        MPI_Type_create_hvector((int)s->rows, (int)record, (MPI_Aint)(every * ranks), MPI_BYTE, &s->filetype);
        MPI_Type_contiguous((int)s->rank_bytes, MPI_BYTE, &s->memtype);
    }
    shape_finish(s, (records - 1) * every + record);
}

/* One region a rank, [start, end) of a step. */
static void set_region(shape *s, int64_t start, int64_t end, int64_t step_bytes)
{
    s->rows = end > start;
    s->param[0] = end - start;
    s->param[1] = 0;
    s->param[2] = start;
    s->row_at = record_row;
    s->rank_bytes = s->mem_bytes = end - start;
    s->step_extent = step_bytes;
    s->total_bytes = step_bytes * s->steps;
    s->disp = start;
}

static void build_contig(shape *s, int64_t bytes, int rank, int ranks)
{
    shape_init(s, bytes, ranks);
    int64_t step_bytes = bytes / s->steps;
    set_region(s, share_start(step_bytes, rank, ranks), share_start(step_bytes, rank + 1, ranks), step_bytes);
    if (s->rows > 0) {
        MPI_Type_contiguous((int)s->rank_bytes, MPI_BYTE, &s->filetype);
        MPI_Type_contiguous((int)s->rank_bytes, MPI_BYTE, &s->memtype);
    }
    shape_finish(s, step_bytes);
}

void shape_baseline(shape *s, int64_t bytes, int rank, int ranks, int alone)
{
    shape_init(s, bytes, ranks);
    s->steps = 1;
    if (alone)
        set_region(s, 0, rank == 0 ? bytes : 0, bytes);
    else
        set_region(s, share_start(bytes, rank, ranks), share_start(bytes, rank + 1, ranks), bytes);
    MPI_Type_contiguous(1, MPI_BYTE, &s->filetype);
    MPI_Type_dup(MPI_BYTE, &s->memtype);
    shape_finish(s, bytes);
}

const char *shape_names(void)
{
    return "dist3d btio unstruc interleaved tiny hard flash holes contig";
}

int shape_build(shape *s, const char *name, int64_t bytes, int rank, int ranks)
{
    static const struct { const char *name; int64_t size[2]; } records[] = {
        { "interleaved", { 32768, 32768 } }, { "tiny", { 64, 64 } },
        { "hard", { 47008, 47008 } },        { "holes", { 4096, 65536 } },
    };
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        if (strcmp(name, records[i].name) == 0) {
            build_records(s, bytes, records[i].size, rank, ranks);
            return 0;
        }
    }
    if (strcmp(name, "dist3d") == 0)
        build_dist3d(s, bytes, rank, ranks);
    else if (strcmp(name, "btio") == 0)
        build_btio(s, bytes, rank, ranks);
    else if (strcmp(name, "unstruc") == 0)
        build_unstruc(s, bytes, rank, ranks);
    else if (strcmp(name, "flash") == 0)
        build_flash(s, bytes, rank, ranks);
    else if (strcmp(name, "contig") == 0)
        build_contig(s, bytes, rank, ranks);
    else
        return -1;
    return 0;
}

int run_next(const shape *s, run *r)
{
    int64_t at = r->first + r->rows;
    int step = r->step;
    if (at >= s->rows) {
        at = 0;
        step++;
        if (step >= s->steps || s->rows == 0)
            return 0;
    }
    row one;
    s->row_at(s, at, &one);
    r->step = step;
    r->first = at;
    r->rows = 1;
    r->length = one.block * one.count;
    r->file = one.file + step * s->step_extent;
    r->mem = one.count == 1 ? one.mem + step * s->mem_bytes : -1;
    while (at + r->rows < s->rows) {
        s->row_at(s, at + r->rows, &one);
        int64_t more = one.block * one.count;
        if (one.file + step * s->step_extent != r->file + r->length)
            break;
        int direct = r->mem >= 0 && one.count == 1 && one.mem + step * s->mem_bytes == r->mem + r->length;
        if (r->length + more > (direct ? step_limit : (int64_t)PACK_LIMIT))
            break;
        if (!direct)
            r->mem = -1;
        r->length += more;
        r->rows++;
    }
    return 1;
}

void run_copy(const shape *s, const run *r, char *buffer, char *packed, int to_packed)
{
    char *base = buffer + r->step * s->mem_bytes;
    for (int64_t i = 0; i < r->rows; i++) {
        row one;
        s->row_at(s, r->first + i, &one);
        char *mem = base + one.mem;
        for (int64_t k = 0; k < one.count; k++, mem += one.stride, packed += one.block) {
            if (to_packed)
                memcpy(packed, mem, (size_t)one.block);
            else
                memcpy(mem, packed, (size_t)one.block);
        }
    }
}
