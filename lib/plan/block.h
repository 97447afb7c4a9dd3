/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The plan of spatial blocking in a GPU kernel: from where its cells' neighbours come, and how many
 * cells a thread computes. Chosen by the model, or field by field by the user.
 */
#ifndef STENCILOPT_PLAN_BLOCK_H
#define STENCILOPT_PLAN_BLOCK_H

#include "stencil.h"

typedef enum blk_cache { BLK_L1, BLK_LDS, BLK_REG } blk_cache;
typedef enum blk_load { BLK_CYCLIC, BLK_BRANCH } blk_load;
typedef enum blk_blocking { BLK_2D, BLK_25D, BLK_3D } blk_blocking;

typedef struct blk_plan {
    blk_cache cache;
    blk_load load;         /* of lds and reg */
    blk_blocking blocking; /* of lds */
    int wave;              /* of reg: dimensions of a wave, 1 or 2 */
    int coarsen;           /* cells a thread; 1: as the program has it */
    int dim;               /* of the stencil, along which these cells are */
    bool row_sums;         /* sums are regrouped by rows, which flags allow */
    double gain;           /* predicted: so many times as fast */
} blk_plan;

/* What the user wants; empty or 0: what the model chooses. */
typedef struct blk_wish {
    const char *cache, *load, *blocking, *wave;
    int coarsen, dim; /* dim: -1 for the model's */
} blk_wish;

/* What the plan depends on besides the stencil. */
typedef struct blk_launch {
    bool can_coarsen[ST_MAX_RANK]; /* by dimension: the launch has whole threads along it */
    bool flat;
    int64_t width[ST_MAX_RANK]; /* of the block, or 0: not known */
} blk_launch;

/* False if the model leaves the kernel alone. */
bool blk_choose(const st_stencil *s, const blk_launch *l, const blk_wish *wish, blk_plan *out);
void blk_print(const blk_plan *p, char *out, size_t size);

#endif
