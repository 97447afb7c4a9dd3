/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Does x / c, as st_divide rewrites it, have the bits of the division?
 *
 *   divide-test              many constants, for each the dividends most likely to go wrong
 *   divide-test C...         all 2^32 floats x, for each constant given
 */
#include "model/stencil.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

enum { BLOCK = 2048, MAX_NODES = 24 };

static uint64_t failures, tried;

static void fail(const char *format, double c, double x) {
    if (failures++ < 20)
        printf(format, c, x);
}

/* x / c as an expression, rewritten */

static st_stencil *quotient(st_type type, uint64_t divisor, uint8_t flags) {
    st_stencil *s = st_create();
    int32_t x = st_leaf(s, ST_ACCESS, type, 0), c = st_constant(s, type, divisor);
    int32_t division = st_operation(s, ST_FDIV, type, x, c, -1);
    st_node n = s->nodes[division];
    n.flags = flags;
    s->root = st_add_node(s, n);
    st_divide(s);
    return s;
}

static bool divides(const st_stencil *s) {
    for (size_t i = 0; i < s->nnodes; i++)
        if (s->nodes[i].op == ST_FDIV)
            return true;
    return false;
}

/* Evaluation of an expression for a block of numbers, node by node */

#if defined __x86_64__
#define VECTORS __attribute__((target_clones("default", "fma")))
static bool has_fma(void) {
    return __builtin_cpu_supports("fma");
}
#else
#define VECTORS
static bool has_fma(void) {
    return true;
}
#endif

#define EACH for (int i = 0; i < BLOCK; i++)

#define EVALUATE(NAME, REAL, WORD, FMA, FABS)                                                      \
    typedef union {                                                                                \
        REAL r[BLOCK];                                                                             \
        WORD w[BLOCK];                                                                             \
    } NAME##_block;                                                                                \
    /* The word of a constant, as a number. */                                                     \
    static REAL NAME##_of(uint64_t bits) {                                                         \
        WORD w = (WORD)bits;                                                                       \
        REAL r;                                                                                    \
        memcpy(&r, &w, sizeof r);                                                                  \
        return r;                                                                                  \
    }                                                                                              \
    VECTORS static void NAME##_node(const st_node *n, NAME##_block *to, const NAME##_block *a,     \
                                    const NAME##_block *b, const NAME##_block *c) {                \
        switch (n->op) {                                                                           \
        case ST_CONST:                                                                             \
            EACH to->w[i] = (WORD)n->bits;                                                         \
            return;                                                                                \
        case ST_FDIV:                                                                              \
            EACH to->r[i] = a->r[i] / b->r[i];                                                     \
            return;                                                                                \
        case ST_FMUL:                                                                              \
            EACH to->r[i] = a->r[i] * b->r[i];                                                     \
            return;                                                                                \
        case ST_FMA:                                                                               \
            EACH to->r[i] = FMA(a->r[i], b->r[i], c->r[i]);                                        \
            return;                                                                                \
        case ST_FNEG:                                                                              \
            EACH to->r[i] = -a->r[i];                                                              \
            return;                                                                                \
        case ST_FABS:                                                                              \
            EACH to->r[i] = FABS(a->r[i]);                                                         \
            return;                                                                                \
        case ST_AND:                                                                               \
            EACH to->w[i] = a->w[i] & b->w[i];                                                     \
            return;                                                                                \
        case ST_BITCAST:                                                                           \
            memcpy(to, a, sizeof *to);                                                             \
            return;                                                                                \
        case ST_FCMP:                                                                              \
            if (n->predicate == LLVMRealOLT) {                                                     \
                EACH to->w[i] = a->r[i] < b->r[i];                                                 \
                return;                                                                            \
            }                                                                                      \
            break;                                                                                 \
        case ST_SELECT:                                                                            \
            EACH to->w[i] = a->w[i] ? b->w[i] : c->w[i];                                           \
            return;                                                                                \
        }                                                                                          \
        printf("no evaluation of %s\n", st_ops[n->op].text);                                       \
        exit(1);                                                                                   \
    }                                                                                              \
    /* Lanes where the blocks differ, NaN being equal to NaN. */                                   \
    VECTORS static int NAME##_differences(const NAME##_block *a, const NAME##_block *b) {          \
        WORD count = 0;                                                                            \
        EACH count += a->w[i] != b->w[i] && !(a->r[i] != a->r[i] && b->r[i] != b->r[i]);           \
        return (int)count;                                                                         \
    }                                                                                              \
    VECTORS static void NAME##_divide(NAME##_block *to, const NAME##_block *x, REAL c) {           \
        EACH to->r[i] = x->r[i] / c;                                                               \
    }                                                                                              \
    static void NAME##_check(const st_stencil *s, uint64_t divisor, const NAME##_block *x) {       \
        static NAME##_block values[MAX_NODES], right;                                              \
        REAL c = NAME##_of(divisor);                                                               \
        for (size_t k = 0; k < s->nnodes; k++) {                                                   \
            const st_node *n = &s->nodes[k];                                                       \
            if (n->op == ST_ACCESS)                                                                \
                memcpy(&values[k], x, sizeof *x);                                                  \
            else                                                                                   \
                NAME##_node(n, &values[k], n->args[0] < 0 ? NULL : &values[n->args[0]],            \
                            n->args[1] < 0 ? NULL : &values[n->args[1]],                           \
                            n->args[2] < 0 ? NULL : &values[n->args[2]]);                          \
        }                                                                                          \
        NAME##_divide(&right, x, c);                                                               \
        tried += BLOCK;                                                                            \
        if (!NAME##_differences(&values[s->root], &right))                                         \
            return;                                                                                \
        EACH if (values[s->root].w[i] != right.w[i] &&                                             \
                 (right.r[i] == right.r[i] || values[s->root].r[i] == values[s->root].r[i]))       \
            fail("division by %a: wrong for %a\n", (double)c, (double)x->r[i]);                    \
    }

