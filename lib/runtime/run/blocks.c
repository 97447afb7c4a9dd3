/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Allocates and fills the device's memory for a region of one sweep: blocks.h.
 */
#include "runtime/run/blocks.h"

#include "runtime/device/transfer.h"

bool rt_blocks_allocate(rt_device *device, const rt_shape *shape, rt_block *blocks, rt_error *why) {
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        const rt_buffer *buffer = &shape->buffers[i];
        if ((buffer->read || buffer->written) && !blocks[i].address &&
            !rt_device_alloc(device, shape->grids[buffer->grid].bytes, &blocks[i], why))
            return false;
    }
    return rt_device_chunks(device, why);
}

bool rt_blocks_scratch(rt_device *device, void *module, const rt_shape *shape,
                       rt_schedule *schedule, size_t bytes, rt_memory *memory, rt_error *why) {
    rt_error ignored;
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++)
        if (schedule->scratch[i] && !memory->scratch[i].address) {
            memory->has_halo[i] = false;
            if (!rt_device_alloc(device, bytes, &memory->scratch[i], &ignored))
                ok = rt_schedule_make(schedule, device, module, shape, false, why);
        }
    return ok;
}

/* Fills a buffer before blocked kernels run. Only these load cells that nobody writes: padding, and
 * the domain of the buffer that the first launch writes. The whole buffer is filled in one call,
 * which takes a hundredth of the upload's time. */
static bool blank(rt_device *device, const rt_shape *shape, uint32_t buffer, const rt_block *blocks,
                  rt_error *why) {
    size_t bytes = shape->grids[shape->buffers[buffer].grid].bytes;
    return shape->bt == 0 ||
           device->driver->blank(device->handle, blocks[buffer].address, bytes, why);
}

/* Does the buffer get its content by a step's copy, and has no content of its own? */
static bool is_copied(const rt_shape *shape, uint32_t buffer) {
    return shape->call->copy && buffer == shape->region->grids[shape->rotating].first_buffer + 1;
}

/* If steps end with a copy: the second buffer gets the first one's halo. */
static bool upload_copied(rt_device *device, const rt_shape *shape, const rt_block *blocks,
                          rt_error *why) {
    uint32_t first = shape->region->grids[shape->rotating].first_buffer;
    rt_buffer halo = shape->buffers[first];
    halo.domain_made_here = true;
    return !shape->call->copy || (blank(device, shape, first + 1, blocks, why) &&
                                  rt_upload(device, shape, &halo, blocks[first + 1].address, why));
}

bool rt_blocks_upload(rt_device *device, const rt_shape *shape, const rt_uses *uses,
                      const rt_block *blocks, rt_error *why) {
    for (uint32_t i = 0; i < shape->region->nbuffers; i++)
        if (shape->buffers[i].read && !is_copied(shape, i) && !rt_uses_held(uses, i) &&
            (!blank(device, shape, i, blocks, why) ||
             !rt_upload(device, shape, &shape->buffers[i], blocks[i].address, why)))
            return false;
    return upload_copied(device, shape, blocks, why);
}

uint32_t rt_blocks_final(const rt_shape *shape, uint32_t buffer) {
    if (!shape->call->copy || shape->buffers[buffer].grid != shape->rotating)
        return buffer;
    return shape->region->grids[shape->rotating].first_buffer + (uint32_t)(shape->steps % 2);
}

void rt_blocks_free(rt_device *device, uint32_t nbuffers, rt_memory *memory) {
    for (uint32_t i = 0; i < nbuffers; i++)
        rt_device_free(device, &memory->blocks[i]);
    for (int i = 0; i < 2; i++)
        rt_device_free(device, &memory->scratch[i]);
    rt_device_free(device, &memory->words);
}
