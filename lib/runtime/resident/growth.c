/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A table of boxes. Each is the smallest one that contains all parts used of an array. An entry is
 * only advice: who holds the box checks that its memory is like an array's, and watches all of it.
 */
#include "runtime/resident/growth.h"
#include <pthread.h>

enum {
    ENTRIES = 256,
    PATIENCE = 2, /* failures in a row after which an entry no longer counts */
};

typedef struct entry {
    rt_extent box;
    unsigned vain;
} entry;

static entry entries[ENTRIES];
static unsigned used, next; /* the oldest entry is replaced first */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Takes the lock. In a forked child it may be taken for good. */
static bool take(void) {
    return pthread_mutex_trylock(&lock) == 0;
}

static bool has(const rt_extent *all, const rt_extent *part) {
    rt_extent both;
    return rt_extent_join_closely(all, part, &both) && both.lo == all->lo && both.hi == all->hi;
}

/* The caller has the lock. */
static entry *find(uintptr_t lo, uintptr_t hi) {
    for (unsigned i = 0; i < used; i++)
        if (entries[i].box.lo < hi && lo < entries[i].box.hi)
            return &entries[i];
    return NULL;
}

void rt_growth_note(const rt_extent *one, const rt_extent *other) {
    rt_extent both, more;
    if (!rt_extent_join_closely(one, other, &both) || !take())
        return;
    entry *e = find(both.lo, both.hi);
    if (e && !has(&e->box, &both))
        *e = (entry){.box = rt_extent_join_closely(&e->box, &both, &more) ? more : both};
    if (!e) {
        entries[next] = (entry){.box = both};
        next = (next + 1) % ENTRIES;
        used += used < ENTRIES;
    }
    pthread_mutex_unlock(&lock);
}

bool rt_growth_find(const rt_extent *part, rt_extent *all) {
    if (!take())
        return false;
    const entry *e = find(part->lo, part->hi);
    bool more = e && e->vain < PATIENCE && has(&e->box, part) &&
                (e->box.lo < part->lo || e->box.hi > part->hi);
    if (more)
        *all = e->box;
    pthread_mutex_unlock(&lock);
    return more;
}

void rt_growth_told(uintptr_t lo, uintptr_t hi, bool again) {
    if (!take())
        return;
    entry *e = find(lo, hi);
    if (e && e->box.lo == lo && e->box.hi == hi)
        e->vain = again ? 0 : e->vain + (e->vain < PATIENCE);
    pthread_mutex_unlock(&lock);
}