EVALUATE(f32, float, uint32_t, fmaf, fabsf)
EVALUATE(f64, double, uint64_t, fma, fabs)

/* Dividends */

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t noise(void) {
    static uint64_t state;
    uint64_t x = state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

typedef struct trial {
    st_type type;
    uint64_t divisor;
    const st_stencil *s;
    f32_block narrow;
    f64_block broad;
    int filled;
} trial;

static void flush(trial *t) {
    while (t->filled && t->filled < BLOCK) {
        t->narrow.w[t->filled] = (uint32_t)noise();
        t->broad.w[t->filled++] = noise();
    }
    if (t->filled && t->type == ST_F32)
        f32_check(t->s, t->divisor, &t->narrow);
    else if (t->filled)
        f64_check(t->s, t->divisor, &t->broad);
    t->filled = 0;
}

static void try(trial *t, uint64_t bits) {
    t->narrow.w[t->filled] = (uint32_t)bits;
    t->broad.w[t->filled++] = bits;
    if (t->filled == BLOCK)
        flush(t);
}

/* x and the numbers around it, of both signs. */
static void try_around(trial *t, uint64_t bits, int around) {
    uint64_t sign = t->type == ST_F32 ? 1ull << 31 : 1ull << 63;
    for (int d = -around; d <= around; d++) {
        try(t, bits + (uint64_t)(int64_t)d);
        try(t, (bits + (uint64_t)(int64_t)d) ^ sign);
    }
}

static void try_number(trial *t, long double x, int around) {
    float f = (float)x;
    double d = (double)x;
    uint32_t word;
    uint64_t bits;
    memcpy(&word, &f, sizeof f);
    memcpy(&bits, &d, sizeof d);
    try_around(t, t->type == ST_F32 ? word : bits, around);
}

static void try_special(trial *t) {
    static const long double quotients[] = {0x1p-149L,  0x1p-126L,  0x1p127L,
                                            0x1p-1074L, 0x1p-1022L, 0x1p1023L};
    long double c = t->type == ST_F32 ? f32_of(t->divisor) : f64_of(t->divisor);
    c = fabsl(c);
    try_number(t, 0, 0);
    try_number(t, (long double)INFINITY, 2);
    try_number(t, (long double)NAN, 2);
    for (size_t i = 0; i < sizeof quotients / sizeof *quotients; i++) {
        try_number(t, quotients[i], 40);
        for (int k = 1; k < 8; k++)
            try_number(t, quotients[i] * c * k / 4, 2);
    }
    try_number(t, t->type == ST_F32 ? 0x1p128L * c : 0x1p1024L * c, 8);
}

/* Quotients about midway between subnormal numbers. */
static void try_subnormal(trial *t, int count) {
    long double c = t->type == ST_F32 ? f32_of(t->divisor) : f64_of(t->divisor);
    int p = t->type == ST_F32 ? 24 : 53, least = t->type == ST_F32 ? -150 : -1075;
    for (int i = 0; i < count; i++) {
        uint64_t m = i < 64 ? (uint64_t)(2 * i + 1) : noise() >> (63 - noise() % (unsigned)p) | 1;
        try_number(t, ldexpl(fabsl(c) * (long double)m, least), 1);
    }
}

/* All x of p bits whose quotient misses a midpoint by i / odd half units of the last place, or a
 * few of them, and with each a number of exponents. */
static void try_residue(trial *t, uint64_t odd, int bits, int shift, int i, int exponents) {
    int p = t->type == ST_F32 ? 24 : 53, bias = t->type == ST_F32 ? 127 : 1023;
    uint64_t x = i > 0 ? (uint64_t)i % odd : odd - (uint64_t)-i % odd, hidden = 1ull << (p - 1);
    for (int k = 0; k < bits + shift; k++)
        x = (x % 2 ? x + odd : x) / 2;
    if (x < hidden)
        x += (hidden - x + odd - 1) / odd * odd;
    for (int k = 0; k < 4 && x < 2 * hidden; k++, x += odd)
        for (int e = 0; e < exponents; e++) {
            uint64_t field = noise() % (2 * (unsigned)bias);
            field = e == 0 ? (uint64_t)bias : field;
            try(t, (x & (hidden - 1)) | field << (p - 1));
            /* A subnormal number has the last bits alone. */
            try(t, (x & (hidden - 1)) >> noise() % (unsigned)p);
        }
}

static void try_midpoints(trial *t, int most, int exponents) {
    bool is_double = t->type == ST_F64;
    uint64_t odd = t->divisor & (is_double ? (1ull << 52) - 1 : (1u << 23) - 1);
    uint64_t field = t->divisor >> (is_double ? 52 : 23) & (is_double ? 0x7ff : 0xff);
    int bits = 0;
    odd |= field ? (is_double ? 1ull << 52 : 1u << 23) : 0;
    while (odd % 2 == 0)
        odd /= 2;
    while (odd >> bits)
        bits++;
    for (int i = 1; i <= most && odd > 1; i++)
        for (int shift = 0; shift < 2; shift++) {
            try_residue(t, odd, bits, shift, i, exponents);
            try_residue(t, odd, bits, shift, -i, exponents);
        }
}

/* Constants */

static bool check(st_type type, uint64_t divisor, int effort) {
    static trial t;
    st_stencil *s = quotient(type, divisor, 0);
    bool rewritten = !divides(s);
    if (s->nnodes > MAX_NODES) {
        printf("more than %d nodes\n", MAX_NODES);
        exit(1);
    }
    t.type = type;
    t.divisor = divisor;
    t.s = s;
    if (rewritten) {
        try_special(&t);
        try_subnormal(&t, 200 * effort);
        try_midpoints(&t, 24 * effort, 8);
        for (int i = 0; i < 1000 * effort; i++)
            try(&t, noise());
        flush(&t);
    }
    st_destroy(s);
    return rewritten;
}

static uint64_t bits_of(st_type type, double c) {
    float f = (float)c;
    uint32_t word;
    uint64_t bits;
    memcpy(&word, &f, sizeof f);
    memcpy(&bits, &c, sizeof c);
    return type == ST_F32 ? word : bits;
}

/* What a division becomes: operations of float and of double; 0: it stays. */
static const struct {
    double c;
    int narrow, broad;
} known[] = {
    {8, 1, 1},          {-0.5, 1, 1},        {0x1p-149, 0, 1}, {3, 5, 5},
    {5, 5, 5},          {7, 5, 5},           {-7, 5, 5},       {9, 5, 5},
    {49, 5, 5},         {159, 5, 5},         {-6, 6, 6},       {10, 6, 6},
    {118, 6, 6},        {1e6, 6, 6},         {2.5, 6, 6},      {3.14159265358979, 6, 6},
    {0.1f, 8, 6},       {-0.1f, 8, 6},       {0.1, 8, 6},      {1.0 / 3, 8, 6},
    {0.11, 6, 8},       {1e-30f, 2, 6},      {1e30f, 0, 0},    {0x1.8p-127, 2, 2},
    {0x1.8p-140, 0, 2}, {0x1.8p-1070, 0, 0}, {0, 0, 0},        {INFINITY, 0, 0},
};

static void check_known(void) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (st_type type = ST_F32; type <= ST_F64; type++) {
            uint64_t divisor = bits_of(type, known[i].c);
            int want = type == ST_F32 ? known[i].narrow : known[i].broad;
            st_stencil *s = quotient(type, divisor, 0);
            int count = divides(s) ? 0 : (int)st_operation_count(s);
            if (count != want) {
                printf("division of %s by %a: %d operations, must be %d\n", st_type_name(type),
                       known[i].c, count, want);
                failures++;
            }
            st_destroy(s);
            check(type, divisor, 20);
        }
}

