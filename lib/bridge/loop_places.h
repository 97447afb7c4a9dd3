/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where loops are in the user's source, compared with one another and with libraries.
 */
#ifndef STENCILOPT_BRIDGE_LOOP_PLACES_H
#define STENCILOPT_BRIDGE_LOOP_PLACES_H

#include "bridge/bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The line where the loop begins; 0 without debug information, or if it is in another file than
 * `other` is. */
unsigned br_line_beside(br_loop l, br_loop other);
/* Is the loop in a library's function that was not inlined? */
bool br_in_library(br_loop l);

#ifdef __cplusplus
}
#endif

#endif
