/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes the plan of a time step by the options.
 */
#include "offload/images.h"
#include "passes.h"

#include <stdio.h>
#include <stdlib.h>

/* Is it a loop of one iteration that was put around sweeps? See sequence.c. */
bool pass_is_once(br_loop l) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(br_loop_latch(l));
    return br_is_conditional(end) && LLVMIsConstant(LLVMGetCondition(end));
}

static int option_number(const opt_values *options, opt_id id) {
    return atoi(options->value[id]);
}

/* The lanes of a warp for which kernels are planned. All kernels of a program have one plan, so it
 * is the least number of the GPUs named. 0: the number of the only GPU. */
static int common_lanes(const opt_values *options) {
    const char *next = options->value[OPT_ARCH];
    char arch[64];
    int least = 0, count = 0;
    for (; opt_part(&next, arch, sizeof arch); count++)
        least = count && least < plan_lanes(arch) ? least : plan_lanes(arch);
    return count > 1 ? least : 0;
}

static plan_wish wish_of(const opt_values *options) {
    return (plan_wish){
        option_number(options, OPT_BT),          option_number(options, OPT_CELLS),
        option_number(options, OPT_ROWS),        option_number(options, OPT_PREFETCH),
        option_number(options, OPT_WARPS),       option_number(options, OPT_REGISTERS),
        option_number(options, OPT_UNROLL),      common_lanes(options),
        option_number(options, OPT_ON_CHIP) == 1};
}

static double best_rate(const st_plan *p) {
    double best = 0;
    for (int i = 0; i < p->count; i++)
        best = p->kernels[i].rate > best ? p->kernels[i].rate : best;
    return best;
}

/* Plans the step again with `ordered`: the sweep's statement with its sums ordered by the planes of
 * the stream. Keeps that plan if it is predicted to be faster. */
static void try_order(st_step *step, st_stencil *ordered, const plan_wish *wish, const char *arch,
                      plan_of_step *plan) {
    double rate = best_rate(&plan->sweeps[0]);
    st_exchange(step->nests[0], ordered);
    st_plan *other = malloc(sizeof *other);
    *other = plan_choose(step->nests[0], wish, arch, "stencil");
    bool better = best_rate(other) > rate;
    if (better) {
        plan_free(&plan->sweeps[0]);
        plan->sweeps[0] = *other;
    } else {
        plan_free(other);
        st_exchange(step->nests[0], ordered);
    }
    free(other);
}

plan_of_step pass_plan(st_step *step, const opt_values *options) {
    const char *named = options->value[OPT_ARCH];
    char arch[64];
    plan_wish wish = wish_of(options);
    st_stencil *ordered = NULL;
    opt_part(&named, arch, sizeof arch);
    const char *gpu = offload_is_named(options) ? arch : NULL;
    for (size_t i = 0; i < step->nnests; i++)
        st_divide(step->nests[i]);
    if (step->single && step->rank > 1)
        ordered = st_copy(step->nests[0]);
    bool other = ordered && st_order_planes(ordered, step->rank - 1);
    for (size_t i = 0; i < step->nnests; i++)
        st_contract(step->nests[i]);
    plan_of_step plan = plan_step(step, &wish, gpu);
    if (other) {
        st_contract(ordered);
        try_order(step, ordered, &wish, gpu, &plan);
    }
    st_destroy(ordered);
    return plan;
}
