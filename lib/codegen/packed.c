/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Emits the nodes of a packed stencil: several cells of 8 or 16 bits in each 32-bit word. The
 * method is in lib/model/rewrite/pack.h.
 */
#include "codegen/packed.h"

/* Words */

/* v in each field. The word is the sum of the fields as numbers, so a v below zero borrows from the
 * field above, as its sum with other fields needs. */
static LLVMValueRef splat(const gen_expr *e, int bits, int64_t v) {
    uint64_t ones = bits == 8 ? 0x01010101 : 0x00010001;
    return LLVMConstInt(gen_i32(e), (uint32_t)((uint64_t)v * ones), false);
}

/* Adds v to all fields. */
static LLVMValueRef raise(const gen_expr *e, LLVMValueRef w, int bits, int64_t v) {
    return v ? LLVMBuildAdd(e->b, w, splat(e, bits, v), "") : w;
}

static LLVMValueRef shift_left(const gen_expr *e, LLVMValueRef w, int by) {
    return by ? LLVMBuildShl(e->b, w, gen_int32(e, by), "") : w;
}

static LLVMValueRef shift_right(const gen_expr *e, LLVMValueRef w, int by) {
    return by ? LLVMBuildLShr(e->b, w, gen_int32(e, by), "") : w;
}

static LLVMValueRef both(const gen_expr *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAnd(e->b, a, b, "");
}

/* Four of the eight bytes of a and b, as a shuffle: targets have an instruction for it. */
static LLVMValueRef bytes(const gen_expr *e, LLVMValueRef a, LLVMValueRef b, const int which[4]) {
    LLVMTypeRef four = LLVMVectorType(LLVMInt8TypeInContext(e->context), 4);
    LLVMValueRef mask[4];
    for (int i = 0; i < 4; i++)
        mask[i] = gen_int32(e, which[i]);
    a = LLVMBuildBitCast(e->b, a, four, "");
    b = LLVMBuildBitCast(e->b, b, four, "");
    a = LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(mask, 4), "");
    return LLVMBuildBitCast(e->b, a, gen_i32(e), "");
}

/* Bytes `from`.. of the two words, from 0 to 4. */
static LLVMValueRef span_words(const gen_expr *e, LLVMValueRef low, LLVMValueRef high, int from) {
    int which[] = {from, from + 1, from + 2, from + 3};
    return from == 0 ? low : from == 4 ? high : bytes(e, low, high, which);
}

LLVMValueRef gen_blend(const gen_expr *e, LLVMValueRef mask, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef rest = both(e, LLVMBuildNot(e->b, mask, ""), b);
    return LLVMBuildOr(e->b, both(e, mask, a), rest, "");
}

LLVMValueRef gen_cell_of_word(const gen_expr *e, LLVMValueRef word, int bits, int j) {
    return LLVMBuildTrunc(e->b, shift_right(e, word, bits * j),
                          LLVMIntTypeInContext(e->context, (unsigned)bits), "");
}

LLVMValueRef gen_spread_bits(const gen_expr *e, LLVMValueRef set, int bits) {
    int64_t copies = 0;
    int fields = 32 / bits;
    for (int j = 0; j < fields; j++)
        copies |= (int64_t)1 << (bits - 1) * j;
    set = both(e, set, gen_int32(e, (1 << fields) - 1));
    set = LLVMBuildMul(e->b, set, gen_int32(e, (int32_t)copies), "");
    set = both(e, set, splat(e, bits, 1));
    return LLVMBuildMul(e->b, set, gen_int32(e, (1 << bits) - 1), "");
}

/* Booleans */

static int64_t top_of(int bits) {
    return (int64_t)1 << (bits - 1);
}

static LLVMValueRef top(const gen_expr *e, int bits) {
    return splat(e, bits, top_of(bits));
}

/* 0 or 1 in each field. */
static LLVMValueRef number_of(const gen_expr *e, LLVMValueRef boolean, int bits) {
    return both(e, shift_right(e, boolean, bits - 1), splat(e, bits, 1));
}

