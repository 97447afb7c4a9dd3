/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * resident MODE...: time loops around loop nests of another file, and all the ways in which a
 * program looks at its arrays in between. Prints a hash of what it saw: the plain build's must be
 * the same. Built with -DEXPLICIT, the calls of stencilopt.h say when it looks; then modes that
 * look in other ways are not to be run.
 */
#define _GNU_SOURCE
#include "resident.h"
#include <fcntl.h>
#include <fenv.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef EXPLICIT
#include "stencilopt/stencilopt.h"
#else
#define stencilopt_keep(memory, bytes)
#define stencilopt_fetch(memory, bytes)
#define stencilopt_changed(memory, bytes)
#define stencilopt_release(memory, bytes)
#endif

enum { N = 190, CELLS = N * N, BYTES = CELLS * sizeof(float), STEPS = 12 };

static uint64_t hash = 14695981039346656037u;

static void add(const void *memory, size_t bytes) {
    const unsigned char *at = memory;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
}

static void fill(float *a, long cells, unsigned seed) {
    for (long i = 0; i < cells; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (float)(seed >> 8) / 16777216 - 0.25f;
    }
}

typedef struct pair {
    float *a, *b;
} pair;

static pair new_pair(void) {
    pair p = {malloc(BYTES), malloc(BYTES)};
    fill(p.a, CELLS, 1);
    fill(p.b, CELLS, 2);
    stencilopt_keep(p.a, BYTES);
    stencilopt_keep(p.b, BYTES);
    return p;
}

static void step(pair *p) {
    sweep(N, p->b, p->a);
    *p = (pair){p->b, p->a};
}

static void end(pair *p) {
    stencilopt_release(p->a, BYTES);
    stencilopt_release(p->b, BYTES);
    add(p->a, BYTES);
    add(p->b, BYTES);
    free(p->a);
    free(p->b);
}

/* Calls look(&p, t) after each third step. */
static void with_looks(void (*look)(pair *, int)) {
    pair p = new_pair();
    for (int t = 1; t <= STEPS; t++) {
        step(&p);
        if (t % 3 == 0)
            look(&p, t);
    }
    end(&p);
}

static void nothing(pair *p, int t) {
    (void)p, (void)t;
}

static void steady(void) {
    with_looks(nothing);
}

static void look_reading(pair *p, int t) {
    stencilopt_fetch(p->a, BYTES);
    add(t % 2 ? p->a : p->a + CELLS / 2, 4 * N);
}

static void reads(void) {
    with_looks(look_reading);
}

static void look_writing(pair *p, int t) {
    stencilopt_fetch(p->a, BYTES);
    p->a[CELLS / 2 + t] += 1;
    stencilopt_changed(&p->a[CELLS / 2 + t], sizeof(float));
    p->b[t] = 3; /* its halo, in a page that the array has in part */
    stencilopt_changed(&p->b[t], sizeof(float));
    stencilopt_fetch(p->b, BYTES);
    p->b[17 * N] = 5; /* and in one that is all its */
    stencilopt_changed(&p->b[17 * N], sizeof(float));
}

static void writes(void) {
    with_looks(look_writing);
}

static int file = -1;

static void check(int good, const char *what) {
    if (good)
        return;
    perror(what);
    exit(1);
}

static void look_from_kernel(pair *p, int t) {
    float copy[N];
    stencilopt_fetch(p->a, BYTES);
    stencilopt_fetch(p->b, BYTES);
    check(pwrite(file, p->a, BYTES, 0) == BYTES, "pwrite");
    check(pread(file, copy, sizeof copy, t * 4000) == sizeof copy, "pread");
    add(copy, sizeof copy);
    check(pread(file, p->b + N, BYTES / 2, 8) == BYTES / 2, "pread");
    stencilopt_changed(p->b + N, BYTES / 2);
    check(pread(file, p->a + 3 * N, 5000, 12) == 5000, "pread");
    stencilopt_changed(p->a + 3 * N, 5000);
}

