/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Devices that share a grid: team.h.
 */
#include "runtime/run/team.h"

#include "runtime/resident/spread.h"
#include <stdlib.h>

enum { KERNELS, COPIES }; /* queues of a device */

bool rt_team_open(rt_team *t, rt_device *device, rt_error *why) {
    rt_group_open(&t->group, device);
    return t->group.count > 1 || rt_fail(why, RT_NO_DEVICE, "%s", "there is one");
}

/* Calls work for each member, while its device is the current one. */
static bool each(rt_team *t, bool (*work)(rt_team *, unsigned, int64_t, rt_error *), int64_t value,
                 rt_error *why) {
    bool ok = true;
    for (unsigned i = 0; i < t->group.count && ok; i++) {
        if (!rt_group_enter(&t->group, i, why))
            return false;
        ok = work(t, i, value, why);
        rt_group_leave(&t->group, i);
    }
    return ok;
}

static bool upload(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    (void)unused;
    return t->work->upload(t->context, i, why);
}

int rt_team_before(const rt_team *t, unsigned i) {
    return i > 0 ? (int)i - 1 : t->cut.round && t->group.count > 1 ? (int)t->group.count - 1 : -1;
}

int rt_team_after(const rt_team *t, unsigned i) {
    return i + 1 < t->group.count ? (int)i + 1 : t->cut.round && t->group.count > 1 ? 0 : -1;
}

/* Plans the last pass, and then the first one. */
static bool prepare(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    const rt_driver *driver = t->group.devices[i]->driver;
    void *device = t->group.devices[i]->handle;
    int64_t last = rt_cut_passes(&t->cut) - 1;
    int before = rt_team_before(t, i), after = rt_team_after(t, i);
    (void)unused;
    if (before >= 0)
        driver->meet(device, t->group.devices[before]->handle);
    if (after >= 0 && after != before)
        driver->meet(device, t->group.devices[after]->handle);
    return t->work->plan(t->context, i, rt_cut_steps(&t->cut, last), false, why) &&
           t->work->plan(t->context, i, rt_cut_steps(&t->cut, 0), last > 0, why) &&
           driver->mark(device, RT_MARK_EDGES, why);
}

/* From now on the device's current queue waits until its neighbours have passed their mark. */
static bool follow_neighbours(const rt_team *t, unsigned i, unsigned mark, rt_error *why) {
    const rt_device *d = t->group.devices[i];
    int before = rt_team_before(t, i), after = rt_team_after(t, i);
    bool ok = true;
    if (before >= 0)
        ok = d->driver->follow(d->handle, t->group.devices[before]->handle, mark, why);
    if (after >= 0 && after != before && ok)
        ok = d->driver->follow(d->handle, t->group.devices[after]->handle, mark, why);
    return ok;
}

/* The copies wait until the edges of both slabs are done. No later launch of the pass touches the
 * margins that they write. */
static bool send(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    const rt_driver *driver = t->group.devices[i]->driver;
    void *device = t->group.devices[i]->handle;
    (void)unused;
    return driver->turn(device, COPIES, why) &&
           driver->follow(device, device, RT_MARK_EDGES, why) &&
           follow_neighbours(t, i, RT_MARK_EDGES, why) && t->work->send(t->context, i, why) &&
           driver->mark(device, RT_MARK_SENT, why) && driver->turn(device, KERNELS, why);
}

static bool wait_for_copies(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    (void)unused;
    return t->group.devices[i]->driver->wait(t->group.devices[i]->handle, RT_MARK_SENT, why);
}

static bool describe(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    (void)unused;
    t->members.devices[i] = t->group.devices[i];
    return t->work->describe(t->context, i, why);
}

/* Finds arrays that are on the devices, or will stay there. */
static bool begin_uses(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    (void)unused;
    return i > 0 || rt_uses_begin(t->uses, t->group.devices[0], t->blocks, why);
}

static bool mark_edges(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    (void)unused;
    return t->group.devices[i]->driver->mark(t->group.devices[i]->handle, RT_MARK_EDGES, why);
}

/* Sends what other devices read of arrays that an earlier call has left, and that this device owns.
 */
static bool renew(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    const rt_driver *driver = t->group.devices[i]->driver;
    void *device = t->group.devices[i]->handle;
    (void)unused;
    return driver->turn(device, COPIES, why) &&
           driver->follow(device, device, RT_MARK_EDGES, why) &&
           rt_parts_renew(t->uses->at, t->uses->count, &t->members, i, &t->sent, why) &&
           driver->mark(device, RT_MARK_SENT, why) && driver->turn(device, KERNELS, why);
}

