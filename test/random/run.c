/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   random-run LIBRARY [NUMBER]
 *
 * Runs each function of a library (or those from a number on) as it is and as the plugin left it,
 * on the same memory, and compares all bytes of all its arrays and of the pages that they lie in.
 * NaNs are equal to each other. A line before each half of a run says what a crash belongs to.
 */
#include "run.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { CANARY = 0xA5, LONGEST = 60 };

struct place {
    char *pages, *data, *wanted;
    size_t all, inner, bytes;
};

static long calls;

void outside(long number) {
    calls += number;
}

/* SplitMix64 (Steele, Lea, Flood 2014) as a function of the position. */
static uint64_t noise(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* Of [0,1); of [-4,4); denormal numbers and signed zeros; all magnitudes; zeros of both signs, and
 * few other numbers. */
static double real_value(uint64_t bits, int size, int fill) {
    double unit = (double)(bits >> 40) * 0x1p-24;
    if (fill == 0)
        return unit;
    if (fill == 1)
        return 8 * unit - 4;
    if (bits & 8)
        unit = -unit;
    if (fill == 2)
        return (bits & 7) == 0 ? copysign(0, unit) : unit * (size == 4 ? 0x1p-125 : 0x1p-1021);
    if (fill == 4)
        return bits & 3 ? copysign(0, unit) : trunc(3 * unit);
    return ldexp(unit + 1, (int)(bits >> 8 & 255) - 128);
}

static int64_t whole_value(uint64_t bits, int fill, long seed, long position) {
    if (seed < 0) /* a permutation of a kind: in range, and not in order */
        return (position * 7) % -seed;
    return fill == 1 ? (int64_t)(bits & 1) : fill == 2 ? (int64_t)(bits % 17) - 8 : (int64_t)bits;
}

static void fill_memory(char *at, const struct memory *m, int fill) {
    for (long e = 0; e < m->bytes / m->size; e++) {
        uint64_t bits = noise(((uint64_t)m->seed << 32) + (uint64_t)e);
        int64_t whole = whole_value(bits, fill, m->seed, e);
        double real = real_value(bits, m->size, fill);
        float narrow = (float)real;
        const void *value = m->kind != 'f' ? (void *)&whole
                            : m->size == 4 ? (void *)&narrow
                                           : &real;
        memcpy(at + e * m->size, value, (size_t)m->size); /* little-endian */
    }
}

static void *pages_of(size_t bytes, int access) {
    void *at = mmap(NULL, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        exit((perror("mmap"), 2));
    return at;
}

/* Pages between two that are forbidden. */
static void open_place(struct place *p, const struct memory *m, int at_end) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    p->bytes = (size_t)m->bytes;
    p->inner = (p->bytes + 64 + page - 1) / page * page;
    p->all = p->inner + 2 * page;
    p->pages = pages_of(p->all, PROT_NONE);
    mprotect(p->pages + page, p->inner, PROT_READ | PROT_WRITE);
    p->data = p->pages + page + (at_end ? p->inner - p->bytes : 0);
    p->wanted = pages_of(p->inner, PROT_READ | PROT_WRITE);
}

static char *inner_pages(const struct place *p) {
    return p->pages + (p->all - p->inner) / 2;
}

static void close_place(struct place *p) {
    munmap(p->pages, p->all);
    munmap(p->wanted, p->inner);
}

/* In seconds of processor time, however busy the machine is; 0: none. */
static void limit(int seconds) {
    const struct itimerval t = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &t, NULL);
}

/* x86's FTZ and DAZ, or AArch64's FZ, which is both. */
static void set_flushing(int flushes) {
#ifdef __aarch64__
    unsigned long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    control = (control & ~(1ul << 24)) | (flushes ? 1ul << 24 : 0);
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
#else
    unsigned control;
    __asm__ volatile("stmxcsr %0" : "=m"(control));
    control = (control & ~0x8040u) | (flushes & 1 ? 0x8000u : 0) | (flushes & 2 ? 0x40u : 0);
    __asm__ volatile("ldmxcsr %0" : : "m"(control));
#endif
}

/* Later calls find arrays that stay on devices. */
static int call_count(void) {
    const char *value = getenv("RANDOM_CALLS");
    return value ? atoi(value) : 1;
}

