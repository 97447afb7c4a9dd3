/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Between the files that emit the branch in front of a region's loops.
 */
#ifndef STENCILOPT_EMIT_H
#define STENCILOPT_EMIT_H

#include "offload/layout.h"
#include "offload/rewrite.h"
#include "prepare/hoist.h"

struct list;

typedef struct rewriter {
    host_region *const *sweeps; /* of the region: one, or several */
    size_t count;
    size_t number;  /* of the one that is looked at */
    host_region *r; /* the one that is looked at; for what all have in common, the first */
    const offload_memory *memory; /* or NULL */
    const struct list *values;    /* list.h: all that is computed in front of the loops */
    LLVMModuleRef m;
    LLVMContextRef c;
    LLVMBuilderRef b;
    LLVMValueRef before; /* where values are computed: the preheader's end */
    LLVMValueRef extent[HOST_MAX_SWEEPS][3], steps;
    LLVMValueRef hoisted_at[HOIST_MAX]; /* addresses, as numbers */
    LLVMValueRef state;                 /* tail.h: what is carried from step to step; or NULL */
    LLVMValueRef
        expected; /* i1: what was hoisted is what it was taken to be, and guards hold; or NULL */
    LLVMValueRef apart; /* i1: what was loaded is not what is written; or NULL */
    bool has_tables;    /* of rows: then the runtime looks whether it is, at these addresses */
    LLVMValueRef kept[HOIST_MAX + HOST_MAX_LOADS];
    size_t nkept;
    LLVMValueRef *tables; /* the slots of all struct stencilrt_table */
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
LLVMValueRef emit_number(const rewriter *w, br_scev s); /* i64; of a pointer, its address */
LLVMValueRef emit_poly(const rewriter *w, poly p);
/* An address, as its base pointer plus bytes, so that alias analysis sees what it is based on. */
LLVMValueRef emit_address(const rewriter *w, poly p);
/* On the stack. */
LLVMValueRef emit_array(const rewriter *w, LLVMTypeRef element, size_t count);
/* On the stack, with these values, of at most 8 bytes, in each one's low bytes. */
LLVMValueRef emit_filled(const rewriter *w, LLVMTypeRef type, LLVMValueRef *values, size_t count);
/* On the stack: `count` structs, one after the other, of these slots. */
LLVMValueRef emit_structs(const rewriter *w, layout_id id, LLVMValueRef *slots, size_t count);
/* Not `and`: a later condition may be poison where an earlier one fails. `all` may be NULL. */
LLVMValueRef emit_also(const rewriter *w, LLVMValueRef all, LLVMValueRef c);
LLVMValueRef emit_condition(const rewriter *w, LLVMValueRef c);
LLVMValueRef emit_iterations(const rewriter *w, br_loop l, br_scev backedges);
LLVMValueRef emit_steps(const rewriter *w); /* iterations of the time loop */
/* Loads what the nest reads, if it runs; else zeros. Sets w->apart. loads.c */
void emit_loads(rewriter *w, LLVMValueRef runs);
/* First byte of a buffer of a grid of w->r, sweep number k, and the one after the last. */
void emit_bounds(const rewriter *w, size_t k, size_t grid, int buffer, LLVMValueRef ends[2]);
/* Loads values that the loops read at addresses that do not change, under the conditions of the
 * program. The second checks, once extents are known, that no sweep writes these addresses.
 * hoists.c */
void emit_hoists(rewriter *w);
void emit_hoists_apart(rewriter *w);
/* Tables of rows: in front of the loops; then, for the call, struct stencilrt_tables or NULL.
 * tables.c */
void emit_tables(rewriter *w);
LLVMValueRef emit_tables_stored(rewriter *w);
/* Leaves it to the runtime to see that the 8 bytes are not written; false if that is not its part.
 */
bool emit_keep(rewriter *w, LLVMValueRef at);
/* Marks the loops, for a second run of the pass. marks.c */
void emit_marks(const rewriter *w);
/* The function and its callers have effects now that LLVM inferred they had not. */
void emit_forget_effects(const rewriter *w);

#endif
