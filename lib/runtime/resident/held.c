/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Held arrays in a call: they are found, uploaded, and after the call kept or given up. held.h has
 * the rules. life.c has the rest of an array's life.
 */
#include "runtime/device/transfer.h"
#include "runtime/resident/counts.h"
#include "runtime/resident/growth.h"
#include "runtime/resident/habit.h"
#include "runtime/resident/place.h"
#include "runtime/resident/spread.h"
#include <stdatomic.h>
#include <stdlib.h>

static bool meets(const rt_use *u, uintptr_t lo, uintptr_t hi) {
    return u->lo < hi && lo < u->hi;
}

static bool is_quiet(const rt_held *h) {
    return !h->watch || rt_watch_is_quiet(h->watch);
}

/* Do all uses that meet the held array lie in it as they must? If so, the device gets what the
 * program wrote in edges. */
static bool serves(rt_held *h, const rt_use *uses, size_t count, const rt_members *m) {
    bool good = is_quiet(h);
    rt_place ignored;
    for (size_t i = 0; i < count && good; i++)
        good = !meets(&uses[i], h->lo, h->hi) || rt_place_find(&uses[i], h, &ignored);
    return good && rt_parts_serve(h, uses, count, m) && (!h->watch || rt_edges_refresh(h));
}

/* Gives the held array to these uses. Call `serves` before. */
static void give_to(rt_held *h, rt_use *uses, size_t count, const rt_members *m) {
    for (size_t i = 0; i < count; i++) {
        if (!meets(&uses[i], h->lo, h->hi) || !rt_place_find(&uses[i], h, &uses[i].place))
            continue;
        uses[i].held = h;
        if (m)
            rt_parts_take(&uses[i], m);
        else
            rt_place_take(&uses[i], h);
    }
}

/* Notes that uses with the same distances extend beyond what is held. */
static void note_growth(const rt_held *h, const rt_use *uses, size_t count) {
    rt_extent held = {h->lo, h->hi, h->grid.elem_size, {0}, {0}};
    for (int d = 0; d < 3; d++) {
        held.stride[d] = h->grid.host_stride[d];
        held.cells[d] = rt_box_size(&h->grid.box, d);
    }
    for (size_t i = 0; i < count; i++)
        if (uses[i].plain && meets(&uses[i], h->lo, h->hi)) {
            rt_extent used = rt_place_extent(&uses[i], h);
            rt_growth_note(&held, &used);
        }
}

static void match(rt_device *device, rt_use *uses, size_t count, const rt_members *m) {
    for (rt_held *h; (h = rt_watch_noisy(device));)
        rt_held_look(h);
    for (size_t i = 0; i < count; i++)
        for (uintptr_t at = uses[i].lo; at < uses[i].hi;) {
            rt_held *h = rt_held_first(device, at, uses[i].hi);
            if (!h)
                break;
            at = h->hi;
            if (serves(h, uses, count, m)) {
                give_to(h, uses, count, m);
            } else {
                note_growth(h, uses, count);
                if (h->nparts > 0 && !m)
                    rt_habit_joined(h->key);
                h->outgrown = m && h->nparts > 0 && rt_habit_outgrown(h->key);
                rt_held_send_home(h);
            }
        }
}

static bool is_alone(const rt_use *uses, size_t count, size_t which) {
    uintptr_t lo, hi;
    bool alone = true;
    rt_use_bytes(&uses[which], &lo, &hi);
    for (size_t i = 0; i < count; i++)
        alone = alone && (i == which || !meets(&uses[i], lo, hi));
    return alone;
}

/* Are both uses buffers through which one grid rotates? */
static bool are_one_layout(const rt_use *a, const rt_use *b) {
    if (!a->held || !b->held)
        return !a->held && !b->held;
    return rt_place_equals(&a->place, &b->place) && a->held->grid.pitch == b->held->grid.pitch &&
           a->held->grid.plane == b->held->grid.plane;
}

/* Are rows as far apart, and planes? On the device a use's dimensions may run along others, or
 * backwards. */
static bool are_one_distance(const rt_grid *a, const rt_grid *b) {
    return a->pitch == b->pitch && a->plane == b->plane && a->stride[0] == b->stride[0] &&
           a->stride[1] == b->stride[1];
}

