/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * looks MODE SEED STEPS: a sweep in each step, and looks at parts of its arrays in between: cells, rows,
 * columns, system calls, forked children, other threads, pages that are discarded, replaced or moved.
 * `source`: one cell is written each step, one read. `row`: a row is read. `any`: what the seed says.
 * Prints a hash of what it saw.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef REAL
#define REAL double
#endif
enum { NX = 131, NY = 37, NZ = 29, CELLS = NX * NY * NZ, BYTES = CELLS * (int)sizeof(REAL) };

static uint64_t hash = 14695981039346656037u;
static unsigned seed;

static void add(const void *memory, size_t bytes) {
    const unsigned char *at = memory;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
}

static unsigned draw(unsigned below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

__attribute__((noinline)) static void sweep(long nx, long ny, long nz, REAL *to, const REAL *from,
                                            const REAL *by) {
    for (long k = 1; k < nz - 1; k++)
        for (long j = 1; j < ny - 1; j++)
            for (long i = 1; i < nx - 1; i++) {
                long at = (k * ny + j) * nx + i;
                to[at] = by[at] * (from[at - 1] + from[at + 1] + from[at - nx] + from[at + nx] +
                                   from[at - nx * ny] + from[at + nx * ny]);
            }
}

/* Memory that begins and ends alone. */
static void *new_place(void) {
    enum { GAP = 1 << 20 };
    unsigned char *all =
        mmap(NULL, BYTES + 2 * GAP, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return all + GAP;
}

static REAL *new_array(void) {
    REAL *a = mmap(new_place(), BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    for (int i = 0; i < CELLS; i++)
        a[i] = (REAL)draw(1000) / 6000;
    return a;
}

/* The whole pages of some of the array. */
static unsigned char *some_pages(REAL *a, size_t *bytes) {
    unsigned pages = BYTES / 4096, first = draw(pages - 3);
    *bytes = 4096 * (1 + draw(3));
    return (unsigned char *)a + 4096 * (size_t)first;
}

static void *reads(void *cell) {
    add(cell, sizeof(REAL));
    return NULL;
}

static void in_thread(REAL *cell) {
    pthread_t thread;
    pthread_create(&thread, NULL, reads, cell);
    pthread_join(thread, NULL);
}

static void in_child(REAL *a, int whole) {
    int pipes[2], status = 0;
    fflush(stdout);
    if (pipe(pipes) != 0)
        exit(3);
    pid_t child = fork();
    if (child == 0) {
        a[draw(CELLS)] += 1;
        add(a, whole ? BYTES : 64);
        _exit(write(pipes[1], &hash, sizeof hash) != sizeof hash);
    }
    waitpid(child, &status, 0);
    if (read(pipes[0], &hash, sizeof hash) != sizeof hash || status)
        exit(3);
    close(pipes[0]);
    close(pipes[1]);
}

static void by_calls(REAL *a) {
    static int file = -1;
    size_t at = draw(CELLS - 700), cells = 1 + draw(700);
    if (file < 0)
        file = memfd_create("looks", 0);
    if (pwrite(file, a + at, cells * sizeof *a, 0) < 0 ||
        pread(file, a + draw(CELLS - 700), cells * sizeof *a, 0) < 0)
        exit(3);
}

static REAL *moved(REAL *a) {
    void *at = mremap(a, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, new_place());
    return at == MAP_FAILED ? perror("mremap"), exit(3), a : at;
}

static void look(REAL **which) {
    REAL *a = *which;
    size_t bytes;
    unsigned char *pages = some_pages(a, &bytes);
    unsigned row = draw(NY * NZ) * NX, column = draw(NX);
    switch (draw(16)) {
    case 0:
    case 1:
    case 2:
        a[draw(CELLS)] += 0.125;
        break;
    case 3:
        add(&a[draw(CELLS)], sizeof *a);
        break;
    case 4:
        add(&a[row], NX * sizeof *a);
        break;
    case 5:
        memset(&a[row], 0, NX * sizeof *a);
        break;
    case 6:
        for (int i = 0; i < NY * NZ; i += 1 + (int)draw(9))
            a[i * NX + column] += a[i * NX];
        break;
    case 7:
        madvise(pages, bytes, MADV_DONTNEED);
        break;
    case 8:
        mmap(pages, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        break;
    case 9:
        in_child(a, draw(2));
        break;
    case 10:
        in_thread(&a[draw(CELLS)]);
        break;
    case 11:
        memmove(pages, a + draw(CELLS - 4096), bytes);
        break;
    case 12:
        by_calls(a);
        break;
    case 13:
        *which = draw(3) ? a : moved(a);
        break;
    case 14:
        add(a, draw(4) ? BYTES / 8 : BYTES);
        break;
    case 15:
        break;
    }
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "any";
    seed = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    int steps = argc > 3 ? atoi(argv[3]) : 40;
    REAL *a[3] = {new_array(), new_array(), new_array()};
    for (int t = 0; t < steps; t++) {
        sweep(NX, NY, NZ, a[1 - t % 2], a[t % 2], a[2]);
        if (!strcmp(mode, "source")) {
            a[1 - t % 2][CELLS / 2 + 7] += 0.5;
            add(&a[1 - t % 2][CELLS / 3], sizeof(REAL));
        } else if (!strcmp(mode, "row")) {
            add(&a[1 - t % 2][(NY * NZ / 2) * NX], NX * sizeof(REAL));
        } else if (!strcmp(mode, "constant")) {
            a[2][CELLS / 2 + t % 100] += 0.001;
        } else {
            for (unsigned i = draw(4); i > 0; i--)
                look(&a[draw(3)]);
        }
    }
    for (int i = 0; i < 3; i++)
        add(a[i], BYTES);
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
