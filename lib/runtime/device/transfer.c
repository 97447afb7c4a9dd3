/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies boxes of cells. A box moves in batches that fit into a chunk. A batch is dense: rows of
 * one width follow one another without gaps. While the device copies one chunk, threads fill or
 * empty the other one. Staged results are the batches of a box in their order.
 *
 * An array may have cells for which it is unknown whether the program has memory there. The kernel
 * copies such cells by process_vm_readv(2), which fails where nothing is mapped. A load would end
 * the program.
 */
#include "runtime/device/transfer.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The bytes that a thread copies at a time: at most part of a row. */
enum { PIECE_BYTES = 256 << 10 };

/* The cells x0 .. x1 of rows row0 .. row1 of a box. Rows are counted through all planes. */
typedef struct batch {
    int64_t x0, x1, row0, row1;
    size_t width; /* bytes of the row's part */
} batch;

static size_t batch_bytes(const batch *b) {
    return b->width * (size_t)(b->row1 - b->row0);
}

/* Steps to the next batch; a zeroed batch is the start. False if the box is done. */
static bool next_batch(const rt_box *box, size_t elem_size, batch *b) {
    int64_t rows = rt_box_rows(box);
    bool start = b->width == 0;
    if (start || b->row1 == rows) {
        int64_t room = (int64_t)(RT_CHUNK_BYTES / elem_size);
        b->x0 = start ? box->lo[0] : b->x1;
        b->x1 = box->hi[0] - b->x0 > room ? b->x0 + room : box->hi[0];
        b->width = (size_t)(b->x1 - b->x0) * elem_size;
        b->row1 = 0;
        if (b->x0 == box->hi[0])
            return false;
    }
    int64_t fit = (int64_t)(RT_CHUNK_BYTES / b->width);
    b->row0 = b->row1;
    b->row1 = rows - b->row0 > fit ? b->row0 + fit : rows;
    return true;
}

typedef struct row_job {
    const rt_shape *shape;
    const rt_buffer *buffer;
    const rt_box *box;
    const batch *batch;
    unsigned char *dense;
    bool to_dense;
    size_t pieces;        /* pieces of a row */
    atomic_bool *missing; /* set if there is no memory */
} row_job;

/* Memory that does not change is not written, because it may be read-only. */
static void put_changed(unsigned char *host, const unsigned char *dense, size_t bytes) {
    enum { LINE = 64 };
    for (size_t at = 0, size; at < bytes; at += size) {
        size = LINE - (uintptr_t)(host + at) % LINE;
        size = size < bytes - at ? size : bytes - at;
        if (memcmp(host + at, dense + at, size) != 0)
            memcpy(host + at, dense + at, size);
    }
}

static bool read_carefully(unsigned char *to, unsigned char *from, size_t bytes) {
    struct iovec local = {to, bytes}, remote = {from, bytes};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)bytes;
}

static void copy_piece(const row_job *job, unsigned char *host, unsigned char *dense,
                       size_t bytes) {
    if (job->to_dense && job->buffer->careful) {
        if (!read_carefully(dense, host, bytes))
            atomic_store(job->missing, true);
    } else if (job->to_dense) {
        memcpy(dense, host, bytes);
    } else if (job->buffer->masked) {
        put_changed(host, dense, bytes);
    } else {
        memcpy(host, dense, bytes);
    }
}

static void copy_pieces(void *context, size_t begin, size_t end) {
    const row_job *job = context;
    const batch *b = job->batch;
    int64_t height = job->box->hi[1] - job->box->lo[1];
    for (size_t i = begin; i < end; i++) {
        int64_t row = (int64_t)(i / job->pieces);
        size_t at = i % job->pieces * PIECE_BYTES;
        size_t bytes = b->width - at < PIECE_BYTES ? b->width - at : PIECE_BYTES;
        int64_t y = job->box->lo[1] + (b->row0 + row) % height;
        int64_t z = job->box->lo[2] + (b->row0 + row) / height;
        unsigned char *host = rt_buffer_host_cell(job->shape, job->buffer, b->x0, y, z) + at;
        unsigned char *dense = job->dense + (size_t)row * b->width + at;
        copy_piece(job, host, dense, bytes);
    }
}

