/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For programs that decide themselves which arrays stay on the device from one loop nest to the
 * next. There are two reasons to do so. The system may not let the runtime find out when the
 * program looks at an array (see docs/residency.md). Or the program knows when it looks, and wants
 * to avoid page faults.
 *
 *     stencilopt_keep(a, bytes);
 *     stencilopt_keep(b, bytes);
 *     for (t = 0; t < steps; t++) {
 *         sweep(b, a);                          // in another file, built with the plugin
 *         swap(&a, &b);
 *         if (t % 100 == 0) {
 *             stencilopt_fetch(a, bytes);       // before the program reads or writes
 *             a[source] += 1;
 *             stencilopt_changed(&a[source], sizeof *a);   // after it wrote
 *         }
 *     }
 *     stencilopt_release(a, bytes);             // before the memory is freed, or used as before
 *     stencilopt_release(b, bytes);
 *
 * A fetch, or a change, of a part copies this part: rows that MPI sends and receives, a probe, a source.
 *
 * Loop nests that the plugin offloads need no calls around them, even where their original loops
 * run. All other code counts as looking at the arrays, including loop nests of another executable
 * or shared library. Sizes are in bytes. A range may contain several arrays, and may be part of the
 * memory that is kept. keep and release need whole ranges. A program that calls these functions as
 * described has the same results as without the calls. In a program built without the plugin they
 * do nothing. They need no library: the code that they call comes with the loops that the plugin
 * compiled, in the same executable or shared library. They are for C and C++. Any thread may call
 * them.
 */
#ifndef STENCILOPT_STENCILOPT_H
#define STENCILOPT_STENCILOPT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Defined in lib/offload/stub/entry.c. `what` is a number of region.h. */
extern void stencilopt_notify(int what, const void *memory,
                              unsigned long long bytes) __asm__("stencilopt.notify")
    __attribute__((weak, visibility("hidden")));

/* A promise: from now on the program fetches this memory before it looks at it, and tells what it
 * changed. */
static inline void stencilopt_keep(const void *memory, size_t bytes) {
    if (stencilopt_notify)
        stencilopt_notify(1, memory, bytes);
}

/* Gives the program's memory the content that it would have without a device. */
static inline void stencilopt_fetch(const void *memory, size_t bytes) {
    if (stencilopt_notify)
        stencilopt_notify(2, memory, bytes);
}

/* Tells that the program wrote to this memory. Before, it fetched all of the memory, or it wrote
 * all of it. Loop nests that the plugin may offload have told already: what they wrote may be on the
 * device alone, and this call would replace it with what the program's memory has. */
static inline void stencilopt_changed(const void *memory, size_t bytes) {
    if (stencilopt_notify)
        stencilopt_notify(3, memory, bytes);
}

/* As stencilopt_fetch (`what` 9) and stencilopt_changed (10), of many pieces. */
static inline void stencilopt_tell_rows(int what, const void *memory, size_t bytes, size_t count,
                                        size_t distance) {
    struct {
        const void *memory;
        unsigned long long bytes, count, distance, done;
    } rows = {memory, bytes, count, distance, 0};
    if (!stencilopt_notify)
        return;
    stencilopt_notify(what, &rows, sizeof rows);
    for (size_t i = 0; i < count && !rows.done; i++)
        stencilopt_notify(what - 7, (const char *)memory + i * distance, bytes);
}

/* Fetches `count` pieces of `bytes` bytes each, whose first bytes are `distance` bytes apart: a column of
 * a block, whose cells are one row apart. */
static inline void stencilopt_fetch_rows(const void *memory, size_t bytes, size_t count,
                                         size_t distance) {
    stencilopt_tell_rows(9, memory, bytes, count, distance);
}

/* Tells that the program wrote to such pieces. */
static inline void stencilopt_changed_rows(const void *memory, size_t bytes, size_t count,
                                           size_t distance) {
    stencilopt_tell_rows(10, memory, bytes, count, distance);
}

/* The address on the device of this memory, if it is kept, is there, and lies there side by side as it
 * does here: cells of one row do. Otherwise NULL. It is for libraries that take addresses on a device, as
 * those of MPI may. Valid until the next loop nest, or the next of these calls except this one. What the
 * library reads there are the newest values, without a fetch. */
static inline void *stencilopt_device(const void *memory, size_t bytes) {
    struct {
        const void *memory;
        unsigned long long bytes, device;
    } place = {memory, bytes, 0};
    if (stencilopt_notify)
        stencilopt_notify(7, &place, sizeof place);
    return (void *)(size_t)place.device;
}

/* Tells that this memory was written at its address on the device. */
static inline void stencilopt_device_changed(const void *memory, size_t bytes) {
    if (stencilopt_notify)
        stencilopt_notify(8, memory, bytes);
}

/* Fetches this memory, and ends every promise about any part of it. */
static inline void stencilopt_release(const void *memory, size_t bytes) {
    if (stencilopt_notify)
        stencilopt_notify(4, memory, bytes);
}

#ifdef __cplusplus
}
#endif
#endif
