/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Quotients and remainders of polynomials. Divisions round down: a signed one of a negative number
 * does not, but there is no cell of a negative number.
 */
#include "detect/kernel/index.h"

#include <stdlib.h>

bool kernel_refuse_index(const kernel_query *q, const char *detail) {
    return st_refuse(q->why, ST_NO_KERNEL_INDEX, detail);
}

/* The quotient that p consists of, if p is one quotient. */
static kernel_root *only_quotient(const kernel_values *v, poly p) {
    if (poly_count(p) != 1 || poly_terms(p)[0].degree != 1 || poly_terms(p)[0].factor != 1)
        return NULL;
    kernel_root *r = kernel_root_of(v, poly_terms(p)[0].atoms[0]);
    return r && r->role == KERNEL_QUOTIENT ? r : NULL;
}

/* The number whose remainder by `by` is r's quotient's: a of a - a / n * n, and of flat indices
 * a / n of a / n - a / (n * m) * m. False if there is none. */
static bool divided_number(const kernel_values *v, const kernel_root *r, poly by, poly *out) {
    poly product;
    *out = r->numerator;
    if (poly_equal(by, r->divisor))
        return true;
    for (int i = 0; i < v->nroots; i++) {
        const kernel_root *inner = &v->roots[i];
        if (inner->role != KERNEL_QUOTIENT || !poly_equal(inner->numerator, r->numerator))
            continue;
        product = poly_mul(inner->divisor, by);
        *out = poly_atom(v->f, kernel_root_atom(inner));
        if (poly_equal(product, r->divisor))
            return true;
    }
    return false;
}

/* p without the remainders in it, which are not negative. */
static poly without_remainders(const kernel_values *v, poly p) {
    poly left = p, by, rest, number;
    for (int i = 0; i < v->nroots; i++) {
        kernel_root *r = (kernel_root *)&v->roots[i];
        if (r->role != KERNEL_QUOTIENT || !poly_split(left, kernel_root_atom(r), &by, &rest))
            continue;
        by = poly_scale(by, -1);
        if (poly_is_zero(by) || !divided_number(v, r, by, &number))
            continue;
        number = poly_sub(rest, number);
        if (poly_count(number) < poly_count(rest))
            left = number;
    }
    return left;
}

/* Thread and block numbers and remainders, with nothing subtracted that is not less than the
 * divisor is known to be? */
static bool is_never_negative(kernel_values *v, poly p, poly divisor) {
    poly left = without_remainders(v, p), fixed = NULL, one = poly_int(v->f, 1);
    int64_t number;
    for (int i = 0; i < poly_count(left); i++) {
        poly term = poly_term_as(left, i, poly_terms(left)[i].factor);
        if (!kernel_varies(v, term))
            fixed = poly_add(fixed, term);
        else if (poly_terms(term)[0].factor < 0)
            return false;
    }
    if (poly_is_int(fixed, &number))
        return number >= 0;
    one = poly_sub(divisor, one);
    return kernel_need(v, one) && kernel_need(v, fixed);
}

static int64_t common_divisor(int64_t a, int64_t b) {
    return b ? common_divisor(b, a % b) : a;
}

/* Reduces a quotient of numbers: (a * g + r) / (b * g) is (a + r / g) / b, all rounded down. */
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

/* (a * n) / (b * n) is a / b, for a size n: `y * w` of whole rows divided by all cells, `w * h`. */
static void cancel(const kernel_query *q, poly *numerator, poly *divisor) {
    poly_term first = poly_count(*divisor) ? poly_terms(*divisor)[0] : (poly_term){.degree = 0};
    for (int i = 0; i < first.degree && poly_count(*numerator); i++) {
        poly size = poly_atom(q->values->f, first.atoms[i]), above, below;
        poly positive = poly_plus(q->values->f, size, -1);
        if (poly_quotient(*numerator, size, &above) && poly_quotient(*divisor, size, &below) &&
            kernel_need(q->values, positive)) {
            *numerator = above;
            *divisor = below;
        }
    }
}

/* In one form: (a + n * b) / n is a / n + b, and (a / m) / n is a / (m * n). `floors`: the program
 * rounds down what is negative, too. */
bool kernel_quotient(const kernel_query *q, poly numerator, poly divisor, bool floors, poly *out) {
    poly whole, rest, product = divisor;
    int64_t ignored, number;
    bool truncated = !floors && !is_never_negative(q->values, numerator, divisor);
    if (!poly_is_known(numerator) || !poly_is_known(divisor))
        return kernel_refuse_index(q, "it has too many terms");
    if (kernel_varies(q->values, divisor))
        return kernel_refuse_index(q, "it is divided by what differs from thread to thread");
    if (poly_is_int(divisor, &number) && number <= 0)
        return kernel_refuse_index(q, "it is divided by a number that is not above 0");
    if (!poly_divide(numerator, divisor, &whole, &rest)) {
        whole = NULL;
        rest = numerator;
    }
    cancel(q, &rest, &product);
    reduce(q->values->f, &rest, &product);
    kernel_root *inner = only_quotient(q->values, rest), *r = NULL;
    if (inner) {
        product = poly_mul(inner->divisor, product);
        rest = inner->numerator;
    }
    if (poly_is_int(rest, &ignored) && ignored == 0) {
        *out = whole;
        return true;
    }
    for (int i = 0; i < q->values->nroots && !r; i++)
        if (q->values->roots[i].role == KERNEL_QUOTIENT &&
            poly_equal(q->values->roots[i].numerator, rest) &&
            poly_equal(q->values->roots[i].divisor, product))
            r = &q->values->roots[i];
    if (!r) {
        r = kernel_add_root(q, KERNEL_QUOTIENT);
        if (!r)
            return false;
        r->numerator = rest;
        r->divisor = product;
    }
    r->truncated |= truncated;
    poly atom = poly_atom(q->values->f, kernel_root_atom(r));
    *out = poly_add(whole, atom);
    return true;
}

bool kernel_remainder(const kernel_query *q, poly numerator, poly divisor, bool floors, poly *out) {
    poly whole;
    if (!kernel_quotient(q, numerator, divisor, floors, &whole))
        return false;
    whole = poly_mul(whole, divisor);
    *out = poly_sub(numerator, whole);
    return true;
}
