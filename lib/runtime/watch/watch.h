/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Does the program look at an array? Watched pages are the program's own; a page fault of its, in
 * its code or in a system call, stops the thread that looks until the runtime lets it go on.
 * userfaultfd(2) tells of faults, and of memory that is unmapped, moved or discarded.
 *
 * A watch is a number of whole pages. At first they are protected against writes: who reads sees
 * them as they are. Once taken, they are elsewhere, in the watch's shadow, and the program has none
 * where it looks; rt_watch_end puts them back where the program has its array by then, with what
 * was written into the shadow, and leaves out what it has unmapped or discarded meanwhile.
 *
 * Memory is taken by UFFDIO_MOVE, page by page, so that nothing that other threads write beside the
 * cells of an array is lost, and what a device has pinned, to read or write it behind our back,
 * refuses.
 */
#ifndef STENCILRT_WATCH_H
#define STENCILRT_WATCH_H

#include "runtime/rt.h"

typedef struct rt_watch rt_watch;

/* Starts watching, once. False: the system does not allow it, and `why` says what is missing. */
bool rt_watch_possible(const char **why);

/* The whole pages between two addresses; false if there is none. */
bool rt_watch_pages(uintptr_t *lo, uintptr_t *hi);
/* Is it memory that nothing but this process sees, and that no thread runs on? (maps.c) */
bool rt_watch_suits(uintptr_t lo, uintptr_t hi);
/* Once, by a thread of the service, in whose table the descriptor is to be. */
void rt_maps_open(void);
/* By a thread of the service: moves each end to where memory that is like an array's ends, if that
 * is at most so many bytes away. */
void rt_maps_widen(uintptr_t *lo, uintptr_t *hi, size_t most);

/* Watches writes to the whole pages between two addresses. `bell(context)` is called by a thread of
 * its own when the program looks, or does something else with the pages, and must have rt_watch_end
 * called soon. NULL: they cannot be watched. */
rt_watch *rt_watch_begin(uintptr_t lo, uintptr_t hi, void (*bell)(void *), void *context,
                         void *array);
/* Takes the pages away, where they are not taken. False: it cannot, and the watch must be ended. */
bool rt_watch_take(rt_watch *watch);
/* Bytes from where a page was to where it is now; a page before the first one and one behind the
 * last can be written, too, to no effect. */
ptrdiff_t rt_watch_shadow(const rt_watch *watch);
/* Puts the pages back, and lets all go on that wait for them. */
void rt_watch_end(rt_watch *watch);

/* Are all watched pages where they were, and untouched? Only after rt_watch_settle: then
 * what this thread, and those that it waited for, did to the memory is known. */
void rt_watch_settle(void);
bool rt_watch_is_quiet(const rt_watch *watch);
/* Of a watch of this context that is not quiet, the array; NULL where all are. */
void *rt_watch_noisy(const void *context);
/* Has nobody any of its pages any more: neither the program, nor a child that waits for them? */
bool rt_watch_is_gone(const rt_watch *watch);

/* The thread that works for all, and must not wait for itself: its own looks are let through. */
void rt_watch_set_worker(unsigned number, bool mine);
bool rt_watch_is_worker(void);

/* Do forked children get what was taken, without being asked for? */
bool rt_watch_sees_forks(void);

#endif
