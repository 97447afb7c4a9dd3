/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVIDIA GPUs, through the driver library that comes with the kernel driver (no CUDA toolkit).
 * It shares the device's primary context with the program's own CUDA code, if there is any, and
 * works in a stream of its own.
 */
#include "cuda_api.h"
#include "driver.h"
#include "gpus.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct cuda_device {
    cu_api api;
    cu_device device;
    cu_context context;
    cu_stream stream;
    cu_event marks[RT_MARKS];
    int capability; /* 10 * major + minor */
    int processors;
} cuda_device;

typedef struct cuda_module {
    cu_module module;
    struct {
        cu_function function;
        uint32_t resident; /* blocks at a time; 0: not usable */
    } kernels[];
} cuda_module;

static bool fail(const cuda_device *d, rt_error *why, const char *what, cu_result code) {
    const char *text = NULL;
    if (d->api.error_string(code, &text) != CU_SUCCESS || !text)
        text = "unknown error";
    return rt_fail(why, code == CU_OUT_OF_MEMORY ? RT_DEVICE_MEMORY : RT_DEVICE, "%s: %s (%d)",
                   what, text, code);
}

/* `return check(...)`: the call's result as success or a filled error. */
static bool check(const cuda_device *d, rt_error *why, const char *what, cu_result code) {
    return code == CU_SUCCESS || fail(d, why, what, code);
}

static bool find_functions(const rt_config *config, cu_api *api, rt_error *why) {
    /* Never closed: the driver starts threads. */
    void *library = dlopen(config->libcuda ? config->libcuda : "libcuda.so.1", RTLD_NOW);
    if (!library)
        return rt_fail(why, RT_NO_DRIVER, "%s", dlerror());
#define CU_FIND(member, symbol, parameters)                                                        \
    *(void **)&api->member = dlsym(library, symbol);                                               \
    if (!api->member)                                                                              \
        return rt_fail(why, RT_NO_DRIVER, "it lacks %s", symbol);
    CU_FUNCTIONS(CU_FIND)
#undef CU_FIND
    return true;
}

static bool find_device(cuda_device *d, rt_device_info *info, rt_error *why) {
    int count = 0, major = 0, minor = 0;
    cu_result code = d->api.init(0);
    if (code == CU_NO_DEVICE)
        return rt_fail(why, RT_NO_DEVICE, "%s", "");
    if (code != CU_SUCCESS)
        return fail(d, why, "cuInit", code);
    if (!check(d, why, "cuDeviceGetCount", d->api.device_count(&count)))
        return false;
    if (count < 1)
        return rt_fail(why, RT_NO_DEVICE, "%s", "");
    if (!check(d, why, "cuDeviceGet", d->api.device_get(&d->device, 0)) ||
        !check(d, why, "cuDeviceGetName",
               d->api.device_name(info->name, sizeof info->name, d->device)) ||
        !check(d, why, "cuDeviceGetAttribute",
               d->api.device_attribute(&major, CU_COMPUTE_CAPABILITY_MAJOR, d->device)) ||
        !check(d, why, "cuDeviceGetAttribute",
               d->api.device_attribute(&minor, CU_COMPUTE_CAPABILITY_MINOR, d->device)) ||
        !check(d, why, "cuDeviceGetAttribute",
               d->api.device_attribute(&d->processors, CU_MULTIPROCESSOR_COUNT, d->device)))
        return false;
    d->capability = 10 * major + minor;
    info->bytes_per_second = gpu_find(d->capability)->bandwidth;
    info->processors = d->processors;
    return true;
}

static void destroy_queue(cuda_device *d) {
    for (unsigned i = 0; i < RT_MARKS; i++)
        if (d->marks[i])
            d->api.event_destroy(d->marks[i]);
    if (d->stream)
        d->api.stream_destroy(d->stream);
}

/* In the context: a stream and the events. */
static bool create_queue(cuda_device *d, rt_error *why) {
    bool ok =
        check(d, why, "cuStreamCreate", d->api.stream_create(&d->stream, CU_STREAM_NON_BLOCKING));
    for (unsigned i = 0; ok && i < RT_MARKS; i++)
        ok = check(d, why, "cuEventCreate", d->api.event_create(&d->marks[i], 0));
    if (!ok)
        destroy_queue(d);
    return ok;
}

static bool cuda_enter(void *device, rt_error *why) {
    cuda_device *d = device;
    return check(d, why, "cuCtxPushCurrent", d->api.context_push(d->context));
}

static void cuda_leave(void *device) {
    cuda_device *d = device;
    cu_context ours;
    d->api.context_pop(&ours);
}

static void *cuda_open(const rt_config *config, rt_device_info *info, rt_error *why) {
    cuda_device *d = calloc(1, sizeof *d);
    if (!d) {
        rt_fail(why, RT_HOST_MEMORY, "%s", "");
        return NULL;
    }
    if (find_functions(config, &d->api, why) && find_device(d, info, why) &&
        check(d, why, "cuDevicePrimaryCtxRetain", d->api.context_retain(&d->context, d->device))) {
        if (cuda_enter(d, why)) {
            bool ok = create_queue(d, why);
            cuda_leave(d);
            if (ok)
                return d;
        }
        d->api.context_release(d->device);
    }
    free(d);
    return NULL;
}

