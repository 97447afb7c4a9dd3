/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP. A compiler makes a function of each parallel region, its body, and calls the runtime with
 * it: the fork. A team of one thread that runs the body makes all iterations, in the program's
 * order, and so does what any team does, if the body does not ask which thread it runs in.
 *   team.c    what a body does, and how one thread does it
 *   schedules.c iterations that are given out in parts
 *   privates.c variables that are reduced, as values
 *   reduced.c results that depend on how many threads there are
 *   everyone.c what all threads of a team come to alike
 *   shares.c  values that depend on which of a loop's iterations a thread had
 *   shared.c  variables that a body has the addresses of
 *   split.c   loops that collapse made one
 *   alone.c   a twin of a loop with forks, or of a fork, in which one thread runs the bodies
 */
#ifndef STENCILOPT_TEAM_H
#define STENCILOPT_TEAM_H

#include "prepare/shadow.h"

bool prep_is_fork(LLVMValueRef instruction);
bool prep_forks(LLVMValueRef function); /* does it have a fork? */
/* The function that the fork runs; NULL: it is not known. */
LLVMValueRef prep_fork_body(LLVMValueRef fork);
bool prep_is_body(LLVMValueRef function); /* of some fork */
/* May one thread not run the body? Then `detail` says what the region does. `f`: any function. */
bool prep_needs_team(br_function *f, LLVMValueRef body, char *detail, size_t size);

/* What a twin is of, in a function: a loop with forks, by its head; or, where that is NULL, the
 * fork of this number. */
typedef struct prep_alone {
    LLVMBasicBlockRef head;
    int fork;
} prep_alone;

/* Makes a shadow with a twin. A branch in front of both, on a call of prep_alone_mark, goes to the
 * twin first. False, without a shadow, if there cannot be one. */
bool prep_run_alone(prep_shadow *s, br_function *f, const prep_alone *of);
/* The same of a loop without forks. In the twin, nests over cells of one colour are split
 * (colours.h). A function may have one such twin. */
bool prep_run_coloured(prep_shadow *s, br_function *f, const prep_alone *of);
/* The same, but in the twin such nests go over all cells, with a condition (masks.h). */
bool prep_run_masked(prep_shadow *s, br_function *f, const prep_alone *of);
/* The same of a loop, or a fork, that runs over a part of an array: in the twin it runs from end to
 * end (spans.h). */
bool prep_run_spanned(prep_shadow *s, br_function *f, const prep_alone *of);
bool prep_twin_has_span(const prep_shadow *s);
/* As prep_run_alone, of a loop with forks: nests over cells of one colour are split if they can be.
 */
bool prep_run_teams(prep_shadow *s, br_function *f, const prep_alone *of);
/* The same, where nests that are tiled by hand have one tile in the twin (tiles.h). */
bool prep_run_tiled(prep_shadow *s, br_function *f, const prep_alone *of);
/* The function that the branches' conditions call; NULL: the module has none. */
LLVMValueRef prep_alone_mark(LLVMModuleRef m);
/* Another call of it. For LLVM it is bound to its place, and changes no variables. */
LLVMValueRef prep_make_mark(LLVMBuilderRef b, LLVMModuleRef m);

/* Between the files. */
enum { TEAM_MAX_SHARED = 64 };

/* A variable of the function, and the twin's own. */
typedef struct team_shared {
    LLVMValueRef variable, own, filled; /* filled: what copies the variable's value; or NULL */
    bool holds;                         /* addresses of others */
} team_shared;

typedef struct team_twin {
    LLVMValueRef function;
    LLVMBasicBlockRef in; /* leads to the twin */
    LLVMBasicBlockRef *unit, *block, out[16];
    size_t count, nouts;
    team_shared shared[TEAM_MAX_SHARED];
    size_t nshared;
} team_twin;

/* Replaces a call of OpenMP's runtime by what it does for a team of one thread. Leaves other
 * instructions. */
void team_run_call(LLVMValueRef call);
/* Are there loops whose iterations threads get in parts? */
bool team_has_schedules(LLVMValueRef body);
/* Gives each thread one part of each loop in the function, which is a copy. False: that cannot be
 * done for all of them. */
bool team_make_static(br_function *f, LLVMValueRef function);
/* Are there variables to be reduced that loops keep in memory? */
bool team_has_privates(br_function *f, LLVMValueRef body);
/* Makes values of them in the function, which is a copy. */
void team_take_privates(br_function *f, LLVMValueRef function);
/* Is it a reduction, or a critical section, whose result depends on the number of threads? */
bool team_reduces_otherwise(br_function *f, LLVMValueRef body, LLVMValueRef call);
bool team_locks_otherwise(br_function *f, LLVMValueRef body, LLVMValueRef call);
/* Is the value combined with the program's in a critical section, and is `user` a part of that? */
bool team_is_combined(br_function *f, LLVMValueRef body, LLVMValueRef value, LLVMValueRef user);
/* Does each thread of a team come to the body's block equally often? */
bool team_all_come(br_function *f, LLVMValueRef body, LLVMBasicBlockRef block);
/* Does it use, behind a loop that `init` shares out, what a thread's share left with the thread? */
bool team_keeps_shares(br_function *f, LLVMValueRef body, LLVMValueRef init);
/* Puts the code of the body in place of the fork. False if that is impossible. */
bool team_run_fork(br_function *f, LLVMValueRef fork);
/* Gives the twin variables of its own for those that no one else can access meanwhile. False: it
 * cannot have them. */
bool team_share(team_twin *t);
/* Call it once bodies are in place. Copies what the twin changed back to the variables. */
void team_unshare(team_twin *t);

#endif
