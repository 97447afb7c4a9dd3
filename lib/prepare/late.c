/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that prints numbers in each step, such as a cell, or the largest change:
 *
 *     for (t = 0; t < T; t++) {            for (t = 0, n = 0; t < T; t++) {
 *         sweep(b, a);                         sweep(b, a);
 *         printf("%d %g\n", t, b[5]);  ->      kept[n++] = b[5];
 *     }                                        if (n == N || t + 1 == T) {
 *                                                  for (j = 0; j < n; j++, s++)
 *                                                      printf("%d %g\n", s, kept[j]);
 *                                                  n = 0;
 *                                              }
 *                                          }
 *
 * Outputs of some steps are what pieces.h cuts a loop at. What the sweeps compute is kept, as a
 * trace in an array. What the CPU can compute of that, and of numbers of its own from step to step,
 * is computed again, in the same order.
 *
 * This is legal for functions of C's library that write to a stream, and read nothing but numbers,
 * constant strings and the stream: sweeps neither read nor change these. The outputs keep their
 * order, also among those that only some steps make, behind these. They come later than in the
 * plain program. So that nobody waits for them, a loop over steps that take long has fewer of them
 * between two outputs (set_pace).
 */
#include "prepare/late.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/checks.h"
#include "prepare/sequence.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_OUTPUTS = ST_LIMIT(32, 3),
    MAX_VALUES = ST_LIMIT(96, 8),
    MAX_KEPT = ST_LIMIT(12, 2),
    MAX_RARE = 8, /* branches to outputs of some steps */
    MAX_SLICE = 32,
    FIRST_STEPS = 8, /* whose outputs are made together at first */
    MOST_STEPS = 256
};

/* Functions that write to a stream, and the argument that is the stream; -1: there is none. */
static const struct output_function {
    const char *name;
    int stream;
} functions[] = {
    {"printf", -1}, {"__printf_chk", -1}, {"puts", -1},         {"putchar", -1},
    {"fprintf", 0}, {"fputc", 1},         {"__fprintf_chk", 0}, {"fputs", 1},
    {"putc", 1},    {"fflush", 0},        {"fwrite", 3},
};

typedef struct late {
    br_function *f;
    br_loop l;
    LLVMBasicBlockRef latch;
    LLVMValueRef output[MAX_OUTPUTS]; /* in their order */
    int outputs;
    /* Values that are computed again, behind their operands; then those that are kept. */
    LLVMValueRef own[MAX_VALUES + MAX_KEPT], copy[MAX_VALUES + MAX_KEPT];
    int count;
    /* That are kept, the array for that, and the output in front of which a nest's is kept. */
    LLVMValueRef kept[MAX_KEPT], trace[MAX_KEPT], before[MAX_KEPT];
    int nkept;
    /* Branches behind the outputs to others, which some steps make, and which way these are. */
    LLVMValueRef rare[MAX_RARE];
    unsigned way[MAX_RARE];
    int rares;
    LLVMBuilderRef b;
} late;

/* Outputs */

static const struct output_function *function_of(LLVMValueRef i) {
    const char *name = host_callee_name(i);
    if (!*name || !LLVMIsDeclaration(LLVMGetCalledValue(i)) || host_may_be_another(i))
        return NULL;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (!strcmp(name, functions[k].name))
            return &functions[k];
    return NULL;
}

/* Is it a constant string? In a format, %m would be errno. */
static bool is_text(LLVMValueRef v) {
    LLVMValueRef base = host_base_of(v);
    size_t length;
    if (!LLVMIsAGlobalVariable(base) || !LLVMIsGlobalConstant(base))
        return false;
    LLVMValueRef text = LLVMGetInitializer(base);
    if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
        return false;
    const char *s = LLVMGetAsString(text, &length);
    bool good = true;
    for (size_t i = 1; i < length && good; i++)
        good = s[i - 1] != '%' || s[i] != 'm';
    return good;
}

static bool is_output(LLVMValueRef i) {
    const struct output_function *function = function_of(i);
    bool good = function && !LLVMGetFirstUse(i);
    for (int k = 0; good && k < (int)LLVMGetNumArgOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
        good = !pointer || k == function->stream || is_text(v);
    }
    return good;
}

