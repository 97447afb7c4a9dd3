/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Timers, a thread that sends signals to the others, and handlers that count beside arrays, read
 * arrays, and sweep arrays of their own: for each thread its own.
 */
#include "stress.h"

#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST_LOOKS = 300, MOST_SWEEPS = 20 };

static int what_of[65];
static atomic_int pester_stops;
static pthread_t pester_thread;
static long pester_pause;
static int pester_signal;
static char handlers_pool[THREADS][2][POOL] __attribute__((aligned(4096)));
static volatile unsigned char seen;

static void count_beside(struct thread *t) {
    size_t at = (size_t)(t->shape.ny * t->shape.nz / 2 * t->shape.pitch + t->shape.nx);
    for (int i = 0; i < ARRAYS; i++)
        atomic_fetch_add((atomic_int *)((char *)t->array[i].base + at * t->family->size), 1);
    t->ticks++;
}

static void read_arrays(struct thread *t) {
    for (int i = 0; i < ARRAYS; i++)
        for (size_t at = 0; at < t->bytes; at += t->bytes / 23)
            seen += ((volatile unsigned char *)t->array[i].base)[at];
}

/* The same result however often it is done. */
static void sweep_own(struct thread *t) {
    void *pair[2] = {t->handlers[0], t->handlers[1]};
    t->family->form[0](&t->shape, 1, pair);
}

static void handler(int number) {
    struct thread *t = me;
    if (!t || t->in_handler)
        return;
    t->in_handler = 1;
    int what = what_of[number];
    /* Not for ever: what takes longer than a timer's interval would leave no time for the rest. */
    if (t->sweeping && (what & (COUNT | READ)) && t->looks < MOST_LOOKS) {
        t->looks++;
        if (what & COUNT)
            count_beside(t);
        if (what & READ)
            read_arrays(t);
    }
    if ((what & SWEEP) && t->own_sweeps < MOST_SWEEPS) {
        t->own_sweeps++;
        sweep_own(t);
    }
    t->in_handler = 0;
}

void set_handler(int signal, int what) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    what_of[signal] = what;
    sigaction(signal, &action, NULL);
}

static void jump_out(int number) {
    (void)number;
    if (me && me->jumping) {
        me->jumping = 0;
        me->in_handler = 0;
        siglongjmp(me->out, 1);
    }
}

static void end_thread(int number) {
    (void)number;
    if (!me)
        pthread_exit(NULL);
}

/* Whatever the script says: of these, acts are made. */
void prepare_signals(void) {
    struct sigaction jump = {.sa_handler = jump_out, .sa_flags = SA_RESTART};
    struct sigaction end = {.sa_handler = end_thread, .sa_flags = SA_RESTART};
    sigaction(SIGUSR2, &jump, NULL);
    sigaction(SIGRTMIN, &end, NULL);
    for (int i = 0; i < thread_count; i++)
        for (int k = 0; k < 2; k++) {
            struct thread *t = &threads[i];
            t->handlers[k] = handlers_pool[i][k];
            fill_array(t, t->handlers[k], false);
        }
}

void start_timer(int which, long microseconds) {
    struct itimerval value = {{0, microseconds}, {0, microseconds}};
    setitimer(which, &value, NULL);
}

/* Only after a thread's acts: what the handlers' sweeps gave. */
void finish_handlers(struct thread *t) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    sweep_own(t);
    say(t, "handlers %016llx\n", (unsigned long long)hash_cells(t, t->handlers[1]));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void block_signals(bool block) {
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGALRM);
    sigaddset(&some, SIGPROF);
    sigaddset(&some, SIGVTALRM);
    sigaddset(&some, SIGUSR1);
    pthread_sigmask(block ? SIG_BLOCK : SIG_UNBLOCK, &some, NULL);
}

static void *pester(void *unused) {
    (void)unused;
    while (!pester_stops && threads_done < thread_count) {
        for (int i = 0; i < thread_count; i++)
            pthread_kill(threads[i].id, pester_signal);
        usleep((useconds_t)pester_pause);
    }
    return NULL;
}

/* Threads are joined after it. */
void start_pester(long microseconds, int signal) {
    pester_pause = microseconds;
    pester_signal = signal;
    if (pthread_create(&pester_thread, NULL, pester, NULL))
        give_up("no thread");
}

void join_pester(void) {
    pester_stops = 1;
    if (pester_pause)
        pthread_join(pester_thread, NULL);
}
