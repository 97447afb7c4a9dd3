/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Variables that a parallel region has in common with the function around it. The region's body
 * gets their addresses, so they are in memory, where LLVM knows little of them. A twin works on
 * copies of its own, which LLVM makes values of: filled in front of the twin, and brought back
 * behind it. Nobody else accesses the variables meanwhile, for their addresses are known to the
 * function and to its regions' bodies alone, of which none runs but those in the twin.
 *
 * Clang hands each address to the body, flang all of them in a structure, which is filled in front
 * of the fork. Such a structure is not copied: it is filled for the twin's own variables.
 */
#include "prepare/team.h"

#include "detect/common/calls.h"
#include "detect/common/flow.h"

#include <llvm-c/Target.h>
#include <string.h>

enum { MAX_DEPTH = 12, MAX_BYTES = 512 };

static bool is_marker(LLVMValueRef i) {
    return host_is_annotation(host_callee_name(i));
}

static bool is_known(LLVMValueRef address, bool holds, int depth);

/* Is the address that a fork hands on known to its body alone? */
static bool is_known_in(LLVMValueRef fork, LLVMValueRef address, bool holds, int depth) {
    LLVMValueRef body = prep_fork_body(fork);
    bool known = body != NULL;
    for (unsigned i = 2; known && i < LLVMCountParams(body); i++)
        if (LLVMGetOperand(fork, i + 1) == address)
            known = is_known(LLVMGetParam(body, i), holds, depth);
    return known;
}

/* The store of an address. */
static bool is_known_where_stored(LLVMValueRef store, int depth) {
    LLVMValueRef to = host_base_of(LLVMGetOperand(store, 1));
    return LLVMIsAAllocaInst(to) && is_known(to, true, depth);
}

static bool is_known_to(LLVMValueRef user, LLVMValueRef address, bool holds, int depth) {
    if (LLVMIsALoadInst(user))
        return !holds || LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMPointerTypeKind ||
               is_known(user, false, depth);
    if (LLVMIsAStoreInst(user))
        return LLVMGetOperand(user, 0) != address || is_known_where_stored(user, depth);
    if (LLVMIsAAtomicRMWInst(user) || LLVMIsAAtomicCmpXchgInst(user))
        return LLVMGetOperand(user, 1) != address;
    if (LLVMIsAGetElementPtrInst(user))
        return is_known(user, holds, depth);
    if (host_is_copy(user))
        return !holds;
    return is_marker(user) || (prep_is_fork(user) && is_known_in(user, address, holds, depth));
}

/* Is the address known only here and in bodies of parallel regions, while these run? `holds`: there
 * may be addresses at it, of which this is asked as well. */
static bool is_known(LLVMValueRef address, bool holds, int depth) {
    bool known = depth < MAX_DEPTH;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && known; u = LLVMGetNextUse(u))
        known = is_known_to(LLVMGetUser(u), address, holds, depth + 1);
    return known;
}

static bool holds_addresses(LLVMValueRef variable) {
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGetElementPtrInst(user) && holds_addresses(user))
            return true;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable &&
            LLVMIsAAllocaInst(host_base_of(LLVMGetOperand(user, 0))))
            return true;
    }
    return false;
}

static bool is_twins(const team_twin *t, LLVMValueRef i) {
    return host_lists_block(t->block, t->count, LLVMGetInstructionParent(i));
}

static bool is_units(const team_twin *t, LLVMValueRef i) {
    return host_lists_block(t->unit, t->count, LLVMGetInstructionParent(i));
}

static team_shared *find(team_twin *t, LLVMValueRef variable) {
    for (size_t i = 0; i < t->nshared; i++)
        if (t->shared[i].variable == variable)
            return &t->shared[i];
    return NULL;
}

static uint64_t size_of(LLVMValueRef variable) {
    LLVMBasicBlockRef b = LLVMGetInstructionParent(variable);
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(b));
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    bool fixed = LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) && LLVMTypeIsSized(type) &&
                 b == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(b));
    return fixed ? LLVMABISizeOfType(LLVMGetModuleDataLayout(m), type) *
                       LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0))
                 : UINT64_MAX;
}

/* Is the structure filled in front of each fork in the unit that gets it, all of it in the block
 * that leads there or in the fork's own, and does no other fork get it? */
static bool is_filled_here(const team_twin *t, LLVMValueRef address, LLVMBasicBlockRef before) {
    bool here = true;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && here; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGetElementPtrInst(user))
            here = is_filled_here(t, user, before);
        else if (LLVMIsALoadInst(user))
            here = false;
        else if (prep_is_fork(user))
            here = is_twins(t, user) || is_units(t, user);
        else if (LLVMIsAStoreInst(user))
            here =
                is_twins(t, user) || is_units(t, user) || LLVMGetInstructionParent(user) == before;
    }
    return here;
}

/* The block that leads to the twin, or to the unit. */
static LLVMBasicBlockRef block_before(const team_twin *t) {
    LLVMValueRef first = LLVMBasicBlockAsValue(t->in);
    return LLVMGetInstructionParent(LLVMGetUser(LLVMGetFirstUse(first)));
}

