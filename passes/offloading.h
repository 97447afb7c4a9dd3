/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Declarations for the files of stencil-offload:
 *   offload.c    the pass: modules, functions
 *   candidate.c  one nest of loops: the ways to look at it, in their order
 *   replace.c    a detected region: check, plan, generate, replace
 *   told.c       remarks
 *   save.c       option save-temps
 *   profile.c    option profile
 *   pieces.c     time loops with outputs
 *   sequence.c   sweeps one after the other, without a time loop
 *   team.c       regions in twins of OpenMP's parallel loops
 *   twins.c      makes these twins
 */
#ifndef STENCILOPT_PASSES_OFFLOADING_H
#define STENCILOPT_PASSES_OFFLOADING_H

#include "detect/host/host.h"
#include "model/refusal.h"
#include "model/step.h"
#include "offload/images.h"
#include "offload/rewrite.h"
#include "options/profile.h"
#include "passes.h"
#include "prepare/prepare.h"
#include "prepare/sequence.h"
#include "remark.h"

/* What is offloaded at once: a sweep with or without its time loop, or all sweeps of a time step.
 */
typedef struct offload_region {
    host_region *sweeps[HOST_MAX_SWEEPS];
    size_t count;
    st_step *step;
    uint64_t model; /* the fingerprint of `step` as it was detected */
    plan_of_step plan;
    offload_images images;
} offload_region;

/* Nests of a function for which detection already has a result. Their regions have stand-ins in the
 * function. Valid until control flow changes. */
enum { MAX_SEEN = 128 };
typedef struct seen_nests {
    br_loop innermost[MAX_SEEN];
    host_region *region[MAX_SEEN];
    int count;
} seen_nests;

/* Nests that cannot be offloaded as a step of their own, and why. A nest is known by the head of
 * its outermost loop; if no nest was found, by the head of the innermost loop. The reason ST_OK
 * means that the nest was not tried as a step; the detail says why. */
enum { MAX_ONCE = 64, MAX_LONE = 2 * PREP_MAX_NESTS };
typedef struct lone_nests {
    LLVMBasicBlockRef head[MAX_LONE];
    st_refusal why[MAX_LONE];
    int count;
} lone_nests;

/* Results for one function that its candidates share. Loops are known by their heads. */
typedef struct offload_notes {
    LLVMBasicBlockRef refused; /* the last time loop whose sweeps do not run together */
    /* The reason; ST_OK: the loop makes only one assignment. */
    st_refusal why;
    LLVMBasicBlockRef hopeless; /* the last loop that is refused in every preparation */
    LLVMBasicBlockRef kept; /* the last loop that was looked at after loads were taken out of it */
    LLVMBasicBlockRef told; /* the last time loop that got a remark with its reason */
    LLVMBasicBlockRef without; /* the last time loop whose sweep runs without it */
    st_refusal without_why;    /* the reason */
    st_refusal alone;          /* why nothing in the twin in hand is offloaded */
} offload_notes;

/* Time loops that are not offloaded, and why. This is noted before sequences of sweeps are sought
 * in them. Loops are known by their heads. */
enum { MAX_APART = 16, MAX_CUT = 64 };
typedef struct apart_loops {
    LLVMBasicBlockRef head[MAX_APART];
    st_refusal why[MAX_APART];
    int count;
} apart_loops;

typedef struct offload {
    LLVMModuleRef m;
    opt_values options;
    profile tuned;      /* of option profile; empty without */
    opt_values wanted;  /* options for the region in hand: the profile fills what is not given */
    const char *advice; /* what the plan's remark says of the profile; or "" */
    offload_code *made;
    int number;          /* the number of the module's next region */
    int on_chip;         /* regions so far with kernels that keep a grid on chip */
    LLVMValueRef *alone; /* functions with sweeps that are offloaded without a time loop */
    size_t nalone;
    LLVMValueRef *chosen; /* functions with a time loop for one choice: see prepare/modes.h */
    size_t nchosen;
    /* The current function */
    br_function *f;
    LLVMValueRef function;
    remark_list sent; /* remarks at nests that are not offloaded */
    /* The last function in which loops have versions for usual radii, and the last loop's: bits. */
    LLVMValueRef versions_of;
    unsigned versions;
    LLVMValueRef counting; /* the last function that got a remark for its compiler's counters */
    bool math;             /* the GPU's mathematical functions may replace library functions */
    bool touched; /* the function was changed, perhaps only by giving a loop its canonical form */
    seen_nests seen;
    /* The branches back of the loops of one iteration that sequence.c made. */
    LLVMValueRef once[MAX_ONCE];
    int nonce;
    lone_nests lone;
    apart_loops apart;
    /* The heads of the module's loops that were cut: most of their steps run together. */
    LLVMBasicBlockRef cut[MAX_CUT];
    int ncut;
    bool whole_only; /* only whole time loops are offloaded for now */
    offload_notes notes;
    /* The current candidate */
    offload_region region;
    prep_change memory; /* temporary arrays that are allocated in front of the loop `outer` */
    br_loop outer;      /* the only loop that may then be offloaded */
    /* If not NULL, nothing is offloaded. candidate_offload only tells whether a nest would be
     * offloaded with the loop of this head as its time loop. */
    LLVMBasicBlockRef probe;
    /* How many nests of the function are sweeps by themselves? */
    size_t (*count_sweeps)(br_function *f, LLVMValueRef function, bool math);
    bool probes_nest; /* as `probe`, with a nest by itself whose outermost loop begins there */
    bool probes_twin; /* as `probe`, with any time loop that is in a twin of OpenMP's loops */
} offload;

