/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays that stay on the device from one call to the next.
 *
 * A held array is a box of cells. Only the program uses its memory. The device has all cells of the
 * box: those that calls read or write, and those between. While it is clean, both copies are equal.
 * While it is dirty, the device has the only copy, and the program's pages are taken away
 * (watch.h). Pages that only partly belong to the array cannot be watched. What the device writes
 * there is copied back at the end of each call, and what the program wrote there is noticed at the
 * next call. An array that the program promised not to touch without saying so (promise.h) is not
 * watched.
 *
 * A use lies in a held array if it has the same distances of rows and planes, or some of them. A
 * call gets the held array if its use lies in it. Any other use that meets the array sends it home
 * first; afterwards the array is held with what both use (growth.h). All functions need the device
 * taken.
 *
 * Devices that share a grid hold an array together (spread.h). It is listed at the first one of
 * them.
 */
#ifndef STENCILRT_HELD_H
#define STENCILRT_HELD_H

#include "runtime/call/boxes.h"
#include "runtime/call/shape.h"
#include "runtime/device/device.h"
#include "runtime/slab/cut.h"

typedef struct rt_held rt_held;

/* The place of a use in a held array. */
typedef struct rt_place {
    /* The place of its cell (0,0,0) in the held array, along `axis`. */
    int64_t by[3];
    /* For each of its dimensions, the dimension of the held array. */
    int axis[3];
    /* Does the dimension run downwards? */
    bool falls[3];
    /* A single row of a use that only reads, across rows of the array. by[0] counts all cells. */
    bool across;
} rt_place;

/* An array of a call. */
typedef struct rt_use {
    const rt_buffer *buffer;
    rt_grid *grid;           /* gets the held array's layout */
    uint32_t number;         /* its number among the call's blocks */
    rt_block *block;         /* its place on the device; set if it is held */
    uintptr_t lo, hi;        /* bytes accessed on the host */
    rt_box box;              /* cells that are accessed, and those between */
    const rt_boxes *results; /* cells that are written */
    uint32_t group;          /* uses of one group need the same distances of rows and planes */
    bool read, written;
    bool made;          /* the original loops write all results before they read them */
    bool guarded;       /* may the call fail although nothing is wrong with the device? */
    bool parted;        /* is its old content worth a copy, so that the call can run in parts? */
    bool plain;         /* can it be held at all? */
    bool turns;         /* may its rows be planes of a held array, or lie in falling order? */
    bool wanted;        /* should it be held? */
    double up, down;    /* bytes copied to the device and back if it is not held */
    const void *region; /* of the call */
    /* Set by the functions below. */
    rt_held *held;
    bool fresh;     /* this call holds it first, and it is not on the device yet */
    bool borrows;   /* the block belongs to another use, because the array is no longer held */
    bool was_dirty; /* whether it was dirty before this call */
    rt_place place; /* in the held array */
    /* Of a member's use (rt_members): the whole's row that is its row 0; the rows that are the
     * member's. Where rows come round, its addresses are those of so many rows before. */
    int64_t row, turned;
    rt_rows own;
    unsigned char *edges; /* staged bytes of the edges */
    /* The old content, if it is only here, is overwritten, and the use is guarded or parted. */
    rt_block before;
} rt_use;

/* The devices that share a call's rows, along dimension `last`, and what each of them uses: uses of
 * the same numbers as those of the whole call. All are taken. */
typedef struct rt_members {
    unsigned count;
    int last;
    int64_t around; /* the rows after which rows come round; 0: they do not */
    rt_device *devices[RT_MOST_DEVICES];
    rt_use *uses[RT_MOST_DEVICES]; /* with row and own */
    size_t counts[RT_MOST_DEVICES];
} rt_members;

/* What a call gained by held arrays, for the report. */
typedef struct rt_kept {
    uint32_t arrays; /* arrays found on the device, or left there */
    double saved;    /* bytes that were not copied */
} rt_kept;

