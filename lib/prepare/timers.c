/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that measures its sweeps. A clock that is read between the sweeps would keep them
 * from running together:
 *
 *     for (t = 0; t < T; t++) {            start = clock();
 *         c = clock();                     for (t = 0; t < T; t++)
 *         sweep(b, a);             ->          sweep(b, a), copy(a, b);
 *         spent += clock() - c;            end = clock();
 *         copy(a, b);                      spent += end - start;
 *     }
 *
 * What a clock shows is not determined by the program: any time from the loop's start to its end
 * will do, if it does not run backwards. So each reading in the loop shows the time at the loop's
 * start. Times that the loop sums up get one more step behind the loop. In this step a reading in
 * front of the first sweep shows the time at the start, and each other reading the time at the end.
 * The sum is then the time that the loop took.
 *
 * Readings are taken only if they serve nothing else: no branch and no call uses them, and no store
 * but one that adds times up in memory. That is done behind the loop then.
 */
#include "prepare/timers.h"
#include "detect/common/calls.h"
#include "model/fixed_limits.h"
#include "prepare/sequence.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_TIMERS = 16,
    MAX_TIMES = ST_LIMIT(128, 8),
    MAX_TERM = 64,
    MAX_STORES = 16,
    MAX_CHILDREN = 64,
    MAX_EXITS = 8
};

/* Functions that tell the time, and the argument through which they do; -1: they return it. */
static const struct clock_function {
    const char *name;
    int memory;
} clocks[] = {
    {"clock", -1},
    {"omp_get_wtime", -1},
    {"omp_get_wtime_", -1},
    {"MPI_Wtime", -1},
    {"mpi_wtime_", -1},
    {"_FortranACpuTime", -1},
    {"_FortranASystemClockCount", -1},
    {"_FortranASystemClockCountRate", -1},
    {"_FortranASystemClockCountMax", -1},
    {"_ZNSt6chrono3_V212steady_clock3nowEv", -1},
    {"_ZNSt6chrono3_V212system_clock3nowEv", -1},
    {"_ZNSt3__16chrono12steady_clock3nowEv", -1},
    {"_ZNSt3__16chrono12system_clock3nowEv", -1},
    {"gettimeofday", 0},
    {"clock_gettime", 1},
};

/* A clock that is read in the loop. */
typedef struct timer {
    LLVMValueRef call;
    const struct clock_function *function;
} timer;

/* A time: what a call in the loop returns, or a load of what it wrote. */
typedef struct reading {
    LLVMValueRef value;
    int timer;
    int64_t offset;          /* in the memory */
    bool early;              /* in front of all nests */
    LLVMValueRef start, end; /* what it shows in front of the loop, and behind */
} reading;

typedef struct times {
    br_function *f;
    br_loop l;
    timer timer[MAX_TIMERS];
    int ntimers;
    reading reading[MAX_TIMES];
    int nreadings;
    LLVMValueRef value[MAX_TIMES]; /* all that is computed of readings */
    int nvalues;
    LLVMValueRef store[MAX_STORES]; /* of sums in memory */
    int nstores;
    LLVMBuilderRef b;
} times;

static const struct clock_function *clock_of(LLVMValueRef i) {
    const char *name = LLVMIsACallInst(i) ? host_callee_name(i) : "";
    /* A program's own function of this name may do more. */
    if (!*name || !LLVMIsDeclaration(LLVMGetCalledValue(i)) || host_may_be_another(i))
        return NULL;
    for (size_t k = 0; *name && k < sizeof clocks / sizeof *clocks; k++)
        if (!strcmp(name, clocks[k].name))
            return &clocks[k];
    return NULL;
}

bool prep_is_clock_beside(LLVMValueRef i, LLVMValueRef base) {
    bool beside = clock_of(i) && (LLVMIsAGlobalVariable(base) || LLVMIsAAllocaInst(base));
    for (int k = 0; beside && k < (int)LLVMGetNumArgOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind || LLVMIsNull(v))
            continue;
        LLVMValueRef of = host_base_of(v);
        beside = of != base && (LLVMIsAGlobalVariable(of) || LLVMIsAAllocaInst(of));
    }
    return beside;
}

/* Is it computed by an instruction of the time loop, beside its nests? */
static bool is_beside(const times *t, LLVMValueRef i) {
    return br_loop_of(t->f, LLVMGetInstructionParent(i)) == t->l;
}

