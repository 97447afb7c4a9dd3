/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Detection of stencils in the loop nests of host code. A detected region is the Stencil (plain
 * data) and, beside it, what the compiler needs to enter it: the run-time values as polynomials
 * and ScalarEvolution expressions, the guards, the loops.
 */
#ifndef STENCILOPT_HOST_H
#define STENCILOPT_HOST_H

#include "algebra/poly.h"
#include "bridge/bridge.h"
#include "model/stencil.h"

enum {
    HOST_MAX_LOOPS = ST_MAX_RANK + 1,
    HOST_MAX_BLOCKS = ST_LIMIT(128, 6),        /* of a loop */
    HOST_MAX_OUTER_BLOCKS = ST_LIMIT(512, 16), /* of the outermost one */
    HOST_MAX_GUARDS = ST_LIMIT(16, 2),
    HOST_MAX_RANGES = ST_LIMIT(24, 3),
    HOST_MAX_RINGS = ST_LIMIT(8, 1),
    HOST_MAX_SKIPPED = ST_LIMIT(64, 2),
    HOST_MAX_LOADS = ST_LIMIT(16, 1),
    HOST_MAX_TABLES = ST_LIMIT(8, 1), /* as STENCILRT_MAX_TABLES */
    HOST_MAX_TABLE_USES = ST_LIMIT(96, 2),
    HOST_MAX_FIXED_ROWS = ST_LIMIT(16, 1),
    HOST_MAX_NUMBERS = ST_LIMIT(4, 1),
    HOST_MAX_NODES = ST_LIMIT(20000, 40),
    HOST_MAX_DEPTH = ST_LIMIT(5000, 10),
    HOST_DETAIL = 400,                    /* characters */
    HOST_MAX_SWEEPS = ST_LIMIT(32, 3),    /* of a time step */
    HOST_MAX_REDUCTIONS = ST_LIMIT(8, 1), /* of a sweep */
    HOST_MAX_ADDENDS = ST_LIMIT(8, 1),    /* of a cell, in a sum of floats */
    HOST_MAX_EXITS = ST_LIMIT(8, 1),      /* of a time loop */
    HOST_MAX_CARRIED = ST_LIMIT(16, 1),   /* numbers that it carries from step to step */
    HOST_MAX_STORES = ST_LIMIT(8, 1)      /* of a sweep's innermost loop */
};

/* A branch that skips an inner loop: the nest runs only where `condition` equals `holds`. */
typedef struct host_guard {
    LLVMValueRef condition; /* invariant; if in the region, by ScalarEvolution */
    bool holds;
} host_guard;

struct host_region;
struct host_steps;
struct host_hoists;

/* An address or an index: base + sum of step[i] * iteration of loops[i]. */
typedef struct host_affine {
    poly base, step[HOST_MAX_LOOPS];
} host_affine;

/* A narrow index that the program extends: taken as exact, which it is if its values in the whole
 * region, computed without wrapping, are those of its type. Checked at run time. */
typedef struct host_range {
    host_affine index;
    unsigned bits;
    bool is_signed;
} host_range;

typedef struct host_grid {
    poly origin[ST_MAX_BUFFERS]; /* address of cell (0,0,0), a buffer each */
    poly stride[ST_MAX_RANK];    /* bytes, x first */
} host_grid;

typedef struct host_scalar {
    LLVMValueRef value; /* or NULL: start + step * time step */
    poly start, step;
    bool followed; /* it is computed in the time loop, for each step */
} host_scalar;

/* Pointers that the time loop rotates: ring[i] in one step is ring[(i + 1) mod length] in the
 * next; start[i] is ring[i] in step 0. */
typedef struct host_ring {
    int length;
    LLVMValueRef phi[ST_MAX_BUFFERS], start[ST_MAX_BUFFERS];
} host_ring;

/* What the time loop copies after each sweep, from the array written to the one read: `bytes` in
 * each iteration of so many loops, innermost first. */
typedef struct host_copy {
    poly to, from, bytes, step[ST_MAX_RANK];
    int nloops;
    br_loop loops[ST_MAX_RANK];
    br_scev count[ST_MAX_RANK]; /* as host_region's */
} host_copy;