/* All of a field's bits, or none. */
static LLVMValueRef mask_of(const gen_expr *e, LLVMValueRef boolean, int bits) {
    LLVMValueRef all = gen_int32(e, (1 << bits) - 1);
    return LLVMBuildMul(e->b, number_of(e, boolean, bits), all, "");
}

/* Is a >= b? Both leave the top bit free. */
static LLVMValueRef at_least(const gen_expr *e, LLVMValueRef a, LLVMValueRef b, int bits) {
    return LLVMBuildSub(e->b, LLVMBuildAdd(e->b, a, top(e, bits), ""), b, "");
}

static LLVMValueRef differ(const gen_expr *e, LLVMValueRef a, LLVMValueRef b, int bits) {
    return raise(e, LLVMBuildXor(e->b, a, b, ""), bits, top_of(bits) - 1);
}

/* Accesses of the grid that rotates. A node that merely extends one is like it, but for the top bit
 * where signs become part of the value. */

static bool is_computed(const gen_packed *g, int32_t number) {
    return !g->is_computed || g->is_computed(g->context, number);
}

/* The access that a node is, or merely extends. NULL: the node is another one, or its value is
 * kept. */
static const st_access *moving_access(const gen_packed *g, int32_t number) {
    const st_node *n = &g->s->nodes[number];
    bool rotates = n->op == ST_ACCESS && g->s->accesses[n->index].grid == g->s->store_grid;
    return rotates && is_computed(g, number) ? &g->s->accesses[n->index] : NULL;
}

static int64_t span_of(pk_range r) {
    return r.high - r.low;
}

typedef struct access {
    int32_t number; /* -1: the node is none */
    int64_t flip;   /* bits of a field */
} access;

static access access_of(const gen_packed *g, int32_t number) {
    const st_node *n = &g->s->nodes[number];
    access none = {-1, 0};
    if (moving_access(g, number))
        return (access){number, 0};
    if ((n->op != ST_ZEXT && n->op != ST_SEXT && n->op != ST_FREEZE) || !is_computed(g, number) ||
        !moving_access(g, n->args[0]))
        return none;
    bool same = g->p->nodes[n->args[0]].range.low == g->p->nodes[number].range.low;
    return (access){n->args[0], same ? 0 : top_of(32 / g->p->group)};
}

static LLVMValueRef row_word(const gen_packed *g, access a, int k) {
    LLVMValueRef w = g->row(g->context, a.number, k);
    int bits = 32 / g->p->group;
    return a.flip ? LLVMBuildXor(g->e->b, w, splat(g->e, bits, a.flip), "") : w;
}

static int floor_divide(int a, int b) {
    return (a + 64 * b) / b - 64;
}

/* The word of the cells from `cell` on. */
static LLVMValueRef word_at(const gen_packed *g, access a, int cell) {
    int group = g->p->group, k = floor_divide(cell, group), from = cell - k * group;
    if (from == 0)
        return row_word(g, a, k);
    return span_words(g->e, row_word(g, a, k), row_word(g, a, k + 1), from * 4 / group);
}

/* Byte cells `cell` and the one after the next, in 16 bits each: of one word, or of the halves of
 * two such words, which serve their own accesses too. */
static LLVMValueRef halves_at(const gen_packed *g, access a, int cell) {
    static const int odd[] = {1, 4, 3, 4};
    int k = floor_divide(cell, 4), from = cell - 4 * k;
    if (from == 0)
        return both(g->e, row_word(g, a, k), splat(g->e, 16, 0xff));
    if (from == 1)
        return bytes(g->e, row_word(g, a, k), gen_int32(g->e, 0), odd);
    return span_words(g->e, halves_at(g, a, cell - 2), halves_at(g, a, cell + 2), 2);
}

static LLVMValueRef access_word(const gen_packed *g, int32_t number, int bits, int k) {
    access a = access_of(g, number);
    int x = g->s->accesses[g->s->nodes[a.number].index].offset[0], group = g->p->group;
    if (bits == 32 / group)
        return word_at(g, a, group * k + x);
    return halves_at(g, a, k / 2 * 4 + k % 2 + x);
}

