/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Emits a function that the runtime calls at the end of each step, if the program then decides
 * something. From what the GPU reduced, it computes the values that the time loop carries, and
 * whether the loop continues.
 *
 * Emits a function that the runtime calls within a step, if later sweeps use values that depend on
 * what the step has reduced.
 */
#include "offload/tail.h"

#include <stdlib.h>

/* Room for eight exits of 60 instructions each; a counter takes two places. */
enum { MAX_SEEN = ST_LIMIT(1024, 4) };

/* On the heap: it is too large for the stack of a small thread. */
typedef struct tail_values {
    LLVMValueRef captured[MAX_SEEN];
    size_t ncaptured;
    LLVMValueRef seen[MAX_SEEN], is[MAX_SEEN];
    size_t nseen;
} tail_values;

/* Where values are emitted: in the program, or in a function of their own. Such a function gets the
 * program's values in an array. */
typedef struct tail {
    const rewriter *w;
    const host_steps *s;
    LLVMBuilderRef b;
    /* The number of the step, and the address of the step's reductions. */
    LLVMValueRef step, values;
    LLVMValueRef context; /* the array with the program's values; NULL in the program itself */
    /* Values carried into this step; NULL: load those of the last step. */
    LLVMValueRef carried[HOST_MAX_CARRIED];
    tail_values *all; /* NULL if no values are emitted */
} tail;

bool tail_is_checked(const rewriter *w) {
    return w->sweeps[0]->steps && host_is_checked(w->sweeps[0]->steps);
}

static LLVMValueRef load_from(const tail *t, LLVMValueRef p, size_t bytes, LLVMTypeRef type) {
    LLVMValueRef at = emit_int(t->w, (int64_t)bytes);
    p = LLVMBuildGEP2(t->b, LLVMInt8TypeInContext(t->w->c), p, &at, 1, "");
    return LLVMBuildLoad2(t->b, type, p, "");
}

/* Loads element i of an array with slots of 8 bytes. */
static LLVMValueRef load_at(const tail *t, LLVMValueRef array, size_t i, LLVMTypeRef type) {
    return load_from(t, array, 8 * i, type);
}

/* Loads a field of struct stencilrt_check. */
static LLVMValueRef load_checked(const tail *t, LLVMValueRef check, size_t slot) {
    return load_from(t, check, layout_offset(LAYOUT(check), slot),
                     layout_slot_type(t->w->c, LAYOUT(check), slot));
}

static LLVMValueRef outside(tail *t, LLVMValueRef v) {
    if (!t->context || LLVMIsConstant(v))
        return v;
    size_t i = 0;
    while (i < t->all->ncaptured && t->all->captured[i] != v)
        i++;
    if (i == t->all->ncaptured)
        t->all->captured[t->all->ncaptured++] = v;
    return load_at(t, t->context, i, LLVMTypeOf(v));
}

static LLVMValueRef emit(tail *t, LLVMValueRef v);

/* The sum, or the extreme; of equal ones the first. */
static LLVMValueRef combine(const tail *t, const host_reduction *by, LLVMValueRef first,
                            LLVMValueRef second) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(first));
    bool is_float = kind != LLVMIntegerTypeKind, max = by->op == ST_REDUCE_MAX;
    if (by->op == ST_REDUCE_SUM)
        return is_float ? LLVMBuildFAdd(t->b, first, second, "")
                        : LLVMBuildAdd(t->b, first, second, "");
    LLVMIntPredicate greater = by->is_signed ? LLVMIntSGT : LLVMIntUGT;
    LLVMIntPredicate less = by->is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMValueRef other =
        is_float ? LLVMBuildFCmp(t->b, max ? LLVMRealOGT : LLVMRealOLT, second, first, "")
                 : LLVMBuildICmp(t->b, max ? greater : less, second, first, "");
    return LLVMBuildSelect(t->b, other, second, first, "");
}

static LLVMValueRef reduced(tail *t, const host_region *r, int which, LLVMValueRef v) {
    const host_reduction *by = &r->reductions[which];
    size_t before = 0;
    for (int i = 0; t->s->sweeps[i] != r; i++)
        before += (size_t)t->s->sweeps[i]->nreductions;
    LLVMValueRef own = load_at(t, t->values, before + (size_t)which, LLVMTypeOf(v));
    return by->from ? combine(t, by, emit(t, by->from), own) : own;
}

