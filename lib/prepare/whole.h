/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops in the form that the program gave them.
 */
#ifndef STENCILOPT_WHOLE_H
#define STENCILOPT_WHOLE_H

#include "bridge/bridge.h"

/* Before LLVM's passes change loops: those that may be sweeps stay whole, for stencil-offload,
 * after which br_function_split does what was put off. True if the function was changed. */
bool prep_keep_whole(br_function *f, LLVMValueRef function, unsigned level);
/* Calls mend(f, l, block) for each block in a loop, l being the innermost one. True if a call was.
 * joins.c */
bool prep_mend_blocks(br_function *f, bool (*mend)(br_function *, br_loop, LLVMBasicBlockRef));
/* Does control come to the phi's block only at the ends of others that lead nowhere else? joins.c */
bool prep_is_join(LLVMValueRef phi);
/* Counters of loops are sums again. True if the function was changed. counters.c */
bool prep_mend_counters(br_function *f);
/* Takes the corners out of one more loop over rows and columns. False: there is none. frames.c */
bool prep_part_frames(br_function *f);
/* What branches compute alike is one value behind them. True if the function was changed. joins.c
 */
bool prep_mend_joins(br_function *f);
/* Stores to different arrays, which LLVM made one behind a join, are on their ways again. True if
 * the function was changed. sinks.c */
bool prep_mend_sinks(br_function *f);
/* Loads of a cell or a neighbour that comes round, which LLVM made one behind a join, are on their
 * ways again. True if the function was changed. picks.c */
bool prep_mend_picks(br_function *f);
/* Switches around loops are tests. True if the function was changed. switches.c */
bool prep_mend_switches(br_function *f);
/* Flags that sweeps set are maxima or minima. True if the function was changed. flags.c */
bool prep_mend_flags(br_function *f);
/* All that bring loops into the form that detection knows: those above, and prep_lift_arrays. What
 * was known of the function is forgotten if it was changed. whole.c */
bool prep_mend(br_function *f);
/* Assignments of sections of Fortran's arrays are loops. True if the function was changed.
 * sections.c */
bool prep_mend_sections(br_function *f, LLVMValueRef function);
/* Arrays that each iteration of a loop has on the stack are there all the time. True if the
 * function was changed, if only in form. automatic.c */
bool prep_lift_arrays(br_function *f);

#endif
