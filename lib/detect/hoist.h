/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that a loop loads, taken out of it while it is looked at: see hoist.c.
 */
#ifndef STENCILOPT_HOIST_H
#define STENCILOPT_HOIST_H

#include "host.h"

enum { HOIST_MAX = ST_LIMIT(96, 2) };

typedef struct host_hoisted {
    LLVMValueRef value; /* stands for it; NULL once it is loaded */
    LLVMValueRef load;  /* the first */
    br_scev address;    /* does not change in the scope */
    unsigned alignment;
    int sweep; /* the one under whose guards it is read; -1: it always is */
} host_hoisted;

typedef struct host_hoisted_use {
    LLVMValueRef user, load;
    unsigned operand;
} host_hoisted_use;

/* What LLVM knows the value to be before the first step: the region requires that it is. */
typedef struct host_hoisted_start {
    LLVMValueRef phi, start, value; /* which stands for it, then is loaded */
} host_hoisted_start;

typedef struct host_hoists {
    br_function *f;
    LLVMValueRef function;
    br_loop scope;
    host_hoisted entries[HOIST_MAX]; /* once placed: in the order in which they can be loaded */
    int count;
    host_hoisted_use *uses; /* that the stand-ins have taken over */
    size_t nuses;
    host_hoisted_start starts[HOIST_MAX];
    int nstarts;
} host_hoists;

/* Puts stand-ins for what the loop loads from addresses that do not change. NULL: there is none. */
host_hoists *host_hoist(br_function *f, LLVMValueRef function, br_loop scope);
/* The loop gets its loads back. */
void host_hoists_undo(host_hoists *h);
/* Can they be loaded in front of these sweeps, which the scope holds? They then refer to `h`. Else
 * the first one gets the reason. */
bool host_hoists_place(host_hoists *h, host_region *const *sweeps, size_t count);
/* Does the program evaluate this guard before it loads the value? */
bool host_hoisted_waits(const host_hoists *h, const host_hoisted *e, const host_guard *guard);

#endif
