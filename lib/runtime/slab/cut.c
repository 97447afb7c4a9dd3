/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cuts a call into slabs and passes: cut.h.
 */
#include "runtime/slab/cut.h"
#include "runtime/slab/pieces.h"

#include <math.h>

static int64_t ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

int64_t rt_cut_passes(const rt_cut *cut) {
    return ceil_div(cut->steps, cut->pass);
}

/* The steps that the last pass gets from the one before it. */
static int64_t moved_to_last(const rt_cut *cut) {
    int64_t left = cut->steps % cut->pass;
    bool few = cut->full && cut->steps > cut->pass && left > 0 && left < cut->period;
    return few ? cut->period : 0;
}

int64_t rt_cut_steps(const rt_cut *cut, int64_t pass) {
    int64_t last = rt_cut_passes(cut) - 1, moved = moved_to_last(cut);
    if (pass == last)
        return cut->steps - pass * cut->pass + moved;
    return pass == last - 1 ? cut->pass - moved : cut->pass;
}

/* The first row of a slab where heights are as devices' rates. */
static int64_t first_row_by_rates(const rt_cut *cut, int64_t slab) {
    double before = 0, all = 0;
    for (int64_t i = 0; i < cut->slabs; i++) {
        before += i < slab ? cut->rates[i] : 0;
        all += cut->rates[i];
    }
    return slab < cut->slabs ? (int64_t)((double)cut->rows * before / all) : cut->rows;
}

/* The first row of a slab. Unless all have one height, heights differ by one row at most. */
static int64_t first_row(const rt_cut *cut, int64_t slab) {
    if (cut->rates)
        return first_row_by_rates(cut, slab);
    if (cut->height > 0)
        return slab > 0 ? cut->rows - (cut->slabs - slab) * cut->height : 0;
    int64_t height = cut->rows / cut->slabs, more = cut->rows % cut->slabs;
    return slab * height + (slab < more ? slab : more);
}

int64_t rt_cut_first_rows(const rt_cut *cut) {
    return first_row(cut, 1);
}

/* The rows of a margin in a pass of so many steps. More than there are, if the number is too large.
 */
static int64_t margin_of(const rt_cut *cut, int64_t steps) {
    int64_t margin;
    bool large = __builtin_mul_overflow(cut->reach, steps, &margin) ||
                 __builtin_add_overflow(margin, cut->face, &margin);
    return large || margin > cut->rows ? cut->rows + 1 : margin;
}

static bool goes_round(const rt_cut *cut) {
    return cut->round && cut->slabs > 1;
}

rt_slab rt_cut_slab(const rt_cut *cut, int64_t slab, int64_t steps) {
    int64_t margin = margin_of(cut, steps);
    rt_slab s = {.own = {first_row(cut, slab), first_row(cut, slab + 1)},
                 .reach = cut->reach,
                 .margin = margin};
    s.domain.lo = s.own.lo > margin || goes_round(cut) ? s.own.lo - margin : 0;
    s.domain.hi = cut->rows - s.own.hi > margin || goes_round(cut) ? s.own.hi + margin : cut->rows;
    return s;
}

/* Rows of margins, in all slabs together. */
static double margin_rows(const rt_cut *cut) {
    int64_t edges = goes_round(cut) ? cut->slabs : cut->slabs - 1;
    return 2.0 * (double)edges * (double)margin_of(cut, cut->pass);
}

/* The share of margins that a step computes, on average. */
static double computed(const rt_cut *cut, const rt_cut_cost *cost) {
    if (cost->degree == 0)
        return 1;
    return cut->pass > cost->degree ? (double)(cut->pass - cost->degree) / (2.0 * (double)cut->pass)
                                    : 0;
}

/* How many steps of the largest launches take as long as all steps. Steps of a pass that are left
 * over are made by slower launches. */
static double weight_of(const rt_cut *cut) {
    enum { SLOWER = 3 };
    int64_t left = cut->unit > 0 ? cut->pass % cut->unit : 0;
    double slower = 1 + (SLOWER - 1) * (double)left / (double)cut->pass;
    return slower * (double)cut->steps;
}

double rt_cut_seconds(const rt_cut *cut, const rt_cut_cost *cost) {
    double all = (double)cut->rows + margin_rows(cut), passes = (double)rt_cut_passes(cut);
    double compute = ((double)cut->rows + computed(cut, cost) * margin_rows(cut)) * weight_of(cut) *
                     cost->compute.row;
    if (cost->lanes > 1)
        compute *= (double)ceil_div(cut->slabs, cost->lanes) / (double)cut->slabs;
    double copies = passes * (all * cost->copy_in + (double)cut->rows * cost->copy_out);
    double both = cost->overlapped ? fmax(compute, copies) : compute + copies;
    return both + passes * (double)cut->slabs * cost->pass;
}

/* Rows of a slab's margins. */
static double margins_of_one(const rt_cut *cut) {
    double sides = cut->slabs > 2 || goes_round(cut) ? 2 : (double)cut->slabs - 1;
    return sides * (double)margin_of(cut, cut->pass);
}

static double exchange(const rt_cut *cut, const rt_cut_cost *cost) {
    return margins_of_one(cut) * (cost->copy_in + cost->copy_out);
}

static rt_speed speed_of(const rt_cut *cut, const rt_cut_cost *cost) {
    return cost->of_devices ? cost->of_devices[cut->slabs - 1] : cost->compute;
}

static double rows_of_first(const rt_cut *cut) {
    return cut->rates ? (double)first_row(cut, 1) : (double)ceil_div(cut->rows, cut->slabs);
}

static double sides_of(const rt_cut *cut) {
    return cut->slabs > 2 || goes_round(cut) ? 2 : 1;
}