/* Operands */

static LLVMValueRef widen(const gen_packed *g, int32_t number, int bits, int k) {
    static const int odd[] = {1, 4, 3, 4};
    const pk_node *n = &g->p->nodes[number];
    const gen_expr *e = g->e;
    if (n->bits == bits)
        return g->value(g->context, number, k);
    if (access_of(g, number).number >= 0)
        return access_word(g, number, bits, k);
    LLVMValueRef w = g->value(g->context, number, k / 2);
    if (n->boolean)
        return shift_left(e, w, k % 2 ? 0 : 8);
    return k % 2 ? bytes(e, w, gen_int32(e, 0), odd) : both(e, w, splat(e, 16, 0xff));
}

/* The number of the j-th cell of word k, where fields have `bits` bits. */
static int cell_of_word(const gen_packed *g, int bits, int k, int j) {
    bool parted = bits > 32 / g->p->group;
    return parted ? k / 2 * 4 + k % 2 + 2 * j : k * g->p->group + j;
}

/* A word made of single cells: each is shifted to its field, and all are added. Cells are extended
 * with sign if the range has negative numbers. */
static LLVMValueRef gather(const gen_packed *g, int32_t number, pk_range range, int bits, int k) {
    LLVMValueRef sum = NULL;
    for (int j = 0; j < 32 / bits; j++) {
        LLVMValueRef v = gen_packed_cell(g, number, cell_of_word(g, bits, k, j));
        v = LLVMBuildIntCast2(g->e->b, v, gen_i32(g->e), range.low < 0, "");
        v = shift_left(g->e, v, bits * j);
        sum = sum ? LLVMBuildAdd(g->e->b, sum, v, "") : v;
    }
    return sum;
}

/* Moves the fields of a word from one range to another one. The other range has as many numbers as
 * a power of two, and numbers stay the same modulo that power. */
static LLVMValueRef bring(const gen_expr *e, LLVMValueRef w, int bits, pk_range from, pk_range to) {
    int64_t count = span_of(to) + 1, half = count / 2, by = (from.low - to.low) & (count - 1);
    if (by == half && span_of(from) < count)
        return LLVMBuildXor(e->b, w, splat(e, bits, half), "");
    if (count >> bits) { /* no bit to spare: the top ones are added without a carry */
        LLVMValueRef low = both(e, w, splat(e, bits, half - 1));
        LLVMValueRef high = both(e, w, splat(e, bits, half));
        low = raise(e, low, bits, by & (half - 1));
        high = LLVMBuildXor(e->b, high, splat(e, bits, by & half), "");
        return LLVMBuildXor(e->b, low, high, "");
    }
    if ((span_of(from) + by) >> bits)
        w = both(e, w, splat(e, bits, count - 1));
    return both(e, raise(e, w, bits, by), splat(e, bits, count - 1));
}

static bool is_within(pk_range inner, pk_range outer) {
    return inner.low >= outer.low && inner.high <= outer.high;
}

/* Word k of an operand, read as signed or unsigned (`sense`), in fields of `bits` bits. A field has
 * the operand minus `low`. */
static LLVMValueRef operand(const gen_packed *g, int32_t number, pk_sense sense, int bits,
                            int64_t low, int k) {
    const pk_node *n = &g->p->nodes[number];
    pk_range range = pk_view(g->s, g->p, number, sense), from = n->range;
    LLVMValueRef w;
    if (range.low == range.high)
        return splat(g->e, bits, range.low - low);
    if (n->bits == PK_CELL)
        return raise(g->e, gather(g, number, range, bits, k), bits, -low);
    w = widen(g, number, bits, k);
    if (n->boolean)
        w = number_of(g->e, w, bits);
    if (!is_within(from, range))
        w = bring(g->e, w, bits, from, range);
    else
        range = from;
    return raise(g->e, w, bits, range.low - low);
}