/* A value that the nest reads, and does not write. loads.c */
typedef struct host_load {
    poly address;
    unsigned alignment;
    LLVMValueRef value; /* stands for it; NULL once it is loaded */
} host_load;

/* What a sweep makes of a value that every cell has. reduce.c */
typedef struct host_reduction {
    st_reduce_op op;
    bool is_signed;
    LLVMValueRef value; /* of the cell; of a sum of floats NULL, for that has addends */
    LLVMValueRef addend[HOST_MAX_ADDENDS];
    int naddends;
    uint32_t subtracted;  /* bit i: addend i is */
    LLVMValueRef last;    /* the result, once the nest is left */
    LLVMValueRef initial; /* what it is in a nest without cells */
} host_reduction;

/* Values that change in the region, of which ScalarEvolution says nothing: a resolver knows one
 * kind of them. The address evaluator (affine.c) asks each in turn. */
typedef enum host_answer { HOST_UNKNOWN, HOST_KNOWN, HOST_REFUSED } host_answer;
typedef host_answer host_resolver(void *context, LLVMValueRef v, int step, host_affine *out);

typedef enum ends_truth { ENDS_NO, ENDS_YES, ENDS_MAYBE } ends_truth;

/* What a scene decides that is open in other places. Functions that yield bool may refuse. ends.c
 */
typedef struct host_decisions {
    /* A value that is chosen by conditions. */
    bool (*value)(struct host_region *r, LLVMValueRef v, int step, host_affine *out);
    bool (*bit)(struct host_region *r, br_scev s, int step, bool *bit);
    bool (*quotient)(struct host_region *r, const host_affine *a, const host_affine *b,
                     host_affine *out);
    /* The extreme of two, of which *out is one. */
    bool (*extreme)(struct host_region *r, enum br_scev_kind kind, const host_affine *other,
                    host_affine *out);
    /* An index of few bits that is extended, as a sum. */
    bool (*extension)(struct host_region *r, unsigned bits, bool is_signed, host_affine *index);
    ends_truth (*runs)(struct host_region *r, LLVMBasicBlockRef block, int step);
} host_decisions;

/* Where each loop of the nest is: in iteration `from` from its start or its end, or, if `place` is
 * HOST_BETWEEN, at least `width` away from both. ends.h */
typedef enum host_place { HOST_BETWEEN, HOST_START, HOST_END } host_place;
typedef struct host_scene {
    const host_decisions *decide;
    int width;
    host_place place[ST_MAX_RANK];
    int from[ST_MAX_RANK];
} host_scene;

/* A table of rows, a[i] of T **a; or of planes, whose own tables have rows: a[k][i]. tables.c */
typedef struct host_table {
    poly base; /* address of pointer number 0 */
    bool planes;
    poly skip;         /* of planes: bytes from where a table of rows is to its number 0 */
    LLVMValueRef rows; /* stands for where row number 0 is, of plane 0; NULL: taken over */
} host_table;

/* Which pointers a sweep reads, in a step of the period: numbers low .. high, and to that, if
 * `from` is not HOST_START, the loop's iterations less one: to both, or if HOST_BETWEEN to high
 * alone. */
typedef struct host_rows {
    int loop;
    host_place from;
    int64_t low, high;
    int fixed; /* 0, or of HOST_START: the number is also as much more as fixed[fixed - 1] */
} host_rows;
typedef struct host_table_use {
    int table, sweep, step;
    bool unsure;       /* perhaps not: only under a condition */
    host_rows rows[2]; /* planes, where there are some, and rows */
} host_table_use;

typedef struct host_tables {
    host_table table[HOST_MAX_TABLES];
    int count;
    host_table_use use[HOST_MAX_TABLE_USES];
    int nuses;
    poly fixed[HOST_MAX_FIXED_ROWS]; /* run-time values, without constants */
    int nfixed;
    LLVMValueRef distance[2]; /* stand for how far planes, and rows, are apart; or NULL */
} host_tables;

