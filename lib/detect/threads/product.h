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

typedef struct threads_product {
    st_type type;
    LLVMValueRef left, right, result; /* the arrays a, b and the one written */
} threads_product;

/* Needs a kernel whose threads can be told apart, `values` and t as threads_find leaves them. */
bool threads_find_product(kernel_values *values, const st_threads *t, threads_product *out);
void threads_print_product(const threads_product *p, const st_threads *t, const char *where,
                           FILE *out);

#endif
