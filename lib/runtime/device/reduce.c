/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Clears and fetches a region's reduction slots, combines them to values of the program, and asks
 * whether its time loop continues.
 */
#include "runtime/device/reduce.h"

#include "runtime/call/stops.h"
#include "runtime/call/sum.h"

#include <string.h>

enum { SLOT_BYTES = STENCILRT_SLOTS * sizeof(uint64_t) };

/* From a value to the number that the kernel computes with, and back: see region.h */

static uint64_t bits_of(uint32_t size) {
    return size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1;
}

static bool is_nan(const stencilrt_reduction *r, uint64_t v) {
    uint64_t infinity = r->size == 8 ? (uint64_t)0x7ff << 52 : (uint64_t)0xff << 23;
    return (v & bits_of(r->size) >> 1) > infinity;
}

/* For a maximum, each zero has the key of the other. */
static uint64_t swap_zeros(const stencilrt_reduction *r, uint64_t v, uint64_t sign) {
    return r->op == STENCILRT_MAX && (v & ~sign) == 0 ? v ^ sign : v;
}

static uint64_t number_of(const stencilrt_reduction *r, uint64_t v) {
    uint64_t sign = (uint64_t)1 << (8 * r->size - 1), mask = bits_of(r->size);
    v &= mask;
    if (r->op == STENCILRT_SUM)
        return v;
    if (r->type == STENCILRT_FLOAT) {
        if (is_nan(r, v))
            return UINT64_MAX;
        v = swap_zeros(r, v, sign);
        v = v & sign ? ~v & mask : v ^ sign;
    } else if (r->type == STENCILRT_SIGNED) {
        v ^= sign;
    }
    return r->op == STENCILRT_MIN ? ~v : v;
}

/* The value of a slot. False if it depends on the order of the cells. */
static bool value_of(const stencilrt_reduction *r, uint64_t number, uint64_t *value) {
    uint64_t sign = (uint64_t)1 << (8 * r->size - 1), mask = bits_of(r->size);
    bool is_float = r->type == STENCILRT_FLOAT, certain = !is_float || number != UINT64_MAX;
    uint64_t v = (r->op == STENCILRT_MIN ? ~number : number) & mask;
    if (is_float && r->op != STENCILRT_SUM) {
        v = v & sign ? v ^ sign : ~v & mask;
        v = swap_zeros(r, v, sign);
        certain = certain && v != sign; /* -0.0 */
    } else if (r->type == STENCILRT_SIGNED) {
        v ^= sign;
    }
    *value = v;
    return certain;
}

static uint64_t combine(const stencilrt_reduction *r, uint64_t x, uint64_t y) {
    if (r->op == STENCILRT_SUM)
        return x + y;
    return x > y ? x : y;
}

/* The slots of all reductions. */

bool rt_reducer_begin(rt_reducer *r, rt_device *device, const stencilrt_region *region,
                      const stencilrt_call *call, uint32_t most, rt_error *why) {
    *r = (rt_reducer){.device = device, .region = region, .check = call->check, .most = most};
    for (uint32_t s = 0; s < region->nsweeps; s++)
        r->count += region->sweeps[s].nreductions;
    if (r->count == 0)
        return true;
    rt_reducer_renew(r);
    return rt_device_alloc(device, most * r->count * SLOT_BYTES, &r->slots, why);
}

void rt_reducer_renew(const rt_reducer *r) {
    memset(r->device->chunks[0], 0, r->most * r->count * SLOT_BYTES);
}

void rt_reducer_end(rt_reducer *r) {
    rt_device_free(r->device, &r->slots);
}

uint64_t rt_reducer_slots(const rt_reducer *r, uint32_t sweep) {
    uint64_t address = r->slots.address;
    for (uint32_t s = 0; s < sweep; s++)
        address += r->region->sweeps[s].nreductions * SLOT_BYTES;
    return address;
}

bool rt_reducer_wants(const rt_reducer *r, int64_t step, int64_t steps) {
    return rt_ends_by_condition(r->check) || (r->check && step == steps - 1);
}

static rt_copy copy_of(const rt_reducer *r, uint32_t steps, void *host) {
    size_t bytes = steps * r->count * SLOT_BYTES;
    return (rt_copy){.device = r->slots.address,
                     .device_pitch = bytes,
                     .host = host,
                     .host_pitch = bytes,
                     .width = bytes,
                     .rows = 1};
}

bool rt_reducer_clear_all(rt_reducer *r, uint32_t steps, rt_error *why) {
    rt_copy zeros = copy_of(r, steps, r->device->chunks[0]);
    return r->count == 0 || r->device->driver->upload(r->device->handle, &zeros, why);
}

bool rt_reducer_clear(rt_reducer *r, int64_t step, int64_t steps, rt_error *why) {
    return !rt_reducer_wants(r, step, steps) || rt_reducer_clear_all(r, 1, why);
}

bool rt_reducer_fetch_all(rt_reducer *r, uint32_t steps, rt_error *why) {
    const rt_driver *driver = r->device->driver;
    rt_copy slots = copy_of(r, steps, r->device->chunks[1]);
    return r->count == 0 ||
           (driver->download(r->device->handle, &slots, why) &&
            driver->mark(r->device->handle, 1, why) && driver->wait(r->device->handle, 1, why));
}

static bool reduce(const stencilrt_reduction *reduction, const uint64_t *slots, uint64_t initial,
                   uint64_t *value) {
    if (reduction->op == STENCILRT_SUM && reduction->type == STENCILRT_FLOAT)
        return rt_sum(reduction, slots, initial, value);
    uint64_t number = number_of(reduction, initial);
    for (int i = 0; i < STENCILRT_SLOTS; i++)
        number = combine(reduction, number, slots[i]);
    return value_of(reduction, number, value);
}

/* Combines the slots of step number `which` of a launch. If a value depends on the order of cells,
 * *sweep is the sweep that made it. */
static bool reduce_all(rt_reducer *r, uint32_t which, uint32_t *sweep) {
    const uint64_t *slots = r->device->chunks[1];
    uint32_t n = 0;
    slots += (size_t)which * r->count * STENCILRT_SLOTS;
    for (uint32_t s = *sweep = 0; s < r->region->nsweeps; *sweep = ++s)
        for (uint32_t i = 0; i < r->region->sweeps[s].nreductions; i++, n++)
            if (!reduce(&r->region->sweeps[s].reductions[i], slots + n * STENCILRT_SLOTS,
                        r->check->initial[n], &r->check->values[n]))
                return false;
    return true;
}

static void ask(rt_reducer *r, int64_t step) {
    r->check->done = step + 1;
    if (rt_ends_by_condition(r->check))
        r->check->exit = r->check->ends(r->check->context, step, r->check->values);
}

void rt_reducer_ask(rt_reducer *r, uint32_t i, int64_t step, bool *certain) {
    uint32_t ignored;
    *certain = reduce_all(r, i, &ignored);
    if (*certain)
        ask(r, step);
}

bool rt_reducer_check(rt_reducer *r, int64_t step, int64_t steps, bool *more, rt_error *why) {
    uint32_t sweep;
    *more = step + 1 < steps;
    if (!rt_reducer_wants(r, step, steps))
        return true;
    if (!rt_reducer_fetch_all(r, 1, why))
        return false;
    if (!reduce_all(r, 0, &sweep))
        return rt_fail(why, RT_ORDER, "of sweep %u", sweep);
    ask(r, step);
    *more = rt_ends_by_condition(r->check) ? r->check->exit == 0 : *more;
    return true;
}