static bool add(team_twin *t, LLVMValueRef variable) {
    bool holds = holds_addresses(variable);
    if (find(t, variable) || size_of(variable) > MAX_BYTES || !is_known(variable, false, 0))
        return !holds || find(t, variable) != NULL;
    if (t->nshared == TEAM_MAX_SHARED || (holds && !is_filled_here(t, variable, block_before(t))))
        return false;
    t->shared[t->nshared++] = (team_shared){.variable = variable, .holds = holds};
    return true;
}

/* Adds variables whose addresses are in a structure that is filled before the twin. */
static bool add_held(team_twin *t, LLVMValueRef address) {
    bool good = true;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && good; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGetElementPtrInst(user))
            good = add_held(t, user);
        else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address &&
                 LLVMIsAAllocaInst(host_base_of(LLVMGetOperand(user, 0))))
            good = add(t, host_base_of(LLVMGetOperand(user, 0)));
    }
    return good;
}

static bool find_shared(team_twin *t) {
    bool good = true;
    for (size_t k = 0; k < t->count && good; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->block[k]); i && good;
             i = LLVMGetNextInstruction(i))
            for (int n = 0; n < LLVMGetNumOperands(i) && good; n++) {
                LLVMValueRef v = host_base_of(LLVMGetOperand(i, (unsigned)n));
                good = !LLVMIsAAllocaInst(v) || add(t, v);
            }
    for (size_t k = 0; k < t->nshared && good; k++)
        good = !t->shared[k].holds || add_held(t, t->shared[k].variable);
    return good;
}

/* The address, in the variable that the twin has for a shared one, that stands for `address`; NULL:
 * the address is of no shared variable. */
static LLVMValueRef own_address(team_twin *t, LLVMBuilderRef b, LLVMValueRef address) {
    const team_shared *s = find(t, address);
    if (s || !LLVMIsAGetElementPtrInst(address) || is_twins(t, address))
        return s ? s->own : NULL;
    LLVMValueRef from = own_address(t, b, LLVMGetOperand(address, 0));
    if (!from)
        return NULL;
    LLVMValueRef own = LLVMInstructionClone(address);
    LLVMSetOperand(own, 0, from);
    LLVMInsertIntoBuilder(b, own);
    return own;
}

static void use_own(team_twin *t, LLVMBuilderRef b, LLVMValueRef i) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef own = own_address(t, b, LLVMGetOperand(i, (unsigned)n));
        if (own)
            LLVMSetOperand(i, (unsigned)n, own);
    }
}

/* Fills the twin's own structure as the block before fills the program's. */
static void fill_again(team_twin *t, LLVMBuilderRef b, LLVMBasicBlockRef before) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(before); i; i = LLVMGetNextInstruction(i)) {
        const team_shared *s =
            LLVMIsAStoreInst(i) ? find(t, host_base_of(LLVMGetOperand(i, 1))) : NULL;
        if (!s || !s->holds)
            continue;
        LLVMValueRef again = LLVMInstructionClone(i);
        use_own(t, b, again);
        LLVMInsertIntoBuilder(b, again);
    }
}

static LLVMValueRef copy(LLVMBuilderRef b, LLVMValueRef to, LLVMValueRef from) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(to));
    unsigned alignment = LLVMGetAlignment(from);
    LLVMValueRef size = LLVMConstInt(LLVMInt64TypeInContext(c), size_of(from), false);
    return LLVMBuildMemCpy(b, to, alignment, from, alignment, size);
}

/* The markers of a variable's lifetime say that others may use its memory, which the copies would
 * fall foul of. */
static void live_always(LLVMValueRef variable) {
    LLVMUseRef next;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!strncmp(host_callee_name(user), "llvm.lifetime.", 14))
            LLVMInstructionEraseFromParent(user);
    }
}

static void make_own(team_twin *t, LLVMBuilderRef b, team_shared *s) {
    live_always(s->variable);
    LLVMPositionBuilderBefore(b, s->variable);
    s->own = LLVMInstructionClone(s->variable);
    LLVMInsertIntoBuilder(b, s->own);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(t->in));
    s->filled = s->holds ? NULL : copy(b, s->own, s->variable);
}

bool team_share(team_twin *t) {
    if (!find_shared(t))
        return false;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(t->function)));
    for (size_t k = 0; k < t->nshared; k++)
        make_own(t, b, &t->shared[k]);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(t->in));
    fill_again(t, b, block_before(t));
    for (size_t k = 0; k < t->count; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->block[k]); i;
             i = LLVMGetNextInstruction(i))
            use_own(t, b, i);
    LLVMDisposeBuilder(b);
    return true;
}

static bool is_changed(const team_shared *s, LLVMValueRef address) {
    bool changed = false;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && !changed; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGetElementPtrInst(user))
            changed = is_changed(s, user);
        else
            changed = !LLVMIsALoadInst(user) && !is_marker(user) && user != s->filled;
    }
    return changed;
}

void team_unshare(team_twin *t) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(t->function)));
    for (size_t k = 0; k < t->nshared; k++) {
        const team_shared *s = &t->shared[k];
        for (size_t i = 0; i < t->nouts && !s->holds && is_changed(s, s->own); i++) {
            LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(t->out[i]));
            copy(b, s->variable, s->own);
        }
    }
    LLVMDisposeBuilder(b);
}
