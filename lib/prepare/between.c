/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that prints, writes files or calls what we do not know, in some of its steps, between
 * its sweeps. A step that makes an output gets a body of its own:
 *
 *     for (t = 0; t < T; t++) {            for (t = 0; t < T; t++)
 *         sweep(a, b);                         if (t % 100 == 0) {
 *         if (t % 100 == 0)                        sweep(a, b);
 *             print(b);              ->            if (t % 100 == 0)
 *         copy(b, a);                                  print(b);
 *     }                                            copy(b, a);
 *                                              } else {
 *                                                  sweep(a, b);
 *                                                  copy(b, a);
 *                                              }
 *
 * All of the first body then counts as an output, which the steps from one output to the next do
 * not come to: pieces.h. The conditions of outputs are computed at the start of the step, of
 * values that the time loop carries, and of memory that no sweep changes. Where one of them holds,
 * the program's own body tests them again.
 */
#include "prepare/between.h"
#include "detect/common/flow.h"
#include "prepare/hoist.h"
#include "prepare/pieces.h"
#include "prepare/sequence.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TESTS = 8, MAX_VALUES = 64, MAX_BODY = 1024 };

/* A branch in which a step without output takes the way `stays`. */
typedef struct output_test {
    LLVMValueRef branch;
    unsigned stays;
} output_test;

typedef struct led {
    const prep_pieces *p;
    output_test test[MAX_TESTS];
    int count;
    LLVMValueRef of[MAX_VALUES], copy[MAX_VALUES]; /* what the conditions are computed of */
    int values;
} led;

/* May a step load it when it starts, though the program may not come to that? */
static bool may_load(const prep_pieces *p, LLVMValueRef load) {
    return piece_keeps(p, load) && piece_is_there(p, load);
}

/* Adds what v is computed of, operands first, and v. False: it is not known when a step starts. */
static bool add_values(led *d, LLVMValueRef v) {
    int at = LLVMIsAInstruction(v) ? piece_number(d->p, LLVMGetInstructionParent(v)) : -1;
    for (int i = 0; i < d->values; i++)
        if (d->of[i] == v)
            return true;
    if (at < 0 || (LLVMIsAPHINode(v) && at == 0))
        return true;
    bool known = LLVMIsALoadInst(v) ? may_load(d->p, v) : piece_is_pure(v);
    int count = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
    for (int i = 0; i < count && known; i++)
        known = add_values(d, LLVMGetOperand(v, (unsigned)i));
    if (!known || d->values == MAX_VALUES)
        return false;
    d->of[d->values++] = v;
    return true;
}

/* Does a step without output go on from the branch in one way, and one with output in the other? */
static bool is_test(const prep_pieces *p, int k, unsigned *stays) {
    const piece_block *b = &p->block[k];
    int ways = 0;
    for (int s = 0; s < b->successors; s++) {
        int next = p->next[b->first + s];
        bool goes_on = next < 0 || p->block[next].on_way;
        ways += goes_on;
        if (goes_on)
            *stays = (unsigned)s;
    }
    return b->on_way && !b->nested && b->successors == 2 && ways == 1;
}

/* Finds the tests. False: not all of them can be made when a step starts. */
static bool find_tests(led *d, const prep_pieces *p) {
    bool all = true;
    d->p = p;
    for (int k = 0; k < p->count && all; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[k].b);
        unsigned stays = 0;
        if (!is_test(p, k, &stays))
            continue;
        all = br_is_branch(end) && d->count < MAX_TESTS && add_values(d, LLVMGetCondition(end));
        if (all)
            d->test[d->count++] = (output_test){end, stays};
    }
    return all && d->count > 0;
}

/* Are all ways between blocks branches? A call that may throw could not hand on its result. */
static bool has_branches(const prep_pieces *p) {
    bool all = p->count < MAX_BODY;
    for (int k = 0; k < p->count && all; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[k].b);
        all = br_is_branch(end) || LLVMIsASwitchInst(end) || LLVMIsAUnreachableInst(end);
    }
    return all;
}

bool prep_has_between(br_function *f, LLVMValueRef function, br_loop l) {
    prep_pieces *p = prep_find_between(f, function, l);
    led *d = calloc(1, sizeof *d);
    bool has = p && has_branches(p) && find_tests(d, p);
    free(d);
    prep_pieces_destroy(p);
    return has;
}

/* The change */

static LLVMValueRef copy_of(const led *d, LLVMValueRef v) {
    for (int i = 0; i < d->values; i++)
        if (d->of[i] == v)
            return d->copy[i];
    return v;
}

/* Copies what the conditions are computed of. The program may not come to it in this step. */
static void copy_values(led *d, LLVMBuilderRef b) {
    for (int n = 0; n < d->values; n++) {
        LLVMValueRef copy = LLVMInstructionClone(d->of[n]);
        for (int o = 0; o < LLVMGetNumOperands(copy); o++)
            LLVMSetOperand(copy, (unsigned)o, copy_of(d, LLVMGetOperand(copy, (unsigned)o)));
        if (piece_is_division(copy))
            piece_make_safe(b, copy);
        LLVMInsertIntoBuilder(b, copy);
        br_drop_promises(copy);
        br_drop_annotations(copy);
        d->copy[n] = copy;
    }
}

