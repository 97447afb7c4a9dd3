/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rates of many kernels in one process: rate MANIFEST, a line a kernel:
 *   LABEL CUBIN KERNEL KIND RANK X Y Z ELEMENT_BYTES PADDING_X PADDING_Y PADDING_Z PORTS
 *   BT BLOCK_X BLOCK_Y BLOCK_Z TILE_X TILE_Y TILES OVERLAP SCRATCHPAD PARAMETERS
 * KIND .. PARAMETERS as in stencilopt/region.h and describe.c; X Y Z: the domain's extents. Prints
 * for each:
 *   LABEL registers R spilled BYTES resident BLOCKS chunk PLANES rate GCELLS spread SHARE
 * or "LABEL failed WHY". The chunk is the best of those that fill some numbers of waves; the rate
 * the median of three samples, each of 20 time steps or 10 ms. Needs only the driver. Kernels take
 * no scalars and no other grids; both halos are alike. tools/bench/search writes the manifest.
 */
#include "driver.h"
#include "stencilopt/region.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 3, STEPS = 20 }; /* a sample's */
static const double sample_seconds = 0.01;

typedef struct job {
    char label[128], cubin[256], kernel[64], ports[32], parameters[512];
    int kind, rank, bytes, bt, block[3], tile[2], tiles, overlap, scratchpad;
    int64_t extent[3], padding[3];
} job;

static cu_address buffers[2], noise_there;
static size_t buffer_bytes;
static int processors;
static cu_handle start, stop;

/* The same values for all: what earlier kernels left may be infinite or zero, which takes other
 * ways through a division, and less power. */
static void fill_buffers(void) {
    for (int i = 0; i < 2; i++)
        cu_check(cuMemcpyDtoD_v2(buffers[i], noise_there, buffer_bytes), "cuMemcpyDtoD");
}

static void allocate(size_t bytes) {
    static unsigned noise[1 << 20];
    cu_address *all[] = {&buffers[0], &buffers[1], &noise_there};
    if (bytes <= buffer_bytes)
        return;
    for (int i = 0; i < 3; i++) {
        if (buffer_bytes)
            cuMemFree_v2(*all[i]);
        cu_check(cuMemAlloc_v2(all[i], bytes), "cuMemAlloc");
    }
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++) /* normal, as float or double */
        noise[i] = 0x3f000000u | ((unsigned)rand() & 0x7fffff);
    for (size_t at = 0; at < bytes; at += sizeof noise) {
        size_t n = bytes - at < sizeof noise ? bytes - at : sizeof noise;
        cu_check(cuMemcpyHtoD_v2(noise_there + at, noise, n), "cuMemcpyHtoD");
    }
    buffer_bytes = bytes;
}

/* What a launch of one job takes. */
typedef struct launcher {
    const job *j;
    cu_handle f;
    cu_address origin[2]; /* cell 0 of each buffer; swapped after a launch */
    int64_t stride[2], chunk;
    unsigned grid[3];
} launcher;

/* Where the value of a parameter is. Both halos are alike: the other buffer may be the source. */
static void *argument(launcher *l, unsigned kind, unsigned index) {
    static int64_t zero;
    switch (kind) {
    case STENCILRT_ARG_PORT:
        return &l->origin[l->j->ports[index] == 'w'];
    case STENCILRT_ARG_DST:
        return &l->origin[1];
    case STENCILRT_ARG_SRC:
    case STENCILRT_ARG_OTHER:
        return &l->origin[0];
    case STENCILRT_ARG_EXTENT:
        return (void *)&l->j->extent[index];
    case STENCILRT_ARG_STRIDE:
        return &l->stride[index % 3 - 1];
    case STENCILRT_ARG_CHUNK:
        return &l->chunk;
    default:
        return &zero;
    }
}

static int launch(launcher *l) {
    const job *j = l->j;
    void *args[48];
    const char *next = j->parameters;
    for (int n = 0; n < 48 && *next; n++) {
        unsigned kind = (unsigned)strtoul(next, (char **)&next, 10);
        unsigned index = (unsigned)strtoul(next + 1, (char **)&next, 10);
        args[n] = argument(l, kind, index);
        next += *next == ',';
    }
    int code = cuLaunchKernel(l->f, l->grid[0], l->grid[1], l->grid[2], (unsigned)j->block[0],
                              (unsigned)j->block[1], (unsigned)j->block[2], (unsigned)j->scratchpad,
                              NULL, args, NULL);
    cu_address swap = l->origin[0];
    l->origin[0] = l->origin[1];
    l->origin[1] = swap;
    return code;
}

/* Seconds a launch. */
static double measure(launcher *l, int launches) {
    float ms;
    cu_check(cuEventRecord(start, NULL), "cuEventRecord");
    for (int i = 0; i < launches; i++)
        cu_check(launch(l), "cuLaunchKernel");
    cu_check(cuEventRecord(stop, NULL), "cuEventRecord");
    cu_check(cuEventSynchronize(stop), "cuEventSynchronize");
    cu_check(cuEventElapsedTime(&ms, start, stop), "cuEventElapsedTime");
    return 1e-3 * (double)ms / launches;
}

static int64_t parts(int64_t whole, int64_t part) {
    return (whole + part - 1) / part;
}

static void use_chunk(launcher *l, int64_t chunk) {
    int last = l->j->rank - 1;
    l->chunk = chunk;
    l->grid[last] = (unsigned)parts(l->j->extent[last], chunk);
}