/* Do all uses of a group have the same distances? Do those of one grid have the same place of cell
 * (0,0,0)? */
static bool groups_agree(const rt_use *uses, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            const rt_grid *a = uses[i].grid, *b = uses[k].grid;
            if (uses[i].group == uses[k].group && !are_one_distance(a, b))
                return false;
            if (a == b && !are_one_layout(&uses[i], &uses[k]))
                return false;
        }
    return true;
}

/* If the cells of one use were held, would they serve all uses that meet them? */
static bool may_serve(const rt_held *h, const rt_use *uses, size_t count) {
    bool good = true;
    rt_place place;
    for (size_t i = 0; i < count && good; i++)
        good = !meets(&uses[i], h->lo, h->hi) ||
               (!uses[i].held && rt_place_find(&uses[i], h, &place) && !rt_place_is_turned(&place));
    return good;
}

/* Is there little memory between its rows and planes? */
static bool is_dense(const rt_extent *e) {
    int64_t cells = e->cells[0] * e->cells[1] * e->cells[2];
    return cells * (int64_t)e->elem_size >= (int64_t)(e->hi - e->lo) / 4 * 3;
}

/* Sends home what is held of these bytes, which may be more than the call's uses meet. False if a
 * use has one of these arrays. */
static bool make_room(rt_device *device, const rt_use *uses, size_t count, const rt_extent *e) {
    for (size_t i = 0; i < count; i++)
        if (uses[i].held && uses[i].held->lo < e->hi && e->lo < uses[i].held->hi)
            return false;
    for (rt_held *h; (h = rt_held_first(device, e->lo, e->hi));)
        rt_held_send_home(h);
    return true;
}

/* Holds the box that sweeps used of the array before, if this use lies in it. */
static bool hold_all(rt_device *device, rt_use *uses, size_t count, size_t which,
                     const rt_members *m) {
    rt_extent part = rt_use_extent(&uses[which]), all;
    if (!rt_growth_find(&part, &all) || !is_dense(&all) || !make_room(device, uses, count, &all))
        return false;
    rt_held *h = rt_held_hold(device, &all, uses, count, which, m);
    if (!h)
        return false;
    if (!may_serve(h, uses, count)) {
        rt_held_forget(h);
        return false;
    }
    uses[which].fresh = true;
    give_to(h, uses, count, m);
    return true;
}

static void hold_part(rt_device *device, rt_use *uses, size_t count, size_t which,
                      const rt_members *m) {
    rt_use *u = &uses[which];
    rt_extent part = rt_use_extent(u);
    if (!rt_use_is_regular(u) || !is_alone(uses, count, which) ||
        !make_room(device, uses, count, &part))
        return;
    rt_held *h = rt_held_hold(device, &part, uses, count, which, m);
    if (!h)
        return;
    u->fresh = true;
    if (m) {
        give_to(h, uses, count, m);
        return;
    }
    for (int d = 0; d < 3; d++) {
        u->place.by[d] = -u->box.lo[d];
        u->place.axis[d] = d;
        u->place.falls[d] = false;
    }
    rt_place_take(u, h);
}

/* A use may see the array with its dimensions exchanged. Then what it writes cannot be copied back
 * as the use's own. So the pages are taken before, while both copies are equal. */
static bool take_turned(const rt_use *uses, size_t count) {
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        const rt_held *h = uses[i].held;
        if (h && uses[i].written && rt_place_is_turned(&uses[i].place) && !h->dirty && h->watch)
            ok = rt_watch_take(h->watch);
    }
    return ok;
}

/* A program may take rights to pages away, to learn of accesses by a handler of SIGSEGV. The kernel
 * does not report that, and a device would not cause the signal. So such arrays go home, and the
 * original loops run. Are there any? To ask takes some microseconds. */
static bool leave_protected(rt_device *device, const rt_use *uses, size_t count) {
    bool any = false;
    if (!rt_watch_any() || !rt_signals_handle_faults())
        return false;
    for (size_t i = 0; i < count; i++) {
        const rt_use *u = &uses[i];
        if (rt_watch_allows(u->lo, u->hi, u->written))
            continue;
        for (rt_held *h; (h = rt_held_first(device, u->lo, u->hi));)
            rt_held_send_home(h);
        any = true;
    }
    return any;
}

