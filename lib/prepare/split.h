/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop over all cells of several dimensions, as OpenMP's collapse makes it, becomes a loop for
 * each dimension again.
 */
#ifndef STENCILOPT_SPLIT_H
#define STENCILOPT_SPLIT_H

#include "bridge/bridge.h"

/* Splits all such loops of a function. True if one was. */
bool prep_split_loops(br_function *f);

#endif
