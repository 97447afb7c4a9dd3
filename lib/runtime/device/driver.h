/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A driver: one kind of device behind a struct of functions. A driver knows no stencils; what
 * uses it (device, transfer, launch) knows no vendor. Work is queued in order; only mark, wait and
 * sync say when it is done. One thread at a time uses a device, between enter and leave.
 */
#ifndef STENCILRT_DRIVER_H
#define STENCILRT_DRIVER_H

#include "runtime/rt.h"
#include "stencilopt/region.h"

/* What a launch may have, along x, y and z. */
typedef struct rt_limits {
    int64_t blocks[3];     /* of the launch */
    int64_t threads;       /* of the launch, along each dimension */
    int64_t block[3];      /* threads of a block */
    int64_t block_threads; /* the same, in all */
} rt_limits;

typedef struct rt_device_info {
    char name[128];
    double bytes_per_second; /* of its memory, as the cost table knows it; 0: unknown */
    double processors;       /* SMs; where is_estimated */
    rt_limits limits;
} rt_device_info;

/* `rows` rows of `width` bytes between host memory from host_alloc and device memory. */
typedef struct rt_copy {
    uint64_t device;
    size_t device_pitch;
    void *host;
    size_t host_pitch;
    size_t width, rows;
} rt_copy;

/* `rows` rows of `width` bytes from device memory to device memory. */
typedef struct rt_move {
    uint64_t to, from;
    size_t to_pitch, from_pitch;
    size_t width, rows;
} rt_move;

typedef struct rt_launch {
    uint32_t kernel; /* number in the region's table */
    uint32_t grid[3], block[3];
    uint32_t scratchpad; /* dynamic, bytes a block */
    void **args;         /* pointers to the parameters' values; may be reused after the call */
    const size_t *arg_sizes;
    uint32_t nargs;
    bool together; /* all blocks run at once, or none does */
} rt_launch;

enum { RT_MARKS = 7 };

typedef struct rt_driver {
    const char *name;
    uint32_t images;    /* kinds of images that it may load: bits 1 << STENCILRT_PTX and so on */
    bool keeps_memory;  /* released device memory is kept for the next call */
    bool waits_at_exit; /* its library's exit handlers must not run while a thread is in it */
    uint64_t patience;  /* how often a thread looks for another block's word before it gives up */
    bool is_estimated;  /* the compiler's estimates of kernels' times are about such a device */

    /* Opens the device; a handle for the other functions, or NULL. */
    void *(*open)(const rt_config *config, rt_device_info *info, rt_error *why);
    void (*close)(void *device);
    /* Makes the device current for this thread, and undoes that. */
    bool (*enter)(void *device, rt_error *why);
    void (*leave)(void *device);

    /* Aligned to 128 bytes at least. */
    bool (*alloc)(void *device, size_t bytes, uint64_t *address, rt_error *why);
    void (*release)(void *device, uint64_t address);
    void *(*host_alloc)(void *device, size_t bytes); /* page-locked; NULL when out of it */
    void (*host_release)(void *device, void *memory);

    bool (*upload)(void *device, const rt_copy *copy, rt_error *why);
    bool (*download)(void *device, const rt_copy *copy, rt_error *why);
    /* Gives device memory a value, any one: kernels load padding, and results do not depend on it.
     */
    bool (*blank)(void *device, uint64_t address, size_t bytes, rt_error *why);
    /* Between two allocations of the device. */
    bool (*copy)(void *device, uint64_t to, uint64_t from, size_t bytes, rt_error *why);
    bool (*move)(void *device, const rt_move *move, rt_error *why);

    /* A module: the region's kernels, of the image that suits the device best; or NULL. Has
     * the cell kernel at least. */
    void *(*load)(void *device, const stencilrt_region *region, rt_error *why);
    void (*unload)(void *device, void *module);
    /* Blocks of a kernel that the device runs at a time; 0: it cannot run this kernel. */
    uint32_t (*resident)(void *device, void *module, uint32_t kernel);
    bool (*launch)(void *device, void *module, const rt_launch *launch, rt_error *why);

    /* Puts mark number `mark` into the queue; waits until the queue has passed it; seconds that
     * the device spent between two marks that were waited for. */
    bool (*mark)(void *device, unsigned mark, rt_error *why);
    bool (*wait)(void *device, unsigned mark, rt_error *why);
    double (*seconds)(void *device, unsigned from, unsigned to);
    /* Waits for all. False: the device has failed for good. */
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
