/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the threads of a block read and load together. For the sources that share cells between
 * threads.
 */
#ifndef STENCILOPT_BLOCK_LAYER_H
#define STENCILOPT_BLOCK_LAYER_H

#include "codegen/block/gen.h"

/* Taps of a grid: all of a body, or those of one plane. */
typedef struct blk_layer {
    int32_t grid;
    bool whole;
    int plane; /* unless whole */
    blk_tap *taps;
    size_t ntaps;
    int32_t least[ST_MAX_RANK], most[ST_MAX_RANK]; /* offset, from the thread's first cell */
    bool shared;                                   /* other threads read some of the same cells */
} blk_layer;

/* False if there are no taps; else free them. */
bool blk_layer_find(const blk_gen *g, int32_t grid, const int *plane, blk_layer *out);
void blk_layer_free(blk_layer *l);
bool blk_layer_has(const blk_gen *g, const blk_layer *l, const blk_tap *t);
/* Do the taps fill the box between their least and greatest offsets? */
bool blk_layer_is_box(const blk_layer *l);

/* Can it be decided of each shared cell whether the program reads it, and which value is there? */
bool blk_layers_clamp(const blk_gen *g);

/* Code that runs where a condition holds is built between these calls. blk_begin_if returns the
 * block behind that code. blk_end_if returns v from that code, and 0 where it did not run; v may be
 * NULL. `before` is the block in which blk_begin_if was called. */
LLVMBasicBlockRef blk_begin_if(blk_gen *g, LLVMValueRef condition);
LLVMValueRef blk_end_if(blk_gen *g, LLVMBasicBlockRef all, LLVMBasicBlockRef before,
                        LLVMValueRef v);

/* The address of a cell. At the border, and if `clamp`, the coordinates are moved into what the
 * program reads, and there follow the boundary rules. */
LLVMValueRef blk_address_at(blk_gen *g, int32_t grid, LLVMValueRef coordinate[], bool clamp);
/* The cell where `condition` holds (NULL: always), else 0. */
LLVMValueRef blk_load_if(blk_gen *g, int32_t grid, LLVMValueRef address, LLVMValueRef condition);
/* A tap of a layer that is not shared: from memory, by the thread itself. */
LLVMValueRef blk_load_own(blk_gen *g, const blk_tap *t);

#endif
