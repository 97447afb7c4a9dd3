/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The plan of spatial blocking in a GPU kernel: where the neighbours of its cells come from, and
 * how many cells a thread computes. The model chooses; the user may choose each field.
 */
#ifndef STENCILOPT_PLAN_BLOCK_H
#define STENCILOPT_PLAN_BLOCK_H

#include "model/stencil.h"
#include "target/gpus.h"

typedef enum blk_cache { BLK_L1, BLK_LDS, BLK_REG } blk_cache;
typedef enum blk_load { BLK_CYCLIC, BLK_BRANCH } blk_load;
typedef enum blk_blocking { BLK_2D, BLK_25D, BLK_3D } blk_blocking;

typedef struct blk_plan {
    blk_cache cache;
    blk_load load;         /* of lds and reg */
    blk_blocking blocking; /* of lds, and of reg with load=cyclic */
    int wave;              /* of reg: dimensions of a wave, 1 or 2 */
    int coarsen;           /* cells a thread along dim; 1: as the program has it */
    int dim;               /* a dimension of the stencil but x */
    int registers;         /* that a thread may have */
    int vector;            /* cells a thread along x, of l1; 1: as the program has it */
    bool row_sums;         /* sums are regrouped by rows, which flags allow */
    double gain;           /* predicted: so many times as fast */
    int64_t least_cells;   /* of the launch; with fewer the program's own body runs */
} blk_plan;

/* What the user wants; empty or 0: what the model chooses. */
typedef struct blk_wish {
    const char *cache, *load, *blocking, *wave;
    int coarsen, vector, registers, dim; /* dim: -1 for the model's */
} blk_wish;

/* What the plan depends on besides the stencil. */
typedef struct blk_launch {
    bool can_coarsen[ST_MAX_RANK]; /* by dimension: the launch has whole threads along it */
    bool flat, strided;            /* strided: a loop takes threads to further cells */
    bool walks;                    /* a loop in the thread goes along one dimension */
    int carries;                   /* cells that it keeps for its next iteration */
    bool divides;                  /* its entry must divide to know how many rows a plane has */
    bool sizes_behind;             /* the program reads sizes of its entry behind branches */
    bool planes;                   /* it writes planes or rows of one array by several statements */
    bool beside;                   /* .. with parts between those of another statement */
    bool reads_late;               /* the entry tests that ranges of arrays are apart */
    bool reads_between;            /* a thread reads after it wrote what may be the same memory */
    bool long_calls;               /* it calls functions with loops for large arguments */
    bool windows;                  /* its loops went over the neighbours in the grid alone */
    bool along_x;                  /* a warp's threads take neighbouring cells along x */
    int most_threads;              /* of a block, as the kernel promises; 0: it does not */
    const gpu_facts *gpu;          /* that the kernel is compiled for */
    int64_t width[ST_MAX_RANK];    /* of the block, in threads, or 0: not known */
    int cells[ST_MAX_RANK];        /* that a thread of the program computes along a dimension */
    bool cells_apart;              /* they are a block's width apart */
} blk_launch;

/* What the model expects. */
typedef struct blk_hope {
    double gain[3]; /* by cache: of the best plan, by counts; 1: that is the program's own body */
    const char
        *loss; /* why the kernel stays nevertheless; NULL: it does not, or nothing is gained */
} blk_hope;

/* Chooses the plan, out[0]. Returns 2 if there is a second plan, out[1], for rows that are not
 * aligned for the vectors of the first. Returns 0 if the kernel is better left as it is. */
int blk_choose(const st_stencil *s, const blk_launch *l, const blk_wish *wish, blk_plan out[2],
               blk_hope *hope);
const char *blk_cache_name(blk_cache cache);
void blk_print(const blk_plan *p, char *out, size_t size);

#endif
