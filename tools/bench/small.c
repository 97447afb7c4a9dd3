/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of test/programs/on-chip.c's sweep, four of each size. Arguments: extents and steps, in
 * fours. Prints a hash of both buffers after each call. */
#define main once
#include "../../test/programs/on-chip.c"
#undef main
#include "small.h"

static void repeat(const int of[4]) {
    size_t cells = (size_t)of[0] * of[1] * of[2], bytes = 2 * cells * sizeof(REAL);
    REAL *a = malloc(bytes);
    for (int call = 0; call < CALLS; call++) {
        fill(a, cells);
        run(of[0], of[1], of[2], of[3], (void *)a);
        print_hash(a, bytes, call);
    }
    free(a);
}

int main(int argc, char **argv) {
    each(argc, argv, repeat);
}
