/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that exchanges whole grids, with their sizes, as std::swap of two objects does:
 *
 *     for (t = 0; t < T; t++) {            if (x.n == y.n)
 *         sweep(x.data, x.n, y.data);          for (t = 0; t < T; t++) {
 *         swap(&x, &y);                            sweep(x.data, n, y.data);
 *     }                            ->              swap(&x.data, &y.data);
 *                                              }
 *                                          else
 *                                              for (t = 0; t < T; t++) { as it was }
 *
 * Here the sizes are values already (slots.c): integers that the loop's head takes over from one
 * another. If those of a ring are equal in front of the loop, all of them are equal in each step,
 * and none changes.
 */
#include "prepare/sizes.h"
#include "model/fixed_limits.h"
#include "prepare/checks.h"
#include "prepare/modes.h"
#include "prepare/sequence.h"

#include <stdlib.h>

enum { MAX_BLOCKS = ST_LIMIT(512, 8), MAX_SIZES = ST_LIMIT(32, 4) };

typedef struct sizes {
    LLVMBasicBlockRef before, latch, own[MAX_BLOCKS], copy[MAX_BLOCKS];
    size_t blocks, count;
    LLVMValueRef size[MAX_SIZES], next[MAX_SIZES]; /* phis; and those that they are taken from */
} sizes;

static bool is_size(const sizes *z, LLVMValueRef v) {
    return LLVMIsAPHINode(v) && LLVMGetInstructionParent(v) == z->own[0] &&
           LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind;
}

/* Does the phi come back to itself through others, in more than one step? */
static bool is_in_ring(const sizes *z, LLVMValueRef phi) {
    LLVMValueRef at = prep_value_from(phi, z->latch, 0);
    int steps = 1;
    for (; steps < MAX_SIZES && at != phi && is_size(z, at); steps++)
        at = prep_value_from(at, z->latch, 0);
    return at == phi && steps > 1;
}

/* False: there are none, or too many. */
static bool find(sizes *z) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(z->own[0]); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        if (!is_size(z, i) || !is_in_ring(z, i))
            continue;
        if (z->count == MAX_SIZES)
            return false;
        z->size[z->count] = i;
        z->next[z->count++] = prep_value_from(i, z->latch, 0);
    }
    return z->count > 0;
}

static LLVMValueRef emit_equal(const sizes *z, LLVMBuilderRef b) {
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < z->count; i++) {
        LLVMValueRef own = prep_value_from(z->size[i], z->before, 0);
        LLVMValueRef other = prep_value_from(z->next[i], z->before, 0);
        LLVMValueRef equal = LLVMBuildICmp(b, LLVMIntEQ, own, other, "");
        all = all ? LLVMBuildAnd(b, all, equal, "") : equal;
    }
    return LLVMBuildFreeze(b, all, "");
}

/* The first one of the size's ring. */
static LLVMValueRef first_of(const sizes *z, LLVMValueRef size) {
    for (size_t i = 0; i < z->count; i++) {
        LLVMValueRef at = z->size[i];
        do
            at = prep_value_from(at, z->latch, 0);
        while (at != size && at != z->size[i]);
        if (at == size)
            return z->size[i];
    }
    return size;
}

/* In the copy all sizes of a ring stay what the first one is. */
static void keep(const sizes *z) {
    for (size_t i = 0; i < z->count; i++) {
        LLVMValueRef copy = br_twin_of(z->own, z->blocks, z->copy, z->size[i]);
        LLVMValueRef next = br_twin_of(z->own, z->blocks, z->copy, z->next[i]);
        LLVMValueRef start = prep_value_from(first_of(z, z->size[i]), z->before, 0);
        for (unsigned k = 0; k < LLVMCountIncoming(copy); k++)
            LLVMSetOperand(copy, k, LLVMGetIncomingValue(copy, k) == next ? copy : start);
    }
}

static bool describe(sizes *z, br_loop l) {
    z->latch = br_loop_latch(l);
    z->blocks = z->latch ? br_loop_blocks(l, z->own, MAX_BLOCKS) : 0;
    return z->blocks > 0 && z->blocks <= MAX_BLOCKS && find(z);
}

bool prep_has_sizes(br_loop l) {
    sizes *z = calloc(1, sizeof *z);
    bool has = describe(z, l);
    free(z);
    return has;
}

static LLVMBasicBlockRef join(sizes *z, prep_shadow *s, LLVMBasicBlockRef head) {
    size_t outs;
    br_loop l = prep_prepared_loop(s->f, head, &z->before);
    if (!l || !describe(z, l))
        return l ? head : NULL;
    LLVMValueRef in_front = LLVMGetBasicBlockTerminator(z->before);
    prep_place(in_front, l);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
    LLVMPositionBuilderBefore(b, in_front);
    LLVMValueRef equal = emit_equal(z, b);
    LLVMDisposeBuilder(b);
    br_twin(z->before, z->own, z->blocks, equal, z->copy, NULL, 0, &outs);
    keep(z);
    prep_set_guarded(l);
    return prep_simplify(s, z->copy[0]) ? z->copy[0] : NULL;
}

LLVMBasicBlockRef prep_join_sizes(prep_shadow *s, LLVMBasicBlockRef head) {
    sizes *z = calloc(1, sizeof *z);
    head = join(z, s, head);
    free(z);
    return head;
}
