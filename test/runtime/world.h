/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A world: one region, one call, and host arrays of which exactly the pages that the original
 * loops touch exist. What the arrays must hold afterwards comes from running the region's kernel
 * on copies of them, cell after cell and step after step.
 */
#ifndef RT_TEST_WORLD_H
#define RT_TEST_WORLD_H

#include "kernels.h"
#include "stencilopt/region.h"
#include <stdbool.h>
#include <stddef.h>

/* Initialisers. Offsets are arrays. */
#define OFFSETS(a) .noffsets = sizeof(a) / sizeof *(a) / 3, .offsets = a
#define WRITES(g, l) {.grid = g, .level = l, .access = STENCILRT_WRITE}
#define READS(g, l, a) {.grid = g, .level = l, .access = STENCILRT_READ, OFFSETS(a)}
#define UPDATES(g, l, a)                                                                           \
    {.grid = g, .level = l, .access = STENCILRT_READ | STENCILRT_WRITE, OFFSETS(a)}
#define SCALAR(bytes, what) {.size = bytes, .kind = STENCILRT_##what}
#define CELL(symbol, ...)                                                                          \
    {                                                                                              \
        .name = symbol, .kind = STENCILRT_CELL, .bt = 1, .block = { __VA_ARGS__ }                  \
    }

enum { MAX_BUFFERS = 8, MAX_GRIDS = 8, MAX_SCALARS = 4 };

typedef struct layout {
    int64_t extent[3];
    int64_t steps;
    bool at_end;      /* the last byte accessed ends a page; else the first one starts a page */
    bool transposed;  /* planes are closer than rows */
    unsigned flipped; /* bit d: the stride along d is negative */
    unsigned spread;  /* 0: rows as close as may be; 1: some cells between; 2: pages between */
    bool alike;       /* the buffers that rotate have the halo of the first */
    unsigned seed;
} layout;

typedef struct array {
    unsigned char *map, *want, *before; /* the array itself, its wanted and its first contents */
    size_t bytes;
    unsigned char *pages; /* 1: the page exists */
    unsigned char *origin;
} array;

typedef struct world {
    const stencilrt_region *region;
    layout layout;
    array arrays[MAX_BUFFERS];
    void *origins[MAX_BUFFERS];
    int64_t strides[3 * MAX_GRIDS];
    uint64_t scalars[2 * MAX_SCALARS];
    stencilrt_call call;
    bool in_place; /* the reference works on the arrays themselves */
} world;

void world_make(world *w, const stencilrt_region *region, const layout *layout);
void world_free(world *w);
/* Runs the reference into the copies; once. */
void world_expect(world *w);
/* Are the arrays as the reference left its copies (changed), or as they were? Prints if not. */
bool world_is(const world *w, bool changed);
/* stencilrt_run of a region whose one sweep this is, which runs alone. The sweep has the region's
 * images, state and flags. A sweep of another version is handed over as a region of that version. */
int rt_run_alone(const stencilrt_region *sweep, const stencilrt_call *call);
/* Where the region is put; NULL: on the stack. */
extern stencilrt_region *rt_lasting;
/* rt_run_alone, and whether its answer and the arrays are right; `must_run`: 1 and 0 demand
 * an answer, -1 demands the one that holds for good, ANY_ANSWER takes any. If the answer is that the
 * original loops must run, the arrays are as they were; with ANY_ANSWER, the original loops, run
 * then, give the results. */
enum { ANY_ANSWER = -2 };
bool world_run(world *w, int must_run);

/* Lists the kernel's parameters as kernels.c has them. */
void rt_list_parameters(const stencilrt_region *region, stencilrt_kernel *kernel);

/* regions.c: the regions, by name; with one image, set before the first run. */
extern stencilrt_region *const rt_regions[];
extern const size_t rt_region_count;
stencilrt_region *rt_region(const char *name);
void rt_regions_set_image(uint32_t kind, const char *arch, const void *bytes, size_t size);

#endif