/* Did another thread use an array here last? It may have unmapped or moved it, and this thread may
 * have the addresses for other memory, before the kernel has told. */
static bool take_over(const rt_device *device, const rt_use *uses, size_t count) {
    pthread_t self = pthread_self();
    bool any = false;
    for (size_t i = 0; i < count; i++)
        for (uintptr_t at = uses[i].lo; at < uses[i].hi;) {
            rt_held *h = rt_held_first(device, at, uses[i].hi);
            if (!h)
                break;
            any = any || !pthread_equal(h->thread, self);
            h->thread = self;
            at = h->hi;
        }
    return any;
}

/* Does the use have few bytes of an array that several devices hold, and of which the program may
 * look at some pages while it stays? */
static bool has_few(const rt_device *device, const rt_use *u) {
    enum { FEW = 128 }; /* of so many */
    const rt_held *h = rt_held_first(device, u->lo, u->hi);
    return h && h->nparts > 0 && h->watch && h->parts && u->lo >= h->lo && u->hi <= h->hi &&
           (u->hi - u->lo) * FEW <= h->hi - h->lo;
}

/* The original loops take less time for a few rows, which they look at, than to bring such arrays
 * home for one device. */
static bool leave_few(const rt_device *device, const rt_use *uses, size_t count) {
    bool all = count > 0 && count <= RT_WATCH_ASKED;
    for (size_t i = 0; i < count && all; i++)
        all = has_few(device, &uses[i]);
    return all;
}

/* No use has a held array, and grids are as they were. */
static void take_back(rt_use *uses, size_t count, const rt_grid *before) {
    for (size_t i = 0; i < count; i++) {
        *uses[i].grid = before[i];
        uses[i].held = NULL;
        uses[i].fresh = uses[i].was_dirty = false;
        uses[i].block->address = 0;
    }
}

static rt_grid *keep_grids(rt_grid *to, const rt_use *uses, size_t count) {
    for (size_t i = 0; i < count; i++)
        *to++ = *uses[i].grid;
    return to;
}

static bool members_agree(const rt_members *m) {
    bool agree = true;
    for (unsigned i = 0; m && i < m->count && agree; i++)
        agree = groups_agree(m->uses[i], m->counts[i]);
    return agree;
}

static void take_back_all(rt_use *uses, size_t count, const rt_members *m, const rt_grid *before) {
    take_back(uses, count, before);
    for (unsigned i = 0; m && i < m->count; before += m->counts[i++])
        take_back(m->uses[i], m->counts[i], before + count);
}

static void note_dirty(rt_use *uses, size_t count, const rt_members *m) {
    for (size_t i = 0; i < count; i++) {
        uses[i].was_dirty = uses[i].held && uses[i].held->dirty;
        for (unsigned k = 0; m && k < m->count && uses[i].held; k++)
            rt_member_use(m, k, &uses[i])->was_dirty = uses[i].was_dirty;
    }
}

bool rt_held_begin(rt_device *device, rt_use *uses, size_t count, const rt_members *m,
                   rt_error *why) {
    size_t all = count;
    rt_devices_guard_forks();
    bool may_hold = !rt_devices_fork();
    if (device->held)
        rt_watch_settle(take_over(device, uses, count));
    if (leave_protected(device, uses, count))
        return rt_fail(why, RT_PROTECTED, "%s", "");
    if (!m && leave_few(device, uses, count))
        return rt_fail(why, RT_SLOWER, "a few rows of arrays that several devices hold");
    for (unsigned i = 0; m && i < m->count; i++)
        all += m->counts[i];
    rt_grid *before = malloc((all + 1) * sizeof *before);
    if (!before)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    rt_grid *end = keep_grids(before, uses, count);
    for (unsigned i = 0; m && i < m->count; i++)
        end = keep_grids(end, m->uses[i], m->counts[i]);
    match(device, uses, count, m);
    rt_held_reap(device);
    for (size_t i = 0; i < count; i++) {
        rt_use *u = &uses[i];
        if (!u->held && u->wanted && u->plain && may_hold && !hold_all(device, uses, count, i, m))
            hold_part(device, uses, count, i, m);
    }
    bool taken = take_turned(uses, count);
    note_dirty(uses, count, m);
    if (!taken || !groups_agree(uses, count) || !members_agree(m)) {
        take_back_all(uses, count, m, before);
        for (size_t i = 0; i < count; i++)
            rt_held_release(device, uses[i].lo, uses[i].hi);
    }
    rt_held_reap(device); /* arrays that could not be watched: the call needs their memory */
    free(before);
    return !m || rt_parts_move(uses, count, m, why);
}

