/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a tile loads, and in which order it computes. A node may have two operands that depend on
 * loaded values. It is computed as soon as it can be, because it leaves one value in place of two.
 * A node with a single such operand, such as a product with a constant, is computed where it is
 * used: computed earlier, it would be one value more.
 */
#include "plan/cell/tile.h"

#include "model/number.h"

#include <stdlib.h>

typedef struct scheduler {
    tile_order *t;
    const st_stencil *s;
    int ncells;
    bool *depends; /* per node: on what is loaded */
    bool *joins;   /* per node: it has two different operands that do */
    bool *loaded;  /* per row */
    bool *done;    /* per cell and node */
    bool falls[3]; /* along each dimension: are neighbours taken backwards? */
} scheduler;

/* What depends on what is loaded, and joins */

static void find_joins(scheduler *w) {
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
}

/* The node with two operands, the access or what needs no load that a chain of single operands ends
 * at. */
static int32_t end_of_chain(const scheduler *w, int32_t node) {
    while (w->depends[node] && !w->joins[node] && w->s->nodes[node].op != ST_ACCESS) {
        int k = 0;
        while (!w->depends[w->s->nodes[node].args[k]])
            k++;
        node = w->s->nodes[node].args[k];
    }
    return node;
}

/* Does the program take a cell's neighbours along d in falling order? */
static bool falls(const scheduler *w, int d) {
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

/* Rows */

static int port_of(const tile_order *t, const st_access *a) {
    int port = 0;
    while (t->ports[port].grid != a->grid || t->ports[port].level != a->level)
        port++;
    return port;
}

/* Planes and rows in the order in which the program's cells take them; first those of grids that do
 * not extend along y or z, for all cells want these. */
static int64_t key_of(const scheduler *w, const tile_row *row) {
    enum { UNIT = 1 << 12, HALF = UNIT / 2 };
    uint32_t broadcast = w->s->grids[w->t->ports[row->port].grid].broadcast;
    int64_t z = w->falls[2] ? -row->z : row->z, y = w->falls[1] ? -row->y : row->y;
    z = broadcast & 4 ? 0 : z + HALF;
    y = broadcast & 2 ? 0 : y + HALF;
    return (z * UNIT + y) * ST_MAX_PORTS + row->port;
}

static size_t find_row(const tile_order *t, const tile_row *row) {
    size_t i = 0;
    while (i < t->nrows &&
           (t->rows[i].port != row->port || t->rows[i].y != row->y || t->rows[i].z != row->z))
        i++;
    return i;
}

static void add_row(scheduler *w, const st_access *a, int cell, size_t *room) {
    tile_order *t = w->t;
    uint32_t broadcast = w->s->grids[a->grid].broadcast;
    const int *n = t->cells, in[3] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
    int at[3];
    for (int d = 0; d < 3; d++)
        at[d] = (broadcast >> d & 1 ? 0 : in[d]) + a->offset[d];
    tile_row row = {.port = port_of(t, a), .y = at[1], .z = at[2], .wide = !(broadcast & 1)};
    size_t i = find_row(t, &row), place = (size_t)cell * w->s->naccesses;
    if (i == *room) {
        *room = 2 * *room + 16;
        t->rows = realloc(t->rows, *room * sizeof *t->rows);
    }
    if (i == t->nrows) {
        row.key = key_of(w, &row);
        row.low = at[0];
        row.count = 1;
        t->rows[t->nrows++] = row;
    }
    int high = (int)st_max(t->rows[i].low + t->rows[i].count, at[0] + 1);
    t->rows[i].low = (int)st_min(t->rows[i].low, at[0]);
    t->rows[i].count = high - t->rows[i].low;
    t->row[place + (size_t)(a - w->s->accesses)] = (int)i;
    t->x[place + (size_t)(a - w->s->accesses)] = at[0];
}

static int compare_rows(const void *x, const void *y) {
    int64_t a = ((const tile_row *)x)->key, b = ((const tile_row *)y)->key;
    return (a > b) - (a < b);
}

/* Replaces row numbers in the order in which rows were found by numbers in the order of keys. */
static void sort_rows(tile_order *t, size_t count) {
    int *number = calloc(t->nrows + 1, sizeof *number);
    for (size_t i = 0; i < t->nrows; i++)
        for (size_t j = 0; j < t->nrows; j++)
            number[i] += t->rows[j].key < t->rows[i].key;
    if (t->nrows) // a stencil that loads nothing has no rows, and qsort takes no null pointer
        qsort(t->rows, t->nrows, sizeof *t->rows, compare_rows);
    for (size_t i = 0; i < count; i++)
        t->row[i] = number[t->row[i]];
    free(number);
}

static void list_rows(scheduler *w) {
    tile_order *t = w->t;
    size_t room = 0, count = (size_t)w->ncells * w->s->naccesses;
    t->row = calloc(count + 1, sizeof *t->row);
    t->x = calloc(count + 1, sizeof *t->x);
    for (int c = 0; c < w->ncells; c++)
        for (size_t a = 0; a < w->s->naccesses; a++)
            add_row(w, &w->s->accesses[a], c, &room);
    sort_rows(t, count);
    for (size_t i = 0; i < t->nrows; i++)
        t->rows[i].needed = calloc((size_t)t->rows[i].count, sizeof(bool));
    for (size_t i = 0; i < count; i++) {
        tile_row *row = &t->rows[t->row[i]];
        t->x[i] -= row->low;
        row->needed[t->x[i]] = true;
    }
}

static bool is_needed(const tile_row *row, int x, int width) {
    for (int i = x; i < x + width; i++)
        if (i >= row->count || !row->needed[i])
            return false;
    return true;
}

bool tile_next_load(const tile_order *t, const tile_row *row, tile_load *load) {
    int x = load->x + load->width, width = row->wide ? t->cells[0] : 1;
    while (x < row->count && !row->needed[x])
        x++;
    if (x == row->count)
        return false;
    while ((row->low + x) % width != 0 || !is_needed(row, x, width))
        width /= 2;
    *load = (tile_load){x, width};
    return true;
}

/* Order */

static bool *done(const scheduler *w, int cell, int32_t node) {
    return &w->done[(size_t)cell * w->s->nnodes + (size_t)node];
}

static bool can_be_computed(const scheduler *w, int cell, int32_t node) {
    int32_t end = end_of_chain(w, node);
    const st_node *n = &w->s->nodes[end];
    if (n->op == ST_ACCESS)
        return w->loaded[w->t->row[(size_t)cell * w->s->naccesses + (size_t)n->index]];
    return !w->joins[end] || *done(w, cell, end);
}

static bool operands_can(const scheduler *w, int cell, const st_node *n) {
    bool can = true;
    for (int k = 0; k < st_ops[n->op].arity; k++)
        can = can && can_be_computed(w, cell, n->args[k]);
    return can;
}

static void compute(scheduler *w, int cell, int32_t node) {
    const st_node *n = &w->s->nodes[node];
    if (st_ops[n->op].cls == ST_LEAF || *done(w, cell, node))
        return;
    for (int k = 0; k < st_ops[n->op].arity; k++)
        compute(w, cell, n->args[k]);
    *done(w, cell, node) = true;
    w->t->steps[w->t->nsteps++] = (tile_step){-1, cell, node};
}

static void compute_joins(scheduler *w) {
    for (int c = 0; c < w->ncells; c++)
        for (size_t i = 0; i < w->s->nnodes; i++)
            if (w->joins[i] && !*done(w, c, (int32_t)i) && operands_can(w, c, &w->s->nodes[i]))
                compute(w, c, (int32_t)i);
}

static bool is_last_of_place(const tile_order *t, size_t row) {
    return row + 1 == t->nrows ||
           t->rows[row].key / ST_MAX_PORTS != t->rows[row + 1].key / ST_MAX_PORTS;
}

static void order_steps(scheduler *w) {
    tile_order *t = w->t;
    t->steps = calloc(t->nrows + (size_t)w->ncells * w->s->nnodes + 1, sizeof *t->steps);
    for (size_t r = 0; r < t->nrows; r++) {
        t->steps[t->nsteps++] = (tile_step){(int)r, 0, 0};
        w->loaded[r] = true;
        if (is_last_of_place(t, r))
            compute_joins(w);
    }
    for (int c = 0; c < w->ncells; c++) {
        if (!w->s->stores_nothing)
            compute(w, c, w->s->root);
        for (size_t i = 0; i < w->s->nalso; i++)
            compute(w, c, w->s->also[i].root);
    }
}

/* Registers */

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
    return &l->value[(size_t)cell * s->nnodes + (size_t)node];
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

static void count_live(scheduler *w, lives *l) {
    tile_order *t = w->t;
    int now = 0;
    for (size_t i = 0; i < t->nsteps; i++) {
        const tile_step *step = &t->steps[i];
        const tile_row *row = step->row < 0 ? NULL : &t->rows[step->row];
        for (int x = 0; row && x < row->count; x++)
            if (row->needed[x])
                add_life(l, i, l->cell[step->row][x],
                         words_of((st_type)w->s->grids[t->ports[row->port].grid].type));
        if (!row)
            add_life(l, i, *last_use(l, step->cell, step->node),
                     words_of((st_type)w->s->nodes[step->node].type));
    }
    for (size_t i = 0; i <= t->nsteps; i++) {
        now += l->change[i];
        t->live = (int)st_max(t->live, now);
    }
}

static void measure_live(scheduler *w) {
    tile_order *t = w->t;
    lives l = {t, calloc((size_t)w->ncells * w->s->nnodes, sizeof *l.value),
               calloc(t->nrows + 1, sizeof *l.cell), calloc(t->nsteps + 1, sizeof *l.change)};
    for (size_t i = 0; i < t->nrows; i++)
        l.cell[i] = calloc((size_t)t->rows[i].count, sizeof *l.cell[i]);
    find_last_uses(&l, w->ncells);
    count_live(w, &l);
    for (size_t i = 0; i < t->nrows; i++)
        free(l.cell[i]);
    free(l.value);
    free(l.cell);
    free(l.change);
}

tile_order *tile_create(const st_stencil *s, const int cells[3]) {
    tile_order *t = calloc(1, sizeof *t);
    scheduler w = {.t = t, .s = s, .ncells = cells[0] * cells[1] * cells[2]};
    t->s = s;
    for (int d = 0; d < 3; d++)
        t->cells[d] = cells[d];
    t->nports = st_ports(s, t->ports);
    w.depends = calloc(s->nnodes, sizeof *w.depends);
    w.joins = calloc(s->nnodes, sizeof *w.joins);
    find_joins(&w);
    for (int d = 1; d < s->rank; d++)
        w.falls[d] = falls(&w, d);
    list_rows(&w);
    w.loaded = calloc(t->nrows + 1, sizeof *w.loaded);
    w.done = calloc((size_t)w.ncells * s->nnodes, sizeof *w.done);
    order_steps(&w);
    measure_live(&w);
    free(w.depends);
    free(w.joins);
    free(w.loaded);
    free(w.done);
    return t;
}

void tile_destroy(tile_order *t) {
    for (size_t i = 0; i < t->nrows; i++)
        free(t->rows[i].needed);
    free(t->rows);
    free(t->row);
    free(t->x);
    free(t->steps);
    free(t);
}
