/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over neighbours in GPU kernels. LLVM unrolls them before this project's passes run, but
 * only as far as that pays for the body as it is. In a shadow of the kernel they are unrolled
 * whatever their size, so that each neighbour is an access by itself. If the kernel is not blocked
 * after all, the shadow is dropped.
 */
#include "prepare/unroll.h"

#include <stdlib.h>

enum { MAX_READS = UNROLL_MAX_READS, MAX_COMPONENTS = 4 };

static const char passes[] =
    "loop(loop-unroll-full),sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg";

typedef struct loop_list {
    br_loop *loops; /* outer before inner */
    int64_t *times; /* 0: it stays */
    size_t count;
} loop_list;

static bool is_local(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer);
}

/* The instructions in the block that read, or with `writes` that write, what is not the thread's
 * alone. */
static int64_t count_accesses(LLVMBasicBlockRef b, bool writes) {
    int64_t count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (writes ? LLVMIsAStoreInst(i) != NULL : LLVMIsALoadInst(i) != NULL)
            count += !is_local(LLVMGetOperand(i, writes));
    return count;
}

bool unroll_writes(LLVMValueRef function, br_loop l) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        if (br_loop_contains(l, b) && count_accesses(b, true))
            return true;
    return false;
}

/* Does the address change in the loop, as far as can be told? */
static bool moves_in(br_loop l, LLVMValueRef store) {
    LLVMValueRef address = LLVMGetOperand(store, 1);
    return LLVMIsAInstruction(address) && br_loop_contains(l, LLVMGetInstructionParent(address));
}

bool unroll_moves(LLVMValueRef function, br_loop l) {
    bool moves = false;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b && !moves; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            moves |= LLVMIsAStoreInst(i) && br_loop_contains(l, b) &&
                     !is_local(LLVMGetOperand(i, 1)) && moves_in(l, i);
    return moves;
}

int64_t unroll_iterations(br_function *f, br_loop l) {
    int64_t back;
    br_scev s = br_backedge_count(f, l);
    bool known = s && br_scev_kind(s) == BR_CONSTANT && br_scev_int(s, &back) && back >= 0 &&
                 back < MAX_READS;
    return known ? back + 1 : MAX_READS + 1;
}

int64_t unroll_reads(const br_loop *loops, const int64_t *times, size_t count, LLVMBasicBlockRef b,
                     int64_t here) {
    int64_t all = 1;
    bool unrolled = false;
    for (size_t i = 0; i < count && all <= MAX_READS; i++)
        if (times[i] && br_loop_contains(loops[i], b)) {
            all *= times[i];
            unrolled = true;
        }
    return unrolled ? all * (here ? here : 1) : 0;
}

/* Marks the loops that write nothing, or the same elements in each iteration; with `components`
 * also others of few iterations. Are there any, and at most so many reads in all their iterations?
 */
static bool mark_loops(br_function *f, LLVMValueRef function, loop_list *list, int most,
                       bool components) {
    int64_t total = 0;
    for (size_t i = 0; i < list->count; i++) {
        int64_t times = unroll_iterations(f, list->loops[i]);
        if (unroll_moves(function, list->loops[i]) && (!components || times > MAX_COMPONENTS))
            continue;
        list->times[i] = times;
        br_loop_want_unrolled_fully(list->loops[i]);
    }
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b && total <= MAX_READS; b = LLVMGetNextBasicBlock(b))
        total += unroll_reads(list->loops, list->times, list->count, b, count_accesses(b, false));
    return total > 0 && total <= most;
}

static bool find_loops(br_function *f, LLVMValueRef function, int most, bool components) {
    size_t count = br_loops(f, NULL, 0);
    loop_list list = {malloc((count + 1) * sizeof *list.loops),
                      calloc(count + 1, sizeof *list.times), count};
    br_loops(f, list.loops, count);
    bool good = mark_loops(f, function, &list, most, components);
    free(list.loops);
    free(list.times);
    return good;
}

bool unroll_marked(LLVMValueRef function) {
    return prep_run_passes(function, passes);
}

static bool unroll(prep_shadow *s, int most, bool components) {
    unroll_open_windows(s, unroll_moves);
    unroll_count_anew(s->f, s->function, unroll_moves);
    bool good = find_loops(s->f, s->function, most, components) && unroll_marked(s->function);
    br_function_invalidate(s->f);
    s->body = LLVMGetEntryBasicBlock(s->function);
    return good;
}

bool unroll_shadow(prep_shadow *s, int most) {
    return unroll(s, most, false);
}

bool prep_unroll_kernel(prep_shadow *s, br_function *f, bool components) {
    if (!prep_make_shadow(s, f))
        return false;
    bool good = unroll(s, MAX_READS, components);
    if (!good)
        prep_drop_shadow(s);
    return good;
}
