/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop that sets rows and columns of an array from its first cell on, corners included:
 *
 *     for (i = 0; i < 100; i++) { a[0][i] = a[1][i]; a[i][0] = a[i][1]; }
 *
 * Rows and columns have a cell in common, so the order of the iterations counts. The first and the
 * last iteration are taken out of the loop: they set the corners. The rest is a loop over rows and
 * one over columns, for detection (detect/host/steps/walks.c).
 */
#include "bridge/halves.h"
#include "detect/common/calls.h"
#include "prepare/whole.h"

#include <stdlib.h>

enum { MOST_BLOCKS = 64, MOST_STORES = 32 };

/* The addresses that the loop stores to, as far as they move on evenly. */
static size_t find_stores(br_function *f, br_loop l, br_scev at[MOST_STORES]) {
    LLVMBasicBlockRef blocks[MOST_BLOCKS];
    size_t count = br_loop_blocks(l, blocks, MOST_BLOCKS), stores = 0;
    for (size_t b = 0; b < count && b < MOST_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAStoreInst(i) || stores == MOST_STORES)
                continue;
            br_scev s = br_scev_of(f, LLVMGetOperand(i, 1));
            if (br_scev_kind(s) == BR_ADDREC && br_scev_loop(s) == l && br_scev_count(s) == 2)
                at[stores++] = s;
        }
    return stores;
}

/* Do two stores begin at the same cell, and then go on in different directions? */
static bool sets_frame(br_function *f, br_loop l) {
    br_scev at[MOST_STORES];
    br_loop child;
    bool sets = false;
    if (br_loop_children(l, &child, 1))
        return false;
    size_t count = find_stores(f, l, at);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i && !sets; k++)
            sets = br_scev_operand(at[i], 0) == br_scev_operand(at[k], 0) &&
                   br_scev_operand(at[i], 1) != br_scev_operand(at[k], 1);
    return sets;
}

bool prep_part_frames(br_function *f) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool parted = false;
    br_loops(f, loops, count);
    for (size_t i = 0; i < count && !parted; i++)
        parted = sets_frame(f, loops[i]) && br_loop_part_ends(f, loops[i]);
    free(loops);
    if (parted)
        br_function_invalidate(f);
    return parted;
}
