// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// So many arrays, each of which stays on the device; prints a sum of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 34000 };

__attribute__((noinline)) static void sweep(int n, float *restrict to, const float *restrict from) {
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

int main(int words, char **word) {
    int count = words > 1 ? atoi(word[1]) : 2;
    float **arrays = malloc((size_t)count * sizeof *arrays);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        arrays[i] = malloc(N * sizeof(float));
        memset(arrays[i], 0, N * sizeof(float));
        arrays[i][N / 2] = (float)i;
    }
    for (int round = 0; round < 3; round++)
        for (int i = 0; i + 1 < count; i += 2)
            sweep(N, arrays[i + 1], arrays[i]);
    for (int i = 0; i < count; i++)
        sum += (double)arrays[i][N / 2 + i % 2];
    printf("%.17g\n", sum);
}
