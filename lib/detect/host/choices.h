/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses that are chosen by conditions on cells. Reads: the nest, what is assumed. Hands on: the
 * next condition to assume.
 */
#ifndef STENCILOPT_HOST_CHOICES_H
#define STENCILOPT_HOST_CHOICES_H

#include "bridge/bridge.h"

struct host_region;

/* A condition on cells by which the address is chosen, and that is not assumed yet; or NULL. */
LLVMValueRef host_next_choice(struct host_region *r, LLVMValueRef pointer);
/* A select, or a phi that joins the two ways of a branch, in the innermost loop. */
typedef struct host_choice {
    LLVMValueRef condition, yes, no;
} host_choice;
bool host_is_choice(const struct host_region *r, LLVMValueRef v, host_choice *out);
/* Is the condition assumed? Then *holds says whether as true. */
bool host_assumed(const struct host_region *r, LLVMValueRef condition, bool *holds);
/* Is an expression of one bit a condition, or the complement of one? */
bool host_bit_of(br_scev bit, LLVMValueRef *condition, bool *inverse);

#endif
