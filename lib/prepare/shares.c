/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that depend on which of a loop's iterations a thread had. For example:
 *
 *     #pragma omp parallel reduction(max : most)
 *     {
 *         int mine = 0;
 *     #pragma omp for
 *         for (int i = 0; i < n; i++)
 *             mine++;
 *         most = mine > most ? mine : most;
 *     }
 *
 * With four threads `most` is n / 4; one thread that runs the whole region would make n of it. So a
 * region is refused if it uses such a value behind the loop. There are two exceptions. The value
 * may be what a reduction, or a critical section, adds up (reduced.c). And it may be that of the
 * last iteration (lastprivate), which just one thread has.
 */
#include "prepare/team.h"

#include "detect/common/calls.h"

#include <stdlib.h>
#include <string.h>

/* The operations of __kmpc_for_static_init_*, and of __kmpc_reduce. */
enum { INIT_LAST = 3, INIT_LOWER = 4, INIT_STRIDE = 6, REDUCE_LIST = 4 };
enum { MAX_VALUES = 256, MAX_ENDS = 16 };

typedef struct share {
    br_function *f;
    LLVMValueRef body;          /* the outlined function of the region */
    LLVMValueRef init;          /* the call that gives a thread its iterations */
    LLVMValueRef end[MAX_ENDS]; /* the calls that end the loop, and what comes behind it */
    int nends;
    /* Values that depend on which iterations the thread had, and of each: was it computed behind
     * the loop, rather than handed on by phis? */
    LLVMValueRef own[MAX_VALUES];
    bool computed[MAX_VALUES];
    int nown;
    bool used; /* is one of them used where it must not be? */
} share;

static LLVMBasicBlockRef block_of(LLVMValueRef i) {
    return LLVMGetInstructionParent(i);
}

/* Between the calls that begin and end the loop? */
static bool is_between(const share *s, LLVMValueRef i) {
    bool between = br_comes_first(s->f, s->init, i);
    for (int k = 0; k < s->nends && between; k++)
        between = s->end[k] == i || !br_comes_first(s->f, s->end[k], i);
    return between;
}

static bool is_in_loop(const share *s, LLVMValueRef i) {
    br_loop l = br_loop_of(s->f, block_of(i));
    return l && !br_loop_contains(l, block_of(s->init)) &&
           br_dominates(s->f, block_of(s->init), br_loop_header(l)) && is_between(s, i);
}

static bool has_bound(LLVMValueRef init, LLVMValueRef address) {
    for (unsigned k = INIT_LOWER; k <= INIT_STRIDE; k++)
        if (LLVMGetOperand(init, k) == address)
            return true;
    return false;
}

static bool is_bound(const share *s, LLVMValueRef address) {
    return has_bound(s->init, address);
}

/* Is the bound, where it is loaded, that of another loop? LLVM lets loops that follow one another
 * use the same variables. */
static bool is_of_other_loop(const share *s, LLVMValueRef load) {
    LLVMValueRef address = LLVMGetOperand(load, 0);
    bool other = false;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && !other; u = LLVMGetNextUse(u)) {
        LLVMValueRef init = LLVMGetUser(u);
        other = init != s->init && host_calls(init, "__kmpc_for_static_init") &&
                has_bound(init, address) && br_comes_first(s->f, init, load) &&
                !br_comes_first(s->f, init, s->init);
    }
    return other;
}

/* The list of a reduction that an entry is stored in; NULL: in none. */
static LLVMValueRef reduce_of_entry(LLVMValueRef store) {
    LLVMValueRef list = host_base_of(LLVMGetOperand(store, 1));
    if (!LLVMIsAAllocaInst(list))
        return NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(list); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (host_calls(user, "__kmpc_reduce") && LLVMGetOperand(user, REDUCE_LIST) == list)
            return user;
    }
    return NULL;
}

