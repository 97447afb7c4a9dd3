/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What one call of a region accesses, as plain data. Later stages look at nothing else.
 */
#ifndef STENCILRT_SHAPE_H
#define STENCILRT_SHAPE_H

#include "runtime/rt.h"
#include "stencilopt/region.h"

/* The cells c with lo[d] <= c[d] < hi[d]. */
typedef struct rt_box {
    int64_t lo[3], hi[3];
} rt_box;

static inline int64_t rt_box_rows(const rt_box *box) {
    return (box->hi[1] - box->lo[1]) * (box->hi[2] - box->lo[2]);
}

/* A grid: the places of its cells on the host and on the device. All its buffers have one layout.
 */
typedef struct rt_grid {
    size_t elem_size;
    int64_t extent[3];      /* of the domain; 1 where broadcast */
    int64_t host_stride[3]; /* bytes; 0 where broadcast */
    rt_box box;             /* the cells that the device stores: domain, halos, padding */
    size_t pitch, plane;    /* bytes on the device from row to row, and from plane to plane */
    size_t bytes;           /* bytes of one buffer on the device */
    size_t origin;          /* the byte of cell (0,0,0) in it */
    int64_t aligned;        /* cells of this x are at multiples of RT_ALIGN */
    bool packed;            /* no cell is aligned: rows are so short that they follow one another */
    /* Elements on the device from row to row, plane to plane; 0 where broadcast. Of bricks, from
     * one brick to the next along y and z. */
    int64_t stride[2];
    /* Cells of a brick, and how many bricks come along each dimension before that of which cell
     * `zero` is the first one; brick[0] 0: the grid lies in rows (bricks.h). */
    int64_t brick[3], before[3], zero[3];
} rt_grid;

/* A buffer: one entry of the call's origins. */
typedef struct rt_buffer {
    uint32_t grid, number; /* its grid, and its number among the buffers of this grid */
    bool read, written;    /* in any step of this call; if neither, the buffer is not touched */
    bool masked;           /* the results may have cells that the program does not write */
    bool careful;          /* some of its cells may lie where the program has no memory */
    bool unsure;           /* some of these are written: only what has changed is copied back */
    bool domain_made_here; /* a step reads it only after a step wrote its whole domain */
    unsigned char *origin; /* host address of cell (0,0,0) */
    rt_box accessed;       /* the cells that are accessed */
    rt_box cells;          /* these cells, and the domain */
    uintptr_t lo, hi;      /* the bytes accessed on the host: lo <= address < hi */
} rt_buffer;

typedef struct rt_shape {
    const stencilrt_region *region;
    const stencilrt_call *call;
    int64_t steps, extent[3];
    uint64_t cells; /* cells of the domain */
    /* The largest degree of a blocked kernel that this call may use. 0: it may use none. */
    uint32_t bt;
    /* The first grid that is written. With blocked kernels it is the only one. */
    uint32_t rotating;
    bool older;        /* do blocked kernels read an older level, and write two? */
    bool halos_differ; /* bt is 0, and only because the buffers' halos differ */
    bool off_chip;     /* no kernel may keep the grid on chip, because the buffers' halos differ */
    bool goes_on;      /* more steps follow: the step before the last one is not wanted */
    bool eager;        /* the largest degrees are wanted, whatever speed is expected */
    int64_t most_on_chip; /* steps of a launch of a resident kernel; INT64_MAX unless options say */
    int64_t chunk;        /* forced by options; 0: the runtime chooses */
    /* Of rows that are computed by themselves, if kernels ask for their numbers: the whole's rows
     * before them, which kernels count, too; and how many of the first rows are not computed,
     * because indices would be brought back in them at the whole's end alone. */
    int64_t ahead, skipped;
    rt_grid *grids;
    rt_buffer *buffers;
} rt_shape;

enum { RT_MAX_KERNELS = 32, RT_MAX_DEGREE = 1024 }; /* of a region; steps that one launch makes */
enum { RT_MAX_PARTS = 8 };                          /* kernels that make a step together */
enum { RT_MAX_PERIOD = 64 };                        /* of the buffers of several sweeps */
/* Bytes: one cell of each row has an address that is a multiple of this, unless rows are packed. */
enum { RT_ALIGN = 128 };

/* Is the region well formed, is there anything to do, and do the sizes fit? */
bool rt_validate(const stencilrt_region *region, const stencilrt_call *call, rt_error *why);

