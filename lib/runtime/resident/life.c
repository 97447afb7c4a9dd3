/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The life of a held array: its memory and the watch of its pages, its way home when the program
 * looks at it or a call needs it otherwise, and its end. held.h has the rules.
 */
#include "runtime/call/bricks.h"
#include "runtime/choose/learn.h"
#include "runtime/device/transfer.h"
#include "runtime/resident/counts.h"
#include "runtime/resident/growth.h"
#include "runtime/resident/habit.h"
#include "runtime/resident/place.h"
#include "runtime/resident/promise.h"
#include "runtime/resident/spans.h"
#include "runtime/resident/spread.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls that must find an array so that it pays to keep it. Moving its pages of 4 KiB there and
 * back takes as long as copying them three times. */
enum { WORTH = 2 };

/* Between the device and the program's pages, or their shadow */

void rt_held_die(const rt_held *h, const rt_error *why) {
    rt_die("%s failed while it held the only copy of an array of %.1f MB (%s): its values are lost",
           h->device->driver->name, 1e-6 * (double)(h->hi - h->lo), why->detail);
}

/* Allocates nothing. The program may have no memory left, or wait with malloc's lock. */
static void bring_back(rt_held *h) {
    rt_buffer to = h->buffer;
    const rt_device *broken = rt_held_broken(h);
    rt_error why = {.detail = ""};
    if (broken)
        why = broken->broken_why;
    if (h->watch)
        to.origin += rt_watch_shadow(h->watch);
    if (broken || !rt_held_get(h, &to, &h->grid.box, &why))
        rt_held_die(h, &why);
    h->dirty = false;
    h->pieces = 0;
    rt_count(RT_COUNT_FETCHED, h->hi - h->lo);
}

/* Its life */

