/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The messages of stencil-offload: remarks at regions that were offloaded, and at nests that were
 * not.
 */
#include "bridge/loop_places.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "offloading.h"
#include "prepare/radii.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes the reason of a time loop from the notes. It cannot be found again once the loop's first
 * sweep is rewritten. */
static void recall_time_loop(offload_notes *n, const host_region *r) {
    LLVMBasicBlockRef time = br_loop_header(br_loop_parent(r->outer));
    if (n->without == time)
        return;
    n->without = time;
    st_refuse(&n->without_why, r->time_reason, r->time_detail);
}

/* Was the loop cut, or one around it? */
static bool is_cut(const offload *o, br_loop l) {
    bool is = false;
    for (; l && !is; l = br_loop_parent(l))
        is = host_lists_block(o->cut, (size_t)o->ncut, br_loop_header(l));
    return is;
}

/* Why sweeps are offloaded without the loop around them. */
static void remark_around(const offload *o, pass_remark *out, br_loop around, bool one,
                          const st_refusal *why) {
    remark_text(out, "%s offloaded without the loop around %s",
                one ? "the sweep is" : "the sweeps are", one ? "it" : "them");
    if (is_cut(o, around)) {
        remark_text(out,
                    " in steps that do more than others, as those with an output; the others run "
                    "on the GPU together");
        return;
    }
    remark_text(out, ", so arrays may be copied in each iteration of the outer loop: ");
    remark_reason(out, why->reason, why->detail);
}

static void remark_time_loop(offload *o, const host_region *r) {
    pass_remark out = {0};
    recall_time_loop(&o->notes, r);
    remark_around(o, &out, br_loop_parent(r->outer), true, &o->notes.without_why);
    remark_send(&out, r->f, r->loops[0], BR_MISSED, "TimeLoop", o->notes.without_why.reason);
}

/* Text for the plan's remark if the plan could not follow the user's options. */
static const char *unmet(const opt_values *options, const st_plan *p) {
    bool blocked = p->count > 1;
    const st_kernel *k = &p->kernels[blocked];
    int got[] = {k->bt, k->cells, k->rows, k->warps, k->depth};
    static const opt_id ids[] = {OPT_BT, OPT_CELLS, OPT_ROWS, OPT_WARPS, OPT_PREFETCH};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        int asked = atoi(options->value[ids[i]]);
        if (asked && !(ids[i] == OPT_BT && asked == 1) && (!blocked || got[i] != asked))
            return "; a plan as the options want it does not fit";
    }
    return "";
}

/* Of a grid whose middle is unknown, half of what is read. */
static int radius_of(const host_region *r) {
    const st_stencil *s = r->stencil;
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK], radius = 0;
    for (size_t g = 0; g < s->ngrids; g++) {
        st_halo(s, (int32_t)g, low, high);
        for (int d = 0; d < s->rank && !(s->grids[g].broadcast & 1); d++) {
            int32_t most = -low[d] > high[d] ? -low[d] : high[d];
            most = r->grids[g].loose ? (high[d] - low[d] + 1) / 2 : most;
            radius = most > radius ? most : radius;
        }
    }
    return radius;
}

static void remark_taken(const host_region *r) {
    const st_stencil *s = r->stencil;
    pass_remark out = {0};
    remark_value(&out, "Dimensions", "%d", s->rank);
    remark_text(&out, "-D stencil of radius ");
    remark_value(&out, "Radius", "%d", radius_of(r));
    remark_text(&out, ", ");
    remark_value(&out, "CellsRead", "%zu", s->naccesses);
    remark_text(&out, " cells read, ");
    remark_value(&out, "ElementType", "%s", st_type_name(s->grids[s->store_grid].type));
    remark_text(&out, ", runs on a GPU where there is one: ");
    remark_value(&out, "What", "%s",
                 !s->timed                                 ? "one sweep a call"
                 : r->copies_back && pass_is_once(r->time) ? "one sweep, and the copy after it"
                 : r->copies_back ? "the whole time loop, the copy after each sweep included"
                 : r->sweeps == 1 ? "the whole time loop"
                 : pass_is_once(r->time)
                     ? "two sweeps, one after the other, being two time steps"
                     : "the whole time loop, its two sweeps being two time steps");
    remark_send(&out, r->f, r->loops[0], BR_PASSED, "Offloaded", ST_OK);
}

