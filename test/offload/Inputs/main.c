// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
static int a[100], b[100];
__attribute__((noinline)) static void sweep(int n) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
int main(void) {
    for (int i = 0; i < 100; i++)
        a[i] = 2 * i;
    sweep(100);
    printf("%d\n", b[98] + b[1]);
}