/* Has it an effect that is no array's? */
static bool is_loud(LLVMValueRef i) {
    if (LLVMIsAStoreInst(i))
        return !host_is_plain(i);
    if (!LLVMIsACallInst(i))
        return br_may_write(i);
    const char *name = host_callee_name(i);
    return !host_is_annotation(name) && !host_is_operation(name) && !host_is_copy(i) &&
           !host_is_array_assignment(i) && !host_sets_errno(name) && br_may_write(i);
}

static bool is_beside(const late *k, LLVMValueRef i) {
    return br_loop_of(k->f, LLVMGetInstructionParent(i)) == k->l;
}

/* Adds an output behind those that come before it. False: not each step makes it, once. */
static bool add_output(late *k, LLVMValueRef i) {
    if (k->outputs == MAX_OUTPUTS || !is_output(i) || !is_beside(k, i) ||
        !br_dominates(k->f, LLVMGetInstructionParent(i), k->latch))
        return false;
    int at = k->outputs++;
    for (; at > 0 && br_comes_first(k->f, i, k->output[at - 1]); at--)
        k->output[at] = k->output[at - 1];
    k->output[at] = i;
    return true;
}

/* Is this way of the branch the only one to the block, which may be in a loop that it leads to? */
static bool leads_to(const late *k, LLVMValueRef branch, unsigned way, LLVMBasicBlockRef b) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(branch, way);
    bool only = LLVMGetSuccessor(branch, 1 - way) != to;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(to)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef from = LLVMGetUser(u);
        only &= from == branch || br_dominates(k->f, to, LLVMGetInstructionParent(from));
    }
    return only && br_dominates(k->f, to, b);
}

/* Notes the branch, behind the outputs of each step, that leads to an output of some steps. False:
 * there is none. */
static bool add_rare(late *k, LLVMBasicBlockRef b) {
    LLVMBasicBlockRef last = LLVMGetInstructionParent(k->output[k->outputs - 1]), block;
    for (int i = 0; i < k->rares; i++)
        if (leads_to(k, k->rare[i], k->way[i], b))
            return true;
    for (size_t n = 0; (block = br_loop_block(k->l, n)) && k->rares < MAX_RARE; n++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
        if (!br_is_conditional(branch) || br_loop_of(k->f, block) != k->l ||
            !br_dominates(k->f, block, k->latch) || !br_dominates(k->f, last, block))
            continue;
        for (unsigned way = 0; way < 2; way++)
            if (leads_to(k, branch, way, b)) {
                k->rare[k->rares] = branch;
                k->way[k->rares++] = way;
                return true;
            }
    }
    return false;
}

static bool is_loud_block(LLVMBasicBlockRef b) {
    bool loud = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !loud; i = LLVMGetNextInstruction(i))
        loud = is_loud(i);
    return loud;
}

/* Finds the outputs of each step, and those of some steps, which come behind these. */
static bool find_outputs(late *k) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(k->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (is_loud(i) && br_dominates(k->f, block, k->latch) && !add_output(k, i))
                return false;
    if (k->outputs == 0)
        return false;
    for (size_t b = 0; (block = br_loop_block(k->l, b)); b++)
        if (!br_dominates(k->f, block, k->latch) && is_loud_block(block) && !add_rare(k, block))
            return false;
    return true;
}

/* What outputs need */

static bool is_number(LLVMValueRef v) {
    st_type type;
    return host_type(LLVMTypeOf(v), &type);
}

static bool is_pure(LLVMValueRef v) {
    if (LLVMIsACallInst(v))
        return host_is_operation(host_callee_name(v)) && !br_may_write(v);
    return LLVMIsABinaryOperator(v) || LLVMIsAUnaryOperator(v) || LLVMIsACmpInst(v) ||
           LLVMIsASelectInst(v) || LLVMIsACastInst(v) || LLVMIsAFreezeInst(v);
}

