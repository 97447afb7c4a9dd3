/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory blocks of powers of two. Free blocks are in lists; a large block is a mapping of its own.
 * A forked child starts with empty lists and a free lock, because another thread may have been
 * changing them. For this their page is wiped in a child (MADV_WIPEONFORK).
 */
#include "runtime/heap.h"
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

/* 64 bytes and 32 MiB, which is also the largest that glibc keeps */
enum { LEAST = 6, MOST = 25, REFILL = 1 << 18 };

typedef struct header {
    size_t bytes;   /* of the whole block */
    unsigned order; /* the block's list; 0: the block is a mapping */
    unsigned unused;
} header;

typedef struct free_block {
    struct free_block *next;
} free_block;

/* The lists and the lock. All bytes zero is a valid start. */
static struct heap {
    pthread_mutex_t lock;
    free_block *lists[MOST + 1];
} *heap;

static void start(void) {
    void *memory =
        mmap(NULL, sizeof *heap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    madvise(memory, sizeof *heap, MADV_WIPEONFORK);
    heap = memory;
}

static void *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void *large(size_t bytes) {
    header *h = map(bytes);
    if (!h)
        return NULL;
    *h = (header){.bytes = bytes};
    return h + 1;
}

/* The caller has the lock. */
static bool refill(unsigned order) {
    size_t size = (size_t)1 << order, bytes = size < REFILL ? REFILL : size;
    unsigned char *more = map(bytes);
    for (size_t at = 0; more && at < bytes; at += size) {
        free_block *block = (free_block *)(void *)(more + at);
        block->next = heap->lists[order];
        heap->lists[order] = block;
    }
    return more != NULL;
}

void *rt_heap_take(size_t bytes) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    unsigned order = LEAST;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes += sizeof(header);
    pthread_once(&once, start);
    while (order <= MOST && (size_t)1 << order < bytes)
        order++;
    if (!heap || order > MOST)
        return large(bytes);
    pthread_mutex_lock(&heap->lock);
    bool good = heap->lists[order] || refill(order);
    header *h = good ? (header *)(void *)heap->lists[order] : NULL;
    if (good)
        heap->lists[order] = heap->lists[order]->next;
    pthread_mutex_unlock(&heap->lock);
    if (!good)
        return NULL;
    *h = (header){.bytes = (size_t)1 << order, .order = order};
    return h + 1;
}

void rt_heap_give(void *memory) {
    if (!memory)
        return;
    int saved = errno;
    header *h = (header *)memory - 1;
    if (h->order == 0) {
        munmap(h, h->bytes);
        errno = saved;
        return;
    }
    unsigned order = h->order;
    free_block *block = (free_block *)(void *)h;
    pthread_mutex_lock(&heap->lock);
    block->next = heap->lists[order];
    heap->lists[order] = block;
    pthread_mutex_unlock(&heap->lock);
}

void *rt_heap_take_zeroed(size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / 2 / size)
        return NULL;
    void *memory = rt_heap_take(count * size);
    if (memory && ((header *)memory - 1)->order != 0)
        memset(memory, 0, count * size);
    return memory;
}

void *rt_heap_grow(void *memory, size_t bytes) {
    size_t before = memory ? ((header *)memory - 1)->bytes - sizeof(header) : 0;
    if (bytes <= before)
        return memory;
    void *grown = rt_heap_take(bytes);
    if (grown && memory) {
        memcpy(grown, memory, before);
        rt_heap_give(memory);
    }
    return grown;
}

char *rt_heap_copy_text(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = rt_heap_take(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}
