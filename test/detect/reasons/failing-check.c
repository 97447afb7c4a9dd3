// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check that ends the program is told apart from other ways out of a loop, and named.
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -DNDEBUG -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=TAKEN %s
#include <assert.h>
#include <stdlib.h>

void step(double *a, double *b, long h, long w, unsigned long n, const unsigned long *least) {
    for (long i = 1; i < h - 1; i++)
        // CHECK: failing-check.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: a check in it ends the program where it fails: an index out of range in line [[#@LINE+3]]; make the check before the loops, and access elements without checks
        for (long j = 1; j < w - 1; j++) {
            if ((unsigned long)(i * w + j) >= n + least[j])
                __builtin_trap();
            b[i * w + j] = a[i * w + j - 1] + a[i * w + j + 1];
        }
}

// Where the check compares counters, it is one condition in front of the loops.
void bounded(double *a, double *b, long h, long w, unsigned long n) {
    for (long i = 1; i < h - 1; i++)
        // TAKEN: failing-check.c:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
        for (long j = 1; j < w - 1; j++) {
            if ((unsigned long)(i * w + j) >= n)
                __builtin_trap();
            b[i * w + j] = a[i * w + j - 1] + a[i * w + j + 1];
        }
}

// The time loop has no remark of its own: the cause is told once.
void asserted(double *a, double *b, int h, int w, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < h - 1; i++)
            // CHECK: failing-check.c:[[#@LINE+2]]:13: remark: loop nest not offloaded: a check in it ends the program where it fails: an assertion in line [[#@LINE+4]]; compile with -DNDEBUG [-Rpass-missed
            // TAKEN: failing-check.c:[[#@LINE+1]]:13: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
            for (int j = 1; j < w - 1; j++) {
                b[i * w + j] = 0.5 * (a[i * w + j - 1] + a[i * w + j + 1]);
                assert(b[i * w + j] >= 0);
            }
        double *was = a;
        a = b;
        b = was;
    }
}

_Noreturn void wrong(double);
void called(double *a, double *b, int h, int w) {
    for (int i = 1; i < h - 1; i++)
        // CHECK: failing-check.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: a check in it ends the program where it fails: a call of wrong in line [[#@LINE+3]]; make the check before the loops
        for (int j = 1; j < w - 1; j++) {
            if (a[i * w + j] < 0)
                wrong(a[i * w + j]);
            b[i * w + j] = a[i * w + j - 1] + a[i * w + j + 1];
        }
}
