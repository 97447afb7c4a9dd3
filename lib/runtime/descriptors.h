/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads of the runtime can have a table of file descriptors of their own, which the program
 * cannot close.
 */
#ifndef STENCILRT_DESCRIPTORS_H
#define STENCILRT_DESCRIPTORS_H

#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1u << 1)
#endif

/* Gives the calling thread an empty table of its own. False if the kernel cannot; Linux can from
 * 5.9 on. */
static inline bool rt_own_descriptors(void) {
    return syscall(SYS_close_range, 0u, ~0u, CLOSE_RANGE_UNSHARE) == 0;
}

#endif
