/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Indices: from ScalarEvolution, and what it leaves opaque, to polynomials over roots.
 *
 * Integers of few bits are taken as exact, and what was taken so is recorded. Divisions round down:
 * a signed one of a negative number does not, but there is no cell of a negative number.
 */
#include "detect/kernel/region.h"

#include <stdlib.h>
#include <string.h>

static bool refuse_index(kernel_region *k, const char *detail) {
    return kernel_refuse(k, ST_NO_KERNEL_INDEX, detail);
}

bool kernel_note_narrow(kernel_region *k, br_scev s, bool is_signed) {
    enum br_scev_kind kind = br_scev_kind(s);
    if (kind == BR_CONSTANT || kind == BR_UNKNOWN || br_scev_bits(k->region.f, s) >= 64)
        return true;
    for (int i = 0; i < k->nnarrow; i++)
        if (k->narrow[i].value == s && k->narrow[i].is_signed == is_signed)
            return true;
    if (k->nnarrow == KERNEL_MAX_NARROW)
        return kernel_refuse(k, ST_NO_TOO_BIG, "256 indices of a narrow type");
    k->narrow[k->nnarrow++] = (kernel_narrow){s, is_signed};
    return true;
}

static bool set_root(kernel_region *k, kernel_root *r, poly *out) {
    if (r)
        *out = poly_atom(k->region.f, kernel_root_atom(r));
    return r != NULL;
}

/* Thread and block numbers, by whatever instruction they are read. */
static bool identity(kernel_region *k, LLVMValueRef v, kernel_role role, int dim, poly *out) {
    if (role == KERNEL_BLOCK_SIZE || role == KERNEL_GRID_SIZE) {
        br_scev *first = &k->sizes[role == KERNEL_GRID_SIZE][dim];
        *first = *first ? *first : br_scev_of(k->region.f, v);
        *out = poly_atom(k->region.f, *first);
        return true;
    }
    for (int i = 0; i < k->nroots; i++)
        if (k->roots[i].role == role && k->roots[i].dim == dim)
            return set_root(k, &k->roots[i], out);
    kernel_root *r = kernel_add_root(k, role);
    if (r) {
        r->dim = dim;
        r->value = v;
    }
    return set_root(k, r, out);
}

static bool iteration(kernel_region *k, br_loop loop, poly *out) {
    for (int i = 0; i < k->nroots; i++)
        if (k->roots[i].role == KERNEL_ITERATION && k->roots[i].loop == loop)
            return set_root(k, &k->roots[i], out);
    kernel_root *r = kernel_add_root(k, KERNEL_ITERATION);
    if (r)
        r->loop = loop;
    return set_root(k, r, out);
}

/* The quotient that p consists of, if it is one. */
static kernel_root *only_quotient(const kernel_region *k, poly p) {
    if (poly_count(p) != 1 || poly_terms(p)[0].degree != 1 || poly_terms(p)[0].factor != 1)
        return NULL;
    kernel_root *r = kernel_root_of(k, poly_terms(p)[0].atoms[0]);
    return r && r->role == KERNEL_QUOTIENT ? r : NULL;
}

/* The number whose remainder by `by` is r's quotient's: a of a - a / n * n, and of flat indices
 * a / n of a / n - a / (n * m) * m. False if there is none. */
static bool divided_number(const kernel_region *k, const kernel_root *r, poly by, poly *out) {
    poly product;
    *out = r->numerator;
    if (poly_equal(by, r->divisor))
        return true;
    for (int i = 0; i < k->nroots; i++) {
        const kernel_root *inner = &k->roots[i];
        if (inner->role != KERNEL_QUOTIENT || !poly_equal(inner->numerator, r->numerator))
            continue;
        product = poly_mul(inner->divisor, by);
        *out = poly_atom(k->region.f, kernel_root_atom((kernel_root *)inner));
        if (poly_equal(product, r->divisor))
            return true;
    }
    return false;
}

/* p without the remainders in it, which are not negative. */
static poly without_remainders(const kernel_region *k, poly p) {
    poly left = p, by, rest, number;
    for (int i = 0; i < k->nroots; i++) {
        kernel_root *r = (kernel_root *)&k->roots[i];
        if (r->role != KERNEL_QUOTIENT || !poly_split(left, kernel_root_atom(r), &by, &rest))
            continue;
        by = poly_scale(by, -1);
        if (poly_is_zero(by) || !divided_number(k, r, by, &number))
            continue;
        number = poly_sub(rest, number);
        if (poly_count(number) < poly_count(rest))
            left = number;
    }
    return left;
}

