/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of which the program promised (stencilopt.h) to say when it looks.
 */
#ifndef STENCILRT_PROMISE_H
#define STENCILRT_PROMISE_H

#include "rt.h"

/* Is all of it promised, by one promise? */
bool rt_promised(uintptr_t lo, uintptr_t hi);

#endif
