/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The life of held arrays: found by a call, uploaded, kept after it, sent home when the program
 * looks. held.h has the rules.
 */
#include "runtime/choose/learn.h"
#include "runtime/device/transfer.h"
#include "runtime/resident/growth.h"
#include "runtime/resident/habit.h"
#include "runtime/resident/held_array.h"
#include "runtime/resident/place.h"
#include "runtime/resident/promise.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* An array pays for staying when at least this many calls find it: moving pages of 4 KiB there and
 * back takes as long as copying them three times. */
enum { WORTH = 2 };

static struct {
    _Atomic(uint64_t) looks, fetched, entries, saved;
} counts;

/* Between the device and the program's pages, or their shadow */

static void die_of(const rt_held *h, const rt_error *why) {
    rt_die("%s failed while it held the only copy of an array of %.1f MB (%s): its values are lost",
           h->device->driver->name, 1e-6 * (double)(h->hi - h->lo), why->detail);
}

/* Needs no memory: the program may have none left by now, or wait with malloc's lock. */
static void bring_back(rt_held *h) {
    rt_buffer to = h->buffer;
    rt_error why = h->device->broken_why;
    if (h->watch)
        to.origin += rt_watch_shadow(h->watch);
    if (h->device->broken ||
        !rt_fetch_box(h->device, &h->shape, &to, &h->grid.box, h->block.address, &why))
        die_of(h, &why);
    h->dirty = false;
    atomic_fetch_add(&counts.fetched, h->hi - h->lo);
}

/* Its life */

static bool enlist(rt_held *h) {
    rt_device *device = h->device;
    if (!rt_ranges_reserve(&device->held_at, 1))
        return false;
    rt_ranges_insert(&device->held_at, (rt_range){h->lo, h->hi, 0, h});
    h->next = device->held;
    if (h->next)
        h->next->before = h;
    device->held = h;
    atomic_fetch_add(&device->arrays, 1);
    rt_learn_held(1);
    atomic_fetch_add(&device->unwatched, !h->watch);
    h->listed = true;
    return true;
}

/* What is left of it is freed later (reap): a thread that waits for its pages may hold a lock of
 * malloc or of the driver. */
static void forget(rt_held *h) {
    rt_device *device = h->device;
    if (h->listed) {
        rt_ranges_remove(&device->held_at, rt_ranges_after(&device->held_at, h->lo), 1);
        atomic_fetch_sub(&device->unwatched, !h->watch);
        atomic_fetch_sub(&device->arrays, 1);
        rt_learn_held(-1);
        *(h->before ? &h->before->next : &device->held) = h->next;
        if (h->next)
            h->next->before = h->before;
    }
    if (h->watch)
        rt_watch_end(h->watch);
    h->next = device->gone;
    device->gone = h;
}

static void reap(rt_device *device) {
    for (rt_held *h; (h = device->gone);) {
        device->gone = h->next;
        rt_device_free(device, &h->block);
        free(h->edges);
        free(h);
    }
}

static void send_home(rt_held *h) {
    const void *user = h->user;
    double start = rt_seconds();
    if (h->dirty && !(h->watch && rt_watch_is_gone(h->watch)))
        bring_back(h);
    rt_habit_told(h->key, h->entries >= WORTH);
    if (h->entries < WORTH && h->looked)
        rt_growth_was_vain(h->lo, h->hi);
    forget(h);
    rt_learn_charge(user, rt_seconds() - start);
}

static bool is_looked_at(const rt_held *h) {
    return h->watch && !rt_watch_is_quiet(h->watch);
}

static void answer(rt_held *h) {
    atomic_fetch_add(&counts.looks, 1);
    h->looked = true;
    send_home(h);
}

/* While a region has the device, that region's thread answers (rt_held_answer). The bell is rung
 * until the watch has ended. */
static void bell(void *context) {
    rt_device *device = context;
    if (!rt_device_seize_soon(device))
        return;
    for (rt_held *h; (h = rt_watch_noisy(device));)
        answer(h);
    rt_device_give(device);
}

