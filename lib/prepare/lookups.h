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
/* The calls `i1 stencilopt.worthwhile(i64 cells)` in front of such copies stand for a test whether
 * the sweep may run on a GPU. The next one, or NULL. */
LLVMValueRef prep_next_worthwhile(LLVMModuleRef m);
/* Where there can be no runtime, there is no memory for tables. */
void prep_forget_tables(LLVMModuleRef m);
/* Removes from the module the functions of this preparation that nothing calls. */
void prep_drop_tables(LLVMModuleRef m);

#endif
