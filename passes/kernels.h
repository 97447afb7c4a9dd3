/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that passes over GPU kernels share.
 */
#ifndef STENCILOPT_PASSES_KERNELS_H
#define STENCILOPT_PASSES_KERNELS_H

#include "detect/kernel/kernel.h"
#include "detect/threads/product.h"
#include "options/options.h"
#include "plan/block/block.h"
#include "prepare/shadow.h"
#include "prepare/width.h"

/* Recognises the kernel, or its shadow if that helps. shadow->f is NULL if it is the kernel itself.
 */
kernel_region *kernels_detect(br_function *f, LLVMValueRef function, prep_shadow *shadow);
/* Recognises the version of the kernel for one value of its width. NULL, without a shadow, if its
 * loops cannot be unrolled, or cells lie apart in it. */
kernel_region *kernels_detect_version(br_function *f, const prep_width *w, int value,
                                      prep_shadow *shadow);
/* Is the kernel a matrix product? */
bool kernels_is_product(br_function *f, LLVMValueRef function);
bool kernels_find_product(br_function *f, LLVMValueRef function, st_threads *form,
                          threads_product *out);
/* Makes the plans for blocking the kernel (see gen_block), and returns their number. 0, with a
 * reason, if the kernel stays as it is. *hope: what is expected; all 0 if that was not asked. */
int kernels_plan(kernel_region *k, const st_launch *l, const opt_values *options, blk_plan plans[2],
                 blk_hope *hope, st_refusal *why);
void kernels_forget(kernel_region *k, prep_shadow *shadow);

#endif
