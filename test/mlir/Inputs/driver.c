/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * driver N STEPS [GAP]: calls timeloop of an MLIR file by MLIR's convention for memrefs of RANK
 * dimensions and elements of type ELEMENT: N cells, N rows of 64, or N planes of 20 x 24. Writes
 * both arrays to the standard output. Rows of the second array are GAP cells further apart;
 * constant row lengths ignore that.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MEMREF ELEMENT *, ELEMENT *, int64_t
#if RANK == 1
#define INNER 1
#define SHAPE int64_t, int64_t
#define SHAPE_OF(row) n, 1
#elif RANK == 2
#define INNER 1
#define ROW 64
#define SHAPE int64_t, int64_t, int64_t, int64_t
#define SHAPE_OF(row) n, ROW, row, 1
#else
#define INNER 20
#define ROW 24
#define SHAPE int64_t, int64_t, int64_t, int64_t, int64_t, int64_t
#define SHAPE_OF(row) n, INNER, ROW, INNER *row, row, 1
#endif
#ifndef ROW
#define ROW 1
#endif
extern void timeloop(MEMREF, SHAPE, MEMREF, SHAPE, int64_t);

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    int64_t n = atoi(argv[1]), row = ROW + (argc > 3 ? atoi(argv[3]) : 0);
    size_t count = (size_t)(n * INNER * row);
    ELEMENT *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
    if (!a || !b)
        return 2;
    for (size_t i = 0; i < count; i++) {
        a[i] = (ELEMENT)(i * 7919 % 1000) / 999;
        b[i] = (ELEMENT)(i * 104729 % 1000) / 999;
    }
    timeloop(a, a, 0, SHAPE_OF(ROW), b, b, 0, SHAPE_OF(row), atoi(argv[2]));
    return fwrite(a, sizeof *a, count, stdout) != count ||
           fwrite(b, sizeof *b, count, stdout) != count;
}
