/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The values that are computed in front of a region's loops, as one list: what each is and where it
 * goes. Whether all of them can be computed there, and their code, are loops over this list.
 */
#ifndef STENCILOPT_LIST_H
#define STENCILOPT_LIST_H

#include "offload/emit.h"

/* Where a value goes; `index` says which. */
typedef enum list_role {
    LIST_COUNT,  /* iterations of loop `index` */
    LIST_GUARD,  /* condition `index` under which the nest runs */
    LIST_EXTENT, /* of dimension `index`, which no loop goes through */
    LIST_ORIGIN, /* entry `index` of stencilrt_call.origins */
    LIST_STRIDE, /* of .strides */
    LIST_SCALAR, /* of .scalars */
    LIST_COPY,   /* slot `index` of stencilrt_copy */
    LIST_LOAD,   /* address of what the nest reads at the same place in each iteration */
    LIST_RANGE,  /* of an index that is checked against its type */
    LIST_TABLE,  /* slot `index` of all stencilrt_table */
    LIST_ROW,    /* number of a table's row, known when the program runs */
    LIST_HOIST   /* what the loops were rid of before they were looked at */
} list_role;

typedef enum list_form {
    LIST_NUMBER,     /* a polynomial, as an i64 */
    LIST_ADDRESS,    /* a polynomial, as a pointer */
    LIST_BITS,       /* a value of the program, in the low bytes of an i64 */
    LIST_FOLLOWED,   /* the address, as an i64, of a scalar that is computed for each step */
    LIST_ITERATIONS, /* of a loop, by its backedges */
    LIST_LITERAL,    /* a number */
    LIST_TRUTH,      /* a condition of the program */
    LIST_VALUE       /* an expression that others emit */
} list_form;

typedef struct list_value {
    list_role role;
    size_t sweep, index;
    list_form form;
    poly poly;
    br_loop loop;
    br_scev scev;
    LLVMValueRef value;
    int64_t literal; /* of a followed scalar: its number */
} list_value;

typedef struct list {
    list_value *at;
    size_t count, room;
} list;

/* In the order in which reasons count: of each sweep, then of all together. */
list list_values(const rewriter *w);
void list_free(list *l);

/* Can it be computed in front of the loops? */
bool list_expandable(const rewriter *w, const list_value *v);
/* Is it an address at which something is read there? */
bool list_is_read(const list_value *v);
/* Does it depend on the value? */
bool list_depends(const list_value *v, LLVMValueRef on);

LLVMValueRef list_emit(const rewriter *w, const list_value *v);
/* All of this role and sweep: out[index]. */
void list_emit_role(const rewriter *w, const list *l, list_role role, size_t sweep,
                    LLVMValueRef *out);

#endif
