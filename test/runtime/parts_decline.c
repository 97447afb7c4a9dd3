/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "parts.h"
#include <stdio.h>
#include <string.h>

static const layout plain = {.extent = {20, 10, 3}, .steps = 3, .seed = 4};

/* A change to a sound world that must make the runtime decline: the region, then the call. */
typedef void change(stencilrt_region *region, world *w);

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
    (void)w;
    r->bt = 2;
}
static void empty_block(stencilrt_region *r, world *w) {
    (void)w;
    r->block[0] = 0;
}
static void huge_block(stencilrt_region *r, world *w) {
    (void)w;
    r->block[0] = 1024;
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

static bool declines(const char *name, change *make) {
    world w;
    stencilrt_region region = *rt_region("star");
    world_make(&w, &region, &plain);
    make(&region, &w);
    bool ok = world_run(&w, 0);
    if (!ok)
        printf("not declined: %s\n", name);
    w.region = rt_region("star");
    world_free(&w);
    return ok;
}

#define DECLINES(change) ok = declines(#change, change) && ok

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
    stencilrt_call call = {2, {WIDTH, HEIGHT, 1}, origins, strides, scalars};
    if (!CHECK(stencilrt_run(rt_region("star"), &call) == 0))
        return false;
    call.steps = 1;
    bool ok = CHECK(stencilrt_run(rt_region("star"), &call) == 1);
    for (int i = 0; i < HEIGHT * WIDTH; i++) {
        float *at = cell + i;
        float want = c * (at[-1] + at[1] + at[-WIDTH] + at[WIDTH] + at[0]) + 7.0f;
        ok = ok && CHECK(out[i] == want);
    }
    return CHECK(memcmp(in, was, sizeof in) == 0) && ok;
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
    return declines_in_place() && takes_wrapping_rows_while_only_read() && ok;
}
