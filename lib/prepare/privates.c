/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Private variables that OpenMP reduces. LLVM leaves one in memory where other stores of the loop
 * might be to it, since its address goes into the reduction's list in the end:
 *
 *     for (...) {                                 for (...) {
 *         v = cell();                                 v = cell();
 *         if (v > most)                  ->           own = v > own ? v : own;
 *             most = v;                           }
 *     }                                           most = own;
 *     reduce(&most);                              reduce(&most);
 *
 * Until then nobody else knows the address. So up to there another variable takes its place, whose
 * address goes nowhere, and which becomes a value. In a time loop each step begins by setting the
 * variable; what a step leaves in it is not seen by the next one.
 */
#include "prepare/team.h"

#include "detect/common/calls.h"
#include "detect/common/flow.h"

#include <string.h>

enum { REDUCE_LIST = 4, MAX_PRIVATES = 16, MAX_BLOCKS = 256 };

/* A variable, and the store of its address in the list. */
typedef struct private {
    LLVMValueRef variable, listed;
} private;

typedef struct privates {
    private at[MAX_PRIVATES];
    int count;
} privates;

static bool is_number(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMIntegerTypeKind;
}

static bool is_access(LLVMValueRef user, LLVMValueRef variable) {
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    if (LLVMIsALoadInst(user))
        return LLVMTypeOf(user) == type && host_is_plain(user);
    return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != variable &&
           LLVMTypeOf(LLVMGetOperand(user, 0)) == type && host_is_plain(user);
}

/* Is the access one of those that another variable takes? */
static bool is_early(br_function *f, const private *p, LLVMValueRef user) {
    return is_access(user, p->variable) && !br_comes_first(f, p->listed, user);
}

/* Is the store in the loop that the list is filled in, and do all others of these accesses come
 * behind it? */
static bool is_first(br_function *f, const private *p, LLVMValueRef store, br_loop l) {
    bool first = LLVMIsAStoreInst(store) && is_early(f, p, store) &&
                 br_loop_of(f, LLVMGetInstructionParent(store)) == l &&
                 br_comes_first(f, store, p->listed);
    for (LLVMUseRef u = LLVMGetFirstUse(p->variable); u && first; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        first = user == store || !is_early(f, p, user) || br_comes_first(f, store, user);
    }
    return first;
}

static LLVMValueRef find_first(br_function *f, const private *p, br_loop l) {
    for (LLVMUseRef u = LLVMGetFirstUse(p->variable); u; u = LLVMGetNextUse(u))
        if (is_first(f, p, LLVMGetUser(u), l))
            return LLVMGetUser(u);
    return NULL;
}

/* Lists the blocks that control comes to from the end of `from`, up to `until`, which is not one
 * of them. False: these are too many. */
static bool list_behind(LLVMBasicBlockRef from, LLVMBasicBlockRef until, LLVMBasicBlockRef *block,
                        size_t *count) {
    *count = 0;
    for (size_t k = 0; k <= *count; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(k ? block[k - 1] : from);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
            if (next == until || host_lists_block(block, *count, next))
                continue;
            if (*count == MAX_BLOCKS)
                return false;
            block[(*count)++] = next;
        }
    }
    return true;
}

/* Does control come from where the list is filled to no such access, before the first one of a
 * further step? */
static bool are_all_before(br_function *f, const private *p, LLVMValueRef first) {
    LLVMBasicBlockRef block[MAX_BLOCKS], until = first ? LLVMGetInstructionParent(first) : NULL;
    size_t count;
    bool before = list_behind(LLVMGetInstructionParent(p->listed), until, block, &count);
    for (LLVMUseRef u = LLVMGetFirstUse(p->variable); u && before; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        before = !is_early(f, p, user) ||
                 !host_lists_block(block, count, LLVMGetInstructionParent(user));
    }
    return before;
}

/* Is all that is done with the variable loading and storing its value, but for the one store that
 * puts it into the list? And is its value stored in a loop before that? */
static bool is_in_memory(br_function *f, const private *p) {
    bool good = is_number(LLVMGetAllocatedType(p->variable)), stored = false;
    br_loop step = br_loop_of(f, LLVMGetInstructionParent(p->listed));
    for (LLVMUseRef u = LLVMGetFirstUse(p->variable); u && good; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (user == p->listed || host_is_annotation(host_callee_name(user)))
            continue;
        good = is_access(user, p->variable);
        stored |= LLVMIsAStoreInst(user) && is_early(f, p, user) &&
                  br_loop_of(f, LLVMGetInstructionParent(user)) != step;
    }
    LLVMValueRef first = good && stored && step ? find_first(f, p, step) : NULL;
    return good && stored && (first || !step) && are_all_before(f, p, first);
}

/* Notes the variables whose addresses are stored in the list, or at a place in it. */
static void find_listed(br_function *f, LLVMValueRef list, privates *all) {
    for (LLVMUseRef u = LLVMGetFirstUse(list); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGetElementPtrInst(user)) {
            find_listed(f, user, all);
        } else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == list &&
                   LLVMIsAAllocaInst(LLVMGetOperand(user, 0)) && all->count < MAX_PRIVATES) {
            private p = {LLVMGetOperand(user, 0), user};
            if (is_in_memory(f, &p))
                all->at[all->count++] = p;
        }
    }
}

static privates find_privates(br_function *f, LLVMValueRef body) {
    privates all = {.count = 0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(body); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *name = LLVMIsACallInst(i) ? host_callee_name(i) : "";
            LLVMValueRef list =
                !strcmp(name, "__kmpc_reduce") || !strcmp(name, "__kmpc_reduce_nowait")
                    ? LLVMIsAAllocaInst(LLVMGetOperand(i, REDUCE_LIST))
                    : NULL;
            if (list)
                find_listed(f, list, &all);
        }
    return all;
}

bool team_has_privates(br_function *f, LLVMValueRef body) {
    return find_privates(f, body).count > 0;
}

static void replace(br_function *f, const private *p) {
    LLVMTypeRef type = LLVMGetAllocatedType(p->variable);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(b, p->variable);
    LLVMValueRef own = LLVMBuildAlloca(b, type, "own");
    for (LLVMUseRef u = LLVMGetFirstUse(p->variable), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (is_early(f, p, user))
            LLVMSetOperand(user, LLVMIsAStoreInst(user) ? 1 : 0, own);
    }
    LLVMPositionBuilderBefore(b, p->listed);
    LLVMBuildStore(b, LLVMBuildLoad2(b, type, own, ""), p->variable);
    LLVMDisposeBuilder(b);
}

void team_take_privates(br_function *f, LLVMValueRef function) {
    privates all = find_privates(f, function);
    for (int i = 0; i < all.count; i++)
        replace(f, &all.at[i]);
    if (all.count)
        prep_clean_up(function);
    br_function_invalidate(f);
}
