/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * AMD GPUs, through HIP's library, which comes with ROCm and with distributions' packages. Its
 * functions work on the thread's current device. The device's memory and modules belong to the
 * whole process. The runtime uses a stream of its own.
 */
#include "runtime/device/gpu.h"
#include "runtime/device/hip_api.h"
#include "target/gpus.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct hip_device {
    gpu_device gpu;
    hip_api api;
    char arch[HIP_NAME_BYTES]; /* processor and features, such as "gfx942:sramecc+:xnack-" */
    int device;                /* its number among those that HIP_VISIBLE_DEVICES allows */
    int scratchpad;            /* bytes of scratchpad that a block can have */
} hip_device;

#define HIP_CALL(d, why, function, ...)                                                            \
    gpu_check(&(d)->gpu, why, own.function, (d)->api.function(__VA_ARGS__))

static const struct {
#define HIP_NAME(member, symbol, parameters) const char *member;
    HIP_FUNCTIONS(HIP_NAME)
#undef HIP_NAME
} own = {
#define HIP_NAME(member, symbol, parameters) .member = symbol,
    HIP_FUNCTIONS(HIP_NAME)
#undef HIP_NAME
};

/* The text of an error. Also clears the error, because hipGetLastError would report it to the
 * program. */
static const char *error_text(gpu_device *device, gpu_result code) {
    hip_device *d = (hip_device *)device;
    const char *text = d->api.error_string(code);
    d->api.last_error();
    return text ? text : "unknown error";
}

static bool find_properties(hip_device *d, void *library, rt_error *why) {
    d->api.arch_name = HIP_ARCH_NAME_R0600;
    *(void **)&d->api.properties = dlsym(library, "hipGetDevicePropertiesR0600");
    if (d->api.properties)
        return true;
    d->api.arch_name = HIP_ARCH_NAME_R0000;
    return gpu_symbol(library, &d->api.properties, "hipGetDeviceProperties", why);
}

static bool find_functions(const rt_config *config, hip_device *d, rt_error *why) {
    static const char *const names[] = {"libamdhip64.so",
                                        "libamdhip64.so.7",
                                        "libamdhip64.so.6",
                                        "libamdhip64.so.5",
                                        "/opt/rocm/lib/libamdhip64.so",
                                        NULL};
    void *library = gpu_open_library(config->libhip, names, why);
    if (!library || !gpu_find_functions(&d->gpu, library, why) ||
        !gpu_symbol(library, &d->api.error_string, "hipGetErrorString", why) ||
        !find_properties(d, library, why))
        return false;
#define HIP_FIND(member, symbol, parameters)                                                       \
    if (!gpu_symbol(library, &d->api.member, own.member, why))                                     \
        return false;
    HIP_FUNCTIONS(HIP_FIND)
#undef HIP_FIND
    rt_error ignored;
    gpu_symbol(library, &d->api.copy_peer, "hipMemcpyPeerAsync", &ignored);
    gpu_symbol(library, &d->api.enable_peer, "hipDeviceEnablePeerAccess", &ignored);
    return true;
}

/* Reads the names of the device and of its architecture. */
static bool read_properties(hip_device *d, rt_device_info *info, rt_error *why) {
    char *properties = calloc(1, HIP_PROPERTIES_BYTES);
    if (!properties)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    bool ok =
        gpu_check(&d->gpu, why, "hipGetDeviceProperties", d->api.properties(properties, d->device));
    snprintf(d->arch, sizeof d->arch, "%.*s", HIP_NAME_BYTES - 1, properties + d->api.arch_name);
    /* A new GPU may have no other name yet. */
    snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1,
             properties[0] ? properties : d->arch);
    free(properties);
    if (ok && strncmp(d->arch, "gfx", 3) != 0)
        return rt_fail(why, RT_NO_DEVICE, "HIP does not name its architecture");
    return ok;
}

static size_t processor_length(const char *arch) {
    return strcspn(arch, ":");
}

/* In estimates a processor has as many compute units as in gpus.h. HIP counts units on GFX9, and
 * pairs of units ("work-group processors") on later GPUs. */
