/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What one call of a region accesses, as plain data: the stages after it look at nothing else.
 */
#ifndef STENCILRT_SHAPE_H
#define STENCILRT_SHAPE_H

#include "runtime/rt.h"
#include "stencilopt/region.h"

/* Cells lo[d] <= c[d] < hi[d]. */
typedef struct rt_box {
    int64_t lo[3], hi[3];
} rt_box;

/* A grid: where its cells lie on the host and on the device. One layout for all its buffers. */
typedef struct rt_grid {
    size_t elem_size;
    int64_t extent[3];      /* the domain's; 1 where broadcast */
    int64_t host_stride[3]; /* bytes; 0 where broadcast */
    rt_box box;             /* the cells that the device holds: the domain, all halos, padding */
    size_t pitch, plane;    /* device bytes from row to row, from plane to plane */
    size_t bytes;           /* of one buffer on the device */
    size_t origin;          /* byte of cell (0,0,0) in it */
    int64_t aligned;        /* cells with this x are at multiples of RT_ALIGN */
    bool packed;            /* or of none: the rows are so short that they follow one another */
    int64_t stride[2];      /* device elements along y and z; 0 where broadcast: the kernel's */
} rt_grid;

/* A buffer: one entry of the call's origins. */
typedef struct rt_buffer {
    uint32_t grid, number; /* its grid, and its number among that grid's buffers */
    bool read, written;    /* in any step of this call; neither: not touched at all */
    bool masked;           /* cells may be among the results that the program does not write */
    bool careful;          /* the program may have no memory where some of its cells would be */
    bool domain_made_here; /* every step that reads it follows one that wrote its whole domain */
    unsigned char *origin; /* host address of cell (0,0,0) */
    rt_box accessed;       /* cells */
    rt_box cells;          /* these, and the domain */
    uintptr_t lo, hi;      /* host bytes accessed: lo <= address < hi */
} rt_buffer;

typedef struct rt_shape {
    const stencilrt_region *region;
    const stencilrt_call *call;
    int64_t steps, extent[3];
    uint64_t cells;    /* of the domain */
    uint32_t bt;       /* largest degree of a blocked kernel that this call may use; 0: of none */
    uint32_t rotating; /* the first grid that is written; with blocked kernels the only one */
    bool older;        /* do they read an older level, and write two? */
    bool halos_differ; /* for which reason alone bt is 0 */
    bool off_chip;     /* no kernel may keep the grid on chip: its buffers' halos differ */
    bool eager;        /* the largest degrees are wanted, whatever is expected of them */
    int64_t chunk;     /* what the options force; 0: the runtime's choice */
    rt_grid *grids;
    rt_buffer *buffers;
} rt_shape;

enum { RT_MAX_KERNELS = 32, RT_MAX_DEGREE = 1024 }; /* of a region; steps a launch advances */
enum { RT_MAX_PERIOD = 64 };                        /* of the buffers of several sweeps */
enum { RT_ALIGN = 128 }; /* bytes: a cell of each row is so aligned, unless they are packed */

/* Is the region well formed, is there anything to do, and do the sizes fit? */
bool rt_validate(const stencilrt_region *region, const stencilrt_call *call, rt_error *why);

/* Needs rt_validate. `max_bt`: no kernel of a larger degree; `chunk`: as in rt_shape. Fills `shape`
 * (rt_shape_free frees it, also after a failure); fails when running on a device could give another
 * result than the original loops. */
bool rt_shape_make(rt_shape *shape, const stencilrt_region *region, const stencilrt_call *call,
                   int64_t max_bt, int64_t chunk, rt_error *why);
/* Without blocked kernels from here on, and so without the padding that they want. */
bool rt_shape_unpad(rt_shape *shape, rt_error *why);
void rt_shape_free(rt_shape *shape);

/* Do the steps, the sizes and max_bt let the call use this kernel? */
bool rt_shape_may_use(const rt_shape *shape, uint32_t kernel);

/* Are no two cells of the box the same bytes, whatever the order and the direction of its rows and
 * planes? */
bool rt_rows_lie_apart(const rt_grid *grid, const rt_box *box);
/* Lays out what the grid's box holds, on the device. */
bool rt_grid_lay_out(rt_grid *grid, uint32_t broadcast, rt_error *why);

/* cells.c: does the port access buffer `number` of its grid within `steps` steps? At first in
 * *first. */
bool rt_port_touches(const stencilrt_region *region, const stencilrt_port *port, uint32_t number,
                     int64_t steps, int64_t *first);
/* The buffer's number, among its grid's, that the port accesses in a step. */
uint32_t rt_port_buffer(const stencilrt_region *region, const stencilrt_port *port, int64_t step);

/* How many steps before the written level is the port's? What a port reads of the written buffer
 * itself: as many as there are buffers. */
uint32_t rt_port_steps_back(const stencilrt_region *region, const stencilrt_port *port);

/* Device byte offset of a cell in a buffer of the grid. */
size_t rt_grid_device_offset(const rt_grid *grid, int64_t x, int64_t y, int64_t z);
/* tables.c: the true address of one that may be of a table's image. `tables` may be NULL. */
unsigned char *rt_host_address(const stencilrt_tables *tables, unsigned char *p);
/* Host address of a cell. */
unsigned char *rt_buffer_host_cell(const rt_shape *shape, const rt_buffer *buffer, int64_t x,
                                   int64_t y, int64_t z);

/* copyback.c: of a call with a copy, does each step leave both arrays alike? Widens what the two
 * buffers access by what is copied. */
bool rt_copy_is_sound(rt_shape *shape, rt_error *why);

/* rows.c: are the halos of all buffers that the call rotates equal, byte for byte? Only cells
 * that the original loops read are looked at. False also when it cannot be told. */
bool rt_halos_are_equal(const rt_shape *shape);
/* rows.c: the host cells that the original loops read before they write them, as disjoint boxes;
 * free() the array. Cells that no port reads are in none: their memory may not even exist. */
bool rt_rows_of_halo(const rt_shape *shape, const rt_buffer *buffer, rt_box **boxes, size_t *count,
                     rt_error *why); /* the same, of these that lie outside the domain */
bool rt_rows_to_upload(const rt_shape *shape, const rt_buffer *buffer, rt_box **boxes,
                       size_t *count, rt_error *why);
/* Does a sweep of the region reduce its cells? */
bool rt_has_reductions(const stencilrt_region *r);
/* Of numbers that are not negative: a / b, rounded up. */
static inline int64_t rt_ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

#endif
