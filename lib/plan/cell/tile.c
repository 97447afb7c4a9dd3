/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a tile loads: the rows of neighbours, and which cells of them.
 */
#include "plan/cell/order.h"

#include "model/number.h"

#include <stdlib.h>

static int port_of(const tile_order *t, const st_access *a) {
    int port = 0;
    while (t->ports[port].grid != a->grid || t->ports[port].level != a->level)
        port++;
    return port;
}

/* The place of a row in the order of loads. Rows come in the order in which the program's cells
 * read them. Rows of grids that do not extend along y or z come first, because all cells read them.
 */
static int64_t key_of(const tile_scheduler *w, const tile_row *row) {
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

static void add_row(tile_scheduler *w, const st_access *a, int cell, size_t *room) {
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

static void list_rows(tile_scheduler *w) {
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

int tile_vector(const tile_order *t, const tile_row *row, int x) {
    int at = row->low + x, width = t->cells[0];
    return at >= 0 ? at / width : -((width - 1 - at) / width);
}

bool tile_has_neighbours(const tile_order *t, const tile_row *row) {
    return row->wide && row->low <= 0 && row->count > t->cells[0] &&
           is_needed(row, -row->low, t->cells[0]);
}

bool tile_has_any_neighbours(const st_stencil *s, const int cells[3]) {
    tile_order *t = tile_create(s, cells);
    bool any = false;
    for (size_t i = 0; i < t->nrows; i++)
        any = any || tile_has_neighbours(t, &t->rows[i]);
    tile_destroy(t);
    return any;
}

tile_order *tile_create(const st_stencil *s, const int cells[3]) {
    tile_order *t = calloc(1, sizeof *t);
    tile_scheduler w = {.t = t, .s = s, .ncells = cells[0] * cells[1] * cells[2]};
    t->s = s;
    for (int d = 0; d < 3; d++)
        t->cells[d] = cells[d];
    t->nports = st_ports(s, t->ports);
    tile_find_joins(&w);
    list_rows(&w);
    tile_order_steps(&w);
    free(w.depends);
    free(w.joins);
    return t;
}

void tile_destroy(tile_order *t) {
    for (size_t i = 0; i < t->nrows; i++)
        free(t->rows[i].needed);
    free(t->rows);
    free(t->row);
    free(t->x);
    free(t->same);
    free(t->steps);
    free(t);
}
