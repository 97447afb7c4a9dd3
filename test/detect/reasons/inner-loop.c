// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over neighbours are unrolled also where LLVM leaves them, at -O1 or where there are many; not those of an
// unknown number of iterations.
// RUN: %clang -O1 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#define CELLS(r)                                                                                   \
    for (int i = r; i < n - r; i++)                                                                \
        for (int j = r; j < m - r; j++)
void blur(int n, int m, const float *restrict in, float *restrict out, const float *w) {
#define N 3
    // CHECK: inner-loop.c:[[@LINE+1]]:5: remark: 2-D stencil of radius 1, 18 cells read, f32
    CELLS(1) {
        float s = 0;
        for (int p = 0; p < N; p++)
            for (int q = 0; q < N; q++)
                s += w[p * N + q] * in[(i + p - 1) * m + j + q - 1];
        out[i * m + j] = s;
    }
}
void times(int n, int m, int steps, double (*a)[m], double (*b)[m]) {
    for (int t = 0; t < steps; t++) {
        // CHECK: inner-loop.c:[[@LINE+1]]:9: remark: 2-D stencil of radius 4, 82 cells read, f64, {{.*}}: the whole time loop
        CELLS(4) {
            double s = 0;
            for (int p = -4; p <= 4; p++) {
                for (int q = -4; q <= 4; q++)
                    s += a[i + p][j + q];
                for (int q = -4; q <= 4; q++)
                    s -= b[i][j] * a[i + p][j + q];
            }
            b[i][j] = s;
        }
        double(*c)[m] = a;
        a = b;
        b = c;
    }
}
void many(int n, int m, const int *restrict taps, const float *restrict in, float *restrict out) {
    // CHECK: inner-loop.c:[[@LINE+1]]:5: remark: loop nest not offloaded: a loop inside the nest computes each element
    CELLS(8) {
        float s = 0;
        for (int q = 0; q < taps[i]; q++)
            s += in[i * m + j + q];
        out[i * m + j] = s;
    }
}
