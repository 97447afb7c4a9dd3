/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests of regions and calls that the runtime must decline, and of what stays as it was.
 */
#include "parts.h"
#include <fenv.h>
#include <stdio.h>
#include <string.h>

static const layout plain = {.extent = {20, 10, 3}, .steps = 3, .seed = 4};

/* A change to a sound world that must make the runtime decline: the region, then the call. */
typedef void change(stencilrt_region *region, world *w);
static stencilrt_kernel kernels[4]; /* the region's */
static stencilrt_grid grids[3];
static stencilrt_port ports[4];

static stencilrt_parameter parameters[64]; /* of the first kernel */

static void other_abi(stencilrt_region *r, world *w) {
    (void)w;
    r->abi++;
}
static void rank_zero(stencilrt_region *r, world *w) {
    (void)w;
    r->rank = 0;
}
static void rank_four(stencilrt_region *r, world *w) {
    (void)w;
    r->rank = 4;
}
static void two_steps_a_launch(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[0].bt = 2;
}
static void empty_block(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[0].block[0] = 0;
}
static void huge_block(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[0].block[0] = 1 << 16;
}
static void missing_buffers(stencilrt_region *r, world *w) {
    (void)w;
    r->nbuffers--;
}
static void no_images(stencilrt_region *r, world *w) {
    static void *fresh;
    (void)w;
    r->nimages = 0;
    r->state = &fresh;
}
static void no_steps(stencilrt_region *r, world *w) {
    (void)r;
    w->call.steps = -1;
}
static void no_cells(stencilrt_region *r, world *w) {
    (void)r;
    w->call.extent[1] = 0;
}
static void negative_extent(stencilrt_region *r, world *w) {
    (void)r;
    w->call.extent[0] = INT64_MIN;
}
static void huge_extent(stencilrt_region *r, world *w) {
    (void)r;
    w->call.extent[0] = INT64_MAX;
}
static void huge_extents(stencilrt_region *r, world *w) {
    (void)r;
    w->call.extent[0] = w->call.extent[1] = (int64_t)1 << 39;
}
static void huge_stride(stencilrt_region *r, world *w) {
    (void)r;
    w->strides[1] = INT64_MAX;
}
static void most_negative_stride(stencilrt_region *r, world *w) {
    (void)r;
    w->strides[1] = INT64_MIN;
}
static void scattered_x(stencilrt_region *r, world *w) {
    (void)r;
    w->strides[0] *= 2;
}
static void same_buffer_twice(stencilrt_region *r, world *w) {
    (void)r;
    w->origins[1] = w->origins[0];
}
static void overlap_by_a_cell(stencilrt_region *r, world *w) {
    /* the last halo cell of one is the first of the other */
    (void)r;
    w->origins[1] = (char *)w->origins[0] + 10 * w->strides[1] + w->strides[1] - 4;
}
static void rows_fold(stencilrt_region *r, world *w) {
    (void)r;
    w->strides[1] = 21 * 4; /* a row with its halo has 22 cells */
}
static void rows_coincide(stencilrt_region *r, world *w) {
    (void)r;
    w->strides[1] = 0;
}
static void null_origin(stencilrt_region *r, world *w) {
    (void)r;
    w->origins[1] = NULL;
}

