/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Detection of stencils in the loop nests of host code: what other folders call. A detected region
 * is the stencil (plain data) and, beside it, what the compiler needs to enter it: the run-time
 * values as polynomials and ScalarEvolution expressions, the guards, the loops.
 */
#ifndef STENCILOPT_HOST_HOST_H
#define STENCILOPT_HOST_HOST_H

#include "detect/common/calls.h"
#include "detect/host/ends.h"
#include "detect/host/nest.h"
#include "detect/host/order.h"
#include "detect/host/region.h"
#include "detect/host/steps/forms.h"

/* Looks at the nest around `innermost`. Returns a region whose `reason` is ST_OK, or why not (its
 * `stencil` is then NULL). `device_math` admits library functions that are not exact. */
host_region *host_detect(br_function *f, LLVMValueRef function, br_loop innermost,
                         bool device_math);

#endif
