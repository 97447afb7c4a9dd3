/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files share that emit the branch in front of a region's loops.
 */
#ifndef STENCILOPT_EMIT_H
#define STENCILOPT_EMIT_H

#include "offload/layout.h"
#include "offload/rewrite.h"
#include "prepare/hoist.h"

struct list;

typedef struct rewriter {
    host_region *const *sweeps; /* the region's sweeps, one or more */
    size_t count;
    size_t number;                /* the number of the sweep `r` */
    host_region *r;               /* the sweep in hand; the first one, for what all sweeps share */
    const offload_memory *memory; /* may be NULL */
    const struct list *values;    /* list.h: all that is computed in front of the loops */
    LLVMModuleRef m;
    LLVMContextRef c;
    LLVMBuilderRef b;
    LLVMValueRef before; /* values are computed before this instruction, at the preheader's end */
    LLVMValueRef extent[HOST_MAX_SWEEPS][3], steps;
    LLVMValueRef hoisted_at[HOIST_MAX]; /* the addresses of hoisted values, as integers */
    LLVMValueRef state; /* the values that the time loop carries (tail.h), or NULL */
    LLVMValueRef
        /* i1, or NULL: hoisted values have the numbers that detection took for them, and guards
         * hold. */
        expected;
    LLVMValueRef apart; /* i1, or NULL: no hoisted value lies in memory that is written */
    /* There are tables of rows: the runtime then makes the test of `apart` at the addresses `kept`.
     */
    bool has_tables;
    LLVMValueRef kept[HOIST_MAX + HOST_MAX_LOADS];
    size_t nkept;
    LLVMValueRef *tables; /* the slots of all structs stencilrt_table */
    size_t ntables;
} rewriter;

static inline LLVMTypeRef emit_i64(const rewriter *w) {
    return LLVMInt64TypeInContext(w->c);
}
static inline LLVMTypeRef emit_pointer(const rewriter *w) {
    return LLVMPointerTypeInContext(w->c, 0);
}

static inline LLVMValueRef emit_int(const rewriter *w, int64_t v) {
    return LLVMConstInt(emit_i64(w), (unsigned long long)v, true);
}

/* values.c */
/* The value as an i64; for a pointer its address. */
LLVMValueRef emit_number(const rewriter *w, br_scev s);
LLVMValueRef emit_poly(const rewriter *w, poly p);
/* An address, as a base pointer and a number of bytes, so that alias analysis sees the base. */
LLVMValueRef emit_address(const rewriter *w, poly p);
/* An array on the stack. */
LLVMValueRef emit_array(const rewriter *w, LLVMTypeRef element, size_t count);
/* An array on the stack with these values. Each has at most 8 bytes and is in the low bytes of its
 * element. */
LLVMValueRef emit_filled(const rewriter *w, LLVMTypeRef type, LLVMValueRef *values, size_t count);
/* `count` structs on the stack, one after the other, from these slots. */
LLVMValueRef emit_structs(const rewriter *w, layout_id id, LLVMValueRef *slots, size_t count);
/* `all` and c, by a select instead of `and`: a later condition may be poison where an earlier one
 * is false. `all` may be NULL. */
LLVMValueRef emit_also(const rewriter *w, LLVMValueRef all, LLVMValueRef c);
LLVMValueRef emit_condition(const rewriter *w, LLVMValueRef c);
LLVMValueRef emit_iterations(const rewriter *w, br_loop l, br_scev backedges);
LLVMValueRef emit_steps(const rewriter *w); /* the number of iterations of the time loop */
/* Loads what the nest reads at fixed addresses, if the nest runs; otherwise the values are zeros.
 * Sets w->apart. In loads.c. */
void emit_loads(rewriter *w, LLVMValueRef runs);
/* The first byte of a buffer of a grid of sweep number k, and the byte behind its last one. */
void emit_bounds(const rewriter *w, size_t k, size_t grid, int buffer, LLVMValueRef ends[2]);
/* emit_hoists loads values that the loops read at fixed addresses, under the conditions of the
 * program. emit_hoists_apart comes later, when extents are known. It checks that no sweep writes
 * these addresses. In hoists.c. */
void emit_hoists(rewriter *w);
void emit_hoists_apart(rewriter *w);
/* Tables of rows: emit_tables in front of the loops; then, for the call, a struct stencilrt_tables
 * or NULL. In tables.c. */
void emit_tables(rewriter *w);
LLVMValueRef emit_tables_stored(rewriter *w);
/* Lets the runtime check that no sweep writes the 8 bytes. False if the runtime does not check this
 * region. */
bool emit_keep(rewriter *w, LLVMValueRef at);
/* Marks the loops, for a second run of the pass. marks.c */
void emit_marks(const rewriter *w);
/* Removes attributes that say that the function and its callers have no effects. LLVM inferred them
 * before the function called the runtime. */
void emit_forget_effects(const rewriter *w);

#endif
