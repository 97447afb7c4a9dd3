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

typedef void *handle;
typedef uint64_t address;

#define FUNCTIONS(X)                                                                               \
    X(cuInit, (unsigned))                                                                          \
    X(cuDeviceGet, (int *, int))                                                                   \
    X(cuDeviceGetAttribute, (int *, int, int))                                                     \
    X(cuDevicePrimaryCtxRetain, (handle *, int))                                                   \
    X(cuCtxSetCurrent, (handle))                                                                   \
    X(cuMemAlloc_v2, (address *, size_t))                                                          \
    X(cuMemFree_v2, (address))                                                                     \
    X(cuMemcpyHtoD_v2, (address, const void *, size_t))                                            \
    X(cuMemcpyDtoH_v2, (void *, address, size_t))                                                  \
    X(cuMemcpyDtoD_v2, (address, address, size_t))                                                 \
    X(cuModuleLoad, (handle *, const char *))                                                      \
    X(cuModuleUnload, (handle))                                                                    \
    X(cuModuleGetFunction, (handle *, handle, const char *))                                       \
    X(cuFuncGetAttribute, (int *, int, handle))                                                    \
    X(cuFuncSetAttribute, (handle, int, int))                                                      \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, handle, int, size_t))                   \
    X(cuLaunchKernel, (handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,         \
                       unsigned, handle, void **, void **))                                        \
    X(cuEventCreate, (handle *, unsigned))                                                         \
    X(cuEventRecord, (handle, handle))                                                             \
    X(cuEventSynchronize, (handle))                                                                \
    X(cuEventElapsedTime, (float *, handle, handle))

#define DECLARE(name, parameters) static int(*name) parameters __attribute__((unused));
FUNCTIONS(DECLARE)

enum { SPILL_BYTES = 3, REGISTERS = 4, DYNAMIC_BYTES = 8, PROCESSORS = 16 };

static const char *doing = ""; /* what messages name */

/* Ends the process: after a failed launch nothing can be measured. */
static inline void check(int code, const char *what) {
    if (code) {
        printf("%s failed: %s: %d\n", doing, what, code);
        exit(1);
    }
}

/* The first device, its primary context current. */
static inline int open_device(void) {
    handle library = dlopen("libcuda.so.1", RTLD_NOW), context;
    int device;
    if (!library) {
        fprintf(stderr, "%s: %s\n", doing, dlerror());
        exit(2);
    }
#define FIND(name, parameters) *(void **)&name = dlsym(library, #name);
    FUNCTIONS(FIND)
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    return device;
}

static inline int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