static void remark_unblocked(pass_remark *out, const st_kernel *k, const char *why) {
    remark_text(out, "plan: one kernel a time step, block ");
    remark_value(out, "Block", "%dx%dx%d", k->block[0], k->block[1], k->block[2]);
    remark_text(out, "%s", k->shuffles ? ", neighbours by shuffles" : "");
    if (k->brick[0]) {
        remark_text(out, ", arrays in bricks of ");
        remark_value(out, "Brick", "%dx%dx%d", k->brick[0], k->brick[1], k->brick[2]);
    } else if (why) {
        remark_text(out, "; time steps are not blocked: ");
        remark_value(out, "NotBlocked", "%s", why);
    }
}

static void remark_blocked(pass_remark *out, const st_kernel *k) {
    bool strip = k->kind == ST_STRIP || (k->kind == ST_STEPS && k->tile[1] == 1);
    remark_text(out, "plan: ");
    if (k->parts > 0) {
        remark_text(out, "each step by ");
        remark_value(out, "Parts", "%d", k->parts);
        remark_text(out, " kernel%s; the first one", k->parts > 1 ? "s" : "");
    } else {
        remark_text(out, "bT ");
        remark_value(out, "bT", "%d", k->bt);
        remark_text(out, "%s", k->kind == ST_STEPS ? " whole steps" : "");
    }
    remark_text(out, k->parts > 0 ? ": tile " : ", tile ");
    if (strip)
        remark_value(out, "Tile", "%d", k->tile[0]);
    else
        remark_value(out, "Tile", "%dx%d", k->tile[0], k->tile[1]);
    remark_text(out, ", ");
    remark_value(out, "Warps", "%d", k->warps);
    remark_text(out, " warps, ");
    remark_value(out, "CellsPerLane", "%d", k->cells);
    remark_text(out, " cells ");
    if (!strip) {
        remark_text(out, "of ");
        remark_value(out, "RowsPerLane", "%d", k->rows);
        remark_text(out, " rows ");
    }
    remark_text(out, "a lane; predicted ");
    remark_value(out, "PredictedRate", "%.0f", 1e-9 * k->rate);
    remark_text(out, " GCells/s, bound by ");
    remark_value(out, "Limit", "%s", k->bound);
}

/* Why arrays lie in rows although the user wants bricks. */
static void remark_rows(pass_remark *out, const opt_values *options, const char *why) {
    if (strcmp(options->value[OPT_LAYOUT], "brick") != 0 || !why)
        return;
    remark_text(out, "; arrays do not lie in bricks: ");
    remark_value(out, "NotBricks", "%s", why);
}

static void remark_nest(const offload *o, const host_region *r) {
    const st_stencil *s = r->stencil;
    const st_plan *p = &o->region.plan.sweeps[0];
    pass_remark out = {0};
    remark_taken(r);
    const char *why = plan_why_not_blocked(s), *but = s->timed && !why ? unmet(&o->wanted, p) : "";
    const st_kernel *k = &p->kernels[p->count > 1];
    if (p->count == 1)
        remark_unblocked(&out, k, why);
    else
        remark_blocked(&out, k);
    remark_text(&out, "%s%s", but, o->advice);
    remark_rows(&out, &o->wanted, plan_why_not_bricks(s));
    if (k->takes)
        remark_hidden(&out, "Registers", "%d", k->takes);
    remark_send(&out, r->f, r->loops[0], BR_ANALYSIS, "Plan", ST_OK);
}

