/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In which order a tile loads and computes. A node may have two operands that depend on loaded
 * values: it joins them. It is computed as soon as it can be, because it leaves one value in place
 * of two. A node with a single such operand, such as a product with a constant, is computed where
 * it is used: computed earlier, it would be one value more. What is the same value for several
 * cells is computed once.
 *
 * Rows are loaded in one of four orders. The one that keeps fewest values is taken.
 * - By their place: good for sums in the order of rows.
 * - As the program's operations use them.
 * - The rows that the cheapest join waits for come next, of all cells or of one cell after the
 *   other: good for sums along one dimension after the other, and for several outputs.
 * Bricks group such sums into stages (brick-vector-codegen, section 3.2). Here a stage is the joins
 * that use the same rows.
 */
#include "plan/cell/order.h"

#include "model/number.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Follows operands from a node as long as only one of them depends on loads. Returns the last node:
 * a join, an access, or a node that depends on no load. */
static int32_t end_of_chain(const tile_scheduler *w, int32_t node) {
    while (w->depends[node] && !w->joins[node] && w->s->nodes[node].op != ST_ACCESS) {
        int k = 0;
        while (!w->depends[w->s->nodes[node].args[k]])
            k++;
        node = w->s->nodes[node].args[k];
    }
    return node;
}

/* Does the program take a cell's neighbours along d in falling order? */
static bool falls(const tile_scheduler *w, int d) {
    int sum = 0;
    const st_access *last = NULL;
    for (size_t i = 0; i < w->s->nnodes; i++)
        for (int k = 0; w->joins[i] && k < st_ops[w->s->nodes[i].op].arity; k++) {
            const st_node *n = &w->s->nodes[end_of_chain(w, w->s->nodes[i].args[k])];
            if (n->op != ST_ACCESS)
                continue;
            const st_access *a = &w->s->accesses[n->index];
            if (last && last->grid == a->grid)
                sum += (a->offset[d] > last->offset[d]) - (a->offset[d] < last->offset[d]);
            last = a;
        }
    return sum < 0;
}

void tile_find_joins(tile_scheduler *w) {
    w->depends = calloc(w->s->nnodes, sizeof *w->depends);
    w->joins = calloc(w->s->nnodes, sizeof *w->joins);
    for (size_t i = 0; i < w->s->nnodes; i++) {
        const st_node *n = &w->s->nodes[i];
        int32_t first = -1;
        w->depends[i] = n->op == ST_ACCESS;
        for (int k = 0; k < st_ops[n->op].arity; k++) {
            int32_t arg = n->args[k];
            if (!w->depends[arg])
                continue;
            w->depends[i] = true;
            w->joins[i] = w->joins[i] || (first >= 0 && first != arg);
            first = arg;
        }
    }
    for (int d = 1; d < w->s->rank; d++)
        w->falls[d] = falls(w, d);
}

/* Values that several cells have */

/* What a value is: its operation, and which values or cells it is made of. */
typedef struct value_key {
    st_node node;
    int32_t args[4]; /* the last one is 0 */
} value_key;
_Static_assert(sizeof(value_key) == sizeof(st_node) + 4 * sizeof(int32_t),
               "keys are compared and hashed as bytes: no padding");

static value_key key_of(const tile_scheduler *w, int cell, size_t node) {
    const tile_order *t = w->t;
    const st_node *n = &w->s->nodes[node];
    const int *cells = t->cells;
    const int in[3] = {cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]};
    value_key k = {.node = *n};
    if (n->op == ST_COORD)
        k.args[0] = in[n->index];
    if (n->op == ST_ACCESS) {
        size_t place = (size_t)cell * w->s->naccesses + (size_t)n->index;
        k.node.index = 0;
        k.args[0] = t->row[place];
        k.args[1] = t->x[place];
    }
    for (int a = 0; a < st_ops[n->op].arity; a++) {
        k.node.args[a] = 0;
        k.args[a] = t->same[(size_t)cell * w->s->nnodes + (size_t)n->args[a]];
    }
    return k;
}

