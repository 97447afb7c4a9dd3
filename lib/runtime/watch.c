/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Three kinds of threads meet here. Those of the program fault, and wait. The reader, one thread,
 * takes the kernel's messages: it must never wait for anything else, for a thread that unmaps
 * memory waits until its message is read, maybe with malloc's lock; so it allocates nothing by
 * malloc. The bell ringer, another, may wait for a device, and asks for the pages back.
 *
 * Pages are counted in segments: `bytes` of the watch from `offset` on that the program has at
 * `at`. Unmapping or discarding memory cuts segments out, mremap moves them. A message comes after
 * the fact, but from before the fact until the message is read the kernel refuses all changes of
 * ours with EAGAIN; and it is read under `lock`. So whoever has `lock`, and was not refused, knows
 * the segments as they are.
 */
#include "watch.h"
#include "watch_kernel.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 8 };
static const uintptr_t huge = (uintptr_t)2 << 20;

typedef struct segment {
    uintptr_t at;
    size_t offset, bytes;
    struct segment *next;
} segment;

struct rt_watch {
    uintptr_t lo, hi;
    segment *segments;
    unsigned char *shadow; /* of `lo`; NULL: not taken */
    void *reserved;
    size_t reserved_bytes;
    bool rang, changed; /* somebody looked; segments are not what they were */
    void (*bell)(void *);
    void *context;
    rt_watch *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static pthread_cond_t rung = PTHREAD_COND_INITIALIZER;
static rt_watch *watches;
static segment *free_segments;
static int fd = -1;
static size_t page;
/* A page that is registered as long as there is a process; one of zeros is behind it. */
static unsigned char *canary;
static _Atomic(int) workers[WORKERS];

static char last_words[600];

static void *say_last_words(void *unused) {
    rt_say("%s", last_words);
    return unused;
}

/* By another thread, and not waited for long: standard error may be a file that the thread which
 * looks has locked, and which it keeps locked until we are done. */
void rt_die(const char *format, ...) {
    pthread_t thread;
    va_list arguments;
    struct timespec until;
    va_start(arguments, format);
    vsnprintf(last_words, sizeof last_words, format, arguments);
    va_end(arguments);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    if (pthread_create(&thread, NULL, say_last_words, NULL) == 0)
        pthread_timedjoin_np(thread, NULL, &until);
    abort();
}

/* Segments */

static segment *new_segment(void) {
    if (!free_segments) {
        size_t bytes = 16 * page;
        segment *more =
            mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED)
            rt_die("out of memory for what is known about arrays on a device");
        for (size_t i = 0; i < bytes / sizeof *more; i++) {
            more[i].next = free_segments;
            free_segments = &more[i];
        }
    }
    segment *s = free_segments;
    free_segments = s->next;
    return s;
}

static void free_segment(segment *s) {
    s->next = free_segments;
    free_segments = s;
}

/* Makes `address` a border, not the inside, of the segment. */
static void split(segment *s, uintptr_t address) {
    if (address <= s->at || address >= s->at + s->bytes)
        return;
    segment *rest = new_segment();
    size_t first = address - s->at;
    *rest = (segment){address, s->offset + first, s->bytes - first, s->next};
    s->bytes = first;
    s->next = rest;
}

/* Cuts what is in [from, to) out, or moves it. True if there was any. */
static bool edit(rt_watch *w, uintptr_t from, uintptr_t to, bool moves, uintptr_t moved_to) {
    bool any = false;
    for (segment **link = &w->segments; *link;) {
        segment *s = *link;
        split(s, from);
        split(s, to);
        bool inside = s->at >= from && s->at < to;
        any |= inside;
        if (inside && !moves) {
            *link = s->next;
            free_segment(s);
            continue;
        }
        if (inside)
            s->at = s->at - from + moved_to;
        link = &s->next;
    }
    return any;
}

static void edit_all(uintptr_t from, uintptr_t bytes, bool moves, uintptr_t to) {
    for (rt_watch *w = watches; w; w = w->next)
        if (edit(w, from, from + bytes, moves, to)) {
            w->changed = w->rang = true;
            pthread_cond_signal(&rung);
        }
}

static rt_watch *find(uintptr_t address, const segment **in) {
    for (rt_watch *w = watches; w; w = w->next)
        for (const segment *s = w->segments; s; s = s->next)
            if (address >= s->at && address - s->at < s->bytes) {
                *in = s;
                return w;
            }
    return NULL;
}