static void remark_form(pass_remark *what, const host_steps *s) {
    remark_value(what, "Dimensions", "%d", s->rank - (int)s->apart);
    remark_text(what, "-D ");
    if (pass_is_once(s->time) && s->count == 1) {
        const st_stencil *sweep = s->sweeps[0]->stencil;
        remark_value(what, "What", "%s", "sweep");
        if (sweep->stores_nothing) {
            remark_text(what, " for ");
            remark_value(what, "Values", "%zu", sweep->nreductions);
            remark_text(what, " value%s of all cells runs on a GPU where there is one, ",
                        sweep->nreductions > 1 ? "s" : "");
            return;
        }
        remark_text(what, " of ");
        remark_value(what, "Outputs", "%zu", sweep->nalso + 1);
        remark_text(what, " output%s runs on a GPU where there is one, ",
                    sweep->nalso > 0 ? "s" : "");
    } else {
        remark_value(what, "What", "%s", pass_is_once(s->time) ? "sequence" : "time loop");
        remark_text(what, " of ");
        remark_value(what, "Sweeps", "%d", s->count);
        remark_text(what, " sweep%s%s runs on a GPU where there is one, ", s->count > 1 ? "s" : "",
                    s->stops ? ", which ends by what each step computes," : "");
    }
}

/* For a sequence: remarks at the sweeps that the first sweep's remark stands for. LLVM may have
 * made a call that copies or fills memory of a loop. */
static void remark_members(const host_steps *s) {
    for (int i = 1; i < s->count && pass_is_once(s->time); i++) {
        const host_region *r = s->sweeps[i];
        pass_remark out = {0};
        if (r->axes > 0) {
            remark_value(&out, "Dimensions", "%d", r->axes);
            remark_text(&out, "-D sweep runs in the sequence of ");
        } else if (r->copies) {
            remark_text(&out, "the elements that it copies or sets run in the sequence of ");
        } else {
            continue;
        }
        remark_value(&out, "Sequence", "%s", s->where);
        if (r->axes > 0)
            remark_send(&out, s->f, r->loops[r->own - 1], BR_ANALYSIS, "Sweep", ST_OK);
        else
            remark_send_at(&out, s->f, r->store, BR_ANALYSIS, "Sweep");
    }
}

/* Do some kernels keep small grids on chip for all steps? */
static bool stays_on_chip(const st_plan *p) {
    return p->count > 0 && p->kernels[p->count - 1].kind == ST_RESIDENT;
}

/* Sends the remarks of a step of several sweeps. `nest` could not be a time loop of one sweep,
 * which would have been blocked. */
static void remark_steps(const offload *o, const host_region *nest) {
    const host_steps *s = o->region.sweeps[0]->steps;
    const st_plan *whole = &o->region.plan.whole;
    bool blocked = whole->count > 0 && whole->kernels[0].kind == ST_STEPS;
    pass_remark what = {0}, plan = {0};
    remark_form(&what, s);
    if (blocked && whole->kernels[0].parts > 0) {
        remark_value(&what, "Parts", "%d", whole->count);
        remark_text(&what, " kernel%s for its sweeps", whole->count > 1 ? "s" : "");
    } else if (blocked) {
        remark_text(&what, "bT ");
        remark_value(&what, "bT", "%d", whole->kernels[0].bt);
        remark_text(&what, " whole steps of %zu array%s", o->region.step->narrays,
                    o->region.step->narrays == 1 ? "" : "s");
    } else {
        remark_text(&what, "a kernel a sweep");
    }
    remark_hidden(&what, "Stops", "%s", s->stops ? "true" : "false");
    remark_send(&what, s->f, s->time, BR_PASSED, "Offloaded", ST_OK);
    bool pair = nest->time_reason == ST_NO_TWO_SWEEPS || nest->time_reason == ST_NO_COPY_BACK;
    if (blocked) {
        remark_blocked(&plan, &whole->kernels[0]);
    } else {
        remark_text(&plan, "plan: one kernel a sweep and time step; whole steps are not blocked: ");
        remark_value(&plan, "NotWhole", "%s", o->region.plan.why_not_whole);
    }
    remark_text(&plan, "%s", stays_on_chip(whole) ? "; small grids stay on chip" : "");
    remark_text(&plan, "%s", o->advice);
    remark_rows(&plan, &o->wanted, plan_step_why_not_bricks(o->region.step));
    if (pair) {
        remark_text(&plan, "; not blocked as one sweep of a step: ");
        remark_reason(&plan, nest->time_reason, nest->time_detail);
    }
    remark_send(&plan, s->f, s->time, BR_ANALYSIS, "Plan", pair ? nest->time_reason : ST_OK);
    remark_members(s);
}

