/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Three planes of one array stream into three planes of another one, as in lattice Boltzmann codes. Conditions keep
 * neighbours outside a plane from being read. The program has mapped nothing before and behind the arrays, or with
 * GUARDS pages that may not be read. Arguments: extents and steps. Prints a hash of each array. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifndef REAL
#define REAL double
#endif
enum { PAGE = 4096 };

__attribute__((noinline)) void stream(int n, int m, const REAL *g, REAL *f) {
    int plane = n * m;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < m; y++) {
            int i = x * m + y;
            if (x > 0 && y > 0)
                f[i] = g[i - m - 1];
            else
                f[i] = g[i + 2 * plane];
        }
    for (int x = 0; x < n; x++)
        for (int y = 0; y < m; y++) {
            int i = plane + x * m + y;
            if (y > 0)
                f[i] = g[i - 1];
            else
                f[i] = g[i];
        }
    for (int x = 0; x < n; x++)
        for (int y = 0; y < m; y++) {
            int i = 2 * plane + x * m + y;
            if (x < n - 1 && y < m - 1)
                f[i] = g[i + m + 1];
            else
                f[i] = g[i - 2 * plane];
        }
}

/* Whole pages, with a page before and one behind. */
static REAL *allocate(size_t bytes) {
    size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    char *all = mmap(NULL, whole + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        exit(2);
#ifdef GUARDS
    mprotect(all, PAGE, PROT_NONE);
    mprotect(all + PAGE + whole, PAGE, PROT_NONE);
#else
    munmap(all, PAGE);
    munmap(all + PAGE + whole, PAGE);
#endif
    return (REAL *)(all + PAGE);
}

static uint64_t hash(const REAL *at, size_t cells) {
    const unsigned char *bytes = (const unsigned char *)at;
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < cells * sizeof(REAL); i++)
        h = (h ^ bytes[i]) * 1099511628211u;
    return h;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 64, m = argc > 2 ? atoi(argv[2]) : 64;
    int steps = argc > 3 ? atoi(argv[3]) : 3;
    size_t cells = 3 * (size_t)n * (size_t)m;
    REAL *g = allocate(cells * sizeof(REAL)), *f = allocate(cells * sizeof(REAL));
    for (size_t i = 0; i < cells; i++)
        g[i] = (REAL)(i * 7919 % 1009) / 1009;
    for (int t = 0; t < steps; t++) {
        stream(n, m, t % 2 ? f : g, t % 2 ? g : f);
        g[t % cells] += 1;
    }
    printf("%016llx %016llx\n", (unsigned long long)hash(f, cells), (unsigned long long)hash(g, cells));
    return 0;
}