static void no_parameters(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[0].nparameters = 0;
}
static void unknown_parameter(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    parameters[0].kind = stencilrt_parameter_kind_count;
}
static void other_kernels_parameter(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    parameters[0] = (stencilrt_parameter){.kind = STENCILRT_ARG_SRC};
}
static void missing_port(stencilrt_region *r, world *w) {
    (void)w;
    parameters[0].index = r->nports;
}
static void missing_dimension(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    parameters[1] = (stencilrt_parameter){.kind = STENCILRT_ARG_EXTENT, .index = 2};
}
static void stride_along_x(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    parameters[1] = (stencilrt_parameter){.kind = STENCILRT_ARG_STRIDE};
}
static void missing_scalar(stencilrt_region *r, world *w) {
    (void)w;
    parameters[1] = (stencilrt_parameter){.kind = STENCILRT_ARG_SCALAR, .index = r->nscalars};
}
static void missing_slots(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    parameters[1] = (stencilrt_parameter){.kind = STENCILRT_ARG_REDUCED};
}
static void cells_parameters(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[1].parameters = kernels[0].parameters;
    kernels[1].nparameters = kernels[0].nparameters;
}
static void older_source(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    static stencilrt_parameter first[64];
    memcpy(first, parameters, sizeof first);
    memcpy(parameters, kernels[1].parameters, kernels[1].nparameters * sizeof *parameters);
    parameters[2].kind = STENCILRT_ARG_OLDER_SRC; /* only one level is read */
    kernels[1].parameters = parameters;
    kernels[0].parameters = first;
}
static void no_kernels(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    r->nkernels = 0;
}
static void many_kernels(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    r->nkernels = 1000;
}
static void nameless(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[1].name = NULL;
}
static void cell_kernel_second(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[1] = kernels[0];
}
static void stream_kernel_first(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    r->kernels = kernels + 1;
    r->nkernels = 2;
}
static void degrees_rise(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[1].bt = 3;
}
static void degree_zero(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[3].bt = 0;
}
static void empty_tile(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[2].tile[0] = 0;
}
static void flat_tile(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[2].tile[1] = 2;
}
/* It does not know where the tiles begin. */
static void cells_tile(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[0].tile[0] = kernels[0].tile[1] = kernels[0].tile[2] = 1;
}
/* It may have no tile. */
static void peeled_cells(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    parameters[1] = (stencilrt_parameter){.kind = STENCILRT_ARG_PEELED};
}
static void deep_tile(stencilrt_region *r, world *w) {
    peeled_cells(r, w);
    kernels[0].tile[0] = kernels[0].tile[1] = 1;
    kernels[0].tile[2] = 2;
}
static void odd_tile(stencilrt_region *r, world *w) {
    peeled_cells(r, w);
    kernels[0].tile[0] = 3;
    kernels[0].tile[1] = kernels[0].tile[2] = 1;
}
static void no_tiles(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[2].tiles = 0;
}
static void much_scratchpad(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[2].scratchpad = (256 << 10) + 1;
}
static void strips_in_2d(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[1].kind = STENCILRT_STRIP;
}
static void stream_in_1d(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    kernels[1].kind = STENCILRT_STREAM;
}
static void huge_padding(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    r->pad_high[0] = 1u << 31;
}
static void older_neighbours(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    grids[0].buffers = 3;
    grids[1].first_buffer++;
    grids[2].first_buffer++;
    r->nbuffers++;
    ports[3] = ports[1];
    ports[3].level = -1;
}
static void written_at_level_0(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    ports[0].level = 0;
    ports[1].level = 1;
}
static void another_is_written(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    grids[2].broadcast = 0;
    ports[3].access = STENCILRT_WRITE;
    ports[3].noffsets = 0;
}
static void not_read(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    ports[1] = ports[3];
}
static void advances(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    grids[1].advance = 1;
}
static void three_buffers(stencilrt_region *r, world *w) {
    (void)w, (void)r;
    grids[0].buffers = 3;
    grids[1].first_buffer++;
    grids[2].first_buffer++;
    r->nbuffers++;
}

static bool declines(const char *name, const char *of, change *make) {
    world w;
    stencilrt_region region = *rt_region(of);
    memcpy(kernels, region.kernels, region.nkernels * sizeof *kernels);
    memcpy(grids, region.grids, region.ngrids * sizeof *grids);
    memcpy(ports, region.ports, region.nports * sizeof *ports);
    memcpy(parameters, kernels[0].parameters, kernels[0].nparameters * sizeof *parameters);
    kernels[0].parameters = parameters;
    world_make(&w, &region, &plain);
    region.kernels = kernels;
    region.grids = grids;
    region.ports = ports;
    make(&region, &w);
    bool ok = world_run(&w, 0);
    if (!ok)
        printf("not declined: %s\n", name);
    w.region = rt_region(of);
    world_free(&w);
    return ok;
}

#define DECLINES(change) ok = declines(#change, "star", change) && ok
#define STREAM_DECLINES(change) ok = declines(#change, "drift", change) && ok

/* Ping-pong in one buffer reads neighbours that it writes: an in-place sweep. */
static bool declines_in_place(void) {
    stencilrt_region region = *rt_region("star");
    stencilrt_grid grid = region.grids[0];
    world w;
    grid.buffers = 1;
    region.grids = &grid;
    region.nbuffers = 1;
    world_make(&w, &region, &plain);
    bool ok = world_run(&w, 0);
    world_free(&w);
    return CHECK(ok);
}

/* A region that is to run alone has one sweep, and that sweep's kernels. */
static bool declines_other_sweeps(void) {
    const stencilrt_region *sweep = rt_region("star");
    stencilrt_kernel other = sweep->kernels[0];
    world w;
    world_make(&w, sweep, &plain);
    stencilrt_call call = {.steps = plain.steps, .sweeps = &w.call};
    stencilrt_region good = {.abi = STENCILRT_ABI,
                             .rank = sweep->rank,
                             .where = "other sweeps",
                             .nimages = sweep->nimages,
                             .nkernels = 1,
                             .nsweeps = 1,
                             .kernels = sweep->kernels,
                             .images = sweep->images,
                             .state = sweep->state,
                             .sweeps = sweep,
                             .flags = STENCILRT_ALONE};
    stencilrt_region none = good, kernels = good, others = good;
    none.nsweeps = 0;
    kernels.kernels = &other;
    others.sweeps = NULL;
    bool ok = CHECK(stencilrt_run(&none, &call) == 0) &&
              CHECK(stencilrt_run(&kernels, &call) == 0) &&
              CHECK(stencilrt_run(&others, &call) == 0) && CHECK(world_is(&w, false)) &&
              CHECK(stencilrt_run(&good, &call) == 1);
    world_free(&w);
    return ok;
}

