/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * As much of LLVM's OpenMP runtime as the tests need, so that they need no package: teams of three
 * threads, loops with schedules, barriers, reductions. It counts the forks, which tell
 * whether a program's own threads did the work; with TEAM_REPORT it prints how many.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* In a program's file as outside of it: no library's code gets into parallel regions. */
#pragma clang optimize off

enum { THREADS = 3, MAX_ARGUMENTS = 24 };

typedef void body(int32_t *number, int32_t *bound, ...);

typedef struct member {
    pthread_t thread;
    body *run;
    void **a;
    int32_t number;
} member;

static pthread_barrier_t all;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int32_t number;
static _Thread_local int inside;
static int forks;

static void report(void) {
    if (getenv("TEAM_REPORT"))
        fprintf(stderr, "forks: %d\n", forks);
}

static void *enter(void *argument) {
    member *m = argument;
    void **a = m->a;
    int32_t zero = 0;
    number = m->number;
    inside = 1;
    m->run(&m->number, &zero, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
           a[11], a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22],
           a[23]);
    inside = 0;
    return NULL;
}

void __kmpc_fork_call(void *place, int32_t count, body *run, ...);
void __kmpc_fork_call(void *place, int32_t count, body *run, ...) {
    (void)place;
    void *a[MAX_ARGUMENTS] = {NULL};
    member team[THREADS];
    va_list list;
    va_start(list, run);
    for (int32_t i = 0; i < count; i++)
        a[i] = va_arg(list, void *);
    va_end(list);
    if (forks++ == 0)
        atexit(report);
    pthread_barrier_init(&all, NULL, THREADS);
    for (int k = THREADS - 1; k >= 0; k--) {
        team[k] = (member){.run = run, .a = a, .number = k};
        if (k)
            pthread_create(&team[k].thread, NULL, enter, &team[k]);
    }
    enter(&team[0]);
    for (int k = 1; k < THREADS; k++)
        pthread_join(team[k].thread, NULL);
    pthread_barrier_destroy(&all);
}

/* A part of the iterations for each thread; the last ones may have none. */
#define BOUNDS(name, type)                                                                         \
    void name(void *place, int32_t gtid, int32_t schedule, int32_t *last, type *lower,             \
              type *upper, type *stride, type step, type chunk);                                   \
    void name(void *place, int32_t gtid, int32_t schedule, int32_t *last, type *lower,             \
              type *upper, type *stride, type step, type chunk) {                                  \
        (void)place, (void)gtid, (void)step;                                                       \
        type count = (type)(*upper - *lower + 1), each = (type)((count + THREADS - 1) / THREADS);  \
        type from = (type)(each * (type)number), end = (type)(from + each);                        \
        if (schedule == 33) { /* parts of a fixed size, in turn */                                 \
            *stride = (type)(chunk * THREADS);                                                     \
            *last = (type)((count - 1) / chunk % THREADS) == (type)number;                         \
            *lower = (type)(*lower + (type)number * chunk);                                        \
            *upper = (type)(*lower + chunk - 1);                                                   \
            return;                                                                                \
        }                                                                                          \
        if (schedule != 34)                                                                        \
            abort();                                                                               \
        if (from > count)                                                                          \
            from = count;                                                                          \
        if (end > count)                                                                           \
            end = count;                                                                           \
        *last = end == count && from < end;                                                        \
        *upper = (type)(*lower + end - 1);                                                         \
        *lower = (type)(*lower + from);                                                            \
    }

BOUNDS(__kmpc_for_static_init_4, int32_t)
BOUNDS(__kmpc_for_static_init_4u, uint32_t)
BOUNDS(__kmpc_for_static_init_8, int64_t)
BOUNDS(__kmpc_for_static_init_8u, uint64_t)

void __kmpc_for_static_fini(void *place, int32_t gtid);
void __kmpc_for_static_fini(void *place, int32_t gtid) {
    (void)place, (void)gtid;
}

/* Parts that are given out while the loop runs: here, too, in turn. */
static _Thread_local struct {
    int64_t next, last, size;
} part;

