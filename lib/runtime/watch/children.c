/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gives forked children their copies of pages that were taken. Runs in the server, with the lock.
 */
#include "runtime/watch/watch_kernel.h"
#include "runtime/watch/watch_state.h"
#include <errno.h>

static const size_t chunk = (size_t)2 << 20; /* copied with the lock held */

/* Copies to a child. The kernel refuses a part that lies in several mappings as if it did not
 * exist. It also refuses a part that the child is moving or unmapping now, because it looks for the
 * mapping before it looks for changes. So one page is tried separately: while a message is unread,
 * this is refused with EAGAIN. */
static int copy_to_child(const rt_space *child, const rt_watch *w, rt_range s, size_t *done) {
    size_t bytes = s.hi - s.lo < chunk ? s.hi - s.lo : chunk;
    uintptr_t from = (uintptr_t)w->shadow + s.offset;
    int error = rt_uffd_copy(child->fd, s.lo, from, bytes, false, done);
    if (*done == 0 && (error == ENOENT || error == EINVAL))
        error = rt_uffd_copy(child->fd, s.lo, from, rt_page, false, done);
    return error;
}

/* Gives the child its copy of some pages of a segment. What the child has there by now stays. */
static int fill(rt_space *child, const rt_watch *w, rt_range s) {
    size_t done;
    int error = copy_to_child(child, w, s, &done);
    if (done == 0 && (error == EAGAIN || error == ENOMEM))
        return error;
    if (done == 0 && (error == EEXIST || error == ENOENT || error == EINVAL))
        done = rt_page;
    else if (done == 0)
        s = (rt_range){.lo = 0, .hi = UINTPTR_MAX}, done = s.hi; /* the child has ended */
    rt_space_cut(child, s.lo, s.lo + done, false);
    if (child->segments.count == 0)
        rt_space_end_child(child);
    return 0;
}

/* *any: was there a child to fill? */
int rt_watch_fill_children(const rt_watch *w, bool *any) {
    for (rt_space *child = rt_children; child; child = child->next) {
        const rt_range *s = rt_space_piece(child, w);
        *any = s != NULL;
        if (s)
            return fill(child, w, *s);
    }
    return 0;
}
