/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory copies in several threads. The threads live for one call. Starting one takes some 20 us,
 * little beside the megabytes that it copies, and a fork finds no threads left over.
 */
#include "runtime/rt.h"
#include <sched.h>

enum { BYTES_A_THREAD = 2u << 20 }; /* 0.2 ms at 10 GB/s, ten times what a thread's start takes */

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

size_t rt_parallel_threads(size_t bytes) {
    size_t threads = bytes / BYTES_A_THREAD, most = RT_MOST_THREADS;
    if (never || threads <= 1)
        return 1;
    size_t available = rt_processors();
    most = available < most ? available : most;
    return threads < most ? threads : most;
}

/* If thread-local variables of the program need more than the small stack, the stack has the usual
 * size. */
bool rt_thread_start(pthread_t *thread, void *(*run)(void *), void *argument) {
    enum { STACK_BYTES = 256 << 10 };
    pthread_attr_t attributes;
    sigset_t signals;
    rt_signals_block(&signals);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    bool started = pthread_create(thread, &attributes, run, argument) == 0 ||
                   pthread_create(thread, NULL, run, argument) == 0;
    pthread_attr_destroy(&attributes);
    rt_signals_restore(&signals);
    return started;
}

void rt_parallel(size_t count, size_t bytes, void (*work)(void *, size_t, size_t), void *context) {
    size_t threads = rt_parallel_threads(bytes);
    threads = threads < count ? threads : count;
    if (threads <= 1) {
        work(context, 0, count);
        return;
    }
    part parts[RT_MOST_THREADS];
    pthread_t ids[RT_MOST_THREADS];
    bool started[RT_MOST_THREADS] = {false};
    for (size_t i = 0; i < threads; i++) {
        parts[i] = (part){work, context, count / threads * i, count / threads * (i + 1)};
        if (i + 1 == threads)
            parts[i].end = count;
        started[i] = i > 0 && rt_thread_start(&ids[i], run_part, &parts[i]);
    }
    for (size_t i = 0; i < threads; i++)
        if (!started[i])
            run_part(&parts[i]);
    for (size_t i = 0; i < threads; i++)
        if (started[i])
            pthread_join(ids[i], NULL);
}
