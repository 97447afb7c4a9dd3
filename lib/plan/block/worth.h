/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which plans of blocking lose, although counts promise a gain: what measurements say.
 */
#ifndef STENCILOPT_PLAN_BLOCK_WORTH_H
#define STENCILOPT_PLAN_BLOCK_WORTH_H

#include "plan/block/block.h"

enum { BLK_SMALL_STENCIL = 9, BLK_LARGE_STENCIL = 30 }; /* cells read */

/* NULL, or why the plan is expected to be no faster than the program's own body, in words. */
const char *blk_find_loss(const st_stencil *s, const blk_launch *l, const blk_plan *p);

#endif
