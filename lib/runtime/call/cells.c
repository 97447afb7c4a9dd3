/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which buffer a port accesses in a step, and where a cell is on the host and on the device.
 */
#include "runtime/call/bricks.h"

uint32_t rt_port_buffer(const stencilrt_region *region, const stencilrt_port *port, int64_t step) {
    int64_t buffers = region->grids[port->grid].buffers;
    int64_t number = (step % buffers + port->level % buffers) % buffers;
    return (uint32_t)(number < 0 ? number + buffers : number);
}

uint32_t rt_port_steps_back(const stencilrt_region *region, const stencilrt_port *port) {
    int64_t buffers = region->grids[port->grid].buffers;
    int64_t back = (1 - (int64_t)port->level) % buffers; /* the level that is written is 1 */
    return (uint32_t)(back > 0 ? back : back + buffers);
}

bool rt_port_touches(const stencilrt_region *region, const stencilrt_port *port, uint32_t number,
                     int64_t steps, int64_t *first) {
    int64_t buffers = region->grids[port->grid].buffers;
    int64_t step = ((int64_t)number - port->level) % buffers;
    *first = step < 0 ? step + buffers : step;
    return *first < steps;
}

size_t rt_grid_device_offset(const rt_grid *grid, int64_t x, int64_t y, int64_t z) {
    if (grid->brick[0])
        return rt_bricks_offset(grid, x, y, z);
    int64_t from_origin =
        x * (int64_t)grid->elem_size + y * (int64_t)grid->pitch + z * (int64_t)grid->plane;
    return (size_t)((int64_t)grid->origin + from_origin);
}

unsigned char *rt_buffer_host_cell(const rt_shape *shape, const rt_buffer *buffer, int64_t x,
                                   int64_t y, int64_t z) {
    const rt_grid *grid = &shape->grids[buffer->grid];
    int64_t bytes =
        x * (int64_t)grid->elem_size + y * grid->host_stride[1] + z * grid->host_stride[2];
    /* The shape of an array that stays on the device has no call. */
    return rt_host_address(shape->call ? shape->call->tables : NULL, buffer->origin + bytes);
}