static void cuda_close(void *device) {
    cuda_device *d = device;
    rt_error ignored;
    if (cuda_enter(d, &ignored)) {
        destroy_queue(d);
        cuda_leave(d);
    }
    d->api.context_release(d->device);
    free(d);
}

static bool cuda_alloc(void *device, size_t bytes, uint64_t *address, rt_error *why) {
    cuda_device *d = device;
    return check(d, why, "cuMemAlloc", d->api.mem_alloc(address, bytes));
}

static void cuda_release(void *device, uint64_t address) {
    cuda_device *d = device;
    d->api.mem_free(address);
}

static void *cuda_host_alloc(void *device, size_t bytes) {
    cuda_device *d = device;
    void *memory = NULL;
    return d->api.host_alloc(&memory, bytes, 0) == CU_SUCCESS ? memory : NULL;
}

static void cuda_host_release(void *device, void *memory) {
    cuda_device *d = device;
    d->api.host_free(memory);
}

static bool cuda_blank(void *device, uint64_t address, size_t bytes, rt_error *why) {
    cuda_device *d = device;
    return check(d, why, "cuMemsetD8Async", d->api.set_bytes(address, 0, bytes, d->stream));
}

static bool is_one_run(const rt_copy *c) {
    return c->rows == 1 || (c->width == c->host_pitch && c->width == c->device_pitch);
}

static bool cuda_upload(void *device, const rt_copy *c, rt_error *why) {
    cuda_device *d = device;
    if (is_one_run(c))
        return check(d, why, "cuMemcpyHtoDAsync",
                     d->api.copy_in(c->device, c->host, c->width * c->rows, d->stream));
    cu_memcpy2d copy = {.src_type = CU_MEMORYTYPE_HOST,
                        .src_host = c->host,
                        .src_pitch = c->host_pitch,
                        .dst_type = CU_MEMORYTYPE_DEVICE,
                        .dst_device = c->device,
                        .dst_pitch = c->device_pitch,
                        .width = c->width,
                        .height = c->rows};
    return check(d, why, "cuMemcpy2DAsync", d->api.copy_2d(&copy, d->stream));
}

static bool cuda_download(void *device, const rt_copy *c, rt_error *why) {
    cuda_device *d = device;
    if (is_one_run(c))
        return check(d, why, "cuMemcpyDtoHAsync",
                     d->api.copy_out(c->host, c->device, c->width * c->rows, d->stream));
    cu_memcpy2d copy = {.src_type = CU_MEMORYTYPE_DEVICE,
                        .src_device = c->device,
                        .src_pitch = c->device_pitch,
                        .dst_type = CU_MEMORYTYPE_HOST,
                        .dst_host = c->host,
                        .dst_pitch = c->host_pitch,
                        .width = c->width,
                        .height = c->rows};
    return check(d, why, "cuMemcpy2DAsync", d->api.copy_2d(&copy, d->stream));
}

static bool cuda_copy(void *device, uint64_t to, uint64_t from, size_t bytes, rt_error *why) {
    cuda_device *d = device;
    return check(d, why, "cuMemcpyDtoDAsync", d->api.copy_device(to, from, bytes, d->stream));
}

/* How well an image suits the device; 0: not at all. Machine code of the same major version runs on
 * this minor and later ones; PTX on this capability and later ones; architectures with a letter
 * (sm_90a) on exactly that capability (CUDA C++ Programming Guide, "Compute Capabilities"). */
static int suits(const stencilrt_image *image, int capability) {
    char *end;
    if ((image->kind != STENCILRT_PTX && image->kind != STENCILRT_CUBIN) || !image->arch ||
        strncmp(image->arch, "sm_", 3) != 0)
        return 0;
    long arch = strtol(image->arch + 3, &end, 10);
    if (arch <= 0 || arch > capability || (*end && arch != capability))
        return 0;
    if (image->kind == STENCILRT_PTX)
        return 2 * (int)arch + (*end != 0);
    if (arch / 10 != capability / 10)
        return 0;
    return 100000 + 2 * (int)arch + (*end != 0);
}

/* The blocks of a kernel that the device runs at a time; 0 if it has too little of something. A
 * launch may have 48 KiB of scratchpad unless more is asked for (CUDA C++ Programming Guide,
 * "Shared Memory"). */
static uint32_t count_resident(cuda_device *d, cu_function function, const stencilrt_kernel *k) {
    enum { WITHOUT_ASKING = 48 << 10 };
    int threads = (int)(k->block[0] * k->block[1] * k->block[2]), blocks = 0;
    if (k->scratchpad > WITHOUT_ASKING &&
        d->api.function_set(function, CU_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)k->scratchpad) !=
            CU_SUCCESS)
        return 0;
    if (d->api.occupancy(&blocks, function, threads, k->scratchpad) != CU_SUCCESS || blocks <= 0)
        return 0;
    return (uint32_t)blocks * (uint32_t)(d->processors > 0 ? d->processors : 1);
}