/* How GPU kernels differ from loop nests, for those parts of this folder that serve both. */
typedef struct host_form {
    /* The same for all cells, and computed without reading memory that the kernel may write? */
    bool (*invariant)(struct host_region *r, LLVMValueRef v);
    /* Does the block run for every cell that is written? */
    bool (*always)(struct host_region *r, LLVMBasicBlockRef block);
    /* In terms of the region's coordinates, one step each. Of a pointer, where no index is brought
     * back at a border. */
    bool (*affine)(struct host_region *r, LLVMValueRef v, host_affine *out);
    /* At which faces are indices of this access brought back? */
    bool (*faces)(struct host_region *r, LLVMValueRef pointer, st_access *access);
} host_form;

typedef struct host_region {
    const host_form *form;           /* NULL: a loop nest */
    host_resolver *const *resolvers; /* of values that change in the region; ends with NULL */
    br_function *f;
    LLVMValueRef function;
    st_stencil *stencil;
    br_loop loops[HOST_MAX_LOOPS]; /* innermost first; the time loop last, if there is one. Of two
                                      sweeps in a time loop, those of the first */
    int nloops;
    int axes;                        /* spatial loops; of a kernel, coordinates */
    br_loop time;                    /* or NULL */
    br_loop outer;                   /* the region's outermost loop */
    int dim_of_loop[HOST_MAX_LOOPS]; /* of the spatial loops: 0 is x */
    br_scev count[HOST_MAX_LOOPS];   /* backedge-taken counts: iterations, or one less unless
                                        host_tests_first */
    host_guard guards[HOST_MAX_GUARDS];
    int nguards;
    int nranges;
    unsigned narrow; /* expanding an index of so many bits that is extended; else 0 */
    bool far;        /* an access is beside a grid, but too far away to be a neighbour */
    int period;      /* time steps after which the roles of buffers repeat */
    int sweeps;      /* time steps that an iteration of the time loop makes: 1 or 2 */
    int left_out[ST_MAX_RANK][2]; /* iterations at a loop's start and end that write no cell */
    bool use_ends;                /* also loads under a condition are looked at in scenes */
    bool use_others;              /* whether memory is there, other sweeps tell */
    LLVMValueRef end_load;        /* the load that is looked at in scenes; or NULL */
    int joins;                    /* phis that are looked at in a scene, each for the last */
    int nloads;
    LLVMValueRef opaque; /* a load that is looked at as a value of its own; or NULL */
    int least_steps;     /* that are made before all of these are read */
    /* Loads under a condition, and their accesses: together they may always read a cell. */
    LLVMValueRef skipped[HOST_MAX_SKIPPED];
    int32_t skipped_access[HOST_MAX_SKIPPED];
    int nskipped;
    bool partial;             /* a cell is written only under a condition on loop counters */
    int ends;                 /* width of the scenes that were looked at; 0: none */
    const host_scene *scene;  /* the one that is looked at; or NULL */
    poly extent[ST_MAX_RANK]; /* of the loops, less what is left out, once ends are known */
    unsigned narrowed_bits;   /* of `narrowed`; 0: none */
    bool narrowed_signed;
    int nests;        /* nests of loops directly in the time loop */
    bool copies_back; /* each step ends with `copy` */
    int phase;        /* which of these two this region's sweep is: 0 or 1 */
    /* While the two sweeps of a time loop are looked at: the other one, or what copies back. Else
     * NULL. */
    struct host_region *twin;
    /* Of one of several sweeps in a time step: all of them, and which one this is. Else NULL. */
    struct host_steps *steps;
    int number;
    int along; /* which dimension its loop over a vector, v[k], is taken to walk */
    LLVMValueRef also[HOST_MAX_STORES]; /* its further stores, in the order of stencil->also */
    int nalso;
    host_reduction reductions[HOST_MAX_REDUCTIONS]; /* in the order of stencil->reductions */
    int nreductions;
    bool measures; /* it stores nothing: `store` is a load that walks all its loops */
    bool copies;   /* it is a call that copies memory: `store` */
    /* Of such, and of a loop over all cells: dimensions that no loop walks, and cells there. */
    uint32_t implied;
    poly implied_extent[ST_MAX_RANK];
    host_ring rings[HOST_MAX_RINGS]; /* of lengths that divide the period */
    int nrings;
    host_ring numbers[HOST_MAX_NUMBERS]; /* that go round with the pointers, and must be equal */
    int nnumbers;
    struct host_hoists *hoists; /* loaded in front of the region; or NULL. hoist.h */
    LLVMValueRef store;
    host_grid *grids;     /* as stencil->grids */
    host_scalar *scalars; /* as stencil->scalars */
    /* Why the nest, or the loop around it, was refused. */
    st_reason reason, time_reason;
    char detail[HOST_DETAIL], time_detail[HOST_DETAIL];
    /* Most of the memory, and not cleared: what is above says which of it is set. Most regions are
     * refused before any is. */
    host_affine store_at[ST_MAX_BUFFERS];
    host_range ranges[HOST_MAX_RANGES];
    host_load loads[HOST_MAX_LOADS]; /* those that others' addresses depend on before these */
    host_copy copy;
    host_tables tables;   /* of one of several sweeps: steps->tables */
    host_affine narrowed; /* an index that was extended in the scene */
} host_region;

