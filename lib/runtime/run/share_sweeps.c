/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a region of several sweeps on several devices: share_sweeps.h. Each device has a band of the
 * rows (band.h). A pass ends as a call of as many steps does, so all arrays have what the program
 * would have there.
 */
#include "runtime/run/share_sweeps.h"

#include "runtime/call/parameters.h"
#include "runtime/call/stops.h"
#include "runtime/choose/cost.h"
#include "runtime/run/band.h"
#include "runtime/run/sweeps.h"
#include "runtime/run/team.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct share {
    rt_team team;
    rt_arrays *whole;
    rt_lines lines;
    rt_band bands[RT_MOST_DEVICES];
    rt_part quiet; /* of launches */
    rt_run main;   /* the first launches */
    bool blocked;  /* are they of whole steps? */
    /* Values of followed scalars in the steps of a pass, that many a step; what the program said
     * last; was it asked at all? */
    uint64_t *values;
    size_t nvalues;
    int exit;
    bool asked;
    rt_joined joined;
} share;

/* The choice */

static bool is_estimated(const rt_device *device, const rt_arrays *a) {
    return device->driver->is_estimated && !a->whole.eager;
}

/* Bytes that a row of all arrays has which are exchanged. */
static double row_bytes(const rt_arrays *a, const rt_lines *lines) {
    double bytes = 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->uploads[i].count > 0 && a->results[i].count > 0)
            bytes += (double)a->shape.grids[i].bytes;
    return bytes / (double)lines->rows;
}

/* Seconds that a pass takes longer because the sweeps' own kernels make its last steps. */
static double last_steps(const rt_device *device, const rt_arrays *a, const rt_lines *lines,
                         int64_t rows, double fast) {
    double slow = rt_band_speed(device, a, lines, rows, false, rt_team_launch);
    return slow > fast ? (double)a->whole.last * (double)rows * (slow - fast) : 0;
}

/* Chooses the slabs and the pass for at most `most` devices; `all`: for all of these. Returns the
 * seconds that are saved. */
static double choose_cut(const rt_device *device, const rt_arrays *a, const rt_lines *lines,
                         unsigned most, bool all, const double *rates, rt_cut *cut) {
    rt_speed of_devices[RT_MOST_DEVICES] = {{0}};
    rt_cut_cost cost = {.pass = rt_team_pass, .queue = rt_team_queue, .of_devices = of_devices};
    bool blocked = rt_band_may_be_whole(a);
    double launches = blocked ? 1 / (double)a->whole.bt : (double)a->region->nsweeps;
    *cut = rt_band_cut(a, lines);
    cost.copy_in = row_bytes(a, lines) / rt_team_bandwidth;
    cost.queue_step = rt_team_launch * launches;
    cut->rates = rates;
    for (unsigned n = 0; n < most; n++) {
        cut->slabs = n + 1;
        int64_t rows = rt_cut_first_rows(cut) + (rt_cut_first_rows(cut) == 0);
        of_devices[n].row =
            rt_band_speed(device, a, lines, rows, n == 0 ? a->whole.can : blocked, rt_team_launch);
        if (a->whole.decides && n > 0) /* the CPU waits for all devices */
            of_devices[n].row += (n + 1) * rt_team_pass / (double)rows;
        if (blocked && n + 1 == most)
            cost.pass += last_steps(device, a, lines, rows, of_devices[n].row);
    }
    if (all || !is_estimated(device, a))
        cost = (rt_cut_cost){.compute.row = 1, .pass = (double)cut->rows / 8};
    rt_cut_among(cut, most, &cost);
    if (!is_estimated(device, a))
        return cut->slabs > 1 ? INFINITY : 0;
    double one = of_devices[cut->slabs - 1].row * (double)rt_cut_first_rows(cut);
    return (of_devices[0].row * (double)cut->rows - one) * (double)cut->steps -
           (double)cut->slabs * rt_team_pass;
}

/* Members */

static bool same_rows(const rt_band *a, const rt_band *b) {
    bool same = true;
    for (uint32_t i = 0; i < a->arrays.count && same; i++) {
        const rt_grid *x = &a->arrays.shape.grids[i], *y = &b->arrays.shape.grids[i];
        same = !rt_band_gives(a, i) ||
               (x->pitch == y->pitch && (a->whole->region->rank == 2 || x->plane == y->plane) &&
                x->box.lo[0] == y->box.lo[0] && rt_band_planes(a, i) == rt_band_planes(b, i));
    }
    return same;
}

