/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An allocator of the program's own, as of a debugging build: one lock, and blocks that are filled
 * when they are freed, under the lock. Its arrays stay on the device, so the filling waits for
 * their pages. Promised: who brings them needs no allocator.
 */
#include "trust.h"
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

MAIN({"handler-sweeps-first", handler_sweeps_first},
     {"freed-blocks-are-filled", freed_blocks_are_filled})
