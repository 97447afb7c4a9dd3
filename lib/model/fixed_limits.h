/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fixed limits: how many of something there may be before a loop nest or a kernel is left alone.
 * Programs hardly ever reach them. In a build with STENCILOPT_TINY_LIMITS (tiny_limits.h) they are
 * so small that the tests do, where nothing worse than a refusal may come of it.
 */
#ifndef STENCILOPT_FIXED_LIMITS_H
#define STENCILOPT_FIXED_LIMITS_H

#include "tiny_limits.h"

#ifdef STENCILOPT_TINY_LIMITS
#define ST_LIMIT(usual, tiny) (tiny)
#else
#define ST_LIMIT(usual, tiny) (usual)
#endif

#endif
