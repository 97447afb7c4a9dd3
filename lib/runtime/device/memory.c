/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A device's memory: blocks on the device, of which some are kept for later calls; page-locked
 * chunks; host memory where results are staged.
 */
#include "runtime/device/device.h"

#include "runtime/device/ring.h"
#include <sys/mman.h>

static const size_t pool_cap = (size_t)2 << 30;  /* device memory kept for the next call */
static const size_t arena_cap = (size_t)1 << 30; /* host memory kept for the next call */

static void release(rt_device *device, const rt_block *block) {
    device->driver->release(device->handle, block->address);
    device->used -= block->bytes;
}

static void drop_pool(rt_device *device) {
    for (size_t i = 0; i < device->pool_count; i++)
        release(device, &device->pool[i]);
    device->pool_count = device->pool_bytes = 0;
}

void rt_device_drop_arena(rt_device *device) {
    if (device->arena)
        munmap(device->arena, device->arena_bytes);
    device->arena = NULL;
    device->arena_bytes = 0;
}

static void drop_chunks(rt_device *device) {
    for (int i = 0; i < RT_CHUNKS; i++)
        if (device->chunks[i] && device->unlocked[i])
            munmap(device->chunks[i], RT_CHUNK_BYTES);
        else if (device->chunks[i])
            device->driver->host_release(device->handle, device->chunks[i]);
    rt_ring_free(device);
}

void rt_device_drop_memory(rt_device *device) {
    drop_pool(device);
    drop_chunks(device);
}

/* The smallest free block that is large enough, and not much too large. */
static bool take_from_pool(rt_device *device, size_t bytes, rt_block *block) {
    size_t best = device->pool_count;
    for (size_t i = 0; i < device->pool_count; i++) {
        size_t have = device->pool[i].bytes;
        if (have >= bytes && have / 2 <= bytes &&
            (best == device->pool_count || have < device->pool[best].bytes))
            best = i;
    }
    if (best == device->pool_count)
        return false;
    *block = device->pool[best];
    device->pool[best] = device->pool[--device->pool_count];
    device->pool_bytes -= block->bytes;
    return true;
}

/* Asks the driver, within the limit. */
static bool ask_for(rt_device *device, size_t bytes, uint64_t *address, rt_error *why) {
    size_t most = device->most;
    if (bytes > most || device->used > most - bytes)
        return rt_fail(why, RT_DEVICE_MEMORY, "%s",
                       most < (size_t)rt_config_get()->memory ? "other ranks use the device, too"
                                                              : "STENCILOPT_DEVICE_MEMORY");
    bool ok = device->driver->alloc(device->handle, bytes, address, why);
    device->used += ok ? bytes : 0;
    return ok;
}

bool rt_device_alloc(rt_device *device, size_t bytes, rt_block *block, rt_error *why) {
    if (take_from_pool(device, bytes, block))
        return true;
    bool ok = ask_for(device, bytes, &block->address, why);
    if (!ok && device->pool_count > 0) {
        drop_pool(device);
        ok = ask_for(device, bytes, &block->address, why);
    }
    if (!ok)
        block->address = 0;
    block->bytes = bytes;
    return ok;
}

size_t rt_device_room(const rt_device *device) {
    size_t most = device->most, used = device->used - device->pool_bytes;
    size_t left = used < most ? most - used : 0;
    size_t free_bytes = device->driver->room(device->handle);
    size_t room =
        free_bytes < SIZE_MAX - device->pool_bytes ? free_bytes + device->pool_bytes : SIZE_MAX;
    return room < left ? room : left;
}

void rt_device_free(rt_device *device, rt_block *block) {
    if (block->address == 0)
        return;
    if (device->broken) {
        /* The block's memory is gone. */
    } else if (device->driver->keeps_memory && device->pool_count < RT_POOL_BLOCKS &&
               block->bytes <= pool_cap - device->pool_bytes) {
        device->pool[device->pool_count++] = *block;
        device->pool_bytes += block->bytes;
    } else {
        release(device, block);
    }
    block->address = 0;
}

static void *map_memory(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Where memory cannot be locked (RLIMIT_MEMLOCK), drivers copy from other memory, more slowly. */
bool rt_device_chunks(rt_device *device, rt_error *why) {
    for (int i = 0; i < RT_CHUNKS; i++) {
        if (!device->chunks[i])
            device->chunks[i] = device->driver->host_alloc(device->handle, RT_CHUNK_BYTES);
        device->unlocked[i] |= !device->chunks[i];
        if (!device->chunks[i])
            device->chunks[i] = map_memory(RT_CHUNK_BYTES);
        if (!device->chunks[i])
            return rt_fail(why, RT_HOST_MEMORY, "page-locked");
    }
    return device->ring || rt_ring_make(device) || rt_fail(why, RT_HOST_MEMORY, "%s", "");
}

/* A fork would part the memory from what the device writes: the process gets a copy of a page that
 * it writes then. So children do not have it. */
bool rt_device_lock(rt_device *device, void *memory, size_t bytes) {
    bool ok = madvise(memory, bytes, MADV_DONTFORK) == 0 &&
              device->driver->lock(device->handle, memory, bytes);
    device->locked = ok ? memory : NULL;
    device->locked_bytes = bytes;
    return ok;
}

void rt_device_unlock(rt_device *device) {
    if (device->locked && !device->broken)
        device->driver->unlock(device->handle, device->locked);
    device->locked = NULL;
}

void rt_device_share_lock(rt_device *device, const rt_device *from) {
    device->locked = from ? from->locked : NULL;
    device->locked_bytes = from ? from->locked_bytes : 0;
}

bool rt_device_has_locked(const rt_device *device, const unsigned char *first,
                          const unsigned char *last) {
    return device->locked && first >= device->locked && last >= first &&
           last < device->locked + device->locked_bytes;
}

void *rt_device_arena(rt_device *device, size_t bytes, rt_error *why) {
    if (device->arena_bytes >= bytes)
        return device->arena;
    rt_device_drop_arena(device);
    void *memory = map_memory(bytes);
    if (!memory) {
        rt_fail(why, RT_HOST_MEMORY, "%s", "");
        return NULL;
    }
    madvise(memory, bytes, MADV_HUGEPAGE); /* a hint: page faults of 4 KiB pages cost 0.2 s/GiB */
    device->arena = memory;
    device->arena_bytes = bytes;
    return memory;
}

void rt_device_trim(rt_device *device) {
    if (device->arena_bytes > arena_cap)
        rt_device_drop_arena(device);
}
