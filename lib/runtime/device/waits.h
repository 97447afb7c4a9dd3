/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Waiting for a lock of the runtime, for a limited time, or until a signal comes.
 */
#ifndef STENCILRT_WAITS_H
#define STENCILRT_WAITS_H

#include "runtime/rt.h"
#include <pthread.h>

bool rt_lock_within(pthread_mutex_t *lock, long milliseconds);

/* Does this thread perhaps wait in vain? It may have the loader's lock, and wait for a thread that
 * needs this lock (loader.c). Looks every second; `next` is the time of the next look. */
bool rt_may_wait_in_vain(double *next, rt_error *why);

/* For a lock that another thread may have as long as a region runs or compiles. A signal need not
 * wait that long: then the result is RT_INTERRUPTED. */
bool rt_lock_for_call(pthread_mutex_t *lock, rt_error *why);

#endif