/* The region of the nest of the innermost loop. If it is among those seen, it is removed from their
 * list. */
host_region *seen_detect(offload *o, br_loop innermost);
void seen_forget(offload *o);

/* Is it a loop of one iteration, in a time loop that also contains nests of several loops? */
bool sequence_is_beside(br_loop once);
/* Puts loops of one iteration, o->once, around sweeps that follow one another and form a region
 * together. Single nests that form a region as a step get such a loop too. Both may be in loops
 * that are no time loops. If no loop was put, o->seen has the nests that were looked at. */
void sequence_wrap(offload *o);
/* Would the nest in the shadow, whose outermost loop has this head, be such a single one? */
bool sequence_takes(offload *o, const prep_shadow *in, LLVMBasicBlockRef head);
/* Would all nests of the twin be a sequence? The loops of which it is a twin have this block. */
bool sequence_takes_twin(offload *o, LLVMBasicBlockRef rest);
void sequence_unwrap(offload *o);

/* State of the function that is set aside while its shadow is looked at. */
typedef struct candidate_own {
    br_function *f;
    LLVMValueRef function;
    bool touched;
} candidate_own;
candidate_own candidate_enter_shadow(offload *o, const prep_shadow *shadow);
/* Forgets what was noted of the shadow, and restores the state. */
void candidate_leave_shadow(offload *o, const candidate_own *own);

/* Cuts time loops with outputs into pieces, so that the pieces can be offloaded as time loops. True
 * if the function was changed. */
bool pieces_cut(offload *o);

/* Is there a copy of the loop without its checks? Then the loop stays as it is. */
bool pieces_stays(br_loop l);

/* Puts sweeps in the place of their calls in time loops, so that these can be offloaded. True if
 * the function was changed. */
bool pieces_inline(offload *o);

/* team_is_in_twin: is the loop in a twin? team_is_in_twin_of: in that of loops that have this
 * block? team_has_twin: does the block belong to a twin, or to
 * loops that have one? */
bool team_is_in_twin(const offload *o, br_loop l);
bool team_is_in_twin_of(const offload *o, br_loop l, LLVMBasicBlockRef rest);
bool team_has_twin(const offload *o, LLVMBasicBlockRef b);
/* Does the loop contain a fork? */
bool team_has_forks(const offload *o, br_loop l);
/* Is the fork one that runs when a region does not? */
bool team_is_left(LLVMValueRef fork);
/* Notes why this nest is not offloaded. The nest is in the twin in hand. */
void team_note(offload *o, const host_region *nest);
/* If the region of this outermost loop is in a twin: is the region all that the twin does? */
bool team_may_run(const offload *o, br_loop outer, st_refusal *why);
/* Call it before the region is put in place. The loops of which this is a twin are then left as
 * they are. Returns the mark of the twin; NULL if the region is in no twin. */
LLVMValueRef team_leave_rest(const offload *o, br_loop outer);
/* Call it afterwards. Makes the original loops run when the region does not run on the device.
 * False if that is impossible. */
bool team_go_to_rest(const offload *o, LLVMValueRef mark, br_loop outer);
/* Erases the parts of twins that are not offloaded. */
void team_close(offload *o);

/* Offloads the nest of this loop, or the time loop around it. False if neither was offloaded. */
bool candidate_offload(offload *o, br_loop innermost);

/* Adds twins of loops and forks to a function with OpenMP's forks. */
void twins_open(offload *o);
/* For a function that is the body of a parallel region: sends remarks if one thread may not run it.
 */
void twins_tell_body(offload *o);

/* Why this time loop is not offloaded, if that was noted before; otherwise NULL. */
const st_refusal *sequence_apart(const offload *o, br_loop time);

/* Offloads the region that consists of these sweeps. On failure false; the first sweep has the
 * reason. */
bool region_offload(offload *o, host_region *const *sweeps, size_t count);
void region_save(const offload *o);
/* Reads the file that option profile names. On failure false, and `error` says why. */
bool profile_open(offload *o, char *error, size_t size);
/* Notes the fingerprint of the region's step, and sets o->wanted and o->advice for it. */
void profile_apply(offload *o);
void region_release(offload *o);

/* Sends the remarks of an offloaded region. `nest` is the nest from which the region was found. */
void told_done(offload *o, const host_region *nest);
/* Sends the remarks of a nest that was not offloaded; l: the innermost loop of the nest. */
void told_missed(offload *o, host_region *nest, br_loop l);

#endif
