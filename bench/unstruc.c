/* unstruc.c - UNSTRUC of the ROMIO paper: an irregular (unstructured mesh) distribution by a map.
 *
 * What it measures: irregular 64-byte pieces, scattered in the file and in memory, that no formula describes.
 * Specification: N elements of 64 B; a seeded random permutation deals them to the ranks (rank r owns permutation positions
 * [rN/P, (r+1)N/P)). MPI wants ascending displacements in a filetype, so the map is sorted for the file and the permutation goes
 * to the memory side: both are indexed blocks. The seed is fixed, so every run and every engine sees the same map.
 */
#include "patterns.h"

#include <stdlib.h>

enum { ELEMENT = 64 };

static uint64_t random_next(uint64_t *state)
{
    uint64_t x = (*state += 0x9e3779b97f4a7c15u);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void unstruc_row(const shape *s, int64_t index, row *r)
{
    r->file = s->table.file[index];
    r->mem = s->table.mem[index];
    r->block = r->stride = ELEMENT;
    r->count = 1;
}

/* position[g] = where the map puts global element g; a Fisher-Yates shuffle. */
static int *shuffled_positions(int n)
{
    int *position = malloc(sizeof *position * (size_t)n);
    uint64_t state = 20021;
    for (int i = 0; i < n; i++)
        position[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(random_next(&state) % (uint64_t)(i + 1)), t = position[i];
        position[i] = position[j];
        position[j] = t;
    }
    return position;
}

void build_unstruc(shape *s, int64_t bytes, int rank, int ranks)
{
    shape_init(s, bytes, ranks);
    int n = (int)(bytes / s->steps / ELEMENT);
    if (n < 1)
        n = 1;
    int first = (int)share_start(n, rank, ranks), mine = (int)share_start(n, rank + 1, ranks) - first;
    size_t room = (size_t)(mine > 0 ? mine : 1);
    int *position = shuffled_positions(n);
    int *in_file = malloc(sizeof *in_file * room), *in_memory = malloc(sizeof *in_memory * room);
    s->table.file = malloc(sizeof(int64_t) * room);
    s->table.mem = malloc(sizeof(int64_t) * room);
    for (int g = 0; g < n; g++) {
        int local = position[g] - first;
        if (local < 0 || local >= mine)
            continue;
        in_file[s->rows] = g;
        in_memory[s->rows] = local;
        s->table.file[s->rows] = (int64_t)g * ELEMENT;
        s->table.mem[s->rows++] = (int64_t)local * ELEMENT;
    }
    s->row_at = unstruc_row;
    s->rank_bytes = s->mem_bytes = (int64_t)mine * ELEMENT;
    s->step_extent = (int64_t)n * ELEMENT;
    s->total_bytes = s->step_extent * s->steps;
    MPI_Type_contiguous(ELEMENT, MPI_BYTE, &s->etype);
    MPI_Type_commit(&s->etype);
    if (mine > 0) {
        MPI_Type_create_indexed_block(mine, 1, in_file, s->etype, &s->filetype);
        MPI_Type_create_indexed_block(mine, 1, in_memory, s->etype, &s->memtype);
    }
    shape_finish(s, s->step_extent);
    free(position);
    free(in_file);
    free(in_memory);
}
