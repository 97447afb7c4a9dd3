/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/run/words.h"

#include "runtime/device/transfer.h"

bool rt_words_allocate(rt_device *device, size_t bytes, rt_block *words, rt_error *why) {
    return rt_device_alloc(device, bytes, words, why) &&
           device->driver->zero(device->handle, words->address, bytes, why);
}

bool rt_words_ask(rt_device *device, const rt_block *words, uint32_t *room, rt_error *why) {
    const rt_copy copy = rt_copy_bytes(words->address, room, sizeof *room);
    return device->driver->download(device->handle, &copy, why);
}

bool rt_words_came(rt_device *device, const uint32_t *room, rt_error *why) {
    device->crowded |= *room == 1;
    return *room != 1 || rt_fail(why, RT_STUCK, "%s", "");
}

bool rt_words_are_complete(rt_device *device, const rt_block *words, rt_error *why) {
    uint32_t *room = device->chunks[0];
    return !words->address ||
           (rt_words_ask(device, words, room, why) && device->driver->sync(device->handle, why) &&
            rt_words_came(device, room, why));
}

uint64_t rt_chip_argument(const rt_chip_arguments *a, const stencilrt_parameter *p) {
    switch ((stencilrt_parameter_kind)p->kind) {
    case STENCILRT_ARG_OWN:
        return (uint64_t)a->chip->own[p->index];
    case STENCILRT_ARG_MARGIN:
        return (uint64_t)a->chip->margin[p->index];
    case STENCILRT_ARG_ROUND:
        return (uint64_t)a->chip->round;
    case STENCILRT_ARG_STEPS:
        return (uint64_t)a->steps;
    case STENCILRT_ARG_EPOCH:
        return (uint64_t)a->epoch;
    case STENCILRT_ARG_PATIENCE:
        return a->patience;
    default: /* the only other one */
        return a->words;
    }
}