static bool enlist(rt_held *h) {
    rt_device *device = h->device;
    if (!rt_ranges_reserve(&device->held_at, 1))
        return false;
    rt_ranges_insert(&device->held_at, (rt_range){h->lo, h->hi, 0, h, false});
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

/* The rest is freed later (rt_held_reap). A thread that waits for its pages may hold a lock of
 * malloc or of the driver. */
void rt_held_forget(rt_held *h) {
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

void rt_held_reap(rt_device *device) {
    for (rt_held *h; (h = device->gone);) {
        device->gone = h->next;
        rt_device_free(device, &h->block);
        rt_parts_free(h);
        free(h->known);
        free(h->copy);
        free(h);
    }
}

void rt_held_send_home(rt_held *h) {
    const void *user = h->user;
    double start = rt_seconds();
    if (h->dirty && !(h->watch && rt_watch_is_gone(h->watch)))
        bring_back(h);
    if (!h->outgrown && (h->entries >= WORTH || !rt_learn_waits()))
        rt_habit_told(h->key, h->entries >= WORTH);
    if (h->entries >= WORTH || h->looked)
        rt_growth_told(h->lo, h->hi, h->entries >= WORTH);
    rt_held_forget(h);
    rt_learn_charge(user, rt_seconds() - start);
}

static bool is_looked_at(const rt_held *h) {
    return h->watch && !rt_watch_is_quiet(h->watch);
}

void rt_held_look(rt_held *h) {
    size_t before = h->known_bytes;
    if (rt_held_open(h)) {
        rt_count(RT_COUNT_PARTS, 1);
        rt_count(RT_COUNT_FETCHED, h->dirty ? h->known_bytes - before : 0);
        return;
    }
    rt_count(RT_COUNT_LOOKS, 1);
    h->looked = true;
    rt_held_send_home(h);
}

/* While a region has the device, its thread answers (rt_held_answer). The bell rings until the
 * watch has ended. */
static void bell(void *context) {
    rt_device *device = context;
    if (!rt_device_seize_soon(device))
        return;
    for (rt_held *h; (h = rt_watch_noisy(device));)
        rt_held_look(h);
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
    bool took;
    rt_error ignored;
    if (!atomic_exchange(&device->asked, false) || !rt_device_join(device, &took, &ignored))
        return true;
    for (rt_held *h = device->held, *next; h; h = next) {
        next = h->next;
        if (!is_looked_at(h))
            continue;
        if (is_used(h, uses, count)) {
            all = false;
            continue;
        }
        rt_held_look(h);
        *answered = true;
    }
    rt_device_part(device, took);
    return all;
}

/* Memory that a device has pinned cannot be moved. Memory that will be written is moved in any
 * case, at the end. For other memory a move is tried now: the device might write to pinned memory
 * without a page fault. */
static bool is_pinned(const rt_held *h) {
    return !rt_watch_moves(h->first, h->last, bell, h->device);
}

/* Is to move all of its pages dearer than to keep up with a few? Cells of bricks cannot be uploaded
 * alone. */
static bool suits_parts(const rt_held *h) {
    return h->last - h->first >= 32 * rt_watch_page() && !h->grid.brick[0];
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
    h->parts = suits_parts(h) && rt_habit_may_part(h->key);
    h->watch = rt_edges_begin(h) ? rt_watch_begin(h->lo, h->hi, bell, h->device, h) : NULL;
    if (h->watch)
        rt_edges_learn(h);
    return h->watch != NULL;
}

static const rt_keeper keeper = {.send_home = rt_held_release_all, .report = rt_counts_report};

rt_held *rt_held_hold(rt_device *device, const rt_extent *e, const rt_use *uses, size_t count,
                      size_t which, const rt_members *m) {
    const rt_use *u = &uses[which];
    rt_held *h = calloc(1, sizeof *h);
    rt_error ignored;
    if (!h)
        return NULL;
    device->keeper = &keeper;
    h->device = device;
    h->key = u->buffer->origin;
    h->thread = pthread_self();
    h->lo = h->first = e->lo;
    h->hi = h->last = e->hi;
    h->grid.elem_size = e->elem_size;
    for (int d = 0; d < 3; d++) {
        h->grid.host_stride[d] = e->stride[d];
        h->grid.extent[d] = h->grid.box.hi[d] = e->cells[d];
    }
    h->buffer = (rt_buffer){.origin = (unsigned char *)h->lo};
    h->shape = (rt_shape){.grids = &h->grid, .buffers = &h->buffer};
    bool ok =
        rt_held_lay_out(h, u) && (m ? rt_parts_make(h, uses, count, m)
                                    : rt_device_alloc(device, h->grid.bytes, &h->block, &ignored));
    if (ok && watch(h, u->written) && enlist(h))
        return h;
    rt_held_forget(h);
    return NULL;
}

rt_held *rt_held_first(const rt_device *device, uintptr_t lo, uintptr_t hi) {
    const rt_ranges *set = &device->held_at;
    size_t i = rt_ranges_after(set, lo);
    return i < set->count && set->at[i].lo < hi ? set->at[i].owner : NULL;
}

/* What the program asks for, or another call needs */

void rt_held_release(rt_device *device, uintptr_t lo, uintptr_t hi) {
    for (rt_held *h; (h = rt_held_first(device, lo, hi));)
        rt_held_send_home(h);
    rt_held_reap(device);
}

void rt_held_settle(rt_device *device, uintptr_t lo, uintptr_t hi) {
    for (rt_held *h = device->held, *next; h; h = next) {
        next = h->next;
        if (!h->watch && lo < h->hi && h->lo < hi)
            rt_held_send_home(h);
    }
    rt_held_reap(device);
}

void rt_held_release_all(rt_device *device) {
    while (device->held)
        rt_held_send_home(device->held);
    rt_held_reap(device);
}

static void count_piece(const rt_held *h, uintptr_t lo, uintptr_t hi, bool down, bool up) {
    size_t bytes = (hi < h->hi ? hi : h->hi) - (lo > h->lo ? lo : h->lo);
    rt_count(RT_COUNT_PARTS, down || up);
    rt_count(RT_COUNT_BACK, down ? bytes : 0);
    rt_count(RT_COUNT_THERE, up ? bytes : 0);
}

void rt_held_fetch(rt_device *device, uintptr_t lo, uintptr_t hi) {
    for (rt_held *h = device->held, *next; h; h = next) {
        next = h->next;
        if (lo >= h->hi || h->lo >= hi)
            continue;
        if (!h->watch && (!h->dirty || rt_piece_fetch(h, lo, hi))) {
            count_piece(h, lo, hi, h->dirty, false);
            continue;
        }
        rt_count(RT_COUNT_LOOKS, 1);
        if (h->watch)
            rt_held_send_home(h);
        else
            bring_back(h);
    }
    rt_held_reap(device);
}

void rt_held_changed(rt_device *device, uintptr_t lo, uintptr_t hi) {
    for (rt_held *h = device->held, *next; h; h = next) {
        next = h->next;
        if (h->watch || lo >= h->hi || h->lo >= hi)
            continue;
        if (rt_piece_changed(h, lo, hi)) {
            count_piece(h, lo, hi, false, true);
            continue;
        }
        uintptr_t from = lo > h->lo ? lo : h->lo, to = hi < h->hi ? hi : h->hi;
        unsigned char *written = h->dirty ? malloc(to - from) : NULL;
        if (h->dirty && !written)
            rt_die("out of host memory for %zu bytes that the program changed", to - from);
        if (written)
            memcpy(written, (void *)from, to - from);
        rt_held_send_home(h);
        if (written)
            memcpy((void *)from, written, to - from);
        free(written);
    }
    rt_held_reap(device);
}

void rt_held_changed_there(rt_device *device, uintptr_t lo, uintptr_t hi) {
    for (rt_held *h = device->held; h; h = h->next)
        if (!h->watch && lo < h->hi && h->lo < hi) {
            h->dirty = true;
            h->copied = false;
        }
}

void rt_held_locate(rt_device *device, uintptr_t question, uintptr_t end) {
    stencilrt_location *place = (stencilrt_location *)question;
    uintptr_t lo = (uintptr_t)place->memory;
    (void)end;
    rt_held *h = rt_held_first(device, lo, lo + place->bytes);
    if (h && !h->watch)
        place->device = rt_piece_address(h, lo, lo + place->bytes);
}

/* The first array with bytes between the first and the last of the pieces, or NULL. */
static rt_held *find_any(const rt_device *device, const stencilrt_rows *rows) {
    uintptr_t lo = (uintptr_t)rows->memory;
    return rt_held_first(device, lo, lo + (rows->count - 1) * rows->distance + rows->bytes);
}

/* Nothing is to be done where the device has nothing of the pieces, or only what the program has.
 */
void rt_held_fetch_rows(rt_device *device, uintptr_t question, uintptr_t end) {
    stencilrt_rows *rows = (stencilrt_rows *)question;
    rt_held *h = find_any(device, rows);
    (void)end;
    if (!h)
        return;
    if (h->watch || !rt_piece_fetch_rows(h, rows)) {
        rows->done = 0;
        return;
    }
    rt_count(RT_COUNT_PARTS, h->dirty);
    rt_count(RT_COUNT_BACK, h->dirty ? rows->bytes * rows->count : 0);
}

void rt_held_changed_rows(rt_device *device, uintptr_t question, uintptr_t end) {
    stencilrt_rows *rows = (stencilrt_rows *)question;
    rt_held *h = find_any(device, rows);
    (void)end;
    if (!h)
        return;
    if (h->watch || !rt_piece_changed_rows(h, rows)) {
        rows->done = 0;
        return;
    }
    rt_count(RT_COUNT_PARTS, 1);
    rt_count(RT_COUNT_THERE, rows->bytes * rows->count);
}
