/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops whose iterations OpenMP gives out in parts: schedule(static, 4), dynamic, guided, auto and
 * runtime. A thread asks for one part after the other:
 *
 *     dispatch_init(first, last);                       static_init(&first, &last);
 *     while (dispatch_next(&first, &last))       ->     for (i = first; i <= last; i++)
 *         for (i = first; i <= last; i++)                   cell(i);
 *             cell(i);                                  static_fini();
 *     dispatch_deinit();
 *
 * Which thread has which part is left open, or follows from the team's size. So one part for each
 * thread, as schedule(static) has it, is as good if no result depends on which iterations a thread
 * had; shares.c and reduced.c see to that afterwards. Loops with ordered parts stay as they are.
 */
#include "prepare/team.h"

#include "detect/common/calls.h"
#include "model/fixed_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of schedules: kmp.h, enum sched_type. */
enum { STATIC_CHUNKS = 33, STATIC = 34, LEAST_FREE = 35, MOST_FREE = 47, KINDS = 0x1fffffff };
/* Operands of __kmpc_for_static_init_*, __kmpc_dispatch_init_* and __kmpc_dispatch_next_*. */
enum { INIT_KIND = 2, INIT_LOWER = 4, INIT_CHUNK = 8 };
enum { FREE_LOWER = 3, FREE_UPPER, FREE_STEP, FREE_OPERANDS = 7 };
enum { NEXT_LAST = 2, NEXT_OPERANDS = 6 };
enum { MAX_CALLS = ST_LIMIT(64, 4) };

typedef struct calls {
    br_function *f;
    LLVMValueRef of[MAX_CALLS];
    int count;
    bool good; /* all are there */
} calls;

static calls find_calls(br_function *f, LLVMValueRef function, const char *prefix) {
    calls c = {.f = f, .good = true};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!host_calls(i, prefix))
                continue;
            c.good &= c.count < MAX_CALLS;
            if (c.good)
                c.of[c.count++] = i;
        }
    return c;
}

static LLVMBasicBlockRef block_of(LLVMValueRef i) {
    return LLVMGetInstructionParent(i);
}

static bool is_number(LLVMValueRef v, unsigned long long number) {
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == number;
}

static long kind_of(LLVMValueRef call) {
    LLVMValueRef kind = LLVMIsAConstantInt(LLVMGetOperand(call, INIT_KIND));
    return kind ? (long)(LLVMConstIntGetZExtValue(kind) & KINDS) : -1;
}

static void set_static(LLVMValueRef init) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(init, INIT_KIND));
    LLVMSetOperand(init, INIT_KIND, LLVMConstInt(type, STATIC, false));
}

/* Of those that come before `i`, the last one; NULL if that is not sure. */
static LLVMValueRef last_before(const calls *c, LLVMValueRef i) {
    LLVMValueRef last = NULL;
    for (int k = 0; k < c->count; k++)
        if (br_comes_first(c->f, c->of[k], i) && (!last || br_comes_first(c->f, last, c->of[k])))
            last = c->of[k];
    return last;
}

bool team_has_schedules(LLVMValueRef body) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(body); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (host_calls(i, "__kmpc_dispatch_init_") ||
                (host_calls(i, "__kmpc_for_static_init_") && kind_of(i) == STATIC_CHUNKS))
                return true;
    return false;
}

/* Parts of a fixed size */

/* Does the space of iterations begin at 0? In a loop that is shared out twice, among teams and in
 * each, it does not, and there the threads may have single iterations instead of parts. */
static bool begins_at_zero(br_function *f, LLVMValueRef init) {
    LLVMValueRef lower = LLVMGetOperand(init, INIT_LOWER), last = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(lower); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef store = LLVMIsAStoreInst(LLVMGetUser(u));
        if (store && LLVMGetOperand(store, 1) == lower && br_comes_first(f, store, init) &&
            (!last || br_comes_first(f, last, store)))
            last = store;
    }
    return last && is_number(LLVMGetOperand(last, 0), 0);
}

/* Does another call of the runtime that begins or ends a shared loop come between? */
static bool is_of_other(const calls *marks, LLVMValueRef init, LLVMBasicBlockRef head) {
    bool other = false;
    for (int i = 0; i < marks->count && !other; i++)
        other = marks->of[i] != init && br_comes_first(marks->f, init, marks->of[i]) &&
                br_dominates(marks->f, block_of(marks->of[i]), head);
    return other;
}

static bool is_loop_of_parts(br_function *f, LLVMValueRef init, const calls *marks, br_loop l) {
    br_loop around = br_loop_parent(l);
    LLVMBasicBlockRef head = br_loop_header(l);
    return !br_loop_contains(l, block_of(init)) &&
           (!around || br_loop_contains(around, block_of(init))) &&
           br_dominates(f, block_of(init), head) && !is_of_other(marks, init, head);
}

/* The loops over a thread's parts: the outermost ones behind `init`. There may be several, of which
 * a condition chooses one. Returns their number; 0: they are not known. */
