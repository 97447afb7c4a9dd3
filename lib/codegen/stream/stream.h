/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parts of the streaming generator: stream.c (planes, loops, set-up), stream/level.c (what one
 * time step computes), stream/copy.c (planes on their way to scratchpad) and stream/base.c
 * (parameters, scratchpad, vectors). The head of stream.c describes the algorithm.
 */
#ifndef STENCILOPT_STREAM_H
#define STENCILOPT_STREAM_H

#include "codegen/build.h"
#include "codegen/module.h"
#include "codegen/packed.h"
#include "codegen/parameters.h"
#include "plan/time/schedule.h"

/* Vectors of 16 bytes of a plane: a lane has up to 16, as many at the plane's edge and of the older
 * level, and, of outermost warps, 8 rows of 8 and their edges. */
enum { MAX_WAITING = 3 * 16 + 2 * 64 };

/* A thread's part of a plane: cells, or words of them. */
typedef LLVMValueRef cells[PLAN_STREAM_ROWS][PLAN_STREAM_CELLS];

/* A place in scratchpad. */
typedef struct sg_place {
    LLVMValueRef base;
    int offset; /* bytes */
} sg_place;

/* What one level keeps from plane to plane. */
typedef struct level_state {
    cells *kept;     /* [sg_planes_kept + 1]: planes, newest first; the last is about to go */
    cells **carried; /* per node: [age], newest first; NULL if not carried */
} level_state;

/* INNER: no boundary. HELD: both buffers have the same halo, so a boundary cell keeps its value
 * from level to level. LOADED: they differ, so it is loaded at each level. */
typedef enum loop_mode { INNER, HELD, LOADED } loop_mode;

typedef struct stream {
    gen_expr e;
    const st_stencil *s;
    const st_kernel *p;
    sch_schedule *c;
    st_type type, word_type;
    LLVMTypeRef element, word, vector;
    int V, U, stream_dim;
    int W;            /* words of V cells; V where none share one */
    pk_pack *full;    /* of any cells; */
    pk_pack *settled; /* of cells that the statement has made; strips do without */
    pk_pack *pack;    /* the one for the level in hand */
    LLVMValueRef function, scratchpad;
    st_port ports[ST_MAX_PORTS];
    size_t nports;
    /* i32 unless said otherwise */
    LLVMValueRef lane, warp, x0, y0, chunk0, chunk1, extent[3];
    LLVMValueRef stride[2];   /* i64, elements: of the grid that rotates, along y and z */
    LLVMValueRef back;        /* i64: -last planes */
    LLVMValueRef column;      /* i64: element index, in a plane, of the thread's first cell */
    LLVMValueRef loaded;      /* the same of the vector that the thread loads; threads beyond the
                               * grid load what is at its end */
    LLVMValueRef edge;        /* i1: the lane also loads a vector of the margin.. */
    LLVMValueRef edge_step;   /* i32: .. so many vectors on */
    LLVMValueRef outermost;   /* i1: the warp also loads the rows of the margin.. */
    LLVMValueRef margin_step; /* i64: .. so many elements on */
    /* Scratchpad: the thread's vector in the ring's first slot, the edge lane's vector, the same in
     * the first row of the margin; its vector in the rows that its warp gives. */
    LLVMValueRef ring, edge_ring, margin_ring, margin_edge_ring, older_ring, exchange;
    LLVMValueRef turn; /* planes that came before this iteration; NULL: a multiple of depth */
    /* Pointers to the thread's first cell of a plane. Each is advanced by a plane at each arrival.
     * It is not computed from the plane's number, because multiples of the stride would take
     * registers throughout the loop. */
    LLVMValueRef ahead, out; /* the plane to prefetch, in src; the plane to store, in dst */
    LLVMValueRef older_ahead, older_out; /* the same of the older level, if one is read */
    LLVMValueRef here[2];                /* border: the newest plane, in src and in other */
    LLVMValueRef held_at[2]; /* the same, of the plane that the level in hand completes */
    /* Copies through registers: what the newest plane's loads gave; what is stored next, which may
     * be that of the plane before. */
    LLVMValueRef arriving[MAX_WAITING], waiting[MAX_WAITING];
    LLVMValueRef phis[MAX_WAITING];          /* the latter, around the loop in hand, */
    int narriving, nwaiting, nstored, waits; /* whose number of planes that wait is `waits` */
    level_state *levels;                     /* [bt] */
    loop_mode mode;
    LLVMValueRef outside; /* i32: bit u * V + k of cells whose x or y is outside the domain */
    /* the plane in hand */
    int level, slot;
    LLVMValueRef plane; /* i32: number of the level's newest plane */
    cells now;
    int *rows;              /* node * phases: sg_advance_level's order */
    cells older;            /* of the level before the source's: what arrives with the plane */
    LLVMValueRef *memo;     /* node * phases * rows * V */
    LLVMValueRef *shuffled; /* lag * rows(+exchange) * V * distances */
} stream;

LLVMValueRef sg_at(stream *g, LLVMValueRef pointer, LLVMValueRef index);
/* Parameters: of the grid that rotates (DST, SRC and so on), of a grid that is only read, sizes. */
void sg_create_function(stream *g);
bool sg_reads_older(const stream *g);
LLVMValueRef sg_moving(const stream *g, stencilrt_parameter_kind kind);
LLVMValueRef sg_port(const stream *g, const st_access *a);
LLVMValueRef sg_extent(const stream *g, int d);
LLVMValueRef sg_stride_of(const stream *g, int32_t grid, int d);
LLVMValueRef sg_first(const stream *g);
LLVMValueRef sg_chunk(const stream *g);
LLVMValueRef sg_scalar(const stream *g, size_t number, bool increment);
int sg_margin_vectors(const stream *g);
bool sg_gives_row(const stream *g, int u);
int sg_exchange_depth(const stream *g);
LLVMValueRef sg_pointer(stream *g, sg_place at);
sg_place sg_ring_at(stream *g, LLVMValueRef base, int i, int u, int q);
sg_place sg_older_at(stream *g, int i, int u);
sg_place sg_exchange_at(stream *g, int i, int level, int warp, int u);
void sg_find_lane(stream *g, LLVMValueRef thread);
void sg_place_scratchpad(stream *g);
LLVMValueRef sg_load_vector(stream *g, LLVMValueRef from);
void sg_choose_packing(stream *g);
LLVMValueRef sg_cell(stream *g, LLVMValueRef *words, int k);
int sg_values(const stream *g, int32_t n);
void sg_store_vector(stream *g, LLVMValueRef *v, LLVMValueRef to);
void sg_advance_level(stream *g);
int sg_planes_kept(const stream *g);
LLVMValueRef sg_next_row(stream *g, LLVMValueRef p);
LLVMValueRef sg_plane_stride(stream *g);
LLVMValueRef sg_next_plane(stream *g, LLVMValueRef p);
void sg_prefetch(stream *g, int slot);
void sg_let_wait(stream *g);
void sg_open_waiting(stream *g, LLVMBasicBlockRef from);
void sg_close_waiting(stream *g, LLVMBasicBlockRef latch);
void sg_store_waiting(stream *g, int slot);

#endif
