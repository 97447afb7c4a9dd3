/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/stencil.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

const st_op_info st_ops[ST_OP_COUNT] = {
    [ST_CONST] = {"const", ST_LEAF, 0, 0, NULL, ""},
    [ST_ACCESS] = {"access", ST_LEAF, 0, 0, NULL, ""},
    [ST_COORD] = {"coord", ST_LEAF, 0, 0, NULL, ""},
    [ST_SCALAR] = {"scalar", ST_LEAF, 0, 0, NULL, ""},
#define ST_INSTRUCTION(id, text, opcode, arity, cls)                                               \
    [ST_##id] = {text, ST_##cls, arity, opcode, NULL, ""},
#define ST_INTRINSIC(id, text, name, arity, cls, libdevice)                                        \
    [ST_##id] = {text, ST_##cls, arity, 0, name, libdevice},
#include "model/ops.def"
};

static const struct {
    const char *name;
    size_t size;
} types[] = {[ST_I1] = {"i1", 1},   [ST_I8] = {"i8", 1},   [ST_I16] = {"i16", 2},
             [ST_I32] = {"i32", 4}, [ST_I64] = {"i64", 8}, [ST_F32] = {"f32", 4},
             [ST_F64] = {"f64", 8}};

size_t st_type_size(st_type t) {
    return types[t].size;
}
bool st_type_is_float(st_type t) {
    return t >= ST_F32;
}
const char *st_type_name(st_type t) {
    return types[t].name;
}

const char *st_rule_name(st_rule r) {
    static const char *const names[] = {"none", "clamp", "mirror", "symmetric", "wrap", "turn"};
    return names[r];
}

/* The public struct, and behind it what only this file needs. */
typedef struct st_owner {
    st_stencil s; /* first: the two share an address */
    int32_t *buckets;
    size_t nbuckets;
} st_owner;

st_stencil *st_create(void) {
    st_owner *o = calloc(1, sizeof *o);
    o->s.root = -1;
    return &o->s;
}

void st_destroy(st_stencil *s) {
    if (!s)
        return;
    free(s->grids);
    free(s->accesses);
    free(s->scalars);
    free(s->calls);
    free(s->nodes);
    free(s->also);
    free(s->reductions);
    free(((st_owner *)s)->buckets);
    free(s);
}

/* Makes room for one more element. Capacities are powers of two, so the count tells when the array
 * is full. */
static void *grow(void *array, size_t count, size_t size) {
    if (count & (count - 1))
        return array;
    return realloc(array, (count ? 2 * count : 1) * size);
}

static size_t hash_node(const st_node *n) {
    const unsigned char *p = (const unsigned char *)n;
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < sizeof *n; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 29);
}

static int32_t *find_bucket(st_owner *o, const st_node *n) {
    size_t i = hash_node(n) & (o->nbuckets - 1);
    while (o->buckets[i] >= 0 && memcmp(&o->s.nodes[o->buckets[i]], n, sizeof *n))
        i = (i + 1) & (o->nbuckets - 1);
    return &o->buckets[i];
}

static void rehash(st_owner *o) {
    o->nbuckets = o->nbuckets ? 2 * o->nbuckets : 64;
    free(o->buckets);
    o->buckets = malloc(o->nbuckets * sizeof *o->buckets);
    for (size_t i = 0; i < o->nbuckets; i++)
        o->buckets[i] = -1;
    for (size_t i = 0; i < o->s.nnodes; i++)
        *find_bucket(o, &o->s.nodes[i]) = (int32_t)i;
}

int32_t st_add_node(st_stencil *s, st_node n) {
    st_owner *o = (st_owner *)s;
    if (2 * s->nnodes >= o->nbuckets)
        rehash(o);
    int32_t *bucket = find_bucket(o, &n);
    if (*bucket < 0) {
        s->nodes = grow(s->nodes, s->nnodes, sizeof n);
        s->nodes[s->nnodes] = n;
        *bucket = (int32_t)s->nnodes++;
    }
    return *bucket;
}

int32_t st_add_access(st_stencil *s, st_access a) {
    for (size_t i = 0; i < s->naccesses; i++) {
        st_access *b = &s->accesses[i];
        if (b->grid == a.grid && b->level == a.level && b->faces == a.faces &&
            !memcmp(b->offset, a.offset, sizeof a.offset)) {
            b->conditional &= a.conditional;
            return (int32_t)i;
        }
    }
    return st_append_access(s, a);
}

int32_t st_append_access(st_stencil *s, st_access a) {
    s->accesses = grow(s->accesses, s->naccesses, sizeof a);
    s->accesses[s->naccesses] = a;
    return (int32_t)s->naccesses++;
}

int32_t st_add_grid(st_stencil *s, st_grid g) {
    s->grids = grow(s->grids, s->ngrids, sizeof g);
    s->grids[s->ngrids] = g;
    return (int32_t)s->ngrids++;
}

int32_t st_add_scalar(st_stencil *s, st_scalar c) {
    s->scalars = grow(s->scalars, s->nscalars, sizeof c);
    s->scalars[s->nscalars] = c;
    return (int32_t)s->nscalars++;
}

int32_t st_add_call(st_stencil *s, const char *name) {
    s->calls = grow(s->calls, s->ncalls, sizeof *s->calls);
    snprintf(s->calls[s->ncalls].name, sizeof s->calls->name, "%s", name);
    return (int32_t)s->ncalls++;
}

void st_add_store(st_stencil *s, st_store also) {
    s->also = grow(s->also, s->nalso, sizeof also);
    s->also[s->nalso++] = also;
}

void st_add_reduction(st_stencil *s, st_reduction reduction) {
    s->reductions = grow(s->reductions, s->nreductions, sizeof reduction);
    s->reductions[s->nreductions++] = reduction;
}

/* A copy of `count` elements, with room as `grow` expects it. */
static void *copy_array(const void *from, size_t count, size_t size) {
    size_t room = 1;
    while (room < count)
        room *= 2;
    return count ? memcpy(malloc(room * size), from, count * size) : NULL;
}

st_stencil *st_copy(const st_stencil *s) {
    st_owner *o = (st_owner *)st_create();
    o->s = *s;
    o->s.grids = copy_array(s->grids, s->ngrids, sizeof *s->grids);
    o->s.accesses = copy_array(s->accesses, s->naccesses, sizeof *s->accesses);
    o->s.scalars = copy_array(s->scalars, s->nscalars, sizeof *s->scalars);
    o->s.calls = copy_array(s->calls, s->ncalls, sizeof *s->calls);
    o->s.also = copy_array(s->also, s->nalso, sizeof *s->also);
    o->s.reductions = copy_array(s->reductions, s->nreductions, sizeof *s->reductions);
    o->s.nodes = NULL;
    o->s.nnodes = 0;
    for (size_t i = 0; i < s->nnodes; i++)
        st_add_node(&o->s, s->nodes[i]);
    return &o->s;
}

void st_exchange(st_stencil *a, st_stencil *b) {
    st_owner was = *(st_owner *)a;
    *(st_owner *)a = *(st_owner *)b;
    *(st_owner *)b = was;
}

const char *st_reduce_name(st_reduce_op op) {
    static const char *const names[] = {"max", "min", "sum", "ordered sum"};
    return names[op];
}

bool st_has_records(const st_stencil *s) {
    bool any = false;
    for (size_t i = 0; i < s->ngrids; i++)
        any |= s->grids[i].apart > 0;
    return any;
}

bool st_writes(const st_stencil *s, int32_t grid, int32_t level) {
    bool writes = !s->stores_nothing && s->store_grid == grid && s->store_level == level;
    for (size_t i = 0; i < s->nalso; i++)
        writes |= s->also[i].grid == grid && s->also[i].level == level;
    return writes;
}

bool st_moves_along(const st_stencil *s) {
    bool any = false;
    for (size_t g = 0; g < s->ngrids; g++)
        any |= s->grids[g].along != 0;
    return any;
}

bool st_reads_before(const st_stencil *s) {
    bool any = false;
    for (size_t g = 0; g < s->ngrids; g++)
        any |= s->grids[g].before;
    return any;
}

bool st_reads_overwritten(const st_stencil *s) {
    bool any = false;
    for (size_t g = 0; g < s->ngrids; g++)
        any |= s->grids[g].before && !s->grids[g].unwritten;
    return any;
}

st_node st_blank_node(st_op op, st_type t) {
    return (st_node){.op = (uint8_t)op, .type = (uint8_t)t, .index = -1, .args = {-1, -1, -1}};
}

int32_t st_constant(st_stencil *s, st_type t, uint64_t bits) {
    st_node n = st_blank_node(ST_CONST, t);
    size_t width = t == ST_I1 ? 1 : 8 * st_type_size(t);
    n.bits = width == 64 ? bits : bits & ((1ull << width) - 1);
    return st_add_node(s, n);
}

int32_t st_leaf(st_stencil *s, st_op op, st_type t, int32_t index) {
    st_node n = st_blank_node(op, t);
    n.index = index;
    return st_add_node(s, n);
}

int32_t st_operation(st_stencil *s, st_op op, st_type t, int32_t a, int32_t b, int32_t c) {
    st_node n = st_blank_node(op, t);
    n.args[0] = a;
    n.args[1] = b;
    n.args[2] = c;
    return st_add_node(s, n);
}

bool st_is_own(const st_access *a) {
    bool own = true;
    for (int d = 0; d < ST_MAX_RANK; d++)
        own &= a->offset[d] == 0;
    return own;
}

bool st_reads_grid(const st_stencil *s, int32_t grid) {
    bool reads = false;
    for (size_t i = 0; i < s->naccesses; i++)
        reads |= s->accesses[i].grid == grid;
    return reads;
}

bool st_reads(const st_stencil *s, int32_t grid, const int32_t offset[ST_MAX_RANK]) {
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].grid == grid &&
            !memcmp(s->accesses[i].offset, offset, sizeof s->accesses[i].offset))
            return true;
    return false;
}

