/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies boxes of cells. A box moves in batches that fit into a slot of the ring (ring.h). A batch
 * is dense: rows of one width follow one another without gaps. Staged results are the batches of a
 * box in their order.
 *
 * Grids in bricks (call/bricks.h) move in whole bricks, which threads of the host fill and empty.
 *
 * An array may have cells for which it is unknown whether the program has memory there. The kernel
 * copies such cells by process_vm_readv(2), which fails where nothing is mapped. A load would end
 * the program.
 */
#include "runtime/device/transfer.h"
#include "runtime/call/bricks.h"
#include "runtime/call/tables.h"
#include "runtime/device/ring.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Walks through boxes in batches of at most `most` bytes. A row that is wider than a slot is
 * divided in any case, so that staged rows have one order. */
typedef struct walk {
    const rt_box *boxes;
    size_t count, elem_size;
    rt_batch at; /* the last batch; zeroed at the start of a box */
} walk;

static bool next_in_box(const rt_box *box, size_t elem_size, rt_batch *b) {
    int64_t rows = rt_box_rows(box);
    bool start = b->width == 0;
    if (start || b->row1 == rows) {
        int64_t room = (int64_t)(RT_SLOT_BYTES / elem_size);
        b->x0 = start ? box->lo[0] : b->x1;
        b->x1 = box->hi[0] - b->x0 > room ? b->x0 + room : box->hi[0];
        b->width = (size_t)(b->x1 - b->x0) * elem_size;
        b->row1 = 0;
        if (b->x0 == box->hi[0])
            return false;
    }
    int64_t fit = (int64_t)(RT_SLOT_BYTES / b->width);
    b->row0 = b->row1;
    b->row1 = rows - b->row0 > fit ? b->row0 + fit : rows;
    return true;
}

static bool next_batch(walk *w, rt_batch *batch) {
    while (w->count > 0 && !next_in_box(w->boxes, w->elem_size, &w->at)) {
        w->boxes++;
        w->count--;
        w->at = (rt_batch){.width = 0};
    }
    *batch = w->at;
    batch->box = w->boxes;
    return w->count > 0;
}

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

/* Writes those cells that have changed. Others may be another object's, which other threads use. */
static void put_changed_cells(unsigned char *host, const unsigned char *dense,
                              const unsigned char *before, size_t bytes, size_t size) {
    for (size_t at = 0; at < bytes; at += size)
        if (memcmp(dense + at, before + at, size) != 0)
            memcpy(host + at, dense + at, size);
}

/* Has the program mapped nothing at the page? Pages that may not be read are another matter: a
 * handler of the program may let it read them. */
static bool is_unmapped(unsigned char *at, size_t page) {
    unsigned char ignored;
    return mincore(at - (uintptr_t)at % page, page, &ignored) != 0 && errno == ENOMEM;
}

/* Reads cells that the program reads only under conditions. Where it has mapped nothing it cannot
 * read any, so the device may read zeros. */
static bool read_carefully(unsigned char *to, unsigned char *from, size_t bytes) {
    if (rt_try_to_read(to, from, bytes))
        return true;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    bool good = true;
    for (size_t at = 0, size; at < bytes && good; at += size) {
        size = page - (uintptr_t)(from + at) % page;
        size = size < bytes - at ? size : bytes - at;
        if (rt_try_to_read(to + at, from + at, size))
            continue;
        good = is_unmapped(from + at, page);
        memset(to + at, 0, size);
    }
    return good;
}

/* A transfer of cells of one buffer. */
typedef struct transfer {
    rt_device *device;
    const rt_shape *shape;
    const rt_buffer *buffer;
    uint64_t address;
    walk walk;
    unsigned char *staged; /* where the next batch is staged, or NULL; of bricks, where all are */
    const unsigned char *before; /* what was staged before the call, where `results` is now */
    const unsigned char *results;
    int64_t brick, last; /* of bricks: those that are left, [brick, last) */
    atomic_bool missing; /* the program has no memory there */
} transfer;

static void copy_row(transfer *t, unsigned char *host, unsigned char *dense, size_t bytes,
                     bool to_dense) {
    if (to_dense && t->buffer->careful) {
        if (!read_carefully(dense, host, bytes))
            atomic_store(&t->missing, true);
    } else if (to_dense) {
        memcpy(dense, host, bytes);
    } else if (t->before) {
        put_changed_cells(host, dense, t->before + (dense - t->results), bytes,
                          t->shape->grids[t->buffer->grid].elem_size);
    } else if (t->buffer->masked) {
        put_changed(host, dense, bytes);
    } else {
        memcpy(host, dense, bytes);
    }
}

/* The rows from this one on that follow one another without gaps in the program's memory: a column
 * that is packed has a cell in each row. */
