/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Evaluates addresses: from ScalarEvolution to sums over the iterations of loops. Reads: the loops,
 * the period of what rotates, resolvers, and the scene if one is looked at. Hands on: one sum for
 * each step of the period, and the ranges that narrow indices must keep.
 */
#ifndef STENCILOPT_HOST_ADDRESS_H
#define STENCILOPT_HOST_ADDRESS_H

#include "detect/host/scene.h"

/* A narrow index that the program extends. Its extension is taken as exact. That is true if the
 * index, computed without wrapping, stays within its type in the whole region. Checked at run time.
 */
typedef struct host_range {
    host_affine index;
    unsigned bits;
    bool is_signed;
} host_range;

struct host_region;

/* Evaluates an expression. */
bool host_evaluate(const host_query *q, br_scev s, host_affine *out);
/* Evaluates an expression in a step of the period, wherever the loops are; may refuse. */
bool host_affine_of(struct host_region *r, br_scev s, int step, host_affine *out);
/* The sum that is this number in every iteration. */
void host_set_int(const struct host_region *r, host_affine *a, int64_t value);
/* *out times *by; refuses a product of loop variables. */
bool host_multiply(const host_query *q, const host_affine *by, host_affine *out);
/* Refuses an expression that is no sum of multiples of loop variables. Does nothing if the question
 * is tentative. */
bool host_not_affine(const host_query *q, const char *what);
/* The same for a value of the loop, or NULL. */
bool host_not_affine_by(const host_query *q, LLVMValueRef v);
/* The address in each step of the period, `shift` iterations of the innermost loop away. */
bool host_address(struct host_region *r, LLVMValueRef pointer, int shift, host_affine at[]);
/* The same of a store, which may move on in memory from one time step to the next. */
bool host_store_address(struct host_region *r, LLVMValueRef pointer, host_affine at[]);
/* Requires that the index keeps within its type. */
bool host_add_range(const host_query *q, const host_affine *index, unsigned bits, bool is_signed);
/* Requires that the expression does not wrap. */
bool host_require_range(struct host_region *r, br_scev s, bool is_signed);

#endif
