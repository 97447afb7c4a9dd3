/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP: regions in twins (prepare/team.h). In a twin, one thread runs the bodies of parallel
 * regions. A region must contain all loops of its twin, and nothing before it may be wrong to do
 * twice. So the program's own threads can do all of the work if the GPU does not:
 *
 *     one thread: do checks hold, and did the runtime run the region?  yes -> behind it   no -> the
 * forks
 *
 * The region's loops stay behind another mark until the whole function was looked at. They are
 * erased then, as are twins in which nothing is offloaded. twins.c makes twins.
 */
#include "prepare/team.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "offload/enter.h"
#include "offload/rewrite.h"
#include "offloading.h"
#include "prepare/checks.h"
#include "prepare/search.h"
#include "prepare/tables.h"

#include <stdlib.h>
#include <string.h>

static const char left[] = "stencilopt-left"; /* marks forks that run if the GPU does not */

bool team_is_left(LLVMValueRef fork) {
    return LLVMGetCallSiteStringAttribute(fork, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                          left, sizeof left - 1) != NULL;
}

static void leave(LLVMValueRef fork) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(fork));
    LLVMAddCallSiteAttribute(fork, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateStringAttribute(c, left, sizeof left - 1, "", 0));
}

/* Twins */

/* The branch at which a mark decides between the twin and the rest: the first block of each. */
typedef struct twin_gate {
    LLVMValueRef mark;
    LLVMBasicBlockRef twin, rest;
} twin_gate;

static bool is_gate(const offload *o, LLVMValueRef mark, twin_gate *g) {
    LLVMBasicBlockRef b = LLVMGetInstructionParent(mark);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    if (LLVMGetBasicBlockParent(b) != o->function || !br_is_conditional(end) ||
        LLVMGetCondition(end) != mark)
        return false;
    *g = (twin_gate){mark, LLVMGetSuccessor(end, 0), LLVMGetSuccessor(end, 1)};
    return true;
}

/* Finds the gate of the twin that the block is in. */
static bool find_gate(const offload *o, LLVMBasicBlockRef b, twin_gate *g) {
    LLVMValueRef mark = prep_alone_mark(o->m);
    for (LLVMUseRef u = mark ? LLVMGetFirstUse(mark) : NULL; u; u = LLVMGetNextUse(u))
        if (is_gate(o, LLVMGetUser(u), g) && br_dominates(o->f, g->twin, b))
            return true;
    return false;
}

bool team_has_forks(const offload *o, br_loop l) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(o->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (prep_is_fork(i) && br_loop_contains(l, b))
                return true;
    return false;
}

bool team_is_in_twin(const offload *o, br_loop l) {
    twin_gate g;
    return find_gate(o, br_loop_header(l), &g);
}

bool team_is_in_twin_of(const offload *o, br_loop l, LLVMBasicBlockRef rest) {
    twin_gate g;
    return find_gate(o, br_loop_header(l), &g) && br_dominates(o->f, g.rest, rest);
}

bool team_has_twin(const offload *o, LLVMBasicBlockRef b) {
    twin_gate g;
    LLVMValueRef mark = prep_alone_mark(o->m);
    bool done = false;
    for (LLVMUseRef u = mark ? LLVMGetFirstUse(mark) : NULL; u && !done; u = LLVMGetNextUse(u))
        done = is_gate(o, LLVMGetUser(u), &g) &&
               (br_dominates(o->f, g.twin, b) || br_dominates(o->f, g.rest, b));
    return done;
}

void team_note(offload *o, const host_region *nest) {
    st_refusal *why = &o->notes.alone;
    if (why->reason == ST_OK)
        *why = o->notes.why;
    if (why->reason == ST_OK && nest->stencil)
        st_refuse(why, nest->time_reason, nest->time_detail);
    if (why->reason == ST_OK)
        *why = nest->why;
}

/* Regions in twins */

/* The blocks of the twin from which control reaches this block without leaving the twin. `blocks`
 * must have room for all blocks of the function. */
