/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop whose sweeps depend on what does not change in it, as the kind of a grid or an
 * option, or that checks something in each step. Its sweeps do not follow one another on all ways,
 * and LLVM may have led control past some tests that others decide:
 *
 *     for (t = 0; t < T; t++) {            if (kind == 2 && ready)
 *         if (kind == 1) sweep1(a);            for (t = 0; t < T; t++) sweep2(a), sweep3(a);
 *         else sweep2(a);          ->      else
 *         if (!ready) exit(1);                 for (t = 0; t < T; t++) { as it was }
 *         sweep3(a);
 *     }
 *
 * In a shadow a copy of the loop runs where each such condition goes the way with more loops. The
 * conditions are computed in front of the loop. This is legal since they do not change in it, and
 * computing them has no effect and cannot trap; where the program would not come to one, its value
 * only says which of two loops runs that do the same.
 *
 * The elements of Fortran's allocatable arrays lie on the heap, so that writing them changes no
 * variable. Their assignment as a whole, a = b, which flang has its runtime do, writes a's
 * descriptor as well. So neither changes conditions that depend on other variables, as descriptors
 * of other arrays are. That a is allocatable is tested in front.
 *
 * flang makes two versions of an inner loop at -O3: one for arrays without gaps, one for others.
 * The copy has the first one alone, and the distances of its rows are not divided (quotients.h).
 * The loop as it was is for arrays with gaps then, and is not looked at again.
 */
#include "prepare/modes.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/checks.h"
#include "prepare/descriptor.h"
#include "prepare/hoist.h"
#include "prepare/quotients.h"
#include "prepare/sequence.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

enum {
    MAX_BLOCKS = ST_LIMIT(512, 8),
    MAX_MODES = ST_LIMIT(64, 2), /* conditions */
    MAX_ROUNDS = 4,              /* conditions may be found once others are known */
    MAX_NESTS = 64,
    MAX_SWITCHES = 32,
    MAX_ASSIGNED = ST_LIMIT(16, 1) /* arrays */
};

typedef struct mode {
    LLVMValueRef branch;
    bool holds;
    size_t at; /* the number of the branch's block */
} mode;

typedef struct modes {
    br_function *f;
    br_loop l;
    LLVMBasicBlockRef own[MAX_BLOCKS], copy[MAX_BLOCKS];
    mode mode[MAX_MODES];
    br_loop nest[MAX_NESTS];
    size_t blocks, count, nests;
    LLVMValueRef
        assigned[MAX_ASSIGNED]; /* descriptors that are taken to be of allocatable arrays */
    size_t nassigned;
    prep_quotients quotients;
    bool divides; /* the copy is for arrays without gaps */
    bool chooses; /* and for one of two ways that both have nests */
} modes;

/* Fills in the loop and its parts. False: there are too many. */
static bool describe(modes *m, br_function *f, br_loop l) {
    m->f = f;
    m->l = l;
    m->blocks = br_loop_blocks(l, m->own, MAX_BLOCKS);
    m->nests = br_loop_children(l, m->nest, MAX_NESTS);
    m->count = m->nassigned = 0;
    return m->blocks <= MAX_BLOCKS && m->nests > 0 && m->nests <= MAX_NESTS;
}

/* Are there loops that stay as they are, as those for sections that overlap in another order? */
static bool has_left(const modes *m) {
    bool has = false;
    for (size_t i = 0; i < m->nests; i++)
        has |= prep_is_guarded(m->nest[i]);
    return has;
}

/* The loops directly in l that control gets to from `from`, but not from `other`. */
static size_t own_loops(br_loop l, LLVMBasicBlockRef from, LLVMBasicBlockRef other) {
    br_loop inner[MAX_NESTS];
    size_t all = br_loop_children(l, inner, MAX_NESTS), count = 0;
    for (size_t i = 0; i < all && i < MAX_NESTS; i++) {
        LLVMBasicBlockRef head = br_loop_header(inner[i]);
        count += !prep_is_guarded(inner[i]) && br_loop_contains(l, from) &&
                 host_reaches(l, from, head) &&
                 !(br_loop_contains(l, other) && host_reaches(l, other, head));
    }
    return count;
}