static int64_t rows_together(const transfer *t, const rt_batch *b, int64_t row) {
    const rt_grid *grid = &t->shape->grids[t->buffer->grid];
    int64_t height = b->box->hi[1] - b->box->lo[1], left = height - row % height;
    bool tables = t->shape->call && t->shape->call->tables;
    if (tables || grid->host_stride[1] != (int64_t)b->width)
        return 1;
    return left < b->row1 - row ? left : b->row1 - row;
}

static void copy_rows(transfer *t, const rt_batch *b, unsigned char *dense, bool to_dense) {
    int64_t height = b->box->hi[1] - b->box->lo[1];
    for (int64_t row = b->row0, rows; row < b->row1; row += rows) {
        int64_t y = b->box->lo[1] + row % height, z = b->box->lo[2] + row / height;
        unsigned char *host = rt_buffer_host_cell(t->shape, t->buffer, b->x0, y, z);
        rows = rows_together(t, b, row);
        copy_row(t, host, dense, (size_t)rows * b->width, to_dense);
        dense += (size_t)rows * b->width;
    }
}

static void fill(void *context, const rt_batch *b, unsigned char *slot) {
    copy_rows(context, b, slot, true);
}

static void empty(void *context, const rt_batch *b, unsigned char *slot) {
    if (b->staged)
        memcpy(b->staged, slot, rt_batch_bytes(b));
    else
        copy_rows(context, b, slot, false);
}

static bool next(void *context, rt_batch *b) {
    transfer *t = context;
    if (!next_batch(&t->walk, b))
        return false;
    b->staged = t->staged;
    t->staged += t->staged ? rt_batch_bytes(b) : 0;
    return true;
}

typedef bool (*copy_function)(void *, const rt_copy *, rt_error *);

/* Queues the copies between a slot and the device: one for each plane, or a single one if the box
 * has all rows of the device's planes. */
static bool queue(const transfer *t, copy_function copy, const rt_batch *b, unsigned char *slot,
                  rt_error *why) {
    const rt_grid *grid = &t->shape->grids[t->buffer->grid];
    const rt_box *box = b->box;
    int64_t height = box->hi[1] - box->lo[1], row = b->row0;
    bool planes_touch = grid->plane == (size_t)height * grid->pitch;
    while (row < b->row1) {
        int64_t y = row % height, z = row / height;
        int64_t count = planes_touch || b->row1 - row < height - y ? b->row1 - row : height - y;
        size_t offset = rt_grid_device_offset(grid, b->x0, box->lo[1] + y, box->lo[2] + z);
        rt_copy c = {.device = t->address + offset,
                     .device_pitch = grid->pitch,
                     .host = slot + (size_t)(row - b->row0) * b->width,
                     .host_pitch = b->width,
                     .width = b->width,
                     .rows = (size_t)count};
        if (!copy(t->device->handle, &c, why))
            return false;
        row += count;
    }
    return true;
}

static bool queue_upload(void *context, const rt_batch *b, unsigned char *slot, rt_error *why) {
    const transfer *t = context;
    return queue(t, t->device->driver->upload, b, slot, why);
}

static bool queue_download(void *context, const rt_batch *b, unsigned char *slot, rt_error *why) {
    const transfer *t = context;
    return queue(t, t->device->driver->download, b, slot, why);
}

/* Copies that the device makes itself, from and to page-locked memory. */

static unsigned char *corner(const transfer *t, const int64_t at[3], int64_t back) {
    return rt_buffer_host_cell(t->shape, t->buffer, at[0] - back, at[1] - back, at[2] - back);
}

/* Can the device copy the box? Narrow rows cross a link slowly, one by one. */
static bool is_direct(const transfer *t, const rt_box *box) {
    enum { NARROW = 512 };
    int64_t least = t->device->driver->is_estimated ? NARROW : 1;
    const rt_grid *grid = &t->shape->grids[t->buffer->grid];
    int64_t width = (box->hi[0] - box->lo[0]) * (int64_t)grid->elem_size;
    bool tables = t->shape->call && t->shape->call->tables;
    return t->device->locked && width >= least && rt_box_rows(box) > 0 && !tables && !t->staged &&
           !t->buffer->careful && !t->buffer->masked && grid->brick[0] == 0 &&
           (grid->host_stride[1] >= width || box->hi[1] - box->lo[1] == 1) &&
           grid->host_stride[1] >= 0 && grid->host_stride[2] >= 0 &&
           rt_device_has_locked(t->device, corner(t, box->lo, 0),
                                corner(t, box->hi, 1) + grid->elem_size - 1);
}

