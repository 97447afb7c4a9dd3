// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second sweep's condition holds a part, `a`, on a way that the first one's rules out: nothing in front of the time
// loop tests it, though the assignment of a cell hangs on it.
// RUN: %clang -O2 -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: a sweep runs in some steps only, on some ways only
void f(int steps, int n, int c, int a, const float *u, float *v, float *w, int *cell) {
    for (int t = 0; t < steps; t++) {
        int go = 1;
        if (c)
            go = a && t % 4 == 3;
        else
            for (int i = 1; i < n - 1; i++)
                v[i] = u[i - 1] + u[i + 1];
        if (go)
            for (int i = 1; i < n - 1; i++)
                w[i] = v[i - 1] + v[i + 1];
        if (!a)
            cell[0] = t;
    }
}
