/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays that stay on the device from one call to the next.
 *
 * A held array is a box of cells whose memory the program alone uses, laid out on the device with
 * all of its cells: those that a call reads or writes, and what is between. Clean, both copies are
 * equal; dirty, the device's is the only one, and the program's pages are taken away (watch.h).
 * Pages that an array has only in part cannot be watched: what the device writes there comes
 * back at the end of each call, and what the program wrote there is noticed at the next.
 * An array that the program promised not to touch unasked (promise.h) is not watched at all.
 *
 * A call gets a held array if it lies in it, with the same distances of rows and planes, or some of
 * them; any other that meets it sends it home first, and the array is held later with what both use
 * (growth.h). All functions need the device taken.
 */
#ifndef STENCILRT_HELD_H
#define STENCILRT_HELD_H

#include "runtime/call/boxes.h"
#include "runtime/call/shape.h"
#include "runtime/device/device.h"

typedef struct rt_held rt_held;

/* Where a use lies in a held array. */
typedef struct rt_place {
    int64_t by[3]; /* where its cell (0,0,0) is in the held array, along `axis` */
    int axis[3];   /* the held array's dimension that each of its own is */
    bool falls[3]; /* along which they count down */
} rt_place;

/* An array of a call. */
typedef struct rt_use {
    const rt_buffer *buffer;
    rt_grid *grid;           /* changed to the held array's layout */
    uint32_t number;         /* of the call's blocks */
    rt_block *block;         /* where it is on the device: set where it is held */
    uintptr_t lo, hi;        /* host bytes accessed */
    rt_box box;              /* cells accessed, and what is between */
    const rt_boxes *results; /* cells written */
    uint32_t group;          /* uses of one group must have rows and planes in the same distances */
    bool read, written;
    bool made;          /* the original loops write all of the results before they read them */
    bool guarded;       /* may the call fail though nothing is wrong with the device? */
    bool parted;        /* is what it was worth a copy, so that the call may run in parts? */
    bool plain;         /* can it be held at all? */
    bool turns;         /* may its rows be planes of a held array, or lie in falling order? */
    bool wanted;        /* shall it be? */
    double up, down;    /* bytes that are copied to the device and back where it is not */
    const void *region; /* of the call */
    /* Filled: */
    rt_held *held;
    bool fresh;           /* held by this call first: not on the device yet */
    bool borrows;         /* the block is another use's, as the array is not held any more */
    bool was_dirty;       /* before this call */
    rt_place place;       /* in it */
    unsigned char *edges; /* staged */
    rt_block before; /* what it was, where it is guarded or parted, only here, and overwritten */
} rt_use;

/* What a call had of it, for the report. */
typedef struct rt_kept {
    uint32_t arrays; /* found on the device, or left there */
    double saved;    /* bytes that need not be copied */
} rt_kept;

/* What a call would find on a device. */
typedef struct rt_found {
    double missing; /* bytes to copy there and back for the call, of arrays that are not there */
    double risk;    /* of these, those of arrays that may stay there from then on */
    double dirty;   /* bytes to bring home for the original loops */
    double again;   /* of these, those that calls are likely to want there again */
    bool any;       /* does it use a held array? */
    bool all;       /* and no other? */
} rt_found;

/* Without taking the device: where another thread has it, nothing is found. NULL: no device. */
void rt_held_find(rt_device *device, rt_use *uses, size_t count, rt_found *found);

/* Looks for held arrays, sends home what is in the way, and begins to hold what is wanted. */
bool rt_held_begin(rt_device *device, rt_use *uses, size_t count, rt_error *why);
/* Uploads a use that is held; nothing is left to do where it was held before. */
bool rt_held_upload(rt_device *device, rt_use *use, rt_error *why);
/* After the kernels: makes ready to leave on the device what the use `which` has written. `held` is
 * NULL afterwards, in all uses of the array, where the array cannot stay. */
bool rt_held_finish(rt_use *uses, size_t count, size_t which, rt_error *why);
/* Before the call frees its blocks: those that uses borrow are another use's. */
void rt_held_return(rt_use *uses, size_t count);
/* When nothing can fail any more. */
void rt_held_commit(rt_device *device, rt_use *uses, size_t count, rt_kept *kept);
/* Instead, when something failed; `launched`: the device may have written to arrays. The host's
 * memory is as it was at entry, or will be when somebody looks; else the process ends. */
void rt_held_fail(rt_device *device, rt_use *uses, size_t count, bool launched);

/* Between launches: what somebody looked at goes home, unless the call uses it. False: such an
 * array is one of the call's. *answered: some went home, by way of the device's chunks and arena.
 */
bool rt_held_answer(rt_device *device, const rt_use *uses, size_t count, bool *answered);

/* Brings back, and forgets, what meets these bytes. */
void rt_held_release(rt_device *device, uintptr_t lo, uintptr_t hi);
/* Brings all back. */
void rt_held_release_all(rt_device *device);

/* Of these, what is promised. */
void rt_held_settle(rt_device *device, uintptr_t lo, uintptr_t hi);
/* What is dirty in a promised array comes back, and stays on the device as well. */
void rt_held_fetch(rt_device *device, uintptr_t lo, uintptr_t hi);
/* The program wrote to it: the device's copy of these bytes is not wanted any more. */
void rt_held_changed(rt_device *device, uintptr_t lo, uintptr_t hi);

#endif
