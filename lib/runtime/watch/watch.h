/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Does the program look at an array? Watched pages belong to the program. A page fault, in its code
 * or in a system call, stops the thread until the runtime lets it continue. userfaultfd(2) reports
 * faults, and memory that is unmapped, moved or discarded.
 *
 * A watch is a number of whole pages. At first they are protected against writes; the program can
 * read them. When they are taken, they move to the watch's shadow, and the program has no pages at
 * their addresses. rt_watch_end puts them back, with what was written into the shadow, to where the
 * program has its array by then. It leaves out what the program has unmapped or discarded
 * meanwhile.
 *
 * UFFDIO_MOVE takes memory page by page. So writes of other threads beside the cells of an array
 * are not lost. Memory that a device has pinned, to read or write it directly, cannot be taken.
 */
#ifndef STENCILRT_WATCH_H
#define STENCILRT_WATCH_H

#include "runtime/rt.h"

typedef struct rt_watch rt_watch;

/* Prepares watching, once. False if the system does not allow it; `why` says what is missing. */
bool rt_watch_possible(const char **why);
/* Are system calls trapped for it? (guard.h) */
bool rt_watch_is_guarded(void);

/* The whole pages between two addresses; false if there is none. */
bool rt_watch_pages(uintptr_t *lo, uintptr_t *hi);
/* Does only this process see the memory, and does no thread run on it? (maps.c) */
bool rt_watch_suits(uintptr_t lo, uintptr_t hi);
/* Called once, by a thread of the service, whose table gets the descriptor. */
void rt_maps_open(void);
/* By a thread of the service: is writable memory shared with other processes, apart from what GPU
 * drivers share with the kernel? */
bool rt_maps_are_shared(void);
/* Called by a thread of the service. Moves each end outwards to where memory like an array's ends,
 * if that is at most so many bytes away. */
void rt_maps_widen(uintptr_t *lo, uintptr_t *hi, size_t most);
/* May the program read these bytes, and write them? To be called while something is watched. */
bool rt_watch_allows(uintptr_t lo, uintptr_t hi, bool writes);

/* By a thread of the service: the end of the plain memory's mapping that has the address; the
 * address itself if it is none, or the kernel does not answer at once. */
uintptr_t rt_maps_end(uintptr_t address);

/* Watches writes to the whole pages between two addresses. A separate thread calls bell(context)
 * when the program looks at the pages or does something else with them. The bell must see to it
 * that rt_watch_end is called soon. NULL if the pages cannot be watched. */
rt_watch *rt_watch_begin(uintptr_t lo, uintptr_t hi, void (*bell)(void *), void *context,
                         void *array);
/* Takes the pages away, unless they are. False if that fails; the watch must then be ended. */
bool rt_watch_take(rt_watch *watch);
/* The distance in bytes from a page's old address to its address in the shadow. One page before the
 * first, and one behind the last, can be written without effect. */
ptrdiff_t rt_watch_shadow(const rt_watch *watch);
/* Pages that the program has again, while others stay watched. */
typedef struct rt_open_pages {
    uintptr_t lo, hi;
} rt_open_pages;
enum { RT_WATCH_ASKED = 4, RT_WATCH_OPEN = 8 };
/* The pages that the program looked at, at most RT_WATCH_ASKED. 0: it looked at more, or did
 * something else, so all must go back. */
size_t rt_watch_asked(const rt_watch *watch, uintptr_t *pages);
size_t rt_watch_page(void);
/* Gives whole pages back to the program, from the shadow if pages were taken; nothing is noticed
 * there any more. Threads that wait for them continue. False if the watch must be ended: the
 * program did something else meanwhile, or a forked child waits for pages. */
bool rt_watch_open(rt_watch *watch, uintptr_t lo, uintptr_t hi);
/* Can all whole pages between two addresses be taken? They are, and are put back. */
bool rt_watch_moves(uintptr_t lo, uintptr_t hi, void (*bell)(void *), void *context);
/* Puts the pages back, and lets all threads that wait for them continue. */
void rt_watch_end(rt_watch *watch);

/* rt_watch_settle: afterwards it is known what this thread, and threads that it waited for, did to
 * the memory; `surely`: what all threads did. rt_watch_is_quiet: are all watched pages in their
 * places and untouched? */
void rt_watch_settle(bool surely);
bool rt_watch_is_quiet(const rt_watch *watch);
/* Is anything watched? */
bool rt_watch_any(void);
/* Waits until the watches of arrays that meet this memory have ended. The thread must be inside no
 * call of the runtime. */
void rt_watch_fetch(uintptr_t lo, uintptr_t hi);
/* An array of this context whose watch is not quiet. NULL if all are quiet. */
void *rt_watch_noisy(const void *context);
/* Is no page of the watch left with anybody, neither with the program nor with a child that waits
 * for it? */
bool rt_watch_is_gone(const rt_watch *watch);

/* Tells the thread that works for all watches. It must not wait for itself: its own page faults are
 * let through. */
void rt_watch_set_worker(unsigned number, bool mine);
bool rt_watch_works_for(unsigned number);
bool rt_watch_is_worker(void);

/* Do forked children get what was taken, without asking for it? */
bool rt_watch_sees_forks(void);

#endif
