/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Jacobi's method on a plate, cut into bands of rows. Each step exchanges a row with both
 * neighbours; with the word "puts" each rank puts its rows into its neighbours' memory. With "dies"
 * the last rank is killed after step 3. Usage: jacobi_rows ROWS COLUMNS STEPS [dies|puts]
 */
#include "digest.h"
#include <signal.h>

static int rank, ranks;
static long rows, columns, first, mine; /* the band's first row, and its number of rows */

static double *band(void) {
    double *cells = malloc((size_t)(mine + 2) * (size_t)columns * sizeof *cells);
    for (long i = 0; i < mine + 2; i++)
        for (long j = 0; j < columns; j++)
            cells[i * columns + j] = (double)((first + i) * 7 % 31 + j * 5 % 17) / 8;
    return cells;
}

static void exchange(double *cells) {
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    int width = (int)columns;
    MPI_Sendrecv(cells + columns, width, MPI_DOUBLE, above, 0, cells + (mine + 1) * columns, width,
                 MPI_DOUBLE, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(cells + mine * columns, width, MPI_DOUBLE, below, 1, cells, width, MPI_DOUBLE,
                 above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static MPI_Win window(double *cells) {
    MPI_Win made;
    MPI_Win_create(cells, (MPI_Aint)((mine + 2) * columns) * (MPI_Aint)sizeof *cells, sizeof *cells,
                   MPI_INFO_NULL, MPI_COMM_WORLD, &made);
    return made;
}

static void put(double *cells, MPI_Win window) {
    long above = rank > 0 ? first - rows * (rank - 1) / ranks : 0; /* rows of the band above */
    MPI_Win_fence(0, window);
    if (rank > 0)
        MPI_Put(cells + columns, (int)columns, MPI_DOUBLE, rank - 1, (above + 1) * columns,
                (int)columns, MPI_DOUBLE, window);
    if (rank + 1 < ranks)
        MPI_Put(cells + mine * columns, (int)columns, MPI_DOUBLE, rank + 1, 0, (int)columns,
                MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
}

static void relax(double *restrict to, const double *restrict from) {
    for (long i = 1; i <= mine; i++)
        for (long j = 1; j < columns - 1; j++)
            to[i * columns + j] =
                0.25 * (from[(i - 1) * columns + j] + from[(i + 1) * columns + j] +
                        from[i * columns + j - 1] + from[i * columns + j + 1]);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    long steps = atol(argv[3]);
    const char *word = argc == 5 ? argv[4] : "";
    rows = atol(argv[1]);
    columns = atol(argv[2]);
    first = rows * rank / ranks;
    mine = rows * (rank + 1) / ranks - first;
    double *a = band(), *b = band();
    int puts = !strcmp(word, "puts");
    MPI_Win windows[2];
    if (puts)
        windows[0] = window(a), windows[1] = window(b);
    for (long t = 0; t < steps; t++) {
        time_steps(t, steps);
        if (puts)
            put(a, windows[t % 2]);
        else
            exchange(a);
        relax(b, a);
        double *swap = a;
        a = b;
        b = swap;
        if (!strcmp(word, "dies") && t == 3 && rank == ranks - 1)
            raise(SIGKILL);
    }
    time_steps(steps, steps);
    uint64_t sum = 0;
    for (long i = 1; i <= mine; i++)
        sum += digest_row(&a[i * columns], columns, first + i, 0);
    digest_print("jacobi_rows", sum);
    for (int k = 0; k < 2 && puts; k++)
        MPI_Win_free(&windows[k]);
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
