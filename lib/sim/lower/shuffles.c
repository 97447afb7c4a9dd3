/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lowering of shuffles of all lanes by constants (machine/shuffle.c). A switch from lane to lane is
 * what takes time, so two shuffles become one call if nothing between them needs the first one's
 * result, or accesses memory. What the second one's value needs is moved in front of the first.
 */
#include "sim/lower/lower.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* The shuffle that may become the first of two, and what was found after it. */
typedef struct first_shuffle {
    LLVMValueRef call; /* NULL: none */
    LLVMValueRef after[MOST];
    unsigned count;
    bool needed[MOST];
} first_shuffle;

static bool is_constant(LLVMValueRef value) {
    return LLVMIsAConstantInt(value) != NULL;
}

static uint32_t number_in(LLVMValueRef constant) {
    return (uint32_t)LLVMConstIntGetZExtValue(constant);
}

static const char *name_of(LLVMValueRef call) {
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    return callee && LLVMIsAFunction(callee) ? sim_callee_name(call) : "";
}

/* Operands: mask, value, b, c. */
static bool is_shuffle(const sim_lower *lower, LLVMValueRef call, struct sim_exchange *exchange) {
    static const char prefix[] = "llvm.nvvm.shfl.sync.";
    static const char *const modes[] = {"idx.", "up.", "down.", "bfly."};
    const char *name = name_of(call);
    if (strncmp(name, prefix, sizeof prefix - 1))
        return false;
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef mask = sim_operand(call, 0), b = sim_operand(call, 2), c = sim_operand(call, 3);
    if ((type != lower->i32 && type != lower->f32) || !is_constant(mask) || !is_constant(b) ||
        !is_constant(c) || number_in(mask) != UINT32_MAX)
        return false;
    for (unsigned m = 0; m < 4; ++m)
        if (strncmp(name + sizeof prefix - 1, modes[m], strlen(modes[m])) == 0)
            *exchange =
                (struct sim_exchange){(sim_wave_op)(SIM_SHFL_IDX + m), number_in(b), number_in(c)};
    return true;
}

/* An instruction that can be moved in front of a shuffle. */
static bool is_pure(LLVMValueRef at) {
    static const char *const functions[] = {"llvm.fma.",    "llvm.fmuladd.", "llvm.fabs.",
                                            "llvm.minnum.", "llvm.maxnum.",  "llvm.sqrt."};
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMCall:
        for (size_t f = 0; f < sizeof functions / sizeof *functions; ++f)
            if (strncmp(name_of(at), functions[f], strlen(functions[f])) == 0)
                return true;
        return false;
    case LLVMLoad:
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
    case LLVMAlloca:
    case LLVMVAArg:
        return false;
    default:
        return !LLVMIsATerminatorInst(at) && !LLVMIsAPHINode(at);
    }
}

/* Marks what `value` needs of that which comes after the first shuffle. False if that is the
 * shuffle itself. */
static bool mark_needs(first_shuffle *first, LLVMValueRef value) {
    if (value == first->call)
        return false;
    unsigned i = first->count;
    while (i > 0 && first->after[i - 1] != value)
        --i;
    if (i == 0 || first->needed[i - 1])
        return true;
    first->needed[i - 1] = true;
    for (int o = 0; o < LLVMGetNumOperands(value); ++o)
        if (!mark_needs(first, LLVMGetOperand(value, (unsigned)o)))
            return false;
    return true;
}

static void move_needs(sim_lower *lower, const first_shuffle *first) {
    for (unsigned i = 0; i < first->count; ++i) {
        if (!first->needed[i])
            continue;
        LLVMInstructionRemoveFromParent(first->after[i]);
        LLVMPositionBuilderBefore(lower->builder, first->call);
        LLVMInsertIntoBuilder(lower->builder, first->after[i]);
    }
}

static bool is_same(const sim_shuffle *a, const sim_shuffle *b) {
    return a->two == b->two && !memcmp(&a->first, &b->first, sizeof a->first) &&
           !memcmp(&a->second, &b->second, sizeof a->second);
}

