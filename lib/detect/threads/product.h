/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Matrix products as kernels write them first: each thread computes one dot product,
 *
 *   for (k = 0; k < depth; k++) sum += a[y * depth + k] * b[k * width + x];
 *
 * N. Prasetya (2022), listing 4. The loop may be unrolled.
 */
#ifndef STENCILOPT_PRODUCT_H
#define STENCILOPT_PRODUCT_H

#include "detect/threads/threads.h"

#include <stdio.h>

typedef struct product_region {
    st_type type;
    LLVMValueRef left, right, result; /* the arrays a, b and the one written */
} product_region;

/* Needs a kernel whose threads can be told apart, `values` and t as threads_find leaves them. */
bool product_detect(kernel_values *values, const threads_form *t, product_region *out);
void product_print(const product_region *p, const threads_form *t, const char *where, FILE *out);

#endif
