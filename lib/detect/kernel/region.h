/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Detection of stencils in GPU kernels: the same Stencil as of loop nests, and beside it how a
 * thread comes to its cell.
 *
 * Every address and index is a polynomial over roots, the values in which threads differ (thread
 * and block numbers, iterations of loops, quotients of a flat index), and over values that are the
 * same for all of them. A remainder is written x - x / n * n, so that `i % n`, `i - (i / n) * n`
 * and linear indices are the same polynomials. The coordinates, called axes, are polynomials too:
 * an address is base + sum of step * axis.
 */
#ifndef STENCILOPT_KERNEL_REGION_H
#define STENCILOPT_KERNEL_REGION_H

#include "detect/host/host.h"
#include "model/launch.h"
#include "target/uniform.h"

enum {
    KERNEL_MAX_ROOTS = ST_LIMIT(128, 8),
    KERNEL_MAX_BOUNDS = ST_LIMIT(16, 3),
    KERNEL_MAX_NARROW = ST_LIMIT(256, 6),
    KERNEL_MAX_NEEDS = ST_LIMIT(32, 3),
    KERNEL_MAX_CELLS = ST_LIMIT(16, 2)
};

typedef enum kernel_role {
    KERNEL_THREAD,     /* threadIdx */
    KERNEL_BLOCK,      /* blockIdx */
    KERNEL_BLOCK_SIZE, /* blockDim: the same for all threads, and so no root */
    KERNEL_GRID_SIZE,  /* gridDim, in blocks: likewise */
    KERNEL_ITERATION,  /* of a loop, from 0 */
    KERNEL_QUOTIENT,   /* numerator / divisor, rounded down */
    KERNEL_EXCESS,     /* `excess` where the test holds, else 0: of an index that is chosen */
    KERNEL_NO_ROLE
} kernel_role;

/* Of an EXCESS: is left less than right? */
typedef struct kernel_test {
    poly left, right;
    bool equal;       /* are they equal? */
    bool negated;     /* is it not? */
    bool is_unsigned; /* what is compared must not be negative, or it says something else */
} kernel_test;

/* In polynomials a root's own address stands for it: no br_scev function may see that. */
typedef struct kernel_root {
    kernel_role role;
    int dim;                 /* of thread and block numbers */
    LLVMValueRef value;      /* of these: the first instruction that reads it */
    br_loop loop;            /* of iterations */
    poly numerator, divisor; /* of quotients */
    bool truncated;          /* the program rounds towards 0, and the numerator may be negative */
    kernel_test test;        /* of an excess */
    poly excess;
} kernel_root;

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
    LLVMValueRef condition; /* that of the program, which may say more than this */
    unsigned when;          /* in the end KERNEL_ALWAYS */
} kernel_bound;

/* The iterations of a stride loop for which a bound is tested. */
enum { KERNEL_FIRST = 1, KERNEL_LATER = 2, KERNEL_ALWAYS = 3 };

/* An integer of fewer than 64 bits that was taken for what its operations give without wrapping:
 * a signed number of its type, or an unsigned one. The kernel's own conditions and addresses are
 * of such values, and none else; those of leaves (thread numbers, arguments) are exact anyway. */
typedef struct kernel_narrow {
    br_scev value;
    bool is_signed;
} kernel_narrow;

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
    host_region region; /* its stencil, grids and scalars; its `loops` are the kernel's own loops */
    kernel_shape shape;
    kernel_axis axes[ST_MAX_RANK]; /* region.dim_of_loop says which is x */
    int naxes;
    br_loop stride_loop;       /* that takes a thread to further cells of the grid; or NULL */
    br_loop other_stride_loop; /* likewise, along another axis; or NULL */
    br_loop march_loop;        /* along an axis of its own; or NULL */
    int64_t part;   /* of that axis, cells that each block walks over; 0: every block, over all */
    int64_t cells;  /* along one axis, that each thread computes: 1, or more by a loop (march_loop)
                       or by a store each */
    int cells_axis; /* which axis, if there are more */
    poly apart;     /* from one of these cells to the next: 1, or the threads of a block. Of stores,
                       the axis's value is that of the first cell */
    LLVMValueRef stores[KERNEL_MAX_CELLS]; /* by a store each: by cell; region.store is the first */
    int nstores;
    int cell;          /* the one that is looked at */
    poly flat;         /* of KERNEL_FLAT: the index that is divided */
    bool rows_assumed; /* the program does not divide it: it knows no ends of rows, and neighbours
                          are those in memory */
    kernel_root roots[KERNEL_MAX_ROOTS];
    int nroots;
    br_scev sizes[2][ST_MAX_RANK]; /* the first values of KERNEL_BLOCK_SIZE and _GRID_SIZE */
    kernel_bound bounds[KERNEL_MAX_BOUNDS];
    int nbounds;
    unsigned when;                         /* of the comparison that is looked at */
    host_guard uniform[KERNEL_MAX_BOUNDS]; /* conditions that are the same for all cells */
    int nuniform;
    kernel_narrow narrow[KERNEL_MAX_NARROW];
    int nnarrow;
    kernel_face faces[ST_MAX_RANK][2]; /* by axis; low and high */
    poly needs[KERNEL_MAX_NEEDS];      /* at least 0, or cells are other ones than the model says */
    int nneeds;
    int depth, work;  /* of kernel_poly */
    bool may_overlap; /* nothing in the kernel says that what it reads is not what it writes */
} kernel_region;

