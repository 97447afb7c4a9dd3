/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of which the program promised (stencilopt.h) to say when it reads or writes it.
 */
#ifndef STENCILRT_PROMISE_H
#define STENCILRT_PROMISE_H

#include "runtime/rt.h"

/* A new promise; nothing where there is no memory for it. */
void rt_promise(uintptr_t lo, uintptr_t hi);
/* Ends all promises that meet these bytes. */
void rt_promise_end(uintptr_t lo, uintptr_t hi);
bool rt_promises_any(void);
/* Is all of it promised, by one promise? */
bool rt_promised(uintptr_t lo, uintptr_t hi);
/* The original loops are about to run, and the program does not know: all promised arrays come back
 * from the devices (notify.c). */
void rt_promises_settle(void);

#endif
