/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The order of the sweeps of a time step, and of loads and stores beside them.
 */
#ifndef STENCILOPT_HOST_ORDER_H
#define STENCILOPT_HOST_ORDER_H

#include "bridge/bridge.h"

struct host_region;
struct host_steps;

/* Where a sweep starts, or what comes before it: an instruction. */
LLVMValueRef host_start_of(const struct host_region *r);
/* Does a come before b in an iteration of l? */
bool host_is_before(br_loop l, LLVMValueRef a, LLVMValueRef b);
/* Is what the load reads, outside the sweep's innermost loop, still there when the sweep starts? */
bool host_load_is_timely(const struct host_region *r, LLVMValueRef load);
/* Among several sweeps: can control get from b to a in an iteration of the sweep's innermost loop?
 */
bool host_comes_after(const struct host_region *r, LLVMValueRef a, LLVMValueRef b);
/* Is the instruction a store of one of several sweeps (steps.c)? */
bool host_is_stored(const struct host_steps *s, LLVMValueRef i);

#endif
