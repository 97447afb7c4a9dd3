/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses that are chosen by conditions on cells. Reads: the nest, what is assumed. Hands on: the
 * next condition to assume.
 */
#ifndef STENCILOPT_HOST_CHOICES_H
#define STENCILOPT_HOST_CHOICES_H

#include "bridge/bridge.h"
#include "detect/common/limits.h"

struct host_region;

/* A condition on cells by which the address is chosen, and that is not assumed yet; or NULL. */
LLVMValueRef host_next_choice(struct host_region *r, LLVMValueRef pointer);
/* A select, or a phi that joins the two ways of a branch, in the innermost loop. */
typedef struct host_choice {
    LLVMValueRef condition, yes, no;
} host_choice;
bool host_is_choice(const struct host_region *r, LLVMValueRef v, host_choice *out);
/* What is assumed of conditions while an address is looked at. */
typedef struct host_assumptions {
    LLVMValueRef conditions[HOST_MAX_CHOICES];
    bool holds[HOST_MAX_CHOICES];
    int count;
} host_assumptions;
/* So many of those that r->match lists are assumed from now on. */
void host_assume(struct host_region *r, int count);
/* Takes away what is assumed: a node that is built under assumptions would be remembered without
 * them. */
host_assumptions host_lift(struct host_region *r);
void host_restore(struct host_region *r, const host_assumptions *a);
/* Is the condition assumed? Then *holds says whether as true. */
bool host_assumed(const struct host_region *r, LLVMValueRef condition, bool *holds);
/* Is an expression of one bit a condition, or the complement of one? */
bool host_bit_of(br_scev bit, LLVMValueRef *condition, bool *inverse);

#endif
