/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Opened devices: their lock, the memory they keep for the next call, the modules they loaded.
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
    RT_CHUNK_BYTES = 32 << 20, /* a page-locked chunk: long enough to hide its own start */
};

/* Device memory; address 0: none. */
typedef struct rt_block {
    uint64_t address;
    size_t bytes;
} rt_block;

typedef struct rt_device rt_device;

/* Who leaves arrays on devices (resident/life.c), for it must be told when that ends. */
typedef struct rt_keeper {
    void (*send_home)(rt_device *device); /* all arrays; with the device taken */
    void (*report)(void);                 /* at exit, all devices being closed */
} rt_keeper;

struct rt_device {
    const rt_driver *driver;
    void *handle;
    rt_device_info info;
    pthread_mutex_t lock; /* held by the one thread that uses the device */
    bool broken;          /* an error that stays: all later calls decline at once */
    rt_error broken_why;
    rt_block pool[RT_POOL_BLOCKS]; /* free blocks, kept */
    size_t pool_count, pool_bytes;
    void *chunks[RT_CHUNKS]; /* page-locked, RT_CHUNK_BYTES each; made on first use */
    void *arena;             /* where results are staged; kept if small */
    size_t arena_bytes;
    struct rt_loaded *loaded; /* all modules loaded on this device */
    _Atomic(uint64_t) load;   /* nanoseconds that loading one took at least; 0: none is loaded */
    struct rt_held *held;     /* arrays that stay here */
    rt_ranges held_at;        /* the same, by their addresses */
    atomic_uint arrays;       /* of them; read without the lock */
    atomic_uint unwatched;    /* of them */
    atomic_bool returns;      /* taken to bring arrays back */
    struct rt_held *gone;     /* arrays that are back, and have not been freed */
    unsigned number;          /* among all devices */
    uint64_t launches;        /* that may have written something */
    sigset_t signals;         /* of the thread that uses it, if `deaf` */
    bool deaf;
    atomic_bool asked;       /* somebody looked at an array while a region ran */
    const rt_keeper *keeper; /* NULL: it never held any */
};

/* False in a forked child of a process that used a device, and during exit. */
bool rt_devices_usable(rt_error *why);
/* Opens the driver's device, once; later calls give the same device or the same error. */
rt_device *rt_device_open(const rt_driver *driver, rt_error *why);
/* Has it been tried, in vain? */
bool rt_device_failed(const rt_driver *driver);
/* The device if it is open already, else NULL. */
rt_device *rt_device_opened(const rt_driver *driver);

/* Takes the device for this thread, and gives it back. All that follows needs it taken. While
 * another thread has it, a signal may come for the program: RT_INTERRUPTED. */
bool rt_device_take(rt_device *device, rt_error *why);
void rt_device_give(rt_device *device);
/* The same, but false too after a while, if a region has it: that is told that somebody asked. */
bool rt_device_seize_soon(rt_device *device);
/* Calls work(device, lo, hi) for each device but `other`, taken so, if it holds arrays. */
void rt_devices_each(uintptr_t lo, uintptr_t hi, const rt_device *other,
                     void (*work)(rt_device *, uintptr_t, uintptr_t));
/* From now on all that devices hold is back before a fork. */
void rt_devices_guard_forks(void);
/* Is a fork under way? Then nothing more may be held. */
bool rt_devices_fork(void);

/* The region's kernels, loaded on first use; kept in region->state. NULL: a reason in `why`. */
void *rt_device_module(rt_device *device, const stencilrt_region *region, rt_error *why);
/* Has some device loaded the region's kernels? */
bool rt_region_is_loaded(const stencilrt_region *region);

bool rt_device_alloc(rt_device *device, size_t bytes, rt_block *block, rt_error *why);
void rt_device_free(rt_device *device, rt_block *block);
bool rt_device_chunks(rt_device *device, rt_error *why);
/* Host memory for staging, valid until rt_device_trim, which keeps it only if it is small. */
void *rt_device_arena(rt_device *device, size_t bytes, rt_error *why);
void rt_device_trim(rt_device *device);

/* After a failure: waits until the device no longer uses our memory, or marks it broken. */
void rt_device_settle(rt_device *device);

#endif
