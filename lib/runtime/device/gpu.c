/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the drivers for CUDA and HIP share: opening libraries, queues, memory, copies, modules and
 * launches.
 */
#include "runtime/device/gpu.h"
#include "runtime/device/numbers.h"
#include "runtime/device/unpack.h"
#include "runtime/variables.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct gpu_loaded {
    gpu_module module;
    struct {
        gpu_function function;
        uint32_t resident; /* the blocks that run at a time; 0: the kernel cannot be used */
    } kernels[];
} gpu_loaded;

bool gpu_check(gpu_device *d, rt_error *why, const char *what, gpu_result code) {
    if (code == GPU_SUCCESS)
        return true;
    return rt_fail(why, code == GPU_OUT_OF_MEMORY ? RT_DEVICE_MEMORY : RT_DEVICE, "%s: %s (%d)",
                   what, d->vendor->error_text(d, code), code);
}

/* The library */

/* A program with more rights than its caller opens only libraries on the loader's path. Its caller
 * might write to other folders. */
static void *open_first(const char *const *names, int flags, rt_error *why) {
    rt_error first = {0};
    for (size_t i = 0; names[i]; i++) {
        rt_error *error = first.reason ? &(rt_error){0} : &first;
        if (strchr(names[i], '/') && !rt_caller_is_trusted())
            continue;
        void *library = rt_library_open(names[i], flags, error);
        if (library)
            return library;
    }
    *why = first;
    return NULL;
}

/* If the program has loaded the library, that copy is used. A second copy would not know the
 * program's device and memory. */
void *gpu_open_library(const char *override, const char *const *names, rt_error *why) {
    const char *const only[] = {override, NULL};
    if (override)
        names = only;
    void *library = open_first(names, RTLD_NOLOAD, why);
    return library ? library : open_first(names, 0, why);
}

bool gpu_symbol(void *library, void *function, const char *symbol, rt_error *why) {
    *(void **)function = dlsym(library, symbol);
    return *(void **)function || rt_fail(why, RT_NO_DRIVER, "it lacks %s", symbol);
}

bool gpu_find_functions(gpu_device *d, void *library, rt_error *why) {
#define GPU_FIND(member, cuda, hip, parameters)                                                    \
    if (!gpu_symbol(library, &d->api.member, d->vendor->symbols->member, why))                     \
        return false;
    GPU_FUNCTIONS(GPU_FIND)
#undef GPU_FIND
    rt_error ignored;
    gpu_symbol(library, &d->mem_info, d->vendor->mem_info, &ignored);
    gpu_symbol(library, &d->stream_create_first, d->vendor->stream_create_first, &ignored);
    gpu_symbol(library, &d->host_lock, d->vendor->host_lock, &ignored);
    gpu_symbol(library, &d->host_unlock, d->vendor->host_unlock, &ignored);
    return true;
}

bool gpu_find_device(gpu_device *d, const rt_config *config, unsigned number, rt_device_info *info,
                     rt_error *why) {
    int count = 0;
    const char *what = d->vendor->symbols->init;
    gpu_result code = d->api.init(0);
    if (code == GPU_SUCCESS) {
        what = d->vendor->symbols->device_count;
        code = d->api.device_count(&count);
    }
    bool ok = gpu_check(d, why, what, code);
    if (code == GPU_NO_DEVICE || code == GPU_INVALID_DEVICE ||
        (ok && !rt_driver_find(config, number, (unsigned)count, info)))
        return rt_fail(why, RT_NO_DEVICE, "%s", "");
    if (ok && info->unwanted && atomic_load(info->unwanted))
        return rt_fail(why, RT_NO_DEVICE, "the program ends");
    return ok;
}

bool gpu_read_limits(gpu_device *d, const int attributes[7], int device, rt_limits *out,
                     rt_error *why) {
    /* Values for limits that a driver does not tell: all GPUs have them, by CUDA's and HIP's
     * guides. */
    static const int usual[7] = {INT32_MAX, 65535, 65535, 1024, 1024, 64, 1024};
    int64_t *const limits[7] = {&out->blocks[0],    &out->blocks[1], &out->blocks[2],
                                &out->block[0],     &out->block[1],  &out->block[2],
                                &out->block_threads};
    for (int i = 0; i < 7; i++) {
        int value = 0;
        if (!GPU_CALL(d, why, device_attribute, &value, attributes[i], device))
            return false;
        *limits[i] = value > 0 ? value : usual[i];
    }
    return true;
}

/* The queue */

