/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rates of many stream and strip kernels in one process: rate MANIFEST, a line a kernel:
 *   LABEL CUBIN KERNEL RANK X Y Z ELEMENT_BYTES BT TILE_X TILE_Y TILES THREADS SCRATCHPAD OVERLAP
 * Prints for each: registers, spills, blocks an SM, the best chunk among those that fill 1 to 12
 * waves (a strip kernel, of rank 1, has none), and GCells/s with it. Needs only the driver; kernels
 * take no scalars and no other grids. tools/bench/search writes the manifest.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *handle;
typedef uint64_t address;

#define FUNCTIONS(X)                                                                               \
    X(cuInit, (unsigned))                                                                          \
    X(cuDeviceGet, (int *, int))                                                                   \
    X(cuDeviceGetAttribute, (int *, int, int))                                                     \
    X(cuDevicePrimaryCtxRetain, (handle *, int))                                                   \
    X(cuCtxSetCurrent, (handle))                                                                   \
    X(cuMemAlloc_v2, (address *, size_t))                                                          \
    X(cuMemcpyHtoD_v2, (address, const void *, size_t))                                            \
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

#define DECLARE(name, parameters) static int(*name) parameters;
FUNCTIONS(DECLARE)

enum {
    SPILL_BYTES = 3,
    REGISTERS = 4,
    DYNAMIC_BYTES = 8,
    PROCESSORS = 16,
    MARGIN = 256,
    LINE_MARGIN = 16384
};

static void check(int code, const char *what) {
    if (code) {
        printf("%s failed: %d\n", what, code);
        exit(1);
    }
}

typedef struct job {
    char label[128], cubin[256], kernel[64];
    int rank, bytes, bt, tile[2], tiles, threads, scratchpad, overlap;
    int64_t extent[3];
} job;

static address buffers[3];
static size_t buffer_bytes;
static int processors;
static handle start, stop;

static void allocate(size_t bytes) {
    static unsigned noise[1 << 20];
    if (bytes <= buffer_bytes)
        return;
    buffer_bytes = bytes;
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        noise[i] =
            0x3f000000u | ((unsigned)rand() & 0x7fffff); /* about a half, as float or double */
    for (int i = 0; i < 3; i++) {
        check(cuMemAlloc_v2(&buffers[i], bytes), "cuMemAlloc");
        for (size_t at = 0; at < bytes; at += sizeof noise) {
            size_t n = bytes - at < sizeof noise ? bytes - at : sizeof noise;
            check(cuMemcpyHtoD_v2(buffers[i] + at, noise, n), "cuMemcpyHtoD");
        }
    }
}

static double launch(const job *j, handle f, const unsigned grid[3], int64_t chunk, address origin,
                     int64_t pitch, int64_t plane) {
    address src = buffers[0] + origin, dst = buffers[2] + origin, other = src; /* equal halos */
    int64_t stride[2] = {pitch, plane};
    void *args[16];
    int n = 0, repeats = 4;
    float ms;
    args[n++] = &dst;
    args[n++] = &src;
    args[n++] = &other;
    for (int d = 0; d < j->rank; d++)
        args[n++] = (void *)&j->extent[d];
    for (int d = 1; d < j->rank; d++)
        args[n++] = &stride[d - 1];
    if (j->rank > 1)
        args[n++] = &chunk;
    for (int i = 0; i <= repeats; i++) {
        if (i == 1)
            check(cuEventRecord(start, NULL), "cuEventRecord");
        check(cuLaunchKernel(f, grid[0], grid[1], grid[2], (unsigned)j->threads, 1, 1,
                             (unsigned)j->scratchpad, NULL, args, NULL),
              "cuLaunchKernel");
        address swap = src;
        src = dst;
        dst = swap;
        other = src;
    }
    check(cuEventRecord(stop, NULL), "cuEventRecord");
    check(cuEventSynchronize(stop), "cuEventSynchronize");
    check(cuEventElapsedTime(&ms, start, stop), "cuEventElapsedTime");
    return 1e-3 * (double)ms / repeats;
}

