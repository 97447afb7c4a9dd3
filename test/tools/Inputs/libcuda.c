/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A driver for tools/bench/rate that runs nothing: 132 processors of two blocks each, and a launch
 * takes a microsecond a block. It refuses what a real one would: pointers outside its allocations,
 * a kernel that its module does not have, too much scratchpad. CRASH=N: the N-th launch fails.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK, WRONG, BLOCKS = 2, PROCESSORS = 132 };

static struct {
    uint64_t at, size;
} memory[8];
static char *code;
static long code_size, launches;
static double now;

static int contains(const char *name) {
    size_t n = strlen(name);
    for (long i = 0; i + (long)n <= code_size; i++)
        if (!memcmp(code + i, name, n))
            return 1;
    return 0;
}

static int is_ours(uint64_t at) {
    for (int i = 0; i < 8; i++)
        if (at > memory[i].at && at < memory[i].at + memory[i].size)
            return 1;
    return 0;
}

int cuInit(unsigned flags) {
    return flags ? WRONG : OK;
}
int cuDeviceGet(int *device, int number) {
    *device = 7;
    return number ? WRONG : OK;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    *value = PROCESSORS;
    return attribute == 16 && device == 7 ? OK : WRONG;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = &now;
    return device == 7 ? OK : WRONG;
}
int cuCtxSetCurrent(void *context) {
    return context == &now ? OK : WRONG;
}
int cuMemAlloc_v2(uint64_t *at, size_t size) {
    for (int i = 0; i < 8; i++)
        if (!memory[i].size) {
            memory[i].at = *at = (uint64_t)(i + 1) << 40;
            memory[i].size = size;
            return OK;
        }
    return WRONG;
}
int cuMemFree_v2(uint64_t at) {
    memory[(at >> 40) - 1].size = 0;
    return OK;
}
int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t size) {
    return is_ours(to + 1) && is_ours(to + size - 1) && is_ours(from + 1) && is_ours(from + size - 1)
               ? OK
               : WRONG;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) {
    return from && (is_ours(to) || is_ours(to + 1)) && is_ours(to + size - 1) ? OK : WRONG;
}
int cuModuleLoad(void **module, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return WRONG;
    fseek(file, 0, SEEK_END);
    code_size = ftell(file);
    rewind(file);
    *module = code = malloc((size_t)code_size);
    code_size = (long)fread(code, 1, (size_t)code_size, file);
    return fclose(file);
}
int cuModuleUnload(void *module) {
    free(module);
    return OK;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = module;
    return contains(name) ? OK : WRONG;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
    *value = attribute == 4 ? 99 : 0;
    return function == code ? OK : WRONG;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
    return function == code && attribute == 8 && value <= 227 << 10 ? OK : WRONG;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                size_t bytes) {
    *blocks = BLOCKS;
    return function == code && threads > 0 && bytes <= 227 << 10 ? OK : WRONG;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned bytes, void *stream, void **arguments, void **extra) {
    const char *crash = getenv("CRASH");
    uint64_t first, second;
    memcpy(&first, arguments[0], sizeof first);
    memcpy(&second, arguments[1], sizeof second);
    now += 1e-3 * gx * gy * gz;
    if (crash && ++launches == atol(crash))
        return 700;
    return f == code && gx && gy && gz && bx * by * bz <= 1024 && bytes <= 227 << 10 && !stream &&
                   !extra && is_ours(first) && is_ours(second) && first != second
               ? OK
               : WRONG;
}
int cuEventCreate(void **event, unsigned flags) {
    *event = calloc(1, sizeof now);
    return flags ? WRONG : OK;
}
int cuEventRecord(void *event, void *stream) {
    *(double *)event = now;
    return stream ? WRONG : OK;
}
int cuEventSynchronize(void *event) {
    return event ? OK : WRONG;
}
int cuEventElapsedTime(float *ms, void *start, void *end) {
    *ms = (float)(*(double *)end - *(double *)start);
    return OK;
}
