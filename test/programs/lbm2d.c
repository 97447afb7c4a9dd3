/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lattice Boltzmann, D2Q9, a plane for each distribution: cells pull from their neighbours and
 * collide. APART: nine pairs of pointers, exchanged one by one. LEVELS: two buffers by parity.
 * COLLIDE: collision, then streaming back. SOLID: streaming, then collision, or where a cell is
 * solid, bounce-back. PUSH: cells collide, and push to their neighbours. */
#include "harness.h"

static const int CX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, CY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const REAL W[9] = {(REAL)4 / 9,  (REAL)1 / 9,  (REAL)1 / 9,  (REAL)1 / 9, (REAL)1 / 9,
                          (REAL)1 / 36, (REAL)1 / 36, (REAL)1 / 36, (REAL)1 / 36};

static inline REAL relax(int k, REAL f, REAL r, REAL u, REAL v, REAL omega) {
    REAL c = 3 * ((REAL)CX[k] * u + (REAL)CY[k] * v);
    return f + omega * (W[k] * r * (1 + c + (REAL)0.5 * c * c - (REAL)1.5 * (u * u + v * v)) - f);
}

#define COLLISION(f, set)                                                                          \
    REAL r = 0, u = 0, v = 0;                                                                      \
    for (int k = 0; k < 9; k++) {                                                                  \
        r += (f);                                                                                  \
        u += (REAL)CX[k] * (f);                                                                    \
        v += (REAL)CY[k] * (f);                                                                    \
    }                                                                                              \
    u /= r;                                                                                        \
    v /= r;                                                                                        \
    for (int k = 0; k < 9; k++)                                                                    \
        set = relax(k, f, r, u, v, omega);

#define INNER                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)

#if defined APART
#define AT(di, dj) [(i + (di)) * m + j + (dj)]
#define TURN(f, g)                                                                                 \
    swap = f;                                                                                      \
    f = g;                                                                                         \
    g = swap;

static void apart(int n, int m, int steps, REAL omega, REAL *f0, REAL *f1, REAL *f2, REAL *f3,
                  REAL *f4, REAL *f5, REAL *f6, REAL *f7, REAL *f8, REAL *g0, REAL *g1, REAL *g2,
                  REAL *g3, REAL *g4, REAL *g5, REAL *g6, REAL *g7, REAL *g8) {
    for (int t = 0; t < steps; t++) {
        INNER {
            REAL x[9] = {f0 AT(0, 0),  f1 AT(0, -1),  f2 AT(-1, 0), f3 AT(0, 1), f4 AT(1, 0),
                         f5 AT(-1, -1), f6 AT(-1, 1), f7 AT(1, 1),  f8 AT(1, -1)};
            COLLISION(x[k], x[k])
            g0 AT(0, 0) = x[0];
            g1 AT(0, 0) = x[1];
            g2 AT(0, 0) = x[2];
            g3 AT(0, 0) = x[3];
            g4 AT(0, 0) = x[4];
            g5 AT(0, 0) = x[5];
            g6 AT(0, 0) = x[6];
            g7 AT(0, 0) = x[7];
            g8 AT(0, 0) = x[8];
        }
        REAL *swap;
        TURN(f0, g0) TURN(f1, g1) TURN(f2, g2) TURN(f3, g3) TURN(f4, g4) TURN(f5, g5)
        TURN(f6, g6) TURN(f7, g7) TURN(f8, g8)
    }
}

KERNEL void run(int n, int m, int steps, REAL w, REAL *f, REAL *g) {
    long s = (long)n * m;
    apart(n, m, steps, w, f, f + s, f + 2 * s, f + 3 * s, f + 4 * s, f + 5 * s, f + 6 * s,
          f + 7 * s, f + 8 * s, g, g + s, g + 2 * s, g + 3 * s, g + 4 * s, g + 5 * s, g + 6 * s,
          g + 7 * s, g + 8 * s);
}
#elif defined COLLIDE || defined SOLID
#ifdef SOLID
static const int BACK[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
#endif

KERNEL void run(int n, int m, int steps, REAL omega, REAL f[restrict 9][n][m],
                REAL g[restrict 9][n][m], const char solid[restrict n][m]) {
    for (int t = 0; t < steps; t++) {
#ifdef SOLID
        INNER for (int k = 0; k < 9; k++) g[k][i][j] = f[k][i - CY[k]][j - CX[k]];
        INNER {
            if (solid[i][j]) {
                for (int k = 0; k < 9; k++)
                    f[k][i][j] = g[BACK[k]][i][j];
            } else {
                COLLISION(g[k][i][j], f[k][i][j])
            }
        }
#else
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                COLLISION(f[k][i][j], g[k][i][j])
            }
        INNER for (int k = 0; k < 9; k++) f[k][i][j] = g[k][i - CY[k]][j - CX[k]];
#endif
    }
}
#elif defined LEVELS
KERNEL void run(int n, int m, int steps, REAL omega, REAL f[2][9][n][m]) {
    for (int t = 0; t < steps; t++)
        INNER {
            COLLISION(f[t % 2][k][i - CY[k]][j - CX[k]], f[(t + 1) % 2][k][i][j])
        }
}
#else
KERNEL void run(int n, int m, int steps, REAL omega, REAL *f, REAL *g) {
    long s = (long)n * m;
    for (int t = 0; t < steps; t++) {
        INNER {
            long c = (long)i * m + j;
#ifdef PUSH
            COLLISION(f[k * s + c], g[k * s + c + CY[k] * m + CX[k]])
#else
            REAL x[9];
            for (int k = 0; k < 9; k++)
                x[k] = f[k * s + c - CY[k] * m - CX[k]];
            COLLISION(x[k], g[k * s + c])
#endif
        }
        REAL *swap = f;
        f = g;
        g = swap;
    }
}
#endif

#if defined COLLIDE || defined SOLID
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        run(n[0], n[1], steps, (REAL)0.75, b[0], b[1], b[2]), REALS("f", 9 * n[0] * n[1]),
        REALS("g", 9 * n[0] * n[1]), INTEGERS("solid", char, n[0] * n[1], 0, 2))
#elif defined LEVELS
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), run(n[0], n[1], steps, (REAL)0.75, b[0]),
        REALS("f", 18 * n[0] * n[1]))
#else
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), run(n[0], n[1], steps, (REAL)0.75, b[0], b[1]),
        REALS("f", 9 * n[0] * n[1]), REALS("g", 9 * n[0] * n[1]))
#endif
