// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops that run for long: one of so many steps, and one that ends by itself.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4000 };

__attribute__((noinline)) static void heat(int n, int steps, float a[2][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            a[(t + 1) % 2][i] = 0.5f * (a[t % 2][i - 1] + a[t % 2][i + 1]);
}

__attribute__((noinline)) static int settle(int n, float *restrict a, float *restrict b, float most) {
    int steps = 0;
    float change;
    do {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++) {
            change = fmaxf(change, fabsf(b[i] - a[i]));
            a[i] = b[i];
        }
        steps++;
    } while (change > most && steps < 100000000);
    return steps;
}

int main(int count, char **words) {
    static float a[2][N];
    for (int i = 0; i < N; i++)
        a[0][i] = a[1][i] = i % 7;
    if (count > 2 && strcmp(words[1], "settle") == 0)
        printf("%d\n", settle(N, a[0], a[1], strtof(words[2], NULL)));
    else
        heat(N, atoi(words[1]), a);
    printf("%.9g\n", a[0][N / 2]);
}