static int loops_of_parts(br_function *f, LLVMValueRef init, const calls *marks, br_loop *found) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    int nfound = 0;
    bool good = true, holds = false;
    br_loops(f, loops, count);
    for (size_t i = 0; i < count && good; i++) {
        if (!is_loop_of_parts(f, init, marks, loops[i]))
            continue;
        for (int k = 0; k < nfound && good; k++)
            good = !br_dominates(f, br_loop_header(found[k]), br_loop_header(loops[i])) &&
                   !br_dominates(f, br_loop_header(loops[i]), br_loop_header(found[k]));
        good = good && nfound < MAX_CALLS;
        holds |= br_loop_children(loops[i], NULL, 0) > 0;
        if (good)
            found[nfound++] = loops[i];
    }
    free(loops);
    return good && holds ? nfound : 0;
}

/* Which way a thread goes at the end of a part when it has no other; -1: that is not known. */
static int way_out(br_loop l, LLVMValueRef end) {
    if (!br_is_conditional(end))
        return -1;
    for (unsigned k = 0; k < 2; k++)
        if (LLVMGetSuccessor(end, !k) == br_loop_header(l) &&
            !br_loop_contains(l, LLVMGetSuccessor(end, k)))
            return (int)k;
    return -1;
}

static LLVMValueRef end_of(br_loop l) {
    LLVMBasicBlockRef latch = br_loop_latch(l);
    return latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
}

static bool run_fixed(br_function *f, LLVMValueRef init, const calls *marks) {
    br_loop parts[MAX_CALLS];
    int count = begins_at_zero(f, init) ? loops_of_parts(f, init, marks, parts) : 0;
    bool good = count > 0;
    for (int i = 0; i < count && good; i++)
        good = end_of(parts[i]) && way_out(parts[i], end_of(parts[i])) >= 0;
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(init)));
    for (int i = 0; i < count && good; i++) {
        LLVMValueRef end = end_of(parts[i]);
        LLVMSetCondition(end, LLVMConstInt(bit, way_out(parts[i], end) == 0, false));
    }
    if (good)
        set_static(init);
    return good;
}

/* Parts given out while the loop runs */

/* The calls that ask for a part, of the loop that `init` begins. */
typedef struct asked {
    LLVMValueRef init, of[MAX_CALLS];
    int count;
} asked;

static bool same_variables(const asked *a, LLVMValueRef next) {
    bool same = LLVMGetNumArgOperands(next) == NEXT_OPERANDS;
    for (unsigned k = NEXT_LAST; k < NEXT_OPERANDS && same && a->count; k++)
        same = LLVMGetOperand(next, k) == LLVMGetOperand(a->of[0], k);
    return same;
}

static bool is_asked_again(br_function *f, LLVMValueRef init, LLVMValueRef next) {
    br_loop l = br_loop_of(f, block_of(next));
    return l && !br_loop_contains(l, block_of(init));
}

/* Does the loop ask once in front of it, and then in it? LLVM makes that of it, unless it is to
 * save code. */
static bool asks_in_front(br_function *f, const asked *a) {
    LLVMValueRef first = NULL;
    int fronts = 0;
    for (int i = 0; i < a->count; i++)
        if (!is_asked_again(f, a->init, a->of[i])) {
            first = a->of[i];
            fronts++;
        }
    bool good = fronts == 1;
    for (int i = 0; i < a->count && good; i++)
        good = a->of[i] == first || br_comes_first(f, first, a->of[i]);
    return good;
}

static LLVMValueRef runtime_function(LLVMModuleRef m, const char *name, LLVMTypeRef type) {
    LLVMValueRef known = LLVMGetNamedFunction(m, name);
    return known ? known : LLVMAddFunction(m, name, type);
}

static LLVMModuleRef module_of(LLVMValueRef i) {
    return LLVMGetGlobalParent(LLVMGetBasicBlockParent(block_of(i)));
}

/* The call that gives each thread its only part, in place of the one that begins giving out. */
static void begin_static(LLVMValueRef init, LLVMValueRef next) {
    LLVMTypeRef number = LLVMTypeOf(LLVMGetOperand(init, FREE_LOWER));
    LLVMContextRef c = LLVMGetTypeContext(number);
    LLVMTypeRef word = LLVMInt32TypeInContext(c), ptr = LLVMPointerTypeInContext(c, 0);
    LLVMTypeRef types[] = {ptr, word, word, ptr, ptr, ptr, ptr, number, number};
    char name[64];
    snprintf(name, sizeof name, "__kmpc_for_static_init_%s",
             host_callee_name(init) + strlen("__kmpc_dispatch_init_"));
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), types, INIT_CHUNK + 1, false);
    LLVMValueRef begin = runtime_function(module_of(init), name, type);
    LLVMValueRef args[INIT_CHUNK + 1] = {LLVMGetOperand(init, 0), LLVMGetOperand(init, 1),
                                         LLVMConstInt(word, STATIC, false)};
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderBefore(b, init);
    for (unsigned k = NEXT_LAST; k < NEXT_OPERANDS; k++)
        args[k + 1] = LLVMGetOperand(next, k);
    LLVMBuildStore(b, LLVMConstNull(word), args[NEXT_LAST + 1]);
    for (unsigned k = FREE_LOWER; k <= FREE_STEP; k++)
        LLVMBuildStore(b, LLVMGetOperand(init, k), args[k + 1]);
    args[INIT_CHUNK - 1] = args[INIT_CHUNK] = LLVMConstInt(number, 1, false);
    LLVMBuildCall2(b, type, begin, args, INIT_CHUNK + 1, "");
    LLVMDisposeBuilder(b);
}