/* The same for a boolean, or for a constant in its place: the field's top bit tells which of the
 * two values it is. */
static LLVMValueRef boolean(const gen_packed *g, int32_t number, int bits, int64_t low, int k) {
    const pk_node *n = &g->p->nodes[number];
    if (n->range.low == n->range.high)
        return splat(g->e, bits, (n->range.low - low) & 1 ? top_of(bits) : 0);
    if (n->bits < PK_CELL)
        return widen(g, number, bits, k);
    return shift_left(g->e, gather(g, number, n->range, bits, k), bits - 1);
}

/* Operations */

static LLVMValueRef argument(const gen_packed *g, int32_t number, int i, int bits, int64_t low,
                             int k) {
    return operand(g, g->s->nodes[number].args[i], pk_sense_of(g->s, g->p, number), bits, low, k);
}

static pk_range range_of(const gen_packed *g, int32_t number, int i) {
    return pk_view(g->s, g->p, g->s->nodes[number].args[i], pk_sense_of(g->s, g->p, number));
}

static LLVMValueRef subtract(const gen_packed *g, int32_t number, int bits, int k) {
    pk_range a = range_of(g, number, 0), b = range_of(g, number, 1);
    LLVMValueRef v = raise(g->e, argument(g, number, 0, bits, a.low, k), bits, span_of(b));
    return LLVMBuildSub(g->e->b, v, argument(g, number, 1, bits, b.low, k), "");
}

/* Multiplies by a constant. */
static LLVMValueRef multiply(const gen_packed *g, int32_t number, int64_t by, int bits, int k) {
    pk_range a = range_of(g, number, 0);
    LLVMValueRef v = argument(g, number, 0, bits, a.low, k);
    if (by < 0)
        v = LLVMBuildSub(g->e->b, splat(g->e, bits, span_of(a)), v, "");
    return LLVMBuildMul(g->e->b, v, gen_int32(g->e, (int32_t)(by < 0 ? -by : by)), "");
}

static LLVMValueRef shift(const gen_packed *g, int32_t number, int by, int bits, int k) {
    int64_t start = g->p->nodes[number].range.low * ((int64_t)1 << by);
    LLVMValueRef v = argument(g, number, 0, bits, start, k);
    return both(g->e, shift_right(g->e, v, by), splat(g->e, bits, ((int64_t)1 << bits >> by) - 1));
}

/* Divides by a constant. */
static LLVMValueRef divide(const gen_packed *g, int32_t number, int64_t by, int bits, int k) {
    static const int upper[] = {2, 3, 6, 7};
    const gen_expr *e = g->e;
    pk_range a = range_of(g, number, 0);
    pk_division d = pk_divide(a, by);
    LLVMValueRef v = argument(g, number, 0, bits, a.low, k), product[2];
    LLVMValueRef sum = raise(e, v, bits, a.low - by * d.low);
    if (d.mixed) {
        LLVMValueRef positive = at_least(e, v, splat(e, bits, -a.low), bits);
        LLVMValueRef negative = number_of(e, LLVMBuildNot(e->b, positive, ""), bits);
        LLVMValueRef more = LLVMBuildMul(e->b, negative, gen_int32(e, (int32_t)by - 1), "");
        sum = LLVMBuildAdd(e->b, sum, more, "");
    }
    for (int j = 0; j < 2; j++) {
        LLVMValueRef one = j ? shift_right(e, sum, 16) : both(e, sum, gen_int32(e, 65535));
        product[j] = LLVMBuildMul(e->b, one, gen_int32(e, (int32_t)d.factor), "");
    }
    return bytes(e, product[0], product[1], upper);
}

static LLVMValueRef mask_bits(const gen_packed *g, int32_t number, int64_t mask, int bits, int k) {
    pk_range a = range_of(g, number, 0);
    int64_t end = 1;
    while (end <= mask)
        end *= 2;
    LLVMValueRef v = argument(g, number, 0, bits, a.low - (a.low & (end - 1)), k);
    return both(g->e, v, splat(g->e, bits, mask));
}

