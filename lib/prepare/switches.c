/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LLVM makes a switch of tests of one number: if (t == 10) print(a); if (t == 20) print(b). Between
 * the loops of a nest, or the sweeps of a time loop, such a switch becomes tests again, so that
 * guards and outputs are branches. LLVM makes a switch of them once more where none was offloaded.
 */
#include "prepare/whole.h"

#include <stdlib.h>

enum { MOST = 16 }; /* cases */

/* The switch is in the loop, and in none within it. */
static bool mend_block(br_function *f, br_loop l, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsASwitchInst(end) || br_loop_of(f, block) != l ||
        LLVMGetNumSuccessors(end) > MOST + 1)
        return false;
    br_test_cases(end);
    return true;
}

bool prep_mend_switches(br_function *f) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops), child;
    bool mended = false;
    br_loops(f, loops, count);
    for (size_t l = 0; l < count; l++) {
        LLVMBasicBlockRef block;
        for (size_t b = 0;
             br_loop_children(loops[l], &child, 1) && (block = br_loop_block(loops[l], b)); b++)
            mended |= mend_block(f, loops[l], block);
    }
    free(loops);
    return mended;
}
