/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a thread of the program waits for a lock that another thread may have for long.
 */
#include "runtime/device/waits.h"
#include "runtime/device/loader.h"
#include <time.h>

bool rt_lock_within(pthread_mutex_t *lock, long milliseconds) {
    struct timespec until;
    if (pthread_mutex_trylock(lock) == 0)
        return true;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += milliseconds * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_mutex_timedlock(lock, &until) == 0;
}

bool rt_may_wait_in_vain(double *next, rt_error *why) {
    if (rt_seconds() < *next || rt_loader_is_free()) {
        *next = rt_seconds() < *next ? *next : rt_seconds() + 1;
        return false;
    }
    rt_fail(why, RT_LOADER, "%s", "");
    return true;
}

bool rt_lock_for_call(pthread_mutex_t *lock, rt_error *why) {
    enum { PATIENCE = 20 }; /* milliseconds */
    double next = rt_seconds() + 1;
    while (!rt_lock_within(lock, PATIENCE)) {
        rt_signals_let_end();
        if (rt_signals_wait())
            return rt_fail(why, RT_INTERRUPTED, "%s", "");
        if (rt_may_wait_in_vain(&next, why))
            return false;
    }
    return true;
}
