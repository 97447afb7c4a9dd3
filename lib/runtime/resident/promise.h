/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory for which the program promised (stencilopt.h) to tell each time that it reads or writes
 * it.
 */
#ifndef STENCILRT_PROMISE_H
#define STENCILRT_PROMISE_H

#include "runtime/rt.h"

/* Makes a promise. Does nothing if memory for it is lacking. */
void rt_promise(uintptr_t lo, uintptr_t hi);
/* Ends all promises that meet these bytes. */
void rt_promise_end(uintptr_t lo, uintptr_t hi);
bool rt_promises_any(void);
/* Does one promise cover all these bytes? */
bool rt_promised(uintptr_t lo, uintptr_t hi);
/* To be called when the original loops are about to run, which the program does not notice. Brings
 * all promised arrays back from the devices (notify.c). */
void rt_promises_settle(void);

#endif
