/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is needed to make two loops of one, and to show that their order does not matter.
 */
#ifndef STENCILOPT_HALVES_H
#define STENCILOPT_HALVES_H

#include "bridge/bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The phis of the loop's head that are no counters: what iterations hand on to the next one.
 * Returns their number; at most `room` are put in `values`. */
size_t br_loop_carried(br_function *f, br_loop l, LLVMValueRef *values, size_t room);
/* Makes two loops of a loop, one after the other: of the iterations of even numbers, then of odd
 * ones. The first one hands on to the second what its last iteration does: the caller must know
 * that the order does not matter. False, with nothing changed but in front of the loop, if the loop
 * leaves other values than what it hands on. `copies` are the values in the first loop. Call
 * br_function_invalidate afterwards. */
bool br_loop_halves(br_function *f, br_loop l, const LLVMValueRef *values, LLVMValueRef *copies,
                    size_t count);
/* Takes the first and the last iteration out of the loop, in front of it and behind it. False: how
 * many iterations it makes is no constant of at least 3. */
bool br_loop_part_ends(br_function *f, br_loop l);
/* May something at address a, or before or behind it, be something at b? */
bool br_may_alias(br_function *f, LLVMValueRef a, LLVMValueRef b);
/* The expression, where sums of narrow numbers that are then extended are taken as exact: they do
 * not wrap. */
br_scev br_scev_exact(br_function *f, br_scev s);
/* Is 2 * (to - from) = a * x + b * y, whatever the values are? */
bool br_scev_is_combination(br_function *f, br_scev from, br_scev to, br_scev x, int a, br_scev y,
                            int b);

#ifdef __cplusplus
}
#endif

#endif
