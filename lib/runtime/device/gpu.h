/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the drivers of GPUs share (gpu.c): queue, memory, row copies, modules, launches. A driver's
 * own struct begins with a gpu_device. Most functions of gpu.c are members of an rt_driver.
 */
#ifndef STENCILRT_GPU_H
#define STENCILRT_GPU_H

#include "runtime/device/driver.h"
#include "runtime/device/gpu_api.h"

typedef struct gpu_device gpu_device;

/* What differs between makers. */
typedef struct gpu_vendor {
    const gpu_symbols *symbols;
    const char *mem_info; /* the symbols of gpu_device's members */
    const char *stream_create_first, *host_lock, *host_unlock;
    size_t size; /* of the driver's own struct */
    /* Finds the library's functions and the device of this number. The device is kept until let_go.
     */
    bool (*find)(gpu_device *, const rt_config *, unsigned number, rt_device_info *, rt_error *why);
    void (*let_go)(gpu_device *); /* NULL: there is nothing to do */
    /* enter makes the device the thread's current one; leave restores the one before. */
    bool (*enter)(void *device, rt_error *why);
    void (*leave)(void *device);
    /* The text of an error. Called once for each result that is an error. */
    const char *(*error_text)(gpu_device *, gpu_result);
    /* How well an image fits the device; 0: not at all. */
    int (*suits)(const gpu_device *, const stencilrt_image *);
    /* May a kernel's blocks have so much scratchpad? */
    bool (*grant)(gpu_device *, gpu_function, uint32_t bytes);
    /* Describes the device, for the message that no image fits. */
    void (*describe)(const gpu_device *, char *text, size_t room);
    /* `log` gets the messages of the driver's compiler, if there are any. */
    gpu_result (*load)(gpu_device *, gpu_module *, const void *image, char *log, size_t room);
    /* Launches all blocks so that they run at once. */
    bool (*launch_together)(gpu_device *, gpu_function, const rt_launch *, rt_error *why);
} gpu_vendor;

struct gpu_device {
    const gpu_vendor *vendor;
    gpu_api api;
    /* NULL if the library does not have them. The second one's last argument is a priority: the
     * least one comes first. */
    gpu_result (*mem_info)(size_t *left, size_t *all);
    gpu_result (*stream_create_first)(gpu_stream *, unsigned flags, int priority);
    gpu_result (*host_lock)(void *memory, size_t bytes, unsigned flags);
    gpu_result (*host_unlock)(void *memory);
    /* The one in use; all, those after the first one made at first use. */
    gpu_stream stream, streams[RT_QUEUES];
    gpu_event marks[RT_MARKS];
    int processors;
    bool launches_together; /* the device can run all blocks at once, by launch_together */
    /* It has done so; `loads`: locked by itself. */
    bool allocates, allocates_host, locks_host, loads, launches;
};

/* Turns a call's result into success or an error, for use as `return gpu_check(...)`. */
bool gpu_check(gpu_device *d, rt_error *why, const char *what, gpu_result code);
#define GPU_CALL(d, why, function, ...)                                                            \
    gpu_check(d, why, (d)->vendor->symbols->function, (d)->api.function(__VA_ARGS__))

/* Opens a library and never closes it, because drivers start threads. If `override` is given, only
 * that is opened. Otherwise the first of `names`, which NULL ends, with a preference for one that
 * the program has loaded. */
void *gpu_open_library(const char *override, const char *const *names, rt_error *why);
bool gpu_symbol(void *library, void *function, const char *symbol, rt_error *why);
bool gpu_find_functions(gpu_device *d, void *library, rt_error *why);
/* Initialises the library, and finds the device (rt_driver_find). */
bool gpu_find_device(gpu_device *d, const rt_config *config, unsigned number, rt_device_info *info,
                     rt_error *why);
/* Reads the device's limits, except `threads`. `attributes` has the numbers of seven attributes:
 * blocks of a launch along x, y, z; threads of a block along x, y, z; threads of a block in all. */
bool gpu_read_limits(gpu_device *d, const int attributes[7], int device, rt_limits *out,
                     rt_error *why);

/* NULL if there is no device. */
void *gpu_open(const gpu_vendor *vendor, const rt_config *config, unsigned number,
               rt_device_info *info, rt_error *why);
void gpu_close(void *device);

/* The members of rt_driver that are the same for all GPUs. */
#define GPU_DRIVER                                                                                 \
    .keeps_memory = true, .patience = 1 << 18, .is_estimated = true, .close = gpu_close,           \
    .alloc = gpu_alloc, .release = gpu_release, .room = gpu_room, .host_alloc = gpu_host_alloc,    \
    .host_release = gpu_host_release, .lock = gpu_lock, .unlock = gpu_unlock, .blank = gpu_blank,  \
    .zero = gpu_zero, .copy = gpu_copy, .load = gpu_load, .unload = gpu_unload,                    \
    .resident = gpu_resident, .launch = gpu_launch, .mark = gpu_mark, .turn = gpu_turn,            \
    .wait = gpu_wait, .follow = gpu_follow, .seconds = gpu_seconds, .sync = gpu_sync
bool gpu_alloc(void *device, size_t bytes, uint64_t *address, rt_error *why);
void gpu_release(void *device, uint64_t address);
size_t gpu_room(void *device);
void *gpu_host_alloc(void *device, size_t bytes);
void gpu_host_release(void *device, void *memory);
bool gpu_lock(void *device, void *memory, size_t bytes);
void gpu_unlock(void *device, void *memory);
bool gpu_blank(void *device, uint64_t address, size_t bytes, rt_error *why);
bool gpu_zero(void *device, uint64_t address, size_t bytes, rt_error *why);
bool gpu_is_one_run(const rt_copy *copy);
bool gpu_upload_run(gpu_device *d, const rt_copy *copy, rt_error *why);
bool gpu_download_run(gpu_device *d, const rt_copy *copy, rt_error *why);
bool gpu_copy(void *device, uint64_t to, uint64_t from, size_t bytes, rt_error *why);
void *gpu_load(void *device, const stencilrt_region *region, rt_error *why);
void gpu_unload(void *device, void *module);
uint32_t gpu_resident(void *device, void *module, uint32_t kernel);
bool gpu_launch(void *device, void *module, const rt_launch *launch, rt_error *why);
bool gpu_turn(void *device, unsigned queue, rt_error *why);
bool gpu_mark(void *device, unsigned mark, rt_error *why);
bool gpu_wait(void *device, unsigned mark, rt_error *why);
bool gpu_follow(void *device, void *other, unsigned mark, rt_error *why);
double gpu_seconds(void *device, unsigned from, unsigned to);
bool gpu_sync(void *device, rt_error *why);

#endif