static void estimate(const hip_device *d, rt_device_info *info) {
    char processor[32];
    snprintf(processor, sizeof processor, "%.*s", (int)processor_length(d->arch), d->arch);
    const gpu_facts *facts = gpu_find_amd(processor);
    info->bytes_per_second = facts ? facts->bandwidth : 0;
    info->processors = strncmp(processor, "gfx9", 4) ? d->gpu.processors : d->gpu.processors / 2.0;
}

static const int limits[7] = {
    HIP_MAX_GRID_DIM_X,      HIP_MAX_GRID_DIM_X + 1,  HIP_MAX_GRID_DIM_X + 2,   HIP_MAX_BLOCK_DIM_X,
    HIP_MAX_BLOCK_DIM_X + 1, HIP_MAX_BLOCK_DIM_X + 2, HIP_MAX_THREADS_PER_BLOCK};

static bool find_device(hip_device *d, const rt_config *config, unsigned number,
                        rt_device_info *info, rt_error *why) {
    gpu_device *gpu = &d->gpu;
    if (!gpu_find_device(gpu, config, number, info, why))
        return false;
    d->device = (int)info->number;
    if (!read_properties(d, info, why) ||
        !GPU_CALL(gpu, why, device_attribute, &gpu->processors, HIP_MULTIPROCESSOR_COUNT,
                  d->device) ||
        !GPU_CALL(gpu, why, device_attribute, &d->scratchpad, HIP_MAX_SHARED_MEMORY_PER_BLOCK,
                  d->device) ||
        !gpu_read_limits(gpu, limits, d->device, &info->limits, why))
        return false;
    info->limits.threads = UINT32_MAX; /* a dispatch packet counts threads, not blocks */
    estimate(d, info);
    return true;
}

/* The devices that the thread had before each enter. A thread takes each device once, and enters it
 * once more while it works with several. */
enum { MOST_ENTERED = 2 * RT_MOST_DEVICES + 1 };
static _Thread_local int before[MOST_ENTERED];
static _Thread_local unsigned entered;

static void hip_leave(void *device) {
    hip_device *d = device;
    rt_error ignored;
    if (before[--entered] != d->device)
        HIP_CALL(d, &ignored, device_select, before[entered]);
}

static bool hip_enter(void *device, rt_error *why) {
    hip_device *d = device;
    if (entered == MOST_ENTERED)
        return rt_fail(why, RT_DEVICE, "%s", "too many devices");
    if (!HIP_CALL(d, why, device_current, &before[entered]))
        return false;
    entered++;
    if (before[entered - 1] == d->device || HIP_CALL(d, why, device_select, d->device))
        return true;
    hip_leave(d); /* undoes what hip_enter did before it failed */
    return false;
}

/* Is `feature`, such as "xnack-", among the features behind the processor's name? */
static bool has_feature(const char *arch, const char *feature, size_t length) {
    for (const char *at = arch + processor_length(arch); *at == ':';) {
        size_t have = processor_length(++at);
        if (have == length && strncmp(at, feature, length) == 0)
            return true;
        at += have;
    }
    return false;
}

/* Does the code run on the device? It runs only on the processor that it was made for. If it names
 * features, the device must have them as named (LLVM, "User Guide for AMDGPU Backend", "Target
 * ID"). Code that names more features is preferred. */
static int suits(const gpu_device *device, const stencilrt_image *image) {
    const char *have = ((const hip_device *)device)->arch, *want = image->arch;
    if (image->kind != STENCILRT_HSACO || !want)
        return 0;
    size_t length = processor_length(want);
    if (length != processor_length(have) || strncmp(have, want, length) != 0)
        return 0;
    int score = 1;
    for (const char *at = want + length; *at == ':'; score++) {
        size_t feature = processor_length(++at);
        if (!has_feature(have, at, feature))
            return 0;
        at += feature;
    }
    return score;
}

/* No launch needs a request for scratchpad. */
static bool grant(gpu_device *device, gpu_function function, uint32_t bytes) {
    (void)function;
    return bytes <= (uint32_t)((const hip_device *)device)->scratchpad;
}

static void describe(const gpu_device *device, char *text, size_t room) {
    snprintf(text, room, "%s", ((const hip_device *)device)->arch);
}