/* The kernel's calls: 0, or errno */

static int call(unsigned long request, void *argument) {
    return ioctl(fd, request, argument) == 0 ? 0 : errno;
}

static void wake(uintptr_t at, size_t bytes) {
    struct uffdio_range range = {at, bytes};
    call(UFFDIO_WAKE, &range);
}

static int protect(uintptr_t at, size_t bytes, bool on) {
    struct uffdio_writeprotect wp = {{at, bytes}, on ? UFFDIO_WRITEPROTECT_MODE_WP : 0};
    return call(UFFDIO_WRITEPROTECT, &wp);
}

static int enroll(uintptr_t at, size_t bytes) {
    struct uffdio_register r = {.range = {at, bytes},
                                .mode = UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP};
    return call(UFFDIO_REGISTER, &r);
}

static int dismiss(uintptr_t at, size_t bytes) {
    struct uffdio_range range = {at, bytes};
    return call(UFFDIO_UNREGISTER, &range);
}

/* Moves pages that are there; *done: how many bytes from the first on. */
static int move(uintptr_t to, uintptr_t from, size_t bytes, size_t *done) {
    int error = 0;
    *done = 0;
    for (int refused = 0; *done < bytes && refused < 1000;) {
        struct uffdio_move m = {.dst = to + *done,
                                .src = from + *done,
                                .len = bytes - *done,
                                .mode = UFFDIO_MOVE_MODE_ALLOW_SRC_HOLES};
        error = call(UFFDIO_MOVE, &m);
        size_t moved = m.move > 0 ? (size_t)m.move : 0;
        *done += moved;
        if (error && error != EAGAIN)
            break;
        refused = moved ? 0 : refused + 1;
        if (error && !moved)
            sched_yield();
    }
    return *done == bytes ? 0 : error;
}

/* What the reader does */

/* Memory that is registered, but nobody's: discarded, new by mremap, or a message of before. */
static void resolve_unknown(uintptr_t at, bool written) {
    struct uffdio_zeropage zero = {.range = {at, page}};
    int error = written ? protect(at, page, false) : call(UFFDIO_ZEROPAGE, &zero);
    if (error)
        wake(at, page); /* it comes again, after what the kernel has to say before */
}

/* Read for the first time, and so zero, of memory that is there to be protected. */
static void resolve_first(uintptr_t at) {
    struct uffdio_copy zeros = {
        .dst = at, .src = (uintptr_t)canary + page, .len = page, .mode = UFFDIO_COPY_MODE_WP};
    if (call(UFFDIO_COPY, &zeros))
        wake(at, page);
}

/* Our own look, at what was a thread's stack, or memory that malloc thinks its own: as it was. */
static void resolve_own(rt_watch *w, const segment *in, uintptr_t at) {
    size_t moved;
    if (w->shadow) {
        if (!move(at, (uintptr_t)w->shadow + in->offset + (at - in->at), page, &moved))
            edit(w, at, at + page, false, 0);
    } else {
        protect(at, page, false);
    }
    w->changed = true;
    wake(at, page);
}

static bool is_worker(int thread) {
    bool found = false;
    for (int i = 0; i < WORKERS; i++)
        found |= atomic_load(&workers[i]) == thread;
    return found;
}

static void look(const struct uffd_msg *m) {
    const segment *in = NULL;
    uintptr_t at = m->arg.pagefault.address & ~(page - 1);
    uint64_t flags = m->arg.pagefault.flags;
    rt_watch *w = find(at, &in);
    if (!w) {
        resolve_unknown(at, flags & UFFD_PAGEFAULT_FLAG_WP);
        return;
    }
    if (!w->shadow && !(flags & (UFFD_PAGEFAULT_FLAG_WP | UFFD_PAGEFAULT_FLAG_WRITE))) {
        resolve_first(at);
        return;
    }
    if (is_worker((int)m->arg.pagefault.feat.ptid))
        resolve_own(w, in, at);
    w->rang = true;
    pthread_cond_signal(&rung);
}

static void handle(const struct uffd_msg *m) {
    switch (m->event) {
    case UFFD_EVENT_PAGEFAULT:
        look(m);
        break;
    case UFFD_EVENT_REMAP:
        edit_all(m->arg.remap.from, m->arg.remap.len, true, m->arg.remap.to);
        break;
    case UFFD_EVENT_REMOVE:
    case UFFD_EVENT_UNMAP:
        edit_all(m->arg.remove.start, m->arg.remove.end - m->arg.remove.start, false, 0);
        break;
    }
}

