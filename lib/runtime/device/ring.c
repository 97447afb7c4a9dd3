/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The ring of page-locked slots. One thread copies some 10 GB/s, a link of the fifth generation
 * 55 GB/s. So several threads fill or empty slots while the device copies others. The threads live
 * for one transfer. Without threads (few bytes, one processor, a thread that may not start any) the
 * calling thread copies.
 */
#include "runtime/device/ring.h"
#include <stdlib.h>

_Static_assert(RT_SLOTS *RT_SLOT_BYTES <= RT_CHUNK_BYTES, "slots");
_Static_assert(RT_MARK_SLOTS + RT_SLOTS <= RT_MARKS, "marks");

/* Batch k is in slot k % RT_SLOTS. `given` counts the batches that may be copied on the host's
 * side, `taken` those that a thread has begun. */
struct rt_ring {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    const rt_ride *ride;
    rt_batch batches[RT_SLOTS];
    bool copied[RT_SLOTS];
    unsigned char *slots[RT_SLOTS];
    size_t given, taken;
    bool closed;
    pthread_t threads[RT_MOST_THREADS];
    size_t count; /* of threads */
};

bool rt_ring_make(rt_device *device) {
    rt_ring *ring = device->ring ? device->ring : calloc(1, sizeof *ring);
    if (!ring)
        return false;
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->work, NULL);
    pthread_cond_init(&ring->done, NULL);
    for (size_t i = 0; i < RT_SLOTS; i++)
        ring->slots[i] = (unsigned char *)device->chunks[0] + i * RT_SLOT_BYTES;
    device->ring = ring;
    return true;
}

void rt_ring_free(rt_device *device) {
    free(device->ring);
    device->ring = NULL;
}

static void copy(rt_ring *ring, size_t k) {
    size_t slot = k % RT_SLOTS;
    ring->ride->copy(ring->ride->context, &ring->batches[slot], ring->slots[slot]);
}

static void *copy_batches(void *argument) {
    rt_ring *ring = argument;
    pthread_mutex_lock(&ring->lock);
    for (;;) {
        while (ring->taken == ring->given && !ring->closed)
            pthread_cond_wait(&ring->work, &ring->lock);
        if (ring->taken == ring->given)
            break;
        size_t k = ring->taken++;
        pthread_mutex_unlock(&ring->lock);
        copy(ring, k);
        pthread_mutex_lock(&ring->lock);
        ring->copied[k % RT_SLOTS] = true;
        pthread_cond_signal(&ring->done);
    }
    pthread_mutex_unlock(&ring->lock);
    return NULL;
}

static rt_ring *begin(const rt_device *device, const rt_ride *ride) {
    rt_ring *ring = device->ring;
    static const size_t few = (size_t)8 << 20; /* copied while threads would still be starting */
    size_t threads = ride->bytes < few ? 1 : rt_parallel_threads(ride->bytes);
    ring->ride = ride;
    ring->given = ring->taken = ring->count = 0;
    ring->closed = false;
    if (threads > 1)
        while (ring->count < threads &&
               rt_thread_start(&ring->threads[ring->count], copy_batches, ring))
            ring->count++;
    return ring;
}

/* Also after a failure: what was given is copied. */
static void end(rt_ring *ring) {
    pthread_mutex_lock(&ring->lock);
    ring->closed = true;
    pthread_cond_broadcast(&ring->work);
    pthread_mutex_unlock(&ring->lock);
    for (size_t i = 0; i < ring->count; i++)
        pthread_join(ring->threads[i], NULL);
}

/* Batch k may be copied on the host's side. */
static void give(rt_ring *ring, size_t k) {
    bool alone = ring->count == 0;
    if (alone)
        copy(ring, k);
    pthread_mutex_lock(&ring->lock);
    ring->copied[k % RT_SLOTS] = alone;
    ring->given = k + 1;
    ring->taken += alone;
    pthread_cond_signal(&ring->work);
    pthread_mutex_unlock(&ring->lock);
}

static bool is_copied(rt_ring *ring, size_t k) {
    pthread_mutex_lock(&ring->lock);
    bool copied = ring->copied[k % RT_SLOTS];
    pthread_mutex_unlock(&ring->lock);
    return copied;
}

static void await(rt_ring *ring, size_t k) {
    pthread_mutex_lock(&ring->lock);
    while (!ring->copied[k % RT_SLOTS])
        pthread_cond_wait(&ring->done, &ring->lock);
    pthread_mutex_unlock(&ring->lock);
}

static unsigned mark_of(size_t k) {
    return (unsigned)(RT_MARK_SLOTS + k % RT_SLOTS);
}

static bool queue(rt_device *device, rt_ring *ring, size_t k, rt_error *why) {
    size_t slot = k % RT_SLOTS;
    return ring->ride->queue(ring->ride->context, &ring->batches[slot], ring->slots[slot], why) &&
           device->driver->mark(device->handle, mark_of(k), why);
}

static bool await_device(const rt_device *device, size_t k, rt_error *why) {
    return device->driver->wait(device->handle, mark_of(k), why);
}

/* Queues the device's copies of batches from *queued on: all below `must`, and those that are ready
 * below `may`. */
static bool queue_filled(rt_device *device, rt_ring *ring, size_t *queued, size_t must, size_t may,
                         rt_error *why) {
    while (*queued < must || (*queued < may && is_copied(ring, *queued))) {
        await(ring, *queued);
        if (!queue(device, ring, *queued, why))
            return false;
        ++*queued;
    }
    return true;
}

static bool upload(rt_device *device, rt_ring *ring, rt_error *why) {
    size_t given = 0, queued = 0;
    rt_batch batch;
    for (; ring->ride->next(ring->ride->context, &batch); given++) {
        size_t must = given >= RT_SLOTS ? given - RT_SLOTS + 1 : 0;
        if (must > 0)
            rt_signals_let_end();
        if (!queue_filled(device, ring, &queued, must, given, why) ||
            (must > 0 && !await_device(device, given, why)))
            return false;
        ring->batches[given % RT_SLOTS] = batch;
        give(ring, given);
    }
    return queue_filled(device, ring, &queued, given, given, why) &&
           (given == 0 || await_device(device, given - 1, why));
}

/* Can the device fill the slot of batch k? `arrived` batches were given to the threads. */
static bool is_free(rt_ring *ring, size_t k, size_t arrived) {
    return k < RT_SLOTS || (k - RT_SLOTS < arrived && is_copied(ring, k - RT_SLOTS));
}

static bool download(rt_device *device, rt_ring *ring, rt_error *why) {
    size_t queued = 0, arrived = 0;
    rt_batch batch;
    bool more = ring->ride->next(ring->ride->context, &batch);
    while (more || arrived < queued) {
        if (more && is_free(ring, queued, arrived)) {
            ring->batches[queued % RT_SLOTS] = batch;
            if (!queue(device, ring, queued++, why))
                return false;
            more = ring->ride->next(ring->ride->context, &batch);
        } else if (arrived < queued) {
            if (!await_device(device, arrived, why))
                return false;
            give(ring, arrived++);
        } else {
            await(ring, queued - RT_SLOTS);
        }
    }
    return true;
}

bool rt_ring_upload(rt_device *device, const rt_ride *ride, rt_error *why) {
    rt_ring *ring = begin(device, ride);
    bool ok = upload(device, ring, why);
    end(ring);
    return ok;
}

bool rt_ring_download(rt_device *device, const rt_ride *ride, rt_error *why) {
    rt_ring *ring = begin(device, ride);
    bool ok = download(device, ring, why);
    end(ring);
    return ok;
}
