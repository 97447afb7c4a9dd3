/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions of a parallel region's body. Each thread has a private variable, and OpenMP's runtime
 * combines it with the program's variable. Teams of all sizes come to the same result if
 *   1. values are added both in the loops that the threads share and at the end of the region; or
 * in both the greatest value is taken; or in both the least;
 *   2. the value that a thread starts from does not count: of a sum it is 0. Nothing is added
 * outside the shared loops, since every thread would add it.
 * A program may combine a thread's variable with its own in a critical section instead, if all
 * threads come to that, and do nothing else there with what they have found (everyone.c).
 */
#include "prepare/team.h"

#include "detect/common/calls.h"
#include "detect/common/flow.h"

#include <string.h>

typedef enum combination {
    COMBINES_UNKNOWN,
    COMBINES_SUM,
    COMBINES_MAX, /* of floating-point numbers, or of signed ones */
    COMBINES_MIN,
    COMBINES_UMAX,
    COMBINES_UMIN
} combination;

/* The operations of __kmpc_reduce. */
enum { REDUCE_COUNT = 2, REDUCE_LIST = 4 };
enum { MAX_STEPS = 128 };

static bool is_reduce(LLVMValueRef i) {
    const char *name = host_callee_name(i);
    return !strcmp(name, "__kmpc_reduce") || !strcmp(name, "__kmpc_reduce_nowait");
}

static combination order_of(LLVMValueRef compare) {
    if (LLVMIsAFCmpInst(compare))
        switch (LLVMGetFCmpPredicate(compare)) {
        case LLVMRealOGT:
        case LLVMRealOGE:
        case LLVMRealUGT:
        case LLVMRealUGE:
            return COMBINES_MAX;
        case LLVMRealOLT:
        case LLVMRealOLE:
        case LLVMRealULT:
        case LLVMRealULE:
            return COMBINES_MIN;
        default:
            return COMBINES_UNKNOWN;
        }
    switch (LLVMIsAICmpInst(compare) ? LLVMGetICmpPredicate(compare) : LLVMIntEQ) {
    case LLVMIntSGT:
    case LLVMIntSGE:
        return COMBINES_MAX;
    case LLVMIntSLT:
    case LLVMIntSLE:
        return COMBINES_MIN;
    case LLVMIntUGT:
    case LLVMIntUGE:
        return COMBINES_UMAX;
    case LLVMIntULT:
    case LLVMIntULE:
        return COMBINES_UMIN;
    default:
        return COMBINES_UNKNOWN;
    }
}

static combination opposite(combination c) {
    static const combination of[] = {COMBINES_UNKNOWN, COMBINES_UNKNOWN, COMBINES_MIN,
                                     COMBINES_MAX,     COMBINES_UMIN,    COMBINES_UMAX};
    return of[c];
}

/* Which of the two values that it compares a selection takes. */
static combination selection_of(LLVMValueRef compare, LLVMValueRef yes, LLVMValueRef no) {
    combination c = order_of(compare);
    if (c == COMBINES_UNKNOWN)
        return c;
    LLVMValueRef a = LLVMGetOperand(compare, 0), b = LLVMGetOperand(compare, 1);
    if (a == yes && b == no)
        return c;
    return a == no && b == yes ? opposite(c) : COMBINES_UNKNOWN;
}

