/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * fmin and fmax of two zeros of different signs. C leaves the sign of the result open, and each
 * processor has its own rule. A kernel follows the rule of the processor that the program is
 * compiled for, so that the result does not depend on where the loops run.
 *
 * On x86-64, maxss and minss give the second source where both are equal (Intel's Software
 * Developer's Manual, volume 2, MAXSS). LLVM 22 lowers llvm.maxnum(x, y) to maxss(y, x) and a test
 * of x for NaN, so the result is x. Where it sees that y is no NaN it needs no test and takes
 * maxss(x, y), so the result is y. That holds for scalars and vectors of all widths. Choices are
 * the exception: LLVM sees through them in scalar code only (see host_settle_extremes).
 *
 * On AArch64, fmaxnm and fminnm order zeros: -0.0 < +0.0 (Arm Architecture Reference Manual,
 * FMAXNM). So do GPUs: LLVM makes of llvm.maximumnum, which orders zeros, NVIDIA's max.f32 and
 * max.f64 (seen to order them on an H100) and AMD's v_max_f32 and v_max_f64 alone. A GPU's
 * instruction alone is then right for AArch64, and for x86-64 where the operands cannot be zeros of
 * which it takes the other one.
 */
#include "detect/host/region.h"
#include "detect/host/slice.h"
#include "detect/host/statement.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 6 }; /* of expressions: what LLVM's own analyses look at */

static bool is_call_of(LLVMValueRef v, const char *prefix) {
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    return callee && LLVMIsAFunction(callee) &&
           !strncmp(LLVMGetValueName2(callee, &length), prefix, strlen(prefix));
}

static bool is_extreme(LLVMValueRef v) {
    return is_call_of(v, "llvm.maxnum.") || is_call_of(v, "llvm.minnum.");
}

static bool has_flag(LLVMValueRef v, LLVMFastMathFlags flag) {
    return LLVMIsAInstruction(v) && LLVMCanValueUseFastMathFlags(v) &&
           (LLVMGetFastMathFlags(v) & flag);
}

/* Does LLVM's code generator see that v is no NaN? It looks at one block. With `choices`, does it
 * at least where it sees through choices, as it does in scalar code only? */
static bool is_never_nan(LLVMValueRef v, LLVMBasicBlockRef block, bool choices, int depth) {
    LLVMBool lossy;
    if (LLVMIsAConstantFP(v)) {
        double d = LLVMConstRealGetDouble(v, &lossy);
        return d == d;
    }
    if (depth == MAX_DEPTH || !LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != block)
        return false;
    if (has_flag(v, LLVMFastMathNoNaNs) || LLVMIsASIToFPInst(v) || LLVMIsAUIToFPInst(v))
        return true;
    if (LLVMIsASelectInst(v))
        return choices && is_never_nan(LLVMGetOperand(v, 1), block, true, depth + 1) &&
               is_never_nan(LLVMGetOperand(v, 2), block, true, depth + 1);
    bool first = is_never_nan(LLVMGetOperand(v, 0), block, choices, depth + 1);
    if (is_extreme(v)) /* which give the other operand where one is a NaN */
        return first || is_never_nan(LLVMGetOperand(v, 1), block, choices, depth + 1);
    return first && (LLVMGetInstructionOpcode(v) == LLVMFNeg || LLVMIsAFPExtInst(v) ||
                     is_call_of(v, "llvm.fabs.") || is_call_of(v, "llvm.copysign."));
}

/* If both operands are equal, is the result the second one? */
static bool takes_second(LLVMValueRef v, bool choices) {
    LLVMValueRef y = LLVMGetOperand(v, 1);
    return has_flag(v, LLVMFastMathNoNaNs) ||
           is_never_nan(y, LLVMGetInstructionParent(v), choices, 0);
}

static bool may_be_zero(LLVMValueRef v, bool negative, int depth);

/* For llvm.maxnum with a constant on the right, where LLVM puts it: may the result be such a zero?
 */
static bool extreme_may_be_zero(LLVMValueRef v, bool negative, int depth) {
    LLVMBool lossy;
    bool is_max = is_call_of(v, "llvm.maxnum.");
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
    double bound = LLVMIsAConstantFP(y) ? LLVMConstRealGetDouble(y, &lossy) : 0;
    if (is_max ? bound > 0 : bound < 0)
        return false;
    if (LLVMIsAConstantFP(y) && bound == 0) /* of two zeros the constant; x else has another sign */
        return !__builtin_signbit(bound) == !negative;
    return may_be_zero(x, negative, depth + 1) || may_be_zero(y, negative, depth + 1);
}

/* May v be the zero of this sign? In the default rounding mode, the only one kernels run in. */
static bool may_be_zero(LLVMValueRef v, bool negative, int depth) {
    LLVMBool lossy;
    if (LLVMIsAConstantFP(v)) {
        double d = LLVMConstRealGetDouble(v, &lossy);
        return d == 0 && !__builtin_signbit(d) == !negative;
    }
    if (depth == MAX_DEPTH || !LLVMIsAInstruction(v))
        return true;
    LLVMValueRef x = LLVMGetOperand(v, 0);
    LLVMValueRef y = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSIToFP:
    case LLVMUIToFP:
        return !negative;
    case LLVMFNeg:
        return may_be_zero(x, !negative, depth + 1);
    case LLVMFPExt:
        return may_be_zero(x, negative, depth + 1);
    case LLVMFMul:
        return x != y || !negative;
    case LLVMFAdd: /* -0.0 only of two such */
        return !negative || (may_be_zero(x, true, depth + 1) && may_be_zero(y, true, depth + 1));
    case LLVMFSub:
        return !negative || (may_be_zero(x, true, depth + 1) && may_be_zero(y, false, depth + 1));
    default:
        break;
    }
    if (is_extreme(v))
        return extreme_may_be_zero(v, negative, depth);
    return !is_call_of(v, "llvm.fabs.") || !negative;
}

