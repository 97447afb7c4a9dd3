/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over neighbours, unrolled: `for (dy = -4; dy <= 4; dy++) for (dx = -4; ...)`. LLVM unrolls
 * what is small where that runs, and larger ones only after the place of this project's passes, or
 * not at all. A kernel is a stencil only without them.
 */
#include "passes.h"

#include "bridge.h"
#include "expr.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LOOPS = 16, MAX_TRIPS = 32, MAX_CELLS = 1024 };

/* Does its author want it as it is? */
static bool is_fixed(LLVMValueRef latch_end, unsigned kind) {
    LLVMValueRef node = LLVMGetMetadata(latch_end, kind), operands[16], name[16];
    unsigned length, count = node ? LLVMGetMDNodeNumOperands(node) : 0;
    if (count > 16)
        return true;
    if (node)
        LLVMGetMDNodeOperands(node, operands);
    for (unsigned i = 1; i < count; i++) {
        if (!operands[i] || !LLVMIsAMDNode(operands[i]) ||
            LLVMGetMDNodeNumOperands(operands[i]) != 1)
            continue;
        LLVMGetMDNodeOperands(operands[i], name);
        const char *text = name[0] ? LLVMGetMDString(name[0], &length) : NULL;
        if (text && !strncmp(text, "llvm.loop.unroll.disable", length))
            return true;
    }
    return false;
}

/* The number of its iterations, or 0 if it is none that is worth it. */
static int64_t trips_of(br_function *f, br_loop l, unsigned kind) {
    br_scev count = br_backedge_count(f, l);
    LLVMBasicBlockRef latch = br_loop_latch(l);
    int64_t number;
    bool small = count && br_scev_kind(count) == BR_CONSTANT && br_scev_int(count, &number) &&
                 number >= 0 && number < MAX_TRIPS;
    return small && latch && !is_fixed(LLVMGetBasicBlockTerminator(latch), kind) ? number + 1 : 0;
}

/* The ends of those loops' latches; 0 if there are none, or too many iterations in all. */
static int find_loops(br_function *f, unsigned kind, LLVMValueRef ends[]) {
    br_loop loops[MAX_LOOPS];
    size_t count = br_loops(f, loops, MAX_LOOPS);
    int64_t cells = 1;
    int found = 0;
    for (size_t i = 0; i < count && i < MAX_LOOPS; i++) {
        int64_t trips = trips_of(f, loops[i], kind);
        if (!trips)
            continue;
        cells *= trips;
        if (cells > MAX_CELLS)
            return 0;
        ends[found++] = LLVMGetBasicBlockTerminator(br_loop_latch(loops[i]));
    }
    return found;
}

bool pass_unroll(br_function *f, LLVMValueRef function) {
    static const char passes[] = "loop(loop-unroll-full),sroa,instcombine,early-cse,simplifycfg";
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(function));
    unsigned kind = LLVMGetMDKindIDInContext(c, "llvm.loop", 9);
    LLVMValueRef ends[MAX_LOOPS];
    int count = find_loops(f, kind, ends);
    if (!count)
        return false;
    for (int i = 0; i < count; i++)
        gen_mark_loop(c, ends[i], "llvm.loop.unroll.full");
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPassesOnFunction(function, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (error)
        LLVMConsumeError(error);
    br_function_invalidate(f);
    return true;
}