static LLVMValueRef counter(tail *t, LLVMValueRef phi) {
    LLVMTypeRef type = LLVMTypeOf(phi);
    bool first = LLVMGetIncomingBlock(phi, 0) == br_loop_latch(t->s->time);
    br_scev by = br_scev_operand(br_scev_of(t->s->f, phi), 1);
    int64_t literal;
    LLVMValueRef step = br_scev_int(by, &literal)
                            ? LLVMConstInt(type, (unsigned long long)literal, true)
                            : outside(t, br_scev_value(by));
    LLVMValueRef n = LLVMBuildTruncOrBitCast(t->b, t->step, type, "");
    LLVMValueRef start = outside(t, LLVMGetIncomingValue(phi, first ? 1 : 0));
    return LLVMBuildAdd(t->b, start, LLVMBuildMul(t->b, n, step, ""), "");
}

static size_t ncarried(const tail *t) {
    return (size_t)t->s->carried->count;
}

/* A carried value. Before the last step is done, all are known. After it, the value is loaded from
 * the state. */
static LLVMValueRef carried(const tail *t, int number, LLVMValueRef v) {
    if (t->carried[number])
        return t->carried[number];
    return load_at(t, t->w->state, ncarried(t) + (size_t)number, LLVMTypeOf(v));
}

static LLVMValueRef copy(tail *t, LLVMValueRef v) {
    LLVMValueRef operands[8], clone = LLVMInstructionClone(v);
    unsigned count =
        LLVMIsACallInst(v) ? LLVMGetNumArgOperands(v) : (unsigned)LLVMGetNumOperands(v);
    for (unsigned i = 0; i < count; i++)
        operands[i] = emit(t, LLVMGetOperand(v, i));
    for (unsigned i = 0; i < count; i++)
        LLVMSetOperand(clone, i, operands[i]);
    /* The clone's debug location belongs to another function. */
    LLVMSetMetadata(clone, LLVMGetMDKindIDInContext(t->w->c, "dbg", 3), NULL);
    LLVMInsertIntoBuilder(t->b, clone);
    return clone;
}

static LLVMValueRef emit_new(tail *t, LLVMValueRef v) {
    int which;
    if (!host_in_loop(t->s->time, v))
        return outside(t, v);
    if (host_is_carried(t->s, v, &which))
        return carried(t, which, v);
    const host_region *r = host_reduced(t->s, v, &which);
    return r ? reduced(t, r, which, v) : host_is_counter(t->s, v) ? counter(t, v) : copy(t, v);
}

static LLVMValueRef emit(tail *t, LLVMValueRef v) {
    v = host_settled(t->s, v);
    for (size_t i = 0; i < t->all->nseen; i++)
        if (t->all->seen[i] == v)
            return t->all->is[i];
    LLVMValueRef is = emit_new(t, v);
    if (t->all->nseen < MAX_SEEN) {
        t->all->seen[t->all->nseen] = v;
        t->all->is[t->all->nseen++] = is;
    }
    return is;
}

/* The number of the first exit whose condition holds, or 0. */
static LLVMValueRef emit_exit(tail *t) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(t->w->c);
    LLVMValueRef exit = LLVMConstInt(i32, 0, false);
    for (int i = t->s->nexits - 1; i >= 0; i--) {
        bool leaves;
        LLVMValueRef taken = emit(t, LLVMGetCondition(host_exit_branch(t->s, i, &leaves)));
        if (!leaves)
            taken = LLVMBuildNot(t->b, taken, "");
        exit = LLVMBuildSelect(t->b, taken, LLVMConstInt(i32, (unsigned)i + 1, false), exit, "");
    }
    return exit;
}

/* Carried values that the CPU computes in each step, and that sweeps use as scalars. */

static size_t count_followed(const host_region *r, size_t before) {
    size_t count = 0;
    for (size_t i = 0; i < before; i++)
        count += r->stencil->scalars[i].followed;
    return count;
}

LLVMValueRef tail_emit_state(const rewriter *w) {
    const host_steps *s = w->sweeps[0]->steps;
    size_t count = s ? 2 * (size_t)s->carried->count : 0;
    for (size_t k = 0; k < w->count; k++)
        count += count_followed(w->sweeps[k], w->sweeps[k]->stencil->nscalars);
    return count > 0 ? emit_array(w, emit_i64(w), count) : NULL;
}

