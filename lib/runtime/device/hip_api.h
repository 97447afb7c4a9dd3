/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The part of HIP that CUDA does not share, from version 5 (ROCm 5) on; gpu_api.h has the rest.
 * Layouts and numbers: HIP API reference (hip_runtime_api.h). The layout of hipDeviceProp_t and the
 * name of its function changed with version 6; the fields that are read here have an offset for
 * each layout.
 */
#ifndef STENCILRT_HIP_API_H
#define STENCILRT_HIP_API_H

#include "runtime/device/gpu_api.h"

enum {
    HIP_MAX_BLOCK_DIM_X = 26, /* y and z follow */
    HIP_MAX_GRID_DIM_X = 29,  /* y and z follow */
    HIP_MAX_THREADS_PER_BLOCK = 56,
    HIP_MULTIPROCESSOR_COUNT = 63,
    HIP_MAX_SHARED_MEMORY_PER_BLOCK = 74,
    HIP_MEMCPY_HOST_TO_DEVICE = 1,
    HIP_MEMCPY_DEVICE_TO_HOST = 2,
    HIP_MEMCPY_DEVICE_TO_DEVICE = 3,
};

/* For both layouts: the name comes first, and HIP_PROPERTIES is larger than either struct. */
enum {
    HIP_NAME_BYTES = 256,       /* also of gcnArchName */
    HIP_ARCH_NAME_R0600 = 1160, /* hipGetDevicePropertiesR0600 */
    HIP_ARCH_NAME_R0000 = 396,  /* hipGetDeviceProperties of version 5 */
    HIP_PROPERTIES_BYTES = 16384,
};

/* member, symbol, parameters */
#define HIP_FUNCTIONS(X)                                                                           \
    X(device_current, "hipGetDevice", (int *))                                                     \
    X(device_select, "hipSetDevice", (int))                                                        \
    X(last_error, "hipGetLastError", (void))                                                       \
    X(module_load, "hipModuleLoadData", (gpu_module *, const void *))                              \
    X(copy_2d, "hipMemcpy2DAsync",                                                                 \
      (void *, size_t, const void *, size_t, size_t, size_t, int, gpu_stream))

typedef struct hip_api {
#define HIP_MEMBER(member, symbol, parameters) gpu_result(*member) parameters;
    HIP_FUNCTIONS(HIP_MEMBER)
#undef HIP_MEMBER
    /* hipMemcpyPeerAsync and hipDeviceEnablePeerAccess; NULL if the library does not have them. */
    gpu_result (*copy_peer)(void *, int, const void *, int, size_t, gpu_stream);
    gpu_result (*enable_peer)(int, unsigned);
    const char *(*error_string)(gpu_result);      /* hipGetErrorString */
    gpu_result (*properties)(void *, int device); /* the function of either version */
    int arch_name;                                /* the offset of gcnArchName for this function */
} hip_api;

#endif
