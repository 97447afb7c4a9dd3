/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Products of complex numbers. A compiler multiplies as if all were numbers. Where both parts of
 * the result are no number, the program calls the compiler's library, which follows annex G of the
 * C standard: an infinite factor counts as a direction, a factor's part that is no number beside it
 * as a zero, and the result is infinite again. Here that rule is made of operations, so that the
 * call may stay in the program's loops and cells need none.
 */
#include "detect/common/calls.h"
#include "detect/host/slice.h"

#include <string.h>

typedef struct complex_product {
    slice *b;
    st_type type;
    int32_t parts[4]; /* of x = parts[0] + i parts[1] and y = parts[2] + i parts[3] */
} complex_product;

static int32_t number(const complex_product *p, double v) {
    float f = (float)v;
    uint64_t bits = 0;
    memcpy(&bits, p->type == ST_F32 ? (void *)&f : (void *)&v, st_type_size(p->type));
    return st_constant(p->b->s, p->type, bits);
}

static int32_t compare(const complex_product *p, LLVMRealPredicate how, int32_t x, int32_t y) {
    st_node n = st_blank_node(ST_FCMP, ST_I1);
    n.predicate = (uint8_t)how;
    n.args[0] = x;
    n.args[1] = y;
    return st_add_node(p->b->s, n);
}

static int32_t is_no_number(const complex_product *p, int32_t v) {
    return compare(p, LLVMRealUNO, v, v);
}

static int32_t is_infinite(const complex_product *p, int32_t v) {
    int32_t size = st_operation(p->b->s, ST_FABS, p->type, v, -1, -1);
    return compare(p, LLVMRealOEQ, size, number(p, __builtin_inf()));
}

static int32_t binary(const complex_product *p, st_op op, int32_t x, int32_t y) {
    return slice_binary(p->b, op, op == ST_AND || op == ST_OR ? ST_I1 : p->type, x, y);
}

static int32_t choose(const complex_product *p, int32_t when, int32_t yes, int32_t no) {
    return st_operation(p->b->s, ST_SELECT, p->type, when, yes, no);
}

/* The real part of the product, or the imaginary one. */
static int32_t multiply(const complex_product *p, bool imaginary) {
    const int32_t *v = p->parts;
    int32_t first = binary(p, ST_FMUL, v[0], v[imaginary ? 3 : 2]);
    int32_t second = binary(p, ST_FMUL, v[1], v[imaginary ? 2 : 3]);
    return binary(p, imaginary ? ST_FADD : ST_FSUB, first, second);
}

/* Where `when` holds, the factor at parts[k] becomes the corner of a square in its direction. */
static void become_direction(complex_product *p, int k, int32_t when) {
    for (int i = k; i < k + 2; i++) {
        int32_t one = choose(p, is_infinite(p, p->parts[i]), number(p, 1), number(p, 0));
        int32_t corner = binary(p, ST_COPYSIGN, one, p->parts[i]);
        p->parts[i] = choose(p, when, corner, p->parts[i]);
    }
}

/* Where `when` holds, parts of the factor at parts[k] that are no number become zeros. */
static void become_zero(complex_product *p, int k, int32_t when) {
    for (int i = k; i < k + 2; i++) {
        int32_t zero = binary(p, ST_COPYSIGN, number(p, 0), p->parts[i]);
        int32_t both = binary(p, ST_AND, when, is_no_number(p, p->parts[i]));
        p->parts[i] = choose(p, both, zero, p->parts[i]);
    }
}

/* Is one of the four products of the parts infinite? */
static int32_t overflows(const complex_product *p) {
    int32_t any = -1;
    for (int i = 0; i < 4; i++) {
        int32_t one = is_infinite(p, binary(p, ST_FMUL, p->parts[i / 2], p->parts[2 + i % 2]));
        any = any < 0 ? one : binary(p, ST_OR, any, one);
    }
    return any;
}

/* Makes the factors ones whose product has the direction of the result. When it is infinite. */
static int32_t recover(complex_product *p) {
    int32_t any = -1, products = overflows(p);
    for (int k = 0; k < 4; k += 2) {
        int32_t infinite =
            binary(p, ST_OR, is_infinite(p, p->parts[k]), is_infinite(p, p->parts[k + 1]));
        become_direction(p, k, infinite);
        become_zero(p, 2 - k, infinite);
        any = any < 0 ? infinite : binary(p, ST_OR, any, infinite);
    }
    int32_t none = slice_binary(p->b, ST_XOR, ST_I1, any, st_constant(p->b->s, ST_I1, 1));
    int32_t over = binary(p, ST_AND, none, products);
    become_zero(p, 0, over);
    become_zero(p, 2, over);
    return binary(p, ST_OR, any, over);
}

bool slice_is_product(LLVMValueRef part) {
    bool taken = LLVMIsAExtractValueInst(part) || LLVMIsAExtractElementInst(part);
    LLVMValueRef call = taken ? LLVMGetOperand(part, 0) : NULL;
    return call && LLVMIsACallInst(call) && host_is_complex_product(host_callee_name(call)) &&
           LLVMGetNumArgOperands(call) == 4;
}

/* Which part of the result an instruction takes. */
static bool is_imaginary(LLVMValueRef part) {
    if (LLVMIsAExtractValueInst(part))
        return LLVMGetIndices(part)[0] == 1;
    return LLVMConstIntGetZExtValue(LLVMGetOperand(part, 1)) == 1;
}

int32_t slice_product(slice *b, LLVMValueRef part, const int32_t factors[4]) {
    complex_product p = {.b = b, .type = (st_type)b->s->nodes[factors[0]].type};
    memcpy(p.parts, factors, sizeof p.parts);
    bool imaginary = is_imaginary(part);
    int32_t real = is_no_number(&p, multiply(&p, false));
    int32_t neither = binary(&p, ST_AND, real, is_no_number(&p, multiply(&p, true)));
    int32_t plain = multiply(&p, imaginary);
    int32_t when = binary(&p, ST_AND, neither, recover(&p));
    int32_t infinite = binary(&p, ST_FMUL, number(&p, __builtin_inf()), multiply(&p, imaginary));
    return choose(&p, when, infinite, plain);
}
