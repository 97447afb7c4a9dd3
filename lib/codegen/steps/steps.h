/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parts of the generator for whole steps: steps.c (set-up), loops.c (loops over rows), row.c
 * (what the arrival of a row computes), reduce.c (reductions) and base.c (parameters, rows on their
 * way in and out). The head of steps.c describes the algorithm.
 */
#ifndef STENCILOPT_STEPS_H
#define STENCILOPT_STEPS_H

#include "codegen/build.h"
#include "codegen/module.h"
#include "codegen/parameters.h"
#include "model/dependences.h"

/* Where a loop runs. `x`: some of the tile's columns, or in 3-D rows, may be outside a sweep's
 * domain, `y`: some rows or planes of the stream may. */
typedef struct ws_mode {
    bool x, y;
} ws_mode;

/* What a loop carries besides the rows that levels keep. */
typedef struct ws_place {
    LLVMValueRef row;  /* i32: the newest of version 0 */
    LLVMValueRef turn; /* i32: bytes from the ring's start to its slot */
    LLVMValueRef in;   /* i64: the element to prefetch next, counted from the arrays' first cells */
    LLVMValueRef out;  /* i64: the element to store next */
    LLVMValueRef give; /* i32: bytes from the start of what warps give each other to its slot */
} ws_place;

enum { WS_MAX_WAITING = 4 }; /* rows that wait in registers, where there are no copies */

typedef struct steps {
    gen_expr e;
    const st_step *step;
    const st_kernel *p;
    st_dependences d;
    int V, U, stream; /* cells a lane; rows a thread; the dimension streamed */
    int threads;      /* a block */
    LLVMValueRef function, scratchpad;
    LLVMValueRef lane, x0, y0, chunk0, chunk1, extent[ST_MAX_RANK]; /* i32 */
    LLVMValueRef row_stride;  /* i64, elements: in 3-D along y, of all arrays that are written */
    LLVMValueRef stored_rows; /* i32, in 3-D: bit u of rows u that are the tile's */
    /* i32, in 3-D: the thread's number, and those at its place in the warps below and above */
    LLVMValueRef thread, beside[2];
    LLVMValueRef stride; /* i64, elements: along the stream, of all arrays that are written */
    LLVMValueRef ring;   /* the lane's first 16 bytes of the ring's first slot */
    bool copies;         /* asynchronous ones, to the ring; else rows wait in registers */
    int waits; /* so many, also where the plan is for a GPU with copies; no more than it reads ahead
                */
    bool arrives[ST_MAX_ARRAYS];  /* st_step_arrives */
    bool stays[ST_MAX_ARRAYS];    /* rows of it stay in scratchpad, behind the ring */
    int staying_bytes;            /* of such a row of all these arrays; */
    int early, oldest;            /* how many come before their turn; how old levels read them */
    int row_bytes;                /* of the ring */
    int given_slots, given_bytes; /* of what warps give each other: so many, of so many bytes */
    ws_mode mode;
    bool apart; /* what is generated is for buffers that differ in cells that no step writes */
    /* i1: may the block make a cell at a place? NULL: the step has none. i32: the least and the
     * greatest such place along the stream. */
    LLVMValueRef has_place, first_place, last_place;
    /* i32: bit (u + rows below) V + k of cells in the sweep's domain along x, and in 3-D y */
    LLVMValueRef inside[ST_MAX_SWEEPS];
    /* For sweeps that reduce. `owned`, i1: do the tile's columns have the lane's cells? `counted`,
     * i32, at borders: bit u V + k is set if cell k of row u of these is in the domain. `reduced`: the thread's value for
     * each level and reduction. */
    LLVMValueRef owned, counted[ST_MAX_SWEEPS], *reduced;
    ws_place at;
    /* vectors, the next row's first */
    LLVMValueRef waiting[WS_MAX_WAITING][ST_MAX_ARRAYS][PLAN_STREAM_ROWS];
    /* Rows that levels keep; ws_held tells how many. Those of version v begin at `first[v]`, newest
     * first, with V values each. In 3-D there are the thread's rows and those beside them. Rows of
     * version 0 are loaded when they are needed. */
    int first[ST_MAX_VERSIONS + 1];
    LLVMValueRef *kept;
    /* The row in hand. */
    int level;
    size_t sweep;
    int32_t made;       /* the version that is made.. */
    int row;            /* ..of this row of the thread's */
    LLVMValueRef plane; /* i32: number of the version's plane */
    LLVMValueRef *memo; /* node * V */
    LLVMValueRef *shuffled;
} steps;

/* Parameters: of arrays, sizes, and of a sweep's scalar the one of this kind; at the level in hand,
 * its value of the step, and (i1, or NULL: it is) whether the sweep is made. */
