/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LLVM makes a switch of tests of one number: if (t == 10) print(a); if (t == 20) print(b). Between
 * the loops of a nest, or the sweeps of a time loop, such a switch becomes tests again, so that
 * guards and outputs are branches. LLVM makes a switch of them once more where none was offloaded.
 */
#include "prepare/whole.h"

enum { MOST = 16 }; /* cases */

static bool mend_block(br_function *f, br_loop l, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    br_loop child;
    (void)f;
    if (!LLVMIsASwitchInst(end) || !br_loop_children(l, &child, 1) ||
        LLVMGetNumSuccessors(end) > MOST + 1)
        return false;
    br_test_cases(end);
    return true;
}

bool prep_mend_switches(br_function *f) {
    return prep_mend_blocks(f, mend_block);
}
