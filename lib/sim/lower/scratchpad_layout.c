/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Scratchpad arrays (globals in address space 3) become offsets from the worker's scratchpad, so
 * that several workers can run blocks at a time. Between arrays there are gaps that no access may
 * touch. Arrays without a size are the dynamic scratchpad. It starts after the last gap.
 */
#include "sim/lower/lower.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 64, DYNAMIC_ALIGNMENT = 128 };

static bool is_array(LLVMValueRef value) {
    return LLVMIsAGlobalVariable(value) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == SIM_SPACE_SHARED;
}

static uint32_t round_up(uint32_t value, uint32_t to) {
    return (value + to - 1) / to * to;
}

static void place_arrays(sim_lower *lower) {
    stencilsim_module *out = lower->out;
    uint32_t offset = GAP;
    size_t count = 0;
    LLVMModuleRef module = lower->module;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        count += is_array(g);
    out->arrays = calloc(count + 1, sizeof *out->arrays);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (!is_array(g))
            continue;
        size_t length;
        uint32_t bytes = (uint32_t)LLVMABISizeOfType(lower->layout, LLVMGlobalGetValueType(g));
        sim_array *array = &out->arrays[out->narrays++];
        array->name = strdup(LLVMGetValueName2(g, &length));
        array->bytes = bytes; /* 0: dynamic */
        if (!bytes)
            continue;
        uint32_t alignment = LLVMGetAlignment(g) > 16 ? LLVMGetAlignment(g) : 16;
        array->offset = round_up(offset, alignment);
        offset = array->offset + bytes + GAP;
    }
    out->scratchpad_static = round_up(offset, DYNAMIC_ALIGNMENT);
    for (size_t a = 0; a < out->narrays; ++a)
        if (!out->arrays[a].bytes)
            out->arrays[a].offset = out->scratchpad_static;
}

static LLVMValueRef array_pointer(sim_lower *lower, LLVMValueRef global) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    for (size_t a = 0; a < lower->out->narrays; ++a) {
        if (strcmp(lower->out->arrays[a].name, name) != 0)
            continue;
        LLVMValueRef offset = sim_const64(lower, lower->out->arrays[a].offset);
        LLVMValueRef pointer = LLVMBuildGEP2(lower->builder, lower->i8,
                                             sim_env(lower, SIM_ENV_SCRATCHPAD), &offset, 1, "");
        return LLVMBuildAddrSpaceCast(lower->builder, pointer, LLVMTypeOf(global), "");
    }
    return NULL;
}

/* Builds the constant as instructions at the builder's place. NULL if the constant names no array.
 */
static LLVMValueRef materialise(sim_lower *lower, LLVMValueRef constant) {
    if (is_array(constant))
        return array_pointer(lower, constant);
    if (!LLVMIsAConstantExpr(constant) && !LLVMIsAConstantVector(constant) &&
        !LLVMIsAConstantStruct(constant) && !LLVMIsAConstantArray(constant))
        return NULL;
    enum { MAX = 16 };
    LLVMValueRef operands[MAX];
    int n = LLVMGetNumOperands(constant);
    bool found = false;
    if (n > MAX)
        return NULL;
    for (int i = 0; i < n; ++i) {
        operands[i] = LLVMGetOperand(constant, (unsigned)i);
        LLVMValueRef value = materialise(lower, operands[i]);
        found |= value != NULL;
        operands[i] = value ? value : operands[i];
    }
    if (!found)
        return NULL;
    LLVMBuilderRef b = lower->builder;
    LLVMTypeRef type = LLVMTypeOf(constant);
    if (LLVMIsAConstantVector(constant)) {
        LLVMValueRef vector = LLVMGetUndef(type);
        for (int i = 0; i < n; ++i)
            vector =
                LLVMBuildInsertElement(b, vector, operands[i], sim_const32(lower, (uint64_t)i), "");
        return vector;
    }
    if (!LLVMIsAConstantExpr(constant)) {
        LLVMValueRef aggregate = LLVMGetUndef(type);
        for (int i = 0; i < n; ++i)
            aggregate = LLVMBuildInsertValue(b, aggregate, operands[i], (unsigned)i, "");
        return aggregate;
    }
    LLVMOpcode opcode = LLVMGetConstOpcode(constant);
    if (opcode == LLVMGetElementPtr)
        return LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(constant), operands[0], operands + 1,
                             (unsigned)n - 1, "");
    return n == 1 ? LLVMBuildCast(b, opcode, operands[0], type, "")
                  : LLVMBuildBinOp(b, opcode, operands[0], operands[1], "");
}

static void rewrite_phi(sim_lower *lower, LLVMValueRef phi) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        /* A phi may have two edges from one block. Both must have the same value. */
        LLVMValueRef value = NULL;
        for (unsigned j = 0; j < i && !value; ++j)
            if (LLVMGetIncomingBlock(phi, j) == from)
                value = LLVMGetIncomingValue(phi, j);
        LLVMPositionBuilderBefore(lower->builder, LLVMGetBasicBlockTerminator(from));
        if (!value)
            value = materialise(lower, LLVMGetIncomingValue(phi, i));
        if (value)
            LLVMSetOperand(phi, i, value);
    }
}

static void rewrite_instruction(sim_lower *lower, LLVMValueRef instruction) {
    if (LLVMIsAPHINode(instruction)) {
        rewrite_phi(lower, instruction);
        return;
    }
    LLVMPositionBuilderBefore(lower->builder, instruction);
    for (int o = 0; o < LLVMGetNumOperands(instruction); ++o) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)o);
        LLVMValueRef value =
            operand && LLVMIsAConstant(operand) ? materialise(lower, operand) : NULL;
        if (value)
            LLVMSetOperand(instruction, (unsigned)o, value);
    }
}

static void delete_arrays(sim_lower *lower) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(lower->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (!is_array(g))
            continue;
        /* Only dead constants still use it. */
        LLVMReplaceAllUsesWith(g, LLVMGetPoison(LLVMTypeOf(g)));
        LLVMDeleteGlobal(g);
    }
}

bool sim_lay_out_scratchpad(sim_lower *lower) {
    place_arrays(lower);
    for (size_t f = 0; f < lower->nfunctions; ++f) {
        lower->function = &lower->functions[f];
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(lower->function->value); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                rewrite_instruction(lower, i);
    }
    delete_arrays(lower);
    return !lower->failed;
}
