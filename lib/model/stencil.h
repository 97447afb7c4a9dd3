/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The Stencil: what a detector found, as plain data, in the field's terms. It holds no LLVM
 * handles; detectors keep those beside it (lib/detect).
 *
 * Cells are named by coordinates counted from 0 along each dimension of the domain, dimension 0
 * being x, the contiguous one. Extents, strides and step counts are run-time values and so not in
 * here. A grid is an array with the copies of it that the time loop rotates through; level L of a
 * grid is, in time step s, its buffer number (s + L) mod buffers. So `A[(t+1)%2] = f(A[t%2])`
 * writes level 1 of a grid with 2 buffers and reads level 0.
 *
 * The statement's expression is a graph: nodes in an array, operands before users, no two nodes
 * equal. Leaves are accesses, cell coordinates, scalars and constants.
 */
#ifndef STENCILOPT_STENCIL_H
#define STENCILOPT_STENCIL_H

#include "model/fixed_limits.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define ST_MAX_RANK 3
#define ST_MAX_RADIUS ST_LIMIT(8, 2)
#define ST_MAX_BUFFERS 4

typedef enum st_type { ST_I1, ST_I8, ST_I16, ST_I32, ST_I64, ST_F32, ST_F64 } st_type;

typedef enum st_op {
    ST_CONST,  /* bits */
    ST_ACCESS, /* index: into accesses */
    ST_COORD,  /* index: dimension; type I64 */
    ST_SCALAR, /* index: into scalars */
#define ST_INSTRUCTION(id, text, opcode, arity, cls) ST_##id,
#define ST_INTRINSIC(id, text, name, arity, cls, libdevice) ST_##id,
#include "model/ops.def"
    ST_OP_COUNT
} st_op;

typedef enum st_class { ST_LEAF, ST_FREE, ST_ALU, ST_SLOW, ST_MATH } st_class;

typedef struct st_op_info {
    const char *text;
    st_class cls;
    int arity;
    int opcode;            /* LLVMOpcode; 0 for leaves and intrinsics */
    const char *intrinsic; /* "llvm.sqrt" or NULL */
    const char *libdevice; /* "exp" for MATH, else "" */
} st_op_info;
extern const st_op_info st_ops[ST_OP_COUNT];

/* Fast-math flags of a node, LLVMFastMathFlags' bits. */
enum {
    ST_REASSOC = 1,
    ST_NNAN = 2,
    ST_NINF = 4,
    ST_NSZ = 8,
    ST_ARCP = 16,
    ST_CONTRACT = 32,
    ST_AFN = 64
};

typedef struct st_node {
    uint8_t op, type;
    uint8_t predicate; /* of ICMP and FCMP: LLVM's predicate number */
    uint8_t flags;     /* fast-math */
    int32_t index;     /* of leaves, and of CALL1 to CALL3 into calls; else -1 */
    int32_t args[3];   /* operands: node numbers; -1 where unused */
    int32_t none;      /* 0: without it these bytes would be padding */
    uint64_t bits;     /* ST_CONST: the value's bits, zero-extended */
} st_node;
_Static_assert(sizeof(st_node) == 4 + 5 * sizeof(int32_t) + sizeof(uint64_t),
               "nodes are compared and hashed as bytes, and a copy need not copy padding");

/* What a program reads in place of a cell before the first one along a dimension (`low`) or after
 * the last one (`high`): the cell c that the offset leads to becomes, if it is outside,
 *
 *            c < low            c > high
 *   CLAMP    low                high
 *   MIRROR   2 * low - c        2 * high - c        the cell at the border is not repeated
 *   SYMMETRIC 2 * low - 1 - c   2 * high + 1 - c    it is
 *   WRAP     c + period         c - period
 *   TURN     low - offset       high - offset       of a kernel: one cell for all beyond the border
 *
 * The rule is applied once: what comes out may be outside again. Where the borders are is a
 * run-time value and so not in here; detectors keep it beside the stencil. */
typedef enum st_rule { ST_NO_RULE, ST_CLAMP, ST_MIRROR, ST_SYMMETRIC, ST_WRAP, ST_TURN } st_rule;
const char *st_rule_name(st_rule r); /* "clamp" */

/* A bit for each face, for an access: the faces at which it follows the stencil's rule. At other
 * faces it reads what is in memory there. */
#define ST_FACE(dimension, is_high) (1u << (2 * (dimension) + (is_high)))

typedef struct st_access {
    int32_t grid, level;
    int32_t offset[ST_MAX_RANK]; /* cells, x first */
    bool conditional;            /* the program makes the access only under a condition */
    int32_t where; /* .. of a kernel: the node that says whether; else -1, or anything */
    bool unsure;   /* of several sweeps: and whether memory is there, others must tell */
    uint8_t faces; /* ST_FACE */
} st_access;

