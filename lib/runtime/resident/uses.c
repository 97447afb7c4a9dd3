/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Describes a call's arrays for held.c: their boxes of cells, what is read and written, and which
 * of them are worth holding.
 */
#include "runtime/resident/uses.h"
#include "runtime/device/transfer.h"
#include "runtime/resident/habit.h"
#include "runtime/resident/promise.h"
#include "runtime/watch/watch.h"
#include <stdatomic.h>
#include <stdlib.h>

/* Do the steps take so long that a copy on the device, which takes as long as a step, does not
 * matter? */
static bool may_be_parted(int64_t steps) {
    enum { WORTH_A_COPY = 64 };
    return steps >= WORTH_A_COPY || rt_config_get()->part > 0;
}

/* One sweep */

static void add_box(rt_use *u, const rt_box *box, bool *empty) {
    for (int d = 0; d < 3; d++) {
        if (*empty || box->lo[d] < u->box.lo[d])
            u->box.lo[d] = box->lo[d];
        if (*empty || box->hi[d] > u->box.hi[d])
            u->box.hi[d] = box->hi[d];
    }
    *empty = false;
}

static void add_port(rt_use *u, const rt_shape *shape, const stencilrt_port *port, bool *empty) {
    int64_t first;
    if (port->grid != u->buffer->grid ||
        !rt_port_touches(shape->region, port, u->buffer->number, shape->steps, &first))
        return;
    for (uint32_t i = 0; i < port->noffsets; i++) {
        rt_box box = rt_domain(u->grid);
        for (int d = 0; d < 3; d++) {
            box.lo[d] += port->offsets[3 * i + (uint32_t)d];
            box.hi[d] += port->offsets[3 * i + (uint32_t)d];
        }
        add_box(u, &box, empty);
    }
}

/* Adds the cells of all buffers through which a grid rotates, because they have one layout. For
 * blocked kernels the grid's box also has pads. */
static void add_grid(rt_use *u, const rt_shape *shape, bool *empty) {
    const stencilrt_grid *grid = &shape->region->grids[u->buffer->grid];
    for (uint32_t i = 0; i < grid->buffers; i++) {
        const rt_buffer *b = &shape->buffers[grid->first_buffer + i];
        if (b->read || b->written)
            add_box(u, &b->cells, empty);
    }
}

/* Bytes of the domain only, because halos are thin. */
static double domain_bytes(const rt_shape *shape, const rt_buffer *b) {
    const rt_grid *grid = &shape->grids[b->grid];
    return (double)grid->elem_size * (double)grid->extent[0] * (double)grid->extent[1] *
           (double)grid->extent[2];
}

static void make_use(rt_uses *uses, rt_shape *shape, uint32_t number) {
    const stencilrt_region *r = shape->region;
    const rt_buffer *b = &shape->buffers[number];
    rt_use *u = &uses->at[uses->count];
    rt_box *domain = &uses->domains[uses->count];
    bool empty = true;
    *domain = rt_domain(&shape->grids[b->grid]);
    uses->results[uses->count++] = (rt_boxes){.at = domain, .count = b->written};
    *u = (rt_use){.buffer = b,
                  .grid = &shape->grids[b->grid],
                  .number = number,
                  .lo = b->lo,
                  .hi = b->hi,
                  .results = u - uses->at + uses->results,
                  .group = b->grid,
                  .read = b->read,
                  .written = b->written,
                  .made = !b->read || b->domain_made_here,
                  .parted = may_be_parted(shape->steps),
                  .turns = shape->steps == 1 && shape->bt == 0};
    u->up = b->read && !b->domain_made_here ? domain_bytes(shape, b) : 0;
    u->down = b->written ? domain_bytes(shape, b) : 0;
    u->plain =
        (shape->bt == 0 || !shape->older) && !shape->call->copy && r->grids[b->grid].broadcast == 0;
    for (uint32_t p = 0; p < r->nports; p++)
        add_port(u, shape, &r->ports[p], &empty);
    if (b->written)
        add_box(u, domain, &empty);
    if (r->grids[b->grid].buffers > 1)
        add_grid(u, shape, &empty);
}

