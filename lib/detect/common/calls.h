/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Types and names of values, what the function that a call names does, and values that stand for
 * others.
 */
#ifndef STENCILOPT_COMMON_CALLS_H
#define STENCILOPT_COMMON_CALLS_H

#include "bridge/bridge.h"
#include "model/stencil.h"

/* The type of a cell or of a number; false if there is none for it. */
bool host_type(LLVMTypeRef t, st_type *out);
bool host_is_bit(LLVMValueRef v); /* an i1 */
/* Names of a type and of a value, for messages. */
void host_type_name(LLVMTypeRef t, char *out, size_t size);
void host_value_name(LLVMValueRef v, char *out, size_t size);
/* The name of the function that v calls; "" if v is no call, or a call through a pointer. */
const char *host_callee_name(LLVMValueRef v);
/* May the function that is called be another than that of C's library with its name, by
 * -fno-builtin? */
bool host_may_be_another(LLVMValueRef call);
/* A name for what an instruction does, for users: the name of the called function in the source,
 * the first instruction of inline assembly, or the instruction's own name. */
void host_operation_name(LLVMValueRef i, char *out, size_t size);
/* The function whose call decides between loops and their twin: see prepare/alone.c. */
#define HOST_ALONE "stencilopt.alone"
/* Is v a call of a function whose name begins with `prefix`? */
bool host_calls(LLVMValueRef v, const char *prefix);
/* What an intrinsic is, by its name. */
bool host_is_operation(const char *intrinsic);  /* one that an expression may hold */
bool host_is_annotation(const char *intrinsic); /* one that means nothing to us */
/* sqrtf, expl, ...: a function of <math.h> that we know under another name. It may set errno. */
bool host_sets_errno(const char *name);
/* May the load or store be of errno? And: does the instruction call such a function, and the load
 * read something else? */
bool host_may_be_errno(LLVMValueRef access);
bool host_writes_errno_alone(LLVMValueRef i, LLVMValueRef load);
bool host_differs_in_bits(const char *name); /* do its results differ from the GPU's? */
/* Does it multiply complex numbers of which a part is no number, or divide complex numbers? */
bool host_is_complex_product(const char *name);
bool host_is_complex_quotient(const char *name);
/* A function of C's or C++'s library that allocates memory or frees it. */
bool host_allocates(const char *name);
/* The address that an address computation starts from. */
LLVMValueRef host_base_of(LLVMValueRef address);
/* Is v a load from exactly this address? */
bool host_loads_from(LLVMValueRef v, LLVMValueRef address);
/* Is the load or store neither volatile nor atomic? */
bool host_is_plain(LLVMValueRef access);
/* Is it a call that copies or fills memory? */
bool host_is_copy(LLVMValueRef i);
/* The address that a store, or such a call, writes to; else NULL. */
LLVMValueRef host_written(LLVMValueRef i);
/* Is it a call of Fortran's runtime that assigns a whole array? */
bool host_is_array_assignment(LLVMValueRef i);
/* Is it one that moves an array's memory to another array? */
bool host_moves_allocation(LLVMValueRef i);
/* Do both, which kernels may repeat, compute the same of operands in the same places?
 * host/repeated.c */
bool host_same_operation(LLVMValueRef a, LLVMValueRef b);
/* A stand-in: a value of its own in the function's first block. */
LLVMValueRef host_stand_in(LLVMValueRef function, LLVMTypeRef type, const char *name);

#endif
