/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The program looks at some pages of a held array: a source's cell, a probe, a row. It gets
 * these pages back, and the array stays. From then on the pages are edges: what calls write there
 * comes back at their end, and what the program wrote there is uploaded at the next call. A look
 * beside an edge gets twice as many pages, as the program may go on. If it looks here and there, or
 * at much of the array, all of it goes home.
 *
 * Nothing here allocates: the thread that waits for its pages may have a lock of malloc.
 */
#include "runtime/choose/learn.h"
#include "runtime/resident/habit.h"
#include "runtime/resident/spread.h"

/* Is it in an edge since the thread looked? */
static bool is_open(const rt_held *h, uintptr_t page) {
    bool is = false;
    for (uint32_t i = 0; i < h->edges; i++)
        is = is || (page >= h->edge[i].lo && page < h->edge[i].hi);
    return is;
}

/* Widens [*lo, *hi), a page: as far from an edge of whole pages as that edge is long. */
static void read_ahead(const rt_held *h, uintptr_t *lo, uintptr_t *hi) {
    uintptr_t least = h->first, most = h->last, page = *lo;
    for (uint32_t i = RT_ENDS; i < h->edges; i++) {
        const rt_edge *e = &h->edge[i];
        *hi = e->hi == page ? page + (e->hi - e->lo) : *hi;
        *lo = e->lo == *hi && *hi == page + rt_watch_page() ? *hi - (e->hi - e->lo) : *lo;
    }
    for (uint32_t i = RT_ENDS; i < h->edges; i++) {
        const rt_edge *e = &h->edge[i];
        most = e->lo > page && e->lo < most ? e->lo : most;
        least = e->hi <= page && e->hi > least ? e->hi : least;
    }
    *lo = *lo < least || *lo > page ? least : *lo;
    *hi = *hi > most ? most : *hi;
}

/* To the shadow, if the device has the only copy. Returns the pages' content; NULL if that fails.
 */
static const void *bring(rt_held *h, uintptr_t lo, uintptr_t hi) {
    rt_buffer to = h->buffer;
    rt_box box = rt_edge_box(h, lo, hi);
    rt_error ignored;
    if (!h->dirty)
        return (const void *)lo;
    to.origin += rt_watch_shadow(h->watch);
    bool ok = !rt_held_broken(h) && rt_held_get(h, &to, &box, &ignored);
    return ok ? (const void *)(lo + (uintptr_t)rt_watch_shadow(h->watch)) : NULL;
}

static bool open_page(rt_held *h, uintptr_t page) {
    uintptr_t lo = page, hi = page + rt_watch_page();
    if (is_open(h, page))
        return true;
    read_ahead(h, &lo, &hi);
    const void *content = bring(h, lo, hi);
    return content && rt_edges_add(h, lo, hi, content) && rt_watch_open(h->watch, lo, hi);
}

bool rt_held_open(rt_held *h) {
    uintptr_t pages[RT_WATCH_ASKED];
    if (!h->watch || !h->parts)
        return false;
    double start = rt_seconds();
    size_t count = rt_watch_asked(h->watch, pages);
    bool ok = count > 0, asked = ok;
    for (size_t i = 0; i < count && ok; i++)
        ok = open_page(h, pages[i]);
    if (asked && !ok)
        rt_habit_scattered(h->key);
    rt_learn_charge(h->user, rt_seconds() - start);
    return ok;
}
