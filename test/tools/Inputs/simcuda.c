/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A libcuda.so.1 for tools/bench/launch that runs kernels on the simulator: modules are LLVM IR.
 */
#include "sim/inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OK, WRONG, NOT_FOUND = 500, FAULT = 700, MOST_ARGS = 32 };

typedef struct function {
    stencilsim_module *module;
    char kernel[128];
} function;

static int sticky; /* as after a real launch that failed */

int cuInit(unsigned flags) {
    return flags ? WRONG : OK;
}
int cuDeviceGet(int *device, int number) {
    *device = 0;
    return number ? WRONG : OK;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = &sticky;
    return device ? WRONG : OK;
}
int cuCtxSetCurrent(void *context) {
    return context == &sticky ? OK : WRONG;
}
int cuMemAlloc_v2(char **at, size_t size) {
    *at = stencilsim_alloc(size, "buffer");
    return *at ? sticky : WRONG;
}
int cuMemFree_v2(char *at) {
    stencilsim_free(at);
    return OK;
}
int cuMemcpyHtoD_v2(char *to, const char *from, size_t size) {
    memcpy(to, from, size);
    return sticky;
}
int cuMemcpyDtoH_v2(char *to, const char *from, size_t size) {
    memcpy(to, from, size);
    return sticky;
}
int cuMemcpyDtoD_v2(char *to, const char *from, size_t size) {
    memcpy(to, from, size);
    return sticky;
}
int cuModuleLoad(stencilsim_module **module, const char *path) {
    static char text[1 << 22], error[512];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    *module = stencilsim_load(text, size, error, sizeof error);
    return *module ? sticky : WRONG;
}
int cuModuleUnload(stencilsim_module *module) {
    stencilsim_unload(module);
    return OK;
}
int cuModuleGetFunction(function **f, stencilsim_module *module, const char *name) {
    *f = calloc(1, sizeof **f); /* lives as long as the process */
    (*f)->module = module;
    snprintf((*f)->kernel, sizeof(*f)->kernel, "%s", name);
    return stencilsim_kernel_nparams(module, name) < 0 ? NOT_FOUND : OK;
}
int cuFuncGetAttribute(int *value, int attribute, function *f) {
    *value = attribute == 4 ? 99 : 0;
    return f ? OK : WRONG;
}
int cuLaunchKernel(function *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned bytes, void *stream, void **args, void **extra) {
    char error[512];
    size_t sizes[MOST_ARGS];
    int n = stencilsim_kernel_nparams(f->module, f->kernel);
    if (stream || extra || n > MOST_ARGS || sticky)
        return sticky ? sticky : WRONG;
    for (int i = 0; i < n; i++)
        stencilsim_kernel_param(f->module, f->kernel, i, &sizes[i]);
    stencilsim_launch launch = {f->kernel, {gx, gy, gz}, {bx, by, bz},
                                bytes,     32,           (const void *const *)args,
                                sizes,     (uint32_t)n};
    if (stencilsim_run(f->module, &launch, error, sizeof error))
        sticky = FAULT;
    return sticky;
}
int cuEventCreate(struct timespec **event, unsigned flags) {
    *event = calloc(1, sizeof **event);
    return flags ? WRONG : OK;
}
int cuEventRecord(struct timespec *event, void *stream) {
    return stream || clock_gettime(CLOCK_MONOTONIC, event) ? WRONG : OK;
}
int cuEventSynchronize(struct timespec *event) {
    return event ? sticky : WRONG;
}
int cuEventElapsedTime(float *ms, struct timespec *start, struct timespec *end) {
    *ms = (float)(1e3 * (double)(end->tv_sec - start->tv_sec) +
                  1e-6 * (double)(end->tv_nsec - start->tv_nsec));
    return OK;
}