/* What a call would find on a device. */
typedef struct rt_found {
    double missing; /* bytes to copy there and back, for arrays that are not there */
    double risk;    /* the part of them for arrays that may stay there afterwards */
    double dirty;   /* bytes to bring home if the original loops run */
    double again;   /* the part of them that later calls are likely to need there again */
    bool any;       /* does it use a held array? */
    bool all;       /* does it use held arrays only? */
} rt_found;

/* Does not take the device. If another thread has it, nothing is found. NULL: no device. */
void rt_held_find(rt_device *device, rt_use *uses, size_t count, rt_found *found);

/* The number of devices that hold all arrays of the call together; 0: there are none. */
unsigned rt_held_spread_over(rt_device *device, const rt_use *uses, size_t count);
/* Several devices would make a call faster by `saved` seconds than one, or slower. The call's
 * arrays can stay on either; to copy them there and back takes `price` seconds. Are they to be used
 * by several? */
bool rt_held_may_spread(rt_device *device, const rt_use *uses, size_t count, double saved,
                        double price);

/* Looks for held arrays, sends home those that are in the way, and begins to hold those that are
 * wanted. `members`: those that share the call, of which `device` is the first one; NULL: it has
 * all rows. Then uses of the whole say which array is held, and uses of members where it is. */
bool rt_held_begin(rt_device *device, rt_use *uses, size_t count, const rt_members *members,
                   rt_error *why);
/* Uploads a use that is held. If it was held before, there is nothing to do. */
bool rt_held_upload(rt_device *device, rt_use *use, rt_error *why);
/* After the kernels: prepares that the results of use `which` stay on the device. If the array
 * cannot stay, `held` becomes NULL in all uses of the array. */
bool rt_held_finish(rt_use *uses, size_t count, size_t which, const rt_members *members,
                    rt_error *why);
/* To be called before the call frees its blocks: borrowed blocks belong to other uses. */
void rt_held_return(rt_use *uses, size_t count);
/* To be called when nothing can fail any more. */
void rt_held_commit(rt_device *device, rt_use *uses, size_t count, const rt_members *members,
                    rt_kept *kept);
/* To be called when something failed, instead of rt_held_commit. `launched`: the device may have
 * written to arrays. The host's memory is as it was at entry, or will be when the program looks at
 * it. If that is impossible, the process ends. */
void rt_held_fail(rt_device *device, rt_use *uses, size_t count, const rt_members *members,
                  bool launched);

/* Between launches: sends home arrays that the program looked at, unless the call uses them. False
 * if such an array is one of the call's. *answered: some went home, and used the device's chunks
 * and arena. */
bool rt_held_answer(rt_device *device, const rt_use *uses, size_t count, bool *answered);

/* Brings home, and forgets, all arrays that meet these bytes. */
void rt_held_release(rt_device *device, uintptr_t lo, uintptr_t hi);
/* Brings home all arrays. */
void rt_held_release_all(rt_device *device);

/* Brings home promised arrays that meet these bytes. */
void rt_held_settle(rt_device *device, uintptr_t lo, uintptr_t hi);
/* Copies home what is dirty of these bytes in promised arrays. The arrays also stay on the device.
 */
void rt_held_fetch(rt_device *device, uintptr_t lo, uintptr_t hi);
/* The program wrote these bytes: the device's copy of them is outdated. */
void rt_held_changed(rt_device *device, uintptr_t lo, uintptr_t hi);
/* The same of many pieces: `rows` is the address of a stencilrt_rows. `done` becomes 0 unless the
 * device has none of them, or one promised array has all, and they are cells of a box. */
void rt_held_fetch_rows(rt_device *device, uintptr_t rows, uintptr_t end);
void rt_held_changed_rows(rt_device *device, uintptr_t rows, uintptr_t end);
/* The program had these bytes of promised arrays written on the device. */
void rt_held_changed_there(rt_device *device, uintptr_t lo, uintptr_t hi);
/* `place` is the address of a stencilrt_location. Fills in where a promised array has its bytes. */
void rt_held_locate(rt_device *device, uintptr_t place, uintptr_t end);

#endif
