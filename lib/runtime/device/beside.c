/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A thread begins and ends to work with a device, or takes one beside another.
 */
#include "runtime/device/device.h"
#include "runtime/watch/watch.h"

/* Blocks signals. A handler that looks at an array would wait for this thread, and this thread for
 * the handler. Within a call of the program they are blocked already: see environment.c. */
void rt_device_begin_work(rt_device *device) {
    rt_watch_set_worker(device->number, true);
    device->deaf = !rt_environment_is_entered();
    if (device->deaf)
        rt_signals_block(&device->signals);
}

/* Restores the signals, and gives the lock back. */
void rt_device_end_work(rt_device *device) {
    bool deaf = device->deaf;
    sigset_t signals = device->signals;
    rt_watch_set_worker(device->number, false);
    pthread_mutex_unlock(&device->lock);
    if (deaf)
        rt_signals_restore(&signals);
}

bool rt_device_join(rt_device *device, bool *took, rt_error *why) {
    *took = !rt_watch_works_for(device->number);
    if (*took)
        pthread_mutex_lock(&device->lock);
    bool ok = device->driver->enter(device->handle, why);
    if (ok && *took)
        rt_device_begin_work(device);
    else if (*took)
        pthread_mutex_unlock(&device->lock);
    return ok;
}

void rt_device_part(rt_device *device, bool took) {
    device->driver->leave(device->handle);
    if (took)
        rt_device_end_work(device);
}
