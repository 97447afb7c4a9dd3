/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Faults that come at any time: calls that fail at random, signals, forks in the midst of other
 * threads' regions. Whatever happens, arrays hold results or what they held.
 */
#include "parts.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[] = {"star", "drift", "wave", "icube", "mixed", "ripple", "heat"};
enum { NAMES = sizeof names / sizeof *names };

static bool run_some(int must_run) {
    bool ok = true;
    for (int i = 0; i < NAMES; i++) {
        layout l = {.extent = {19 + i, 7, 3}, .steps = 4 + 3 * (i % 3), .seed = 4};
        ok = run_once(rt_region(names[i]), &l, must_run) && ok;
    }
    return ok;
}

static void *run_in_thread(void *ok) {
    *(bool *)ok = run_some(ANY_ANSWER);
    return NULL;
}

/* Two threads and this one, in the same regions. */
static bool run_in_threads(void) {
    pthread_t threads[2];
    bool good[2] = {false, false};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, run_in_thread, &good[i]) != 0)
            return false;
    bool ok = run_some(ANY_ANSWER);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return ok && good[0] && good[1];
}

/* Leaves by exit: exit handlers, which free what the runtime holds, are part of it. */
static bool run_child(bool (*work)(void)) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(120); /* it may hang */
        exit(work() ? 0 : 1);
    }
    if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    printf("the child's status: %#x\n", (unsigned)status);
    return false;
}

bool test_random(int count) {
    static const int chances[] = {5, 20, 80, 300};
    for (int seed = 1; seed <= count; seed++) {
        char text[32];
        snprintf(text, sizeof text, "%d:%d", seed, chances[seed % 4]);
        setenv("STUBGPU_RANDOM", text, 1);
        if (!run_child(run_in_threads)) {
            printf("wrong with STUBGPU_RANDOM=%s\n", text);
            return false;
        }
    }
    return true;
}

static atomic_int ticks;

static void tick(int signal) {
    (void)signal;
    ticks++;
}

/* Calls of the system are interrupted and not restarted. */
bool test_alarm(int count) {
    struct sigaction action = {.sa_handler = tick}, old;
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    bool ok = true;
    sigaction(SIGALRM, &action, &old);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < count || (ticks < 10 && i < 1000); i++)
        ok = run_some(1) && run_in_threads() && ok;
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    return CHECK(ticks >= 10) && ok;
}

static atomic_bool stop;

static void *run_until_stopped(void *ok) {
    do
        *(bool *)ok = run_some(1) && *(bool *)ok;
    while (!stop);
    return NULL;
}

static bool run_declined(void) {
    return run_some(0);
}

static bool run_any(void) {
    return run_some(ANY_ANSWER);
}

/* The first child may start before a device is open, or while one is being opened. */
bool test_fork_busy(int count) {
    pthread_t threads[2];
    bool good[2] = {true, true}, ok = true;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, run_until_stopped, &good[i]) != 0)
            return false;
    ok = run_child(run_any);
    ok = run_some(1) && ok;
    for (int i = 0; i < count; i++) {
        usleep((useconds_t)(i * 997 % 5000));
        ok = run_child(run_declined) && ok;
    }
    stop = true;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return ok && good[0] && good[1];
}