/* The reduction of a variable; NULL: it is not reduced. */
static LLVMValueRef reduce_of(LLVMValueRef address) {
    LLVMValueRef reduce = NULL;
    if (!LLVMIsAAllocaInst(address))
        return NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && !reduce; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == address)
            reduce = reduce_of_entry(user);
    }
    return reduce;
}

/* Where the branch goes in the thread that had the last iteration; NULL: it does not ask that. */
static LLVMBasicBlockRef way_of_last(const share *s, LLVMValueRef branch) {
    LLVMValueRef last = LLVMGetOperand(s->init, INIT_LAST);
    LLVMValueRef is = br_is_conditional(branch) ? LLVMGetCondition(branch) : NULL;
    if (!is || !LLVMIsAICmpInst(is) || !host_loads_from(LLVMGetOperand(is, 0), last) ||
        !LLVMIsNull(LLVMGetOperand(is, 1)))
        return NULL;
    LLVMIntPredicate p = LLVMGetICmpPredicate(is);
    return p == LLVMIntEQ || p == LLVMIntNE ? LLVMGetSuccessor(branch, p == LLVMIntEQ) : NULL;
}

static bool is_last(const share *s, LLVMValueRef i) {
    bool last = false;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->body);
    for (; b && !last; b = LLVMGetNextBasicBlock(b)) {
        LLVMBasicBlockRef way = way_of_last(s, LLVMGetBasicBlockTerminator(b));
        last = way && br_dominates(s->f, way, block_of(i));
    }
    return last;
}

/* Does the program end behind the instruction, as it does where an exception leaves the region? */
static bool ends_program(LLVMValueRef i) {
    return LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(block_of(i))) != NULL;
}

static void follow(share *s, LLVMValueRef value, bool computed);

/* What does `user`, behind the loop or in front of it, do with a value that depends on the thread's
 * iterations? It may store in a variable that is reduced what the iterations alone made; it may not
 * store there what was computed of that behind the loop. */
static void follow_to(share *s, LLVMValueRef value, bool computed, LLVMValueRef user) {
    if (is_last(s, user) || ends_program(user) ||
        (!computed && team_is_combined(s->f, s->body, value, user)))
        return;
    if (LLVMIsAStoreInst(user)) {
        LLVMValueRef to = LLVMGetOperand(user, 1);
        s->used |=
            LLVMGetOperand(user, 0) != value || (!is_bound(s, to) && (computed || !reduce_of(to)));
    } else if (LLVMIsATerminatorInst(user)) {
        s->used |= !is_between(s, user);
    } else if (host_is_annotation(host_callee_name(user))) {
        return;
    } else if (LLVMIsACallInst(user) &&
               (br_may_write(user) || strncmp(host_callee_name(user), "llvm.", 5) != 0)) {
        s->used = true;
    } else {
        follow(s, user, computed || !LLVMIsAPHINode(user));
    }
}

static void follow(share *s, LLVMValueRef value, bool computed) {
    for (int i = 0; i < s->nown; i++)
        if (s->own[i] == value && s->computed[i] == computed)
            return;
    s->used |= s->nown == MAX_VALUES;
    if (s->used)
        return;
    s->computed[s->nown] = computed;
    s->own[s->nown++] = value;
    bool inside = is_between(s, value);
    for (LLVMUseRef u = LLVMGetFirstUse(value); u && !s->used; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (is_in_loop(s, user))
            s->used |= !inside && (computed || !LLVMIsAPHINode(user));
        else
            follow_to(s, value, computed, user);
    }
}

/* Values that differ */

/* Is it a load of shared memory, at an address that no iteration computes? Then all threads load
 * the same value. */
static bool is_common(const share *s, LLVMValueRef i) {
    LLVMValueRef address = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
    return address && !LLVMIsAAllocaInst(host_base_of(address)) &&
           (!LLVMIsAInstruction(address) || !is_in_loop(s, address));
}

