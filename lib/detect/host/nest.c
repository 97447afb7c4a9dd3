/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The shape of a nest: which loops belong to a region, and that nothing but the statement happens
 * in them. Legal when
 *   1. every loop has one latch, one exit, at the latch or (not rotated, as with -Oz) at the head,
 *      and a computable iteration count that does not change in the region (the domain is a box);
 *   2. each loop directly holds the next (the time loop may hold several sweeps, see pair.c and
 *      steps.c), and
 *      branches that skip it depend on invariants only;
 *   3. a sweep writes memory by one store, in the innermost loop, in every iteration (one of
 * several sweeps may do so under conditions, see steps.c);
 *   4. no volatile or atomic access and no call with an effect.
 */
#include "detect/host/host.h"

#include <stdio.h>
#include <string.h>

bool host_refuse(host_region *r, st_reason reason, const char *detail) {
    r->reason = reason;
    snprintf(r->detail, sizeof r->detail, "%s", detail ? detail : "");
    return false;
}

bool host_in_loop(br_loop l, LLVMValueRef v) {
    return LLVMIsAInstruction(v) && br_loop_contains(l, LLVMGetInstructionParent(v));
}

const char *host_value_name(LLVMValueRef v) {
    size_t length;
    const char *name = LLVMGetValueName2(v, &length);
    return length ? name : "a local value";
}

bool host_tests_first(br_loop l) {
    LLVMBasicBlockRef exiting = br_loop_exiting_block(l);
    return exiting == br_loop_header(l) && exiting != br_loop_latch(l);
}

static bool check_shape(host_region *r, br_loop l) {
    LLVMBasicBlockRef latch = br_loop_latch(l);
    if (!latch)
        return host_refuse(r, ST_NO_CONTROL_FLOW, "a loop is continued from several places");
    if (!br_loop_exiting_block(l) || !br_loop_exit_block(l))
        return host_refuse(r, ST_NO_EARLY_EXIT, NULL);
    if (br_loop_exiting_block(l) != latch && !host_tests_first(l))
        return host_refuse(r, ST_NO_CONTROL_FLOW, "a loop tests its condition within its body");
    bool stores = LLVMGetInstructionParent(r->store) == br_loop_header(l);
    for (int i = 0; i < r->nalso; i++)
        stores |= LLVMGetInstructionParent(r->also[i]) == br_loop_header(l);
    if (host_tests_first(l) && stores)
        return host_refuse(r, ST_NO_CONTROL_FLOW, "a loop tests its condition within its body");
    return true;
}

/* A loop whose index is narrower than its bound ends only if the index does not wrap. */
static bool count_conditionally(host_region *r, int i) {
    br_no_wrap conditions[4];
    size_t count;
    r->count[i] = br_backedge_count_if(r->f, r->loops[i], conditions, 4, &count);
    if (!r->count[i])
        return false;
    for (size_t c = 0; c < count; c++)
        if (!host_require_range(r, conditions[c].recurrence, conditions[c].is_signed))
            return false;
    return true;
}

/* A time loop of sweeps that conditions end which it computes: what they are, look_at_all in
 * steps.c asks later. */
static bool ends_by_itself(host_region *r, br_loop l) {
    if (!r->steps || l != r->time || !br_loop_latch(l) || !host_find_exits(r->steps))
        return false;
    bool counted = br_loop_exiting_block(l) && br_backedge_count(r->f, l);
    r->steps->stops =
        r->steps->nexits > 1 || (r->steps->exiting[0] == br_loop_latch(l) && !counted);
    return r->steps->stops;
}

static bool check_loop(host_region *r, int i) {
    br_loop l = r->loops[i];
    r->count[i] = NULL;
    if (ends_by_itself(r, l))
        return true;
    if (!check_shape(r, l))
        return false;
    r->count[i] = br_backedge_count(r->f, l);
    if (!r->count[i] && !count_conditionally(r, i))
        return host_refuse(r, ST_NO_NO_TRIP_COUNT, NULL);
    if (!br_scev_invariant(r->f, r->count[i], r->outer))
        return host_refuse(r, i + 1 < r->nloops ? ST_NO_NOT_RECTANGULAR : ST_NO_NO_TRIP_COUNT,
                           NULL);
    return true;
}

enum { MAX_BLOCKS = HOST_MAX_BLOCKS };

