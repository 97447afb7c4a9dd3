/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * lib/runtime/slab: small grids of numbers are computed slab by slab, as the runtime does it, and
 * compared with the plain loops. A cell mixes those that it reads, so that a wrong one shows.
 */
#include "runtime/slab/cut.h"
#include "runtime/slab/pieces.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, BORDER = 8 };

typedef struct column {
    uint64_t at[ROWS + 2 * BORDER]; /* rows -BORDER .. */
} column;

static int failures;

static void check(bool ok, const rt_cut *c, int64_t most, const char *what) {
    if (ok)
        return;
    failures++;
    printf("%s: rows %d, reach %d, steps %d, period %d, most %d: slabs %d, pass %d\n", what,
           (int)c->rows, (int)c->reach, (int)c->steps, (int)c->period, (int)most, (int)c->slabs,
           (int)c->pass);
}

static void start(column *c) {
    for (int i = 0; i < ROWS + 2 * BORDER; i++)
        c->at[i] = (uint64_t)i * 2654435761u + 12345;
}

static void make_steps(column *c, int64_t lo, int64_t hi, int64_t reach, int64_t steps) {
    column old;
    for (int64_t s = 0; s < steps; s++) {
        old = *c;
        for (int64_t r = lo; r < hi; r++) {
            uint64_t mixed = 0;
            for (int64_t o = -reach; o <= reach; o++)
                mixed = mixed * 6364136223846793005u + old.at[BORDER + r + o];
            c->at[BORDER + r] = mixed;
        }
    }
}

static void copy_own(column *to, const column *from, const rt_slab *s) {
    memcpy(&to->at[BORDER + s->own.lo], &from->at[BORDER + s->own.lo],
           (size_t)(s->own.hi - s->own.lo) * sizeof *to->at);
}

/* Devices take turns with slabs: the results of a slab are stored when its device has begun its
 * next one. */
static void run_in_turns(column *grid, const rt_cut *cut, int64_t lanes) {
    enum { MOST = 3 };
    column windows[2 * MOST];
    rt_slab slabs[2 * MOST];
    for (int64_t p = 0; p < rt_cut_passes(cut); p++) {
        int64_t steps = rt_cut_steps(cut, p);
        for (int64_t i = 0; i < cut->slabs + lanes; i++) {
            int64_t at = i % (2 * lanes), before = (i + lanes) % (2 * lanes);
            if (i < cut->slabs) {
                slabs[at] = rt_cut_slab(cut, i, steps);
                windows[at] = *grid;
            }
            if (i >= lanes)
                copy_own(grid, &windows[before], &slabs[before]);
            if (i < cut->slabs)
                make_steps(&windows[at], slabs[at].domain.lo, slabs[at].domain.hi, cut->reach,
                           steps);
        }
    }
}

static void run_one_by_one(column *grid, const rt_cut *cut) {
    run_in_turns(grid, cut, 1);
}

static void run_through_three(column *grid, const rt_cut *cut) {
    run_in_turns(grid, cut, 3);
}

static const double rates[] = {3, 1, 2, 1, 0.5, 4, 1, 2};

/* All slabs side by side. Between passes each gets its margins from the slabs next to it. */
static void run_together(column *grid, const rt_cut *cut) {
    static column windows[ROWS];
    for (int64_t i = 0; i < cut->slabs; i++)
        windows[i] = *grid;
    for (int64_t p = 0; p < rt_cut_passes(cut); p++) {
        for (int64_t i = 0; i < cut->slabs; i++) {
            rt_slab s = rt_cut_slab(cut, i, cut->pass);
            make_steps(&windows[i], s.domain.lo, s.domain.hi, cut->reach, rt_cut_steps(cut, p));
        }
        for (int64_t i = 0; i + 1 < cut->slabs; i++) {
            rt_slab low = rt_cut_slab(cut, i, cut->pass), high = rt_cut_slab(cut, i + 1, cut->pass);
            copy_own(&windows[i], &windows[i + 1], &(rt_slab){.own = {low.own.hi, low.domain.hi}});
            copy_own(&windows[i + 1], &windows[i],
                     &(rt_slab){.own = {high.domain.lo, high.own.lo}});
        }
    }
    for (int64_t i = 0; i < cut->slabs; i++) {
        rt_slab s = rt_cut_slab(cut, i, cut->pass);
        copy_own(grid, &windows[i], &s);
    }
}

static void check_passes(const rt_cut *cut, int64_t most) {
    int64_t left = cut->steps, passes = rt_cut_passes(cut);
    for (int64_t p = 0; p < passes; p++) {
        int64_t steps = rt_cut_steps(cut, p);
        left -= steps;
        check(steps > 0 && steps <= cut->pass, cut, most, "steps of a pass");
        check(p + 1 == passes || steps % cut->period == 0, cut, most, "period");
        check(!cut->full || passes == 1 || steps >= cut->period, cut, most, "too few steps");
    }
    check(left == 0, cut, most, "steps of all passes");
}

