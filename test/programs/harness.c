/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * main() of every test program.
 *
 *   PROGRAM [--dump FILE] [--tiny] [--same] SIZES... STEPS [SIZES... STEPS]...
 *   PROGRAM --bench REPEATS SIZES... STEPS
 *
 * Each case fills the program's buffers with a fixed pseudo-random pattern, halo included, runs the
 * kernel and prints a line with a hash of each buffer; --dump also writes all bytes of all buffers.
 * Buffers lie flush against a page that may not be accessed, on their far side in one case and on
 * their near side in the next; the rest of the first and last page is a canary. --tiny
 * fills with denormal numbers and signed zeros; --same fills the two buffers of a time loop alike.
 * --bench fills on all processors, hashes nothing and prints the wall time of each repeat.
 */
#include "harness.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { CANARY = 0xA5, MAX_THREADS = 64 };

static int tiny, same;
static long period; /* of the pattern, in elements */

static void fail(const char *what) {
    perror(what);
    exit(2);
}

/* SplitMix64 (Steele, Lea, Flood 2014) as a function of the position. */
static uint64_t noise(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static double real_value(uint64_t bits, int size) {
    double unit = (double)(bits >> 40) * 0x1p-24;
    if (!tiny)
        return unit;
    if ((bits & 7) == 0)
        return bits & 8 ? -0.0 : 0.0;
    unit = bits & 8 ? -unit : unit;
    return size == 4 ? unit * 0x1p-125 : unit * 0x1p-1021;
}

static void fill_range(const struct buffer *buffer, uint64_t seed, long first, long last) {
    char *at = buffer->at;
    for (long e = first; e < last; e++) {
        uint64_t bits = noise(seed + (uint64_t)(e % period));
        int64_t whole =
            buffer->kind == 'f' ? 0 : buffer->low + (int64_t)(bits % (uint64_t)buffer->range);
        double real = real_value(bits, buffer->size);
        float narrow = (float)real;
        const void *value = buffer->kind != 'f' ? (void *)&whole
                            : buffer->size == 4 ? (void *)&narrow
                                                : &real;
        memcpy(at + e * buffer->size, value, (size_t)buffer->size); /* little-endian */
    }
}

struct share {
    const struct buffer *buffer;
    uint64_t seed;
    long first, last;
};

static void *fill_share(void *argument) {
    const struct share *s = argument;
    fill_range(s->buffer, s->seed, s->first, s->last);
    return NULL;
}

static void fill(const struct buffer *buffer, uint64_t seed, int threads) {
    pthread_t thread[MAX_THREADS];
    struct share share[MAX_THREADS];
    if (threads <= 1) {
        fill_range(buffer, seed, 0, buffer->count);
        return;
    }
    for (int k = 0; k < threads; k++) {
        share[k] = (struct share){buffer, seed, buffer->count * k / threads,
                                  buffer->count * (k + 1) / threads};
        if (pthread_create(&thread[k], NULL, fill_share, &share[k]))
            fail("pthread_create");
    }
    for (int k = 0; k < threads; k++)
        pthread_join(thread[k], NULL);
}

/* Buffer k of `count`: a pattern of its own, or with --same one for both, be they two buffers or
 * halves of one. */
static void fill_buffer(const struct buffer *buffer, int k, int count, int threads) {
    period = same && count == 1 ? buffer->count / 2 : buffer->count;
    fill(buffer, (uint64_t)(same ? 1 : k + 1) << 40, threads);
}

/* FNV-1a over words; the last one padded with zeros. */
static uint64_t hash(const void *bytes, size_t size) {
    uint64_t h = 0xCBF29CE484222325u;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + at, size - at < 8 ? size - at : 8);
        h = (h ^ word) * 0x100000001B3u;
        h ^= h >> 29;
    }
    return h;
}

/* A buffer's pages: one forbidden, the data and canaries, one forbidden. */
struct guarded {
    char *pages, *data;
    size_t page, inner, bytes;
};

static size_t bytes_of(const struct buffer *buffer) {
    return (size_t)buffer->count * (size_t)buffer->size;
}

static struct guarded guarded_new(size_t bytes, int at_end) {
    struct guarded g = {.page = (size_t)sysconf(_SC_PAGESIZE), .bytes = bytes};
    g.inner = (bytes + 64 + g.page - 1) / g.page * g.page;
    g.pages = mmap(NULL, g.inner + 2 * g.page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g.pages == MAP_FAILED || mprotect(g.pages + g.page, g.inner, PROT_READ | PROT_WRITE))
        fail("mmap");
    g.data = g.pages + g.page + (at_end ? g.inner - bytes : 0);
    memset(g.pages + g.page, CANARY, g.inner);
    return g;
}

