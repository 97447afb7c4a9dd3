/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nodes of a stencil's expression as LLVM instructions. For the files of this folder.
 */
#ifndef STENCILOPT_EXPR_H
#define STENCILOPT_EXPR_H

#include "model/stencil.h"
#include "target/target.h"

typedef struct gen_expr {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b;
    const tg_target *target;
    const char *arch;
    LLVMValueRef *calls; /* of a kernel, as its st_launch's; else NULL */
    bool device_math;    /* call the device library by name */
    bool copies;         /* the target copies to scratchpad asynchronously */
    bool pairs;          /* the target adds and multiplies two neighbouring floats at once */
} gen_expr;

LLVMTypeRef gen_type(const gen_expr *e, st_type t);
/* A boolean is passed as a byte. */
LLVMTypeRef gen_parameter_type(const gen_expr *e, st_type t);
LLVMTypeRef gen_i64(const gen_expr *e);
LLVMTypeRef gen_i32(const gen_expr *e);
LLVMValueRef gen_int64(const gen_expr *e, int64_t v);
LLVMValueRef gen_int32(const gen_expr *e, int32_t v);

LLVMValueRef gen_constant(const gen_expr *e, const st_node *n);
/* An inner node, of its operands' values. */
LLVMValueRef gen_operation(const gen_expr *e, const st_node *n, LLVMValueRef *args);
/* Is the node computed faster for two neighbouring cells at once? Then computes both: args[i] are
 * the operands of cell i. */
bool gen_is_paired(const gen_expr *e, const st_node *n);
void gen_pair(const gen_expr *e, const st_node *n, LLVMValueRef args[2][3], LLVMValueRef out[2]);

/* A value of any element type as one or two i32, and back. */
int gen_to_words(const gen_expr *e, LLVMValueRef v, LLVMValueRef words[2]);
LLVMValueRef gen_from_words(const gen_expr *e, LLVMTypeRef type, LLVMValueRef const words[2]);

/* The value, of any element type, of the lane `distance` away, in warps of `lanes`: one or two
 * exchanges of 32 bits. */
LLVMValueRef gen_shuffle(const gen_expr *e, st_type type, LLVMValueRef v, int distance, int lanes);

/* The scratchpad of a block: one array of dynamic size for all kernels of the module. */
LLVMValueRef gen_scratchpad(const gen_expr *e);

/* A loop's metadata, such as llvm.loop.unroll.full, at the branch of its latch. */
void gen_mark_loop(LLVMContextRef context, LLVMValueRef branch, const char *what);

/* noalias, and readonly unless written. */
void gen_mark_pointer(const gen_expr *e, LLVMValueRef function, unsigned parameter, bool written);

#endif
