/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a step with copies to ghost cells makes of each cell near a face.
 *
 * Along each dimension, the cells near both faces are looked at one by one, those between them
 * together. A cell outside the window has one of the window that it should be equal to: the cell
 * that is as many cells away as the window is long. Three things are followed through the sweeps,
 * each as a bit of each cell of each array:
 *
 *   EQUAL  the cell has what its cell of the window has;
 *   RIGHT  the cell has what a step without copies has there, whose indices come round;
 *   EXACT  the cell has what the program has there.
 *
 * EQUAL is followed from the program's start on, where nothing is known, until a step changes it no
 * more. From a step on at whose end all cells of the window are RIGHT, steps without copies may
 * replace those of the program. They leave the window EXACT, and the cells that are EQUAL there can
 * be made so. Some steps of the program then make all cells EXACT.
 *
 * The results of a sweep have what all cells that it reads have. Of a cell that is EQUAL to that of
 * the window, both are made, or none is.
 */
#include "model/ghost_cells.h"

#include "model/number.h"
#include <stdlib.h>
#include <string.h>

enum { EQUAL = 1, RIGHT = 2, EXACT = 4, ALL = 7 };
enum { MOST_CELLS = ST_LIMIT(4096, 200), MOST_STEPS = 4, OUTSIDE = -1 };

/* A place along a dimension: 0, 1, .. from the low face; `near`: between; up to 2 * near, the cell
 * at the high face. */
typedef struct follower {
    const st_step *step;
    int near, places;
    int32_t span[ST_MAX_RANK]; /* of the box less that of the window */
    size_t cells;              /* of an array in one of its two buffers */
    uint8_t *now, *before;     /* the bits; those at the start of the nest in hand */
    bool *written;             /* is the array's cell ever written? */
    bool **reads;              /* does the sweep read the access? */
} follower;

typedef struct cell {
    int at[ST_MAX_RANK];
} cell;

bool st_ghosts_round(const st_step *step, int d) {
    return step->ghosts.margin[d][0] + step->ghosts.margin[d][1] > 0;
}

int st_ghosts_turn(const st_step *step, int32_t array, int32_t level) {
    return step->arrays[array].swapped && level > 0;
}

void st_ghosts_domain(const st_sweep *w, int d, int32_t *low, int32_t *high) {
    int32_t shift = st_sweep_shift(w)[d];
    *low = w->at_high >> d & 1 ? w->low[d] - shift : w->low[d] + shift;
    *high = w->at_low >> d & 1 ? w->high[d] + shift : w->high[d] - shift;
}

/* Cells */

static cell cell_of(const follower *f, size_t number) {
    cell c = {{0}};
    for (int d = 0; d < f->step->rank; d++) {
        c.at[d] = (int)(number % (size_t)f->places);
        number /= (size_t)f->places;
    }
    return c;
}

static size_t number_of(const follower *f, const cell *c) {
    size_t number = 0;
    for (int d = f->step->rank - 1; d >= 0; d--)
        number = number * (size_t)f->places + (size_t)c->at[d];
    return number;
}

static size_t place_of(const follower *f, int32_t array, int turn, size_t number) {
    return ((size_t)array * 2 + (size_t)turn) * f->cells + number;
}

static bool is_low(const follower *f, int place) {
    return place < f->near;
}

static bool is_high(const follower *f, int place) {
    return place > f->near;
}

static bool is_in_window(const follower *f, const cell *c) {
    bool in = true;
    for (int d = 0; d < f->step->rank; d++) {
        const int32_t *margin = f->step->ghosts.margin[d];
        in = in && c->at[d] >= margin[0] && c->at[d] < f->places - margin[1];
    }
    return in;
}

