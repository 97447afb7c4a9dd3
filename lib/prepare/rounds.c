/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops of two rounds, one for each colour (colours.h), that LLVM has left as loops.
 */
#include "detect/common/calls.h"
#include "prepare/colours.h"
#include "prepare/rows.h"
#include "prepare/unroll.h"

#include <stdlib.h>

enum { MAX_CHILDREN = 16 };

/* A bit that is the other one in each iteration, or a number that takes turns with another. */
static bool alternates(LLVMValueRef v) {
    bool does = false;
    for (unsigned i = 0; LLVMIsAPHINode(v) && i < LLVMCountIncoming(v); i++) {
        LLVMValueRef next = LLVMIsAInstruction(LLVMGetIncomingValue(v, i));
        does |= next && host_is_bit(v) && LLVMGetInstructionOpcode(next) == LLVMXor;
        does |= rows_take_turns(LLVMGetIncomingValue(v, i), v);
    }
    return does;
}

bool prep_asks_parity(br_loop l) {
    LLVMBasicBlockRef b;
    for (size_t k = 0; (b = br_loop_block(l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (prep_is_parity(i) || alternates(i))
                return true;
    return false;
}

/* Has the loop two rounds, and does it hold a loop nest, perhaps with loops along edges beside it?
 */
static bool is_round(br_function *f, br_loop l) {
    br_loop child[MAX_CHILDREN], ignored;
    size_t count = br_loop_children(l, child, MAX_CHILDREN);
    bool nest = false;
    for (size_t i = 0; i < count && i < MAX_CHILDREN && !nest; i++)
        nest = br_loop_children(child[i], &ignored, 1) > 0;
    return nest && unroll_iterations(f, l) == 2;
}

bool prep_mark_rounds(br_function *f, br_loop l, bool mark) {
    if (!prep_asks_parity(l))
        return false;
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool any = false;
    br_loops(f, loops, count);
    for (size_t i = 0; i < count; i++) {
        if (!br_loop_contains(l, br_loop_header(loops[i])) || !is_round(f, loops[i]))
            continue;
        if (mark)
            br_loop_want_unrolled_fully(loops[i]);
        any = true;
    }
    free(loops);
    return any;
}