static int64_t parts(int64_t whole, int64_t part) {
    return (whole + part - 1) / part;
}

static void run(const job *j) {
    handle module, f;
    int registers, local, resident, last = j->rank - 1;
    int code = cuModuleLoad(&module, j->cubin);
    if (code) {
        printf("%-40s does not load: %d\n", j->label, code);
        return;
    }
    check(cuModuleGetFunction(&f, module, j->kernel), "cuModuleGetFunction");
    check(cuFuncSetAttribute(f, DYNAMIC_BYTES, j->scratchpad), "cuFuncSetAttribute");
    check(cuFuncGetAttribute(&registers, REGISTERS, f), "cuFuncGetAttribute");
    check(cuFuncGetAttribute(&local, SPILL_BYTES, f), "cuFuncGetAttribute");
    check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&resident, f, j->threads,
                                                      (size_t)j->scratchpad),
          "cuOccupancy");
    int64_t margin = j->rank > 1 ? MARGIN : LINE_MARGIN, pad = j->rank > 1 ? MARGIN : 0;
    int64_t pitch = (j->extent[0] + 2 * margin + 31) / 32 * 32;
    int64_t rows = j->extent[1] + 2 * pad, planes = j->rank == 3 ? j->extent[2] + 128 : 1;
    int64_t plane = pitch * rows;
    allocate((size_t)(plane * planes * j->bytes));
    address origin = (address)(((j->rank == 3 ? 64 : 0) * plane + pad * pitch + margin) * j->bytes);
    unsigned grid[3] = {(unsigned)parts(parts(j->extent[0], j->tile[0]), j->tiles), 1, 1};
    if (j->rank == 3)
        grid[1] = (unsigned)parts(j->extent[1], j->tile[1]);
    double best = 1e30;
    int64_t best_chunk = 0, tried = 0;
    for (int waves = 1; waves <= (j->rank > 1 ? 12 : 1) && resident; waves++) {
        int64_t chunks = (int64_t)processors * resident * waves / (grid[0] * grid[1]);
        chunks = chunks < 1 ? 1 : chunks > j->extent[last] ? j->extent[last] : chunks;
        int64_t chunk = parts(j->extent[last], chunks);
        if (chunk == tried)
            continue;
        tried = chunk;
        if (j->rank > 1)
            grid[last] = (unsigned)parts(j->extent[last], chunk);
        double t = launch(j, f, grid, chunk, origin, pitch, plane);
        if (t < best) {
            best = t;
            best_chunk = chunk;
        }
    }
    double cells =
        (double)j->extent[0] * (double)j->extent[1] * (double)(j->rank == 3 ? j->extent[2] : 1);
    printf("%-40s registers %3d spilled %4d resident %2d chunk %5ld  %8.1f GCells/s\n", j->label,
           registers, local, resident, (long)best_chunk, 1e-9 * cells * j->bt / best);
    fflush(stdout);
    cuModuleUnload(module);
}

int main(int argc, char **argv) {
    handle library = dlopen("libcuda.so.1", RTLD_NOW), context;
    FILE *manifest = argc > 1 ? fopen(argv[1], "r") : NULL;
    int device;
    job j;
    if (!library || !manifest) {
        fprintf(stderr, "rate: %s\n", library ? "no manifest" : dlerror());
        return 2;
    }
#define FIND(name, parameters) *(void **)&name = dlsym(library, #name);
    FUNCTIONS(FIND)
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDeviceGetAttribute(&processors, PROCESSORS, device), "cuDeviceGetAttribute");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuEventCreate(&start, 0), "cuEventCreate");
    check(cuEventCreate(&stop, 0), "cuEventCreate");
    while (fscanf(manifest, "%127s %255s %63s %d %ld %ld %ld %d %d %d %d %d %d %d %d", j.label,
                  j.cubin, j.kernel, &j.rank, &j.extent[0], &j.extent[1], &j.extent[2], &j.bytes,
                  &j.bt, &j.tile[0], &j.tile[1], &j.tiles, &j.threads, &j.scratchpad,
                  &j.overlap) == 15)
        run(&j);
    return 0;
}
