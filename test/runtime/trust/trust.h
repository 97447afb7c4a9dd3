/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the programs of this folder share. Each is a list of acts: PROGRAM ACT does one, PROGRAM
 * alone lists them. All sweep two arrays and do something beside it that a plain build survives;
 * what they print must be what the plain build prints. trust.py builds and runs them.
 */
#ifndef TRUST_H
#define TRUST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define CELLS 300000L
#define BYTES (CELLS * sizeof(float))

struct act {
    const char *name;
    void (*run)(void);
};

static uint32_t random_state = 12345;

static inline uint32_t draw(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static inline void fill(float *array, size_t cells) {
    for (size_t i = 0; i < cells; i++)
        array[i] = (float)(draw() % 1000) / 7 - 60;
}

static inline uint64_t hash_of(const void *memory, size_t bytes) {
    const unsigned char *at = memory;
    uint64_t hash = 1469598103934665603ull;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * 1099511628211ull;
    return hash;
}

static inline void show(const char *name, const void *memory, size_t bytes) {
    printf("%s %016llx\n", name, (unsigned long long)hash_of(memory, bytes));
    fflush(stdout);
}

/* Zeros that nothing else shares a page with. */
static inline float *new_array(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(90);
    return memory;
}

static NOINLINE void sweep(long cells, float *restrict to, const float *restrict from) {
    for (long i = 1; i < cells - 1; i++)
        to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

/* Many steps in one region. */
static NOINLINE void heat(long cells, long steps, float *restrict to, float *restrict from) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < cells - 1; i++)
            to[i] = 0.5f * (from[i - 1] + from[i + 1]);
        float *other = from;
        from = to;
        to = other;
    }
}

static float *a, *b;

static inline void set_up(void) {
    a = new_array(BYTES);
    b = new_array(BYTES);
    fill(a, CELLS);
    fill(b, CELLS);
}

/* Steps of a time loop that enters a region a step: the arrays stay on the device. */
static inline void go(int steps) {
    for (int t = 0; t < steps; t++) {
        sweep(CELLS, b, a);
        float *other = a;
        a = b;
        b = other;
    }
}

static inline void show_both(void) {
    show("a", a, BYTES);
    show("b", b, BYTES);
}

static inline void handle(int signal, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(signal, &action, NULL);
}

/* 0: no more signals. */
static inline void every(int timer, long microseconds) {
    struct itimerval value = {{0, microseconds}, {0, microseconds}};
    setitimer(timer, &value, NULL);
}

static inline void once_after(long microseconds) {
    struct itimerval value = {{0, 0}, {0, microseconds}};
    setitimer(ITIMER_REAL, &value, NULL);
}

static inline double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline int run_act(const struct act *acts, size_t count, int words, char **word) {
    for (size_t i = 0; i < count; i++) {
        if (words < 2) {
            puts(acts[i].name);
        } else if (strcmp(word[1], acts[i].name) == 0) {
            acts[i].run();
            return 0;
        }
    }
    return words < 2 ? 0 : 91;
}

#define MAIN(...)                                                                                  \
    int main(int words, char **word) {                                                             \
        static const struct act acts[] = {__VA_ARGS__};                                            \
        return run_act(acts, sizeof(acts) / sizeof(acts[0]), words, word);                         \
    }

#endif
