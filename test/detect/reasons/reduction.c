// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// Why a sweep's reduction, or the condition that ends the time loop, keeps the sweep off the GPU.
#include <math.h>

#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define AVERAGE b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1])
#define SWAP float(*was)[m] = a; a = b; b = was
#define PLATE int steps, int n, int m, float (*a)[m], float (*b)[m], float eps

float added(PLATE) {
    float s = 0;
    for (int t = 0; t < steps && s < eps; t++) {
        s = 0;
        // CHECK: reduction.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: {{.*}}a cell adds several floating-point numbers to it
        CELLS {
            AVERAGE;
            s += b[i][j];
            s -= a[i][j];
        }
        SWAP;
    }
    return s;
}
float of_all_steps(PLATE) {
    float s = 0;
    for (int t = 0; t < steps; t++) {
        // CHECK: reduction.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}it does not start anew in each time step
        CELLS {
            AVERAGE;
            s = fmaxf(s, b[i][j]);
        }
        SWAP;
    }
    return s;
}
int by_a_cell(PLATE) {
    int t;
    for (t = 0; t < steps; t++) {
        // CHECK: reduction.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}ends by a condition
        CELLS AVERAGE;
        if (b[n / 2][m / 2] < eps)
            break;
        SWAP;
    }
    return t;
}
// Where the greatest one is, depends on the order if there are two.
int place(PLATE) {
    int at = 0;
    for (int t = 0; t < steps; t++) {
        float s = 0;
        at = 0;
        // CHECK: reduction.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a value computed in the nest is used after it
        CELLS {
            AVERAGE;
            if (b[i][j] > s) {
                s = b[i][j];
                at = i;
            }
        }
        SWAP;
    }
    return at;
}