static void system_calls(void) {
    char name[] = "/tmp/residentXXXXXX";
    file = mkstemp(name);
    unlink(name);
    with_looks(look_from_kernel);
    close(file);
}

/* After every step, in each row: not worth leaving them. */
static void nosy(void) {
    pair p = new_pair();
    for (int t = 0; t < 4 * STEPS; t++) {
        step(&p);
        for (int i = N / 2; i < CELLS; i += N)
            p.a[i] += p.b[i];
    }
    end(&p);
}

static pair seen_by_handler;

static void on_alarm(int number) {
    static volatile float last;
    last = seen_by_handler.a[CELLS / 2] + seen_by_handler.b[CELLS / 2] + (float)number;
    seen_by_handler.a[CELLS / 2] += 1;
}

/* A handler looks at arrays that no loop nest uses at the time. */
static void signals(void) {
    pair p = new_pair(), other = new_pair();
    struct itimerval often = {{0, 700}, {0, 700}}, never = {{0, 0}, {0, 0}};
    for (int i = 0; i < 10; i++) {
        for (int t = 0; t < 4; t++)
            step(&p);
        seen_by_handler = p;
        signal(SIGALRM, on_alarm);
        setitimer(ITIMER_REAL, &often, NULL);
        for (int t = 0; t < 10; t++)
            step(&other);
        setitimer(ITIMER_REAL, &never, NULL);
        signal(SIGALRM, SIG_IGN);
        p.a[CELLS / 2] = 1;
    }
    end(&p);
    end(&other);
}

/* Another rounding: the original loops run, though the program has not looked. */
static void rounding(void) {
    pair p = new_pair();
    for (int t = 0; t < STEPS; t++) {
        fesetround(t % 5 == 4 ? FE_UPWARD : FE_TONEAREST);
        step(&p);
    }
    fesetround(FE_TONEAREST);
    end(&p);
}

static void look_copying(pair *p, int t) {
    static float copy[CELLS];
    stencilopt_fetch(p->a, BYTES);
    memcpy(copy, p->a, BYTES);
    add(copy, BYTES);
    copy[N + t] = 2;
    memcpy(p->a, copy, BYTES - 4 * N);
    stencilopt_changed(p->a, BYTES - 4 * N);
}

static void copies(void) {
    with_looks(look_copying);
}

static void look_in_child(pair *p, int t) {
    int ends[2];
    uint64_t sum;
    check(pipe(ends) == 0, "pipe");
    pid_t child = fork();
    if (child == 0) {
        add(p->a, BYTES);
        add(p->b, BYTES);
        step(p); /* the child's own loops */
        add(p->a, BYTES);
        _exit(write(ends[1], &hash, sizeof hash) != sizeof hash);
    }
    close(ends[1]);
    check(read(ends[0], &sum, sizeof sum) == sizeof sum, "read");
    close(ends[0]);
    waitpid(child, NULL, 0);
    hash = sum + (unsigned)t;
}

static void forks(void) {
    with_looks(look_in_child);
}

static void look_by_command(pair *p, int t) {
    (void)p;
    hash += (unsigned)(t + system("true"));
}

static void commands(void) {
    with_looks(look_by_command);
}

static void look_growing(pair *p, int t) {
    p->a = realloc(p->a, BYTES + (size_t)t * 100000);
    p->b = realloc(p->b, BYTES + (size_t)t * 200);
}

static void reallocs(void) {
    with_looks(look_growing);
}

static void look_replacing(pair *p, int t) {
    free(p->b);
    free(p->a);
    *p = new_pair();
    p->a[t * N + 5] = (float)t;
}

static void replaced(void) {
    with_looks(look_replacing);
}

static void *read_in_thread(void *p) {
    look_reading(p, 1);
    look_writing(p, 2);
    return NULL;
}

static void look_in_thread(pair *p, int t) {
    pthread_t thread;
    (void)t;
    pthread_create(&thread, NULL, read_in_thread, p);
    pthread_join(thread, NULL);
}

