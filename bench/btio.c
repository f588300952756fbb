/* btio.c - BTIO of the NAS Parallel Benchmarks: the multipartition decomposition of the BT solver's array.
 *
 * What it measures: medium rows in several cells per rank, memory with ghost cells, several dumps appended to one file.
 * Specification: an n^3 array of records of 5 doubles (the 40 B etype, never divided), c = sqrt(P), c^3 cells. Processor v owns in
 * z layer k the cell x = (v mod c + k) mod c, y = (v div c - k) mod c: every layer in every direction has one cell of each
 * processor. Cells are kept in one local array with 2 ghost layers on each side. One dump is one access; class A (n = 64, 10 MiB
 * a dump) from 10 MiB on, as many dumps as fit; below that one dump of the largest n that fits.
 * When P is no square, c = ceil(sqrt(P)) and the c*c processors of the scheme are dealt to the ranks round robin, so a rank may
 * own several cells of one layer. The types are built layer by layer (rows, then y, then z), which keeps the filetype ascending in
 * that case as well; for square P it is the same as a struct of c subarrays.
 */
#include "patterns.h"

#include <stdlib.h>

enum { RECORD = 40, GHOST = 2 };

typedef struct grid {
    int c, n, rank, ranks;
    int64_t wide;  /* records of one memory row: widest cell and ghosts */
    int64_t cells; /* cells of this rank so far, in the order their memory lies */
} grid;

static int owner(const grid *g, int x, int y, int z)
{
    int v = (x - z + g->c) % g->c + (y + z) % g->c * g->c;
    return v % g->ranks;
}

static int64_t edge(const grid *g, int part)
{
    return share_start(g->n, part, g->c);
}

/* Bytes of the first interior record of the rank's cell number `cell` in memory. */
static int64_t cell_mem(const grid *g, int64_t cell)
{
    return (cell * g->wide * g->wide * g->wide + (GHOST * g->wide + GHOST) * g->wide + GHOST) * RECORD;
}

/* One layer z, one row of cells y: the rank's cells as one row type, repeated over y. Returns 0 when it owns none. */
static int strip_type(const grid *g, int z, int y, MPI_Datatype record, MPI_Datatype out[2])
{
    int *count = malloc(sizeof *count * (size_t)g->c);
    MPI_Aint *file = malloc(sizeof *file * (size_t)g->c), *mem = malloc(sizeof *mem * (size_t)g->c);
    int found = 0;
    for (int x = 0; x < g->c; x++) {
        if (owner(g, x, y, z) != g->rank)
            continue;
        count[found] = (int)(edge(g, x + 1) - edge(g, x));
        file[found] = (MPI_Aint)(edge(g, x) * RECORD);
        mem[found] = (MPI_Aint)cell_mem(g, g->cells + found);
        found++;
    }
    if (found > 0) {
        MPI_Datatype line[2];
        MPI_Type_create_hindexed(found, count, file, record, &line[0]);
        MPI_Type_create_hindexed(found, count, mem, record, &line[1]);
        int high = (int)(edge(g, y + 1) - edge(g, y));
        MPI_Type_create_hvector(high, 1, (MPI_Aint)g->n * RECORD, line[0], &out[0]);
        MPI_Type_create_hvector(high, 1, (MPI_Aint)g->wide * RECORD, line[1], &out[1]);
        MPI_Type_free(&line[0]);
        MPI_Type_free(&line[1]);
    }
    free(count);
    free(file);
    free(mem);
    return found;
}

/* Joins n types into a struct at the given displacements and frees the parts. */
static MPI_Datatype join(int n, const MPI_Aint *at, MPI_Datatype *part)
{
    MPI_Datatype whole;
    int *ones = calloc((size_t)n, sizeof *ones);
    for (int i = 0; i < n; i++)
        ones[i] = 1;
    MPI_Type_create_struct(n, ones, at, part, &whole);
    for (int i = 0; i < n; i++)
        MPI_Type_free(&part[i]);
    free(ones);
    return whole;
}

/* One layer: its strips as a plane, repeated over z. Returns the number of cells in it. */
static int layer_type(grid *g, int z, MPI_Datatype record, MPI_Datatype out[2])
{
    size_t c = (size_t)g->c;
    MPI_Datatype *file = malloc(sizeof *file * c), *mem = malloc(sizeof *mem * c);
    MPI_Aint *at = malloc(sizeof *at * c), *zero = calloc(c, sizeof *zero);
    int strips = 0, cells = 0;
    for (int y = 0; y < g->c; y++) {
        MPI_Datatype strip[2];
        int found = strip_type(g, z, y, record, strip);
        if (found == 0)
            continue;
        g->cells += found;
        cells += found;
        at[strips] = (MPI_Aint)(edge(g, y) * g->n * RECORD);
        file[strips] = strip[0];
        mem[strips++] = strip[1];
    }
    if (strips > 0) {
        MPI_Datatype plane[2] = { join(strips, at, file), join(strips, zero, mem) };
        int deep = (int)(edge(g, z + 1) - edge(g, z));
        MPI_Type_create_hvector(deep, 1, (MPI_Aint)g->n * g->n * RECORD, plane[0], &out[0]);
        MPI_Type_create_hvector(deep, 1, (MPI_Aint)(g->wide * g->wide * RECORD), plane[1], &out[1]);
        MPI_Type_free(&plane[0]);
        MPI_Type_free(&plane[1]);
    }
    free(file);
    free(mem);
    free(at);
    free(zero);
    return cells;
}

