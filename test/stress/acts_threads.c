/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads with small stacks, jumps out of sweeps, and threads that end in the midst of one.
 */
#include "stress.h"

#include <limits.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

struct job {
    struct thread *of;
    const long *number;
    atomic_int started;
};

static void wait_about(long microseconds) {
    struct timespec time = {0, microseconds % 1000000 * 1000};
    nanosleep(&time, NULL);
}

static pthread_t start(void *(*work)(void *), struct job *job, size_t stack) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (stack)
        pthread_attr_setstacksize(&attributes, stack);
    pthread_rwlock_rdlock(&process_lock);
    if (pthread_create(&thread, &attributes, work, job))
        give_up("no thread");
    pthread_rwlock_unlock(&process_lock);
    pthread_attr_destroy(&attributes);
    return thread;
}

static void *sweep_some(void *of) {
    struct job *job = of;
    block_signals(true);
    for (long k = 0; k < job->number[2]; k++)
        run_form(job->of, (int)job->number[0], job->number[1]);
    return NULL;
}

void act_small(struct thread *t, const long *number) {
    static const size_t stacks[] = {0, 16384, 32768, 65536, 262144};
    struct job job = {t, number, 0};
    size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN), stack = stacks[number[3] % 5];
    pthread_join(start(sweep_some, &job, stack < least ? least : stack), NULL);
}

static void *send_jump(void *of) {
    struct job *job = of;
    block_signals(true);
    while (!job->of->jumping)
        sched_yield();
    wait_about(job->number[2]);
    pthread_kill(job->of->id, SIGUSR2);
    return NULL;
}

/* Out of a loop that would never end. */
void act_jump(struct thread *t, const long *number) {
    struct job job = {t, number, 0};
    pthread_t sender = start(send_jump, &job, 0);
    if (sigsetjmp(t->out, 1) == 0) {
        t->jumping = 1;
        for (;;)
            run_form(t, (int)number[0], number[1]);
    }
    pthread_join(sender, NULL);
    fill_all(t);
}

static void *sweep_for_ever(void *of) {
    struct job *job = of;
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGRTMIN);
    block_signals(true);
    pthread_sigmask(SIG_UNBLOCK, &end, NULL);
    if (job->number[3] & 1)
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    job->started = 1;
    for (;;)
        run_form(job->of, (int)job->number[0], job->number[1]);
    return NULL;
}

/* It has the arrays of the thread that started it, which waits. */
void act_cancel(struct thread *t, const long *number) {
    struct job job = {t, number, 0};
    pthread_t thread = start(sweep_for_ever, &job, 0);
    while (!job.started)
        sched_yield();
    wait_about(number[2]);
    if (number[3] & 1)
        pthread_cancel(thread);
    else
        pthread_kill(thread, SIGRTMIN);
    pthread_join(thread, NULL);
    fill_all(t);
}
