/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * GPU kernels whose threads go from plane to plane by a loop, and have the first plane in front of
 * the loop, or the last one behind it.
 */
#ifndef STENCILOPT_PLANES_H
#define STENCILOPT_PLANES_H

#include "prepare/shadow.h"

/* Makes a shadow in which the loop goes over these planes, too. It does what the kernel does if the
 * loop has an iteration, and no array that is written overlaps another one. False: the kernel has
 * no such planes. */
bool prep_join_planes(prep_shadow *s, br_function *f);

#endif
