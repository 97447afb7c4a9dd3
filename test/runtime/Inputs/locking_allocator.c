/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program with an allocator of its own, as of a debugging build: one lock, and blocks are filled
 * when they are freed, with the lock held. So a thread looks at an array while it holds the lock,
 * and another thread's loop nest must not wait for it.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 40000, HEAD = 4096 };

typedef struct block {
    size_t bytes;
    struct block *next;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *arena;
static size_t used;
static block *unused;

void *malloc(size_t bytes) {
    block *found = NULL;
    pthread_mutex_lock(&lock);
    if (!arena)
        arena = mmap(NULL, (size_t)1 << 34, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (block **link = &unused; *link && !found; link = &(*link)->next)
        if ((*link)->bytes >= bytes && (*link)->bytes < 2 * bytes + 100) {
            found = *link;
            *link = found->next;
            break;
        }
    if (!found) {
        found = (block *)(arena + used);
        used += HEAD + (bytes + HEAD - 1) / HEAD * HEAD;
        found->bytes = bytes;
    }
    pthread_mutex_unlock(&lock);
    return (char *)found + HEAD;
}

void free(void *memory) {
    block *given = (block *)((char *)memory - HEAD);
    if (!memory)
        return;
    pthread_mutex_lock(&lock);
    memset(memory, 0xDD, given->bytes);
    given->next = unused;
    unused = given;
    pthread_mutex_unlock(&lock);
}

void *calloc(size_t count, size_t size) {
    return memset(malloc(count * size), 0, count * size);
}

void *realloc(void *memory, size_t bytes) {
    void *grown = malloc(bytes);
    if (memory) {
        size_t before = ((block *)((char *)memory - HEAD))->bytes;
        memcpy(grown, memory, before < bytes ? before : bytes);
    }
    free(memory);
    return grown;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return alignment <= HEAD ? malloc(bytes) : NULL;
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    *memory = aligned_alloc(alignment, bytes);
    return 0;
}

__attribute__((noinline)) static void sweep(long n, float *restrict to,
                                            const float *restrict from) {
    for (long i = 1; i < n - 1; i++)
        to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

static void *work(void *result) {
    uint64_t hash = 0;
    for (int round = 0; round < 20; round++) {
        float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
        for (int i = 0; i < N; i++)
            x[i] = y[i] = (float)((i * 37 + round) % 1000);
        for (int t = 0; t < 4; t++) {
            sweep(N, y, x);
            sweep(N, x, y);
        }
        free(y);
        x = realloc(x, 2 * N * sizeof *x);
        for (int i = 0; i < N; i++)
            hash = hash * 31 + (uint64_t)(x[i] * 16);
        free(x);
    }
    *(uint64_t *)result = hash;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    uint64_t results[2];
    alarm(60);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &results[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%llx %llx\n", (unsigned long long)results[0], (unsigned long long)results[1]);
    return 0;
}
