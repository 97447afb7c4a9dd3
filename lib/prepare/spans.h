/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loop nests that are told where their loops begin and end, and that bring indices back at the
 * ends of the array: twins for loops from end to end. See spans.c.
 */
#ifndef STENCILOPT_SPANS_H
#define STENCILOPT_SPANS_H

#include "bridge/bridge.h"

/* Does the outermost loop hold such a nest? */
bool prep_has_span(br_function *f, br_loop outer);
/* In a twin of the loop, lets its loops go from end to end; that they do so is required in front
 * of `mark` (apart.h). False: it has no such nest. */
bool prep_fix_span(br_function *f, LLVMValueRef function, br_loop outer, LLVMValueRef mark);

#endif
