/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A region: what the stages of detection read and write of one nest of loops, or of one sweep of a
 * time step; and a time step of several sweeps.
 */
#ifndef STENCILOPT_HOST_REGION_H
#define STENCILOPT_HOST_REGION_H

#include "detect/common/flow.h"
#include "detect/host/access.h"
#include "detect/host/address.h"
#include "detect/host/after.h"
#include "detect/host/loads.h"
#include "detect/host/rotate.h"
#include "detect/host/statement.h"
#include "detect/host/tables.h"

struct host_region;
struct host_steps;
struct prep_hoists;

/* What the time loop copies after each sweep, from the array written to the one read: `bytes` in
 * each iteration of so many loops, innermost first. */
typedef struct host_copy {
    poly to, from, bytes, step[ST_MAX_RANK];
    int nloops;
    br_loop loops[ST_MAX_RANK];
    br_scev count[ST_MAX_RANK]; /* as host_region's */
} host_copy;

/* How GPU kernels differ from loop nests, for those parts of this folder that serve both: functions
 * that are called with the context, and that refuse to `why` unless it is NULL. */
typedef struct host_form {
    void *context;
    /* Is the value the same for all cells, and computed without reading memory that the kernel may
     * write? */
    bool (*invariant)(void *context, LLVMValueRef v);
    /* Does the block run for every cell that is written? */
    bool (*always)(void *context, LLVMBasicBlockRef block);
    /* In terms of the region's coordinates, one step each. Of a pointer, where no index is brought
     * back at a border. */
    bool (*affine)(void *context, LLVMValueRef v, host_affine *out, st_refusal *why);
    /* At which faces are indices of this access brought back? */
    bool (*faces)(void *context, LLVMValueRef pointer, st_access *access, st_refusal *why);
    /* Does one of these stores run for every cell that is written? */
    bool (*covers)(void *context, const LLVMValueRef stores[], int count);
    /* Is the store to a cell of its own, beside those that threads write each at its own place? */
    bool (*beside)(void *context, LLVMValueRef store);
    /* As host_next_choice. */
    LLVMValueRef (*choice)(void *context, LLVMValueRef pointer);
    /* What is assumed of conditions from now on, while an address is looked at. */
    void (*assume)(void *context, const LLVMValueRef conditions[], const bool holds[], int count);
} host_form;

/* What the stages that match accesses and build the statement remember among themselves. */
typedef struct host_matching {
    bool same_component;   /* grids of other components are passed over */
    bool use_ends;         /* also loads under a condition are looked at in scenes */
    bool use_others;       /* whether memory is there, other sweeps tell */
    bool beyond;           /* a neighbour was looked at in scenes */
    bool by_counters;      /* other sweeps tell whether memory is there */
    bool declined;         /* a condition on loop counters was found, and left to the rules at the
                            * ends */
    bool far;              /* an access is beside a grid, but too far away to be a neighbour */
    LLVMValueRef end_load; /* the load that is looked at in scenes; or NULL */
    LLVMValueRef load;     /* the load whose access is sought; NULL: an earlier iteration's */
    /* Loads under a condition, and their accesses: together they may always read a cell. */
    LLVMValueRef skipped[HOST_MAX_SKIPPED];
    int32_t skipped_access[HOST_MAX_SKIPPED];
    int nskipped;
    /* Conditions on cells that are assumed while an address is looked at: choices.h. */
    LLVMValueRef assumed[HOST_MAX_CHOICES];
    bool holds[HOST_MAX_CHOICES];
    int nassumed;
    bool late; /* of a kernel: a load of one grid may come after a store to another */
} host_matching;

