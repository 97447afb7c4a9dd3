/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/resident/promise.h"
#include "runtime/resident/held.h"
#include "runtime/resident/watch.h"
#include "stencilopt/region.h"
#include <pthread.h>
#include <stdlib.h>

typedef struct promise {
    uintptr_t lo, hi;
    struct promise *next;
} promise;

static promise *promises;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool rt_promised(uintptr_t lo, uintptr_t hi) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (const promise *p = promises; p && !found; p = p->next)
        found = p->lo <= lo && hi <= p->hi;
    pthread_mutex_unlock(&lock);
    return found;
}

static void add(uintptr_t lo, uintptr_t hi) {
    promise *p = malloc(sizeof *p);
    if (!p)
        return;
    pthread_mutex_lock(&lock);
    *p = (promise){lo, hi, promises};
    promises = p;
    pthread_mutex_unlock(&lock);
}

static void end(uintptr_t lo, uintptr_t hi) {
    pthread_mutex_lock(&lock);
    for (promise **link = &promises, *p; (p = *link);) {
        if (lo >= p->hi || p->lo >= hi) {
            link = &p->next;
            continue;
        }
        *link = p->next;
        free(p);
    }
    pthread_mutex_unlock(&lock);
}

static bool is_any(void) {
    pthread_mutex_lock(&lock);
    bool any = promises != NULL;
    pthread_mutex_unlock(&lock);
    return any;
}

/* Without promises it waits for no device. */
void rt_promises_settle(void) {
    rt_error ignored;
    if (rt_devices_usable(&ignored) && is_any())
        rt_devices_each(0, UINTPTR_MAX, NULL, rt_held_settle);
}

/* A promise ends before what is held by it comes home, so that nothing is held by it again. */
static int notify(int what, uintptr_t lo, uintptr_t hi) {
    rt_error ignored;
    const char *why;
    int answer = 1;
    if (what == STENCILRT_CAN_WATCH)
        return rt_watch_possible(&why);
    if (what == STENCILRT_LOOPS)
        rt_promises_settle();
    if (hi <= lo || !rt_devices_usable(&ignored))
        return 0;
    switch (what) {
    case STENCILRT_KEEP:
        if (rt_config_get()->resident)
            add(lo, hi);
        break;
    case STENCILRT_FETCH:
        rt_devices_each(lo, hi, NULL, rt_held_fetch);
        break;
    case STENCILRT_CHANGED:
        rt_devices_each(lo, hi, NULL, rt_held_changed);
        break;
    case STENCILRT_RELEASE:
        end(lo, hi);
        rt_devices_each(lo, hi, NULL, rt_held_release);
        break;
    default:
        answer = 0;
    }
    return answer;
}

__attribute__((visibility("default"))) int stencilrt_notify(int what, const void *memory,
                                                            uint64_t bytes) {
    rt_environment saved;
    if (!rt_environment_enter(&saved))
        return 0;
    int answer = notify(what, (uintptr_t)memory, (uintptr_t)memory + bytes);
    rt_environment_leave(&saved);
    return answer;
}
