// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: ptxas
// No strip kernel that the model picks spills registers, in small and large bodies of 4 and 8 bytes.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fno-math-errno -fpass-plugin=%plugin -c %s -o /dev/null
// DEFINE: %{assemble} = %ptxas -v -arch=sm_90 --fmad=false -o %t/out.cubin
// RUN: %{assemble} %t/three.0.ptx > %t/0.log 2>&1
// RUN: FileCheck %s -check-prefixes=CHECK,SPILL < %t/0.log
// RUN: %{assemble} %t/wide.1.ptx > %t/1.log 2>&1
// RUN: FileCheck %s -check-prefixes=CHECK,SPILL < %t/1.log
// RUN: %{assemble} %t/divide.2.ptx > %t/2.log 2>&1
// RUN: FileCheck %s -check-prefixes=CHECK,SPILL < %t/2.log
// RUN: %{assemble} %t/conduct.3.ptx > %t/3.log 2>&1
// RUN: FileCheck %s -check-prefixes=CHECK,SPILL < %t/3.log
// SPILL-NOT: {{[^0-9]0*[1-9][0-9]*}} bytes spill
// CHECK: Compiling entry function 'stencil_strip
// SPILL-NOT: {{[^0-9]0*[1-9][0-9]*}} bytes spill
// CHECK: Compiling entry function 'stencil_strip
// SPILL-NOT: {{[^0-9]0*[1-9][0-9]*}} bytes spill
#define GRID A[t % 2]
#define NEXT A[(t + 1) % 2]
void three(int n, int steps, float A[2][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            NEXT[i] = 0.25f * GRID[i - 1] + 0.5f * GRID[i] + 0.25f * GRID[i + 1];
}
void wide(int n, int steps, double A[2][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 8; i < n - 8; i++)
            NEXT[i] = 0.1 * GRID[i - 8] + 0.2 * GRID[i - 7] + 0.1 * GRID[i - 4] + 0.1 * GRID[i - 1] +
                      0.1 * GRID[i] + 0.1 * GRID[i + 2] + 0.1 * GRID[i + 5] + 0.2 * GRID[i + 8];
}
void divide(int n, int steps, float A[2][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++) {
            float left = GRID[i] - GRID[i - 1], right = GRID[i] - GRID[i + 1];
            NEXT[i] = 0.5f * GRID[i] + 1 / __builtin_sqrtf(4 + left * left + right * right);
        }
}
void conduct(int n, int steps, double A[2][n], const double *c, const double *d) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            NEXT[i] = GRID[i] + d[i] * (c[i] * (GRID[i - 1] - GRID[i]) - c[i + 1] * (GRID[i] - GRID[i + 1]));
}
