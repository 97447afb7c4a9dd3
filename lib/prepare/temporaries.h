/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory that each iteration of a loop allocates and frees: see temporaries.c.
 */
#ifndef STENCILOPT_TEMPORARIES_H
#define STENCILOPT_TEMPORARIES_H

#include "bridge/bridge.h"

/* Calls of malloc in front of the loop, and calls of free that are in no block: by these the
 * program frees that memory. */
enum { PREP_MAX_MEMORY = 16 };
typedef struct prep_memory {
    LLVMValueRef allocation[PREP_MAX_MEMORY], release[PREP_MAX_MEMORY];
    size_t count;
} prep_memory;

typedef struct prep_temporaries prep_temporaries;
/* Takes the calls out of the loop. NULL: there are none, or they cannot be. */
prep_temporaries *prep_take_temporaries(br_function *f, LLVMValueRef function, br_loop l);
const prep_memory *prep_memory_of(const prep_temporaries *m); /* NULL of NULL */
/* The first restores the loop that is not offloaded. The second gives the original loops of an
 * offloaded region their own allocations again. */
void prep_put_temporaries_back(prep_temporaries *m);
void prep_leave_temporaries(prep_temporaries *m);

#endif