/* With no loops yet. host_region_destroy frees it. */
host_region *host_region_create(br_function *f, LLVMValueRef function);

/* A known array: its base pointer and what its rows and planes are apart, 0: not known. */
typedef struct host_array {
    LLVMValueRef base;
    st_type type;
    poly stride[ST_MAX_RANK];
} host_array;

/* Phis of the time loop's head that the CPU computes from step to step. follow.c */
typedef struct host_carried {
    LLVMValueRef phi[HOST_MAX_CARRIED];
    int count;
    bool follows; /* sweeps get such values */
} host_carried;

/* A time loop that makes several sweeps a step, one after the other. */
typedef struct host_steps {
    br_function *f;
    LLVMValueRef function;
    br_loop time;
    int rank; /* of the sweep with the most dimensions: the others have one cell along some */
    host_region *sweeps[HOST_MAX_SWEEPS]; /* in their order */
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
    char detail[HOST_DETAIL];
    st_reason cause; /* the same, or why one of them does not run by itself */
} host_steps;

/* The loop around the nest of `innermost`, which may be such a time loop; or NULL. `innermost`
 * itself if it holds loops and assigns elements beside them. Cheap. */
br_loop host_time_loop(br_function *f, br_loop innermost);
/* Looks at it. NULL if it makes but one assignment. */
host_steps *host_detect_steps(br_function *f, LLVMValueRef function, br_loop time,
                              bool device_math);
void host_steps_destroy(host_steps *s);

/* extremes.c: in loops that are offloaded, gives the processor's fmin and fmax of zeros one result
 * where LLVM's code has none: it depends on whether a loop is vectorised. Kernels have the same. */
void host_settle_extremes(const struct host_region *r);

/* At the end of a time step. reduce.c */
/* Are there reductions, or does the loop stop by itself? */
bool host_is_checked(const host_steps *s);
/* The branch by which the time loop is left at this exit; *leaves: if its condition holds? */
LLVMValueRef host_exit_branch(const host_steps *s, int exit, bool *leaves);
/* Finds the exits; false if there are too many, or one does not hang on one condition. */
bool host_find_exits(host_steps *s);
/* Can the value be told then, of reductions, counters and what does not change? */
bool host_known_after_step(const host_steps *s, LLVMValueRef v);
/* Is something to be done between two steps? */
bool host_is_asked(const host_steps *s);
/* Computed of its operands alone, here as anywhere, and not in a nest? */
bool host_is_pure(const host_steps *s, LLVMValueRef v);
/* Is the value a number that the time loop carries, and which one? Or may it be one? follow.c */
bool host_is_carried(const host_steps *s, LLVMValueRef v, int *number);
bool host_carry(const host_steps *s, LLVMValueRef v);
/* What it is at first; or `next`, after a step. */
LLVMValueRef host_carried_value(const host_steps *s, int number, bool next);
bool host_check_carried(host_steps *s); /* are all known after each step? */
/* A value of the time loop that the CPU has to compute for the sweep, in each step? */
bool host_follows(const host_region *r, LLVMValueRef v);
/* The value that a phi joining branches has where all sweeps run; others are themselves. */
LLVMValueRef host_settled(const host_steps *s, LLVMValueRef v);
/* The same where one sweep runs. */
LLVMValueRef host_settled_in(const host_region *r, LLVMValueRef v);
/* Whose reduction the value is, and which; or NULL. */
const host_region *host_reduced(const host_steps *s, LLVMValueRef v, int *number);
/* An integer that changes by the same in each step, at the time loop's head? */
bool host_is_counter(const host_steps *s, LLVMValueRef v);

