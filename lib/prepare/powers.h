/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Indices of kernels that are masked by a size that is a power of two.
 */
#ifndef STENCILOPT_PREPARE_POWERS_H
#define STENCILOPT_PREPARE_POWERS_H

#include "bridge/bridge.h"
#include "model/fixed_limits.h"
#include "prepare/shadow.h"

/* Puts a test in front of a shadow with `powers` of this kernel: for sizes that are no powers of
 * two the kernel's own body runs. */
void prep_test_powers(prep_shadow *s, br_function *f, LLVMValueRef function);

/* Between the files of this folder: is there a coordinate that is masked by an argument? */
bool powers_found(br_function *f, LLVMValueRef function);
/* Makes remainders of such masks. */
void powers_replace(br_function *f, LLVMValueRef function);

#endif