static size_t hash_of(const value_key *k) {
    const unsigned char *bytes = (const unsigned char *)k;
    uint64_t h = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
    for (size_t i = 0; i < sizeof *k; i++)
        h = (h ^ bytes[i]) * UINT64_C(0x100000001B3);
    return (size_t)(h ^ h >> 32);
}

static void find_same(tile_scheduler *w) {
    size_t nnodes = w->s->nnodes, count = (size_t)w->ncells * nnodes, size = 16;
    while (size < 2 * count)
        size *= 2;
    int *table = malloc(size * sizeof *table);
    value_key *keys = malloc((count + 1) * sizeof *keys);
    memset(table, -1, size * sizeof *table);
    w->t->same = malloc((count + 1) * sizeof *w->t->same);
    for (size_t i = 0; i < count; i++) {
        keys[i] = key_of(w, (int)(i / nnodes), i % nnodes);
        size_t at = hash_of(&keys[i]) & (size - 1);
        while (table[at] >= 0 && memcmp(&keys[table[at]], &keys[i], sizeof *keys) != 0)
            at = (at + 1) & (size - 1);
        if (table[at] < 0)
            table[at] = (int)i;
        w->t->same[i] = table[at];
    }
    free(table);
    free(keys);
}

/* Steps */

static bool *done(const tile_scheduler *w, int cell, int32_t node) {
    return &w->done[w->t->same[(size_t)cell * w->s->nnodes + (size_t)node]];
}

static bool can_be_computed(const tile_scheduler *w, int cell, int32_t node) {
    int32_t end = end_of_chain(w, node);
    const st_node *n = &w->s->nodes[end];
    if (n->op == ST_ACCESS)
        return w->loaded[w->t->row[(size_t)cell * w->s->naccesses + (size_t)n->index]];
    return !w->joins[end] || *done(w, cell, end);
}

static bool operands_can(const tile_scheduler *w, int cell, const st_node *n) {
    bool can = true;
    for (int k = 0; k < st_ops[n->op].arity; k++)
        can = can && can_be_computed(w, cell, n->args[k]);
    return can;
}

static void compute(tile_scheduler *w, int cell, int32_t node) {
    const st_node *n = &w->s->nodes[node];
    if (st_ops[n->op].cls == ST_LEAF || *done(w, cell, node))
        return;
    for (int k = 0; k < st_ops[n->op].arity; k++)
        compute(w, cell, n->args[k]);
    *done(w, cell, node) = true;
    w->t->steps[w->t->nsteps++] = (tile_step){-1, cell, node};
}

static void compute_joins(tile_scheduler *w) {
    for (int c = 0; c < w->ncells; c++)
        for (size_t i = 0; i < w->s->nnodes; i++)
            if (w->joins[i] && !*done(w, c, (int32_t)i) && operands_can(w, c, &w->s->nodes[i]))
                compute(w, c, (int32_t)i);
}

static bool is_last_of_place(const tile_order *t, size_t row) {
    return row + 1 == t->nrows ||
           t->rows[row].key / ST_MAX_PORTS != t->rows[row + 1].key / ST_MAX_PORTS;
}

static void load(tile_scheduler *w, size_t row) {
    w->t->steps[w->t->nsteps++] = (tile_step){(int)row, 0, 0};
    w->loaded[row] = true;
}

static void by_place(tile_scheduler *w) {
    for (size_t r = 0; r < w->t->nrows; r++) {
        load(w, r);
        if (is_last_of_place(w->t, r))
            compute_joins(w);
    }
}

/* Finds the rows that a join waits for. Returns their words. INT_MAX: it waits for another join as
 * well, or for no row. */
