/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The flat index of a kernel: what its divisions have as their numerator, if that counts the
 * launch's threads. Of several divisors the smallest is the width of a row, so that outer
 * dimensions fold into the rows: N. Prasetya (2022), section 4.1.2.
 */
#include "detect/threads/threads.h"

#include <string.h>

/* Divisions */

/* Expands all divisions: their quotients become roots. */
static void expand_divisions(kernel_values *values) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(values->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            poly ignored;
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            if (op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem ||
                op == LLVMLShr || op == LLVMAShr || op == LLVMAnd)
                threads_poly(values, i, &ignored);
        }
}

/* The digits */

/* By how much the flat index grows with a root that has not been taken; zero if it does not
 * grow. */
static poly step_of(const kernel_values *values, poly flat, int root, const bool *taken) {
    poly by, rest;
    kernel_role role = values->roots[root].role;
    bool counts = role == KERNEL_THREAD || role == KERNEL_BLOCK || role == KERNEL_ITERATION;
    if (!counts || taken[root] ||
        !poly_split(flat, kernel_root_atom(&values->roots[root]), &by, &rest) ||
        kernel_varies(values, by))
        return NULL;
    return by;
}

static int root_with_step(const kernel_values *values, poly flat, poly step, const bool *taken) {
    for (int i = 0; i < values->nroots; i++) {
        poly by = step_of(values, flat, i, taken);
        if (!poly_is_zero(by) && poly_equal(by, step))
            return i;
    }
    return -1;
}

/* How often a digit's step goes into that of the next one: as the launch has it, or, as the program
 * says, a number. The step of the next digit, or of one that would follow. */
static poly next_step(const kernel_values *values, poly flat, st_thread_digit *d, poly step,
                      const bool *taken) {
    br_scev atom = values->sizes[d->is_block][d->dim];
    poly times = atom ? poly_atom(values->f, atom) : NULL, next = poly_mul(step, times), rest;
    if (atom && root_with_step(values, flat, next, taken) >= 0)
        return next;
    for (int i = 0; i < values->nroots; i++) {
        poly by = step_of(values, flat, i, taken), ratio;
        if (!poly_is_zero(by) && poly_divide(by, step, &ratio, &rest) && poly_is_zero(rest) &&
            poly_is_int(ratio, &d->size) && d->size > 0)
            return by;
        d->size = 0;
    }
    return next;
}

/* flat = d0 + n0 * (d1 + n1 * (d2 + ...)), each digit d a thread's or block's number and n how many
 * there are; the last may be a loop's iteration. */
static bool take_digits(const kernel_values *values, poly flat, st_flat_index *out) {
    poly step = poly_int(values->f, 1), sum = NULL;
    bool taken[KERNEL_MAX_ROOTS] = {false};
    for (int root; (root = root_with_step(values, flat, step, taken)) >= 0;) {
        kernel_root *r = &values->roots[root];
        poly term = poly_atom(values->f, kernel_root_atom(r));
        term = poly_mul(term, step);
        sum = poly_add(sum, term);
        taken[root] = true;
        if (r->role == KERNEL_ITERATION) {
            out->loop = r->loop;
            break;
        }
        if (out->ndigits == ST_MAX_DIGITS)
            return false;
        st_thread_digit *d = &out->digits[out->ndigits++];
        *d = (st_thread_digit){r->role == KERNEL_BLOCK, r->dim, 0};
        step = next_step(values, flat, d, step, taken);
    }
    return out->ndigits > 0 && poly_equal(sum, flat);
}

/* Is the numerator a flat index with a block's number in it? Others are of few threads. */
static bool is_flat(const kernel_values *values, poly numerator, st_flat_index *out) {
    st_flat_index f = {.value = numerator};
    bool blocks = false;
    if (!take_digits(values, numerator, &f))
        return false;
    for (int i = 0; i < f.ndigits; i++)
        blocks |= f.digits[i].is_block;
    if (blocks)
        *out = f;
    return blocks;
}

/* The width: a division's own operand, so that its value is exactly that. */

static LLVMValueRef power_of_two(LLVMValueRef v, unsigned bits) {
    return LLVMConstInt(LLVMTypeOf(v), UINT64_C(1) << bits, false);
}

