/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds the calls of mathematical functions in a loop that can all be made in front of it, and what
 * they need: their arguments, what these are computed of, and the conditions under which control
 * comes to the calls. None of it may be written in the loop: what is loaded must be elsewhere than
 * what is stored, which conditions in front of the loop require where it is not known (guard.h).
 */
#include "prepare/needs.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64, NEAR = 65536 };

static bool is_number(LLVMTypeRef t) {
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMIntegerTypeKind;
}

/* Has the function other bits on a GPU? By the name of LLVM's intrinsic. */
static bool is_inexact_intrinsic(const char *name) {
    bool is = false;
    for (int op = 0; op < ST_OP_COUNT && !is; op++) {
        const char *i = st_ops[op].intrinsic;
        is = i && st_ops[op].cls == ST_MATH && !strncmp(name, i, strlen(i)) &&
             name[strlen(i)] == '.';
    }
    return is;
}

static bool may_differ(LLVMValueRef call) {
    return LLVMCanValueUseFastMathFlags(call) &&
           (LLVMGetFastMathFlags(call) & LLVMFastMathApproxFunc) != 0;
}

bool prep_is_library_call(LLVMValueRef i) {
    const char *name = host_callee_name(i);
    /* A body of its own, or a name that C does not reserve, may do anything. */
    bool is = *name && LLVMIsDeclaration(LLVMGetCalledValue(i)) && is_number(LLVMTypeOf(i)) &&
              !may_differ(i) &&
              (is_inexact_intrinsic(name) || (host_sets_errno(name) && !host_may_be_another(i)));
    bool of_reals = strncmp(name, "llvm.", 5) != 0; /* those of <math.h> */
    is = is && !(of_reals && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind);
    for (unsigned k = 0; is && k < LLVMGetNumArgOperands(i); k++) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, k));
        is = is_number(t) && !(of_reals && LLVMGetTypeKind(t) == LLVMIntegerTypeKind);
    }
    return is;
}

bool prep_is_needed(const prep_needs *n, LLVMValueRef v) {
    bool is = false;
    for (size_t k = 0; k < n->values && !is; k++)
        is = n->value[k] == v;
    return is;
}

/* Is the store to the same array, and so near that the loop surely comes to what is loaded? */
static bool is_near(prep_guard *g, LLVMValueRef store, LLVMValueRef load) {
    int64_t to, from;
    LLVMValueRef a = br_base_and_offset(LLVMGetOperand(store, 1), &to);
    LLVMValueRef b = br_base_and_offset(LLVMGetOperand(load, 0), &from);
    return br_scev_of(g->f, a) == br_scev_of(g->f, b) && llabs(to - from) <= NEAR;
}

bool prep_stays(prep_guard *g, LLVMValueRef load) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(g->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (br_may_write(i) && !host_writes_errno_alone(i, load) &&
                br_may_change(g->f, i, load) &&
                (!LLVMIsAStoreInst(i) || is_near(g, i, load) || !prep_guard_apart(g, i, load)))
                return false;
    return true;
}

/* Does the instruction compute the same of the same operands, wherever it is? */
static bool is_computed(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMCall)
        return prep_is_library_call(i) || host_is_operation(host_callee_name(i));
    return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsACmpInst(i) ||
           op == LLVMGetElementPtr || op == LLVMSelect || op == LLVMPHI || op == LLVMFreeze ||
           op == LLVMFNeg;
}

static bool need(prep_needs *n, LLVMValueRef v, int depth) {
    if (!host_in_loop(n->g->l, v) || prep_is_needed(n, v))
        return true;
    if (n->values == NEEDS_VALUES || depth == MAX_DEPTH)
        return false;
    n->value[n->values++] = v;
    bool good = LLVMIsALoadInst(v) ? host_is_plain(v) && prep_stays(n->g, v) : is_computed(v);
    for (int k = 0; k < LLVMGetNumOperands(v) && good; k++)
        good = need(n, LLVMGetOperand(v, (unsigned)k), depth + 1);
    return good;
}

/* The innermost loop with both blocks. */
static br_loop common_loop(const prep_needs *n, LLVMBasicBlockRef a, LLVMBasicBlockRef b) {
    br_loop l = br_loop_of(n->g->f, a);
    while (!br_loop_contains(l, b))
        l = br_loop_parent(l);
    return l;
}

