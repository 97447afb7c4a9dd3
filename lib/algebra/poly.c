/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arithmetic of polynomials. Their terms are kept in a fixed order, so that equal polynomials are
 * one. Also: division by strides, and the number of cells between two addresses.
 */
#include "algebra/poly.h"

#include "algebra/arena.h"

#include <stdlib.h>
#include <string.h>

/* Products of more terms than this are not multiplied out, so that compilation ends. */
enum { MOST_PRODUCTS = 4096 };

static const struct poly_sum unknown = {.known = false};

bool poly_is_known(poly a) {
    return !a || a->known;
}

int poly_count(poly a) {
    return a ? a->count : 0;
}

const poly_term *poly_terms(poly a) {
    return a ? a->terms : NULL;
}

/* A sum under construction: its terms are in any order. */

enum { USUAL_TERMS = 24 };

typedef struct sum {
    poly_arena *arena;
    poly_term *terms;
    int count, room;
    poly_term usual[USUAL_TERMS]; /* where the terms are, unless there are more */
} sum;

static void begin(sum *s, poly_arena *arena) {
    s->arena = arena;
    s->terms = s->usual;
    s->count = 0;
    s->room = USUAL_TERMS;
}

static void push(sum *s, poly_term t) {
    if (s->count == s->room) {
        poly_term *more = s->terms == s->usual ? NULL : s->terms;
        s->room *= 2;
        more = realloc(more, (size_t)s->room * sizeof *more);
        if (s->terms == s->usual)
            memcpy(more, s->usual, sizeof s->usual);
        s->terms = more;
    }
    s->terms[s->count++] = t;
}

