/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums in the program's order (lib/runtime/device/ordered.c), against adding one number after the
 * other. The device is memory of this process, and its kernel a function here. Of sums that are
 * meant to be fast, it also looks at how many numbers came back.
 */
#include "runtime/device/ordered.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t fetched;
static int failures;

bool rt_device_alloc(rt_device *device, size_t bytes, rt_block *block, rt_error *why) {
    (void)device, (void)why;
    *block = (rt_block){(uint64_t)(uintptr_t)malloc(bytes), bytes};
    return block->address != 0;
}

void rt_device_free(rt_device *device, rt_block *block) {
    (void)device;
    free((void *)(uintptr_t)block->address);
    block->address = 0;
}

static bool upload(void *device, const rt_copy *copy, rt_error *why) {
    (void)device, (void)why;
    memcpy((void *)(uintptr_t)copy->device, copy->host, copy->width);
    return true;
}

static bool download(void *device, const rt_copy *copy, rt_error *why) {
    (void)device, (void)why;
    fetched += copy->width;
    memcpy(copy->host, (const void *)(uintptr_t)copy->device, copy->width);
    return true;
}

static bool mark(void *device, unsigned number, rt_error *why) {
    (void)device, (void)number, (void)why;
    return true;
}

#define KERNEL(type, bits)                                                                         \
    static void add_##type(const type *addends, const type *starts, type *sums, int64_t count,     \
                           int64_t tile) {                                                         \
        int64_t tiles = (count + tile - 1) / tile;                                                 \
        for (int64_t t = 0; t < tiles; t++) {                                                      \
            type even = starts[t], odd;                                                            \
            bits one;                                                                              \
            memcpy(&one, &even, sizeof one);                                                       \
            one++;                                                                                 \
            memcpy(&odd, &one, sizeof odd);                                                        \
            type least = even, most = odd;                                                         \
            for (int64_t i = t * tile; i < count && i < (t + 1) * tile; i++) {                     \
                even += addends[i];                                                                \
                odd += addends[i];                                                                 \
                least = even < least ? even : least;                                               \
                least = odd < least ? odd : least;                                                 \
                most = even > most ? even : most;                                                  \
                most = odd > most ? odd : most;                                                    \
            }                                                                                      \
            sums[t] = even;                                                                        \
            sums[tiles + t] = odd;                                                                 \
            sums[2 * tiles + t] = least;                                                           \
            sums[3 * tiles + t] = most;                                                            \
        }                                                                                          \
    }
KERNEL(float, uint32_t)
KERNEL(double, uint64_t)

static bool launch(void *device, void *module, const rt_launch *l, rt_error *why) {
    (void)device, (void)module, (void)why;
    uint64_t v[5];
    for (int i = 0; i < 5; i++)
        memcpy(&v[i], l->args[i], sizeof v[i]);
    if (l->kernel == 1)
        add_float((void *)(uintptr_t)v[0], (void *)(uintptr_t)v[1], (void *)(uintptr_t)v[2],
                  (int64_t)v[3], (int64_t)v[4]);
    else
        add_double((void *)(uintptr_t)v[0], (void *)(uintptr_t)v[1], (void *)(uintptr_t)v[2],
                   (int64_t)v[3], (int64_t)v[4]);
    return true;
}

static const rt_driver driver = {
    .upload = upload, .download = download, .mark = mark, .wait = mark, .launch = launch};
static rt_device device = {.driver = &driver};
static const stencilrt_kernel kernels[] = {
    {.name = "sweep", .kind = STENCILRT_CELL},
    {.name = "f32", .kind = STENCILRT_ADDING, .block = {128, 1, 1}, .tiles = 4},
    {.name = "f64", .kind = STENCILRT_ADDING, .block = {128, 1, 1}, .tiles = 8}};
static const stencilrt_region region = {.nsweeps = 1, .nkernels = 3, .kernels = kernels};

/* Numbers */

static uint64_t seed = 88172645463325252u;

