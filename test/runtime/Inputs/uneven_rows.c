/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A grid of life whose counts of neighbours are rows of their own. The rows lie evenly in some
 * steps, and in a random order in others. The grid is an array that may stay on the device.
 */
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 12 };

__attribute__((noinline)) void evolve(int *restrict grid, int **restrict counts, int n) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            counts[i][j] = grid[(i - 1) * n + j - 1] + grid[(i - 1) * n + j] +
                           grid[(i - 1) * n + j + 1] + grid[i * n + j - 1] + grid[i * n + j + 1] +
                           grid[(i + 1) * n + j - 1] + grid[(i + 1) * n + j] +
                           grid[(i + 1) * n + j + 1];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            grid[i * n + j] = counts[i][j] == 3 || (grid[i * n + j] == 1 && counts[i][j] == 2);
}

static void shuffle(int **rows, int n) {
    for (int i = n - 1; i > 0; i--) {
        int k = rand() % (i + 1), *row = rows[i];
        rows[i] = rows[k];
        rows[k] = row;
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 600;
    size_t bytes = sizeof(int) * (size_t)n * (size_t)n;
    int *grid = malloc(bytes), *rows = malloc(bytes), **counts = malloc(sizeof(int *) * (size_t)n);
    unsigned long sum = 0;
    for (int i = 0; i < n * n; i++)
        grid[i] = (i * 7919 + i / 11) % 5 < 2;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < n; i++)
            counts[i] = rows + i * n;
        if (t % 5 == 4)
            shuffle(counts, n);
        evolve(grid, counts, n);
    }
    for (int i = 0; i < n * n; i++)
        sum = 31 * sum + (unsigned)grid[i];
    printf("%lu\n", sum);
}
