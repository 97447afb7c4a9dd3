/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop nest in the constructor of a library runs in a thread that has the loader's lock. Such a
 * thread must not wait for another thread that needs the lock, to load a driver's library or to
 * compile. No function tells which thread has the lock. So a thread is started that asks for the
 * program's own handle. It gets the handle at once unless the lock is taken.
 *
 * The loader reads files by numbers of the descriptor table. Meanwhile another thread of the
 * program may close or replace all descriptors. So libraries are opened in a thread that has an
 * empty table of its own, unless the calling thread may have the loader's lock. Libraries whose
 * constructors open descriptors cannot be opened so: GPU drivers.
 */
#include "runtime/device/loader.h"
#include "runtime/descriptors.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* A variable of glibc since 2.32: has the process always had only one thread? */
extern char __libc_single_threaded __attribute__((weak));

enum { ASKED, FREE, GIVEN_UP };

/* The last of both threads frees `context`. */
static void *ask(void *context) {
    atomic_int *state = context;
    int asked = ASKED;
    dlopen(NULL, RTLD_LAZY);
    if (!atomic_compare_exchange_strong(state, &asked, FREE))
        free(state);
    return NULL;
}

static bool is_answered(atomic_int *state) {
    const struct timespec pause = {.tv_nsec = 1000000};
    int asked = ASKED;
    for (int i = 0; i < 50 && atomic_load(state) == ASKED; i++)
        nanosleep(&pause, NULL);
    return !atomic_compare_exchange_strong(state, &asked, GIVEN_UP);
}

bool rt_loader_is_free(void) {
    pthread_t thread;
    atomic_int *state = calloc(1, sizeof *state);
    if (!state || pthread_create(&thread, NULL, ask, state) != 0) {
        free(state);
        return true;
    }
    pthread_detach(thread);
    bool answered = is_answered(state);
    if (answered)
        free(state);
    return answered;
}

typedef struct task {
    void (*work)(void *);
    void *context;
} task;

static void *run_apart(void *context) {
    const task *t = context;
    rt_own_descriptors();
    t->work(t->context);
    return NULL;
}

void rt_loader_run(void (*work)(void *), void *context) {
    pthread_t thread;
    task t = {work, context};
    bool alone = &__libc_single_threaded && __libc_single_threaded;
    if (alone || !rt_loader_is_free() || pthread_create(&thread, NULL, run_apart, &t) != 0)
        work(context);
    else
        pthread_join(thread, NULL);
}
