/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The list of promised ranges of addresses.
 */
#include "runtime/resident/promise.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct promise {
    uintptr_t lo, hi;
    struct promise *next;
} promise;

static promise *promises;
static atomic_size_t count; /* of promises */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool rt_promised(uintptr_t lo, uintptr_t hi) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (const promise *p = promises; p && !found; p = p->next)
        found = p->lo <= lo && hi <= p->hi;
    pthread_mutex_unlock(&lock);
    return found;
}

void rt_promise(uintptr_t lo, uintptr_t hi) {
    promise *p = malloc(sizeof *p);
    if (!p)
        return;
    pthread_mutex_lock(&lock);
    *p = (promise){lo, hi, promises};
    promises = p;
    atomic_fetch_add(&count, 1);
    pthread_mutex_unlock(&lock);
}

void rt_promise_end(uintptr_t lo, uintptr_t hi) {
    pthread_mutex_lock(&lock);
    for (promise **link = &promises, *p; (p = *link);) {
        if (lo >= p->hi || p->lo >= hi) {
            link = &p->next;
            continue;
        }
        *link = p->next;
        atomic_fetch_sub(&count, 1);
        free(p);
    }
    pthread_mutex_unlock(&lock);
}

/* Every call asks, also in a forked child, which may find the lock taken for good. */
bool rt_promises_any(void) {
    return atomic_load(&count) > 0;
}