static void check_cut(const rt_cut *cut, int64_t most, void (*run)(column *, const rt_cut *)) {
    column plain, cut_up;
    int64_t rows = 0;
    start(&plain);
    start(&cut_up);
    make_steps(&plain, 0, cut->rows, cut->reach, cut->steps);
    run(&cut_up, cut);
    check(memcmp(&plain, &cut_up, sizeof plain) == 0, cut, most, "wrong result");
    check(rt_cut_passes(cut) == 1 || cut->pass % cut->period == 0, cut, most, "period");
    check_passes(cut, most);
    for (int64_t i = 0; i < cut->slabs; i++) {
        rt_slab s = rt_cut_slab(cut, i, cut->pass);
        check(s.own.lo == rows && s.own.hi > rows, cut, most, "rows in no slab");
        rows = s.own.hi;
        check(s.domain.hi - s.domain.lo <= most, cut, most, "too many rows");
    }
    check(rows == cut->rows, cut, most, "rows in no slab");
}

static void try_all(int64_t rows, int64_t reach, int64_t steps, int64_t period, bool full) {
    const rt_cut_cost costs[] = {
        {.compute.row = 1, .copy_in = 4, .copy_out = 4, .pass = 2},
        {.compute.row = 1, .copy_in = 100, .copy_out = 100, .pass = 2, .overlapped = true},
        {.compute.row = 1, .copy_in = 0, .copy_out = 0, .pass = 0}};
    rt_cut cut = {.rows = rows, .reach = reach, .steps = steps, .period = period, .full = full};
    cut.unit = rows % 2 ? 0 : 3 * period;
    for (int c = 0; c < 3; c++) {
        for (int64_t most = 1; most <= rows + 1; most += 1 + most / 4) {
            rt_cut one = cut;
            bool fits = rt_cut_to_fit(&one, most, &costs[c]);
            check(fits || most < rows, &one, most, "does not fit");
            /* A pass of the fewest steps needs its margins, and a slab as high as they are. */
            int64_t fewest = full && steps % period > 0 ? 2 * period : period;
            int64_t least = (fewest < steps ? fewest : steps) * reach;
            check(fits || most < 4 * least + 1, &one, most, "does not fit");
            if (fits) {
                check_cut(&one, most, run_one_by_one);
                check_cut(&one, most, run_through_three);
            }
        }
        for (int64_t devices = 1; devices <= 8; devices++) {
            rt_cut one = cut;
            one.rates = rows % 3 == 1 ? rates : NULL;
            rt_cut_among(&one, devices, &costs[c]);
            check(one.slabs <= devices, &one, devices, "too many slabs");
            check_cut(&one, rows, run_together);
        }
    }
}

/* Steps of rows lo <= r < hi, as if row hi were row lo. Row r is at place r - lo. */
static void make_steps_round(uint64_t *rows, int64_t count, int64_t reach, int64_t steps) {
    uint64_t old[ROWS];
    for (int64_t s = 0; s < steps; s++) {
        memcpy(old, rows, (size_t)count * sizeof *old);
        for (int64_t r = 0; r < count; r++) {
            rows[r] = 0;
            for (int64_t o = -reach; o <= reach; o++)
                rows[r] = rows[r] * 6364136223846793005u + old[(r + o + reach * count) % count];
        }
    }
}

/* Rows come round: each slab goes on beyond the grid's ends, where the rows of the other end are.
 */
static void check_round(int64_t rows, int64_t reach, int64_t steps, int64_t devices) {
    const rt_cut_cost cost = {.compute.row = 1};
    column start_from;
    uint64_t plain[ROWS], grid[ROWS], next[ROWS], window[ROWS];
    rt_cut cut = {.rows = rows, .reach = reach, .steps = steps, .period = 1, .round = true};
    cut.rates = steps % 3 == 1 ? rates : NULL;
    start(&start_from);
    memcpy(plain, start_from.at, sizeof plain);
    memcpy(grid, start_from.at, sizeof grid);
    make_steps_round(plain, rows, reach, steps);
    rt_cut_among(&cut, devices, &cost);
    for (int64_t p = 0; p < rt_cut_passes(&cut); p++) {
        for (int64_t i = 0; i < cut.slabs; i++) {
            rt_slab s = rt_cut_slab(&cut, i, cut.pass);
            int64_t count = s.domain.hi - s.domain.lo;
            check(count <= rows, &cut, devices, "a row twice");
            for (int64_t r = 0; r < count && count <= rows; r++)
                window[r] = grid[(s.domain.lo + r + rows) % rows];
            make_steps_round(window, count <= rows ? count : 1, reach, rt_cut_steps(&cut, p));
            memcpy(next + s.own.lo, window + (s.own.lo - s.domain.lo),
                   (size_t)(s.own.hi - s.own.lo) * sizeof *next);
        }
        memcpy(grid, next, sizeof grid);
    }
    check(memcmp(plain, grid, (size_t)rows * sizeof *plain) == 0, &cut, devices, "round");
    check(cut.slabs > 1 || cut.rates || devices == 1 || rows < 16 * (reach + 1), &cut, devices,
          "not shared");
}

