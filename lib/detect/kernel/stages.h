/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel: what the stages of its detection read and write, and in the end the same Stencil as of
 * loop nests, and beside it how a thread comes to its cell.
 *
 * The coordinates, called axes, are polynomials (index.h): an address is base + sum of
 * step * axis.
 */
#ifndef STENCILOPT_KERNEL_STAGES_H
#define STENCILOPT_KERNEL_STAGES_H

#include "detect/common/affine.h"
#include "detect/common/flow.h"
#include "detect/common/grids.h"
#include "detect/kernel/index.h"

#include <stdio.h>

enum { KERNEL_MAX_BOUNDS = ST_LIMIT(16, 3), KERNEL_MAX_CELLS = ST_LIMIT(32, 2) };

/* What a refusal says that several stages give. */
#define KERNEL_SEVERAL_ELEMENTS "several elements of an array a thread, by different statements"

typedef struct kernel_axis {
    poly value;    /* in terms of roots */
    br_scev lead;  /* a root in it with factor `scale`, and in the value of no other axis but
                      quotients */
    int64_t scale; /* 1; or the cells of a thread along this axis, if the program writes them out */
    int quotient;  /* of a flat index: its root's number, or -1 for the remainder of the first */
    poly extent;   /* of a flat index: what it is divided by to get to the next axis; else 0 */
    int64_t width; /* the block's, if the program has it as a number; else 0 */
} kernel_axis;

typedef enum kernel_shape {
    KERNEL_BLOCKS, /* one thread or block number along each axis */
    KERNEL_FLAT    /* one number for all, taken apart by divisions */
} kernel_shape;

typedef enum kernel_relation { KERNEL_AT_LEAST, KERNEL_BELOW, KERNEL_NOT } kernel_relation;

/* A cell is written only where axis (or, if -1, the flat index) is at least, is below or is not
 * `limit`. */
typedef struct kernel_bound {
    int axis;
    kernel_relation relation;
    poly limit;
    LLVMValueRef condition; /* the program's condition, which may say more than this bound */
    unsigned when;          /* in the end KERNEL_ALWAYS */
} kernel_bound;

/* The iterations of a stride loop for which a bound is tested. */
enum { KERNEL_FIRST = 1, KERNEL_LATER = 2, KERNEL_ALWAYS = 3 };

/* A face of the grid where accesses follow the stencil's boundary rule. Coordinates are those of
 * the axis: an access at offset o is one of cell (axis + o). */
typedef struct kernel_face {
    st_rule rule;
    poly limit;  /* the first cell, or the last one */
    poly period; /* of ST_WRAP */
} kernel_face;

/* What the model takes for granted, and who computes other cells, or in another order, than the
 * program does must check at run time: see model/launch.h. An axis with a `width` counts on blocks
 * of so many threads along it. */
typedef struct kernel_region {
    br_function *f;
    LLVMValueRef function;
    kernel_values *values;
    kernel_query ask;   /* to which a refusal is the region's */
    kernel_query maybe; /* which is tentative */
    st_refusal why;     /* the reason is ST_OK, or why it is no stencil */
    /* The cell of a thread: */
    LLVMValueRef stores[KERNEL_MAX_CELLS]; /* by a store each: by cell */
    int nstores;
    int cell;                 /* the one that is looked at */
    bool as_one;              /* all stores are one cell's */
    bool grouped;             /* a bound of a thread's number is one of all its cells alike */
    int fewer;                /* so many quotients, by the largest divisors, make no axes */
    kernel_choosing choosing; /* which conditions make a choice of what is loaded */
    LLVMValueRef store;       /* its store */
    LLVMValueRef also[KERNEL_MAX_CELLS]; /* of one cell: its further ones */
    int nalso;
    LLVMBasicBlockRef place; /* runs for the cells written, and for no others: conditions on later
                              * blocks are the statement's */
    LLVMBasicBlockRef second, past; /* from this block behind `place` a thread goes there if it has
                                     * no cell within the bounds; or NULL */
    kernel_shape shape;
    kernel_axis axes[ST_MAX_RANK];
    int naxes;
    int dim_of_axis[ST_MAX_RANK]; /* 0 is x */
    br_loop stride_loop;          /* that takes a thread to further cells of the grid; or NULL */
    br_loop other_stride_loop;    /* likewise, along another axis; or NULL */
    br_loop march_loop;           /* along an axis of its own; or NULL */
    int carries;    /* values that the program's loops keep for their next iterations */
    int64_t part;   /* of that axis, cells that each block walks over; 0: every block, over all */
    int64_t cells;  /* along one axis, that each thread computes: 1, or more by a loop (march_loop)
                       or by a store each */
    int cells_axis; /* which axis, if there are more */
    poly apart;     /* from one of these cells to the next: 1, or the threads of a block. Of stores,
                       the axis's value is that of the first cell */
    poly flat;      /* of KERNEL_FLAT: the index that is divided */
    bool rows_assumed; /* the program does not divide it: it knows no ends of rows, and neighbours
                          are those in memory */
    /* Which cells are written: */
    kernel_bound bounds[KERNEL_MAX_BOUNDS];
    int nbounds;
    host_guard uniform[KERNEL_MAX_BOUNDS]; /* conditions that are the same for all cells */
    int nuniform;
    /* The statement: */
    st_stencil *stencil;               /* NULL if it was refused */
    host_grid *grids;                  /* as stencil->grids */
    host_scalar *scalars;              /* as stencil->scalars */
    LLVMValueRef *calls;               /* as stencil->calls */
    kernel_face faces[ST_MAX_RANK][2]; /* by axis; low and high */
    bool planes;                       /* written by several statements, of one array */
    uint64_t beside;                   /* bits of grids: cells lie between those of other grids of
                                        * the array, and a thread never writes both at one place */
    bool windows;                      /* its loops went over the neighbours in the grid alone */
    bool reads_late;                   /* it reads an array after it wrote another one */
    bool may_overlap; /* nothing in the kernel says that what it reads is not what it writes */
    bool may_meet;    /* .. nor that several arrays that it writes are apart */
} kernel_region;

