/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The devices of a driver that work on one call.
 */
#ifndef STENCILRT_GROUP_H
#define STENCILRT_GROUP_H

#include "runtime/device/device.h"

typedef struct rt_group {
    rt_device *devices[RT_MOST_DEVICES];
    bool taken[RT_MOST_DEVICES];
    unsigned count;
    const double *rates; /* how fast the devices are, compared with each other; NULL: all alike */
    double known[RT_MOST_DEVICES];
} rt_group;

/* The device, and those that may work with it (rt_config.devices). */
void rt_group_open(rt_group *g, rt_device *device);
/* The rates that the user gave for the devices, in `known`; NULL: none. */
const double *rt_group_given_rates(double known[RT_MOST_DEVICES]);
/* Loads the region's kernels on the first g->count devices, takes these devices, and unless `hold`
 * is set sends the arrays home that stay there. Call rt_group_give also after a failure. */
bool rt_group_take(rt_group *g, const stencilrt_region *region, bool hold, rt_error *why);
void rt_group_give(rt_group *g);
/* Makes a member's device the current one, and undoes that. */
bool rt_group_enter(const rt_group *g, unsigned member, rt_error *why);
void rt_group_leave(const rt_group *g, unsigned member);
/* After a failure: waits for all devices, because each may write to the memory of others. */
void rt_group_settle(const rt_group *g);
/* Page-locks memory of the host for copies of the first `count` devices, where that is possible. To
 * be undone before the memory is unmapped, also where it was not done. */
void rt_group_lock(rt_group *g, unsigned count, unsigned char *memory, size_t bytes);
void rt_group_unlock(rt_group *g, unsigned count);
/* The bytes that can be allocated on each of the first `count` devices, about. */
size_t rt_group_room(const rt_group *g, unsigned count);

#endif
