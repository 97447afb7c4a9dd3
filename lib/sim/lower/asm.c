/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Inline assembly, as far as CUDA's headers and common kernels use it. A call has one instruction:
 * an asynchronous copy, a barrier, a fence, a lane id, a shuffle, or arithmetic. A call without an
 * instruction is a compiler fence.
 */
#include "sim/lower/lower.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 6 };

typedef struct asm_line {
    char opcode[64];
    char operand[MAX_OPERANDS][24];
    unsigned noperands;
} asm_line;

/* Splits "{ op a, [b], c; }" into words, without braces, comments and brackets. False if there are
 * two instructions. */
static bool parse_line(const char *text, size_t length, asm_line *line) {
    char clean[512];
    size_t n = 0;
    if (length >= sizeof clean)
        return false;
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '/' && i + 1 < length && text[i + 1] == '/')
            while (i < length && text[i] != '\n')
                ++i;
        if (i < length)
            clean[n++] = strchr("{}[]\t\r\n", text[i]) ? ' ' : text[i];
    }
    while (n && (isspace((unsigned char)clean[n - 1]) || clean[n - 1] == ';'))
        --n;
    clean[n] = '\0';
    memset(line, 0, sizeof *line);
    if (strchr(clean, ';'))
        return false;
    char *save, *token = strtok_r(clean, " ", &save);
    if (!token)
        return true; /* empty */
    if (strlen(token) >= sizeof line->opcode)
        return false;
    strcpy(line->opcode, token);
    while ((token = strtok_r(NULL, " ,", &save))) {
        if (line->noperands == MAX_OPERANDS || strlen(token) >= sizeof line->operand[0])
            return false;
        strcpy(line->operand[line->noperands++], token);
    }
    return true;
}

typedef struct asm_call {
    sim_lower *lower;
    LLVMValueRef call;
    asm_line line;
    unsigned noutputs;
} asm_call;

/* The value of the instruction's operand number n: a number, or $k. $k counts the outputs first,
 * then the call's operands. The caller adds the number of "$k + number". */
static LLVMValueRef value_of(asm_call *a, unsigned n) {
    const char *text = a->line.operand[n];
    if (text[0] != '$')
        return sim_const64(a->lower, strtoull(text, NULL, 0));
    unsigned index = (unsigned)strtoul(text + 1 + (text[1] == '{'), NULL, 10);
    if (index < a->noutputs || index - a->noutputs >= LLVMGetNumArgOperands(a->call))
        return sim_const64(a->lower, 0);
    return sim_operand(a->call, index - a->noutputs);
}

static LLVMValueRef integer(asm_call *a, unsigned n, LLVMTypeRef type) {
    LLVMValueRef value = value_of(a, n);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        value = sim_address(a->lower, value);
    else if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
        value = sim_to_bits(a->lower, value);
    value = LLVMBuildIntCast2(a->lower->builder, value, type, 0, "");
    const char *plus = strchr(a->line.operand[n], '+');
    if (!plus)
        return value;
    LLVMValueRef more = LLVMConstInt(type, strtoull(plus + 1, NULL, 0), 0);
    return LLVMBuildAdd(a->lower->builder, value, more, "");
}

