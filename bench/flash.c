/* flash.c - the FLASH-IO kernel: adaptive-mesh blocks with guard cells, written variable by variable.
 *
 * What it measures: a file side that is large and contiguous with a memory side that is as scattered as it gets.
 * Specification: 24 double variables; blocks of 8^3 zones with 4 guard cells on each side, so 16^3 in memory; variables are the
 * fastest dimension in memory, unk[block][z][y][x][var] as in FLASH, hence 8-byte pieces 192 B apart. In the file each variable
 * is an array [all blocks][8][8][8]; each rank's blocks are contiguous in it. Ranks have base + (rank mod 3) blocks, base chosen
 * so that the total is near the size asked for. Levels 0 and 1 pack the interior first, as FLASH-IO does (in the time).
 * User memory is 8 times the useful bytes.
 */
#include "patterns.h"

enum { VARS = 24, ZONES = 8, GUARD = 4, WIDE = ZONES + 2 * GUARD, REAL = 8 };
static const int64_t block_file = ZONES * ZONES * ZONES * REAL;
static const int64_t block_mem = (int64_t)WIDE * WIDE * WIDE * VARS * REAL;

static int64_t zone_mem(int64_t z, int64_t y)
{
    return (((z + GUARD) * WIDE + y + GUARD) * WIDE + GUARD) * VARS * REAL;
}

/* param: blocks of this rank, blocks before it, blocks of all ranks. One row is one line of 8 zones. */
static void flash_row(const shape *s, int64_t index, row *r)
{
    int64_t y = index % ZONES, z = index / ZONES % ZONES, rest = index / (ZONES * ZONES);
    int64_t block = rest % s->param[0], var = rest / s->param[0];
    r->file = (var * s->param[2] + s->param[1] + block) * block_file + (z * ZONES + y) * ZONES * REAL;
    r->mem = block * block_mem + zone_mem(z, y) + var * REAL;
    r->block = REAL;
    r->count = ZONES;
    r->stride = VARS * REAL;
}

/* Wraps *type into an hvector and frees the inner one. */
static void nest(MPI_Datatype *type, int64_t count, int64_t stride)
{
    MPI_Datatype inner = *type;
    MPI_Type_create_hvector((int)count, 1, (MPI_Aint)stride, inner, type);
    if (inner != MPI_DOUBLE)
        MPI_Type_free(&inner);
}

static MPI_Datatype memory_type(int64_t blocks)
{
    MPI_Datatype type = MPI_DOUBLE, placed;
    nest(&type, ZONES, VARS * REAL);
    nest(&type, ZONES, (int64_t)WIDE * VARS * REAL);
    nest(&type, ZONES, (int64_t)WIDE * WIDE * VARS * REAL);
    nest(&type, blocks, block_mem);
    nest(&type, VARS, REAL);
    MPI_Aint origin = (MPI_Aint)zone_mem(0, 0);
    int one = 1;
    MPI_Type_create_hindexed(1, &one, &origin, type, &placed);
    MPI_Type_free(&type);
    return placed;
}

void build_flash(shape *s, int64_t bytes, int rank, int ranks)
{
    shape_init(s, bytes, ranks);
    int64_t base = bytes / s->steps / (VARS * block_file) / ranks, before = 0, all = 0;
    base = base > 2 ? base - 1 : 1;
    for (int r = 0; r < ranks; r++) {
        int64_t blocks = base + r % 3;
        before += r < rank ? blocks : 0;
        all += blocks;
    }
    int64_t mine = base + rank % 3;
    s->param[0] = mine;
    s->param[1] = before;
    s->param[2] = all;
    s->row_at = flash_row;
    s->rows = VARS * mine * ZONES * ZONES;
    s->interleaved = VARS;
    s->rank_bytes = VARS * mine * block_file;
    s->mem_bytes = mine * block_mem;
    s->basic_bytes = REAL;
    s->step_extent = VARS * all * block_file;
    s->total_bytes = s->step_extent * s->steps;
    s->disp = before * block_file;
    MPI_Type_contiguous(1, MPI_DOUBLE, &s->etype);
    MPI_Type_commit(&s->etype);
    MPI_Type_create_hvector(VARS, (int)(mine * block_file / REAL), (MPI_Aint)(all * block_file), MPI_DOUBLE, &s->filetype);
    s->memtype = memory_type(mine);
    shape_finish(s, s->step_extent);
}
