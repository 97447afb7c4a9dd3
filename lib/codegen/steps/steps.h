/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parts of the generator for whole steps, between steps.c (set-up and loops), steps/row.c (what
 * the arrival of a row computes) and steps/base.c (parameters, rows on their way in and out). The
 * algorithm is described at the head of steps.c.
 */
#ifndef STENCILOPT_STEPS_H
#define STENCILOPT_STEPS_H

#include "codegen/kernel.h"
#include "codegen/parameters.h"

/* Where a loop runs. `x`: some of the tile's columns may be outside a sweep's domain, `y`: some
 * rows may. */
typedef struct ws_mode {
    bool x, y;
} ws_mode;

/* What a loop carries besides the rows that levels keep. */
typedef struct ws_place {
    LLVMValueRef row;  /* i32: the newest of version 0 */
    LLVMValueRef turn; /* i32: bytes from the ring's start to its slot */
    LLVMValueRef in;   /* i64: the element to prefetch next, counted from the arrays' first cells */
    LLVMValueRef out;  /* i64: the element to store next */
} ws_place;

enum { WS_MAX_WAITING = 4 }; /* rows that wait in registers, where there are no copies */

typedef struct steps {
    gen_expr e;
    const st_step *step;
    const st_kernel *p;
    st_dependences d;
    int V, stream; /* cells a lane; the dimension streamed */
    LLVMValueRef function, scratchpad;
    LLVMValueRef lane, x0, chunk0, chunk1, extent[ST_MAX_RANK]; /* i32 */
    LLVMValueRef stride; /* i64, elements: along the stream, of all arrays that are written */
    LLVMValueRef ring;   /* the lane's first 16 bytes of the ring's first slot */
    bool copies;         /* asynchronous ones, to the ring; else rows wait in registers */
    int row_bytes;       /* of the ring */
    ws_mode mode;
    LLVMValueRef inside[ST_MAX_SWEEPS]; /* i32: bit k of cells k in the sweep's domain along x */
    ws_place at;
    LLVMValueRef waiting[WS_MAX_WAITING][ST_MAX_ARRAYS]; /* vectors, the next row's first */
    /* Rows that levels keep: of version v `first[v]` on, newest first; V values each. */
    int first[ST_MAX_VERSIONS + 1];
    LLVMValueRef *kept;
    /* The row in hand. */
    int level;
    size_t sweep;
    LLVMValueRef plane; /* i32: number of the sweep's row */
    LLVMValueRef *memo; /* node * V */
    LLVMValueRef *shuffled;
} steps;

/* Parameters: of arrays, sizes, and of a sweep's scalar the one of this kind. */
void ws_mark_parameters(steps *g);
LLVMValueRef ws_source(steps *g, size_t array);
LLVMValueRef ws_target(steps *g, size_t array);
LLVMValueRef ws_extent(steps *g, int d);
LLVMValueRef ws_stride(steps *g, size_t array, int d);
LLVMValueRef ws_chunk(steps *g);
LLVMValueRef ws_scalar(steps *g, size_t sweep, size_t number, stencilrt_parameter_kind kind);

LLVMValueRef ws_add32(steps *g, LLVMValueRef a, int b);
LLVMValueRef ws_less(steps *g, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ws_wide(steps *g, LLVMValueRef v);
LLVMBasicBlockRef ws_block(steps *g, const char *name);
/* The rows of version v of a level, `age` rows old: V values. */
LLVMValueRef *ws_kept(steps *g, int level, int32_t v, int age);
LLVMTypeRef ws_vector(steps *g, size_t array);
LLVMValueRef ws_load_vector(steps *g, size_t array, LLVMValueRef from);
void ws_split(steps *g, LLVMValueRef v, int first, int count, LLVMValueRef *out);

/* Rows of level 0 */
int ws_row_bytes(const steps *g);
void ws_prefetch(steps *g, LLVMValueRef slot, int offset);
void ws_take_row(steps *g, LLVMValueRef slot, int offset);
void ws_store_row(steps *g);

/* The row that has arrived at level 0 brings each level a row further; what leaves the last one is
 * at level bT. */
void ws_advance(steps *g);
/* Computes inside[] for the tile. */
void ws_find_inside(steps *g);

#endif
