/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory copies in several threads. The threads live for one call. Starting one takes some 20 us,
 * little beside the megabytes that it copies, and a fork finds no threads left over.
 */
#include "runtime/rt.h"
#include <pthread.h>
#include <sched.h>

enum {
    MAX_THREADS = 8,           /* 8 threads copy faster than a PCIe gen5 x16 link */
    BYTES_A_THREAD = 2u << 20, /* 0.2 ms at 10 GB/s, ten times what a thread's start takes */
};

typedef struct part {
    void (*work)(void *, size_t, size_t);
    void *context;
    size_t begin, end;
} part;

static void *run_part(void *argument) {
    part *p = argument;
    p->work(p->context, p->begin, p->end);
    return NULL;
}

size_t rt_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (size_t)count : 1;
}

static _Thread_local bool never;

void rt_parallel_never(void) {
    never = true;
}

void rt_parallel(size_t count, size_t bytes, void (*work)(void *, size_t, size_t), void *context) {
    size_t threads = bytes / BYTES_A_THREAD;
    if (threads > MAX_THREADS)
        threads = MAX_THREADS;
    if (threads > count)
        threads = count;
    if (never)
        threads = 1;
    if (threads > 1) {
        size_t available = rt_processors();
        threads = threads > available ? available : threads;
    }
    if (threads <= 1) {
        work(context, 0, count);
        return;
    }
    part parts[MAX_THREADS];
    pthread_t ids[MAX_THREADS];
    bool started[MAX_THREADS] = {false};
    sigset_t signals;
    rt_signals_block(&signals);
    for (size_t i = 0; i < threads; i++) {
        parts[i] = (part){work, context, count / threads * i, count / threads * (i + 1)};
        if (i + 1 == threads)
            parts[i].end = count;
        started[i] = i > 0 && pthread_create(&ids[i], NULL, run_part, &parts[i]) == 0;
    }
    rt_signals_restore(&signals);
    for (size_t i = 0; i < threads; i++)
        if (!started[i])
            run_part(&parts[i]);
    for (size_t i = 0; i < threads; i++)
        if (started[i])
            pthread_join(ids[i], NULL);
}
