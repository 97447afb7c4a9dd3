/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that are what memory has: LLVM keeps in registers what it loaded or stored before. Reads:
 * a region and the other sweeps of its step. Hands on: addresses.
 */
#ifndef STENCILOPT_HOST_KEPT_H
#define STENCILOPT_HOST_KEPT_H

#include "detect/host/address.h"

struct host_region;

/* v does not change in the innermost loop. Is v what memory has at the address when that loop
 * starts? */
bool host_loaded_at(struct host_region *r, LLVMValueRef v, host_affine at[]);
/* Is x equal to y in the first iteration of loop number `i`, and does x not move with that loop? */
bool host_starts_as(const struct host_region *r, const host_affine x[], const host_affine y[],
                    int i);

#endif
