/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Preparations of a loop: changes of its IR under which detection may recognise what it does not
 * recognise as the program has it. A preparation is made while the loop is looked at. Then it is
 * taken back, or, if the loop was offloaded in that form, finished: in both cases the program's own
 * loop computes what it always did.
 *
 * Preparations are made in place, since taking one back is cheaper than copying the function.
 * Changes of control flow are made in a copy: see shadow.h.
 */
#ifndef STENCILOPT_PREPARE_H
#define STENCILOPT_PREPARE_H

#include "prepare/hoist.h"
#include "prepare/temporaries.h"

typedef enum prep_id {
    PREP_NONE, /* the loop as the program has it */
    PREP_TEMPORARIES,
    PREP_LOADS,
    PREP_UNITS,
    PREP_SHAPES,
    PREP_COUNT
} prep_id;

/* A preparation that was made. */
typedef struct prep_change {
    prep_id id;
    prep_hoists *hoists;
    prep_temporaries *temporaries;
} prep_change;

/* Prepares the loop. *touched is set if the function may have changed, if only in form. */
bool prep_apply(prep_change *out, prep_id id, br_function *f, LLVMValueRef function, br_loop l,
                bool *touched);
/* One of both, and once; then nothing is prepared. */
void prep_take_back(prep_change *c);
void prep_finish(prep_change *c);

#endif
