/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes the plan of a time step by the options.
 */
#include "offload/images.h"
#include "passes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Kernels that stay on chip, by the options. What forces other kernels forces these away. */
static plan_on_chip on_chip_of(const opt_values *options, bool may_stay) {
    static const opt_id forced[] = {OPT_BT,    OPT_CELLS,     OPT_ROWS,  OPT_PREFETCH,
                                    OPT_WARPS, OPT_REGISTERS, OPT_UNROLL};
    const char *wanted = options->value[OPT_ON_CHIP];
    if (!strcmp(wanted, "1"))
        return PLAN_ALWAYS_ON_CHIP;
    bool may = may_stay && strcmp(wanted, "0");
    for (size_t i = 0; i < sizeof forced / sizeof *forced; i++)
        may = may && option_number(options, forced[i]) == 0;
    return may ? PLAN_MAYBE_ON_CHIP : PLAN_OFF_CHIP;
}

static plan_bricks bricks_of(const opt_values *options) {
    plan_bricks b = {.wanted = !strcmp(options->value[OPT_LAYOUT], "brick")};
    opt_box(options->value[OPT_BRICK], b.cells);
    opt_box(options->value[OPT_FOLD], b.fold);
    return b;
}

static plan_wish wish_of(const opt_values *options, bool may_stay, double cells) {
    return (plan_wish){option_number(options, OPT_BT),      option_number(options, OPT_CELLS),
                       option_number(options, OPT_ROWS),    option_number(options, OPT_PREFETCH),
                       option_number(options, OPT_WARPS),   option_number(options, OPT_REGISTERS),
                       option_number(options, OPT_UNROLL),  common_lanes(options),
                       on_chip_of(options, may_stay),       bricks_of(options),
                       option_number(options, OPT_SHUFFLE), cells,
                       option_number(options, OPT_GROUP)};
}

/* The rate predicted of the best kernel. */
static double best_rate(const st_plan *p) {
    double best = 0;
    for (int i = 0; i < p->count; i++)
        best = fmax(best, plan_rate(&p->kernels[i]));
    return best;
}

/* Sums that may be reordered, in other orders: what streams want, what tiles want, and such that
 * cells have parts of sums in common. */
static bool by_planes(st_stencil *s) {
    return s->rank > 1 && st_order_planes(s, s->rank - 1);
}

static bool by_shares(st_stencil *s) {
    return s->rank > 1 && st_regroup(s, s->rank - 1);
}

static bool (*const orders[])(st_stencil *) = {by_shares, by_planes, st_order_rows};
enum { ORDERS = sizeof orders / sizeof *orders };

/* How one of a step's sweeps is planned. */
typedef struct planner {
    const st_step *step;
    plan_wish wish;
    char arch[64], prefix[48];
    const char *gpu; /* arch, or NULL if none is named */
} planner;

static st_plan plan_one(const planner *p, const st_stencil *s) {
    bool bricks = plan_step_has_bricks(p->step, &p->wish);
    return p->step->single ? plan_choose(s, &p->wish, p->gpu, p->prefix)
                           : plan_cell(s, &p->wish, bricks, p->gpu, p->prefix);
}

/* Plans the sweep anew with `ordered`, the same statement with its sums in another order, and keeps
 * that if it is predicted to be faster: outside time loops by some percent, for it may take more
 * operations. */
static void try_order(const planner *p, st_stencil *sweep, st_stencil *ordered, st_plan *plan) {
    double worth = sweep->timed ? 1 : 1.03;
    st_plan *other = malloc(sizeof *other);
    *other = plan_one(p, ordered);
    bool better = best_rate(other) > worth * best_rate(plan);
    if (better)
        st_exchange(sweep, ordered);
    plan_free(better ? plan : other);
    if (better)
        *plan = *other;
    free(other);
}

/* The sweep's statement in each of the orders that there are, before it is contracted. A time loop
 * takes long to plan: there, only as streams want it. */
static void list_orders(const st_stencil *sweep, bool timed, st_stencil *ordered[ORDERS]) {
    for (int k = 0; k < ORDERS; k++) {
        ordered[k] = orders[k] == by_planes || !timed ? st_copy(sweep) : NULL;
        if (ordered[k] && orders[k](ordered[k]))
            continue;
        st_destroy(ordered[k]);
        ordered[k] = NULL;
    }
}

static void try_orders(const planner *p, st_stencil *sweep, st_stencil *ordered[ORDERS],
                       st_plan *plan) {
    for (int k = 0; k < ORDERS; k++) {
        if (!ordered[k])
            continue;
        st_contract(ordered[k]);
        try_order(p, sweep, ordered[k], plan);
        st_destroy(ordered[k]);
    }
}

/* Steps that run but once, or are a single sweep, may have other orders; the sweeps of others may
 * be made by one kernel. */
static bool may_be_ordered(const st_step *step) {
    return step->single || step->once;
}

/* With a stack frame of its own: see CMakeLists.txt. */
static __attribute__((noinline)) void try_all(planner *p, st_stencil *(*ordered)[ORDERS],
                                              st_plan *sweeps) {
    for (size_t i = 0; i < p->step->nnests; i++) {
        plan_prefix(p->step, i, p->prefix, sizeof p->prefix);
        try_orders(p, p->step->nests[i], ordered[i], &sweeps[i]);
    }
}

static planner *new_planner(const st_step *step, const opt_values *options, bool may_stay,
                            double cells) {
    const char *named = options->value[OPT_ARCH];
    planner *p = calloc(1, sizeof *p);
    p->step = step;
    p->wish = wish_of(options, may_stay, cells);
    opt_part(&named, p->arch, sizeof p->arch);
    p->gpu = offload_is_named(options) ? p->arch : NULL;
    return p;
}

plan_of_step pass_plan(st_step *step, const opt_values *options, bool may_stay, double cells) {
    planner *p = new_planner(step, options, may_stay, cells);
    st_stencil *(*ordered)[ORDERS] = calloc(step->nnests + 1, sizeof *ordered);
    for (size_t i = 0; i < step->nnests; i++) {
        st_divide(step->nests[i]);
        if (may_be_ordered(step))
            list_orders(step->nests[i], step->nests[i]->timed && !step->once, ordered[i]);
        st_contract(step->nests[i]);
    }
    plan_of_step plan = plan_step(step, &p->wish, p->gpu);
    try_all(p, ordered, plan.sweeps);
    free(ordered);
    free(p);
    return plan;
}