static int64_t count(const rt_piece *p, int64_t row, int64_t extent) {
    int64_t end = p->first + p->chunk * p->chunks;
    return row >= p->first && row < (end < extent ? end : extent);
}

/* Are all rows that are wanted in a piece, and those of edges in an edge, and in that alone? What
 * is computed beyond them lies in no other piece. */
static void check_pieces(const rt_span *s, int64_t extent, int64_t left, int64_t chunk) {
    rt_pieces p = rt_span_pieces(s, extent, left, chunk);
    bool good = p.rest.chunk >= 1 && p.rest.chunks >= 1 && (left == 0 || p.nedges == 0);
    for (int64_t r = 0; r < extent; r++) {
        int64_t edges = 0, rest = count(&p.rest, r, extent);
        for (unsigned i = 0; i < p.nedges; i++)
            edges += count(&p.edges[i], r, extent);
        bool owned = r >= s->lo && r < s->hi;
        bool waited_for = owned && (r < s->lo + s->edge[0] || r >= s->hi - s->edge[1]);
        bool wanted = r >= s->lo - left * s->reach && r < s->hi + left * s->reach;
        good = good && edges + rest <= 1 && (!wanted || edges + rest == 1);
        good = good && (p.nedges == 0 || ((!waited_for || edges == 1) && (owned || !rest)));
    }
    if (!good)
        printf("pieces: rows %d..%d of %d, reach %d, edges %d and %d, left %d, chunk %d\n",
               (int)s->lo, (int)s->hi, (int)extent, (int)s->reach, (int)s->edge[0], (int)s->edge[1],
               (int)left, (int)chunk);
    failures += !good;
}

static void try_pieces(void) {
    for (int64_t extent = 1; extent <= 40; extent += 1 + extent / 4)
        for (int64_t lo = 0; lo < 9 && lo < extent; lo++)
            for (int64_t high = 0; high < 9 && lo + high < extent; high += 2)
                for (int64_t n = 0; n < 4 * 4 * 8 * 2; n++) {
                    rt_span s = {.lo = lo,
                                 .hi = extent - high,
                                 .reach = 1 + n / 64 % 2,
                                 .edge = {n % 4, n / 4 % 4},
                                 .narrow = n / 128 % 2};
                    for (int64_t chunk = 1; chunk <= extent; chunk += 1 + chunk / 2)
                        check_pieces(&s, extent, n / 16 % 4, chunk);
                }
}

/* A launch of a slab that leans: reads rows of one buffer and writes those of the other, in each
 * of which a row has the number of the launch that made it. Are all rows there that it reads? */
static bool lean(int64_t *from, int64_t *to, const int64_t rows[2], int64_t count, int64_t launch,
                 int64_t margin) {
    bool good = true;
    for (int64_t r = rows[0] - margin; r < rows[1] + margin && rows[0] < rows[1]; r++)
        good = good && (r < 0 || r >= count || from[r] == launch - 1);
    for (int64_t r = rows[0]; r < rows[1]; r++)
        to[r] = launch;
    return good;
}

/* Slabs of `height` rows, by launches of these degrees. After the last slab all rows are made. */
static void check_lean(int64_t count, int64_t height, const int64_t *degrees, int64_t launches,
                       int64_t reach) {
    int64_t rows[2][64];
    bool good = true;
    memset(rows, 0xFF, sizeof rows);
    for (int64_t lo = 0; lo < count; lo += height) {
        rt_span s = {.lo = lo, .hi = lo + height, .reach = reach, .leans = true};
        s.ends = s.hi >= count;
        for (int64_t r = lo; r < s.hi && r < count; r++)
            rows[0][r] = 0;
        rt_lean_shift shift = {0, 0};
        for (int64_t n = 1; n <= launches; n++) {
            int64_t wanted[2];
            shift = rt_lean_next(shift, degrees[n - 1], reach);
            rt_lean_rows(&s, shift, count, wanted);
            good = good &&
                   lean(rows[(n - 1) % 2], rows[n % 2], wanted, count, n, degrees[n - 1] * reach);
        }
    }
    for (int64_t r = 0; r < count; r++)
        good = good && rows[launches % 2][r] == launches;
    if (!good)
        printf("lean: %d rows, slabs of %d, %d launches, reach %d\n", (int)count, (int)height,
               (int)launches, (int)reach);
    failures += !good;
}