/* Thread and block numbers and remainders, with nothing subtracted that is not less than the
 * divisor is known to be? */
static bool is_never_negative(kernel_region *k, poly p, poly divisor) {
    poly left = without_remainders(k, p), fixed = NULL, one = poly_int(k->region.f, 1);
    int64_t number;
    for (int i = 0; i < poly_count(left); i++) {
        poly term = poly_term_as(left, i, poly_terms(left)[i].factor);
        if (!kernel_varies(k, term))
            fixed = poly_add(fixed, term);
        else if (poly_terms(term)[0].factor < 0)
            return false;
    }
    if (poly_is_int(fixed, &number))
        return number >= 0;
    one = poly_sub(divisor, one);
    return kernel_need(k, one) && kernel_need(k, fixed);
}

static int64_t common_divisor(int64_t a, int64_t b) {
    return b ? common_divisor(b, a % b) : a;
}

/* Of numbers: (a * g + r) / (b * g) is (a + r / g) / b, all rounded down. */
static void reduce(br_function *f, poly *numerator, poly *divisor) {
    int64_t common, fixed = 0;
    poly sum = NULL;
    if (!poly_is_int(*divisor, &common) || common <= 0)
        return;
    for (int i = 0; i < poly_count(*numerator); i++) {
        const poly_term *t = &poly_terms(*numerator)[i];
        if (t->degree && t->factor != INT64_MIN)
            common = common_divisor(common, llabs(t->factor));
        else if (t->degree)
            return;
    }
    for (int i = 0; i < poly_count(*numerator); i++) {
        poly_term t = poly_terms(*numerator)[i];
        fixed = t.factor % common;
        t.factor -= fixed < 0 ? fixed + common : fixed;
        t.factor /= common;
        sum = poly_add(sum, poly_term_as(*numerator, i, t.factor));
    }
    *numerator = sum;
    poly_is_int(*divisor, &fixed);
    *divisor = poly_int(f, fixed / common);
}

/* In one form: (a + n * b) / n is a / n + b, and (a / m) / n is a / (m * n). `floors`: the program
 * rounds down what is negative, too. */
static bool quotient(kernel_region *k, poly numerator, poly divisor, bool floors, poly *out) {
    poly whole, rest, product = divisor;
    int64_t ignored, number;
    bool truncated = !floors && !is_never_negative(k, numerator, divisor);
    if (!poly_is_known(numerator) || !poly_is_known(divisor))
        return refuse_index(k, "it has too many terms");
    if (kernel_varies(k, divisor))
        return refuse_index(k, "it is divided by what differs from thread to thread");
    if (poly_is_int(divisor, &number) && number <= 0)
        return refuse_index(k, "it is divided by a number that is not above 0");
    if (!poly_divide(numerator, divisor, &whole, &rest)) {
        whole = NULL;
        rest = numerator;
    }
    reduce(k->region.f, &rest, &product);
    kernel_root *inner = only_quotient(k, rest), *r = NULL;
    if (inner) {
        product = poly_mul(inner->divisor, product);
        rest = inner->numerator;
    }
    if (poly_is_int(rest, &ignored) && ignored == 0) {
        *out = whole;
        return true;
    }
    for (int i = 0; i < k->nroots && !r; i++)
        if (k->roots[i].role == KERNEL_QUOTIENT && poly_equal(k->roots[i].numerator, rest) &&
            poly_equal(k->roots[i].divisor, product))
            r = &k->roots[i];
    if (!r) {
        r = kernel_add_root(k, KERNEL_QUOTIENT);
        if (!r)
            return false;
        r->numerator = rest;
        r->divisor = product;
    }
    r->truncated |= truncated;
    poly atom = poly_atom(k->region.f, kernel_root_atom(r));
    *out = poly_add(whole, atom);
    return true;
}

static bool remainder_of(kernel_region *k, poly numerator, poly divisor, bool floors, poly *out) {
    poly q;
    if (!quotient(k, numerator, divisor, floors, &q))
        return false;
    q = poly_mul(q, divisor);
    *out = poly_sub(numerator, q);
    return true;
}

/* An operand of what ScalarEvolution does not look into. */
static bool operand(kernel_region *k, LLVMValueRef v, bool is_signed, poly *out) {
    br_scev s = br_scev_of(k->region.f, v);
    return kernel_note_narrow(k, s, is_signed) && kernel_number(k, s, out);
}

