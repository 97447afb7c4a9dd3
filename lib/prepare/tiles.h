/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nests that are tiled by hand: loops over tiles around loops over the cells of a tile,
 *
 *     for (ii = 1; ii < n; ii += t) for (jj = 1; jj < m; jj += t)
 *         for (i = ii; i < min(n, ii + t); i++) for (j = jj; j < min(m, jj + t); j++) ...
 *
 * One tile of all cells is the nest without tiles.
 */
#ifndef STENCILOPT_TILES_H
#define STENCILOPT_TILES_H

#include "bridge/bridge.h"

/* Is the loop one over tiles, or does it contain one, of a nest whose cells may be made in another
 * order? */
bool prep_has_tiles(br_function *f, br_loop l);
enum { TILES_MAX_POSITIVE = 16 };

/* Numbers where tiles were joined that must be positive, with the two highest bits 0, so that their
 * sums do not wrap. */
typedef struct prep_positive {
    LLVMValueRef number[TILES_MAX_POSITIVE];
    int count;
} prep_positive;

/* Makes one tile of all tiles of the loops that `of` dominates. False if there are none; the
 * function is then to be dropped. */
bool prep_join_tiles(br_function *f, LLVMBasicBlockRef of, prep_positive *p);

#endif
