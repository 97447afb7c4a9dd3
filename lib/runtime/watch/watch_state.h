/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The watches from inside. watch.c begins and ends them; watch_reader.c reads the kernel's
 * messages; watch_refused.c notices that the kernel takes no more calls; workers.c knows the
 * threads whose own page faults are let through; watch_state.c has what all of them share.
 *
 * Pages are counted in segments: ranges of addresses, each of one watch, from `offset` of the watch
 * on. The program has one set of segments, and each forked child that waits for pages has one as of
 * the fork. Unmapping or discarding memory cuts segments out, mremap moves them. A message comes
 * after the fact, but from before the fact until the message is read the kernel refuses all changes
 * of ours with EAGAIN; and it is read under `lock`. So whoever has `lock`, and was not refused,
 * knows the segments as they are.
 *
 * Memory comes from pools of our own, for a thread that waits for its pages may hold malloc's lock.
 */
#ifndef STENCILRT_WATCH_STATE_H
#define STENCILRT_WATCH_STATE_H

#include "runtime/watch/ranges.h"
#include "runtime/watch/watch.h"
#include <pthread.h>

struct rt_watch {
    uintptr_t lo, hi;             /* whole pages of the array */
    uintptr_t outer_lo, outer_hi; /* with those beside: registered, and left alone */
    uintptr_t away_lo, away_hi;   /* what the program has moved of them, and where it is now */
    unsigned char *shadow;        /* of `lo` */
    void *reserved;
    size_t reserved_bytes;
    bool taken, all_taken; /* begun; done */
    bool rang, changed;    /* somebody looked; segments are not what they were */
    bool moved;            /* segments may be outside of lo .. hi */
    bool noisy;            /* in the list */
    void (*bell)(void *);
    void *context, *array;
    rt_watch *next;        /* free, or noisy */
    rt_watch **noisy_link; /* what points to it */
};

/* An address space with a userfaultfd: the program's, or a child's. */
typedef struct rt_space {
    int fd;
    uint64_t number;
    rt_ranges segments;
    struct rt_space *next;
} rt_space;

/* All that follows is under this lock. Who has it waits for nothing but the kernel. */
extern pthread_mutex_t rt_watch_lock;
extern rt_space rt_program;
extern rt_space *rt_children;
extern rt_ranges rt_claimed; /* lo .. hi of all watches */
extern rt_watch *rt_noisy;
extern bool rt_watch_refused; /* the kernel has ceased to take our calls */

/* A page that is registered as long as there is a process; one of zeros is behind it. */
extern unsigned char *rt_canary;
extern size_t rt_page;

rt_watch *rt_watch_new(void);
void rt_watch_delete(rt_watch *watch);

/* Has the bell rung. */
void rt_watch_ring(rt_watch *watch);
void rt_watch_ring_all(void);
void rt_watch_change(rt_watch *watch);
void rt_watch_hush(rt_watch *watch);
/* Waits until bells are to be rung. */
rt_watch *rt_watch_await_bell(void);

/* Cuts [from, to) out, or moves it; `tell`: the watches get to know. */
void rt_space_cut(rt_space *space, uintptr_t from, uintptr_t to, bool tell);
void rt_space_shift(rt_space *space, uintptr_t from, uintptr_t to, uintptr_t moved_to, bool tell);
/* A segment of the watch, or NULL. */
const rt_range *rt_space_piece(const rt_space *space, const rt_watch *watch);

rt_space *rt_space_new_child(const rt_space *parent, int fd);
void rt_space_end_child(rt_space *child);

/* Has rt_watch_set_worker been called by this thread? `thread`: its number in the kernel. */
bool rt_watch_has_worker(int thread);

/* Why nothing can be watched in this process; NULL: it can. */
extern _Atomic(const char *) rt_watch_missing;
/* Finds out whether the kernel still takes our calls; if not, asks for all pages back. */
void rt_watch_check_refused(void);
/* Closes the descriptor once the kernel refuses our calls and all pages are back. */
void rt_watch_end_if_refused(void);

/* What runs in the reader, for good. */
void rt_watch_read(void);
/* The reader's set of descriptors. */
bool rt_watch_listen(const rt_space *space);
/* Lets the reader have the lock before we take it again. */
void rt_watch_yield(void);

#endif
