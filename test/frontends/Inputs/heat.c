// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of this folder in C. heat2 and heat3: time loops over two arrays that swap; smooth: one sweep. Compiled with
// -fopenmp, too.
#include <stdint.h>
#ifdef __cplusplus
extern "C"
#endif
void heat2(REAL *a, REAL *b, int64_t h, int64_t w, int64_t steps) {
    for (int64_t t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int64_t i = 1; i < h - 1; i++)
            for (int64_t j = 1; j < w - 1; j++)
                b[i * w + j] = a[i * w + j] * (REAL)0.5 + (a[(i - 1) * w + j] + a[(i + 1) * w + j] + a[i * w + j - 1] + a[i * w + j + 1]) * (REAL)0.125;
        REAL *c = a;
        a = b;
        b = c;
    }
}

#ifdef __cplusplus
extern "C"
#endif
void heat3(REAL *a, REAL *b, int64_t d, int64_t h, int64_t w, int64_t steps) {
    for (int64_t t = 0; t < steps; t++) {
#pragma omp parallel for schedule(static)
        for (int64_t k = 1; k < d - 1; k++)
            for (int64_t i = 1; i < h - 1; i++)
                for (int64_t j = 1; j < w - 1; j++)
                    b[(k * h + i) * w + j] = a[(k * h + i) * w + j] * (REAL)0.5 + (a[((k - 1) * h + i) * w + j] + a[((k + 1) * h + i) * w + j] + a[(k * h + i - 1) * w + j] + a[(k * h + i + 1) * w + j] + a[(k * h + i) * w + j - 1] + a[(k * h + i) * w + j + 1]) * (REAL)0.125;
        REAL *c = a;
        a = b;
        b = c;
    }
}

#ifdef __cplusplus
extern "C"
#endif
void smooth(REAL *a, REAL *b, int64_t h, int64_t w) {
#pragma omp parallel for simd
    for (int64_t i = 1; i < h - 1; i++)
        for (int64_t j = 1; j < w - 1; j++)
            b[i * w + j] = a[i * w + j] * (REAL)0.5 + (a[(i - 1) * w + j] + a[(i + 1) * w + j]) * (REAL)0.25;
}
