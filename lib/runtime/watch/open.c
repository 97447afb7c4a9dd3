/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gives the program some of a watch's pages again, while the others stay watched. Functions whose
 * names begin with serve_ run in the server. As where all pages go back (watch.c), the lock is held
 * for each call, and the kernel refuses calls with EAGAIN until messages are read. So a child of a
 * fork either has a page that was given back before, or its segments say that it waits for the
 * page.
 */
#include "runtime/watch/service.h"
#include "runtime/watch/watch_kernel.h"
#include "runtime/watch/watch_state.h"
#include <errno.h>
#include <string.h>

static const size_t chunk = (size_t)2 << 20; /* moved with the lock held */

typedef struct opening {
    rt_watch *watch;
    uintptr_t at, hi;
    bool good;
} opening;

static bool has_child(const rt_watch *w) {
    bool has = false;
    for (const rt_space *child = rt_children; child; child = child->next)
        has = has || rt_space_piece(child, w);
    return has;
}

/* Notes that the program has [lo, hi) again. */
static bool note_open(rt_watch *w, uintptr_t lo, uintptr_t hi) {
    for (size_t i = 0; i < w->open_count; i++)
        if (w->open[i].hi == lo) {
            w->open[i].hi = hi;
            return true;
        }
    if (w->open_count == RT_WATCH_OPEN)
        return false;
    w->open[w->open_count++] = (rt_open_pages){lo, hi};
    return true;
}

/* Some of the pages; the caller has the lock. Returns EAGAIN if the kernel refuses for a while. */
static int open_some(opening *o) {
    rt_watch *w = o->watch;
    const rt_range *s = rt_ranges_find(&rt_program.segments, o->at);
    size_t bytes = o->hi - o->at < chunk ? o->hi - o->at : chunk, done = bytes;
    o->good = s && s->owner == w && s->hi - o->at >= bytes && s->lo - w->lo == s->offset &&
              !w->changed && !w->whole && !rt_watch_refused && !has_child(w);
    if (!o->good)
        return 0;
    int error = w->taken ? rt_uffd_move(rt_program.fd, o->at, o->at - w->lo + (uintptr_t)w->shadow,
                                        bytes, &done)
                         : rt_uffd_protect(rt_program.fd, o->at, bytes, false);
    done = w->taken || !error ? done : 0;
    if (error == EAGAIN && done == 0)
        return error;
    o->good = done > 0 && note_open(w, o->at, o->at + done);
    if (o->good) {
        rt_uffd_wake(rt_program.fd, o->at, done);
        rt_space_cut(&rt_program, o->at, o->at + done, false);
        o->at += done;
    }
    return 0;
}

static void serve_open(void *context) {
    opening *o = context;
    uintptr_t lo = o->at;
    int error = 0;
    while (o->good && o->at < o->hi) {
        pthread_mutex_lock(&rt_watch_lock);
        error = open_some(o);
        if (o->good && o->at == o->hi)
            rt_watch_answered(o->watch, lo, o->hi);
        pthread_mutex_unlock(&rt_watch_lock);
        if (error)
            rt_watch_yield();
    }
}

bool rt_watch_open(rt_watch *w, uintptr_t lo, uintptr_t hi) {
    opening o = {w, lo, hi, true};
    rt_service_call(serve_open, &o);
    return o.good;
}

size_t rt_watch_asked(const rt_watch *w, uintptr_t *pages) {
    pthread_mutex_lock(&rt_watch_lock);
    size_t count = w->changed || w->whole ? 0 : w->asked_count;
    memcpy(pages, w->asked, count * sizeof *pages);
    pthread_mutex_unlock(&rt_watch_lock);
    return count;
}

size_t rt_watch_page(void) {
    return rt_page;
}
