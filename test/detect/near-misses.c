// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are nearly stencils, as programs have them: what is taken of them, or the whole remark.
// RUN: %clang -O2 --target=x86_64-linux-gnu -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -fprofile-instr-generate -fcoverage-mapping -gline-tables-only -DONE -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=PROFILE --implicit-check-not=remark: %s
// RUN: %clang -O2 --coverage -gline-tables-only -DONE -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o %t.o 2>&1 | FileCheck --check-prefix=COVERAGE --implicit-check-not=remark: %s
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < n - 1; j++)
#define AVERAGE(a) 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1])
#define SWAP                                                                                       \
    double *was = a;                                                                               \
    a = b;                                                                                         \
    b = was;

// PROFILE: near-misses.c:[[#@LINE+4]]:5: remark: loop nest not offloaded: the compiler adds counters of what runs to the loops (for -fprofile-instr-generate); compile this file without [-Rpass-missed=stencil]
// COVERAGE: near-misses.c:[[#@LINE+3]]:5: remark: loop nest not offloaded: the compiler adds counters of what runs to the loops (for --coverage); compile this file without [-Rpass-missed=stencil]
// CHECK: near-misses.c:[[#@LINE+2]]:5: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: one sweep a call [-Rpass=stencil]
void plain(int n, const double *a, double *b) {
    CELLS b[i * n + j] = AVERAGE(a);
}
#ifndef ONE

// A function through a pointer.
void flux(int n, const double *a, double *b, double (*f)(double, double)) {
    // CHECK: near-misses.c:[[#@LINE+1]]:5: remark: loop nest not offloaded: the loop nest calls a function through a pointer, which is not known to be free of side effects; let it be inlined, or call it outside the loops [-Rpass-missed=stencil]
    CELLS b[i * n + j] = f(a[i * n + j - 1], a[i * n + j + 1]);
}

// Output from cells.
int printf(const char *, ...);
void prints(int n, const double *a, double *b) {
    // CHECK: near-misses.c:[[#@LINE+1]]:5: remark: loop nest not offloaded: the loop nest calls printf, which is not known to be free of side effects; let it be inlined, or call it outside the loops [-Rpass-missed=stencil]
    CELLS {
        b[i * n + j] = AVERAGE(a);
        if (b[i * n + j] > 100)
            printf("%d %d\n", i, j);
    }
}

// Halos from other processes after each sweep.
int MPI_Sendrecv(const void *, int, int, int, int, void *, int, int, int, int, int, void *);
void halos(int n, int steps, double *a, double *b, int up, int down) {
    for (int t = 0; t < steps; t++) {
        // CHECK: near-misses.c:[[#@LINE+2]]:9: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the loop nest calls MPI_Sendrecv, which is not known to be free of side effects; let it be inlined, or call it outside the loops [-Rpass-missed=stencil]
        // CHECK: near-misses.c:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: one sweep a call [-Rpass=stencil]
        CELLS b[i * n + j] = AVERAGE(a);
        MPI_Sendrecv(b + n, n, 1, up, 0, b, n, 1, down, 0, 0, 0);
        SWAP
    }
}

// A flag that a signal sets.
volatile int stop;
void until_stopped(int n, double *a, double *b) {
    for (int t = 0; t < 1000 && !stop; t++) {
        // CHECK: near-misses.c:[[#@LINE+2]]:9: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the loop nest has a volatile or atomic access; read it before the loops, or declare it as neither [-Rpass-missed=stencil]
        // CHECK: near-misses.c:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: one sweep a call [-Rpass=stencil]
        CELLS b[i * n + j] = AVERAGE(a);
        SWAP
    }
}
void to_device(int n, const double *a, volatile double *b) {
    // CHECK: near-misses.c:[[#@LINE+1]]:5: remark: loop nest not offloaded: the loop nest has a volatile or atomic access; read it before the loops, or declare it as neither [-Rpass-missed=stencil]
    CELLS b[i * n + j] = AVERAGE(a);
}

void extended(int n, const long double *a, long double *b) {
    // CHECK: near-misses.c:[[#@LINE+1]]:5: remark: loop nest not offloaded: an array element has an unsupported type (long double); float, double and integers of 8 to 64 bits are supported [-Rpass-missed=stencil]
    CELLS b[i * n + j] = AVERAGE(a);
}

// Components of cells.
typedef struct {
    double rho, u, v;
} cell;
void components(int n, int steps, cell *a, cell *b) {
    // CHECK: near-misses.c:[[#@LINE+1]]:5: remark: 2-D time loop of 1 sweep runs on a GPU where there is one, a kernel a sweep [-Rpass=stencil]
    for (int t = 0; t < steps; t++) {
        CELLS {
            b[i * n + j].rho = 0.25 * (a[(i - 1) * n + j].rho + a[(i + 1) * n + j].rho);
            b[i * n + j].u = a[i * n + j].u + 0.1 * (a[i * n + j + 1].rho - a[i * n + j - 1].rho);
            b[i * n + j].v = a[i * n + j].v + 0.1 * (a[(i + 1) * n + j].rho - a[(i - 1) * n + j].rho);
        }
        cell *was = a;
        a = b;
        b = was;
    }
}

// Rows that are allocated one by one.
void rows(int n, int steps, double **a, double **b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: near-misses.c:[[#@LINE+2]]:9: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: the whole time loop [-Rpass=stencil]
        for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        double **was = a;
        a = b;
        b = was;
    }
}
#endif
