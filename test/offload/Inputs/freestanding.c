// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For systems whose headers are not here.
static int a[100], b[100];
__attribute__((noinline)) static void sweep(int n) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
int look(int n, int v) {
    for (int i = 0; i < n; i++)
        a[i] = v * i;
    sweep(n);
    return b[1] + b[n - 2];
}
