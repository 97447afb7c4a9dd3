// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of variable length that each iteration of a time loop has on the stack.
// RUN: %clang -O2 -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o %t.o 2>%t.remarks
// RUN: FileCheck %s <%t.remarks

static void step(int n, int m, double (*restrict a)[m]) {
  double flux[n][m];
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      flux[i][j] = 0.1 * (a[i + 1][j] - a[i][j]);
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += flux[i][j] - flux[i - 1][j];
}

// CHECK: automatic.c:[[@LINE+2]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one
void a_time_loop(int n, int m, int steps, double (*restrict a)[m]) {
  for (int t = 0; t < steps; t++)
    step(n, m, a);
}

// A length that the step's number changes: the array is another one in each step.
// CHECK-NOT: automatic.c:[[@LINE+4]]:{{[0-9]+}}: remark: {{.*}}time loop of
// CHECK: automatic.c:8:{{[0-9]+}}: remark: 2-D sequence of 2 sweeps runs on a GPU where there is one, a kernel a sweep
// CHECK-NOT: time loop of
void b_grows(int n, int m, int steps, double (*restrict a)[m]) {
  for (int t = 0; t < steps; t++)
    step(n - t, m, a);
}