static uint64_t drawn(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static double uniform(void) {
    return (double)(drawn() >> 11) * 0x1p-53;
}

/* Kinds of numbers; `i`: which one of `count`. */
static double number(int kind, int64_t i, int64_t count) {
    switch (kind) {
    case 0: /* like a residual's squares */
        return uniform() * uniform();
    case 1: /* a field of both signs */
        return uniform() - 0.4;
    case 2: /* halves: many ties */
        return (double)(drawn() % 8) * 0.5;
    case 3: /* to and fro around a power of two */
        return i % 2 ? -uniform() : uniform();
    case 4: /* of all sizes */
        return ldexp(uniform() - 0.5, (int)(drawn() % 60) - 30);
    case 5: /* growing beyond what a number can be */
        return ldexp(1 + uniform(), (int)(i * 140 / count));
    case 6: /* falling sums */
        return -uniform();
    case 7: /* denormal floats */
        return ldexp(uniform(), -140);
    case 8: /* up, and down again */
        return i < count / 2 ? uniform() : -uniform();
    case 9: /* zeros of either sign, and a few others */
        return drawn() % 64 ? (i % 2 ? -0.0 : 0.0) : uniform();
    case 10:
        return i == count / 2 ? NAN : uniform();
    case 11:
        return i == count / 3 ? INFINITY : uniform();
    case 12: /* zeros, but in the middle */
        return i < count / 3 || i > count / 3 * 2 ? 0 : uniform();
    case 13: /* rows that are zeros at their ends, and whose numbers grow from denormal ones */
        return i % 1024 < 300 || i % 1024 > 700
                   ? 0
                   : exp(-1e-2 * pow((double)(i % 1024) - 500, 2) - pow(20 - 40. * i / count, 2));
    case 14: /* zeros of both signs, and numbers that end each other */
        return drawn() % 2000 ? (drawn() % 2 ? -0.0 : 0.0) : i % 2 ? -0x1p-1074 : 0x1p-1074;
    case 15: /* zeros below 0 */
        return i < count / 2 || drawn() % 4 ? -0.0 : 0.0;
    default:
        return 1;
    }
}

enum { KINDS = 17 };

static double added(const void *addends, int64_t count, uint32_t size, double sum) {
    float f = (float)sum;
    for (int64_t i = 0; i < count; i++)
        if (size == 4)
            f += ((const float *)addends)[i];
        else
            sum += ((const double *)addends)[i];
    return size == 4 ? (double)f : sum;
}

static uint64_t bits_of(double v, uint32_t size) {
    float f = (float)v;
    uint64_t bits = 0;
    memcpy(&bits, size == 4 ? (void *)&f : (void *)&v, size);
    return bits;
}

static void check(int kind, int64_t count, uint32_t size, double start) {
    enum { ROOM = 32 << 20 };
    char *addends = malloc((size_t)count * size), *room = malloc(ROOM);
    for (int64_t i = 0; i < count; i++) {
        double v = number(kind, i, count);
        float f = (float)v;
        memcpy(addends + i * size, size == 4 ? (void *)&f : (void *)&v, size);
    }
    rt_ordered o = {.device = &device,
                    .region = &region,
                    .size = size,
                    .addends = (uint64_t)(uintptr_t)addends,
                    .count = count,
                    .room = (unsigned char *)room,
                    .bytes = ROOM};
    double expected = added(addends, count, size, start);
    uint64_t value = bits_of(start, size), right = bits_of(expected, size);
    rt_error why;
    fetched = 0;
    bool ok = rt_ordered_sum(&o, &value, &why) && (value == right || isnan(expected));
    size_t all = (size_t)count * size, most = kind == 13 ? all / 2 : all / 4;
    bool fast = kind == 0 || kind == 12 || kind == 13;
    bool slow = fast && start == 0 && count > 100003 && fetched > most;
    if (!ok || slow)
        printf("kind %d, %lld numbers of %u bytes from %g: %llx, not %llx; %zu bytes came back\n",
               kind, (long long)count, size, start, (unsigned long long)value,
               (unsigned long long)right, fetched);
    failures += !ok || slow;
    free(addends);
    free(room);
}

int main(void) {
    static const int64_t counts[] = {1, 63, 64, 65, 4095, 4096, 4097, 100003, 1000003, 5000011};
    static const double starts[] = {0, -0.0, 1, -3, 1e7, 16777215, -1e30};
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t s = 0; s < (counts[c] > 100003 ? kind < 3 || kind == 12 || kind == 13
                                                       : sizeof starts / sizeof *starts);
                 s++)
                for (uint32_t size = 4; size <= 8; size += 4)
                    check(kind, counts[c], size, starts[s]);
    for (int n = 0; n < 300; n++)
        check((int)(drawn() % KINDS), 1 + (int64_t)(drawn() % 60000), drawn() % 2 ? 4 : 8,
              ldexp(uniform() - 0.5, (int)(drawn() % 80) - 40));
    printf(failures ? "%d failures\n" : "all equal\n", failures);
    return failures > 0;
}