static int guarded_intact(const struct guarded *g) {
    const unsigned char *p = (unsigned char *)g->pages + g->page, *data = (unsigned char *)g->data;
    for (const unsigned char *q = p; q < p + g->inner; q++)
        if ((q < data || q >= data + g->bytes) && *q != CANARY)
            return 0;
    return 1;
}

void share_border(const long *n, int width, size_t bytes, int count, void *const *arrays) {
    long cells = 1;
    for (int d = 0; d < program_rank; d++)
        cells *= n[d];
    for (long c = 0; c < cells; c++) {
        int outside = 0;
        long rest = c;
        for (int d = program_rank; d-- > 0; rest /= n[d])
            outside |= rest % n[d] < width || rest % n[d] >= n[d] - width;
        for (int k = 1; k < count && outside; k++)
            memcpy((char *)arrays[k] + (size_t)c * bytes,
                   (const char *)arrays[0] + (size_t)c * bytes, bytes);
    }
}

static void run_case(const long *n, long steps, int number, FILE *dump) {
    struct buffer buffers[MAX_BUFFERS] = {0};
    struct guarded guards[MAX_BUFFERS] = {0};
    void *pointers[MAX_BUFFERS];
    long cells = 0;
    int count = program_describe(n, buffers, &cells), intact = 1;

    for (int k = 0; k < count; k++) {
        if (!buffers[k].at) {
            guards[k] = guarded_new(bytes_of(&buffers[k]), number % 2 == 0);
            buffers[k].at = guards[k].data;
        }
        pointers[k] = buffers[k].at;
        fill_buffer(&buffers[k], k, count, 1);
    }
    fprintf(stderr, "case");
    for (int d = 0; d < program_rank; d++)
        fprintf(stderr, " %ld", n[d]);
    fprintf(stderr, " %ld cells=%ld\n", steps, cells);
    program_run(n, steps, pointers);

    for (int d = 0; d < program_rank; d++)
        printf("%ld ", n[d]);
    printf("%ld", steps);
    for (int k = 0; k < count; k++) {
        const struct buffer *b = &buffers[k];
        printf(" %s:%c%d:%ld=%016llx", b->name, b->kind, 8 * b->size, b->count,
               (unsigned long long)hash(b->at, bytes_of(b)));
        if (dump && fwrite(b->at, 1, bytes_of(b), dump) != bytes_of(b))
            fail("dump");
        if (guards[k].pages) {
            intact &= guarded_intact(&guards[k]);
            munmap(guards[k].pages, guards[k].inner + 2 * guards[k].page);
        }
    }
    printf(" guard=%s\n", intact ? "ok" : "BROKEN");
    fflush(stdout);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench(const long *n, long steps, int repeats) {
    struct buffer buffers[MAX_BUFFERS] = {0};
    void *pointers[MAX_BUFFERS];
    long cells = 0, processors = sysconf(_SC_NPROCESSORS_ONLN);
    int count = program_describe(n, buffers, &cells);
    int threads = (int)(processors < 1 ? 1 : processors > MAX_THREADS ? MAX_THREADS : processors);

    for (int k = 0; k < count; k++) {
        if (!buffers[k].at) {
            size_t bytes = bytes_of(&buffers[k]);
            buffers[k].at =
                mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (buffers[k].at == MAP_FAILED)
                fail("mmap");
            madvise(buffers[k].at, bytes, MADV_HUGEPAGE);
        }
        fill_buffer(&buffers[k], k, count, threads);
        pointers[k] = buffers[k].at;
    }
    for (int r = 0; r < repeats; r++) {
        double start = now();
        program_run(n, steps, pointers);
        printf("cells=%ld steps=%ld wall=%.6f\n", cells, steps, now() - start);
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    int repeats = 0, a = 1;
    FILE *dump = NULL;
    for (; a < argc && argv[a][0] == '-'; a++) {
        if (!strcmp(argv[a], "--tiny"))
            tiny = 1;
        else if (!strcmp(argv[a], "--same"))
            same = 1;
        else if (!strcmp(argv[a], "--dump") && a + 1 < argc)
            dump = fopen(argv[++a], "wb");
        else if (!strcmp(argv[a], "--bench") && a + 1 < argc)
            repeats = atoi(argv[++a]);
        else
            fail(argv[a]);
    }
    if (a >= argc || (argc - a) % (program_rank + 1)) {
        fprintf(
            stderr,
            "usage: %s [--dump FILE] [--tiny] [--same] [--bench REPEATS] (%d sizes, steps)...\n",
            argv[0], program_rank);
        return 2;
    }
    for (int number = 0; a < argc; number++) {
        long n[MAX_RANK] = {1, 1, 1}, steps;
        for (int d = 0; d < program_rank; d++)
            n[d] = atol(argv[a++]);
        steps = atol(argv[a++]);
        if (repeats)
            bench(n, steps, repeats);
        else
            run_case(n, steps, number, dump);
    }
    return dump && fclose(dump) ? 2 : 0;
}
