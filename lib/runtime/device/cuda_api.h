/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The part of the CUDA driver interface that HIP does not share; gpu_api.h has the rest. Layouts
 * and numbers: CUDA Driver API reference manual (cuda.h).
 */
#ifndef STENCILRT_CUDA_API_H
#define STENCILRT_CUDA_API_H

#include "runtime/device/gpu_api.h"

typedef int cu_device;
typedef struct cu_context_object *cu_context;

enum {
    CU_MAX_THREADS_PER_BLOCK = 1,
    CU_MAX_BLOCK_DIM_X = 2, /* y and z follow */
    CU_MAX_GRID_DIM_X = 5,  /* y and z follow */
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
    gpu_address src_device;
    void *src_array;
    size_t src_pitch;
    size_t dst_x, dst_y;
    unsigned dst_type;
    void *dst_host;
    gpu_address dst_device;
    void *dst_array;
    size_t dst_pitch;
    size_t width, height;
} cu_memcpy2d;

/* member, symbol, parameters */
#define CU_FUNCTIONS(X)                                                                            \
    X(error_string, "cuGetErrorString", (gpu_result, const char **))                               \
    X(device_get, "cuDeviceGet", (cu_device *, int))                                               \
    X(device_name, "cuDeviceGetName", (char *, int, cu_device))                                    \
    X(context_retain, "cuDevicePrimaryCtxRetain", (cu_context *, cu_device))                       \
    X(context_release, "cuDevicePrimaryCtxRelease_v2", (cu_device))                                \
    X(context_push, "cuCtxPushCurrent_v2", (cu_context))                                           \
    X(context_pop, "cuCtxPopCurrent_v2", (cu_context *))                                           \
    X(copy_2d, "cuMemcpy2DAsync_v2", (const cu_memcpy2d *, gpu_stream))                            \
    X(module_load, "cuModuleLoadDataEx", (gpu_module *, const void *, unsigned, int *, void **))   \
    X(function_set, "cuFuncSetAttribute", (gpu_function, int, int))

typedef struct cu_api {
#define CU_MEMBER(member, symbol, parameters) gpu_result(*member) parameters;
    CU_FUNCTIONS(CU_MEMBER)
#undef CU_MEMBER
    /* cuMemcpyPeerAsync and cuCtxEnablePeerAccess; NULL if the library does not have them. */
    gpu_result (*copy_peer)(gpu_address, cu_context, gpu_address, cu_context, size_t, gpu_stream);
    gpu_result (*enable_peer)(cu_context, unsigned);
    /* cuLaunchCooperativeKernel; NULL if the library does not have it. */
    gpu_result (*launch_together)(gpu_function, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  unsigned, unsigned, gpu_stream, void **);
} cu_api;

#endif