/* What comes next in the device's queue needs what others sent, perhaps not only its neighbours. */
static bool follow_all(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    const rt_device *d = t->group.devices[i];
    bool ok = true;
    (void)unused;
    for (unsigned k = 0; k < t->group.count && ok; k++)
        ok = d->driver->follow(d->handle, t->group.devices[k]->handle, RT_MARK_SENT, why);
    return ok;
}

static bool find_arrays(rt_team *t, rt_error *why) {
    if (t->uses->count == 0)
        return true;
    t->members.count = t->group.count;
    bool ok = each(t, describe, 0, why);
    t->uses->members = &t->members;
    ok = ok && each(t, begin_uses, 0, why) && each(t, mark_edges, 0, why) &&
         each(t, renew, 0, why) && (t->sent == 0 || each(t, follow_all, 0, why));
    if (ok)
        rt_parts_renewed(t->uses->at, t->uses->count, &t->members);
    return ok;
}

/* The first exchange is one of equal values: devices that have never exchanged take milliseconds.
 * The first pass comes after it in any case; where arrays stay, the CPU does not wait for it. */
static bool set_up(rt_team *t, rt_error *why) {
    if (!find_arrays(t, why))
        return false;
    double sent = t->sent;
    bool ok = each(t, upload, 0, why) && each(t, prepare, 0, why) && each(t, send, 0, why) &&
              (t->uses->members || each(t, wait_for_copies, 0, why));
    t->sent = sent;
    t->began = ok;
    return ok;
}

/* The mark of a pass. Few passes are queued at a time, so that a loop can end soon. */
static unsigned mark_of(const rt_team *t) {
    enum { FIRST = 4, QUEUED = 3 }; /* the marks of slices (part.h) */
    return FIRST + (unsigned)(t->passes.count % QUEUED);
}

/* The steps of a pass come after what the device sent and got. */
static bool launch(rt_team *t, unsigned i, int64_t steps, rt_error *why) {
    const rt_driver *driver = t->group.devices[i]->driver;
    void *device = t->group.devices[i]->handle;
    unsigned mark = mark_of(t);
    bool ok = t->first > 0 || ((!t->marked[mark] || driver->wait(device, mark, why)) &&
                               driver->follow(device, device, RT_MARK_SENT, why) &&
                               follow_neighbours(t, i, RT_MARK_SENT, why));
    ok = ok && t->work->launch(t->context, i, steps, t->goes_on, why) &&
         driver->mark(device, mark, why);
    t->marked[mark] |= i + 1 == t->group.count;
    return ok;
}

static bool wait_for_steps(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    (void)unused;
    return t->work->wait(t->context, i, why);
}

static bool join(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    (void)unused;
    return t->work->join(t->context, i, why);
}

/* Does the program want to know what the steps so far reduced? */
static bool are_reduced(const rt_team *t) {
    bool last = !t->passes.open && t->passes.made + t->end == t->cut.steps;
    return t->reduces && (t->decides || last);
}

/* The steps of a pass, all at once, or one after the other if each decides about the next one. */
static bool launch_all(rt_team *t, int64_t steps, rt_error *why) {
    bool ok = true, more = steps > 0;
    for (t->first = 0; ok && more; t->first = t->end) {
        t->end = t->decides ? t->first + 1 : steps;
        ok = each(t, launch, t->end, why) &&
             (!are_reduced(t) || (each(t, join, 0, why) && t->work->decide(t->context, why)));
        more = t->end < steps && !t->passes.stopped;
    }
    t->passes.took = t->end;
    return ok;
}

static bool make_pass(void *context, int64_t steps, bool goes_on, rt_error *why) {
    rt_team *t = context;
    rt_signals_let_end();
    t->goes_on = goes_on;
    bool ok = (!t->work->ask || t->work->ask(t->context, &steps, why)) && launch_all(t, steps, why);
    if (ok)
        ok =
            goes_on && !t->passes.stopped ? each(t, send, 0, why) : each(t, wait_for_steps, 0, why);
    rt_passes_show(&t->passes, t->end, t->passes.open ? 0 : t->cut.steps);
    return ok;
}

static bool settle(rt_team *t, unsigned i, int64_t results, rt_error *why) {
    return !t->work->settle || t->work->settle(t->context, i, results, why);
}

static bool finish_uses(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    (void)unused;
    return i > 0 || rt_uses_finish(t->uses, why);
}

static bool stage(rt_team *t, unsigned i, int64_t unused, rt_error *why) {
    (void)unused;
    return t->work->stage(t->context, i, why);
}

