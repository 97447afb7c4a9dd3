/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Opened devices: their locks, the memory that they keep for the next call, the modules that they
 * loaded.
 */
#ifndef STENCILRT_DEVICE_H
#define STENCILRT_DEVICE_H

#include "runtime/device/driver.h"
#include "runtime/watch/ranges.h"
#include <pthread.h>
#include <stdatomic.h>

enum {
    RT_POOL_BLOCKS = 16,
    RT_CHUNKS = 2,
    RT_CHUNK_BYTES = 32 << 20, /* a page-locked chunk */
    RT_SLOTS = 32,
    RT_SLOT_BYTES = 1 << 20, /* a slot of the ring in the first chunk (ring.h) */
};

/* Device memory. Address 0: none. */
typedef struct rt_block {
    uint64_t address;
    size_t bytes;
} rt_block;

typedef struct rt_device rt_device;
typedef struct rt_ring rt_ring;

/* The functions of who leaves arrays on devices (resident/life.c). */
typedef struct rt_keeper {
    /* Brings all arrays back; the caller has taken the device. */
    void (*send_home)(rt_device *device);
    void (*report)(void); /* called at exit, when all devices are closed */
} rt_keeper;

struct rt_device {
    const rt_driver *driver;
    void *handle;
    rt_device_info info;
    pthread_mutex_t lock; /* the thread that uses the device has it */
    pthread_mutex_t
        loading;   /* the thread that loads kernels has it, taken before `lock` if at all */
    bool together; /* a launch was made whose blocks all run at once */
    bool crowded;  /* a resident kernel's block waited too long: no more such kernels */
    bool broken;   /* it failed for good: all later calls decline at once */
    rt_error broken_why;
    rt_block pool[RT_POOL_BLOCKS]; /* free blocks for later calls */
    size_t pool_count, pool_bytes;
    size_t used;              /* bytes that the driver gave, those of the pool included */
    size_t most;              /* bytes that it may give: what other ranks leave, and the option */
    void *chunks[RT_CHUNKS];  /* page-locked, of RT_CHUNK_BYTES each; made at first use */
    bool unlocked[RT_CHUNKS]; /* there was no page-locked memory for the chunk */
    /* Memory that is page-locked for a call, with which the device's copies need no chunk; NULL:
     * there is none. */
    unsigned char *locked;
    size_t locked_bytes;
    rt_ring *ring;
    void *arena; /* host memory where results are staged; kept if it is small */
    size_t arena_bytes;
    struct rt_loaded *loaded; /* all modules loaded on this device; locked by `loading` */
    _Atomic(uint64_t) load; /* the shortest time of a load, in nanoseconds; 0: nothing is loaded */
    struct rt_held *held;   /* arrays that stay on the device */
    rt_ranges held_at;      /* these arrays by their addresses */
    atomic_uint arrays;     /* their number, which is read without the lock */
    atomic_uint unwatched;  /* the number of those that are not watched */
    atomic_bool returns;    /* the device was taken to bring arrays back */
    atomic_bool beside;     /* a thread of the runtime loads kernels */
    struct rt_held *gone;   /* arrays that are back, but not freed */
    unsigned number;        /* the device's number */
    uint64_t launches;      /* launches that may have written something */
    sigset_t signals;       /* if `deaf`: the signals of the thread that uses the device */
    bool deaf;
    atomic_bool asked;       /* a thread looked at an array while a region ran */
    const rt_keeper *keeper; /* NULL: the device never held an array */
};

/* May devices be used? False in a forked child of a process that used a device, and during exit. */
bool rt_devices_usable(rt_error *why);
/* Opens the driver's device once. Later calls return the same device, or the same error. */
rt_device *rt_device_open(const rt_driver *driver, rt_error *why);
/* The same, with the chunks that transfers use. */
rt_device *rt_device_open_whole(const rt_driver *driver, rt_error *why);
/* The same for one of the devices that may share a grid (rt_config.devices), by its place among
 * them. Number 0 is that of rt_device_open. */
rt_device *rt_device_open_other(const rt_driver *driver, unsigned place, rt_error *why);
/* Was opening tried without success? */
bool rt_device_failed(const rt_driver *driver);
/* The device if it is open, otherwise NULL. */
rt_device *rt_device_opened(const rt_driver *driver);
/* The program ends, or does not after all: a device that is being opened need not be opened to the
 * end. */
