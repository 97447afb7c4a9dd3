/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What every thread does that gets to the place where the statement begins.
 */
#include "detect/common/limits.h"
#include "detect/kernel/stages.h"

#include <stdlib.h>

enum { MAX_COVERED = HOST_MAX_OUTER_BLOCKS };

static bool is_listed(LLVMBasicBlockRef b, const LLVMBasicBlockRef list[], int count) {
    for (int i = 0; i < count; i++)
        if (list[i] == b)
            return true;
    return false;
}

/* Does control get from `place` to an end, or back to a loop's head, past none of them? */
bool kernel_covers(const kernel_region *k, const LLVMBasicBlockRef blocks[], int count) {
    LLVMBasicBlockRef *seen = malloc(MAX_COVERED * sizeof *seen);
    int n = 1;
    bool covered = true;
    seen[0] = k->place;
    for (int next = 0; next < n && covered; next++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[next]);
        if (is_listed(seen[next], blocks, count))
            continue;
        covered = LLVMGetNumSuccessors(end) > 0 && n < MAX_COVERED;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && covered; i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            bool known = is_listed(to, seen, n);
            covered = !br_dominates(k->f, to, seen[next]);
            if (!known && n < MAX_COVERED)
                seen[n++] = to;
        }
    }
    free(seen);
    return covered;
}