/* The cell of the window that the cell is when indices come round. */
static cell window_cell(const follower *f, const cell *c) {
    cell w = *c;
    for (int d = 0; d < f->step->rank; d++) {
        const int32_t *margin = f->step->ghosts.margin[d];
        if (c->at[d] < margin[0])
            w.at[d] = f->places - f->span[d] + c->at[d];
        else if (c->at[d] >= f->places - margin[1])
            w.at[d] = f->span[d] - (f->places - c->at[d]);
    }
    return w;
}

static bool is_in_domain(const follower *f, const st_sweep *w, const cell *c, int d) {
    int32_t low, high;
    int from_low = c->at[d], from_high = f->places - 1 - c->at[d];
    st_ghosts_domain(w, d, &low, &high);
    if (w->at_low >> d & 1)
        return is_low(f, from_low) && from_low >= low && from_low < high;
    if (w->at_high >> d & 1)
        return is_high(f, from_low) && from_high < low && from_high >= high;
    return from_low >= low && from_high >= high;
}

/* Does the sweep make it, along the dimensions whose indices come round, and along others? */
static bool makes(const follower *f, const st_sweep *w, const cell *c, bool round) {
    bool in = true;
    for (int d = 0; d < f->step->rank; d++)
        in = in && (st_ghosts_round(f->step, d) != round || is_in_domain(f, w, c, d));
    return in;
}

/* Reads */

/* The places, from *first to *last, that an offset leads to; false: outside the box. From cells
 * between those near the faces it may lead to some that are near. */
static bool move(const follower *f, int place, int32_t offset, int *first, int *last) {
    int to = place + offset;
    *first = *last = place;
    if (place == f->near) {
        *first += offset < 0 ? offset : 0;
        *last += offset > 0 ? offset : 0;
        return true;
    }
    if (to < 0 || to >= f->places)
        return false;
    bool leaves = is_low(f, place) ? to >= f->near : to <= f->near;
    *first = *last = leaves ? f->near : to;
    return true;
}

/* What is in an array's halo, beyond the box, and in one that no step writes: they stay as they
 * are. */
static uint8_t read_fixed(const follower *f, const int first[], const int last[]) {
    bool in = true;
    for (int d = 0; d < f->step->rank; d++) {
        const int32_t *margin = f->step->ghosts.margin[d];
        in = in && first[d] >= margin[0] && last[d] < f->places - margin[1];
    }
    return in ? ALL : EXACT;
}

static uint8_t read_box(const follower *f, const uint8_t *bits, const int first[],
                        const int last[]) {
    uint8_t all = ALL;
    cell c = {{0}};
    for (c.at[2] = first[2]; c.at[2] <= last[2]; c.at[2]++)
        for (c.at[1] = first[1]; c.at[1] <= last[1]; c.at[1]++)
            for (c.at[0] = first[0]; c.at[0] <= last[0]; c.at[0]++)
                all &= bits[number_of(f, &c)];
    return all;
}

/* The bits that all cells have which the access reads, seen from the cell that is written. */
static uint8_t read(const follower *f, const st_sweep *w, int32_t access, const cell *c) {
    const st_access *a = &w->stencil->accesses[access];
    int32_t array = st_sweep_array(w, a->grid, a->level), offset[ST_MAX_RANK];
    int first[ST_MAX_RANK] = {0}, last[ST_MAX_RANK] = {0};
    uint32_t broadcast = f->step->arrays[array].broadcast;
    bool fixed = !st_step_flows(f->step, array), lost = false;
    st_sweep_offset(w, access, offset);
    for (int d = 0; d < f->step->rank; d++) {
        bool in = move(f, broadcast >> d & 1 ? f->near : c->at[d], offset[d], &first[d], &last[d]);
        fixed |= !in;
        lost |= !in && st_ghosts_round(f->step, d);
    }
    if (fixed)
        return lost ? 0 : read_fixed(f, first, last);
    int turn = st_ghosts_turn(f->step, array, a->level);
    return read_box(f, f->before + place_of(f, array, turn, 0), first, last);
}

