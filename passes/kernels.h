/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What passes over GPU kernels share.
 */
#ifndef STENCILOPT_PASSES_KERNELS_H
#define STENCILOPT_PASSES_KERNELS_H

#include "detect/kernel/kernel.h"
#include "prepare/shadow.h"

/* The kernel, or its shadow, as it is recognised; shadow->f is NULL if it is the kernel. */
kernel_region *kernels_detect(br_function *f, LLVMValueRef function, prep_shadow *shadow);
void kernels_forget(kernel_region *k, prep_shadow *shadow);

#endif
