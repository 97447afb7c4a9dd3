/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Before a call: where are its arrays, and where had they better be?
 */
#include "runtime/resident/habit.h"
#include "runtime/resident/held_array.h"
#include "runtime/resident/place.h"
#include <stdatomic.h>

static bool is_quiet(const rt_held *h) {
    return !h->watch || rt_watch_is_quiet(h->watch);
}

/* Counts a held array once, even if several uses meet it. */
static void look_at(rt_held *h, unsigned question, rt_found *found) {
    if (h->found == question)
        return;
    h->found = question;
    found->any = true;
    found->dirty += h->dirty ? (double)(h->hi - h->lo) : 0;
    found->again += h->dirty && h->entries > 0 ? (double)(h->hi - h->lo) : 0;
}

void rt_held_find(rt_device *device, rt_use *uses, size_t count, rt_found *found) {
    /* Any device's lock protects it: different devices may share numbers. */
    static unsigned question;
    bool locked =
        device && atomic_load(&device->arrays) > 0 && pthread_mutex_trylock(&device->lock) == 0;
    *found = (rt_found){.all = count > 0};
    question++;
    for (size_t i = 0; i < count; i++) {
        const rt_use *u = &uses[i];
        rt_place ignored;
        rt_held *h = locked ? rt_held_first(device, u->lo, u->hi) : NULL;
        bool there = h && is_quiet(h) && rt_place_find(u, h, &ignored);
        for (uintptr_t at = u->lo; h; h = rt_held_first(device, at, u->hi)) {
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

unsigned rt_held_spread_over(rt_device *device, const rt_use *uses, size_t count) {
    unsigned devices = 0;
    if (atomic_load(&device->arrays) == 0 || pthread_mutex_trylock(&device->lock) != 0)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const rt_held *h = rt_held_first(device, uses[i].lo, uses[i].hi);
        unsigned n = h ? h->nparts : 0;
        devices = i == 0 || n == devices ? n : 0;
        if (devices == 0)
            break;
    }
    pthread_mutex_unlock(&device->lock);
    return devices;
}

/* May this array be spread, with others? *spread: it is already. */
static bool may_spread(const rt_device *device, const rt_use *u, double saved, double price,
                       bool *spread) {
    const rt_held *h = rt_held_first(device, u->lo, u->hi);
    *spread = h && h->nparts > 0;
    return *spread || rt_habit_may_spread(h ? h->key : u->buffer->origin, saved, price, h != NULL);
}

/* Where arrays are, there they stay, unless the other way saves more than moving them takes. */
bool rt_held_may_spread(rt_device *device, const rt_use *uses, size_t count, double saved,
                        double price) {
    bool all = true, may = true, spread;
    if (pthread_mutex_trylock(&device->lock) != 0)
        return saved > price;
    for (size_t i = 0; i < count; i++) {
        may = may_spread(device, &uses[i], saved, price, &spread) && may;
        all = all && spread;
    }
    pthread_mutex_unlock(&device->lock);
    return saved > price || (all ? saved > -price : saved > 0 && may);
}
