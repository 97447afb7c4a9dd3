/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans a time step. A single sweep may be blocked in time by itself (lib/plan/plan.c). Of several
 * sweeps each has a cell kernel. Together they may have kernels of whole steps (steps.c), or of
 * parts of a step (step_parts.c).
 */
#include "plan/time/step.h"

#include "model/ghosts.h"
#include "plan/parameters.h"
#include "plan/time/fields.h"
#include "plan/time/resident.h"
#include "plan/time/step_parts.h"
#include "plan/time/steps.h"

#include <stdlib.h>
#include <string.h>

void plan_prefix(const st_step *step, size_t sweep, char *prefix, size_t size) {
    if (step->single)
        snprintf(prefix, size, "stencil");
    else
        snprintf(prefix, size, "stencil_sweep%zu", sweep + 1);
}

const char *plan_step_why_not_bricks(const st_step *step) {
    return step->nnests > 1 ? "a time step has several sweeps"
                            : plan_why_not_bricks(step->nests[0]);
}

bool plan_step_has_bricks(const st_step *step, const plan_wish *wish) {
    return wish->bricks.wanted && !plan_step_why_not_bricks(step);
}

static void plan_sweeps(plan_of_step *p, const st_step *step, const plan_wish *wish, bool bricks,
                        const char *arch) {
    for (size_t i = 0; i < step->nnests; i++) {
        char prefix[48];
        plan_prefix(step, i, prefix, sizeof prefix);
        p->sweeps[i] = plan_cell(step->nests[i], wish, bricks, arch, prefix);
    }
}

/* Does a sweep add up floats of this type in the program's order? */
static bool adds_in_order(const st_step *step, st_type type) {
    bool any = false;
    for (size_t i = 0; i < step->nnests; i++) {
        const st_stencil *s = step->nests[i];
        for (size_t k = 0; k < s->nreductions; k++)
            any |= s->reductions[k].op == ST_REDUCE_ORDERED &&
                   s->nodes[s->reductions[k].root].type == type;
    }
    return any;
}

static void plan_adding(plan_of_step *p, const st_step *step) {
    static const st_type types[] = {ST_F32, ST_F64};
    p->adding = calloc(2, sizeof *p->adding);
    for (int i = 0; i < 2; i++) {
        if (!adds_in_order(step, types[i]))
            continue;
        st_kernel *k = &p->adding[p->nadding++];
        *k = (st_kernel){
            .kind = ST_ADDING, .bt = 1, .block = {128, 1, 1}, .cells = (int)st_type_size(types[i])};
        snprintf(k->name, sizeof k->name, "stencil_adding_%s", st_type_name(types[i]));
        plan_list_adding_parameters(k);
    }
}

/* In parts, where that is asked for, or the step is too large for a kernel. */
static void try_parts(plan_of_step *p, const st_step *step, const plan_wish *wish,
                      const char *arch) {
    bool large = p->whole.count == 0 && !wish->bt;
    if ((!large && !wish->group) || st_step_why_not_whole(plan_whole_step(p, step)))
        return;
    const char *ignored;
    const char **why = wish->group && p->whole.count == 0 ? &p->why_not_whole : &ignored;
    plan_parts *cut = malloc(sizeof *cut);
    if (plan_cut(plan_whole_step(p, step), wish, arch, "stencil", cut, why)) {
        plan_free(&p->whole);
        p->whole = cut->plan;
        p->parts = calloc(PLAN_MAX_KERNELS, sizeof(st_step *));
        memcpy(p->parts, cut->parts, sizeof cut->parts);
    }
    free(cut);
}

static void plan_whole(plan_of_step *p, const st_step *step, const plan_wish *wish,
                       const char *arch) {
    p->round = step->ghosts.copies ? st_step_without_ghosts(step) : NULL;
    p->whole = plan_steps(plan_whole_step(p, step), wish, arch, "stencil", &p->why_not_whole);
    try_parts(p, step, wish, arch);
}

/* Is the sweep, one of a step, as one that is blocked by itself: does it write all its cells in
 * each step, and is there memory for all that it reads? */
static bool is_sure(const st_stencil *s) {
    bool sure = !s->masked && !s->stores_nothing && !s->flat && !s->every;
    for (size_t i = 0; i < s->ngrids; i++)
        sure = sure && !s->grids[i].along && !s->grids[i].before;
    for (size_t i = 0; i < s->naccesses; i++)
        sure = sure && !s->accesses[i].unsure;
    return sure;
}

