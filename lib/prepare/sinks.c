/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LLVM makes one store of the last stores on two ways, even if they are to different arrays:
 *
 *     if (edge) { v = 0; u = 0; }          if (edge) { v = 0;  p = &u, x = 0; }
 *     else { u = f(); v = g(); }     ->    else { u = f();     p = &v, x = g(); }
 *                                          *p = x;
 *
 * Here each way gets its store again.
 */
#include "detect/common/calls.h"
#include "prepare/whole.h"

#include <stdlib.h>

enum { MOST = 4 }; /* sums of an address */

/* Is it a phi of addresses in different arrays? */
static bool is_of_arrays(LLVMValueRef v, LLVMBasicBlockRef here) {
    if (!LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) != here)
        return false;
    bool differ = false;
    for (unsigned k = 1; k < LLVMCountIncoming(v); k++)
        differ |=
            host_base_of(LLVMGetIncomingValue(v, k)) != host_base_of(LLVMGetIncomingValue(v, 0));
    return differ;
}

/* Has the value one on each way to the block? */
static bool is_known_before(LLVMValueRef v, LLVMBasicBlockRef here) {
    return !LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != here || LLVMIsAPHINode(v);
}

static LLVMValueRef value_from(LLVMValueRef v, LLVMBasicBlockRef here, LLVMBasicBlockRef way) {
    unsigned k = 0;
    if (!LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) != here)
        return v;
    while (LLVMGetIncomingBlock(v, k) != way)
        k++;
    return LLVMGetIncomingValue(v, k);
}

/* What computes the address of a store from a phi: sums, the last one first. */
typedef struct address {
    LLVMValueRef phi, sum[MOST];
    int sums;
} address;

static bool is_sum(LLVMValueRef v, LLVMBasicBlockRef here) {
    bool is = LLVMIsAGetElementPtrInst(v) && LLVMGetInstructionParent(v) == here;
    for (int i = 1; is && i < LLVMGetNumOperands(v); i++)
        is = is_known_before(LLVMGetOperand(v, (unsigned)i), here);
    return is;
}

/* Is the address such a phi, or does it begin with one? */
static bool find_phi(address *a, LLVMValueRef store, LLVMBasicBlockRef here) {
    LLVMValueRef v = LLVMGetOperand(store, 1);
    for (a->sums = 0; a->sums < MOST && is_sum(v, here); v = LLVMGetOperand(v, 0))
        a->sum[a->sums++] = v;
    a->phi = v;
    return is_of_arrays(v, here);
}

/* The first store of the block, if nothing in front of it has to do with memory. */
static LLVMValueRef first_store(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && !LLVMIsAStoreInst(i)) {
        if (br_may_write(i) || LLVMIsALoadInst(i) || LLVMIsACallInst(i) || LLVMIsATerminatorInst(i))
            return NULL;
        i = LLVMGetNextInstruction(i);
    }
    return i && host_is_plain(i) ? i : NULL;
}

static LLVMValueRef copy_on_way(LLVMBuilderRef b, LLVMValueRef i, LLVMBasicBlockRef here,
                                LLVMBasicBlockRef way) {
    LLVMValueRef copy = LLVMInstructionClone(i);
    for (int k = 0; k < LLVMGetNumOperands(copy); k++)
        LLVMSetOperand(copy, (unsigned)k, value_from(LLVMGetOperand(copy, (unsigned)k), here, way));
    LLVMInsertIntoBuilder(b, copy);
    return copy;
}

static void put_back(LLVMValueRef store, const address *a, LLVMBasicBlockRef here) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(a->phi)));
    for (unsigned k = 0; k < LLVMCountIncoming(a->phi); k++) {
        LLVMBasicBlockRef way = LLVMGetIncomingBlock(a->phi, k);
        LLVMValueRef at = LLVMGetIncomingValue(a->phi, k);
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(way));
        for (int i = a->sums; i-- > 0;) {
            LLVMValueRef sum = copy_on_way(b, a->sum[i], here, way);
            LLVMSetOperand(sum, 0, at);
            at = sum;
        }
        LLVMSetOperand(copy_on_way(b, store, here, way), 1, at);
    }
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(store);
}

static bool mend_store(br_function *f, br_loop l, LLVMBasicBlockRef block) {
    address a;
    (void)f;
    LLVMValueRef store = first_store(block);
    if (!store || !find_phi(&a, store, block) || !prep_is_join(a.phi) ||
        br_loop_header(l) == block || !is_known_before(LLVMGetOperand(store, 0), block))
        return false;
    put_back(store, &a, block);
    return true;
}

bool prep_mend_sinks(br_function *f) {
    bool mended = false;
    while (prep_mend_blocks(f, mend_store))
        mended = true;
    return mended;
}
