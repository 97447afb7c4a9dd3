/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs many test programs in one process. Reads lines
 *   PROGRAM STEPS SIZES...
 * from standard input: PROGRAM is a shared object of a test program (test/programs/harness.h). Runs
 * it once and writes "done CELLS SECONDS HASH" or "failed WHY" on standard error, where the
 * runtime's report goes too. HASH is of all bytes afterwards; 0 unless RUNNER_HASH is set.
 *
 * Why one process: opening a device takes 0.3 s, and the first touch of a new page more than a copy
 * of it. So host memory is kept, and filled by all processors from a few megabytes of noise. Both
 * buffers of a time loop are filled alike; with RUNNER_APART, every second buffer is an element on.
 */
#include "harness.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 64, NOISE = (2 << 20) + 4099 /* elements: no multiple of a row */ };

static struct {
    char *at;
    size_t bytes;
} memory[MAX_BUFFERS];

static void *noise; /* of one type */
static char noise_kind;
static int noise_size, threads;

static int fail(const char *what, const char *why) {
    fprintf(stderr, "failed %s: %s\n", what, why);
    return 0;
}

/* Values in [0, 1), or small integers. */
static void make_noise(const struct buffer *b) {
    uint64_t state = 1;
    if (noise && noise_kind == b->kind && noise_size == b->size)
        return;
    noise_kind = b->kind;
    noise_size = b->size;
    free(noise);
    noise = malloc((size_t)NOISE * (size_t)noise_size);
    for (size_t i = 0; noise && i < NOISE; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
        double real = (double)(state >> 40) * 0x1p-24;
        int64_t whole = b->range ? b->low + (int64_t)((state >> 33) % (uint64_t)b->range) : 0;
        float narrow = (float)real;
        const void *value = noise_kind != 'f' ? (void *)&whole
                            : noise_size == 4 ? (void *)&narrow
                                              : &real;
        memcpy((char *)noise + i * (size_t)noise_size, value, (size_t)noise_size);
    }
}

struct share {
    char *at;
    size_t bytes, first; /* `first`: of the pieces, each as long as the noise; every threads-th */
};

static void *fill_share(void *argument) {
    const struct share *s = argument;
    size_t piece = (size_t)NOISE * (size_t)noise_size;
    for (size_t from = s->first * piece; from < s->bytes; from += (size_t)threads * piece)
        memcpy(s->at + from, noise, s->bytes - from < piece ? s->bytes - from : piece);
    return NULL;
}

static void fill(char *at, size_t bytes) {
    pthread_t thread[MAX_THREADS];
    struct share share[MAX_THREADS];
    int started = 0;
    for (int k = 0; k < threads; k++)
        share[k] = (struct share){at, bytes, (size_t)k};
    for (; started < threads - 1; started++)
        if (pthread_create(&thread[started], NULL, fill_share, &share[started]))
            break;
    for (int k = started; k < threads; k++)
        fill_share(&share[k]);
    for (int k = 0; k < started; k++)
        pthread_join(thread[k], NULL);
}

static char *reserve(int k, size_t bytes) {
    if (memory[k].bytes >= bytes)
        return memory[k].at;
    if (memory[k].bytes)
        munmap(memory[k].at, memory[k].bytes);
    memory[k].bytes = 0;
    memory[k].at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory[k].at == MAP_FAILED)
        return NULL;
    madvise(memory[k].at, bytes, MADV_HUGEPAGE);
    memory[k].bytes = bytes;
    return memory[k].at;
}

/* One buffer: its halves are the time loop's two. */
static int set_up(struct buffer *buffers, int count, void **pointers) {
    for (int k = 0; k < count; k++) {
        struct buffer *b = &buffers[k];
        size_t bytes = (size_t)b->count * (size_t)b->size, half = count == 1 ? bytes / 2 : bytes;
        pointers[k] = b->at ? b->at : reserve(k, bytes);
        make_noise(b);
        if (!pointers[k] || !noise)
            return fail("memory", b->name);
        size_t on = getenv("RUNNER_APART") && k % 2 && (size_t)b->size < half ? (size_t)b->size : 0;
        fill(pointers[k], half);
        if (on)
            fill((char *)pointers[k] + on, half - on);
        if (half < bytes)
            fill((char *)pointers[k] + half, bytes - half);
    }
    return 1;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* FNV's way to mix, over words. */
static void *hash_share(void *argument) {
    struct share *s = argument;
    uint64_t hash = 14695981039346656037u;
    size_t piece = (s->bytes / (size_t)threads + 8) / 8 * 8, from = s->first * piece;
    for (size_t i = from; i < s->bytes && i < from + piece; i += 8) {
        uint64_t word = 0;
        memcpy(&word, s->at + i, s->bytes - i < 8 ? s->bytes - i : 8);
        hash = (hash ^ word) * 1099511628211u;
    }
    s->first = (size_t)hash;
    return NULL;
}

static uint64_t hash_of(char *at, size_t bytes) {
    pthread_t thread[MAX_THREADS];
    struct share share[MAX_THREADS];
    uint64_t hash = 0;
    for (int k = 0; k < threads; k++) {
        share[k] = (struct share){at, bytes, (size_t)k};
        if (pthread_create(&thread[k], NULL, hash_share, &share[k])) {
            hash_share(&share[k]);
            thread[k] = pthread_self();
        }
    }
    for (int k = 0; k < threads; k++) {
        if (!pthread_equal(thread[k], pthread_self()))
            pthread_join(thread[k], NULL);
        hash = (hash ^ share[k].first) * 1099511628211u;
    }
    return hash;
}

static int run(const char *program, long steps, const long *n) {
    struct buffer buffers[MAX_BUFFERS] = {0};
    void *pointers[MAX_BUFFERS], *library = dlopen(program, RTLD_NOW); /* kept, with its kernels */
    int (*describe)(const long *, struct buffer *, long *);
    void (*run_program)(const long *, long, void *const *);
    long cells = 0;
    if (!library)
        return fail("dlopen", dlerror());
    *(void **)&describe = dlsym(library, "program_describe");
    *(void **)&run_program = dlsym(library, "program_run");
    if (!describe || !run_program)
        return fail(program, "not a test program");
    int count = describe(n, buffers, &cells);
    if (!set_up(buffers, count, pointers))
        return 0;
    double start = now(), end;
    uint64_t hash = 0;
    run_program(n, steps, pointers);
    end = now();
    for (int k = 0; k < count && getenv("RUNNER_HASH"); k++)
        hash = hash * 31 + hash_of(pointers[k], (size_t)buffers[k].count * (size_t)buffers[k].size);
    fprintf(stderr, "done %ld %.6f %llx\n", cells, end - start, (unsigned long long)hash);
    return 1;
}

int main(void) {
    char line[4096], program[4096];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    threads = (int)(processors < 1 ? 1 : processors > MAX_THREADS ? MAX_THREADS : processors);
    while (fgets(line, sizeof line, stdin)) {
        long steps = 0, n[MAX_RANK] = {1, 1, 1};
        if (sscanf(line, "%4095s %ld %ld %ld %ld", program, &steps, &n[0], &n[1], &n[2]) < 3)
            fail("line", line);
        else
            run(program, steps, n);
    }
    return 0;
}