/* Does a branch beside the nests lead to some of them on one of its ways only? Or does one in a
 * nest lead to an inner loop on each way, as where flang made a version of the loop for arrays
 * without gaps? */
static bool decides(const modes *m, size_t block, bool *holds, bool *chooses) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(m->own[block]);
    br_loop around = br_loop_of(m->f, m->own[block]);
    if (!br_is_conditional(end))
        return false;
    LLVMBasicBlockRef yes = LLVMGetSuccessor(end, 0), no = LLVMGetSuccessor(end, 1);
    size_t with = own_loops(around, yes, no), without = own_loops(around, no, yes);
    *holds = with >= without;
    *chooses = around == m->l && with > 0 && without > 0;
    return around == m->l ? with + without > 0 : with > 0 && without > 0;
}

bool prep_has_quotients(br_function *f, br_loop l) {
    modes *m = calloc(1, sizeof *m);
    bool has = !prep_is_guarded(l) && describe(m, f, l);
    if (has) {
        prep_find_quotients(&m->quotients, f, l, m->own, m->blocks);
        has = m->quotients.factors > 0;
    }
    free(m);
    return has;
}

/* Does control leave the loop there, or not, in each step alike, as where a grid without cells has
 * no residual? */
static bool leaves(const modes *m, size_t block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(m->own[block]);
    bool out = !br_loop_contains(m->l, LLVMGetSuccessor(end, 0)) ||
               !br_loop_contains(m->l, LLVMGetSuccessor(end, 1));
    return out && br_scev_invariant(m->f, br_scev_of(m->f, LLVMGetCondition(end)), m->l);
}

bool prep_has_modes(br_function *f, br_loop l) {
    modes *m = calloc(1, sizeof *m);
    bool has = false, holds, chooses;
    if (describe(m, f, l))
        for (size_t b = 0; b < m->blocks && !has; b++)
            has = m->own[b] != br_loop_latch(l) && decides(m, b, &holds, &chooses) &&
                  (m->nests > 1 || br_loop_of(f, m->own[b]) != l || leaves(m, b));
    free(m);
    return has;
}

/* Does the call get a pointer into the memory? */
static bool gets(LLVMValueRef call, LLVMValueRef base) {
    bool any = false;
    for (int i = 0; i < LLVMGetNumOperands(call) && !any; i++) {
        LLVMValueRef v = LLVMGetOperand(call, (unsigned)i);
        any = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && host_base_of(v) == base;
    }
    return any;
}

static bool is_variable(LLVMValueRef base) {
    return LLVMIsAGlobalVariable(base) || LLVMIsAAllocaInst(base);
}

/* The descriptor from which the program loaded where an array begins, perhaps in several places;
 * NULL: there is no such. */
static LLVMValueRef descriptor_of(LLVMValueRef address, int depth) {
    LLVMValueRef base = host_base_of(address);
    if (LLVMIsALoadInst(base))
        return prep_rank_of(LLVMGetOperand(base, 0)) > 0 ? LLVMGetOperand(base, 0) : NULL;
    if (!LLVMIsAPHINode(base) || depth == 0)
        return NULL;
    LLVMValueRef of = descriptor_of(LLVMGetIncomingValue(base, 0), depth - 1);
    for (unsigned k = 1; of && k < LLVMCountIncoming(base); k++)
        if (descriptor_of(LLVMGetIncomingValue(base, k), depth - 1) != of)
            return NULL;
    return of;
}

