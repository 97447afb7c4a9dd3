/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses that a nest loads only under a condition, loaded in front of it: see search.c.
 */
#ifndef STENCILOPT_SEARCH_H
#define STENCILOPT_SEARCH_H

#include "prepare/shadow.h"

/* Does the loop load addresses or sizes only under a condition, and nothing else shows that they
 * are there? And is there no copy of it without these loads yet? */
bool prep_has_hidden(br_function *f, br_loop l);
/* Makes a copy of the loop with this head, in the shadow, which has them loaded in front. The head
 * of the copy; NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_find_hidden(prep_shadow *s, LLVMBasicBlockRef head);
/* Does the loop only look for the cell at which the program loads them? */
bool prep_is_search(br_loop l);

#endif
