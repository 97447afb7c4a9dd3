/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program of the stress test: sweeps that sweeps.py draws, and this interpreter, which does what
 * a script says in several threads, each with arrays of its own. Whatever beside them happens, what
 * is printed at the end depends on the script alone.
 */
#ifndef STRESS_H
#define STRESS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what sweeps.py writes ---- */

struct shape {
    long nx, ny, nz, pitch; /* cells; pitch: from one row to the next, nx + SPARE at least */
};

/* Sweeps with which a thread works: all of one rank and type. */
struct family {
    int rank;
    char type; /* 'f', 'd', 'i' */
    size_t size;
    int forms; /* the first one reads arrays[0], writes arrays[1] and nothing else, for one step */
    void (*const *form)(const struct shape *shape, long steps, void **arrays);
};

extern const struct family families[];
extern const int family_count;

/* ---- threads ---- */

enum { ARRAYS = 4, THREADS = 8, ACTS = 64, LOG = 1 << 16, BUFFER = 1 << 14, SPARE = 4 };
enum { POOL = 1 << 20 }; /* bytes of a static array, and of all others at most */

struct array {
    void *base;
    size_t mapped; /* bytes, where mmap gave it, else 0 */
    bool allocated;
};

struct act {
    int kind;
    long number[4];
};

struct thread {
    int number;
    const struct family *family;
    struct shape shape;
    size_t bytes;
    char how[ARRAYS][12];
    struct array array[ARRAYS];
    void *order[ARRAYS]; /* what sweeps exchange */
    uint32_t random;
    struct act act[ACTS];
    int acts;
    /* What handlers of signals look at. */
    volatile sig_atomic_t sweeping; /* arrays are there, and cells beside them count */
    volatile sig_atomic_t ticks;
    volatile sig_atomic_t in_handler;
    volatile sig_atomic_t jumping;
    volatile sig_atomic_t looks, own_sweeps; /* that handlers made */
    sigjmp_buf out;
    void *handlers[2];
    pthread_t id;
    char log[LOG];
    size_t logged;
    char buffer[BUFFER]; /* no thread-local one: small stacks have no room for it */
};

extern _Thread_local struct thread *me;
extern struct thread threads[THREADS];
extern int thread_count;
extern atomic_int threads_done;
extern const char *script_path;

/* Held for reading by who allocates or opens, for writing by who changes the process. */
extern pthread_rwlock_t process_lock;

/* ---- basics.c ---- */

void say(struct thread *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint32_t draw(struct thread *t);
uint64_t hash_cells(const struct thread *t, const void *array);
void fill_array(struct thread *t, void *array, bool tiny);
void fill_all(struct thread *t);
void run_form(struct thread *t, int form, long steps);
struct array allocate(struct thread *t, int index, const char *how);
void release(struct array *array);
void reset_order(struct thread *t);
_Noreturn void give_up(const char *what);
/* What docs/residency.md says of what a program meets: no failure. */
_Noreturn void give_up_as_documented(const char *what);

/* ---- acts ---- */

#define ACT_LIST(X)                                                                                \
    X(sweep)                                                                                       \
    X(look)                                                                                        \
    X(poke)                                                                                        \
    X(copy)                                                                                        \
    X(refill)                                                                                      \
    X(again)                                                                                       \
    X(resize)                                                                                      \
    X(remap)                                                                                       \
    X(discard)                                                                                     \
    X(hole)                                                                                        \
    X(protect)                                                                                     \
    X(advise)                                                                                      \
    X(churn)                                                                                       \
    X(pipe)                                                                                        \
    X(file)                                                                                        \
    X(peek)                                                                                        \
    X(rounding)                                                                                    \
    X(small)                                                                                       \
    X(jump)                                                                                        \
    X(cancel)                                                                                      \
    X(fork)                                                                                        \
    X(spawn)                                                                                       \
    X(close)                                                                                       \
    X(replace)                                                                                     \
    X(standard)                                                                                    \
    X(limit)

#define DECLARE(name) void act_##name(struct thread *t, const long *number);
ACT_LIST(DECLARE)
#undef DECLARE

/* ---- signals.c ---- */

enum { COUNT = 1, READ = 2, SWEEP = 4 }; /* what a handler does */
void set_handler(int signal, int what);
void start_timer(int which, long microseconds);
void start_pester(long microseconds, int signal);
void join_pester(void);
void finish_handlers(struct thread *t);
void block_signals(bool block);
void prepare_signals(void);

/* ---- children.c ---- */

int child_main(void);

#endif
