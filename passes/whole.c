/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LLVM peels iterations off a loop whose body tests for the first or the last one, as stencils do
 * that clamp an index there, and makes two of an inner loop that tests an outer one's counter. What
 * is left is another statement in other loops. So innermost loops that load and store are kept
 * whole until stencil-offload has seen them; what was put off is done then.
 */
#include "passes.h"

#include <stdlib.h>

static bool loads_and_stores(br_loop l) {
    LLVMBasicBlockRef blocks[64];
    bool loads = false, stores = false;
    size_t count = br_loop_blocks(l, blocks, 64);
    for (size_t b = 0; b < count && b < 64; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            loads |= LLVMIsALoadInst(i) != NULL;
            stores |= LLVMIsAStoreInst(i) != NULL;
        }
    return loads && stores;
}

/* Does the loop choose between two ways by what does not change in it? Then LLVM, from -O3 on,
 * makes two loops of it. */
static bool chooses_for_all(br_function *f, br_loop l) {
    LLVMBasicBlockRef blocks[64];
    size_t count = br_loop_blocks(l, blocks, 64);
    for (size_t b = 0; b < count && b < 64; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            bool branches = LLVMIsABranchInst(i) && LLVMIsConditional(i);
            if (!branches && !LLVMIsASelectInst(i))
                continue;
            LLVMValueRef c = branches ? LLVMGetCondition(i) : LLVMGetOperand(i, 0);
            if (!LLVMIsConstant(c) && br_scev_invariant(f, br_scev_of(f, c), l))
                return true;
        }
    return false;
}

void pass_whole_loops(br_function *f, LLVMValueRef function, unsigned level) {
    size_t count = br_loops(f, NULL, 0);
    br_loop inner, *loops = malloc((count + 1) * sizeof *loops);
    br_loops(f, loops, count);
    for (size_t i = 0; i < count && pass_is_host(LLVMGetGlobalParent(function)); i++)
        if (!br_loop_children(loops[i], &inner, 1) && loads_and_stores(loops[i]))
            br_loop_keep_whole(loops[i], level,
                               level > 2 && br_loop_parent(loops[i]) &&
                                   chooses_for_all(f, loops[i]));
    free(loops);
}

bool pass_split_loops(br_function *f) {
    unsigned level = br_function_keep_no_longer(f);
    if (level)
        br_function_split(f, level);
    return level > 0;
}