static gpu_result load(gpu_device *device, gpu_module *module, const void *image, char *log,
                       size_t room) {
    (void)log, (void)room;
    return ((hip_device *)device)->api.module_load(module, image);
}

static const gpu_symbols symbols = {
#define HIP_SYMBOL(member, cuda, hip, parameters) .member = hip,
    GPU_FUNCTIONS(HIP_SYMBOL)
#undef HIP_SYMBOL
};

static bool find(gpu_device *device, const rt_config *config, unsigned number, rt_device_info *info,
                 rt_error *why) {
    hip_device *d = (hip_device *)device;
    return find_functions(config, d, why) && find_device(d, config, number, info, why);
}

static const gpu_vendor amd = {.symbols = &symbols,
                               .mem_info = "hipMemGetInfo",
                               .host_lock = "hipHostRegister",
                               .host_unlock = "hipHostUnregister",
                               .stream_create_first = "hipStreamCreateWithPriority",
                               .size = sizeof(hip_device),
                               .find = find,
                               .enter = hip_enter,
                               .leave = hip_leave,
                               .error_text = error_text,
                               .suits = suits,
                               .grant = grant,
                               .describe = describe,
                               .load = load};

static void *hip_open(const rt_config *config, unsigned number, rt_device_info *info,
                      rt_error *why) {
    return gpu_open(&amd, config, number, info, why);
}

static bool hip_upload(void *device, const rt_copy *c, rt_error *why) {
    hip_device *d = device;
    if (gpu_is_one_run(c))
        return gpu_upload_run(&d->gpu, c, why);
    return HIP_CALL(d, why, copy_2d, (void *)(uintptr_t)c->device, c->device_pitch, c->host,
                    c->host_pitch, c->width, c->rows, HIP_MEMCPY_HOST_TO_DEVICE, d->gpu.stream);
}

static bool hip_download(void *device, const rt_copy *c, rt_error *why) {
    hip_device *d = device;
    if (gpu_is_one_run(c))
        return gpu_download_run(&d->gpu, c, why);
    return HIP_CALL(d, why, copy_2d, c->host, c->host_pitch, (const void *)(uintptr_t)c->device,
                    c->device_pitch, c->width, c->rows, HIP_MEMCPY_DEVICE_TO_HOST, d->gpu.stream);
}

static bool hip_move(void *device, const rt_move *m, rt_error *why) {
    hip_device *d = device;
    return HIP_CALL(d, why, copy_2d, (void *)(uintptr_t)m->to, m->to_pitch,
                    (const void *)(uintptr_t)m->from, m->from_pitch, m->width, m->rows,
                    HIP_MEMCPY_DEVICE_TO_DEVICE, d->gpu.stream);
}

/* Lets copies between the devices go from one to the other. Where that is impossible, or done
 * already, the driver says so, and copies in any case. */
static void hip_meet(void *device, void *to_device) {
    hip_device *d = device, *other = to_device;
    if (d->api.enable_peer && d->api.enable_peer(other->device, 0) != GPU_SUCCESS)
        d->api.last_error();
}

static bool hip_send(void *device, uint64_t from, void *to_device, uint64_t to, size_t bytes,
                     rt_error *why) {
    static const char peer_copy[] = "hipMemcpyPeerAsync";
    hip_device *d = device, *other = to_device;
    if (!d->api.copy_peer)
        return rt_fail(why, RT_DEVICE, "the driver lacks %s", peer_copy);
    return gpu_check(&d->gpu, why, peer_copy,
                     d->api.copy_peer((void *)(uintptr_t)to, other->device,
                                      (const void *)(uintptr_t)from, d->device, bytes,
                                      d->gpu.stream));
}

const rt_driver rt_driver_hip = {.name = "hip",
                                 .images = 1u << STENCILRT_HSACO,
                                 .open = hip_open,
                                 .enter = hip_enter,
                                 .leave = hip_leave,
                                 .upload = hip_upload,
                                 .download = hip_download,
                                 .move = hip_move,
                                 .meet = hip_meet,
                                 .send = hip_send,
                                 GPU_DRIVER};