/* Call rt_validate first. `max_bt` is the largest degree of a kernel; `chunk` is as in rt_shape.
 * Fills `shape`, which rt_shape_free frees, also after a failure. Fails if a device could give
 * another result than the original loops. */
bool rt_shape_make(rt_shape *shape, const stencilrt_region *region, const stencilrt_call *call,
                   int64_t max_bt, int64_t chunk, rt_error *why);
/* Gives up blocked kernels, and the padding that they need. */
bool rt_shape_unpad(rt_shape *shape, rt_error *why);
/* The shape of some rows of a call (slab/cut.h). `call`: the whole call with these rows alone. What
 * was checked for the whole shape is not checked again. */
bool rt_shape_make_window(rt_shape *shape, const rt_shape *whole, const stencilrt_call *call,
                          rt_error *why);
void rt_shape_free(rt_shape *shape);

/* Do the steps, the sizes and max_bt let the call use this kernel? */
bool rt_shape_may_use(const rt_shape *shape, uint32_t kernel);

/* Are no two cells of the box the same bytes? Its rows and planes may be in any order and
 * direction. */
bool rt_rows_lie_apart(const rt_grid *grid, const rt_box *box);
/* Lays out the cells of the grid's box on the device: in rows, or in bricks of this size. */
bool rt_grid_lay_out_bricks(rt_grid *grid, const uint32_t brick[3], rt_error *why);
bool rt_grid_lay_out(rt_grid *grid, uint32_t broadcast, rt_error *why);

/* cells.c: does the port access buffer `number` of its grid within `steps` steps? *first is the
 * first such step. */
bool rt_port_touches(const stencilrt_region *region, const stencilrt_port *port, uint32_t number,
                     int64_t steps, int64_t *first);
/* The number of the buffer that the port accesses in a step, among its grid's buffers. */
uint32_t rt_port_buffer(const stencilrt_region *region, const stencilrt_port *port, int64_t step);

/* How many steps before the written level the port's level is. For a port that reads the written
 * buffer itself: the number of buffers. */
uint32_t rt_port_steps_back(const stencilrt_region *region, const stencilrt_port *port);

/* The byte of a cell in a buffer of the grid, on the device. */
size_t rt_grid_device_offset(const rt_grid *grid, int64_t x, int64_t y, int64_t z);
/* tables.c: the true address, if `p` may be in the image of a table. `tables` may be NULL. */
unsigned char *rt_host_address(const stencilrt_tables *tables, unsigned char *p);
/* Host address of a cell. */
unsigned char *rt_buffer_host_cell(const rt_shape *shape, const rt_buffer *buffer, int64_t x,
                                   int64_t y, int64_t z);

/* copyback.c: for a call with a copy, are both arrays equal after each step? Adds the copied cells
 * to what the two buffers access. */
bool rt_copy_is_sound(rt_shape *shape, rt_error *why);

/* rows.c: are the halos of all buffers through which the call rotates equal, byte for byte? Only
 * cells that the original loops read are compared. False also if this cannot be told. */
bool rt_halos_are_equal(const rt_shape *shape);
/* rows.c: the host cells that the original loops read before they write them, as disjoint boxes;
 * free() the array. Cells that no port reads are in no box: their memory may not exist. */
bool rt_rows_to_upload(const rt_shape *shape, const rt_buffer *buffer, rt_box **boxes,
                       size_t *count, rt_error *why);
/* Does `holds` hold for all of these boxes, without the cells of the domain? False also if they
 * cannot be told. */
typedef bool rt_box_test(const void *context, const rt_box *box);
bool rt_all_of_halo(const rt_shape *shape, const rt_buffer *buffer, rt_box_test *holds,
                    const void *context);
/* How rows along the last dimension may be computed by themselves: bits of STENCILRT_SLABS and so
 * on; 0: they may not. And the most rows between a cell and one that it reads by a rule. */
static inline uint32_t rt_slab_rules(const stencilrt_region *region) {
    return region->flags & (STENCILRT_SLABS | STENCILRT_SLABS_BY_RULES | STENCILRT_SLABS_ROUND |
                            STENCILRT_SLABS_NUMBERED);
}
static inline int64_t rt_rule_reach(const stencilrt_region *region) {
    return region->flags >> STENCILRT_REACH_SHIFT & STENCILRT_MOST_REACH;
}
/* Does a sweep of the region reduce its cells? */
bool rt_has_reductions(const stencilrt_region *r);
/* a / b rounded up, for numbers that are not negative. */
static inline int64_t rt_ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

#endif
