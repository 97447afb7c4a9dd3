/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A table by the address of an array: the calls seen, and the calls to wait before the array is
 * held again.
 */
#include "runtime/resident/habit.h"
#include <pthread.h>

enum {
    ENTRIES = 1024, /* with more arrays, some are forgotten */
    PATIENCE = 2,   /* failures before it waits */
    MOST = 10,      /* the most times that the wait doubles */
};

typedef struct habit {
    const void *array;
    uint32_t calls, vain, wait;
    uint32_t scattered, whole; /* times; how often the array still goes home whole */
    uint32_t joined, outgrown; /* times */
    double missed;             /* seconds */
} habit;

static habit habits[ENTRIES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The caller has the lock. */
static habit *find(const void *array) {
    uint64_t hash = (uint64_t)(uintptr_t)array * 0x9E3779B97F4A7C15u;
    habit *h = &habits[hash >> 54];
    if (h->array != array)
        *h = (habit){.array = array};
    return h;
}

/* Takes the lock. In a forked child it may be taken for good. */
static bool take(void) {
    return pthread_mutex_trylock(&lock) == 0;
}

uint32_t rt_habit_comes(const void *array, bool *may) {
    *may = false;
    if (!take())
        return 0;
    habit *h = find(array);
    uint32_t calls = h->calls += h->calls < UINT32_MAX;
    *may = h->wait == 0;
    h->wait -= h->wait > 0;
    pthread_mutex_unlock(&lock);
    return calls;
}

void rt_habit_told(const void *array, bool again) {
    if (!take())
        return;
    habit *h = find(array);
    h->vain = again ? 0 : h->vain + (h->vain < MOST + PATIENCE);
    h->wait = h->vain < PATIENCE ? 0 : (1u << (h->vain - PATIENCE + 1)) - 1;
    pthread_mutex_unlock(&lock);
}

void rt_habit_joined(const void *array) {
    if (!take())
        return;
    habit *h = find(array);
    h->joined += h->joined < MOST;
    h->missed = 0;
    pthread_mutex_unlock(&lock);
}

bool rt_habit_outgrown(const void *array) {
    enum { SOME = 8 };
    if (!take())
        return false;
    habit *h = find(array);
    bool some = h->outgrown < SOME;
    h->outgrown += some;
    pthread_mutex_unlock(&lock);
    return some;
}

bool rt_habit_may_spread(const void *array, double saved, double price, bool held) {
    if (!take())
        return false;
    habit *h = find(array);
    h->missed += saved > 0 ? saved : 0;
    bool free = !held && h->joined == 0;
    bool may = free || h->missed >= price * (double)(1u << h->joined);
    pthread_mutex_unlock(&lock);
    return may;
}

bool rt_habit_may_part(const void *array) {
    if (!take())
        return false;
    habit *h = find(array);
    bool may = h->whole == 0;
    h->whole -= h->whole > 0;
    pthread_mutex_unlock(&lock);
    return may;
}

void rt_habit_scattered(const void *array) {
    if (!take())
        return;
    habit *h = find(array);
    h->scattered += h->scattered < MOST;
    h->whole = (1u << h->scattered) - 1;
    pthread_mutex_unlock(&lock);
}