/* Of one sweep only the cell kernel is needed: without a blocked kernel, smaller degrees do its
 * work. */
static cu_result find_kernels(cuda_device *d, const stencilrt_region *region, cuda_module *m) {
    for (uint32_t k = 0; k < region->nkernels; k++) {
        cu_result code =
            d->api.module_function(&m->kernels[k].function, m->module, region->kernels[k].name);
        bool needed = k == 0 || region->nsweeps > 0;
        if (needed && code != CU_SUCCESS)
            return code;
        if (code == CU_SUCCESS)
            m->kernels[k].resident = count_resident(d, m->kernels[k].function, &region->kernels[k]);
    }
    return CU_SUCCESS;
}

static cuda_module *load_image(cuda_device *d, const stencilrt_image *image,
                               const stencilrt_region *region, rt_error *why) {
    char log[256] = "";
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    cuda_module *m = calloc(1, sizeof *m + region->nkernels * sizeof *m->kernels);
    if (!m) {
        rt_fail(why, RT_HOST_MEMORY, "%s", "");
        return NULL;
    }
    cu_result code = d->api.module_load(&m->module, image->bytes, 2, options, values);
    if (code == CU_SUCCESS) {
        code = find_kernels(d, region, m);
        if (code == CU_SUCCESS)
            return m;
        d->api.module_unload(m->module);
    }
    free(m);
    rt_error cause;
    fail(d, &cause, image->arch, code);
    rt_fail(why, code == CU_OUT_OF_MEMORY ? RT_DEVICE_MEMORY : RT_LOAD, "%.100s%s%s", cause.detail,
            log[0] ? "; " : "", log);
    return NULL;
}

/* The best image first, then the next: a driver may be too old for one image's format. */
static void *cuda_load(void *device, const stencilrt_region *region, rt_error *why) {
    cuda_device *d = device;
    int limit = INT32_MAX;
    rt_fail(why, RT_NO_IMAGE, "compute capability %d.%d", d->capability / 10, d->capability % 10);
    for (;;) {
        const stencilrt_image *best = NULL;
        int best_score = 0;
        for (uint32_t i = 0; i < region->nimages; i++) {
            int score = suits(&region->images[i], d->capability);
            if (score < limit && score > best_score) {
                best = &region->images[i];
                best_score = score;
            }
        }
        if (!best)
            return NULL;
        cuda_module *module = load_image(d, best, region, why);
        if (module || why->reason != RT_LOAD)
            return module;
        limit = best_score;
    }
}

static void cuda_unload(void *device, void *module) {
    cuda_device *d = device;
    cuda_module *m = module;
    d->api.module_unload(m->module);
    free(m);
}

static uint32_t cuda_resident(void *device, void *module, uint32_t kernel) {
    const cuda_module *m = module;
    (void)device;
    return m->kernels[kernel].resident;
}

static bool cuda_launch(void *device, void *module, const rt_launch *l, rt_error *why) {
    cuda_device *d = device;
    const cuda_module *m = module;
    return check(d, why, "cuLaunchKernel",
                 d->api.launch(m->kernels[l->kernel].function, l->grid[0], l->grid[1], l->grid[2],
                               l->block[0], l->block[1], l->block[2], l->scratchpad, d->stream,
                               l->args, NULL));
}

static bool cuda_mark(void *device, unsigned mark, rt_error *why) {
    cuda_device *d = device;
    return check(d, why, "cuEventRecord", d->api.event_record(d->marks[mark], d->stream));
}

static bool cuda_wait(void *device, unsigned mark, rt_error *why) {
    cuda_device *d = device;
    return check(d, why, "cuEventSynchronize", d->api.event_sync(d->marks[mark]));
}

static double cuda_seconds(void *device, unsigned from, unsigned to) {
    cuda_device *d = device;
    float milliseconds = 0;
    if (d->api.event_elapsed(&milliseconds, d->marks[from], d->marks[to]) != CU_SUCCESS)
        return 0;
    return 1e-3 * (double)milliseconds;
}

static bool cuda_sync(void *device, rt_error *why) {
    cuda_device *d = device;
    return check(d, why, "cuStreamSynchronize", d->api.stream_sync(d->stream));
}

const rt_driver rt_driver_cuda = {.name = "cuda",
                                  .keeps_memory = true,
                                  .is_estimated = true,
                                  .open = cuda_open,
                                  .close = cuda_close,
                                  .enter = cuda_enter,
                                  .leave = cuda_leave,
                                  .alloc = cuda_alloc,
                                  .release = cuda_release,
                                  .host_alloc = cuda_host_alloc,
                                  .host_release = cuda_host_release,
                                  .blank = cuda_blank,
                                  .upload = cuda_upload,
                                  .download = cuda_download,
                                  .copy = cuda_copy,
                                  .load = cuda_load,
                                  .unload = cuda_unload,
                                  .resident = cuda_resident,
                                  .launch = cuda_launch,
                                  .mark = cuda_mark,
                                  .wait = cuda_wait,
                                  .seconds = cuda_seconds,
                                  .sync = cuda_sync};