static bool is_used(const rt_held *h, const rt_use *uses, size_t count) {
    bool used = false;
    for (size_t i = 0; i < count; i++)
        used = used || uses[i].held == h;
    return used;
}

bool rt_held_answer(rt_device *device, const rt_use *uses, size_t count, bool *answered) {
    bool all = true;
    *answered = false;
    if (!atomic_exchange(&device->asked, false))
        return true;
    for (rt_held *h = device->held, *next; h; h = next) {
        next = h->next;
        if (!is_looked_at(h))
            continue;
        if (is_used(h, uses, count)) {
            all = false;
            continue;
        }
        answer(h);
        *answered = true;
    }
    return all;
}

/* Memory that a device has pinned cannot be moved. What will be written is moved anyway, in the
 * end; what is not must be tried, for the device may write to it, and no fault would tell. */
static bool is_pinned(const rt_held *h) {
    rt_watch *w = rt_watch_begin(h->first, h->last, bell, h->device, NULL);
    bool moves = w && rt_watch_take(w);
    if (w)
        rt_watch_end(w);
    return !moves;
}

static bool watch(rt_held *h, bool written) {
    const char *ignored;
    if (rt_promised(h->lo, h->hi)) {
        h->first = h->lo;
        h->last = h->hi;
        return true;
    }
    if (!rt_watch_possible(&ignored) || !rt_watch_pages(&h->first, &h->last) ||
        !rt_watch_suits(h->lo, h->hi) || (!written && is_pinned(h)))
        return false;
    h->edges = malloc(rt_edge_bytes(h) + 1);
    h->watch = h->edges ? rt_watch_begin(h->lo, h->hi, bell, h->device, h) : NULL;
    if (h->watch)
        rt_edges_learn(h);
    return h->watch != NULL;
}

static void report(void) {
    uint64_t entries = atomic_load(&counts.entries);
    if (entries > 0)
        rt_say("arrays kept on the device: %" PRIu64 " times, %.1f MB not copied; %" PRIu64
               " looks, %.1f MB brought back",
               entries, 1e-6 * (double)atomic_load(&counts.saved), atomic_load(&counts.looks),
               1e-6 * (double)atomic_load(&counts.fetched));
}

static const rt_keeper keeper = {.send_home = rt_held_release_all, .report = report};

/* The rows' cell that a use has aligned is so in the held array, too. */
static bool lay_out(rt_held *h, const rt_use *u) {
    uintptr_t lo, hi;
    int64_t at[3];
    rt_error ignored;
    rt_use_bytes(u, &lo, &hi);
    rt_held_cell(h, (int64_t)(lo - h->lo), at);
    h->grid.aligned = at[0] - u->box.lo[0] + u->grid->aligned;
    return rt_grid_lay_out(&h->grid, 0, &ignored);
}

/* An array of these cells, some of which the use accesses, not on the device yet; NULL: it cannot
 * be held. */
static rt_held *hold(rt_device *device, const rt_extent *e, const rt_use *u) {
    rt_held *h = calloc(1, sizeof *h);
    rt_error ignored;
    if (!h)
        return NULL;
    device->keeper = &keeper;
    h->device = device;
    h->key = u->buffer->origin;
    h->lo = h->first = e->lo;
    h->hi = h->last = e->hi;
    h->grid.elem_size = e->elem_size;
    for (int d = 0; d < 3; d++) {
        h->grid.host_stride[d] = e->stride[d];
        h->grid.extent[d] = h->grid.box.hi[d] = e->cells[d];
    }
    h->buffer = (rt_buffer){.origin = (unsigned char *)h->lo};
    h->shape = (rt_shape){.grids = &h->grid, .buffers = &h->buffer};
    if (!lay_out(h, u) || !rt_device_alloc(device, h->grid.bytes, &h->block, &ignored)) {
        free(h);
        return NULL;
    }
    if (watch(h, u->written) && enlist(h))
        return h;
    forget(h);
    return NULL;
}

/* Calls */

static bool meets(const rt_use *u, uintptr_t lo, uintptr_t hi) {
    return u->lo < hi && lo < u->hi;
}

static bool is_as_it_was(const rt_held *h) {
    return !h->watch || (rt_watch_is_quiet(h->watch) && rt_edges_are_known(h));
}

