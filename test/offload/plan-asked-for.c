// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan that the options ask for and that does not fit is told of.
// DEFINE: %{plan} = %clang -O2 -fpass-plugin=%plugin -Rpass-analysis=stencil -c %s -o /dev/null -mllvm
// RUN: %{plan} -stencilopt-bt=17 2>&1 | FileCheck %s -check-prefix=UNFIT
// RUN: %{plan} -stencilopt-cells=3 2>&1 | FileCheck %s -check-prefix=UNFIT
// RUN: %{plan} -stencilopt-bt=4 2>&1 | FileCheck %s -check-prefix=FIT --implicit-check-not=fit
// RUN: %{plan} -stencilopt-bt=1 2>&1 | FileCheck %s -check-prefix=ONE --implicit-check-not=fit
// UNFIT: plan: {{.*}}; a plan as the options want it does not fit [
// FIT: plan: bT 4,
// ONE: plan: bT 1,
void f(int n, int steps, float A[2][n][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[(t + 1) % 2][i][j] = A[t % 2][i][j - 1] + A[t % 2][i + 1][j];
}