/* Does this reason leave open why the nest cannot be a step of several outputs or reductions? */
static bool is_open(st_reason reason) {
    return reason == ST_NO_SEVERAL_STORES || reason == ST_NO_NO_STORE;
}

/* Sends the remark that the sweeps are offloaded one step at a time, because the loop around them
 * is no time loop. Where it is left open why, a call in that loop is the cause. */
static void remark_apart(const offload *o, const host_steps *s) {
    pass_remark out = {0};
    br_loop around = br_loop_parent(s->time);
    const st_refusal *known = pass_is_once(s->time) ? sequence_apart(o, around) : NULL;
    if (!known || known->reason == ST_OK)
        return;
    st_refusal why = *known;
    if (is_open(why.reason) && around)
        host_name_call(s->sweeps[0], around, &why);
    remark_around(o, &out, around, s->count == 1, &why);
    remark_send(&out, s->f, s->time, BR_MISSED, "TimeLoop", why.reason);
}

void told_done(offload *o, const host_region *nest) {
    const host_region *r = o->region.sweeps[0];
    if (r->steps) {
        remark_apart(o, r->steps);
        remark_steps(o, nest);
        return;
    }
    if (r->time_reason != ST_OK)
        remark_time_loop(o, r);
    remark_nest(o, r);
}

/* Is the reason of the time loop that the nest is no sweep, for this reason? */
static bool is_same_cause(const host_region *nest, const st_refusal *why) {
    const char *sentence = st_reason_sentence(why->reason), *gap = strstr(sentence, "%s");
    char begin[2 * ST_DETAIL];
    snprintf(begin, sizeof begin, ": %.*s%s", (int)(gap ? gap - sentence : 100), sentence,
             gap ? why->detail : "");
    return strstr(nest->time_detail, begin) != NULL;
}

/* Sends a remark at the time loop, if no nest in it had a remark about the time loop, and the
 * remark of the nest, for `why`, does not tell the cause. */
static void remark_refused(offload *o, const host_region *nest, br_loop l, const st_refusal *why) {
    pass_remark out = {0};
    br_loop time = nest->time_reason == ST_NO_SWEEPS ? host_time_loop(nest->f, l) : NULL;
    if (!time || o->notes.told == br_loop_header(time))
        return;
    o->notes.told = br_loop_header(time);
    if (is_same_cause(nest, why))
        return;
    remark_text(&out, "time loop not offloaded: ");
    remark_reason(&out, nest->time_reason, nest->time_detail);
    remark_send_once(&out, &o->sent, nest->f, time, "TimeLoop", nest->time_reason);
}

/* Calls make ways of their own through a nest, and may change bounds. Where one calls what is not
 * known, that is the cause. */
static void tell_call(host_region *nest, br_loop l, st_refusal *why) {
    if (why->reason == ST_NO_SEVERAL_STORES || why->reason == ST_NO_EARLY_EXIT ||
        why->reason == ST_NO_CONTROL_FLOW || why->reason == ST_NO_NO_TRIP_COUNT)
        host_name_call(nest, l, why);
}

/* The reason to show for a nest that was also tried as a step. */
static st_refusal why_missed(const offload *o, host_region *nest, br_loop l) {
    br_loop outer = host_nest_around(nest->f, l);
    LLVMBasicBlockRef head = br_loop_header(outer ? outer : l);
    st_refusal why = nest->why;
    const char *made = br_loop_optimised(outer ? outer : l);
    if (made) {
        st_refuse(&why, ST_NO_OPTIMISED_BEFORE, made);
        return why;
    }
    for (int i = 0; i < o->lone.count; i++) {
        const st_refusal *lone = &o->lone.why[i];
        if (o->lone.head[i] != head)
            continue;
        if (lone->reason != ST_OK)
            why = *lone;
        else if (is_open(why.reason))
            st_refuse(&why, nest->reason, lone->detail);
        break;
    }
    tell_call(nest, outer ? outer : l, &why);
    return why;
}

