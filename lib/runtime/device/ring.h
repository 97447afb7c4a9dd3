/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies between the program's memory and the device through a ring of page-locked slots. Threads
 * copy between slots and the program's memory. The calling thread queues the device's copies in the
 * order of the batches. The device must be taken.
 */
#ifndef STENCILRT_RING_H
#define STENCILRT_RING_H

#include "runtime/call/shape.h"
#include "runtime/device/device.h"

/* The cells x0 .. x1 of rows row0 .. row1 of a box. Rows are counted through all planes. In a slot,
 * and where results are staged, the rows follow one another without gaps. */
typedef struct rt_batch {
    const rt_box *box;
    int64_t x0, x1, row0, row1;
    size_t width;          /* bytes of the row's part */
    unsigned char *staged; /* where it is staged; NULL: in the program's arrays */
} rt_batch;

static inline size_t rt_batch_bytes(const rt_batch *b) {
    return b->width * (size_t)(b->row1 - b->row0);
}

typedef struct rt_ride {
    /* The next batch; false if there is none. */
    bool (*next)(void *context, rt_batch *batch);
    /* Copies between the slot and the program's memory. Several threads call it. */
    void (*copy)(void *context, const rt_batch *batch, unsigned char *slot);
    /* Queues the device's copy. */
    bool (*queue)(void *context, const rt_batch *batch, unsigned char *slot, rt_error *why);
    void *context;
    size_t bytes; /* of all batches: few bytes need no threads */
} rt_ride;

/* When it returns, the program's memory has been read, and the device's copies have ended. */
bool rt_ring_upload(rt_device *device, const rt_ride *ride, rt_error *why);
bool rt_ring_download(rt_device *device, const rt_ride *ride, rt_error *why);

/* Makes the device's ring in its first chunk. False if there is no memory. */
bool rt_ring_make(rt_device *device);
void rt_ring_free(rt_device *device);

#endif
