/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loop facts: which loops a nest has, how often they run, the branches between them, and what their
 * instructions do. Reads: the function, ScalarEvolution. Hands on: loops, iteration counts, guards.
 */
#ifndef STENCILOPT_HOST_NEST_H
#define STENCILOPT_HOST_NEST_H

#include "detect/common/flow.h"

struct host_region;

/* Loops that an address moves with, and those of which it takes remainders. walk.c */
typedef struct host_movement {
    br_function *f;
    br_loop loops[HOST_MAX_LOOPS + 1];
    int count;
    bool tables;  /* also where pointers are read from */
    bool choices; /* also of both addresses that a condition chooses from */
    int chosen;   /* how many of them were looked at */
    bool moves[HOST_MAX_LOOPS + 1], turns[HOST_MAX_LOOPS + 1];
} host_movement;

host_movement host_chain_of(br_function *f, br_loop innermost);
int host_count_spatial(host_movement *m, br_scev address, bool tables);
/* How many of the loops from `innermost` outwards the address walks. `chain` gets the chain of
 * loops, at most HOST_MAX_LOOPS + 1. *beyond: does the address also depend on the next loop, as on
 * time? */
int host_walked(br_function *f, br_loop innermost, LLVMValueRef pointer, br_loop *chain,
                int *length, bool *beyond);
/* The same of what a load reads, with choices: an index may be brought back at the ends. */
int host_walked_by_load(br_function *f, br_loop innermost, LLVMValueRef load, br_loop *chain,
                        int *length);
/* A nest may store nothing, but hand on numbers from cell to cell in all its loops. How many loops
 * has such a nest, from `innermost` outwards? `chain` as above. 0: the nest is no such nest. */
int host_measured(br_function *f, br_loop innermost, br_loop *chain, int *length);
/* The loop around the nest of `innermost`, which may be its time loop; or NULL. `innermost`
 * itself if it holds loops and assigns elements beside them. Cheap. */
br_loop host_time_loop(br_function *f, br_loop innermost);
/* The outermost loop that the first store, or copy, in `innermost` walks, or of a nest that only
 * measures its loads; or NULL. */
br_loop host_nest_around(br_function *f, br_loop innermost);
/* The store in l, if there is exactly one, else NULL; *count: how many stores there are. */
LLVMValueRef host_only_store(br_loop l, int *count);
/* Innermost loops that write an array element, copy memory, or measure. Only their nests are worth
 * looking at. */
size_t host_candidates(br_function *f, br_loop *out, size_t capacity);

/* Functions that may refuse set the region's reason and return false. */
/* Refuses a loop with several exits. Where a check fails behind one, the refusal says which.
 * failing.c
 */
bool host_refuse_exits(br_loop l, st_refusal *why);
bool host_check_innermost(struct host_region *r); /* what can be told without ScalarEvolution */
/* Are the loops of the region counted, and is none beside the nest? */
bool host_check_loops(struct host_region *r);
/* effects.c */
bool host_check_effects(struct host_region *r);
bool host_check_calls(struct host_region *r, br_loop l); /* those in the loop */
/* Names a call in the loop that may throw, of a function that has a name. False: there is none. */
bool host_name_throwing(br_loop l, st_refusal *why);
/* If the loop calls what is not known, *why becomes that. */
void host_name_call(struct host_region *r, br_loop l, st_refusal *why);
/* Those that each iteration of the loop makes. False: one calls a function that is not known. */
bool host_check_calls_of_step(struct host_region *r, br_loop l);
/* Is it the address of a variable, and of no array or struct? What is said of assignments to one.
 */
bool host_is_variable(LLVMValueRef address);
#define HOST_ASSIGNS_VARIABLE                                                                      \
    "an assignment to a variable that other procedures may read; declare it in this one"
bool host_check_function(struct host_region *r);
/* Branches between the blocks of loop l that decide whether control comes to `target`, a block of
 * l or the head of `child`, a loop in it. */
bool host_find_guards(struct host_region *r, br_loop l, br_loop child, LLVMBasicBlockRef target);
/* The guards in the time loop that decide whether control comes to its nest, or to its store. */
bool host_find_time_guards(
    struct host_region *r); /* those in the time loop, of its nest or store */
bool host_add_guard(struct host_region *r, LLVMValueRef condition, bool holds);
/* Is it a condition of some steps of several sweeps', t % 4 == 3, perhaps and others that do not
 * change? Then these are guards, and the stencil gets the steps. every.c */
bool host_every(struct host_region *r, LLVMValueRef condition, bool holds);
bool host_check_every(
    struct host_region *r); /* that of the arrays, none changes from step to step */
/* Are values used after the region known without running the region? live.c */
bool host_check_live_outs(struct host_region *r);

#endif