/* Queues a copy of each plane. */
static bool copy_planes(const transfer *t, copy_function copy, const rt_box *box, rt_error *why) {
    const rt_grid *grid = &t->shape->grids[t->buffer->grid];
    bool ok = true;
    for (int64_t z = box->lo[2]; z < box->hi[2] && ok; z++) {
        size_t offset = rt_grid_device_offset(grid, box->lo[0], box->lo[1], z);
        rt_copy c = {.device = t->address + offset,
                     .device_pitch = grid->pitch,
                     .host = rt_buffer_host_cell(t->shape, t->buffer, box->lo[0], box->lo[1], z),
                     .host_pitch = (size_t)grid->host_stride[1],
                     .width = (size_t)(box->hi[0] - box->lo[0]) * grid->elem_size,
                     .rows = (size_t)(box->hi[1] - box->lo[1])};
        ok = copy(t->device->handle, &c, why);
    }
    return ok;
}

/* Queues copies of those boxes at the beginning that the device can copy; *count: so many. */
static bool copy_directly(const transfer *t, copy_function copy, const rt_box *boxes, size_t *count,
                          rt_error *why) {
    size_t all = *count;
    bool ok = true;
    for (*count = 0; *count < all && ok && is_direct(t, &boxes[*count]); ++*count)
        ok = copy_planes(t, copy, &boxes[*count], why);
    return ok;
}

/* Bricks. A batch is those of the numbers `row0` to `row1`, of `width` bytes each. In a slot they
 * are as on the device. Where they are staged, cells are as in the batches of rows. Of what is
 * uploaded only the cells of the boxes matter: others in the same bricks get any values. */

static const rt_grid *grid_of(const transfer *t) {
    return &t->shape->grids[t->buffer->grid];
}

static bool next_bricks(void *context, rt_batch *b) {
    transfer *t = context;
    size_t width = rt_brick_bytes(grid_of(t));
    int64_t fit = (int64_t)(RT_SLOT_BYTES / width), left = t->last - t->brick;
    *b = (rt_batch){.row0 = t->brick, .width = width, .staged = t->staged};
    t->brick = b->row1 = t->brick + (left < fit ? left : fit);
    return left > 0;
}

/* The place of a cell in the batches of rows of the box; *left: so many cells of its row follow in
 * the same batch, itself counted. */
static size_t place_in_rows(const transfer *t, int64_t x, int64_t y, int64_t z, int64_t *left) {
    const rt_box *box = t->walk.boxes;
    int64_t room = (int64_t)(RT_SLOT_BYTES / t->walk.elem_size), rows = rt_box_rows(box);
    int64_t before = (x - box->lo[0]) / room * room, in = x - box->lo[0] - before;
    int64_t width = box->hi[0] - box->lo[0] - before;
    width = width < room ? width : room;
    int64_t row = (z - box->lo[2]) * (box->hi[1] - box->lo[1]) + y - box->lo[1];
    *left = width - in;
    return (size_t)(before * rows + row * width + in) * t->walk.elem_size;
}

static void stage_run(const transfer *t, const rt_run_of_cells *run, const unsigned char *from) {
    size_t size = t->walk.elem_size;
    int64_t count = (int64_t)(run->bytes / size), left, n;
    for (int64_t i = 0; i < count; i += n) {
        unsigned char *to = t->staged + place_in_rows(t, run->x + i, run->y, run->z, &left);
        n = left < count - i ? left : count - i;
        memcpy(to, from + (size_t)i * size, (size_t)n * size);
    }
}

typedef struct emptying {
    transfer *t;
    unsigned char *slot;
    bool to_slot;
} emptying;

static void copy_run(void *context, const rt_run_of_cells *run) {
    const emptying *e = context;
    transfer *t = e->t;
    if (t->staged)
        stage_run(t, run, e->slot + run->offset);
    else
        copy_row(t, rt_buffer_host_cell(t->shape, t->buffer, run->x, run->y, run->z),
                 e->slot + run->offset, run->bytes, e->to_slot);
}

static void copy_bricks(transfer *t, const rt_batch *b, unsigned char *slot, bool to_slot) {
    emptying e = {t, slot, to_slot};
    for (size_t i = 0; i < t->walk.count; i++)
        rt_bricks_each(grid_of(t), &t->walk.boxes[i], b->row0, b->row1, copy_run, &e);
}

static void fill_bricks(void *context, const rt_batch *b, unsigned char *slot) {
    copy_bricks(context, b, slot, true);
}

static void empty_bricks(void *context, const rt_batch *b, unsigned char *slot) {
    copy_bricks(context, b, slot, false);
}

static rt_copy bricks_between(const transfer *t, const rt_batch *b, unsigned char *slot) {
    return rt_copy_bytes(t->address + (uint64_t)b->row0 * b->width, slot, rt_batch_bytes(b));
}

static bool upload_bricks(void *context, const rt_batch *b, unsigned char *slot, rt_error *why) {
    const transfer *t = context;
    rt_copy copy = bricks_between(t, b, slot);
    return t->device->driver->upload(t->device->handle, &copy, why);
}

