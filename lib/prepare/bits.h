/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Indices of kernels that depend on whether a number is odd, or on which of some numbers it is.
 */
#ifndef STENCILOPT_PREPARE_BITS_H
#define STENCILOPT_PREPARE_BITS_H

#include "bridge/bridge.h"
#include "model/fixed_limits.h"
#include "prepare/shadow.h"

/* Makes a shadow of the kernel in which the last bit of a number, where it is not only compared, is
 * a choice of 1 and 0, the cases of a switch are tests, and masks are remainders, if sizes are
 * powers of two (powers.h). False: there is nothing of that. */
bool prep_choose(prep_shadow *s, br_function *f, LLVMValueRef function);

#endif
