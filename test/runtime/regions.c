/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Regions by hand, one or more for each kernel of kernels.c. A name that starts with `i`
 * has integers in its arrays.
 */
#include "world.h"
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static stencilrt_image image;

static const int32_t centre[] = {0, 0, 0};
static const int32_t line[] = {-1, 0, 0, 0, 0, 0, 1, 0, 0};
static const int32_t star[] = {-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0};
static const int32_t far[] = {-9, 0, 0, 9, 0, 0, 0, -7, 0, 5, 7, 0};
static const int32_t slanted[] = {0, 0, 0, 2, 0, 0, -1, 1, 0};
static const int32_t along_x[] = {1, 0, 0, 0, 0, 0};
static const int32_t one_along_x[] = {1, 0, 0};
static const int32_t along_y[] = {0, -1, 0, 0, 0, 0};
static const int32_t star3[] = {0, 0, 0, -2, 0, 0, -1, 0, 0, 1,  0, 0, 2,  0, 0, 0, -2, 0, 0, -1,
                                0, 0, 1, 0,  0, 2, 0,  0, 0, -2, 0, 0, -1, 0, 0, 1, 0,  0, 2};
#define ROW3(j, k) -1, j, k, 0, j, k, 1, j, k
#define PLANE3(k) ROW3(-1, k), ROW3(0, k), ROW3(1, k)
static const int32_t box3[] = {PLANE3(-1), PLANE3(0), PLANE3(1)};

#define GRID(bytes, copies, first, dimensions)                                                     \
    {.elem_size = bytes, .buffers = copies, .first_buffer = first, .broadcast = dimensions}