static bool download_bricks(void *context, const rt_batch *b, unsigned char *slot, rt_error *why) {
    const transfer *t = context;
    rt_copy copy = bricks_between(t, b, slot);
    return t->device->driver->download(t->device->handle, &copy, why);
}

/* The bricks of all boxes, and those between. */
static void find_bricks(transfer *t) {
    int64_t first, end;
    t->brick = t->last = 0;
    for (size_t i = 0; i < t->walk.count; i++) {
        rt_bricks_of_box(grid_of(t), &t->walk.boxes[i], &first, &end);
        t->brick = t->last == 0 || first < t->brick ? first : t->brick;
        t->last = end > t->last ? end : t->last;
    }
}

static rt_ride make_ride(transfer *t, bool up, size_t bytes) {
    bool bricks = grid_of(t)->brick[0] > 0;
    if (bricks)
        find_bricks(t);
    if (bricks)
        return up ? (rt_ride){next_bricks, fill_bricks, upload_bricks, t, bytes}
                  : (rt_ride){next_bricks, empty_bricks, download_bricks, t, bytes};
    return up ? (rt_ride){next, fill, queue_upload, t, bytes}
              : (rt_ride){next, empty, queue_download, t, bytes};
}

static walk walk_through(const rt_grid *grid, const rt_box *boxes, size_t count) {
    return (walk){.boxes = boxes, .count = count, .elem_size = grid->elem_size};
}

static size_t bytes_of(const rt_shape *shape, const rt_buffer *buffer, const rt_box *boxes,
                       size_t count) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += rt_staged_bytes(shape, buffer, &boxes[i]);
    return bytes;
}

bool rt_upload_boxes(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                     const rt_box *boxes, size_t count, uint64_t address, rt_error *why) {
    transfer t = {.device = device, .shape = shape, .buffer = buffer, .address = address};
    size_t done = count;
    if (!copy_directly(&t, device->driver->upload, boxes, &done, why) ||
        (done > 0 && !rt_device_pass(device, why)))
        return false;
    boxes += done;
    count -= done;
    t.walk = walk_through(&shape->grids[buffer->grid], boxes, count);
    rt_ride ride = make_ride(&t, true, bytes_of(shape, buffer, boxes, count));
    bool ok = rt_ring_upload(device, &ride, why);
    return ok && (!atomic_load(&t.missing) || rt_fail(why, RT_UNSURE, "an upload"));
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

static bool download(transfer *t, const rt_box *box, rt_error *why) {
    t->walk = walk_through(grid_of(t), box, 1);
    rt_ride ride = make_ride(t, false, rt_staged_bytes(t->shape, t->buffer, box));
    return rt_ring_download(t->device, &ride, why);
}

bool rt_download(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                 const rt_box *box, uint64_t address, unsigned char *staged, rt_error *why) {
    transfer t = {
        .device = device, .shape = shape, .buffer = buffer, .address = address, .staged = staged};
    return download(&t, box, why);
}

bool rt_fetch_box_later(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                        const rt_box *box, uint64_t address, bool *later, rt_error *why) {
    transfer t = {.device = device, .shape = shape, .buffer = buffer, .address = address};
    size_t done = 1;
    if (!copy_directly(&t, device->driver->download, box, &done, why))
        return false;
    *later |= done == 1;
    return done == 1 || download(&t, box, why);
}

bool rt_fetch_box(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                  const rt_box *box, uint64_t address, rt_error *why) {
    bool later = false;
    return rt_fetch_box_later(device, shape, buffer, box, address, &later, why) &&
           (!later || rt_device_pass(device, why));
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

/* Some of the batches, counted from the first one. */
static void write_batches(void *context, size_t begin, size_t end) {
    const transfer *all = context;
    transfer t = {.shape = all->shape,
                  .buffer = all->buffer,
                  .walk = all->walk,
                  .staged = all->staged,
                  .before = all->before,
                  .results = all->results};
    rt_batch b;
    for (size_t i = 0; i < end && next(&t, &b); i++)
        if (i >= begin)
            copy_rows(&t, &b, b.staged, false);
}

void rt_write_changed(const rt_shape *shape, const rt_buffer *buffer, const rt_box *box,
                      unsigned char *staged, const unsigned char *before) {
    transfer t = {
        .shape = shape, .buffer = buffer, .staged = staged, .before = before, .results = staged};
    rt_batch ignored;
    size_t count = 0;
    t.walk = walk_through(&shape->grids[buffer->grid], box, 1);
    for (walk w = t.walk; next_batch(&w, &ignored);)
        count++;
    rt_parallel(count, rt_staged_bytes(shape, buffer, box), write_batches, &t);
}

void rt_write_back(const rt_shape *shape, const rt_buffer *buffer, const rt_box *box,
                   unsigned char *staged) {
    rt_write_changed(shape, buffer, box, staged, NULL);
}
