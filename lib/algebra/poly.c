/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/poly.h"

#include <stdlib.h>
#include <string.h>

/* Terms */

enum { CHUNK_TERMS = 500 };

typedef struct chunk {
    struct chunk *next;
    int used;
    poly_term terms[CHUNK_TERMS];
} chunk;

static _Thread_local chunk *chunks;

static poly_term *allocate(int count) {
    if (!chunks || chunks->used + count > CHUNK_TERMS) {
        chunk *c = malloc(sizeof *c);
        c->next = chunks;
        c->used = 0;
        chunks = c;
    }
    poly_term *terms = chunks->terms + chunks->used;
    chunks->used += count;
    return terms;
}

/* Atoms are sorted by when they were first seen: their addresses differ from run to run, and the
 * order of a sum's terms decides in which order instructions are emitted. */

typedef struct seen {
    br_scev atom; /* NULL: free */
    uint32_t number;
} seen;

static _Thread_local seen *atoms;
static _Thread_local uint32_t natoms, room; /* room: a power of two, or 0 */

static seen *find_atom(br_scev atom) {
    uint64_t at = ((uint64_t)(uintptr_t)atom * 0x9E3779B97F4A7C15u) >> 32;
    while (atoms[at & (room - 1)].atom && atoms[at & (room - 1)].atom != atom)
        at++;
    return &atoms[at & (room - 1)];
}

static void grow_atoms(void) {
    seen *old = atoms;
    uint32_t had = room;
    room = had ? 2 * had : 64;
    atoms = calloc(room, sizeof *atoms);
    for (uint32_t i = 0; i < had; i++)
        if (old[i].atom)
            *find_atom(old[i].atom) = old[i];
    free(old);
}

static uint32_t atom_number(br_scev atom) {
    if (2 * natoms >= room)
        grow_atoms();
    seen *s = find_atom(atom);
    if (!s->atom)
        *s = (seen){atom, natoms++};
    return s->number;
}

void poly_release(void) {
    while (chunks) {
        chunk *next = chunks->next;
        free(chunks);
        chunks = next;
    }
    free(atoms);
    atoms = NULL;
    natoms = room = 0;
}

poly poly_of_terms(const poly_term *terms, int count, bool overflow) {
    poly p = {NULL, count, overflow};
    if (count > 0) {
        poly_term *copy = allocate(count);
        memcpy(copy, terms, (size_t)count * sizeof *terms);
        p.terms = copy;
    }
    return p;
}

poly poly_of_term(const poly_term *t) {
    return poly_of_terms(t, 1, false);
}

poly poly_int(int64_t value) {
    poly_term t = {.factor = value, .degree = 0};
    return poly_of_terms(&t, value != 0, false);
}

poly poly_atom(br_scev atom) {
    atom_number(atom);
    poly_term t = {.factor = 1, .degree = 1, .atoms = {atom}};
    return poly_of_term(&t);
}

/* One that is being made. */
typedef struct sum {
    int count;
    bool overflow;
    poly_term terms[POLY_TERMS];
} sum;

static void begin(sum *s, const poly *a) {
    s->count = a ? a->count : 0;
    s->overflow = a && a->overflow;
    if (s->count > 0)
        memcpy(s->terms, a->terms, (size_t)s->count * sizeof *s->terms);
}

static poly finish(const sum *s) {
    return poly_of_terms(s->terms, s->count, s->overflow);
}

static bool same_product(const poly_term *a, const poly_term *b) {
    return a->degree == b->degree &&
           !memcmp(a->atoms, b->atoms, (size_t)a->degree * sizeof *a->atoms);
}

