/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Clears and fetches a region's reduction slots, combines them to values of the program, and asks
 * whether its time loop continues.
 */
#include "runtime/device/reduce.h"

#include "runtime/call/parameters.h"
#include "runtime/call/stops.h"
#include "runtime/call/sum.h"
#include "runtime/device/ordered.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT_BYTES = STENCILRT_SLOTS * sizeof(uint64_t), CHAINS = 4 };

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

/* Memory for what each cell adds to sums that are made in order. */
static bool reserve_addends(rt_reducer *r, const stencilrt_call *call, rt_error *why) {
    uint32_t n = 0;
    bool ok = true;
    for (uint32_t s = 0; s < r->region->nsweeps; s++) {
        const stencilrt_region *sweep = &r->region->sweeps[s];
        int64_t cells = 1;
        for (uint32_t d = 0; d < sweep->rank; d++)
            cells *= call->sweeps[s].extent[d];
        for (uint32_t i = 0; i < sweep->nreductions && ok; i++, n++) {
            if (sweep->reductions[i].op != STENCILRT_ORDERED)
                continue;
            if (!r->addends)
                r->addends = calloc(r->count, sizeof *r->addends);
            if (!r->addends)
                return rt_fail(why, RT_HOST_MEMORY, "%s", "");
            r->addends[n].count = cells;
            ok = rt_device_alloc(r->device, (size_t)cells * sweep->reductions[i].size,
                                 &r->addends[n].block, why);
        }
    }
    return ok;
}

/* Steps whose sums nobody wants store no addends: their slots are 0. */
static bool clear_once(rt_reducer *r, rt_error *why) {
    memset(r->device->chunks[0], 0, r->most * r->count * SLOT_BYTES);
    return rt_reducer_clear_all(r, r->most, why) && rt_device_pass(r->device, why);
}

bool rt_reducer_begin(rt_reducer *r, rt_device *device, void *module,
                      const stencilrt_region *region, const stencilrt_call *call, uint32_t most,
                      rt_error *why) {
    *r = (rt_reducer){
        .device = device, .module = module, .region = region, .check = call->check, .most = most};
    for (uint32_t s = 0; s < region->nsweeps; s++)
        r->count += region->sweeps[s].nreductions;
    if (r->count == 0)
        return true;
    bool ok = reserve_addends(r, call, why) &&
              rt_device_alloc(device, most * r->count * SLOT_BYTES, &r->slots, why) &&
              (!r->addends || clear_once(r, why));
    rt_reducer_renew(r);
    return ok;
}

void rt_reducer_renew(const rt_reducer *r) {
    uint64_t *slots = r->device->chunks[0];
    memset(slots, 0, r->most * r->count * SLOT_BYTES);
    for (uint32_t i = 0; i < r->count && r->addends; i++)
        slots[i * STENCILRT_SLOTS] =
            r->addends[i].block.address ? r->addends[i].block.address - r->addends[i].zero : 0;
}

void rt_reducer_end(rt_reducer *r) {
    for (uint32_t i = 0; i < r->count && r->addends; i++)
        rt_device_free(r->device, &r->addends[i].block);
    free(r->addends);
    rt_device_free(r->device, &r->slots);
    rt_device_free(r->device, &r->spare);
}

static uint64_t slots_before(const rt_reducer *r, uint32_t sweep) {
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < sweep; s++)
        bytes += r->region->sweeps[s].nreductions * SLOT_BYTES;
    return bytes;
}

uint64_t rt_reducer_slots(const rt_reducer *r, uint32_t sweep) {
    return r->slots.address + slots_before(r, sweep);
}

uint64_t rt_reducer_spare(const rt_reducer *r, uint32_t sweep) {
    return r->spare.address + slots_before(r, sweep);
}

bool rt_reducer_wants(const rt_reducer *r, int64_t step, int64_t steps) {
    if (r->shared)
        return r->wanted && step == steps - 1;
    return rt_ends_by_condition(r->check) || (r->check && step == steps - 1);
}

size_t rt_reducer_bytes(const rt_reducer *r, uint32_t steps) {
    return (size_t)steps * r->count * SLOT_BYTES;
}

bool rt_reducer_clear_all(rt_reducer *r, uint32_t steps, rt_error *why) {
    rt_copy zeros =
        rt_copy_bytes(r->slots.address, r->device->chunks[0], rt_reducer_bytes(r, steps));
    return r->count == 0 || r->device->driver->upload(r->device->handle, &zeros, why);
}

bool rt_reducer_clear(rt_reducer *r, int64_t step, int64_t steps, rt_error *why) {
    return !rt_reducer_wants(r, step, steps) || rt_reducer_clear_all(r, 1, why);
}

