/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The time loop; its sweeps are in calls-sweeps.c. */
#include "calls.h"
#include <stdio.h>

int main(int argc, char **argv) {
    static double ez[61 * 47], hx[61 * 47], hy[61 * 47];
    struct grid g = {61, 47, ez, hx, hy};
    double sum = 0;
    for (int i = 0; i < 61 * 47; i++)
        ez[i] = i * 7919 % 1013;
    for (int t = 0; t < 12 * argc; t++) {
        update_h(&g);
        update_e(&g);
    }
    for (int i = 0; i < 61 * 47; i++)
        sum = sum * 1.0000001 + ez[i] + hx[i] * 3 + hy[i] * 7;
    if (argc > 1) /* further callers, so that LLVM inlines neither */
        update_h(&g), update_e(&g);
    printf("%.17g\n", sum);
}
