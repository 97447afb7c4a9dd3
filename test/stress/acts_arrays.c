/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a thread does with its own arrays. Their contents are what is compared.
 */
#include "stress.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static struct array *array_at(struct thread *t, long index) {
    return &t->array[index & (ARRAYS - 1)];
}

static atomic_int *cell_beside(const struct thread *t, void *array, long row) {
    size_t size = t->family->size;
    return (atomic_int *)((char *)array + (size_t)(row * t->shape.pitch + t->shape.nx) * size);
}

/* Handlers count in cells between the rows; none of their counts may get lost. */
void act_sweep(struct thread *t, const long *number) {
    long row = t->shape.ny * t->shape.nz / 2;
    for (int i = 0; i < ARRAYS; i++)
        atomic_store(cell_beside(t, t->array[i].base, row), 0);
    t->ticks = 0;
    t->sweeping = 1;
    for (long k = 0; k < number[2]; k++)
        run_form(t, (int)number[0], number[1]);
    t->sweeping = 0;
    for (int i = 0; i < ARRAYS; i++) {
        int counted = atomic_exchange(cell_beside(t, t->array[i].base, row), 0);
        if (counted != t->ticks)
            say(t, "a handler's count is lost: %d of %d\n", counted, (int)t->ticks);
    }
}

void act_look(struct thread *t, const long *number) {
    say(t, "look %016llx\n", (unsigned long long)hash_cells(t, array_at(t, number[0])->base));
}

void act_poke(struct thread *t, const long *number) {
    char *base = array_at(t, number[0])->base;
    size_t cell = (size_t)number[1] % (t->bytes / t->family->size);
    if (cell % (size_t)t->shape.pitch < (size_t)t->shape.nx)
        memset(base + cell * t->family->size, (int)(number[2] & 15), t->family->size);
}

void act_copy(struct thread *t, const long *number) {
    memmove(array_at(t, number[0])->base, array_at(t, number[1])->base, t->bytes);
}

void act_refill(struct thread *t, const long *number) {
    fill_array(t, array_at(t, number[0])->base, number[1] % 4 == 0);
}

/* Freed and allocated anew: mostly at the same address. */
void act_again(struct thread *t, const long *number) {
    struct array *array = array_at(t, number[0]);
    int index = (int)(array - t->array);
    if (strcmp(t->how[index], "static") == 0)
        return;
    pthread_rwlock_rdlock(&process_lock);
    release(array);
    *array = allocate(t, index, t->how[index]);
    pthread_rwlock_unlock(&process_lock);
    fill_all(t);
}

static void move_mapping(struct array *array, size_t bytes) {
    void *to = mremap(array->base, array->mapped, bytes, MREMAP_MAYMOVE);
    if (to == MAP_FAILED) { /* docs/residency.md: as realloc does then */
        unsigned char there;
        if (mincore(array->base, 4096, &there)) /* docs/residency.md: pages have moved already */
            give_up_as_documented("mremap failed, and has moved some pages");
        to = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (to == MAP_FAILED)
            give_up("no memory");
        memcpy(to, array->base, array->mapped < bytes ? array->mapped : bytes);
        munmap(array->base, array->mapped);
    }
    array->base = to;
    array->mapped = bytes;
}

void act_resize(struct thread *t, const long *number) {
    struct array *array = array_at(t, number[0]);
    pthread_rwlock_rdlock(&process_lock);
    if (array->mapped) {
        move_mapping(array, array->mapped + 40960);
    } else if (array->allocated) {
        void *to = realloc(array->base, t->bytes + (size_t)number[1] % 5 * 30000);
        if (!to)
            give_up("no memory");
        array->base = to;
    }
    pthread_rwlock_unlock(&process_lock);
    say(t, "resized %016llx\n", (unsigned long long)hash_cells(t, array->base));
    reset_order(t);
}

