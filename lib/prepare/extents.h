/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests that a time loop does not write what tables were filled from: see extents.c.
 */
#ifndef STENCILOPT_EXTENTS_H
#define STENCILOPT_EXTENTS_H

#include "prepare/tables.h"

enum { EXTENTS_MAX = ST_LIMIT(128, 4) };

typedef struct prep_extent_pair {
    LLVMValueRef store;
    size_t call; /* a load of an entry, which the store may change: its number in prep_needs */
} prep_extent_pair;

typedef struct prep_extents {
    prep_extent_pair pair[EXTENTS_MAX];
    size_t pairs;
    LLVMValueRef least[NEEDS_CALLS], greatest[NEEDS_CALLS]; /* where addresses are kept */
} prep_extents;

/* Finds the loads of entries that stores of the time loop may change. To be called before the
 * tables are filled. False: these are too many, or no stores. */
bool prep_find_extents(prep_extents *e, prep_tables *t);
/* Where the tables are filled, at the end of block `filled`, tests whether the entries that were
 * loaded are apart from all that is stored. If not, control goes on behind block `before`, to the
 * program's own loop. False: that cannot be tested. */
bool prep_test_extents(prep_extents *e, prep_tables *t, LLVMBasicBlockRef before,
                       LLVMBasicBlockRef filled);

#endif
