/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The order in which a launch's threads, or its blocks, take the cells of a grid of rows: N.
 * Prasetya, "Improving Cache Performance in Structured GPGPU Workloads via Specialized Thread
 * Schedules" (2022), chapter 4.
 */
#ifndef STENCILOPT_ORDER_H
#define STENCILOPT_ORDER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum order_kind {
    ORDER_ROWS,    /* as the kernel has it: row after row */
    ORDER_COLUMNS, /* columns of `width` cells, row after row in each; the last may be narrower */
    ORDER_TILES    /* tiles of `width` x `height`, row after row; the last ones may be smaller */
} order_kind;

typedef struct order_plan {
    order_kind kind;
    uint32_t width, height;
    bool zigzag;   /* in a column or tile, every other row backwards */
    char why[320]; /* the model's inputs and what it made of them, or why it changes nothing */
} order_plan;

/* What the model looks at. */
typedef struct order_work {
    bool is_product;     /* of matrices, else a stencil if `tall` is not 0 */
    uint32_t rows;       /* of cells that a thread gets from stencil-block; 0: it does not block */
    bool is_flat;        /* threads are numbered along rows; else blocks are */
    uint32_t unit;       /* bytes a cell */
    uint32_t wide, tall; /* of a stencil, cells */
    int64_t row;         /* cells of a row, 0 where only the launch knows */
    const char *arch;    /* "sm_90", or "" */
} order_work;

order_plan order_choose(const order_work *w);
/* "columns of 64, zigzag" */
void order_text(const order_plan *p, bool of_blocks, char *out, int size);
/* What order_text wrote; false if it is no order. */
bool order_read(const char *text, order_plan *out);

#endif
