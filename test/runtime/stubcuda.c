/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Of a stub of a GPU (stubgpu.h), what only the CUDA driver interface has.
 */
#include "runtime/device/cuda_api.h"
#include "stubgpu_core.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECLARE(member, symbol, parameters)                                                        \
    extern API gpu_result stub_##member parameters __asm__(symbol);
CU_FUNCTIONS(DECLARE)
extern API gpu_result stub_launch_together(gpu_function, unsigned, unsigned, unsigned, unsigned,
                                           unsigned, unsigned, unsigned, gpu_stream,
                                           void **) __asm__("cuLaunchCooperativeKernel");

/* The first device's number; depth of a thread's stack of contexts. */
enum { DEVICE = 7, DEPTH = 12, MOST_DEVICES = 8 };

extern API gpu_result stub_copy_peer(gpu_address to, cu_context to_context, gpu_address from,
                                     cu_context from_context, size_t bytes,
                                     gpu_stream stream) __asm__("cuMemcpyPeerAsync");
extern API gpu_result stub_enable_peer(cu_context context,
                                       unsigned flags) __asm__("cuCtxEnablePeerAccess");

const char *const stub_default_arch = "sm_90";
const int stub_default_scratchpad = 227 << 10;
const uint64_t stub_max_threads = UINT64_MAX;

static struct cu_context_object {
    int unused;
} contexts[MOST_DEVICES];
static _Thread_local cu_context current[DEPTH];
static _Thread_local int depth;
/* More than 48 KiB of scratchpad must be asked for; rt-test's kernels want it all alike. */
static bool asked_for_scratchpad;

static bool is_context(cu_context context) {
    return context >= contexts && context < contexts + stub_settings.devices;
}

static bool is_device(int device) {
    return device >= DEVICE && device < DEVICE + stub_settings.devices;
}

bool stub_is_current(void) {
    return depth > 0 && is_context(current[depth - 1]);
}

int stub_current(void) {
    return depth;
}

/* That of the device, among those of STUBGPU_ARCH. */
static int capability_of(int device) {
    const char *arch = stub_settings.arch, *next;
    for (int i = DEVICE; i < device && (next = strchr(arch, '+')); i++)
        arch = next + 1;
    return atoi(arch + strlen("sm_"));
}

int stub_attribute(int *value, int attribute, int device) {
    int capability = capability_of(device);
    *value = attribute == CU_COMPUTE_CAPABILITY_MAJOR   ? capability / 10
             : attribute == CU_COMPUTE_CAPABILITY_MINOR ? capability % 10
             : attribute == CU_MULTIPROCESSOR_COUNT     ? stub_settings.processors
             : attribute == CU_MAX_THREADS_PER_BLOCK    ? stub_settings.threads
             : attribute == CU_MAX_GRID_DIM_X           ? INT32_MAX
             : attribute == CU_MAX_GRID_DIM_X + 1       ? stub_settings.grid
             : attribute == CU_MAX_GRID_DIM_X + 2       ? stub_settings.grid
                                                        : 0;
    return is_device(device) ? 0 : INVALID_VALUE;
}

bool stub_may_launch(unsigned scratchpad) {
    return scratchpad <= 48 << 10 || asked_for_scratchpad;
}

gpu_result stub_error_string(gpu_result result, const char **text) {
    ENTER
    *text = result == GPU_OUT_OF_MEMORY ? "out of memory" : "stub error";
    LEAVE(0);
}

gpu_result stub_device_get(cu_device *device, int number) {
    ENTER
    *device = DEVICE + number;
    LEAVE(is_device(*device) ? 0 : INVALID_VALUE);
}

gpu_result stub_device_name(char *name, int room, cu_device device) {
    ENTER
    if (strchr(stub_settings.arch, '+'))
        snprintf(name, (size_t)room, "%s sm_%d", stub_settings.name, capability_of(device));
    else
        snprintf(name, (size_t)room, "%s", stub_settings.name);
    LEAVE(is_device(device) ? 0 : INVALID_VALUE);
}

gpu_result stub_context_retain(cu_context *context, cu_device device) {
    ENTER
    *context = &contexts[is_device(device) ? device - DEVICE : 0];
    stub_counts.retained++;
    LEAVE(is_device(device) ? 0 : INVALID_VALUE);
}

gpu_result stub_context_release(cu_device device) {
    ENTER
    stub_counts.retained--;
    LEAVE(is_device(device) ? 0 : INVALID_VALUE);
}

gpu_result stub_context_push(cu_context context) {
    ENTER
    if (depth == DEPTH)
        abort();
    current[depth++] = context;
    LEAVE(0);
}

/* Done in any case: what it reports is an error of earlier work. */
gpu_result stub_context_pop(cu_context *context) {
    BEGIN
    if (depth == 0)
        abort();
    *context = current[--depth];
    LEAVE(injected);
}

gpu_result stub_copy_2d(const cu_memcpy2d *c, gpu_stream stream) {
    IN_CONTEXT
    bool in = c->dst_type == CU_MEMORYTYPE_DEVICE, out = c->src_type == CU_MEMORYTYPE_DEVICE;
    stub_copy copy = {.to_device = in,
                      .from_device = out,
                      .to = in ? (void *)(uintptr_t)c->dst_device : c->dst_host,
                      .from = out ? (const void *)(uintptr_t)c->src_device : c->src_host,
                      .to_pitch = c->dst_pitch,
                      .from_pitch = c->src_pitch,
                      .width = c->width,
                      .height = c->height};
    LEAVE(stub_enqueue_copy(&copy, stream));
}

gpu_result stub_module_load(gpu_module *module, const void *image, unsigned count, int *names,
                            void **values) {
    IN_CONTEXT
    int code = stub_load(module, image);
    for (unsigned i = 0; code && i < count; i++)
        if (names[i] == CU_JIT_ERROR_LOG_BUFFER)
            strcpy(values[i], "line 1: bad\nno hope");
    LEAVE(code);
}

gpu_result stub_function_set(gpu_function function, int attribute, int value) {
    IN_CONTEXT
    if (!function || attribute != CU_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
        value > stub_settings.scratchpad)
        LEAVE(INVALID_VALUE);
    asked_for_scratchpad = true;
    LEAVE(0);
}

gpu_result stub_copy_peer(gpu_address to, cu_context to_context, gpu_address from,
                          cu_context from_context, size_t bytes, gpu_stream stream) {
    IN_CONTEXT
    stub_copy copy = {.to_device = true,
                      .from_device = true,
                      .to = (void *)(uintptr_t)to,
                      .from = (const void *)(uintptr_t)from,
                      .to_pitch = bytes,
                      .from_pitch = bytes,
                      .width = bytes,
                      .height = 1};
    bool good = is_context(to_context) && is_context(from_context) && to_context != from_context &&
                from_context == current[depth - 1];
    LEAVE(good ? stub_enqueue_copy(&copy, stream) : INVALID_VALUE);
}

/* Some devices have no access to each other. */
gpu_result stub_enable_peer(cu_context context, unsigned flags) {
    IN_CONTEXT
    LEAVE(flags == 0 && is_context(context) && context != &contexts[1] ? 0 : INVALID_VALUE);
}

gpu_result stub_launch_together(gpu_function function, unsigned gx, unsigned gy, unsigned gz,
                                unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                gpu_stream stream, void **args) {
    IN_CONTEXT
    const stub_launch_of launch = {function, {gx, gy, gz}, {bx, by, bz}, shared, true};
    LEAVE(stub_enqueue_launch(&launch, stream, args));
}
