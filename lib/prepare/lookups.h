/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mathematical functions in cells whose results are computed before the sweep: see lookups.c.
 */
#ifndef STENCILOPT_LOOKUPS_H
#define STENCILOPT_LOOKUPS_H

#include "prepare/shadow.h"

/* An innermost loop in l that calls such a function, if there is no copy of l without the calls
 * yet; or NULL. */
br_loop prep_calling_loop(br_function *f, br_loop l);
/* Makes a copy of the nest with this head, in the shadow, which looks up in tables what the calls
 * gave. The head of the copy; NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_look_calls_up(prep_shadow *s, LLVMBasicBlockRef head);
/* Does a nest in the loop load entries of tables, at indices that it loads? And is there no copy of
 * the loop without these loads yet? */
bool prep_has_gathers(br_function *f, br_loop l);
/* The same of a time loop whose nests load entries of tables, which they then find in order. */
LLVMBasicBlockRef prep_look_gathers_up(prep_shadow *s, LLVMBasicBlockRef head);

#endif
