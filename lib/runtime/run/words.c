/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/run/words.h"

bool rt_words_allocate(rt_device *device, const rt_run *run, const rt_shape *shape, rt_block *words,
                       rt_error *why) {
    size_t bytes = rt_chip_bytes(run, shape);
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