static int64_t wrap_add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t wrap_mul(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static void push_scaled(sum *s, poly a, int64_t factor) {
    for (int i = 0; i < poly_count(a); i++) {
        poly_term t = a->terms[i];
        t.factor = wrap_mul(t.factor, factor);
        push(s, t);
    }
}

/* Orders terms by degree, then by the numbers of their atoms. Multiplication keeps this order. */
static int compare_terms(const void *x, const void *y) {
    const poly_term *a = x, *b = y;
    if (a->degree != b->degree)
        return a->degree - b->degree;
    const uint32_t *m = arena_numbers(a), *n = arena_numbers(b);
    for (int i = 0; i < a->degree; i++)
        if (m[i] != n[i])
            return m[i] < n[i] ? -1 : 1;
    return 0;
}

/* Puts the terms of a sum in order, and adds up those of equal products. */
static void settle(sum *s) {
    int kept = 0;
    bool sorted = true;
    for (int i = 1; i < s->count && sorted; i++)
        sorted = compare_terms(&s->terms[i - 1], &s->terms[i]) <= 0;
    if (!sorted)
        qsort(s->terms, (size_t)s->count, sizeof *s->terms, compare_terms);
    for (int i = 0; i < s->count;) {
        poly_term t = s->terms[i++];
        for (; i < s->count && s->terms[i].atoms == t.atoms; i++)
            t.factor = wrap_add(t.factor, s->terms[i].factor);
        if (t.factor != 0)
            s->terms[kept++] = t;
    }
    s->count = kept;
}

static poly finish(sum *s) {
    settle(s);
    poly p = arena_sum(s->arena, s->terms, s->count);
    if (s->terms != s->usual)
        free(s->terms);
    return p;
}

poly poly_int(br_function *f, int64_t value) {
    poly_arena *arena = arena_of(f);
    poly_term t = {.factor = value, .atoms = arena_product(arena, NULL, 0)};
    return arena_sum(arena, &t, value != 0);
}

poly poly_atom(br_function *f, br_scev atom) {
    poly_arena *arena = arena_of(f);
    poly_term t = {.factor = 1, .degree = 1, .atoms = arena_product(arena, &atom, 1)};
    return arena_sum(arena, &t, 1);
}

static poly add(poly a, poly b, int64_t factor) {
    sum s;
    if (!poly_is_known(a) || !poly_is_known(b))
        return &unknown;
    if (!b || !factor)
        return a;
    begin(&s, b->arena);
    push_scaled(&s, a, 1);
    push_scaled(&s, b, factor);
    return finish(&s);
}

poly poly_add(poly a, poly b) {
    return a ? add(a, b, 1) : b;
}
poly poly_plus(br_function *f, poly a, int64_t number) {
    return poly_add(a, poly_int(f, number));
}
poly poly_sub(poly a, poly b) {
    return add(a, b, -1);
}

poly poly_scale(poly a, int64_t factor) {
    return factor == 1 ? a : add(NULL, a, factor);
}

poly poly_term_as(poly a, int i, int64_t factor) {
    poly_term t = a->terms[i];
    t.factor = factor;
    return arena_sum(a->arena, &t, factor != 0);
}

bool poly_exact(poly a, int64_t divisor, poly *quotient) {
    sum s;
    *quotient = a;
    for (int i = 0; i < poly_count(a); i++)
        if (a->terms[i].factor % divisor)
            return false;
    if (poly_count(a) == 0)
        return true;
    begin(&s, a->arena);
    for (int i = 0; i < a->count; i++) {
        poly_term t = a->terms[i];
        t.factor /= divisor;
        push(&s, t);
    }
    *quotient = finish(&s);
    return true;
}

/* The product of two terms: the union of their atoms. */
static poly_term product(poly_arena *arena, const poly_term *a, const poly_term *b) {
    poly_term t = {.factor = wrap_mul(a->factor, b->factor), .degree = a->degree + b->degree};
    br_scev usual[16], *atoms = t.degree > 16 ? malloc((size_t)t.degree * sizeof *atoms) : usual;
    const uint32_t *m = arena_numbers(a), *n = arena_numbers(b);
    for (int i = 0, j = 0; i + j < t.degree;) {
        bool first = j == b->degree || (i < a->degree && m[i] <= n[j]);
        atoms[i + j] = first ? a->atoms[i] : b->atoms[j];
        i += first;
        j += !first;
    }
    t.atoms = arena_product(arena, atoms, t.degree);
    if (atoms != usual)
        free(atoms);
    return t;
}

poly poly_mul(poly a, poly b) {
    sum s;
    if (!poly_is_known(a) || !poly_is_known(b) ||
        (int64_t)poly_count(a) * poly_count(b) > MOST_PRODUCTS)
        return &unknown;
    if (!a || !b)
        return NULL;
    begin(&s, a->arena);
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            push(&s, product(a->arena, &a->terms[i], &b->terms[j]));
    return finish(&s);
}

bool poly_is_int(poly a, int64_t *value) {
    bool is = poly_is_known(a) && (!a || (a->count == 1 && a->terms[0].degree == 0));
    *value = a && a->count > 0 ? a->terms[0].factor : 0;
    return is;
}

int64_t poly_constant(poly a) {
    int64_t constant = 0;
    for (int i = 0; i < poly_count(a); i++)
        constant += poly_terms(a)[i].degree == 0 ? poly_terms(a)[i].factor : 0;
    return constant;
}

bool poly_is_shifted(poly a, br_scev *atom, int64_t *constant) {
    *atom = NULL;
    *constant = 0;
    for (int i = 0; i < poly_count(a); i++) {
        const poly_term *t = &poly_terms(a)[i];
        if (t->degree > 1 || (t->degree == 1 && (*atom || t->factor != 1)))
            return false;
        if (t->degree == 1)
            *atom = t->atoms[0];
        else
            *constant = t->factor;
    }
    return poly_is_known(a);
}

/* Removes one factor `atom` from the term. False if the term does not have it. */
static bool take_atom(poly_arena *arena, poly_term *t, br_scev atom) {
    br_scev usual[16], *atoms = t->degree > 16 ? malloc((size_t)t->degree * sizeof *atoms) : usual;
    int kept = 0;
    bool found = false;
    for (int i = 0; i < t->degree; i++) {
        bool take = !found && t->atoms[i] == atom;
        found |= take;
        if (!take)
            atoms[kept++] = t->atoms[i];
    }
    if (found) {
        t->degree = kept;
        t->atoms = arena_product(arena, atoms, kept);
    }
    if (atoms != usual)
        free(atoms);
    return found;
}

bool poly_split(poly a, br_scev atom, poly *coefficient, poly *rest) {
    sum with, without;
    bool good = true;
    *coefficient = NULL;
    *rest = a;
    if (poly_count(a) == 0)
        return true;
    begin(&with, a->arena);
    begin(&without, a->arena);
    for (int i = 0; i < a->count && good; i++) {
        poly_term t = a->terms[i], square;
        bool found = take_atom(a->arena, &t, atom);
        square = t;
        good = !found || !take_atom(a->arena, &square, atom);
        if (good)
            push(found ? &with : &without, t);
    }
    *coefficient = finish(&with);
    *rest = finish(&without);
    return good;
}

/* If t is a multiple of the term `by`, divides t by it. */
static bool divide_term(poly_arena *arena, poly_term *t, const poly_term *by) {
    poly_term left = *t;
    bool multiple = by->factor != -1 && t->factor % by->factor == 0;
    for (int k = 0; k < by->degree && multiple; k++)
        multiple = take_atom(arena, &left, by->atoms[k]);
    left.factor = multiple ? t->factor / by->factor : 0;
    if (multiple)
        *t = left;
    return multiple;
}

bool poly_divide(poly a, poly b, poly *whole, poly *rest) {
    sum multiples, left;
    *whole = *rest = poly_is_known(a) ? NULL : a;
    if (poly_count(b) != 1)
        return false;
    if (poly_count(a) == 0)
        return true;
    begin(&multiples, a->arena);
    begin(&left, a->arena);
    for (int i = 0; i < a->count; i++) {
        poly_term t = a->terms[i];
        bool multiple = divide_term(a->arena, &t, b->terms);
        push(multiple ? &multiples : &left, t);
    }
    *whole = finish(&multiples);
    *rest = finish(&left);
    return true;
}

bool poly_quotient(poly a, poly b, poly *whole) {
    poly left = a;
    *whole = NULL;
    if (!poly_is_known(a) || poly_count(b) == 0)
        return false;
    for (int i = 0; i < MOST_PRODUCTS && left; i++) {
        poly_term lead = left->terms[left->count - 1];
        if (!divide_term(left->arena, &lead, &b->terms[b->count - 1]))
            return false;
        poly one = arena_sum(left->arena, &lead, 1);
        *whole = poly_add(*whole, one);
        left = poly_sub(left, poly_mul(one, b));
        if (!poly_is_known(left))
            return false;
    }
    return !left;
}

/* The last term of a that is a multiple of `by`, and the quotient. False if there is none. */
static bool last_multiple(poly a, const poly_term *by, poly_term *times) {
    for (int i = poly_count(a); i-- > 0;) {
        *times = a->terms[i];
        if (divide_term(a->arena, times, by))
            return true;
    }
    return false;
}

bool poly_divide_by_sum(poly a, poly b, poly *whole, poly *rest) {
    poly_term times;
    *whole = NULL;
    *rest = a;
    if (!poly_is_known(a) || poly_count(b) == 0)
        return false;
    for (int i = 0; last_multiple(*rest, &b->terms[b->count - 1], &times); i++) {
        poly one = arena_sum(a->arena, &times, 1);
        *whole = poly_add(*whole, one);
        *rest = poly_sub(*rest, poly_mul(one, b));
        if (i == MOST_PRODUCTS || !poly_is_known(*rest))
            return false;
    }
    return true;
}

static int64_t factor_of(poly p, const poly_term *product) {
    for (int i = 0; i < poly_count(p); i++)
        if (p->terms[i].atoms == product->atoms)
            return p->terms[i].factor;
    return 0;
}

/* How often a stride goes into what is left of delta. Exact by the stride's leading product if that
 * product has a run-time value in it; otherwise rounded to the nearest integer. */
static bool quotient(poly rest, poly stride, int64_t *k) {
    const poly_term *lead = &stride->terms[0];
    for (int i = 1; i < stride->count; i++)
        if (stride->terms[i].degree > lead->degree)
            lead = &stride->terms[i];
    int64_t have = factor_of(rest, lead), unit = lead->factor;
    if (have == INT64_MIN || unit == INT64_MIN || llabs(have) > INT64_MAX / 4)
        return false;
    if (lead->degree > 0) {
        *k = have / unit;
        return have % unit == 0;
    }
    int64_t half = llabs(unit) / 2;
    *k = (have + (have < 0 ? -half : half)) / unit;
    /* Halfway is rounded down, so that x - n/2 is in its own row. */
    if (llabs(have - *k * unit) * 2 == llabs(unit) && llabs(*k) > 0)
        *k -= *k < 0 ? -1 : 1;
    return true;
}

static int degree_of(poly a) {
    return poly_count(a) > 0 ? a->terms[a->count - 1].degree : 0;
}

/* The slower dimension has the product of more run-time values, or the larger constant. */
bool poly_slower(poly a, poly b) {
    int64_t fa = 0, fb = 0;
    if (degree_of(a) != degree_of(b))
        return degree_of(a) > degree_of(b);
    return poly_is_int(a, &fa) && poly_is_int(b, &fb) && llabs(fa) > llabs(fb);
}

bool poly_decompose(poly delta, const poly *strides, int rank, int limit, int32_t *k) {
    int order[8];
    poly rest = delta;
    for (int d = 0; d < rank; d++)
        order[d] = rank - 1 - d;
    for (int i = 1; i < rank; i++)
        for (int j = i; j > 0 && poly_slower(strides[order[j]], strides[order[j - 1]]); j--) {
            int swap = order[j];
            order[j] = order[j - 1];
            order[j - 1] = swap;
        }
    for (int i = 0; i < rank; i++) {
        poly stride = strides[order[i]];
        int64_t times = 0;
        if (!poly_is_known(stride) || (stride && !quotient(rest, stride, &times)))
            return false;
        if (times < -limit || times > limit)
            return false;
        k[order[i]] = (int32_t)times;
        rest = poly_sub(rest, poly_scale(stride, times));
    }
    return !rest;
}

/* The caller's order of terms. */

typedef struct ranking {
    int (*rank)(const void *context, br_scev atom);
    const void *context;
} ranking;

static void rank_atoms(const ranking *by, br_scev *atoms, int degree) {
    for (int i = 1; i < degree; i++)
        for (int j = i;
             j > 0 && by->rank(by->context, atoms[j]) < by->rank(by->context, atoms[j - 1]); j--) {
            br_scev swap = atoms[j];
            atoms[j] = atoms[j - 1];
            atoms[j - 1] = swap;
        }
}

/* Does term a come before b? Constants come last. */
static bool comes_before(const ranking *by, const poly_term *a, const poly_term *b) {
    for (int i = 0; i < a->degree && i < b->degree; i++) {
        int x = by->rank(by->context, a->atoms[i]), y = by->rank(by->context, b->atoms[i]);
        if (x != y)
            return x < y;
    }
    return a->degree > b->degree;
}

const poly_term *poly_ranked(poly a, int (*rank)(const void *context, br_scev atom),
                             const void *context) {
    ranking by = {rank, context};
    if (poly_count(a) == 0)
        return NULL;
    poly_term *terms = arena_allocate(a->arena, (size_t)a->count * sizeof *terms);
    for (int i = 0; i < a->count; i++) {
        size_t bytes = (size_t)a->terms[i].degree * sizeof(br_scev);
        br_scev *atoms = arena_allocate(a->arena, bytes);
        if (bytes > 0)
            memcpy(atoms, a->terms[i].atoms, bytes);
        rank_atoms(&by, atoms, a->terms[i].degree);
        poly_term t = {a->terms[i].factor, a->terms[i].degree, atoms};
        int at = i;
        for (; at > 0 && comes_before(&by, &t, &terms[at - 1]); at--)
            terms[at] = terms[at - 1];
        terms[at] = t;
    }
    return terms;
}
