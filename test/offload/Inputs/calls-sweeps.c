/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "calls.h"
#define AT(a, i, j) g->a[(i)*g->ny + (j)]
void update_h(struct grid *g) {
    for (int i = 0; i < g->nx; i++)
        for (int j = 0; j < g->ny - 1; j++)
            AT(hx, i, j) -= 0.25 * (AT(ez, i, j + 1) - AT(ez, i, j));
    for (int i = 0; i < g->nx - 1; i++)
        for (int j = 0; j < g->ny; j++)
            AT(hy, i, j) += 0.25 * (AT(ez, i + 1, j) - AT(ez, i, j));
}
void update_e(struct grid *g) {
    for (int i = 1; i < g->nx - 1; i++)
        for (int j = 1; j < g->ny - 1; j++)
            AT(ez, i, j) += 0.25 * (AT(hy, i, j) - AT(hy, i - 1, j) - AT(hx, i, j) + AT(hx, i, j - 1));
}
