/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of the watch share: the lock, the address spaces, pools of memory, and the queue
 * of bells.
 */
#include "runtime/watch/watch_state.h"
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t rt_watch_lock = PTHREAD_MUTEX_INITIALIZER;
rt_space rt_program = {.fd = -1};
rt_space *rt_children;
rt_ranges rt_claimed;
rt_watch *rt_noisy;
bool rt_watch_refused;
unsigned char *rt_canary;
size_t rt_page;

static pthread_cond_t rung = PTHREAD_COND_INITIALIZER;

/* Pools: lists of free ones, linked by their first word */

enum { POOL_BYTES = 64 << 10 };

static void *take_free(void **pool, size_t size) {
    if (!*pool) {
        unsigned char *more =
            mmap(NULL, POOL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED)
            return NULL;
        for (size_t at = 0; at + size <= POOL_BYTES; at += size) {
            *(void **)(more + at) = *pool;
            *pool = more + at;
        }
    }
    void *taken = *pool;
    *pool = *(void **)taken;
    return taken;
}

static void give_free(void **pool, void *memory) {
    *(void **)memory = *pool;
    *pool = memory;
}

static void *free_watches, *free_spaces;

rt_watch *rt_watch_new(void) {
    rt_watch *w = take_free(&free_watches, sizeof *w);
    if (w)
        *w = (rt_watch){.shadow = NULL};
    return w;
}

void rt_watch_delete(rt_watch *w) {
    give_free(&free_watches, w);
}

/* Bells */

static void make_noisy(rt_watch *w) {
    if (w->noisy)
        return;
    w->noisy = true;
    w->next = rt_noisy;
    w->noisy_link = &rt_noisy;
    if (w->next)
        w->next->noisy_link = &w->next;
    rt_noisy = w;
}

void rt_watch_hush(rt_watch *w) {
    if (!w->noisy)
        return;
    *w->noisy_link = w->next;
    if (w->next)
        w->next->noisy_link = w->noisy_link;
    w->noisy = w->rang = w->changed = w->whole = false;
    w->asked_count = 0;
}

static void ring(rt_watch *w) {
    w->rang = true;
    make_noisy(w);
    pthread_cond_signal(&rung);
}

void rt_watch_ring(rt_watch *w) {
    w->whole = true;
    ring(w);
}

void rt_watch_ask(rt_watch *w, uintptr_t page) {
    bool known = false;
    for (size_t i = 0; i < w->asked_count; i++)
        known = known || w->asked[i] == page;
    w->whole = w->whole || (!known && w->asked_count == RT_WATCH_ASKED);
    if (!known && !w->whole)
        w->asked[w->asked_count++] = page;
    ring(w);
}

void rt_watch_answered(rt_watch *w, uintptr_t lo, uintptr_t hi) {
    size_t left = 0;
    for (size_t i = 0; i < w->asked_count; i++)
        if (w->asked[i] < lo || w->asked[i] >= hi)
            w->asked[left++] = w->asked[i];
    w->asked_count = left;
    if (left == 0)
        rt_watch_hush(w);
}

void rt_watch_ring_all(void) {
    for (size_t i = 0; i < rt_claimed.count; i++)
        rt_watch_ring(rt_claimed.at[i].owner);
}

void rt_watch_change(rt_watch *w) {
    w->changed = true;
    make_noisy(w);
}

rt_watch *rt_watch_await_bell(void) {
    for (;;) {
        rt_watch *w = rt_noisy;
        while (w && !w->rang)
            w = w->next;
        if (w)
            return w;
        pthread_cond_wait(&rung, &rt_watch_lock);
    }
}

bool rt_watch_any(void) {
    pthread_mutex_lock(&rt_watch_lock);
    bool any = rt_claimed.count > 0;
    pthread_mutex_unlock(&rt_watch_lock);
    return any;
}

static bool ring_in(uintptr_t lo, uintptr_t hi) {
    const rt_ranges *set = &rt_claimed;
    bool any = false;
    pthread_mutex_lock(&rt_watch_lock);
    for (size_t i = rt_ranges_after(set, lo); i < set->count && set->at[i].lo < hi; i++) {
        rt_watch_ring(set->at[i].owner);
        any = true;
    }
    pthread_mutex_unlock(&rt_watch_lock);
    return any;
}

void rt_watch_fetch(uintptr_t lo, uintptr_t hi) {
    const struct timespec moment = {.tv_nsec = 20000};
    while (ring_in(lo, hi))
        nanosleep(&moment, NULL);
}

/* What the program did */

void *rt_watch_noisy(const void *context) {
    pthread_mutex_lock(&rt_watch_lock);
    const rt_watch *w = rt_noisy;
    while (w && (w->context != context || !w->array))
        w = w->next;
    void *array = w ? w->array : NULL;
    pthread_mutex_unlock(&rt_watch_lock);
    return array;
}

bool rt_watch_is_quiet(const rt_watch *w) {
    pthread_mutex_lock(&rt_watch_lock);
    bool quiet = !w->rang && !w->changed;
    pthread_mutex_unlock(&rt_watch_lock);
    return quiet;
}

/* Address spaces */

/* A child waits only for pages that it lacks: those of watches whose pages were taken. */

rt_space *rt_space_new_child(const rt_space *parent, int fd) {
    static uint64_t number;
    const rt_ranges *from = &parent->segments;
    size_t wanted = 0;
    for (size_t i = 0; i < from->count; i++)
        wanted += ((rt_watch *)from->at[i].owner)->taken;
    if (wanted == 0)
        return NULL;
    rt_space *child = take_free(&free_spaces, sizeof *child);
    if (!child)
        rt_die("out of memory for what is known about arrays on a device");
    *child = (rt_space){.fd = fd, .number = ++number, .next = rt_children};
    if (!rt_ranges_reserve(&child->segments, wanted))
        rt_die("out of memory for what is known about arrays on a device");
    for (size_t i = 0; i < from->count; i++)
        if (((rt_watch *)from->at[i].owner)->taken)
            child->segments.at[child->segments.count++] = from->at[i];
    rt_children = child;
    return child;
}

/* Closing its descriptor lets all threads of the child continue. */
void rt_space_end_child(rt_space *child) {
    rt_space **link = &rt_children;
    while (*link != child)
        link = &(*link)->next;
    *link = child->next;
    close(child->fd);
    rt_ranges_free(&child->segments);
    rt_ranges_free(&child->ousted);
    give_free(&free_spaces, child);
}