static void destroy_queue(gpu_device *d) {
    rt_error ignored;
    for (unsigned i = 0; i < RT_MARKS; i++)
        if (d->marks[i])
            GPU_CALL(d, &ignored, event_destroy, d->marks[i]);
    for (unsigned i = 0; i < RT_QUEUES; i++)
        if (d->streams[i])
            GPU_CALL(d, &ignored, stream_destroy, d->streams[i]);
}

/* Blocks of kernels in queue 1 come before those in queue 0 that have not begun. */
static bool create_stream(gpu_device *d, unsigned queue, rt_error *why) {
    enum { FIRST = -1 };
    gpu_stream *stream = &d->streams[queue];
    if (queue == 1 && d->stream_create_first)
        return gpu_check(d, why, d->vendor->stream_create_first,
                         d->stream_create_first(stream, GPU_STREAM_NON_BLOCKING, FIRST));
    return GPU_CALL(d, why, stream_create, stream, GPU_STREAM_NON_BLOCKING);
}

bool gpu_turn(void *device, unsigned queue, rt_error *why) {
    gpu_device *d = device;
    if (!d->streams[queue] && !create_stream(d, queue, why))
        return false;
    d->stream = d->streams[queue];
    return true;
}

static bool create_queue(gpu_device *d, rt_error *why) {
    bool ok = gpu_turn(d, 0, why);
    for (unsigned i = 0; ok && i < RT_MARKS; i++)
        ok = GPU_CALL(d, why, event_create, &d->marks[i], 0);
    if (!ok)
        destroy_queue(d);
    return ok;
}

static void let_go(gpu_device *d) {
    if (d->vendor->let_go)
        d->vendor->let_go(d);
    free(d);
}

/* In bytes; 0: unknown. */
static size_t memory_of(gpu_device *d) {
    size_t left = 0, all = 0;
    rt_error ignored;
    bool known =
        d->mem_info && gpu_check(d, &ignored, d->vendor->mem_info, d->mem_info(&left, &all));
    return known ? all : 0;
}

static void *open_device(const gpu_vendor *vendor, const rt_config *config, unsigned number,
                         rt_device_info *info, rt_error *why) {
    gpu_device *d = calloc(1, vendor->size);
    if (!d) {
        rt_fail(why, RT_HOST_MEMORY, "%s", "");
        return NULL;
    }
    d->vendor = vendor;
    if (!vendor->find(d, config, number, info, why)) {
        free(d);
        return NULL;
    }
    if (vendor->enter(d, why)) {
        bool ok = create_queue(d, why);
        info->memory = memory_of(d);
        vendor->leave(d);
        if (ok)
            return d;
    }
    let_go(d);
    return NULL;
}

/* Calls of a kind: allocations, and so on. A driver may open descriptors at the first one, and keep
 * them: numbers.c. Is this the first? */
static bool begin_kind(bool *begun) {
    bool first = !*begun;
    *begun = true;
    if (first)
        rt_numbers_take();
    return first;
}

static void end_kind(bool first) {
    if (first)
        rt_numbers_release();
}

void *gpu_open(const gpu_vendor *vendor, const rt_config *config, unsigned number,
               rt_device_info *info, rt_error *why) {
    rt_numbers_take();
    void *device = open_device(vendor, config, number, info, why);
    rt_numbers_release();
    return device;
}

void gpu_close(void *device) {
    gpu_device *d = device;
    rt_error ignored;
    if (d->vendor->enter(d, &ignored)) {
        destroy_queue(d);
        d->vendor->leave(d);
    }
    let_go(d);
}

bool gpu_mark(void *device, unsigned mark, rt_error *why) {
    gpu_device *d = device;
    return GPU_CALL(d, why, event_record, d->marks[mark], d->stream);
}

bool gpu_wait(void *device, unsigned mark, rt_error *why) {
    gpu_device *d = device;
    return GPU_CALL(d, why, event_sync, d->marks[mark]);
}

bool gpu_follow(void *device, void *other, unsigned mark, rt_error *why) {
    gpu_device *d = device;
    const gpu_device *o = other;
    return GPU_CALL(d, why, stream_wait, d->stream, o->marks[mark], 0);
}

double gpu_seconds(void *device, unsigned from, unsigned to) {
    gpu_device *d = device;
    rt_error ignored;
    float milliseconds = 0;
    if (!GPU_CALL(d, &ignored, event_elapsed, &milliseconds, d->marks[from], d->marks[to]))
        return 0;
    return 1e-3 * (double)milliseconds;
}

bool gpu_sync(void *device, rt_error *why) {
    gpu_device *d = device;
    bool ok = true;
    for (unsigned i = 0; i < RT_QUEUES; i++)
        ok = (!d->streams[i] || GPU_CALL(d, why, stream_sync, d->streams[i])) && ok;
    return ok;
}

