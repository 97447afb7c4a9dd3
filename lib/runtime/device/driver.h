/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A driver: a kind of device as a struct of functions. A driver knows nothing of stencils; the
 * files that use it (device, transfer, launch) know nothing of vendors. Work is queued in order.
 * Only mark, wait and sync tell when it is done. One thread at a time uses a device, between enter
 * and leave.
 */
#ifndef STENCILRT_DRIVER_H
#define STENCILRT_DRIVER_H

#include "runtime/rt.h"
#include "stencilopt/region.h"
#include <stdatomic.h>

/* The limits of a launch, along x, y and z. */
typedef struct rt_limits {
    int64_t blocks[3];     /* blocks of a launch */
    int64_t threads;       /* threads of a launch, along each dimension */
    int64_t block[3];      /* threads of a block, along each dimension */
    int64_t block_threads; /* threads of a block */
} rt_limits;

typedef struct rt_device_info {
    char name[128];
    double bytes_per_second; /* bandwidth of its memory by the cost table; 0: unknown */
    double processors;       /* its number of SMs, if is_estimated */
    rt_limits limits;
    unsigned number, count; /* its number, and how many devices the driver has */
    size_t memory;          /* in bytes; 0: unknown */
    /* Looked at while the device is opened: does nobody want it any more? NULL: it is wanted. */
    const atomic_bool *unwanted;
} rt_device_info;

/* The number of the device to open, in info->number: the rank's, if the process is a rank. False if
 * there is none. */
static inline bool rt_driver_find(const rt_config *config, unsigned number, unsigned count,
                                  rt_device_info *info) {
    info->count = count;
    info->number = config->rank.variable ? rt_rank_device(&config->rank, count) : number;
    return info->number < count;
}

/* A copy of `rows` rows of `width` bytes between page-locked memory of the host, from host_alloc or
 * lock, and device memory. */
typedef struct rt_copy {
    uint64_t device;
    size_t device_pitch;
    void *host;
    size_t host_pitch;
    size_t width, rows;
} rt_copy;

/* A copy of bytes that follow one another on both sides. */
static inline rt_copy rt_copy_bytes(uint64_t device, void *host, size_t bytes) {
    return (rt_copy){.device = device,
                     .device_pitch = bytes,
                     .host = host,
                     .host_pitch = bytes,
                     .width = bytes,
                     .rows = 1};
}

/* A copy of `rows` rows of `width` bytes within device memory. */
typedef struct rt_move {
    uint64_t to, from;
    size_t to_pitch, from_pitch;
    size_t width, rows;
} rt_move;

typedef struct rt_launch {
    uint32_t kernel; /* its number in the region's table */
    uint32_t grid[3], block[3];
    uint32_t scratchpad; /* dynamic scratchpad, in bytes for a block */
    void **args; /* pointers to the parameters' values, which need not live longer than the call */
    const size_t *arg_sizes;
    uint32_t nargs;
    bool together; /* either all blocks run at once, or none runs */
} rt_launch;

enum { RT_QUEUES = 3 };

/* Marks from RT_MARK_SLOTS on are those of the slots of the ring (ring.h). Marks 7 to 9 are those
 * of devices that share a grid (run/team.h), or through which it passes (run/lean.c). */
enum {
    RT_MARK_BEFORE = 7,
    RT_MARK_EDGES,
    RT_MARK_SENT,
    RT_MARK_SLOTS,
    RT_MARKS = RT_MARK_SLOTS + 32
};

