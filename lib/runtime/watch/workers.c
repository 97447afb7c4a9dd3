/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The threads that work for a device. When they touch a watched array, they must not wait for
 * themselves. So the reader lets their page faults through at once (watch_reader.c).
 */
#include "runtime/watch/watch_state.h"
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WORKERS = 32 }; /* more than there are devices */

static _Atomic(int) workers[WORKERS];
static _Thread_local int self;

bool rt_watch_has_worker(int thread) {
    bool found = false;
    for (int i = 0; i < WORKERS; i++)
        found |= atomic_load(&workers[i]) == thread;
    return found;
}

void rt_watch_set_worker(unsigned number, bool mine) {
    if (!self)
        self = (int)syscall(SYS_gettid);
    atomic_store(&workers[number % WORKERS], mine ? self : 0);
}

bool rt_watch_works_for(unsigned number) {
    return self && atomic_load(&workers[number % WORKERS]) == self;
}

bool rt_watch_is_worker(void) {
    return self && rt_watch_has_worker(self);
}
