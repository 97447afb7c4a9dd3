/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The watches from inside. watch.c begins and ends them. watch_reader.c reads the kernel's
 * messages. watch_refused.c handles a kernel that refuses calls. workers.c knows the threads whose
 * own page faults are let through. segments.c has what is known of the pages' places, watch_state.c
 * what all of them share.
 *
 * Pages are counted in segments: ranges of addresses of one watch, which begin `offset` bytes into
 * the watch. The program has a set of segments. A forked child that waits for pages has a set as of
 * the fork. Unmapping or discarding memory cuts segments out, and mremap moves them. The message
 * comes after the change, and messages of several threads in any order (segments.c). But from the
 * change until the message is read the kernel refuses all calls with EAGAIN; and the message is
 * read with `lock` held. So a thread that has `lock`, and was not refused, knows the current
 * segments.
 *
 * Memory comes from pools, because a thread that waits for its pages may hold malloc's lock.
 */
#ifndef STENCILRT_WATCH_STATE_H
#define STENCILRT_WATCH_STATE_H

#include "runtime/watch/ranges.h"
#include "runtime/watch/watch.h"
#include <pthread.h>

struct rt_watch {
    uintptr_t lo, hi;              /* whole pages of the array */
    uintptr_t outer_lo, outer_hi;  /* with the pages beside: registered, and otherwise left alone */
    uintptr_t away_lo, away_hi;    /* where pages are now that the program has moved */
    uintptr_t outer_end, away_end; /* of the mappings that have their last pages, at the end */
    unsigned char *shadow;         /* the new address of `lo` */
    void *reserved;
    size_t reserved_bytes;
    bool taken, all_taken; /* taking has begun; taking is done */
    bool rang, changed;    /* the program looked at it; segments have changed */
    bool moved;            /* segments may lie outside of lo .. hi */
    bool noisy;            /* it is in the list */
    /* Pages that the program looked at, and waits for. `whole`: more, or it did something else. */
    uintptr_t asked[RT_WATCH_ASKED];
    size_t asked_count;
    bool whole;
    /* Pages that the program has again, at their places. They are not watched. */
    rt_open_pages open[RT_WATCH_OPEN];
    size_t open_count;
    void (*bell)(void *);
    void *context, *array;
    rt_watch *next;        /* in the list of free or of noisy ones */
    rt_watch **noisy_link; /* the pointer that points to it */
};

/* An address space with a userfaultfd: the program's or a child's. */
typedef struct rt_space {
    int fd;
    uint64_t number;
    rt_ranges segments;
    rt_ranges ousted; /* where other segments are by now */
    bool doubts;      /* some segments are doubted */
    struct rt_space *next;
} rt_space;

/* All below is protected by this lock. Who has it waits only for the kernel. */
extern pthread_mutex_t rt_watch_lock;
extern rt_space rt_program;
extern rt_space *rt_children;
extern rt_ranges rt_claimed; /* lo .. hi of all watches */
extern rt_watch *rt_noisy;
extern bool rt_watch_refused; /* the kernel refuses calls */

/* A page that stays registered while the process lives. A page of zeros follows it. */
extern unsigned char *rt_canary;
extern size_t rt_page;

rt_watch *rt_watch_new(void);
void rt_watch_delete(rt_watch *watch);

/* Makes the bell ring. rt_watch_ask: for a page at its place, which lies in a segment. */
void rt_watch_ring(rt_watch *watch);
void rt_watch_ask(rt_watch *watch, uintptr_t page);
void rt_watch_ring_all(void);
void rt_watch_change(rt_watch *watch);
void rt_watch_hush(rt_watch *watch);
/* The same, unless the program waits for pages outside of [lo, hi). */
void rt_watch_answered(rt_watch *watch, uintptr_t lo, uintptr_t hi);
/* The program has unmapped or moved [lo, hi): tells watches with open pages there. */
void rt_watch_tell_open(uintptr_t lo, uintptr_t hi);
/* Waits until a bell must ring. */
rt_watch *rt_watch_await_bell(void);

/* Cuts [from, to) out, or does what a message says: it was unmapped, or moved. `tell`: the watches
 * are told. */
void rt_space_cut(rt_space *space, uintptr_t from, uintptr_t to, bool tell);
void rt_space_unmap(rt_space *space, uintptr_t from, uintptr_t to, bool tell);
void rt_space_shift(rt_space *space, uintptr_t from, uintptr_t to, uintptr_t moved_to, bool tell);
/* The kernel tells of changes to [lo, hi) from now on, or no longer. */
void rt_space_enrolled(uintptr_t lo, uintptr_t hi);
void rt_space_dismissed(uintptr_t lo, uintptr_t hi);
/* A segment of the watch, or NULL. */
const rt_range *rt_space_piece(const rt_space *space, const rt_watch *watch);
/* Cuts out all that the program has of the watch. */
void rt_space_forget(rt_watch *watch);
/* By the server, of the program. rt_space_is_changing: is a change on its way whose message is
 * unread? rt_space_resolve: false while one is, and what is known depends on it. */
bool rt_space_is_changing(void);
bool rt_space_resolve(void);

rt_space *rt_space_new_child(const rt_space *parent, int fd);
void rt_space_end_child(rt_space *child);
/* By the server: gives one child some pages of the watch. *any: was there a child that lacks some?
 * Returns an errno if that is to be tried again. */
int rt_watch_fill_children(const rt_watch *watch, bool *any);

/* Has this thread called rt_watch_set_worker? `thread` is its number in the kernel. */
bool rt_watch_has_worker(int thread);

/* Why nothing can be watched in this process; NULL if it can. */
extern _Atomic(const char *) rt_watch_missing;
/* Finds out whether the kernel still accepts calls. If not, asks for all pages back. */
void rt_watch_check_refused(void);
/* Closes the descriptor when the kernel refuses calls and all pages are back. */
void rt_watch_end_if_refused(void);

/* Runs in the reader; does not return. */
void rt_watch_read(void);
/* Sets the reader's descriptors. */
bool rt_watch_listen(const rt_space *space);
/* Lets the reader have the lock, then takes it again. */
void rt_watch_yield(void);

#endif
