/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which functions of a module may, while they run, store a variable: those that do, and those that
 * call one of them. Code outside the module may call each function whose address it may have; the
 * program's main function it does not.
 */
#include "prepare/own.h"

#include <stdlib.h>
#include <string.h>

typedef struct edge {
    int from, to;
} edge;

struct own_calls {
    LLVMValueRef *functions; /* sorted by address; behind them is the code outside the module */
    bool *writes;
    int count;
    edge *edges;
    size_t nedges;
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

static bool is_main(LLVMValueRef f) {
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    return !strcmp(name, "main") || !strcmp(name, "_QQmain");
}

/* May code outside the module call the function? */
static bool may_be_called(LLVMValueRef f) {
    LLVMLinkage linkage = LLVMGetLinkage(f);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
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

static bool is_call(LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return opcode == LLVMCall || opcode == LLVMInvoke || opcode == LLVMCallBr;
}

static void add_calls(own_calls *c, int from) {
    LLVMValueRef f = c->functions[from];
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_call(i) && !LLVMIsAIntrinsicInst(i))
                add_edge(c, from, number_of(c, LLVMGetCalledValue(i)));
    if (may_be_called(f))
        add_edge(c, c->count, from);
}

own_calls *own_calls_find(LLVMModuleRef m) {
    own_calls *c = calloc(1, sizeof *c);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        c->count += !LLVMIsDeclaration(f);
    c->functions = calloc((size_t)c->count + 1, sizeof *c->functions);
    c->writes = calloc((size_t)c->count + 1, sizeof *c->writes);
    int n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            c->functions[n++] = f;
    qsort(c->functions, (size_t)n, sizeof *c->functions, compare_values);
    for (int k = 0; k < n; k++)
        add_calls(c, k);
    return c;
}

void own_calls_destroy(own_calls *c) {
    free(c->functions);
    free(c->writes);
    free(c->edges);
    free(c);
}

void own_calls_take_writers(own_calls *c, const own_variable *v) {
    memset(c->writes, 0, ((size_t)c->count + 1) * sizeof *c->writes);
    for (size_t i = 0; i < v->naccesses; i++)
        if (LLVMIsAStoreInst(v->accesses[i]))
            c->writes[number_of(
                c, LLVMGetBasicBlockParent(LLVMGetInstructionParent(v->accesses[i])))] = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t e = 0; e < c->nedges; e++)
            if (c->writes[c->edges[e].to] && !c->writes[c->edges[e].from])
                c->writes[c->edges[e].from] = more = true;
    }
}

/* May the call return a second time, as setjmp does? */
static bool returns_twice(LLVMValueRef call) {
    static const char name[] = "returns_twice";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMValueRef f = LLVMGetCalledValue(call);
    return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
           (LLVMIsAFunction(f) && LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind));
}

bool own_call_may_write(const own_calls *c, const own_variable *v, LLVMValueRef call) {
    if (returns_twice(call))
        return true;
    bool reaches = !LLVMIsAAllocaInst(v->variable);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !reaches; i++)
        reaches = own_is_way(v, LLVMGetOperand(call, i));
    return reaches && !LLVMIsAIntrinsicInst(call) &&
           c->writes[number_of(c, LLVMGetCalledValue(call))];
}
