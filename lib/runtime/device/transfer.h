/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies host rows to device rows and back, through a ring of page-locked memory (ring.h). The
 * device must be taken.
 */
#ifndef STENCILRT_TRANSFER_H
#define STENCILRT_TRANSFER_H

#include "runtime/call/shape.h"
#include "runtime/device/device.h"

/* Queues the upload of all cells that must be uploaded. When it returns, the host's memory has been
 * read. */
bool rt_upload(rt_device *device, const rt_shape *shape, const rt_buffer *buffer, uint64_t address,
               rt_error *why);
/* Uploads only these boxes of cells. */
bool rt_upload_boxes(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                     const rt_box *boxes, size_t count, uint64_t address, rt_error *why);

/* Queues a copy of a box from one layout of a grid to another. */
bool rt_move_box(rt_device *device, const rt_grid *from, uint64_t from_address, const rt_grid *to,
                 uint64_t to_address, const rt_box *box, rt_error *why);

/* Are two buffers of equal grids equal in a box on the device, byte for byte? False also if this
 * cannot be told. */
bool rt_box_is_equal_on_device(rt_device *device, const rt_shape *shape, const rt_buffer *first,
                               uint64_t first_address, const rt_buffer *second,
                               uint64_t second_address, const rt_box *box);

/* All cells of a grid's domain. */
rt_box rt_domain(const rt_grid *grid);
/* The bytes of a box of a buffer when it is staged. */
size_t rt_staged_bytes(const rt_shape *shape, const rt_buffer *buffer, const rt_box *box);
/* Waits for the device and copies the box to `staged`. The host's arrays do not change. */
bool rt_download(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                 const rt_box *box, uint64_t address, unsigned char *staged, rt_error *why);
/* As rt_download, but to the host's array. Allocates nothing. */
bool rt_fetch_box(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                  const rt_box *box, uint64_t address, rt_error *why);
/* The same, but perhaps only queued: `*later` is set then, and otherwise left as it is. */
bool rt_fetch_box_later(rt_device *device, const rt_shape *shape, const rt_buffer *buffer,
                        const rt_box *box, uint64_t address, bool *later, rt_error *why);
/* Copies from `staged` to the host's array. Cannot fail. */
void rt_write_back(const rt_shape *shape, const rt_buffer *buffer, const rt_box *box,
                   unsigned char *staged);
/* The same of those cells alone that differ from `before`, which is staged alike; NULL: of all. */
void rt_write_changed(const rt_shape *shape, const rt_buffer *buffer, const rt_box *box,
                      unsigned char *staged, const unsigned char *before);

#endif