/* Can control get from `from` to `to` inside l, without starting a new iteration? In loops of more
 * than MAX_BLOCKS it may not be found. */
static bool reaches(br_loop l, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMBasicBlockRef seen[MAX_BLOCKS + 1] = {from};
    int count = 1;
    for (int next = 0; next < count; next++) {
        if (seen[next] == to)
            return true;
        if (seen[next] == br_loop_header(l) || !br_loop_contains(l, seen[next]))
            continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[next]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef successor = LLVMGetSuccessor(end, i);
            bool known = !br_loop_contains(l, successor) && successor != to;
            for (int k = 0; k < count && !known; k++)
                known = seen[k] == successor;
            if (!known && count <= MAX_BLOCKS)
                seen[count++] = successor;
        }
    }
    return false;
}

bool host_comes_before(br_loop l, LLVMBasicBlockRef a, LLVMBasicBlockRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(a);
    bool before = a == b;
    if (b == br_loop_header(l))
        return before; /* which control gets to only by starting anew */
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && !before; i++)
        before = reaches(l, LLVMGetSuccessor(end, i), b); /* a itself may be the head of l */
    return before;
}

bool host_add_guard(host_region *r, LLVMValueRef condition, bool holds) {
    for (int i = 0; i < r->nguards; i++)
        if (r->guards[i].condition == condition && r->guards[i].holds == holds)
            return true;
    if (r->nguards == HOST_MAX_GUARDS)
        return host_refuse(r, ST_NO_CONTROL_FLOW, "too many conditions");
    r->guards[r->nguards++] = (host_guard){condition, holds};
    return true;
}

/* Does control get there, or not, wherever the switch leads, as from one in another nest? */
static bool all_reach(br_loop l, LLVMValueRef end, LLVMBasicBlockRef target) {
    bool first = reaches(l, LLVMGetSuccessor(end, 0), target);
    for (unsigned i = 1; i < LLVMGetNumSuccessors(end); i++)
        if (reaches(l, LLVMGetSuccessor(end, i), target) != first)
            return false;
    return true;
}

/* Is the branch to successor i of a block one that the guards rule out? */
static bool is_ruled_out(LLVMValueRef end, unsigned i, const host_guard *guards, int count) {
    bool out = false;
    for (int g = 0; g < count && LLVMGetNumSuccessors(end) == 2 && LLVMIsABranchInst(end); g++)
        out |= guards[g].condition == LLVMGetCondition(end) && guards[g].holds == (i == 1);
    return out;
}

/* `past`: a block that control does not get past; or NULL. */
static bool gets_to(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef past,
                    LLVMBasicBlockRef block) {
    LLVMBasicBlockRef seen[MAX_BLOCKS] = {br_loop_header(l)};
    int n = 1;
    for (int next = 0; next < n && seen[next] != block; next++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[next]);
        for (unsigned i = 0; seen[next] != past && i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef successor = LLVMGetSuccessor(end, i);
            bool known = !br_loop_contains(l, successor) || is_ruled_out(end, i, guards, count);
            for (int k = 0; k < n && !known; k++)
                known = seen[k] == successor;
            if (!known && n == MAX_BLOCKS)
                return true; /* for all that is known */
            if (!known)
                seen[n++] = successor;
        }
    }
    for (int k = 0; k < n; k++)
        if (seen[k] == block)
            return true;
    return false;
}

bool host_reaches_under(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef block) {
    return gets_to(l, guards, count, NULL, block);
}

bool host_passes_under(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef block) {
    return block == br_loop_latch(l) || !gets_to(l, guards, count, block, br_loop_latch(l));
}

bool host_edge_taken(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef from,
                     LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    bool taken = false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        taken |= LLVMGetSuccessor(end, i) == to && !is_ruled_out(end, i, guards, count);
    return taken && host_reaches_under(l, guards, count, from);
}

/* The sweep runs in every N-th step only if control comes to it through the branch whenever all
 * sweeps' guards hold. Where it never comes to the branch then, that says nothing. */
static bool add_every(host_region *r, br_loop l, LLVMValueRef branch, bool holds,
                      LLVMBasicBlockRef target) {
    const host_steps *s = r->steps;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
    if (s->guarded && !gets_to(l, s->guards, s->nguards, NULL, block))
        return true;
    if (s->guarded && gets_to(l, s->guards, s->nguards, block, target))
        return false;
    return host_every(r, LLVMGetCondition(branch), holds);
}