static int waits_for(const tile_scheduler *w, int cell, int32_t join, int rows[3]) {
    const st_node *n = &w->s->nodes[join];
    int words = 0;
    for (int k = 0; k < 3; k++)
        rows[k] = -1;
    for (int k = 0; k < st_ops[n->op].arity; k++) {
        int32_t end = end_of_chain(w, n->args[k]);
        const st_node *leaf = &w->s->nodes[end];
        if (w->joins[end] && !*done(w, cell, end))
            return INT_MAX;
        if (leaf->op != ST_ACCESS)
            continue;
        int row = w->t->row[(size_t)cell * w->s->naccesses + (size_t)leaf->index];
        if (w->loaded[row] || row == rows[0] || row == rows[1])
            continue;
        rows[k] = row;
        words += tile_row_words(w->t, &w->t->rows[row]);
    }
    return words ? words : INT_MAX;
}

/* Which join is next. FIRST_NODE: the first in the order of the program's operations. FEWEST_WORDS:
 * the one that waits for fewest words; among equals, that of the first node. FEWEST_OF_CELL: the
 * same; among equals, that of the first cell. */
typedef enum preference { FIRST_NODE, FEWEST_WORDS, FEWEST_OF_CELL } preference;

typedef struct next_join {
    preference by;
    int words, cell, rows[3];
    int32_t node;
} next_join;

static bool is_better(const next_join *n, int words, int cell, int32_t node) {
    if (n->words == INT_MAX)
        return true;
    if (n->by != FIRST_NODE && words != n->words)
        return words < n->words;
    if (n->by == FEWEST_OF_CELL)
        return cell < n->cell || (cell == n->cell && node < n->node);
    return node < n->node || (node == n->node && cell < n->cell);
}

static bool load_for_next_join(tile_scheduler *w, preference by) {
    next_join next = {.by = by, .words = INT_MAX};
    int rows[3];
    for (int32_t i = 0; i < (int32_t)w->s->nnodes; i++)
        for (int c = 0; c < w->ncells && w->joins[i]; c++) {
            int words = *done(w, c, i) ? INT_MAX : waits_for(w, c, i, rows);
            if (words == INT_MAX || !is_better(&next, words, c, i))
                continue;
            next = (next_join){by, words, c, {rows[0], rows[1], rows[2]}, i};
        }
    for (int k = 0; k < 3 && next.words < INT_MAX; k++)
        if (next.rows[k] >= 0)
            load(w, (size_t)next.rows[k]);
    return next.words < INT_MAX;
}

static void by_join(tile_scheduler *w, preference by) {
    while (load_for_next_join(w, by))
        compute_joins(w);
    for (size_t r = 0; r < w->t->nrows; r++)
        if (!w->loaded[r])
            load(w, r);
}

/* Order 0: by place; others: by preference. */
static void order_by(tile_scheduler *w, int order) {
    const st_stencil *s = w->s;
    w->t->nsteps = 0;
    w->loaded = calloc(w->t->nrows + 1, sizeof *w->loaded);
    w->done = calloc((size_t)w->ncells * s->nnodes + 1, sizeof *w->done);
    if (order == 0)
        by_place(w);
    else
        by_join(w, (preference)(order - 1));
    for (int c = 0; c < w->ncells; c++) {
        if (!s->stores_nothing)
            compute(w, c, s->root);
        for (size_t i = 0; i < s->nalso; i++)
            compute(w, c, s->also[i].root);
    }
    w->t->live = tile_live(w->t);
    free(w->loaded);
    free(w->done);
}

void tile_order_steps(tile_scheduler *w) {
    enum {
        FEW = 24, /* words: no other order can be worth looking for */
        ORDERS = FEWEST_OF_CELL + 2
    };
    tile_order *t = w->t;
    int best = 0, least = INT_MAX;
    t->steps = calloc(t->nrows + (size_t)w->ncells * w->s->nnodes + 1, sizeof *t->steps);
    find_same(w);
    for (int i = 0; i < ORDERS && least > FEW; i++) {
        order_by(w, i);
        best = t->live < least ? i : best;
        least = (int)st_min(least, t->live);
    }
    if (t->live > least)
        order_by(w, best);
}
