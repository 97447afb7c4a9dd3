/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A GPU kernel's body made anew in place, under the kernel's own launch: Stencil + Plan -> IR.
 *
 *   entry:   does all that the new body relies on hold?  no -> the body as it was
 *   new:     the thread's cells; none of them inside -> return; all of them -> interior
 *   interior, border: the cells, without and with tests of what is inside
 *
 * Where the neighbours of a cell come from is a source's business: L1, scratchpad, registers.
 */
#ifndef STENCILOPT_BLOCK_H
#define STENCILOPT_BLOCK_H

#include "../plan/block.h"
#include "expr.h"
#include "kernel_region.h"

typedef struct blk_gen blk_gen;

/* Which threads must take the same way: each its own, or all that exchange values. */
typedef enum blk_scope { BLK_THREAD, BLK_WAVE, BLK_BLOCK } blk_scope;

/* A cell of a grid, by its distance from the thread's first cell. Along a dimension in which the
 * grid does not extend it is 0. */
typedef struct blk_tap {
    int32_t grid;
    int32_t offset[ST_MAX_RANK];
} blk_tap;

/* A body is emitted as begin, then for each plane (2-D: row) of taps along the plan's dimension, in
 * growing order, arrive and tap, tap, ..; then end. Each tap is asked for once a body. Both bodies,
 * interior and border, call all of them; blk_gen.interior tells which it is. Without coarsening the
 * planes are those along the last dimension all the same.
 * In the border body taps of cells outside (see blk_axis) are asked for too: any value will do, but
 * no memory may be read that the program does not: blk_clamp. All threads of the scope get there.
 */
typedef struct blk_source {
    const char *name;
    blk_scope scope;
    /* At the entry, the axes' widths being known: an i1 that says whether the launch suits, or NULL
     * if every launch does. Sets the axes' `wave`. False: refused, with the reason set. May be
     * NULL. */
    bool (*check)(blk_gen *g, LLVMValueRef *suits);
    /* Before the thread's first cells are computed: may change the axes' `thread`, so that the
     * block's threads share out its cells in another way; sets `lane`. May be NULL. */
    void (*renumber)(blk_gen *g);
    void (*begin)(blk_gen *g);             /* may be NULL */
    void (*arrive)(blk_gen *g, int plane); /* by its distance from the first cell; may be NULL */
    LLVMValueRef (*tap)(blk_gen *g, const blk_tap *t);
    void (*end)(blk_gen *g); /* may be NULL */
} blk_source;
extern const blk_source blk_l1;

/* A dimension of the stencil: 0 is x. */
typedef struct blk_axis {
    int launch_dim;      /* whose thread and block numbers move it; -1: none */
    LLVMValueRef thread; /* i32: number in the block; 0 if it does not move with it */
    LLVMValueRef width;  /* i32: threads of the block along it; 1 if it does not move with them */
    int64_t known_width; /* the same as a number; 0: not known */
    int cells;           /* of a thread, one after the other */
    int wave;          /* BLK_WAVE: lanes along it, of which the thread is number `lane` (i32);   */
    LLVMValueRef lane; /* the wave's first cell is first - lane * cells, it has wave * cells */
    LLVMValueRef tile; /* i64: coordinate of the block's first cell: it has width * cells */
    LLVMValueRef first; /* i64: of the thread's first: tile + thread * cells */
    /* i64: cells low <= c < high are written, and no others: by the guards and by the launch. */
    LLVMValueRef low, high;
} blk_axis;

struct blk_gen {
    gen_expr e;
    kernel_region *k;
    const st_stencil *s;
    const blk_plan *p;
    LLVMValueRef function;
    LLVMBasicBlockRef done; /* returns */
    blk_axis axes[ST_MAX_RANK];
    /* By grid: address of cell (0,0,0); i64: bytes from cell to cell along a dimension. */
    LLVMValueRef *origin, (*stride)[ST_MAX_RANK];
    LLVMValueRef *scalars;
    const blk_source *source;
    void *state; /* the source's */
    bool interior;
    /* Border: i64: the thread's cells, by their distance from its first along the plan's
     * dimension, are inside from `from` to `to`; none are if from > to or not `active` (i1, as the
     * other dimensions say). With BLK_THREAD at least one is. */
    LLVMValueRef from, to, active;
};

/* i64 arithmetic and addresses. */
LLVMValueRef blk_add(blk_gen *g, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef blk_plus(blk_gen *g, LLVMValueRef a, int64_t b);
LLVMValueRef blk_least(blk_gen *g, LLVMValueRef a, LLVMValueRef b);    /* signed */
LLVMValueRef blk_greatest(blk_gen *g, LLVMValueRef a, LLVMValueRef b); /* signed */
LLVMBasicBlockRef blk_block(blk_gen *g, const char *name);             /* appended */
/* Of a grid's cell with these coordinates; where the grid does not extend they do not matter. */
LLVMValueRef blk_address(blk_gen *g, int32_t grid, LLVMValueRef const coordinate[]);
/* Marked as read-only where the kernel does not write it. */
LLVMValueRef blk_load_cell(blk_gen *g, int32_t grid, LLVMValueRef address);
/* Of all taps of the grid: from the first cell, along d, to its last cell. */
void blk_reach(const blk_gen *g, int32_t grid, int d, int32_t *low, int32_t *high);
/* Moves coordinates into what the program reads of the grid: the cells inside, and around them as
 * far as its taps reach. blk_can_clamp: can that be told? Of boxes and stars it can. */
bool blk_can_clamp(const st_stencil *s, int32_t grid);
void blk_clamp(blk_gen *g, int32_t grid, LLVMValueRef coordinate[]);

#endif