static void try_lean(void) {
    static const int64_t degrees[][6] = {{1, 1, 1, 1, 1, 1},
                                         {3, 3, 2, 1, 1, 1},
                                         {6, 2, 2, 1, 1, 1},
                                         {1, 2, 3, 1, 4, 1},
                                         {4, 1, 4, 1, 4, 1}};
    for (int d = 0; d < 5; d++)
        for (int64_t count = 1; count <= 60; count += 1 + count / 5)
            for (int64_t height = 1; height <= count; height++)
                for (int64_t n = 1; n <= 6; n++)
                    for (int64_t reach = 0; reach <= 3; reach++)
                        check_lean(count, height, degrees[d], n, reach);
}

/* More rows are shared by more devices; few are left on one. */
/* Of three chunks, those of both edges are most of a launch: edges of few rows are done sooner. */
static void check_early(void) {
    rt_cut_cost cost = {.compute = {.row = 1.2e-6, .hide = 1.0 / 3, .chunk = 93, .beside = 6},
                        .copy_in = 20e-6,
                        .pass = 10e-6,
                        .degree = 3};
    rt_cut cut = {.rows = 1109, .reach = 1, .steps = 400, .period = 2, .slabs = 4, .pass = 6};
    check(rt_cut_early(&cut, &cost) == RT_EDGES_NARROW, &cut, 4, "edges of few rows");
    cut.pass = 96;
    check(rt_cut_early(&cut, &cost) != RT_EDGES_NARROW, &cut, 4, "edges higher than chunks");
    cut.pass = 6;
    cost.compute.hide = 0.9;
    check(rt_cut_early(&cut, &cost) == RT_EDGES_CHUNKS, &cut, 4, "edges of chunks");
    cost.copy_in = 0.1e-6;
    check(rt_cut_early(&cut, &cost) == RT_EDGES_LATE, &cut, 4, "short copies");
}

/* Heights are as rates, to a row. */
static void check_rates(void) {
    rt_cut cut = {.rows = 700, .reach = 1, .steps = 9, .period = 1, .rates = rates};
    const rt_cut_cost cost = {.compute.row = 1};
    rt_cut_among(&cut, 3, &cost);
    check(cut.slabs == 3 && rt_cut_first_rows(&cut) == 350, &cut, 3, "rates");
    check(rt_cut_slab(&cut, 1, 1).own.hi == 466, &cut, 3, "rates");
}

static void check_choice(void) {
    const rt_cut_cost cost = {.compute.row = 1e-6, .copy_in = 1e-8, .copy_out = 1e-8, .pass = 1e-4};
    rt_cut large = {.rows = 16384, .reach = 1, .steps = 1000, .period = 2}, small = large;
    small.rows = 40;
    rt_cut_among(&large, 8, &cost);
    check(large.slabs == 8 && large.pass < 200, &large, 0, "large grid");
    rt_cut_among(&small, 8, &cost);
    check(small.slabs < 8, &small, 0, "small grid");
    /* Planes of a 3-D grid: copies cost as much as some steps. Launches make three steps. */
    const rt_cut_cost planes = {.compute.row = 1.4e-6, .copy_in = 33e-6, .pass = 1e-4};
    rt_cut cube = {.rows = 1109, .reach = 1, .steps = 400, .period = 2, .unit = 6};
    rt_cut_among(&cube, 4, &planes);
    check(cube.slabs == 4 && cube.pass % 6 == 0 && cube.pass < 40, &cube, 0, "planes");
    /* Memory for a quarter of the rows, of which two windows are there at a time. */
    const rt_cut_cost link = {
        .compute.row = 14e-9, .copy_in = 6e-6, .copy_out = 6e-6, .pass = 1e-3, .overlapped = true};
    rt_cut flow = {.rows = 32766, .reach = 1, .steps = 1000, .period = 2, .unit = 6};
    check(rt_cut_to_fit(&flow, 3000, &link) && flow.pass > 200, &flow, 3000, "slabs");
}

int main(void) {
    static const int64_t rows[] = {1, 2, 3, 5, 8, 13, 31, 64}, steps[] = {1, 2, 3, 5, 8, 13, 24};
    for (int r = 0; r < 8; r++)
        for (int s = 0; s < 7; s++)
            for (int64_t reach = 0; reach <= 3; reach++)
                for (int64_t period = 1; period <= 3; period++) {
                    try_all(rows[r], reach, steps[s], period, false);
                    try_all(rows[r], reach, steps[s], period, true);
                    for (int64_t devices = 1; devices <= 8; devices++)
                        check_round(rows[r], reach, steps[s], devices);
                }
    try_pieces();
    try_lean();
    check_choice();
    check_early();
    check_rates();
    printf("%d failures\n", failures);
    return failures > 0;
}