static bool starts(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool copy_instruction(asm_call *a) {
    sim_lower *lower = a->lower;
    const char *op = a->line.opcode;
    LLVMValueRef thread = sim_env(lower, SIM_ENV_THREAD);
    lower->function->synchronises = true;
    if (starts(op, "cp.async.commit_group")) {
        sim_call_helper(lower, "stencilsim_rt_copy_commit", lower->void_type, &thread, 1);
        return true;
    }
    if (starts(op, "cp.async.wait_")) {
        LLVMValueRef left =
            a->line.noperands ? integer(a, 0, lower->i32) : sim_const32(lower, UINT32_MAX);
        LLVMValueRef args[] = {thread, left};
        sim_call_helper(lower, "stencilsim_rt_copy_wait", lower->void_type, args, 2);
        return true;
    }
    if (!starts(op, "cp.async.c") || a->line.noperands < 3)
        return false;
    sim_call_copy(lower, a->call, integer(a, 0, lower->i64), integer(a, 1, lower->i64),
                  integer(a, 2, lower->i32),
                  a->line.noperands > 3 ? integer(a, 3, lower->i32) : NULL);
    return true;
}

static bool shuffle(asm_call *a, LLVMValueRef *replacement) {
    static const char *const modes[] = {"idx", "up", "down", "bfly"};
    sim_lower *lower = a->lower;
    if (a->line.noperands != 5 || strchr(a->line.operand[0], '|'))
        return false;
    for (int m = 0; m < 4; ++m) {
        if (!starts(a->line.opcode + strlen("shfl.sync."), modes[m]))
            continue;
        LLVMValueRef bits = sim_call_wave(
            lower, a->call, (sim_wave_op)(SIM_SHFL_IDX + m), integer(a, 4, lower->i32),
            integer(a, 1, lower->i32), integer(a, 2, lower->i32), integer(a, 3, lower->i32), NULL);
        *replacement = sim_from_bits(lower, bits, LLVMTypeOf(a->call));
        return true;
    }
    return false;
}

static bool move_special(asm_call *a, LLVMValueRef *replacement) {
    if (a->line.noperands != 2 || LLVMTypeOf(a->call) != a->lower->i32)
        return false;
    const char *source = a->line.operand[1];
    while (*source == '%' || *source == '$') /* a register's name may begin with %, %% or $$ */
        ++source;
    if (strcmp(source, "laneid") == 0)
        *replacement = sim_lane(a->lower);
    else if (strcmp(source, "smid") == 0)
        *replacement = sim_const32(a->lower, 0);
    return *replacement != NULL;
}

/* 32 x 32 + 32 bits in two words: libdevice's argument reduction of sin and cos has it. */
static bool multiply_add_wide(asm_call *a, const char *text, LLVMValueRef *replacement) {
    LLVMTypeRef type = LLVMTypeOf(a->call);
    if (!strstr(text, "mad.lo.cc.u32") || !strstr(text, "madc.hi.u32") ||
        LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMGetNumArgOperands(a->call) != 3)
        return false;
    sim_lower *lower = a->lower;
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef wide[3];
    for (unsigned i = 0; i < 3; ++i)
        wide[i] = LLVMBuildZExt(b, sim_operand(a->call, i), lower->i64, "");
    LLVMValueRef sum = LLVMBuildAdd(b, LLVMBuildMul(b, wide[0], wide[1], ""), wide[2], "");
    LLVMValueRef low = LLVMBuildTrunc(b, sum, lower->i32, "");
    LLVMValueRef high =
        LLVMBuildTrunc(b, LLVMBuildLShr(b, sum, sim_const64(lower, 32), ""), lower->i32, "");
    *replacement = LLVMBuildInsertValue(b, LLVMGetUndef(type), low, 0, "");
    *replacement = LLVMBuildInsertValue(b, *replacement, high, 1, "");
    return true;
}

static LLVMValueRef one_over(asm_call *a, LLVMValueRef x) {
    return LLVMBuildFDiv(a->lower->builder, LLVMConstReal(LLVMTypeOf(x), 1.0), x, "");
}

/* Instructions on floats that libdevice has. Approximations are computed exactly. */
static bool arithmetic(asm_call *a, LLVMValueRef *replacement) {
    LLVMBuilderRef b = a->lower->builder;
    LLVMTypeRef type = LLVMTypeOf(a->call);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    const char *op = a->line.opcode;
    unsigned operands = a->line.noperands;
    if (operands < 2 || (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind))
        return false;
    LLVMValueRef x = value_of(a, 1), y = operands > 2 ? value_of(a, 2) : x;
    if (LLVMTypeOf(x) != type || LLVMTypeOf(y) != type)
        return false;
    if (starts(op, "rcp."))
        *replacement = one_over(a, x);
    else if (starts(op, "rsqrt."))
        *replacement = one_over(a, sim_call_intrinsic(a->lower, "llvm.sqrt", &type, 1, &x, 1));
    else if (starts(op, "add.rn."))
        *replacement = LLVMBuildFAdd(b, x, y, "");
    else if (starts(op, "sub.rn."))
        *replacement = LLVMBuildFSub(b, x, y, "");
    else if (starts(op, "mul.rn."))
        *replacement = LLVMBuildFMul(b, x, y, "");
    return *replacement != NULL;
}

static bool instruction(asm_call *a, LLVMValueRef *replacement) {
    sim_lower *lower = a->lower;
    const char *op = a->line.opcode;
    if (!*op) { /* a compiler fence; some return their operand */
        bool is_void = LLVMGetTypeKind(LLVMTypeOf(a->call)) == LLVMVoidTypeKind;
        if (!is_void && LLVMGetNumArgOperands(a->call) != 1)
            return false;
        *replacement = is_void ? NULL : sim_operand(a->call, 0);
        return true;
    }
    if (starts(op, "cp.async."))
        return copy_instruction(a);
    if (starts(op, "shfl.sync."))
        return shuffle(a, replacement);
    if (starts(op, "bar.warp.sync"))
        return sim_call_wave(lower, a->call, SIM_SYNC, integer(a, 0, lower->i32), NULL, NULL, NULL,
                             NULL) != NULL;
    if (starts(op, "bar.sync") || starts(op, "barrier.sync") || starts(op, "barrier.cta.sync") ||
        starts(op, "bar.cta.sync") || strcmp(op, "s_barrier") == 0)
        return sim_call_barrier(lower, a->call, SIM_BARRIER_SYNC,
                                a->line.noperands ? integer(a, 0, lower->i32) : NULL,
                                a->line.noperands > 1 ? integer(a, 1, lower->i32) : NULL,
                                NULL) != NULL;
    if (starts(op, "activemask")) {
        LLVMValueRef bits = sim_call_wave(lower, a->call, SIM_ACTIVE, NULL, NULL, NULL, NULL, NULL);
        *replacement = sim_from_bits(lower, bits, lower->i32);
        return true;
    }
    if (starts(op, "mov.u32"))
        return move_special(a, replacement);
    if (arithmetic(a, replacement))
        return true;
    return starts(op, "membar.") || starts(op, "fence.") || starts(op, "s_waitcnt") ||
           starts(op, "s_nop") || starts(op, "s_sleep") || starts(op, "prefetch");
}

/* Half of a word of 16 bytes, from two operands of the call; put_half splits a half into two
 * results. */
static LLVMValueRef half_of(asm_call *a, unsigned operand) {
    LLVMBuilderRef b = a->lower->builder;
    LLVMTypeRef i64 = a->lower->i64;
    LLVMValueRef low = LLVMBuildZExt(b, sim_operand(a->call, operand), i64, "");
    LLVMValueRef high = LLVMBuildZExt(b, sim_operand(a->call, operand + 1), i64, "");
    return LLVMBuildOr(b, low, LLVMBuildShl(b, high, sim_const64(a->lower, 32), ""), "");
}

static LLVMValueRef put_half(asm_call *a, LLVMValueRef whole, LLVMValueRef half, unsigned at) {
    LLVMBuilderRef b = a->lower->builder;
    LLVMValueRef high = LLVMBuildLShr(b, half, sim_const64(a->lower, 32), "");
    LLVMValueRef parts[] = {half, high};
    for (unsigned i = 0; i < 2; ++i)
        whole = LLVMBuildInsertValue(b, whole, LLVMBuildTrunc(b, parts[i], a->lower->i32, ""),
                                     at + i, "");
    return whole;
}

/* Loads and stores of words of 16 bytes, which this project's kernels exchange between blocks
 * (lib/target/nvptx). */
static bool exchange_word(asm_call *a, const char *text, LLVMValueRef *replacement) {
    sim_lower *lower = a->lower;
    unsigned nargs = LLVMGetNumArgOperands(a->call);
    bool loads = strstr(text, "ld.relaxed.gpu.global.b128") && nargs == 6;
    if (!loads && !(strstr(text, "st.relaxed.gpu.global.b128") && nargs == 5))
        return false;
    LLVMValueRef thread = sim_env(lower, SIM_ENV_THREAD);
    LLVMValueRef address = sim_address(lower, sim_operand(a->call, loads ? 4 : 0));
    LLVMValueRef site =
        sim_const32(lower, sim_new_site(lower, a->call, loads ? SIM_LOAD : SIM_STORE, 16, 16, 16));
    lower->function->synchronises = true;
    if (!loads) {
        LLVMValueRef args[] = {thread, address, half_of(a, 1), half_of(a, 3), site};
        sim_call_helper(lower, "stencilsim_rt_word_store", lower->void_type, args, 5);
        return true;
    }
    LLVMValueRef args[] = {thread,        address,       sim_operand(a->call, 5),
                           half_of(a, 0), half_of(a, 2), site};
    LLVMValueRef low = sim_call_helper(lower, "stencilsim_rt_word_load", lower->i64, args, 6);
    LLVMValueRef high = sim_call_helper(lower, "stencilsim_rt_word_high", lower->i64, &thread, 1);
    *replacement = put_half(a, LLVMGetUndef(LLVMTypeOf(a->call)), low, 0);
    *replacement = put_half(a, *replacement, high, 2);
    return true;
}

bool sim_lower_asm(sim_lower *lower, LLVMValueRef call, LLVMValueRef *replacement) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length, constraints_length;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    const char *constraints = LLVMGetInlineAsmConstraintString(callee, &constraints_length);
    asm_call a = {.lower = lower, .call = call};
    for (size_t i = 0; i < constraints_length; ++i)
        a.noutputs += constraints[i] == '=';
    *replacement = NULL;
    if (multiply_add_wide(&a, text, replacement) || exchange_word(&a, text, replacement))
        return true;
    if (!parse_line(text, length, &a.line) || !instruction(&a, replacement))
        return sim_lower_fail(lower, "the simulator does not know the inline assembly '%.*s'",
                              (int)(length < 200 ? length : 200), text);
    return !lower->failed;
}