static bool keep_before(rt_device *device, rt_use *u, rt_error *why) {
    const rt_held *h = u->held;
    if (!rt_device_alloc(device, h->grid.bytes, &u->before, why))
        return false;
    bool ok = device->driver->copy(device->handle, u->before.address, h->block.address,
                                   h->grid.bytes, why);
    if (!ok)
        rt_device_free(device, &u->before);
    return ok;
}

/* Of a member's use: its device may not be the current one. */
static void free_before(rt_use *u) {
    rt_error ignored;
    bool took;
    if (!u->before.address || !rt_device_join(u->held->device, &took, &ignored))
        return;
    rt_device_free(u->held->device, &u->before);
    rt_device_part(u->held->device, took);
}

bool rt_held_upload(rt_device *device, rt_use *u, rt_error *why) {
    rt_held *h = u->held;
    bool copies = (u->guarded || u->parted) && u->written && u->was_dirty && !u->made;
    if (copies && !keep_before(device, u, why) && (u->guarded || why->reason != RT_DEVICE_MEMORY))
        return false;
    if (!u->fresh)
        return true;
    return h->of ? rt_part_upload(h, why)
                 : rt_upload_boxes(device, &h->shape, &h->buffer, &h->grid.box, 1, h->block.address,
                                   why);
}

/* Its block becomes the call's own, of the use with this number. Other uses of the array borrow the
 * block. */
static void give_block(rt_held *h, rt_use *uses, size_t count, uint32_t number) {
    h->block.address = 0;
    for (size_t i = 0; i < count; i++)
        if (uses[i].held == h) {
            uses[i].held = NULL;
            uses[i].borrows = uses[i].number != number;
        }
}

/* No use has the held array any more. */
static void let_go(rt_use *uses, size_t count, size_t which, const rt_members *m) {
    rt_held *h = uses[which].held;
    rt_habit_told(h->key, false);
    for (unsigned i = 0; m && i < m->count; i++)
        give_block(&h->part[i], m->uses[i], m->counts[i], uses[which].number);
    give_block(h, uses, count, uses[which].number);
    rt_held_forget(h);
}

bool rt_held_finish(rt_use *uses, size_t count, size_t which, const rt_members *m, rt_error *why) {
    rt_use *u = &uses[which];
    rt_held *h = u->held;
    if (!u->written)
        return true;
    if (!u->was_dirty && h->watch && !rt_watch_take(h->watch)) {
        let_go(uses, count, which, m);
        return true;
    }
    return rt_edges_download(u, why);
}

void rt_held_return(rt_use *uses, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (uses[i].borrows)
            uses[i].block->address = 0;
}

/* The members' blocks stay with the parts. */
static void commit_members(const rt_members *m) {
    for (unsigned i = 0; m && i < m->count; i++)
        for (size_t k = 0; k < m->counts[i]; k++)
            if (m->uses[i][k].held) {
                free_before(&m->uses[i][k]);
                m->uses[i][k].block->address = 0;
            }
}

void rt_held_commit(rt_device *device, rt_use *uses, size_t count, const rt_members *m,
                    rt_kept *kept) {
    commit_members(m);
    for (size_t i = 0; i < count; i++) {
        rt_use *u = &uses[i];
        rt_held *h = u->held;
        if (!h) {
            free(u->edges);
            continue;
        }
        uint64_t bytes = h->hi - h->lo;
        double saved = (double)(((u->read && !u->fresh) + u->written) * bytes);
        if (u->written) {
            rt_edges_write(u);
            rt_parts_written(h);
            h->dirty = true;
            h->user = u->region;
            h->pieces = 0;
            h->copied = false;
        }
        h->entries += !u->fresh;
        kept->arrays++;
        kept->saved += saved;
        rt_count(RT_COUNT_ENTRIES, 1);
        rt_count(RT_COUNT_SAVED, (uint64_t)saved);
        free(u->edges);
        rt_device_free(device, &u->before);
        u->block->address = 0;
    }
}