#define PARTS(kind, type)                                                                          \
    void __kmpc_dispatch_init_##kind(void *place, int32_t gtid, int32_t schedule, type lower,      \
                                     type upper, type step, type chunk);                           \
    void __kmpc_dispatch_init_##kind(void *place, int32_t gtid, int32_t schedule, type lower,      \
                                     type upper, type step, type chunk) {                          \
        (void)place, (void)gtid, (void)schedule, (void)step;                                       \
        part.size = chunk > 0 ? (int64_t)chunk : 1;                                                \
        part.next = (int64_t)lower + number * part.size;                                           \
        part.last = (int64_t)upper;                                                                \
    }                                                                                              \
    int32_t __kmpc_dispatch_next_##kind(void *place, int32_t gtid, int32_t *last, type *lower,     \
                                        type *upper, type *stride);                                \
    int32_t __kmpc_dispatch_next_##kind(void *place, int32_t gtid, int32_t *last, type *lower,     \
                                        type *upper, type *stride) {                               \
        (void)place, (void)gtid;                                                                   \
        int64_t end = part.next + part.size - 1;                                                   \
        if (part.next > part.last)                                                                 \
            return 0;                                                                              \
        *last = end >= part.last;                                                                  \
        *lower = (type)part.next;                                                                  \
        *upper = (type)(*last ? part.last : end);                                                  \
        *stride = 1;                                                                               \
        part.next += part.size * THREADS;                                                          \
        return 1;                                                                                  \
    }

PARTS(4, int32_t)
PARTS(4u, uint32_t)
PARTS(8, int64_t)
PARTS(8u, uint64_t)

void __kmpc_dispatch_deinit(void *place, int32_t gtid);
void __kmpc_dispatch_deinit(void *place, int32_t gtid) {
    (void)place, (void)gtid;
}

void __kmpc_barrier(void *place, int32_t gtid);
void __kmpc_barrier(void *place, int32_t gtid) {
    (void)place, (void)gtid;
    if (inside)
        pthread_barrier_wait(&all);
}

int32_t __kmpc_global_thread_num(void *place);
int32_t __kmpc_global_thread_num(void *place) {
    (void)place;
    return number;
}

int omp_get_max_threads(void);
int omp_get_max_threads(void) {
    const char *text = getenv("TEAM_THREADS"); /* what it says, for the cost model */
    return text ? atoi(text) : THREADS;
}

int32_t omp_get_thread_num(void);
int32_t omp_get_thread_num(void) {
    return number;
}

int32_t __kmpc_single(void *place, int32_t gtid);
int32_t __kmpc_single(void *place, int32_t gtid) {
    (void)place, (void)gtid;
    return number == 0;
}

void __kmpc_end_single(void *place, int32_t gtid);
void __kmpc_end_single(void *place, int32_t gtid) {
    (void)place, (void)gtid;
}

int32_t __kmpc_reduce_nowait(void *place, int32_t gtid, int32_t count, size_t size, void *data,
                             void (*combine)(void *, void *), void *lock);
int32_t __kmpc_reduce_nowait(void *place, int32_t gtid, int32_t count, size_t size, void *data,
                             void (*combine)(void *, void *), void *lock) {
    (void)place, (void)gtid, (void)count, (void)size, (void)data, (void)combine, (void)lock;
    pthread_mutex_lock(&one);
    return 1;
}

void __kmpc_end_reduce_nowait(void *place, int32_t gtid, void *lock);
void __kmpc_end_reduce_nowait(void *place, int32_t gtid, void *lock) {
    (void)place, (void)gtid, (void)lock;
    pthread_mutex_unlock(&one);
}

int32_t __kmpc_reduce(void *place, int32_t gtid, int32_t count, size_t size, void *data,
                      void (*combine)(void *, void *), void *lock);
int32_t __kmpc_reduce(void *place, int32_t gtid, int32_t count, size_t size, void *data,
                      void (*combine)(void *, void *), void *lock) {
    return __kmpc_reduce_nowait(place, gtid, count, size, data, combine, lock);
}

void __kmpc_end_reduce(void *place, int32_t gtid, void *lock);
void __kmpc_end_reduce(void *place, int32_t gtid, void *lock) {
    __kmpc_end_reduce_nowait(place, gtid, lock);
    __kmpc_barrier(place, gtid);
}

void __kmpc_critical(void *place, int32_t gtid, void *lock);
void __kmpc_critical(void *place, int32_t gtid, void *lock) {
    (void)place, (void)gtid, (void)lock;
    pthread_mutex_lock(&one);
}

void __kmpc_end_critical(void *place, int32_t gtid, void *lock);
void __kmpc_end_critical(void *place, int32_t gtid, void *lock) {
    __kmpc_end_reduce_nowait(place, gtid, lock);
}

#pragma clang optimize on