static void build_types(shape *s, grid *g)
{
    size_t c = (size_t)g->c;
    MPI_Datatype *file = malloc(sizeof *file * c), *mem = malloc(sizeof *mem * c);
    MPI_Aint *at = malloc(sizeof *at * c), *zero = calloc(c, sizeof *zero);
    int layers = 0;
    g->cells = 0;
    for (int z = 0; z < g->c; z++) {
        MPI_Datatype layer[2];
        if (layer_type(g, z, s->etype, layer) == 0)
            continue;
        at[layers] = (MPI_Aint)(edge(g, z) * g->n * g->n * RECORD);
        file[layers] = layer[0];
        mem[layers++] = layer[1];
    }
    if (layers > 0) {
        s->filetype = join(layers, at, file);
        s->memtype = join(layers, zero, mem);
    }
    free(file);
    free(mem);
    free(at);
    free(zero);
}

static void btio_row(const shape *s, int64_t index, row *r)
{
    r->file = s->table.file[index];
    r->mem = s->table.mem[index];
    r->block = r->stride = s->table.length[index];
    r->count = 1;
}

/* The rows of one strip (cells of this rank in layer z, cell row y) at plane dz, from cell number `cell` on. */
static int64_t strip_rows(shape *s, const grid *g, const int at[2], int64_t dz, int64_t cell)
{
    int z = at[0], y = at[1];
    int64_t found = 0;
    for (int64_t dy = 0; dy < edge(g, y + 1) - edge(g, y); dy++) {
        found = 0;
        for (int x = 0; x < g->c; x++) {
            if (owner(g, x, y, z) != g->rank)
                continue;
            int64_t line = (edge(g, z) + dz) * g->n + edge(g, y) + dy;
            s->table.file[s->rows] = (line * g->n + edge(g, x)) * RECORD;
            s->table.mem[s->rows] = cell_mem(g, cell + found) + (dz * g->wide + dy) * g->wide * RECORD;
            s->table.length[s->rows] = (edge(g, x + 1) - edge(g, x)) * RECORD;
            s->rank_bytes += s->table.length[s->rows++];
            found++;
        }
    }
    return found;
}

static void build_rows(shape *s, const grid *g)
{
    size_t most = (size_t)g->n * (size_t)g->n * (size_t)g->c;
    s->table.file = malloc(sizeof(int64_t) * most);
    s->table.mem = malloc(sizeof(int64_t) * most);
    s->table.length = malloc(sizeof(int64_t) * most);
    int64_t layer_first = 0;
    for (int z = 0; z < g->c; z++) {
        int64_t cell = layer_first;
        for (int64_t dz = 0; dz < edge(g, z + 1) - edge(g, z); dz++) {
            cell = layer_first;
            for (int y = 0; y < g->c; y++) {
                int at[2] = { z, y };
                cell += strip_rows(s, g, at, dz, cell);
            }
        }
        layer_first = cell;
    }
}

void build_btio(shape *s, int64_t bytes, int rank, int ranks)
{
    const int64_t class_a = (int64_t)64 * 64 * 64 * RECORD;
    grid g = { .c = 1, .n = 64, .rank = rank, .ranks = ranks };
    shape_init(s, bytes, ranks);
    while (g.c * g.c < ranks)
        g.c++;
    s->steps = bytes >= class_a ? (int)(bytes / class_a) : 1;
    while (g.n > g.c && (int64_t)g.n * g.n * g.n * RECORD > bytes)
        g.n--;
    g.wide = (g.n + g.c - 1) / g.c + 2 * GHOST;
    MPI_Type_contiguous(5, MPI_DOUBLE, &s->etype);
    MPI_Type_commit(&s->etype);
    build_rows(s, &g);
    build_types(s, &g);
    s->row_at = btio_row;
    s->mem_bytes = g.cells * g.wide * g.wide * g.wide * RECORD;
    s->basic_bytes = 8;
    s->step_extent = (int64_t)g.n * g.n * g.n * RECORD;
    s->total_bytes = s->step_extent * s->steps;
    shape_finish(s, s->step_extent);
}
