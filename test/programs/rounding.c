/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sweeps that round to whole numbers, half away from zero, in float and double. The cells hold halves, the numbers
 * beside halves, signed zeros and numbers without a fraction. `whole` calls lround, which is no operation of a cell.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWEEP(name, real, round)                                                                   \
    __attribute__((noinline)) void name(int n, int m, real *restrict b, const real *restrict a) {  \
        for (int i = 1; i < n - 1; i++)                                                            \
            for (int j = 1; j < m - 1; j++)                                                        \
                b[i * m + j] = round(a[i * m + j - 1]) - (real)0.25 * round(a[(i + 1) * m + j]);   \
    }

SWEEP(singles, float, roundf)
SWEEP(doubles, double, round)
SWEEP(whole, double, lround)

#define CHECK(name, real, nextafter)                                                               \
    static void check_##name(int n, int m) {                                                       \
        real *a = malloc(sizeof *a * n * m), *b = calloc(n * m, sizeof *b);                        \
        for (int i = 0; i < n * m; i++) {                                                          \
            real half = (real)(i % 37 - 18) / 2;                                                   \
            real big = (real)(1LL << (sizeof(real) == 4 ? 22 : 51)) + half;                        \
            a[i] = i % 5 == 0 ? half : i % 5 == 1 ? nextafter(half, -100)                          \
                 : i % 5 == 2 ? nextafter(half, 100) : i % 5 == 3 ? -big : big * 2;                \
        }                                                                                          \
        name(n, m, b, a);                                                                          \
        for (int i = 0; i < n * m; i++)                                                            \
            printf("%a\n", (double)b[i]);                                                          \
        free(a);                                                                                   \
        free(b);                                                                                   \
    }

CHECK(singles, float, nextafterf)
CHECK(doubles, double, nextafter)

int main(void) {
    static const int sizes[][2] = {{33, 41}, {3, 3}, {7, 5}, {2, 9}, {64, 130}};
    for (int k = 0; k < 5; k++) {
        check_singles(sizes[k][0], sizes[k][1]);
        check_doubles(sizes[k][0], sizes[k][1]);
    }
}
