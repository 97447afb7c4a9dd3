/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over neighbours. LLVM unrolls them before this project's passes run, but no more than pays
 * for a body that is run as it is. In a copy of the kernel they are unrolled whatever their size,
 * so that each neighbour is an access of its own; where nothing comes of that, the copy goes.
 */
#include "kernel_region.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>

enum { MAX_ITERATIONS = 1024, MAX_CHILDREN = 16 };

static const char passes[] = "loop(loop-unroll-full),sroa,early-cse,instcombine,simplifycfg";

/* Of the loop's innermost bodies; more than MAX_ITERATIONS if they are, or if it is not known. */
static int64_t iterations(br_function *f, br_loop l) {
    br_loop children[MAX_CHILDREN];
    size_t count = br_loop_children(l, children, MAX_CHILDREN);
    br_scev s = br_backedge_count(f, l);
    int64_t back, inside = count ? 0 : 1;
    if (count > MAX_CHILDREN || !s || br_scev_kind(s) != BR_CONSTANT || !br_scev_int(s, &back) ||
        back < 0 || back >= MAX_ITERATIONS)
        return MAX_ITERATIONS + 1;
    for (size_t i = 0; i < count; i++)
        inside += iterations(f, children[i]);
    return inside > MAX_ITERATIONS ? inside : inside * (back + 1);
}

static bool writes(br_loop l) {
    int count;
    host_only_store(l, &count);
    return count > 0;
}

/* Marks the loops that write nothing. False if there are none, or one of them is none to unroll. */
static bool mark_loops(br_function *f) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    int64_t total = 0;
    br_loops(f, loops, count);
    for (size_t i = 0; i < count; i++) {
        br_loop parent = br_loop_parent(loops[i]);
        if (writes(loops[i]))
            continue;
        br_loop_want_unrolled(loops[i]);
        if ((!parent || writes(parent)) && total <= MAX_ITERATIONS)
            total += iterations(f, loops[i]);
    }
    free(loops);
    return total > 0 && total <= MAX_ITERATIONS;
}

static bool run_passes(LLVMValueRef function) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPassesOnFunction(function, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (error)
        LLVMConsumeError(error);
    return !error;
}

br_function *kernel_unroll(br_function *f, LLVMValueRef *function) {
    br_function *copy = br_function_copy(f, function);
    bool good = mark_loops(copy) && run_passes(*function);
    br_function_invalidate(copy);
    if (good)
        return copy;
    br_function_erase(copy);
    return NULL;
}
