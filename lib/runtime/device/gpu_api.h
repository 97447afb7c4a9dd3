/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the CUDA driver interface and HIP share: functions of the same form under two names. They
 * are declared here so that the build needs neither. Addresses are integers here; both interfaces
 * pass them like pointers. Sources: CUDA Driver API reference manual (cuda.h), HIP API reference
 * (hip_runtime_api.h).
 */
#ifndef STENCILRT_GPU_API_H
#define STENCILRT_GPU_API_H

#include <stddef.h>
#include <stdint.h>

typedef int gpu_result; /* CUresult, hipError_t */
typedef uint64_t gpu_address;
typedef struct gpu_module_object *gpu_module;
typedef struct gpu_function_object *gpu_function;
typedef struct gpu_stream_object *gpu_stream;
typedef struct gpu_event_object *gpu_event;

enum {
    GPU_SUCCESS = 0,
    GPU_OUT_OF_MEMORY = 2,
    GPU_NO_DEVICE = 100,
    GPU_INVALID_DEVICE = 101,

    GPU_STREAM_NON_BLOCKING = 1,
};

/* member, CUDA's symbol, HIP's symbol, parameters */
#define GPU_FUNCTIONS(X)                                                                           \
    X(init, "cuInit", "hipInit", (unsigned))                                                       \
    X(device_count, "cuDeviceGetCount", "hipGetDeviceCount", (int *))                              \
    X(device_attribute, "cuDeviceGetAttribute", "hipDeviceGetAttribute", (int *, int, int))        \
    X(stream_create, "cuStreamCreate", "hipStreamCreateWithFlags", (gpu_stream *, unsigned))       \
    X(stream_destroy, "cuStreamDestroy_v2", "hipStreamDestroy", (gpu_stream))                      \
    X(stream_sync, "cuStreamSynchronize", "hipStreamSynchronize", (gpu_stream))                    \
    X(stream_wait, "cuStreamWaitEvent", "hipStreamWaitEvent", (gpu_stream, gpu_event, unsigned))   \
    X(event_create, "cuEventCreate", "hipEventCreateWithFlags", (gpu_event *, unsigned))           \
    X(event_destroy, "cuEventDestroy_v2", "hipEventDestroy", (gpu_event))                          \
    X(event_record, "cuEventRecord", "hipEventRecord", (gpu_event, gpu_stream))                    \
    X(event_sync, "cuEventSynchronize", "hipEventSynchronize", (gpu_event))                        \
    X(event_elapsed, "cuEventElapsedTime", "hipEventElapsedTime", (float *, gpu_event, gpu_event)) \
    X(mem_alloc, "cuMemAlloc_v2", "hipMalloc", (gpu_address *, size_t))                            \
    X(mem_free, "cuMemFree_v2", "hipFree", (gpu_address))                                          \
    X(host_alloc, "cuMemHostAlloc", "hipHostMalloc", (void **, size_t, unsigned))                  \
    X(host_free, "cuMemFreeHost", "hipHostFree", (void *))                                         \
    X(set_bytes, "cuMemsetD8Async", "hipMemsetD8Async",                                            \
      (gpu_address, unsigned char, size_t, gpu_stream))                                            \
    X(set_words, "cuMemsetD32Async", "hipMemsetD32Async",                                          \
      (gpu_address, unsigned, size_t, gpu_stream))                                                 \
    X(copy_in, "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync",                                       \
      (gpu_address, const void *, size_t, gpu_stream))                                             \
    X(copy_out, "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync",                                      \
      (void *, gpu_address, size_t, gpu_stream))                                                   \
    X(copy_device, "cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync",                                   \
      (gpu_address, gpu_address, size_t, gpu_stream))                                              \
    X(module_unload, "cuModuleUnload", "hipModuleUnload", (gpu_module))                            \
    X(module_function, "cuModuleGetFunction", "hipModuleGetFunction",                              \
      (gpu_function *, gpu_module, const char *))                                                  \
    X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                    \
      "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", (int *, gpu_function, int, size_t))    \
    X(launch, "cuLaunchKernel", "hipModuleLaunchKernel",                                           \
      (gpu_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,         \
       gpu_stream, void **, void **))

typedef struct gpu_api {
#define GPU_MEMBER(member, cuda, hip, parameters) gpu_result(*member) parameters;
    GPU_FUNCTIONS(GPU_MEMBER)
#undef GPU_MEMBER
} gpu_api;

typedef struct gpu_symbols {
#define GPU_MEMBER(member, cuda, hip, parameters) const char *member;
    GPU_FUNCTIONS(GPU_MEMBER)
#undef GPU_MEMBER
} gpu_symbols;

#endif
