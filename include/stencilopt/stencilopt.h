/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For programs that want to say themselves which arrays stay on the device from one loop nest to
 * the next: where the system does not let the runtime find out when the program looks (see
 * docs/residency.md), or where the looks are known and each page fault counts.
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
 * Loop nests that the plugin offloads need no calls around them, also where they come to run as
 * written; all others look, and so do loop nests of another executable or shared library. Sizes are
 * in bytes. A range may hold several arrays, and be part of the memory kept; keep and release go by
 * whole ranges. A program that keeps its promise has the same results as without these calls. They
 * do nothing in a program built without the plugin, and need no library: what they call comes with
 * the loops that the plugin compiled, in the same executable or shared library. In C and C++; any
 * thread may call them.
 */
#ifndef STENCILOPT_STENCILOPT_H
#define STENCILOPT_STENCILOPT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* lib/offload/stub/entry.c has it; `what` is one of region.h's. */
extern void stencilopt_notify(int what, const void *memory,
                              unsigned long long bytes) __asm__("stencilopt.notify")
    __attribute__((weak, visibility("hidden")));

/* From now on the program fetches before it looks, and says what it changed. */
static inline void stencilopt_keep(const void *memory, size_t bytes) {
    if (stencilopt_notify)
        stencilopt_notify(1, memory, bytes);
}

/* Makes the program's memory hold what it would hold without a device. */
static inline void stencilopt_fetch(const void *memory, size_t bytes) {
    if (stencilopt_notify)
        stencilopt_notify(2, memory, bytes);
}

/* The program wrote to this memory, having fetched all of it, or having written all of it. */
static inline void stencilopt_changed(const void *memory, size_t bytes) {
    if (stencilopt_notify)
        stencilopt_notify(3, memory, bytes);
}

/* Fetches, and ends every promise about any of this memory. */
static inline void stencilopt_release(const void *memory, size_t bytes) {
    if (stencilopt_notify)
        stencilopt_notify(4, memory, bytes);
}

#ifdef __cplusplus
}
#endif
#endif