static void compute(const struct function *f, const struct run *r, const struct place *places) {
    void *arrays[MOST_MEMORIES] = {0};
    for (int k = 0; k < r->count; k++) {
        const struct place *p = &places[r->arrays[k].memory];
        memset(inner_pages(p), CANARY, p->inner);
    }
    for (int k = 0; k < r->count; k++) {
        char *at = f->statics[k] ? f->statics[k] : places[k].data;
        fill_memory(at, &r->memories[k], r->fill);
        arrays[k] =
            f->statics[k] ? f->statics[k] : places[r->arrays[k].memory].data + r->arrays[k].offset;
    }
    limit(LONGEST);
    set_flushing(r->flushes);
    for (int left = call_count(); left > 0; left--)
        f->call(r->n, r->steps, arrays);
    set_flushing(0);
    limit(0);
}

static int both_nan(const char *a, const char *b, const struct memory *m) {
    float f[2];
    double d[2];
    if (m->kind != 'f')
        return 0;
    if (m->size == 4)
        return memcpy(f, a, 4), memcpy(f + 1, b, 4), isnan(f[0]) && isnan(f[1]);
    return memcpy(d, a, 8), memcpy(d + 1, b, 8), isnan(d[0]) && isnan(d[1]);
}

/* The first element that differs, or -1. */
static long first_difference(const char *got, const char *wanted, const struct memory *m) {
    if (!memcmp(got, wanted, (size_t)m->bytes))
        return -1;
    for (long e = 0; e < m->bytes / m->size; e++)
        if (memcmp(got + e * m->size, wanted + e * m->size, (size_t)m->size) &&
            !both_nan(got + e * m->size, wanted + e * m->size, m))
            return e;
    return -1;
}

static void print_bytes(const char *at, int size) {
    for (int k = size; k-- > 0;)
        printf("%02x", (unsigned char)at[k]);
}

static int compare(const struct run *r, int k, const char *got, const char *wanted) {
    const struct memory *m = &r->memories[k];
    long e = first_difference(got, wanted, m);
    if (e < 0)
        return 0;
    printf(" array %d: element %ld of %ld is 0x", k, e, m->bytes / m->size);
    print_bytes(got + e * m->size, m->size);
    printf(" and must be 0x");
    print_bytes(wanted + e * m->size, m->size);
    return 1;
}

static int compare_outside(const struct place *p, int k) {
    const char *got = inner_pages(p);
    size_t at = (size_t)(p->data - got);
    if (!memcmp(got, p->wanted, at) &&
        !memcmp(got + at + p->bytes, p->wanted + at + p->bytes, p->inner - at - p->bytes))
        return 0;
    printf(" array %d: bytes beside it were written", k);
    return 1;
}

static int run(const struct function *plain, const struct function *device, const struct run *r) {
    struct place places[MOST_MEMORIES] = {0};
    char *statics[MOST_MEMORIES] = {0};
    int wrong = 0, n = (int)(r - plain->runs);
    for (int k = 0; k < r->count; k++)
        open_place(&places[k], &r->memories[k], r->at_end);
    printf("plain %d %d\n", plain->number, n), fflush(stdout);
    compute(plain, r, places);
    for (int k = 0; k < r->count; k++) {
        memcpy(places[k].wanted, inner_pages(&places[k]), places[k].inner);
        statics[k] = plain->statics[k];
    }
    printf("device %d %d\n", plain->number, n), fflush(stdout);
    fprintf(stderr, "function %d %d\n", plain->number, n);
    compute(device, r, places);
    for (int k = 0; k < r->count && !wrong; k++) {
        const char *data = places[k].data;
        wrong = statics[k]
                    ? compare(r, k, device->statics[k], statics[k])
                    : compare(r, k, data, places[k].wanted + (data - inner_pages(&places[k]))) ||
                          compare_outside(&places[k], k);
    }
    printf("%s %d %d\n", wrong ? " FAIL" : "ok", plain->number, n), fflush(stdout);
    for (int k = 0; k < r->count; k++)
        close_place(&places[k]);
    return wrong;
}

static const void *symbol(void *library, const char *name) {
    const void *found = library ? dlsym(library, name) : NULL;
    if (!found)
        exit((fprintf(stderr, "random-run: %s\n", dlerror()), 2));
    return found;
}

int main(int argc, char **argv) {
    int wrong = 0, first = argc > 2 ? atoi(argv[2]) : 0;
    if (argc < 2)
        return fprintf(stderr, "usage: random-run LIBRARY [NUMBER]\n"), 2;
    dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
    void *library = dlopen(argv[1], RTLD_NOW);
    const struct function *plain = symbol(library, "plain_functions"),
                          *device = symbol(library, "device_functions");
    int count = *(const int *)symbol(library, "plain_count");
    for (int k = 0; k < count; k++)
        for (int n = 0; n < plain[k].nruns && plain[k].number >= first; n++)
            wrong |= run(&plain[k], &device[k], &plain[k].runs[n]);
    return wrong;
}
