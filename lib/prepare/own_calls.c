/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which functions of a module may, while they run, store a variable: those that do, and those that
 * call one of them. Code outside the module may call each function whose address it may have, but
 * not the program's main function where that is known not to call itself. A function that waits for
 * other threads, by atomic operations, may see what code outside stores.
 */
#include "detect/common/calls.h"
#include "prepare/own.h"

#include <stdlib.h>
#include <string.h>

typedef struct edge {
    int from, to;
} edge; /* sorted by `to`, once all are there */

struct own_calls {
    LLVMValueRef *functions; /* sorted by address; behind them is the code outside the module */
    bool *writes;
    int count;
    edge *edges;
    size_t nedges;
    int *found; /* functions that write, in the order in which that was found */
};

static int compare_values(const void *a, const void *b) {
    uintptr_t x = (uintptr_t)*(const LLVMValueRef *)a, y = (uintptr_t)*(const LLVMValueRef *)b;
    return x < y ? -1 : x > y;
}

/* The number of a function with a body; otherwise that of the code outside. */
static int number_of(const own_calls *c, LLVMValueRef f) {
    LLVMValueRef *at =
        bsearch(&f, c->functions, (size_t)c->count, sizeof *c->functions, compare_values);
    return at ? (int)(at - c->functions) : c->count;
}

static void add_edge(own_calls *c, int from, int to) {
    if (c->nedges > 0 && c->edges[c->nedges - 1].from == from && c->edges[c->nedges - 1].to == to)
        return;
    if (c->nedges % 256 == 0)
        c->edges = realloc(c->edges, (c->nedges + 256) * sizeof *c->edges);
    c->edges[c->nedges++] = (edge){from, to};
}

static bool has_promise(LLVMValueRef f, const char *name) {
    return own_has_promise(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name);
}

/* C programs may call main again; C++ and Fortran may not. */
static bool is_main(LLVMValueRef f) {
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    return !strcmp(name, "_QQmain") || (!strcmp(name, "main") && has_promise(f, "norecurse"));
}

/* May the linker or the loader take another function of the name? */
static bool may_be_replaced(LLVMValueRef f) {
    LLVMLinkage linkage = LLVMGetLinkage(f);
    bool same = linkage == LLVMWeakODRLinkage || linkage == LLVMLinkOnceODRLinkage;
    static const char flag[] = "SemanticInterposition";
    bool any = LLVMGetModuleFlag(LLVMGetGlobalParent(f), flag, sizeof flag - 1) != NULL;
    return !own_is_local(f) && (any || !(same || linkage == LLVMExternalLinkage));
}

/* The number of what the call runs. */
static int number_called(const own_calls *c, LLVMValueRef call) {
    LLVMValueRef f = LLVMGetCalledValue(call);
    return LLVMIsAFunction(f) && may_be_replaced(f) ? c->count : number_of(c, f);
}

/* May code outside the module call the function? */
static bool may_be_called(LLVMValueRef f) {
    if (!own_is_local(f))
        return !is_main(f);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
        if (!call || LLVMGetCalledValue(user) != f)
            return true;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == f)
                return true;
    }
    return false;
}

/* Does control go to a function, also by an intrinsic? */
static bool is_call(LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return opcode == LLVMCallBr || opcode == LLVMInvoke ||
           (opcode == LLVMCall &&
            !(LLVMIsAIntrinsicInst(i) && has_promise(LLVMGetCalledValue(i), "nocallback")));
}

bool own_waits(LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    bool access = opcode == LLVMLoad || opcode == LLVMStore;
    return opcode == LLVMFence || opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg ||
           (access && !host_is_plain(i));
}

static void add_calls(own_calls *c, int from) {
    LLVMValueRef f = c->functions[from];
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_call(i) || own_waits(i))
                add_edge(c, from, is_call(i) ? number_called(c, i) : c->count);
    if (may_be_called(f))
        add_edge(c, c->count, from);
}

static int compare_edges(const void *a, const void *b) {
    const edge *x = a, *y = b;
    return x->to != y->to ? x->to - y->to : x->from - y->from;
}

own_calls *own_calls_find(LLVMModuleRef m) {
    own_calls *c = calloc(1, sizeof *c);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        c->count += !LLVMIsDeclaration(f);
    c->functions = calloc((size_t)c->count + 1, sizeof *c->functions);
    c->writes = calloc((size_t)c->count + 1, sizeof *c->writes);
    c->found = calloc((size_t)c->count + 1, sizeof *c->found);
    int n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            c->functions[n++] = f;
    qsort(c->functions, (size_t)n, sizeof *c->functions, compare_values);
    for (int k = 0; k < n; k++)
        add_calls(c, k);
    if (c->nedges)
        qsort(c->edges, c->nedges, sizeof *c->edges, compare_edges);
    return c;
}

void own_calls_destroy(own_calls *c) {
    free(c->functions);
    free(c->writes);
    free(c->edges);
    free(c->found);
    free(c);
}

/* The first edge that leads to the function. */
static size_t first_edge(const own_calls *c, int to) {
    size_t low = 0, high = c->nedges;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->edges[middle].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int take(own_calls *c, int function, int count) {
    if (c->writes[function])
        return count;
    c->writes[function] = true;
    c->found[count] = function;
    return count + 1;
}

void own_calls_take_writers(own_calls *c, const own_variable *v) {
    int count = 0;
    memset(c->writes, 0, ((size_t)c->count + 1) * sizeof *c->writes);
    for (size_t i = 0; i < v->naccesses; i++) {
        LLVMBasicBlockRef in = LLVMGetInstructionParent(v->accesses[i]);
        if (LLVMIsAStoreInst(v->accesses[i]))
            count = take(c, number_of(c, LLVMGetBasicBlockParent(in)), count);
    }
    for (int k = 0; k < count; k++)
        for (size_t e = first_edge(c, c->found[k]); e < c->nedges && c->edges[e].to == c->found[k];
             e++)
            count = take(c, c->edges[e].from, count);
}

/* May the call return a second time, as setjmp does? */
static bool returns_twice(LLVMValueRef call) {
    static const char name[] = "returns_twice";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMValueRef f = LLVMGetCalledValue(call);
    return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
           (LLVMIsAFunction(f) && has_promise(f, name));
}

bool own_call_may_write(const own_calls *c, const own_variable *v, LLVMValueRef call) {
    if (returns_twice(call))
        return true;
    bool reaches = !LLVMIsAAllocaInst(v->variable);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !reaches; i++)
        reaches = own_is_way(v, LLVMGetOperand(call, i));
    return reaches && is_call(call) && c->writes[number_called(c, call)];
}
