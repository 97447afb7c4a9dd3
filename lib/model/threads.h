/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a kernel's threads are numbered, which is all that an order of them needs to know: kernels
 * whose threads run each on its own, whatever they compute. Detection fills this in; code
 * generation reads it.
 *
 * FLAT: every use of the thread and block numbers goes through one number, the flat index: a sum
 * of them in a mixed radix, so that a launch's threads have 0 .. threads-1; in a grid-stride loop,
 * they go on by as many. So a thread that is given another's index does what that one would have
 * done, whatever that is, and any permutation of the indices is legal.
 *
 * BLOCKS: block numbers along two dimensions or three, which are permuted likewise.
 */
#ifndef STENCILOPT_MODEL_THREADS_H
#define STENCILOPT_MODEL_THREADS_H

#include "algebra/poly.h"
#include "model/fixed_limits.h"

#include <llvm-c/Core.h>

enum { ST_MAX_DIGITS = 6, ST_LIST_VALUES = 32 };

/* One of the numbers that the flat index is made of. */
typedef struct st_thread_digit {
    bool is_block; /* the block's number; else the thread's */
    int dim;
    int64_t size; /* the program's number for how many there are; 0: it takes the launch's */
} st_thread_digit;

typedef struct st_value_list {
    LLVMValueRef values[ST_LIST_VALUES];
    int count;
} st_value_list;

typedef struct st_flat_index {
    poly value;
    st_thread_digit digits[ST_MAX_DIGITS]; /* fastest first */
    int ndigits;
    LLVMValueRef index;   /* of the instructions that compute it, the one before the others */
    st_value_list others; /* that compute it too, perhaps in another type */
    st_value_list kept;   /* users that need it as it is: of a stride loop, its test and its step */
    br_loop loop;         /* the grid-stride loop, or NULL */
    LLVMValueRef limit;   /* below which this loop goes on */
    bool limit_signed;
    LLVMValueRef width;             /* of a row: what the flat index is divided by */
    st_value_list rows, columns;    /* divisions of `index` by it: quotients, remainders */
    bool is_signed;                 /* these divisions */
    poly height, cells;             /* how many rows or cells there are, zero where not known: */
    bool height_known, cells_known; /* by comparisons, which need not be all */
} st_flat_index;

typedef struct st_threads {
    bool is_flat;
    st_flat_index flat;
    int ndims; /* of blocks: 2 or 3 */
    st_value_list
        blocks; /* the instructions that read the block's number; dims in the same order */
    int dims[ST_LIST_VALUES];
} st_threads;

bool st_list_has(const st_value_list *l, LLVMValueRef v);
bool st_list_add(st_value_list *l, LLVMValueRef v); /* false if there are too many */

#endif
