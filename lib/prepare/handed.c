/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a loop's iterations hand on to the next one: maxima, minima and sums, whose order does not
 * matter. Whether each is one that a GPU can give, detection asks (lib/detect/host/reduce.c).
 */
#include "prepare/handed.h"
#include "bridge/halves.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"

enum { MAX_HANDED = 32 };
typedef struct handed {
    br_loop l;
    LLVMValueRef value[MAX_HANDED]; /* what is handed on, and what is made of it */
    size_t count;
} handed;

static bool is_handed(const handed *h, LLVMValueRef v) {
    bool is = false;
    for (size_t i = 0; i < h->count; i++)
        is |= h->value[i] == v;
    return is;
}

/* Does the choice depend on a comparison with a value that is handed on? */
static bool is_extreme(const handed *h, LLVMValueRef choice) {
    LLVMValueRef c = LLVMGetOperand(choice, 0);
    return (LLVMIsAFCmpInst(c) || LLVMIsAICmpInst(c)) &&
           (is_handed(h, LLVMGetOperand(c, 0)) || is_handed(h, LLVMGetOperand(c, 1)));
}

/* Does the instruction make of a value that is handed on another one, in any order? */
static bool combines(const handed *h, LLVMValueRef i) {
    static const char *const extremes[] = {"llvm.maxnum.", "llvm.minnum.", "llvm.smax.",
                                           "llvm.smin.",   "llvm.umax.",   "llvm.umin."};
    bool may = false;
    if (LLVMIsAPHINode(i))
        return true;
    if (LLVMIsASelectInst(i))
        return is_extreme(h, i);
    for (size_t k = 0; k < sizeof extremes / sizeof *extremes; k++)
        may |= host_calls(i, extremes[k]);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return may || op == LLVMAdd ||
           (op == LLVMFAdd && LLVMGetFastMathFlags(i) & LLVMFastMathAllowReassoc);
}

/* Do all uses in the loop combine values, so that no order is asked for? */
static bool uses_combine(handed *h) {
    for (size_t k = 0; k < h->count; k++)
        for (LLVMUseRef u = LLVMGetFirstUse(h->value[k]); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef i = LLVMGetUser(u);
            bool compares = LLVMIsAFCmpInst(i) || LLVMIsAICmpInst(i);
            if (!host_in_loop(h->l, i) || is_handed(h, i))
                continue;
            if ((!compares && !combines(h, i)) || h->count == MAX_HANDED)
                return false;
            if (!compares)
                h->value[h->count++] = i;
        }
    return true;
}

/* Comes nothing else into a phi than what is handed on, and what comes from in front of the loop?
 */
static bool phis_agree(const handed *h) {
    bool agree = true;
    for (size_t k = 0; k < h->count; k++)
        for (unsigned i = 0; LLVMIsAPHINode(h->value[k]) && i < LLVMCountIncoming(h->value[k]); i++)
            agree &= is_handed(h, LLVMGetIncomingValue(h->value[k], i)) ||
                     !br_loop_contains(h->l, LLVMGetIncomingBlock(h->value[k], i));
    return agree;
}

bool prep_hands_on_in_any_order(br_function *f, br_loop l) {
    handed h = {.l = l};
    h.count = br_loop_carried(f, l, h.value, MAX_HANDED);
    return h.count < MAX_HANDED && uses_combine(&h) && phis_agree(&h);
}
