/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which blocks run in every thread that comes to the place where the statement begins, and has a
 * cell within the bounds.
 */
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/kernel/stages.h"

#include <stdlib.h>

enum { MAX_COVERED = HOST_MAX_OUTER_BLOCKS };

/* Does control get from `place` to an end, or back to a loop's head, past none of them? */
bool kernel_covers(const kernel_region *k, const LLVMBasicBlockRef blocks[], int count) {
    LLVMBasicBlockRef *seen = malloc(MAX_COVERED * sizeof *seen);
    int n = 1;
    bool covered = true;
    seen[0] = k->place;
    for (int next = 0; next < n && covered; next++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[next]);
        if (host_lists_block(blocks, (size_t)count, seen[next]))
            continue;
        covered = LLVMGetNumSuccessors(end) > 0 && n < MAX_COVERED;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && covered; i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            bool known = host_lists_block(seen, (size_t)n, to);
            if (seen[next] == k->second && to == k->past)
                continue;
            covered = !br_dominates(k->f, to, seen[next]);
            if (!known && n < MAX_COVERED)
                seen[n++] = to;
        }
    }
    free(seen);
    return covered;
}
