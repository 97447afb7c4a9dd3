/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over neighbours, of GPU kernels (unroll.c) and of loop nests (taps.c).
 */
#ifndef STENCILOPT_UNROLL_H
#define STENCILOPT_UNROLL_H

#include "bridge/bridge.h"
#include "model/fixed_limits.h"
#include "prepare/shadow.h"

/* What the loops' blocks read in all their iterations: more neighbours are none. */
enum { UNROLL_MAX_READS = ST_LIMIT(1024, 6) };

/* A shadow of the function in which loops over neighbours are unrolled. False: it has none. */
bool prep_unroll_taps(prep_shadow *s, br_function *f, LLVMValueRef function);
/* The same of a kernel. False also if it has others beside them that do not write. */
bool prep_unroll_kernel(prep_shadow *s, br_function *f);

/* Between the files of this folder. */
/* How often it runs; more than UNROLL_MAX_READS if that is so, or not known. */
int64_t unroll_iterations(br_function *f, br_loop l);
/* What a block reads that has `here` loads, once the loops around it are unrolled that run so many
 * times[i] > 0; a block without loads counts as one of them. 0: no loop around it is. */
int64_t unroll_reads(const br_loop *loops, const int64_t *times, size_t count, LLVMBasicBlockRef b,
                     int64_t here);
/* Unrolls the loops that are marked, and cleans up. */
bool unroll_marked(LLVMValueRef function);

#endif