static bool begin(share *s, unsigned i, rt_error *why) {
    rt_slab slab = rt_cut_slab(&s->team.cut, i, s->team.cut.pass);
    return rt_band_make(&s->bands[i], s->team.group.devices[i], s->whole, &s->lines,
                        rt_rest_call(s->team.passes.rest), NULL, &slab, why);
}

/* Where a failure in a later pass need not be the device's, what only the device has is kept. */
static bool describe(void *context, unsigned i, rt_error *why) {
    share *s = context;
    rt_band *b = &s->bands[i];
    if (!begin(s, i, why) || !rt_band_find_uses(b, why))
        return false;
    for (size_t k = 0; k < b->uses.count; k++)
        b->uses.at[k].guarded |= s->team.passes.open || rt_cut_passes(&s->team.cut) > 1;
    s->team.members.last = (int)s->whole->region->rank - 1;
    s->team.members.around = s->lines.round ? s->lines.rows : 0;
    s->team.members.uses[i] = b->uses.at;
    s->team.members.counts[i] = b->uses.count;
    return true;
}

/* Has the device the only copy of an array? */
static bool has_dirty(const rt_band *b) {
    bool dirty = false;
    for (size_t i = 0; i < b->uses.count; i++)
        dirty = dirty || b->uses.at[i].was_dirty;
    return dirty;
}

static bool upload(void *context, unsigned i, rt_error *why) {
    share *s = context;
    if (!s->bands[i].device && !begin(s, i, why))
        return false;
    if (!rt_band_fill(&s->bands[i], why))
        return false;
    if (!s->lines.round)
        rt_band_add_results(&s->bands[i], s->team.passes.part);
    else if (has_dirty(&s->bands[i]))
        s->team.passes.part->period = 0; /* it cannot end early */
    return i == 0 || same_rows(&s->bands[i - 1], &s->bands[i]) ||
           rt_fail(why, RT_MIXED, "%s", "rows differ");
}

static bool plan(void *context, unsigned i, int64_t steps, bool goes_on, rt_error *why) {
    share *s = context;
    (void)goes_on;
    return rt_band_plan(&s->bands[i], steps, why);
}

static bool launch(void *context, unsigned i, int64_t steps, bool goes_on, rt_error *why) {
    share *s = context;
    (void)goes_on;
    rt_band *b = &s->bands[i];
    rt_part *part = s->team.passes.part;
    bool asks = rt_ends_by_condition(s->whole->call->check);
    if (part->used_chunks) /* which had the reducer's zeros */
        rt_reducer_renew(&b->reducer);
    part->used_chunks = part->used_chunks && i + 1 < s->team.group.count;
    b->reducer.wanted =
        s->team.reduces && (s->team.decides || s->team.passes.made + steps == s->team.cut.steps);
    b->reducer.followed = asks && !s->team.decides ? s->values : NULL;
    bool ok = rt_band_launch(b, s->team.first, steps, &s->quiet, why);
    if (ok && s->team.passes.made == 0 && i == 0 && b->blocked) {
        s->blocked = true;
        s->main = s->bands[0].steps->schedule.runs[0];
    }
    return ok;
}

static bool wait(void *context, unsigned i, rt_error *why) {
    share *s = context;
    return s->team.group.devices[i]->driver->wait(s->team.group.devices[i]->handle, RT_MARK_END,
                                                  why);
}

/* Sends rows to a member where they are `on` rows later. */
static bool send_array(share *s, unsigned i, unsigned j, uint32_t array, rt_rows rows, int64_t on,
                       rt_error *why) {
    const rt_band *from = &s->bands[i], *to = &s->bands[j];
    bool ok = true;
    rt_rows all = rt_band_rows(from, array), others = rt_band_rows(to, array);
    rows.lo = rows.lo > all.lo ? rows.lo : all.lo;
    rows.lo = rows.lo > others.lo - on ? rows.lo : others.lo - on;
    rows.hi = rows.hi < all.hi ? rows.hi : all.hi;
    rows.hi = rows.hi < others.hi - on ? rows.hi : others.hi - on;
    for (int64_t p = 0; p < rt_band_planes(from, array) && ok && rows.lo < rows.hi; p++) {
        uint64_t begin = rt_band_row(from, array, rows.lo, p);
        size_t bytes = (size_t)(rt_band_row(from, array, rows.hi, p) - begin);
        ok = rt_team_send(&s->team, i, begin, j, rt_band_row(to, array, rows.lo + on, p), bytes,
                          why);
    }
    return ok;
}