static LLVMValueRef compare(const gen_packed *g, int32_t number, int bits, int k) {
    pk_range hull = pk_hull(range_of(g, number, 0), range_of(g, number, 1));
    LLVMValueRef a = argument(g, number, 0, bits, hull.low, k);
    LLVMValueRef b = argument(g, number, 1, bits, hull.low, k);
    switch (g->s->nodes[number].predicate) {
    case LLVMIntEQ:
        return LLVMBuildNot(g->e->b, differ(g->e, a, b, bits), "");
    case LLVMIntNE:
        return differ(g->e, a, b, bits);
    case LLVMIntUGE:
    case LLVMIntSGE:
        return at_least(g->e, a, b, bits);
    case LLVMIntULE:
    case LLVMIntSLE:
        return at_least(g->e, b, a, bits);
    case LLVMIntULT:
    case LLVMIntSLT:
        return LLVMBuildNot(g->e->b, at_least(g->e, a, b, bits), "");
    default:
        return LLVMBuildNot(g->e->b, at_least(g->e, b, a, bits), "");
    }
}

static LLVMValueRef extreme(const gen_packed *g, int32_t number, int bits, int k) {
    const st_node *n = &g->s->nodes[number];
    int64_t low = g->p->nodes[number].range.low;
    LLVMValueRef a = argument(g, number, 0, bits, low, k), b = argument(g, number, 1, bits, low, k);
    LLVMValueRef mask = mask_of(g->e, at_least(g->e, a, b, bits), bits);
    bool greatest = n->op == ST_SMAX || n->op == ST_UMAX;
    return gen_blend(g->e, mask, greatest ? a : b, greatest ? b : a);
}

static LLVMValueRef select_word(const gen_packed *g, int32_t number, int bits, int k) {
    const st_node *n = &g->s->nodes[number];
    int64_t low = g->p->nodes[number].range.low;
    LLVMValueRef condition = boolean(g, n->args[0], bits, 0, k);
    if (g->p->nodes[number].boolean)
        return gen_blend(g->e, condition, boolean(g, n->args[1], bits, low, k),
                         boolean(g, n->args[2], bits, low, k));
    return gen_blend(g->e, mask_of(g->e, condition, bits), argument(g, number, 1, bits, low, k),
                     argument(g, number, 2, bits, low, k));
}

static LLVMValueRef logic(const gen_packed *g, int32_t number, int bits, int k) {
    const st_node *n = &g->s->nodes[number];
    bool one_bit = n->type == ST_I1;
    LLVMValueRef v[2];
    for (int i = 0; i < 2; i++)
        v[i] = one_bit ? boolean(g, n->args[i], bits, 0, k) : argument(g, number, i, bits, 0, k);
    return LLVMBuildBinOp(g->e->b, (LLVMOpcode)st_ops[n->op].opcode, v[0], v[1], "");
}

static LLVMValueRef extend(const gen_packed *g, int32_t number, int bits, int k) {
    const st_node *n = &g->s->nodes[number];
    if (!g->p->nodes[number].boolean)
        return argument(g, number, 0, bits, g->p->nodes[number].range.low, k);
    LLVMValueRef v = boolean(g, n->args[0], bits, 0, k);
    return n->op == ST_SEXT ? LLVMBuildNot(g->e->b, v, "") : v; /* -1 or 0 */
}

