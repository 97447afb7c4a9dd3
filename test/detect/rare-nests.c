// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests and copies that some steps have: the steps between are a time loop.
// RUN: %clang -O2 -ffp-contract=off -fno-math-errno -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#include <math.h>
#include <string.h>

#define AT(a, i, j) a[(i) * m + (j)]
#define INNER                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define MEAN(a)                                                                                    \
    (0.25f * (AT(a, i - 1, j) + AT(a, i + 1, j) + AT(a, i, j - 1) + AT(a, i, j + 1)))

// Pointers are exchanged behind the test, which ends the loop.
int stops(int n, int m, int steps, float eps, float *u, float *v) {
    // CHECK: rare-nests.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 1 sweep, which ends by what each step computes, {{.*}}whole steps
    for (int t = 0; t < steps; t++) {
        INNER AT(v, i, j) = MEAN(u);
        if (t % 50 == 0) {
            float most = 0;
            // CHECK: rare-nests.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
            // CHECK: rare-nests.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells
            INNER most = fmaxf(most, fabsf(AT(v, i, j) - AT(u, i, j)));
            if (most < eps)
                return t;
        }
        float *swap = u;
        u = v;
        v = swap;
    }
    return steps;
}

// A residual of the step in each step is no output.
void each(int n, int m, int steps, float *u, float *v, float *last) {
    float most = 0;
    // CHECK: rare-nests.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs
    for (int t = 0; t < steps; t++) {
        INNER AT(v, i, j) = MEAN(u);
        most = 0;
        INNER most = fmaxf(most, fabsf(AT(v, i, j) - AT(u, i, j)));
        float *swap = u;
        u = v;
        v = swap;
    }
    last[0] = most;
}

// Between two sweeps it is none either: the second one may depend on it.
void between(int n, int m, int steps, float *u, float *v) {
    float most = 0;
    for (int t = 0; t < steps; t++) {
        // CHECK: rare-nests.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: rare-nests.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil {{.*}}one sweep a call
        INNER AT(v, i, j) = MEAN(u);
        if (t % 50 == 0) {
            most = 0;
            // CHECK: rare-nests.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
            // CHECK: rare-nests.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells
            INNER most = fmaxf(most, AT(v, i, j));
        }
        // CHECK: rare-nests.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: rare-nests.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil {{.*}}one sweep a call
        INNER AT(u, i, j) = AT(v, i, j) / (1 + most);
    }
}

// A snapshot, and a mean over steps.
void snapshots(int n, int m, int steps, float *u, float *v, float *kept, float *mean) {
    int count = 0;
    for (int t = 0; t < steps; t++) {
        // CHECK: rare-nests.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil {{.*}}: the whole time loop
        INNER AT(v, i, j) = MEAN(u);
        float *swap = u;
        u = v;
        v = swap;
        if (t % 50 == 0) {
            memcpy(kept + count * n * m, u, n * m * sizeof *u);
            count++;
        }
        if (t % 20 == 19) {
            // CHECK: rare-nests.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
            // CHECK: rare-nests.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil {{.*}}one sweep a call
            INNER AT(mean, i, j) += AT(u, i, j);
        }
    }
}
