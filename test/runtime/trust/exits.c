/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ways out of a sweep that do not come back to it, and ways to end. Promised: no lock is left
 * behind, what is swept afterwards is right, and the program ends when the plain one does.
 */
#include "trust.h"
#include <setjmp.h>
#include <sys/wait.h>

static sigjmp_buf out;

static void jump(int number) {
    siglongjmp(out, 1);
}

static void start_again(void) {
    fill(a, CELLS);
    fill(b, CELLS);
    go(3);
    show_both();
}

static void jump_out_of_a_region(void) {
    set_up();
    handle(SIGALRM, jump);
    go(3);
    if (sigsetjmp(out, 1) == 0) {
        once_after(20000);
        heat(CELLS, 2000000, b, a);
        puts("not interrupted");
    }
    start_again();
}

static void jump_out_of_short_regions(void) {
    set_up();
    handle(SIGALRM, jump);
    for (volatile int k = 0; k < 20; k++)
        if (sigsetjmp(out, 1) == 0) {
            once_after(3000 + k * 177);
            for (;;) {
                sweep(CELLS, b, a);
                sweep(CELLS, a, b);
            }
        }
    start_again();
}

enum { WIDTH = 131, HEIGHT = 130, STEPS = 60000, UNSET = 7 };

/* Each step keeps a cell, in an element of its own. */
static NOINLINE void heat_plate(long steps, float *restrict to, float *restrict from,
                                float *restrict trace) {
    for (long t = 0; t < steps; t++) {
        for (int i = 1; i < HEIGHT - 1; i++)
            for (int j = 1; j < WIDTH - 1; j++)
                to[i * WIDTH + j] = 0.25f * (from[(i - 1) * WIDTH + j] + from[(i + 1) * WIDTH + j] +
                                             from[i * WIDTH + j - 1] + from[i * WIDTH + j + 1]);
        for (int i = 1; i < HEIGHT - 1; i++)
            for (int j = 1; j < WIDTH - 1; j++)
                from[i * WIDTH + j] = to[i * WIDTH + j];
        trace[t] = from[HEIGHT / 2 * WIDTH + WIDTH / 3];
    }
}

/* The steps that were not made have set nothing. */
static void jump_out_of_a_loop_that_keeps_cells(void) {
    float *trace = new_array(STEPS * sizeof *trace);
    set_up();
    handle(SIGALRM, jump);
    for (volatile int k = 0; k < 4; k++) {
        long made = STEPS, set = 0;
        for (long t = 0; t < STEPS; t++)
            trace[t] = UNSET;
        if (sigsetjmp(out, 1) == 0) {
            once_after(20000);
            heat_plate(STEPS, b, a, trace);
        }
        while (made > 0 && trace[made - 1] == UNSET)
            made--;
        for (long t = 0; t < made; t++)
            set += trace[t] > -60 && trace[t] < 100;
        printf("%d %d\n", made < STEPS, set == made);
    }
    start_again();
}

static void leave_thread(int number) {
    pthread_exit(NULL);
}

static float threads_own[70000], threads_other[70000];

static void *sweep_for_ever(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        for (int t = 0; t < 1000000; t++)
            sweep(70000, threads_other, threads_own);
    return NULL;
}

static void *one_long_region(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        heat(70000, 1000000, threads_other, threads_own);
    return NULL;
}

static pthread_t started(void *(*work)(void *)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL))
        exit(92);
    usleep(300000);
    return thread;
}

static void end_by_signal(void *(*work)(void *)) {
    set_up();
    handle(SIGUSR1, leave_thread);
    pthread_t thread = started(work);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    start_again();
}

static void thread_ends_in_a_handler(void) {
    end_by_signal(sweep_for_ever);
}

static void thread_ends_in_a_long_region(void) {
    end_by_signal(one_long_region);
}

static void thread_is_cancelled(void) {
    set_up();
    pthread_t thread = started(sweep_for_ever);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    start_again();
}

static void thread_is_cancelled_in_a_long_region(void) {
    set_up();
    pthread_t thread = started(one_long_region);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    start_again();
}

static void sweep_at_exit(void) {
    go(3);
    show_both();
}

static void sweeps_at_exit(void) {
    atexit(sweep_at_exit);
    set_up();
    go(3);
}

static void *leave_program(void *unused) {
    go(3);
    show_both();
    exit(7);
}

static void exits_in_another_thread(void) {
    atexit(sweep_at_exit);
    set_up();
    go(3);
    pthread_t thread;
    pthread_create(&thread, NULL, leave_program, NULL);
    pause();
}

static void exits_while_another_thread_sweeps(void) {
    set_up();
    started(sweep_for_ever);
    go(3);
    show_both();
    exit(8);
}

static void main_thread_ends_first(void) {
    set_up();
    go(3);
    pthread_t thread;
    pthread_create(&thread, NULL, leave_program, NULL);
    pthread_exit(NULL);
}

static void end_now(int number) {
    _exit(9);
}

static void ends_in_a_handler(void) {
    set_up();
    go(3);
    handle(SIGALRM, end_now);
    once_after(20000);
    heat(CELLS, 2000000, b, a);
}

static void killed_by_a_timer(void) {
    set_up();
    go(3);
    show("a", a, BYTES);
    once_after(20000);
    heat(CELLS, 2000000, b, a);
}

MAIN({"jump-out-of-a-region", jump_out_of_a_region},
     {"jump-out-of-short-regions", jump_out_of_short_regions},
     {"jump-out-of-a-loop-that-keeps-cells", jump_out_of_a_loop_that_keeps_cells},
     {"thread-ends-in-a-handler", thread_ends_in_a_handler},
     {"thread-ends-in-a-long-region", thread_ends_in_a_long_region},
     {"thread-is-cancelled", thread_is_cancelled},
     {"thread-is-cancelled-in-a-long-region", thread_is_cancelled_in_a_long_region},
     {"sweeps-at-exit", sweeps_at_exit}, {"exits-in-another-thread", exits_in_another_thread},
     {"exits-while-another-thread-sweeps", exits_while_another_thread_sweeps},
     {"main-thread-ends-first", main_thread_ends_first}, {"ends-in-a-handler", ends_in_a_handler},
     {"killed-by-a-timer", killed_by_a_timer})
