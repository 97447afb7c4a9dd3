/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * parts MODE: a program whose time loop takes long on the simulator, and what handlers of signals
 * and other threads do meanwhile. Standard output has the arrays' sums, which are those of the
 * plain program; standard error says whether it was done while the loop ran.
 */
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CELLS = 70000, LONG = 3001, SHORT = 5 };
#define SWEEP __attribute__((noinline)) static

SWEEP void heat(long n, int steps, float *restrict b, float *restrict a) {
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *c = a;
        a = b;
        b = c;
    }
}

/* Several sweeps, one of them in every third step. */
SWEEP void both(long n, int steps, float *restrict b, float *restrict a) {
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]) + (float)t;
        for (long i = 1; i < n - 1; i++)
            a[i] = 0.25f * b[i];
        if (t % 3 == 0)
            for (long i = 2; i < n - 2; i++)
                a[i] = 0.5f * b[i];
    }
}

SWEEP void once(long n, float *restrict to, const float *restrict from) {
    for (long i = 1; i < n - 1; i++)
        to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

static float *a, *b, *c, *d;
static volatile sig_atomic_t running, in_time, count;
static pid_t child = -1;
static sigjmp_buf out;

static float *new_array(unsigned seed) {
    float *array = mmap(NULL, CELLS * sizeof *array, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (long i = 0; i < CELLS; i++) {
        seed = seed * 1664525u + 1013904223u;
        array[i] = (float)(seed >> 16) / 65536;
    }
    return array;
}

static void show(const char *what, const float *array) {
    uint64_t hash = 1469598103934665603u;
    for (long i = 0; i < CELLS; i++) {
        uint32_t bits;
        memcpy(&bits, &array[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    printf("%s %016llx\n", what, (unsigned long long)hash);
    fflush(stdout);
}

static void show_all(void) {
    show("a", a);
    show("b", b);
    show("c", c);
    show("d", d);
}

static void ring(void (*handler)(int), long microseconds, long again) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval timer = {{0, again}, {0, microseconds}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void stop(void) {
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
}

static void loop(void (*sweeps)(long, int, float *restrict, float *restrict), int steps) {
    running = 1;
    sweeps(CELLS, steps, b, a);
    running = 0;
}

static void note(int signal) {
    (void)signal;
    in_time |= running;
    count++;
}

static void leave(int signal) {
    note(signal);
    siglongjmp(out, 1);
}

static void end_thread(int signal) {
    note(signal);
    pthread_exit(NULL);
}

static void nest(int signal) {
    note(signal);
    if (count < 3)
        once(CELLS, d, c);
}

static void split(int signal) {
    note(signal);
    child = fork();
}

static void end_process(int signal) {
    note(signal);
    write(2, "in time\n", in_time ? 8 : 0);
    exit(3);
}

static void run_returns(void) {
    ring(note, 30000, 1000);
    loop(heat, LONG);
    stop();
    ring(note, 30000, 0);
    loop(both, LONG / 8);
}

static void run_leaves(void) {
    ring(leave, 30000, 0);
    if (sigsetjmp(out, 1) == 0)
        loop(heat, 1 << 30);
    running = 0;
    a = new_array(1);
    b = new_array(2);
    loop(heat, SHORT);
}

static void *run_for_good(void *unused) {
    float *x = new_array(7), *y = new_array(8);
    running = 1;
    heat(CELLS, 1 << 30, y, x);
    return unused;
}

static void *run_for_good_and_be_cancelled(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &(int){0});
    return run_for_good(unused);
}

static void end_soon(void *(*work)(void *), int signal) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    usleep(300000);
    if (signal)
        pthread_kill(thread, signal);
    else
        pthread_cancel(thread);
    pthread_join(thread, &result);
    in_time |= !signal && result == PTHREAD_CANCELED;
    loop(heat, SHORT);
}

static void run_ends_thread(void) {
    signal(SIGUSR1, end_thread);
    end_soon(run_for_good, SIGUSR1);
}

static void run_cancels(void) {
    end_soon(run_for_good_and_be_cancelled, 0);
}

static void run_nests(void) {
    once(CELLS, d, c);
    ring(nest, 30000, 0);
    loop(heat, LONG);
}

/* The child comes back into the loop, and makes its own steps. */
static void run_forks(void) {
    ring(split, 30000, 0);
    loop(heat, LONG);
    if (child > 0)
        waitpid(child, NULL, 0);
    if (child == 0)
        fclose(stderr);
}

static void run_exits(void) {
    ring(end_process, 30000, 0);
    loop(heat, 1 << 30);
}

/* Another thread's long loop uses other arrays than the one that is looked at. */
static void *run_others(void *unused) {
    float *x = new_array(7), *y = new_array(8);
    running = 1;
    heat(CELLS, LONG, y, x);
    running = 0;
    show("x", x);
    return unused;
}

static void run_looks(void) {
    pthread_t thread;
    heat(CELLS, SHORT, b, a); /* kernels are loaded */
    for (int i = 0; i < 4; i++)
        once(CELLS, d, c);
    pthread_create(&thread, NULL, run_others, NULL);
    while (!running)
        usleep(1000);
    usleep(50000);
    float looked = ((volatile float *)d)[CELLS / 2];
    in_time = running;
    pthread_join(thread, NULL);
    printf("%a\n", (double)looked);
}

static void *run_short(void *unused) {
    loop(heat, SHORT);
    once(CELLS, d, c);
    return unused;
}

static void run_stack(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    once(CELLS, c, d);
    pthread_create(&thread, &attributes, run_short, NULL);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"returns", run_returns}, {"leaves", run_leaves}, {"ends-thread", run_ends_thread},
                 {"cancels", run_cancels}, {"nests", run_nests},   {"forks", run_forks},
                 {"exits", run_exits},     {"looks", run_looks},   {"stack", run_stack}};
    a = new_array(1);
    b = new_array(2);
    c = new_array(3);
    d = new_array(4);
    for (size_t i = 0; i < sizeof modes / sizeof *modes && argc == 2; i++)
        if (strcmp(modes[i].name, argv[1]) == 0)
            modes[i].run();
    show_all();
    if (in_time)
        fprintf(stderr, "in time\n");
    return 0;
}
