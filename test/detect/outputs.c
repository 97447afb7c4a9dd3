// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nest that writes several arrays, or several planes of one, without a time loop: one sweep.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,LOOP --implicit-check-not=remark: %s
// RUN: %clang -O3 -DUNSWITCHED -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
void gradient(int n, int m, const float *a, float *x, float *y) {
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 2 outputs runs on a GPU where there is one
    CELLS {
        x[i * m + j] = a[i * m + j + 1] - a[i * m + j - 1];
        y[i * m + j] = a[(i + 1) * m + j] - a[(i - 1) * m + j];
    }
}
void planes(int n, int m, const double a[3][n][m], double b[3][n][m]) {
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 3 outputs runs on a GPU where there is one
    CELLS for (int k = 0; k < 3; k++) b[k][i][j] = a[k][i][j - 1] + a[k][i][j + 1];
}
void sums(int n, int m, const double *w, const double *a, double *b) {
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU where there is one
    CELLS for (int k = -1; k <= 1; k++) b[i * m + j] += w[k + 1] * a[(i + k) * m + j];
}
#define TO(k, o) g[(k) * p + i * m + j] = f[(k) * p + i * m + j + (o)];
#define FOUR(k) TO(k, 1) TO(k + 1, -1) TO(k + 2, m) TO(k + 3, -m)
#define SIXTEEN(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12)
void lattice(int n, int m, long p, const float *f, float *g) {
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 19 outputs runs on a GPU where there is one
    CELLS { SIXTEEN(0) TO(16, 0) TO(17, m + 1) TO(18, -m - 1) }
}
// As many as there are bits that say which of them are made under conditions.
void most(int n, int m, long p, const float *f, float *g) {
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 64 outputs runs on a GPU where there is one
    CELLS { SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48) }
}
// Either branch assigns them.
void either(int n, int m, long p, const float *f, float *g) {
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 20 outputs runs on a GPU where there is one
    CELLS {
        if (f[i * m + j] > 0) {
            SIXTEEN(0) FOUR(16)
        } else {
            g[i * m + j] = 0;
            for (int k = 1; k < 20; k++)
                g[k * p + i * m + j] = f[(20 - k) * p + i * m + j];
        }
    }
}
void too_many(int n, int m, long p, const float *f, float *g) {
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop body writes more than one array element
    CELLS { SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48) TO(64, 1) }
}
void behind(int n, int m, const float *a, float *x, float *y, float *b) {
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sequence of 2 sweeps runs on a GPU where there is one
    CELLS {
        x[i * m + j] = a[i * m + j + 1] - a[i * m + j - 1];
        y[i * m + j] = a[(i + 1) * m + j] - a[(i - 1) * m + j];
    }
    CELLS b[i * m + j] = x[i * m + j + 1] + y[(i + 1) * m + j];
}
// Each nest that cannot be in a sequence is left out of it: what is before and behind is taken.
void apart(int n, int m, const float *a, float *x, float *y, float *b, float *c) {
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sequence of 2 sweeps runs on a GPU where there is one
    CELLS {
        x[i * m + j] = a[i * m + j + 1] - a[i * m + j - 1];
        y[i * m + j] = a[(i + 1) * m + j] - a[(i - 1) * m + j];
    }
    CELLS b[i * m + j] = x[i * m + j + 1] + y[(i + 1) * m + j];
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
    CELLS c[i * m + j] = c[i * m + j - 1] + b[i * m + j];
    // CHECK: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 2 outputs runs on a GPU where there is one
    CELLS {
        x[i * m + j] = c[i * m + j + 1] - c[i * m + j - 1];
        y[i * m + j] = c[(i + 1) * m + j] - c[(i - 1) * m + j];
    }
}
#ifndef UNSWITCHED /* -O3 leaves a branch between the nests that goes on behind them */
// In a loop that is no time loop: what follows one another in it.
void work(double *);
void around(int n, int m, int steps, double *a, double *b, double *x, double *y) {
    for (int t = 0; t < steps; t++) {
        // LOOP: outputs.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweeps are offloaded without the loop around them, {{.*}}: the loop nest calls work
        // LOOP: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sequence of 2 sweeps runs on a GPU where there is one
        CELLS {
            x[i * m + j] = a[i * m + j + 1] - a[i * m + j - 1];
            y[i * m + j] = a[(i + 1) * m + j] - a[(i - 1) * m + j];
        }
        CELLS b[i * m + j] = x[i * m + j + 1] - x[i * m + j - 1] + y[(i + 1) * m + j];
        work(b);
        // LOOP: outputs.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}: the loop nest calls work
        // LOOP: outputs.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 2 outputs runs on a GPU where there is one
        CELLS {
            a[i * m + j] += 0.1 * b[i * m + j];
            x[i * m + j] = b[i * m + j + 1];
        }
    }
}
#endif