static void other_thread(void) {
    with_looks(look_in_thread);
}

/* Corners, which no sweep reads or writes, belong to whom wants them. */
static volatile int stop;

static void *touch_corners(void *argument) {
    pair *p = argument;
    volatile float *corners[] = {p->a, p->b, p->a + N - 1, p->b + CELLS - 1, p->a + 77 * N};
    float n = 0;
    while (!stop || n < 100) {
        corners[0][0] = n++;
        *corners[1] = *corners[0];
        *corners[3] = n;
        n += *corners[2] - *corners[2] + *corners[4] - *corners[4];
        usleep(300);
    }
    *corners[0] = *corners[1] = *corners[3] = 9;
    return NULL;
}

static void corners(void) {
    pthread_t thread;
    pair p = new_pair(), same = p;
    stop = 0;
    pthread_create(&thread, NULL, touch_corners, &same);
    for (int t = 0; t < 4 * STEPS; t++)
        step(&p);
    stop = 1;
    pthread_join(thread, NULL);
    end(&p);
}

static float shared_weight[CELLS];

static void *run_alone(void *sum) {
    pair p = new_pair();
    for (int t = 0; t < STEPS; t++) {
        weighted(N, p.b, p.a, shared_weight);
        step(&p);
        if (t % 4 == 3)
            *(float *)sum += p.a[CELLS / 2 + t] + p.b[CELLS - N - 2];
    }
    stencilopt_release(p.a, BYTES);
    stencilopt_release(p.b, BYTES);
    *(float *)sum += p.a[4 * N + 4];
    free(p.a);
    free(p.b);
    return NULL;
}

