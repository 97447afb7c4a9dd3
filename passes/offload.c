/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencil-offload. What it does: it takes a nest of loops that updates each cell of a grid from its
 * neighbours, with the time loop around it, and makes it run on a GPU if the program finds one.
 * When it is legal: lib/detect says so, or gives the reason. When it pays: the runtime decides,
 * when sizes are known. The original loops stay in the program, and run whenever the runtime
 * declines.
 *
 * A function is handled in these steps: prepare the function, find its candidates, and for each
 * candidate prepare, detect, plan, generate, replace, remark (candidate.c, replace.c, told.c).
 */
#include "offload/enter.h"
#include "offloading.h"
#include "prepare/radii.h"
#include "prepare/team.h"
#include "prepare/unroll.h"
#include "prepare/whole.h"
#include "remark.h"
#include "target/host.h"

#include <stdio.h>
#include <stdlib.h>

const char *pass_offload_check(const char *parameters) {
    static _Thread_local char error[1024];
    return opt_check(parameters, error, sizeof error) ? NULL : error;
}

/* Candidates */

/* Is the nest in the loop that may be its time loop? */
static bool is_inside(const offload *o, br_loop innermost) {
    br_loop nest = host_nest_around(o->f, innermost);
    return nest && br_loop_parent(nest);
}

/* Does the loop contain an offloaded region? Then its other assignments are arguments of the
 * runtime's call, not sweeps. */
static bool holds_done(br_loop l) {
    br_loop inner[16];
    size_t count = br_loop_children(l, inner, 16);
    bool done = false;
    for (size_t i = 0; i < count && i < 16 && !done; i++)
        done = offload_done(inner[i]) || holds_done(inner[i]);
    return done;
}

/* Offloads the next nest, from number `*next` on. False when no further nest changed the function.
 */
static bool offload_next(offload *o, size_t *next) {
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool changed = false;
    count = host_candidates(o->f, loops, count);
    for (; *next < count && !changed; ++*next) {
        if (offload_done(loops[*next]) || holds_done(loops[*next]) ||
            (o->whole_only && !is_inside(o, loops[*next])) || team_has_forks(o, loops[*next]) ||
            pieces_stays(loops[*next]))
            continue;
        changed = candidate_offload(o, loops[*next]);
    }
    free(loops);
    return changed;
}

/* Offloads all nests, from the first one on. */
static bool offload_nests(offload *o) {
    bool changed = false;
    size_t next = 0;
    while (offload_next(o, &next)) {
        changed = true;
        seen_forget(o);
        br_function_invalidate(o->f);
    }
    seen_forget(o);
    return changed;
}

/* Functions */

static size_t count_sweeps(br_function *f, LLVMValueRef function, bool math) {
    size_t count = br_loops(f, NULL, 0), found = 0;
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    count = host_candidates(f, loops, count);
    for (size_t i = 0; i < count; i++) {
        host_region *r = host_detect(f, function, loops[i], math);
        found += r->stencil != NULL;
        host_region_destroy(r);
    }
    free(loops);
    return found;
}

/* If the shadow has more sweeps, the function gets its body. */
static bool adopt_if_more(offload *o, prep_shadow *shadow) {
    bool more = count_sweeps(shadow->f, shadow->function, o->math) >
                count_sweeps(o->f, o->function, o->math);
    if (more)
        prep_adopt_shadow(shadow, o->f);
    o->touched |= more;
    prep_drop_shadow(shadow);
    return more;
}

/* Unrolls loops over neighbours in a shadow. */
static void unroll_taps(offload *o) {
    prep_shadow shadow;
    if (prep_unroll_taps(&shadow, o->f, o->function))
        adopt_if_more(o, &shadow);
}

/* Makes versions of loop nests for usual radii, if that for the first one is a sweep. */
static void fix_radii(offload *o) {
    enum { MAX_NESTS = 4 };
    prep_shadow shadow;
    prep_radius r;
    for (int n = 0; n < MAX_NESTS && prep_find_radius(&r, o->f, o->function, n); n++) {
        bool any = false;
        for (int i = 0; i < r.nvalues && (any || i == 0); i++) {
            if (!prep_fix_radius(&shadow, o->f, n, r.values[i]) || !adopt_if_more(o, &shadow))
                continue;
            o->versions = any ? o->versions | 1u << r.values[i] : 1u << r.values[i];
            o->versions_of = o->function;
            any = true;
        }
    }
}

static bool offload_loops(offload *o) {
    o->nonce = o->lone.count = o->apart.count = 0;
    twins_open(o);
    o->touched |= prep_mend(o->f);
    unroll_taps(o);
    fix_radii(o);
    o->touched |= pieces_cut(o);
    o->whole_only = true;
    bool changed = offload_nests(o);
    o->whole_only = false;
    o->notes = (offload_notes){.refused = NULL};
    sequence_wrap(o);
    bool wrapped = o->nonce > 0;
    changed |= offload_nests(o);
    sequence_unwrap(o);
    team_close(o);
    if (o->touched) /* by candidates that were refused */
        br_function_invalidate(o->f);
    return changed || wrapped || o->touched;
}

