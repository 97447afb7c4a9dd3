/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The few types and functions of the CUDA driver interface that are used here, declared anew so
 * that building needs no CUDA. Layouts and numbers: CUDA Driver API reference manual (cuda.h).
 */
#ifndef STENCILRT_CUDA_API_H
#define STENCILRT_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

typedef int cu_result;
typedef int cu_device;
typedef uint64_t cu_address;
typedef struct cu_context_object *cu_context;
typedef struct cu_module_object *cu_module;
typedef struct cu_function_object *cu_function;
typedef struct cu_stream_object *cu_stream;
typedef struct cu_event_object *cu_event;

enum {
    CU_SUCCESS = 0,
    CU_OUT_OF_MEMORY = 2,
    CU_NO_DEVICE = 100,

    CU_STREAM_NON_BLOCKING = 1,
    CU_MULTIPROCESSOR_COUNT = 16,
    CU_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_COMPUTE_CAPABILITY_MINOR = 76,
    CU_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
};

typedef struct cu_memcpy2d { /* CUDA_MEMCPY2D_v2 */
    size_t src_x, src_y;
    unsigned src_type;
    const void *src_host;
    cu_address src_device;
    void *src_array;
    size_t src_pitch;
    size_t dst_x, dst_y;
    unsigned dst_type;
    void *dst_host;
    cu_address dst_device;
    void *dst_array;
    size_t dst_pitch;
    size_t width, height;
} cu_memcpy2d;

/* member, symbol, parameters */
#define CU_FUNCTIONS(X)                                                                            \
    X(init, "cuInit", (unsigned))                                                                  \
    X(error_string, "cuGetErrorString", (cu_result, const char **))                                \
    X(device_count, "cuDeviceGetCount", (int *))                                                   \
    X(device_get, "cuDeviceGet", (cu_device *, int))                                               \
    X(device_name, "cuDeviceGetName", (char *, int, cu_device))                                    \
    X(device_attribute, "cuDeviceGetAttribute", (int *, int, cu_device))                           \
    X(context_retain, "cuDevicePrimaryCtxRetain", (cu_context *, cu_device))                       \
    X(context_release, "cuDevicePrimaryCtxRelease_v2", (cu_device))                                \
    X(context_push, "cuCtxPushCurrent_v2", (cu_context))                                           \
    X(context_pop, "cuCtxPopCurrent_v2", (cu_context *))                                           \
    X(stream_create, "cuStreamCreate", (cu_stream *, unsigned))                                    \
    X(stream_destroy, "cuStreamDestroy_v2", (cu_stream))                                           \
    X(stream_sync, "cuStreamSynchronize", (cu_stream))                                             \
    X(event_create, "cuEventCreate", (cu_event *, unsigned))                                       \
    X(event_destroy, "cuEventDestroy_v2", (cu_event))                                              \
    X(event_record, "cuEventRecord", (cu_event, cu_stream))                                        \
    X(event_sync, "cuEventSynchronize", (cu_event))                                                \
    X(event_elapsed, "cuEventElapsedTime", (float *, cu_event, cu_event))                          \
    X(mem_alloc, "cuMemAlloc_v2", (cu_address *, size_t))                                          \
    X(mem_free, "cuMemFree_v2", (cu_address))                                                      \
    X(host_alloc, "cuMemHostAlloc", (void **, size_t, unsigned))                                   \
    X(host_free, "cuMemFreeHost", (void *))                                                        \
    X(set_bytes, "cuMemsetD8Async", (cu_address, unsigned char, size_t, cu_stream))                \
    X(copy_in, "cuMemcpyHtoDAsync_v2", (cu_address, const void *, size_t, cu_stream))              \
    X(copy_out, "cuMemcpyDtoHAsync_v2", (void *, cu_address, size_t, cu_stream))                   \
    X(copy_2d, "cuMemcpy2DAsync_v2", (const cu_memcpy2d *, cu_stream))                             \
    X(copy_device, "cuMemcpyDtoDAsync_v2", (cu_address, cu_address, size_t, cu_stream))            \
    X(module_load, "cuModuleLoadDataEx", (cu_module *, const void *, unsigned, int *, void **))    \
    X(module_unload, "cuModuleUnload", (cu_module))                                                \
    X(module_function, "cuModuleGetFunction", (cu_function *, cu_module, const char *))            \
    X(function_set, "cuFuncSetAttribute", (cu_function, int, int))                                 \
    X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", (int *, cu_function, int, size_t)) \
    X(launch, "cuLaunchKernel",                                                                    \
      (cu_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,          \
       cu_stream, void **, void **))

typedef struct cu_api {
#define CU_MEMBER(member, symbol, parameters) cu_result(*member) parameters;
    CU_FUNCTIONS(CU_MEMBER)
#undef CU_MEMBER
} cu_api;

#endif