static LLVMValueRef state_at(const tail *t, LLVMValueRef state, size_t i) {
    LLVMValueRef at = emit_int(t->w, (int64_t)(8 * i));
    return LLVMBuildGEP2(t->b, LLVMInt8TypeInContext(t->w->c), state, &at, 1, "");
}

/* The place of the sweep's first such scalar. */
static size_t first_followed(const rewriter *w, const host_region *sweep) {
    size_t at = 2 * (size_t)w->sweeps[0]->steps->carried->count;
    for (size_t k = 0; w->sweeps[k] != sweep; k++)
        at += count_followed(w->sweeps[k], w->sweeps[k]->stencil->nscalars);
    return at;
}

LLVMValueRef tail_followed_at(const rewriter *w, const host_region *sweep, size_t number) {
    tail t = {.w = w, .b = w->b};
    size_t at = first_followed(w, sweep) + count_followed(sweep, number);
    return LLVMBuildPtrToInt(w->b, state_at(&t, w->state, at), emit_i64(w), "");
}

/* Stores such scalars, for the current step, in the state: the late ones, or the others. */
static void emit_followed(tail *t, LLVMValueRef state, bool late) {
    for (size_t k = 0; k < t->w->count; k++) {
        const host_region *r = t->w->sweeps[k];
        size_t at = first_followed(t->w, r);
        for (size_t i = 0; i < r->stencil->nscalars; i++)
            if (r->stencil->scalars[i].followed && r->stencil->scalars[i].late != late)
                at++;
            else if (r->stencil->scalars[i].followed)
                LLVMBuildStore(t->b, emit(t, r->scalars[i].value), state_at(t, state, at++));
    }
}

static void emit_first(tail *t) {
    LLVMValueRef state = t->w->state;
    t->step = emit_int(t->w, 0);
    for (size_t i = 0; i < ncarried(t); i++) {
        t->carried[i] = outside(t, host_carried_value(t->s, (int)i, false));
        LLVMBuildStore(t->b, t->carried[i], state_at(t, state, i));
    }
    emit_followed(t, state, false);
}

static void load_carried(tail *t, LLVMValueRef state) {
    for (size_t i = 0; i < ncarried(t); i++)
        t->carried[i] = load_at(t, state, i, LLVMTypeOf(t->s->carried->phi[i]));
}

/* Computes the carried values of the next step. Afterwards `t` is in the next step. */
static void emit_next(tail *t, LLVMValueRef state) {
    LLVMValueRef next[HOST_MAX_CARRIED];
    size_t count = ncarried(t);
    for (size_t i = 0; i < count; i++)
        next[i] = emit(t, host_carried_value(t->s, (int)i, true));
    for (size_t i = 0; i < count; i++) {
        LLVMBuildStore(t->b, t->carried[i], state_at(t, state, count + i));
        LLVMBuildStore(t->b, next[i], state_at(t, state, i));
        t->carried[i] = next[i];
    }
    t->step = LLVMBuildAdd(t->b, t->step, emit_int(t->w, 1), "");
    t->all->nseen = 0;
}

/* 1 when all steps of a counted loop are done, otherwise 0. */
static LLVMValueRef emit_count(tail *t) {
    LLVMValueRef done = LLVMBuildAdd(t->b, t->step, emit_int(t->w, 1), "");
    LLVMValueRef all = LLVMBuildICmp(t->b, LLVMIntUGE, done, outside(t, t->w->steps), "");
    return LLVMBuildZExt(t->b, all, LLVMInt32TypeInContext(t->w->c), "");
}

/* The function is result name(const void *context, int64_t step, const uint64_t *values). Returns
 * the address of the state, or NULL. */
