// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of floating-point numbers, and maxima, that each step needs: in later sweeps, or to go on.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fno-discard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/gradients.*.stencil | FileCheck --check-prefix=STENCIL %s

#define EACH                                                                                       \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)

double gradients(int n, int m, int steps, double (*restrict x)[m], double (*restrict p)[m],
                 double (*restrict r)[m], double (*restrict w)[m], double old) {
    // CHECK: sums.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 3 sweeps, which ends by what each step computes, runs on a GPU where there is one, a kernel a sweep
    for (int t = 0; t < steps && old > 1e-9; t++) {
        double product = 0, now = 0;
        EACH {
            w[i][j] = 4 * p[i][j] - p[i - 1][j] - p[i + 1][j] - p[i][j - 1] - p[i][j + 1];
            product += w[i][j] * p[i][j];
        }
        double alpha = old / product;
        EACH {
            x[i][j] += alpha * p[i][j];
            r[i][j] -= alpha * w[i][j];
            now += r[i][j] * r[i][j];
        }
        double beta = now / old;
        EACH p[i][j] = r[i][j] + beta * p[i][j];
        old = now;
    }
    return old;
}
// STENCIL: sweep 1: along x y
// STENCIL: ordered sum of f64 = fmul(
// STENCIL: sweep 2: along x y
// STENCIL: scalar s{{[0-9]}}: f64, computed in each step of what is reduced before
// STENCIL: ordered sum of f64 = fmul(
// STENCIL: sweep 3: along x y
// STENCIL: scalar s{{[0-9]}}: f64, computed in each step of what is reduced before

// A time step from the greatest speed.
float courant(int n, float end, float *restrict u, float *restrict f) {
    float t = 0;
    // CHECK: sums.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps, which ends by what each step computes
    while (t < end) {
        float most = 1e-3f;
        for (int i = 0; i < n; i++)
            most = u[i] > most ? u[i] : most;
        float dt = 0.5f / most;
        for (int i = 1; i < n - 1; i++)
            f[i] = u[i] - dt * (u[i + 1] * u[i + 1] - u[i - 1] * u[i - 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] = f[i];
        t += dt;
    }
    return t;
}

// A column after the other: the sum has the order of the loops.
float columns(int n, int m, int steps, float (*restrict a)[m], float (*restrict b)[m]) {
    float sum = 1;
    // CHECK: sums.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 3 sweeps, which ends by what each step computes
    for (int t = 0; t < steps && sum != 0; t++) {
        sum = 0;
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
                if (a[i][j] > 0)
                    sum -= a[i][j];
        EACH b[i][j] = a[i - 1][j] + a[i + 1][j] + sum;
        EACH a[i][j] = b[i][j];
    }
    return sum;
}

// Two additions a cell.
float two(int n, int m, int steps, float (*restrict a)[m], float (*restrict b)[m]) {
    float sum = 1;
    for (int t = 0; t < steps && sum != 0; t++) {
        sum = 0;
        // CHECK: sums.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: {{.*}}a cell adds several floating-point numbers to it, so that the order matters; add them up first
        EACH {
            sum += a[i][j];
            sum += a[i][j] * a[i][j];
        }
        EACH b[i][j] = a[i - 1][j] + a[i + 1][j] + sum;
        EACH a[i][j] = b[i][j];
    }
    return sum;
}

// The next step uses it, before this sum is made anew.
float next(int n, int m, int steps, float (*restrict a)[m], float (*restrict b)[m]) {
    float sum = 0, all = 0;
    // CHECK: sums.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps
    for (int t = 0; t < steps; t++) {
        all = 0;
        EACH b[i][j] = a[i - 1][j] + a[i + 1][j] + sum; /* of the step before */
        EACH {
            a[i][j] = 0.5f * b[i][j];
            all += a[i][j];
        }
        sum = 0.5f * all;
    }
    return all;
}