typedef struct rt_driver {
    const char *name;
    uint32_t images;   /* the kinds of images that it can load: bits 1 << STENCILRT_PTX and so on */
    bool keeps_memory; /* released device memory is kept for later calls */
    /* Its library's exit handlers must not run while a thread is inside the library. */
    bool waits_at_exit;
    uint64_t patience; /* how often a thread looks for another block's word before it gives up */
    bool is_estimated; /* the compiler's estimates of kernels' times hold for such a device */

    /* Opens the device of this number. Returns a handle for the other functions, or NULL. */
    void *(*open)(const rt_config *config, unsigned number, rt_device_info *info, rt_error *why);
    void (*close)(void *device);
    /* enter makes the device current for this thread; leave undoes the thread's last enter. */
    bool (*enter)(void *device, rt_error *why);
    void (*leave)(void *device);

    /* The address is a multiple of 128 at least. */
    bool (*alloc)(void *device, size_t bytes, uint64_t *address, rt_error *why);
    void (*release)(void *device, uint64_t address);
    /* The bytes that are free on the device, about. */
    size_t (*room)(void *device);
    void *(*host_alloc)(void *device, size_t bytes); /* page-locked; NULL if there is no more */
    void (*host_release)(void *device, void *memory);
    /* Page-locks memory of the process, for all devices of the driver. False: that is impossible.
     * It must be unlocked before it is unmapped, and by the same device. */
    bool (*lock)(void *device, void *memory, size_t bytes);
    void (*unlock)(void *device, void *memory);

    bool (*upload)(void *device, const rt_copy *copy, rt_error *why);
    bool (*download)(void *device, const rt_copy *copy, rt_error *why);
    /* Fills device memory with some value. Kernels load padding and compute with it, and results do
     * not depend on it. */
    bool (*blank)(void *device, uint64_t address, size_t bytes, rt_error *why);
    bool (*zero)(void *device, uint64_t address, size_t bytes, rt_error *why);
    /* Copies between two allocations of the device. */
    bool (*copy)(void *device, uint64_t to, uint64_t from, size_t bytes, rt_error *why);
    bool (*move)(void *device, const rt_move *move, rt_error *why);
    /* Prepares copies to another device of the driver, as far as it can. */
    void (*meet)(void *device, void *other);
    /* Copies to another device of the driver. The copy is in the queue of the device that it comes
     * from. */
    bool (*send)(void *device, uint64_t from, void *other, uint64_t to, size_t bytes,
                 rt_error *why);

    /* Loads a module: the region's kernels, from the image that fits the device best. NULL if there
     * is none. The module has at least the cell kernel. */
    void *(*load)(void *device, const stencilrt_region *region, rt_error *why);
    void (*unload)(void *device, void *module);
    /* The number of a kernel's blocks that run at a time. 0: the device cannot run the kernel. */
    uint32_t (*resident)(void *device, void *module, uint32_t kernel);
    bool (*launch)(void *device, void *module, const rt_launch *launch, rt_error *why);

    /* From now on all is put into this queue: 0; 1 for copies while kernels run, and for kernels
     * that come first; or 2 for copies in the other direction. The queues do not wait for each
     * other. It is 0 when a thread takes the device. */
    bool (*turn)(void *device, unsigned queue, rt_error *why);
    /* mark: puts mark number `mark` into the queue. wait: waits until the queue has passed the
     * mark. follow: what is put into this queue later waits until the other device, which may be
     * this one, has passed its mark. seconds: the device's time between two marks that were waited
     * for. */
    bool (*mark)(void *device, unsigned mark, rt_error *why);
    bool (*wait)(void *device, unsigned mark, rt_error *why);
    bool (*follow)(void *device, void *other, unsigned mark, rt_error *why);
    double (*seconds)(void *device, unsigned from, unsigned to);
    /* Waits until all queues are empty. False: the device has failed for good. */
    bool (*sync)(void *device, rt_error *why);
} rt_driver;

static inline bool rt_limits_allow(const rt_limits *most, const uint32_t block[3]) {
    int64_t threads = 1;
    for (int d = 0; d < 3; d++) {
        if (block[d] > most->block[d])
            return false;
        threads *= block[d];
    }
    return threads <= most->block_threads;
}

extern const rt_driver rt_driver_cuda;
extern const rt_driver rt_driver_hip;
extern const rt_driver rt_driver_sim;

#endif