/* An array that several uses share goes home once. */
static void forget_in(rt_use *uses, size_t count, const rt_held *h) {
    for (size_t i = 0; i < count; i++)
        if (uses[i].held == h) {
            uses[i].held = NULL;
            uses[i].block->address = 0;
        }
}

static bool is_kept_before(const rt_use *uses, size_t count, const rt_held *h) {
    bool kept = false;
    for (size_t i = 0; i < count; i++)
        kept = kept || (uses[i].held == h && uses[i].before.address);
    return kept;
}

/* Restores the array to the state before the call. */
static void restore(rt_device *device, rt_use *u, bool launched) {
    rt_held *h = u->held;
    rt_device_free(device, launched ? &h->block : &u->before);
    h->block = launched ? u->before : h->block;
}

/* Have all members what the use's array had before the call? */
static bool have_before(const rt_members *m, const rt_use *u) {
    bool all = u->held != NULL;
    for (unsigned i = 0; i < m->count && all; i++)
        all = rt_member_use(m, i, u)->before.address != 0;
    return all;
}

/* Restores the parts, or frees what is kept for that. */
static void restore_parts(const rt_members *m, const rt_use *u, bool launched) {
    for (unsigned i = 0; i < m->count; i++) {
        rt_use *use = rt_member_use(m, i, u);
        rt_held *part = use->held;
        if (launched && use->before.address) {
            rt_block now = part->block;
            part->block = use->before;
            use->before = now;
        }
        free_before(use);
    }
    if (launched)
        rt_parts_written(u->held);
}

/* Can the array be restored? One use of it is enough. */
static bool can_restore(const rt_use *uses, size_t count, const rt_members *m, const rt_held *h) {
    bool can = false;
    for (size_t i = 0; i < count; i++)
        can = can || (uses[i].held == h && have_before(m, &uses[i]));
    return can;
}

/* The members keep their blocks. What is kept of arrays that cannot be restored is freed. */
static void leave_members(rt_use *uses, size_t count, const rt_members *m) {
    for (unsigned i = 0; i < m->count; i++)
        for (size_t k = 0; k < m->counts[i]; k++)
            if (m->uses[i][k].held)
                m->uses[i][k].block->address = 0;
    for (size_t i = 0; i < count; i++)
        if (uses[i].held && !can_restore(uses, count, m, uses[i].held))
            restore_parts(m, &uses[i], false);
}

/* As rt_held_fail below. */
static void fail_members(rt_use *uses, size_t count, const rt_members *m, bool launched) {
    leave_members(uses, count, m);
    for (size_t i = 0; i < count; i++) {
        rt_use *u = &uses[i];
        rt_held *h = u->held;
        bool lost = launched && u->written;
        free(u->edges);
        if (!h || can_restore(uses, count, m, h))
            continue;
        if (lost && u->was_dirty && !u->made) {
            const rt_device *broken = rt_held_broken(h);
            rt_error why = {.reason = RT_DEVICE, .detail = "a kernel failed"};
            rt_held_die(h, broken ? &broken->broken_why : &why);
        }
        if (u->fresh || lost) {
            forget_in(&uses[i + 1], count - i - 1, h);
            rt_held_send_home(h);
        }
    }
    for (size_t i = 0; i < count; i++)
        if (have_before(m, &uses[i]))
            restore_parts(m, &uses[i], launched);
}

void rt_held_fail(rt_device *device, rt_use *uses, size_t count, const rt_members *m,
                  bool launched) {
    if (m) {
        fail_members(uses, count, m, launched);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        rt_use *u = &uses[i];
        rt_held *h = u->held;
        free(u->edges);
        if (!h)
            continue;
        u->block->address = 0;
        if (is_kept_before(uses, count, h))
            continue;
        if (launched && u->written && u->was_dirty && !u->made) {
            rt_error lost = {.reason = RT_DEVICE, .detail = "a kernel failed"};
            rt_held_die(h, device->broken ? &device->broken_why : &lost);
        }
        if (u->fresh || (launched && u->written)) {
            forget_in(&uses[i + 1], count - i - 1, h);
            rt_held_send_home(h);
        }
    }
    for (size_t i = 0; i < count; i++)
        if (uses[i].held && uses[i].before.address)
            restore(device, &uses[i], launched);
}