/* Looks at the nest around `innermost`. Returns a region whose `reason` is ST_OK, or why not (its
 * `stencil` is then NULL). `device_math` admits library functions that are not exact. */
host_region *host_detect(br_function *f, LLVMValueRef function, br_loop innermost,
                         bool device_math);
void host_region_destroy(host_region *r);
/* Does the loop test its condition at its head, before each iteration, and not at its latch? */
bool host_tests_first(br_loop l);

/* Innermost loops that write an array element: the nests worth looking at. */
size_t host_candidates(br_function *f, br_loop *out, size_t capacity);

/* A copy of the function, loops over neighbours unrolled; NULL if it has none. taps.c */
br_function *host_unroll_taps(br_function *f, LLVMValueRef function, LLVMValueRef *unrolled);

/* Between the files of this folder. Functions that may refuse set r->reason and return false. */
bool host_refuse(host_region *r, st_reason reason, const char *detail);
bool host_check_innermost(host_region *r); /* what can be told without ScalarEvolution */
bool host_check_loops(host_region *r);     /* nest.c */
bool host_check_effects(host_region *r);
/* Branches between the blocks of loop l that decide whether control comes to `target`, a block of
 * l or the head of `child`, a loop in it. */
bool host_find_guards(host_region *r, br_loop l, br_loop child, LLVMBasicBlockRef target);
bool host_add_guard(host_region *r, LLVMValueRef condition, bool holds);
/* Is it a condition of some steps of several sweeps', t % 4 == 3, perhaps and others that do not
 * change? Then these are guards, and the stencil gets the steps. every.c */
bool host_every(host_region *r, LLVMValueRef condition, bool holds);
bool host_check_every(host_region *r);      /* that of the arrays, none changes from step to step */
bool host_find_time_guards(host_region *r); /* those in the time loop, of its nest or store */
/* Is the edge between two blocks of l one that control may take if these branches go as they say?
 */
bool host_edge_taken(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef from,
                     LLVMBasicBlockRef to);
/* Can control get to the block, in an iteration of l, if these branches go as they say? */
bool host_reaches_under(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef block);
/* Does it pass the block in each iteration that does not end in between? */
bool host_passes_under(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef block);
/* Can control get from a to b within an iteration of l? */
bool host_comes_before(br_loop l, LLVMBasicBlockRef a, LLVMBasicBlockRef b);
/* Of the function that it calls; "" if it is no call, or through a pointer. */
const char *host_callee_name(LLVMValueRef v);
/* Does it call a function whose name begins so? */
bool host_calls(LLVMValueRef v, const char *prefix);
/* Can control get from `from` to `to` inside l, without starting a new iteration? In loops of more
 * than HOST_MAX_BLOCKS it may not be found. */
