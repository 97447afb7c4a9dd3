/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whether the loader's lock can be had; see loader.c.
 */
#ifndef STENCILRT_LOADER_H
#define STENCILRT_LOADER_H

#include <stdbool.h>

/* Can another thread have the loader's lock within 50 ms? False: this thread may have it. */
bool rt_loader_is_free(void);

#endif
