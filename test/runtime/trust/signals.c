/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Timers whose handlers look at arrays, or at cells beside them, while sweeps run. Promised: a
 * handler sees the program's memory, and what it writes stays.
 */
#include "trust.h"

enum { ROWS = 300, COLUMNS = 1023 };
struct row {
    float cell[COLUMNS];
    volatile sig_atomic_t ticks; /* no cell of any sweep: a handler may write it */
};
static struct row *rows, *other_rows;
static volatile sig_atomic_t ticks;
static volatile float seen;

static NOINLINE void sweep_rows(int n, struct row *restrict to, const struct row *restrict from) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < COLUMNS - 1; j++)
            to[i].cell[j] = 0.25f * (from[i - 1].cell[j] + from[i + 1].cell[j] +
                                     from[i].cell[j - 1] + from[i].cell[j + 1]);
}

static void set_up_rows(void) {
    rows = (struct row *)new_array(ROWS * sizeof(struct row));
    other_rows = (struct row *)new_array(ROWS * sizeof(struct row));
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            rows[i].cell[j] = other_rows[i].cell[j] = (float)(draw() % 100);
}

static void count_beside_cells(int number) {
    for (int i = 0; i < 10; i++) {
        other_rows[i * 20].ticks++;
        rows[i * 20 + 3].ticks++;
    }
    ticks++;
}

static long ticks_of(struct row *in) {
    long sum = 0;
    for (int i = 0; i < ROWS; i++) {
        sum += in[i].ticks;
        in[i].ticks = 0;
    }
    return sum;
}

static void show_rows(void) {
    printf("counted: %d\n",
           ticks_of(rows) == 10L * ticks && ticks_of(other_rows) == 10L * ticks && ticks > 0);
    show("rows", rows, ROWS * sizeof(struct row));
    show("other rows", other_rows, ROWS * sizeof(struct row));
}

/* Legal C: the handler writes nothing but volatile sig_atomic_t. */
static void cells_between_rows(void) {
    set_up_rows();
    handle(SIGALRM, count_beside_cells);
    every(ITIMER_REAL, 500);
    for (int k = 0; k < 60 || ticks == 0; k += ticks > 0 || k < 59) {
        sweep_rows(ROWS, other_rows, rows);
        sweep_rows(ROWS, rows, other_rows);
    }
    every(ITIMER_REAL, 0);
    show_rows();
}

static void *tick_from_beside(void *thread) {
    while (ticks < 60) {
        pthread_kill(*(pthread_t *)thread, SIGUSR1);
        usleep(500);
    }
    return NULL;
}

static void signals_from_another_thread(void) {
    set_up_rows();
    handle(SIGUSR1, count_beside_cells);
    pthread_t self = pthread_self(), beside;
    pthread_create(&beside, NULL, tick_from_beside, &self);
    for (int k = 0; k < 60; k++) {
        sweep_rows(ROWS, other_rows, rows);
        sweep_rows(ROWS, rows, other_rows);
    }
    pthread_join(beside, NULL);
    show_rows();
}

static void read_arrays(int number) {
    for (int i = 0; i < 1000; i++)
        seen += ((volatile float *)a)[i * 100 + 7] + ((volatile float *)b)[i * 100 + 7];
    ticks++;
}

static void handler_reads(void) {
    set_up();
    handle(SIGALRM, read_arrays);
    every(ITIMER_REAL, 500);
    go(100);
    every(ITIMER_REAL, 0);
    show_both();
}

/* Written back what was read: the handler makes pages the program's own again. */
static void rewrite_cells(int number) {
    for (int i = 0; i < 1000; i++)
        ((volatile float *)a)[i * 100 + 7] += 0;
    ticks++;
}

static void handler_writes_between_steps(void) {
    set_up();
    handle(SIGALRM, rewrite_cells);
    for (int k = 0; k < 40; k++) {
        go(2);
        int before = ticks;
        once_after(300);
        while (ticks == before)
            ;
    }
    show_both();
}

static void read_two_cells(int number) {
    seen = ((volatile float *)a)[70000] + ((volatile float *)b)[70000];
    ticks++;
}

/* The handler waits for an array's pages while the thread that it interrupted holds malloc's
 * lock: who brings them must not need that lock. */