#define REGION_OF(name, dimensions, ...)                                                           \
    static void *name##_state;                                                                     \
    static stencilrt_region name##_region = {.abi = STENCILRT_ABI,                                 \
                                             .rank = dimensions,                                   \
                                             .where = #name,                                       \
                                             .ngrids = COUNT(name##_grids),                        \
                                             .nports = COUNT(name##_ports),                        \
                                             .nscalars = COUNT(name##_scalars),                    \
                                             .nimages = 1,                                         \
                                             .nkernels = COUNT(name##_kernels),                    \
                                             .ops = 5,                                             \
                                             .kernels = name##_kernels,                            \
                                             .grids = name##_grids,                                \
                                             .ports = name##_ports,                                \
                                             .scalars = name##_scalars,                            \
                                             .images = &image,                                     \
                                             .state = &name##_state,                               \
                                             __VA_ARGS__}
#define REGION(name, symbol, dimensions, bx, by, bz)                                               \
    static stencilrt_kernel name##_kernels[] = {CELL(symbol, bx, by, bz)};                         \
    REGION_OF(name, dimensions, .nsweeps = 0)

#define STREAM(symbol, degree, threads_y, rows, along_x)                                           \
    {.name = symbol,                                                                               \
     .kind = STENCILRT_STREAM,                                                                     \
     .bt = degree,                                                                                 \
     .block = {STREAM_THREADS, threads_y, 1},                                                      \
     .tile = {STREAM_TILE * STREAM_TILES / (along_x), rows},                                       \
     .tiles = along_x,                                                                             \
     .overlap = STREAM_OVERLAP,                                                                    \
     .scratchpad = STREAM_SCRATCHPAD}
#define STREAM_PADS(z)                                                                             \
    .pad_low = {STREAM_LOW, STREAM_LOW, (z) ? STREAM_LOW : 0},                                     \
    .pad_high = {STREAM_HIGH, STREAM_HIGH, (z) ? STREAM_HIGH : 0}

static const stencilrt_grid heat_grids[] = {GRID(8, 2, 0, 0)};
static const stencilrt_port heat_ports[] = {WRITES(0, 1), READS(0, 0, line)};
static const stencilrt_scalar heat_scalars[] = {SCALAR(8, FIXED)};
REGION(heat, "heat1", 1, 64, 1, 1);

static const stencilrt_grid star_grids[] = {GRID(4, 2, 0, 0)};
static const stencilrt_port star_ports[] = {WRITES(0, 1), READS(0, 0, star)};
static const stencilrt_scalar star_scalars[] = {SCALAR(4, FIXED), SCALAR(4, STEPPED)};
REGION(star, "star2", 2, 16, 4, 1);

/* The same with a row of threads, so that many rows need many blocks. */
#define rows_grids star_grids
#define rows_ports star_ports
#define rows_scalars star_scalars
REGION(rows, "star2", 2, 4, 1, 1);

/* One sweep from one array to another: two grids of one buffer. */
static const stencilrt_grid sweep_grids[] = {GRID(8, 1, 0, 0), GRID(8, 1, 1, 0)};
static const stencilrt_port sweep_ports[] = {WRITES(1, 0), READS(0, 0, line)};
static const stencilrt_scalar sweep_scalars[] = {SCALAR(8, FIXED)};
REGION(sweep, "heat1", 1, 32, 1, 1);

static const stencilrt_grid far_grids[] = {GRID(4, 2, 0, 0)};
static const stencilrt_port far_ports[] = {WRITES(0, 0), READS(0, -1, far)};
static const stencilrt_scalar far_scalars[] = {SCALAR(4, FIXED)};
REGION(far, "far2", 2, 8, 8, 1);

static const stencilrt_grid mixed_grids[] = {GRID(8, 2, 0, 0), GRID(8, 1, 2, 2), GRID(8, 1, 3, 1),
                                             GRID(1, 1, 4, 0), GRID(4, 1, 5, 0)};
static const stencilrt_port mixed_ports[] = {WRITES(0, 1),         READS(0, 0, slanted),
                                             READS(1, 0, along_x), READS(2, 0, along_y),
                                             READS(3, 5, centre),  WRITES(4, -5)};
static const stencilrt_scalar mixed_scalars[] = {SCALAR(1, FIXED), SCALAR(2, STEPPED)};
REGION(mixed, "mixed2", 2, 32, 8, 1);

static const stencilrt_grid inplace_grids[] = {GRID(4, 1, 0, 0)};
static const stencilrt_port inplace_ports[] = {UPDATES(0, 0, centre)};
static const stencilrt_scalar inplace_scalars[] = {SCALAR(8, STEPPED)};
REGION(inplace, "inplace2", 2, 32, 8, 1);

static const stencilrt_grid wave_grids[] = {GRID(8, 3, 0, 0)};
static const stencilrt_port wave_ports[] = {WRITES(0, 2), READS(0, 1, star3), READS(0, 0, centre)};
static const stencilrt_scalar wave_scalars[] = {SCALAR(8, FIXED)};
REGION(wave, "wave3", 3, 8, 4, 2);

static const stencilrt_grid fold_grids[] = {GRID(8, 2, 0, 0)};
static const stencilrt_port fold_ports[] = {WRITES(0, 1), READS(0, 0, star3), READS(0, -1, centre)};
#define fold_scalars wave_scalars
REGION(fold, "wave3", 3, 8, 4, 2);

static const stencilrt_grid ibox_grids[] = {GRID(2, 2, 0, 0), GRID(4, 1, 2, 4)};
static const stencilrt_port ibox_ports[] = {WRITES(0, 1), READS(0, 0, box3), READS(1, 0, centre)};
static const stencilrt_scalar ibox_scalars[] = {SCALAR(2, FIXED)};
REGION(ibox, "box3", 3, 8, 8, 1);

/* Steps blocked in time. */
static const int32_t drifting[] = {-1, -2, 0, 2, 1, 0};
static const stencilrt_grid drift_grids[] = {GRID(8, 2, 0, 0), GRID(8, 1, 2, 2), GRID(8, 1, 3, 1)};
static const stencilrt_port drift_ports[] = {WRITES(0, 1), READS(0, 0, drifting),
                                             READS(1, 0, one_along_x), READS(2, 0, centre)};
static const stencilrt_scalar drift_scalars[] = {SCALAR(8, FIXED), SCALAR(2, STEPPED)};
static stencilrt_kernel drift_kernels[] = {
    CELL("drift2", 16, 4, 1), STREAM("drift2_8", 8, 1, 1, STREAM_TILES),
    STREAM("drift2_4", 4, 1, 1, STREAM_TILES), STREAM("drift2_2", 2, 1, 1, 1)};
REGION_OF(drift, 2, STREAM_PADS(0));

/* The written grid is not the first, nor is its port; an odd degree is the largest. */
static const int32_t star7[] = {0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1};
static const stencilrt_grid icube_grids[] = {GRID(4, 1, 0, 0), GRID(4, 2, 1, 0)};
static const stencilrt_port icube_ports[] = {READS(0, 3, centre), READS(1, 0, star7), WRITES(1, 1)};
static const stencilrt_scalar icube_scalars[] = {SCALAR(8, STEPPED)};
static stencilrt_kernel icube_kernels[] = {
    CELL("cube3", 8, 8, 1), STREAM("cube3_3", 3, STREAM_ROWS, STREAM_ROWS, 1),
    STREAM("cube3_2", 2, STREAM_ROWS, STREAM_ROWS, STREAM_TILES)};
REGION_OF(icube, 3, STREAM_PADS(1));

/* The same with a stream kernel of degree 1. */
#define ione_grids icube_grids
#define ione_ports icube_ports
#define ione_scalars icube_scalars
static stencilrt_kernel ione_kernels[] = {CELL("cube3", 8, 8, 1),
                                          STREAM("cube3_1", 1, STREAM_ROWS, STREAM_ROWS, 1)};
REGION_OF(ione, 3, STREAM_PADS(1));

/* Strips: 1-D. */
#define STRIP(symbol, degree, along_x)                                                             \
    {.name = symbol,                                                                               \
     .kind = STENCILRT_STRIP,                                                                      \
     .bt = degree,                                                                                 \
     .block = {STREAM_THREADS, 1, 1},                                                              \
     .tile = {STREAM_TILE * STREAM_TILES / (along_x), 1},                                          \
     .tiles = along_x}
static const int32_t uneven[] = {0, 0, 0, -1, 0, 0, 2, 0, 0};
static const stencilrt_grid ipulse_grids[] = {GRID(4, 2, 0, 0), GRID(4, 1, 2, 0)};
static const stencilrt_port ipulse_ports[] = {WRITES(0, 1), READS(0, 0, uneven),
                                              READS(1, 0, one_along_x)};
static const stencilrt_scalar ipulse_scalars[] = {SCALAR(8, STEPPED)};
static stencilrt_kernel ipulse_kernels[] = {
    CELL("pulse1", 64, 1, 1), STRIP("pulse1_5", 5, STREAM_TILES), STRIP("pulse1_2", 2, 1)};
REGION_OF(ipulse, 1, .pad_low = {STREAM_LOW}, .pad_high = {STREAM_HIGH});

/* A degree far beyond what the compiler makes. Of the neighbours nothing is used. */
static const stencilrt_grid itally_grids[] = {GRID(4, 2, 0, 0)};
static const stencilrt_port itally_ports[] = {WRITES(0, 1), READS(0, 0, line)};
#define itally_scalars ipulse_scalars
static stencilrt_kernel itally_kernels[] = {CELL("tally1", 64, 1, 1),
                                            STRIP("tally1_1000", 1000, 1)};
REGION_OF(itally, 1, .pad_low = {STREAM_LOW}, .pad_high = {STREAM_HIGH});

/* Two time steps are read: of three buffers, and of two. */
static const stencilrt_grid ripple_grids[] = {GRID(8, 3, 0, 0)};
static const stencilrt_port ripple_ports[] = {WRITES(0, 1), READS(0, 0, star),
                                              READS(0, -1, centre)};
static const stencilrt_scalar ripple_scalars[] = {SCALAR(8, FIXED), SCALAR(2, STEPPED)};
static stencilrt_kernel ripple_kernels[] = {
    CELL("ripple2", 16, 4, 1), STREAM("ripple2_3", 3, 1, 1, STREAM_TILES),
    STREAM("ripple2_2", 2, 1, 1, STREAM_TILES), STREAM("ripple2_1", 1, 1, 1, 1)};
REGION_OF(ripple, 2, STREAM_PADS(0));

static const stencilrt_grid pond_grids[] = {GRID(8, 2, 0, 0)};
static const stencilrt_port pond_ports[] = {UPDATES(0, 1, centre), READS(0, 0, star)};
#define pond_scalars ripple_scalars
static stencilrt_kernel pond_kernels[] = {CELL("pond2", 16, 4, 1), STREAM("ripple2_3", 3, 1, 1, 1),
                                          STREAM("ripple2_1", 1, 1, 1, STREAM_TILES)};
REGION_OF(pond, 2, STREAM_PADS(0));

stencilrt_region *const rt_regions[] = {
    &heat_region, &star_region,   &sweep_region,  &far_region,    &mixed_region, &inplace_region,
    &wave_region, &fold_region,   &ibox_region,   &rows_region,   &drift_region, &icube_region,
    &ione_region, &ipulse_region, &itally_region, &ripple_region, &pond_region};
const size_t rt_region_count = COUNT(rt_regions);

static void add(stencilrt_kernel *k, stencilrt_parameter_kind kind, uint32_t index) {
    stencilrt_parameter *list = (stencilrt_parameter *)k->parameters;
    list[k->nparameters++] = (stencilrt_parameter){.kind = kind, .index = index};
}

static void add_moving(stencilrt_kernel *k, uint32_t grid, bool older) {
    add(k, STENCILRT_ARG_DST, grid);
    add(k, STENCILRT_ARG_SRC, grid);
    add(k, older ? STENCILRT_ARG_OLDER_SRC : STENCILRT_ARG_OTHER, grid);
    if (older)
        add(k, STENCILRT_ARG_OLDER_DST, grid);
}

/* The kernel far2 has them backwards. */
static void reverse(stencilrt_kernel *k) {
    stencilrt_parameter *list = (stencilrt_parameter *)k->parameters;
    for (uint32_t i = 0, j = k->nparameters - 1; i < j; i++, j--) {
        stencilrt_parameter saved = list[i];
        list[i] = list[j];
        list[j] = saved;
    }
}

void rt_list_parameters(const stencilrt_region *r, stencilrt_kernel *k) {
    static stencilrt_parameter lists[64][64];
    static int nlists;
    bool cells = k->kind == STENCILRT_CELL;
    uint32_t written = 0;
    while (!(r->ports[written].access & STENCILRT_WRITE))
        written++;
    written = r->ports[written].grid;
    k->parameters = lists[nlists++];
    k->nparameters = 0;
    if (!cells)
        add_moving(k, written, strncmp(k->name, "ripple", 6) == 0);
    for (uint32_t p = 0; p < r->nports; p++)
        if (cells || r->ports[p].grid != written)
            add(k, STENCILRT_ARG_PORT, p);
    for (uint32_t d = 0; cells && d < r->rank; d++)
        add(k, STENCILRT_ARG_FIRST, d);
    for (uint32_t d = 0; d < r->rank; d++)
        add(k, STENCILRT_ARG_EXTENT, d);
    for (uint32_t g = 0; g < r->ngrids; g++)
        for (uint32_t d = 1; d < r->rank; d++)
            add(k, STENCILRT_ARG_STRIDE, 3 * g + d);
    if (k->kind == STENCILRT_STREAM)
        add(k, STENCILRT_ARG_CHUNK, 0);
    for (uint32_t s = 0; s < r->nscalars; s++) {
        add(k, STENCILRT_ARG_SCALAR, s);
        if (!cells && r->scalars[s].kind == STENCILRT_STEPPED)
            add(k, STENCILRT_ARG_INCREMENT, s);
    }
    if (strcmp(k->name, "far2") == 0)
        reverse(k);
}

void rt_regions_set_image(uint32_t kind, const char *arch, const void *bytes, size_t size) {
    image = (stencilrt_image){.kind = kind, .arch = arch, .bytes = bytes, .size = size};
    for (size_t i = 0; i < rt_region_count; i++) {
        stencilrt_region *r = rt_regions[i];
        r->nbuffers = 0;
        for (uint32_t g = 0; g < r->ngrids; g++)
            r->nbuffers += r->grids[g].buffers;
        for (uint32_t k = 0; k < r->nkernels && !r->kernels[k].parameters; k++)
            rt_list_parameters(r, (stencilrt_kernel *)&r->kernels[k]);
    }
}

stencilrt_region *rt_region(const char *name) {
    for (size_t i = 0; i < rt_region_count; i++)
        if (strcmp(rt_regions[i]->where, name) == 0)
            return rt_regions[i];
    return NULL;
}