/* Counters */

/* The option for which the compiler counts in this variable; NULL: the variable is no counter. */
static const char *counted_in(LLVMValueRef variable) {
    static const char *const known[][2] = {{"__profc_", "-fprofile-instr-generate"},
                                           {"__llvm_gcov_ctr", "--coverage"}};
    size_t length;
    while (LLVMIsAConstantExpr(variable))
        variable = LLVMGetOperand(variable, 0);
    const char *name = LLVMIsAGlobalVariable(variable) ? LLVMGetValueName2(variable, &length) : "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(name, known[i][0], strlen(known[i][0])))
            return known[i][1];
    return NULL;
}

/* The compiler's counters that the loop steps. */
static const char *counts(br_loop l) {
    LLVMBasicBlockRef b;
    const char *what = NULL;
    for (size_t k = 0; (b = br_loop_block(l, k)) && !what; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !what; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i))
                what = counted_in(host_base_of(LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0)));
    return what;
}

/* One remark a function, as all its loops have counters. */
static bool remark_counters(offload *o, const host_region *nest, br_loop l) {
    pass_remark out = {0};
    const char *what = counts(l);
    if (!what)
        return false;
    if (o->counting == o->function)
        return true;
    o->counting = o->function;
    remark_text(&out, "loop nest not offloaded: ");
    remark_reason(&out, ST_NO_COUNTERS, what);
    remark_send_once(&out, &o->sent, nest->f, nest->loops[0], st_reason_name(ST_NO_COUNTERS),
                     ST_NO_COUNTERS);
    return true;
}

/* Are these the program's own loops, beside versions for usual radii? Then tells when they run. */
static bool remark_versions(offload *o, const host_region *nest, br_loop l) {
    prep_radius r;
    pass_remark out = {0};
    bool own = false;
    while (br_loop_parent(l))
        l = br_loop_parent(l);
    for (int n = 0;
         o->versions_of == o->function && !own && prep_find_radius(&r, o->f, o->function, n); n++)
        own = r.head == br_loop_header(l);
    if (!own)
        return false;
    remark_text(&out, "loop nest offloaded for usual radii or widths only:");
    for (int i = 0; i < r.nvalues; i++)
        if (o->versions >> r.values[i] & 1)
            remark_text(&out, "%s %d", i ? "," : "", r.values[i]);
    remark_text(&out, "; for others the program's own loops run");
    remark_send_once(&out, &o->sent, nest->f, nest->loops[0], "Versions", ST_OK);
    return true;
}

/* Is the nest a loop around nests that assign elements? They have remarks of their own. */
static bool is_around_nests(const st_refusal *why, br_loop l) {
    enum { MAX_CHILDREN = 64 };
    br_loop inner[MAX_CHILDREN];
    size_t count = why->reason == ST_NO_INNER_LOOP ? br_loop_children(l, inner, MAX_CHILDREN) : 0;
    int stores = 0;
    for (size_t i = 0; i < count && i < MAX_CHILDREN && stores == 0; i++)
        host_only_store(inner[i], &stores);
    return stores > 0;
}

void told_missed(offload *o, host_region *nest, br_loop l) {
    pass_remark out = {0};
    if (br_in_library(l) || remark_counters(o, nest, l) || remark_versions(o, nest, l))
        return;
    st_refusal why = why_missed(o, nest, l);
    if (!is_around_nests(&why, l)) {
        remark_text(&out, "loop nest not offloaded: ");
        remark_reason(&out, why.reason, why.detail);
        remark_send_once(&out, &o->sent, nest->f, nest->loops[0], st_reason_name(why.reason),
                         why.reason);
    }
    remark_refused(o, nest, l, &why);
}
