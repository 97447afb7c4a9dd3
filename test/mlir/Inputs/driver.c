/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * driver N STEPS [GAP]: calls timeloop of an MLIR file by MLIR's convention for memref<?x64xf32> or
 * memref<?x?xf32>, on arrays of N rows of 64 cells, and writes both arrays to the standard output.
 * Rows of the second array are GAP cells further apart; constant row lengths ignore that.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MEMREF float *, float *, int64_t, int64_t, int64_t, int64_t, int64_t
extern void timeloop(MEMREF, MEMREF, int64_t);

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    int64_t n = atoi(argv[1]), m = 64, row = m + (argc > 3 ? atoi(argv[3]) : 0);
    size_t count = (size_t)(n * row);
    float *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
    if (!a || !b)
        return 2;
    for (size_t i = 0; i < count; i++) {
        a[i] = (float)(i * 7919 % 1000) / 999;
        b[i] = (float)(i * 104729 % 1000) / 999;
    }
    timeloop(a, a, 0, n, m, m, 1, b, b, 0, n, m, row, 1, atoi(argv[2]));
    return fwrite(a, sizeof *a, count, stdout) != count ||
           fwrite(b, sizeof *b, count, stdout) != count;
}
