/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocks behind a loop for what is to be done where control leaves it: see exits.c.
 */
#ifndef STENCILOPT_PREPARE_EXITS_H
#define STENCILOPT_PREPARE_EXITS_H

#include "bridge/bridge.h"

#include <stdbool.h>

enum { PREP_MAX_EXITS = 16 };

typedef struct prep_exits {
    LLVMBasicBlockRef block[PREP_MAX_EXITS];
    int count;
} prep_exits;

/* Gives the loop exits of its own, and its calls that may throw returns of their own. The
 * function's analyses are to be made anew. False: it cannot. */
bool prep_find_exits(prep_exits *e, LLVMValueRef function, br_loop l);

#endif
