/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans a time step. A single sweep may be blocked in time by itself (lib/plan/plan.c). Of several
 * sweeps each has a cell kernel. Together they may have kernels of whole steps (steps.c).
 */
#include "plan/time/step.h"

#include "plan/time/steps.h"

#include <stdlib.h>

static void plan_sweeps(plan_of_step *p, const st_step *step, const char *arch) {
    for (size_t i = 0; i < step->nnests; i++) {
        char prefix[48];
        snprintf(prefix, sizeof prefix, "stencil_sweep%zu", i + 1);
        p->sweeps[i] = plan_cell(step->nests[i], arch, prefix);
    }
}

plan_of_step plan_step(const st_step *step, const plan_wish *wish, const char *arch) {
    plan_of_step p = {.count = step->nnests};
    p.sweeps = calloc(step->nnests + 1, sizeof *p.sweeps);
    if (step->single) {
        p.sweeps[0] = plan_choose(step->nests[0], wish, arch, "stencil");
        return p;
    }
    plan_sweeps(&p, step, arch);
    if (step->once)
        p.why_not_whole = "there is but one step";
    else if (step->unknown)
        p.why_not_whole = step->unknown;
    else
        p.whole = plan_steps(step, wish, arch, "stencil", &p.why_not_whole);
    return p;
}

void plan_step_free(plan_of_step *p) {
    for (size_t i = 0; i < p->count; i++)
        plan_free(&p->sweeps[i]);
    free(p->sweeps);
    plan_free(&p->whole);
    *p = (plan_of_step){.count = 0};
}

void plan_step_print(const plan_of_step *p, FILE *out) {
    for (size_t i = 0; i < p->count; i++)
        plan_print(&p->sweeps[i], out);
    plan_print(&p->whole, out);
    if (p->whole.count == 0 && p->why_not_whole)
        fprintf(out, "no kernel makes whole steps: %s\n", p->why_not_whole);
}
