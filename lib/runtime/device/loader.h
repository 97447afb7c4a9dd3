/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tells whether the loader's lock is free, and opens libraries; see loader.c.
 */
#ifndef STENCILRT_LOADER_H
#define STENCILRT_LOADER_H

#include <stdbool.h>

/* Does another thread get the loader's lock within 50 ms? If not, this thread may have the lock. */
bool rt_loader_is_free(void);

/* Does work that opens libraries, in a thread with an empty descriptor table if that is possible.
 * Returns when the work is done. */
void rt_loader_run(void (*work)(void *), void *context);

#endif
