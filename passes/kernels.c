/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * GPU kernels are looked at as they are, and, where loops over neighbours are in the way, in a
 * shadow in which these are unrolled.
 */
#include "kernels.h"

#include "prepare/unroll.h"

kernel_region *kernels_detect(br_function *f, LLVMValueRef function, prep_shadow *shadow) {
    kernel_region *k = kernel_detect(f, function);
    shadow->f = NULL;
    if (!kernel_wants_unrolled(k) || !prep_unroll_kernel(shadow, f))
        return k;
    kernel_region_destroy(k);
    return kernel_detect(shadow->f, shadow->function);
}

void kernels_forget(kernel_region *k, prep_shadow *shadow) {
    kernel_region_destroy(k);
    prep_drop_shadow(shadow);
}
