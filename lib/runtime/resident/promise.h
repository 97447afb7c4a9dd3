/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of which the program promised (stencilopt.h) to say when it looks.
 */
#ifndef STENCILRT_PROMISE_H
#define STENCILRT_PROMISE_H

#include "runtime/rt.h"

/* Is all of it promised, by one promise? */
bool rt_promised(uintptr_t lo, uintptr_t hi);
/* Original loops are about to run, of which the program does not know: all that is promised comes
 * home. */
void rt_promises_settle(void);

#endif