static inline bool kernel_refuse(kernel_region *k, st_reason reason, const char *detail) {
    return st_refuse(&k->why, reason, detail);
}

/* Functions that may refuse set k->why and return false. */
/* Cells, cells.c: which store is which cell's. */
bool kernel_choose_store(kernel_region *k);
/* Does the kernel store to several arrays, as far as addresses tell? */
bool kernel_writes_several(kernel_region *k);
/* By how much the written address grows from one of the thread's cells to the next. */
bool kernel_unit(kernel_region *k, poly *unit);
/* Is `other` the same statement, guards and all, for another cell of the thread? */
bool kernel_add_cell(kernel_region *k, const kernel_region *other);

/* Coordinates, coordinates.c: base + sum of step * axis; false, without a reason, if it is not such
 * a sum. */
bool kernel_affine(const kernel_region *k, poly p, host_affine *out);
/* The number that p grows by with a root; false if it differs from thread to thread. */
bool kernel_growth(const kernel_values *v, poly p, br_scev atom, poly *by);
bool kernel_strides(const kernel_region *k, br_loop l); /* is l a stride loop? */

/* Axes, axes.c and rows.c. */
typedef struct kernel_rows {
    poly stride[ST_MAX_RANK - 1]; /* bytes, growing */
    int count;
} kernel_rows;
/* The rows of a kernel with one axis, which moves by `step` bytes. */
void kernel_find_rows(kernel_region *k, poly step, kernel_rows *r);
/* multiples.c: assumes that the divisor of a flat index is a multiple of a smaller one: *times as
 * large.
 */
bool kernel_assume_multiple(kernel_region *k, poly smaller, poly larger, poly *times);
bool kernel_find_axes(kernel_region *k);

/* Bounds, bound.c: axis `relation` limit, as `condition` (NULL: a loop's range) says in the
 * iterations `when`. */
bool kernel_add_bound(kernel_region *k, int axis, kernel_relation relation, poly limit,
                      LLVMValueRef condition, unsigned when);
/* Adds the bounds of cells for which the condition is `holds`. */
bool kernel_guard_by(kernel_region *k, LLVMValueRef condition, bool holds);
/* A guard from the comparison that ends a stride loop. It is `continues` if another iteration
 * follows, and bounds that iteration's cells. */
bool kernel_guard_at_latch(kernel_region *k, LLVMValueRef condition, bool continues, br_loop l);
/* Is p near 0, or near a number of at most 32 bits? All such numbers are checked to be small. */
bool kernel_is_near(const kernel_region *k, poly p);

/* Ends, ends.c: what a guard leaves out at an end of an axis (`y == n - 1`) makes the axis shorter.
 * Where nothing else bounds the axis, the launch must. */
void kernel_close_ends(kernel_region *k);

/* Guards, guard.c. */
bool kernel_find_guards(kernel_region *k);
/* Where bounds of a flat index say no more than that of its rows the first are left out. */
void kernel_bound_first_rows(kernel_region *k);
/* Does one of these blocks run wherever k->place does? */
bool kernel_covers(const kernel_region *k, const LLVMBasicBlockRef blocks[], int count);

/* Fixed coordinates, fixed.c: if LLVM put numbers for coordinates in the address, because branches
 * say that they are these, the address as it was. */
void kernel_restore_fixed(kernel_region *k, LLVMValueRef pointer, host_affine *at);
/* Does the store run where a branch says a coordinate, and for one cell of a thread? Then it may be
 * to another cell than the thread's own, as in `if (x == 0) b[y * n + n - 1] = v`. */
bool kernel_writes_beside(kernel_region *k, LLVMValueRef store);

/* Faces, faces.c: an address as it would be if no coordinate was brought back at a face. */
bool kernel_open_address(kernel_region *k, poly address, poly *out);
/* Sets the access's faces, and the region's rules, for the address that it is made of. */
bool kernel_set_faces(kernel_region *k, poly address, st_access *access);

#endif