/* With arcp one multiplication, which keeps the flags. */
static void check_reciprocal(void) {
    st_stencil *s = quotient(ST_F32, bits_of(ST_F32, 3), ST_ARCP | ST_CONTRACT);
    const st_node *n = &s->nodes[s->root];
    if (n->op != ST_FMUL || n->flags != (ST_ARCP | ST_CONTRACT) ||
        s->nodes[n->args[1]].bits != bits_of(ST_F32, 1.0 / 3)) {
        printf("arcp is not used\n");
        failures++;
    }
    st_destroy(s);
}

static void check_many(st_type type) {
    int p = type == ST_F32 ? 24 : 53, of_kind[4] = {0}, rewritten[4] = {0};
    uint64_t all = type == ST_F32 ? 0xffffffff : ~0ull, fraction = (1ull << (p - 1)) - 1;
    for (int i = 0; i < 2000; i++) {
        uint64_t divisor = noise() & all, near_one = bits_of(type, 1 + (double)(noise() % 1000));
        int kind = i % 4;
        if (kind == 0) /* whole numbers */
            divisor = bits_of(type, (double)(noise() >> (40 + noise() % 20)));
        if (kind == 1) /* decimal fractions */
            divisor = bits_of(type, (double)(noise() % 100000) / 1000);
        if (kind == 2) /* any, from 1 to 1000 */
            divisor = (near_one & ~fraction) | (divisor & fraction);
        of_kind[kind]++;
        rewritten[kind] += check(type, divisor, 1);
    }
    printf(
        "%s: rewritten of %d each: whole numbers %d, decimal fractions %d, 1 to 1000 %d, any %d\n",
        st_type_name(type), of_kind[0], rewritten[0], rewritten[1], rewritten[2], rewritten[3]);
}