static int64_t wrap_add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t wrap_mul(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static void add_term(sum *p, const poly_term *t, int64_t factor) {
    int i = 0;
    while (i < p->count && !same_product(&p->terms[i], t))
        i++;
    if (i == POLY_TERMS) {
        p->overflow = true;
        return;
    }
    if (i == p->count) {
        p->terms[i] = *t;
        p->terms[i].factor = 0;
        p->count++;
    }
    p->terms[i].factor = wrap_add(p->terms[i].factor, factor);
    if (p->terms[i].factor == 0)
        p->terms[i] = p->terms[--p->count];
}

static void add_scaled(sum *s, const poly *b, int64_t factor) {
    s->overflow |= b->overflow;
    for (int i = 0; i < b->count; i++)
        add_term(s, &b->terms[i], wrap_mul(b->terms[i].factor, factor));
}

static poly add(const poly *a, const poly *b, int64_t factor) {
    sum s;
    begin(&s, a);
    add_scaled(&s, b, factor);
    return finish(&s);
}

poly poly_add(const poly *a, const poly *b) {
    return add(a, b, 1);
}
poly poly_sub(const poly *a, const poly *b) {
    return add(a, b, -1);
}

poly poly_scale(const poly *a, int64_t factor) {
    return add(NULL, a, factor);
}

static int compare_atoms(const void *a, const void *b) {
    uint32_t x = atom_number(*(const br_scev *)a), y = atom_number(*(const br_scev *)b);
    return (x > y) - (x < y);
}

poly poly_mul(const poly *a, const poly *b) {
    sum product;
    begin(&product, NULL);
    product.overflow = a->overflow | b->overflow;
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++) {
            const poly_term *x = &a->terms[i], *y = &b->terms[j];
            poly_term t = *x;
            if (x->degree + y->degree > POLY_ATOMS) {
                product.overflow = true;
                return finish(&product);
            }
            memcpy(t.atoms + x->degree, y->atoms, (size_t)y->degree * sizeof *t.atoms);
            t.degree = x->degree + y->degree;
            qsort(t.atoms, (size_t)t.degree, sizeof *t.atoms, compare_atoms);
            add_term(&product, &t, wrap_mul(x->factor, y->factor));
        }
    }
    return finish(&product);
}

bool poly_is_zero(const poly *a) {
    return !a->overflow && a->count == 0;
}

bool poly_is_int(const poly *a, int64_t *value) {
    *value = a->count ? a->terms[0].factor : 0;
    return !a->overflow && (a->count == 0 || (a->count == 1 && a->terms[0].degree == 0));
}

bool poly_equal(const poly *a, const poly *b) {
    sum difference;
    begin(&difference, a);
    add_scaled(&difference, b, -1);
    return !difference.overflow && difference.count == 0;
}

/* Takes one atom out of a product; false if it is not in it. */
static bool take_atom(poly_term *t, br_scev atom) {
    int i = 0;
    while (i < t->degree && t->atoms[i] != atom)
        i++;
    if (i == t->degree)
        return false;
    memmove(t->atoms + i, t->atoms + i + 1, (size_t)(t->degree - i - 1) * sizeof *t->atoms);
    t->degree--;
    return true;
}

bool poly_split(const poly *a, br_scev atom, poly *coefficient, poly *rest) {
    sum with, without;
    begin(&with, NULL);
    begin(&without, NULL);
    with.overflow = without.overflow = a->overflow;
    bool good = true;
    for (int i = 0; i < a->count && good; i++) {
        poly_term t = a->terms[i], square;
        bool found = take_atom(&t, atom);
        square = t;
        good = !found || !take_atom(&square, atom);
        if (good)
            add_term(found ? &with : &without, &t, t.factor);
    }
    *coefficient = finish(&with);
    *rest = finish(&without);
    return good;
}

bool poly_divide(const poly *a, const poly *b, poly *whole, poly *rest) {
    sum multiples, left;
    begin(&multiples, NULL);
    begin(&left, NULL);
    multiples.overflow = left.overflow = a->overflow;
    *whole = *rest = poly_of_terms(NULL, 0, a->overflow);
    if (b->overflow || b->count != 1)
        return false;
    for (int i = 0; i < a->count; i++) {
        poly_term t = a->terms[i];
        bool multiple = b->terms[0].factor != -1 && t.factor % b->terms[0].factor == 0;
        for (int k = 0; k < b->terms[0].degree && multiple; k++)
            multiple = take_atom(&t, b->terms[0].atoms[k]);
        if (multiple)
            add_term(&multiples, &t, t.factor / b->terms[0].factor);
        else
            add_term(&left, &a->terms[i], a->terms[i].factor);
    }
    *whole = finish(&multiples);
    *rest = finish(&left);
    return true;
}

/* By degree, then by atoms: an order that multiplication keeps. */
static const poly_term *leading_term(const poly *p) {
    const poly_term *lead = &p->terms[0];
    for (int i = 1; i < p->count; i++) {
        const poly_term *t = &p->terms[i];
        int order = t->degree - lead->degree;
        for (int a = 0; a < t->degree && !order; a++)
            order = compare_atoms(&t->atoms[a], &lead->atoms[a]);
        if (order > 0)
            lead = t;
    }
    return lead;
}