bool rt_team_send(rt_team *t, unsigned from, uint64_t source, unsigned to, uint64_t target,
                  size_t bytes, rt_error *why) {
    const rt_device *d = t->group.devices[from];
    t->sent += (double)bytes;
    return d->driver->send(d->handle, source, t->group.devices[to]->handle, target, bytes, why);
}

static void clean_up(rt_team *t) {
    rt_error ignored;
    for (unsigned i = 0; i < t->group.count; i++) {
        bool inside = t->group.taken[i] && rt_group_enter(&t->group, i, &ignored);
        t->work->end(t->context, i);
        if (t->group.taken[i])
            rt_device_trim(t->group.devices[i]);
        if (inside)
            rt_group_leave(&t->group, i);
    }
}

static void tell_split(const rt_team *t, rt_split *split) {
    *split = (rt_split){.slabs = t->cut.slabs,
                        .passes = t->passes.count,
                        .devices = t->group.count,
                        .sent = t->sent};
    for (unsigned i = 0; i < t->group.count && t->cut.rates; i++) {
        rt_rows own = rt_cut_slab(&t->cut, i, 0).own;
        int64_t rows = own.hi - own.lo;
        split->rows[i] = rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX;
    }
}

static uint64_t count_launches(const rt_team *t) {
    uint64_t launches = 0;
    for (unsigned i = 0; i < t->group.count; i++)
        launches += t->group.devices[i]->launches;
    return launches;
}

static bool run_taken(rt_team *t, rt_outcome *outcome, rt_error *why) {
    double start = rt_seconds();
    bool ok = set_up(t, why);
    double uploaded = rt_seconds();
    uint64_t launches = count_launches(t);
    ok = ok && rt_passes_make(&t->passes, t->group.devices[0], make_pass, t, why);
    double seconds = rt_seconds() - uploaded; /* exchanges included */
    t->uses->launched = count_launches(t) != launches;
    ok = ok && each(t, settle, true, why) && rt_part_keep(t->passes.part, why) &&
         each(t, finish_uses, 0, why) && each(t, stage, 0, why);
    if (!ok)
        return false;
    for (unsigned i = 0; i < t->group.count; i++)
        t->work->write_back(t->context, i);
    if (t->uses->members)
        rt_held_commit(t->group.devices[0], t->uses->at, t->uses->count, &t->members,
                       &outcome->kept);
    outcome->kernel_seconds = seconds;
    double end = rt_seconds();
    memcpy(outcome->at, (double[4]){start, uploaded, uploaded + seconds, end}, sizeof outcome->at);
    outcome->transfer_seconds = end - start - seconds;
    tell_split(t, &outcome->split);
    return true;
}

/* Something failed: arrays that stay are as they were, or go home. */
static void fail_all(rt_team *t, const rt_error *why) {
    rt_error ignored;
    for (unsigned i = 0; i < t->group.count; i++)
        settle(t, i, false, &ignored);
    bool inside = rt_group_enter(&t->group, 0, &ignored);
    rt_uses_fail(t->uses, t->group.devices[0], why);
    if (inside)
        rt_group_leave(&t->group, 0);
}

/* Blocks of the whole's uses: those on devices are the members'. */
static rt_block *make_blocks(const rt_uses *uses) {
    size_t most = 0;
    for (size_t i = 0; i < uses->count; i++)
        most = uses->at[i].number > most ? uses->at[i].number : most;
    return calloc(most + 1, sizeof(rt_block));
}

static bool run_all(rt_team *t, const stencilrt_call *call, rt_outcome *outcome, rt_error *why) {
    rt_part *part = t->passes.part;
    t->blocks = make_blocks(t->uses);
    t->passes.rest = t->blocks ? rt_rest_begin(part->region, call, part->frame) : NULL;
    if (!t->passes.rest)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    rt_uses_leave_others(t->uses, t->group.devices[0]);
    bool hold = t->uses->count > 0;
    bool ok = rt_group_take(&t->group, part->region, hold, why) && run_taken(t, outcome, why);
    if (!ok)
        rt_group_settle(&t->group);
    if (!ok && t->uses->members)
        fail_all(t, why);
    clean_up(t);
    rt_group_give(&t->group);
    return ok;
}

bool rt_team_run(rt_team *t, const stencilrt_call *call, rt_uses *uses, rt_outcome *outcome,
                 rt_error *why) {
    t->uses = uses;
    t->group.count = t->cut.slabs < t->group.count ? (unsigned)t->cut.slabs : t->group.count;
    bool ok = run_all(t, call, outcome, why);
    if (t->passes.rest)
        rt_rest_end(t->passes.rest);
    free(t->blocks);
    rt_uses_reset(uses);
    return ok;
}
