// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps in place over cells of one colour of two, and what is none.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#define CROSS(i, j) (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[(i)*m + j - 1] + u[(i)*m + j + 1] - f[(i)*m + j])

void both(int n, int m, int steps, double *restrict u, const double *restrict f) {
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D time loop of 4 sweeps runs on a GPU where there is one, a kernel a sweep
    for (int t = 0; t < steps; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2)
                    u[i * m + j] = 0.25 * CROSS(i, j);
}

// Each cell reads one of its own colour, which may have changed already.
void same_colour(int n, int m, int steps, double *restrict u, const double *restrict f) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: colours.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the bounds of an inner loop depend on an outer loop's variable
            for (int j = 1 + (i & 1); j < m - 1; j += 2)
                u[i * m + j] = 0.25 * CROSS(i, j) + u[(i - 1) * m + j - 1];
}

// f may be u: it is tested that both lie apart.
void may_alias(int n, int m, int steps, double *u, const double *f) {
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, a kernel a sweep
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i & 1); j < m - 1; j += 2)
                u[i * m + j] = 0.25 * CROSS(i, j);
}

// A condition takes the cells of one colour.
void conditions(int n, int m, int steps, double w, double *u, const double *f) {
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D time loop of 4 sweeps runs on a GPU where there is one, a kernel a sweep
    for (int t = 0; t < steps; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    if ((i + j) % 2 == colour)
                        u[i * m + j] = (1 - w) * u[i * m + j] + w * 0.25 * CROSS(i, j);
}

// It takes others as well, or cells of the same colour are read.
void third(int n, int m, int steps, double *restrict u, const double *restrict f) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: colours.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other; write to a second array
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 3 == 0)
                    u[i * m + j] = 0.25 * CROSS(i, j);
}
void condition_and_same(int n, int m, int steps, double *restrict u, const double *restrict f) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: colours.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other; write to a second array
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 2 == 0)
                    u[i * m + j] = 0.25 * CROSS(i, j) + u[(i - 1) * m + j - 1];
}
