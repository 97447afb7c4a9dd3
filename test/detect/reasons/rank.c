// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

enum { N = 70 };
float A[N][N][N][N], B[N][N][N][N];
void f(void) {
    for (int l = 1; l < N - 1; l++)
        for (int k = 1; k < N - 1; k++)
            for (int j = 1; j < N - 1; j++)
                // CHECK: rank.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest has more than three spatial dimensions
                for (int i = 1; i < N - 1; i++)
                    B[l][k][j][i] = A[l - 1][k][j][i] + A[l][k][j][i + 1];
}