/* Decides the comparisons with 0 of an answer that is 0. */
static void decide_uses(LLVMValueRef next) {
    for (LLVMUseRef u = LLVMGetFirstUse(next), after; u; u = after) {
        LLVMValueRef is = LLVMIsAICmpInst(LLVMGetUser(u));
        after = LLVMGetNextUse(u);
        if (!is || !LLVMIsNull(LLVMGetOperand(is, 1)))
            continue;
        LLVMIntPredicate p = LLVMGetICmpPredicate(is);
        if (p == LLVMIntEQ || p == LLVMIntNE)
            LLVMReplaceAllUsesWith(is, LLVMConstInt(LLVMTypeOf(is), p == LLVMIntEQ, false));
    }
}

/* Is there a part? Yes at first, if there are iterations at all. */
static void answer(br_function *f, LLVMValueRef init, LLVMValueRef next) {
    LLVMTypeRef type = LLVMTypeOf(next);
    LLVMValueRef is = LLVMConstNull(type);
    if (is_asked_again(f, init, next)) {
        decide_uses(next);
    } else {
        const char *name = host_callee_name(init);
        bool is_signed = name[strlen(name) - 1] != 'u';
        LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
        LLVMPositionBuilderBefore(b, next);
        is = LLVMBuildICmp(b, is_signed ? LLVMIntSLE : LLVMIntULE, LLVMGetOperand(init, FREE_LOWER),
                           LLVMGetOperand(init, FREE_UPPER), "");
        is = LLVMBuildZExt(b, is, type, "");
        LLVMDisposeBuilder(b);
    }
    LLVMReplaceAllUsesWith(next, is);
}

static bool may_be_static(br_function *f, const asked *a) {
    long kind = kind_of(a->init);
    bool good = kind >= LEAST_FREE && kind <= MOST_FREE &&
                LLVMGetNumArgOperands(a->init) == FREE_OPERANDS &&
                is_number(LLVMGetOperand(a->init, FREE_STEP), 1) && asks_in_front(f, a);
    for (int i = 0; i < a->count && good; i++)
        good = same_variables(a, a->of[i]);
    return good;
}

static void run_free(br_function *f, const asked *a) {
    for (int i = 0; i < a->count; i++)
        answer(f, a->init, a->of[i]);
    begin_static(a->init, a->of[0]);
    for (int i = 0; i < a->count; i++)
        LLVMInstructionEraseFromParent(a->of[i]);
    LLVMInstructionEraseFromParent(a->init);
}

/* __kmpc_dispatch_deinit, which ends such a loop. */
static void end_static(LLVMValueRef deinit) {
    LLVMTypeRef type = LLVMGetCalledFunctionType(deinit);
    LLVMValueRef end = runtime_function(module_of(deinit), "__kmpc_for_static_fini", type);
    LLVMValueRef args[] = {LLVMGetOperand(deinit, 0), LLVMGetOperand(deinit, 1)};
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(b, deinit);
    LLVMBuildCall2(b, type, end, args, 2, "");
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(deinit);
}

static bool run_all_free(br_function *f, LLVMValueRef function) {
    calls inits = find_calls(f, function, "__kmpc_dispatch_init_");
    calls nexts = find_calls(f, function, "__kmpc_dispatch_next_");
    calls ends = find_calls(f, function, "__kmpc_dispatch_deinit");
    bool good = inits.good && nexts.good && ends.good;
    asked *a = calloc(MAX_CALLS, sizeof *a);
    int known = 0;
    for (int i = 0; i < inits.count; i++) {
        a[i].init = inits.of[i];
        for (int k = 0; k < nexts.count; k++)
            if (last_before(&inits, nexts.of[k]) == inits.of[i])
                a[i].of[a[i].count++] = nexts.of[k];
        known += a[i].count;
        good = good && may_be_static(f, &a[i]);
    }
    good = good && known == nexts.count;
    for (int i = 0; i < inits.count && good; i++)
        run_free(f, &a[i]);
    for (int i = 0; i < ends.count && good; i++)
        end_static(ends.of[i]);
    free(a);
    return good;
}

static bool run_all_fixed(br_function *f, LLVMValueRef function) {
    calls marks = find_calls(f, function, "__kmpc_for_static_");
    bool good = marks.good;
    for (int i = 0; i < marks.count && good; i++) {
        LLVMValueRef call = marks.of[i];
        if (host_calls(call, "__kmpc_for_static_init_") && kind_of(call) == STATIC_CHUNKS)
            good = run_fixed(f, call, &marks);
    }
    return good;
}

bool team_make_static(br_function *f, LLVMValueRef function) {
    bool good = run_all_fixed(f, function) && run_all_free(f, function);
    br_function_fold(f);
    br_function_invalidate(f);
    return good;
}