static combination call_of(LLVMValueRef call) {
    static const struct {
        const char *name;
        combination is;
    } known[] = {{"llvm.smax.", COMBINES_MAX},       {"llvm.smin.", COMBINES_MIN},
                 {"llvm.umax.", COMBINES_UMAX},      {"llvm.umin.", COMBINES_UMIN},
                 {"llvm.maxnum.", COMBINES_MAX},     {"llvm.minnum.", COMBINES_MIN},
                 {"llvm.maximum.", COMBINES_MAX},    {"llvm.minimum.", COMBINES_MIN},
                 {"llvm.maximumnum.", COMBINES_MAX}, {"llvm.minimumnum.", COMBINES_MIN}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (host_calls(call, known[i].name))
            return known[i].is;
    return COMBINES_UNKNOWN;
}

/* What an instruction makes of two values, which are *a and *b. */
static combination combination_of(LLVMValueRef v, LLVMValueRef *a, LLVMValueRef *b) {
    combination c = COMBINES_UNKNOWN;
    unsigned first = 0;
    if (LLVMIsASelectInst(v)) {
        c = selection_of(LLVMGetOperand(v, 0), LLVMGetOperand(v, 1), LLVMGetOperand(v, 2));
        first = 1;
    } else if (LLVMIsACallInst(v)) {
        c = call_of(v);
    } else if (LLVMIsABinaryOperator(v)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(v);
        c = op == LLVMAdd || op == LLVMFAdd ? COMBINES_SUM : COMBINES_UNKNOWN;
    }
    if (c != COMBINES_UNKNOWN) {
        *a = LLVMGetOperand(v, first);
        *b = LLVMGetOperand(v, first + 1);
    }
    return c;
}

/* A variable of each thread */

typedef struct variable {
    br_function *f;
    LLVMValueRef body, address, reduce;
    combination op;
    LLVMValueRef seen[MAX_STEPS];
    int nseen;
} variable;

/* How the last store combines the thread's variable with the program's. */
static combination combined_by(const variable *v, LLVMValueRef store) {
    LLVMValueRef to = LLVMGetOperand(store, 1), a = NULL, b = NULL;
    combination c = combination_of(LLVMGetOperand(store, 0), &a, &b);
    if (c != COMBINES_UNKNOWN && ((host_loads_from(a, v->address) && host_loads_from(b, to)) ||
                                  (host_loads_from(b, v->address) && host_loads_from(a, to))))
        return c;
    return COMBINES_UNKNOWN;
}

/* The operation by which the thread that may do so combines its variable with the program's. */
static combination find_operation(const variable *v) {
    combination found = COMBINES_UNKNOWN;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v->body);
    for (; b && found == COMBINES_UNKNOWN; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && found == COMBINES_UNKNOWN;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i) && br_comes_first(v->f, v->reduce, i))
                found = combined_by(v, i);
    return found;
}

static bool calls_between(const variable *v, LLVMValueRef from, const char *name, LLVMValueRef to) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v->body);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (host_calls(i, name) && br_comes_first(v->f, from, i) && br_comes_first(v->f, i, to))
                return true;
    return false;
}

/* Does the team share out the iterations of a loop that the instruction is in? */
static bool is_shared_out(const variable *v, LLVMValueRef instruction) {
    br_loop l = br_loop_of(v->f, LLVMGetInstructionParent(instruction));
    LLVMBasicBlockRef b = l ? LLVMGetFirstBasicBlock(v->body) : NULL;
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (host_calls(i, "__kmpc_for_static_init_") && !br_loop_contains(l, b) &&
                br_dominates(v->f, b, br_loop_header(l)) &&
                !calls_between(v, i, "__kmpc_for_static_fini", instruction))
                return true;
    return false;
}

static bool is_good(variable *v, LLVMValueRef value);

static bool starts_well(const variable *v, LLVMValueRef value) {
    if (v->op != COMBINES_SUM)
        return true;
    LLVMBool lossy;
    return LLVMIsAConstantFP(value) ? LLVMConstRealGetDouble(value, &lossy) == 0
                                    : LLVMIsNull(value);
}

/* The operand of a difference, or of a product that is added, which may be the variable. */
static LLVMValueRef summed_operand(LLVMValueRef value) {
    if (host_calls(value, "llvm.fmuladd.") || host_calls(value, "llvm.fma."))
        return LLVMGetOperand(value, 2);
    LLVMOpcode op = LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMAdd;
    return op == LLVMSub || op == LLVMFSub ? LLVMGetOperand(value, 0) : NULL;
}

/* Does the value combine one that the variable may have had with another value? */
static bool continues_well(variable *v, LLVMValueRef value) {
    LLVMValueRef a = NULL, b = NULL, sum = summed_operand(value);
    combination c = sum ? COMBINES_SUM : combination_of(value, &a, &b);
    if (c != v->op || (c == COMBINES_SUM && !is_shared_out(v, value)))
        return false;
    if (sum)
        return is_good(v, sum);
    int nseen = v->nseen;
    if (is_good(v, a))
        return true;
    v->nseen = nseen;
    return is_good(v, b);
}

static bool was_seen(variable *v, LLVMValueRef value) {
    for (int i = 0; i < v->nseen; i++)
        if (v->seen[i] == value)
            return true;
    if (v->nseen < MAX_STEPS)
        v->seen[v->nseen++] = value;
    return false;
}

/* Does the call let one thread alone do something, at the block among it? */
static bool lets_one(const variable *v, LLVMValueRef call, LLVMBasicBlockRef block) {
    static const char *const names[] = {"__kmpc_master", "__kmpc_masked", "__kmpc_single"};
    bool lets = false, among = false;
    for (int k = 0; k < 3; k++)
        lets |= host_calls(call, names[k]);
    LLVMBasicBlockRef from = LLVMGetInstructionParent(call);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned s = 0; lets && s < LLVMGetNumSuccessors(end) && !among; s++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
        among = host_only_predecessor(to) == from && br_dominates(v->f, to, block);
    }
    return among;
}

