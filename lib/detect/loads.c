/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pointers and sizes that the nest reads from memory: fields of structs, tables of pointers. As
 * long as the nest does not write there they are what they were at its start. So they are loaded in
 * front of it, where its guards hold and each of them is read at least once; that none is part of
 * what the nest writes is checked there, too.
 *
 * Until then a value of its own stands for each, so that sums of them are sums like others: a
 * freeze of poison in the function's first block.
 */
#include "host.h"

#include <stdlib.h>

static LLVMValueRef stand_in(const host_region *r, LLVMTypeRef type) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(r->function);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    LLVMValueRef v = LLVMBuildFreeze(b, LLVMGetPoison(type), "stencil.loaded");
    LLVMDisposeBuilder(b);
    return v;
}

static LLVMValueRef loaded_from(host_region *r, const poly *address, LLVMValueRef load) {
    LLVMTypeRef type = LLVMTypeOf(load);
    for (int i = 0; i < r->nloads; i++)
        if (LLVMTypeOf(r->loads[i].value) == type && poly_equal(&r->loads[i].address, address))
            return r->loads[i].value;
    if (r->nloads == HOST_MAX_LOADS)
        return NULL;
    host_load *l = &r->loads[r->nloads++];
    l->address = *address;
    l->value = stand_in(r, type);
    l->alignment = LLVMGetAlignment(load);
    return l->value;
}

/* Is it read in every iteration that writes a cell? */
static bool is_always_read(const host_region *r, LLVMValueRef load) {
    return br_dominates(r->f, LLVMGetInstructionParent(load), LLVMGetInstructionParent(r->store));
}

bool host_loaded(host_region *r, LLVMValueRef load, int step, host_affine *out) {
    host_affine at;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(load));
    bool number = kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(load)) >= 32 &&
                  LLVMGetIntTypeWidth(LLVMTypeOf(load)) <= 64;
    if ((kind != LLVMPointerTypeKind && !number) || r->form || r->twin || r->scene)
        return host_refuse(r, ST_NO_NOT_AFFINE, "it uses a value read in the loop");
    if (!host_affine_of(r, br_scev_of(r->f, LLVMGetOperand(load, 0)), step, &at))
        return false;
    for (int i = 0; i < HOST_MAX_LOOPS; i++)
        if (!poly_is_zero(&at.step[i]))
            return host_refuse(r, ST_NO_NOT_AFFINE,
                               kind == LLVMPointerTypeKind
                                   ? "it uses a pointer read in the loop, such as a[i] of T **a"
                                   : "it uses an index read in the loop");
    if (!is_always_read(r, load))
        return host_refuse(r, ST_NO_NOT_AFFINE, "it uses a value read under a condition");
    LLVMValueRef value = loaded_from(r, &at.base, load);
    if (!value)
        return host_refuse(r, ST_NO_NOT_AFFINE, "it uses too many values read in the loop");
    r->least_steps = step + 1 > r->least_steps ? step + 1 : r->least_steps;
    return host_affine_of(r, br_scev_of(r->f, value), step, out);
}

void host_forget_loads(host_region *r) {
    for (int i = r->nloads; i-- > 0;)
        if (r->loads[i].value)
            LLVMInstructionEraseFromParent(r->loads[i].value);
    r->nloads = 0;
    r->least_steps = 1;
}