static void handler_reads_while_allocating(void) {
    set_up();
    handle(SIGPROF, read_two_cells);
    for (int k = 0; k < 80; k++) {
        go(5);
        int before = ticks;
        struct itimerval soon = {{0, 0}, {0, 300}};
        setitimer(ITIMER_PROF, &soon, NULL);
        while (ticks == before) {
            void *block[20];
            for (int i = 0; i < 20; i++)
                block[i] = malloc((size_t)(1100 + (i * i * 57 + k * 31) % 4000));
            for (int i = 0; i < 20; i += 2)
                free(block[i]);
            for (int i = 1; i < 20; i += 2)
                free(block[i]);
        }
    }
    show("a", a, BYTES);
}

enum { SMALL = 70000 };
static float handlers_own[SMALL], handlers_other[SMALL];

static void sweep_in_handler(int number) {
    if (ticks < 50) {
        sweep(SMALL, handlers_other, handlers_own);
        ticks++;
    }
}

static void handler_sweeps(void) {
    set_up();
    fill(handlers_own, SMALL);
    handle(SIGALRM, sweep_in_handler);
    every(ITIMER_REAL, 1000);
    while (ticks < 50)
        go(2);
    every(ITIMER_REAL, 0);
    show("handler's", handlers_other, sizeof(handlers_other));
}

static void *allocate_until_done(void *unused) {
    void *blocks[64] = {NULL};
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
    for (uint32_t k = 1; ticks < 3; k = k * 1664525 + 1013904223) {
        free(blocks[k >> 26]);
        blocks[k >> 26] = malloc(2000 + (k >> 8) % 60000);
    }
    for (int i = 0; i < 64; i++)
        free(blocks[i]);
    return unused;
}

/* The handler has malloc's lock, and its thread never entered a region before. */
static void handler_sweeps_first_on_its_thread(void) {
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);
    set_up();
    fill(handlers_own, SMALL);
    go(2);
    handle(SIGALRM, sweep_in_handler);
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        ticks = 0;
        pthread_create(&thread, NULL, allocate_until_done, NULL);
        every(ITIMER_REAL, 5000);
        pthread_join(thread, NULL);
        every(ITIMER_REAL, 0);
    }
    show("handler's", handlers_other, sizeof(handlers_other));
}

static double due, work_before;
static volatile double late, work_until;

/* Seconds of the processor. */
static double work(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void note_time(int number) {
    late = now() - due;
    work_until = work() - work_before;
    ticks++;
}

static void send_soon(int signal) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal};
    struct itimerspec soon = {{0, 0}, {0, 50000000}};
    timer_create(CLOCK_REALTIME, &event, &timer);
    due = now() + 0.05;
    work_before = work();
    timer_settime(timer, 0, &soon, NULL);
}

/* A timeout must not wait for a region's thousands of steps: 0.1 s, and what the machine adds. On a
 * busy machine that is any time, but the region does no more work meanwhile. The first entry loads
 * the kernel. */
static void reach_long_regions(int signal) {
    set_up();
    handle(signal, note_time);
    heat(CELLS, 120, b, a);
    send_soon(signal);
    heat(CELLS, 1200, b, a);
    double all = work() - work_before;
    while (!ticks)
        ;
    fprintf(stderr, "late: %.3f s, after %.2f of %.2f s of work\n", late, work_until, all);
    printf("late: %d\n", late > 0.5 && work_until > all / 2);
    show_both();
}

static void signals_reach_long_regions(void) {
    reach_long_regions(SIGALRM);
}

static void real_time_signals_reach_long_regions(void) {
    reach_long_regions(SIGRTMIN + 2);
}

MAIN({"cells-between-rows", cells_between_rows},
     {"signals-from-another-thread", signals_from_another_thread}, {"handler-reads", handler_reads},
     {"handler-writes-between-steps", handler_writes_between_steps},
     {"handler-reads-while-allocating", handler_reads_while_allocating},
     {"handler-sweeps", handler_sweeps},
     {"handler-sweeps-first-on-its-thread", handler_sweeps_first_on_its_thread},
     {"signals-reach-long-regions", signals_reach_long_regions},
     {"real-time-signals-reach-long-regions", real_time_signals_reach_long_regions})
