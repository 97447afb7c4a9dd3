/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Small arrays that lie side by side, so that they share pages. What the loops over the edges of one
 * use is, as rows of a grid, more than the array: it begins in the array before.
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 37, M = 29 };
typedef double grid[N + 2][M + 2];
static grid a, b, c;

__attribute__((noinline)) static void halo(grid u) {
    for (int j = 1; j <= M; j++) {
        u[0][j] = u[N][j];
        u[N + 1][j] = u[1][j];
    }
    for (int i = 0; i < N + 2; i++) {
        u[i][0] = u[i][M];
        u[i][M + 1] = u[i][1];
    }
}

__attribute__((noinline)) static void move(grid u, grid v, grid p) {
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++) {
            u[i][j] += 0.125 * (p[i + 1][j] - p[i][j]);
            v[i][j] += 0.125 * (p[i][j + 1] - p[i][j]);
        }
}

static void fill(grid u, int seed) {
    for (int i = 0; i < N + 2; i++)
        for (int j = 0; j < M + 2; j++)
            u[i][j] = (i * 37 + j * seed) % 101 / 64.0;
}

static void show(const char *name, grid u) {
    for (int i = 0; i < N + 2; i++)
        for (int j = 0; j < M + 2; j++)
            printf("%s[%d][%d] %.17g\n", name, i, j, u[i][j]);
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    fill(a, 11);
    fill(b, 31);
    fill(c, 3);
    for (int t = 0; t < steps; t++) {
        halo(a);
        halo(b);
        halo(c);
        move(b, c, a);
        a[t % N + 1][t % M + 1] += 1;
    }
    show("a", a);
    show("b", b);
    show("c", c);
}
