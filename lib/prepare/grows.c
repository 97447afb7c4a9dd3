/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A vector that each step assigns (u = u_new) has room for the elements in all steps but perhaps
 * the first:
 *
 *     if (new.size() > old.capacity())        allocate memory, copy, free the old memory
 *     else if (new.size() > old.size())       copy in two parts
 *     else                                    copy
 *
 * The first two ways are like checks that fail: checks.c copies a time loop without them, and runs
 * the copy where a condition in front of the loop shows that no step goes there.
 */
#include "prepare/grows.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"

#include <string.h>

enum { MAX_BLOCKS_AHEAD = 4, MAX_PHIS = 2 };

static bool allocates_here(LLVMValueRef i) {
    size_t length;
    bool calls = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
    LLVMValueRef callee = calls ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
    return !strcmp(name, "_Znwm") || !strcmp(name, "_Znam") || !strcmp(name, "malloc");
}

static bool has_allocation(LLVMBasicBlockRef b) {
    bool has = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !has; i = LLVMGetNextInstruction(i))
        has = allocates_here(i);
    return has;
}

/* Does the program end if the branch goes this way? */
static bool ends(LLVMValueRef branch, unsigned way) {
    return br_end_of_program(LLVMGetSuccessor(branch, way), LLVMGetSuccessor(branch, !way));
}

/* Does control come to an allocation, from this branch alone, or to the program's end? */
static bool allocates(LLVMValueRef branch, unsigned way) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(branch), b = LLVMGetSuccessor(branch, way);
    for (int k = 0; k < MAX_BLOCKS_AHEAD && host_only_predecessor(b) == from; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (has_allocation(b))
            return true;
        if (!br_is_branch(end))
            return false;
        bool fails = br_is_conditional(end) && ends(end, 0);
        if (br_is_conditional(end) && !fails && !ends(end, 1))
            return false;
        from = b;
        b = LLVMGetSuccessor(end, fails);
    }
    return false;
}

/* The number that is greater than another one where the branch goes this way. NULL: it compares
 * otherwise. */
static LLVMValueRef greater_on(LLVMValueRef branch, unsigned way) {
    LLVMValueRef c = LLVMGetCondition(branch);
    if (!LLVMIsAICmpInst(c))
        return NULL;
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    bool greater = p == LLVMIntUGT || p == LLVMIntSGT, less = p == LLVMIntULT || p == LLVMIntSLT;
    bool most = p == LLVMIntULE || p == LLVMIntSLE, least = p == LLVMIntUGE || p == LLVMIntSGE;
    if (way == 0 ? !greater && !less : !most && !least)
        return NULL;
    return LLVMGetOperand(c, less || least);
}

bool prep_grows(LLVMValueRef branch, bool *on) {
    if (!br_is_conditional(branch))
        return false;
    bool yes = allocates(branch, 0);
    *on = !yes;
    return yes != allocates(branch, 1) && greater_on(branch, !yes);
}

LLVMValueRef prep_grows_behind(LLVMValueRef branch, bool *on) {
    bool fits = false;
    if (!prep_grows(branch, &fits))
        return NULL;
    LLVMValueRef n = greater_on(branch, fits);
    LLVMValueRef next = LLVMGetBasicBlockTerminator(LLVMGetSuccessor(branch, !fits));
    if (!br_is_conditional(next))
        return NULL;
    *on = greater_on(next, 1) == n;
    return *on || greater_on(next, 0) == n ? next : NULL;
}

static bool is_among(LLVMBasicBlockRef b, LLVMBasicBlockRef *blocks, size_t count) {
    bool is = false;
    for (size_t i = 0; i < count && !is; i++)
        is = blocks[i] == b;
    return is;
}

/* Does control come to the block from blocks of the list, or not at all? */
static bool is_entered(LLVMBasicBlockRef b, LLVMBasicBlockRef *blocks, size_t count) {
    bool is = false;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u && !is;
         u = LLVMGetNextUse(u)) {
        LLVMValueRef from = LLVMGetUser(u);
        is = LLVMIsATerminatorInst(from) && is_among(LLVMGetInstructionParent(from), blocks, count);
    }
    return is;
}

size_t prep_leave_out_growth(LLVMValueRef branch, LLVMBasicBlockRef *blocks, size_t count) {
    bool fits = false;
    LLVMBasicBlockRef side = prep_grows(branch, &fits) ? LLVMGetSuccessor(branch, fits) : NULL;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 1; i < count; i++) {
            if (blocks[i] != side && is_entered(blocks[i], blocks, count))
                continue;
            memmove(&blocks[i], &blocks[i + 1], (count - i - 1) * sizeof *blocks);
            count--;
            changed = true;
        }
    }
    return count;
}

