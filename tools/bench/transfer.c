/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How fast the runtime copies arrays to a device and back, in GB/s (the median of five):
 *   up       rt_upload_boxes
 *   stage    rt_download, to memory of the runtime
 *   write    rt_write_back, from there to the array
 *   fetch    rt_fetch_box, to the array; "new": to an array that has no memory yet
 *   cc -O2 -D_GNU_SOURCE -I lib -I include -I build/include -include lib/runtime/heap.h \
 *       tools/bench/transfer.c $(find lib/runtime -name '*.c') -o transfer -lm -lpthread -ldl
 *   ./transfer [MEGABYTES [CPUS]]    arrays up to so large, on so many CPUs
 */
#include "runtime/device/transfer.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { TIMES = 5, WIDTH = 4096 };

typedef struct bench {
    rt_device *device;
    rt_grid grid;
    rt_buffer buffer;
    rt_shape shape;
    rt_block block;
    unsigned char *staged;
} bench;

static void check(bool good, const rt_error *why) {
    if (good)
        return;
    printf("failed: %d %s\n", (int)why->reason, why->detail);
    exit(1);
}

static void *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(1);
    return memory;
}

static void up(bench *b, rt_error *why) {
    check(rt_upload_boxes(b->device, &b->shape, &b->buffer, &b->grid.box, 1, b->block.address, why),
          why);
}

static void stage(bench *b, rt_error *why) {
    check(rt_download(b->device, &b->shape, &b->buffer, &b->grid.box, b->block.address, b->staged,
                      why),
          why);
}

static void write_back(bench *b, rt_error *why) {
    (void)why;
    rt_write_back(&b->shape, &b->buffer, &b->grid.box, b->staged);
}

static void fetch(bench *b, rt_error *why) {
    check(rt_fetch_box(b->device, &b->shape, &b->buffer, &b->grid.box, b->block.address, why), why);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double rate(bench *b, void (*work)(bench *, rt_error *), size_t bytes) {
    double times[TIMES];
    rt_error why = {0};
    for (int i = 0; i < TIMES; i++) {
        double start = rt_seconds();
        work(b, &why);
        times[i] = rt_seconds() - start;
    }
    qsort(times, TIMES, sizeof *times, by_value);
    return 1e-9 * (double)bytes / times[TIMES / 2];
}

static double fetch_new(bench *b, size_t bytes) {
    void *old = b->buffer.origin;
    rt_error why = {0};
    b->buffer.origin = map(bytes);
    double start = rt_seconds();
    fetch(b, &why);
    double took = rt_seconds() - start;
    if (memcmp(old, b->buffer.origin, bytes) != 0)
        printf("wrong\n");
    munmap(b->buffer.origin, bytes);
    b->buffer.origin = old;
    return 1e-9 * (double)bytes / took;
}

static void run(rt_device *device, size_t megabytes) {
    size_t bytes = megabytes << 20;
    rt_error why = {0};
    bench b = {.device = device, .grid = {.elem_size = 4}};
    b.grid.host_stride[0] = 4;
    b.grid.host_stride[1] = 4 * WIDTH;
    b.grid.host_stride[2] = (int64_t)bytes;
    b.grid.extent[0] = b.grid.box.hi[0] = WIDTH;
    b.grid.extent[1] = b.grid.box.hi[1] = (int64_t)(bytes / WIDTH / 4);
    b.grid.extent[2] = b.grid.box.hi[2] = 1;
    b.buffer = (rt_buffer){.origin = map(bytes)};
    b.shape = (rt_shape){.grids = &b.grid, .buffers = &b.buffer};
    b.staged = map(bytes);
    madvise(b.staged, bytes, MADV_HUGEPAGE);
    for (size_t i = 0; i < bytes / 4; i++)
        ((uint32_t *)b.buffer.origin)[i] = (uint32_t)(i * 2654435761u);
    check(rt_grid_lay_out(&b.grid, 0, &why), &why);
    check(rt_device_alloc(device, b.grid.bytes, &b.block, &why), &why);
    check(rt_device_chunks(device, &why), &why);
    double u = rate(&b, up, bytes), n = fetch_new(&b, bytes), s = rate(&b, stage, bytes),
           w = rate(&b, write_back, bytes), f = rate(&b, fetch, bytes);
    printf("%5zu MB  up %5.1f  stage %5.1f  write %5.1f  fetch %5.1f  new %5.1f GB/s\n", megabytes,
           u, s, w, f, n);
    rt_device_free(device, &b.block);
    munmap(b.buffer.origin, bytes);
    munmap(b.staged, bytes);
}

int main(int argc, char **argv) {
    rt_error why = {0};
    size_t most = argc > 1 ? (size_t)atol(argv[1]) : 4096;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; argc > 2 && i < atoi(argv[2]); i++)
        CPU_SET(i, &set);
    if (argc > 2)
        sched_setaffinity(0, sizeof set, &set);
    rt_device *device = rt_device_open(
        rt_config_get()->device == RT_CHOICE_SIM ? &rt_driver_sim : &rt_driver_cuda, &why);
    check(device && rt_device_take(device, &why), &why);
    printf("%s, %zu CPUs\n", device->info.name, rt_processors());
    for (size_t megabytes = 1; megabytes <= most; megabytes *= 4)
        run(device, megabytes);
    rt_device_give(device);
    return 0;
}
