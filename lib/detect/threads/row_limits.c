/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How many rows or cells there are, as far as comparisons and clamped neighbours tell. An order of
 * threads is right with any number of rows, see lib/codegen/remap/flat.c. So branches are not
 * followed here. With the actual number of rows, the order has all cells that are written.
 */
#include "detect/threads/threads.h"

#include "detect/common/calls.h"

#include <string.h>

enum { DEPTH = 8 }; /* of instructions looked through */

static LLVMIntPredicate turned(LLVMIntPredicate p, bool swap, bool invert) {
    static const LLVMIntPredicate table[][4] = {
        /* as it is, a > b as b < a, !(a < b), both */
        {LLVMIntULT, LLVMIntUGT, LLVMIntUGE, LLVMIntULE},
        {LLVMIntULE, LLVMIntUGE, LLVMIntUGT, LLVMIntULT},
        {LLVMIntUGT, LLVMIntULT, LLVMIntULE, LLVMIntUGE},
        {LLVMIntUGE, LLVMIntULE, LLVMIntULT, LLVMIntUGT},
        {LLVMIntSLT, LLVMIntSGT, LLVMIntSGE, LLVMIntSLE},
        {LLVMIntSLE, LLVMIntSGE, LLVMIntSGT, LLVMIntSLT},
        {LLVMIntSGT, LLVMIntSLT, LLVMIntSLE, LLVMIntSGE},
        {LLVMIntSGE, LLVMIntSLE, LLVMIntSLT, LLVMIntSGT},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i][0] == p)
            return table[i][swap + 2 * invert];
    return p;
}

LLVMValueRef threads_upper_limit(LLVMValueRef test, bool left, bool holds, bool *is_signed) {
    LLVMIntPredicate p = turned(LLVMGetICmpPredicate(test), !left, !holds);
    *is_signed = p == LLVMIntSLT || p == LLVMIntSLE;
    bool upper = *is_signed || p == LLVMIntULT || p == LLVMIntULE;
    return upper ? LLVMGetOperand(test, left ? 1 : 0) : NULL;
}

/* Numbers are of special rows, unless all sizes are numbers. */
static void take_height(st_flat_index *f, poly limit) {
    int64_t number;
    if (f->height_known || (poly_is_int(limit, &number) && !LLVMIsAConstantInt(f->width)))
        return;
    f->height = limit;
    f->height_known = true;
}

/* Takes a limit of the flat index: no order goes beyond it. */
static void take_cells(st_flat_index *f, poly divisor, poly limit) {
    poly whole, rest;
    if (poly_divide(limit, divisor, &whole, &rest) && poly_is_zero(rest)) {
        f->height = whole;
        f->height_known = true;
    } else if (!f->cells_known) {
        f->cells = limit;
        f->cells_known = true;
    }
}

/* Is p the row, and a number? */
static bool is_row(const kernel_values *values, const st_flat_index *f, poly divisor, poly p,
                   poly *number) {
    for (int i = 0; i < values->nroots; i++) {
        const kernel_root *r = &values->roots[i];
        poly row = poly_atom(values->f, kernel_root_atom(r));
        int64_t ignored;
        *number = poly_sub(p, row);
        if (r->role == KERNEL_QUOTIENT && poly_is_int(*number, &ignored) &&
            poly_equal(r->numerator, f->value) && poly_equal(r->divisor, divisor))
            return true;
    }
    return false;
}

/* index < limit, row + number < limit. */
static void look_at_test(kernel_values *values, st_flat_index *f, poly divisor, LLVMValueRef test) {
    for (int way = 0; way < 4; way++) {
        bool left = way & 1, ignored;
        poly limit, p, number;
        LLVMValueRef v = threads_upper_limit(test, left, way & 2, &ignored);
        if (!v || !tg_is_uniform(v) || !threads_poly(values, v, &limit) ||
            !threads_poly(values, LLVMGetOperand(test, left ? 0 : 1), &p))
            continue;
        if (poly_equal(p, f->value)) {
            take_cells(f, divisor, limit);
        } else if (is_row(values, f, divisor, p, &number)) {
            limit = poly_sub(limit, number);
            take_height(f, limit);
        }
    }
}

static bool is_call_of(LLVMValueRef v, const char *signed_name, const char *unsigned_name) {
    return host_calls(v, signed_name) || host_calls(v, unsigned_name);
}

/* Through what else is clamped: the row plus or minus numbers, or what counts a loop over them. */
static bool comes_from_row(kernel_values *values, const st_flat_index *f, poly divisor,
                           LLVMValueRef v, int depth) {
    poly p, number;
    if (depth == 0 || !LLVMIsAInstruction(v))
        return false;
    if (threads_poly(values, v, &p) && is_row(values, f, divisor, p, &number))
        return true;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool is_sum = op == LLVMAdd || op == LLVMSub || is_call_of(v, "llvm.smax.", "llvm.umax.");
    if (!is_sum && op != LLVMTrunc && op != LLVMSExt)
        return false;
    return comes_from_row(values, f, divisor, LLVMGetOperand(v, 0), depth - 1) ||
           (is_sum && comes_from_row(values, f, divisor, LLVMGetOperand(v, 1), depth - 1));
}

/* min(row + number, height - 1) */
static void look_at_clamp(kernel_values *values, st_flat_index *f, poly divisor,
                          LLVMValueRef call) {
    poly limit, one = poly_int(values->f, 1);
    for (unsigned side = 0; side < 2 && is_call_of(call, "llvm.smin.", "llvm.umin."); side++) {
        LLVMValueRef last = LLVMGetOperand(call, side);
        if (!tg_is_uniform(last) || !threads_poly(values, last, &limit) ||
            !comes_from_row(values, f, divisor, LLVMGetOperand(call, 1 - side), DEPTH))
            continue;
        limit = poly_add(limit, one);
        take_height(f, limit);
    }
}

void threads_find_limits(kernel_values *values, st_flat_index *f) {
    poly divisor, limit;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(values->function);
    if (!threads_poly(values, f->width, &divisor))
        return;
    if (f->loop && threads_poly(values, f->limit, &limit))
        take_cells(f, divisor, limit);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAICmpInst(i))
                look_at_test(values, f, divisor, i);
            else if (LLVMIsACallInst(i))
                look_at_clamp(values, f, divisor, i);
        }
}
