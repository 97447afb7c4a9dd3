/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes worlds: host arrays of which exactly the accessed pages exist, calls, and expected results.
 * See world.h.
 */
#include "world.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

typedef struct footprint {
    int64_t lo, hi;       /* bytes from the origin */
    unsigned char *pages; /* if not NULL: marked, from `base` */
    const unsigned char *base, *origin;
} footprint;

static unsigned next_random(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void touch(footprint *f, int64_t at, size_t bytes) {
    f->lo = at < f->lo ? at : f->lo;
    f->hi = at + (int64_t)bytes > f->hi ? at + (int64_t)bytes : f->hi;
    if (f->pages)
        f->pages[(size_t)(f->origin + at - f->base) / PAGE] = 1;
}

static void touch_domain(footprint *f, const world *w, uint32_t g, const int32_t *offset) {
    static const int32_t none[3];
    const int64_t *stride = w->strides + 3 * g, *n = w->layout.extent;
    const stencilrt_grid *grid = &w->region->grids[g];
    if (!offset)
        offset = none;
    int64_t e[3];
    for (int d = 0; d < 3; d++)
        e[d] = grid->broadcast >> d & 1 ? 1 : n[d];
    for (int64_t z = 0; z < e[2]; z++)
        for (int64_t y = 0; y < e[1]; y++)
            for (int64_t x = 0; x < e[0]; x++)
                touch(f,
                      (x + offset[0]) * stride[0] + (y + offset[1]) * stride[1] +
                          (z + offset[2]) * stride[2],
                      grid->elem_size);
}

static uint32_t buffer_in_step(const stencilrt_region *r, const stencilrt_port *p, int64_t step) {
    int64_t n = r->grids[p->grid].buffers;
    return (uint32_t)(((step + p->level) % n + n) % n);
}

/* Everything the original loops touch in one buffer. */
static void touch_all(footprint *f, const world *w, uint32_t g, uint32_t number) {
    const stencilrt_region *r = w->region;
    int64_t rounds = w->layout.steps < r->grids[g].buffers ? w->layout.steps : r->grids[g].buffers;
    for (int64_t s = 0; s < rounds; s++)
        for (uint32_t p = 0; p < r->nports; p++) {
            const stencilrt_port *port = &r->ports[p];
            if (port->grid != g || buffer_in_step(r, port, s) != number)
                continue;
            for (uint32_t i = 0; i < port->noffsets; i++)
                touch_domain(f, w, g, port->offsets + 3 * i);
            if (port->access & STENCILRT_WRITE)
                touch_domain(f, w, g, NULL);
        }
}

static void fill(unsigned char *at, size_t bytes, size_t elem_size, bool real, unsigned *seed) {
    for (size_t i = 0; i + elem_size <= bytes; i += elem_size) {
        unsigned random = next_random(seed);
        double f64 = (double)(random % 4096) / 64 - 20;
        float f32 = (float)f64;
        uint64_t integer = random;
        const void *from = !real ? (void *)&integer : elem_size == 8 ? (void *)&f64 : (void *)&f32;
        memcpy(at + i, from, elem_size);
    }
}

static void *map_pages(size_t bytes, int protection) {
    void *memory = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        abort();
    return memory;
}

static void make_array(world *w, uint32_t g, uint32_t number, unsigned *seed) {
    const stencilrt_grid *grid = &w->region->grids[g];
    array *a = &w->arrays[grid->first_buffer + number];
    footprint f = {INT64_MAX, INT64_MIN, NULL, NULL, NULL};
    touch_all(&f, w, g, number);
    if (f.lo > f.hi)
        return; /* not touched: its origin stays NULL */
    size_t span = ((size_t)(f.hi - f.lo) + PAGE - 1) / PAGE * PAGE;
    a->bytes = span + 2 * PAGE;
    a->map = map_pages(a->bytes, PROT_NONE);
    a->want = map_pages(a->bytes, PROT_READ | PROT_WRITE);
    a->before = map_pages(a->bytes, PROT_READ | PROT_WRITE);
    a->pages = calloc(a->bytes / PAGE, 1);
    a->origin = w->layout.at_end ? a->map + PAGE + span - f.hi : a->map + PAGE - f.lo;
    f.pages = a->pages;
    f.base = a->map;
    f.origin = a->origin;
    touch_all(&f, w, g, number);
    for (size_t i = 0; i < a->bytes / PAGE; i++) {
        size_t at = i * PAGE;
        if (!a->pages[i])
            continue;
        mprotect(a->map + at, PAGE, PROT_READ | PROT_WRITE);
        fill(a->map + at, PAGE, grid->elem_size, w->region->where[0] != 'i', seed);
        memcpy(a->want + at, a->map + at, PAGE);
        memcpy(a->before + at, a->map + at, PAGE);
    }
    w->origins[grid->first_buffer + number] = a->origin;
}

/* Strides so that what the call accesses of one row lies apart from the next. */
static void make_strides(world *w, uint32_t g, unsigned *seed) {
    const stencilrt_region *r = w->region;
    const stencilrt_grid *grid = &r->grids[g];
    const layout *l = &w->layout;
    int64_t span = grid->elem_size, *stride = w->strides + 3 * g;
    for (int k = 0; k < 3; k++) {
        int d = l->transposed && k > 0 ? 3 - k : k;
        if ((unsigned)d >= r->rank || (grid->broadcast >> d & 1)) {
            stride[d] = 0;
            if ((unsigned)d >= r->rank && !(grid->broadcast >> d & 1))
                stride[d] = 12345; /* not to be looked at */
            continue;
        }
        int32_t lo = 0, hi = 0;
        for (uint32_t p = 0; p < r->nports; p++)
            for (uint32_t i = 0; r->ports[p].grid == g && i < r->ports[p].noffsets; i++) {
                int32_t o = r->ports[p].offsets[3 * i + (uint32_t)d];
                lo = o < lo ? o : lo;
                hi = o > hi ? o : hi;
            }
        if (k > 0 && l->spread == 1)
            span += grid->elem_size * (next_random(seed) % 7);
        if (k > 0 && l->spread == 2)
            span = (span + PAGE - 1) / PAGE * PAGE + PAGE;
        stride[d] = k > 0 && (l->flipped >> d & 1) ? -span : span;
        span *= l->extent[d] + hi - lo;
    }
}

static bool has_page(const array *a, int64_t at) {
    return a->map && at >= 0 && at < (int64_t)a->bytes && a->pages[at / PAGE];
}

/* If the page exists in both. */
static void share_cell(const array *from, array *to, int64_t at, size_t bytes) {
    int64_t a = from->origin + at - from->map, b = to->origin + at - to->map;
    if (!has_page(from, a) || !has_page(to, b))
        return;
    memcpy(to->map + b, from->map + a, bytes);
    memcpy(to->want + b, from->map + a, bytes);
    memcpy(to->before + b, from->map + a, bytes);
}

static void share_halo(world *w, const stencilrt_port *port, const int32_t *offset) {
    const stencilrt_grid *grid = &w->region->grids[port->grid];
    const int64_t *n = w->layout.extent, *stride = w->strides + 3 * port->grid;
    array *all = w->arrays + grid->first_buffer;
    for (int64_t z = offset[2]; z < n[2] + offset[2]; z++)
        for (int64_t y = offset[1]; y < n[1] + offset[1]; y++)
            for (int64_t x = offset[0]; x < n[0] + offset[0]; x++) {
                bool inside = x >= 0 && x < n[0] && y >= 0 && y < n[1] && z >= 0 && z < n[2];
                int64_t at = x * stride[0] + y * stride[1] + z * stride[2];
                for (uint32_t b = 1; b < grid->buffers && !inside; b++)
                    share_cell(&all[0], &all[b], at, grid->elem_size);
            }
}

static void share_halos(world *w) {
    for (uint32_t p = 0; p < w->region->nports; p++) {
        const stencilrt_port *port = &w->region->ports[p];
        for (uint32_t i = 0; i < port->noffsets && w->layout.steps > 0; i++)
            share_halo(w, port, port->offsets + 3 * i);
    }
}

void world_make(world *w, const stencilrt_region *region, const layout *layout) {
    unsigned seed = layout->seed;
    memset(w, 0, sizeof *w);
    w->region = region;
    w->layout = *layout;
    for (uint32_t d = region->rank; d < 3; d++)
        w->layout.extent[d] = 1;
    for (uint32_t g = 0; g < region->ngrids; g++) {
        make_strides(w, g, &seed);
        for (uint32_t b = 0; b < region->grids[g].buffers; b++)
            make_array(w, g, b, &seed);
    }
    if (layout->alike)
        share_halos(w);
    uint64_t *slot = w->scalars;
    for (uint32_t s = 0; s < region->nscalars; s++) {
        bool real = region->scalars[s].kind == STENCILRT_FIXED && region->scalars[s].size >= 4;
        *slot = 0;
        fill((unsigned char *)slot, region->scalars[s].size, region->scalars[s].size, real, &seed);
        slot++;
        if (region->scalars[s].kind == STENCILRT_STEPPED)
            *slot++ = (uint64_t)(int64_t)-3 + 7 * (seed & 1);
    }
    w->call = (stencilrt_call){.steps = layout->steps,
                               .origins = w->origins,
                               .strides = w->strides,
                               .scalars = w->scalars};
    memcpy(w->call.extent, w->layout.extent, sizeof w->call.extent);
}

void world_free(world *w) {
    for (int i = 0; i < MAX_BUFFERS; i++) {
        array *a = &w->arrays[i];
        if (!a->map)
            continue;
        munmap(a->map, a->bytes);
        munmap(a->want, a->bytes);
        munmap(a->before, a->bytes);
        free(a->pages);
    }
}

static uint64_t scalar_in_step(const world *w, uint32_t number, int64_t step) {
    const stencilrt_scalar *scalars = w->region->scalars;
    const uint64_t *slot = w->scalars;
    for (uint32_t s = 0; s < number; s++)
        slot += scalars[s].kind == STENCILRT_STEPPED ? 2 : 1;
    return slot[0] + (scalars[number].kind == STENCILRT_STEPPED ? (uint64_t)step * slot[1] : 0);
}

/* Of a cell kernel. */
static uint64_t argument(const world *w, const stencilrt_parameter *p, int64_t step) {
    const stencilrt_region *r = w->region;
    const stencilrt_port *port;
    const array *a;
    switch (p->kind) {
    case STENCILRT_ARG_PORT:
        port = &r->ports[p->index];
        a = &w->arrays[r->grids[port->grid].first_buffer + buffer_in_step(r, port, step)];
        return (uint64_t)(uintptr_t)(w->in_place ? a->origin : a->want + (a->origin - a->map));
    case STENCILRT_ARG_EXTENT:
        return (uint64_t)w->layout.extent[p->index];
    case STENCILRT_ARG_STRIDE:
        return (uint64_t)(w->strides[p->index] / (int64_t)r->grids[p->index / 3].elem_size);
    case STENCILRT_ARG_SCALAR:
        return scalar_in_step(w, p->index, step);
    default:
        return 0;
    }
}

static void expect_step(world *w, const rt_kernel *kernel, int64_t step) {
    const stencilrt_kernel *cells = &w->region->kernels[0];
    uint64_t values[32];
    void *args[32];
    for (uint32_t i = 0; i < cells->nparameters; i++) {
        values[i] = argument(w, &cells->parameters[i], step);
        args[i] = &values[i];
    }
    int64_t t[3];
    for (t[2] = 0; t[2] < w->layout.extent[2]; t[2]++)
        for (t[1] = 0; t[1] < w->layout.extent[1]; t[1]++)
            for (t[0] = 0; t[0] < w->layout.extent[0]; t[0]++)
                kernel->thread(t, args);
}

void world_expect(world *w) {
    char symbol[64];
    snprintf(symbol, sizeof symbol, "stub_%s", w->region->kernels[0].name);
    const rt_kernel *kernel = dlsym(RTLD_DEFAULT, symbol);
    if (!kernel)
        abort();
    for (int64_t step = 0; step < w->layout.steps; step++)
        expect_step(w, kernel, step);
}

bool world_is(const world *w, bool changed) {
    for (int i = 0; i < MAX_BUFFERS; i++) {
        const array *a = &w->arrays[i];
        const unsigned char *want = changed ? a->want : a->before;
        for (size_t at = 0; a->map && at < a->bytes; at += PAGE) {
            if (!a->pages[at / PAGE] || memcmp(a->map + at, want + at, PAGE) == 0)
                continue;
            const layout *l = &w->layout;
            printf("%s: array %d differs near byte %zd (%s): extent %ld %ld %ld steps %ld end %d "
                   "transposed %d flipped %u spread %u seed %u\n",
                   w->region->where, i, a->map + at - a->origin, changed ? "results" : "untouched",
                   l->extent[0], l->extent[1], l->extent[2], l->steps, l->at_end, l->transposed,
                   l->flipped, l->spread, l->seed);
            return false;
        }
    }
    return true;
}

stencilrt_region *rt_lasting;

int rt_run_alone(const stencilrt_region *sweep, const stencilrt_call *call) {
    if (sweep->abi != STENCILRT_ABI)
        return stencilrt_run(sweep, call);
    uint32_t slabs = getenv("RT_TEST_SLABS") ? STENCILRT_SLABS : 0;
    const stencilrt_region region = {.abi = sweep->abi,
                                     .rank = sweep->rank,
                                     .where = sweep->where,
                                     .nimages = sweep->nimages,
                                     .nkernels = sweep->nkernels,
                                     .ops = sweep->ops,
                                     .nsweeps = 1,
                                     .kernels = sweep->kernels,
                                     .images = sweep->images,
                                     .state = sweep->state,
                                     .sweeps = sweep,
                                     .flags = sweep->flags | STENCILRT_ALONE | slabs};
    const stencilrt_call whole = {.steps = call->steps,
                                  .extent = {call->extent[0], call->extent[1], call->extent[2]},
                                  .sweeps = call,
                                  .tables = call->tables};
    if (!rt_lasting)
        return stencilrt_run(&region, &whole);
    *rt_lasting = region;
    return stencilrt_run(rt_lasting, &whole);
}

bool world_run(world *w, int must_run) {
    int ran = rt_run_alone(w->region, &w->call);
    if (must_run != ANY_ANSWER && ran != must_run) {
        printf("%s: stencilrt_run gave %d\n", w->region->where, ran);
        return false;
    }
    if (ran == 1 || must_run != ANY_ANSWER)
        return world_is(w, ran == 1);
    w->in_place = true;
    world_expect(w);
    return world_is(w, true);
}
