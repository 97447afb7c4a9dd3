/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Children of processes whose arrays are on the device. Promised: a child of fork, _Fork, vfork and
 * posix_spawn finds what the plain build's would, whatever locks the program's own handlers take.
 */
#include "trust.h"
#include <malloc.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;
pid_t _Fork(void);

static void wait_for(pid_t child) {
    int status = -1;
    waitpid(child, &status, 0);
    printf("child %x\n", status);
    fflush(stdout);
}

static void child_of(pid_t (*make)(void)) {
    set_up();
    go(3);
    fflush(stdout);
    pid_t child = make();
    if (child == 0) {
        show_both();
        go(2);
        show_both();
        _exit(5);
    }
    wait_for(child);
    show_both();
    go(2);
    show_both();
}

static void child_of_fork(void) {
    child_of(fork);
}

static void child_of_bare_fork(void) {
    child_of(_Fork);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;

static void lock(void) {
    pthread_mutex_lock(&mutex);
}

static void unlock(void) {
    pthread_mutex_unlock(&mutex);
}

static void *sweep_under_the_mutex(void *unused) {
    float *own = new_array(BYTES), *other = new_array(BYTES);
    fill(own, CELLS);
    while (!stop) {
        lock();
        for (int i = 0; i < 4; i++) {
            sweep(CELLS, other, own);
            sweep(CELLS, own, other);
        }
        unlock();
        usleep(10);
    }
    return NULL;
}

/* The textbook's use of pthread_atfork, with a thread that sweeps while it holds the mutex. */
static void mutex_around_fork(void) {
    pthread_atfork(lock, unlock, unlock);
    set_up();
    go(4);
    pthread_t thread;
    pthread_create(&thread, NULL, sweep_under_the_mutex, NULL);
    for (int k = 0; k < 15; k++) {
        go(2);
        pid_t child = fork();
        if (child == 0)
            _exit(k);
        wait_for(child);
    }
    stop = 1;
    pthread_join(thread, NULL);
    show("a", a, BYTES);
}

static void sweep_before_fork(void) {
    go(1);
}

/* Handlers of the program's own that sweep. */
static void handlers_that_sweep(void) {
    pthread_atfork(sweep_before_fork, sweep_before_fork, sweep_before_fork);
    child_of(fork);
}

static void vfork_and_exec(void) {
    set_up();
    go(3);
    for (int k = 0; k < 5; k++) {
        pid_t child = vfork();
        if (child == 0) {
            execl("/bin/sh", "sh", "-c", "exit 3", NULL);
            _exit(127);
        }
        wait_for(child);
        go(2);
    }
    show_both();
}

static void spawned(void) {
    set_up();
    go(3);
    for (int k = 0; k < 5; k++) {
        pid_t child;
        char *words[] = {"sh", "-c", "exit 4", NULL};
        if (posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ))
            exit(92);
        wait_for(child);
        go(2);
    }
    show_both();
}

static void children_of_children(void) {
    set_up();
    for (int depth = 0; depth < 4; depth++) {
        go(2);
        fflush(stdout);
        pid_t child = fork();
        if (child) {
            wait_for(child);
            go(1);
            show_both();
            fflush(stdout);
            _exit(depth);
        }
    }
    show_both();
}

static void *first_sweeps(void *unused) {
    float *own = new_array(BYTES), *other = new_array(BYTES);
    sweep(CELLS, other, own);
    sweep(CELLS, own, other);
    return NULL;
}

/* Each loads the runtime and the simulator, which takes 50 ms of a processor; the forks are spread
 * over the first 2 ms. */
enum { LOADS = 14, APART = 150 /* microseconds */ };

/* A process that forks while its other thread enters the first region; the child sweeps too. */
static _Noreturn void fork_soon(int k, pid_t (*make)(void)) {
    int status = -1;
    pthread_t thread;
    pthread_create(&thread, NULL, first_sweeps, NULL);
    usleep((useconds_t)(k * APART));
    pid_t child = make();
    if (child == 0) {
        go(2);
        _exit((int)(hash_of(a, BYTES) & 63));
    }
    waitpid(child, &status, 0);
    pthread_join(thread, NULL);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

static void fork_while_the_runtime_is_loaded(pid_t (*make)(void)) {
    set_up();
    for (int k = 0; k < LOADS; k++) {
        pid_t child = fork();
        if (child == 0)
            fork_soon(k, make);
        wait_for(child);
    }
}

static void while_the_runtime_is_loaded(void) {
    fork_while_the_runtime_is_loaded(fork);
}

/* Without fork's handlers, and what the C library mends in a child. */
static void bare_while_the_runtime_is_loaded(void) {
    fork_while_the_runtime_is_loaded(_Fork);
}

static void *allocate(void *unused) {
    while (!stop)
        free(malloc(5000));
    return NULL;
}

/* Children whose first region is the program's first. malloc's one lock, of another thread, stays
 * locked in them, and a plain sweep does not mind. Every other one can open no file. */
static void first_sweep_in_a_child(void) {
    const struct rlimit none = {0, 0};
    pthread_t thread;
    mallopt(M_ARENA_MAX, 1);
    set_up();
    pthread_create(&thread, NULL, allocate, NULL);
    for (int k = 0; k < 40; k++) {
        usleep((useconds_t)(k * 13));
        pid_t child = _Fork();
        if (child == 0) {
            if (k % 2)
                setrlimit(RLIMIT_NOFILE, &none);
            go(2);
            _exit((int)(hash_of(a, BYTES) & 63));
        }
        wait_for(child);
    }
    stop = 1;
    pthread_join(thread, NULL);
    go(3);
    show_both();
}

MAIN({"child-of-fork", child_of_fork}, {"child-of-bare-fork", child_of_bare_fork},
     {"mutex-around-fork", mutex_around_fork}, {"handlers-that-sweep", handlers_that_sweep},
     {"vfork-and-exec", vfork_and_exec}, {"spawned", spawned},
     {"children-of-children", children_of_children},
     {"while-the-runtime-is-loaded", while_the_runtime_is_loaded},
     {"bare-while-the-runtime-is-loaded", bare_while_the_runtime_is_loaded},
     {"first-sweep-in-a-child", first_sweep_in_a_child})
