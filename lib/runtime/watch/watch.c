/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Watches arrays. Four kinds of threads meet here. Threads of the program have page faults, and
 * wait. The reader takes the kernel's messages (watch_reader.c), and the server makes calls
 * (service.h). Both wait only for the kernel. The bell ringer may wait for a device, and asks for
 * the pages back.
 *
 * Functions whose names begin with serve_ run in the server.
 */
#include "runtime/watch/guard.h"
#include "runtime/watch/service.h"
#include "runtime/watch/watch_kernel.h"
#include "runtime/watch/watch_state.h"
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    /* An array takes two or three mappings; a process may have 65530 by default. */
    MOST = 8192,
    RETRIES = 10000,
};
/* bytes beside an array that are registered with it */
static const uintptr_t least_beside = (uintptr_t)1 << 20, most_beside = (uintptr_t)16 << 20;
static const uintptr_t huge = (uintptr_t)2 << 20;
static const size_t chunk = (size_t)2 << 20; /* moved with the lock held, in less than 1 ms */

/* Start */

static int started_by; /* the number of a process */
static bool sees_forks, sees_users_only;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Forked children do not get the canary. So a fork sends no message if nothing is watched. */
static const char *open_all(void) {
    const char *why = NULL;
    rt_page = (size_t)sysconf(_SC_PAGESIZE);
    rt_program.fd = rt_uffd_open(&sees_forks, &sees_users_only, &why);
    if (rt_program.fd < 0)
        return why;
    rt_canary = mmap(NULL, 2 * rt_page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (rt_canary == MAP_FAILED)
        return "out of memory";
    madvise(rt_canary, 2 * rt_page, MADV_DONTFORK);
    if (rt_uffd_enroll(rt_program.fd, (uintptr_t)rt_canary, rt_page) ||
        !rt_watch_listen(&rt_program))
        return "the kernel's userfaultfd cannot watch a page";
    rt_maps_open();
    return NULL;
}

/* The bell is called without the lock. So the watch may end meanwhile. */
static void *ring_bells(void *unused) {
    (void)unused;
    rt_parallel_never();
    pthread_mutex_lock(&rt_watch_lock);
    for (;;) {
        const rt_watch *w = rt_watch_await_bell();
        void (*bell)(void *) = w->bell;
        void *context = w->context;
        pthread_mutex_unlock(&rt_watch_lock);
        bell(context);
        pthread_mutex_lock(&rt_watch_lock);
    }
    return NULL;
}

static void start_once(void) {
    sigset_t signals;
    pthread_t ringer;
    started_by = (int)getpid();
    rt_watch_missing = rt_service_start(open_all, rt_watch_read);
    if (rt_watch_missing)
        return;
    rt_signals_block(&signals);
    if (pthread_create(&ringer, NULL, ring_bells, NULL) == 0)
        pthread_detach(ringer);
    else
        rt_watch_missing = "a thread could not be started";
    rt_signals_restore(&signals);
}

bool rt_watch_possible(const char **why) {
    pthread_once(&once, start_once);
    *why = started_by == rt_environment_process() ? rt_watch_missing : "this process was forked";
    if (!*why && sees_users_only)
        *why = rt_guard_refusal();
    return *why == NULL;
}

bool rt_watch_is_guarded(void) {
    return sees_users_only;
}

bool rt_watch_sees_forks(void) {
    return sees_forks;
}

/* Waits for changes in progress. */
static void serve_settle(void *unused) {
    int error;
    (void)unused;
    do {
        pthread_mutex_lock(&rt_watch_lock);
        error = rt_uffd_protect(rt_program.fd, (uintptr_t)rt_canary, rt_page, false);
        if (error && error != EAGAIN)
            rt_watch_check_refused();
        rt_watch_end_if_refused();
        pthread_mutex_unlock(&rt_watch_lock);
        if (error == EAGAIN)
            rt_watch_yield();
    } while (error == EAGAIN);
}

/* Begin */

bool rt_watch_pages(uintptr_t *lo, uintptr_t *hi) {
    *lo = (*lo + rt_page - 1) & ~(rt_page - 1);
    *hi &= ~(rt_page - 1);
    return *lo < *hi;
}

/* Reserves address space for the shadow, with a page at both ends, and huge pages if the array has
 * them. No memory is used until pages come. The space is reserved now, because a limit that the
 * program lowers later must not prevent the way back. Forked children do not need it. */
static bool reserve(rt_watch *w) {
    size_t bytes = w->hi - w->lo + 2 * rt_page + huge;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    madvise(memory, bytes, MADV_DONTFORK);
    uintptr_t at = (uintptr_t)memory + rt_page;
    w->reserved = memory;
    w->reserved_bytes = bytes;
    w->shadow = (unsigned char *)memory + rt_page + (w->lo - at) % huge;
    return true;
}

static bool claim(const rt_watch *watch, rt_watch **claimed) {
    bool good = false;
    pthread_mutex_lock(&rt_watch_lock);
    rt_watch *w = rt_claimed.count < MOST && !rt_ranges_meet(&rt_claimed, watch->lo, watch->hi)
                      ? rt_watch_new()
                      : NULL;
    if (w && rt_ranges_reserve(&rt_claimed, 1)) {
        *w = *watch;
        *claimed = w;
        rt_ranges_insert(&rt_claimed, (rt_range){w->lo, w->hi, 0, w, false});
        good = true;
    } else if (w) {
        rt_watch_delete(w);
    }
    pthread_mutex_unlock(&rt_watch_lock);
    return good;
}

static void give_up(rt_watch *w) {
    munmap(w->reserved, w->reserved_bytes);
    pthread_mutex_lock(&rt_watch_lock);
    rt_ranges_remove(&rt_claimed, rt_ranges_after(&rt_claimed, w->lo), 1);
    rt_space_forget(w);
    rt_watch_hush(w);
    rt_watch_delete(w);
    pthread_mutex_unlock(&rt_watch_lock);
}

/* Does the range that begins at `lo` meet [lo, *end)? Then *end becomes the next border, and
 * *shared tells whether the range has `lo`. */
static void meet(uintptr_t lo, uintptr_t from, uintptr_t to, uintptr_t *end, bool *shared) {
    if (from >= *end || to <= lo)
        return;
    *shared |= from <= lo;
    uintptr_t border = from <= lo ? to : from;
    *end = border < *end ? border : *end;
}

/* Is `lo` registered for another watch, at its place or where the program has moved it? *end,
 * initially behind `lo`, is lowered to where the answer may change. */
static bool is_anothers(const rt_watch *w, uintptr_t lo, uintptr_t *end) {
    const rt_ranges *set = &rt_program.segments;
    bool shared = false;
    for (size_t i = rt_ranges_after(set, lo); i < set->count && set->at[i].lo < *end; i++)
        if (set->at[i].owner != w)
            meet(lo, set->at[i].lo, set->at[i].hi, end, &shared);
    set = &rt_claimed;
    size_t i = rt_ranges_after(set, lo);
    while (i > 0 && lo - set->at[i - 1].hi <= most_beside)
        i--;
    for (; i < set->count && set->at[i].lo <= *end + most_beside; i++) {
        const rt_watch *other = set->at[i].owner;
        if (other != w)
            meet(lo, other->outer_lo, other->outer_hi, end, &shared);
    }
    return shared;
}

static int enroll_range(uintptr_t lo, uintptr_t hi) {
    int error = rt_uffd_enroll(rt_program.fd, lo, hi - lo);
    if (!error)
        rt_space_enrolled(lo, hi);
    return error;
}

/* What the kernel refuses to dismiss is not enrolled. */
static int dismiss_range(uintptr_t lo, uintptr_t hi) {
    int error = rt_uffd_dismiss(rt_program.fd, lo, hi - lo);
    if (!error || hi - lo == rt_page)
        rt_space_dismissed(lo, hi);
    return error;
}

/* If a part was unmapped, or is other memory now, the kernel refuses the whole range. */
static void dismiss(uintptr_t lo, uintptr_t hi) {
    if (dismiss_range(lo, hi) != 0)
        for (; lo < hi; lo += rt_page)
            dismiss_range(lo, lo + rt_page);
}

/* Unregisters what no other watch has registered. */
static void dismiss_own(const rt_watch *w, uintptr_t lo, uintptr_t hi) {
    for (uintptr_t end; lo < hi; lo = end) {
        end = hi;
        if (!is_anothers(w, lo, &end))
            dismiss(lo, end);
    }
}

/* If the program enlarges a registered mapping by mremap, what is new is registered, too, and no
 * message tells. It is part of the same mapping until a part is dismissed: then mremap would refuse
 * the two parts, or move one of them. So all of the mapping is dismissed at once. */
static void find_ends(rt_watch *w) {
    pthread_mutex_lock(&rt_watch_lock);
    w->outer_end = rt_maps_end(w->outer_hi - 1);
    w->away_end = w->away_lo < w->away_hi ? rt_maps_end(w->away_hi - 1) : 0;
    pthread_mutex_unlock(&rt_watch_lock);
}

/* What is ours of [lo, hi), and of what is new behind it, in one call if no other watch has a part.
 * What is behind another watch's part is dismissed with that part. */
static void dismiss_mapping(const rt_watch *w, uintptr_t lo, uintptr_t hi, uintptr_t end) {
    uintptr_t stop = end;
    bool alone = hi < end && !is_anothers(w, lo, &stop) && stop == end;
    if (alone && dismiss_range(lo, end) == 0)
        return;
    dismiss_own(w, lo, hi);
    stop = end;
    if (hi < end && !is_anothers(w, hi, &stop))
        dismiss_range(hi, stop);
}

/* Registers again what there is. */
static void enroll_back(uintptr_t lo, uintptr_t hi) {
    if (lo < hi && enroll_range(lo, hi) != 0)
        for (; lo < hi; lo += rt_page)
            enroll_range(lo, lo + rt_page);
}

/* The program may move another array to the place of this one meanwhile. It waits until the message
 * is read, which takes the lock. So its array is registered again before it goes on. */
static bool try_dismiss(rt_watch *w) {
    if (rt_space_is_changing())
        return false;
    for (const rt_range *s; (s = rt_space_piece(&rt_program, w));) {
        rt_uffd_protect(rt_program.fd, s->lo, s->hi - s->lo, false);
        dismiss_own(w, s->lo, s->hi);
        rt_space_cut(&rt_program, s->lo, s->hi, false);
    }
    dismiss_mapping(w, w->outer_lo, w->outer_hi, w->outer_end);
    dismiss_mapping(w, w->away_lo, w->away_hi, w->away_end);
    if (!rt_space_is_changing())
        return true;
    enroll_back(w->outer_lo, w->outer_hi);
    enroll_back(w->away_lo, w->away_hi);
    return false;
}

/* Pages beside another watched array stay registered for its sake, and must not be protected. */
static void dismiss_all(rt_watch *w) {
    bool done = false;
    while (!done) {
        pthread_mutex_lock(&rt_watch_lock);
        done = try_dismiss(w);
        pthread_mutex_unlock(&rt_watch_lock);
        if (!done)
            rt_watch_yield();
    }
    rt_uffd_wake(rt_program.fd, w->outer_lo, w->outer_hi - w->outer_lo);
}

typedef struct request {
    rt_watch *watch;
    bool good;
} request;

/* mremap does not take a range of several mappings, and a mapping that is registered in part
 * becomes several. From Linux 6.17 on mremap may have moved some of them before it finds a
 * registered one. So the memory beside the array is registered, too, and otherwise left alone: the
 * rest of the pages that only partly belong to the array, and other memory of the program without a
 * gap, up to its end. The first touch of such a page takes microseconds, so there must not be much
 * of it. */
static bool enroll_widely(rt_watch *w) {
    uintptr_t lo = w->outer_lo, hi = w->outer_hi, most = (w->hi - w->lo) / 4 & ~(rt_page - 1);
    most = most < least_beside ? least_beside : most > most_beside ? most_beside : most;
    rt_maps_widen(&lo, &hi, most);
    if (enroll_range(lo, hi) != 0)
        return false;
    w->outer_lo = lo;
    w->outer_hi = hi;
    return true;
}

static bool enroll(rt_watch *w) {
    if (!sees_users_only && (enroll_widely(w) || enroll_range(w->outer_lo, w->outer_hi) == 0))
        return true;
    w->outer_lo = w->lo;
    w->outer_hi = w->hi;
    return enroll_range(w->lo, w->hi) == 0;
}

/* Begins with the lock. EAGAIN: a change was on its way, and nothing has begun. */
static int try_enroll(rt_watch *w) {
    uintptr_t lo = w->outer_lo, hi = w->outer_hi;
    if (!rt_space_resolve() || rt_space_is_changing())
        return EAGAIN;
    if (rt_ranges_meet(&rt_program.segments, w->lo, w->hi) ||
        !rt_ranges_reserve(&rt_program.segments, 1) || !enroll(w))
        return EINVAL;
    if (rt_space_is_changing()) {
        dismiss_own(w, w->outer_lo, w->outer_hi);
        w->outer_lo = lo;
        w->outer_hi = hi;
        return EAGAIN;
    }
    rt_ranges_insert(&rt_program.segments, (rt_range){w->lo, w->hi, 0, w, false});
    return 0;
}

/* A message that is read later is about this array, and memory beside it is what it was
 * (segments.c). */
static bool enroll_at_rest(rt_watch *w) {
    int error = EAGAIN;
    for (int tries = 0; error == EAGAIN && tries < RETRIES; tries++) {
        pthread_mutex_lock(&rt_watch_lock);
        error = try_enroll(w);
        pthread_mutex_unlock(&rt_watch_lock);
        if (error == EAGAIN)
            rt_watch_yield();
    }
    return error == 0;
}

static void serve_begin(void *context) {
    request *r = context;
    rt_watch *w = r->watch;
    int fd = rt_program.fd, error;
    if (!enroll_at_rest(w))
        return;
    while ((error = rt_uffd_protect(fd, w->lo, w->hi - w->lo, true)) == EAGAIN)
        rt_watch_yield();
    r->good = error == 0;
    if (error)
        dismiss_all(w);
}

/* A watch that has yet to begin. NULL if these pages cannot be watched. */
static rt_watch *prepare(uintptr_t lo, uintptr_t hi, void (*bell)(void *), void *context,
                         void *array) {
    rt_watch watch = {.lo = lo,
                      .hi = hi,
                      .outer_lo = lo & ~(rt_page - 1),
                      .outer_hi = (hi + rt_page - 1) & ~(rt_page - 1),
                      .bell = bell,
                      .context = context,
                      .array = array};
    rt_watch *claimed;
    if (!rt_watch_pages(&watch.lo, &watch.hi) || !reserve(&watch))
        return NULL;
    if (!claim(&watch, &claimed)) {
        munmap(watch.reserved, watch.reserved_bytes);
        return NULL;
    }
    rt_pages_populate(watch.lo, watch.hi, rt_page);
    return claimed;
}

rt_watch *rt_watch_begin(uintptr_t lo, uintptr_t hi, void (*bell)(void *), void *context,
                         void *array) {
    request r = {prepare(lo, hi, bell, context, array), false};
    if (!r.watch)
        return NULL;
    rt_service_call(serve_begin, &r);
    if (r.good)
        return r.watch;
    give_up(r.watch);
    return NULL;
}

/* Moves on to pages that the program does not have again, as long as there are any. *end: behind
 * the last one of them before others. */
static bool skip_open(const rt_watch *w, uintptr_t *at, uintptr_t *end) {
    for (size_t i = 0; i < w->open_count; i++)
        if (*at >= w->open[i].lo && *at < w->open[i].hi) {
            *at = w->open[i].hi;
            i = (size_t)-1;
        }
    *end = w->hi;
    for (size_t i = 0; i < w->open_count; i++)
        if (w->open[i].lo > *at && w->open[i].lo < *end)
            *end = w->open[i].lo;
    return *at < w->hi;
}

/* If it fails half-way, rt_watch_end finds out which pages are where. Who calls has the device, so
 * no page is opened meanwhile. */
static void serve_take(void *context) {
    request *r = context;
    rt_watch *w = r->watch;
    int fd = rt_program.fd, error;
    size_t bytes = w->hi - w->lo, done;
    uintptr_t at = w->lo, end, away = (uintptr_t)w->shadow - w->lo;
    pthread_mutex_lock(&rt_watch_lock);
    w->taken = true;
    pthread_mutex_unlock(&rt_watch_lock);
    error = rt_uffd_enroll(fd, w->lo + away, bytes);
    for (int refused = 0; !error && refused < RETRIES && skip_open(w, &at, &end); at += done) {
        error = rt_uffd_move(fd, at + away, at, end - at, &done);
        if (error == EAGAIN) {
            refused = done ? 0 : refused + 1;
            error = 0;
            rt_watch_yield();
        }
    }
    rt_uffd_dismiss(fd, w->lo + away, bytes);
    r->good = !skip_open(w, &at, &end);
}

/* A page is not moved to an address that has one. */
bool rt_watch_take(rt_watch *w) {
    request r = {w, false};
    if (!w->all_taken)
        rt_service_call(serve_take, &r);
    w->all_taken |= r.good;
    return w->all_taken;
}

ptrdiff_t rt_watch_shadow(const rt_watch *w) {
    return (ptrdiff_t)((uintptr_t)w->shadow - w->lo);
}

/* End: puts pages back, with the lock held */

/* Puts one page back: for a segment in several mappings, or in one that may not be written. */
static int put_page(uintptr_t to, uintptr_t from) {
    size_t done;
    int error = rt_uffd_move(rt_program.fd, to, from, rt_page, &done);
    if (error && error != EEXIST && error != ENOENT && error != EAGAIN)
        error = rt_uffd_copy(rt_program.fd, to, from, rt_page, false, &done);
    /* EEXIST: the page is back. ENOENT, ESRCH: the program has something else there now. */
    return error == EAGAIN || error == ENOMEM || error == EBUSY ? error : 0;
}

static int put_some(const rt_watch *w, rt_range s) {
    int fd = rt_program.fd, error;
    size_t done, bytes = s.hi - s.lo < chunk ? s.hi - s.lo : chunk;
    uintptr_t from = (uintptr_t)w->shadow + s.offset;
    error = rt_uffd_move(fd, s.lo, from, bytes, &done);
    if (done == 0 && error == EAGAIN)
        return error;
    if (done == 0 && error) {
        rt_watch_check_refused();
        error = rt_watch_refused ? EAGAIN : put_page(s.lo, from);
        if (error)
            return error;
        done = rt_page;
    }
    if (w->moved && (s.lo < w->away_lo || s.lo >= w->away_hi))
        dismiss_range(s.lo, s.lo + done);
    rt_uffd_wake(fd, s.lo, done);
    rt_space_cut(&rt_program, s.lo, s.lo + done, false);
    return 0;
}

/* The lock is free meanwhile, because the kernel sends a message that the old mapping is gone. */
static void put_by_mremap(const rt_watch *w, rt_range s) {
    size_t bytes = s.hi - s.lo;
    pthread_mutex_unlock(&rt_watch_lock);
    if (mremap(w->shadow + s.offset, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
               (void *)s.lo) == MAP_FAILED)
        rt_die("an array's memory cannot be put back: %s", strerror(errno));
    madvise((void *)s.lo, bytes, MADV_DOFORK);
    pthread_mutex_lock(&rt_watch_lock);
    rt_space_cut(&rt_program, s.lo, s.hi, false);
}

/* EAGAIN lasts as long as another thread changes its mappings, which may be long. A lack of memory
 * may last for good. */
static void put_back(const rt_watch *w) {
    int error = 0, retries = 0;
    for (;; retries = error ? retries + (error != EAGAIN) : 0) {
        bool any = false;
        if (retries > RETRIES)
            rt_die("an array's memory cannot be put back: %s", strerror(error));
        pthread_mutex_lock(&rt_watch_lock);
        bool known = rt_space_resolve();
        error = known ? rt_watch_fill_children(w, &any) : EAGAIN;
        const rt_range *s = any || !known ? NULL : rt_space_piece(&rt_program, w);
        if (s && rt_watch_refused)
            put_by_mremap(w, *s);
        else if (s)
            error = put_some(w, *s);
        pthread_mutex_unlock(&rt_watch_lock);
        if (known && !any && !s)
            return;
        rt_watch_yield();
    }
}

/* Waits until it is known which pages are the watch's. */
static void resolve(void) {
    bool known = false;
    while (!known) {
        pthread_mutex_lock(&rt_watch_lock);
        known = rt_space_resolve();
        pthread_mutex_unlock(&rt_watch_lock);
        if (!known)
            rt_watch_yield();
    }
}

static void serve_end(void *context) {
    rt_watch *w = ((request *)context)->watch;
    resolve();
    find_ends(w);
    if (w->taken)
        put_back(w);
    dismiss_all(w);
}

/* A thread that unmapped memory continues when the reader has read the message, with the lock held.
 * Who has the lock next finds the message handled. So taking the lock is enough. But the addresses
 * may be another thread's before. A call by the server waits for the message, and finds out whether
 * the kernel still accepts calls. It costs ten times as much as the rest of an entry, so it is made
 * rarely. */
void rt_watch_settle(bool surely) {
    static const double often = 0.05;
    static double last;
    double now = rt_seconds();
    pthread_mutex_lock(&rt_watch_lock);
    bool due = rt_claimed.count > 0 && (surely || now - last >= often);
    last = due ? now : last;
    pthread_mutex_unlock(&rt_watch_lock);
    if (due)
        rt_service_call(serve_settle, NULL);
}

static void finish(rt_watch *w) {
    give_up(w);
    if (rt_watch_refused)
        rt_service_call(serve_settle, NULL);
}

void rt_watch_end(rt_watch *w) {
    request r = {w, false};
    rt_service_call(serve_end, &r);
    finish(w);
}

/* Waking the server takes longer than most of its work. */
static void serve_try(void *context) {
    request *r = context;
    serve_begin(r);
    if (!r->good)
        return;
    serve_take(r);
    bool moves = r->good;
    serve_end(r);
    r->good = moves;
}

bool rt_watch_moves(uintptr_t lo, uintptr_t hi, void (*bell)(void *), void *context) {
    request r = {prepare(lo, hi, bell, context, NULL), false};
    if (!r.watch)
        return false;
    rt_service_call(serve_try, &r);
    finish(r.watch);
    return r.good;
}
