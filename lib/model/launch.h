/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How the threads of a GPU kernel come to their cells, beside the kernel's stencil. Detection fills
 * this in. Code generation reads it, and asks detection nothing.
 *
 * Polynomials here are over values that all threads of a launch have alike. Such a value is a
 * br_scev of the kernel. So the facts hold until the kernel is changed.
 *
 * The model holds under the conditions below. The program's own code computes its cells in its own
 * order whether they hold or not. Code that computes other cells, or in another order, must check
 * them at run time, and else let the program's own code run:
 *
 *   - needs: each is at least 0, such as a size that must be positive, or a coordinate at which a
 *     boundary rule does what the program does. Its value is exact, in integers without bounds,
 *     with the program's values sign-extended.
 *   - conditions: each is as its `holds` says, for all threads alike.
 *   - indices: each is within its type for every cell that the program writes. A sum of products is
 *     least and greatest at the ends of the cells. Where the program chooses between indices, or
 *     divides one, the parts are in the list, too.
 *   - divisors: the divisors of a flat index are positive, and so is the index.
 *   - may_overlap: if set, no attribute says that the memory read is not the memory written. Then
 *     compare the memory from the least to the greatest cell read (origin + stride * (cell +
 *     offset), with faces) with the memory written, grid by grid. If not set, the program promises
 *     that they are apart. Either way a written grid is read at most at the cell that is written.
 *   - reads_late: even if each thread computes one cell, it may read of one array what it has just
 *     written to another.
 *   - conditional (st_access): the program reads the cell only where the node `where` holds.
 *     Elsewhere there may be no memory. Load it under that condition, or where another thread of
 *     the launch reads the cell without one (st_find_reader).
 *   - faces: an access with a rule reads no cells but those inside and those that come back.
 */
#ifndef STENCILOPT_MODEL_LAUNCH_H
#define STENCILOPT_MODEL_LAUNCH_H

#include "algebra/poly.h"
#include "model/stencil.h"

#include <llvm-c/Core.h>

/* A value that polynomials name. */
typedef enum st_launch_size { ST_NO_SIZE, ST_BLOCK_SIZE, ST_BLOCK_COUNT } st_launch_size;
typedef struct st_launch_value {
    br_scev atom;
    int rank; /* where it stands in sums and products: the same in each run of the compiler */
    st_launch_size size; /* is it the launch's size, in threads a block or in blocks .. */
    int dim;             /* .. along this dimension of the launch? */
} st_launch_value;

/* A thread's number in the launch: thread + width * block + stride * iteration, where the iteration
 * is that of a loop that takes a thread to further cells of the grid. */
typedef struct st_counter {
    bool known;        /* the value is such a sum */
    int thread, block; /* the launch's dimension of both numbers; -1: it has none in it */
    bool iterates;     /* the sum has the iteration of such a loop */
    poly width, stride;
} st_counter;

/* A face of the grid where accesses follow the stencil's boundary rule. */
typedef struct st_launch_face {
    poly limit;  /* the first cell, or the last one */
    poly period; /* of ST_WRAP */
} st_launch_face;

typedef struct st_launch_axis {
    int number;    /* among the axes as the program has them */
    int64_t cells; /* that each thread computes along it, of those of its block; or 1 */
    st_counter
        counter;  /* what the coordinate is, or if a thread has several cells, its number; not of a
                     flat index.  A block has `width` times `cells` cells, one after the other */
    bool walks;   /* the coordinate is the iteration, from 0, of a loop in the thread */
    bool divides; /* of a flat index: the coordinate is a quotient by `divisor` */
    poly divisor;
    poly extent;            /* of a flat index: what it is divided by for the next axis; else 0 */
    st_launch_face face[2]; /* low and high */
} st_launch_axis;

/* A cell is written only where the coordinate along dim (or, if -1, the flat index) is so. */
typedef enum st_relation { ST_AT_LEAST, ST_BELOW, ST_IS_NOT } st_relation;
typedef struct st_launch_bound {
    int dim;
    st_relation relation;
    poly limit;
    bool is_near; /* the limit is near 0, or near a number of at most 32 bits */
} st_launch_bound;

typedef struct st_condition {
    LLVMValueRef condition;
    bool holds;
} st_condition;

/* An integer of the program of so many bits: base + sum of step * coordinate. */
typedef struct st_launch_index {
    poly base, step[ST_MAX_RANK];
    unsigned bits;
    bool is_signed;
} st_launch_index;

typedef struct st_launch_grid {
    poly origin; /* address of cell (0,0,0) */
    poly stride[ST_MAX_RANK];
    int32_t array; /* the first written grid of the same array; or -1 */
    bool beside;   /* its cells lie between those of other grids of the array, and no thread writes
                    * both at one place: they need no test */
} st_launch_grid;

typedef struct st_launch_scalar {
    LLVMValueRef value; /* or NULL: start */
    poly start;
} st_launch_scalar;

typedef struct st_launch {
    br_function *f;
    LLVMValueRef function;
    st_stencil *stencil;
    bool is_flat;      /* one number for all cells, which divisions take apart */
    bool strides;      /* a loop takes a thread of a flat index to further cells */
    bool loops;        /* another loop takes the thread to further cells */
    bool walks;        /* a loop along an axis of its own does: see st_launch_axis */
    int carries;       /* values that such a loop keeps from one iteration to the next */
    bool rows_assumed; /* the program does not divide the flat index: it knows no ends of rows */
    bool may_overlap;
    bool may_meet;      /* several arrays are written, and nothing says that they are apart */
    bool planes;        /* several statements write planes of one array, which must be apart */
    bool reads_between; /* a thread of several cells reads for one after it wrote another, and it
                         * may be the same memory */
    bool reads_late;    /* a thread reads one array after it wrote another, which may be the same */
    bool sizes_behind;  /* the program reads some numbers of the launch behind branches */
    int64_t cells;      /* cells that each thread computes */
    bool cells_apart;   /* they are a block's width apart */
    st_counter flat;    /* of a flat index */
    st_launch_axis axes[ST_MAX_RANK]; /* by the stencil's dimension */
    st_launch_bound *bounds;
    st_condition *conditions;
    poly *needs;
    st_launch_index *indices;
    int nbounds, nconditions, nneeds, nindices;
    st_launch_grid *grids;     /* by grid */
    st_launch_scalar *scalars; /* by scalar */
    LLVMValueRef *calls;       /* by call: an instruction of the program that makes the call; its
                                * operands that are not constant come from the node */
    st_launch_value *values;   /* all that the polynomials name */
    int nvalues;
} st_launch;

st_launch *st_create_launch(void);
void st_destroy_launch(st_launch *l);
/* Is no element of one grid ever one of the other? So it is of two components of records, whose
 * rows and planes have whole records. */
bool st_never_meet(poly origin, poly other_origin, const poly stride[], const poly other_stride[],
                   int rank, int64_t size);
/* What the atom is; NULL if no polynomial of the launch names it. */
const st_launch_value *st_value_of(const st_launch *l, br_scev atom);

#endif
