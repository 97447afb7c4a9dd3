/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An allocator of the program's own, as of a debugging build: one lock, and blocks that are filled
 * when they are freed, under the lock. Its arrays stay on the device, so the filling waits for
 * their pages. Promised: who brings them needs no allocator.
 */
#include "trust.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *arena;
static size_t used;
static volatile sig_atomic_t raises; /* a signal comes while the lock is taken */

struct head {
    size_t size;
    struct head *next;
    char pad[4096 - 16];
};
static struct head *free_blocks;

static struct head *free_block_of(size_t size) {
    for (struct head **at = &free_blocks; *at; at = &(*at)->next)
        if ((*at)->size >= size && (*at)->size < 2 * size + 100) {
            struct head *found = *at;
            *at = found->next;
            return found;
        }
    return NULL;
}

void *malloc(size_t size) {
    pthread_mutex_lock(&mutex);
    if (raises) {
        raises = 0;
        raise(SIGUSR1);
    }
    if (!arena)
        arena = mmap(NULL, 1ul << 32, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct head *block = free_block_of(size);
    if (!block) {
        block = (struct head *)(arena + used);
        used += sizeof(*block) + ((size + 4095) & ~4095ul);
        block->size = size;
    }
    pthread_mutex_unlock(&mutex);
    return block + 1;
}

void free(void *memory) {
    if (!memory)
        return;
    struct head *block = (struct head *)memory - 1;
    pthread_mutex_lock(&mutex);
    memset(memory, 0xdd, block->size);
    block->next = free_blocks;
    free_blocks = block;
    pthread_mutex_unlock(&mutex);
}

void *calloc(size_t count, size_t size) {
    void *memory = malloc(count * size);
    memset(memory, 0, count * size);
    return memory;
}

void *realloc(void *memory, size_t size) {
    if (!memory)
        return malloc(size);
    struct head *block = (struct head *)memory - 1;
    if (block->size >= size)
        return memory;
    void *larger = malloc(size);
    pthread_mutex_lock(&mutex);
    memcpy(larger, memory, block->size);
    pthread_mutex_unlock(&mutex);
    free(memory);
    return larger;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return malloc(size);
}

void *memalign(size_t alignment, size_t size) {
    return malloc(size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = malloc(size);
    return 0;
}

static void freed_blocks_are_filled(void) {
    for (int k = 0; k < 5; k++) {
        a = malloc(BYTES);
        b = malloc(BYTES);
        fill(a, CELLS);
        fill(b, CELLS);
        go(4);
        show("a", a, BYTES);
        go(3);
        free(a);
        b = realloc(b, 2 * BYTES);
        show("b", b, BYTES);
        free(b);
    }
}

static float handlers_own[CELLS], handlers_other[CELLS];

static void sweep_in_handler(int number) {
    sweep(CELLS, handlers_other, handlers_own);
}

/* The process has entered no region before: the runtime is not there yet, and to load it takes the
 * lock that the interrupted thread has. */
static void handler_sweeps_first(void) {
    set_up();
    fill(handlers_own, CELLS);
    handle(SIGUSR1, sweep_in_handler);
    raises = 1;
    free(malloc(100));
    show("handler's", handlers_other, sizeof(handlers_other));
    go(3);
    show_both();
}

#define WEIGHTED(name, weight)                                                                     \
    static NOINLINE void name(long cells, float *restrict to, const float *restrict from) {        \
        for (long i = 1; i < cells - 1; i++)                                                       \
            to[i] = weight * from[i - 1] + from[i + 1];                                            \
    }
WEIGHTED(weighted_by_one_half, 0.5f)
WEIGHTED(weighted_by_a_third, 0.3f)
WEIGHTED(weighted_by_a_quarter, 0.25f)
WEIGHTED(weighted_by_a_fifth, 0.2f)
WEIGHTED(weighted_by_a_sixth, 0.17f)
WEIGHTED(weighted_by_a_tenth, 0.1f)

static atomic_bool has_loaded;

static void *sweep_otherwise(void *unused) {
    static void (*const all[])(long, float *, const float *) = {
        weighted_by_one_half, weighted_by_a_third, weighted_by_a_quarter,
        weighted_by_a_fifth,  weighted_by_a_sixth, weighted_by_a_tenth};
    for (int k = 0; k < 6; k++)
        all[k](CELLS, k % 2 ? handlers_own : handlers_other,
               k % 2 ? handlers_other : handlers_own);
    has_loaded = true;
    return unused;
}

/* Each region is loaded when it is first entered, and that takes the allocator's lock many times.
 * Meanwhile this thread has the lock, and waits for an array. */
static void frees_while_another_thread_loads(void) {
    pthread_t thread;
    fill(handlers_own, CELLS);
    set_up();
    go(3);
    pthread_create(&thread, NULL, sweep_otherwise, NULL);
    while (!has_loaded) {
        a = malloc(BYTES);
        b = malloc(BYTES);
        fill(a, CELLS);
        fill(b, CELLS);
        go(4);
        free(a);
        free(b);
    }
    pthread_join(thread, NULL);
    show("own", handlers_own, sizeof(handlers_own));
    show("other", handlers_other, sizeof(handlers_other));
}

MAIN({"frees-while-another-thread-loads", frees_while_another_thread_loads},
     {"handler-sweeps-first", handler_sweeps_first},
     {"freed-blocks-are-filled", freed_blocks_are_filled})
