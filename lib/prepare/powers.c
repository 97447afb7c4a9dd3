/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels on a torus whose sizes are powers of two bring indices back by a mask, (x - 1) & (n - 1),
 * or by a remainder of unsigned numbers, (x - 1u) % n. If n is a power of two, that is the
 * remainder (x - 1 + n) % n, whatever x is. In a shadow it is one, and a test in front of it lets
 * the kernel's own body run for other sizes.
 */
#include "prepare/powers.h"
#include "target/target.h"
#include "target/uniform.h"

enum { MOST_MASKS = ST_LIMIT(32, 2), MAX_DEPTH = 8 };

static bool is_op(LLVMValueRef v, LLVMOpcode op) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

/* Is x below 2^bits, and not below 0? */
static bool has_bits(br_function *f, LLVMValueRef x, unsigned bits) {
    int64_t least, most;
    br_scev_signed_range(f, br_scev_of(f, x), &least, &most);
    return least >= 0 && bits < 63 && most < INT64_C(1) << bits;
}

/* The argument n of a mask n - 1 that x is masked by; or NULL. Where x has few bits, LLVM adds as
 * many ones instead of -1. */
static LLVMValueRef size_of(br_function *f, LLVMValueRef mask, LLVMValueRef x) {
    if (!is_op(mask, LLVMAdd) || !LLVMIsAArgument(LLVMGetOperand(mask, 0)) ||
        !LLVMIsAConstantInt(LLVMGetOperand(mask, 1)))
        return NULL;
    uint64_t ones = LLVMConstIntGetZExtValue(LLVMGetOperand(mask, 1));
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(x)), bits = 0;
    while (bits < width && ones >> bits & 1)
        bits++;
    bool only = bits == 64 || ones >> bits == 0;
    return only && (bits == width || has_bits(f, x, bits)) ? LLVMGetOperand(mask, 0) : NULL;
}

/* A thread's or block's number, or their count, which AMD's launches have in memory. */
static bool is_of_launch(LLVMValueRef v) {
    if (LLVMIsACallInst(v))
        return tg_call_kind_of(v) == TG_READS_LAUNCH;
    return LLVMIsALoadInst(v) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) == TG_CONSTANT;
}

/* Is v computed of threads' numbers and arguments alone? Numbers that are read are no coordinates.
 */
static bool is_coordinate(LLVMValueRef v, int depth) {
    if (LLVMIsAConstantInt(v) || LLVMIsAArgument(v) || is_of_launch(v))
        return true;
    bool sums = is_op(v, LLVMAdd) || is_op(v, LLVMSub) || is_op(v, LLVMMul) || is_op(v, LLVMOr);
    if (!sums || depth == 0)
        return (is_op(v, LLVMSExt) || is_op(v, LLVMZExt)) && depth > 0 &&
               is_coordinate(LLVMGetOperand(v, 0), depth - 1);
    return is_coordinate(LLVMGetOperand(v, 0), depth - 1) &&
           is_coordinate(LLVMGetOperand(v, 1), depth - 1);
}

static bool subtracts(LLVMValueRef v) {
    bool less = is_op(v, LLVMAdd) && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
                LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) < 0;
    return less || is_op(v, LLVMSub);
}

typedef struct masking {
    LLVMValueRef result, of, size; /* size: an argument */
} masking;

static bool read(br_function *f, LLVMValueRef i, masking *out) {
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(i)) < 32 || LLVMGetIntTypeWidth(LLVMTypeOf(i)) > 64)
        return false;
    if (is_op(i, LLVMURem)) {
        *out = (masking){i, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)};
        return LLVMIsAArgument(out->size) && subtracts(out->of) &&
               is_coordinate(out->of, MAX_DEPTH);
    }
    if (!is_op(i, LLVMAnd))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        *out = (masking){i, LLVMGetOperand(i, !k), NULL};
        out->size = size_of(f, LLVMGetOperand(i, k), out->of);
        if (out->size && !LLVMIsAArgument(out->of) && is_coordinate(out->of, MAX_DEPTH))
            return true;
    }
    return false;
}

static int find(br_function *f, LLVMValueRef function, masking out[]) {
    int count = 0;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (count < MOST_MASKS && read(f, i, &out[count]))
                count++;
    return count;
}

bool powers_found(br_function *f, LLVMValueRef function) {
    masking all[MOST_MASKS];
    return find(f, function, all) > 0;
}

void powers_replace(br_function *f, LLVMValueRef function) {
    masking all[MOST_MASKS];
    int count = find(f, function, all);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
    for (int i = 0; i < count; i++) {
        LLVMValueRef n = all[i].size, v = all[i].of;
        LLVMPositionBuilderBefore(b, all[i].result);
        if (subtracts(v))
            v = LLVMBuildAdd(b, v, n, "");
        LLVMReplaceAllUsesWith(all[i].result, LLVMBuildURem(b, v, n, ""));
    }
    LLVMDisposeBuilder(b);
}

void prep_test_powers(prep_shadow *s, br_function *f, LLVMValueRef function) {
    masking all[MOST_MASKS];
    int count = find(f, function, all);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMBuilderRef b = prep_begin_test(s, "powers", "other_sizes");
    LLVMValueRef good = LLVMConstInt(LLVMInt1TypeInContext(context), 1, false);
    for (int i = 0; i < count; i++) {
        LLVMValueRef n = LLVMGetParam(s->function, tg_argument_number(all[i].size));
        LLVMValueRef none = LLVMConstNull(LLVMTypeOf(n));
        LLVMValueRef less = LLVMBuildSub(b, n, LLVMConstInt(LLVMTypeOf(n), 1, false), "");
        LLVMValueRef power = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, n, less, ""), none, "");
        good = LLVMBuildAnd(b, good, power, "");
        good = LLVMBuildAnd(b, good, LLVMBuildICmp(b, LLVMIntNE, n, none, ""), "");
    }
    prep_end_test(s, b, good);
}
