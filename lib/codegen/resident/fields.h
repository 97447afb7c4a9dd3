/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parts of the generator of resident kernels for whole steps: fields.c (set-up),
 * fields_step.c (one step), fields_domain.c (where sweeps make cells) and fields_memory.c (cells
 * and values on their way from memory and back). The head of fields.c describes the algorithm.
 */
#ifndef STENCILOPT_RESIDENT_FIELDS_H
#define STENCILOPT_RESIDENT_FIELDS_H

#include "codegen/resident/resident.h"
#include "model/dependences.h"

/* For which warps a body is: those all of whose cells each sweep makes; those of which sweeps leave
 * out columns; others. */
typedef enum rf_body { RF_INNER, RF_SIDE, RF_BORDER, RF_BODIES } rf_body;

typedef struct rs_fields {
    rs_kernel t; /* its cells of a row: V of each array that is handed from step to step */
    const st_step *step;
    st_dependences d;
    int fields;                  /* such arrays; */
    int place[ST_MAX_ARRAYS];    /* which of them the array is, or -1 */
    int reach;                   /* rows: the greatest offset of a read of such arrays along y */
    size_t phases;               /* of a step: warps wait for each other after each */
    size_t phase[ST_MAX_SWEEPS]; /* of each sweep */
    /* Rows of a version that other warps read: those at the warp's low end and at its high end, and
     * where they are among all such rows of a warp. */
    int at_low[ST_MAX_VERSIONS], at_high[ST_MAX_VERSIONS], slot[ST_MAX_VERSIONS];
    int given; /* such rows of a warp */
    /* i32: bytes of scratchpad from a row of the first warp to that of the warp below, of the own
     * one, and of the warp above */
    LLVMValueRef warps[3];
    /* i32, a bit for each row, then one for each cell of a row: is it in the sweep's domain? */
    LLVMValueRef inside[ST_MAX_SWEEPS];
    rf_body body;                         /* of the code in hand */
    LLVMValueRef rows_near, columns_near; /* i1: may sweeps leave out rows of the warp, columns? */
    LLVMValueRef now; /* steps made, if something is loaded each step; or NULL */
    /* Variables: what sweeps have made of the step, [version][row][k]; values of arrays that are
     * only read, [sweep and access][row][k]; scalars of all nests that change each step. */
    LLVMValueRef *made, *kept, *scalars;
    size_t first_access[ST_MAX_SWEEPS + 1]; /* of each sweep, among all */
} rs_fields;

/* fields_domain.c */
/* i32: along d, the first cell of a sweep's domain, and the one behind its last cell. */
LLVMValueRef rf_first(rs_fields *f, const st_sweep *w, int d);
LLVMValueRef rf_end(rs_fields *f, const st_sweep *w, int d);
void rf_find_inside(rs_fields *f);
/* Must cells be kept that a sweep leaves out along d, or that are beyond the box? */
bool rf_leaves_cells(const rs_fields *f, size_t sweep, int d);
/* Is it a layer that no warp of the body in hand is near? */
bool rf_is_elsewhere(const rs_fields *f, size_t sweep);
/* Finds rows_near and columns_near, and whether the warp has work to do. */
void rf_look_at_border(rs_fields *f);

/* fields_memory.c */
void rf_make_variables(rs_fields *f);
void rf_load_all(rs_fields *f);
void rf_store_all(rs_fields *f);
/* The value of an array that is only read, for cell k of a row. */
LLVMValueRef rf_kept(rs_fields *f, size_t sweep, int32_t access, int row, int k);
LLVMValueRef rf_scalar(rs_fields *f, size_t sweep, int32_t number);
void rf_next_step(rs_fields *f);
/* Begins to load the next step's values; those of layers where they are made. */
void rf_load_coming(rs_fields *f);
/* A cell of an array that is handed on, as of the step's begin: a variable. */
static inline LLVMValueRef rf_cell(const rs_fields *f, int32_t array, int row, int k) {
    return f->t.cells[row][f->place[array] * f->t.V + k];
}

/* fields_step.c */
void rf_plan_step(rs_fields *f);
int rf_scratchpad(const rs_fields *f); /* bytes of a half */
void rf_place_rows(rs_fields *f);
/* Gives other warps the rows that they read first. `all`: also what sweeps leave of them, for a
 * warp whose cells no sweep makes. */
void rf_give_rows(rs_fields *f, LLVMValueRef half, bool all);
void rf_make_phase(rs_fields *f, size_t phase); /* the body in hand */

#endif
