/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the CPU knows at the end of a time step, and between two steps. Reads: the sweeps with their
 * reductions. Hands on: where the time loop is left, and values that it carries from step to step.
 */
#ifndef STENCILOPT_HOST_AFTER_H
#define STENCILOPT_HOST_AFTER_H

#include "bridge/bridge.h"
#include "detect/common/limits.h"

struct host_region;
struct host_steps;

/* Phis of the time loop's head that the CPU computes from step to step. */
typedef struct host_carried {
    LLVMValueRef phi[HOST_MAX_CARRIED];
    int count;
    bool follows; /* sweeps get values computed from these */
    bool behind;  /* values used behind the time loop are computed from these */
    /* Calls of <math.h> that may set errno, of which such values are computed. */
    LLVMValueRef calls[HOST_MAX_CALLS];
    int ncalls;
} host_carried;

/* Are there reductions, or does the loop stop by itself? */
bool host_is_checked(const struct host_steps *s);
/* The branch by which the time loop is left at this exit; *leaves: if its condition holds? */
LLVMValueRef host_exit_branch(const struct host_steps *s, int exit, bool *leaves);
/* Finds the exits; false if there are too many, or one does not hang on one condition. */
bool host_find_exits(struct host_steps *s);
/* Can the value be computed after a step, from reductions, counters and values that do not change?
 */
bool host_known_after_step(const struct host_steps *s, LLVMValueRef v);
/* The same of a value that is used behind the loop. If the loop carries what it is computed of from
 * step to step, the CPU has to compute that in each step. */
bool host_known_behind(const struct host_steps *s, LLVMValueRef v);
/* Must the CPU do something between two steps? */
bool host_is_asked(const struct host_steps *s);
/* Is the value computed from its operands alone, the same here as anywhere, and not in a nest? */
bool host_is_pure(const struct host_steps *s, LLVMValueRef v);
/* Is the value a number that the time loop carries, and which one? host_carry: may it be one? Then
 * it is counted as one. */
bool host_is_carried(const struct host_steps *s, LLVMValueRef v, int *number);
bool host_carry(const struct host_steps *s, LLVMValueRef v);
/* The value of a carried number before the first step; with `next`, after a step. */
LLVMValueRef host_carried_value(const struct host_steps *s, int number, bool next);
bool host_check_carried(struct host_steps *s); /* are all known after each step? */
/* Is it a call of <math.h> that may set errno, and that each step makes outside the nests, before
 * it may leave the loop? Then the CPU may make it in each step. */
bool host_is_left_to_cpu(const struct host_steps *s, LLVMValueRef call);
/* The first such call that the CPU would not make, for no value that it computes in each step needs
 * it; or NULL. */
LLVMValueRef host_call_left_out(const struct host_steps *s);
/* A value of the time loop that the CPU has to compute for the sweep, in each step? *late: once the
 * sweeps before this one have been reduced. */
bool host_follows(const struct host_region *r, LLVMValueRef v, bool *late);
/* A floating-point number of the step that is known before the sweep, by whoever computes it? */
bool host_is_known_in_step(const struct host_region *r, LLVMValueRef v);
/* The value that a phi joining branches has where all sweeps run; others are themselves. */
LLVMValueRef host_settled(const struct host_steps *s, LLVMValueRef v);
/* The value of a phi that joins branches, where this one sweep runs. */
LLVMValueRef host_settled_in(const struct host_region *r, LLVMValueRef v);
/* The region whose reduction the value is, and the reduction's number; or NULL. */
const struct host_region *host_reduced(const struct host_steps *s, LLVMValueRef v, int *number);
/* An integer that changes by the same in each step, at the time loop's head? */
bool host_is_counter(const struct host_steps *s, LLVMValueRef v);

#endif