/* Is the held array what all uses that meet it want? */
static bool serves(const rt_held *h, const rt_use *uses, size_t count) {
    bool good = is_as_it_was(h);
    rt_place ignored;
    for (size_t i = 0; i < count && good; i++)
        good = !meets(&uses[i], h->lo, h->hi) || rt_place_find(&uses[i], h, &ignored);
    return good;
}

/* After `serves`. */
static void give_to(rt_held *h, rt_use *uses, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (meets(&uses[i], h->lo, h->hi) && rt_place_find(&uses[i], h, &uses[i].place))
            rt_place_take(&uses[i], h);
}

/* Uses with the same distances go farther than what is held. */
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

static rt_held *first_that_meets(const rt_device *device, uintptr_t lo, uintptr_t hi) {
    const rt_ranges *set = &device->held_at;
    size_t i = rt_ranges_after(set, lo);
    return i < set->count && set->at[i].lo < hi ? set->at[i].owner : NULL;
}

static void match(rt_device *device, rt_use *uses, size_t count) {
    for (rt_held *h; (h = rt_watch_noisy(device));)
        send_home(h);
    for (size_t i = 0; i < count; i++)
        for (uintptr_t at = uses[i].lo; at < uses[i].hi;) {
            rt_held *h = first_that_meets(device, at, uses[i].hi);
            if (!h)
                break;
            at = h->hi;
            if (serves(h, uses, count)) {
                give_to(h, uses, count);
            } else {
                note_growth(h, uses, count);
                send_home(h);
            }
        }
}

/* Counts each held array that a use meets once. */
static void look_at(rt_held *h, unsigned question, rt_found *found) {
    if (h->found == question)
        return;
    h->found = question;
    found->any = true;
    found->dirty += h->dirty ? (double)(h->hi - h->lo) : 0;
    found->again += h->dirty && h->entries > 0 ? (double)(h->hi - h->lo) : 0;
}

void rt_held_find(rt_device *device, rt_use *uses, size_t count, rt_found *found) {
    static unsigned question; /* with the lock of any device: it need not be one of its own */
    bool locked =
        device && atomic_load(&device->arrays) > 0 && pthread_mutex_trylock(&device->lock) == 0;
    *found = (rt_found){.all = count > 0};
    question++;
    for (size_t i = 0; i < count; i++) {
        const rt_use *u = &uses[i];
        rt_place ignored;
        rt_held *h = locked ? first_that_meets(device, u->lo, u->hi) : NULL;
        bool there = h && is_as_it_was(h) && rt_place_find(u, h, &ignored);
        for (uintptr_t at = u->lo; h; h = first_that_meets(device, at, u->hi)) {
            look_at(h, question, found);
            at = h->hi;
        }
        found->all = found->all && there;
        found->missing += there ? 0 : u->up + u->down;
        found->risk += there || !u->wanted ? 0 : u->up + u->down;
    }
    if (locked)
        pthread_mutex_unlock(&device->lock);
}

static bool is_alone(const rt_use *uses, size_t count, size_t which) {
    uintptr_t lo, hi;
    bool alone = true;
    rt_use_bytes(&uses[which], &lo, &hi);
    for (size_t i = 0; i < count; i++)
        alone = alone && (i == which || !meets(&uses[i], lo, hi));
    return alone;
}

/* Of buffers that one grid rotates through. */
static bool are_one_layout(const rt_use *a, const rt_use *b) {
    if (!a->held || !b->held)
        return !a->held && !b->held;
    return rt_place_equals(&a->place, &b->place) && a->held->grid.pitch == b->held->grid.pitch &&
           a->held->grid.plane == b->held->grid.plane;
}

/* Have all uses of each group the same distances, and, where they are one grid's, the same place of
 * cell (0,0,0)? */
static bool groups_agree(const rt_use *uses, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            const rt_grid *a = uses[i].grid, *b = uses[k].grid;
            if (uses[i].group == uses[k].group && (a->pitch != b->pitch || a->plane != b->plane))
                return false;
            if (a == b && !are_one_layout(&uses[i], &uses[k]))
                return false;
        }
    return true;
}

