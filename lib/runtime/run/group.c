/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Devices that work on one call: group.h.
 */
#include "runtime/run/group.h"

#include "runtime/resident/held.h"
#include <string.h>

const double *rt_group_given_rates(double known[RT_MOST_DEVICES]) {
    const unsigned *shares = rt_config_get()->shares;
    for (unsigned i = 0; i < RT_MOST_DEVICES; i++)
        known[i] = shares[i];
    return shares[0] > 0 ? known : NULL;
}

/* Devices of other names are as fast as their memory. */
static const double *find_rates(const rt_group *g, double known[RT_MOST_DEVICES]) {
    bool alike = true, good = true;
    for (unsigned i = 0; i < g->count; i++) {
        const rt_device_info *info = &g->devices[i]->info;
        known[i] = info->bytes_per_second;
        good = good && known[i] > 0;
        alike = alike && strcmp(info->name, g->devices[0]->info.name) == 0;
    }
    return good && !alike ? known : NULL;
}

void rt_group_open(rt_group *g, rt_device *device) {
    rt_error ignored;
    unsigned most = rt_config_get()->devices;
    g->devices[0] = device;
    for (g->count = 1; g->count < most; g->count++) {
        rt_device *other = rt_device_open_other(device->driver, g->count, &ignored);
        if (!other)
            break;
        g->devices[g->count] = other;
    }
    g->rates = rt_group_given_rates(g->known);
    if (!g->rates)
        g->rates = find_rates(g, g->known);
}

/* All threads take devices in their order, so that none waits for another for good. */
bool rt_group_take(rt_group *g, const stencilrt_region *region, bool hold, rt_error *why) {
    bool ok = true;
    for (unsigned i = 0; i < g->count && ok; i++)
        ok = rt_device_load(g->devices[i], region, why);
    for (unsigned i = 0; i < g->count && ok; i++) {
        ok = g->taken[i] = rt_device_take(g->devices[i], why);
        if (ok && !hold)
            rt_held_release_all(g->devices[i]);
    }
    return ok;
}

/* Gives them back in the opposite order: each restores what was current before. */
void rt_group_give(rt_group *g) {
    for (unsigned i = g->count; i-- > 0;)
        if (g->taken[i])
            rt_device_give(g->devices[i]);
}

bool rt_group_enter(const rt_group *g, unsigned member, rt_error *why) {
    const rt_device *d = g->devices[member];
    return d->driver->enter(d->handle, why);
}

void rt_group_leave(const rt_group *g, unsigned member) {
    const rt_device *d = g->devices[member];
    d->driver->leave(d->handle);
}

void rt_group_settle(const rt_group *g) {
    rt_error ignored;
    for (unsigned i = 0; i < g->count; i++) {
        const rt_device *d = g->devices[i];
        if (!g->taken[i] || !rt_group_enter(g, i, &ignored))
            continue;
        d->driver->turn(d->handle, 0, &ignored);
        rt_device_settle(g->devices[i]);
        rt_group_leave(g, i);
    }
}

void rt_group_lock(rt_group *g, unsigned count, unsigned char *memory, size_t bytes) {
    rt_error ignored;
    if (bytes == 0 || !rt_group_enter(g, 0, &ignored))
        return;
    rt_device_lock(g->devices[0], memory, bytes);
    rt_group_leave(g, 0);
    for (unsigned i = 1; i < count; i++)
        rt_device_share_lock(g->devices[i], g->devices[0]);
}

void rt_group_unlock(rt_group *g, unsigned count) {
    rt_error ignored;
    for (unsigned i = 1; i < count; i++)
        rt_device_share_lock(g->devices[i], NULL);
    if (!g->devices[0]->locked)
        return;
    if (!rt_group_enter(g, 0, &ignored)) { /* the device has failed, and its locks with it */
        rt_device_share_lock(g->devices[0], NULL);
        return;
    }
    rt_device_unlock(g->devices[0]);
    rt_group_leave(g, 0);
}

size_t rt_group_room(const rt_group *g, unsigned count) {
    size_t least = SIZE_MAX;
    for (unsigned i = 0; i < count; i++) {
        size_t room = rt_device_room(g->devices[i]);
        least = room < least ? room : least;
    }
    return least;
}
