/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time loops that the program enters again and again, with looks and changes in between. ROWS COLUMNS ROUNDS,
 * and "alike": both buffers of the pairs that are swapped begin with equal values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef REAL
#define REAL float
#endif
#define NOINLINE __attribute__((noinline))

NOINLINE void fields(int steps, int n, int m, REAL (*ex)[m], REAL (*ey)[m], REAL (*hz)[m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                ey[i][j] -= (REAL)0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                ex[i][j] -= (REAL)0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                hz[i][j] -= (REAL)0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

#define AROUND(a) (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j])

NOINLINE void swapped(int steps, int n, int m, REAL (*u)[m], REAL (*v)[m], REAL (*u1)[m],
                      REAL (*v1)[m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL r = u[i][j] * v[i][j] * v[i][j];
                u1[i][j] = u[i][j] + (REAL)0.1 * AROUND(u) - r;
                v1[i][j] = v[i][j] + (REAL)0.05 * AROUND(v) + r;
            }
        REAL(*x)[m] = u;
        u = u1;
        u1 = x;
        x = v;
        v = v1;
        v1 = x;
    }
}

NOINLINE void heat(int steps, int n, int m, REAL (*a)[n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[(t + 1) % 2][i][j] = a[t % 2][i][j] + (REAL)0.2 * AROUND(a[t % 2]);
}

NOINLINE void varied(int steps, int n, int m, REAL (*restrict u)[m], REAL (*restrict v)[m],
                     const REAL (*restrict k)[m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + k[i][j] * AROUND(u);
        REAL(*x)[m] = u;
        u = v;
        v = x;
    }
}

NOINLINE void cube(int steps, int n, REAL (*restrict u)[n][n], REAL (*restrict v)[n][n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    v[i][j][k] = (REAL)0.125 * (u[i - 1][j][k] + u[i + 1][j][k] + 2 * u[i][j][k] +
                                                u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] +
                                                u[i][j][k + 1]);
        REAL(*x)[n][n] = u;
        u = v;
        v = x;
    }
}

static unsigned long hash(const REAL *p, size_t count) {
    const unsigned char *c = (const unsigned char *)p;
    unsigned long h = 1469598103934665603u; /* FNV-1a */
    for (size_t i = 0; i < count * sizeof *p; i++)
        h = (h ^ c[i]) * 1099511628211u;
    return h;
}

enum { ARRAYS = 13, EDGE = 33 };

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), rounds = atoi(argv[3]), alike = argc > 4;
    size_t count[ARRAYS], plane = (size_t)n * (size_t)m;
    REAL *a[ARRAYS];
    for (int k = 0; k < ARRAYS; k++) {
        int seed = alike && (k == 5 || k == 6) ? k - 2 : k;
        count[k] = k == 7 ? 2 * plane : k > 10 ? EDGE * EDGE * EDGE : plane;
        a[k] = malloc(count[k] * sizeof *a[k]);
        for (size_t i = 0; i < count[k]; i++)
            a[k][i] = (REAL)((i * 7 + (size_t)seed * 13) % 101) * (REAL)0.001;
    }
    for (int r = 0; r < rounds; r++) {
        fields(5 + r % 4, n, m, (void *)a[0], (void *)a[1], (void *)a[2]);
        swapped(4 + r % 5, n, m, (void *)a[3], (void *)a[4], (void *)a[5], (void *)a[6]);
        heat(5 + r % 4, n, m, (void *)a[7]);
        varied(4 + r % 5, n, m, (void *)a[8], (void *)a[9], (void *)a[10]);
        cube(4 + r % 2, EDGE, (void *)a[11], (void *)a[12]);
        if (r % 4 == 3) {
            printf("%g %g\n", a[0][r * 3], a[7][r * 5]);
            a[2][plane / 2 + 5] += 1;
            a[10][plane / 2] = (REAL)0.2;
        }
        if (r % 5 == 4)
            printf("%lx %lx\n", hash(a[3], count[3]), hash(a[11], count[11]));
    }
    for (int k = 0; k < ARRAYS; k++)
        printf("%d %lx\n", k, hash(a[k], count[k]));
}
