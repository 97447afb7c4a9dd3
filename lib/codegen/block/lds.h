/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much scratchpad a block needs, and which launches have so much. For the source that uses
 * scratchpad.
 */
#ifndef STENCILOPT_BLOCK_LDS_H
#define STENCILOPT_BLOCK_LDS_H

#include "codegen/block/layer.h"

enum { LDS_ALIGNMENT = 16 };

typedef struct lds_sizes {
    int64_t grid[ST_MAX_PORTS]; /* bytes, of one buffer */
    int64_t all;
    bool known;
} lds_sizes;

/* The sizes for the block's shape, if it is known; else sizes for the usual shapes. */
void lds_find_sizes(blk_gen *g, lds_sizes *s);
/* The source's function `check` (blk_source in gen.h). */
bool lds_check(blk_gen *g, LLVMValueRef *suits);

bool lds_by_planes(const blk_gen *g);
int lds_buffers(const blk_gen *g); /* buffers that take turns */
/* Does the tile of one plane have one slice along d for each of the block's threads along d? */
bool lds_is_sliced(const blk_gen *g, const blk_layer *l, int d);
/* Cells along d of the tile of a block `width` wide; of this block, i32. */
int64_t lds_extent(const blk_gen *g, const blk_layer *l, int d, int64_t width);
LLVMValueRef lds_extent_value(blk_gen *g, const blk_layer *l, int d);

#endif