bool st_reads_neighbours(const st_stencil *s) {
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i], *first = a;
        if (s->grids[a->grid].buffers > 1 || a->faces)
            return true;
        for (size_t j = 0; j < i && first == a; j++)
            if (s->accesses[j].grid == a->grid && s->accesses[j].level == a->level)
                first = &s->accesses[j];
        bool whole = s->grids[a->grid].broadcast != (1u << s->rank) - 1;
        if (first != a && whole && memcmp(first->offset, a->offset, sizeof a->offset))
            return true;
    }
    return false;
}

static int32_t find_math(const st_stencil *s, uint8_t unless) {
    for (size_t i = 0; i < s->nnodes; i++)
        if (st_ops[s->nodes[i].op].cls == ST_MATH && !(s->nodes[i].flags & unless))
            return (int32_t)i;
    return -1;
}

int32_t st_inexact_node(const st_stencil *s) {
    return find_math(s, ST_AFN);
}
bool st_is_call(const st_node *n) {
    return n->op == ST_CALL1 || n->op == ST_CALL2 || n->op == ST_CALL3;
}
bool st_is_paired(const st_node *n) {
    bool simple = n->op == ST_FADD || n->op == ST_FSUB || n->op == ST_FMUL || n->op == ST_FNEG ||
                  n->op == ST_FMA;
    return simple && n->type == ST_F32;
}