/* False if the program has no memory there. */
static bool copy_rows(const rt_shape *shape, const rt_buffer *buffer, const rt_box *box,
                      const batch *b, unsigned char *dense, bool to_dense) {
    size_t pieces = (b->width + PIECE_BYTES - 1) / PIECE_BYTES;
    atomic_bool missing = false;
    row_job job = {shape, buffer, box, b, dense, to_dense, pieces, &missing};
    rt_parallel(pieces * (size_t)(b->row1 - b->row0), batch_bytes(b), copy_pieces, &job);
    return !atomic_load(&missing);
}

typedef bool (*copy_function)(void *, const rt_copy *, rt_error *);

/* Queues the copies between a dense chunk and the device: one for each plane, or a single one if
 * the box has all rows of the device's planes. */
static bool queue_batch(rt_device *device, copy_function copy, const rt_grid *grid,
                        const rt_box *box, const batch *b, unsigned char *dense, uint64_t address,
                        rt_error *why) {
    int64_t height = box->hi[1] - box->lo[1], row = b->row0;
    bool planes_touch = grid->plane == (size_t)height * grid->pitch;
    while (row < b->row1) {
        int64_t y = row % height, z = row / height;
        int64_t count = planes_touch || b->row1 - row < height - y ? b->row1 - row : height - y;
        size_t offset = rt_grid_device_offset(grid, b->x0, box->lo[1] + y, box->lo[2] + z);
        rt_copy c = {.device = address + offset,
                     .device_pitch = grid->pitch,
                     .host = dense + (size_t)(row - b->row0) * b->width,
                     .host_pitch = b->width,
                     .width = b->width,
                     .rows = (size_t)count};
        if (!copy(device->handle, &c, why))
            return false;
        row += count;
    }
    return true;
}

/* `used` counts the batches of one rt_upload. From the third on, the last copy of the same chunk
 * must have ended. */
static bool upload_box(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                       const rt_box *box, uint64_t address, unsigned *used, rt_error *why) {
    const rt_driver *driver = device->driver;
    const rt_grid *grid = &shape->grids[buffer->grid];
    batch b = {0};
    while (next_batch(box, grid->elem_size, &b)) {
        unsigned slot = *used % RT_CHUNKS;
        if (*used >= RT_CHUNKS)
            rt_signals_let_end();
        if (*used >= RT_CHUNKS && !driver->wait(device->handle, slot, why))
            return false;
        if (!copy_rows(shape, buffer, box, &b, device->chunks[slot], true))
            return rt_fail(why, RT_UNSURE, "an upload");
        if (!queue_batch(device, driver->upload, grid, box, &b, device->chunks[slot], address,
                         why) ||
            !driver->mark(device->handle, slot, why))
            return false;
        ++*used;
    }
    return true;
}

bool rt_upload_boxes(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                     const rt_box *boxes, size_t count, uint64_t address, rt_error *why) {
    unsigned used = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = upload_box(device, shape, buffer, &boxes[i], address, &used, why);
    /* The next buffer starts with the first chunk again. */
    for (unsigned slot = 0; ok && slot < RT_CHUNKS && slot < used; slot++)
        ok = device->driver->wait(device->handle, slot, why);
    return ok;
}

bool rt_upload(rt_device *device, const rt_shape *shape, const rt_buffer *buffer, uint64_t address,
               rt_error *why) {
    rt_box *boxes;
    size_t count;
    if (!rt_rows_to_upload(shape, buffer, &boxes, &count, why))
        return false;
    bool ok = rt_upload_boxes(device, shape, buffer, boxes, count, address, why);
    free(boxes);
    return ok;
}

bool rt_move_box(rt_device *device, const rt_grid *from, uint64_t from_address, const rt_grid *to,
                 uint64_t to_address, const rt_box *box, rt_error *why) {
    rt_move m = {.to_pitch = to->pitch,
                 .from_pitch = from->pitch,
                 .width = (size_t)(box->hi[0] - box->lo[0]) * from->elem_size,
                 .rows = (size_t)(box->hi[1] - box->lo[1])};
    bool ok = true;
    for (int64_t z = box->lo[2]; z < box->hi[2] && m.width * m.rows > 0 && ok; z++) {
        m.to = to_address + rt_grid_device_offset(to, box->lo[0], box->lo[1], z);
        m.from = from_address + rt_grid_device_offset(from, box->lo[0], box->lo[1], z);
        ok = device->driver->move(device->handle, &m, why);
    }
    return ok;
}

