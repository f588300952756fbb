/* dist3d.c - DIST3D of the ROMIO paper (Thakur, Gropp, Lusk, section 5): a block,block,block distributed array of ints.
 *
 * What it measures: many short equal rows from a regular pattern that one subarray describes.
 * Specification: an n x n x n array of 4-byte ints, row-major in the file; 64 MiB gives n = 256. The process grid divides the
 * fastest dimension first (1x1x2, 1x1x3, 1x2x2, 2x2x2), because a grid that leaves it whole merges the rows and makes the test
 * easy. Divisions may be uneven: the first n mod p parts have one more. n of 64 and more is rounded down to a multiple of 8.
 * 4 ranks, n = 256: each rank has 32,768 rows of 512 B. Memory is the contiguous local array.
 */
#include "patterns.h"

/* Prime factors of ranks, largest first, each to the dimension divided least so far; ties to the fastest dimension. */
static void process_grid(int ranks, int grid[3])
{
    grid[0] = grid[1] = grid[2] = 1;
    for (int prime = ranks; prime >= 2; prime--) {
        int is_prime = 1;
        for (int d = 2; d * d <= prime && is_prime; d++)
            is_prime = prime % d != 0;
        while (is_prime && ranks % prime == 0) {
            int least = 2;
            for (int d = 1; d >= 0; d--)
                if (grid[d] < grid[least])
                    least = d;
            grid[least] *= prime;
            ranks /= prime;
        }
    }
}

/* param: n, local y size, local z size, and the local origin x, y, z. */
static void dist3d_row(const shape *s, int64_t index, row *r)
{
    int64_t n = s->param[0], x = index / s->param[1], y = index % s->param[1];
    r->block = r->stride = s->param[2] * 4;
    r->count = 1;
    r->file = (((s->param[3] + x) * n + s->param[4] + y) * n + s->param[5]) * 4;
    r->mem = index * r->block;
}

void build_dist3d(shape *s, int64_t bytes, int rank, int ranks)
{
    shape_init(s, bytes, ranks);
    int64_t n = 1;
    while ((n + 1) * (n + 1) * (n + 1) * 4 <= bytes / s->steps)
        n++;
    if (n >= 64)
        n -= n % 8;
    int grid[3], sizes[3], sub[3], start[3];
    process_grid(ranks, grid);
    int at[3] = { rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2] };
    for (int d = 0; d < 3; d++) {
        sizes[d] = (int)n;
        start[d] = (int)share_start(n, at[d], grid[d]);
        sub[d] = (int)share_start(n, at[d] + 1, grid[d]) - start[d];
        s->param[3 + d] = start[d];
    }
    s->param[0] = n;
    s->param[1] = sub[1] > 0 ? sub[1] : 1;
    s->param[2] = sub[2];
    s->row_at = dist3d_row;
    s->rank_bytes = s->mem_bytes = (int64_t)sub[0] * sub[1] * sub[2] * 4;
    s->rows = s->rank_bytes > 0 ? (int64_t)sub[0] * sub[1] : 0;
    s->basic_bytes = 4;
    s->etype = MPI_INT;
    s->step_extent = n * n * n * 4;
    s->total_bytes = s->step_extent * s->steps;
    if (s->rank_bytes > 0) {
        MPI_Type_create_subarray(3, sizes, sub, start, MPI_ORDER_C, MPI_INT, &s->filetype);
        MPI_Type_contiguous((int)(s->rank_bytes / 4), MPI_INT, &s->memtype);
    }
    shape_finish(s, s->step_extent);
}