void rt_devices_unwanted(bool are);
/* Seconds that opening devices took so far; 0: none is open. */
double rt_devices_opening(void);

/* rt_device_take takes the device for this thread, rt_device_give returns it. All functions below
 * need a device that was taken. While another thread has it, a signal may come for the program;
 * then the result is RT_INTERRUPTED. */
bool rt_device_take(rt_device *device, rt_error *why);
void rt_device_give(rt_device *device);
/* As rt_device_take, but false after a while if a region has the device. The region is told that
 * somebody asked. */
bool rt_device_seize_soon(rt_device *device);
/* The thread has the device's lock, and works with it from now on; and gives the lock back. */
void rt_device_begin_work(rt_device *device);
void rt_device_end_work(rt_device *device);
/* Takes a device beside the first one of its driver, which this thread has taken, unless it has
 * this one, too; and makes it the current one. *took: it is to be given back by rt_device_give;
 * otherwise it is to be left. */
bool rt_device_join(rt_device *device, bool *took, rt_error *why);
void rt_device_part(rt_device *device, bool took);
/* Calls work(device, lo, hi) for each device that holds arrays, except `other`. Each is taken by
 * rt_device_seize_soon. */
void rt_devices_each(uintptr_t lo, uintptr_t hi, const rt_device *other,
                     void (*work)(rt_device *, uintptr_t, uintptr_t));
/* From now on devices give back all arrays before a fork. */
void rt_devices_guard_forks(void);
/* Is a fork in progress? Then no more arrays may be held. */
bool rt_devices_fork(void);

/* Loads the region's kernels at first use, and keeps them in region->state. The device must not be
 * taken. False if there was no memory, or a signal came for the program. */
bool rt_device_load(rt_device *device, const stencilrt_region *region, rt_error *why);
/* The same by a thread of the runtime, while the original loops run. A fork waits for it. */
void rt_device_load_beside(rt_device *device, const stencilrt_region *region);
/* The kernels, after rt_device_load. NULL, with the reason in `why`, if they could not be loaded.
 */
void *rt_device_module(const rt_device *device, const stencilrt_region *region, rt_error *why);
/* Has a device loaded the region's kernels? */
bool rt_region_is_loaded(const stencilrt_region *region);

bool rt_device_alloc(rt_device *device, size_t bytes, rt_block *block, rt_error *why);
void rt_device_free(rt_device *device, rt_block *block);
/* The bytes that can be allocated, about: of the option's, and of those that the device has. */
size_t rt_device_room(const rt_device *device);
bool rt_device_chunks(rt_device *device, rt_error *why);
/* At the end: frees kept blocks and page-locked chunks; and the host memory for staging. */
void rt_device_drop_memory(rt_device *device);
void rt_device_drop_arena(rt_device *device);
/* Page-locks memory of the host for a call: the device then copies from and to it itself. A device
 * has one such range. False where that is impossible. The range must be unlocked before it is
 * unmapped, when all copies have ended. */
bool rt_device_lock(rt_device *device, void *memory, size_t bytes);
void rt_device_unlock(rt_device *device);
/* The same range for another device of the driver, which is to forget it first; NULL: none. */
void rt_device_share_lock(rt_device *device, const rt_device *from);
/* Is the memory from `first` to `last` in that range? */
bool rt_device_has_locked(const rt_device *device, const unsigned char *first,
                          const unsigned char *last);
/* Host memory for staging. Valid until rt_device_trim, which keeps it if it is small. */
void *rt_device_arena(rt_device *device, size_t bytes, rt_error *why);
void rt_device_trim(rt_device *device);

/* Waits until the queue has passed all that is in it. */
static inline bool rt_device_pass(const rt_device *device, rt_error *why) {
    enum { MARK = 0 };
    const rt_driver *driver = device->driver;
    return driver->mark(device->handle, MARK, why) && driver->wait(device->handle, MARK, why);
}
/* After a failure: waits until the device no longer uses the runtime's memory. If that fails, marks
 * it broken. */
void rt_device_settle(rt_device *device);

#endif
