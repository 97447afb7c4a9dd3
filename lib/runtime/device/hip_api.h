/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What only HIP has, of version 5 (ROCm 5) and later; the rest is in gpu_api.h. Layouts and
 * numbers: HIP API reference (hip_runtime_api.h), and of hipDeviceProp_t, whose layout changed with
 * version 6 and its function's name with it, where the fields are that are read here.
 */
#ifndef STENCILRT_HIP_API_H
#define STENCILRT_HIP_API_H

#include "runtime/device/gpu_api.h"

enum {
    HIP_MAX_BLOCK_DIM_X = 26, /* then y and z */
    HIP_MAX_GRID_DIM_X = 29,  /* likewise */
    HIP_MAX_THREADS_PER_BLOCK = 56,
    HIP_MULTIPROCESSOR_COUNT = 63,
    HIP_MAX_SHARED_MEMORY_PER_BLOCK = 74,
    HIP_MEMCPY_HOST_TO_DEVICE = 1,
    HIP_MEMCPY_DEVICE_TO_HOST = 2,
    HIP_MEMCPY_DEVICE_TO_DEVICE = 3,
};

/* Of both layouts: the name is first; the whole is larger than either. */
enum {
    HIP_NAME_BYTES = 256,       /* gcnArchName's too */
    HIP_ARCH_NAME_R0600 = 1160, /* hipGetDevicePropertiesR0600 */
    HIP_ARCH_NAME_R0000 = 396,  /* hipGetDeviceProperties, of version 5 */
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
    const char *(*error_string)(gpu_result);      /* hipGetErrorString */
    gpu_result (*properties)(void *, int device); /* one of the two */
    int arch_name;                                /* where that puts it */
} hip_api;

#endif
