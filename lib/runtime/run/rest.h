/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The steps of a call that are left after a part of it, as a call of its own.
 *
 * Between parts a handler may leave for good, by siglongjmp. Then nobody ends the rest; the next
 * call of the thread further up the stack does, or the thread's end.
 */
#ifndef STENCILRT_REST_H
#define STENCILRT_REST_H

#include "runtime/run/saved.h"

typedef struct rt_rest rt_rest;

/* Of the program's call, of which no step is made. NULL: out of memory. `frame`: the address of the
 * frame that the rest ends with. */
rt_rest *rt_rest_begin(const stencilrt_region *region, const stencilrt_call *call,
                       const void *frame);
/* What the program had, which ends with the rest. */
rt_saved *rt_rest_saved(rt_rest *rest);
/* Notes that `steps` more steps are made. */
void rt_rest_advance(rt_rest *rest, int64_t steps);
bool rt_rest_has_steps_made(const rt_rest *rest);
int64_t rt_rest_steps_made(const rt_rest *rest);
/* The steps that are left. */
const stencilrt_call *rt_rest_call(const rt_rest *rest);
/* All is done: the program's call says so. */
void rt_rest_finish(const rt_rest *rest);
/* What is left failed: the program has again what it had before the first step. */
void rt_rest_restore(const rt_rest *rest);
void rt_rest_end(rt_rest *rest);
/* Ends those that a handler left, on the thread's own stack. */
void rt_rest_end_left(const void *frame);

#endif