typedef struct st_grid {
    char name[32];
    st_type type;
    uint32_t buffers;
    uint32_t broadcast; /* bit d: does not extend along dimension d */
    uint32_t apart;  /* of a kernel: elements from a cell to the next along x, if not 1; else 0 */
    int32_t advance; /* of one of several sweeps: cells along x that a step moves on, w[t] */
    /* .. that is written: 1 + the dimension along which a step moves on by a cell, trace[t]. 0:
     * none */
    uint32_t along;
    bool before; /* of one of several sweeps, which writes these cells: as they were before it */
    bool unwritten; /* .. and it writes none of those that its own cells need: nothing is copied */
} st_grid;

typedef struct st_scalar {
    st_type type;
    bool stepped;  /* changes by a fixed increment each time step */
    bool followed; /* the CPU computes it for each step; of one of several sweeps */
    bool late;     /* .. once the sweeps before this one have been reduced in the step */
} st_scalar;

/* An operation of the program that CALL1 to CALL3 make. Detectors keep its instruction beside the
 * stencil. */
typedef struct st_call {
    char name[48];
} st_call;

/* One more value that a sweep stores, at offset 0. */
typedef struct st_store {
    int32_t root, grid, level;
} st_store;

/* A reduction: a sweep's maximum, minimum or sum of one value per cell. ORDERED: the sum of floats,
 * added one after the other in the order of the program's loops. */
typedef enum st_reduce_op {
    ST_REDUCE_MAX,
    ST_REDUCE_MIN,
    ST_REDUCE_SUM,
    ST_REDUCE_ORDERED
} st_reduce_op;
typedef struct st_reduction {
    int32_t root; /* the value, whose type is the result's */
    st_reduce_op op;
    bool is_signed;             /* integers are compared so */
    uint8_t order[ST_MAX_RANK]; /* of ORDERED: dimensions, that of the innermost loop first */
} st_reduction;

typedef struct st_stencil {
    char where[160]; /* source location and function */
    char function[96];
    int rank;
    bool timed;    /* inside a time loop */
    bool one_halo; /* the buffers of the grid that rotates have the same halo in each run */
    uint32_t flat; /* bit d: one of several sweeps, with one cell along d */
    uint32_t every,
        phase;     /* one of several sweeps, made in steps phase, phase + every, ...; 0: all */
    bool together; /* one of several sweeps, in the loops of the sweep before */
    uint8_t boundary[ST_MAX_RANK][2]; /* st_rule: at the low and at the high face */
    st_grid *grids;
    size_t ngrids;
    st_access *accesses; /* reads */
    size_t naccesses;
    st_scalar *scalars;
    size_t nscalars;
    st_call *calls;
    size_t ncalls;
    st_node *nodes;
    size_t nnodes;
    int32_t root;                    /* the value stored */
    int32_t store_grid, store_level; /* at offset 0 */
    /* Stores that the program makes only under conditions, bits: the first, `also`. A cell for
     * which the condition does not hold gets what was there. Of a kernel, nothing: the root is
     * select(condition, value, value). */
    uint64_t masked;
    bool stores_nothing; /* a sweep for its reductions: root is a cell read, of store_grid */
    st_store *also;      /* further statements. All read before any of them writes */
    size_t nalso;
    st_reduction *reductions; /* of one of several sweeps */
    size_t nreductions;
} st_stencil;

st_stencil *st_create(void);
void st_destroy(st_stencil *s);
st_stencil *st_copy(const st_stencil *s);
/* Exchanges the contents of two stencils. */
void st_exchange(st_stencil *a, st_stencil *b);

size_t st_type_size(st_type t); /* bytes in memory; I1 and I8: 1 */
bool st_type_is_float(st_type t);
const char *st_type_name(st_type t); /* "f32" */

/* A node without operands, numbers or flags. */
st_node st_blank_node(st_op op, st_type t);
/* Appends the node, or finds an equal one. Returns its number. */
int32_t st_add_node(st_stencil *s, st_node n);
int32_t st_add_access(st_stencil *s, st_access a);
int32_t st_append_access(st_stencil *s, st_access a); /* appends even if there is an equal access */
int32_t st_add_grid(st_stencil *s, st_grid g);        /* always appends */
int32_t st_add_scalar(st_stencil *s, st_scalar c);    /* always appends */
int32_t st_add_call(st_stencil *s, const char *name); /* always appends */
void st_add_store(st_stencil *s, st_store also);      /* always appends */
void st_add_reduction(st_stencil *s, st_reduction reduction); /* always appends */
const char *st_reduce_name(st_reduce_op op);                  /* "max" */
/* Does a grid that is written move on in each step? */
bool st_moves_along(const st_stencil *s);
/* Has it a grid of cells as they were before the sweep? */
bool st_reads_before(const st_stencil *s);
/* .. that the sweep itself writes, so that a copy is needed? */
bool st_reads_overwritten(const st_stencil *s);
/* Is the grid's cell at offset 0 written at this level? */
bool st_writes(const st_stencil *s, int32_t grid, int32_t level);
/* Of a kernel: are cells of a grid several elements apart along x, as components of records are? */
bool st_has_records(const st_stencil *s);
/* How many time steps before the one written does an access of the grid that rotates lie? 1 or
 * more; in the buffer that is written, what is there before: as many as there are buffers. */
