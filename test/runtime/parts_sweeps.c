/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A region of two sweeps: a star from one array to the other, and what it leaves in their first row
 * is changed in place. The arrays rotate; origins and strides are the caller's to vary.
 */
#include "parts.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 37, HEIGHT = 21, CELLS = WIDTH * HEIGHT, STEPS = 5 };

static const int32_t centre[] = {0, 0, 0};
static const int32_t star[] = {-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0};
static const stencilrt_grid grid = {.elem_size = 4, .buffers = 2};
static const stencilrt_port star_ports[] = {WRITES(0, 1), READS(0, 0, star)};
static const stencilrt_port row_ports[] = {UPDATES(0, 1, centre)};
static const stencilrt_scalar star_scalars[] = {SCALAR(4, FIXED), SCALAR(4, STEPPED)};
static const stencilrt_scalar row_scalars[] = {SCALAR(8, STEPPED)};
static stencilrt_kernel kernels[] = {CELL("star2", 16, 4, 1), CELL("inplace2", 64, 1, 1)};

static stencilrt_region make_sweep(int number) {
    stencilrt_region r = {.abi = STENCILRT_ABI,
                          .rank = 2,
                          .where = "sweep",
                          .ngrids = 1,
                          .nports = number == 0 ? 2 : 1,
                          .nscalars = number == 0 ? 2 : 1,
                          .nkernels = 1,
                          .nbuffers = 2,
                          .ops = 5,
                          .kernels = &kernels[number],
                          .grids = &grid,
                          .ports = number == 0 ? star_ports : row_ports,
                          .scalars = number == 0 ? star_scalars : row_scalars};
    if (!kernels[number].parameters)
        rt_list_parameters(&r, &kernels[number]);
    return r;
}

static void fill(float *cells, size_t count) {
    for (size_t i = 0; i < count; i++)
        cells[i] = (float)(i * 7919 % 1000) / 1000;
}

static void reference(float *a, float *b) {
    for (int t = 0; t < STEPS; t++) {
        const float *in = t % 2 ? b : a;
        float *out = t % 2 ? a : b;
        for (int i = WIDTH; i < CELLS - WIDTH; i++)
            if (i % WIDTH > 0 && i % WIDTH < WIDTH - 1)
                out[i] = 0.2f * (in[i - 1] + in[i + 1] + in[i - WIDTH] + in[i + WIDTH] + in[i]) +
                         (float)(t + 3);
        for (int j = 2; j < WIDTH; j++)
            out[j] = out[j] * 0.5f + (float)(2 * t);
    }
}

static bool together; /* the sweeps are those of one loop */

/* 1: it ran; 0: it did not; the arrays are right for that, or the process ends. */
static int run(float *memory, float *a, float *b, int64_t row_stride) {
    static void *state;
    stencilrt_region sweeps[] = {make_sweep(0), make_sweep(1)};
    const stencilrt_region *images = rt_region("star");
    sweeps[1].flags |= together ? STENCILRT_TOGETHER : 0;
    const stencilrt_region region = {.abi = STENCILRT_ABI,
                                     .rank = 2,
                                     .where = "sweeps",
                                     .nimages = images->nimages,
                                     .nkernels = 2,
                                     .nsweeps = 2,
                                     .kernels = kernels,
                                     .images = images->images,
                                     .state = &state,
                                     .sweeps = sweeps,
                                     .flags = getenv("RT_TEST_SLABS") ? STENCILRT_SLABS : 0};
    void *star_origins[] = {a + WIDTH + 1, b + WIDTH + 1}, *row_origins[] = {a + 2, b + 2};
    for (int i = 0; i < 2 && together; i++)
        row_origins[i] = (float *)row_origins[i] + WIDTH;
    int64_t strides[] = {4, 4 * WIDTH, 0}, row_strides[] = {4, row_stride, 0};
    float factor = 0.2f;
    uint64_t star_values[] = {0, 3, 1}, row_values[] = {0, 2};
    memcpy(star_values, &factor, sizeof factor);
    const stencilrt_call calls[] = {{.steps = STEPS,
                                     .extent = {WIDTH - 2, HEIGHT - 2, 1},
                                     .origins = star_origins,
                                     .strides = strides,
                                     .scalars = star_values},
                                    {.steps = STEPS,
                                     .extent = {WIDTH - 2, 1, 1},
                                     .origins = row_origins,
                                     .strides = row_strides,
                                     .scalars = row_values}};
    const stencilrt_call call = {
        .steps = STEPS, .extent = {WIDTH - 2, HEIGHT - 2, 1}, .sweeps = calls};
    float *want = malloc(3 * CELLS * sizeof *want);
    memcpy(want, memory, 3 * CELLS * sizeof *want);
    int ran = stencilrt_run(&region, &call);
    if (ran == 1)
        reference(want + (a - memory), want + (b - memory));
    if (memcmp(want, memory, 3 * CELLS * sizeof *want) != 0) {
        printf("sweeps: the arrays are wrong; ran: %d\n", ran);
        exit(1);
    }
    free(want);
    return ran;
}

static int run_apart(int64_t distance, int64_t row_stride) {
    float *memory = malloc(3 * CELLS * sizeof *memory);
    fill(memory, 3 * CELLS);
    int ran = run(memory, memory, memory + distance, row_stride);
    free(memory);
    return ran;
}

/* The row is one that the other sweep writes. */
static bool declines_one_loop(void) {
    together = true;
    bool declined = run_apart(CELLS, 0) == 0;
    together = false;
    return CHECK(declined);
}

bool test_sweeps(int count) {
    (void)count;
    return declines_one_loop() && CHECK(run_apart(CELLS, 0) == 1) &&
           CHECK(run_apart(2 * CELLS, 4 * WIDTH) == 1) &&
           /* of one row, its distance to the next one does not matter */
           CHECK(run_apart(2 * CELLS - 5, 12) == 1) &&
           /* rows between the other's rows: another array, if the step's results are apart */
           CHECK(run_apart(3 * WIDTH, 0) == 0) && CHECK(run_apart(1, 0) == 0) &&
           CHECK(run_apart(0, 0) == 0);
}

static bool run_any(const void *what) {
    (void)what;
    run_apart(CELLS, 0);
    return true;
}

bool test_sweep_faults(int count) {
    (void)count;
    return fail_each_call("sweeps", run_any, NULL, (failure){false, 1}) &&
           fail_each_call("sweeps", run_any, NULL, (failure){false, 2}) &&
           fail_each_call("sweeps", run_any, NULL, (failure){true, 700});
}