/* Does one thread alone set the variable, in this block, to what is no combination? */
static bool is_set_by_one(const variable *v, LLVMValueRef value, LLVMBasicBlockRef block) {
    bool one = false;
    if (!LLVMIsAConstant(value) && !LLVMIsAPHINode(value))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v->body); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !one; i = LLVMGetNextInstruction(i))
            one = lets_one(v, i, block) &&
                  (LLVMIsAConstant(value) || lets_one(v, i, LLVMGetInstructionParent(value)));
    return one;
}

static bool are_good(variable *v, LLVMValueRef phi) {
    bool good = true;
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && good; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        good = is_good(v, value) && !is_set_by_one(v, value, LLVMGetIncomingBlock(phi, i));
    }
    return good;
}

/* May the variable have had this value, if only the reduction changes it? */
static bool is_good(variable *v, LLVMValueRef value) {
    if (LLVMIsAConstant(value))
        return starts_well(v, value);
    if (host_loads_from(value, v->address) || was_seen(v, value))
        return true;
    if (v->nseen == MAX_STEPS || !LLVMIsAInstruction(value))
        return false;
    if (LLVMIsAPHINode(value))
        return are_good(v, value);
    if (continues_well(v, value))
        return true;
    LLVMValueRef yes = LLVMIsASelectInst(value) ? LLVMGetOperand(value, 1) : NULL;
    LLVMValueRef no = yes ? LLVMGetOperand(value, 2) : NULL;
    return yes && !LLVMIsAConstant(yes) && !LLVMIsAConstant(no) && is_good(v, yes) &&
           is_good(v, no);
}

static bool is_entry(LLVMValueRef list, LLVMValueRef store, LLVMValueRef address) {
    return LLVMGetOperand(store, 0) == address && host_base_of(LLVMGetOperand(store, 1)) == list;
}

static bool is_good_use(variable *v, LLVMValueRef user) {
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == v->address)
        return is_good(v, LLVMGetOperand(user, 0)) &&
               !is_set_by_one(v, LLVMGetOperand(user, 0), LLVMGetInstructionParent(user));
    if (LLVMIsAStoreInst(user))
        return is_entry(LLVMGetOperand(v->reduce, REDUCE_LIST), user, v->address);
    return LLVMIsALoadInst(user) || host_is_annotation(host_callee_name(user));
}

static bool is_reduced_well(br_function *f, LLVMValueRef reduce, LLVMValueRef address) {
    LLVMValueRef body = LLVMGetBasicBlockParent(LLVMGetInstructionParent(reduce));
    variable v = {.f = f, .body = body, .address = address, .reduce = reduce};
    v.op = find_operation(&v);
    bool good = v.op != COMBINES_UNKNOWN;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && good; u = LLVMGetNextUse(u)) {
        v.nseen = 0;
        good = is_good_use(&v, LLVMGetUser(u));
    }
    return good;
}

/* How many of the variables, whose entries of the reduction's list are at `address`, have a
 * reduction that is the same for teams of all sizes. */
static unsigned count_good(br_function *f, LLVMValueRef reduce, LLVMValueRef address) {
    unsigned count = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGetElementPtrInst(user))
            count += count_good(f, reduce, user);
        else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address &&
                 LLVMIsAAllocaInst(LLVMGetOperand(user, 0)))
            count += is_reduced_well(f, reduce, LLVMGetOperand(user, 0));
    }
    return count;
}

static bool is_good_reduction(br_function *f, LLVMValueRef reduce) {
    LLVMValueRef count = LLVMIsAConstantInt(LLVMGetOperand(reduce, REDUCE_COUNT));
    LLVMValueRef list = LLVMIsAAllocaInst(LLVMGetOperand(reduce, REDUCE_LIST));
    return count && list && count_good(f, reduce, list) == LLVMConstIntGetZExtValue(count);
}

/* Critical sections */

/* A critical section that stores once. */
typedef struct section {
    LLVMValueRef begin, end, store;
    LLVMValueRef condition; /* under which it stores; or NULL */
    bool holds;             /* stores where the condition is that */
    LLVMValueRef mine;      /* what is combined with what is there */
    combination op;
} section;

/* Looks at instructions from this one on, to the end of the section or of the block. False: there
 * is something else than numbers that are computed, and one store. */
static bool walk_section(section *s, LLVMValueRef i) {
    for (; i && !s->end && !LLVMIsATerminatorInst(i); i = LLVMGetNextInstruction(i)) {
        if (host_calls(i, "__kmpc_end_critical"))
            s->end = i;
        else if (LLVMIsAStoreInst(i) && host_is_plain(i) && !s->store)
            s->store = i;
        else if (LLVMIsAPHINode(i) || (br_may_write(i) && !host_is_annotation(host_callee_name(i))))
            return false;
    }
    return true;
}

