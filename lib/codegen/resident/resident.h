/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parts of the generator of resident kernels: resident.c (set-up), rounds.c, step.c (one time
 * step), memory.c (cells), kept.c (what else a step reads), reduce.c (reductions), words.c (what
 * blocks exchange), faces.c (the rows around a tile) and base.c. The head of resident.c describes
 * the algorithm.
 */
#ifndef STENCILOPT_RESIDENT_H
#define STENCILOPT_RESIDENT_H

#include "codegen/stream/stream.h"

enum {
    RS_ROWS = 32,  /* of a lane, in all its planes: a bit each */
    RS_CELLS = 16, /* of a lane and row */
    RS_FACES = 32, /* rows around a tile, of a warp: a bit each */
};

/* A neighbouring warp, or the own one: -1, 0 or 1 along z and y, each plus 1. */
typedef LLVMValueRef rs_neighbours[3][3];

typedef struct rs_kernel {
    stream g; /* parameters and small builders */
    int V, RY, RZ, NY, NZ;
    int low[3], high[3]; /* least and greatest offset that is read: x, y, z */
    int reach[3];        /* the greater of both */
    int given[2];        /* rows of a warp along y, and along z, that other warps read */
    int group;           /* a lane's cells of a row, those of all grids that blocks exchange */
    int words;           /* that these fill */
    int many;            /* with more such cells in all rows, few words are waited for at a time */
    bool faces;          /* tiles have no margin: the rows around them are in scratchpad */
    bool early;          /* then a step sends rows to other blocks before it makes all rows */
    bool reduces;        /* each step's reductions go to slots */
    int halves;          /* of scratchpad: 2, or 1 where tiles without margin are large */
    /* What changes in loops is in variables, which mem2reg makes registers of. */
    LLVMValueRef cells[RS_ROWS][RS_CELLS];
    LLVMValueRef parity;   /* bytes: where this step's rows begin in scratchpad */
    LLVMValueRef made;     /* steps */
    LLVMValueRef round;    /* the round's number */
    LLVMValueRef patience; /* 0 once the thread has given up */
    LLVMValueRef *scalars; /* of those that change each step: what they are in this one */
    LLVMValueRef *kept;    /* values of grids that are only read: [access][row][k] */
    LLVMValueRef slots;    /* address of this step's slots */
    /* i32, along x, y, z: */
    LLVMValueRef block[3], blocks[3], own[3], margin[3], extent[3];
    LLVMValueRef in_tile[3]; /* the thread's first cell, counted from the tile's */
    LLVMValueRef first[3];   /* the same, in the domain */
    LLVMValueRef warp[3];    /* its warp's place along y and z */
    /* i32, a bit each: cells of a row that are outside the domain; rows that are; rows whose cells
     * other blocks need; rows whose cells come from other blocks */
    LLVMValueRef columns_outside, rows_outside, to_send, to_receive;
    LLVMValueRef counted_columns, counted_rows; /* i32, a bit each: cells that reductions count */
    LLVMValueRef slot;                          /* i32: the warp's among the slots of a reduction */
    LLVMValueRef *held;  /* of each reduction: what the thread has of this step */
    LLVMValueRef alive;  /* i1: some of the warp's cells lie in the domain and in the tile */
    LLVMValueRef border; /* i1: the warp has cells outside the domain */
    /* i32: bytes of scratchpad from which a warp's rows are: those at its ends along y; others at
     * its ends along z */
    rs_neighbours given_y, given_z;
    LLVMValueRef here; /* i64: bytes of a lane's first word in a half, from the first word on */
    LLVMValueRef row_bytes, plane_bytes, word_bytes; /* i64: to the next row, plane, word */
    /* The rows around the tile that the warp brings to scratchpad: i32, a bit each, those that come
     * from other blocks; i64, bytes of the lane's first word; i32, bytes of scratchpad */
    LLVMValueRef faces_wanted, face_from[RS_FACES], face_to[RS_FACES];
} rs_kernel;

/* The thread's row u of plane w. */
static inline int rs_row(const rs_kernel *t, int w, int u) {
    return w * t->RY + u;
}

/* resident.c: where the thread is; whether its warp has work to do, and cells outside the domain;
 * i1: has a launch before this one failed? Variables become registers. */
void rs_locate(rs_kernel *t);
void rs_look_at_warp(rs_kernel *t);
LLVMValueRef rs_has_failed(rs_kernel *t);
void rs_promote_variables(LLVMValueRef function);