static bool leaves_loop(const prep_needs *n, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    br_loop l = br_loop_of(n->g->f, block);
    bool leaves = false;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
        leaves |= !br_loop_contains(l, LLVMGetSuccessor(end, k));
    return leaves;
}

bool prep_decides(const prep_needs *n, LLVMBasicBlockRef block) {
    bool decides = leaves_loop(n, block);
    for (size_t k = 0; k < n->calls && !decides; k++) {
        LLVMBasicBlockRef at = LLVMGetInstructionParent(n->call[k]);
        decides = at != block && host_comes_before(common_loop(n, block, at), block, at);
    }
    return decides;
}

/* Joins ways of control, other than a loop's own ways in and back? */
static bool joins(const prep_needs *n, LLVMValueRef v) {
    if (!LLVMIsAPHINode(v))
        return false;
    LLVMBasicBlockRef at = LLVMGetInstructionParent(v);
    return br_loop_header(br_loop_of(n->g->f, at)) != at || LLVMCountIncoming(v) > 2;
}

/* Does a needed value depend on a branch that the nest that fills the tables does not make? A
 * number that goes round may be chosen behind the calls. */
static bool depends_behind(const prep_needs *n, LLVMBasicBlockRef block) {
    bool depends = false;
    for (size_t k = 0; k < n->values && !depends; k++) {
        if (!joins(n, n->value[k]))
            continue;
        LLVMBasicBlockRef at = LLVMGetInstructionParent(n->value[k]);
        depends = at != block && host_comes_before(common_loop(n, block, at), block, at);
    }
    return depends;
}

/* May the loop look at errno, or set it, otherwise than by the calls? */
static bool uses_errno(const prep_needs *n, LLVMBasicBlockRef block) {
    bool uses = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !uses;
         i = LLVMGetNextInstruction(i)) {
        bool stores = LLVMIsAStoreInst(i) != NULL;
        uses = (stores || LLVMIsALoadInst(i)) && host_may_be_errno(i) &&
               br_scev_invariant(n->g->f, br_scev_of(n->g->f, LLVMGetOperand(i, stores)), n->g->l);
    }
    return uses;
}

static bool find_calls(prep_needs *n) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(n->g->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (!prep_is_library_call(i))
                continue;
            if (n->calls == NEEDS_CALLS || br_has_vector_form(n->g->f, host_callee_name(i)))
                return false;
            n->call[n->calls++] = i;
        }
    return n->calls > 0;
}

bool prep_find_needs(prep_needs *n, prep_guard *g) {
    LLVMBasicBlockRef block;
    n->g = g;
    n->calls = n->values = 0;
    bool good = find_calls(n);
    for (size_t k = 0; k < n->calls && good; k++)
        good = need(n, n->call[k], 0);
    n->arguments = n->values;
    for (size_t b = 0; good && (block = br_loop_block(g->l, b)); b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        good = br_is_branch(end) && (!br_is_conditional(end) || !prep_decides(n, block) ||
                                     need(n, LLVMGetCondition(end), 0));
        good = good && !uses_errno(n, block);
    }
    for (size_t b = 0; good && (block = br_loop_block(g->l, b)); b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        good = !br_is_conditional(end) || prep_decides(n, block) || !depends_behind(n, block);
    }
    return good;
}

/* `seen`: the values whose uses were looked at, so that each is looked at once. */
static bool is_for_calls(const prep_needs *n, LLVMValueRef v, prep_needs *seen) {
    bool is = seen->values < NEEDS_VALUES;
    if (prep_is_needed(seen, v))
        return true;
    if (is)
        seen->value[seen->values++] = v;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && is; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        is = prep_is_needed(n, user) && !LLVMIsAPHINode(user) &&
             (prep_is_library_call(user) || is_for_calls(n, user, seen));
    }
    return is;
}

bool prep_is_for_calls(const prep_needs *n, LLVMValueRef v) {
    prep_needs *seen = calloc(1, sizeof *seen);
    bool is = is_for_calls(n, v, seen);
    free(seen);
    return is;
}
