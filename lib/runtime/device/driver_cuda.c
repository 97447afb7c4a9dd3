/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVIDIA GPUs, through the driver library that comes with the kernel driver; no CUDA toolkit is
 * needed. It shares the device's primary context with the program's own CUDA code. It uses a stream
 * of its own.
 */
#include "runtime/device/cuda_api.h"
#include "runtime/device/gpu.h"
#include "target/gpus.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cuda_device {
    gpu_device gpu;
    cu_api api;
    cu_device device;
    cu_context context;
    int capability; /* 10 * major + minor */
    unsigned peers; /* bits: the devices that copies were connected with */
} cuda_device;

#define CU_CALL(d, why, function, ...)                                                             \
    gpu_check(&(d)->gpu, why, own.function, (d)->api.function(__VA_ARGS__))

static const struct {
#define CU_NAME(member, symbol, parameters) const char *member;
    CU_FUNCTIONS(CU_NAME)
#undef CU_NAME
} own = {
#define CU_NAME(member, symbol, parameters) .member = symbol,
    CU_FUNCTIONS(CU_NAME)
#undef CU_NAME
};

static const char peer_copy[] = "cuMemcpyPeerAsync";
static const char cooperative[] = "cuLaunchCooperativeKernel";

static const char *error_text(gpu_device *device, gpu_result code) {
    cuda_device *d = (cuda_device *)device;
    const char *text = NULL;
    return d->api.error_string(code, &text) == GPU_SUCCESS && text ? text : "unknown error";
}

static bool find_functions(const rt_config *config, cuda_device *d, rt_error *why) {
    static const char *const names[] = {"libcuda.so.1", NULL};
    void *library = gpu_open_library(config->libcuda, names, why);
    if (!library || !gpu_find_functions(&d->gpu, library, why))
        return false;
#define CU_FIND(member, symbol, parameters)                                                        \
    if (!gpu_symbol(library, &d->api.member, own.member, why))                                     \
        return false;
    CU_FUNCTIONS(CU_FIND)
#undef CU_FIND
    rt_error ignored;
    gpu_symbol(library, &d->api.copy_peer, peer_copy, &ignored);
    gpu_symbol(library, &d->api.enable_peer, "cuCtxEnablePeerAccess", &ignored);
    d->gpu.launches_together = gpu_symbol(library, &d->api.launch_together, cooperative, &ignored);
    return true;
}

static const int limits[7] = {
    CU_MAX_GRID_DIM_X,      CU_MAX_GRID_DIM_X + 1,  CU_MAX_GRID_DIM_X + 2,   CU_MAX_BLOCK_DIM_X,
    CU_MAX_BLOCK_DIM_X + 1, CU_MAX_BLOCK_DIM_X + 2, CU_MAX_THREADS_PER_BLOCK};

static bool find_device(cuda_device *d, const rt_config *config, unsigned number,
                        rt_device_info *info, rt_error *why) {
    int major = 0, minor = 0;
    gpu_device *gpu = &d->gpu;
    if (!gpu_find_device(gpu, config, number, info, why) ||
        !CU_CALL(d, why, device_get, &d->device, (int)info->number) ||
        !CU_CALL(d, why, device_name, info->name, sizeof info->name, d->device) ||
        !GPU_CALL(gpu, why, device_attribute, &major, CU_COMPUTE_CAPABILITY_MAJOR, d->device) ||
        !GPU_CALL(gpu, why, device_attribute, &minor, CU_COMPUTE_CAPABILITY_MINOR, d->device) ||
        !GPU_CALL(gpu, why, device_attribute, &gpu->processors, CU_MULTIPROCESSOR_COUNT,
                  d->device) ||
        !gpu_read_limits(gpu, limits, d->device, &info->limits, why))
        return false;
    info->limits.threads = INT64_MAX;
    d->capability = 10 * major + minor;
    info->bytes_per_second = gpu_find(d->capability)->bandwidth;
    info->processors = gpu->processors;
    return true;
}

static bool cuda_enter(void *device, rt_error *why) {
    cuda_device *d = device;
    return CU_CALL(d, why, context_push, d->context);
}

static void cuda_leave(void *device) {
    cuda_device *d = device;
    cu_context ours;
    d->api.context_pop(&ours);
}

/* Does the image run on the device? Machine code runs on its own minor version and on later ones,
 * within one major version. PTX runs on its own capability and on later ones. An architecture with
 * a letter (sm_90a) runs on exactly that capability. (CUDA C++ Programming Guide, "Compute
 * Capabilities") */
static int suits(const gpu_device *device, const stencilrt_image *image) {
    int capability = ((const cuda_device *)device)->capability;
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

/* A launch may use 48 KiB of scratchpad unless more is requested (CUDA C++ Programming Guide,
 * "Shared Memory"). */
static bool grant(gpu_device *device, gpu_function function, uint32_t bytes) {
    enum { WITHOUT_ASKING = 48 << 10 };
    cuda_device *d = (cuda_device *)device;
    rt_error ignored;
    return bytes <= WITHOUT_ASKING || CU_CALL(d, &ignored, function_set, function,
                                              CU_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes);
}

static void describe(const gpu_device *device, char *text, size_t room) {
    int capability = ((const cuda_device *)device)->capability;
    snprintf(text, room, "compute capability %d.%d", capability / 10, capability % 10);
}

static gpu_result load(gpu_device *device, gpu_module *module, const void *image, char *log,
                       size_t room) {
    cuda_device *d = (cuda_device *)device;
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(room - 1)};
    return d->api.module_load(module, image, 2, options, values);
}