static uint8_t read_all(const follower *f, const st_sweep *w, const cell *c) {
    const bool *reads = f->reads[w - f->step->sweeps];
    uint8_t all = ALL;
    for (size_t i = 0; i < w->stencil->naccesses && all; i++)
        if (reads[i])
            all &= read(f, w, (int32_t)i, c);
    return all;
}

/* Sweeps */

/* Does the sweep leave some cells of its domain as they were? */
static bool is_partial(const st_sweep *w) {
    return w->stencil->masked || w->stencil->every > 1;
}

/* What the sweep makes of the cell. */
static uint8_t make_cell(const follower *f, const st_sweep *w, const cell *c, uint8_t old) {
    cell of = window_cell(f, c);
    bool in = is_in_window(f, c), made = makes(f, w, c, true), other = makes(f, w, &of, true);
    if (!makes(f, w, c, false))
        return old;
    uint8_t reads = made ? read_all(f, w, c) : ALL;
    uint8_t equal = made && other ? reads & read_all(f, w, &of) : made == other ? old : 0;
    if (is_partial(w)) {
        reads &= old;
        equal &= old;
    }
    uint8_t bits = in ? EQUAL : equal & EQUAL;
    bits |= made ? reads & RIGHT : 0; /* the step without copies makes it elsewhere */
    return bits | ((made ? reads : old) & EXACT);
}

static void make_sweep(follower *f, const st_sweep *w) {
    uint8_t *made = malloc(f->cells);
    for (size_t n = 0; n < f->cells; n++) {
        cell c = cell_of(f, n);
        st_store store = st_sweep_store(w, 0);
        int32_t array = st_sweep_array(w, store.grid, store.level);
        int turn = st_ghosts_turn(f->step, array, store.level);
        made[n] = make_cell(f, w, &c, f->now[place_of(f, array, turn, n)]);
    }
    for (size_t i = 0; i < st_sweep_stores(w); i++) {
        st_store store = st_sweep_store(w, i);
        int32_t array = st_sweep_array(w, store.grid, store.level);
        int turn = st_ghosts_turn(f->step, array, store.level);
        for (size_t n = 0; n < f->cells; n++) {
            cell c = cell_of(f, n);
            uint8_t *to = &f->now[place_of(f, array, turn, n)];
            *to = i == 0 ? made[n] : make_cell(f, w, &c, *to);
            f->written[(size_t)array * f->cells + n] |=
                makes(f, w, &c, true) && makes(f, w, &c, false);
        }
    }
    free(made);
}

/* The cell that is copied to this one, of the sweep's store i. */
static cell copied_from(const follower *f, const st_sweep *w, int32_t access, const cell *c) {
    cell from = *c;
    int32_t offset[ST_MAX_RANK];
    uint32_t opposite = w->views[w->stencil->accesses[access].grid].opposite;
    st_sweep_offset(w, access, offset);
    for (int d = 0; d < f->step->rank; d++)
        if (opposite >> d & 1)
            from.at[d] += w->at_low >> d & 1 ? f->places - f->span[d] : f->span[d] - f->places;
    return from;
}

/* A cell of the window takes the value of one outside it. */
static void replace_window_cell(const follower *f, uint8_t *bits, const cell *c, const cell *from,
                                uint8_t read) {
    for (size_t n = 0; n < f->cells; n++) {
        cell one = cell_of(f, n), of = window_cell(f, &one);
        if (is_in_window(f, &one) || number_of(f, &of) != number_of(f, c))
            continue;
        if (n == number_of(f, from))
            bits[n] |= EQUAL;
        else if (!(read & EQUAL))
            bits[n] &= (uint8_t)~EQUAL;
    }
}