int32_t st_math_node(const st_stencil *s) {
    return find_math(s, 0);
}

uint32_t st_operation_count(const st_stencil *s) {
    static const uint32_t cost[] = {
        [ST_LEAF] = 0, [ST_FREE] = 0, [ST_ALU] = 1, [ST_SLOW] = 8, [ST_MATH] = 20};
    uint32_t sum = 0;
    for (size_t i = 0; i < s->nnodes; i++)
        sum += cost[st_ops[s->nodes[i].op].cls];
    return sum ? sum : 1;
}

void st_halo(const st_stencil *s, int32_t grid, int32_t low[ST_MAX_RANK],
             int32_t high[ST_MAX_RANK]) {
    for (int d = 0; d < ST_MAX_RANK; d++)
        low[d] = high[d] = 0;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        for (int d = 0; a->grid == grid && d < ST_MAX_RANK; d++) {
            low[d] = a->offset[d] < low[d] ? a->offset[d] : low[d];
            high[d] = a->offset[d] > high[d] ? a->offset[d] : high[d];
        }
    }
}

size_t st_ports(const st_stencil *s, st_port out[ST_MAX_PORTS]) {
    size_t count = 1;
    out[0] = (st_port){s->store_grid, s->store_level, false, !s->stores_nothing, s->masked & 1};
    for (size_t i = 0; i < s->nalso; i++, count++)
        if (count < ST_MAX_PORTS)
            out[count] =
                (st_port){s->also[i].grid, s->also[i].level, false, true, s->masked >> (i + 1) & 1};
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        size_t p = 0, known = count < ST_MAX_PORTS ? count : ST_MAX_PORTS;
        while (p < known && (out[p].grid != a->grid || out[p].level != a->level))
            p++;
        if (p < known) {
            out[p].reads = true;
            continue;
        }
        if (count < ST_MAX_PORTS)
            out[count] = (st_port){a->grid, a->level, true, false, false};
        count++;
    }
    return count;
}