/* Is it loaded from one place that no step changes, as a stream is? */
static bool is_fixed_load(const late *k, LLVMValueRef v) {
    LLVMBasicBlockRef block;
    if (!LLVMIsALoadInst(v) || !host_is_plain(v) || host_in_loop(k->l, LLVMGetOperand(v, 0)))
        return false;
    for (size_t b = 0; (block = br_loop_block(k->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (br_may_write(i) && !is_output(i) && !host_writes_errno_alone(i, v) &&
                br_may_change(k->f, i, v))
                return false;
    return true;
}

static bool lists(LLVMValueRef const *list, int count, LLVMValueRef v) {
    bool listed = false;
    for (int i = 0; i < count; i++)
        listed |= list[i] == v;
    return listed;
}

static bool keep(late *k, LLVMValueRef v, LLVMValueRef output) {
    if (lists(k->kept, k->nkept, v))
        return true;
    if (k->nkept == MAX_KEPT || !is_number(v) || LLVMIsATerminatorInst(v))
        return false;
    k->before[k->nkept] = output;
    k->kept[k->nkept++] = v;
    return true;
}

/* Adds a value that the output needs, behind those that it is computed of. False: it is nothing
 * that can be had later.
 */
static bool add_value(late *k, LLVMValueRef v, LLVMValueRef output) {
    if (!LLVMIsAInstruction(v) || !host_in_loop(k->l, v) || lists(k->own, k->count, v))
        return true;
    if (!is_beside(k, v)) /* what a nest in front of the output computes of all cells */
        return br_dominates(k->f, LLVMGetInstructionParent(v), LLVMGetInstructionParent(output)) &&
               keep(k, v, output);
    if (k->count == MAX_VALUES)
        return false;
    if (LLVMIsAPHINode(v) && host_is_at_head(k->l, v) && LLVMCountIncoming(v) == 2 &&
        is_number(v)) {
        k->own[k->count++] = v;
        return add_value(k, host_incoming(v, k->l, true), output);
    }
    if (!is_pure(v) && !is_fixed_load(k, v))
        return keep(k, v, output);
    int operands = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
    for (int i = 0; i < operands; i++)
        if (!add_value(k, LLVMGetOperand(v, (unsigned)i), output))
            return false;
    if (lists(k->own, k->count, v))
        return true;
    if (k->count == MAX_VALUES)
        return false;
    k->own[k->count++] = v;
    return true;
}

/* Is the value there behind the last output, or can it be computed there? */
static bool is_there(const late *k, LLVMValueRef v, int *left) {
    LLVMValueRef last = k->output[k->outputs - 1];
    if (!LLVMIsAInstruction(v) || !host_in_loop(k->l, v) || br_comes_first(k->f, v, last))
        return true;
    bool there = --*left > 0 && is_pure(v) && !LLVMIsACallInst(v);
    for (int i = 0; there && i < LLVMGetNumOperands(v); i++)
        there = is_there(k, LLVMGetOperand(v, (unsigned)i), left);
    return there;
}

/* Can be told behind the last output whether the loop ends, or an output of some steps follows? */
static bool tells_what_follows(const late *k) {
    int left = MAX_SLICE;
    bool good = is_there(k, LLVMGetCondition(LLVMGetBasicBlockTerminator(k->latch)), &left);
    for (int i = 0; i < k->rares && good; i++)
        good = is_there(k, LLVMGetCondition(k->rare[i]), &left);
    return good;
}

static bool find(late *k, br_function *f, br_loop l) {
    memset(k, 0, sizeof *k);
    k->f = f;
    k->l = l;
    k->latch = br_loop_latch(l);
    if (!k->latch || br_loop_exiting_block(l) != k->latch || !find_outputs(k))
        return false;
    for (int n = 0; n < k->outputs; n++)
        for (int i = 0; i < (int)LLVMGetNumArgOperands(k->output[n]); i++)
            if (!add_value(k, LLVMGetOperand(k->output[n], (unsigned)i), k->output[n]))
                return false;
    LLVMValueRef last = k->output[k->outputs - 1];
    for (int n = 0; n < k->nkept; n++)
        if (!br_comes_first(f, k->kept[n], last))
            return false;
    return tells_what_follows(k);
}

bool prep_has_late(br_function *f, br_loop l) {
    late *k = malloc(sizeof *k);
    bool has = find(k, f, l);
    free(k);
    return has;
}

/* The loop over the outputs of several steps */

static LLVMValueRef number(LLVMTypeRef type, uint64_t n) {
    return LLVMConstInt(type, n, false);
}

static LLVMValueRef copied(const late *k, LLVMValueRef v) {
    for (int i = 0; i < k->count; i++)
        if (k->own[i] == v)
            return k->copy[i];
    return v;
}

static LLVMValueRef copy_instruction(const late *k, LLVMValueRef i) {
    LLVMValueRef copy = LLVMInstructionClone(i);
    for (int o = 0; o < LLVMGetNumOperands(i); o++)
        LLVMSetOperand(copy, (unsigned)o, copied(k, LLVMGetOperand(i, (unsigned)o)));
    LLVMInsertIntoBuilder(k->b, copy);
    return copy;
}

static LLVMValueRef element(const late *k, int n, LLVMValueRef at) {
    return LLVMBuildInBoundsGEP2(k->b, LLVMTypeOf(k->kept[n]), k->trace[n], &at, 1, "");
}

/* Keeps values of the step with this number. */
static void keep_values(const late *k, LLVMValueRef step) {
    for (int n = 0; n < k->nkept; n++) {
        LLVMValueRef v = k->kept[n];
        LLVMPositionBuilderBefore(k->b, !is_beside(k, v) ? k->before[n]
                                        : LLVMIsAPHINode(v)
                                            ? host_first_after_phis(LLVMGetInstructionParent(v))
                                            : LLVMGetNextInstruction(v));
        LLVMBuildStore(k->b, v, element(k, n, step));
    }
}

static void allocate(late *k, LLVMValueRef function) {
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    LLVMPositionBuilderBefore(k->b, first);
    for (int n = 0; n < k->nkept; n++)
        k->trace[n] = LLVMBuildAlloca(k->b, LLVMArrayType2(LLVMTypeOf(k->kept[n]), MOST_STEPS), "");
}

/* In each step: how many have been made since the last outputs, the most of these, when the first
 * began; and what the step after the last outputs starts from. */
typedef struct states {
    LLVMValueRef made, most, began, first[MAX_VALUES]; /* phis at the head */
    LLVMValueRef next[MAX_VALUES];                     /* what the program's phis get from a step */
    LLVMValueRef last[MAX_VALUES];                     /* behind the outputs */
    LLVMValueRef done, next_most, now;
} states;

static LLVMValueRef phi_at_head(const late *k, LLVMTypeRef type) {
    LLVMPositionBuilderBefore(k->b, LLVMGetFirstInstruction(br_loop_header(k->l)));
    return LLVMBuildPhi(k->b, type, "");
}

static void add_incoming(LLVMValueRef phi, LLVMValueRef v, LLVMBasicBlockRef from) {
    LLVMAddIncoming(phi, &v, &from, 1);
}

/* C's time(); NULL: in this module that is something else. */
static LLVMValueRef time_function(LLVMModuleRef m, LLVMTypeRef *type) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, 0), wide = LLVMInt64TypeInContext(c);
    *type = LLVMFunctionType(wide, &pointer, 1, false);
    LLVMValueRef named = LLVMGetNamedFunction(m, "time");
    if (named)
        return LLVMIsDeclaration(named) && LLVMGlobalGetValueType(named) == *type ? named : NULL;
    return LLVMGetNamedGlobal(m, "time") ? NULL : LLVMAddFunction(m, "time", *type);
}

/* Seconds that the clock shows where the builder stands. Without a clock, so many at each reading
 * that the pace stays. */
static LLVMValueRef read_clock(const late *k, LLVMModuleRef m, LLVMValueRef before) {
    LLVMTypeRef type;
    LLVMValueRef function = time_function(m, &type);
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMValueRef none = LLVMConstNull(LLVMPointerTypeInContext(c, 0));
    LLVMValueRef two = number(LLVMInt64TypeInContext(c), 2);
    if (function)
        return LLVMBuildCall2(k->b, type, function, &none, 1, "");
    return before ? LLVMBuildAdd(k->b, before, two, "") : two;
}

/* How many steps come before the next outputs: twice as many if these took at most a second, a
 * quarter if they took more than two. */
static LLVMValueRef set_pace(const late *k, const states *s) {
    LLVMTypeRef wide = LLVMTypeOf(s->most);
    LLVMValueRef took = LLVMBuildSub(k->b, s->now, s->began, "");
    LLVMValueRef fast = LLVMBuildICmp(k->b, LLVMIntSLE, took, number(wide, 1), "");
    LLVMValueRef slow = LLVMBuildICmp(k->b, LLVMIntSGT, took, number(wide, 2), "");
    LLVMValueRef limit = LLVMBuildICmp(k->b, LLVMIntUGE, s->most, number(wide, MOST_STEPS), "");
    LLVMValueRef more =
        LLVMBuildSelect(k->b, limit, s->most, LLVMBuildShl(k->b, s->most, number(wide, 1), ""), "");
    LLVMValueRef least = LLVMBuildICmp(k->b, LLVMIntULT, s->most, number(wide, 4), "");
    LLVMValueRef less = LLVMBuildSelect(k->b, least, number(wide, 1),
                                        LLVMBuildLShr(k->b, s->most, number(wide, 2), ""), "");
    LLVMValueRef same = LLVMBuildSelect(k->b, slow, less, s->most, "");
    return LLVMBuildSelect(k->b, fast, more, same, "");
}

/* Makes the phis at the loop's head, which are to get what a step leaves. */
static void begin_states(const late *k, states *s, LLVMBasicBlockRef before, LLVMModuleRef m) {
    LLVMTypeRef wide = LLVMInt64TypeInContext(LLVMGetModuleContext(m));
    LLVMPositionBuilderBefore(k->b, LLVMGetBasicBlockTerminator(before));
    LLVMValueRef now = read_clock(k, m, NULL);
    s->made = phi_at_head(k, wide);
    s->most = phi_at_head(k, wide);
    s->began = phi_at_head(k, wide);
    add_incoming(s->made, number(wide, 0), before);
    add_incoming(s->most, number(wide, FIRST_STEPS), before);
    add_incoming(s->began, now, before);
    for (int i = 0; i < k->count; i++) {
        s->first[i] = LLVMIsAPHINode(k->own[i]) ? phi_at_head(k, LLVMTypeOf(k->own[i])) : NULL;
        if (!s->first[i])
            continue;
        add_incoming(s->first[i], host_incoming(k->own[i], k->l, false), before);
        s->next[i] = host_incoming(k->own[i], k->l, true);
    }
}

/* The outputs of all steps since the last ones, in a loop of its own, to which control comes from
 * `from`. The block behind it. */
static LLVMBasicBlockRef build_outputs(late *k, states *s, LLVMBasicBlockRef from,
                                       LLVMBasicBlockRef to) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(s->made));
    LLVMBasicBlockRef loop = LLVMInsertBasicBlockInContext(c, to, "");
    LLVMBasicBlockRef behind = LLVMInsertBasicBlockInContext(c, to, "");
    LLVMPositionBuilderAtEnd(k->b, loop);
    LLVMValueRef step = LLVMBuildPhi(k->b, LLVMTypeOf(s->made), "");
    for (int i = 0; i < k->count; i++)
        if (s->first[i]) {
            k->copy[i] = LLVMBuildPhi(k->b, LLVMTypeOf(k->own[i]), "");
            add_incoming(k->copy[i], s->first[i], from);
        }
    LLVMValueRef loaded[MAX_KEPT];
    for (int n = 0; n < k->nkept; n++)
        loaded[n] = LLVMBuildLoad2(k->b, LLVMTypeOf(k->kept[n]), element(k, n, step), "");
    for (int n = 0; n < k->nkept; n++, k->count++) { /* stand for what was kept */
        k->own[k->count] = k->kept[n];
        k->copy[k->count] = loaded[n];
    }
    int count = k->count - k->nkept;
    for (int i = 0; i < count; i++)
        if (!s->first[i])
            k->copy[i] = copy_instruction(k, k->own[i]);
    for (int n = 0; n < k->outputs; n++)
        copy_instruction(k, k->output[n]);
    LLVMValueRef next = LLVMBuildNUWAdd(k->b, step, number(LLVMTypeOf(step), 1), "");
    add_incoming(step, number(LLVMTypeOf(step), 0), from);
    add_incoming(step, next, loop);
    for (int i = 0; i < count; i++)
        if (s->first[i]) {
            s->last[i] = copied(k, s->next[i]);
            add_incoming(k->copy[i], s->last[i], loop);
        }
    k->count = count;
    LLVMValueRef end = LLVMBuildICmp(k->b, LLVMIntEQ, next, s->done, "");
    prep_leave_loop(LLVMBuildCondBr(k->b, end, behind, loop));
    LLVMPositionBuilderAtEnd(k->b, behind);
    s->now = read_clock(k, LLVMGetGlobalParent(LLVMGetBasicBlockParent(to)), s->began);
    s->next_most = set_pace(k, s);
    LLVMBuildBr(k->b, to);
    return behind;
}