static bool division(kernel_region *k, LLVMValueRef v, poly *out) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool is_signed = op == LLVMSDiv || op == LLVMSRem;
    poly numerator, divisor;
    if (!operand(k, LLVMGetOperand(v, 0), is_signed, &numerator) ||
        !operand(k, LLVMGetOperand(v, 1), is_signed, &divisor))
        return false;
    if (!kernel_varies(k, numerator) && !kernel_varies(k, divisor)) {
        *out = poly_atom(k->region.f, br_scev_of(k->region.f, v));
        return true;
    }
    return op == LLVMSDiv || op == LLVMUDiv ? quotient(k, numerator, divisor, false, out)
                                            : remainder_of(k, numerator, divisor, false, out);
}

/* By the name of the array that it is read from. */
static bool refuse_loaded(kernel_region *k, LLVMValueRef load) {
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return kernel_refuse(k, ST_NO_KERNEL_INDIRECT, host_value_name(pointer));
}

static bool selected(kernel_region *k, LLVMValueRef v, poly *out) {
    poly yes, no;
    return operand(k, LLVMGetOperand(v, 1), true, &yes) &&
           operand(k, LLVMGetOperand(v, 2), true, &no) &&
           kernel_choose(k, LLVMGetOperand(v, 0), yes, no, out);
}

/* A comparison as a number: x - (x > 0) is an index at a border, too. */
static bool truth(kernel_region *k, LLVMValueRef v, poly *out) {
    poly yes = poly_int(k->region.f, 1), no = NULL;
    return kernel_choose(k, v, yes, no, out);
}

static bool opaque(kernel_region *k, LLVMValueRef v, poly *out) {
    int dim = 0;
    kernel_role role = kernel_role_of(v, &dim);
    if (role != KERNEL_NO_ROLE)
        return identity(k, v, role, dim, out);
    if (!LLVMIsAInstruction(v)) {
        *out = poly_atom(k->region.f, br_scev_of(k->region.f, v));
        return true;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMFreeze:
    case LLVMAddrSpaceCast:
        return operand(k, LLVMGetOperand(v, 0), true, out);
    case LLVMPHI:
        return kernel_join(k, v, out);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return division(k, v, out);
    default:
        break;
    }
    if (tg_is_uniform(v)) {
        *out = poly_atom(k->region.f, br_scev_of(k->region.f, v));
        return true;
    }
    if (LLVMIsALoadInst(v))
        return refuse_loaded(k, v);
    if (LLVMIsASelectInst(v))
        return selected(k, v, out);
    if (LLVMIsAICmpInst(v))
        return truth(k, v, out);
    return refuse_index(k, "it is not computed by sums, products and divisions");
}

static bool recurrence(kernel_region *k, br_scev s, poly *out) {
    poly step, count;
    if (br_scev_count(s) != 2)
        return refuse_index(k, "it changes unevenly");
    if (!kernel_poly(k, br_scev_operand(s, 0), out) ||
        !kernel_poly(k, br_scev_operand(s, 1), &step) || !iteration(k, br_scev_loop(s), &count))
        return false;
    count = poly_mul(count, step);
    *out = poly_add(*out, count);
    return true;
}

static bool combine(kernel_region *k, br_scev s, bool multiply, poly *out) {
    poly part;
    *out = poly_int(k->region.f, multiply);
    for (size_t i = 0; i < br_scev_count(s); i++) {
        if (!kernel_poly(k, br_scev_operand(s, i), &part))
            return false;
        *out = multiply ? poly_mul(*out, part) : poly_add(*out, part);
    }
    return poly_is_known(*out) || refuse_index(k, "it has too many terms");
}

static bool divided(kernel_region *k, br_scev s, poly *out) {
    poly numerator, divisor;
    if (!kernel_note_narrow(k, br_scev_operand(s, 0), false) ||
        !kernel_note_narrow(k, br_scev_operand(s, 1), false) ||
        !kernel_number(k, br_scev_operand(s, 0), &numerator) ||
        !kernel_number(k, br_scev_operand(s, 1), &divisor))
        return false;
    if (!kernel_varies(k, numerator) && !kernel_varies(k, divisor)) {
        *out = poly_atom(k->region.f, s);
        return true;
    }
    return quotient(k, numerator, divisor, false, out);
}

/* To 32 bits: an index that fits. To fewer: kernel_number brings what is computed so into range. */
static bool truncated(kernel_region *k, br_scev s, poly *out) {
    br_scev x = br_scev_operand(s, 0);
    return (br_scev_bits(k->region.f, s) != 32 || kernel_note_narrow(k, s, true)) &&
           kernel_poly(k, x, out);
}