/* Kernels that keep the grid on chip, where a step is one sweep, or two as one. Each step of theirs
 * reduces only if that decides about the next step: the sweeps' own kernels make the last step. */
static void add_resident(plan_of_step *p, const st_step *step, const plan_wish *wish,
                         const char *arch) {
    if (step->once || !wish->on_chip || step->nnests > 2)
        return;
    p->joined = step->nnests == 2 && p->whole.count > 0 ? st_step_joined(step) : NULL;
    const st_stencil *s = plan_on_chip_sweep(p, step);
    if ((step->nnests == 2 && !p->joined) || !is_sure(s) || plan_why_not_blocked(s))
        return;
    p->chip = calloc(1, sizeof *p->chip);
    resident_choose(p->chip, s, cost_find_gpu(arch), wish, "stencil",
                    step->decides && s->nreductions > 0);
    for (int i = 0; i < p->chip->count; i++)
        plan_list_parameters(&p->chip->kernels[i], s, false);
}

/* Otherwise kernels that keep all arrays of whole steps on chip. */
static void add_fields(plan_of_step *p, const st_step *step, const plan_wish *wish,
                       const char *arch) {
    const st_step *whole = plan_whole_step(p, step);
    if (!step->once && !step->unknown && wish->on_chip && plan_on_chip_count(p) == 0 && !p->parts &&
        !st_step_why_not_whole(whole))
        fields_choose(&p->whole, whole, cost_find_gpu(arch), wish, "stencil");
}

const st_stencil *plan_on_chip_sweep(const plan_of_step *p, const st_step *step) {
    return p->joined ? p->joined : step->nests[0];
}

int plan_on_chip_count(const plan_of_step *p) {
    return p->chip ? p->chip->count : 0;
}

__attribute__((noinline)) /* a stack frame of its own */
static void
plan_all(plan_of_step *p, const st_step *step, const plan_wish *wish, const char *arch) {
    if (step->single) {
        p->sweeps[0] = plan_choose(step->nests[0], wish, arch, "stencil");
        return;
    }
    bool bricks = plan_step_has_bricks(step, wish);
    plan_sweeps(p, step, wish, bricks, arch);
    plan_adding(p, step);
    if (bricks)
        p->why_not_whole = "arrays lie in bricks";
    else if (step->once)
        p->why_not_whole = "there is but one step, for no loop around the sweeps runs with them";
    else if (step->unknown)
        p->why_not_whole = step->unknown;
    else
        plan_whole(p, step, wish, arch);
    if (!bricks) {
        add_resident(p, step, wish, arch);
        add_fields(p, step, wish, arch);
    }
}

plan_of_step plan_step(const st_step *step, const plan_wish *wish, const char *arch) {
    plan_of_step p = {.count = step->nnests};
    p.sweeps = calloc(step->nnests + 1, sizeof *p.sweeps);
    plan_all(&p, step, wish, arch);
    return p;
}

const st_step *plan_whole_step(const plan_of_step *p, const st_step *step) {
    return p->round ? p->round : step;
}

const st_step *plan_step_of_kernel(const plan_of_step *p, const st_step *step, int kernel) {
    return p->parts ? p->parts[kernel] : plan_whole_step(p, step);
}

void plan_step_free(plan_of_step *p) {
    for (size_t i = 0; i < p->count; i++)
        plan_free(&p->sweeps[i]);
    free(p->sweeps);
    plan_free(&p->whole);
    if (p->chip)
        plan_free(p->chip);
    free(p->chip);
    st_destroy(p->joined);
    for (size_t i = 0; i < p->nadding; i++)
        free(p->adding[i].parameters);
    free(p->adding);
    for (int i = 0; i < PLAN_MAX_KERNELS && p->parts; i++)
        st_step_destroy(p->parts[i]);
    free(p->parts);
    st_step_destroy(p->round);
    *p = (plan_of_step){.count = 0};
}

void plan_step_print(const plan_of_step *p, FILE *out) {
    for (size_t i = 0; i < p->count; i++)
        plan_print(&p->sweeps[i], out);
    plan_print(&p->whole, out);
    bool blocked = p->whole.count > 0 && p->whole.kernels[0].kind == ST_STEPS;
    if (!blocked && p->why_not_whole)
        fprintf(out, "no kernel makes whole steps: %s\n", p->why_not_whole);
    if (p->chip)
        plan_print(p->chip, out);
}
