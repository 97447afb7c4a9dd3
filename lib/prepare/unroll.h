/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over neighbours, of kernels (kernel/unroll.c) and of loop nests (taps.c).
 */
#ifndef STENCILOPT_UNROLL_H
#define STENCILOPT_UNROLL_H

#include "bridge/bridge.h"
#include "model/fixed_limits.h"

/* What the loops' blocks read in all their iterations: more neighbours are none. */
enum { UNROLL_MAX_READS = ST_LIMIT(1024, 6) };

/* How often it runs; more than UNROLL_MAX_READS if that is so, or not known. */
int64_t unroll_iterations(br_function *f, br_loop l);
/* Unrolls the loops that are marked, and cleans up. */
bool unroll_marked(LLVMValueRef function);

#endif
