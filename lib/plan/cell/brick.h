/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays in bricks on the device: small boxes of cells, one after the other. A cell's neighbours
 * are found by computing which brick they are in.
 */
#ifndef STENCILOPT_BRICK_H
#define STENCILOPT_BRICK_H

#include "plan/plan.h"

/* Sets the kernel's brick, and its block of threads. */
void brick_choose(const st_stencil *s, const plan_bricks *wish, st_kernel *k);

#endif
