// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: ptxas
// The driver's compiler takes the PTX, for the oldest architecture and newer ones, and spills nothing.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: %ptxas -v -arch=sm_80 --fmad=false %t/f.0.ptx -o %t/a.cubin 2>&1 | FileCheck %s
// RUN: %ptxas -v -arch=sm_90 --fmad=false %t/f.0.ptx -o %t/b.cubin 2>&1 | FileCheck %s
// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
enum { N = 80 };
double A[N][N][N], B[N][N][N];
void f(void) {
    for (int k = 2; k < N - 2; k++)
        for (int j = 2; j < N - 2; j++)
            for (int i = 2; i < N - 2; i++)
                B[k][j][i] = A[k - 2][j][i] + A[k + 2][j][i] + A[k][j - 2][i] + A[k][j + 2][i] +
                             A[k][j][i - 2] + A[k][j][i + 2] + A[k - 1][j][i] + A[k + 1][j][i] +
                             A[k][j - 1][i] + A[k][j + 1][i] + A[k][j][i - 1] + A[k][j][i + 1];
}