void ws_mark_parameters(steps *g);
LLVMValueRef ws_source(steps *g, size_t array);
LLVMValueRef ws_other(steps *g, size_t array);
LLVMValueRef ws_extent(steps *g, int d);
LLVMValueRef ws_stride(steps *g, size_t array, int d);
LLVMValueRef ws_chunk(steps *g);
/* i32: where a sweep at a place is along d. */
LLVMValueRef ws_place_of(steps *g, const st_sweep *w, int d);
LLVMValueRef ws_value(steps *g, size_t sweep, size_t number);
LLVMValueRef ws_made(steps *g, size_t sweep);
LLVMValueRef ws_scalar(steps *g, size_t sweep, size_t number, stencilrt_parameter_kind kind);

/* A coordinate along d, i32, where indices come round: the cell that it is. Else it stays. */
LLVMValueRef ws_round(steps *g, int d, LLVMValueRef c);
/* Element k of row u of the thread, in the plane in hand, of arrays that are written. */
LLVMValueRef ws_element_here(steps *g, int u, int k);
/* i1, of a coordinate along d, i32: is it before the first cell of the sweep's domain, before its
 * end, in it? */
LLVMValueRef ws_is_before(steps *g, const st_sweep *w, int d, LLVMValueRef c);
LLVMValueRef ws_is_before_end(steps *g, const st_sweep *w, int d, LLVMValueRef c);
LLVMValueRef ws_is_in_domain(steps *g, size_t sweep, int d, LLVMValueRef c);
/* Row u of version v of a level, `age` planes old: V values. */
LLVMValueRef *ws_kept(steps *g, int level, int32_t v, int age, int u);
/* The oldest row of a version that the level keeps, in planes. */
int ws_held(const steps *g, int level, int32_t v);
/* Rows of a version of one age. */
int ws_rows(const steps *g, int32_t v);
LLVMTypeRef ws_vector(steps *g, size_t array);
LLVMValueRef ws_load_vector(steps *g, size_t array, LLVMValueRef from);

/* Rows of level 0 */
int ws_row_bytes(const steps *g);
void ws_prefetch(steps *g, LLVMValueRef row, LLVMValueRef slot, int offset);
/* Must a lane's cells be loaded one by one? Some come from the opposite side. */
bool ws_is_scattered(const steps *g);
void ws_take_row(steps *g, LLVMValueRef slot, int offset);
/* Rows of arrays that are only read, for all levels: begins to load those that levels may read
 * before the first row of the stream arrives; the lane's cells of the row with this number. */
void ws_prefetch_staying(steps *g, LLVMValueRef first);
void ws_read_staying(steps *g, size_t array, LLVMValueRef row, LLVMValueRef *out);
void ws_store_row(steps *g);

/* Rows beside a warp's own, in 3-D: of versions 0 of each level the warps give each other theirs.
 */
void ws_place_given(steps *g);
void ws_clear_given(steps *g);
void ws_give_rows(steps *g);
void ws_load_given(steps *g, int32_t v, int age, int u);
void ws_next_given(steps *g);

/* i32: where cell k of the row in hand is in the box, along d. */
LLVMValueRef ws_position(steps *g, int d, int k);
/* i64: which of the current sweep's cells along d cell k of the row in hand is, from 0 on. */
LLVMValueRef ws_coordinate(steps *g, int d, int k);
/* The row that has arrived at level 0 brings each level a row further; what leaves the last one is
 * at level bT. */
void ws_advance(steps *g);
/* Reductions that decide about the next step. ws_reduced_count: their number. ws_begin_reduced:
 * before the first row, sets their neutral values. ws_reduce_row: adds the current row of the
 * current sweep. ws_visit_reduced: visits the values that loops carry. ws_add_reduced: at the end,
 * adds all to the slots. */
typedef void ws_visit(steps *g, LLVMValueRef *slot, LLVMTypeRef type, void *context);
size_t ws_reduced_count(const st_step *step);
void ws_find_reduced_cells(steps *g);
void ws_begin_reduced(steps *g);
void ws_reduce_row(steps *g, LLVMValueRef (*value)(steps *g, int32_t node, int k));
/* Of a sweep that sets an element of a trace: sets it, where the current row has the cell. */
void ws_trace_row(steps *g, LLVMValueRef (*value)(steps *g, int32_t node, int k));
void ws_visit_reduced(steps *g, ws_visit *f, void *context);
void ws_add_reduced(steps *g);
/* Computes inside[] for the tile. */
void ws_find_inside(steps *g);

/* Along one dimension, how many columns or rows at either end of the box the sweeps' domains may
 * leave out. `lagged`: counted in rows that have arrived when all sweeps are there. */
typedef struct ws_bounds {
    int low, high, low_lagged, high_lagged;
} ws_bounds;
ws_bounds ws_find_bounds(const steps *g, int d);
/* The loops over the stream's rows, for tiles of the first and last columns and for those in the
 * middle; then control goes to `done`. */
void ws_make_border(steps *g, LLVMBasicBlockRef done);
void ws_make_inner(steps *g, LLVMBasicBlockRef done);

#endif