/* Does the program say that it is a descriptor of a pointer? */
static bool is_pointer(LLVMValueRef descriptor) {
    enum { ATTRIBUTE = 5 }; /* the field */
    LLVMValueRef start = LLVMIsAGlobalVariable(descriptor) && prep_rank_of(descriptor) > 0
                             ? LLVMGetInitializer(descriptor)
                             : NULL;
    LLVMValueRef is = start ? LLVMGetAggregateElement(start, ATTRIBUTE) : NULL;
    return is && LLVMIsAConstantInt(is) && LLVMConstIntGetZExtValue(is) == DESC_POINTER;
}

/* The descriptor is taken to be one of an allocatable array. False: it is none, or there are too
 * many. */
static bool take_allocatable(modes *m, LLVMValueRef descriptor) {
    size_t k = 0;
    if (is_pointer(descriptor))
        return false;
    while (k < m->nassigned && m->assigned[k] != descriptor)
        k++;
    if (k == m->nassigned && k < MAX_ASSIGNED)
        m->assigned[m->nassigned++] = descriptor;
    return k < MAX_ASSIGNED;
}

/* Does the instruction write the memory of an allocatable array, if what is noted in `assigned`
 * holds, perhaps with its descriptor, and is what is loaded another variable? */
static bool writes_allocatable(modes *m, LLVMValueRef i, LLVMValueRef load) {
    LLVMValueRef base = host_base_of(LLVMGetOperand(load, 0));
    if (!is_variable(base))
        return false;
    if (LLVMIsAStoreInst(i)) {
        enum { DEPTH = 2 };
        LLVMValueRef from = descriptor_of(LLVMGetOperand(i, 1), DEPTH);
        return from && take_allocatable(m, from);
    }
    LLVMValueRef to = host_is_array_assignment(i) ? LLVMGetOperand(i, 0) : NULL;
    return to && is_variable(to) && !host_in_loop(m->l, to) && to != base &&
           take_allocatable(m, to);
}

/* May the instruction write what is loaded? `own`: only this function knows the memory. */
static bool changes(modes *m, LLVMValueRef i, LLVMValueRef load, bool own) {
    bool call = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
    if (!br_may_write(i) || writes_allocatable(m, i, load) || host_writes_errno_alone(i, load) ||
        (call && own && !gets(i, host_base_of(LLVMGetOperand(load, 0)))))
        return false;
    return br_may_ever_change(m->f, i, load);
}

/* Does something in the loop perhaps write what is loaded? */
static bool may_change(modes *m, LLVMValueRef load) {
    bool may = false, own = br_is_kept_to_itself(host_base_of(LLVMGetOperand(load, 0)));
    for (size_t b = 0; b < m->blocks && !may; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(m->own[b]); i && !may;
             i = LLVMGetNextInstruction(i))
            may = changes(m, i, load, own);
    return may;
}

/* Can a load beside the nests be made in front of the loop? */
static bool may_move(modes *m, LLVMValueRef load) {
    LLVMValueRef function = LLVMGetBasicBlockParent(m->own[0]);
    bool there = br_is_always_there(load) ||
                 prep_is_passed(m->f, m->l, LLVMGetInstructionParent(load)) ||
                 prep_is_loaded_before(m->f, function, m->l, load);
    return host_is_plain(load) && !host_in_loop(m->l, LLVMGetOperand(load, 0)) && there &&
           !may_change(m, load);
}

/* LLVM looks at few of the stores between a load and the next one. */
static void move_loads(modes *m, LLVMValueRef in_front) {
    for (size_t k = 0; k < m->blocks; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(m->own[k]), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsALoadInst(i) && br_loop_of(m->f, m->own[k]) == m->l && may_move(m, i))
                br_load_earlier(i, in_front);
        }
    br_scev_forget(m->f);
}

/* Is a value compared with the size of an element, and multiplied with something? Or are several?
 * It is the distance of an array's elements then. */
