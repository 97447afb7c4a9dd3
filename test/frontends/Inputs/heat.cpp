// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of heat.c in C++: std::swap, and indices by an operator of a class.
#include <cstdint>
#include <utility>

struct grid {
    REAL *cells;
    int64_t h, w;
    REAL &operator()(int64_t i, int64_t j) const { return cells[i * w + j]; }
    REAL &operator()(int64_t k, int64_t i, int64_t j) const { return cells[(k * h + i) * w + j]; }
};

extern "C" void heat2(REAL *pa, REAL *pb, int64_t h, int64_t w, int64_t steps) {
    grid a{pa, h, w}, b{pb, h, w};
    for (int64_t t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int64_t i = 1; i < h - 1; i++)
            for (int64_t j = 1; j < w - 1; j++)
                b(i, j) = a(i, j) * REAL(0.5) + (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)) * REAL(0.125);
        std::swap(a, b);
    }
}

extern "C" void heat3(REAL *pa, REAL *pb, int64_t d, int64_t h, int64_t w, int64_t steps) {
    grid a{pa, h, w}, b{pb, h, w};
    for (int64_t t = 0; t < steps; t++) {
#pragma omp parallel for schedule(static)
        for (int64_t k = 1; k < d - 1; k++)
            for (int64_t i = 1; i < h - 1; i++)
                for (int64_t j = 1; j < w - 1; j++)
                    b(k, i, j) = a(k, i, j) * REAL(0.5) + (a(k - 1, i, j) + a(k + 1, i, j) + a(k, i - 1, j) + a(k, i + 1, j) + a(k, i, j - 1) + a(k, i, j + 1)) * REAL(0.125);
        std::swap(a, b);
    }
}

extern "C" void smooth(REAL *pa, REAL *pb, int64_t h, int64_t w) {
    grid a{pa, h, w}, b{pb, h, w};
#pragma omp parallel for simd
    for (int64_t i = 1; i < h - 1; i++)
        for (int64_t j = 1; j < w - 1; j++)
            b(i, j) = a(i, j) * REAL(0.5) + (a(i - 1, j) + a(i + 1, j)) * REAL(0.25);
}
