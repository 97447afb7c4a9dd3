/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Follows a variable's address through a module: into tables of addresses, and with the variable or
 * a table into the functions of the module that get it as an argument. A function is followed into
 * only if all its calls are known, and hand it this variable.
 */
#include "bridge/bridge.h"
#include "detect/common/calls.h"
#include "model/fixed_limits.h"
#include "prepare/own.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WAYS = ST_LIMIT(4096, 64), ADDRESS = 8 /* bytes */ };

static const own_way *find_way(const own_variable *v, LLVMValueRef value) {
    for (size_t i = 0; i < v->nways; i++)
        if (v->ways[i].value == value)
            return &v->ways[i];
    return NULL;
}

bool own_is_way(const own_variable *v, LLVMValueRef value) {
    return find_way(v, value) != NULL;
}

static bool add_way(own_variable *v, LLVMValueRef value, bool is_table, int64_t offset) {
    const own_way *known = find_way(v, value);
    if (known)
        return known->is_table == is_table && known->offset == offset;
    if (v->nways == MAX_WAYS)
        return false;
    if (v->nways % 64 == 0)
        v->ways = realloc(v->ways, (v->nways + 64) * sizeof *v->ways);
    v->ways[v->nways++] = (own_way){value, is_table, offset};
    return true;
}

static bool add_access(own_variable *v, LLVMValueRef i, LLVMTypeRef type) {
    if (type != v->type || !host_is_plain(i))
        return false;
    if (v->naccesses % 64 == 0)
        v->accesses = realloc(v->accesses, (v->naccesses + 64) * sizeof *v->accesses);
    v->accesses[v->naccesses++] = i;
    return true;
}

/* Does the load or store of a table reach another address than the variable's, and no part of it?
 */
static bool is_beside(const own_way *w, LLVMTypeRef type) {
    return w->offset != 0 && w->offset % ADDRESS == 0 &&
           LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool follow_load(own_variable *v, own_way w, LLVMValueRef load) {
    LLVMTypeRef type = LLVMTypeOf(load);
    if (!w.is_table)
        return add_access(v, load, type);
    if (is_beside(&w, type))
        return true;
    return w.offset == 0 && LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
           add_way(v, load, false, 0);
}

/* The variable's address goes to a table, or its value is stored. What else is stored to a table
 * where it has the variable's address is seen in is_only_way. */
static bool follow_store(own_variable *v, own_way w, LLVMValueRef store) {
    LLVMValueRef stored = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
    if (stored == address || (stored == w.value && w.is_table))
        return false;
    if (stored == w.value) {
        int64_t offset;
        LLVMValueRef table = br_base_and_offset(address, &offset);
        return LLVMIsAAllocaInst(table) && add_way(v, table, true, offset);
    }
    return w.is_table || add_access(v, store, LLVMTypeOf(stored));
}

static bool follow_sum(own_variable *v, own_way w, LLVMValueRef address) {
    int64_t offset, before;
    LLVMValueRef base = br_base_and_offset(address, &offset);
    return w.is_table && base == br_base_and_offset(w.value, &before) &&
           add_way(v, address, true, w.offset - (offset - before));
}

bool own_is_local(LLVMValueRef f) {
    LLVMLinkage linkage = LLVMGetLinkage(f);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* The function that is called, if all its calls are in the module. One that gets its own address
 * may be called by that. */
static LLVMValueRef known_callee(LLVMValueRef call) {
    LLVMValueRef f = LLVMGetCalledValue(call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetOperand(call, i) == f)
            return NULL;
    if (!LLVMIsAFunction(f) || LLVMIsDeclaration(f) ||
        LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)))
        return NULL;
    return own_is_local(f) ? f : NULL;
}

static bool is_lifetime(LLVMValueRef call) {
    size_t length;
    LLVMValueRef f = LLVMGetCalledValue(call);
    return LLVMIsAFunction(f) && !strncmp(LLVMGetValueName2(f, &length), "llvm.lifetime.", 14);
}

static bool follow_call(own_variable *v, own_way w, LLVMValueRef call) {
    LLVMValueRef f = known_callee(call);
    unsigned count = LLVMGetNumArgOperands(call);
    if (is_lifetime(call))
        return true;
    if (!f || LLVMGetNumOperandBundles(call) > 0 || LLVMCountParams(f) != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (LLVMGetOperand(call, i) == w.value &&
            !add_way(v, LLVMGetParam(f, i), w.is_table, w.offset))
            return false;
    return true;
}

static bool follow_use(own_variable *v, own_way w, LLVMValueRef user) {
    if (!LLVMIsAInstruction(user))
        return false;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
        return follow_load(v, w, user);
    case LLVMStore:
        return follow_store(v, w, user);
    case LLVMGetElementPtr:
        return follow_sum(v, w, user);
    case LLVMCall:
    case LLVMInvoke:
        return follow_call(v, w, user);
    default:
        return false;
    }
}

/* Where a table has the variable's address, is nothing else stored? */
static bool holds_only(const own_variable *v, const own_way *w) {
    for (LLVMUseRef u = LLVMGetFirstUse(w->value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAStoreInst(user))
            continue;
        const own_way *stored = find_way(v, LLVMGetOperand(user, 0));
        if (!is_beside(w, LLVMTypeOf(LLVMGetOperand(user, 0))) && (!stored || stored->is_table))
            return false;
    }
    return true;
}

bool own_has_promise(LLVMValueRef f, LLVMAttributeIndex index, const char *name) {
    return LLVMGetEnumAttributeAtIndex(f, index,
                                       LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* Do all who call the parameter's function hand it the variable there, and not a copy? */
static bool gets_only(const own_variable *v, const own_way *w) {
    LLVMValueRef f = LLVMGetParamParent(w->value);
    unsigned i = 0;
    while (LLVMGetParam(f, i) != w->value)
        i++;
    if (own_has_promise(f, i + 1, "byval") || own_has_promise(f, i + 1, "inalloca"))
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if ((!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) || known_callee(call) != f)
            return false;
        const own_way *given = find_way(v, LLVMGetOperand(call, i));
        if (!given || given->is_table != w->is_table || given->offset != w->offset)
            return false;
    }
    return true;
}

static bool is_only_way(const own_variable *v, const own_way *w) {
    return (!w->is_table || holds_only(v, w)) && (!LLVMIsAArgument(w->value) || gets_only(v, w));
}

bool own_find_ways(own_variable *v, LLVMValueRef variable) {
    bool is_global = LLVMIsAGlobalVariable(variable) != NULL;
    LLVMTypeRef type =
        is_global ? LLVMGlobalGetValueType(variable) : LLVMGetAllocatedType(variable);
    *v = (own_variable){.variable = variable, .type = type};
    bool known = add_way(v, variable, false, 0);
    for (size_t i = 0; i < v->nways && known; i++)
        for (LLVMUseRef u = LLVMGetFirstUse(v->ways[i].value); u && known; u = LLVMGetNextUse(u))
            known = follow_use(v, v->ways[i], LLVMGetUser(u));
    for (size_t i = 0; i < v->nways && known; i++)
        known = is_only_way(v, &v->ways[i]);
    return known;
}

void own_release(own_variable *v) {
    free(v->ways);
    free(v->accesses);
    *v = (own_variable){.variable = NULL};
}