/* Control comes from the branch to the target by one successor alone. */
static bool add_guard(host_region *r, br_loop l, LLVMValueRef branch, bool holds,
                      LLVMBasicBlockRef target) {
    LLVMValueRef condition = LLVMGetCondition(branch);
    if (host_in_loop(r->outer, condition) &&
        !br_scev_invariant(r->f, br_scev_of(r->f, condition), r->outer)) {
        bool outside = r->axes == 0 || !host_in_loop(r->loops[r->axes - 1], branch);
        if (r->steps && outside && add_every(r, l, branch, holds, target))
            return true;
        r->partial = !r->twin && !r->steps && host_in_loop(r->loops[r->axes - 1], branch);
        return r->partial ||
               host_refuse(r, ST_NO_CONTROL_FLOW, "an inner loop runs only under a condition");
    }
    return host_add_guard(r, condition, holds);
}

bool host_find_guards(host_region *r, br_loop l, br_loop child, LLVMBasicBlockRef target) {
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    size_t count = br_loop_blocks(l, blocks, MAX_BLOCKS);
    if (count > MAX_BLOCKS)
        return host_refuse(r, ST_NO_TOO_BIG, "128 basic blocks");
    for (size_t b = 0; b < count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(blocks[b]);
        if ((child && br_loop_contains(child, blocks[b])) ||
            blocks[b] == br_loop_exiting_block(l) || blocks[b] == target ||
            LLVMGetNumSuccessors(end) < 2)
            continue;
        if (!LLVMIsABranchInst(end)) {
            if (!all_reach(l, end, target))
                return host_refuse(r, ST_NO_CONTROL_FLOW, "a switch between the loops");
            continue;
        }
        bool yes = reaches(l, LLVMGetSuccessor(end, 0), target);
        bool no = reaches(l, LLVMGetSuccessor(end, 1), target);
        if (yes != no && !add_guard(r, l, end, yes, target))
            return false;
    }
    return true;
}

bool host_find_time_guards(host_region *r) {
    br_loop nest = r->axes > 0 ? r->loops[r->axes - 1] : NULL;
    return host_find_guards(r, r->time, nest,
                            nest ? br_loop_header(nest) : LLVMGetInstructionParent(r->store));
}

/* Several sweeps are beside one another in the time loop. */
static size_t children_wanted(const host_region *r, int i) {
    return r->twin && r->loops[i] == r->time ? (size_t)r->nests : i > 0;
}

static bool check_children(host_region *r) {
    for (int i = 0; i < r->nloops; i++) {
        br_loop l = r->loops[i], child = i > 0 ? r->loops[i - 1] : NULL;
        bool several = r->steps && l == r->time;
        if (!several && br_loop_children(l, &(br_loop){NULL}, 1) != children_wanted(r, i))
            return host_refuse(r, ST_NO_NOT_INNERMOST_STORE, "another loop");
        LLVMBasicBlockRef target = child                  ? br_loop_header(child)
                                   : several || r->copies ? LLVMGetInstructionParent(r->store)
                                                          : NULL;
        if (target && !host_find_guards(r, l, child, target))
            return false;
    }
    return true;
}

/* Calls that mean nothing to us. */
static bool is_annotation(const char *name) {
    static const char *const known[] = {"llvm.assume",     "llvm.lifetime.",
                                        "llvm.dbg.",       "llvm.experimental.noalias.scope.decl",
                                        "llvm.sideeffect", "llvm.invariant."};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(name, known[i], strlen(known[i])))
            return true;
    return false;
}

bool host_is_operation(const char *name) {
    for (int op = 0; op < ST_OP_COUNT; op++) {
        const char *i = st_ops[op].intrinsic;
        if (i && !strncmp(name, i, strlen(i)) && name[strlen(i)] == '.')
            return true;
    }
    return !strncmp(name, "llvm.abs.", 9) || !strncmp(name, "llvm.usub.sat.", 14);
}

/* sqrtf, expl, ...: a function of <math.h> that we know under another name. */
static bool is_math_function(const char *name) {
    for (int op = 0; op < ST_OP_COUNT; op++) {
        const char *i = st_ops[op].intrinsic;
        size_t length = i ? strlen(i + 5) : 0;
        if (i && !strncmp(name, i + 5, length) &&
            (!name[length] || (strchr("fl", name[length]) && !name[length + 1])))
            return true;
    }
    return !strcmp(name, "fmod") || !strcmp(name, "fmodf");
}

