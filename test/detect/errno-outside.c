// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of <math.h> that may set errno, outside the cells: the CPU calls them in each step.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fno-builtin -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fno-builtin-sqrt -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=OWN %s
#include <errno.h>
#include <math.h>

// Without builtins, sqrt may be any function.
// OWN: 'sqrt' may set errno
// OTHER-NOT: time loop of
// OTHER: 'sqrt' may set errno
// OTHER-NOT: time loop of
// OTHER: remark: 2-D time loop of 2 sweeps runs on a GPU
// OTHER-NOT: time loop of
#define EACH                                                                                       \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)

double norm(int n, int m, double (*restrict a)[m], double (*restrict b)[m]) {
    double norm = 1;
    // CHECK: errno-outside.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 3 sweeps, which ends by what each step computes
    while (norm > 1e-6) {
        double sum = 0;
        EACH b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        EACH sum += (b[i][j] - a[i][j]) * (b[i][j] - a[i][j]);
        EACH a[i][j] = b[i][j];
        norm = sqrt(sum);
    }
    return norm;
}

void source(int n, int m, int steps, float (*restrict a)[m], float (*restrict b)[m]) {
    // CHECK: errno-outside.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 3 sweeps
    for (int t = 0; t < steps; t++) {
        float pulse = expf(-0.1f * (t - 30) * (t - 30));
        EACH b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        b[5][7] += pulse;
        EACH a[i][j] = b[i][j];
    }
}

// In some steps only: the others are pieces without that call.
void sometimes(int n, int m, int steps, float (*restrict a)[m], float (*restrict b)[m]) {
    // CHECK: errno-outside.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU
    for (int t = 0; t < steps; t++) {
        float pulse = 0;
        if (t < 60)
            pulse = expf(-0.1f * (t - 30) * (t - 30));
        EACH b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) + pulse;
        EACH a[i][j] = 0.5f * b[i][j];
    }
}

// For what follows the loop alone: errno would be the last step's.
float behind(int n, int m, int steps, float (*restrict a)[m], float (*restrict b)[m]) {
    float root = 0;
    for (int t = 0; t < steps; t++) {
        float most = -1;
        // CHECK: errno-outside.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the sweeps are offloaded without the loop around them, {{.*}}'sqrtf' may set errno; compile with -fno-math-errno
        EACH b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        EACH {
            a[i][j] = 0.5f * b[i][j];
            most = a[i][j] > most ? a[i][j] : most;
        }
        root = sqrtf(most);
    }
    return root;
}

// The program looks at errno, as a condition, by a pointer, or to end the loop.
// CHECK-NOT: remark: {{.*}}time loop of
int counted(int n, int m, int steps, double (*restrict a)[m], double (*restrict b)[m]) {
    int failures = 0;
    for (int t = 0; t < steps; t++) {
        errno = 0;
        double pulse = pow(10, 20 * t) > 1 ? 0.25 : 0.125;
        // CHECK: errno-outside.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil {{.*}}one sweep a call
        EACH b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1]) + pulse;
        failures += errno != 0;
        EACH a[i][j] = b[i][j];
    }
    return failures;
}

// CHECK-NOT: remark: {{.*}}time loop of
int until(int n, int m, int steps, double (*restrict a)[m], double (*restrict b)[m], int *number) {
    int t = 0;
    while (t < steps && !*number) {
        double pulse = pow(10, 20 * t) > 1 ? 0.25 : 0.125;
        // CHECK: errno-outside.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil {{.*}}one sweep, and the copy after it
        EACH b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1]) + pulse;
        EACH a[i][j] = b[i][j];
        if (errno)
            break;
        t++;
    }
    return t;
}