static void *read_messages(void *unused) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    (void)unused;
    for (;;) {
        struct uffd_msg m;
        poll(&ready, 1, -1);
        pthread_mutex_lock(&lock);
        if (read(fd, &m, sizeof m) == sizeof m)
            handle(&m);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

/* A bell that is rung for good: the watch may end at any time. */
static void *ring_bells(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        rt_watch *w = watches;
        while (w && !w->rang)
            w = w->next;
        if (!w) {
            pthread_cond_wait(&rung, &lock);
            continue;
        }
        void (*bell)(void *) = w->bell;
        void *context = w->context;
        pthread_mutex_unlock(&lock);
        bell(context);
        pthread_mutex_lock(&lock);
    }
    return NULL;
}

/* Start */

static bool start_thread(void *(*run)(void *)) {
    pthread_t thread;
    bool started = pthread_create(&thread, NULL, run, NULL) == 0;
    if (started)
        pthread_detach(thread);
    return started;
}

static int open_descriptor(void) {
    int flags = O_CLOEXEC | O_NONBLOCK, opened = (int)syscall(SYS_userfaultfd, flags);
    if (opened >= 0)
        return opened;
    int device = open("/dev/userfaultfd", O_RDWR | O_CLOEXEC);
    if (device >= 0) {
        opened = ioctl(device, USERFAULTFD_IOC_NEW, flags);
        close(device);
    }
    return opened;
}

static const char *refuse(const char *why) {
    close(fd);
    fd = -1;
    return why;
}

static const char *start(void) {
    static const char unsupported[] = "the kernel's userfaultfd cannot move pages (Linux 6.8 can)";
    page = (size_t)sysconf(_SC_PAGESIZE);
    fd = open_descriptor();
    if (fd < 0)
        return errno == ENOSYS ? "the kernel has no userfaultfd"
                               : "userfaultfd for system calls is not permitted";
    struct uffdio_api api = {.api = UFFD_API,
                             .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP | UFFD_FEATURE_THREAD_ID |
                                         UFFD_FEATURE_EVENT_REMAP | UFFD_FEATURE_EVENT_REMOVE |
                                         UFFD_FEATURE_EVENT_UNMAP | UFFD_FEATURE_MOVE};
    if (call(UFFDIO_API, &api))
        return refuse(unsupported);
    canary = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (canary == MAP_FAILED || enroll((uintptr_t)canary, page))
        return refuse(unsupported);
    sigset_t signals;
    rt_signals_block(&signals);
    bool started = start_thread(read_messages) && start_thread(ring_bells);
    rt_signals_restore(&signals);
    return started ? NULL : "a thread could not be started";
}

static const char *missing;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_once(void) {
    missing = start();
}

bool rt_watch_possible(const char **why) {
    pthread_once(&once, start_once);
    *why = missing;
    return missing == NULL;
}

void rt_watch_forget(void) {
    if (fd >= 0)
        close(fd);
    fd = -1;
    missing = "this process was forked";
}

static _Thread_local int self;

void rt_watch_set_worker(unsigned number, bool mine) {
    if (!self)
        self = (int)syscall(SYS_gettid);
    atomic_store(&workers[number % WORKERS], mine ? self : 0);
}

bool rt_watch_is_worker(void) {
    return self && is_worker(self);
}

/* Watches */

bool rt_watch_pages(uintptr_t *lo, uintptr_t *hi) {
    *lo = (*lo + page - 1) & ~(page - 1);
    *hi &= ~(page - 1);
    return *lo < *hi;
}

static bool is_free(uintptr_t lo, uintptr_t hi) {
    for (const rt_watch *w = watches; w; w = w->next)
        if (lo < w->hi && w->lo < hi)
            return false;
    return true;
}

static void unlink_watch(rt_watch *w) {
    pthread_mutex_lock(&lock);
    rt_watch **link = &watches;
    while (*link != w)
        link = &(*link)->next;
    *link = w->next;
    edit(w, 0, UINTPTR_MAX, false, 0);
    pthread_mutex_unlock(&lock);
}

static int protect_all(uintptr_t lo, size_t bytes) {
    int error;
    while ((error = protect(lo, bytes, true)) == EAGAIN)
        sched_yield();
    return error;
}

