/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How many registers the steps of a tile keep at a time: from where a value is loaded or computed
 * to its last use.
 */
#include "plan/cell/order.h"

#include "model/number.h"

#include <stdlib.h>

typedef struct lives {
    const tile_order *t;
    size_t *value; /* per cell and node: the step that uses it last */
    size_t **cell; /* per row and cell of it, likewise */
    int *change;   /* words, per step */
} lives;

static int words_of(st_type type) {
    return (int)st_max(1, (int64_t)st_type_size(type) / 4);
}

static size_t *last_use(const lives *l, int cell, int32_t node) {
    const st_stencil *s = l->t->s;
    const st_node *n = &s->nodes[node];
    size_t place = (size_t)cell * s->naccesses + (size_t)n->index;
    if (n->op == ST_ACCESS)
        return &l->cell[l->t->row[place]][l->t->x[place]];
    return &l->value[l->t->same[(size_t)cell * s->nnodes + (size_t)node]];
}

static void find_last_uses(const lives *l, int ncells) {
    const st_stencil *s = l->t->s;
    for (size_t i = 0; i < l->t->nsteps; i++) {
        const tile_step *step = &l->t->steps[i];
        const st_node *n = &s->nodes[step->node];
        for (int k = 0; step->row < 0 && k < st_ops[n->op].arity; k++)
            *last_use(l, step->cell, n->args[k]) = i;
    }
    for (int c = 0; c < ncells; c++) {
        if (!s->stores_nothing)
            *last_use(l, c, s->root) = l->t->nsteps;
        for (size_t i = 0; i < s->nalso; i++)
            *last_use(l, c, s->also[i].root) = l->t->nsteps;
    }
}

static void add_life(const lives *l, size_t from, size_t to, int words) {
    l->change[from] += words;
    l->change[to > from ? to : from] -= words;
}

static st_type type_of_row(const tile_order *t, const tile_row *row) {
    return (st_type)t->s->grids[t->ports[row->port].grid].type;
}

int tile_row_words(const tile_order *t, const tile_row *row) {
    int words = 0;
    for (int x = 0; x < row->count; x++)
        words += row->needed[x] ? words_of(type_of_row(t, row)) : 0;
    return words;
}

static void add_lives(const lives *l, size_t i) {
    const tile_order *t = l->t;
    const tile_step *step = &t->steps[i];
    const tile_row *row = step->row < 0 ? NULL : &t->rows[step->row];
    for (int x = 0; row && x < row->count; x++)
        if (row->needed[x])
            add_life(l, i, l->cell[step->row][x], words_of(type_of_row(t, row)));
    if (!row)
        add_life(l, i, *last_use(l, step->cell, step->node),
                 words_of((st_type)t->s->nodes[step->node].type));
}

static int count_live(const lives *l) {
    int now = 0, most = 0;
    for (size_t i = 0; i < l->t->nsteps; i++)
        add_lives(l, i);
    for (size_t i = 0; i <= l->t->nsteps; i++) {
        now += l->change[i];
        most = (int)st_max(most, now);
    }
    return most;
}

int tile_live(const tile_order *t) {
    int ncells = t->cells[0] * t->cells[1] * t->cells[2];
    lives l = {t, calloc((size_t)ncells * t->s->nnodes + 1, sizeof *l.value),
               calloc(t->nrows + 1, sizeof *l.cell), calloc(t->nsteps + 2, sizeof *l.change)};
    for (size_t i = 0; i < t->nrows; i++)
        l.cell[i] = calloc((size_t)t->rows[i].count, sizeof *l.cell[i]);
    find_last_uses(&l, ncells);
    int most = count_live(&l);
    for (size_t i = 0; i < t->nrows; i++)
        free(l.cell[i]);
    free(l.value);
    free(l.cell);
    free(l.change);
    return most;
}
