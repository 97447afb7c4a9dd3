/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Between the files of stencil-offload:
 *   offload.c    the pass: modules, functions
 *   candidate.c  one nest of loops: the preparations to look at it in, in their order
 *   replace.c    what was detected: check, plan, generate, replace
 *   told.c       remarks
 *   save.c       option save-temps
 *   pieces.c     time loops with outputs
 *   sequence.c   sweeps one after the other, without a time loop
 *   team.c       regions in twins of OpenMP's parallel loops
 *   twins.c      these twins
 */
#ifndef STENCILOPT_PASSES_OFFLOADING_H
#define STENCILOPT_PASSES_OFFLOADING_H

#include "detect/host/host.h"
#include "model/refusal.h"
#include "model/step.h"
#include "offload/images.h"
#include "offload/rewrite.h"
#include "passes.h"
#include "prepare/prepare.h"
#include "prepare/sequence.h"

/* A unit of offloading: a sweep with or without its time loop, or all sweeps of a time step. */
typedef struct offload_region {
    host_region *sweeps[HOST_MAX_SWEEPS];
    size_t count;
    st_step *step;
    plan_of_step plan;
    offload_images images;
} offload_region;

/* What was seen of some of a function's nests, whose stand-ins are in it. Holds until the control
 * flow changes. */
enum { MAX_SEEN = 128 };
typedef struct seen_nests {
    br_loop innermost[MAX_SEEN];
    host_region *region[MAX_SEEN];
    int count;
} seen_nests;

/* Nests that are no region as a step of their own, by the heads of their outermost loops, and why.
 * Where no nest is known, by the head of the innermost loop. ST_OK: they were not looked at so, as
 * the detail says. */
enum { MAX_ONCE = 64, MAX_LONE = 2 * PREP_MAX_NESTS };
typedef struct lone_nests {
    LLVMBasicBlockRef head[MAX_LONE];
    st_refusal why[MAX_LONE];
    int count;
} lone_nests;

/* What candidates of one function need not find out once more. Loops by their heads. */
typedef struct offload_notes {
    LLVMBasicBlockRef refused;  /* the last time loop whose sweeps do not run together, .. */
    st_refusal why;             /* .. and why; ST_OK: it makes but one assignment */
    LLVMBasicBlockRef hopeless; /* the last that is refused however it is prepared */
    LLVMBasicBlockRef kept;     /* the last loop that was looked at without its loads */
    LLVMBasicBlockRef told;     /* the last time loop whose reason a remark told */
    LLVMBasicBlockRef without;  /* the last time loop whose sweep runs without it, .. */
    st_refusal without_why;     /* .. and why */
    st_refusal alone;           /* why nothing in the twin that is probed is offloaded */
} offload_notes;

/* Time loops that are not offloaded, as found before sequences are sought in them. By their heads.
 */
enum { MAX_APART = 16 };
typedef struct apart_loops {
    LLVMBasicBlockRef head[MAX_APART];
    st_refusal why[MAX_APART];
    int count;
} apart_loops;

typedef struct offload {
    LLVMModuleRef m;
    opt_values options;
    offload_code *made;
    int number;          /* of the next region in the module */
    LLVMValueRef *alone; /* functions with sweeps that are offloaded without a time loop */
    size_t nalone;
    /* The function in hand */
    br_function *f;
    LLVMValueRef function;
    bool math;    /* library functions may be the GPU's */
    bool touched; /* the function, if only by giving a loop its canonical form */
    seen_nests seen;
    LLVMValueRef once[MAX_ONCE]; /* the branches back of loops of one iteration: sequence.c */
    int nonce;
    lone_nests lone;
    apart_loops apart;
    bool whole_only; /* whole time loops are offloaded, nothing else yet */
    offload_notes notes;
    /* The candidate in hand */
    offload_region region;
    prep_change memory; /* temporary arrays that are taken out of the loop `outer` .. */
    br_loop outer;      /* .. which is then the only one that may be offloaded */
    /* The head of a loop: nothing is offloaded, only told whether it would be with this as its time
     * loop. Or NULL. */
    LLVMBasicBlockRef probe;
    bool probes_twin; /* .. or, whatever the head, in a twin of OpenMP's loops */
} offload;

/* The nest of the innermost loop; from the list of those seen, which then has it no longer. */
host_region *seen_detect(offload *o, br_loop innermost);
void seen_forget(offload *o);

/* Is it such a loop, in a time loop that also holds nests of several loops? */
bool sequence_is_beside(br_loop once);
/* Puts loops of one iteration, o->once, around sweeps that follow one another and are a region
 * together, and around single nests that are one as a step; also in loops that are no time loops.
 * What it sees of nests on the way, if there is nothing to put, is added to o->seen. */
void sequence_wrap(offload *o);
void sequence_unwrap(offload *o);

/* What is in hand while a shadow is looked at as the function would be. */
typedef struct candidate_own {
    br_function *f;
    LLVMValueRef function;
    bool touched;
} candidate_own;
candidate_own candidate_enter_shadow(offload *o, const prep_shadow *shadow);
/* Forgets what was noted of the shadow. */
void candidate_leave_shadow(offload *o, const candidate_own *own);

/* Cuts time loops with outputs into pieces, which are time loops that can be offloaded. True if the
 * function was changed. */
bool pieces_cut(offload *o);

/* Is the loop in a twin? Does the block belong to one, or to what has one? */
bool team_is_in_twin(const offload *o, br_loop l);
bool team_has_twin(const offload *o, LLVMBasicBlockRef b);
/* Does the loop hold a fork? */
bool team_has_forks(const offload *o, br_loop l);
/* Does the fork run where a region does not? */
bool team_is_left(LLVMValueRef fork);
/* Keeps why this nest of a twin that is probed is not offloaded. */
void team_note(offload *o, const host_region *nest);
/* Where the region of this outermost loop is in a twin: is it all that the twin does? */
bool team_may_run(const offload *o, br_loop outer, st_refusal *why);
/* Before the region is put in place: what it is a twin of is left as it is from now on. Returns the
 * twin's mark; NULL: it is in none. */
LLVMValueRef team_leave_rest(const offload *o, br_loop outer);
/* Afterwards: where the region does not run, that does. False: it cannot be. */
bool team_go_to_rest(const offload *o, LLVMValueRef mark, br_loop outer);
/* Erases what is not offloaded of twins. */
void team_close(offload *o);

/* The nest of this loop. True if it, or the time loop around it, was offloaded. */
bool candidate_offload(offload *o, br_loop innermost);

/* Puts twins of loops and forks into a function with OpenMP's forks. */
void twins_open(offload *o);
/* The function is the body of a parallel region. Remarks, if one thread may not run it. */
void twins_tell_body(offload *o);

/* Why this time loop is not offloaded, if that was found before; or NULL. */
const st_refusal *sequence_apart(const offload *o, br_loop time);

/* The region that these sweeps are. On failure the first sweep has the reason. */
bool region_offload(offload *o, host_region *const *sweeps, size_t count);
void region_save(const offload *o);
void region_release(offload *o);

/* Sends the remarks of an offloaded region; `nest`: the nest by which the region was found. */
void told_done(offload *o, const host_region *nest);
/* Sends the remarks of a nest that was not offloaded; l: the innermost loop of the nest. */
void told_missed(offload *o, const host_region *nest, br_loop l);

#endif