static void copy_cell(follower *f, const st_sweep *w, size_t store, size_t n) {
    st_store s = st_sweep_store(w, store);
    int32_t access = w->stencil->nodes[s.root].index;
    int32_t array = st_sweep_array(w, s.grid, s.level);
    int turn = st_ghosts_turn(f->step, array, s.level);
    cell c = cell_of(f, n);
    if (!makes(f, w, &c, true) || !makes(f, w, &c, false))
        return;
    cell from = copied_from(f, w, access, &c);
    uint8_t read = f->before[place_of(f, array, turn, number_of(f, &from))];
    uint8_t *bits = f->now + place_of(f, array, turn, 0);
    f->written[(size_t)array * f->cells + n] = true;
    bits[n] = read;
    if (!is_in_window(f, &c))
        return;
    bits[n] |= EQUAL;
    replace_window_cell(f, bits, &c, &from, read);
}

static void make_copies(follower *f, const st_sweep *w) {
    for (size_t i = 0; i < st_sweep_stores(w); i++)
        for (size_t n = 0; n < f->cells; n++)
            copy_cell(f, w, i, n);
}

/* Steps */

static size_t count_bits(const follower *f) {
    return f->step->narrays * 2 * f->cells;
}

/* Arrays take turns. */
static void end_step(follower *f) {
    size_t each = 2 * f->cells;
    memcpy(f->before, f->now, count_bits(f));
    for (size_t a = 0; a < f->step->narrays; a++) {
        const st_array *x = &f->step->arrays[a];
        const uint8_t *old = f->before + a * each;
        uint8_t *to = f->now + (size_t)x->becomes * each;
        memcpy(to, x->swapped ? old + f->cells : old, f->cells);
        memcpy(to + f->cells, x->swapped ? old : old + f->cells, f->cells);
    }
}

static void make_step(follower *f) {
    const st_step *step = f->step;
    for (size_t i = 0; i < step->nsweeps; i++) {
        const st_sweep *w = &step->sweeps[i];
        if (i == 0 || w->nest != w[-1].nest)
            memcpy(f->before, f->now, count_bits(f));
        if (step->ghosts.copies >> i & 1)
            make_copies(f, w);
        else if (st_sweep_stores(w) > 0)
            make_sweep(f, w);
    }
    end_step(f);
}

static bool is_written(const follower *f, size_t array, size_t n) {
    size_t other = (size_t)f->step->arrays[array].becomes;
    return f->written[array * f->cells + n] || f->written[other * f->cells + n];
}

/* Sets a bit of all cells: of those that no step writes, and of the window's where the array has
 * what the step begins with; there of cells that are EQUAL, too, if the bit follows these. */
static void begin_with(follower *f, uint8_t bit, bool equal) {
    for (size_t i = 0; i < count_bits(f); i++) {
        size_t n = i % f->cells, array = i / f->cells / 2;
        cell c = cell_of(f, n);
        bool in = is_in_window(f, &c), first = i / f->cells % 2 == 0;
        bool untouched = !is_written(f, array, n) && (in || bit == EXACT);
        bool good = untouched || (first && in) || (first && equal && (f->now[i] & EQUAL));
        f->now[i] = (uint8_t)(good ? f->now[i] | bit : f->now[i] & ~bit);
    }
}

static bool all_have(const follower *f, uint8_t bit, bool window, int turns) {
    bool all = true;
    for (size_t i = 0; i < count_bits(f); i++) {
        cell c = cell_of(f, i % f->cells);
        bool counts = (int)(i / f->cells % 2) < turns && (!window || is_in_window(f, &c)) &&
                      st_step_flows(f->step, (int32_t)(i / f->cells / 2));
        all = all && (!counts || (f->now[i] & bit));
    }
    return all;
}

/* From the program's start on: the first step from which on the window is RIGHT. -1: there is none.
 * Afterwards EQUAL is as at the end of all later steps. */