/* A flat index that wraps from row to row: rows of 20 cells, read with a halo of one. That is sound
 * while the array is only read, which is so with one step; with two it is written as well. */
static bool takes_wrapping_rows_while_only_read(void) {
    enum { WIDTH = 20, HEIGHT = 10 };
    float in[(HEIGHT + 2) * WIDTH + 2], was[(HEIGHT + 2) * WIDTH + 2], out[HEIGHT * WIDTH];
    float *cell = in + 1 + WIDTH, c = 0.25f;
    void *origins[] = {cell, out};
    int64_t strides[] = {4, WIDTH * 4, 0};
    uint64_t scalars[] = {0, 7, 1};
    memcpy(scalars, &c, sizeof c);
    for (int i = 0; i < (HEIGHT + 2) * WIDTH + 2; i++)
        was[i] = in[i] = (float)(i * i % 37);
    stencilrt_call call = {.steps = 2,
                           .extent = {WIDTH, HEIGHT, 1},
                           .origins = origins,
                           .strides = strides,
                           .scalars = scalars};
    if (!CHECK(rt_run_alone(rt_region("star"), &call) == 0))
        return false;
    call.steps = 1;
    bool ok = CHECK(rt_run_alone(rt_region("star"), &call) == 1);
    for (int i = 0; i < HEIGHT * WIDTH; i++) {
        float *at = cell + i;
        float want = c * (at[-1] + at[1] + at[-WIDTH] + at[WIDTH] + at[0]) + 7.0f;
        ok = ok && CHECK(out[i] == want);
    }
    return CHECK(memcmp(in, was, sizeof in) == 0) && ok;
}

/* All that another version may have put elsewhere. */
static void another_version(stencilrt_region *r, world *w) {
    (void)w;
    memset(r, 0x5a, sizeof *r);
    r->abi = STENCILRT_ABI + 1;
}

/* Whatever else is in the way. */
bool test_other_version(int count) {
    (void)count;
    int rounding = fegetround();
    bool ok = declines("another_version", "star", another_version);
    fesetround(FE_UPWARD);
    ok = declines("another_version, rounding upwards", "star", another_version) && ok;
    fesetround(rounding);
    return ok;
}

bool test_decline(int count) {
    bool ok = true;
    (void)count;
    DECLINES(other_abi);
    DECLINES(rank_zero);
    DECLINES(rank_four);
    DECLINES(two_steps_a_launch);
    DECLINES(empty_block);
    DECLINES(huge_block);
    DECLINES(missing_buffers);
    DECLINES(no_images);
    DECLINES(no_steps);
    DECLINES(no_cells);
    DECLINES(negative_extent);
    DECLINES(huge_extent);
    DECLINES(huge_extents);
    DECLINES(huge_stride);
    DECLINES(most_negative_stride);
    DECLINES(scattered_x);
    DECLINES(same_buffer_twice);
    DECLINES(overlap_by_a_cell);
    DECLINES(rows_fold);
    DECLINES(rows_coincide);
    DECLINES(null_origin);
    DECLINES(no_parameters);
    DECLINES(unknown_parameter);
    DECLINES(other_kernels_parameter);
    DECLINES(missing_port);
    DECLINES(missing_dimension);
    DECLINES(stride_along_x);
    DECLINES(missing_scalar);
    DECLINES(missing_slots);
    STREAM_DECLINES(cells_parameters);
    STREAM_DECLINES(older_source);
    STREAM_DECLINES(no_kernels);
    STREAM_DECLINES(many_kernels);
    STREAM_DECLINES(nameless);
    STREAM_DECLINES(cell_kernel_second);
    STREAM_DECLINES(stream_kernel_first);
    STREAM_DECLINES(degrees_rise);
    STREAM_DECLINES(degree_zero);
    STREAM_DECLINES(empty_tile);
    STREAM_DECLINES(flat_tile);
    DECLINES(cells_tile);
    DECLINES(peeled_cells);
    DECLINES(deep_tile);
    DECLINES(odd_tile);
    STREAM_DECLINES(no_tiles);
    STREAM_DECLINES(much_scratchpad);
    STREAM_DECLINES(strips_in_2d);
    ok = declines("stream_in_1d", "ipulse", stream_in_1d) && ok;
    STREAM_DECLINES(huge_padding);
    STREAM_DECLINES(older_neighbours);
    STREAM_DECLINES(written_at_level_0);
    STREAM_DECLINES(another_is_written);
    STREAM_DECLINES(not_read);
    STREAM_DECLINES(advances);
    STREAM_DECLINES(three_buffers);
    return declines_in_place() && declines_other_sweeps() && takes_wrapping_rows_while_only_read() && ok;
}
