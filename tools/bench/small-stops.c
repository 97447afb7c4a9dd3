/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of test/programs/on-chip-stops.c's time loop, four of each size. It ends when the greatest
 * change of a step is at most EPS, or after the most steps. Arguments: extents and the most steps,
 * in fours. Prints a hash of both arrays after each call. */
#define main once
#include "../../test/programs/on-chip-stops.c"
#undef main
#include "small.h"

#ifndef EPS
#define EPS -1
#endif

static void repeat(int n, int m, int l, int limit) {
    size_t cells = (size_t)n * m * l, bytes = 2 * cells * sizeof(REAL);
    REAL *a = malloc(bytes), *f = calloc(cells, sizeof *f);
    for (int call = 0; call < CALLS; call++) {
        REAL change = 0;
        double sum = 0;
        fill(a, cells);
        run(n, m, l, limit, C(EPS), a, a + cells, f, &change, &sum);
        print_hash(a, bytes, call);
    }
    free(a);
    free(f);
}

int main(int argc, char **argv) {
    for (int i = 1; i + 3 < argc; i += 4)
        repeat(atoi(argv[i]), atoi(argv[i + 1]), atoi(argv[i + 2]), atoi(argv[i + 3]));
    return 0;
}
