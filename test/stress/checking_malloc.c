/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An allocator to preload: one lock, blocks filled when they are freed, and looked at when they are
 * given out again: who wrote in between is told with abort(). It fills and copies without the lock:
 * the simulator allocates while it has the device, so a thread that has the lock must not wait for
 * an array (docs/residency.md).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CLASSES = 40, FILL = 0xdd };
#define ARENA (1ul << 36)

struct head {
    size_t size, room; /* room: a power of two */
    struct head *next;
    void *start;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *arena;
static size_t used;
static struct head *free_blocks[CLASSES];

static void fail(const char *what) {
    if (write(2, what, strlen(what)) < 0)
        _exit(98);
    abort();
}

static int class_of(size_t size) {
    int class = 6;
    while (((size_t)1 << class) < size)
        class++;
    return class;
}

static void *fresh(int class) {
    if (!arena) {
        arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (arena == MAP_FAILED)
            fail("checking malloc: no memory\n");
    }
    void *block = arena + used;
    used += (size_t)1 << class;
    if (used > ARENA)
        fail("checking malloc: arena used up\n");
    return block;
}

static void check_filled(const struct head *block) {
    const unsigned char *at = (const unsigned char *)(block + 1);
    for (size_t i = 0; i < block->size; i++)
        if (at[i] != FILL)
            fail("checking malloc: a freed block was written\n");
}

/* Small blocks are 16 bytes after a multiple of 32; large ones begin with a page's 64th byte. */
void *malloc(size_t size) {
    if (size > ARENA / 4) {
        errno = ENOMEM;
        return NULL;
    }
    int class = class_of(size + sizeof(struct head));
    pthread_mutex_lock(&mutex);
    struct head *block = free_blocks[class];
    if (block) {
        free_blocks[class] = block->next;
        check_filled(block);
    } else {
        block = fresh(class);
        block->room = (size_t)1 << class;
        block->start = block;
    }
    block->size = size;
    pthread_mutex_unlock(&mutex);
    return block + 1;
}

void free(void *memory) {
    if (!memory)
        return;
    struct head *block = ((struct head *)memory)[-1].start;
    memset(block + 1, FILL, block->size);
    pthread_mutex_lock(&mutex);
    block->next = free_blocks[class_of(block->room)];
    free_blocks[class_of(block->room)] = block;
    pthread_mutex_unlock(&mutex);
}

void *calloc(size_t count, size_t size) {
    if (size && count > ARENA / size)
        return NULL;
    void *memory = malloc(count * size);
    return memory ? memset(memory, 0, count * size) : NULL;
}

size_t malloc_usable_size(void *memory) {
    if (!memory)
        return 0;
    struct head *block = ((struct head *)memory)[-1].start;
    return block->size - (size_t)((char *)memory - (char *)(block + 1));
}

void *realloc(void *memory, size_t size) {
    void *larger = malloc(size);
    if (!memory || !larger)
        return larger;
    size_t old = malloc_usable_size(memory);
    memcpy(larger, memory, old < size ? old : size);
    free(memory);
    return larger;
}

void *aligned_alloc(size_t alignment, size_t size) {
    char *memory = malloc(size + alignment + sizeof(struct head));
    if (!memory || ((uintptr_t)memory & (alignment - 1)) == 0)
        return memory;
    struct head *first = (struct head *)memory - 1;
    uintptr_t at = ((uintptr_t)memory + sizeof(struct head) + alignment - 1) & ~(alignment - 1);
    ((struct head *)at)[-1].start = first;
    return (void *)at;
}

void *memalign(size_t alignment, size_t size) {
    return aligned_alloc(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = aligned_alloc(alignment, size);
    return *memory ? 0 : ENOMEM;
}
