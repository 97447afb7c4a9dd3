/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whether each function sets a variable before it reads it. At each point of a function the
 * variable's value may be another function's: where the function begins, behind a call that may
 * store the variable, and where the function may have waited for another thread. Behind a store it
 * is the function's own.
 */
#include "prepare/own.h"

#include <stdlib.h>

typedef struct block {
    LLVMBasicBlockRef block;
    bool foreign; /* where it begins, the value may be another function's */
    bool queued;
} block;

typedef struct flow {
    const own_calls *calls;
    const own_variable *v;
    block *blocks; /* sorted by address */
    size_t count;
    bool good; /* no load was found that may get another function's value */
} flow;

static int compare_blocks(const void *a, const void *b) {
    uintptr_t x = (uintptr_t)((const block *)a)->block, y = (uintptr_t)((const block *)b)->block;
    return x < y ? -1 : x > y;
}

static block *find_block(const flow *f, LLVMBasicBlockRef b) {
    block key = {.block = b};
    return bsearch(&key, f->blocks, f->count, sizeof key, compare_blocks);
}

static bool is_access(const flow *f, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return (opcode == LLVMLoad && own_is_way(f->v, LLVMGetOperand(i, 0)) &&
            LLVMTypeOf(i) == f->v->type) ||
           (opcode == LLVMStore && own_is_way(f->v, LLVMGetOperand(i, 1)) &&
            LLVMTypeOf(LLVMGetOperand(i, 0)) == f->v->type);
}

/* May the value be another function's where the block ends? */
static bool walk_block(flow *f, const block *b) {
    bool foreign = b->foreign;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b->block); i; i = LLVMGetNextInstruction(i)) {
        bool call = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
        bool waits = own_waits(i) && !LLVMIsAAllocaInst(f->v->variable);
        if (call)
            foreign |= own_call_may_write(f->calls, f->v, i);
        else if (waits || LLVMGetInstructionOpcode(i) == LLVMCallBr)
            foreign = true;
        else if (is_access(f, i) && LLVMIsALoadInst(i))
            f->good &= !foreign;
        else if (is_access(f, i))
            foreign = false;
    }
    return foreign;
}

/* Behind a call that throws, the variable may be as it was, or as the call left it. */
static bool hands_on(flow *f, block *b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block);
    bool foreign = walk_block(f, b), more = false;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        block *to = find_block(f, LLVMGetSuccessor(end, s));
        more |= foreign && !to->foreign;
        to->foreign |= foreign;
    }
    return more;
}

static void open_blocks(flow *f, LLVMValueRef function) {
    f->count = LLVMCountBasicBlocks(function);
    f->blocks = calloc(f->count, sizeof *f->blocks);
    size_t n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        f->blocks[n++].block = b;
    qsort(f->blocks, n, sizeof *f->blocks, compare_blocks);
}

static bool function_sets_first(flow *f, LLVMValueRef function) {
    LLVMValueRef v = f->v->variable;
    bool owner =
        LLVMIsAAllocaInst(v) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(v)) == function;
    open_blocks(f, function);
    find_block(f, LLVMGetEntryBasicBlock(function))->foreign = !owner;
    for (bool more = true; more && f->good;) {
        more = false;
        for (size_t b = 0; b < f->count; b++)
            more |= hands_on(f, &f->blocks[b]);
    }
    free(f->blocks);
    return f->good;
}

bool own_is_set_first(const own_calls *c, const own_variable *v) {
    flow f = {.calls = c, .v = v, .good = true};
    LLVMValueRef last = NULL;
    for (size_t i = 0; i < v->naccesses && f.good; i++) {
        LLVMValueRef in = LLVMGetBasicBlockParent(LLVMGetInstructionParent(v->accesses[i]));
        if (in != last)
            function_sets_first(&f, in);
        last = in;
    }
    return f.good;
}
