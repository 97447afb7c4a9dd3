/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * CUDA's driver, found when the program runs: what rate.c and launch.c share.
 */
#ifndef BENCH_DRIVER_H
#define BENCH_DRIVER_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *cu_handle;
typedef uint64_t cu_address;

#define FUNCTIONS(X)                                                                               \
    X(cuInit, (unsigned))                                                                          \
    X(cuDeviceGet, (int *, int))                                                                   \
    X(cuDeviceGetAttribute, (int *, int, int))                                                     \
    X(cuDevicePrimaryCtxRetain, (cu_handle *, int))                                                \
    X(cuCtxSetCurrent, (cu_handle))                                                                \
    X(cuMemAlloc_v2, (cu_address *, size_t))                                                       \
    X(cuMemFree_v2, (cu_address))                                                                  \
    X(cuMemcpyHtoD_v2, (cu_address, const void *, size_t))                                         \
    X(cuMemcpyDtoH_v2, (void *, cu_address, size_t))                                               \
    X(cuMemcpyDtoD_v2, (cu_address, cu_address, size_t))                                           \
    X(cuModuleLoad, (cu_handle *, const char *))                                                   \
    X(cuModuleUnload, (cu_handle))                                                                 \
    X(cuModuleGetFunction, (cu_handle *, cu_handle, const char *))                                 \
    X(cuFuncGetAttribute, (int *, int, cu_handle))                                                 \
    X(cuFuncSetAttribute, (cu_handle, int, int))                                                   \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, cu_handle, int, size_t))                \
    X(cuLaunchKernel, (cu_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,      \
                       unsigned, cu_handle, void **, void **))                                     \
    X(cuEventCreate, (cu_handle *, unsigned))                                                      \
    X(cuEventRecord, (cu_handle, cu_handle))                                                       \
    X(cuEventSynchronize, (cu_handle))                                                             \
    X(cuEventElapsedTime, (float *, cu_handle, cu_handle))

#define DECLARE(name, parameters) static int(*name) parameters __attribute__((unused));
FUNCTIONS(DECLARE)

enum { SPILL_BYTES = 3, REGISTERS = 4, DYNAMIC_BYTES = 8, PROCESSORS = 16 };

static const char *doing = ""; /* what messages name */

/* Ends the process: after a failed launch nothing can be measured. */
static inline void cu_check(int code, const char *what) {
    if (code) {
        printf("%s failed: %s: %d\n", doing, what, code);
        exit(1);
    }
}

/* The first device, its primary context current. */
static inline int cu_open(void) {
    cu_handle library = dlopen("libcuda.so.1", RTLD_NOW), context;
    int device;
    if (!library) {
        fprintf(stderr, "%s: %s\n", doing, dlerror());
        exit(2);
    }
#define FIND(name, parameters) *(void **)&name = dlsym(library, #name);
    FUNCTIONS(FIND)
    cu_check(cuInit(0), "cuInit");
    cu_check(cuDeviceGet(&device, 0), "cuDeviceGet");
    cu_check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    cu_check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    return device;
}

static inline int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