bool poly_quotient(const poly *a, const poly *b, poly *whole) {
    poly left = *a, lead, one, rest;
    *whole = poly_int(0);
    if (a->overflow || b->overflow || b->count == 0)
        return false;
    lead = poly_of_term(leading_term(b));
    for (int i = 0; i < POLY_TERMS && left.count > 0; i++) {
        poly first = poly_of_term(leading_term(&left));
        if (!poly_divide(&first, &lead, &one, &rest) || one.count == 0)
            return false;
        *whole = poly_add(whole, &one);
        one = poly_mul(&one, b);
        left = poly_sub(&left, &one);
        if (left.overflow)
            return false;
    }
    return poly_is_zero(&left) && !whole->overflow;
}

static int64_t factor_of(const sum *p, const poly_term *product) {
    for (int i = 0; i < p->count; i++)
        if (same_product(&p->terms[i], product))
            return p->terms[i].factor;
    return 0;
}

/* How often a stride goes into what is left of delta: exactly by its leading product if that has
 * a run-time value in it, else rounded to the nearest. */
static bool quotient(const sum *rest, const poly *stride, int64_t *k) {
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
    /* Halfway is rounded down: x - n/2 is nearer in its own row. */
    if (llabs(have - *k * unit) * 2 == llabs(unit) && llabs(*k) > 0)
        *k -= *k < 0 ? -1 : 1;
    return true;
}

/* Products of more run-time values first, then larger constants: the slowest dimension first. */
bool poly_slower(const poly *a, const poly *b) {
    int da = 0, db = 0;
    int64_t fa = 0, fb = 0;
    for (int i = 0; i < a->count; i++)
        da = a->terms[i].degree > da ? a->terms[i].degree : da;
    for (int i = 0; i < b->count; i++)
        db = b->terms[i].degree > db ? b->terms[i].degree : db;
    if (da != db)
        return da > db;
    return poly_is_int(a, &fa) && poly_is_int(b, &fb) && llabs(fa) > llabs(fb);
}

bool poly_decompose(const poly *delta, const poly *strides, int rank, int limit, int32_t *k) {
    int order[8];
    sum rest;
    begin(&rest, delta);
    for (int d = 0; d < rank; d++)
        order[d] = rank - 1 - d;
    for (int i = 1; i < rank; i++)
        for (int j = i; j > 0 && poly_slower(&strides[order[j]], &strides[order[j - 1]]); j--) {
            int swap = order[j];
            order[j] = order[j - 1];
            order[j - 1] = swap;
        }
    for (int i = 0; i < rank; i++) {
        const poly *stride = &strides[order[i]];
        int64_t times = 0;
        if (!poly_is_zero(stride) && !quotient(&rest, stride, &times))
            return false;
        if (times < -limit || times > limit)
            return false;
        k[order[i]] = (int32_t)times;
        add_scaled(&rest, stride, wrap_mul(times, -1));
    }
    return !rest.overflow && rest.count == 0;
}

/* Order */

typedef struct order {
    int (*rank)(const void *context, br_scev atom);
    const void *context;
} order;

static int rank_of(const order *o, br_scev atom) {
    return o->rank(o->context, atom);
}

static void sort_atoms(const order *o, poly_term *t) {
    for (int i = 1; i < t->degree; i++)
        for (int j = i; j > 0 && rank_of(o, t->atoms[j]) < rank_of(o, t->atoms[j - 1]); j--) {
            br_scev swap = t->atoms[j];
            t->atoms[j] = t->atoms[j - 1];
            t->atoms[j - 1] = swap;
        }
}

static bool comes_before(const order *o, const poly_term *a, const poly_term *b) {
    for (int i = 0; i < a->degree && i < b->degree; i++) {
        int x = rank_of(o, a->atoms[i]), y = rank_of(o, b->atoms[i]);
        if (x != y)
            return x < y;
    }
    return a->degree > b->degree;
}

poly poly_ranked(const poly *a, int (*rank)(const void *context, br_scev atom),
                 const void *context) {
    order o = {rank, context};
    poly_term terms[POLY_TERMS];
    for (int i = 0; i < a->count; i++) {
        terms[i] = a->terms[i];
        sort_atoms(&o, &terms[i]);
    }
    for (int i = 1; i < a->count; i++)
        for (int j = i; j > 0 && comes_before(&o, &terms[j], &terms[j - 1]); j--) {
            poly_term swap = terms[j];
            terms[j] = terms[j - 1];
            terms[j - 1] = swap;
        }
    return poly_of_terms(terms, a->count, a->overflow);
}
