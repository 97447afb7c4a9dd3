/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One number for the cells of all ranks. It does not depend on the number of ranks. And the time of
 * a program's steps without the first ones, where MPI_STEPS_TIMED is set.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Call it before each step, and after the last one. */
static void time_steps(long step, long steps) {
    enum { FIRST = 8 };
    static double start;
    int rank;
    if (!getenv("MPI_STEPS_TIMED") || (step != FIRST && step != steps))
        return;
    MPI_Barrier(MPI_COMM_WORLD);
    if (step < steps) {
        start = MPI_Wtime();
        return;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr, "%.3f us a step\n", 1e6 * (MPI_Wtime() - start) / (double)(steps - FIRST));
}

/* Of a row of cells: its number, and `first`, the number of its first cell. */
static uint64_t digest_row(const double *cells, long count, long row, long first) {
    uint64_t sum = 0;
    for (long j = 0; j < count; j++) {
        uint64_t bits, place = (uint64_t)row * 0x9e3779b97f4a7c15u + (uint64_t)(first + j);
        memcpy(&bits, &cells[j], sizeof bits);
        bits = (bits ^ place) * 0xff51afd7ed558ccdu;
        sum += bits ^ bits >> 29;
        __asm__("" : "+r"(sum)); /* no loop for a device */
    }
    return sum;
}

static void digest_print(const char *name, uint64_t mine) {
    uint64_t all;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %016llx\n", name, (unsigned long long)all);
}