/* Behind the outputs of a step: what it leaves, be they made or not. */
static void hand_on(const late *k, LLVMValueRef phi, LLVMValueRef with, LLVMBasicBlockRef outputs,
                    LLVMValueRef without, LLVMBasicBlockRef step, LLVMBasicBlockRef behind,
                    LLVMBasicBlockRef latch) {
    LLVMPositionBuilderBefore(k->b, LLVMGetFirstInstruction(behind));
    LLVMValueRef next = LLVMBuildPhi(k->b, LLVMTypeOf(phi), "");
    add_incoming(next, with, outputs);
    add_incoming(next, without, step);
    add_incoming(phi, next, latch);
}

/* The value, computed where the builder stands: behind the last output. */
static LLVMValueRef compute(const late *k, LLVMValueRef v) {
    LLVMValueRef last = k->output[k->outputs - 1];
    if (!LLVMIsAInstruction(v) || !host_in_loop(k->l, v) || br_comes_first(k->f, v, last))
        return v;
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        LLVMSetOperand(copy, (unsigned)i, compute(k, LLVMGetOperand(v, (unsigned)i)));
    LLVMInsertIntoBuilder(k->b, copy);
    return copy;
}

static LLVMValueRef goes(const late *k, LLVMValueRef branch, unsigned way) {
    LLVMValueRef c = compute(k, LLVMGetCondition(branch));
    return way == 0 ? c : LLVMBuildNot(k->b, c, "");
}