/* base.c */
LLVMValueRef rs_variable(rs_kernel *t, LLVMTypeRef type, LLVMValueRef start);
LLVMValueRef rs_get(rs_kernel *t, LLVMValueRef variable);
void rs_set(rs_kernel *t, LLVMValueRef variable, LLVMValueRef v);
/* i1: is bit `number` set? */
LLVMValueRef rs_bit(rs_kernel *t, LLVMValueRef bits, int number);
/* i32: the lowest `count` bits are a bit for each of the rows first, first + 1, ..: is it below
 * `end`? Not below `from`, and below `end`? In rs_below higher bits are 0. */
LLVMValueRef rs_below(rs_kernel *t, LLVMValueRef first, LLVMValueRef end, int count);
LLVMValueRef rs_between(rs_kernel *t, LLVMValueRef first, LLVMValueRef from, LLVMValueRef end,
                        int count);
/* i32, a bit for each row of all planes: of a bit for each row of a plane; of one for each plane.
 */
LLVMValueRef rs_of_rows(rs_kernel *t, LLVMValueRef bits);
LLVMValueRef rs_of_planes(rs_kernel *t, LLVMValueRef bits);
LLVMValueRef rs_all(rs_kernel *t, LLVMValueRef const *v, int count); /* i1: are all of the values
                                                                      * true? */
/* Opens a block that is left where `condition` does not hold; returns where both ways meet. */
LLVMBasicBlockRef rs_begin_if(rs_kernel *t, LLVMValueRef condition, const char *name);

/* rounds.c */
LLVMValueRef rs_parameter(rs_kernel *t, stencilrt_parameter_kind kind, int index); /* i32 */
void rs_make_counters(rs_kernel *t); /* parity, made, round and patience */
typedef void rs_part(rs_kernel *t);
/* All rounds of the launch. begin_round: what warps give to others first; make_step: one step. */
void rs_make_rounds(rs_kernel *t, rs_part *begin_round, rs_part *make_step);

/* kept.c */
void rs_make_kept(rs_kernel *t);
void rs_load_kept(rs_kernel *t);
LLVMValueRef rs_kept(rs_kernel *t, int32_t access, int row, int k);
LLVMValueRef rs_scalar(rs_kernel *t, int32_t number);
void rs_next_scalars(rs_kernel *t);

/* reduce.c. A step's body: rs_begin_held, rs_hold_row for reduction i of each row (the reduction's
 * value of each cell), rs_add_held. */
void rs_begin_reductions(rs_kernel *t);
void rs_begin_held(rs_kernel *t);
void rs_hold_row(rs_kernel *t, bool border, size_t i, int row, LLVMValueRef const *cells);
void rs_add_held(rs_kernel *t, bool border);
void rs_next_slots(rs_kernel *t);

/* step.c */
int rs_scratchpad(const rs_kernel *t);                                    /* bytes of one half */
int rs_scratchpad_row(const rs_kernel *t, bool ends, int plane, int row); /* bytes before a row */
unsigned rs_alignment(const rs_kernel *t);
void rs_place_rows(rs_kernel *t);
void rs_give_rows(rs_kernel *t, LLVMValueRef half);
void rs_make_step(rs_kernel *t, bool border);

/* words.c */
void rs_place_words(rs_kernel *t);
void rs_send(rs_kernel *t);
void rs_receive(rs_kernel *t);
typedef void rs_put(rs_kernel *t, LLVMValueRef half, int row, LLVMValueRef const *cells);
void rs_receive_faces(rs_kernel *t, LLVMValueRef half, int rows, rs_put *put);

/* faces.c */
int rs_count_faces(const rs_kernel *t); /* of a warp */
bool rs_reads_across(const rs_kernel *t);
void rs_place_faces(rs_kernel *t);
void rs_load_faces(rs_kernel *t);
void rs_put_face(rs_kernel *t, LLVMValueRef half, int face, LLVMValueRef const *cells);
/* memory.c */
LLVMValueRef rs_is_outside(rs_kernel *t, int d, int more);
/* Is the cell one of the block's own, in the domain, as far as dimension d tells? */
LLVMValueRef rs_is_own(rs_kernel *t, int d, int more);
void rs_load_all(rs_kernel *t);
void rs_store_all(rs_kernel *t);
void rs_load_cells(rs_kernel *t, LLVMValueRef y, LLVMValueRef z, LLVMValueRef *out);

#endif