static bool is_in(const times *t, LLVMValueRef v) {
    return LLVMIsAInstruction(v) && br_loop_contains(t->l, LLVMGetInstructionParent(v));
}

static bool is_arithmetic(LLVMValueRef v) {
    return LLVMIsABinaryOperator(v) || LLVMIsAUnaryOperator(v) || LLVMIsACmpInst(v) ||
           LLVMIsASelectInst(v) || LLVMIsACastInst(v) ||
           (LLVMIsACallInst(v) && host_is_operation(host_callee_name(v)));
}

/* The operand of a sum to which the other one is added, as operand number `to`. */
static LLVMValueRef addend(LLVMValueRef sum, unsigned to) {
    return LLVMGetOperand(sum, 1 - to);
}

static bool is_addition(LLVMValueRef v) {
    if (!LLVMIsABinaryOperator(v))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMAdd || op == LLVMFAdd;
}

/* The operand of the sum that the block loads from where the store puts the sum, with nothing in
 * between that writes; -1: there is none. */
static int loaded_operand(const times *t, LLVMValueRef store) {
    LLVMValueRef sum = LLVMGetOperand(store, 0), at = LLVMGetOperand(store, 1);
    if (is_in(t, at) || !is_addition(sum))
        return -1;
    for (unsigned to = 0; to < 2; to++) {
        LLVMValueRef i = LLVMGetOperand(sum, to);
        if (!LLVMIsALoadInst(i) || LLVMGetOperand(i, 0) != at || !host_is_plain(i) ||
            LLVMGetInstructionParent(i) != LLVMGetInstructionParent(store) ||
            LLVMTypeOf(i) != LLVMTypeOf(sum))
            continue;
        while (i && i != store && !br_may_write(i))
            i = LLVMGetNextInstruction(i);
        return i == store ? (int)to : -1;
    }
    return -1;
}

static bool add_store(times *t, LLVMValueRef store, LLVMValueRef sum) {
    if (LLVMGetOperand(store, 0) != sum || !host_is_plain(store) || loaded_operand(t, store) < 0 ||
        t->nstores == MAX_STORES)
        return false;
    t->store[t->nstores++] = store;
    return true;
}

/* Is what is computed of the value used only to compute times, or behind the loop? */
static bool add_value(times *t, LLVMValueRef v) {
    for (int i = 0; i < t->nvalues; i++)
        if (t->value[i] == v)
            return true;
    if (t->nvalues == MAX_TIMES)
        return false;
    t->value[t->nvalues++] = v;
    bool good = true;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && good; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) && is_in(t, user))
            good = is_beside(t, user) && add_store(t, user, v);
        else if (is_in(t, user))
            good = is_beside(t, user) && (LLVMIsAPHINode(user) || is_arithmetic(user)) &&
                   add_value(t, user);
    }
    return good;
}

static bool is_early(const times *t, LLVMValueRef i) {
    br_loop child[MAX_CHILDREN];
    size_t count = br_loop_children(t->l, child, MAX_CHILDREN);
    bool early = count <= MAX_CHILDREN;
    for (size_t k = 0; k < count && early; k++)
        early = br_dominates(t->f, LLVMGetInstructionParent(i), br_loop_header(child[k]));
    return early;
}

static bool add_reading(times *t, LLVMValueRef value, int64_t offset) {
    if (t->nreadings == MAX_TIMES || !add_value(t, value))
        return false;
    t->reading[t->nreadings++] =
        (reading){value, t->ntimers, offset, is_early(t, value), NULL, NULL};
    return true;
}

/* Do in the loop only the clock, loads beside nests and markers use the memory at `p`? */
static bool add_loads(times *t, LLVMValueRef p, LLVMValueRef call) {
    bool good = true;
    for (LLVMUseRef u = LLVMGetFirstUse(p); u && good; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        int64_t offset;
        if (user == call || host_is_annotation(host_callee_name(user)))
            continue;
        if (LLVMIsAGetElementPtrInst(user))
            good = add_loads(t, user, call);
        else if (is_in(t, user))
            good = LLVMIsALoadInst(user) && host_is_plain(user) && is_beside(t, user) &&
                   br_base_and_offset(p, &offset) &&
                   LLVMIsAAllocaInst(br_base_and_offset(p, &offset)) &&
                   add_reading(t, user, offset);
    }
    return good;
}