bool rt_reducer_fetch_from(rt_reducer *r, uint64_t address, uint32_t steps, rt_error *why) {
    const rt_driver *driver = r->device->driver;
    rt_copy slots = rt_copy_bytes(address, r->device->chunks[1], rt_reducer_bytes(r, steps));
    return r->count == 0 ||
           (driver->download(r->device->handle, &slots, why) && rt_device_pass(r->device, why));
}

bool rt_reducer_fetch_all(rt_reducer *r, uint32_t steps, rt_error *why) {
    return rt_reducer_fetch_from(r, r->slots.address, steps, why);
}

/* Of several chains of slots, which do not wait for each other: a step on chip takes no longer than
 * some thousand cycles. */
static bool reduce(const stencilrt_reduction *reduction, const uint64_t *slots, uint64_t initial,
                   uint64_t *value) {
    if (reduction->op == STENCILRT_SUM && reduction->type == STENCILRT_FLOAT)
        return rt_sum(reduction, slots, initial, value);
    uint64_t number = number_of(reduction, initial), parts[CHAINS] = {0};
    for (int i = 0; i < STENCILRT_SLOTS; i += CHAINS)
        for (int k = 0; k < CHAINS; k++)
            parts[k] = combine(reduction, parts[k], slots[i + k]);
    for (int k = 0; k < CHAINS; k++)
        number = combine(reduction, number, parts[k]);
    return value_of(reduction, number, value);
}

/* Combines the slots of step number `which` of a launch, which has no sum in order. */
static bool reduce_all(rt_reducer *r, uint32_t which) {
    const uint64_t *slots = r->device->chunks[1];
    uint32_t n = 0;
    slots += (size_t)which * r->count * STENCILRT_SLOTS;
    for (uint32_t s = 0; s < r->region->nsweeps; s++)
        for (uint32_t i = 0; i < r->region->sweeps[s].nreductions; i++, n++)
            if (!reduce(&r->region->sweeps[s].reductions[i], slots + n * STENCILRT_SLOTS,
                        r->check->initial[n], &r->check->values[n]))
                return false;
    return true;
}

/* Adds the numbers to *value. */
static bool add_up(rt_reducer *r, const stencilrt_reduction *reduction, uint32_t n, uint64_t *value,
                   rt_error *why) {
    size_t used = r->most * r->count * SLOT_BYTES;
    rt_ordered o = {.device = r->device,
                    .module = r->module,
                    .region = r->region,
                    .size = reduction->size,
                    .addends = r->addends[n].block.address +
                               (uint64_t)r->addends[n].first * reduction->size,
                    .count = r->addends[n].count,
                    .room = (unsigned char *)r->device->chunks[1] + used,
                    .bytes = RT_CHUNK_BYTES - used};
    return o.count == 0 || rt_ordered_sum(&o, value, why);
}

/* Reduces the sweeps before this one that have not been reduced in the step. */
static bool reduce_before(rt_reducer *r, uint32_t end, rt_error *why) {
    const uint64_t *slots = r->device->chunks[1];
    bool ok = true, any = false;
    uint32_t n = 0;
    for (uint32_t s = r->reduced; s < end; s++)
        for (uint32_t i = 0; i < r->region->sweeps[s].nreductions; i++)
            any |= r->region->sweeps[s].reductions[i].op != STENCILRT_ORDERED;
    if (any && !rt_reducer_fetch_all(r, 1, why))
        return false;
    for (uint32_t s = 0; s < end; s++)
        for (uint32_t i = 0; i < r->region->sweeps[s].nreductions && ok; i++, n++) {
            const stencilrt_reduction *one = &r->region->sweeps[s].reductions[i];
            if (s < r->reduced)
                continue;
            r->check->values[n] = r->check->initial[n];
            if (one->op == STENCILRT_ORDERED)
                ok = add_up(r, one, n, &r->check->values[n], why);
            else if (!reduce(one, slots + n * STENCILRT_SLOTS, r->check->initial[n],
                             &r->check->values[n]))
                ok = rt_fail(why, RT_ORDER, "of sweep %u", s);
        }
    r->reduced = end;
    return ok;
}

bool rt_reducer_between(rt_reducer *r, int64_t step, uint32_t sweep, rt_error *why) {
    if (!reduce_before(r, sweep, why))
        return false;
    rt_tell_between(r->check, step);
    return true;
}

static void ask(rt_reducer *r, int64_t step) {
    r->check->done = step + 1;
    if (rt_ends_by_condition(r->check))
        r->check->exit = rt_ask_ends(r->check, step);
}

