/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Of a stub of a GPU (stubgpu.h), what only HIP has. Our work is on device 0, and if there are more
 * than two on all but the last; the tests make number 1 current before, and look at it afterwards.
 * Built with STUB_OLD_HIP, it is HIP 5: device properties in their old layout.
 */
#include "runtime/device/hip_api.h"
#include "stubgpu_core.h"
#include <stdio.h>
#include <string.h>

#define DECLARE(member, symbol, parameters)                                                        \
    extern API gpu_result stub_##member parameters __asm__(symbol);
HIP_FUNCTIONS(DECLARE)
extern API const char *stub_error_string(gpu_result result) __asm__("hipGetErrorString");
#ifdef STUB_OLD_HIP
enum { ARCH_NAME = HIP_ARCH_NAME_R0000 };
extern API gpu_result stub_properties(void *properties,
                                      int device) __asm__("hipGetDeviceProperties");
#else
enum { ARCH_NAME = HIP_ARCH_NAME_R0600 };
extern API gpu_result stub_properties(void *properties,
                                      int device) __asm__("hipGetDevicePropertiesR0600");
#endif

extern API gpu_result stub_copy_peer(void *to, int to_device, const void *from, int from_device,
                                     size_t bytes, gpu_stream stream) __asm__("hipMemcpyPeerAsync");

const char *const stub_default_arch = "gfx90a:sramecc+:xnack-";
const int stub_default_scratchpad = 64 << 10;
const uint64_t stub_max_threads = UINT32_MAX;

static _Thread_local int device_now;

static bool is_ours(int device) {
    return device == 0 || (device > 0 && device < stub_settings.devices - 1);
}

bool stub_is_current(void) {
    return is_ours(device_now);
}

int stub_current(void) {
    return device_now;
}

int stub_attribute(int *value, int attribute, int device) {
    *value = attribute == HIP_MULTIPROCESSOR_COUNT          ? stub_settings.processors
             : attribute == HIP_MAX_SHARED_MEMORY_PER_BLOCK ? stub_settings.scratchpad
             : attribute == HIP_MAX_THREADS_PER_BLOCK       ? stub_settings.threads
             : attribute == HIP_MAX_GRID_DIM_X              ? INT32_MAX
             : attribute == HIP_MAX_GRID_DIM_X + 1          ? stub_settings.grid
             : attribute == HIP_MAX_GRID_DIM_X + 2          ? stub_settings.grid
                                                            : 0;
    return is_ours(device) ? 0 : INVALID_VALUE;
}

bool stub_may_launch(unsigned scratchpad) {
    return scratchpad <= (unsigned)stub_settings.scratchpad;
}

const char *stub_error_string(gpu_result result) {
    return result == GPU_OUT_OF_MEMORY ? "out of memory" : "stub error";
}

gpu_result stub_properties(void *properties, int device) {
    ENTER
    char *bytes = properties;
    snprintf(bytes, HIP_NAME_BYTES, "%s", stub_settings.name);
    snprintf(bytes + ARCH_NAME, HIP_NAME_BYTES, "%s", stub_settings.arch);
    LEAVE(is_ours(device) ? 0 : INVALID_VALUE);
}

gpu_result stub_device_current(int *device) {
    ENTER
    *device = device_now;
    LEAVE(0);
}

/* Done in any case, if there is such a device: what fails is a device, not the thread's choice. */
gpu_result stub_device_select(int device) {
    BEGIN
    bool good = device >= 0 && device < stub_settings.devices;
    if (good)
        device_now = device;
    LEAVE(injected ? injected : good ? 0 : GPU_INVALID_DEVICE);
}

/* Not counted, and does not fail. */
gpu_result stub_last_error(void) {
    int code = stub_thread_error;
    stub_thread_error = 0;
    return code;
}

gpu_result stub_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height, int kind, gpu_stream stream) {
    IN_CONTEXT
    stub_copy copy = {.to_device = kind != HIP_MEMCPY_DEVICE_TO_HOST,
                      .from_device = kind != HIP_MEMCPY_HOST_TO_DEVICE,
                      .to = to,
                      .from = from,
                      .to_pitch = to_pitch,
                      .from_pitch = from_pitch,
                      .width = width,
                      .height = height};
    bool known = kind == HIP_MEMCPY_HOST_TO_DEVICE || kind == HIP_MEMCPY_DEVICE_TO_HOST ||
                 kind == HIP_MEMCPY_DEVICE_TO_DEVICE;
    LEAVE(known ? stub_enqueue_copy(&copy, stream) : INVALID_VALUE);
}

gpu_result stub_module_load(gpu_module *module, const void *image) {
    IN_CONTEXT
    LEAVE(stub_load(module, image));
}

gpu_result stub_copy_peer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                          gpu_stream stream) {
    IN_CONTEXT
    stub_copy copy = {.to_device = true,
                      .from_device = true,
                      .to = to,
                      .from = from,
                      .to_pitch = bytes,
                      .from_pitch = bytes,
                      .width = bytes,
                      .height = 1};
    bool good = is_ours(to_device) && from_device == device_now && to_device != from_device;
    LEAVE(good ? stub_enqueue_copy(&copy, stream) : INVALID_VALUE);
}