static bool is_about_gaps(LLVMValueRef c) {
    LLVMValueRef x = LLVMIsAInstruction(c) ? LLVMGetOperand(c, 0) : NULL;
    if (x && LLVMGetInstructionOpcode(c) == LLVMAnd)
        return is_about_gaps(x) && is_about_gaps(LLVMGetOperand(c, 1));
    if (x && LLVMIsAFreezeInst(c))
        return is_about_gaps(x);
    bool equal = x && LLVMIsAICmpInst(c) && LLVMIsAConstantInt(LLVMGetOperand(c, 1)) &&
                 (LLVMGetICmpPredicate(c) == LLVMIntEQ || LLVMGetICmpPredicate(c) == LLVMIntNE);
    bool scales = false;
    for (LLVMUseRef u = equal ? LLVMGetFirstUse(x) : NULL; u && !scales; u = LLVMGetNextUse(u))
        scales = LLVMIsAInstruction(LLVMGetUser(u)) &&
                 LLVMGetInstructionOpcode(LLVMGetUser(u)) == LLVMMul;
    return scales && LLVMGetIntTypeWidth(LLVMTypeOf(x)) == 64;
}

/* Finds the conditions that can be computed in front of the loop. */
static void find_modes(modes *m, LLVMValueRef in_front) {
    for (size_t b = 0; b < m->blocks && m->count < MAX_MODES; b++) {
        mode *next = &m->mode[m->count];
        bool chooses;
        if (!decides(m, b, &next->holds, &chooses))
            continue;
        next->branch = LLVMGetBasicBlockTerminator(m->own[b]);
        next->at = b;
        br_scev s = br_scev_of(m->f, LLVMGetCondition(next->branch));
        bool known = br_scev_invariant(m->f, s, m->l) && br_scev_expandable(m->f, s, in_front);
        m->count += known;
        m->chooses |= known && chooses && !is_about_gaps(LLVMGetCondition(next->branch));
    }
}

static LLVMValueRef load_byte(LLVMBuilderRef b, LLVMValueRef descriptor, int offset) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(descriptor));
    LLVMTypeRef byte = LLVMInt8TypeInContext(c);
    LLVMValueRef by = LLVMConstInt(LLVMInt64TypeInContext(c), (unsigned long long)offset, false);
    return LLVMBuildLoad2(b, byte, LLVMBuildGEP2(b, byte, descriptor, &by, 1, ""), "");
}

/* Are the arrays allocatable, of elements whose assignment calls no function of the program? NULL:
 * there are none. */
static LLVMValueRef emit_allocatable(const modes *m, LLVMBuilderRef b) {
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < m->nassigned; i++) {
        LLVMValueRef attribute = load_byte(b, m->assigned[i], DESC_ATTRIBUTE);
        LLVMValueRef type = load_byte(b, m->assigned[i], DESC_TYPE);
        LLVMTypeRef byte = LLVMTypeOf(type);
        LLVMValueRef is =
            LLVMBuildICmp(b, LLVMIntEQ, attribute, LLVMConstInt(byte, DESC_ALLOCATABLE, false), "");
        type = LLVMBuildSub(b, type, LLVMConstInt(byte, 1, false), "");
        LLVMValueRef number =
            LLVMBuildICmp(b, LLVMIntULT, type, LLVMConstInt(byte, DESC_DOUBLE, false), "");
        is = LLVMBuildFreeze(b, LLVMBuildAnd(b, is, number, ""), "");
        all = all ? LLVMBuildAnd(b, all, is, "") : is;
    }
    return all;
}

/* Do all conditions go the way that is wanted? */
static LLVMValueRef emit_choice(const modes *m, LLVMBuilderRef b, LLVMValueRef in_front) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(in_front)));
    LLVMPositionBuilderBefore(b, in_front);
    LLVMValueRef all = emit_allocatable(m, b);
    for (size_t i = 0; i < m->count; i++) {
        LLVMValueRef c = LLVMGetCondition(m->mode[i].branch);
        c = br_scev_expand(m->f, br_scev_of(m->f, c), bit, in_front);
        LLVMPositionBuilderBefore(b, in_front);
        c = LLVMBuildFreeze(b, c, ""); /* the program may not come to it */
        c = m->mode[i].holds ? c : LLVMBuildNot(b, c, "");
        all = all ? LLVMBuildAnd(b, all, c, "") : c;
    }
    LLVMValueRef exact = prep_quotients_condition(&m->quotients, b, in_front);
    return all && exact ? LLVMBuildAnd(b, all, exact, "") : all ? all : exact;
}