/* Compares field by field: there are bytes between fields, which a copy need not keep. */
static bool equal_access(const st_access *a, const st_access *b) {
    return a->grid == b->grid && a->level == b->level && a->conditional == b->conditional &&
           a->faces == b->faces && !memcmp(a->offset, b->offset, sizeof a->offset);
}

static bool equal_node(const st_node *a, const st_node *b) {
    return a->op == b->op && a->type == b->type && a->predicate == b->predicate &&
           a->flags == b->flags && a->index == b->index && a->bits == b->bits &&
           !memcmp(a->args, b->args, sizeof a->args);
}

bool st_equal(const st_stencil *a, const st_stencil *b) {
    bool same = a->rank == b->rank && a->timed == b->timed && a->ngrids == b->ngrids &&
                a->naccesses == b->naccesses && a->nscalars == b->nscalars &&
                a->nnodes == b->nnodes && a->root == b->root && a->store_grid == b->store_grid &&
                a->store_level == b->store_level && a->flat == b->flat && a->nalso == 0 &&
                b->nalso == 0 && a->nreductions + b->nreductions == 0 &&
                !memcmp(a->boundary, b->boundary, sizeof a->boundary) &&
                !memcmp(a->grids, b->grids, a->ngrids * sizeof *a->grids);
    for (size_t i = 0; same && i < a->naccesses; i++)
        same = equal_access(&a->accesses[i], &b->accesses[i]);
    for (size_t i = 0; same && i < a->nscalars; i++)
        same = a->scalars[i].type == b->scalars[i].type &&
               a->scalars[i].stepped == b->scalars[i].stepped &&
               a->scalars[i].followed == b->scalars[i].followed;
    for (size_t i = 0; same && i < a->nnodes; i++)
        same = equal_node(&a->nodes[i], &b->nodes[i]);
    return same;
}

/* Reasons */

static const struct {
    const char *name, *sentence;
} reasons[] = {
    {"Ok", ""},
#define ST_REASON(id, name, sentence) {name, sentence},
#include "model/reasons.def"
};

const char *st_reason_name(st_reason r) {
    return reasons[r].name;
}

const char *st_reason_sentence(st_reason r) {
    return reasons[r].sentence;
}

void st_reason_text(st_reason r, const char *detail, char *out, size_t size) {
    const char *sentence = reasons[r].sentence, *gap = strstr(sentence, "%s");
    if (!gap)
        snprintf(out, size, "%s", sentence);
    else
        snprintf(out, size, "%.*s%s%s", (int)(gap - sentence), sentence, detail ? detail : "?",
                 gap + 2);
}

int st_steps_back(const st_stencil *s, const st_access *a) {
    int buffers = (int)s->grids[a->grid].buffers, back = (s->store_level - a->level) % buffers;
    return back > 0 ? back : back + buffers;
}

bool st_needs_whole_steps(const st_stencil *s) {
    bool any = false;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        any |= a->faces != 0;
        any |= s->rank == 1 && a->grid == s->store_grid && st_steps_back(s, a) > 1;
    }
    return any;
}

const char *st_math_function(const st_stencil *s) {
    int32_t math = st_math_node(s);
    return math >= 0 ? st_ops[s->nodes[math].op].text : NULL;
}
