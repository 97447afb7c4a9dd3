/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ghost cells that each step copies from the opposite face. CASE 0: one cell deep, at the end of the
 * step, without corners. 1: pointers are exchanged; at the start of the step, with corners. 2: the
 * same at the end. 3: two cells deep along x, at the start, fixed cells along y. 4: staggered fields
 * that share one ghost cell a dimension. 5: two fields, and a sweep that also makes ghost cells. 6:
 * ghost cells that nothing reads, at two faces. */
#include "harness.h"

#ifndef CASE
#define CASE 0
#endif
#define AT(p, i, j) p[(size_t)(i) * (size_t)w + (size_t)(j)]

#if CASE == 3
enum { DEEP = 2 };
#else
enum { DEEP = 1 };
#endif

/* n x m cells without those at faces. */
KERNEL void ghosts(int n, int m, int steps, REAL *u, REAL *v, REAL *restrict p, REAL *restrict q,
                   REAL *restrict r) {
    int w = m + 2 * DEEP;
    if (n < 3 || m < 3)
        return;
    for (int t = 0; t < steps; t++) {
#if CASE == 0
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                AT(p, i, j) = AT(q, i, j) + (REAL)0.1 * (AT(q, i - 1, j) + AT(q, i + 1, j) - AT(q, i, j - 1) +
                                                         (REAL)0.7 * AT(q, i, j + 1));
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                AT(q, i, j) = AT(p, i, j);
        for (int j = 1; j <= m; j++) {
            AT(q, 0, j) = AT(q, n, j);
            AT(q, n + 1, j) = AT(q, 1, j);
        }
        for (int i = 1; i <= n; i++) {
            AT(q, i, 0) = AT(q, i, m);
            AT(q, i, m + 1) = AT(q, i, 1);
        }
#elif CASE == 1 || CASE == 2
#if CASE == 1
        REAL *to = u;
#else
        REAL *to = v;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                AT(v, i, j) = AT(u, i, j) + (REAL)0.1 * (AT(u, i - 1, j - 1) + AT(u, i + 1, j) -
                                                         AT(u, i, j - 1) + AT(u, i + 1, j + 1));
#endif
        for (int j = 1; j <= m; j++) {
            AT(to, 0, j) = AT(to, n, j);
            AT(to, n + 1, j) = AT(to, 1, j);
        }
        for (int i = 0; i <= n + 1; i++) {
            AT(to, i, 0) = AT(to, i, m);
            AT(to, i, m + 1) = AT(to, i, 1);
        }
#if CASE == 1
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                AT(v, i, j) = AT(u, i, j) + (REAL)0.1 * (AT(u, i - 1, j - 1) + AT(u, i + 1, j) -
                                                         AT(u, i, j - 1) + AT(u, i + 1, j + 1));
#endif
        REAL *swap = u;
        u = v;
        v = swap;
#elif CASE == 6
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                AT(p, i, j) += (REAL)0.1 * (AT(q, i - 1, j) + AT(q, i, j - 1));
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                AT(q, i, j) = (REAL)0.5 * AT(q, i, j) + (REAL)0.2 * AT(p, i, j);
        for (int j = 1; j <= m; j++)
            AT(q, 0, j) = AT(q, n, j);
        for (int j = 1; j <= m; j++)
            AT(q, n + 1, j) = AT(q, 1, j);
        for (int i = 1; i <= n; i++)
            AT(q, i, 0) = AT(q, i, m);
        for (int i = 1; i <= n; i++)
            AT(q, i, m + 1) = AT(q, i, 1);
#elif CASE == 3
        for (int i = 0; i < n + 4; i++) {
            AT(q, i, 0) = AT(q, i, m);
            AT(q, i, 1) = AT(q, i, m + 1);
            AT(q, i, m + 2) = AT(q, i, 2);
            AT(q, i, m + 3) = AT(q, i, 3);
        }
        for (int i = 2; i <= n + 1; i++)
            for (int j = 2; j <= m + 1; j++)
                AT(p, i, j) = AT(q, i, j) + (REAL)0.1 * (AT(q, i - 1, j) + AT(q, i + 2, j) -
                                                         AT(q, i, j - 2) + AT(q, i, j + 1));
        for (int i = 2; i <= n + 1; i++)
            for (int j = 2; j <= m + 1; j++)
                AT(q, i, j) = AT(p, i, j);
#elif CASE == 4
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                AT(p, i + 1, j) = (REAL)0.5 * (AT(q, i + 1, j) + AT(q, i, j));
                AT(r, i, j + 1) = (REAL)0.4 * (AT(q, i, j + 1) - AT(q, i, j));
            }
        for (int j = 0; j < m; j++) {
            AT(p, 0, j) = AT(p, n, j);
            AT(r, n, j + 1) = AT(r, 0, j + 1);
        }
        for (int i = 0; i < n; i++) {
            AT(p, i + 1, m) = AT(p, i + 1, 0);
            AT(r, i, 0) = AT(r, i, m);
        }
        AT(p, 0, m) = AT(p, n, 0);
        AT(r, n, 0) = AT(r, 0, m);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                AT(q, i, j) -= (REAL)0.1 * (AT(p, i + 1, j) - AT(p, i, j)) +
                               (REAL)0.1 * (AT(r, i + 1, j + 1) - AT(r, i, j) + AT(p, i, j + 1));
        for (int j = 0; j < m; j++)
            AT(q, n, j) = AT(q, 0, j);
        for (int i = 0; i < n; i++)
            AT(q, i, m) = AT(q, i, 0);
        AT(q, n, m) = AT(q, 0, 0);
#else
        for (int i = 0; i <= n + 1; i++) {
            AT(q, i, 0) = AT(q, i, m);
            AT(q, i, m + 1) = AT(q, i, 1);
            AT(p, i, m + 1) = AT(p, i, 1);
        }
        for (int i = 0; i <= n + 1; i++)
            for (int j = 1; j <= m + 1; j++)
                AT(r, i, j) = (REAL)0.3 * (AT(q, i, j) - AT(q, i, j - 1)) + (REAL)0.01 * AT(p, i, j);
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                AT(q, i, j) += (REAL)0.2 * (AT(r, i, j + 1) - AT(r, i - 1, j));
                AT(p, i, j) -= (REAL)0.1 * AT(r, i + 1, j);
            }
#endif
    }
}

#define CELLS ((size_t)(n[0] + 2 * DEEP) * (size_t)(n[1] + 2 * DEEP))
PROGRAM(2, CELLS, ghosts(n[0], n[1], steps, b[0], b[1], b[2], b[3], b[4]), REALS("u", CELLS),
        REALS("v", CELLS), REALS("p", CELLS), REALS("q", CELLS), REALS("r", CELLS))