static bool add_timer(times *t, LLVMValueRef call) {
    const struct clock_function *clock = clock_of(call);
    LLVMBasicBlockRef latch = br_loop_latch(t->l);
    if (!clock || t->ntimers == MAX_TIMERS || !is_beside(t, call) || !latch ||
        !br_dominates(t->f, LLVMGetInstructionParent(call), latch))
        return false;
    for (int i = 0; i < (int)LLVMGetNumArgOperands(call); i++)
        if (is_in(t, LLVMGetOperand(call, (unsigned)i)))
            return false;
    int readings = t->nreadings, values = t->nvalues, stores = t->nstores;
    LLVMValueRef memory = clock->memory < 0 ? NULL : LLVMGetOperand(call, (unsigned)clock->memory);
    bool good =
        memory ? LLVMIsAAllocaInst(memory) && !LLVMGetFirstUse(call) && add_loads(t, memory, call)
               : add_reading(t, call, 0);
    t->timer[t->ntimers] = (timer){call, clock};
    t->ntimers += good;
    if (!good) {
        t->nreadings = readings;
        t->nvalues = values;
        t->nstores = stores;
    }
    return good;
}

/* Sums of times */

typedef struct sum_of_times {
    LLVMValueRef phi, start, next; /* of the loop's head; before the loop; after a step */
} sum_of_times;

/* Do both read the same clock? */
static bool is_same(const timer *a, const timer *b) {
    bool same = a->function == b->function;
    for (int i = 0; same && i < (int)LLVMGetNumArgOperands(a->call); i++)
        same = i == a->function->memory ||
               LLVMGetOperand(a->call, (unsigned)i) == LLVMGetOperand(b->call, (unsigned)i);
    return same;
}

static const reading *reading_of(const times *t, LLVMValueRef v) {
    for (int i = 0; i < t->nreadings; i++)
        if (t->reading[i].value == v)
            return &t->reading[i];
    return NULL;
}

static int operands(LLVMValueRef v) {
    return LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
}

/* Are both the same if all readings of a clock show the same? */
static bool is_equal(const times *t, LLVMValueRef a, LLVMValueRef b, int *left) {
    const reading *r = reading_of(t, a), *s = reading_of(t, b);
    if (a == b || --*left < 0)
        return a == b;
    if (r && s)
        return r->offset == s->offset && is_same(&t->timer[r->timer], &t->timer[s->timer]);
    if (!LLVMIsAInstruction(a) || !LLVMIsAInstruction(b) || !is_arithmetic(a) ||
        LLVMIsACmpInst(a) || LLVMIsACallInst(a) ||
        LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
        LLVMTypeOf(a) != LLVMTypeOf(b))
        return false;
    bool equal = true;
    for (int i = 0; equal && i < operands(a); i++)
        equal = is_equal(t, LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i), left);
    return equal;
}

static bool is_nothing(const times *t, LLVMValueRef v, int *left);

static bool are_nothing(const times *t, LLVMValueRef v, bool second, int *left) {
    return is_nothing(t, LLVMGetOperand(v, 0), left) &&
           (!second || is_nothing(t, LLVMGetOperand(v, 1), left));
}

/* Is it 0 if all readings of a clock show the same? Times are finite. */
static bool is_nothing(const times *t, LLVMValueRef v, int *left) {
    if (!is_in(t, v) || --*left < 0)
        return false;
    int mul;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSub:
    case LLVMFSub:
        if (is_equal(t, LLVMGetOperand(v, 0), LLVMGetOperand(v, 1), left))
            return true;
        return are_nothing(t, v, true, left);
    case LLVMAdd:
    case LLVMFAdd:
        return are_nothing(t, v, true, left);
    case LLVMMul:
    case LLVMFMul:
        mul = is_in(t, LLVMGetOperand(v, 0)) ? 0 : 1;
        return is_nothing(t, LLVMGetOperand(v, (unsigned)mul), left);
    case LLVMSDiv:
    case LLVMFDiv:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
        return are_nothing(t, v, false, left);
    default:
        return false;
    }
}

/* Is what the store adds to memory a time? */
static bool adds_time(const times *t, LLVMValueRef store) {
    int left = MAX_TERM;
    LLVMValueRef sum = LLVMGetOperand(store, 0);
    return is_nothing(t, addend(sum, (unsigned)loaded_operand(t, store)), &left);
}

