/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time loops of several sweeps or fields on small grids, four calls of each size: FDTD, Gray-Scott
 * (GRAY), or a wave in two arrays that become each other and an array of coefficients (WAVE).
 * Arguments: extents along x and y, 1, and steps, in fours. Prints a hash of all arrays after each
 * call, as small.c. */
#include "small.h"
#include <stdlib.h>

__attribute__((noinline)) static void run(int m, int n, int steps, REAL a[n][m], REAL b[n][m],
                                          REAL c[n][m], REAL d[n][m]) {
#if defined GRAY
    REAL(*u)[m] = a, (*v)[m] = b, (*p)[m] = c, (*q)[m] = d;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL uvv = u[i][j] * v[i][j] * v[i][j];
                p[i][j] = u[i][j] - uvv + (REAL)0.035 * (1 - u[i][j]) +
                          (REAL)0.16 *
                              (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
                q[i][j] = v[i][j] + uvv - (REAL)0.1 * v[i][j] +
                          (REAL)0.08 *
                              (v[i - 1][j] + v[i + 1][j] + v[i][j - 1] + v[i][j + 1] - 4 * v[i][j]);
            }
        REAL(*swap)[m] = u;
        u = p;
        p = swap;
        swap = v;
        v = q;
        q = swap;
    }
#elif defined WAVE
    REAL(*now)[m] = a, (*older)[m] = b;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                older[i][j] = 2 * now[i][j] - older[i][j] +
                              c[i][j] * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] +
                                         now[i][j + 1] - 4 * now[i][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                d[i][j] += older[i][j];
        REAL(*swap)[m] = now;
        now = older;
        older = swap;
    }
#else
    (void)d;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] -= (REAL)0.5 * (c[i][j] - c[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                b[i][j] -= (REAL)0.5 * (c[i][j] - c[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                c[i][j] -= (REAL)0.7 * (b[i][j + 1] - b[i][j] + a[i + 1][j] - a[i][j]);
    }
#endif
}

/* The second half of the arrays is equal to the first: buffers that take turns have one boundary.
 */
static void fill(REAL *a, size_t cells) {
    for (size_t i = 0; i < 2 * cells; i++)
        a[i] = a[i + 2 * cells] = (REAL)(i * 37 % 101) / 256;
}

static void repeat(int m, int n, int steps) {
    enum { ARRAYS = 4 };
    size_t cells = (size_t)m * n, bytes = ARRAYS * cells * sizeof(REAL);
    REAL *a = malloc(bytes);
    for (int call = 0; call < CALLS; call++) {
        fill(a, cells);
        run(m, n, steps, (void *)a, (void *)(a + cells), (void *)(a + 2 * cells),
            (void *)(a + 3 * cells));
        print_hash(a, bytes, call);
    }
    free(a);
}

int main(int argc, char **argv) {
    for (int i = 1; i + 3 < argc; i += 4)
        repeat(atoi(argv[i]), atoi(argv[i + 1]), atoi(argv[i + 3]));
}
