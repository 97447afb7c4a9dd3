/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A cell kernel under construction. For the files of this folder.
 */
#ifndef STENCILOPT_CODEGEN_CELL_H
#define STENCILOPT_CODEGEN_CELL_H

#include "codegen/build.h"
#include "codegen/parameters.h"

typedef struct gen_cell {
    gen_expr e;
    const st_stencil *s;
    const st_kernel *p;
    LLVMValueRef function;
    LLVMBasicBlockRef entry, done; /* threads that have no cell go from one to the other */
    st_port ports[ST_MAX_PORTS];
    size_t nports;
    LLVMValueRef coordinate[ST_MAX_RANK]; /* i64 */
    LLVMValueRef *home;                   /* per grid: element index of the thread's own cell */
    LLVMValueRef *values;                 /* per node */
} gen_cell;

/* place.c: does the grid lie in bricks? */
bool gen_has_bricks(const gen_cell *g, size_t grid);
/* The elements by which a cell's coordinate along d moves it. */
LLVMValueRef gen_cell_term(const gen_cell *g, size_t grid, int d, LLVMValueRef cell);

/* tile.c: computes tiles; afterwards control goes to the block `done`. Leaves the builder in code
 * for the threads that compute a cell in no tile, and gives that cell's coordinates. For some
 * threads that cell is outside the domain. */
void gen_tiles(gen_cell *g, LLVMValueRef rest[ST_MAX_RANK]);

#endif
