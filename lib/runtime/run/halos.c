/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/run/halos.h"

#include "runtime/call/whole.h"
#include "runtime/device/transfer.h"
#include <stdlib.h>

typedef struct halos {
    const rt_arrays *arrays;
    const rt_uses *uses;
    rt_device *device;
    const rt_block *blocks;
} halos;

static bool box_is_equal(const halos *h, uint32_t one, uint32_t other, const rt_box *box) {
    const rt_shape *shape = &h->arrays->shape;
    return rt_uses_held(h->uses, one) || rt_uses_held(h->uses, other)
               ? rt_box_is_equal_on_device(h->device, shape, &shape->buffers[one],
                                           h->blocks[one].address, &shape->buffers[other],
                                           h->blocks[other].address, box)
               : rt_whole_box_is_equal(shape, one, other, box);
}

bool rt_halos_agree(const rt_arrays *arrays, const rt_uses *uses, rt_device *device,
                    const rt_block *blocks, const uint32_t of[2]) {
    const halos h = {arrays, uses, device, blocks};
    rt_boxes halo = {.failed = false};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < arrays->uploads[of[k]].count; i++)
            rt_boxes_add(&halo, &arrays->uploads[of[k]].at[i], &arrays->results[of[k]]);
    bool equal = !halo.failed;
    for (size_t i = 0; i < halo.count && equal; i++)
        equal = box_is_equal(&h, of[0], of[1], &halo.at[i]);
    free(halo.at);
    return equal;
}

bool rt_halo_is_equal(const rt_arrays *arrays, const rt_uses *uses, rt_device *device,
                      const rt_block *blocks, uint32_t array) {
    const halos h = {arrays, uses, device, blocks};
    uint32_t of[3];
    int count = rt_whole_buffers(arrays, array, of);
    rt_boxes halo;
    rt_whole_find_halo(arrays, array, &halo);
    bool equal = !halo.failed;
    for (int k = 1; k < count; k++)
        for (size_t i = 0; i < halo.count && equal; i++)
            equal = box_is_equal(&h, of[0], of[k], &halo.at[i]);
    free(halo.at);
    return equal;
}