/* The share of a launch after its edges of whole chunks. Others run beside them, so they are done
 * no sooner than if they had half of the device. */
static double after_chunks(const rt_cut *cut, const rt_cut_cost *cost) {
    return fmax(0, 1 - sides_of(cut) * (1 - speed_of(cut, cost).hide));
}

/* Seconds that a pass takes longer by what slabs exchange. */
static double exchange_by(const rt_cut *cut, const rt_cut_cost *cost, rt_early how) {
    rt_speed speed = speed_of(cut, cost);
    double rows = rows_of_first(cut), launch = rows * (double)cost->degree * speed.row;
    double sides = sides_of(cut), all = exchange(cut, cost);
    double first = margins_of_one(cut) + sides * speed.beside;
    if (how == RT_EDGES_CHUNKS)
        return fmax(0, all - after_chunks(cut, cost) * launch) + cost->pass;
    if (how == RT_EDGES_NARROW)
        return fmax(0, all - (1 - first / rows) * launch) + cost->pass +
               sides * speed.beside / rows * launch;
    return all;
}

/* Edges of few rows are not split off where they are not much less than the rest, or higher than
 * chunks: a launch is done when its highest block is. */
rt_early rt_cut_early(const rt_cut *cut, const rt_cut_cost *cost) {
    rt_early best = RT_EDGES_LATE;
    rt_speed speed = speed_of(cut, cost);
    double margins = margins_of_one(cut), least = exchange(cut, cost);
    if (cost->degree == 0 || least <= cost->pass)
        return RT_EDGES_LATE;
    if (after_chunks(cut, cost) > 0)
        best = RT_EDGES_CHUNKS;
    if (best == RT_EDGES_CHUNKS)
        least = exchange_by(cut, cost, best);
    bool may = margins <= sides_of(cut) * speed.chunk &&
               rows_of_first(cut) >= (RT_EDGES_LESS + 1) * margins;
    return may && exchange_by(cut, cost, RT_EDGES_NARROW) < least ? RT_EDGES_NARROW : best;
}

/* Seconds with a slab on each device. A pass ends when the slowest is done. What is sent early
 * overlaps with a part of the last launch, and takes more launches. */
static double seconds_among(const rt_cut *cut, const rt_cut_cost *cost) {
    double passes = (double)rt_cut_passes(cut), margin = margins_of_one(cut);
    rt_speed speed = speed_of(cut, cost);
    double rows = rows_of_first(cut);
    double copies = exchange_by(cut, cost, rt_cut_early(cut, cost));
    double devices = weight_of(cut) * (rows + computed(cut, cost) * margin) * speed.row +
                     (passes - 1) * copies + passes * cost->pass;
    double queue = passes * cost->queue + (double)cut->steps * cost->queue_step;
    return fmax(devices, (double)cut->slabs * queue);
}

/* Does each slab own as many rows as the margin has? Where rows come round: has no domain more rows
 * than the grid? */
static bool is_high_enough(const rt_cut *cut) {
    int64_t margin = margin_of(cut, cut->pass), most = ceil_div(cut->rows, cut->slabs);
    int64_t least = cut->rows / cut->slabs;
    for (int64_t i = 0; i < cut->slabs && cut->rates; i++) {
        int64_t height = first_row(cut, i + 1) - first_row(cut, i);
        least = height < least ? height : least;
        most = height > most ? height : most;
    }
    bool fits = !goes_round(cut) || most <= cut->rows - 2 * margin;
    return cut->slabs == 1 || (least > 0 && least >= margin && fits);
}

int64_t rt_cut_next(const rt_cut *cut, int64_t pass) {
    int64_t unit = cut->unit > cut->period ? cut->unit : cut->period;
    /* A pass of one period has none to give to the last one. */
    if (pass == 0 && cut->full && cut->steps % cut->period > 0)
        pass = cut->period;
    if (pass < unit)
        pass += cut->period;
    else
        pass = (pass / unit + 1 + pass / unit / 16) * unit;
    return pass < cut->steps ? pass : cut->steps;
}

/* The fewest slabs whose domains have at most so many rows. False if there are none. */
static bool find_slabs(rt_cut *cut, int64_t most) {
    int64_t margin = 2 * margin_of(cut, cut->pass);
    cut->slabs = 1;
    if (cut->rows <= most)
        return true;
    if (margin >= most)
        return false;
    cut->slabs = ceil_div(cut->rows, most - margin);
    return is_high_enough(cut);
}

bool rt_cut_to_fit(rt_cut *cut, int64_t most, const rt_cut_cost *cost) {
    rt_cut best = *cut, one = *cut;
    double least = INFINITY;
    for (one.pass = rt_cut_next(cut, 0);; one.pass = rt_cut_next(cut, one.pass)) {
        if (!find_slabs(&one, most))
            break;
        double seconds = rt_cut_seconds(&one, cost);
        if (seconds < least) {
            least = seconds;
            best = one;
        }
        if (one.pass == cut->steps)
            break;
    }
    *cut = best;
    return least < INFINITY;
}

void rt_cut_among(rt_cut *cut, int64_t devices, const rt_cut_cost *cost) {
    rt_cut best = *cut, one = *cut;
    best.slabs = 1;
    best.pass = cut->steps;
    double least = seconds_among(&best, cost);
    for (one.slabs = 2; one.slabs <= devices && one.slabs <= cut->rows; one.slabs++)
        for (one.pass = rt_cut_next(cut, 0);; one.pass = rt_cut_next(cut, one.pass)) {
            if (!is_high_enough(&one))
                break;
            double seconds = seconds_among(&one, cost);
            if (seconds < least) {
                least = seconds;
                best = one;
            }
            if (one.pass == cut->steps)
                break;
        }
    *cut = best;
}