/* Can the cells of one use, held, serve all uses that meet them? */
static bool may_serve(const rt_held *h, const rt_use *uses, size_t count) {
    bool good = true;
    rt_place place;
    for (size_t i = 0; i < count && good; i++)
        good = !meets(&uses[i], h->lo, h->hi) ||
               (!uses[i].held && rt_place_find(&uses[i], h, &place) && !rt_place_is_turned(&place));
    return good;
}

/* As is_regular: with little between its rows and planes. */
static bool is_dense(const rt_extent *e) {
    int64_t cells = e->cells[0] * e->cells[1] * e->cells[2];
    return cells * (int64_t)e->elem_size >= (int64_t)(e->hi - e->lo) / 4 * 3;
}

/* What sweeps used of the array before, and this one lies in. */
static bool hold_all(rt_device *device, rt_use *uses, size_t count, size_t which) {
    rt_extent part = rt_use_extent(&uses[which]), all;
    bool used = !rt_growth_find(&part, &all) || !is_dense(&all);
    for (size_t i = 0; i < count && !used; i++)
        used = uses[i].held && uses[i].held->lo < all.hi && all.lo < uses[i].held->hi;
    if (used)
        return false;
    for (rt_held *h; (h = first_that_meets(device, all.lo, all.hi));)
        send_home(h);
    rt_held *h = hold(device, &all, &uses[which]);
    if (!h)
        return false;
    if (!may_serve(h, uses, count)) {
        forget(h);
        return false;
    }
    give_to(h, uses, count);
    uses[which].fresh = true;
    return true;
}

static void hold_part(rt_device *device, rt_use *uses, size_t count, size_t which) {
    rt_use *u = &uses[which];
    rt_extent part = rt_use_extent(u);
    if (!rt_use_is_regular(u) || !is_alone(uses, count, which))
        return;
    rt_held *h = hold(device, &part, u);
    if (!h)
        return;
    u->fresh = true;
    for (int d = 0; d < 3; d++) {
        u->place.by[d] = -u->box.lo[d];
        u->place.axis[d] = d;
        u->place.falls[d] = false;
    }
    rt_place_take(u, h);
}

/* What a use writes that sees the array turned cannot be copied back as the use's own. So the pages
 * are taken before, while both copies are equal. */
static bool take_turned(const rt_use *uses, size_t count) {
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        const rt_held *h = uses[i].held;
        if (h && uses[i].written && rt_place_is_turned(&uses[i].place) && !h->dirty && h->watch)
            ok = rt_watch_take(h->watch);
    }
    return ok;
}