rt_watch *rt_watch_begin(uintptr_t lo, uintptr_t hi, void (*bell)(void *), void *context) {
    rt_watch *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    *w = (rt_watch){.lo = lo, .hi = hi, .bell = bell, .context = context};
    pthread_mutex_lock(&lock);
    bool good = is_free(lo, hi);
    if (good) {
        w->segments = new_segment();
        *w->segments = (segment){lo, 0, hi - lo, NULL};
        w->next = watches;
        watches = w;
    }
    pthread_mutex_unlock(&lock);
    madvise((void *)lo, hi - lo, MADV_POPULATE_READ); /* cheaper than a fault a page */
    if (good && !enroll(lo, hi - lo) && !protect_all(lo, hi - lo))
        return w;
    if (good) {
        dismiss(lo, hi - lo);
        wake(lo, hi - lo);
        unlink_watch(w);
    }
    free(w);
    return NULL;
}

/* Room for the shadow, with a page at both ends, and huge pages where the array has them. */
static bool reserve(rt_watch *w) {
    size_t bytes = w->hi - w->lo + 2 * page + huge;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    uintptr_t at = (uintptr_t)memory + page;
    pthread_mutex_lock(&lock);
    w->reserved = memory;
    w->reserved_bytes = bytes;
    w->shadow = (unsigned char *)memory + page + (w->lo - at) % huge;
    pthread_mutex_unlock(&lock);
    return true;
}

/* Where it fails half-way, rt_watch_end finds out what is where. */
bool rt_watch_take(rt_watch *w) {
    size_t bytes = w->hi - w->lo, done;
    if (!reserve(w))
        return false;
    int error = enroll((uintptr_t)w->shadow, bytes);
    if (!error)
        error = move((uintptr_t)w->shadow, w->lo, bytes, &done);
    dismiss((uintptr_t)w->shadow, bytes);
    return !error;
}

ptrdiff_t rt_watch_shadow(const rt_watch *w) {
    return (ptrdiff_t)((uintptr_t)w->shadow - w->lo);
}

/* One page: where a segment lies in several mappings, or one that may not be written. */
static void put_page_back(uintptr_t to, uintptr_t from) {
    size_t moved;
    for (int refused = 0;; refused++) {
        struct uffdio_copy copy = {.dst = to, .src = from, .len = page};
        int error = move(to, from, page, &moved);
        if (error && error != EEXIST && error != ENOENT)
            error = call(UFFDIO_COPY, &copy);
        /* EEXIST: it is back; ENOENT, ESRCH: the program has something else there by now */
        if (error != EAGAIN && error != ENOMEM && error != EBUSY)
            return;
        if (refused > 10000)
            rt_die("an array's memory cannot be put back: %s", strerror(error));
        sched_yield();
    }
}

static void put_back(rt_watch *w) {
    for (;;) {
        pthread_mutex_lock(&lock);
        segment s = w->segments ? *w->segments : (segment){0, 0, 0, NULL};
        pthread_mutex_unlock(&lock);
        if (s.bytes == 0)
            return;
        size_t done;
        uintptr_t from = (uintptr_t)w->shadow + s.offset;
        if (move(s.at, from, s.bytes, &done) && done < s.bytes) {
            put_page_back(s.at + done, from + done);
            done += page;
        }
        dismiss(s.at, done);
        wake(s.at, done);
        pthread_mutex_lock(&lock);
        edit(w, s.at, s.at + done, false, 0);
        pthread_mutex_unlock(&lock);
    }
}

void rt_watch_end(rt_watch *w) {
    if (w->shadow)
        put_back(w);
    if (dismiss(w->lo, w->hi - w->lo))
        for (uintptr_t at = w->lo; at < w->hi; at += page)
            dismiss(at, page);
    wake(w->lo, w->hi - w->lo);
    unlink_watch(w);
    if (w->shadow)
        munmap(w->reserved, w->reserved_bytes);
    free(w);
}

void rt_watch_settle(void) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int error = protect((uintptr_t)canary, page, false);
        pthread_mutex_unlock(&lock);
        if (error != EAGAIN)
            return;
        sched_yield();
    }
}

bool rt_watch_is_gone(const rt_watch *w) {
    pthread_mutex_lock(&lock);
    bool gone = !w->segments;
    pthread_mutex_unlock(&lock);
    return gone;
}

bool rt_watch_is_quiet(const rt_watch *w) {
    pthread_mutex_lock(&lock);
    bool quiet = !w->rang && !w->changed;
    pthread_mutex_unlock(&lock);
    return quiet;
}