void rt_reducer_ask(rt_reducer *r, uint32_t i, int64_t step, bool *certain) {
    *certain = reduce_all(r, i);
    if (*certain)
        ask(r, step);
}

bool rt_reducer_check(rt_reducer *r, int64_t step, int64_t steps, bool *more, rt_error *why) {
    *more = step + 1 < steps;
    if (r->shared || !rt_reducer_wants(r, step, steps))
        return true;
    if (!reduce_before(r, r->region->nsweeps, why))
        return false;
    r->reduced = 0;
    ask(r, step);
    *more = rt_ends_by_condition(r->check) ? r->check->exit == 0 : *more;
    return true;
}

/* Several devices */

/* The spare slots of sums that are made in order stay 0: nothing is stored there. */
bool rt_reducer_share(rt_reducer *r, rt_error *why) {
    size_t bytes = r->count * SLOT_BYTES;
    rt_copy zeros = rt_copy_bytes(0, r->device->chunks[0], bytes);
    r->shared = true;
    if (r->count == 0)
        return true;
    if (bytes > RT_CHUNK_BYTES)
        return rt_fail(why, RT_TOO_LARGE, "%s", "");
    if (!rt_device_alloc(r->device, bytes, &r->spare, why))
        return false;
    zeros.device = r->spare.address;
    memset(r->device->chunks[0], 0, bytes);
    bool ok =
        r->device->driver->upload(r->device->handle, &zeros, why) && rt_device_pass(r->device, why);
    rt_reducer_renew(r);
    return ok;
}

void rt_reducer_count(rt_reducer *r, uint32_t sweep, int64_t lo, int64_t hi, int64_t row,
                      int64_t ahead) {
    uint32_t n = (uint32_t)(slots_before(r, sweep) / SLOT_BYTES);
    const stencilrt_region *s = &r->region->sweeps[sweep];
    for (uint32_t i = 0; i < s->nreductions && r->addends; i++, n++) {
        r->addends[n].first = lo * row;
        r->addends[n].count = hi > lo ? (hi - lo) * row : 0;
        r->addends[n].zero = (uint64_t)(ahead * row) * s->reductions[i].size;
    }
    rt_reducer_renew(r);
}

bool rt_joined_begin(rt_joined *j, const stencilrt_region *region, const stencilrt_check *check,
                     rt_error *why) {
    uint32_t count = rt_reduction_count(region);
    *j = (rt_joined){.region = region, .check = check};
    j->slots = calloc((size_t)count * STENCILRT_SLOTS + 1, sizeof *j->slots);
    for (uint32_t n = 0; n < count; n++)
        check->values[n] = check->initial[n];
    return j->slots || rt_fail(why, RT_HOST_MEMORY, "%s", "");
}

/* Slots of all devices are combined as those of one are. */
static void combine_slots(rt_joined *j, const stencilrt_reduction *one, uint32_t n,
                          const uint64_t *slots) {
    uint64_t *all = j->slots + n * STENCILRT_SLOTS;
    for (int i = 0; i < STENCILRT_SLOTS; i++)
        all[i] = combine(one, all[i], slots[n * STENCILRT_SLOTS + i]);
}

bool rt_joined_add(rt_joined *j, rt_reducer *r, rt_error *why) {
    bool ok = rt_reducer_fetch_all(r, 1, why);
    uint32_t n = 0;
    for (uint32_t s = 0; s < j->region->nsweeps; s++)
        for (uint32_t i = 0; i < j->region->sweeps[s].nreductions && ok; i++, n++) {
            const stencilrt_reduction *one = &j->region->sweeps[s].reductions[i];
            if (one->op == STENCILRT_ORDERED)
                ok = add_up(r, one, n, &j->check->values[n], why);
            else
                combine_slots(j, one, n, r->device->chunks[1]);
        }
    return ok;
}

bool rt_joined_finish(rt_joined *j, rt_error *why) {
    uint32_t n = 0;
    for (uint32_t s = 0; s < j->region->nsweeps; s++)
        for (uint32_t i = 0; i < j->region->sweeps[s].nreductions; i++, n++) {
            const stencilrt_reduction *one = &j->region->sweeps[s].reductions[i];
            if (one->op != STENCILRT_ORDERED && !reduce(one, j->slots + n * STENCILRT_SLOTS,
                                                        j->check->initial[n], &j->check->values[n]))
                return rt_fail(why, RT_ORDER, "of sweep %u", s);
        }
    return true;
}

void rt_joined_end(rt_joined *j) {
    free(j->slots);
}
