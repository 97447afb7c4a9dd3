/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The steps of a call that are left after a part, as a call of their own.
 *
 * Between parts a handler may leave for good, by siglongjmp. Then the rest is ended by the thread's
 * next call that is further up the stack, or by the thread's end.
 */
#ifndef STENCILRT_REST_H
#define STENCILRT_REST_H

#include "runtime/run/saved.h"

typedef struct rt_rest rt_rest;

/* The rest of the program's call, before any step. NULL if memory ran out. `frame` is the address
 * of the frame with which the rest ends. */
rt_rest *rt_rest_begin(const stencilrt_region *region, const stencilrt_call *call,
                       const void *frame);
/* A copy of what the program had. It ends with the rest. */
rt_saved *rt_rest_saved(rt_rest *rest);
/* Counts `steps` more steps as made. */
void rt_rest_advance(rt_rest *rest, int64_t steps);
bool rt_rest_has_steps_made(const rt_rest *rest);
int64_t rt_rest_steps_made(const rt_rest *rest);
/* A call of the steps that are left. */
const stencilrt_call *rt_rest_call(const rt_rest *rest);
/* All steps are made: writes that to the program's call. */
void rt_rest_finish(const rt_rest *rest);
/* A later part failed: gives the program back what it had before the first step. */
void rt_rest_restore(const rt_rest *rest);
void rt_rest_end(rt_rest *rest);
/* Ends rests that a handler has left. The thread must be on its own stack. */
void rt_rest_end_left(const void *frame);

#endif