/* Where few tests are run, one of twelve parts of the floats in each turn. */
static uint64_t parts(uint64_t *first) {
    const char *tests = getenv("STENCIL_TESTS"), *turn = getenv("STENCIL_TURN");
    bool few = tests && !strcmp(tests, "few");
    *first = few && turn ? strtoull(turn, NULL, 10) % 12 : 0;
    return few ? 12 : 1;
}

static void check_every_float(double c) {
    static f32_block x;
    uint64_t first, count = parts(&first);
    uint64_t divisor = bits_of(ST_F32, c), step = has_fma() ? 1 : 1009;
    st_stencil *s = quotient(ST_F32, divisor, 0);
    if (divides(s)) {
        printf("division by %g stays\n", c);
        failures++;
    }
    for (uint64_t at = first * BLOCK * step; at < 1ull << 32; at += count * BLOCK * step) {
        EACH x.w[i] = (uint32_t)(at + (uint64_t)i * step);
        f32_check(s, divisor, &x);
    }
    st_destroy(s);
}

int main(int count, char **arguments) {
    for (int i = 1; i < count; i++)
        check_every_float(strtod(arguments[i], NULL));
    if (count == 1) {
        check_known();
        check_reciprocal();
        check_many(ST_F32);
        check_many(ST_F64);
    }
    printf("%" PRIu64 " dividends, %" PRIu64 " wrong\n", tried, failures);
    return failures > 0;
}
