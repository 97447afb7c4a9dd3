/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tail.h"

#include "stencilopt/region.h"

#include <stdlib.h>

enum { INITIAL, VALUES, ENDS, CONTEXT, DONE, EXIT, CHECK_FIELDS }; /* of struct stencilrt_check */

/* Eight exits of 60 instructions each, of which a counter takes two values. */
enum { MAX_SEEN = ST_LIMIT(1024, 4) };

/* Where values are emitted: in the program, or in a function of their own, which gets what it needs
 * of the program in an array. */
typedef struct tail {
    const rewriter *w;
    const host_steps *s;
    LLVMBuilderRef b;
    LLVMValueRef step, values; /* the number of the step; where its reductions are */
    LLVMValueRef context;      /* or NULL: the program itself */
    LLVMValueRef captured[MAX_SEEN];
    size_t ncaptured;
    LLVMValueRef seen[MAX_SEEN], is[MAX_SEEN];
    size_t nseen;
} tail;

bool tail_is_checked(const rewriter *w) {
    return w->sweeps[0]->steps && host_is_checked(w->sweeps[0]->steps);
}

static LLVMValueRef load_at(const tail *t, LLVMValueRef array, size_t i, LLVMTypeRef type) {
    LLVMValueRef at = number(t->w, (int64_t)(8 * i));
    LLVMValueRef p = LLVMBuildGEP2(t->b, LLVMInt8TypeInContext(t->w->c), array, &at, 1, "");
    return LLVMBuildLoad2(t->b, type, p, "");
}

static LLVMValueRef outside(tail *t, LLVMValueRef v) {
    if (!t->context || LLVMIsConstant(v))
        return v;
    size_t i = 0;
    while (i < t->ncaptured && t->captured[i] != v)
        i++;
    if (i == t->ncaptured)
        t->captured[t->ncaptured++] = v;
    return load_at(t, t->context, i, LLVMTypeOf(v));
}

static LLVMValueRef reduced(const tail *t, const host_region *r, int which, LLVMValueRef v) {
    size_t before = 0;
    for (int i = 0; t->s->sweeps[i] != r; i++)
        before += (size_t)t->s->sweeps[i]->nreductions;
    return load_at(t, t->values, before + (size_t)which, LLVMTypeOf(v));
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

static LLVMValueRef emit(tail *t, LLVMValueRef v);

static LLVMValueRef copy(tail *t, LLVMValueRef v) {
    LLVMValueRef operands[8], clone = LLVMInstructionClone(v);
    unsigned count =
        LLVMIsACallInst(v) ? LLVMGetNumArgOperands(v) : (unsigned)LLVMGetNumOperands(v);
    for (unsigned i = 0; i < count; i++)
        operands[i] = emit(t, LLVMGetOperand(v, i));
    for (unsigned i = 0; i < count; i++)
        LLVMSetOperand(clone, i, operands[i]);
    /* Its place in the source is of another function. */
    LLVMSetMetadata(clone, LLVMGetMDKindIDInContext(t->w->c, "dbg", 3), NULL);
    LLVMInsertIntoBuilder(t->b, clone);
    return clone;
}

static LLVMValueRef emit_new(tail *t, LLVMValueRef v) {
    int which;
    if (!host_in_loop(t->s->time, v))
        return outside(t, v);
    const host_region *r = host_reduced(t->s, v, &which);
    return r ? reduced(t, r, which, v) : host_is_counter(t->s, v) ? counter(t, v) : copy(t, v);
}

static LLVMValueRef emit(tail *t, LLVMValueRef v) {
    v = host_settled(t->s, v);
    for (size_t i = 0; i < t->nseen; i++)
        if (t->seen[i] == v)
            return t->is[i];
    LLVMValueRef is = emit_new(t, v);
    if (t->nseen < MAX_SEEN) {
        t->seen[t->nseen] = v;
        t->is[t->nseen++] = is;
    }
    return is;
}

/* The number of the first exit that is taken; or 0. */
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

/* int ends(const void *context, int64_t step, const uint64_t *values) */
static LLVMValueRef emit_function(tail *t) {
    const rewriter *w = t->w;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(w->c), types[] = {pointer(w), i64(w), pointer(w)};
    LLVMValueRef f =
        LLVMAddFunction(w->m, "stencilopt.ends", LLVMFunctionType(i32, types, 3, false));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(t->b, LLVMAppendBasicBlockInContext(w->c, f, ""));
    t->context = LLVMGetParam(f, 0);
    t->step = LLVMGetParam(f, 1);
    t->values = LLVMGetParam(f, 2);
    LLVMBuildRet(t->b, emit_exit(t));
    return f;
}

static LLVMValueRef emit_initial(const rewriter *w, size_t *count) {
    LLVMValueRef initial[HOST_MAX_SWEEPS * HOST_MAX_REDUCTIONS];
    *count = 0;
    for (size_t k = 0; k < w->count; k++)
        for (int i = 0; i < w->sweeps[k]->nreductions; i++)
            initial[(*count)++] = w->sweeps[k]->reductions[i].initial;
    return emit_filled(w, i64(w), initial, *count);
}

LLVMValueRef tail_emit_check(const rewriter *w) {
    LLVMValueRef fields[CHECK_FIELDS], none = LLVMConstPointerNull(pointer(w));
    size_t count;
    fields[INITIAL] = emit_initial(w, &count);
    fields[VALUES] = emit_array(w, i64(w), count);
    fields[ENDS] = fields[CONTEXT] = none;
    fields[DONE] = fields[EXIT] = number(w, 0);
    if (w->sweeps[0]->steps->stops) {
        tail *t = calloc(1, sizeof *t);
        t->w = w;
        t->s = w->sweeps[0]->steps;
        t->b = LLVMCreateBuilderInContext(w->c);
        fields[ENDS] = emit_function(t);
        fields[CONTEXT] = emit_filled(w, i64(w), t->captured, t->ncaptured);
        LLVMDisposeBuilder(t->b);
        free(t);
    }
    return emit_filled(w, i64(w), fields, CHECK_FIELDS);
}

static tail in_program(const rewriter *w) {
    return (tail){.w = w, .s = w->sweeps[0]->steps, .b = w->b};
}

LLVMValueRef tail_done(const rewriter *w, LLVMValueRef check) {
    tail t = in_program(w);
    return load_at(&t, check, DONE, i64(w));
}

LLVMValueRef tail_exit(const rewriter *w, LLVMValueRef check) {
    tail t = in_program(w);
    return load_at(&t, check, EXIT, i64(w));
}

LLVMValueRef tail_value(const rewriter *w, LLVMValueRef check, LLVMValueRef v) {
    tail t = in_program(w);
    t.values = load_at(&t, check, VALUES, pointer(w));
    t.step = LLVMBuildSub(w->b, tail_done(w, check), number(w, 1), "");
    return emit(&t, v);
}
