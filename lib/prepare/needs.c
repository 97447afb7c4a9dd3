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

enum { MAX_DEPTH = 64, MAX_INDEX = 12, NEAR = 65536 };

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

/* Is it computed of a number that is loaded, at an address that is another one in each iteration?
 */
static bool is_of_load(br_function *f, br_loop l, LLVMValueRef v, int depth) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMPHI;
    bool is = op == LLVMLoad && is_number(LLVMTypeOf(v)) && host_in_loop(l, v) &&
              !br_scev_invariant(f, br_scev_of(f, LLVMGetOperand(v, 0)), l);
    bool computes = op != LLVMLoad && op != LLVMPHI && op != LLVMCall && depth < MAX_INDEX;
    for (int k = 0; computes && !is && k < LLVMGetNumOperands(v); k++)
        is = is_of_load(f, l, LLVMGetOperand(v, (unsigned)k), depth + 1);
    return is;
}

/* As it is in arrays? */
static bool is_element(LLVMTypeRef t) {
    unsigned bits = LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 64;
    return is_number(t) && bits >= 8 && bits <= 64 && (bits & (bits - 1)) == 0;
}

/* Is a distance in the address, in elements, computed of such a number? A pointer that is chosen
 * among arrays is none. */
static bool is_at_loaded_index(br_function *f, br_loop l, LLVMValueRef address) {
    bool is = false;
    for (; LLVMIsAGetElementPtrInst(address) && !is; address = LLVMGetOperand(address, 0))
        for (int k = 1; k < LLVMGetNumOperands(address) && !is; k++)
            is = is_of_load(f, l, LLVMGetOperand(address, (unsigned)k), 0);
    return is;
}

bool prep_is_gather(br_function *f, LLVMValueRef i) {
    br_loop l = LLVMIsALoadInst(i) && host_is_plain(i) && is_element(LLVMTypeOf(i))
                    ? br_loop_of(f, LLVMGetInstructionParent(i))
                    : NULL;
    return l && is_at_loaded_index(f, l, LLVMGetOperand(i, 0));
}

bool prep_is_sought(const prep_needs *n, br_function *f, LLVMValueRef i) {
    return n->steps ? prep_is_gather(f, i) : prep_is_library_call(i);
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

/* Is the store, in whatever nest of a time loop, to the array that is loaded from? */
static bool is_to_array(const prep_needs *n, LLVMValueRef load) {
    LLVMBasicBlockRef block;
    LLVMValueRef array = host_base_of(LLVMGetOperand(load, 0));
    bool is = false;
    for (size_t b = 0; !is && (block = br_loop_block(n->g->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !is;
             i = LLVMGetNextInstruction(i))
            is = LLVMIsAStoreInst(i) && host_base_of(LLVMGetOperand(i, 1)) == array &&
                 br_may_ever_change(n->g->f, i, load);
    return is;
}

bool prep_stays(prep_guard *g, LLVMValueRef load) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(g->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (br_may_write(i) && !host_writes_errno_alone(i, load) &&
                br_may_ever_change(g->f, i, load) &&
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

static bool is_call(const prep_needs *n, LLVMValueRef v) {
    bool is = false;
    for (size_t k = 0; k < n->calls && !is; k++)
        is = n->call[k] == v;
    return is;
}

/* Is it the same whenever it is computed? */
static bool is_settled(prep_needs *n, LLVMValueRef v) {
    if (n->steps && ((LLVMIsAPHINode(v) && host_is_at_head(n->g->l, v)) || prep_is_library_call(v)))
        return false;
    if (n->steps && LLVMIsALoadInst(v) && is_to_array(n, v))
        return false;
    if (n->steps && is_call(n, v))
        return true;
    return LLVMIsALoadInst(v) ? host_is_plain(v) && prep_stays(n->g, v) : is_computed(v);
}

static bool need(prep_needs *n, LLVMValueRef v, int depth) {
    if (!host_in_loop(n->g->l, v) || prep_is_needed(n, v))
        return true;
    if (n->values == NEEDS_VALUES || depth == MAX_DEPTH)
        return false;
    n->value[n->values++] = v;
    bool good = is_settled(n, v);
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

/* May a call not return? The program might then not come to what is loaded. */
static bool may_end(LLVMBasicBlockRef block) {
    bool may = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !may;
         i = LLVMGetNextInstruction(i)) {
        const char *name = host_callee_name(i);
        may = (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && br_may_write(i) &&
              !host_is_annotation(name) && !host_is_operation(name) && !host_is_copy(i) &&
              !prep_is_library_call(i);
    }
    return may;
}

static bool find_calls(prep_needs *n) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(n->g->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            bool in_step = n->steps && br_loop_of(n->g->f, block) == n->g->l;
            if (in_step || !prep_is_sought(n, n->g->f, i))
                continue;
            if (n->calls == NEEDS_CALLS ||
                (!n->steps && br_has_vector_form(n->g->f, host_callee_name(i))))
                return false;
            n->call[n->calls++] = i;
        }
    return n->calls > 0;
}

/* What a call needs; all of them have to be made. Loads of entries may also stay in the loop. */
static bool need_calls(prep_needs *n) {
    size_t all = n->calls, kept = 0;
    for (size_t k = 0; k < all; k++) {
        size_t values = n->values;
        LLVMValueRef conditions = n->g->all;
        bool good = need(n, n->call[k], 0);
        if (!good && !n->steps)
            return false;
        if (good)
            n->call[kept++] = n->call[k];
        else
            n->values = values, n->g->all = conditions;
    }
    n->calls = kept;
    n->arguments = n->values;
    return kept > 0;
}

bool prep_find_needs(prep_needs *n, prep_guard *g) {
    LLVMBasicBlockRef block;
    n->g = g;
    n->calls = n->values = 0;
    bool good = find_calls(n) && need_calls(n);
    for (size_t b = 0; good && (block = br_loop_block(g->l, b)); b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        bool steps = n->steps && block == br_loop_latch(g->l); /* the tables are of one step */
        good = br_is_branch(end) && (steps || !br_is_conditional(end) || !prep_decides(n, block) ||
                                     need(n, LLVMGetCondition(end), 0));
        good = good && (n->steps ? !may_end(block) : !uses_errno(n, block));
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
             (is_call(n, user) || is_for_calls(n, user, seen));
    }
    return is;
}

bool prep_is_for_calls(const prep_needs *n, LLVMValueRef v) {
    prep_needs *seen = calloc(1, sizeof *seen);
    bool is = is_for_calls(n, v, seen);
    free(seen);
    return is;
}