rt_box rt_domain(const rt_grid *grid) {
    return (rt_box){{0, 0, 0}, {grid->extent[0], grid->extent[1], grid->extent[2]}};
}

size_t rt_staged_bytes(const rt_shape *shape, const rt_buffer *buffer, const rt_box *box) {
    size_t width = (size_t)(box->hi[0] - box->lo[0]);
    return (size_t)rt_box_rows(box) * width * shape->grids[buffer->grid].elem_size;
}

typedef struct linear_job {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
} linear_job;

static void copy_linear(void *context, size_t begin, size_t end) {
    const linear_job *job = context;
    size_t from = begin * PIECE_BYTES, to = end * PIECE_BYTES;
    memcpy(job->to + from, job->from + from, (to < job->bytes ? to : job->bytes) - from);
}

/* Empties a chunk that the device fills; waits for the device first. */
typedef bool (*emptier)(void *context, unsigned slot, const batch *b, rt_error *why);

/* While the device fills one chunk, the other one is emptied. */
static bool download(rt_device *device, const rt_grid *grid, const rt_box *box, uint64_t address,
                     emptier empty, void *context, rt_error *why) {
    const rt_driver *driver = device->driver;
    batch b = {0}, pending = {0};
    unsigned slot = 0;
    while (next_batch(box, grid->elem_size, &b)) {
        if (!queue_batch(device, driver->download, grid, box, &b, device->chunks[slot], address,
                         why) ||
            !driver->mark(device->handle, slot, why))
            return false;
        if (pending.width > 0 && !empty(context, 1 - slot, &pending, why))
            return false;
        pending = b;
        slot = 1 - slot;
    }
    return pending.width == 0 || empty(context, 1 - slot, &pending, why);
}

typedef struct stage {
    rt_device *device;
    unsigned char *at;
} stage;

static bool empty_to_stage(void *context, unsigned slot, const batch *b, rt_error *why) {
    stage *to = context;
    size_t bytes = batch_bytes(b);
    linear_job job = {to->at, to->device->chunks[slot], bytes};
    if (!to->device->driver->wait(to->device->handle, slot, why))
        return false;
    rt_parallel((bytes + PIECE_BYTES - 1) / PIECE_BYTES, bytes, copy_linear, &job);
    to->at += bytes;
    return true;
}

bool rt_download(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                 const rt_box *box, uint64_t address, unsigned char *staged, rt_error *why) {
    stage to = {device, staged};
    return download(device, &shape->grids[buffer->grid], box, address, empty_to_stage, &to, why);
}

bool rt_box_is_equal_on_device(rt_device *device, const rt_shape *shape, const rt_buffer *first,
                               uint64_t first_address, const rt_buffer *second,
                               uint64_t second_address, const rt_box *box) {
    rt_error ignored;
    size_t bytes = rt_staged_bytes(shape, first, box);
    unsigned char *both = malloc(2 * bytes + 1);
    bool equal = both && rt_download(device, shape, first, box, first_address, both, &ignored) &&
                 rt_download(device, shape, second, box, second_address, both + bytes, &ignored) &&
                 !memcmp(both, both + bytes, bytes);
    free(both);
    return equal;
}

typedef struct rows {
    rt_device *device;
    const rt_shape *shape;
    const rt_buffer *buffer;
    const rt_box *box;
} rows;

static bool empty_to_rows(void *context, unsigned slot, const batch *b, rt_error *why) {
    const rows *to = context;
    if (!to->device->driver->wait(to->device->handle, slot, why))
        return false;
    copy_rows(to->shape, to->buffer, to->box, b, to->device->chunks[slot], false);
    return true;
}

bool rt_fetch_box(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                  const rt_box *box, uint64_t address, rt_error *why) {
    rows to = {device, shape, buffer, box};
    return download(device, &shape->grids[buffer->grid], box, address, empty_to_rows, &to, why);
}

void rt_write_back(const rt_shape *shape, const rt_buffer *buffer, const rt_box *box,
                   unsigned char *staged) {
    const rt_grid *grid = &shape->grids[buffer->grid];
    batch b = {0};
    while (next_batch(box, grid->elem_size, &b)) {
        copy_rows(shape, buffer, box, &b, staged, false);
        staged += batch_bytes(&b);
    }
}
