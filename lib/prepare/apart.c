/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A twin of a loop (team.h) runs only where what it stores lies apart from what it accesses through
 * other pointers:
 *
 *     if (u and f lie apart) if (stencilopt.alone()) twin; else the loop as it was
 *
 * The twin does things in another order, which is right for each array by itself. Where the twin's
 * loops are halves of rows, it runs only where rows are long enough, too.
 */
#include "prepare/apart.h"
#include "bridge/halves.h"
#include "detect/common/calls.h"
#include "prepare/guard.h"

#include <stdlib.h>

enum { MAX_ACCESSES = 256 };

typedef struct accesses {
    LLVMValueRef access[MAX_ACCESSES];
    size_t count;
} accesses;

static LLVMValueRef address_of(LLVMValueRef access) {
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

/* False: there are too many. */
static bool find_accesses(br_loop l, accesses *a) {
    LLVMBasicBlockRef b;
    for (size_t k = 0; (b = br_loop_block(l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAStoreInst(i) && !LLVMIsALoadInst(i))
                continue;
            if (a->count == MAX_ACCESSES)
                return false;
            a->access[a->count++] = i;
        }
    return true;
}

static bool require_all(prep_guard *g, const accesses *a) {
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < a->count && LLVMIsAStoreInst(a->access[i]); k++) {
            LLVMValueRef to = address_of(a->access[i]), other = address_of(a->access[k]);
            if (host_base_of(to) != host_base_of(other) && br_may_alias(g->f, other, to) &&
                !prep_guard_apart(g, a->access[i], a->access[k]))
                return false;
        }
    return true;
}

/* Lets control go from the end of this block on to the next one only if the condition holds, and
 * else to `rest`, where it would go from the next one. */
static void go_if(LLVMBuilderRef b, LLVMBasicBlockRef from, LLVMValueRef condition,
                  LLVMBasicBlockRef rest) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    LLVMBasicBlockRef gate = LLVMGetSuccessor(end, 0);
    LLVMPositionBuilderBefore(b, end);
    LLVMBuildCondBr(b, condition, gate, rest);
    LLVMInstructionEraseFromParent(end);
    br_come_from(rest, gate, from);
}

void prep_require(LLVMValueRef mark, LLVMValueRef condition) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(mark);
    LLVMBasicBlockRef rest = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(from), 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(mark)));
    br_split_before(mark);
    go_if(b, from, condition, rest);
    LLVMDisposeBuilder(b);
}

static prep_guard open_guard(br_function *f, LLVMValueRef mark, br_loop l) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(mark));
    prep_guard g = {.f = f,
                    .l = l,
                    .in_front = mark,
                    .b = LLVMCreateBuilderInContext(c),
                    .wide = LLVMIntTypeInContext(c, 128)};
    LLVMPositionBuilderBefore(g.b, mark);
    return g;
}

bool prep_require_apart(br_function *f, LLVMValueRef mark, br_loop l) {
    accesses *a = calloc(1, sizeof *a);
    prep_guard g = open_guard(f, mark, l);
    bool good = find_accesses(l, a) && require_all(&g, a);
    if (good && g.all)
        prep_require(mark, g.all);
    LLVMDisposeBuilder(g.b);
    free(a);
    br_function_invalidate(f);
    return good;
}

/* Rows of halves */

static LLVMValueRef greater(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y) {
    return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSGT, x, y, ""), x, y, "");
}

/* How often a loop goes back, in front of the mark; or NULL. */
static LLVMValueRef times_back(prep_guard *g, br_scev back) {
    return back ? prep_guard_number(g, br_scev_zext(g->f, back, 64)) : NULL;
}

bool prep_require_columns(br_function *f, const prep_columns *columns, LLVMValueRef mark) {
    prep_guard g = open_guard(f, mark, NULL);
    LLVMValueRef even = times_back(&g, columns->back[0]), odd = times_back(&g, columns->back[1]),
                 row = prep_guard_number(&g, columns->row);
    int64_t cell;
    bool good = even && odd && row && br_scev_int(columns->cell, &cell) && cell != INT64_MIN;
    if (good) {
        int by = columns->by, beside = columns->reach + (by < 0 ? -by : 0);
        LLVMValueRef two = LLVMConstInt(g.wide, 2, false);
        odd = LLVMBuildAdd(g.b, LLVMBuildMul(g.b, odd, two, ""),
                           LLVMConstInt(g.wide, (unsigned long long)by, true), "");
        LLVMValueRef most = greater(g.b, LLVMBuildMul(g.b, even, two, ""), odd);
        most = LLVMBuildAdd(g.b, most, LLVMConstInt(g.wide, (unsigned)beside, false), "");
        most = LLVMBuildMul(g.b, most, LLVMConstInt(g.wide, (unsigned long long)llabs(cell), false),
                            "");
        row = greater(g.b, row, LLVMBuildNeg(g.b, row, ""));
        prep_require(mark, LLVMBuildICmp(g.b, LLVMIntSLT, most, row, ""));
        br_function_invalidate(f);
    }
    LLVMDisposeBuilder(g.b);
    return good;
}