const char *host_callee_name(LLVMValueRef v) {
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

bool host_calls(LLVMValueRef v, const char *prefix) {
    return !strncmp(host_callee_name(v), prefix, strlen(prefix));
}

/* Other address spaces, such as x86's __seg_gs, are not memory that the runtime can reach. */
static bool check_address_space(host_region *r, LLVMValueRef pointer) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0 ||
           host_refuse(r, ST_NO_OPERATION, "access to a numbered address space");
}

static bool check_copy(host_region *r, LLVMValueRef call) {
    LLVMValueRef is_volatile = LLVMGetOperand(call, 3);
    if (!LLVMIsAConstantInt(is_volatile) || LLVMConstIntGetZExtValue(is_volatile))
        return host_refuse(r, ST_NO_VOLATILE, NULL);
    return check_address_space(r, LLVMGetOperand(call, 0)) &&
           check_address_space(r, LLVMGetOperand(call, 1));
}

static bool check_call(host_region *r, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (r->twin && call == r->twin->store) /* which copies back */
        return check_copy(r, call);
    if (LLVMIsAInlineAsm(callee))
        return host_refuse(r, ST_NO_INLINE_ASM, NULL);
    if (!LLVMIsAFunction(callee))
        return host_refuse(r, ST_NO_CALL, "a function through a pointer");
    const char *name = LLVMGetValueName2(callee, &length);
    if ((r->twin || r->steps) && !strncmp(name, "llvm.lifetime.", 14))
        return host_refuse(r, r->twin ? ST_NO_TWO_SWEEPS : ST_NO_SWEEPS,
                           "an array lives only within that loop");
    if (is_annotation(name) || host_is_operation(name) ||
        (r->steps && host_is_stored(r->steps, call)))
        return true;
    if (is_math_function(name))
        return host_refuse(r, ST_NO_ERRNO, name);
    char own[HOST_DETAIL];
    br_source_name(callee, own, sizeof own);
    return host_refuse(r, ST_NO_CALL, own);
}

static bool check_instruction(host_region *r, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
            return host_refuse(r, ST_NO_VOLATILE, NULL);
        if (i == r->store || (r->twin && i == r->twin->store) ||
            (r->steps && host_is_stored(r->steps, i)))
            return check_address_space(r, LLVMGetOperand(i, 1));
        if (!r->steps && br_loop_contains(r->loops[0], LLVMGetInstructionParent(i)))
            return host_refuse(r, ST_NO_SEVERAL_STORES, NULL);
        return host_refuse(r, ST_NO_NOT_INNERMOST_STORE, "an assignment");
    case LLVMLoad:
        if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
            return host_refuse(r, ST_NO_VOLATILE, NULL);
        return check_address_space(r, LLVMGetOperand(i, 0));
    case LLVMCall:
        return check_call(r, i);
    case LLVMInvoke:
    case LLVMCallBr:
        return host_refuse(r, ST_NO_CALL, "a function that may throw");
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
        return host_refuse(r, ST_NO_VOLATILE, NULL);
    case LLVMVAArg:
        return host_refuse(r, ST_NO_OPERATION, "va_arg");
    default:
        return true;
    }
}

bool host_check_effects(host_region *r) {
    LLVMBasicBlockRef blocks[HOST_MAX_OUTER_BLOCKS];
    size_t count = br_loop_blocks(r->outer, blocks, HOST_MAX_OUTER_BLOCKS);
    if (count > HOST_MAX_OUTER_BLOCKS)
        return host_refuse(r, ST_NO_TOO_BIG, "512 basic blocks");
    for (size_t b = 0; b < count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (!check_instruction(r, i))
                return false;
    LLVMBasicBlockRef stores = LLVMGetInstructionParent(r->store);
    bool always = r->axes == 0 || br_dominates(r->f, stores, br_loop_latch(r->loops[0]));
    return always || !r->twin || host_refuse(r, ST_NO_CONDITIONAL_STORE, NULL);
}

bool host_check_innermost(host_region *r) {
    r->axes = 1;
    return check_shape(r, r->loops[0]) && host_check_effects(r);
}

bool host_check_loops(host_region *r) {
    for (int i = 0; i < r->nloops; i++)
        if (!check_loop(r, i))
            return false;
    return check_children(r);
}
