/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The thread has no signals, and holds the lock of rt_device_open while it works. So a call that
 * wants the device at once waits for the thread, and so do a fork and the exit of the program
 * (device.c).
 */
#include "runtime/device/early.h"

#include "runtime/device/device.h"
#include <pthread.h>

static struct {
    const rt_driver *drivers[RT_EARLY_DRIVERS];
    int count;
} wanted;

static void *open_wanted(void *unused) {
    rt_device *device = NULL;
    rt_error ignored;
    for (int i = 0; i < wanted.count && !device; i++)
        device = rt_device_open_whole(wanted.drivers[i], &ignored);
    return unused;
}

void rt_early_open(const rt_driver *const *drivers, int count) {
    sigset_t signals;
    pthread_t thread;
    if (rt_processors() < 2)
        return;
    for (int i = 0; i < count; i++)
        wanted.drivers[i] = drivers[i];
    wanted.count = count;
    rt_devices_guard_forks();
    rt_signals_block(&signals);
    if (pthread_create(&thread, NULL, open_wanted, NULL) == 0)
        pthread_detach(thread);
    rt_signals_restore(&signals);
}
