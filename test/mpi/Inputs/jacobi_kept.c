/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * As jacobi_rows, with the words of stencilopt.h: the program says which rows it sends and
 * receives. With the word "device", MPI gets the rows' addresses on the device. Usage: jacobi_kept
 * ROWS COLUMNS STEPS [device]
 */
#include "digest.h"
#include "stencilopt/stencilopt.h"

static int rank, ranks, there, used;
static long columns, first, mine;

static double *band(void) {
    size_t bytes = (size_t)(mine + 2) * (size_t)columns * sizeof(double);
    double *cells = malloc(bytes);
    for (long i = 0; i < mine + 2; i++)
        for (long j = 0; j < columns; j++)
            cells[i * columns + j] = (double)((first + i) * 7 % 31 + j * 5 % 17) / 8;
    stencilopt_keep(cells, bytes);
    return cells;
}

/* Sends one row, and receives another one. */
static void swap_rows(double *from, int to_rank, double *to, int from_rank, int tag) {
    size_t bytes = (size_t)columns * sizeof *from;
    double *sent = there ? stencilopt_device(from, bytes) : NULL;
    double *received = there ? stencilopt_device(to, bytes) : NULL;
    used += sent && received;
    if (!sent)
        stencilopt_fetch(from, bytes);
    MPI_Sendrecv(sent ? sent : from, (int)columns, MPI_DOUBLE, to_rank, tag,
                 received ? received : to, (int)columns, MPI_DOUBLE, from_rank, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (from_rank == MPI_PROC_NULL)
        return;
    if (received)
        stencilopt_device_changed(to, bytes);
    else
        stencilopt_changed(to, bytes);
}

static void exchange(double *cells) {
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    swap_rows(cells + columns, above, cells + (mine + 1) * columns, below, 0);
    swap_rows(cells + mine * columns, below, cells, above, 1);
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
    long rows = atol(argv[1]), steps = atol(argv[3]);
    columns = atol(argv[2]);
    there = argc == 5;
    first = rows * rank / ranks;
    mine = rows * (rank + 1) / ranks - first;
    double *a = band(), *b = band();
    for (long t = 0; t < steps; t++) {
        time_steps(t, steps);
        exchange(a);
        relax(b, a);
        double *swap = a;
        a = b;
        b = swap;
    }
    time_steps(steps, steps);
    size_t bytes = (size_t)(mine + 2) * (size_t)columns * sizeof *a;
    uint64_t sum = 0;
    stencilopt_release(a, bytes);
    stencilopt_release(b, bytes);
    for (long i = 1; i <= mine; i++)
        sum += digest_row(&a[i * columns], columns, first + i, 0);
    if (rank == 0)
        fprintf(stderr, "rows sent from the device: %d\n", used);
    digest_print("jacobi_kept", sum);
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
