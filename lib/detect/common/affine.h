/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An address or an index as a sum over the iterations of the loops around it, or over the
 * coordinates of a kernel.
 */
#ifndef STENCILOPT_COMMON_AFFINE_H
#define STENCILOPT_COMMON_AFFINE_H

#include "algebra/poly.h"
#include "detect/common/limits.h"

/* An address or an index: base + sum of step[i] * iteration of loops[i]. */
typedef struct host_affine {
    poly base, step[HOST_MAX_LOOPS];
} host_affine;

bool host_same_affine(const host_affine *a, const host_affine *b);
/* The pointer an address is based on, if that is one value; else NULL. */
LLVMValueRef host_base_pointer(poly origin);

#endif