static int find_first(follower *f) {
    uint8_t *last = malloc(count_bits(f));
    int first = OUTSIDE, step = 0;
    bool same = false;
    for (size_t i = 0; i < count_bits(f); i++) {
        cell c = cell_of(f, i % f->cells);
        f->now[i] = is_in_window(f, &c) ? EQUAL : 0;
    }
    for (; step < 2 * MOST_STEPS && !same; step++) {
        for (size_t i = 0; i < count_bits(f); i++)
            last[i] = f->now[i] & EQUAL;
        begin_with(f, RIGHT, true);
        make_step(f);
        bool right = all_have(f, RIGHT, true, 1);
        first = !right ? OUTSIDE : first == OUTSIDE ? step : first;
        same = true;
        for (size_t i = 0; i < count_bits(f); i++)
            same = same && last[i] == (f->now[i] & EQUAL);
    }
    free(last);
    return same && first >= 0 ? st_max32(first, step - 2) : OUTSIDE;
}

/* Arrays of one buffer have no second one. */
static void ignore_second(follower *f) {
    for (size_t a = 0; a < f->step->narrays; a++)
        if (!f->step->arrays[a].swapped)
            memset(f->now + place_of(f, (int32_t)a, 1, 0), ALL, f->cells);
}

/* The program's steps that make all cells EXACT. */
static int find_last(follower *f) {
    begin_with(f, EXACT, true);
    ignore_second(f);
    int steps = 0;
    for (; steps < MOST_STEPS && !all_have(f, EXACT, false, 2); steps++)
        make_step(f);
    return all_have(f, EXACT, false, 2) ? steps : OUTSIDE;
}

/* How far from the faces cells are looked at one by one. */
static int find_near(const st_step *step) {
    int32_t face = 0, reach = 0, offset[ST_MAX_RANK];
    for (size_t i = 0; i < step->nsweeps; i++)
        for (int d = 0; d < step->rank; d++) {
            const st_sweep *w = &step->sweeps[i];
            int32_t low, high;
            st_ghosts_domain(w, d, &low, &high);
            face = st_max32(face, st_max32(low, high));
            face = st_max32(face, step->ghosts.margin[d][0] + step->ghosts.margin[d][1]);
            for (size_t k = 0; k < w->stencil->naccesses; k++) {
                st_sweep_offset(w, (int32_t)k, offset);
                reach = st_max32(reach, abs(offset[d]));
            }
        }
    return face + reach + 1;
}

static void find_reads(follower *f) {
    f->reads = calloc(f->step->nsweeps, sizeof *f->reads);
    for (size_t i = 0; i < f->step->nsweeps; i++) {
        const st_sweep *w = &f->step->sweeps[i];
        f->reads[i] = calloc(w->stencil->naccesses + 1, sizeof(bool));
        for (size_t k = 0; k < w->stencil->naccesses; k++)
            f->reads[i][k] = st_sweep_reads(w, (int32_t)k);
    }
}

static void forget_reads(follower *f) {
    for (size_t i = 0; i < f->step->nsweeps; i++)
        free(f->reads[i]);
    free(f->reads);
}

bool st_ghosts_follow(st_step *step) {
    follower f = {.step = step, .near = find_near(step), .cells = 1};
    f.places = 2 * f.near + 1;
    for (int d = 0; d < step->rank; d++) {
        f.cells *= (size_t)f.places;
        f.span[d] = step->ghosts.margin[d][0] + step->ghosts.margin[d][1];
    }
    if (f.cells > MOST_CELLS)
        return false;
    find_reads(&f);
    f.now = calloc(count_bits(&f), 1);
    f.before = calloc(count_bits(&f), 1);
    f.written = calloc(step->narrays * f.cells, sizeof *f.written);
    make_step(&f); /* for `written` */
    make_step(&f);
    step->ghosts.first = find_first(&f);
    step->ghosts.last = step->ghosts.first < 0 ? OUTSIDE : find_last(&f);
    step->ghosts.least = 2 * f.near + 1;
    free(f.now);
    free(f.before);
    free(f.written);
    forget_reads(&f);
    return step->ghosts.first >= 0 && step->ghosts.last >= 0;
}
