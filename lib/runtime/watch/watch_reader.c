/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The thread that takes the kernel's messages. It must wait only for the kernel. A thread that
 * unmaps memory waits until its message is read, and may hold malloc's lock. A fork waits in the
 * same way.
 */
#include "runtime/watch/watch_kernel.h"
#include "runtime/watch/watch_state.h"
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

static int queue = -1;
static atomic_bool wants_lock;

/* Memory that is registered but belongs to no watch: it was discarded, is new by mremap, or the
 * message is old. */
static int resolve_unknown(int fd, uintptr_t at, bool written) {
    int error = written ? rt_uffd_protect(fd, at, rt_page, false) : rt_uffd_zero(fd, at, rt_page);
    /* The fault is reported again, after earlier messages. */
    return error ? rt_uffd_wake(fd, at, rt_page) : 0;
}

/* Memory that is read for the first time, and so is zero. It exists so that it can be protected. */
static int resolve_first(int fd, uintptr_t at) {
    size_t done;
    int error = rt_uffd_copy(fd, at, (uintptr_t)rt_canary + rt_page, rt_page, true, &done);
    return error ? rt_uffd_wake(fd, at, rt_page) : 0;
}

/* The runtime's own access, to what was a thread's stack or belongs to malloc. The access sees the
 * memory as it was. */
static int resolve_own(rt_watch *w, const rt_range *in, uintptr_t at) {
    int fd = rt_program.fd;
    size_t moved;
    uintptr_t from = (uintptr_t)w->shadow + in->offset + (at - in->lo);
    rt_watch_change(w);
    if (w->taken && !rt_uffd_move(fd, at, from, rt_page, &moved))
        rt_space_cut(&rt_program, at, at + rt_page, false);
    if (!w->taken)
        rt_uffd_protect(fd, at, rt_page, false);
    return rt_uffd_wake(fd, at, rt_page);
}

static int look(rt_space *space, const struct uffd_msg *m) {
    uintptr_t at = m->arg.pagefault.address & ~(rt_page - 1);
    uint64_t flags = m->arg.pagefault.flags;
    int error = 0;
    const rt_range *in = rt_ranges_find(&space->segments, at);
    if (!in)
        return resolve_unknown(space->fd, at, flags & UFFD_PAGEFAULT_FLAG_WP);
    rt_watch *w = in->owner;
    if (!w->taken && !(flags & (UFFD_PAGEFAULT_FLAG_WP | UFFD_PAGEFAULT_FLAG_WRITE)))
        return resolve_first(space->fd, at);
    bool in_place = space == &rt_program && in->lo - w->lo == in->offset;
    if (space == &rt_program && rt_watch_has_worker((int)m->arg.pagefault.feat.ptid))
        error = resolve_own(w, in, at);
    if (in_place && !w->changed)
        rt_watch_ask(w, at);
    else
        rt_watch_ring(w);
    return error;
}

/* A forked child lacks the pages of arrays that are only on a device. They are brought back for the
 * program and for the child (watch.c). Until then the child's threads wait when they look. */
static void add_child(const rt_space *parent, int fd) {
    rt_space *child = rt_space_new_child(parent, fd);
    if (!child) {
        close(fd);
        return;
    }
    if (!rt_watch_listen(child))
        rt_die("a forked child cannot be given its arrays");
    for (size_t i = 0; i < child->segments.count; i++)
        rt_watch_ring(child->segments.at[i].owner);
}

static int handle(rt_space *space, const struct uffd_msg *m) {
    bool tell = space == &rt_program;
    uintptr_t from;
    switch (m->event) {
    case UFFD_EVENT_PAGEFAULT:
        return look(space, m);
    case UFFD_EVENT_REMAP:
        from = m->arg.remap.from;
        rt_space_shift(space, from, from + m->arg.remap.len, m->arg.remap.to, tell);
        if (tell)
            rt_watch_tell_open(from, from + m->arg.remap.len);
        break;
    case UFFD_EVENT_REMOVE:
    case UFFD_EVENT_UNMAP:
        if (m->event == UFFD_EVENT_UNMAP)
            rt_space_unmap(space, m->arg.remove.start, m->arg.remove.end, tell);
        else
            rt_space_cut(space, m->arg.remove.start, m->arg.remove.end, tell);
        if (tell)
            rt_watch_tell_open(m->arg.remove.start, m->arg.remove.end);
        break;
    case UFFD_EVENT_FORK:
        add_child(space, (int)m->arg.fork.ufd);
        break;
    }
    return 0;
}

/* The message of a fork brings a descriptor. It must come even if the program's limit of
 * descriptors is reached: otherwise the parent would wait for good. */
static bool read_message(int fd, struct uffd_msg *m) {
    ssize_t got = read(fd, m, sizeof *m);
    struct rlimit limit, raised;
    if (got >= 0 || errno != EMFILE)
        return got == (ssize_t)sizeof *m;
    getrlimit(RLIMIT_NOFILE, &limit);
    raised = limit;
    raised.rlim_cur = raised.rlim_max > 1024 ? raised.rlim_max : 1024;
    raised.rlim_max = raised.rlim_cur;
    if (setrlimit(RLIMIT_NOFILE, &raised) != 0)
        rt_die("a forked child cannot be given its arrays: no descriptor is left");
    got = read(fd, m, sizeof *m);
    setrlimit(RLIMIT_NOFILE, &limit);
    return got == (ssize_t)sizeof *m;
}

static rt_space *find_space(uint64_t number) {
    rt_space *space = rt_children;
    if (number == rt_program.number)
        return &rt_program;
    while (space && space->number != number)
        space = space->next;
    return space;
}

bool rt_watch_listen(const rt_space *space) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = space->number}};
    if (queue < 0)
        queue = epoll_create1(EPOLL_CLOEXEC);
    return queue >= 0 && epoll_ctl(queue, EPOLL_CTL_ADD, space->fd, &event) == 0;
}

void rt_watch_yield(void) {
    do
        sched_yield();
    while (atomic_load(&wants_lock));
}

void rt_watch_read(void) {
    for (;;) {
        struct epoll_event event;
        struct uffd_msg m;
        if (epoll_wait(queue, &event, 1, -1) != 1)
            continue;
        atomic_store(&wants_lock, true);
        pthread_mutex_lock(&rt_watch_lock);
        atomic_store(&wants_lock, false);
        rt_space *space = find_space(event.data.u64);
        if (space && read_message(space->fd, &m) && handle(space, &m) && space == &rt_program)
            rt_watch_check_refused();
        pthread_mutex_unlock(&rt_watch_lock);
    }
}