static times *find(br_function *f, br_loop l) {
    times *t = calloc(1, sizeof *t);
    LLVMBasicBlockRef block;
    t->f = f;
    t->l = l;
    for (size_t k = 0; (block = br_loop_block(l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            add_timer(t, i);
    for (int k = 0; k < t->nstores; k++)
        if (!adds_time(t, t->store[k]))
            t->ntimers = 0;
    return t;
}

bool prep_has_timers(br_function *f, br_loop l) {
    times *t = find(f, l);
    bool has = t->ntimers > 0;
    free(t);
    return has;
}

/* Reading clocks at the loop's start and end */

/* Reads the clock where the builder stands. It is the function's first of the same kind that
 * returns the time, if there is one. */
static LLVMValueRef read_clock(times *t, int number, const LLVMValueRef *calls) {
    const timer *k = &t->timer[number];
    for (int i = 0; i < number && k->function->memory < 0; i++)
        if (is_same(&t->timer[i], k))
            return calls[i];
    LLVMValueRef call = LLVMInstructionClone(k->call);
    LLVMInsertIntoBuilder(t->b, call);
    return call;
}

static LLVMValueRef load_time(times *t, const reading *r) {
    const timer *k = &t->timer[r->timer];
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(r->value));
    LLVMValueRef by = LLVMConstInt(LLVMInt64TypeInContext(c), (unsigned long long)r->offset, true);
    LLVMValueRef memory = LLVMGetOperand(k->call, (unsigned)k->function->memory);
    LLVMValueRef at = LLVMBuildGEP2(t->b, LLVMInt8TypeInContext(c), memory, &by, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(t->b, LLVMTypeOf(r->value), at, "");
    LLVMSetAlignment(v, LLVMGetAlignment(r->value));
    return v;
}

static void read_all(times *t, LLVMValueRef before, bool end) {
    LLVMValueRef calls[MAX_TIMERS];
    LLVMPositionBuilderBefore(t->b, before);
    for (int i = 0; i < t->ntimers; i++)
        calls[i] = read_clock(t, i, calls);
    for (int i = 0; i < t->nreadings; i++) {
        reading *r = &t->reading[i];
        bool loads = t->timer[r->timer].function->memory >= 0;
        *(end ? &r->end : &r->start) = loads ? load_time(t, r) : calls[r->timer];
    }
}

/* Does each step add a time to what the phi hands on? */
static bool is_sum(const times *t, LLVMValueRef phi, sum_of_times *s) {
    LLVMBasicBlockRef latch = br_loop_latch(t->l);
    *s = (sum_of_times){phi, NULL, NULL};
    if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != br_loop_header(t->l) ||
        LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        bool next = LLVMGetIncomingBlock(phi, i) == latch;
        *(next ? &s->next : &s->start) = LLVMGetIncomingValue(phi, i);
    }
    if (!s->next || !is_in(t, s->next) || !is_addition(s->next))
        return false;
    unsigned to = LLVMGetOperand(s->next, 0) == phi ? 0 : 1;
    int left = MAX_TERM;
    return LLVMGetOperand(s->next, to) == phi && is_nothing(t, addend(s->next, to), &left);
}

/* The sum that the phi behind the loop hands on, be it before the last step's time is added or
 * afterwards. */
static bool is_handed_on(const times *t, LLVMValueRef behind, sum_of_times *s) {
    bool found = false;
    for (int k = 0; k < t->nvalues && !found; k++) {
        found = is_sum(t, t->value[k], s);
        for (unsigned i = 0; found && i < LLVMCountIncoming(behind); i++) {
            LLVMValueRef v = LLVMGetIncomingValue(behind, i);
            found = v == s->phi || v == s->next;
        }
    }
    return found;
}

/* Computes v of the step behind the loop. Its operands are times, and values from in front of the
 * loop. */
static LLVMValueRef step_on(times *t, const sum_of_times *s, LLVMValueRef v) {
    if (v == s->phi)
        return s->start;
    if (!is_in(t, v))
        return v;
    const reading *r = reading_of(t, v);
    if (r)
        return r->early ? r->start : r->end;
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (int i = 0; i < operands(v); i++)
        LLVMSetOperand(copy, (unsigned)i, step_on(t, s, LLVMGetOperand(v, (unsigned)i)));
    LLVMInsertIntoBuilder(t->b, copy);
    return copy;
}

/* Adds the time to memory behind the loop, and no more in it. */
static void move_store(times *t, LLVMValueRef store) {
    LLVMValueRef sum = LLVMGetOperand(store, 0);
    LLVMValueRef load = LLVMGetOperand(sum, (unsigned)loaded_operand(t, store));
    sum_of_times s = {load, LLVMInstructionClone(load), sum};
    LLVMInsertIntoBuilder(t->b, s.start);
    LLVMValueRef copy = LLVMInstructionClone(store);
    LLVMSetOperand(copy, 0, step_on(t, &s, sum));
    LLVMInsertIntoBuilder(t->b, copy);
    LLVMInstructionEraseFromParent(store);
}

static LLVMValueRef first_behind_phis(LLVMBasicBlockRef b) {
    LLVMValueRef i = LLVMGetFirstInstruction(b);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* Gives the sums that are used behind the loop the time of the whole loop. */
static void sum_up(times *t, LLVMBasicBlockRef exit) {
    read_all(t, first_behind_phis(exit), true);
    for (LLVMValueRef i = LLVMGetFirstInstruction(exit); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        sum_of_times s;
        if (is_handed_on(t, i, &s))
            LLVMReplaceAllUsesWith(i, step_on(t, &s, s.next));
    }
    for (int k = 0; k < t->nstores; k++)
        move_store(t, t->store[k]);
}

/* The memory has times also in front of the loop and behind. */
static void erase_markers(LLVMValueRef memory) {
    for (LLVMUseRef u = LLVMGetFirstUse(memory), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (host_is_annotation(host_callee_name(user)))
            LLVMInstructionEraseFromParent(user);
    }
}

static void erase_timer(const timer *k) {
    int at = k->function->memory;
    if (at >= 0)
        erase_markers(LLVMGetOperand(k->call, (unsigned)at));
    LLVMInstructionEraseFromParent(k->call);
}

static void take_out(times *t) {
    for (int i = 0; i < t->nreadings; i++)
        LLVMReplaceAllUsesWith(t->reading[i].value, t->reading[i].start);
    for (int i = 0; i < t->nreadings; i++)
        if (LLVMIsALoadInst(t->reading[i].value))
            LLVMInstructionEraseFromParent(t->reading[i].value);
    for (int i = 0; i < t->ntimers; i++)
        erase_timer(&t->timer[i]);
}

/* The block behind the loop, to which the loop alone leads; NULL: the loop ends in several places.
 * The loop is to be looked for again. */
static LLVMBasicBlockRef exit_of_its_own(br_function *f, br_loop l) {
    LLVMBasicBlockRef exit = br_loop_exit_block(l), from[MAX_EXITS];
    size_t count = 0;
    bool others = false;
    if (!exit)
        return NULL;
    LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(exit));
    for (; u; u = LLVMGetNextUse(u)) {
        LLVMBasicBlockRef b = LLVMGetInstructionParent(LLVMGetUser(u));
        if (!br_loop_contains(l, b))
            others = true;
        else if (count < MAX_EXITS)
            from[count++] = b;
        else
            return NULL;
    }
    exit = others ? br_join(from, count, exit) : exit;
    br_function_invalidate(f);
    return exit;
}

static bool change(times *t, LLVMBasicBlockRef in_front, LLVMBasicBlockRef exit) {
    LLVMValueRef before = LLVMGetBasicBlockTerminator(in_front);
    if (t->ntimers == 0)
        return false;
    t->b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(before)));
    read_all(t, before, false);
    sum_up(t, exit);
    take_out(t);
    LLVMDisposeBuilder(t->b);
    return true;
}

LLVMBasicBlockRef prep_read_timers(prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(s->f, head);
    LLVMBasicBlockRef exit = l ? exit_of_its_own(s->f, l) : NULL;
    l = exit ? prep_loop_at(s->f, head) : NULL;
    LLVMBasicBlockRef in_front = l ? br_loop_prepare(s->f, l) : NULL;
    if (!in_front)
        return NULL;
    times *t = find(s->f, l);
    bool good = change(t, in_front, exit) && prep_run_passes(s->function, "adce,simplifycfg");
    free(t);
    s->body = LLVMGetEntryBasicBlock(s->function);
    br_function_invalidate(s->f);
    return good && prep_has_block(s->function, head) ? head : NULL;
}