/* May the GPU's instruction be used, which orders zeros? Yes in GPU kernels, for processors other
 * than x86-64, and where the program leaves the sign of a zero free. */
static bool is_ordered(const host_region *r, LLVMValueRef v) {
    const char *triple = LLVMGetTarget(LLVMGetGlobalParent(r->function));
    return r->form || has_flag(v, LLVMFastMathNoSignedZeros) || strncmp(triple, "x86_64", 6);
}

static int32_t compare(slice *b, const st_node *n, LLVMRealPredicate predicate) {
    st_node c = *n;
    c.op = ST_FCMP;
    c.type = ST_I1;
    c.predicate = (uint8_t)predicate;
    return st_add_node(b->s, c);
}

static int32_t choose(slice *b, const st_node *n, int32_t condition, int32_t yes, int32_t no) {
    st_node c = *n;
    c.op = ST_SELECT;
    c.args[0] = condition;
    c.args[1] = yes;
    c.args[2] = no;
    return st_add_node(b->s, c);
}

int32_t slice_extreme(slice *b, LLVMValueRef v, const st_node *n) {
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
    bool is_max = n->op == ST_MAXNUM;
    if (is_ordered(b->r, v) || n->args[0] == n->args[1])
        return st_add_node(b->s, *n);
    bool second = takes_second(v, true);
    LLVMValueRef winner = second ? y : x, loser = second ? x : y;
    if (!may_be_zero(winner, is_max, 0) || !may_be_zero(loser, !is_max, 0))
        return st_add_node(b->s, *n);
    if (second)
        return choose(b, n, compare(b, n, is_max ? LLVMRealOGT : LLVMRealOLT), n->args[0],
                      n->args[1]);
    return choose(b, n, compare(b, n, LLVMRealOEQ), n->args[0], st_add_node(b->s, *n));
}

/* x > y ? x : y, which is one instruction of the processor, as the call is at best. */
static void settle(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
    bool is_max = is_call_of(v, "llvm.maxnum.");
    LLVMPositionBuilderBefore(b, v);
    LLVMValueRef c = LLVMBuildFCmp(b, is_max ? LLVMRealOGT : LLVMRealOLT, x, y, "");
    LLVMValueRef choice = LLVMBuildSelect(b, c, x, y, "");
    LLVMReplaceAllUsesWith(v, choice);
    LLVMInstructionEraseFromParent(v);
}

/* Not what is reduced: its order is checked at run time. */
static bool is_unsettled(const host_region *r, LLVMValueRef v) {
    return is_extreme(v) && !is_ordered(r, v) && !LLVMIsAPHINode(LLVMGetOperand(v, 0)) &&
           !LLVMIsAPHINode(LLVMGetOperand(v, 1)) && takes_second(v, true) &&
           !takes_second(v, false);
}

void host_settle_extremes(const host_region *r) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(r->function)));
    size_t count = br_loop_blocks(r->outer, NULL, 0);
    LLVMBasicBlockRef *blocks = malloc((count + 1) * sizeof *blocks);
    br_loop_blocks(r->outer, blocks, count);
    for (size_t k = 0; k < count; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[k]), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_unsettled(r, i))
                settle(b, i);
        }
    free(blocks);
    LLVMDisposeBuilder(b);
}
