// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters one sweep so often, and a time loop once; may fork a child that enters it, too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void sweep(int n, float *restrict to, const float *restrict from) {
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

__attribute__((noinline)) static void heat(int n, int steps, float a[2][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            a[(t + 1) % 2][i] = 0.5f * (a[t % 2][i - 1] + a[t % 2][i + 1]);
}

int main(int count, char **words) {
    enum { N = 2000 };
    static float a[N], b[N], c[2][N];
    int times = count > 1 ? atoi(words[1]) : 1;
    int forks = count > 2 && strcmp(words[2], "fork") == 0;
    a[N / 2] = c[0][N / 2] = c[1][N / 2] = 1;
    heat(N, 40, c);
    for (int k = 0; k < times; k++) {
        sweep(N, b, a);
        sweep(N, a, b);
    }
    if (forks) {
        pid_t child = fork();
        if (child == 0) {
            sweep(N, b, a);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
    printf("%.9g %.9g\n", a[N / 2], c[0][N / 2]);
}