bool rt_held_begin(rt_device *device, rt_use *uses, size_t count, rt_error *why) {
    rt_grid *before = malloc((count + 1) * sizeof *before);
    if (!before)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (size_t i = 0; i < count; i++)
        before[i] = *uses[i].grid;
    rt_devices_guard_forks();
    bool may_hold = !rt_devices_fork();
    if (device->held)
        rt_watch_settle();
    match(device, uses, count);
    reap(device);
    for (size_t i = 0; i < count; i++) {
        rt_use *u = &uses[i];
        if (!u->held && u->wanted && u->plain && may_hold && !hold_all(device, uses, count, i))
            hold_part(device, uses, count, i);
    }
    bool taken = take_turned(uses, count);
    for (size_t i = 0; i < count; i++)
        uses[i].was_dirty = uses[i].held && uses[i].held->dirty;
    if (!taken || !groups_agree(uses, count)) {
        for (size_t i = 0; i < count; i++) {
            *uses[i].grid = before[i];
            uses[i].held = NULL;
            uses[i].fresh = uses[i].was_dirty = false;
            uses[i].block->address = 0;
        }
        for (size_t i = 0; i < count; i++)
            rt_held_release(device, uses[i].lo, uses[i].hi);
    }
    reap(device); /* what could not be watched: the call needs its memory */
    free(before);
    return true;
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

bool rt_held_upload(rt_device *device, rt_use *u, rt_error *why) {
    rt_held *h = u->held;
    bool copies = (u->guarded || u->parted) && u->written && u->was_dirty && !u->made;
    if (copies && !keep_before(device, u, why) && (u->guarded || why->reason != RT_DEVICE_MEMORY))
        return false;
    return !u->fresh ||
           rt_upload_boxes(device, &h->shape, &h->buffer, &h->grid.box, 1, h->block.address, why);
}

/* No use knows the held array any more. Its block becomes the call's own: that of the use `which`;
 * the other uses of the array only borrow the block. */
static void let_go(rt_use *uses, size_t count, size_t which) {
    rt_held *h = uses[which].held;
    rt_habit_told(h->key, false);
    h->block.address = 0;
    forget(h);
    for (size_t i = 0; i < count; i++)
        if (uses[i].held == h) {
            uses[i].held = NULL;
            uses[i].borrows = i != which;
        }
}

bool rt_held_finish(rt_use *uses, size_t count, size_t which, rt_error *why) {
    rt_use *u = &uses[which];
    rt_held *h = u->held;
    if (!u->written)
        return true;
    if (!u->was_dirty && h->watch && !rt_watch_take(h->watch)) {
        let_go(uses, count, which);
        return true;
    }
    return rt_edges_download(u, why);
}

void rt_held_return(rt_use *uses, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (uses[i].borrows)
            uses[i].block->address = 0;
}

void rt_held_commit(rt_device *device, rt_use *uses, size_t count, rt_kept *kept) {
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
            h->dirty = true;
            h->user = u->region;
        }
        h->entries += !u->fresh;
        kept->arrays++;
        kept->saved += saved;
        atomic_fetch_add(&counts.saved, (uint64_t)saved);
        atomic_fetch_add(&counts.entries, 1);
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

/* The array is what it was before the call. */
static void restore(rt_device *device, rt_use *u, bool launched) {
    rt_held *h = u->held;
    rt_device_free(device, launched ? &h->block : &u->before);
    h->block = launched ? u->before : h->block;
}

void rt_held_fail(rt_device *device, rt_use *uses, size_t count, bool launched) {
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
            die_of(h, device->broken ? &device->broken_why : &lost);
        }
        if (u->fresh || (launched && u->written)) {
            forget_in(&uses[i + 1], count - i - 1, h);
            send_home(h);
        }
    }
    for (size_t i = 0; i < count; i++)
        if (uses[i].held && uses[i].before.address)
            restore(device, &uses[i], launched);
}

void rt_held_release(rt_device *device, uintptr_t lo, uintptr_t hi) {
    for (rt_held *h; (h = first_that_meets(device, lo, hi));)
        send_home(h);
    reap(device);
}

void rt_held_settle(rt_device *device, uintptr_t lo, uintptr_t hi) {
    for (rt_held *h = device->held, *next; h; h = next) {
        next = h->next;
        if (!h->watch && lo < h->hi && h->lo < hi)
            send_home(h);
    }
    reap(device);
}

void rt_held_release_all(rt_device *device) {
    while (device->held)
        send_home(device->held);
    reap(device);
}

void rt_held_fetch(rt_device *device, uintptr_t lo, uintptr_t hi) {
    for (rt_held *h = device->held, *next; h; h = next) {
        next = h->next;
        if (lo >= h->hi || h->lo >= hi)
            continue;
        atomic_fetch_add(&counts.looks, 1);
        if (h->watch)
            send_home(h);
        else if (h->dirty)
            bring_back(h);
    }
    reap(device);
}

void rt_held_changed(rt_device *device, uintptr_t lo, uintptr_t hi) {
    for (rt_held *h = device->held, *next; h; h = next) {
        next = h->next;
        if (h->watch || lo >= h->hi || h->lo >= hi)
            continue;
        uintptr_t from = lo > h->lo ? lo : h->lo, to = hi < h->hi ? hi : h->hi;
        unsigned char *written = h->dirty ? malloc(to - from) : NULL;
        if (h->dirty && !written)
            rt_die("out of host memory for %zu bytes that the program changed", to - from);
        if (written)
            memcpy(written, (void *)from, to - from);
        send_home(h);
        if (written)
            memcpy((void *)from, written, to - from);
        free(written);
    }
    reap(device);
}