static bool is_used_behind(const share *s, LLVMValueRef i) {
    bool behind = false;
    for (LLVMUseRef u = LLVMGetFirstUse(i); u && !behind; u = LLVMGetNextUse(u))
        behind = !is_in_loop(s, LLVMGetUser(u));
    return behind;
}

static bool has_one_value(LLVMValueRef phi) {
    for (unsigned k = 1; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingValue(phi, k) != LLVMGetIncomingValue(phi, 0))
            return false;
    return true;
}

/* For a private variable at this address: does an iteration store in it (`stored`), or is it read
 * outside the loop? */
static bool keeps(const share *s, LLVMValueRef address, bool stored) {
    bool is = false;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && !is; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGetElementPtrInst(user))
            is = keeps(s, user, stored);
        else if (stored)
            is = br_may_write(user) && is_in_loop(s, user) &&
                 !host_is_annotation(host_callee_name(user));
        else
            is = !LLVMIsAStoreInst(user) && !is_in_loop(s, user) && !is_last(s, user) &&
                 !host_is_annotation(host_callee_name(user));
    }
    return is;
}

static void find_ends(share *s) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->body);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!host_calls(i, "__kmpc_for_static_fini") || !is_between(s, i))
                continue;
            if (s->nends < MAX_ENDS)
                s->end[s->nends++] = i;
            else
                s->used = true;
        }
}

/* Is it in a loop that the threads share, behind this one? */
static bool is_in_later_loop(const share *s, LLVMValueRef i) {
    share *later = calloc(1, sizeof *later);
    bool in = false;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->body);
    for (; b && !in; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef k = LLVMGetFirstInstruction(b); k && !in; k = LLVMGetNextInstruction(k)) {
            if (k == s->init || !host_calls(k, "__kmpc_for_static_init") ||
                !br_comes_first(s->f, s->init, k))
                continue;
            *later = (share){.f = s->f, .body = s->body, .init = k};
            find_ends(later);
            in = is_in_loop(later, i);
        }
    free(later);
    return in;
}

/* May a variable that is reduced have what the loop made? What other shared loops store in it, they
 * are asked about. */
static bool may_have_share(const share *s, LLVMValueRef address) {
    bool may = false;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && !may; u = LLVMGetNextUse(u)) {
        LLVMValueRef store = LLVMIsAStoreInst(LLVMGetUser(u));
        may = store && LLVMGetOperand(store, 1) == address &&
              br_comes_first(s->f, s->init, store) && !is_in_later_loop(s, store);
    }
    return may;
}

/* Is what the loop made read before it is reduced? */
static bool is_read_early(const share *s, LLVMValueRef load) {
    LLVMValueRef address = LLVMGetOperand(load, 0), reduce = reduce_of(address);
    return reduce && !br_comes_first(s->f, reduce, load) && may_have_share(s, address);
}

static void look_at(share *s, LLVMValueRef i) {
    if (LLVMIsAAllocaInst(i)) {
        s->used |= i != LLVMGetOperand(s->init, INIT_LAST) && !is_bound(s, i) && !reduce_of(i) &&
                   keeps(s, i, true) && keeps(s, i, false);
        return;
    }
    bool differs =
        LLVMIsALoadInst(i) && is_bound(s, LLVMGetOperand(i, 0)) && !is_of_other_loop(s, i);
    if (is_in_loop(s, i))
        differs |= is_used_behind(s, i) && !is_common(s, i);
    else if (LLVMIsALoadInst(i))
        differs |= is_read_early(s, i);
    else if (LLVMIsAPHINode(i))
        differs |= is_between(s, i) && !has_one_value(i);
    if (differs)
        follow(s, i, false);
}

bool team_keeps_shares(br_function *f, LLVMValueRef body, LLVMValueRef init) {
    share s = {.f = f, .body = body, .init = init};
    find_ends(&s);
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(body);
    for (; b && !s.used; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !s.used;
             i = LLVMGetNextInstruction(i))
            look_at(&s, i);
    return s.used;
}
