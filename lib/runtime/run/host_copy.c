/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies of arrays in the host's memory: host_copy.h.
 */
#include "runtime/run/host_copy.h"

#include "runtime/device/transfer.h"
#include "runtime/room.h"
#include <string.h>
#include <sys/mman.h>

/* A mapping has at least a byte. */
static size_t mapped(size_t bytes) {
    return bytes + (bytes == 0);
}

/* Memory that is promised but not there would end the process when it is touched. */
unsigned char *rt_host_reserve(size_t bytes) {
    if (rt_host_room("") <= (double)bytes)
        return NULL;
    void *memory =
        mmap(NULL, mapped(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, mapped(bytes), MADV_HUGEPAGE); /* a hint */
    return memory;
}

enum { PAGE = 4096, PART = 2 << 20 };

static void touch(void *context, size_t begin, size_t end) {
    volatile unsigned char *memory = context;
    for (size_t at = begin * PART; at < end * PART; at += PAGE)
        memory[at] = 0;
}

void rt_host_populate(unsigned char *memory, size_t bytes) {
    rt_parallel(bytes / PART, bytes, touch, memory);
}

void rt_host_release(unsigned char *memory, size_t bytes) {
    if (memory)
        munmap(memory, mapped(bytes));
}

typedef struct job {
    const rt_shape *from, *to;
    const rt_buffer *source, *target;
    const rt_box *box;
} job;

static void copy_rows(void *context, size_t begin, size_t end) {
    const job *j = context;
    const rt_box *b = j->box;
    int64_t height = b->hi[1] - b->lo[1];
    size_t width = (size_t)(b->hi[0] - b->lo[0]) * j->from->grids[j->source->grid].elem_size;
    for (size_t i = begin; i < end; i++) {
        int64_t y = b->lo[1] + (int64_t)i % height, z = b->lo[2] + (int64_t)i / height;
        memcpy(rt_buffer_host_cell(j->to, j->target, b->lo[0], y, z),
               rt_buffer_host_cell(j->from, j->source, b->lo[0], y, z), width);
    }
}

void rt_host_copy(const rt_shape *from, const rt_shape *to, uint32_t buffer, const rt_box *box) {
    job j = {from, to, &from->buffers[buffer], &to->buffers[buffer], box};
    size_t rows = (size_t)rt_box_rows(box);
    rt_parallel(rows, rt_staged_bytes(from, j.source, box), copy_rows, &j);
}