static bool reserve(rt_uses *uses, size_t count, rt_error *why) {
    *uses = (rt_uses){.at = calloc(count + 1, sizeof *uses->at),
                      .results = calloc(count + 1, sizeof *uses->results),
                      .domains = calloc(count + 1, sizeof *uses->domains)};
    return (uses->at && uses->results && uses->domains) || rt_fail(why, RT_HOST_MEMORY, "%s", "");
}

/* Kernels know one distance of bricks for all arrays. So these form one group, if their elements
 * are of one size; otherwise none of them stays. */
static void join_bricks(rt_uses *uses) {
    const rt_use *first = NULL;
    bool equal = true;
    for (size_t i = 0; i < uses->count; i++) {
        const rt_use *u = &uses->at[i];
        first = !first && u->grid->brick[0] ? u : first;
        equal = equal && (!u->grid->brick[0] || u->grid->elem_size == first->grid->elem_size);
    }
    for (size_t i = 0; i < uses->count; i++) {
        rt_use *u = &uses->at[i];
        u->plain = u->plain && (equal || !u->grid->brick[0]);
        u->group = u->grid->brick[0] ? first->group : u->group;
    }
}

bool rt_uses_make(rt_uses *uses, rt_shape *shape, rt_error *why) {
    if (!reserve(uses, shape->region->nbuffers, why))
        return false;
    for (uint32_t i = 0; i < shape->region->nbuffers; i++)
        if (shape->buffers[i].read || shape->buffers[i].written)
            make_use(uses, shape, i);
    join_bricks(uses);
    return true;
}

/* Several sweeps */

static void add_view(rt_use *u, const rt_arrays *a, const rt_view *v, bool *empty) {
    rt_box box = v->box;
    for (int d = 0; d < 3; d++) {
        box.lo[d] += v->at[d];
        box.hi[d] += v->at[d];
    }
    u->lo = *empty || v->lo < u->lo ? v->lo : u->lo;
    u->hi = *empty || v->hi > u->hi ? v->hi : u->hi;
    u->plain &= a->region->sweeps[v->sweep].grids[v->grid].broadcast == 0;
    add_box(u, &box, empty);
}

static void make_array_use(rt_use *u, rt_arrays *a, uint32_t number) {
    bool empty = true;
    *u = (rt_use){.buffer = &a->shape.buffers[number],
                  .grid = &a->shape.grids[number],
                  .number = number,
                  .results = &a->results[number],
                  .group = number,
                  .read = a->uploads[number].count > 0,
                  .written = a->results[number].count > 0,
                  .made = !rt_boxes_meet(&a->uploads[number], &a->results[number]),
                  .guarded = rt_has_reductions(a->region),
                  .parted = may_be_parted(a->call->steps),
                  .plain = !a->shape.buffers[number].unsure,
                  .up = rt_arrays_bytes(a, number, &a->uploads[number]),
                  .down = rt_arrays_bytes(a, number, &a->results[number])};
    for (uint32_t i = 0; i < a->nviews; i++)
        if (a->views[i].array == number)
            add_view(u, a, &a->views[i], &empty);
    u->turns = a->call->steps == 1 && !a->whole.can;
}

/* Puts the buffers through which a sweep's grid rotates into one group, because they have one
 * layout. */
static void join_groups(rt_uses *uses, const rt_arrays *a) {
    for (uint32_t i = 0; i < a->nviews; i++) {
        const rt_view *x = rt_view_before(a, i), *y = &a->views[i];
        if (!x)
            continue;
        uint32_t from = uses->at[x->array].group, to = uses->at[y->array].group;
        for (size_t k = 0; k < uses->count; k++)
            if (uses->at[k].group == from)
                uses->at[k].group = to;
    }
}

bool rt_uses_make_sweeps(rt_uses *uses, rt_arrays *a, rt_error *why) {
    if (!reserve(uses, a->count, why))
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        make_array_use(&uses->at[uses->count++], a, i);
    join_groups(uses, a);
    join_bricks(uses);
    return true;
}

/* All uses */

void rt_uses_free(rt_uses *uses) {
    free(uses->at);
    free(uses->results);
    free(uses->domains);
}

