/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For the user's process, which must not end when LLVM runs out of memory.
 */
#ifndef STENCILOPT_BRIDGE_TRY_H
#define STENCILOPT_BRIDGE_TRY_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls work(context). False if LLVM ran out of memory meanwhile. Then LLVM's unfinished work is
 * not undone, and its locks stay taken. */
bool br_has_memory(void (*work)(void *context), void *context);

#ifdef __cplusplus
}
#endif
#endif