static size_t find_before(const offload *o, const twin_gate *g, LLVMBasicBlockRef to,
                          LLVMBasicBlockRef *blocks) {
    size_t count = 0;
    for (size_t k = 0; k <= count; k++) {
        LLVMValueRef next = LLVMBasicBlockAsValue(k == 0 ? to : blocks[k - 1]);
        for (LLVMUseRef u = LLVMGetFirstUse(next); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef end = LLVMIsATerminatorInst(LLVMGetUser(u));
            LLVMBasicBlockRef b = end ? LLVMGetInstructionParent(end) : NULL;
            if (b && br_dominates(o->f, g->twin, b) && !host_lists_block(blocks, count, b))
                blocks[count++] = b;
        }
    }
    return count;
}

static bool is_used_elsewhere(const offload *o, const twin_gate *g, LLVMValueRef address) {
    bool elsewhere = false;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && !elsewhere; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        elsewhere = !br_dominates(o->f, g->twin, LLVMGetInstructionParent(user)) &&
                    !host_is_annotation(host_callee_name(user));
        if (LLVMIsAGetElementPtrInst(user))
            elsewhere = is_used_elsewhere(o, g, user);
    }
    return elsewhere;
}

/* Is it the address of a variable that only the twin uses? */
static bool is_own(const offload *o, const twin_gate *g, LLVMValueRef address) {
    address = host_base_of(address);
    return LLVMIsAAllocaInst(address) && !is_used_elsewhere(o, g, address);
}

/* Does the program ask whether the runtime would be asked? That does nothing. */
static bool asks_worth(const offload *o, LLVMValueRef i) {
    LLVMValueRef ready = enter_ready(o->m);
    return prep_asks_worth(i) || (ready && LLVMIsACallInst(i) && LLVMGetCalledValue(i) == ready);
}

/* Does the instruction do something that a team would do otherwise? In front of the region's loops:
 * is it something that must not be done twice? The result names what it does; NULL if neither. */
static bool does_more(const offload *o, const twin_gate *g, LLVMValueRef i, bool before,
                      st_refusal *why) {
    char what[HOST_DETAIL];
    if (!br_may_write(i) || host_is_annotation(host_callee_name(i)) || asks_worth(o, i))
        return false;
    if (LLVMIsAStoreInst(i) || host_is_copy(i)) {
        LLVMValueRef to = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
        return before && !is_own(o, g, to) &&
               !st_refuse(why, ST_NO_OPENMP_MORE, "writes memory before the loops");
    }
    host_operation_name(i, what, sizeof what - sizeof "calls ");
    memmove(what + sizeof "calls " - 1, what, strlen(what) + 1);
    memcpy(what, "calls ", sizeof "calls " - 1);
    return !st_refuse(why, ST_NO_OPENMP_MORE, what);
}

/* Is the loop in the twin, but outside the region? */
static bool is_other_loop(const offload *o, const twin_gate *g, br_loop l) {
    return l && br_dominates(o->f, g->twin, br_loop_header(l));
}

/* Is it, or is it in, a loop that runs where the copy of it does not hold, of which the region is?
 * The team makes it then. */
static bool is_left_to_team(br_loop l) {
    bool left_to = false;
    for (; l && !left_to; l = br_loop_parent(l))
        left_to = prep_is_guarded(l);
    return left_to;
}

static bool has_more(const offload *o, const twin_gate *g, br_loop outer, st_refusal *why) {
    LLVMBasicBlockRef head = br_loop_header(outer), b = LLVMGetFirstBasicBlock(o->function);
    LLVMBasicBlockRef *before = malloc(LLVMCountBasicBlocks(o->function) * sizeof *before);
    size_t count = find_before(o, g, head, before);
    bool more = false;
    for (; b && !more; b = LLVMGetNextBasicBlock(b)) {
        if (!br_dominates(o->f, g->twin, b) || br_loop_contains(outer, b))
            continue;
        br_loop l = br_loop_of(o->f, b);
        bool around = l && br_loop_contains(l, head);
        more = is_other_loop(o, g, l) && !is_left_to_team(l) && !prep_is_search(l) &&
               !st_refuse(why, ST_NO_OPENMP_MORE,
                          around ? "has a loop around them that is not offloaded with them"
                                 : "has other loops");
        bool comes_before = host_lists_block(before, count, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !more; i = LLVMGetNextInstruction(i))
            more = does_more(o, g, i, comes_before, why);
    }
    free(before);
    return more;
}