/* Tries how many waves the chunks make. */
static void choose_chunk(launcher *l, int resident) {
    static const int waves[] = {1, 2, 4, 8};
    const job *j = l->j;
    int64_t extent = j->extent[j->rank - 1], best = 0, tried = 0;
    int64_t tiles = (int64_t)l->grid[0] * (j->rank == 3 ? l->grid[1] : 1);
    double least = 1e30;
    for (size_t w = 0; w < sizeof waves / sizeof *waves; w++) {
        int64_t count = (int64_t)processors * resident * waves[w] / tiles;
        int64_t chunk = parts(extent, count < 1 ? 1 : count > extent ? extent : count);
        if (chunk == tried)
            continue;
        tried = chunk;
        use_chunk(l, chunk);
        double t = measure(l, 1);
        if (t < least) {
            best = chunk;
            least = t;
        }
    }
    use_chunk(l, best);
}

/* Buffers as the runtime pads them, rows at multiples of 128 bytes. */
static void place(launcher *l) {
    const job *j = l->j;
    int64_t x = (j->padding[0] + 31) / 32 * 32;
    int64_t pitch = (j->extent[0] + 2 * x + 31) / 32 * 32;
    int64_t plane = pitch * (j->extent[1] + 2 * j->padding[1]);
    int64_t planes = j->rank == 3 ? j->extent[2] + 2 * j->padding[2] : 1;
    allocate((size_t)(plane * planes * j->bytes));
    int64_t at = (j->rank == 3 ? j->padding[2] : 0) * plane + j->padding[1] * pitch + x;
    l->stride[0] = pitch;
    l->stride[1] = plane;
    for (int i = 0; i < 2; i++)
        l->origin[i] = buffers[i] + (cu_address)(at * j->bytes);
}

static void lay_out(launcher *l) {
    const job *j = l->j;
    for (int d = 0; d < 3; d++)
        l->grid[d] = d < j->rank ? (unsigned)parts(j->extent[d], j->block[d]) : 1;
    if (j->kind == STENCILRT_STREAM) {
        l->grid[0] = (unsigned)parts(j->extent[0], (int64_t)j->tile[0] * j->tiles);
        l->grid[1] = j->rank == 3 ? (unsigned)parts(j->extent[1], j->tile[1]) : 1;
    }
}

static void run(const job *j) {
    launcher l = {.j = j};
    cu_handle module;
    int registers, local, resident = 0, code = cuModuleLoad(&module, j->cubin);
    double samples[SAMPLES];
    doing = j->label;
    if (code) {
        printf("%s failed to load: %d\n", j->label, code);
        return;
    }
    cu_check(cuModuleGetFunction(&l.f, module, j->kernel), "cuModuleGetFunction");
    cu_check(cuFuncGetAttribute(&registers, REGISTERS, l.f), "cuFuncGetAttribute");
    cu_check(cuFuncGetAttribute(&local, SPILL_BYTES, l.f), "cuFuncGetAttribute");
    cuFuncSetAttribute(l.f, DYNAMIC_BYTES, j->scratchpad);
    cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, l.f, j->block[0] * j->block[1] * j->block[2], (size_t)j->scratchpad);
    place(&l);
    lay_out(&l);
    if (resident == 0) {
        printf("%s failed: does not fit the device\n", j->label);
    } else {
        fill_buffers();
        if (j->kind == STENCILRT_STREAM)
            choose_chunk(&l, resident);
        fill_buffers();
        double once = measure(&l, 1);
        int launches = STEPS / j->bt;
        if (launches * once > sample_seconds)
            launches = (int)(sample_seconds / once);
        for (int i = 0; i < SAMPLES; i++)
            samples[i] = measure(&l, launches < 1 ? 1 : launches);
        qsort(samples, SAMPLES, sizeof *samples, by_size);
        double cells = (double)j->extent[0] * (double)j->extent[1] * (double)j->extent[2];
        double middle = samples[SAMPLES / 2];
        printf("%s registers %d spilled %d resident %d chunk %ld rate %.2f spread %.4f\n", j->label,
               registers, local, resident, (long)l.chunk, 1e-9 * cells * j->bt / middle,
               (samples[SAMPLES - 1] - samples[0]) / middle / 2);
    }
    fflush(stdout);
    cuModuleUnload(module);
}

static int read_job(FILE *manifest, job *j) {
    return fscanf(manifest,
                  "%127s %255s %63s %d %d %ld %ld %ld %d %ld %ld %ld %31s %d %d %d %d %d %d %d %d "
                  "%d %511s",
                  j->label, j->cubin, j->kernel, &j->kind, &j->rank, &j->extent[0], &j->extent[1],
                  &j->extent[2], &j->bytes, &j->padding[0], &j->padding[1], &j->padding[2],
                  j->ports, &j->bt, &j->block[0], &j->block[1], &j->block[2], &j->tile[0],
                  &j->tile[1], &j->tiles, &j->overlap, &j->scratchpad, j->parameters) == 23;
}

int main(int argc, char **argv) {
    FILE *manifest = argc > 1 ? fopen(argv[1], "r") : NULL;
    job j;
    if (!manifest) {
        fprintf(stderr, "rate: no manifest\n");
        return 2;
    }
    doing = "rate";
    int device = cu_open();
    cu_check(cuDeviceGetAttribute(&processors, PROCESSORS, device), "cuDeviceGetAttribute");
    cu_check(cuEventCreate(&start, 0), "cuEventCreate");
    cu_check(cuEventCreate(&stop, 0), "cuEventCreate");
    while (read_job(manifest, &j))
        run(&j);
    return 0;
}
