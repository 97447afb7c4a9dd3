/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that passes over GPU kernels share.
 */
#ifndef STENCILOPT_PASSES_KERNELS_H
#define STENCILOPT_PASSES_KERNELS_H

#include "detect/kernel/kernel.h"
#include "options/options.h"
#include "plan/block/block.h"
#include "prepare/shadow.h"

/* Recognises the kernel, or its shadow if that helps. shadow->f is NULL if it is the kernel itself.
 */
kernel_region *kernels_detect(br_function *f, LLVMValueRef function, prep_shadow *shadow);
/* Makes the plans for blocking the kernel (see gen_block), and returns their number. 0, with a
 * reason, if the kernel stays as it is. */
int kernels_plan(kernel_region *k, const st_launch *l, const opt_values *options, blk_plan plans[2],
                 st_refusal *why);
void kernels_forget(kernel_region *k, prep_shadow *shadow);

#endif
