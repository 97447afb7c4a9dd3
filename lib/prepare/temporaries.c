/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A temporary array that each iteration of a loop allocates anew and frees, as Fortran compilers do
 * for a statement such as a(2:n-1) = a(1:n-2) + a(3:n). malloc may return the same memory each
 * time, so while the loop is looked at, malloc is called once in front of it, and free is gone;
 * then the array is one like others in the sweeps of a time loop. When legal: whenever the loop is
 * entered, both calls run in each iteration, as many bytes each time.
 *
 * If the loop is offloaded, the region keeps memory of its own, and the original loop gets both
 * calls back: where that runs, the program uses as much memory as it always did. If the loop is not
 * offloaded, it is as it was.
 */
#include "prepare/temporaries.h"

#include "prepare/hoist.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 256, MAX_PAIRS = PREP_MAX_MEMORY };

typedef struct blocks {
    LLVMBasicBlockRef block[MAX_BLOCKS];
    size_t count;
} blocks;

static bool calls(LLVMValueRef i, const char *name) {
    return !strcmp(host_callee_name(i), name) && LLVMIsDeclaration(LLVMGetCalledValue(i)) &&
           LLVMGetNumArgOperands(i) == 1;
}

/* Does control pass the block exactly once in each iteration? In an inner loop it may pass more
 * often. */
static bool is_passed(br_function *f, br_loop l, LLVMBasicBlockRef block) {
    return br_loop_of(f, block) == l && prep_always_passed(f, l, block);
}

/* The call that frees the memory, if it is the only one in the loop, and none is elsewhere; else
 * NULL. */
static LLVMValueRef find_free(br_function *f, br_loop l, LLVMValueRef allocation) {
    LLVMValueRef found = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(allocation); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!host_in_loop(l, user) || LLVMIsAPHINode(user) || (found && calls(user, "free")))
            return NULL;
        found = calls(user, "free") ? user : found;
    }
    return found && br_comes_first(f, allocation, found) ? found : NULL;
}

static size_t find_pairs(br_function *f, br_loop l, const blocks *in, LLVMValueRef pairs[][2]) {
    size_t count = 0;
    for (size_t b = 0; b < in->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(in->block[b]);
        for (; i && count < MAX_PAIRS; i = LLVMGetNextInstruction(i)) {
            if (!calls(i, "malloc") || host_in_loop(l, LLVMGetOperand(i, 0)) ||
                !is_passed(f, l, in->block[b]))
                continue;
            LLVMValueRef end = find_free(f, l, i);
            if (!end || !is_passed(f, l, LLVMGetInstructionParent(end)))
                continue;
            pairs[count][0] = i;
            pairs[count++][1] = end;
        }
    }
    return count;
}

/* Can control leave the loop? */
static bool is_left(br_loop l, const blocks *in) {
    for (size_t b = 0; b < in->count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(in->block[b]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            if (!br_loop_contains(l, LLVMGetSuccessor(end, i)))
                return true;
    }
    return false;
}

static void insert_before(LLVMValueRef instruction, LLVMValueRef place) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    LLVMPositionBuilderBefore(b, place);
    LLVMInsertIntoBuilder(b, instruction);
    LLVMInstructionSetDebugLoc(instruction, at);
    LLVMDisposeBuilder(b);
}

static LLVMValueRef take_out(LLVMValueRef instruction) {
    LLVMValueRef next = LLVMGetNextInstruction(instruction);
    LLVMInstructionRemoveFromParent(instruction);
    return next;
}

struct prep_temporaries {
    br_function *f;
    br_loop loop;
    prep_memory out;
    LLVMValueRef next[MAX_PAIRS][2]; /* what followed each call */
};

/* Is malloc called in a loop of the function? */
static bool allocates(br_function *f, LLVMValueRef function) {
    LLVMValueRef callee = LLVMGetNamedFunction(LLVMGetGlobalParent(function), "malloc");
    for (LLVMUseRef u = callee ? LLVMGetFirstUse(callee) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMBasicBlockRef block = LLVMIsACallInst(user) ? LLVMGetInstructionParent(user) : NULL;
        if (block && LLVMGetBasicBlockParent(block) == function && br_loop_of(f, block))
            return true;
    }
    return false;
}

/* Takes a pair out: the first call goes to `place`, the second to nowhere. */
static void move_out(prep_temporaries *m, LLVMValueRef pair[2], LLVMValueRef place) {
    size_t i = m->out.count++;
    for (int k = 0; k < 2; k++)
        m->next[i][k] = take_out(pair[k]);
    m->out.allocation[i] = pair[0];
    m->out.release[i] = pair[1];
    LLVMSetOperand(
        pair[1], 0,
        LLVMConstPointerNull(LLVMTypeOf(pair[0]))); /* so that the memory has no use meanwhile */
    insert_before(pair[0], place);
}

prep_temporaries *prep_take_temporaries(br_function *f, LLVMValueRef function, br_loop l) {
    br_loop inner;
    LLVMValueRef pairs[MAX_PAIRS][2];
    if (!allocates(f, function) || !br_loop_children(l, &inner, 1))
        return NULL;
    blocks *in = malloc(sizeof *in);
    in->count = br_loop_blocks(l, in->block, MAX_BLOCKS);
    size_t count = in->count <= MAX_BLOCKS && is_left(l, in) ? find_pairs(f, l, in, pairs) : 0;
    free(in);
    LLVMBasicBlockRef preheader = count ? br_loop_prepare(f, l) : NULL;
    if (!preheader)
        return NULL;
    prep_temporaries *m = calloc(1, sizeof *m);
    m->f = f;
    m->loop = l;
    for (size_t i = 0; i < count; i++)
        move_out(m, pairs[i], LLVMGetBasicBlockTerminator(preheader));
    br_scev_forget(f);
    return m;
}

/* In reverse order, because the place of one call is given by the call behind it. */
void prep_put_temporaries_back(prep_temporaries *m) {
    for (size_t i = m->out.count; i-- > 0;) {
        LLVMInstructionRemoveFromParent(m->out.allocation[i]);
        LLVMSetOperand(m->out.release[i], 0, m->out.allocation[i]);
        insert_before(m->out.release[i], m->next[i][1]);
        insert_before(m->out.allocation[i], m->next[i][0]);
    }
    br_scev_forget(m->f);
    free(m);
}

/* In the loop, `by` takes the value's place. */
static void replace_in(br_loop l, LLVMValueRef v, LLVMValueRef by) {
    LLVMUseRef next;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!host_in_loop(l, user))
            continue;
        for (int k = 0; k < LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, (unsigned)k) == v) {
                LLVMSetOperand(user, (unsigned)k, by);
                break; /* the list has another use for each further operand */
            }
    }
}

void prep_leave_temporaries(prep_temporaries *m) {
    for (size_t i = m->out.count; i-- > 0;) {
        LLVMValueRef *next = m->next[i], copy = LLVMInstructionClone(m->out.allocation[i]);
        LLVMSetOperand(m->out.release[i], 0, copy);
        insert_before(m->out.release[i], next[1]);
        insert_before(copy, next[0]);
        for (size_t k = 0; k < i; k++) /* pairs whose place is given by this call */
            for (int c = 0; c < 2; c++)
                m->next[k][c] = m->next[k][c] == m->out.allocation[i] ? copy : m->next[k][c];
        replace_in(m->loop, m->out.allocation[i], copy);
    }
    free(m);
}

const prep_memory *prep_memory_of(const prep_temporaries *m) {
    return m ? &m->out : NULL;
}