/* In the copy each branch goes the way that is wanted. */
static void decide(const modes *m) {
    for (size_t i = 0; i < m->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(m->copy[m->mode[i].at]);
        LLVMTypeRef bit = LLVMTypeOf(LLVMGetCondition(end));
        LLVMSetCondition(end, LLVMConstInt(bit, m->mode[i].holds, false));
    }
    prep_write_quotients(&m->quotients, m->copy);
}

void prep_place(LLVMValueRef in_front, br_loop l) {
    LLVMBasicBlockRef block;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(br_loop_header(l));
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(in_front);
    for (size_t b = 0; !at && (block = br_loop_block(l, b)); b++)
        at = LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(block));
    if (at)
        LLVMInstructionSetDebugLoc(in_front, at);
    if (at && !LLVMInstructionGetDebugLoc(end))
        LLVMInstructionSetDebugLoc(end, at);
}

/* Makes a copy for what can be decided now. The copy's head; NULL: there is nothing to decide. */
static LLVMBasicBlockRef choose(modes *m, prep_shadow *s, LLVMBasicBlockRef head) {
    LLVMBasicBlockRef before;
    size_t outs;
    br_loop l = prep_prepared_loop(s->f, head, &before);
    if (!l || !describe(m, s->f, l))
        return NULL;
    LLVMValueRef in_front = LLVMGetBasicBlockTerminator(before);
    prep_place(in_front, l);
    move_loads(m, in_front);
    find_modes(m, in_front);
    prep_find_quotients(&m->quotients, m->f, m->l, m->own, m->blocks);
    if (m->count == 0 && m->quotients.factors == 0)
        return NULL;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
    LLVMValueRef chosen = emit_choice(m, b, in_front);
    LLVMDisposeBuilder(b);
    br_twin(before, m->own, m->blocks, chosen, m->copy, NULL, 0, &outs);
    decide(m);
    bool divides = m->quotients.factors > 0;
    m->divides |= divides;
    /* Is the loop for rare cases alone now? */
    if ((has_left(m) || divides) && br_loop_latch(l))
        prep_set_guarded(l);
    return m->copy[0];
}

/* Makes tests of the switches between the nests. */
static bool test_switches(prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(s->f, head);
    LLVMBasicBlockRef blocks[MAX_SWITCHES], b;
    size_t count = 0;
    for (size_t i = 0; l && (b = br_loop_block(l, i)); i++)
        if (LLVMIsASwitchInst(LLVMGetBasicBlockTerminator(b)) && br_loop_of(s->f, b) == l &&
            count < MAX_SWITCHES)
            blocks[count++] = b;
    for (size_t i = 0; i < count; i++)
        br_test_cases(LLVMGetBasicBlockTerminator(blocks[i]));
    br_function_invalidate(s->f);
    return l != NULL;
}

LLVMBasicBlockRef prep_choose_modes(prep_shadow *s, LLVMBasicBlockRef head) {
    modes *m = calloc(1, sizeof *m);
    LLVMBasicBlockRef first = head;
    bool good = test_switches(s, head), more = good;
    for (int round = 0; more && round < MAX_ROUNDS; round++) {
        LLVMBasicBlockRef copy = choose(m, s, head);
        more = copy != NULL;
        head = more ? copy : head;
        good = more ? prep_simplify(s, head) : good;
        more = more && good;
    }
    br_loop was = prep_loop_at(s->f, first);
    if (m->divides && !m->chooses && was && br_loop_latch(was)) /* it is for arrays with gaps */
        prep_set_guarded(was);
    free(m);
    return good ? head : NULL;
}
