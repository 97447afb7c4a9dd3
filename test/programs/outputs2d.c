/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One nest without a time loop that writes several arrays, or several planes of one. FORM says which. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#ifndef RESTRICT
#define RESTRICT
#endif
#ifndef PLANES
#define PLANES 3
#endif
#ifndef LAST /* which array the last one is */
#define LAST 3
#endif

#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)

KERNEL void change(REAL *v, int t) {
    v[0] += t;
    __asm__ volatile("" ::: "memory");
}

KERNEL void outputs2d(int n, int m, REAL *RESTRICT u, REAL *RESTRICT v, REAL *RESTRICT x,
                      REAL *RESTRICT y) {
#if FORM == 1 /* two arrays */
    CELLS {
        int c = i * m + j;
        REAL r = u[c] * v[c];
        x[c] = u[c] + (REAL)0.25 * (u[c - 1] + u[c + 1] - 2 * u[c]) - r;
        y[c] = v[c] + (REAL)0.5 * (v[c - m] + v[c + m] - 2 * v[c]) + r;
    }
#elif FORM == 2 /* planes of one array, each with what another one needs */
    long p = (long)n * m;
    CELLS {
        long c = i * (long)m + j;
        REAL r = u[c] + u[p + c - 1] + u[2 * p + c - m];
        x[c] = r;
        x[p + c] = r * (REAL)0.5 - u[c + 1];
        x[2 * p + c] = r * (REAL)0.25 + v[c];
    }
#elif FORM == 3 /* planes by a loop of constant length */
    REAL(*f)[n][m] = (void *)u, (*g)[n][m] = (void *)x;
    CELLS for (int k = 0; k < 3; k++) g[k][i][j] = f[k][i][j + 1] * (k + 1) + f[2 - k][i - 1][j];
#elif FORM == 4 /* sums in memory, in the program's order */
    CELLS {
        x[i * m + j] = 0;
        for (int k = -1; k <= 1; k++) x[i * m + j] += v[k + 1] * u[(i + k) * m + j];
        for (int k = -1; k <= 1; k += 2) x[i * m + j] += v[k + 4] * u[i * m + j + k];
    }
#elif FORM == 5 /* one way or the other */
    CELLS {
        int c = i * m + j;
        if (v[c] > 0)
            x[c] = 0, y[c] = u[c];
        else
            x[c] = u[c - 1] + u[c + 1];
    }
#elif FORM == 6 /* a further output in some cells only */
    CELLS {
        int c = i * m + j;
        x[c] = u[c - m] - u[c + m];
        if (x[c] > v[c]) y[c] += x[c];
    }
#elif FORM == 7 /* and sweeps behind */
    CELLS {
        int c = i * m + j;
        x[c] = u[c + 1] - u[c - 1];
        y[c] = u[c + m] - u[c - m];
    }
    CELLS v[i * m + j] = x[i * m + j + 1] - x[i * m + j - 1] + y[(i + 1) * m + j] - y[(i - 1) * m + j];
    CELLS {
        u[i * m + j] += (REAL)0.125 * v[i * m + j];
        x[i * m + j] = y[i * m + j];
    }
#elif FORM == 8 /* two such nests of other arrays */
    CELLS {
        int c = i * m + j;
        x[c] = u[c + 1] - u[c - 1];
        x[(long)n * m + c] = u[c + m] - u[c - m];
    }
    v[0] = x[0] + 1; /* in between, by the CPU */
    if (v[0] > 1000) v[1]++;
    CELLS {
        int c = i * m + j;
        y[c] = v[c + 1] - v[c - 1];
        y[(long)n * m + c] = v[c + m] - v[c - m];
    }
#elif FORM == 9 /* in a time loop with something else between them */
    for (int t = 0; t < 3; t++) {
        CELLS {
            int c = i * m + j;
            x[c] = u[c + 1] - u[c - 1];
            y[c] = u[c + m] - u[c - m];
        }
        CELLS v[i * m + j] = x[i * m + j + 1] - x[i * m + j - 1] + y[(i + 1) * m + j];
        change(v, t);
        CELLS {
            u[i * m + j] += (REAL)0.125 * v[i * m + j];
            x[i * m + j] = v[i * m + j - 1];
        }
    }
#elif FORM == 10 /* a lattice: as many planes as a nest may write, each with its own neighbour */
#define TO(k, o) x[(k)*p + c] = u[(k)*p + c + (o)] * (REAL)0.5 + r;
#define FOUR(k) TO(k, 1) TO(k + 1, -1) TO(k + 2, m) TO(k + 3, -m)
#define SIXTEEN(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12)
    long p = (long)n * m;
    CELLS {
        long c = i * (long)m + j;
        REAL r = u[c] * v[c];
        SIXTEEN(0) TO(16, 0) TO(17, 1) TO(18, -1)
#if PLANES == 32
        FOUR(19) FOUR(23) FOUR(27) TO(31, m)
#endif
    }
#endif
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        outputs2d((int)n[0], (int)n[1], b[0], b[1], b[2], b[LAST]), REALS("u", PLANES * n[0] * n[1]),
        REALS("v", 3 * n[0] * n[1] + 6), REALS("x", PLANES * n[0] * n[1]), REALS("y", 3 * n[0] * n[1]))