/* Never NULL: its region's reason is ST_OK, or why not (its stencil is then NULL). */
kernel_region *kernel_detect(br_function *f, LLVMValueRef function);
/* May loops over neighbours be what it was refused for? */
bool kernel_wants_unrolled(const kernel_region *k);
/* A region that knows only its function. */
kernel_region *kernel_begin(br_function *f, LLVMValueRef function);
void kernel_region_destroy(kernel_region *k);
/* The facts of its launch, for code generation. To be destroyed by st_destroy_launch. launch.c */
st_launch *kernel_launch(kernel_region *k);
/* Roots before other values, and these as the kernel has them. */
int kernel_rank(const kernel_region *k, br_scev atom);
/* How cells come about, on one line. */
void kernel_print(const kernel_region *k, FILE *out);

/* Between the files of this folder. Functions that may refuse set the reason and return false. */
bool kernel_refuse(kernel_region *k, st_reason reason, const char *detail);
/* Do its threads run each on its own: no cooperation, atomics, unknown calls? */
bool kernel_check_alone(kernel_region *k);   /* kernel/effects.c */
bool kernel_check_effects(kernel_region *k); /* likewise; and finds the one store */
/* Of each instruction of the kernel, until one is refused. */
typedef bool kernel_check(kernel_region *k, LLVMValueRef instruction);
bool kernel_check_each(kernel_region *k, kernel_check *check);
kernel_role kernel_role_of(LLVMValueRef v, int *dim); /* kernel/roots.c */
br_scev kernel_root_atom(kernel_root *r);
/* Is it near 0, or near a number of at most 32 bits, all of which are checked to be small?
 * kernel/guard.c */
bool kernel_is_near(const kernel_region *k, poly p);
/* The root that an atom stands for, or NULL. */
kernel_root *kernel_root_of(const kernel_region *k, br_scev atom);
kernel_root *kernel_add_root(kernel_region *k, kernel_role role); /* NULL if there are too many */
bool kernel_strides(const kernel_region *k, br_loop l);           /* is it a stride loop? */
bool kernel_has_root(poly p, br_scev atom);
bool kernel_varies(const kernel_region *k, poly p);       /* is there a root in it? */
bool kernel_poly(kernel_region *k, br_scev s, poly *out); /* kernel/index.c */
bool kernel_note_narrow(kernel_region *k, br_scev s, bool is_signed);
/* Likewise, as an unsigned number of its type: where that is narrow, the sum modulo 2^bits. */
bool kernel_number(kernel_region *k, br_scev s, poly *out);
/* condition ? yes : no; kernel/choice.c */
bool kernel_choose(kernel_region *k, LLVMValueRef condition, poly yes, poly no, poly *out);
bool kernel_extreme(kernel_region *k, br_scev s, poly *out); /* a minimum or maximum */
bool kernel_join(kernel_region *k, LLVMValueRef phi, poly *out);
/* An address as it would be if no coordinate was brought back at a face. kernel/faces.c */
bool kernel_open_address(kernel_region *k, poly address, poly *out);
/* Sets the access's faces, and the region's rules, for the address that it is made of. */
bool kernel_set_faces(kernel_region *k, poly address, st_access *access);
/* The model holds only where this is at least 0. False if that never is so. */
bool kernel_need(kernel_region *k, poly p);
/* Puts the stores in the order of their cells, if they are those of a thread. kernel/cells.c */
bool kernel_sort_stores(kernel_region *k);
/* What the written address grows by from one of these cells to the next. */
bool kernel_unit(kernel_region *k, poly *unit);
/* Is `other` the same statement, guards and all, for another cell of the thread? */
bool kernel_add_cell(kernel_region *k, const kernel_region *other);
/* A narrow value in terms of the axes; false if it is no such sum. */
bool kernel_narrow_value(kernel_region *k, const kernel_narrow *n, host_affine *value);
typedef struct kernel_rows {
    poly stride[ST_MAX_RANK - 1]; /* bytes, growing */
    int count;
} kernel_rows;
/* Of the only axis, that moves by `step` bytes. kernel/rows.c */
void kernel_find_rows(kernel_region *k, poly step, kernel_rows *r);
bool kernel_find_axes(kernel_region *k); /* kernel/axes.c */
/* base + sum of step * axis; false, without a reason, if it is not such a sum. */
bool kernel_affine(const kernel_region *k, poly p, host_affine *out);
bool kernel_find_guards(kernel_region *k); /* kernel/guard.c */
/* Expands what the guards compare, for its quotients: they tell a flat index apart. */
void kernel_preview_guards(kernel_region *k);

#endif
