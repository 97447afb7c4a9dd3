/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Starts the threads of the service. close_range(2) with CLOSE_RANGE_UNSHARE over all numbers gives
 * a thread an empty descriptor table, without a copy of the program's. So no pipe stays open
 * because of the service. The reader starts the server, which so shares the reader's table.
 *
 * The mailbox is one word and futex(2), without a descriptor or an allocation. Both sides first
 * wait for a moment without sleep: most calls take less time than going to sleep, and most come
 * soon after another one. The moment takes less processor time than a sleep. Nobody calls
 * sched_yield meanwhile: on a busy machine that gives a slice of time to every other program each
 * time, but who is woken from a sleep goes on soon.
 */
#include "runtime/watch/service.h"
#include "runtime/descriptors.h"
#include "runtime/rt.h"
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SPINS = 4000 /* some microseconds */ };
enum { IDLE, ASKED, DONE };

static struct {
    pthread_mutex_t turn;
    _Atomic(uint32_t) state, sleepers;
    void (*work)(void *);
    void *context;
} mail = {.turn = PTHREAD_MUTEX_INITIALIZER};

static struct {
    const char *(*open)(void);
    void (*read)(void);
    const char *why;
    sem_t done;
} start;

static void sleep_while(uint32_t state) {
    atomic_fetch_add(&mail.sleepers, 1);
    syscall(SYS_futex, &mail.state, FUTEX_WAIT_PRIVATE, state, NULL, NULL, 0);
    atomic_fetch_sub(&mail.sleepers, 1);
}

static void set_state(uint32_t state) {
    atomic_store(&mail.state, state);
    if (atomic_load(&mail.sleepers) > 0)
        syscall(SYS_futex, &mail.state, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

/* Waits a moment without sleep: true if the state has come. */
static bool comes_soon(uint32_t state) {
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load(&mail.state) == state)
            return true;
        atomic_signal_fence(memory_order_seq_cst);
    }
    return false;
}

static void *serve(void *unused) {
    (void)unused;
    for (;;) {
        uint32_t state;
        if (!comes_soon(ASKED))
            while ((state = atomic_load(&mail.state)) != ASKED)
                sleep_while(state);
        mail.work(mail.context);
        set_state(DONE);
    }
    return NULL;
}

void rt_service_call(void (*work)(void *), void *context) {
    pthread_mutex_lock(&mail.turn);
    mail.work = work;
    mail.context = context;
    set_state(ASKED);
    if (!comes_soon(DONE))
        while (atomic_load(&mail.state) != DONE)
            sleep_while(ASKED);
    atomic_store(&mail.state, IDLE);
    pthread_mutex_unlock(&mail.turn);
}

static bool start_thread(void *(*run)(void *)) {
    pthread_t thread;
    return rt_thread_start(&thread, run, NULL) && pthread_detach(thread) == 0;
}

static void *read_for_good(void *unused) {
    if (!rt_own_descriptors())
        start.why = "the kernel gives a thread no descriptors of its own (Linux 5.9 does)";
    else
        start.why = start.open();
    if (!start.why && !start_thread(serve))
        start.why = "a thread could not be started";
    bool good = !start.why;
    void (*read)(void) = start.read;
    sem_post(&start.done);
    if (good)
        read();
    return unused;
}

const char *rt_service_start(const char *(*open)(void), void (*read)(void)) {
    start.open = open;
    start.read = read;
    sem_init(&start.done, 0, 0);
    if (!start_thread(read_for_good))
        return "a thread could not be started";
    while (sem_wait(&start.done) != 0)
        ;
    return start.why;
}
