/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The values that are computed in front of a region's loops, as one list. Each has a role, which
 * says where the value goes. The test whether all can be computed there, and the code that computes
 * them, are loops over this list.
 */
#ifndef STENCILOPT_LIST_H
#define STENCILOPT_LIST_H

#include "offload/emit.h"

/* The place of a value. `index` is its number there. */
typedef enum list_role {
    LIST_COUNT,  /* iterations of loop `index` */
    LIST_GUARD,  /* condition `index` under which the nest runs */
    LIST_EXTENT, /* extent of dimension `index`, which no loop goes through */
    LIST_ORIGIN, /* entry `index` of stencilrt_call.origins */
    LIST_STRIDE, /* entry `index` of stencilrt_call.strides */
    LIST_SCALAR, /* entry `index` of stencilrt_call.scalars */
    LIST_COPY,   /* slot `index` of stencilrt_copy */
    LIST_LOAD,   /* address of a value that the nest reads at the same place in each iteration */
    LIST_RANGE,  /* an index that is checked against its type */
    LIST_TABLE,  /* slot `index`, counted through all stencilrt_table */
    LIST_ROW,    /* number of a table's row that is known when the program runs */
    LIST_HOIST   /* a value that was taken out of the loops before detection */
} list_role;

typedef enum list_form {
    LIST_NUMBER,     /* a polynomial, as an i64 */
    LIST_ADDRESS,    /* a polynomial, as a pointer */
    LIST_BITS,       /* a value of the program, in the low bytes of an i64 */
    LIST_FOLLOWED,   /* address, as an i64, of a scalar that is computed for each step */
    LIST_ITERATIONS, /* number of iterations of a loop, from its count of backedges */
    LIST_LITERAL,    /* a number */
    LIST_TRUTH,      /* a condition of the program */
    LIST_VALUE       /* an expression that other files emit */
} list_form;

typedef struct list_value {
    list_role role;
    size_t sweep, index;
    list_form form;
    poly poly;
    br_loop loop;
    br_scev scev;
    LLVMValueRef value;
    int64_t literal; /* for a followed scalar: its number */
} list_value;

typedef struct list {
    list_value *at;
    size_t count, room;
} list;

/* The list for a region: values of each sweep, then values of the whole region. The first value
 * that cannot be computed gives the reason of the refusal. */
list list_values(const rewriter *w);
void list_free(list *l);

/* Can the value be computed in front of the loops? */
bool list_expandable(const rewriter *w, const list_value *v);
/* Is it an address at which something is loaded in front of the loops? */
bool list_is_read(const list_value *v);
/* Does the value depend on `on`? */
bool list_depends(const list_value *v, LLVMValueRef on);

LLVMValueRef list_emit(const rewriter *w, const list_value *v);
/* Emits all values of this role and sweep; out[index] gets each. */
void list_emit_role(const rewriter *w, const list *l, list_role role, size_t sweep,
                    LLVMValueRef *out);

#endif