static bool send(void *context, unsigned i, rt_error *why) {
    share *s = context;
    const rt_rows *own = &s->bands[i].slab.own;
    int before = rt_team_before(&s->team, i), after = rt_team_after(&s->team, i);
    bool ok = true;
    for (uint32_t a = 0; a < s->whole->count && ok; a++) {
        if (!rt_band_gives(&s->bands[i], a) ||
            (!s->team.began && rt_uses_held(&s->bands[i].uses, a)))
            continue;
        if (before >= 0) {
            int64_t on = i == 0 ? s->lines.rows : 0; /* rows by which the other one counts on */
            rt_rows rows = {own->lo, s->bands[before].slab.domain.hi - on};
            ok = send_array(s, i, (unsigned)before, a, rows, on, why);
        }
        if (after >= 0 && ok) {
            int64_t on = after == 0 ? -s->lines.rows : 0;
            rt_rows rows = {s->bands[after].slab.domain.lo - on, own->hi};
            ok = send_array(s, i, (unsigned)after, a, rows, on, why);
        }
    }
    return ok;
}

/* The steps of a loop that stops by itself */

static const stencilrt_call *call_of(const share *s) {
    return rt_rest_call(s->team.passes.rest);
}

/* Keeps the values that the CPU computed for the next step. */
static void keep_values(const share *s, int64_t step) {
    const stencilrt_region *r = s->whole->region;
    uint64_t *to = s->values + (size_t)step * s->nvalues;
    for (uint32_t i = 0; i < r->nsweeps; i++) {
        const uint64_t *slot = call_of(s)->sweeps[i].scalars;
        for (uint32_t k = 0; k < r->sweeps[i].nscalars; k++) {
            uint32_t kind = r->sweeps[i].scalars[k].kind;
            if (kind == STENCILRT_FOLLOWED)
                memcpy(to++, (const void *)(uintptr_t)*slot, sizeof *to);
            slot += kind == STENCILRT_STEPPED ? 2 : 1;
        }
    }
}

static void ask_about(share *s, int64_t step) {
    s->asked = true;
    s->exit = rt_ask_ends(call_of(s)->check, step);
    s->team.passes.stopped = s->exit != 0;
}

/* Asks about the steps of a pass in advance, if nothing is reduced. */
static bool ask(void *context, int64_t *steps, rt_error *why) {
    share *s = context;
    int64_t step = 0;
    (void)why;
    if (!rt_ends_by_condition(s->whole->call->check) || s->team.decides)
        return true;
    do {
        keep_values(s, step);
        ask_about(s, step++);
    } while (step < *steps && !s->team.passes.stopped);
    *steps = step;
    return true;
}

static bool join(void *context, unsigned i, rt_error *why) {
    share *s = context;
    if (i == 0) {
        rt_joined_end(&s->joined);
        if (!rt_joined_begin(&s->joined, s->whole->region, call_of(s)->check, why))
            return false;
    }
    return rt_joined_add(&s->joined, &s->bands[i].reducer, why);
}

static bool decide(void *context, rt_error *why) {
    share *s = context;
    if (!rt_joined_finish(&s->joined, why))
        return false;
    if (s->team.decides)
        ask_about(s, s->team.end - 1);
    return true;
}

/* Tells the program how its loop ended, and finds out what its steps wrote. */
static bool end_loop(share *s, rt_error *why) {
    stencilrt_check *check = s->whole->call->check;
    if (!check)
        return true;
    check->done = s->team.passes.made;
    check->exit = s->exit;
    return !rt_ends_by_condition(check) || rt_arrays_stop(s->whole, check->done, why);
}

static bool settle(void *context, unsigned i, bool results, rt_error *why) {
    share *s = context;
    return i > 0 || !results || end_loop(s, why);
}

static bool stage(void *context, unsigned i, rt_error *why) {
    share *s = context;
    return rt_band_stage(&s->bands[i], why);
}

static void write_back(void *context, unsigned i) {
    share *s = context;
    rt_band_write_back(&s->bands[i]);
}

static void end(void *context, unsigned i) {
    share *s = context;
    if (s->bands[i].device)
        rt_band_end(&s->bands[i]);
}

static const rt_team_work work = {.describe = describe,
                                  .upload = upload,
                                  .plan = plan,
                                  .launch = launch,
                                  .ask = ask,
                                  .join = join,
                                  .decide = decide,
                                  .send = send,
                                  .wait = wait,
                                  .settle = settle,
                                  .stage = stage,
                                  .write_back = write_back,
                                  .end = end};

