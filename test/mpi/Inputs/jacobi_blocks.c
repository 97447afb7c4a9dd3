/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Jacobi's method on a plate, cut into blocks. Rows are sent as they are. Columns are packed; with
 * the word "vector", MPI takes them by a type. The inner cells are computed while the halos travel.
 * Usage: jacobi_blocks ROWS COLUMNS STEPS [vector]
 */
#include "digest.h"

static int beside[4]; /* the neighbours above, below, left, right */
static MPI_Comm plate;
static MPI_Datatype column;
static long mine[2], first[2]; /* the block's own rows and columns, and the first of each */
static long pitch;             /* a row with both halos */
static double
    *packed[4]; /* the columns: to the left, to the right, from the left, from the right */

static double *block(void) {
    double *cells = malloc((size_t)(mine[0] + 2) * (size_t)pitch * sizeof *cells);
    for (long i = 0; i < mine[0] + 2; i++)
        for (long j = 0; j < pitch; j++)
            cells[i * pitch + j] = (double)((first[0] + i) * 7 % 31 + (first[1] + j) * 5 % 17) / 8;
    return cells;
}

static void relax(double *restrict to, const double *restrict from, long top, long bottom,
                  long left, long right) {
    for (long i = top; i <= bottom; i++)
        for (long j = left; j <= right; j++)
            to[i * pitch + j] = 0.25 * (from[(i - 1) * pitch + j] + from[(i + 1) * pitch + j] +
                                        from[i * pitch + j - 1] + from[i * pitch + j + 1]);
}

static void pack(double *restrict to, const double *restrict cells, long j) {
    for (long i = 1; i <= mine[0]; i++)
        to[i - 1] = cells[i * pitch + j];
}

static void unpack(double *restrict cells, const double *restrict from, long j) {
    for (long i = 1; i <= mine[0]; i++)
        cells[i * pitch + j] = from[i - 1];
}

static void begin(double *cells, int is_packed, MPI_Request *requests) {
    int width = (int)mine[1], height = (int)mine[0];
    double *rows[] = {cells + pitch + 1, cells + mine[0] * pitch + 1, cells + 1,
                      cells + (mine[0] + 1) * pitch + 1};
    double *columns[] = {cells + pitch + 1, cells + pitch + mine[1], cells + pitch,
                         cells + pitch + mine[1] + 1};
    for (int k = 0; k < 2; k++) {
        MPI_Irecv(rows[2 + k], width, MPI_DOUBLE, beside[k], 1 - k, plate, requests++);
        if (is_packed)
            MPI_Irecv(packed[2 + k], height, MPI_DOUBLE, beside[2 + k], 3 - k, plate, requests++);
        else
            MPI_Irecv(columns[2 + k], 1, column, beside[2 + k], 3 - k, plate, requests++);
    }
    for (int k = 0; k < 2; k++) {
        MPI_Isend(rows[k], width, MPI_DOUBLE, beside[k], k, plate, requests++);
        if (is_packed) {
            pack(packed[k], cells, k == 0 ? 1 : mine[1]);
            MPI_Isend(packed[k], height, MPI_DOUBLE, beside[2 + k], 2 + k, plate, requests++);
        } else
            MPI_Isend(columns[k], 1, column, beside[2 + k], 2 + k, plate, requests++);
    }
}

static void end(double *cells, int is_packed, MPI_Request *requests) {
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    for (int k = 0; is_packed && k < 2; k++)
        if (beside[2 + k] != MPI_PROC_NULL)
            unpack(cells, packed[2 + k], k == 0 ? 0 : mine[1] + 1);
}

static void step(double *to, double *from, int is_packed) {
    MPI_Request requests[8];
    begin(from, is_packed, requests);
    relax(to, from, 2, mine[0] - 1, 2, mine[1] - 1);
    end(from, is_packed, requests);
    relax(to, from, 1, 1, 1, mine[1]);
    relax(to, from, mine[0], mine[0], 1, mine[1]);
    relax(to, from, 2, mine[0] - 1, 1, 1);
    relax(to, from, 2, mine[0] - 1, mine[1], mine[1]);
}

static void cut(long rows, long columns) {
    int ranks, rank, counts[2] = {0, 0}, periodic[2] = {0, 0}, at[2];
    long whole[2] = {rows, columns};
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, counts);
    MPI_Cart_create(MPI_COMM_WORLD, 2, counts, periodic, 0, &plate);
    MPI_Comm_rank(plate, &rank);
    MPI_Cart_coords(plate, rank, 2, at);
    for (int d = 0; d < 2; d++) {
        MPI_Cart_shift(plate, d, 1, &beside[2 * d], &beside[2 * d + 1]);
        first[d] = whole[d] * at[d] / counts[d];
        mine[d] = whole[d] * (at[d] + 1) / counts[d] - first[d];
    }
    pitch = mine[1] + 2;
    MPI_Type_vector((int)mine[0], 1, (int)pitch, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int k = 0; k < 4; k++)
        packed[k] = malloc((size_t)mine[0] * sizeof *packed[k]);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    cut(atol(argv[1]), atol(argv[2]));
    long steps = atol(argv[3]);
    double *a = block(), *b = block();
    for (long t = 0; t < steps; t++) {
        time_steps(t, steps);
        step(b, a, argc == 4);
        double *swap = a;
        a = b;
        b = swap;
    }
    time_steps(steps, steps);
    uint64_t sum = 0;
    for (long i = 1; i <= mine[0]; i++)
        sum += digest_row(&a[i * pitch + 1], mine[1], first[0] + i, first[1] + 1);
    digest_print("jacobi_blocks", sum);
    MPI_Type_free(&column);
    for (int k = 0; k < 4; k++)
        free(packed[k]);
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
