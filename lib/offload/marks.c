/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tells later passes that loops were offloaded: marks the loops, and removes attributes that are
 * wrong now that the function calls the runtime. Attributes of its callers are removed too.
 */
#include "offload/emit.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "stencilopt.done";

static unsigned mark_kind(LLVMContextRef c) {
    return LLVMGetMDKindIDInContext(c, mark, sizeof mark - 1);
}

bool offload_done(br_loop l) {
    for (; l; l = br_loop_parent(l)) {
        LLVMBasicBlockRef latch = br_loop_latch(l);
        LLVMValueRef end = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
        LLVMContextRef c = end ? LLVMGetTypeContext(LLVMTypeOf(end)) : NULL;
        if (end && LLVMGetMetadata(end, mark_kind(c)))
            return true;
    }
    return false;
}

void offload_set_done(br_loop l) {
    LLVMBasicBlockRef latch = br_loop_latch(l);
    LLVMValueRef end = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
    LLVMContextRef c = end ? LLVMGetTypeContext(LLVMTypeOf(end)) : NULL;
    if (end)
        LLVMSetMetadata(end, mark_kind(c),
                        LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0)));
}

/* A loop of one iteration around several nests will be removed, so the nests are marked too. */
void emit_marks(const rewriter *w) {
    br_loop outer = w->r->outer, nests[HOST_MAX_SWEEPS];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(br_loop_latch(outer));
    offload_set_done(outer);
    if (!br_is_conditional(end) || !LLVMIsConstant(LLVMGetCondition(end)))
        return;
    size_t count = br_loop_children(outer, nests, HOST_MAX_SWEEPS);
    for (size_t i = 0; i < count && i < HOST_MAX_SWEEPS; i++)
        offload_set_done(nests[i]);
}

/* Removes attributes that were inferred before the function called the runtime: of the call, if it
 * is given, or else of the function. True if there were some. */
static bool drop_attributes(LLVMValueRef f, LLVMValueRef call) {
    static const char *const names[] = {"memory", "nosync", "nofree", "norecurse", "nocallback"};
    bool dropped = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
        if (!kind)
            continue;
        if (call && LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind)) {
            LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
            dropped = true;
        } else if (!call && LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind)) {
            LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
            dropped = true;
        }
    }
    return dropped;
}

/* Functions that lost attributes, whose callers are visited next. */
typedef struct callers {
    LLVMValueRef *functions; /* no function is here twice */
    size_t count, done, capacity;
} callers;

static void add_caller(callers *c, LLVMValueRef f) {
    if (c->count == c->capacity) {
        c->capacity = 2 * c->capacity + 16;
        c->functions = realloc(c->functions, c->capacity * sizeof *c->functions);
    }
    c->functions[c->count++] = f;
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef callee) {
    bool calls = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user) || LLVMIsACallBrInst(user);
    return calls && LLVMGetCalledValue(user) == callee;
}

/* Visits the calls of a function, by its name or through aliases. `names` gets aliases to be
 * visited. */
static void visit_uses(const rewriter *w, callers *c, callers *names, LLVMValueRef callee) {
    for (LLVMUseRef u = LLVMGetFirstUse(callee); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGlobalAlias(user) || LLVMIsAConstantExpr(user))
            add_caller(names, user);
        if (!is_call_of(user, callee))
            continue;
        LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        bool dropped = drop_attributes(NULL, user);
        if (drop_attributes(caller, NULL))
            add_caller(c, caller);
        else if (!dropped)
            continue;
        if (caller != w->r->function)
            br_function_invalidate_other(w->r->f, caller);
    }
}

/* Also removes the attributes of all callers, because they followed from the function's. A function
 * is added to the list when it loses its first attribute, so it is added once. */
void emit_forget_effects(const rewriter *w) {
    callers c = {NULL, 0, 0, 0}, names = {NULL, 0, 0, 0};
    if (drop_attributes(w->r->function, NULL))
        add_caller(&c, w->r->function);
    while (c.done < c.count) {
        names.count = names.done = 0;
        visit_uses(w, &c, &names, c.functions[c.done++]);
        while (names.done < names.count)
            visit_uses(w, &c, &names, names.functions[names.done++]);
    }
    free(c.functions);
    free(names.functions);
}
