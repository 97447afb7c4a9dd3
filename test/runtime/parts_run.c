/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests of results: regions run on the device and are compared with plain loops.
 */
#include "parts.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned pick(unsigned *seed, unsigned below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static layout random_layout(unsigned seed) {
    static const unsigned most[3] = {40, 14, 9};
    layout l = {.seed = seed};
    unsigned s = seed * 77 + 5;
    for (int d = 0; d < 3; d++)
        l.extent[d] = 1 + pick(&s, most[d]);
    l.steps = pick(&s, 6);
    l.at_end = pick(&s, 2);
    l.transposed = pick(&s, 4) == 0;
    l.flipped = pick(&s, 3) == 0 ? pick(&s, 8) : 0;
    l.spread = pick(&s, 3);
    return l;
}

bool run_once(const stencilrt_region *region, const layout *layout, int must_run) {
    world w;
    world_make(&w, region, layout);
    world_expect(&w);
    bool ok = world_run(&w, must_run);
    world_free(&w);
    return ok;
}

bool test_regions(int count) {
    bool ok = true;
    for (size_t r = 0; r < rt_region_count; r++)
        for (int i = 0; i < count; i++) {
            layout l = random_layout((unsigned)i + 100 * (unsigned)r);
            ok = run_once(rt_regions[r], &l, l.steps > 0) && ok;
        }
    return ok;
}

/* Where few tests are run, one in turn. */
bool test_large(int count) {
    layout line = {.extent = {9000001, 1, 1}, .steps = 2, .seed = 1};
    layout wide = {.extent = {4099, 4500, 1}, .steps = 3, .seed = 2};
    layout cube = {.extent = {300, 250, 130}, .steps = 4, .spread = 1, .seed = 3};
    const char *tests = getenv("STENCIL_TESTS"), *turn = getenv("STENCIL_TURN");
    int only = tests && !strcmp(tests, "few") && turn ? atoi(turn) % 3 : -1;
    (void)count;
    return ((only > 0) || run_once(rt_region("heat"), &line, 1)) &&
           ((only >= 0 && only != 1) || run_once(rt_region("star"), &wide, 1)) &&
           ((only >= 0 && only != 2) || run_once(rt_region("wave"), &cube, 1));
}

bool test_split(int count) {
    layout tall = {.extent = {3, 65535 * 2 + 1, 1}, .steps = 2, .seed = 1};
    (void)count;
    return run_once(rt_region("rows"), &tall, 1);
}

/* Any degree may come after any other, and the rest in any parity; domains smaller and larger than
 * a tile. */
bool test_streams(int count) {
    static const char *const names[] = {"drift", "icube", "ione", "ipulse", "ripple", "pond"};
    bool ok = true;
    for (int i = 0; i < 6; i++)
        for (int steps = 0; steps <= count; steps++) {
            layout small = random_layout((unsigned)steps + 1000), l = small;
            small.steps = l.steps = steps;
            small.alike = l.alike = i >= 4;
            small.extent[0] = 1 + small.extent[0] % 4;
            small.extent[1] = 1 + small.extent[1] % 3;
            small.extent[2] = 1 + small.extent[2] % 2;
            l.extent[0] = 11 + l.extent[0] % 13;
            ok = run_once(rt_region(names[i]), &small, steps > 0) && ok;
            ok = run_once(rt_region(names[i]), &l, steps > 0) && ok;
        }
    layout many = {.extent = {23, 1, 1}, .steps = 1700, .seed = 5};
    return run_once(rt_region("itally"), &many, 1) && ok;
}

static void *thread_work(void *argument) {
    bool *ok = argument;
    *ok = test_regions(10);
    return NULL;
}

bool test_threads(int count) {
    pthread_t threads[16];
    bool good[16], ok = true;
    for (int i = 0; i < count && i < 16; i++)
        if (pthread_create(&threads[i], NULL, thread_work, &good[i]) != 0)
            return false;
    for (int i = 0; i < count && i < 16; i++) {
        pthread_join(threads[i], NULL);
        ok = ok && good[i];
    }
    return ok;
}

bool test_report(int count) {
    layout l = {.extent = {100, 50, 1}, .steps = 3, .seed = 1};
    (void)count;
    return run_once(rt_region("star"), &l, ANY_ANSWER);
}

static bool all_answer(int answer) {
    bool ok = true;
    for (size_t r = 0; r < rt_region_count; r++) {
        layout l = random_layout((unsigned)r);
        l.steps = answer < 0 ? 2 : l.steps; /* with no step nobody asks for the device */
        ok = run_once(rt_regions[r], &l, answer) && ok;
    }
    return ok;
}

bool test_never(int count) {
    (void)count;
    return all_answer(0);
}

bool test_for_good(int count) {
    (void)count;
    return all_answer(-1);
}

bool test_stray(int count) {
    static void *state;
    stencilrt_region region = *rt_region("heat");
    layout l = {.extent = {20, 1, 1}, .steps = 1, .seed = 1};
    world w;
    (void)count;
    stencilrt_kernel kernel = region.kernels[0];
    kernel.name = "stray1";
    kernel.nparameters--; /* the scalar */
    region.kernels = &kernel;
    region.nscalars = 0;
    region.state = &state;
    world_make(&w, &region, &l);
    bool ok = world_run(&w, 0);
    world_free(&w);
    return ok && run_once(rt_region("heat"), &l, 1);
}

/* A region with one grid: n cells a dimension and `halo` around them. */
static bool speed_of(const char *name, int64_t n, int64_t halo, int64_t steps) {
    const stencilrt_region *region = rt_region(name);
    int64_t size = region->grids[0].elem_size, row = n + 2 * halo;
    int64_t plane = region->rank == 3 ? row * row : row;
    int64_t cells = region->rank == 3 ? plane * row : row * row;
    void *origins[MAX_BUFFERS], *memory[MAX_BUFFERS];
    for (uint32_t b = 0; b < region->nbuffers; b++) {
        memory[b] = malloc((size_t)(cells * size));
        if (!memory[b])
            return false;
        memset(memory[b], 1, (size_t)(cells * size));
        origins[b] = (char *)memory[b] + halo * size * (1 + row + (region->rank == 3 ? plane : 0));
    }
    int64_t strides[] = {size, row * size, region->rank == 3 ? plane * size : 0};
    uint64_t scalars[4] = {0};
    stencilrt_call call = {.steps = steps,
                           .extent = {n, n, region->rank == 3 ? n : 1},
                           .origins = origins,
                           .strides = strides,
                           .scalars = scalars};
    bool ok = rt_run_alone(region, &call) == 1;
    for (uint32_t b = 0; b < region->nbuffers; b++)
        free(memory[b]);
    return ok;
}

bool test_speed(int count) {
    bool ok = true;
    for (int i = 0; i < count; i++)
        ok = speed_of("star", 16384, 1, 100) && speed_of("wave", 512, 2, 100) && ok;
    return ok;
}