/* Is it a function of this file whose loops may be changed? */
static bool is_own(LLVMValueRef function) {
    return !LLVMIsDeclaration(function) && !br_is_optnone(function) && !enter_is_own(function) &&
           !br_is_brought_in(function);
}

/* Assignments of Fortran's sections are sweeps, too. */
static bool mend_sections(LLVMValueRef function, void *analyses) {
    if (!is_own(function))
        return false;
    br_function *f = br_function_open(function, analyses);
    bool changed = prep_mend_sections(f, function);
    br_function_close(f);
    return changed;
}

/* Time loops take the sweeps that they call before these are offloaded by themselves. */
static bool inline_sweeps(offload *o, LLVMValueRef function, void *analyses) {
    if (!is_own(function) || !br_may_loop(function) || prep_is_body(function))
        return false;
    o->f = br_function_open(function, analyses);
    o->function = function;
    o->notes = (offload_notes){.refused = NULL};
    o->nonce = o->lone.count = o->apart.count = 0;
    bool parted = false;
    while (prep_part_frames(o->f))
        parted = true;
    bool changed = pieces_inline(o) || parted;
    seen_forget(o);
    if (changed)
        br_function_invalidate(o->f);
    br_function_close(o->f);
    return changed;
}

static bool offload_function(offload *o, LLVMValueRef function, void *analyses) {
    if (!is_own(function))
        return false;
    o->f = br_function_open(function, analyses);
    o->function = function;
    o->notes = (offload_notes){.refused = NULL};
    o->touched = false;
    bool changed = false;
    if (prep_is_body(function))
        twins_tell_body(o);
    else if (br_may_loop(function) || prep_forks(function)) {
        changed = br_function_clean(o->f);
        changed |= offload_loops(o);
    }
    changed |= br_function_split(o->f);
    br_function_close(o->f);
    return changed;
}

/* Modules */

/* Sends the remark at the module's first loop. There may be no loop. */
static void remark_no_runtime(LLVMModuleRef m, void *analyses) {
    char detail[256];
    pass_remark out = {0};
    const char *triple = LLVMGetTarget(m);
    bool told = tg_is_device(m);
    snprintf(detail, sizeof detail, *triple ? "'%s'" : "a target that is not named", triple);
    remark_text(&out, "no loop of this module is offloaded: ");
    remark_reason(&out, ST_NO_RUNTIME, detail);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f && !told; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !br_may_loop(f))
            continue;
        br_function *open = br_function_open(f, analyses);
        br_loop first;
        told = br_loops(open, &first, 1) > 0;
        if (told)
            remark_send(&out, open, first, BR_MISSED, st_reason_name(ST_NO_RUNTIME), ST_NO_RUNTIME);
        br_function_close(open);
    }
}

static bool offload_all(offload *o, void *analyses) {
    bool changed = false;
    o->math = *o->options.value[OPT_DEVICE_MATH] == '1';
    o->made = offload_code_create();
    o->count_sweeps = count_sweeps;
    bool assigns = LLVMGetNamedFunction(o->m, "_FortranAAssign") != NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(o->m); f && assigns; f = LLVMGetNextFunction(f))
        changed |= mend_sections(f, analyses);
    for (LLVMValueRef f = LLVMGetFirstFunction(o->m); f; f = LLVMGetNextFunction(f))
        changed |= inline_sweeps(o, f, analyses);
    /* First functions whose forks enter the bodies of parallel regions. */
    for (int forks = 1; forks >= 0; forks--)
        for (LLVMValueRef f = LLVMGetFirstFunction(o->m); f; f = LLVMGetNextFunction(f))
            if (prep_forks(f) == forks)
                changed |= offload_function(o, f, analyses);
    for (size_t i = 0; i < o->nalone; i++)
        pass_remark_calls(o->alone[i], analyses);
    offload_code_destroy(o->made);
    free(o->alone);
    free(o->chosen);
    return changed;
}

bool pass_offload_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    char error[1024];
    /* Device modules of CUDA, HIP and OpenMP pass through the same pipeline. */
    if (!tg_has_runtime(m)) {
        remark_no_runtime(m, analyses);
        return false;
    }
    offload *o = calloc(1, sizeof *o);
    bool changed = false;
    o->m = m;
    if (opt_read(parameters, &o->options, error, sizeof error) &&
        profile_open(o, error, sizeof error))
        changed = offload_all(o, analyses);
    else
        br_error(LLVMGetModuleContext(m), error);
    profile_release(&o->tuned);
    free(o->sent.number);
    free(o);
    return changed;
}