bool host_reaches(br_loop l, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
/* Likewise from the head of l, if the branches go as the guards say. `past`: a block that control
 * does not get past; or NULL. */
bool host_gets_to(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef past,
                  LLVMBasicBlockRef block);
void host_find_rings(host_region *r); /* ring.c */
enum { HOST_TURN = 3 };               /* t % 3: the divisor */
bool host_has_turn(const host_region *r);
/* The ring that the value is in, at number *at; or NULL. */
const host_ring *host_ring_of(const host_region *r, LLVMValueRef v, int *at);
/* The value in a step of the period of a number that the time loop carries round. toggle.c */
bool host_toggle(const host_region *r, LLVMValueRef v, int step, int64_t *value);
host_resolver host_toggle_value;
/* After how many steps such numbers repeat; 0 if there are none. */
int host_toggle_period(const host_region *r);
/* ends_nest.c: which cells the nest writes, if the store depends on loop counters; sets
 * r->left_out, or refuses. */
bool host_find_domain(host_region *r);
/* Does the block run for every cell that is written? */
bool host_always(host_region *r, LLVMBasicBlockRef block);
/* Likewise of a load whose address depends on where the loops are: its address away from their
 * ends. */
bool host_end_address(host_region *r, LLVMValueRef load, host_affine at[]);
/* The rules at the ends that make the access what the load reads in all scenes. */
bool host_set_ends(host_region *r, LLVMValueRef load, const host_affine at[], const poly stride[],
                   st_access *access);
/* Does one of the loads of this access run, wherever the loops are? */
bool host_never_skipped(host_region *r, int32_t access);
/* Pointers that the time loop rotates: sets r->rings, and with any the period. ring.c */
void host_find_pointers(host_region *r);
/* The value of one, or of a number that goes with them, in a step of the period. */
host_resolver host_ring_value;
bool host_rotates(const host_region *r, LLVMValueRef v); /* is it one of these? */
/* May a device read, for every cell, what the program reads under conditions? conditional.c */
bool host_check_conditional(host_region *r);
/* Of several sweeps: does the sweep's store number i (0: the first) run only under a condition? */
bool host_is_masked(const host_region *r, int i);
/* What a load of a pointer or an integer in the nest yields. loads.c */
host_resolver host_load_value;
void host_forget_loads(host_region *r);
/* A pointer that is a row's, read in a table. tables.c */
bool host_row(host_region *r, LLVMValueRef load, int step, host_affine *out);
/* Is it a row's pointer that a loop of the nest carries on from an iteration before? No reason is
 * set. */
host_resolver host_row_value;
host_tables *host_tables_of(host_region *r);
void host_forget_table_uses(host_region *r); /* which the sweep has */
void host_forget_tables(host_tables *t);
/* Does the address from where it is read change in the nest? */
bool host_moves(const host_region *r, LLVMValueRef load);
bool host_is_always_read(const host_region *r, LLVMValueRef load);
/* A value of its own in the function's first block. */
LLVMValueRef host_stand_in(LLVMValueRef function, LLVMTypeRef type, const char *name);
bool host_add_range(host_region *r, const host_affine *index, unsigned bits, bool is_signed);
bool host_affine_of(host_region *r, br_scev s, int step, host_affine *out);
bool host_require_range(host_region *r, br_scev s, bool is_signed); /* it does not wrap */
bool host_address(host_region *r, LLVMValueRef pointer, int shift, host_affine at[]);
bool host_store_grid(host_region *r); /* access.c */
/* Is it a cell of the written grid, in any of its buffers? */
bool host_in_store_grid(host_region *r, const host_affine at[]);
bool host_store_grid_copied(host_region *r);
bool host_store_grid_of_two(host_region *first, host_region *second);
bool host_access(host_region *r, LLVMValueRef pointer, const host_affine at[], st_type type,
                 bool conditional, int32_t *access);
/* Does the statement read the array it writes only where earlier iterations of the outermost loop
 * wrote? */
bool host_keeps_history(host_region *r);
bool host_build_expression(host_region *r, bool device_math); /* statement.c */
bool host_type(LLVMTypeRef t, st_type *out);
const char *host_value_name(LLVMValueRef v);
bool host_in_loop(br_loop l, LLVMValueRef v); /* an instruction inside l? */
LLVMValueRef host_only_store(br_loop l, int *count);
/* Loops that an address moves with, and those of which it takes remainders. walk.c */
typedef struct host_movement {
    br_function *f;
    br_loop loops[HOST_MAX_LOOPS + 1];
    int count;
    bool tables; /* also where pointers are read from */
    bool moves[HOST_MAX_LOOPS + 1], turns[HOST_MAX_LOOPS + 1];
} host_movement;

host_movement host_chain_of(br_function *f, br_loop innermost);
int host_count_spatial(host_movement *m, br_scev address, bool tables);
/* How many of the loops from `innermost` outwards the address walks; the chain of loops, at most
 * HOST_MAX_LOOPS + 1, goes to `chain`. *beyond: does it also depend on the next one, as on time? */
int host_walked(br_function *f, br_loop innermost, LLVMValueRef pointer, br_loop *chain,
                int *length, bool *beyond);
bool host_find_reductions(host_region *r);     /* reduce.c: sets r->reductions, or refuses */
bool host_is_operation(const char *intrinsic); /* one that an expression may hold */
bool host_check_live_outs(host_region *r);
bool host_check_function(host_region *r);
/* Arrays that the sweeps are known to use, by base pointer; NULL if it is not known. */
char host_array_letter(host_steps *s, LLVMValueRef base); /* a name of one letter */
const host_array *host_known_array(const host_steps *s, LLVMValueRef base);
void host_know_array(host_steps *s, LLVMValueRef base, st_type type, uint32_t flat,
                     const poly stride[]);
/* Along which dimension does a known array (`first`, or any) have cells so far apart? Or -1. */
int host_known_dimension(const host_steps *s, const host_array *first, const poly *stride);
/* Of several sweeps (steps.c): is the instruction one of their stores? */
bool host_is_stored(const host_steps *s, LLVMValueRef i);
/* Where a sweep starts, or what comes before it: an instruction. */
LLVMValueRef host_start_of(const host_region *r);
/* Does a come before b in an iteration of l? */
bool host_is_before(br_loop l, LLVMValueRef a, LLVMValueRef b);
/* Is what the load reads, outside the sweep's innermost loop, still there when the sweep starts? */
bool host_load_is_timely(const host_region *r, LLVMValueRef load);
/* The pointer an address is based on, if that is one value; else NULL. */
LLVMValueRef host_base_pointer(const poly *origin);
/* A new grid with its cell (0,0,0) at `at`. */
int32_t host_grid_at(host_region *r, const host_affine at[], st_type type, const poly stride[],
                     int level);
/* Is it a call of Fortran's runtime that assigns a whole array? assign.c */
bool host_is_array_assignment(LLVMValueRef i);
/* Is it a call that copies or fills memory? The sweep that such a call is (copies.c). */
bool host_is_copy(LLVMValueRef i);
bool host_build_copy(host_region *r);
/* So many bytes of an array as whole planes and rows, where no loop walks them, then cells: these
 * become r's implied extents. */
bool host_find_extents(host_region *r, const host_array *known, poly length);
/* Does its one loop walk rows of an array, one after the other? Then it gets them (linear.c). */
void host_find_rows(host_region *r);
/* Another store of the sweep: its grid becomes *access, at offset 0. */
bool host_also_store(host_region *r, LLVMValueRef store, st_access *access);
/* Among several sweeps: can control get from b to a in an iteration of the sweep's innermost loop?
 */
bool host_comes_after(const host_region *r, LLVMValueRef a, LLVMValueRef b);
/* The region of `spatial` loops and, if `timed`, the one around them, to be looked at anew. */
void host_begin(host_region *r, int spatial, bool timed);
/* The other sweep of a time loop that holds two, r's being one of them; or NULL. pair.c */
host_region *host_twin(host_region *r, int spatial);
/* Both sweeps as one region: r, which then holds the loops of the first. Without a change to r's
 * loops if refused. */
bool host_build_pair(host_region *r, host_region *twin, int spatial, bool device_math);
/* What copies an array in the time loop of r, where one nest of loops (or of two, r's and its twin,
 * the other) is a sweep; or NULL. copyback.c */
host_region *host_copier(host_region *r, host_region *twin, int spatial);
/* Are there two things in the loop that write, so that it may be these two? Cheap. */
bool host_may_hold_pair(br_loop time);
/* The sweep and the copy as one region: r, which then holds the loops of the sweep. */
bool host_build_copied(host_region *r, host_region *copier, host_region *twin, int spatial,
                       bool device_math);
/* What both parts of a time loop require is there once. pair.c */
void host_copy_requirements(host_region *to, const host_region *from);
void host_exchange(host_region *a, host_region *b); /* their loops and stores */

#endif