/* The number in the module's table. */
static uint32_t number_of(stencilsim_module *out, const sim_shuffle *shuffle) {
    for (size_t i = 0; i < out->nshuffles; ++i)
        if (is_same(&out->shuffles[i], shuffle))
            return (uint32_t)i;
    out->shuffles = realloc(out->shuffles, (out->nshuffles + 1) * sizeof *out->shuffles);
    sim_shuffle *s = &out->shuffles[out->nshuffles];
    *s = *shuffle;
    for (uint32_t lane = 0; lane < 32; ++lane) {
        bool inside;
        s->from[0][lane] =
            (uint8_t)sim_shuffle_source(s->first.op, s->first.b, s->first.c, lane, &inside);
        s->from[1][lane] =
            (uint8_t)sim_shuffle_source(s->second.op, s->second.b, s->second.c, lane, &inside);
    }
    return (uint32_t)out->nshuffles++;
}

/* The call's value as the low or high half of 64 bits. */
static LLVMValueRef half(sim_lower *lower, LLVMValueRef call, unsigned shift) {
    LLVMValueRef bits = sim_to_bits(lower, sim_operand(call, 1));
    return LLVMBuildShl(lower->builder, bits, sim_const64(lower, shift), "");
}

static void replace(sim_lower *lower, LLVMValueRef call, LLVMValueRef bits, unsigned shift) {
    bits = LLVMBuildLShr(lower->builder, bits, sim_const64(lower, shift), "");
    LLVMReplaceAllUsesWith(call, sim_from_bits(lower, bits, LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
}

/* `second` is NULL, or can be made together with `first`. */
static void lower_shuffle(sim_lower *lower, LLVMValueRef first, LLVMValueRef second) {
    sim_shuffle s = {.two = second != NULL};
    is_shuffle(lower, first, &s.first);
    LLVMPositionBuilderBefore(lower->builder, first);
    LLVMValueRef values = half(lower, first, 0);
    if (second) {
        is_shuffle(lower, second, &s.second);
        values = LLVMBuildOr(lower->builder, values, half(lower, second, 32), "");
    }
    LLVMValueRef args[] = {
        sim_env(lower, SIM_ENV_THREAD), sim_const32(lower, number_of(lower->out, &s)),
        sim_const32(lower, sim_new_site(lower, first, SIM_COPY, 0, 1, 1)), values};
    LLVMValueRef bits = sim_call_helper(lower, "stencilsim_rt_shuffle", lower->i64, args, 4);
    if (second)
        replace(lower, second, bits, 32);
    replace(lower, first, bits, 0);
    lower->function->synchronises = true;
}

/* Lowers the first shuffle alone, if there is one. */
static void finish(sim_lower *lower, first_shuffle *first) {
    if (first->call)
        lower_shuffle(lower, first->call, NULL);
    first->call = NULL;
}

static void take_shuffle(sim_lower *lower, first_shuffle *first, LLVMValueRef call) {
    memset(first->needed, 0, sizeof first->needed);
    if (first->call && mark_needs(first, sim_operand(call, 1))) {
        move_needs(lower, first);
        lower_shuffle(lower, first->call, call);
        first->call = NULL;
        return;
    }
    finish(lower, first);
    first->call = call;
    first->count = 0;
}

static void lower_block(sim_lower *lower, LLVMBasicBlockRef block) {
    first_shuffle first = {.call = NULL};
    struct sim_exchange exchange;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
        next = LLVMGetNextInstruction(at);
        if (is_shuffle(lower, at, &exchange))
            take_shuffle(lower, &first, at);
        else if (!first.call)
            continue;
        else if (is_pure(at) && first.count < MOST)
            first.after[first.count++] = at;
        else
            finish(lower, &first);
    }
}

bool sim_lower_shuffles(sim_lower *lower) {
    for (size_t f = 0; f < lower->nfunctions; ++f) {
        lower->function = &lower->functions[f];
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(lower->function->value); block;
             block = LLVMGetNextBasicBlock(block))
            lower_block(lower, block);
    }
    return !lower->failed;
}
