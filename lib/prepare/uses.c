/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files share that take values out of loops: whose operands are replaced, which values
 * stand for others, and which blocks control always passes.
 */
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/hoist.h"

#include <stdlib.h>

enum {
    MAX_BACK = ST_LIMIT(64, 4), /* blocks in front of a loop that are looked at */
    MAX_HOPS = 4                /* blocks between a check and the end of the program */
};

void prep_replace_use(prep_hoists *h, LLVMValueRef user, unsigned operand, LLVMValueRef was,
                      LLVMValueRef by) {
    if (h->nuses % 64 == 0)
        h->uses = realloc(h->uses, (h->nuses + 64) * sizeof *h->uses);
    h->uses[h->nuses++] = (prep_hoisted_use){user, was, operand};
    LLVMSetOperand(user, operand, by);
}

/* Is the user in the scope? Or is it a phi behind the scope that gets the value only where the
 * scope is left? */
static bool is_seen(const prep_hoists *h, LLVMValueRef user, LLVMValueRef v) {
    if (host_in_loop(h->scope, user) || !LLVMIsAPHINode(user))
        return host_in_loop(h->scope, user);
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
        if (LLVMGetIncomingValue(user, i) == v &&
            !br_loop_contains(h->scope, LLVMGetIncomingBlock(user, i)))
            return false;
    return true;
}

bool prep_replace_uses(prep_hoists *h, LLVMValueRef v, LLVMValueRef by) {
    LLVMUseRef next;
    size_t before = h->nuses;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!is_seen(h, user, v))
            continue;
        for (int k = 0; k < LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, (unsigned)k) == v) {
                prep_replace_use(h, user, (unsigned)k, v, by);
                break; /* the list has another use for each further operand */
            }
    }
    return h->nuses > before;
}

/* Does control, once it leaves the loop this way, only end the program? */
static bool fails(br_loop l, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(to);
    for (int hop = 0; hop < MAX_HOPS && LLVMGetNumSuccessors(end) == 1; hop++)
        end = LLVMGetBasicBlockTerminator(LLVMGetSuccessor(end, 0));
    return !br_loop_contains(l, to) && LLVMIsAUnreachableInst(end);
}

static bool is_passed(br_function *f, br_loop l, LLVMBasicBlockRef block, bool or_fails) {
    LLVMBasicBlockRef b;
    for (size_t n = 0; (b = br_loop_block(l, n)); n++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            bool stays = br_loop_contains(l, to) && to != br_loop_header(l);
            if (!stays && !br_dominates(f, block, b) && !(or_fails && fails(l, to)))
                return false;
        }
    }
    return true;
}

bool prep_is_passed(br_function *f, br_loop l, LLVMBasicBlockRef block) {
    return is_passed(f, l, block, false);
}

bool prep_is_passed_or_fails(br_function *f, br_loop l, LLVMBasicBlockRef block) {
    return is_passed(f, l, block, true);
}

bool prep_always_passed(br_function *f, br_loop scope, LLVMBasicBlockRef block) {
    return br_loop_blocks(scope, NULL, 0) <= HOIST_MAX_BLOCKS && prep_is_passed(f, scope, block);
}

/* A search backwards from a loop for loads of one address. */
typedef struct search {
    br_function *f;
    br_loop l;
    br_scev address;
    LLVMTypeRef type;
    LLVMBasicBlockRef seen[MAX_BACK];
    size_t count;
} search;

/* Does the block load it, with no call behind that may free memory? *blocked: there is such a call.
 */
static bool loads_last(const search *m, LLVMBasicBlockRef b, bool *blocked) {
    bool loads = false;
    *blocked = false;
    for (LLVMValueRef i = LLVMGetLastInstruction(b); i && !loads && !*blocked;
         i = LLVMGetPreviousInstruction(i)) {
        loads = LLVMIsALoadInst(i) && LLVMTypeOf(i) == m->type &&
                br_scev_of(m->f, LLVMGetOperand(i, 0)) == m->address;
        *blocked = LLVMIsACallInst(i) && br_may_write(i) && !host_calls(i, "llvm.") &&
                   !host_sets_errno(host_callee_name(i));
    }
    return loads;
}

/* Adds the blocks from which control comes to b. False: there are too many, or none. */
static bool add_from(search *m, LLVMValueRef function, LLVMBasicBlockRef b) {
    bool any = false;
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k; k = LLVMGetNextBasicBlock(k)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(k);
        bool leads = false;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            leads |= LLVMGetSuccessor(end, i) == b;
        if (!leads || br_loop_contains(m->l, k))
            continue;
        any = true;
        if (host_lists_block(m->seen, m->count, k))
            continue;
        if (m->count == MAX_BACK)
            return false;
        m->seen[m->count++] = k;
    }
    return any;
}

bool prep_is_loaded_before(br_function *f, LLVMValueRef function, br_loop l, LLVMValueRef load) {
    search *m = calloc(1, sizeof *m);
    m->f = f;
    m->l = l;
    m->address = br_scev_of(f, LLVMGetOperand(load, 0));
    m->type = LLVMTypeOf(load);
    bool good = add_from(m, function, br_loop_header(l)), blocked;
    for (size_t next = 0; next < m->count && good; next++)
        if (!loads_last(m, m->seen[next], &blocked))
            good = !blocked && add_from(m, function, m->seen[next]);
    free(m);
    return good;
}

br_scev prep_loaded_from(const prep_hoists *h, LLVMValueRef value) {
    for (int i = 0; i < h->count; i++)
        if (h->entries[i].value == value)
            return h->entries[i].address;
    return NULL;
}

LLVMValueRef prep_hoisted_start_of(const prep_hoists *h, LLVMValueRef value) {
    for (int i = 0; i < h->nstarts; i++)
        if (h->starts[i].value == value)
            return h->starts[i].start;
    return NULL;
}

bool prep_depends_on(const prep_hoists *h, br_scev s, int first, bool known) {
    if (br_scev_kind(s) == BR_UNKNOWN)
        for (int i = first; i < h->count; i++)
            if (h->entries[i].value == br_scev_value(s))
                return !known || !prep_hoisted_start_of(h, h->entries[i].value);
    for (size_t i = 0; i < br_scev_count(s); i++)
        if (prep_depends_on(h, br_scev_operand(s, i), first, known))
            return true;
    return false;
}

bool prep_hoists_in(const prep_hoists *h, br_scev s) {
    return prep_depends_on(h, s, 0, false);
}