void act_remap(struct thread *t, const long *number) {
    struct array *array = array_at(t, number[0]);
    if (!array->mapped)
        return;
    pthread_rwlock_rdlock(&process_lock);
    void *room = mmap(NULL, array->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        give_up("no memory");
    void *to =
        mremap(array->base, array->mapped, array->mapped, MREMAP_MAYMOVE | MREMAP_FIXED, room);
    /* The room may be another thread's by now: the kernel unmaps it before it finds what is wrong.
     */
    if (to == MAP_FAILED)
        move_mapping(array, array->mapped);
    else
        array->base = to;
    pthread_rwlock_unlock(&process_lock);
    reset_order(t);
}

static size_t part_of(const struct array *array, long where, size_t *bytes) {
    size_t pages = array->mapped / 4096, first = (size_t)where % pages;
    *bytes = (pages - first < 10 ? pages - first : 10) * 4096;
    return first * 4096;
}

void act_discard(struct thread *t, const long *number) {
    struct array *array = array_at(t, number[0]);
    if (!array->mapped)
        return;
    size_t bytes, first = part_of(array, number[1], &bytes);
    madvise((char *)array->base + first, bytes, MADV_DONTNEED);
}

void act_hole(struct thread *t, const long *number) {
    struct array *array = array_at(t, number[0]);
    if (!array->mapped)
        return;
    size_t bytes, first = part_of(array, number[1], &bytes);
    /* Over what is there: in a hole another thread's memory could come to lie. */
    void *part = mmap((char *)array->base + first, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (part == MAP_FAILED)
        give_up("no mapping");
}

void act_protect(struct thread *t, const long *number) {
    struct array *array = array_at(t, number[0]);
    if (!array->mapped)
        return;
    mprotect(array->base, array->mapped, PROT_READ);
    uint64_t hash = hash_cells(t, array->base);
    mprotect(array->base, array->mapped, PROT_READ | PROT_WRITE);
    say(t, "protected %016llx\n", (unsigned long long)hash);
}

void act_advise(struct thread *t, const long *number) {
    static const int advice[] = {MADV_HUGEPAGE,     MADV_NOHUGEPAGE,  MADV_WILLNEED,
                                 MADV_COLD,         21 /* PAGEOUT */, 23 /* POPULATE_WRITE */,
                                 25 /* COLLAPSE */, MADV_MERGEABLE};
    struct array *array = array_at(t, number[0]);
    if (array->mapped)
        madvise(array->base, array->mapped, advice[number[1] & 7]);
}

/* What an allocator under its lock does beside arrays that are on the device. */
void act_churn(struct thread *t, const long *number) {
    void *block[24];
    pthread_rwlock_rdlock(&process_lock);
    for (long k = 0; k < number[0]; k++) {
        for (int i = 0; i < 24; i++) {
            size_t size = (size_t)(100 + (i * i * 57 + k * 31 + number[1]) % 9000) << (i % 5);
            block[i] = malloc(size);
            if (!block[i])
                give_up("no memory");
            memset(block[i], i, size < 64 ? size : 64);
        }
        for (int i = 0; i < 24; i++)
            free(block[(i * 7 + 3) % 24]);
    }
    pthread_rwlock_unlock(&process_lock);
    (void)t;
}

static void through_pipe(struct thread *t, const int *ends, const char *from) {
    char *got = t->buffer;
    uint64_t hash = 0;
    for (size_t at = 0; at < t->bytes;) {
        size_t part = t->bytes - at < BUFFER ? t->bytes - at : BUFFER;
        ssize_t sent = write(ends[1], from + at, part);
        if (sent <= 0)
            give_up("pipe");
        for (size_t have = 0; have < (size_t)sent;) {
            ssize_t some = read(ends[0], got + have, (size_t)sent - have);
            if (some <= 0)
                give_up("pipe");
            have += (size_t)some;
        }
        at += (size_t)sent;
        for (ssize_t i = 0; i < sent; i++)
            hash = (hash ^ (unsigned char)got[i]) * 1099511628211ull;
    }
    say(t, "piped %016llx\n", (unsigned long long)hash);
}

void act_pipe(struct thread *t, const long *number) {
    int ends[2];
    pthread_rwlock_rdlock(&process_lock);
    if (pipe(ends))
        give_up("pipe");
    through_pipe(t, ends, array_at(t, number[0])->base);
    close(ends[0]);
    close(ends[1]);
    pthread_rwlock_unlock(&process_lock);
}

/* Out of one array and into another. */
void act_file(struct thread *t, const long *number) {
    pthread_rwlock_rdlock(&process_lock);
    int file = memfd_create("stress", 0);
    if (file < 0)
        give_up("file");
    for (size_t at = 0; at < t->bytes;) {
        ssize_t some =
            pwrite(file, (char *)array_at(t, number[0])->base + at, t->bytes - at, (off_t)at);
        if (some <= 0)
            give_up("write");
        at += (size_t)some;
    }
    for (size_t at = 0; at < t->bytes;) {
        ssize_t some =
            pread(file, (char *)array_at(t, number[1])->base + at, t->bytes - at, (off_t)at);
        if (some <= 0)
            give_up("read");
        at += (size_t)some;
    }
    close(file);
    pthread_rwlock_unlock(&process_lock);
}

enum { PEEKED = 4096 };

/* The kernel reads the array as for another process. */
void act_peek(struct thread *t, const long *number) {
    size_t at = (size_t)number[1] % (t->bytes - PEEKED);
    struct iovec to = {t->buffer, PEEKED};
    struct iovec from = {(char *)array_at(t, number[0])->base + at, PEEKED};
    uint64_t hash = 0;
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != PEEKED)
        memcpy(t->buffer, from.iov_base, PEEKED); /* a sandbox may refuse the call */
    for (size_t i = 0; i < PEEKED; i++)
        hash = (hash ^ (unsigned char)t->buffer[i]) * 1099511628211ull;
    say(t, "peeked %016llx\n", (unsigned long long)hash);
}

/* Another rounding mode, or flushed denormals, around sweeps. */
void act_rounding(struct thread *t, const long *number) {
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    long kind = number[0] % 6;
#if defined(__x86_64__)
    unsigned before = _mm_getcsr();
    if (kind >= 3)
        _mm_setcsr(before | (kind != 4 ? 0x8000u : 0) | (kind != 3 ? 0x40u : 0));
#endif
    if (kind < 3)
        fesetround(modes[kind]);
    for (long k = 0; k < number[3]; k++)
        run_form(t, (int)number[1], number[2]);
    fesetround(FE_TONEAREST);
#if defined(__x86_64__)
    _mm_setcsr(before);
#endif
}
