// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, float a[n][n], float b[n][n], float *first) {
    for (int j = 1; j < n - 1; j++) {
        first[j] = a[j][1];
        // CHECK: not-perfect-nest.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: other work is done between the loops of the nest (an assignment)
        for (int i = 1; i < n - 1; i++)
            b[j][i] = b[j][i - 1] + a[j][i + 1];
    }
}

int *a, *b;
void use(int *);
void g(int n) {
    int row;
    use(&row);
    for (int j = 1; j < n - 1; j++) {
        row = j;
        // CHECK: not-perfect-nest.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: {{.*}}variable that other procedures may read
        for (int i = 1; i < n - 1; i++)
            b[j * n + i] = a[j * n + i - 1] + a[j * n + i + 1];
    }
    use(&row);
}