bool rt_uses_want(rt_uses *uses, const void *region, bool at_once) {
    /* The call from which on an array is left on the device: if that pays in any case, and
     * otherwise. */
    enum { LEAVE = 2, TRY = 3 };
    bool all = uses->might = uses->count > 0;
    for (size_t i = 0; i < uses->count; i++) {
        rt_use *u = &uses->at[i];
        bool may;
        uint32_t calls = rt_habit_comes(u->buffer->origin, &may);
        u->region = region;
        u->wanted = u->plain && may && (at_once || calls >= LEAVE);
        uses->might = uses->might && u->plain && may;
        all = all && u->wanted && (at_once || calls >= TRY);
    }
    return all;
}

static void say_once(const char *why) {
    static atomic_bool said;
    if (rt_config_get()->report && !atomic_exchange(&said, true))
        rt_say("arrays are copied at each entry: %s", why);
}

static void say_guarded(void) {
    static atomic_bool said;
    if (rt_watch_is_guarded() && rt_config_get()->report && !atomic_exchange(&said, true))
        rt_say("arrays stay on the device; system calls are trapped, because userfaultfd for them "
               "is not permitted");
}

bool rt_uses_can(rt_uses *uses) {
    bool all = uses->count > 0;
    const char *why;
    for (size_t i = 0; i < uses->count; i++) {
        rt_use *u = &uses->at[i];
        if (u->wanted && !rt_promised(u->lo, u->hi) && !rt_watch_possible(&why)) {
            u->wanted = false;
            say_once(why);
        }
        if (u->wanted && !rt_promised(u->lo, u->hi))
            say_guarded();
        all = all && u->wanted;
    }
    return all;
}

bool rt_uses_begin(rt_uses *uses, rt_device *device, rt_block *blocks, rt_error *why) {
    for (size_t i = 0; i < uses->count; i++)
        uses->at[i].block = &blocks[uses->at[i].number];
    if (uses->count > 0)
        return rt_held_begin(device, uses->at, uses->count, uses->members, why);
    /* The call's arrays are not described, and it reads memory of the host. */
    rt_held_release_all(device);
    return true;
}

bool rt_uses_upload(rt_uses *uses, rt_device *device, rt_error *why) {
    bool ok = true;
    for (size_t i = 0; i < uses->count && ok; i++)
        ok = !uses->at[i].held || rt_held_upload(device, &uses->at[i], why);
    return ok;
}

bool rt_uses_finish(rt_uses *uses, rt_error *why) {
    bool ok = true;
    for (size_t i = 0; i < uses->count && ok; i++)
        ok = !uses->at[i].held || rt_held_finish(uses->at, uses->count, i, uses->members, why);
    return ok;
}

void rt_uses_return(rt_uses *uses) {
    rt_held_return(uses->at, uses->count);
}

void rt_uses_fail(rt_uses *uses, rt_device *device, const rt_error *why) {
    rt_held_fail(device, uses->at, uses->count, uses->members, uses->launched);
    if (why->reason != RT_DEVICE_MEMORY || !device->held)
        return;
    rt_held_release_all(device);
    uses->made_room = true;
}

void rt_uses_leave_others(const rt_uses *uses, const rt_device *device) {
    for (size_t i = 0; i < uses->count; i++)
        rt_devices_each(uses->at[i].lo, uses->at[i].hi, device, rt_held_release);
    if (uses->count == 0)
        rt_devices_each(0, UINTPTR_MAX, device, rt_held_release);
}

void rt_uses_reset(rt_uses *uses) {
    for (size_t i = 0; i < uses->count; i++) {
        rt_use *u = &uses->at[i];
        u->held = NULL;
        u->block = NULL;
        u->edges = NULL;
        u->fresh = u->borrows = u->was_dirty = false;
    }
    uses->members = NULL;
    uses->launched = false;
}

void rt_uses_want_none(rt_uses *uses) {
    for (size_t i = 0; i < uses->count; i++)
        uses->at[i].wanted = false;
    uses->made_room = false;
}

const rt_use *rt_uses_find(const rt_uses *uses, uint32_t number) {
    const rt_use *found = NULL;
    for (size_t i = 0; i < uses->count && !found; i++)
        found = uses->at[i].number == number ? &uses->at[i] : NULL;
    return found;
}

bool rt_uses_held(const rt_uses *uses, uint32_t number) {
    bool held = false;
    for (size_t i = 0; i < uses->count; i++)
        held = held || (uses->at[i].number == number && uses->at[i].held);
    return held;
}
