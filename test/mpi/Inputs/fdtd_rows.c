/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Light in two dimensions (TE): ex, ey and hz on staggered cells, cut into bands of rows. A step
 * sends a row of hz down, and a row of ex up. One rank has a source. Usage: fdtd_rows ROWS COLUMNS
 * STEPS
 */
#include "digest.h"

static int rank, ranks, above, below;
static long columns, first, mine;
static double *ex, *ey, *hz;

/* Row 0 is the last of the band above, row mine + 1 the first of the band below. */
static double *band(double factor) {
    double *cells = malloc((size_t)(mine + 2) * (size_t)columns * sizeof *cells);
    for (long i = 0; i < mine + 2; i++)
        for (long j = 0; j < columns; j++)
            cells[i * columns + j] = factor * (double)((first + i) * 3 % 13 - j * 5 % 11);
    return cells;
}

static void update_e(void) {
    for (long i = 1; i <= mine; i++)
        for (long j = 0; j < columns; j++)
            ex[i * columns + j] += 0.5 * (hz[i * columns + j] - hz[(i - 1) * columns + j]);
    for (long i = 1; i <= mine; i++)
        for (long j = 1; j < columns; j++)
            ey[i * columns + j] -= 0.5 * (hz[i * columns + j] - hz[i * columns + j - 1]);
}

static void update_h(void) {
    for (long i = 1; i <= mine; i++)
        for (long j = 0; j < columns - 1; j++)
            hz[i * columns + j] -= 0.7 * (ey[i * columns + j + 1] - ey[i * columns + j] +
                                          ex[i * columns + j] - ex[(i + 1) * columns + j]);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    long rows = atol(argv[1]), steps = atol(argv[3]), source = rows / 3;
    columns = atol(argv[2]);
    int width = (int)columns;
    first = rows * rank / ranks;
    mine = rows * (rank + 1) / ranks - first;
    ex = band(0.25), ey = band(0.5), hz = band(1);
    for (long t = 0; t < steps; t++) {
        time_steps(t, steps);
        MPI_Sendrecv(hz + mine * columns, width, MPI_DOUBLE, below, 0, hz, width, MPI_DOUBLE, above,
                     0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        update_e();
        MPI_Sendrecv(ex + columns, width, MPI_DOUBLE, above, 1, ex + (mine + 1) * columns, width,
                     MPI_DOUBLE, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        update_h();
        if (source >= first && source < first + mine)
            hz[(source - first + 1) * columns + columns / 2] += (double)(t % 5);
    }
    time_steps(steps, steps);
    uint64_t sum = 0;
    for (long i = 1; i <= mine; i++)
        sum += digest_row(&ex[i * columns], columns, first + i, 0) +
               digest_row(&ey[i * columns], columns, first + i, columns) +
               digest_row(&hz[i * columns], columns, first + i, 2 * columns);
    digest_print("fdtd_rows", sum);
    free(ex);
    free(ey);
    free(hz);
    MPI_Finalize();
    return 0;
}
