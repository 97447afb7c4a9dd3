/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The expression of a statement: slice.c takes a value back to its leaves, nodes.c makes nodes of
 * these, stores.c says what an
 * iteration stores in each cell, statement.c makes the model's statement of both.
 */
#ifndef STENCILOPT_SLICE_H
#define STENCILOPT_SLICE_H

#include "detect/host/region.h"

typedef struct memo_entry {
    const void *key;
    int shift;
    int32_t node;
} memo_entry;

typedef struct slice slice;
struct slice {
    host_region *r;
    st_stencil *s;
    /* For a cell that the iteration itself may write: what a load of it yields. `node` is the value
     * before. */
    int32_t (*own_cell)(slice *b, LLVMValueRef load, int32_t node, int shift);
    memo_entry *memo; /* open addressing; a power of two of entries */
    size_t capacity, used;
    int depth;                           /* of calls of build: the compiler's stack holds so many */
    int order[HOST_MAX_STORES + 1];      /* of stores, the first being 0 */
    st_store cells[HOST_MAX_STORES + 1]; /* that are stored */
    uint64_t masked;                     /* as bits: only under a condition */
    int ncells;
};

enum { SLICE_ALWAYS = -3 }; /* a condition that always holds */

/* nodes.c: the node that a value has already, or a block's condition; -1: it has none. */
int32_t slice_recall(const slice *b, const void *key, int shift);
void slice_remember(slice *b, const void *key, int shift, int32_t node);
int32_t slice_refuse(slice *b, st_reason reason, const char *detail);
int32_t slice_refuse_value(slice *b, st_reason reason, LLVMValueRef v); /* with its name */
int32_t slice_refuse_type(slice *b, LLVMTypeRef t);
int32_t slice_constant(slice *b, LLVMValueRef v, st_type t);
/* A value that is the same in all cells. The CPU computes it for each step. */
int32_t slice_invariant(slice *b, LLVMValueRef v, st_type t);
int32_t slice_followed(slice *b, LLVMValueRef v, bool late);
/* base + sum of step * coordinate, wrapping in type t. */
int32_t slice_affine(slice *b, const host_affine *a, st_type t, int shift);
int32_t slice_binary(slice *b, st_op op, st_type t, int32_t x, int32_t y);

/* slice.c: the node of a value, in the iteration at hand; when a block of the innermost loop runs:
 * a node, or SLICE_ALWAYS; a choice. -1: refused. */
int32_t slice_value(slice *b, LLVMValueRef v);
int32_t slice_runs(slice *b, LLVMBasicBlockRef block);
int32_t slice_choose(slice *b, int32_t condition, int32_t yes, int32_t no);

/* extremes.c: the node of v, a call of llvm.minnum or llvm.maxnum. n is that operation, of nodes;
 * it is the result where a GPU's instruction gives zeros the sign that the program's own has. */
int32_t slice_extreme(slice *b, LLVMValueRef v, const st_node *n);

/* complex.c: is it a part of a product of complex numbers, as a call gives it? The node of that
 * part, of the nodes of the call's arguments. */
bool slice_is_product(LLVMValueRef part);
int32_t slice_product(slice *b, LLVMValueRef part, const int32_t factors[4]);

/* repeated.c: the operands, other than constants, of a kernel's operation v that the model has no
 * name for, if cells may repeat it; else 0, and refused. And its number in the stencil. */
enum { SLICE_OPERANDS = 3 };
int slice_repeats(slice *b, LLVMValueRef v, LLVMValueRef operand[SLICE_OPERANDS]);
int32_t slice_call_number(slice *b, LLVMValueRef v);

/* stores.c, in this order: the order of stores; what is in each cell after them; and the stencil
 * gets that, once nothing asks any more which store is which. */
bool slice_order_stores(slice *b);
bool slice_build_stores(slice *b);
void slice_set_stores(const slice *b);
/* For a cell that the iteration itself writes: the value before, `node`, or the value of a store
 * before the load. */
int32_t slice_own_cell(slice *b, LLVMValueRef load, int32_t node, int shift);

#endif