typedef struct host_region {
    /* What is looked at: set before any stage runs. */
    const host_form *form; /* NULL: a loop nest */
    br_function *f;
    LLVMValueRef function;
    host_resolver *const *resolvers;     /* of values that change in the region; ends with NULL */
    host_expression *const *expressions; /* that follow the time step; ends with NULL */
    br_loop loops[HOST_MAX_LOOPS]; /* innermost first; the time loop last, if there is one. Of two
                                      sweeps in a time loop, those of the first */
    int nloops;
    int axes;                  /* spatial loops; of a kernel, coordinates */
    br_loop time;              /* or NULL */
    br_loop outer;             /* the region's outermost loop */
    int evaluating, evaluated; /* expressions: one in another; for the outermost one (affine.c) */
    LLVMValueRef store;        /* the statement's, the first one */
    LLVMValueRef also[HOST_MAX_STORES]; /* its further stores, in the order of stencil->also */
    int nalso;
    bool measures; /* the nest stores nothing: `store` is a load that walks all its loops */
    bool together; /* it is in the loops of the sweep before: steps/walks.c, steps.c */
    int own; /* of one of several sweeps: its innermost loops that no other sweep's loops are in */
    bool copies; /* the cells are written by calls that copy or fill memory: `store`, `also` */
    int along;   /* which dimension its loop over a vector, v[k], is taken to walk */
    /* While the two sweeps of a time loop are looked at: the other one, or what copies back. Else
     * NULL. */
    struct host_region *twin;
    int nests; /* nests of loops directly in the time loop */
    int phase; /* which of these two this region's sweep is: 0 or 1 */
    /* For one of several sweeps in a time step: all of these sweeps, and this one's number. Else
     * NULL. */
    struct host_steps *steps;
    int number;

    /* What is found. The model: */
    st_stencil *stencil;
    int dim_of_loop[HOST_MAX_LOOPS]; /* of the spatial loops: 0 is x */
    int period;                      /* time steps after which the roles of buffers repeat */
    int sweeps; /* time steps that an iteration of the time loop makes: 1 or 2 */
    host_affine store_at[ST_MAX_BUFFERS]; /* where `store` writes, in each step of the period */
    bool copies_back;                     /* each step ends with `copy` */
    host_copy copy;
    int left_out[ST_MAX_RANK][2]; /* iterations at a loop's start and end that write no cell */
    bool partial;                 /* a cell is written only under a condition on loop counters */
    int ends;                     /* width of the scenes that were looked at; 0: none */
    /* The values that the model refers to: */
    br_scev count[HOST_MAX_LOOPS]; /* backedge-taken counts: iterations, or one less unless
                                      host_tests_first */
    poly extent[ST_MAX_RANK];      /* of the loops, less what is left out, once ends are known */
    host_grid *grids;              /* as stencil->grids */
    host_scalar *scalars;          /* as stencil->scalars */
    LLVMValueRef *calls;           /* as stencil->calls: an instruction of the program's */
    host_reduction *reductions;    /* as stencil->reductions */
    int nreductions;
    host_ring *rings; /* of lengths that divide the period */
    int nrings;
    /* For a call that copies, and for a loop over all cells: the dimensions that no loop walks, and
     * the cells there. */
    uint32_t implied;
    poly implied_extent[ST_MAX_RANK];
    host_load *loads; /* those that others' addresses depend on before these */
    int nloads;
    int least_steps;            /* that are made before all of these are read */
    struct prep_hoists *hoists; /* loaded in front of the region; or NULL. hoist.h */
    host_tables tables;         /* of one of several sweeps: steps->tables */
    /* The assumptions under which the model is true: */
    host_guard guards[HOST_MAX_GUARDS];
    int nguards;
    host_range *ranges;
    int nranges;
    host_ring numbers[HOST_MAX_NUMBERS]; /* that go round with the pointers, and must be equal */
    int nnumbers;
    /* Why the nest, or the loop around it, was refused: */
    union {
        st_refusal why;
        struct {
            st_reason reason;
            char detail[ST_DETAIL];
        };
    };
    union {
        st_refusal time_why;
        struct {
            st_reason time_reason;
            char time_detail[ST_DETAIL];
        };
    };

    host_matching match;
} host_region;

_Static_assert(sizeof(host_region) <= 4096, "lists of a region are allocated as they grow");

/* A time loop that makes several sweeps a step, one after the other. */
typedef struct host_steps {
    br_function *f;
    LLVMValueRef function;
    br_loop time;
    int rank; /* of the sweep with the most dimensions: the others have one cell along some */
    /* No loop walks neighbouring elements, as where a cell has several components or one of each
     * row is a sweep's: along x every sweep but those has one cell, so the rank is one more. */
    bool apart;
    bool mirrored;  /* the sweep's loops are all beyond x, those by an element as well */
    bool beside;    /* other sweeps around the loops use their arrays */
    bool left;      /* the loop may also be left where its sweeps do not run */
    bool own_cells; /* single cells are sweeps of their own, also one right after the other */
    host_region *sweeps[HOST_MAX_SWEEPS]; /* in the program's order */
    int count;
    host_array *arrays;
    size_t narrays;
    host_tables tables;
    LLVMValueRef *bases; /* of all grids, for their names */
    size_t nbases;
    /* Under which conditions do the nests run? Stores that do not run then. */
    host_guard guards[HOST_MAX_GUARDS];
    int nguards;
    bool guarded; /* they are known */
    LLVMValueRef skipped[HOST_MAX_SWEEPS];
    int nskipped;
    host_carried *carried;
    bool stops; /* the loop ends when conditions say so that each step computes */
    LLVMBasicBlockRef exiting[HOST_MAX_EXITS]; /* blocks that leave the time loop, in order */
    int nexits;
    char where[160];
    st_reason reason; /* ST_OK, or why they do not run together */
    char detail[ST_DETAIL];
    st_reason cause; /* the same, or why one of the sweeps does not run by itself .. */
    br_loop bad;     /* .. that sweep's outermost loop; or NULL */
    /* From where a value is loaded in front of the loops, if it stands for such a load; else NULL.
     * Or NULL: nothing is. */
    br_scev (*loaded_from)(const struct prep_hoists *loads, LLVMValueRef v);
    const struct prep_hoists *loads;
} host_steps;

/* With no loops yet. host_region_destroy frees it. */
host_region *host_region_create(br_function *f, LLVMValueRef function);
/* The region of `spatial` loops and, if `timed`, the one around them, to be looked at anew. */
void host_begin(host_region *r, int spatial, bool timed);
void host_region_destroy(host_region *r);
/* One more sweep of these loops, in the time loop; NULL: there are too many. */
host_region *host_add_sweep(host_steps *s, const br_loop *loops, int axes);
/* Does the sweep walk all dimensions that any of several sweeps walks? */
bool host_walks_all(const host_region *r);
/* Between the files of this folder. Functions that may refuse set r->reason and return false. */
/* What a look at the region came to, which has set r->why if it is not good. */
st_refusal host_outcome(const host_region *r, bool good);
/* Sets r->why; false. */
bool host_refuse(host_region *r, st_reason reason, const char *detail);

#endif
