/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For a program's own process, which a lack of memory inside LLVM must not end.
 */
#ifndef STENCILOPT_BRIDGE_TRY_H
#define STENCILOPT_BRIDGE_TRY_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* work(context). False if LLVM ran out of memory in it: then what LLVM had under way is neither
 * undone nor unlocked. */
bool br_has_memory(void (*work)(void *context), void *context);

#ifdef __cplusplus
}
#endif
#endif