/* Memory */

bool gpu_alloc(void *device, size_t bytes, uint64_t *address, rt_error *why) {
    gpu_device *d = device;
    bool first = begin_kind(&d->allocates);
    bool ok = GPU_CALL(d, why, mem_alloc, address, bytes);
    end_kind(first);
    return ok;
}

void gpu_release(void *device, uint64_t address) {
    gpu_device *d = device;
    rt_error ignored;
    GPU_CALL(d, &ignored, mem_free, address);
}

/* Allocations are rounded up, so a little is left. */
size_t gpu_room(void *device) {
    gpu_device *d = device;
    size_t left = 0, all = 0;
    rt_error ignored;
    if (!d->mem_info || !gpu_check(d, &ignored, d->vendor->mem_info, d->mem_info(&left, &all)))
        return SIZE_MAX;
    return left - left / 32;
}

void *gpu_host_alloc(void *device, size_t bytes) {
    gpu_device *d = device;
    void *memory = NULL;
    rt_error ignored;
    bool first = begin_kind(&d->allocates_host);
    bool ok = GPU_CALL(d, &ignored, host_alloc, &memory, bytes, 0);
    end_kind(first);
    return ok ? memory : NULL;
}

void gpu_host_release(void *device, void *memory) {
    gpu_device *d = device;
    rt_error ignored;
    GPU_CALL(d, &ignored, host_free, memory);
}

bool gpu_lock(void *device, void *memory, size_t bytes) {
    enum { FOR_ALL_DEVICES = 1 };
    gpu_device *d = device;
    rt_error ignored;
    if (!d->host_lock || !d->host_unlock)
        return false;
    bool first = begin_kind(&d->locks_host);
    bool ok =
        gpu_check(d, &ignored, d->vendor->host_lock, d->host_lock(memory, bytes, FOR_ALL_DEVICES));
    end_kind(first);
    return ok;
}

void gpu_unlock(void *device, void *memory) {
    gpu_device *d = device;
    rt_error ignored;
    gpu_check(d, &ignored, d->vendor->host_unlock, d->host_unlock(memory));
}

/* Of a float or a double that kernels compute with at full speed, another one for each block. With
 * zeros, lanes beside the array divided by zero, and differences of equal values are zero, too.
 * GPUs divide zeros in a slow branch, and the launch waits for the tiles at the edge: shallow water
 * of 4096 x 4096 took 1.5 times as long (H200). */
static unsigned padding_for(uint64_t address) {
    enum { HALF = 0x3f000000, MANTISSA = 23, GOLDEN = 0x9e3779b9 };
    uint32_t mixed = (uint32_t)(address >> 8) * GOLDEN;
    return HALF | mixed >> (32 - MANTISSA);
}

bool gpu_blank(void *device, uint64_t address, size_t bytes, rt_error *why) {
    gpu_device *d = device;
    size_t words = bytes / 4, rest = bytes % 4;
    return (words == 0 ||
            GPU_CALL(d, why, set_words, address, padding_for(address), words, d->stream)) &&
           (rest == 0 || gpu_zero(device, address + 4 * words, rest, why));
}

bool gpu_zero(void *device, uint64_t address, size_t bytes, rt_error *why) {
    gpu_device *d = device;
    return GPU_CALL(d, why, set_bytes, address, 0, bytes, d->stream);
}

bool gpu_is_one_run(const rt_copy *c) {
    return c->rows == 1 || (c->width == c->host_pitch && c->width == c->device_pitch);
}

bool gpu_upload_run(gpu_device *d, const rt_copy *c, rt_error *why) {
    return GPU_CALL(d, why, copy_in, c->device, c->host, c->width * c->rows, d->stream);
}

bool gpu_download_run(gpu_device *d, const rt_copy *c, rt_error *why) {
    return GPU_CALL(d, why, copy_out, c->host, c->device, c->width * c->rows, d->stream);
}

bool gpu_copy(void *device, uint64_t to, uint64_t from, size_t bytes, rt_error *why) {
    gpu_device *d = device;
    return GPU_CALL(d, why, copy_device, to, from, bytes, d->stream);
}

/* Modules */

/* The number of the kernel's blocks that the device runs at a time. 0 if the device has too little
 * of something. */
static uint32_t count_resident(gpu_device *d, gpu_function function, const stencilrt_kernel *k) {
    int threads = (int)(k->block[0] * k->block[1] * k->block[2]), blocks = 0;
    rt_error ignored;
    if ((k->kind == STENCILRT_RESIDENT && !d->launches_together) ||
        !d->vendor->grant(d, function, k->scratchpad) ||
        !GPU_CALL(d, &ignored, occupancy, &blocks, function, threads, k->scratchpad) || blocks <= 0)
        return 0;
    return (uint32_t)blocks * (uint32_t)(d->processors > 0 ? d->processors : 1);
}

