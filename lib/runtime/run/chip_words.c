/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Words that blocks of resident kernels exchange: allocates them, and looks for the mark of a block
 * that gave up.
 */
#include "runtime/run/chip_words.h"

#include "runtime/device/transfer.h"

bool rt_chip_words_allocate(rt_device *device, size_t bytes, rt_block *words, rt_error *why) {
    return rt_device_alloc(device, bytes, words, why) &&
           device->driver->zero(device->handle, words->address, bytes, why);
}

bool rt_chip_words_came(rt_device *device, const rt_block *words, rt_error *why) {
    uint32_t *header = device->chunks[0];
    const rt_copy copy = rt_copy_bytes(words->address, header, sizeof *header);
    if (!words->address)
        return true;
    if (!device->driver->download(device->handle, &copy, why) ||
        !device->driver->sync(device->handle, why))
        return false;
    device->crowded |= *header == 1;
    return *header != 1 || rt_fail(why, RT_STUCK, "%s", "");
}