/* Does this step perhaps make an output? */
static LLVMValueRef build_condition(led *d, LLVMBuilderRef b) {
    LLVMValueRef any = NULL;
    copy_values(d, b);
    for (int i = 0; i < d->count; i++) {
        LLVMValueRef is = copy_of(d, LLVMGetCondition(d->test[i].branch));
        is = LLVMBuildFreeze(b, is, "");
        if (d->test[i].stays == 0)
            is = LLVMBuildNot(b, is, "");
        any = any ? LLVMBuildOr(b, any, is, "") : is;
    }
    return any;
}

/* Values that are used behind the body are in memory meanwhile. */
static void demote(LLVMBasicBlockRef *body, size_t count) {
    LLVMValueRef *list = NULL;
    size_t n = 0;
    for (size_t k = 0; k < count; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(body[k]); i; i = LLVMGetNextInstruction(i)) {
            bool leaves = false;
            for (LLVMUseRef u = LLVMGetFirstUse(i); u && !leaves; u = LLVMGetNextUse(u))
                leaves = !host_lists_block(body, count, LLVMGetInstructionParent(LLVMGetUser(u)));
            if (!leaves)
                continue;
            list = realloc(list, (n + 1) * sizeof *list);
            list[n++] = i;
        }
    /* Only now, since that makes loads in these blocks. */
    for (size_t k = 0; k < n; k++)
        br_demote(list[k]);
    free(list);
}

static const char mark[] = "# stencilopt: output";

/* A comment of an assembler marks a block as one that makes an output. */
static void build_mark(LLVMBuilderRef b, LLVMContextRef c) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), NULL, 0, false);
    LLVMValueRef comment = LLVMGetInlineAsm(type, mark, sizeof mark - 1, "", 0, true, false,
                                            LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(b, type, comment, NULL, 0, "");
}

static bool is_mark(LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    size_t length = 0;
    const char *text =
        callee && LLVMIsAInlineAsm(callee) ? LLVMGetInlineAsmAsmString(callee, &length) : NULL;
    return text && length == sizeof mark - 1 && memcmp(text, mark, length) == 0;
}

static void decide(const output_test *t) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetCondition(t->branch));
    LLVMSetCondition(t->branch, LLVMConstInt(type, t->stays == 0, false));
}

/* The body's blocks, the first one first: all but the head, which has the phis alone, and the
 * latch, which writes nothing. */
static size_t list_body(br_loop l, LLVMBasicBlockRef *body) {
    LLVMBasicBlockRef b, head = br_loop_header(l), latch = br_loop_latch(l);
    size_t count = 0;
    body[count++] = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(head), 0);
    for (size_t k = 0; (b = br_loop_block(l, k)); k++)
        if (b != head && b != latch && b != body[0])
            body[count++] = b;
    return count;
}

/* Splits the loop's head and its latch from its body. */
static void split(prep_shadow *s, LLVMBasicBlockRef head, LLVMBasicBlockRef latch) {
    LLVMValueRef tail = piece_behind_writes(latch);
    br_split_before(tail ? tail : host_first_after_phis(latch));
    br_split_before(host_first_after_phis(head));
    br_function_invalidate(s->f);
}

static void lead(prep_shadow *s, LLVMBasicBlockRef head, led *d) {
    LLVMBasicBlockRef *body = malloc(3 * MAX_BODY * sizeof *body), out;
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(s->function));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    split(s, head, br_loop_latch(prep_loop_at(s->f, head)));
    size_t nouts, count = list_body(prep_loop_at(s->f, head), body);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(head));
    LLVMValueRef any = build_condition(d, b);
    demote(body, count);
    LLVMBasicBlockRef in = br_twin(head, body, count, any, body + count, &out, 1, &nouts);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(in));
    build_mark(b, c);
    for (int i = 0; i < d->count; i++)
        decide(&d->test[i]);
    LLVMDisposeBuilder(b);
    free(body);
}

static void erase_marks(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_mark(i))
                LLVMInstructionEraseFromParent(i);
        }
}

LLVMBasicBlockRef prep_cut_between(prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(s->f, head);
    prep_pieces *p = l ? prep_find_between(s->f, s->function, l) : NULL;
    led *d = calloc(1, sizeof *d);
    bool has = p && has_branches(p) && find_tests(d, p), good = false;
    if (has) {
        lead(s, head, d);
        good = prep_run_passes(s->function, "mem2reg,adce,simplifycfg");
        br_function_invalidate(s->f);
    }
    free(d);
    prep_pieces_destroy(p);
    good = good && prep_loop_at(s->f, head);
    LLVMBasicBlockRef piece = good ? prep_cut_pieces(s, head) : NULL;
    erase_marks(s->function);
    s->body = LLVMGetEntryBasicBlock(s->function);
    return piece;
}
