/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
struct grid {
    int nx, ny;
    double *ez, *hx, *hy;
};
void update_h(struct grid *g);
void update_e(struct grid *g);