bool team_may_run(const offload *o, br_loop outer, st_refusal *why) {
    twin_gate g;
    return !find_gate(o, br_loop_header(outer), &g) || !has_more(o, &g, outer, why);
}

LLVMValueRef team_leave_rest(const offload *o, br_loop outer) {
    twin_gate g;
    if (!find_gate(o, br_loop_header(outer), &g))
        return NULL;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(o->function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        if (!br_dominates(o->f, g.rest, b))
            continue;
        br_loop l = br_loop_of(o->f, b);
        if (l && br_dominates(o->f, g.rest, br_loop_header(l)))
            offload_set_done(l);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (prep_is_fork(i))
                leave(i);
    }
    return g.mark;
}

/* Replaces the mark by its result. */
static void decide(LLVMValueRef mark, bool twin) {
    LLVMReplaceAllUsesWith(mark, LLVMConstInt(LLVMTypeOf(mark), twin, false));
    LLVMInstructionEraseFromParent(mark);
}

/* The blocks from which control enters the loop. */
static size_t find_entries(const offload *o, br_loop l, LLVMBasicBlockRef *entries, size_t most) {
    size_t count = 0;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(o->function);
    for (; b && count < most; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        bool enters = false;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && !br_loop_contains(l, b); i++)
            enters |= LLVMGetSuccessor(end, i) == br_loop_header(l);
        if (enters)
            entries[count++] = b;
    }
    return count;
}

/* Makes a block in front of the loop that leads to the rest, once its mark is decided. NULL: that
 * cannot be. */
static LLVMBasicBlockRef leave_loop(const offload *o, const twin_gate *g, br_loop l) {
    LLVMBasicBlockRef entries[8], loops = br_loop_header(l);
    LLVMBasicBlockRef join = br_join(entries, find_entries(o, l, entries, 8), loops);
    if (!join)
        return NULL;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(o->m));
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(join));
    LLVMPositionBuilderAtEnd(b, join);
    LLVMBuildCondBr(b, prep_make_mark(b, o->m), loops, g->rest);
    LLVMDisposeBuilder(b);
    return join;
}

/* The loops of the twin that the team makes where their copies do not hold. */
static bool leave_guarded(const offload *o, const twin_gate *g, LLVMBasicBlockRef like) {
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool good = true;
    br_loops(o->f, loops, count);
    for (size_t i = 0; i < count && good; i++) {
        if (!br_dominates(o->f, g->twin, br_loop_header(loops[i])) || !prep_is_guarded(loops[i]) ||
            is_left_to_team(br_loop_parent(loops[i])))
            continue;
        LLVMBasicBlockRef join = leave_loop(o, g, loops[i]);
        good = join != NULL;
        if (good)
            br_come_from(g->rest, like, join);
    }
    free(loops);
    return good;
}

bool team_go_to_rest(const offload *o, LLVMValueRef mark, br_loop outer) {
    twin_gate g;
    LLVMBasicBlockRef gate = LLVMGetInstructionParent(mark), join = NULL;
    if (is_gate(o, mark, &g) && leave_guarded(o, &g, gate))
        join = leave_loop(o, &g, outer);
    if (!join)
        return false;
    br_come_from(g.rest, gate, join);
    decide(mark, true);
    return true;
}

void team_close(offload *o) {
    LLVMValueRef mark = prep_alone_mark(o->m);
    LLVMUseRef next;
    for (LLVMUseRef u = mark ? LLVMGetFirstUse(mark) : NULL; u; u = next) {
        LLVMValueRef call = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == o->function)
            decide(call, false);
    }
    if (mark && br_function_fold(o->f))
        o->touched = true;
    if (mark && !LLVMGetFirstUse(mark))
        LLVMDeleteFunction(mark);
}