int st_steps_back(const st_stencil *s, const st_access *a);
/* A sweep that only kernels of whole steps block in time: it brings indices back at the ends of its
 * loops, or in 1-D it reads two time steps. */
bool st_needs_whole_steps(const st_stencil *s);

/* Builders of nodes. */
int32_t st_constant(st_stencil *s, st_type t, uint64_t bits);
int32_t st_leaf(st_stencil *s, st_op op, st_type t, int32_t index);
int32_t st_operation(st_stencil *s, st_op op, st_type t, int32_t a, int32_t b, int32_t c);

/* Gives s the nodes of `by` that its statements need: map[n] is there what node n of s was. */
void st_replace_nodes(st_stencil *s, st_stencil *by, const int32_t *map);

/* Divisions by constants as multiplications and additions with the same bits, where that is proven
 * for the constant or allowed by the division's flags. Before st_contract. */
void st_divide(st_stencil *s);

/* Contraction, by this project's own rule: fmuladd becomes fma; a multiplication used once, in an
 * addition or subtraction, both flagged `contract`, becomes fma. No contract flag remains. */
void st_contract(st_stencil *s);

/* Sums by planes along dim, where the additions allow it and cells have planes' sums in common.
 * Was there one? */
bool st_regroup(st_stencil *s, int dim);

/* Sums by planes along dim, from the lowest plane to the highest, where the additions allow it: for
 * kernels that stream along dim. Was there a sum over several planes? */
bool st_order_planes(st_stencil *s, int dim);

/* In 3-D, sums by rows, plane after plane, where the additions allow it: for tiles. Was there a sum
 * over several rows? */
bool st_order_rows(st_stencil *s);

/* Does a lie on the line from p to q? */
bool st_is_between(const int32_t a[ST_MAX_RANK], const int32_t p[ST_MAX_RANK],
                   const int32_t q[ST_MAX_RANK]);
/* Must the access be made before the node's value is known? */
bool st_needs(const st_stencil *s, int32_t node, int32_t access);
/* May every thread of a kernel read the access's cell, whatever the program's condition is? */
bool st_is_readable(const st_stencil *s, size_t access);
/* For a cell that a kernel reads under a condition: is there another thread that accesses it in any
 * case, if that thread exists? The nearest such thread is `apart` cells on. */
bool st_find_reader(const st_stencil *s, size_t access, int32_t apart[ST_MAX_RANK]);

/* Is it the iteration's own cell, and none away from it? */
bool st_is_own(const st_access *a);
/* Does the statement read the grid? */
bool st_reads_grid(const st_stencil *s, int32_t grid);
/* Does the statement read the grid's cell at this offset? */
bool st_reads(const st_stencil *s, int32_t grid, const int32_t offset[ST_MAX_RANK]);
/* Does the stencil read a neighbour, or any cell of a grid that rotates? */
bool st_reads_neighbours(const st_stencil *s);
/* The first MATH node without the afn flag, or -1. */
int32_t st_inexact_node(const st_stencil *s);
/* Is the node one of CALL1 to CALL3? */
bool st_is_call(const st_node *n);
/* Is the node an operation on floats of which some GPUs do two at a time? */
bool st_is_paired(const st_node *n);
/* The first MATH node, or -1: the kernel needs a device library. */
int32_t st_math_node(const st_stencil *s);
/* The name of the function of that first MATH node, or NULL. */
const char *st_math_function(const st_stencil *s);
/* Arithmetic operations a cell; `slow` ones count as 8. */
uint32_t st_operation_count(const st_stencil *s);
/* Halo of a grid's reads: the least and greatest offset along each dimension, 0 included. */
void st_halo(const st_stencil *s, int32_t grid, int32_t low[ST_MAX_RANK],
             int32_t high[ST_MAX_RANK]);

/* A port: one (grid, level) that the kernel accesses, and so one pointer parameter. */
typedef struct st_port {
    int32_t grid, level;
    bool reads, writes, masked; /* masked: it writes only where a condition holds */
} st_port;
enum { ST_MAX_PORTS = ST_LIMIT(128, 4) };
/* The written ones first, then those read in the order of their first access. Returns their count,
 * which may exceed ST_MAX_PORTS; only that many are stored. */
size_t st_ports(const st_stencil *s, st_port out[ST_MAX_PORTS]);

void st_print(const st_stencil *s, FILE *out);
/* Prints the stencil as one of several sweeps of a time step: number 1, 2, .. */
void st_print_sweep(const st_stencil *s, size_t number, FILE *out);
bool st_equal(const st_stencil *a, const st_stencil *b); /* Are two stencils equal, `where` and
                                                          * function aside? */

typedef enum st_reason {
    ST_OK = 0,
#define ST_REASON(id, name, sentence) ST_NO_##id,
#include "model/reasons.def"
    ST_REASON_COUNT
} st_reason;
const char *st_reason_name(st_reason r);
const char *st_reason_sentence(st_reason r); /* with %s where a detail goes, or without */
/* The sentence with its %s filled in; `detail` may be NULL. */
void st_reason_text(st_reason r, const char *detail, char *out, size_t size);

#endif
