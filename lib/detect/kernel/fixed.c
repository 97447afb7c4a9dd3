/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses where the program knows a coordinate: in `if (y == 0) b[y * n + x] = v`, LLVM writes
 * b[x]. It is the address of the cell that it was, for it is used where the condition holds alone.
 * A coordinate is put back if the address then moves like that of the store with all coordinates.
 */
#include "detect/kernel/stages.h"

typedef struct fixed {
    kernel_region *k;
    poly at[ST_MAX_RANK]; /* each axis's value, where `is` */
    bool is[ST_MAX_RANK];
} fixed;

static bool number(kernel_region *k, LLVMValueRef v, poly *out) {
    br_scev s = br_scev_of(k->f, v);
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
           kernel_note_narrow(&k->maybe, s, true) && kernel_number(&k->maybe, s, out);
}

/* axis == value, if the comparison of equal numbers says just that. */
static void note_equal(fixed *x, LLVMValueRef comparison) {
    poly left, right;
    host_affine a;
    int64_t step;
    int axis = -1, count = 0;
    if (!number(x->k, LLVMGetOperand(comparison, 0), &left) ||
        !number(x->k, LLVMGetOperand(comparison, 1), &right))
        return;
    poly difference = poly_sub(left, right);
    if (!poly_is_known(difference) || !kernel_affine(x->k, difference, &a))
        return;
    for (int i = 0; i < x->k->naxes; i++)
        if (!poly_is_zero(a.step[i])) {
            axis = i;
            count++;
        }
    if (count != 1 || !poly_is_int(a.step[axis], &step) || (step != 1 && step != -1))
        return;
    x->at[axis] = poly_scale(a.base, -step);
    x->is[axis] = true;
}

/* Is v `a && b`, or if not `both`, `a || b`? */
static bool is_pair(LLVMValueRef v, bool both) {
    if (!LLVMIsAInstruction(v))
        return false;
    if (LLVMGetInstructionOpcode(v) == (both ? LLVMAnd : LLVMOr))
        return true;
    LLVMValueRef constant = LLVMIsASelectInst(v) ? LLVMGetOperand(v, both ? 2 : 1) : NULL;
    return constant && LLVMIsAConstantInt(constant) &&
           LLVMConstIntGetZExtValue(constant) == (both ? 0 : 1);
}

static void note_condition(fixed *x, LLVMValueRef condition, bool holds, int depth) {
    if (depth > 0 && is_pair(condition, holds)) {
        bool chooses = LLVMIsASelectInst(condition) && !holds;
        note_condition(x, LLVMGetOperand(condition, 0), holds, depth - 1);
        note_condition(x, LLVMGetOperand(condition, chooses ? 2 : 1), holds, depth - 1);
    }
    if (LLVMIsAICmpInst(condition) &&
        LLVMGetICmpPredicate(condition) == (holds ? LLVMIntEQ : LLVMIntNE))
        note_equal(x, condition);
}

/* What branches on the way to the block say. */
static void note_branches(fixed *x, LLVMBasicBlockRef block) {
    enum { DEPTH = 8 };
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(x->k->function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; i < 2 && br_is_conditional(end); i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            if (host_has_one_edge(to) && br_dominates(x->k->f, to, block))
                note_condition(x, LLVMGetCondition(end), i == 0, DEPTH);
        }
    }
}

static bool moves_like(const kernel_region *k, const host_affine *a, const host_affine *b) {
    for (int i = 0; i < k->naxes; i++)
        if (!poly_equal(a->step[i], b->step[i]))
            return false;
    return true;
}

/* Where the address is used; it may be computed in front of a loop. */
static LLVMBasicBlockRef place_of(LLVMValueRef pointer) {
    LLVMUseRef use = LLVMGetFirstUse(pointer);
    bool once = use && !LLVMGetNextUse(use) && !LLVMIsAPHINode(LLVMGetUser(use));
    return LLVMGetInstructionParent(once ? LLVMGetUser(use) : pointer);
}

void kernel_restore_fixed(kernel_region *k, LLVMValueRef pointer, host_affine *at) {
    fixed x = {.k = k};
    poly written;
    host_affine store, more = *at;
    if (!LLVMIsAInstruction(pointer) ||
        !kernel_poly(&k->maybe, br_scev_of(k->f, LLVMGetOperand(k->store, 1)), &written) ||
        !kernel_affine(k, written, &store) || moves_like(k, at, &store))
        return;
    note_branches(&x, place_of(pointer));
    for (int i = 0; i < k->naxes; i++) {
        if (!poly_is_zero(at->step[i]) || !x.is[i])
            continue;
        poly part = poly_mul(store.step[i], x.at[i]);
        more.step[i] = store.step[i];
        more.base = poly_sub(more.base, part);
    }
    if (poly_is_known(more.base) && moves_like(k, &more, &store))
        *at = more;
}

bool kernel_writes_beside(kernel_region *k, LLVMValueRef store) {
    fixed x = {.k = k};
    bool one_cell = k->cells == 1 && !k->stride_loop && !k->other_stride_loop;
    bool any = false;
    note_branches(&x, LLVMGetInstructionParent(store));
    for (int i = 0; i < k->naxes; i++)
        any |= x.is[i];
    return one_cell && any;
}
