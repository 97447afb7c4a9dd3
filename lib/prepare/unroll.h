/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over neighbours, of GPU kernels (unroll.c) and of loop nests (taps.c).
 */
#ifndef STENCILOPT_UNROLL_H
#define STENCILOPT_UNROLL_H

#include "bridge/bridge.h"
#include "model/fixed_limits.h"
#include "prepare/shadow.h"

/* The most reads, over all iterations of the unrolled loops. Loops with more are not loops over
 * neighbours. */
enum { UNROLL_MAX_READS = ST_LIMIT(1024, 6) };

/* Makes a shadow of the function in which loops over neighbours are unrolled. False: there are no
 * such loops. */
bool prep_unroll_taps(prep_shadow *s, br_function *f, LLVMValueRef function);
/* A loop over the directions of a lattice, which writes, in this one; or NULL. */
br_loop prep_directions(br_function *f, br_loop nest);
/* Unrolls them in the shadow, in the nest with this head. The head; NULL: the shadow is to be
 * dropped. */
LLVMBasicBlockRef prep_unroll_directions(prep_shadow *s, LLVMBasicBlockRef head);
/* Makes a shadow of a kernel in which loops over neighbours are unrolled, with `components` also
 * loops of few iterations that write, as over the colours of a pixel. False: there are no such
 * loops, or other loops that do not write. */
bool prep_unroll_kernel(prep_shadow *s, br_function *f, bool components);

/* Between the files of this folder. */
/* Unrolls loops over neighbours in a shadow of loop nests. False: there are none. */
bool unroll_taps_in(prep_shadow *s);
/* Is there a store in the loop to what is not the thread's alone? */
bool unroll_writes(LLVMValueRef function, br_loop l);
/* Is there such a store whose address may change in the loop? `b[i] += ..` writes one element. */
bool unroll_moves(LLVMValueRef function, br_loop l);
/* The iterations of the loop; more than UNROLL_MAX_READS if the number is greater or unknown. */
int64_t unroll_iterations(br_function *f, br_loop l);
/* The reads of a block that has `here` loads, after unrolling: times[i] are the iterations of
 * loops[i], 0 for a loop that stays. A block without loads counts as one read. 0: no unrolled loop
 * contains the block. */
int64_t unroll_reads(const br_loop *loops, const int64_t *times, size_t count, LLVMBasicBlockRef b,
                     int64_t here);
/* Unrolls loops over neighbours in a shadow of a kernel, as prep_unroll_kernel does, if they read
 * at most so often. */
bool unroll_shadow(prep_shadow *s, int most);
/* Makes loops over neighbours whose bounds are brought into the grid go over all neighbours.
 * Not loops in which a store moves. windows.c */
void unroll_open_windows(prep_shadow *s, bool moves(LLVMValueRef function, br_loop l));
/* The number r of a loop from x - r to x + r whose bounds are brought into the grid; or NULL. */
LLVMValueRef unroll_window_reach(br_loop l);
/* Gives loops from n - 7 to n, which write nothing, a counter from which their number of iterations
 * is known. */
void unroll_count_anew(br_function *f, LLVMValueRef function,
                       bool writes(LLVMValueRef function, br_loop l));
/* Unrolls the loops that are marked, and cleans up. */
bool unroll_marked(LLVMValueRef function);

#endif