LLVMValueRef gen_packed_word(const gen_packed *g, int32_t number, int k) {
    const st_node *n = &g->s->nodes[number];
    const pk_node *p = &g->p->nodes[number];
    int bits = p->bits;
    int64_t by = st_ops[n->op].arity > 1 ? range_of(g, number, 1).low : 0;
    if (access_of(g, number).number >= 0 && bits == 32 / g->p->group)
        return access_word(g, number, bits, k);
    if (p->range.low == p->range.high)
        return splat(g->e, bits, 0);
    switch (n->op) {
    case ST_ADD:
        return LLVMBuildAdd(g->e->b, argument(g, number, 0, bits, range_of(g, number, 0).low, k),
                            argument(g, number, 1, bits, by, k), "");
    case ST_SUB:
        return subtract(g, number, bits, k);
    case ST_MUL:
        return multiply(g, number, by, bits, k);
    case ST_SHL:
        return multiply(g, number, (int64_t)1 << by, bits, k);
    case ST_LSHR:
    case ST_ASHR:
        return shift(g, number, (int)by, bits, k);
    case ST_UDIV:
    case ST_SDIV:
        return divide(g, number, by, bits, k);
    case ST_ICMP:
        return compare(g, number, bits, k);
    case ST_SMIN:
    case ST_SMAX:
    case ST_UMIN:
    case ST_UMAX:
        return extreme(g, number, bits, k);
    case ST_SELECT:
        return select_word(g, number, bits, k);
    case ST_AND:
        if (n->type != ST_I1 && g->s->nodes[n->args[1]].op == ST_CONST)
            return mask_bits(g, number, (int64_t)g->s->nodes[n->args[1]].bits, bits, k);
        return logic(g, number, bits, k);
    case ST_OR:
    case ST_XOR:
        return logic(g, number, bits, k);
    default:
        return extend(g, number, bits, k);
    }
}

/* Cells */

/* Which word of its fields has cell k, and where there. */
static int word_of_cell(const gen_packed *g, int bits, int k, int *j) {
    int group = g->p->group, in = k % group;
    bool parted = bits > 32 / group;
    *j = parted ? in / 2 : in;
    return parted ? k / group * 2 + in % 2 : k / group;
}

static LLVMValueRef unpack(const gen_packed *g, int32_t number, int k) {
    const gen_expr *e = g->e;
    const pk_node *p = &g->p->nodes[number];
    st_type type = (st_type)g->s->nodes[number].type;
    int j, word = word_of_cell(g, p->bits, k, &j);
    LLVMValueRef v = g->value(g->context, number, word);
    int at = p->bits * j + (p->boolean ? p->bits - 1 : 0);
    int64_t field = p->boolean ? 1 : ((int64_t)1 << p->bits) - 1;
    v = both(e, shift_right(e, v, at), gen_int32(e, (int32_t)field));
    LLVMTypeRef own = gen_type(e, type);
    LLVMValueRef low = LLVMConstInt(own, (unsigned long long)p->range.low, true);
    return LLVMBuildAdd(e->b, LLVMBuildIntCast2(e->b, v, own, false, ""), low, "");
}

/* A cast is a cast of the unpacked cell. */
LLVMValueRef gen_packed_cell(const gen_packed *g, int32_t number, int k) {
    const st_node *n = &g->s->nodes[number];
    const st_access *a = moving_access(g, number);
    int group = g->p->group;
    if (g->p->nodes[number].bits == PK_CELL)
        return g->value(g->context, number, k);
    if (a) {
        int cell = k + a->offset[0], word = floor_divide(cell, group);
        LLVMValueRef w = g->row(g->context, number, word);
        return gen_cell_of_word(g->e, w, 32 / group, cell - word * group);
    }
    bool casts = n->op == ST_ZEXT || n->op == ST_SEXT || n->op == ST_TRUNC;
    if (casts && is_computed(g, number)) {
        LLVMValueRef v = gen_packed_cell(g, n->args[0], k);
        return gen_operation(g->e, n, &v);
    }
    return unpack(g, number, k);
}

LLVMValueRef gen_packed_stored(const gen_packed *g, int k) {
    static const int even[] = {0, 4, 2, 6};
    int bits = g->p->nodes[g->s->root].bits, cell = 32 / g->p->group;
    if (bits == PK_CELL || bits == cell)
        return operand(g, g->s->root, PK_UNSIGNED, cell, 0, k);
    return bytes(g->e, operand(g, g->s->root, PK_UNSIGNED, bits, 0, 2 * k),
                 operand(g, g->s->root, PK_UNSIGNED, bits, 0, 2 * k + 1), even);
}