/* Are the outputs to be made in this step: is it the last one, have enough been made, or does
 * another output follow? */
static LLVMValueRef emit_due(const late *k, const states *t) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(k->latch);
    unsigned out = br_loop_contains(k->l, LLVMGetSuccessor(end, 0)) ? 1 : 0;
    LLVMValueRef due = LLVMBuildICmp(k->b, LLVMIntUGE, t->done, t->most, "");
    due = LLVMBuildOr(k->b, due, goes(k, end, out), "");
    for (int i = 0; i < k->rares; i++)
        due = LLVMBuildOr(k->b, due, goes(k, k->rare[i], k->way[i]), "");
    return due;
}

/* Behind the last output of a step: its outputs and those of steps before it, or none. */
static void delay(late *k, prep_shadow *s, LLVMBasicBlockRef before) {
    states *t = calloc(1, sizeof *t);
    LLVMValueRef rest = LLVMGetNextInstruction(k->output[k->outputs - 1]);
    LLVMBasicBlockRef step = LLVMGetInstructionParent(rest);
    LLVMModuleRef m = LLVMGetGlobalParent(s->function);
    LLVMTypeRef wide = LLVMInt64TypeInContext(LLVMGetModuleContext(m));
    allocate(k, s->function);
    begin_states(k, t, before, m);
    keep_values(k, t->made);
    LLVMPositionBuilderBefore(k->b, rest);
    t->done = LLVMBuildNUWAdd(k->b, t->made, number(wide, 1), "");
    LLVMValueRef due = emit_due(k, t);
    LLVMBasicBlockRef latch = k->latch, behind = br_split_before(rest);
    latch = latch == step ? behind : latch;
    LLVMBasicBlockRef outputs = build_outputs(k, t, step, behind);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(step));
    LLVMPositionBuilderAtEnd(k->b, step);
    LLVMBuildCondBr(k->b, due, LLVMGetPreviousBasicBlock(outputs), behind);
    hand_on(k, t->made, number(wide, 0), outputs, t->done, step, behind, latch);
    hand_on(k, t->most, t->next_most, outputs, t->most, step, behind, latch);
    hand_on(k, t->began, t->now, outputs, t->began, step, behind, latch);
    for (int i = 0; i < k->count; i++)
        if (t->first[i])
            hand_on(k, t->first[i], t->last[i], outputs, t->first[i], step, behind, latch);
    for (int n = 0; n < k->outputs; n++)
        LLVMInstructionEraseFromParent(k->output[n]);
    free(t);
}

LLVMBasicBlockRef prep_delay_outputs(prep_shadow *s, LLVMBasicBlockRef head) {
    late *k = malloc(sizeof *k);
    br_loop l = prep_loop_at(s->f, head);
    LLVMBasicBlockRef before = l ? br_loop_prepare(s->f, l) : NULL;
    br_function_invalidate(s->f);
    l = before ? prep_loop_at(s->f, head) : NULL;
    bool good = l && find(k, s->f, l);
    if (good) {
        k->b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
        delay(k, s, before);
        LLVMDisposeBuilder(k->b);
        good = prep_run_passes(s->function, "adce");
    }
    free(k);
    s->body = LLVMGetEntryBasicBlock(s->function);
    br_function_invalidate(s->f);
    return good && prep_has_block(s->function, head) ? head : NULL;
}
