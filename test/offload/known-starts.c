// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -Rpass=stencil -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s
// RUN: %opt -passes=verify -disable-output %t.ll
// Fields that LLVM knows before the first step, and loads again in it, under conditions on themselves: those are
// on what is known.
struct field {
    int rows, columns;
    float *a, *b, *c;
};
void known(struct field *s, int steps, int *done) {
    int t = 0;
    if (s->rows < 3 || s->columns < 3)
        return;
    for (; t < steps; t++) {
        // CHECK: known-starts.c:[[#@LINE-1]]:{{.*}}2-D time loop of 3 sweeps
        for (int i = 1; i < s->rows - 1; i++)
            for (int j = 1; j < s->columns - 1; j++)
                s->a[i * s->columns + j] = s->c[i * s->columns + j] - 0.5f * s->c[i * s->columns + j - 1];
        __builtin_memset(s->b, 0, (unsigned long)s->columns * sizeof(float));
        for (int i = 1; i < s->rows - 1; i++)
            for (int j = 1; j < s->columns - 1; j++)
                s->b[i * s->columns + j] = s->a[i * s->columns + j];
    }
    *done = t;
}