static LLVMValueRef begin_function(tail *t, LLVMTypeRef result, const char *name, LLVMValueRef *f) {
    const rewriter *w = t->w;
    LLVMTypeRef types[] = {emit_pointer(w), emit_i64(w), emit_pointer(w)};
    *f = LLVMAddFunction(w->m, name, LLVMFunctionType(result, types, 3, false));
    LLVMSetLinkage(*f, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(t->b, LLVMAppendBasicBlockInContext(w->c, *f, ""));
    t->context = LLVMGetParam(*f, 0);
    t->step = LLVMGetParam(*f, 1);
    t->values = LLVMGetParam(*f, 2);
    t->all->nseen = 0;
    LLVMValueRef state = w->state ? outside(t, w->state) : NULL;
    if (state)
        load_carried(t, state);
    return state;
}

/* stencilrt_ends */
static LLVMValueRef emit_ends(tail *t) {
    LLVMValueRef f,
        state = begin_function(t, LLVMInt32TypeInContext(t->w->c), "stencilopt.ends", &f);
    LLVMContextRef c = t->w->c;
    LLVMValueRef exit = t->s->stops ? emit_exit(t) : emit_count(t);
    if (state)
        emit_next(t, state);
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(c, f, "goes_on");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(c, f, "done");
    LLVMValueRef zero = LLVMConstInt(LLVMInt32TypeInContext(c), 0, false);
    LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntEQ, exit, zero, ""), on, done);
    LLVMPositionBuilderAtEnd(t->b, on);
    if (state)
        emit_followed(t, state, false);
    LLVMBuildBr(t->b, done);
    LLVMPositionBuilderAtEnd(t->b, done);
    LLVMBuildRet(t->b, exit);
    return f;
}

static bool has_late_value(const rewriter *w) {
    bool late = false;
    for (size_t k = 0; k < w->count; k++)
        for (size_t i = 0; i < w->sweeps[k]->stencil->nscalars; i++)
            late |= w->sweeps[k]->stencil->scalars[i].late;
    return late;
}

/* stencilrt_between */
static LLVMValueRef emit_between(tail *t) {
    LLVMValueRef f,
        state = begin_function(t, LLVMVoidTypeInContext(t->w->c), "stencilopt.between", &f);
    emit_followed(t, state, true);
    LLVMBuildRetVoid(t->b);
    return f;
}

static LLVMValueRef emit_initial(const rewriter *w, size_t *count) {
    LLVMValueRef *initial = calloc(w->count * HOST_MAX_REDUCTIONS + 1, sizeof *initial);
    *count = 0;
    for (size_t k = 0; k < w->count; k++)
        for (int i = 0; i < w->sweeps[k]->nreductions; i++)
            initial[(*count)++] = w->sweeps[k]->reductions[i].initial;
    LLVMValueRef filled = emit_filled(w, emit_i64(w), initial, *count);
    free(initial);
    return filled;
}

static tail in_program(const rewriter *w) {
    return (tail){.w = w, .s = w->sweeps[0]->steps, .b = w->b};
}

LLVMValueRef tail_emit_check(const rewriter *w) {
    LLVMValueRef check[SLOTS(check)] = {NULL};
    size_t count;
    check[AT(check, initial)] = emit_initial(w, &count);
    check[AT(check, values)] = emit_array(w, emit_i64(w), count);
    if (w->state) {
        tail t = in_program(w);
        t.all = calloc(1, sizeof *t.all);
        emit_first(&t);
        free(t.all);
    }
    if (host_is_asked(w->sweeps[0]->steps)) {
        tail t = in_program(w);
        t.all = calloc(1, sizeof *t.all);
        t.b = LLVMCreateBuilderInContext(w->c);
        check[AT(check, ends)] = emit_ends(&t);
        if (has_late_value(w))
            check[AT(check, between)] = emit_between(&t);
        check[AT(check, context)] = emit_filled(w, emit_i64(w), t.all->captured, t.all->ncaptured);
        LLVMDisposeBuilder(t.b);
        free(t.all);
    }
    return emit_structs(w, LAYOUT(check), check, 1);
}

LLVMValueRef tail_done(const rewriter *w, LLVMValueRef check) {
    tail t = in_program(w);
    return load_checked(&t, check, AT(check, done));
}

LLVMValueRef tail_exit(const rewriter *w, LLVMValueRef check) {
    tail t = in_program(w);
    return load_checked(&t, check, AT(check, exit));
}

LLVMValueRef tail_value(const rewriter *w, LLVMValueRef check, LLVMValueRef v) {
    tail t = in_program(w);
    t.values = load_checked(&t, check, AT(check, values));
    t.step = LLVMBuildSub(w->b, tail_done(w, check), emit_int(w, 1), "");
    t.all = calloc(1, sizeof *t.all);
    LLVMValueRef value = emit(&t, v);
    free(t.all);
    return value;
}