/* ScalarEvolution writes x & 255 as an extension of what is computed, modulo 256, in 8 bits. */
bool kernel_number(kernel_region *k, br_scev s, poly *out) {
    unsigned bits = br_scev_bits(k->region.f, s);
    enum br_scev_kind kind = br_scev_kind(s);
    poly wide;
    int64_t constant;
    if (bits == 32 || bits == 64 || kind == BR_UNKNOWN || kind == BR_ZEXT || kind == BR_UDIV)
        return kernel_poly(k, s, out);
    if (bits > 62)
        return refuse_index(k, "it is of an unusual type");
    poly modulus = poly_int(k->region.f, INT64_C(1) << bits);
    if (!kernel_poly(k, s, &wide))
        return false;
    if (!poly_is_int(wide, &constant))
        return remainder_of(k, wide, modulus, true, out);
    *out = poly_int(k->region.f, constant & ((INT64_C(1) << bits) - 1));
    return true;
}

static bool extended(kernel_region *k, br_scev s, poly *out) {
    br_scev x = br_scev_operand(s, 0);
    bool is_signed = br_scev_kind(s) == BR_SEXT;
    unsigned bits = br_scev_bits(k->region.f, x);
    if (bits == 1) {
        if (br_scev_kind(x) != BR_UNKNOWN || !kernel_poly(k, x, out))
            return refuse_index(k, "it is computed with conditions");
        *out = poly_scale(*out, is_signed ? -1 : 1);
        return true;
    }
    if (is_signed && bits < 32 && br_scev_kind(x) != BR_UNKNOWN)
        return refuse_index(k, "it is computed with fewer than 32 bits");
    return kernel_note_narrow(k, x, is_signed) && kernel_number(k, x, out);
}

/* Made of uniform values alone, whatever the operations? */
static bool is_uniform_sum(br_scev s, int depth) {
    if (br_scev_kind(s) == BR_UNKNOWN)
        return tg_is_uniform(br_scev_value(s));
    if (br_scev_kind(s) == BR_ADDREC || depth == 0)
        return false;
    for (size_t i = 0; i < br_scev_count(s); i++)
        if (!is_uniform_sum(br_scev_operand(s, i), depth - 1))
            return false;
    return br_scev_kind(s) == BR_CONSTANT || br_scev_count(s) > 0;
}

static bool expand(kernel_region *k, br_scev s, poly *out) {
    int64_t constant;
    switch (br_scev_kind(s)) {
    case BR_CONSTANT:
        if (!br_scev_int(s, &constant))
            return refuse_index(k, "a constant is too wide");
        *out = poly_int(k->region.f, constant);
        return true;
    case BR_ADD:
    case BR_MUL:
        return combine(k, s, br_scev_kind(s) == BR_MUL, out);
    case BR_ADDREC:
        return recurrence(k, s, out);
    case BR_ZEXT:
    case BR_SEXT:
        return extended(k, s, out);
    case BR_TRUNC:
        return truncated(k, s, out);
    case BR_PTRTOINT:
        return kernel_poly(k, br_scev_operand(s, 0), out);
    case BR_UDIV:
        return divided(k, s, out);
    case BR_UNKNOWN:
        return opaque(k, br_scev_value(s), out);
    default:
        if (is_uniform_sum(s, 8)) {
            *out = poly_atom(k->region.f, s);
            return true;
        }
        return br_scev_kind(s) != BR_OTHER
                   ? kernel_extreme(k, s, out)
                   : refuse_index(k, "it is not a sum of multiples of them");
    }
}

enum { MAX_DEPTH = ST_LIMIT(200, 9), MAX_WORK = ST_LIMIT(1000000, 300) };

bool kernel_poly(kernel_region *k, br_scev s, poly *out) {
    if (k->depth == MAX_DEPTH || k->work++ > MAX_WORK)
        return kernel_refuse(k, ST_NO_TOO_BIG, "200 operations in an index, or a million in all");
    k->depth++;
    bool good = expand(k, s, out);
    k->depth--;
    return good;
}

bool kernel_narrow_value(kernel_region *k, const kernel_narrow *n, host_affine *value) {
    poly exact;
    bool good = kernel_number(k, n->value, &exact) && kernel_affine(k, exact, value);
    k->region.reason = ST_OK;
    return good;
}
