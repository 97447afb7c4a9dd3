/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pieces of a promised array: only what the program fetches or changed is copied.
 */
#ifndef STENCILRT_SPANS_H
#define STENCILRT_SPANS_H

#include "runtime/resident/held_array.h"

/* Copies these bytes' cells from the device to the program. False if nothing, or not all, was
 * copied, and the whole array is to be. */
bool rt_piece_fetch(rt_held *held, uintptr_t lo, uintptr_t hi);
/* Copies them to the device, which then has them as the program does. False as above. */
bool rt_piece_changed(rt_held *held, uintptr_t lo, uintptr_t hi);
/* The same of many pieces. False, and nothing was copied, unless they are the cells of a box. */
bool rt_piece_fetch_rows(rt_held *held, const stencilrt_rows *rows);
bool rt_piece_changed_rows(rt_held *held, const stencilrt_rows *rows);
/* Where the bytes are on the device, when it has done all that it was told; 0 if they do not lie
 * there side by side. */
uint64_t rt_piece_address(rt_held *held, uintptr_t lo, uintptr_t hi);

#endif