/* Finds the kernels. The cell kernel must be there. If a blocked kernel is missing, those of
 * smaller degrees replace it. */
static bool find_kernels(gpu_device *d, const stencilrt_region *region, gpu_loaded *m,
                         const char *arch, rt_error *why) {
    for (uint32_t k = 0; k < region->nkernels; k++) {
        rt_error lacking;
        bool found = gpu_check(
            d, &lacking, arch,
            d->api.module_function(&m->kernels[k].function, m->module, region->kernels[k].name));
        if (!found && k < region->nsweeps) {
            *why = lacking;
            return false;
        }
        if (found)
            m->kernels[k].resident = count_resident(d, m->kernels[k].function, &region->kernels[k]);
    }
    return true;
}

/* Describes a failed load with the texts of the driver and of its compiler. */
__attribute__((noinline)) /* a stack frame of its own: see CMakeLists.txt */
static bool
load_code(gpu_device *d, const stencilrt_image *image, gpu_module *module, rt_error *why) {
    char log[256] = "";
    rt_error cause;
    rt_code unpacked;
    if (!rt_unpack(image, &unpacked, why))
        return false;
    gpu_result code = d->vendor->load(d, module, unpacked.bytes, log, sizeof log);
    free(unpacked.copy);
    if (gpu_check(d, &cause, image->arch, code))
        return true;
    return rt_fail(why, cause.reason, "%.100s%s%s", cause.detail, log[0] ? "; " : "", log);
}

__attribute__((noinline)) static gpu_loaded *load_image(gpu_device *d, const stencilrt_image *image,
                                                        const stencilrt_region *region,
                                                        rt_error *why) {
    gpu_loaded *m = calloc(1, sizeof *m + region->nkernels * sizeof *m->kernels);
    if (!m) {
        rt_fail(why, RT_HOST_MEMORY, "%s", "");
        return NULL;
    }
    if (load_code(d, image, &m->module, why)) {
        if (find_kernels(d, region, m, image->arch, why))
            return m;
        rt_error ignored;
        GPU_CALL(d, &ignored, module_unload, m->module);
    }
    free(m);
    if (why->reason == RT_DEVICE)
        why->reason = RT_LOAD;
    return NULL;
}

/* Tries the best image first, then the next: a driver may be too old for an image's format. */
static void *load_best(gpu_device *d, const stencilrt_region *region, rt_error *why) {
    int limit = INT32_MAX;
    char text[300];
    d->vendor->describe(d, text, sizeof text);
    rt_fail(why, RT_NO_IMAGE, "%s", text);
    for (;;) {
        const stencilrt_image *best = NULL;
        int best_score = 0;
        for (uint32_t i = 0; i < region->nimages; i++) {
            int score = d->vendor->suits(d, &region->images[i]);
            if (score < limit && score > best_score) {
                best = &region->images[i];
                best_score = score;
            }
        }
        if (!best)
            return NULL;
        gpu_loaded *module = load_image(d, best, region, why);
        if (module || why->reason != RT_LOAD)
            return module;
        limit = best_score;
    }
}

void *gpu_load(void *device, const stencilrt_region *region, rt_error *why) {
    gpu_device *d = device;
    bool first = begin_kind(&d->loads);
    void *module = load_best(d, region, why);
    end_kind(first);
    return module;
}

void gpu_unload(void *device, void *module) {
    gpu_device *d = device;
    gpu_loaded *m = module;
    rt_error ignored;
    GPU_CALL(d, &ignored, module_unload, m->module);
    free(m);
}

uint32_t gpu_resident(void *device, void *module, uint32_t kernel) {
    const gpu_loaded *m = module;
    (void)device;
    return m->kernels[kernel].resident;
}

static bool launch(gpu_device *d, const gpu_loaded *m, const rt_launch *l, rt_error *why) {
    if (l->together)
        return d->vendor->launch_together(d, m->kernels[l->kernel].function, l, why);
    return GPU_CALL(d, why, launch, m->kernels[l->kernel].function, l->grid[0], l->grid[1],
                    l->grid[2], l->block[0], l->block[1], l->block[2], l->scratchpad, d->stream,
                    l->args, NULL);
}

bool gpu_launch(void *device, void *module, const rt_launch *l, rt_error *why) {
    gpu_device *d = device;
    bool first = begin_kind(&d->launches);
    bool ok = launch(d, module, l, why);
    end_kind(first);
    return ok;
}