static void threads(void) {
    pthread_t thread[3];
    float sums[3] = {0, 1, 2};
    fill(shared_weight, CELLS, 5);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, run_alone, &sums[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    add(sums, sizeof sums);
}

static void small(void) {
    float a[100], b[100];
    fill(a, 100, 1);
    fill(b, 100, 2);
    for (int t = 0; t < STEPS; t++)
        t % 2 ? sweep(10, a, b) : sweep(10, b, a);
    add(a, sizeof a);
    add(b, sizeof b);
}

static float zeros[2][CELLS], ones[2][CELLS] = {{1, 2}, {3}};

static void statics(void) {
    zeros[0][5 * N + 5] = 1;
    for (int t = 0; t < STEPS; t++) {
        sweep(N, zeros[1 - t % 2], zeros[t % 2]);
        sweep(N, ones[1 - t % 2], ones[t % 2]);
        if (t == 5)
            add(zeros[1] + CELLS / 2, N);
    }
    add(zeros, sizeof zeros);
    add(ones, sizeof ones);
}

static void one_block(void) {
    char *block = malloc(3 * BYTES + 100);
    float *a = (float *)(block + 12), *b = a + CELLS + 1, *c = b + CELLS + 3;
    fill(a, 3 * CELLS + 5, 7);
    for (int t = 0; t < STEPS; t++) {
        sweep(N, b, a);
        sweep(N, c, b);
        sweep(N, a, c);
        a[CELLS] += 1; /* beside them */
        if (t % 5 == 4)
            b[CELLS / 2] = c[CELLS / 2];
    }
    add(block + 12, 3 * BYTES + 16);
    free(block);
}

static void views(void) {
    pair p = new_pair();
    for (int t = 0; t < STEPS; t++) {
        step(&p);
        sweep(N - 1, p.b, p.a);             /* other rows */
        sweep_part(N, N / 2, p.b + N, p.a); /* part of it */
        sweep_part(N, N - 10, p.b + 3, p.a + 4 * N);
        sweep_part(N, N - 2, p.a, p.b);
        step(&p);
        edges(N, p.a);
        if (t % 4 == 0)
            add(p.a, N);
    }
    end(&p);
}

static void cubes(void) {
    enum { M = 40 };
    double *a = calloc(M * M * M, sizeof *a), *b = calloc(M * M * M, sizeof *b);
    for (int i = 0; i < M * M * M; i += 3)
        a[i] = i % 71;
    for (int t = 0; t < STEPS; t++) {
        t % 2 ? sweep_3d(M, a, b) : sweep_3d(M, b, a);
        if (t % 5 == 2)
            add(t % 2 ? a + M * M * M / 2 : b, 5000);
    }
    add(a, M * M * M * sizeof *a);
    add(b, M * M * M * sizeof *b);
    free(a);
    free(b);
}

static void coefficients(void) {
    pair p = new_pair();
    float *weight = malloc(BYTES);
    fill(weight, CELLS, 3);
    for (int t = 0; t < 2 * STEPS; t++) {
        weighted(N, p.b, p.a, weight);
        p = (pair){p.b, p.a};
        if (t % 3 == 2)
            weight[(t * 997) % CELLS] = 0.5f;
    }
    free(weight);
    end(&p);
}

static void several_sweeps(void) {
    pair p = new_pair();
    for (int t = 0; t < STEPS; t++) {
        sweep_and_copy(N, 2, p.a, p.b);
        if (t % 4 == 3)
            add(t % 3 ? p.a : p.b, BYTES);
    }
    end(&p);
}

/* With a NaN, a maximum depends on the order of the cells: the original loops run again. */
static void residuals(void) {
    pair p = new_pair();
    float d = 1;
    for (int t = 0; t < STEPS; t++) {
        d = difference(N, p.a, p.b);
        add(&d, sizeof d);
        if (t == 6)
            p.a[70 * N + 70] = NAN;
        if (t == 9)
            fill(p.a, CELLS, 8);
    }
    end(&p);
}

static void time_loops(void) {
    pair p = new_pair();
    for (int t = 0; t < STEPS; t++) {
        steps_inside(N, 1 + t % 7, p.a, p.b);
        step(&p);
        if (t % 4 == 3)
            add(p.b, 100);
    }
    end(&p);
}

static __attribute__((noinline)) void on_stack(void) {
    float a[CELLS], b[CELLS];
    fill(a, CELLS, 1);
    fill(b, CELLS, 2);
    for (int t = 0; t < 4; t++)
        t % 2 ? sweep(N, a, b) : sweep(N, b, a);
    if (hash % 2)
        add(a, sizeof a);
}

static void *on_stack_of_thread(void *unused) {
    on_stack();
    steady();
    on_stack();
    return unused;
}

static void stacks(void) {
    pthread_t thread;
    on_stack();
    steady();
    pthread_create(&thread, NULL, on_stack_of_thread, NULL);
    pthread_join(thread, NULL);
}

/* Arrays that begin with a page, in mappings of their own */
static pair map_pair(void) {
    size_t pages = (BYTES + 4095) / 4096 * 4096;
    float *a = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    float *b = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fill(a, CELLS, 1);
    fill(b, CELLS, 2);
    return (pair){a, b};
}

static void advance(pair *p) {
    for (int t = 0; t < 5; t++)
        step(p);
}

static void mappings(void) {
    size_t pages = (BYTES + 4095) / 4096 * 4096, half = pages / 8192 * 4096;
    pair p = map_pair();
    advance(&p);
    madvise((char *)p.a + 8192, 16384, MADV_DONTNEED); /* now zeros */
    madvise((char *)p.b + 4096, 4096, MADV_DONTNEED);
    advance(&p);
    mprotect(p.a, half, PROT_READ);
    add(p.a, BYTES);
    mprotect(p.a, half, PROT_READ | PROT_WRITE);
    advance(&p);
    mprotect(p.b, half, PROT_NONE);
    mprotect(p.b, half, PROT_READ | PROT_WRITE);
    advance(&p);
    void *other = mmap((char *)p.a + half, 8192, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    add(other, 8192);
    add(p.a, BYTES);
    advance(&p);
    add(p.b, BYTES);
    advance(&p);
    munmap(p.a, pages);
    p.a = mmap(p.a, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fill(p.a, CELLS, 6);
    advance(&p);
    add(p.a, BYTES);
    add(p.b, BYTES);
    munmap(p.a, pages);
    munmap(p.b, pages);
}

/* Moved by mremap: as a whole, it takes the array along. */
static void moved(void) {
    size_t pages = (BYTES + 4095) / 4096 * 4096;
    char *room = mmap(NULL, 5 * pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int access = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    pair p = {(float *)mmap(room + (64 << 10) * 0, pages, access, flags, -1, 0),
              (float *)mmap(room + 3 * pages, pages, access, flags, -1, 0)};
    fill(p.a, CELLS, 1);
    fill(p.b, CELLS, 2);
    advance(&p);
    size_t whole = BYTES / 4096 * 4096;
    float *to = mremap(p.a, whole, whole, MREMAP_MAYMOVE | MREMAP_FIXED,
                       room + 3 * pages / 2 / 4096 * 4096);
    if (to != MAP_FAILED)
        add(to, whole);
    else
        add(p.a, whole);
    munmap(room, 5 * pages);
}

static float *at_exit_a, *at_exit_b;

static void last_look(void) {
    add(at_exit_a, BYTES);
    add(at_exit_b, BYTES);
    printf("at exit %016llx\n", (unsigned long long)hash);
    fflush(stdout);
}

/* One handler before the runtime is there, one after. */
static void exits(void) {
    pair p = new_pair();
    atexit(last_look);
    for (int t = 0; t < STEPS; t++)
        step(&p);
    at_exit_a = p.a;
    at_exit_b = p.b;
    atexit(last_look);
}

/* Arrays large enough for a GPU to pay, if only they need not be copied. */
static void large(void) {
    enum { L = 2000, CALLS = 300 }; /* the gain of 80 pays for opening the device */
    float *a = malloc(L * L * sizeof *a), *b = malloc(L * L * sizeof *b);
    fill(a, L * L, 1);
    fill(b, L * L, 2);
    stencilopt_keep(a, L * L * sizeof *a);
    stencilopt_keep(b, L * L * sizeof *b);
    for (int t = 0; t < CALLS; t++) {
        t % 2 ? sweep(L, a, b) : sweep(L, b, a);
        if (t == CALLS - 4) /* so little that the original loops run, without asking */
            t % 2 ? sweep_part(L, 4, a, b) : sweep_part(L, 4, b, a);
    }
    stencilopt_release(a, L * L * sizeof *a);
    stencilopt_release(b, L * L * sizeof *b);
    add(a, 4 * L * sizeof *a);
    add(b + L * L / 2, 4 * L * sizeof *a);
    free(a);
    free(b);
}

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = {{"steady", steady},
             {"reads", reads},
             {"writes", writes},
             {"system-calls", system_calls},
             {"rounding", rounding},
             {"nosy", nosy},
             {"signals", signals},
             {"copies", copies},
             {"forks", forks},
             {"commands", commands},
             {"reallocs", reallocs},
             {"replaced", replaced},
             {"other-thread", other_thread},
             {"corners", corners},
             {"threads", threads},
             {"small", small},
             {"statics", statics},
             {"one-block", one_block},
             {"views", views},
             {"cubes", cubes},
             {"coefficients", coefficients},
             {"several-sweeps", several_sweeps},
             {"residuals", residuals},
             {"time-loops", time_loops},
             {"stacks", stacks},
             {"mappings", mappings},
             {"moved", moved},
             {"exits", exits}};

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "large")) {
        large();
        printf("large %016llx\n", (unsigned long long)hash);
        return 0;
    }
    mallopt(M_MMAP_THRESHOLD,
            64 << 10); /* and not more after the first free: no array on the heap */
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        int wanted = argc < 2;
        for (int k = 1; k < argc; k++)
            wanted |= !strcmp(argv[k], modes[i].name);
        if (!wanted)
            continue;
        modes[i].run();
        printf("%s %016llx\n", modes[i].name, (unsigned long long)hash);
        fflush(stdout);
    }
    return 0;
}
