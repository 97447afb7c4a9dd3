/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps what the program had in the cells that a call writes. Rows are in the order of
 * rt_download's batches. A row that is wider than a slot counts as several.
 */
#include "runtime/run/saved.h"
#include "runtime/device/transfer.h"
#include "runtime/resident/held_array.h"
#include <string.h>
#include <sys/mman.h>

static bool is_only_here(const rt_result *r) {
    return r->use && r->use->held && r->use->was_dirty;
}

/* The cells along x that rt_download moves at a time. */
static int64_t piece_of(const rt_result *r) {
    int64_t room = RT_SLOT_BYTES / (int64_t)r->shape->grids[r->buffer->grid].elem_size;
    int64_t width = r->box.hi[0] - r->box.lo[0];
    return width < room ? width : room;
}

static size_t count_rows(const rt_result *r) {
    int64_t piece = piece_of(r), width = r->box.hi[0] - r->box.lo[0];
    return (size_t)(rt_box_rows(&r->box) * ((width + piece - 1) / piece));
}

static rt_row *add_rows(const rt_result *r, rt_row *row) {
    int64_t size = (int64_t)r->shape->grids[r->buffer->grid].elem_size, piece = piece_of(r);
    for (int64_t x = r->box.lo[0]; x < r->box.hi[0]; x += piece) {
        int64_t cells = r->box.hi[0] - x < piece ? r->box.hi[0] - x : piece;
        for (int64_t z = r->box.lo[2]; z < r->box.hi[2]; z++)
            for (int64_t y = r->box.lo[1]; y < r->box.hi[1]; y++)
                *row++ = (rt_row){rt_buffer_host_cell(r->shape, r->buffer, x, y, z),
                                  (size_t)(cells * size)};
    }
    return row;
}

bool rt_saved_reserve(rt_saved *saved, const rt_result *results, size_t count) {
    size_t rows = 0, bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_only_here(&results[i]) && !results[i].use->before.address)
            return false;
        rows += count_rows(&results[i]);
        bytes += rt_staged_bytes(results[i].shape, results[i].buffer, &results[i].box);
    }
    size_t mapped = rows * sizeof(rt_row) + bytes + 1;
    void *memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    *saved = (rt_saved){.rows = memory,
                        .memory = (unsigned char *)memory + rows * sizeof(rt_row),
                        .count = rows,
                        .mapped = mapped};
    return true;
}

/* Of arrays that several devices hold, each has its own rows. */
static bool fetch_before(const rt_result *r, unsigned char *to, rt_error *why) {
    rt_device *device = r->use->held->device;
    bool took;
    if (!rt_device_join(device, &took, why))
        return false;
    bool ok = rt_download(device, r->shape, r->buffer, &r->box, r->use->before.address, to, why);
    rt_device_part(device, took);
    return ok;
}

bool rt_saved_fill(rt_saved *saved, const rt_result *results, size_t count, rt_error *why) {
    unsigned char *to = saved->memory;
    rt_row *row = saved->rows;
    for (size_t i = 0; i < count; i++) {
        const rt_result *r = &results[i];
        rt_row *end = add_rows(r, row);
        if (is_only_here(r)) {
            if (!fetch_before(r, to, why))
                return false;
            row = end;
            to += rt_staged_bytes(r->shape, r->buffer, &r->box);
        }
        for (; row < end; to += row->bytes, row++)
            memcpy(to, row->at, row->bytes);
    }
    return true;
}

/* Bytes that are equal are not written: the memory may be read-only. */
static void put(unsigned char *to, const unsigned char *from, size_t bytes) {
    enum { LINE = 64 };
    for (size_t at = 0, size; at < bytes; at += size) {
        size = bytes - at < LINE ? bytes - at : LINE;
        if (memcmp(to + at, from + at, size) != 0)
            memcpy(to + at, from + at, size);
    }
}

void rt_saved_restore(const rt_saved *saved) {
    const unsigned char *from = saved->memory;
    for (size_t i = 0; i < saved->count; from += saved->rows[i].bytes, i++)
        put(saved->rows[i].at, from, saved->rows[i].bytes);
}

void rt_saved_free(rt_saved *saved) {
    if (saved->rows)
        munmap(saved->rows, saved->mapped);
    *saved = (rt_saved){0};
}