/* The call */

static bool reserve_values(share *s, rt_error *why) {
    const stencilrt_region *r = s->whole->region;
    s->nvalues = rt_followed_count(r, rt_scalar_count(r));
    s->values = calloc(s->nvalues * (size_t)s->team.cut.pass + 1, sizeof *s->values);
    return s->values || rt_fail(why, RT_HOST_MEMORY, "%s", "");
}

/* Can all arrays that may stay on one device stay on several? Those without rows that are shared,
 * or with several planes of them, cannot. */
static bool can_be_spread(const share *s, const rt_uses *uses) {
    bool can = true;
    for (size_t i = 0; i < uses->count && can; i++) {
        const rt_use *u = &uses->at[i];
        can = rt_lines_has(&s->lines, s->whole, u->number);
        for (uint32_t d = s->whole->region->rank; d < 3; d++)
            can = can && u->box.hi[d] - u->box.lo[d] == 1;
    }
    return can;
}

static bool pays(share *s, rt_device *device, unsigned most, const double *rates, rt_uses *uses) {
    rt_cut *cut = &s->team.cut;
    double saved = choose_cut(device, s->whole, &s->lines, most, false, rates, cut);
    unsigned spread = rt_held_spread_over(device, uses->at, uses->count);
    if (spread > 1 && spread <= most && cut->slabs != spread) /* where the arrays are */
        saved = choose_cut(device, s->whole, &s->lines, spread, true, rates, cut);
    if (s->team.cut.slabs < 2 || !is_estimated(device, s->whole) || !rt_uses_can(uses))
        return s->team.cut.slabs > 1 && saved > 0;
    double more = rt_cost_predict_sweeps(s->whole, device->info.bytes_per_second).transfers;
    return can_be_spread(s, uses) ? rt_held_may_spread(device, uses->at, uses->count, saved, more)
                                  : saved > more;
}

static bool begin_part(share *s, rt_uses *uses, rt_error *why) {
    const rt_arrays *a = s->whole;
    size_t boxes = 0;
    for (uint32_t i = 0; i < a->count; i++)
        boxes += a->results[i].count;
    return rt_part_begin(s->team.passes.part, uses, a->call->steps,
                         boxes * (size_t)s->team.cut.slabs, why);
}

static bool run(share *s, rt_device *device, const stencilrt_call *call, rt_uses *uses,
                rt_outcome *outcome, rt_error *why) {
    rt_part *part = s->team.passes.part;
    rt_error ignored;
    double known[RT_MOST_DEVICES];
    rt_uses none = {.count = 0};
    if (!rt_lines_make(&s->lines, s->whole) || !rt_device_load(device, part->region, &ignored) ||
        !pays(s, device, rt_config_get()->devices, rt_group_given_rates(known), uses) ||
        !rt_team_open(&s->team, device, why) ||
        !pays(s, device, s->team.group.count, s->team.group.rates, uses) || !reserve_values(s, why))
        return false;
    s->team.passes.open = rt_ends_by_condition(call->check);
    /* Where rows come round, slabs have addresses of other rows. */
    bool ok = s->lines.round ? rt_sweeps_begin_part(part, s->whole, &none, why)
                             : begin_part(s, uses, why);
    part->uses = uses;
    ok = ok && rt_team_run(&s->team, call, uses, outcome, why);
    rt_part_end(part);
    outcome->main = s->main;
    outcome->blocked = s->blocked;
    return ok;
}

bool rt_share_sweeps(rt_device *device, rt_arrays *arrays, const stencilrt_call *call,
                     rt_uses *uses, rt_part *part, rt_outcome *outcome, bool *asked,
                     rt_error *why) {
    share *s = rt_config_get()->devices > 1 && rt_band_may(arrays) ? calloc(1, sizeof *s) : NULL;
    if (!s)
        return false;
    s->whole = arrays;
    s->quiet = (rt_part){.region = part->region, .given = part->given, .unpaced = true};
    s->team = (rt_team){.work = &work, .context = s};
    s->team.passes = (rt_passes){.cut = &s->team.cut, .part = part};
    s->team.reduces = arrays->call->check && rt_has_reductions(arrays->region);
    s->team.decides = arrays->whole.decides;
    part->done = 0;
    bool ok = run(s, device, call, uses, outcome, why);
    *asked = s->asked;
    rt_joined_end(&s->joined);
    rt_lines_free(&s->lines);
    free(s->values);
    free(s);
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    outcome->bandwidth = device->info.bytes_per_second;
    return ok;
}