static bool launch_together(gpu_device *device, gpu_function function, const rt_launch *l,
                            rt_error *why) {
    cuda_device *d = (cuda_device *)device;
    return gpu_check(device, why, cooperative,
                     d->api.launch_together(function, l->grid[0], l->grid[1], l->grid[2],
                                            l->block[0], l->block[1], l->block[2], l->scratchpad,
                                            d->gpu.stream, l->args));
}

static const gpu_symbols symbols = {
#define CU_SYMBOL(member, cuda, hip, parameters) .member = cuda,
    GPU_FUNCTIONS(CU_SYMBOL)
#undef CU_SYMBOL
};

static bool find(gpu_device *device, const rt_config *config, unsigned number, rt_device_info *info,
                 rt_error *why) {
    cuda_device *d = (cuda_device *)device;
    return find_functions(config, d, why) && find_device(d, config, number, info, why) &&
           CU_CALL(d, why, context_retain, &d->context, d->device);
}

static void let_go(gpu_device *device) {
    cuda_device *d = (cuda_device *)device;
    d->api.context_release(d->device);
}

static const gpu_vendor nvidia = {.symbols = &symbols,
                                  .mem_info = "cuMemGetInfo_v2",
                                  .stream_create_first = "cuStreamCreateWithPriority",
                                  .host_lock = "cuMemHostRegister_v2",
                                  .host_unlock = "cuMemHostUnregister",
                                  .size = sizeof(cuda_device),
                                  .find = find,
                                  .let_go = let_go,
                                  .enter = cuda_enter,
                                  .leave = cuda_leave,
                                  .error_text = error_text,
                                  .suits = suits,
                                  .grant = grant,
                                  .describe = describe,
                                  .load = load,
                                  .launch_together = launch_together};

static void *cuda_open(const rt_config *config, unsigned number, rt_device_info *info,
                       rt_error *why) {
    return gpu_open(&nvidia, config, number, info, why);
}

static bool cuda_upload(void *device, const rt_copy *c, rt_error *why) {
    cuda_device *d = device;
    if (gpu_is_one_run(c))
        return gpu_upload_run(&d->gpu, c, why);
    cu_memcpy2d copy = {.src_type = CU_MEMORYTYPE_HOST,
                        .src_host = c->host,
                        .src_pitch = c->host_pitch,
                        .dst_type = CU_MEMORYTYPE_DEVICE,
                        .dst_device = c->device,
                        .dst_pitch = c->device_pitch,
                        .width = c->width,
                        .height = c->rows};
    return CU_CALL(d, why, copy_2d, &copy, d->gpu.stream);
}

static bool cuda_download(void *device, const rt_copy *c, rt_error *why) {
    cuda_device *d = device;
    if (gpu_is_one_run(c))
        return gpu_download_run(&d->gpu, c, why);
    cu_memcpy2d copy = {.src_type = CU_MEMORYTYPE_DEVICE,
                        .src_device = c->device,
                        .src_pitch = c->device_pitch,
                        .dst_type = CU_MEMORYTYPE_HOST,
                        .dst_host = c->host,
                        .dst_pitch = c->host_pitch,
                        .width = c->width,
                        .height = c->rows};
    return CU_CALL(d, why, copy_2d, &copy, d->gpu.stream);
}

static bool cuda_move(void *device, const rt_move *m, rt_error *why) {
    cuda_device *d = device;
    cu_memcpy2d copy = {.src_type = CU_MEMORYTYPE_DEVICE,
                        .src_device = m->from,
                        .src_pitch = m->from_pitch,
                        .dst_type = CU_MEMORYTYPE_DEVICE,
                        .dst_device = m->to,
                        .dst_pitch = m->to_pitch,
                        .width = m->width,
                        .height = m->rows};
    return CU_CALL(d, why, copy_2d, &copy, d->gpu.stream);
}

/* Lets copies between the devices go from one to the other. Where that is impossible, or done
 * already, the driver says so, and copies in any case. */
static void cuda_meet(void *device, void *to_device) {
    cuda_device *d = device, *other = to_device;
    if (d->peers >> other->device & 1 || !d->api.enable_peer)
        return;
    d->peers |= 1u << other->device;
    d->api.enable_peer(other->context, 0);
}

static bool cuda_send(void *device, uint64_t from, void *to_device, uint64_t to, size_t bytes,
                      rt_error *why) {
    cuda_device *d = device, *other = to_device;
    if (!d->api.copy_peer)
        return rt_fail(why, RT_DEVICE, "the driver lacks %s", peer_copy);
    cuda_meet(d, other);
    return gpu_check(&d->gpu, why, peer_copy,
                     d->api.copy_peer(to, other->context, from, d->context, bytes, d->gpu.stream));
}

const rt_driver rt_driver_cuda = {.name = "cuda",
                                  .images = 1u << STENCILRT_PTX | 1u << STENCILRT_CUBIN,
                                  .open = cuda_open,
                                  .enter = cuda_enter,
                                  .leave = cuda_leave,
                                  .upload = cuda_upload,
                                  .download = cuda_download,
                                  .move = cuda_move,
                                  .meet = cuda_meet,
                                  .send = cuda_send,
                                  GPU_DRIVER};