/* Does the block go on to the other one alone, and does control come to it from `from` alone? */
static bool is_way(LLVMBasicBlockRef block, LLVMBasicBlockRef from, LLVMBasicBlockRef other) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return host_only_predecessor(block) == from && LLVMGetNumSuccessors(end) == 1 &&
           LLVMGetSuccessor(end, 0) == other;
}

/* Fills in the rest of a section by its begin. */
static bool find_section(section *s) {
    LLVMBasicBlockRef first = LLVMGetInstructionParent(s->begin);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(first);
    if (!walk_section(s, LLVMGetNextInstruction(s->begin)))
        return false;
    if (s->end)
        return s->store != NULL;
    if (s->store || !br_is_conditional(end))
        return false;
    LLVMBasicBlockRef yes = LLVMGetSuccessor(end, 0), no = LLVMGetSuccessor(end, 1);
    s->holds = is_way(yes, first, no);
    if (!s->holds && !is_way(no, first, yes))
        return false;
    s->condition = LLVMGetCondition(end);
    return walk_section(s, LLVMGetFirstInstruction(s->holds ? yes : no)) && s->store && !s->end &&
           walk_section(s, LLVMGetFirstInstruction(s->holds ? no : yes)) && s->end;
}

/* Is it what the section loads from where it stores? */
static bool is_loaded(const section *s, LLVMValueRef v) {
    return host_loads_from(v, LLVMGetOperand(s->store, 1)) && br_earlier_in_block(s->begin, v);
}

/* Finds out what the section combines, and how. */
static void find_combination(section *s) {
    LLVMValueRef a = NULL, b = NULL, value = LLVMGetOperand(s->store, 0);
    if (!s->condition) {
        s->op = combination_of(value, &a, &b);
    } else if (LLVMIsACmpInst(s->condition)) {
        a = LLVMGetOperand(s->condition, 0);
        b = LLVMGetOperand(s->condition, 1);
        LLVMValueRef other = a == value ? b : a;
        s->op = s->holds ? selection_of(s->condition, value, other)
                         : selection_of(s->condition, other, value);
    }
    s->mine = a && is_loaded(s, a) ? b : b && is_loaded(s, b) ? a : NULL;
    if (!s->mine || (s->condition && s->mine != value))
        s->op = COMBINES_UNKNOWN;
}

/* What a selection without a branch compares. */
static LLVMValueRef compared(const section *s) {
    LLVMValueRef value = LLVMGetOperand(s->store, 0);
    LLVMValueRef select = s->condition ? NULL : LLVMIsASelectInst(value);
    return select ? LLVMGetOperand(select, 0) : s->condition;
}

/* Does the section use a thread's variable there for what it combines? */
static bool is_part(const section *s, LLVMValueRef user) {
    return user == s->store || user == compared(s) ||
           (!s->condition && user == LLVMGetOperand(s->store, 0));
}

static bool are_users_parts(const section *s, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!is_part(s, user) && !LLVMIsATerminatorInst(user))
            return false;
        if (LLVMIsATerminatorInst(user) &&
            LLVMGetInstructionParent(user) != LLVMGetInstructionParent(s->begin))
            return false;
    }
    return true;
}

/* Does nobody else use what the section compares, and what it stores? */
static bool keeps_to_itself(const section *s) {
    LLVMValueRef compare = compared(s);
    return (!compare || are_users_parts(s, compare)) &&
           (s->condition || are_users_parts(s, LLVMGetOperand(s->store, 0)));
}

/* Does the section that begins there combine a thread's variable with the program's? */
static bool combines(br_function *f, LLVMValueRef body, section *s) {
    if (!find_section(s) || !LLVMIsAArgument(LLVMGetOperand(s->store, 1)))
        return false;
    find_combination(s);
    variable v = {.f = f, .body = body, .op = s->op};
    return s->op != COMBINES_UNKNOWN && is_good(&v, s->mine) && keeps_to_itself(s) &&
           team_all_come(f, body, LLVMGetInstructionParent(s->begin));
}

bool team_is_combined(br_function *f, LLVMValueRef body, LLVMValueRef value, LLVMValueRef user) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(body); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            section s = {.begin = i};
            if (host_calls(i, "__kmpc_critical") && combines(f, body, &s) && s.mine == value &&
                is_part(&s, user))
                return true;
        }
    return false;
}

bool team_locks_otherwise(br_function *f, LLVMValueRef body, LLVMValueRef call) {
    section s = {.begin = call};
    return host_calls(call, "__kmpc_critical") && !combines(f, body, &s);
}

bool team_reduces_otherwise(br_function *f, LLVMValueRef body, LLVMValueRef call) {
    (void)body;
    return is_reduce(call) && !is_good_reduction(f, call);
}