static void forget(LLVMBuilderRef b, LLVMValueRef phi, LLVMBasicBlockRef *copies, size_t count) {
    LLVMPositionBuilderBefore(b, phi);
    LLVMValueRef fewer = LLVMBuildPhi(b, LLVMTypeOf(phi), ""), same = NULL;
    bool differs = false;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, k);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        if (!is_among(from, copies, count))
            continue;
        LLVMAddIncoming(fewer, &v, &from, 1);
        differs |= same && same != v;
        same = v;
    }
    LLVMReplaceAllUsesWith(phi, differs || !same ? fewer : same);
    LLVMInstructionEraseFromParent(phi);
    if (!differs && same)
        LLVMInstructionEraseFromParent(fewer);
}

void prep_forget_growth(LLVMBasicBlockRef *copies, size_t count) {
    LLVMBuilderRef b =
        LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(*copies))));
    for (size_t i = 1; i < count; i++) {
        LLVMValueRef next, phi = LLVMGetFirstInstruction(copies[i]);
        for (; phi && LLVMIsAPHINode(phi); phi = next) {
            bool misses = false;
            next = LLVMGetNextInstruction(phi);
            for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
                misses |= !is_among(LLVMGetIncomingBlock(phi, k), copies, count);
            if (misses)
                forget(b, phi, copies, count);
        }
    }
    LLVMDisposeBuilder(b);
}

/* The size of the elements that a call copies, by its alignment and by the numbers that the step
 * stores. 1: it is not known. */
static uint64_t element_of(const prep_guard *g, LLVMValueRef call) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, 1, kind);
    LLVMValueRef store = host_first_store(g->l);
    LLVMTypeRef type = store ? LLVMTypeOf(LLVMGetOperand(store, 0)) : NULL;
    st_type element;
    uint64_t size = type && host_type(type, &element) ? (uint64_t)st_type_size(element) : 8;
    uint64_t aligned = align ? LLVMGetEnumAttributeValue(align) : 1;
    return aligned < size ? aligned : size;
}

/* How many bytes are allocated where a vector begins there, if it is not null. NULL: that is not
 * known. */
static LLVMValueRef bytes_at(LLVMValueRef begin, int depth) {
    if (LLVMIsAInstruction(begin) && allocates_here(begin))
        return LLVMGetOperand(begin, 0);
    LLVMValueRef bytes = NULL;
    unsigned ways = LLVMIsAPHINode(begin) && depth > 0 ? LLVMCountIncoming(begin) : 0;
    for (unsigned k = 0; k < ways; k++) {
        LLVMValueRef from = LLVMGetIncomingValue(begin, k);
        if (from == begin)
            continue;
        LLVMValueRef own = LLVMIsNull(from) ? NULL : bytes_at(from, depth - 1);
        if (!LLVMIsNull(from) && (!own || (bytes && own != bytes)))
            return NULL;
        bytes = own ? own : bytes;
    }
    return bytes;
}

/* Where the vector begins that is copied from there to its end. NULL: something else is copied. */
static LLVMValueRef begin_of(LLVMValueRef length) {
    bool differs = LLVMGetInstructionOpcode(length) == LLVMSub;
    LLVMValueRef begin = differs ? LLVMIsAPtrToIntInst(LLVMGetOperand(length, 1)) : NULL;
    return begin ? LLVMGetOperand(begin, 0) : NULL;
}

/* Has the step nests of several loops? */
static bool has_planes(const prep_guard *g) {
    LLVMBasicBlockRef block;
    bool has = false;
    for (size_t b = 0; !has && (block = br_loop_block(g->l, b)); b++) {
        br_loop in = br_loop_of(g->f, block);
        has = in != g->l && br_loop_parent(in) != g->l;
    }
    return has;
}

static bool is_multiple(const prep_guard *g, LLVMValueRef v, uint64_t element) {
    br_scev s = br_scev_of(g->f, v);
    int64_t factor = 0;
    return br_scev_kind(s) == BR_MUL && br_scev_int(br_scev_operand(s, 0), &factor) && factor > 0 &&
           (uint64_t)factor % element == 0;
}

/* The length of what is copied, as a number of elements or of rows. */
static LLVMValueRef known_length(prep_guard *g, LLVMValueRef length, uint64_t element) {
    LLVMValueRef begin = begin_of(length), bytes = begin ? bytes_at(begin, MAX_PHIS) : NULL;
    bool planes = has_planes(g);
    if (bytes && (planes || is_multiple(g, bytes, element))) {
        LLVMValueRef same = prep_guard_equal(g, length, bytes, begin);
        return same ? same : length;
    }
    return planes || host_in_loop(g->l, length) ? length : prep_guard_multiple(g, length, element);
}

void prep_copy_elements(prep_guard *g, LLVMBasicBlockRef *copies, size_t count) {
    for (size_t b = 0; b < count; b++) {
        if (br_loop_of(g->f, copies[b]) != g->l)
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(copies[b]); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMValueRef length = host_is_copy(i) ? LLVMIsAInstruction(LLVMGetOperand(i, 2)) : NULL;
            if (length && element_of(g, i) > 1)
                LLVMSetOperand(i, 2, known_length(g, length, element_of(g, i)));
        }
    }
}
