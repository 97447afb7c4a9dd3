/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * pinned: arrays whose pages a device may write behind the page tables' back, as network cards do.
 * Here the kernel itself, by io_uring's registered buffers; where that is not permitted, pread.
 * Prints a hash, as resident.c does.
 */
#define _GNU_SOURCE
#include "resident.h"
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { N = 256, CELLS = N * N, BYTES = CELLS * sizeof(float), ROW = N * sizeof(float) };

typedef struct ring {
    int fd;
    char *queue;
    struct io_uring_sqe *entries;
    struct io_uring_params p;
} ring;

/* False: not permitted. */
static int open_ring(ring *r, float *array) {
    struct iovec buffer = {array, BYTES};
    memset(r, 0, sizeof *r);
    r->fd = (int)syscall(SYS_io_uring_setup, 4, &r->p);
    if (r->fd < 0 || !(r->p.features & IORING_FEAT_SINGLE_MMAP) ||
        syscall(SYS_io_uring_register, r->fd, IORING_REGISTER_BUFFERS, &buffer, 1) != 0)
        return 0;
    r->queue = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_SQ_RING);
    r->entries = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_SQES);
    return r->queue != MAP_FAILED && (void *)r->entries != MAP_FAILED;
}

/* Part of the file to the array's address `to`. */
static void read_pinned(ring *r, int file, float *to) {
    unsigned *tail = (unsigned *)(r->queue + r->p.sq_off.tail);
    unsigned *order = (unsigned *)(r->queue + r->p.sq_off.array), at = *tail % r->p.sq_entries;
    r->entries[at] = (struct io_uring_sqe){
        .opcode = IORING_OP_READ_FIXED, .fd = file, .addr = (uintptr_t)to, .len = ROW};
    order[at] = at;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    syscall(SYS_io_uring_enter, r->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
    unsigned *head = (unsigned *)(r->queue + r->p.cq_off.head);
    __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
}

int main(void) {
    float *a = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    float *b = malloc(BYTES), *c = malloc(BYTES), row[N];
    char name[] = "/tmp/residentXXXXXX";
    int file = mkstemp(name);
    uint64_t hash = 1;
    ring r;
    unlink(name);
    for (int i = 0; i < CELLS; i++)
        a[i] = b[i] = c[i] = (float)(i % 97);
    int good = open_ring(&r, a);
    for (int t = 0; t < 12; t++) {
        for (int i = 0; i < N; i++)
            row[i] = (float)(t * i % 89);
        if (pwrite(file, row, ROW, 0) != ROW)
            return 1;
        float *to = a + (t % 7 + 20) * N;
        if (good)
            read_pinned(&r, file, to);
        else if (pread(file, to, ROW, 0) != ROW)
            return 1;
        weighted(N, b, c, a); /* reads it */
        if (t % 3 == 2)
            sweep(N, a, b); /* writes it */
        for (int i = 0; i < CELLS; i++)
            hash = (hash ^ (uint64_t)b[i]) * 1099511628211u + (uint64_t)a[i];
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
