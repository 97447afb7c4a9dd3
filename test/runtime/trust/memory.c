/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * glibc's allocator where it works under its lock, allocations in loops, and many arrays. Promised:
 * no lock order that the plain build lacks, no more memory at once, and time that grows with the
 * number of arrays, not with its square.
 */
#include "trust.h"
#include <malloc.h>
#include <sys/resource.h>

/* The heap cannot grow: glibc's arena goes on in mapped memory, and realloc copies under its lock.
 */
static void realloc_copies_under_the_lock(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    uintptr_t end = ((uintptr_t)sbrk(0) + 4095) & ~4095ul;
    mmap((void *)end, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    for (int k = 0; k < 4; k++) {
        a = malloc(BYTES);
        void *between = malloc(100);
        b = malloc(BYTES);
        void *behind = malloc(100);
        fill(a, CELLS);
        fill(b, CELLS);
        go(4);
        a = realloc(a, 2 * BYTES);
        go(3);
        b = realloc(b, 2 * BYTES);
        show_both();
        go(3);
        free(a);
        free(b);
        free(between);
        free(behind);
    }
}

/* Two temporaries one after the other, in a loop that is no stencil: never both at once. */
static NOINLINE double two_temporaries(int steps, size_t size, double *sums) {
    double sum = 0;
    for (int t = 0; t < steps; t++) {
        char *first = malloc(size);
        if (!first)
            exit(93);
        for (size_t i = 0; i < size; i += 4096)
            first[i] = (char)(t + (int)i);
        for (size_t i = 0; i < size; i += 4096)
            sum += first[i];
        free(first);
        char *second = malloc(size);
        if (!second)
            exit(94);
        for (size_t i = 0; i < size; i += 4096)
            second[i] = (char)(t - (int)i);
        for (size_t i = 0; i < size; i += 4096)
            sum -= second[i];
        free(second);
        sums[t] = sum;
    }
    return sum;
}

static void temporaries_are_not_held_at_once(void) {
    struct rlimit limit = {1000 << 20, 1000 << 20};
    setrlimit(RLIMIT_AS, &limit);
    double sums[10];
    printf("%g\n", two_temporaries(5, 600 << 20, sums));
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("more than 800 MB: %d\n", usage.ru_maxrss > 800 << 10);
}

static NOINLINE void look(void *memory, size_t bytes) {
    __asm__ volatile("" ::"r"(memory), "r"(bytes) : "memory");
}

/* The loop asks the allocator how much it has out. */
static NOINLINE int allocate_in_loop(int steps, size_t size) {
    int wrong = 0;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < 3; i++)
            look(&i, (size_t)t);
        char *memory = malloc(size);
        for (size_t i = 1; i < size - 1; i++)
            memory[i] = (char)t;
        look(memory, size);
        for (size_t i = 1; i < size - 1; i++)
            wrong += memory[i] != (char)t;
        free(memory);
        look(NULL, mallinfo2().uordblks);
        wrong += mallinfo2().hblkhd > size ? 1000 : 0;
    }
    return wrong;
}

static void blocks_are_freed_in_each_step(void) {
    printf("%d\n", allocate_in_loop(4, 1 << 20));
}

static void many(int count) {
    enum { OF_ONE = 34000 };
    float **arrays = malloc((size_t)count * sizeof(*arrays));
    for (int i = 0; i < count; i++) {
        arrays[i] = malloc(OF_ONE * sizeof(float));
        if (!arrays[i])
            exit(93);
        memset(arrays[i], 0, OF_ONE * sizeof(float));
        for (int k = 0; k < OF_ONE; k += 16)
            arrays[i][k] = (float)(i + k);
    }
    for (int round = 0; round < 3; round++)
        for (int i = 0; i + 1 < count; i += 2)
            sweep(OF_ONE, arrays[i + 1], arrays[i]);
    for (int i = 0; i < 2000; i++)
        if (!malloc(200000))
            exit(94);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)arrays[i][777];
    printf("%.17g\n", sum);
}

static void two_hundred_arrays(void) {
    many(200);
}

static void eight_hundred_arrays(void) {
    many(800);
}

MAIN({"realloc-copies-under-the-lock", realloc_copies_under_the_lock},
     {"temporaries-are-not-held-at-once", temporaries_are_not_held_at_once},
     {"blocks-are-freed-in-each-step", blocks_are_freed_in_each_step},
     {"two-hundred-arrays", two_hundred_arrays}, {"eight-hundred-arrays", eight_hundred_arrays})