/* What an instruction divides by, if it divides: also a shift or a mask. */
static LLVMValueRef divisor_of(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem)
        return LLVMGetOperand(i, 1);
    if ((op != LLVMLShr && op != LLVMAnd) || !LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
        return NULL;
    LLVMValueRef by = LLVMGetOperand(i, 1);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(by)), bits = 0;
    uint64_t number = LLVMConstIntGetZExtValue(by);
    if (width > 64)
        return NULL;
    if (op == LLVMLShr)
        return number < width - 1 ? power_of_two(by, (unsigned)number) : NULL;
    while (bits < width - 1 && number + 1 != UINT64_C(1) << bits)
        bits++;
    return bits < width - 1 ? power_of_two(by, bits) : NULL;
}

static bool find_width(kernel_values *values, poly divisor, st_flat_index *out) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(values->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            poly p;
            LLVMValueRef by = divisor_of(i);
            if (by && threads_poly(values, by, &p) && poly_equal(p, divisor)) {
                unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(threads_narrow(by)));
                out->width = threads_narrow(by);
                return bits == 32 || bits == 64;
            }
        }
    return false;
}

static bool same_width(LLVMValueRef a, LLVMValueRef b) {
    if (!LLVMIsAConstantInt(a) || !LLVMIsAConstantInt(b))
        return a == b;
    return LLVMConstIntGetZExtValue(a) == LLVMConstIntGetZExtValue(b);
}

/* x - (x / n) * n */
static void find_products(LLVMValueRef node, LLVMValueRef quotient, st_flat_index *out) {
    for (LLVMUseRef u = LLVMGetFirstUse(quotient); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef product = LLVMGetUser(u);
        if (LLVMGetInstructionOpcode(product) != LLVMMul)
            continue;
        LLVMValueRef a = LLVMGetOperand(product, 0), b = LLVMGetOperand(product, 1);
        if (!same_width(threads_narrow(a == quotient ? b : a), out->width))
            continue;
        for (LLVMUseRef w = LLVMGetFirstUse(product); w; w = LLVMGetNextUse(w)) {
            LLVMValueRef rest = LLVMGetUser(w);
            if (LLVMGetInstructionOpcode(rest) == LLVMSub && LLVMGetOperand(rest, 0) == node &&
                LLVMGetOperand(rest, 1) == product)
                st_list_add(&out->columns, rest);
        }
    }
}

/* Divisions of the index itself are replaced by what the order computed anyway; those that are not
 * found here divide the new index. */
static void find_own_divisions(LLVMValueRef node, st_flat_index *out) {
    for (LLVMUseRef u = LLVMGetFirstUse(node); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u), by = LLVMIsAInstruction(i) ? divisor_of(i) : NULL;
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        bool is_signed = op == LLVMSDiv || op == LLVMSRem;
        if (op == LLVMFreeze)
            find_own_divisions(i, out);
        if (!by || LLVMGetOperand(i, 0) != node || !same_width(threads_narrow(by), out->width))
            continue;
        if (out->rows.count + out->columns.count == 0)
            out->is_signed = is_signed;
        if (out->is_signed != is_signed)
            continue;
        bool quotient = op == LLVMUDiv || op == LLVMSDiv || op == LLVMLShr;
        if (st_list_add(quotient ? &out->rows : &out->columns, i) && quotient)
            find_products(node, i, out);
    }
}

bool threads_find_flat(kernel_values *values, st_flat_index *out, st_refusal *why) {
    poly divisor = NULL;
    expand_divisions(values);
    for (int i = 0; i < values->nroots; i++) {
        const kernel_root *r = &values->roots[i];
        bool smaller = r->role == KERNEL_QUOTIENT && (!divisor || poly_slower(divisor, r->divisor));
        if (smaller && is_flat(values, r->numerator, out))
            divisor = r->divisor;
    }
    if (!divisor)
        return false;
    if (!find_width(values, divisor, out))
        return threads_refuse(why, "the width of its rows is not one value of the program");
    if (!threads_find_uses(values, out, why))
        return false;
    find_own_divisions(out->index, out);
    return true;
}
