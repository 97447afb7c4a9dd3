/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Chooses the parts of a step. The time of a step is the sum of its parts' times, and that of a
 * part does not depend on the others. So the cheapest parts of the first nests follow from those of
 * fewer nests.
 */
#include "plan/time/step_parts.h"

#include "plan/parameters.h"
#include "plan/time/steps.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_NESTS = ST_MAX_SWEEPS,
    MOST_OF_PART = 12 /* nests of a part: planning takes time */
};

typedef struct search {
    const st_step *step;
    const plan_wish *wish;
    const cost_gpu *g;
} search;

/* Seconds a cell of the nests first .. end - 1 in one kernel. */
static double time_of(const search *s, size_t first, size_t end) {
    st_step *part = st_step_part(s->step, first, end);
    st_kernel k;
    st_plan pads = {.count = 0};
    double rate = part ? steps_plan_part(part, s->wish, s->g, &k, &pads) : 0;
    st_step_destroy(part);
    return rate > 0 ? 1 / rate : INFINITY;
}

/* Do the nests first .. end - 1 store cells? A part that only reduces or keeps a trace has no
 * kernel. */
static bool stores(const search *s, size_t first, size_t end) {
    st_step *part = st_step_part(s->step, first, end);
    bool any = part != NULL;
    st_step_destroy(part);
    return any;
}

/* Parts of so many nests, and more where the step may not be cut or a part would store nothing.
 * Returns their number. */
static int cut_evenly(const search *s, size_t ends[PLAN_MAX_KERNELS]) {
    size_t nests = s->step->nnests, size = (size_t)s->wish->group;
    int count = 0;
    for (size_t first = 0; first < nests && count < PLAN_MAX_KERNELS; first = ends[count++]) {
        size_t end = first + size < nests ? first + size : nests;
        bool last = count + 1 == PLAN_MAX_KERNELS;
        while (end < nests && (last || !st_step_may_cut(s->step, end) || !stores(s, first, end) ||
                               !stores(s, end, nests)))
            end++;
        ends[count] = end;
    }
    return count;
}

typedef struct cheapest {
    double time;
    size_t first; /* nest of the last part */
} cheapest;

/* best[n][j]: the first j nests in n parts. */
static void find_cheapest(const search *s, cheapest best[][MOST_NESTS + 1]) {
    size_t nests = s->step->nnests;
    for (size_t end = 1; end <= nests; end++)
        for (size_t first = end; first-- > 0 && end - first <= MOST_OF_PART;) {
            if ((first > 0 && !st_step_may_cut(s->step, first)) ||
                (end < nests && !st_step_may_cut(s->step, end)))
                continue;
            double one = time_of(s, first, end);
            for (int n = 1; n <= PLAN_MAX_KERNELS; n++)
                if (best[n - 1][first].time + one < best[n][end].time)
                    best[n][end] = (cheapest){best[n - 1][first].time + one, first};
        }
}

/* The cheapest parts, if they are cheaper than a kernel a sweep: their number, or 0. */
static int cut_cheaply(const search *s, size_t ends[PLAN_MAX_KERNELS]) {
    static const double gain = 1.15; /* parts are slower than predicted by as much (H200) */
    cheapest(*best)[MOST_NESTS + 1] = calloc(PLAN_MAX_KERNELS + 1, sizeof *best);
    size_t nests = s->step->nnests, end = nests;
    int count = 1;
    for (int n = 0; n <= PLAN_MAX_KERNELS; n++)
        for (size_t j = n == 0; j <= nests; j++)
            best[n][j].time = INFINITY;
    find_cheapest(s, best);
    for (int n = 2; n <= PLAN_MAX_KERNELS; n++)
        if (best[n][nests].time < best[count][nests].time)
            count = n;
    bool pays = best[count][nests].time * gain < steps_time_of_sweeps(s->step, s->g);
    for (int n = count; n > 0 && pays; end = best[n--][end].first)
        ends[n - 1] = end;
    free(best);
    return pays ? count : 0;
}

/* Plans the kernels of the parts. */
static bool make(const search *s, const size_t *ends, int count, const char *prefix,
                 plan_parts *out) {
    st_plan *p = &out->plan;
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        st_kernel *k = &p->kernels[i];
        out->parts[i] = st_step_part(s->step, i ? ends[i - 1] : 0, ends[i]);
        good = out->parts[i] && steps_plan_part(out->parts[i], s->wish, s->g, k, p) > 0;
        if (!good)
            continue;
        snprintf(k->name, sizeof k->name, "%s_part%d", prefix, i + 1);
        k->part = (int8_t)(i + 1);
        k->parts = (int8_t)count;
        plan_list_step_parameters(k, out->parts[i]);
        p->count++;
    }
    for (int i = 0; i < count && !good; i++)
        st_step_destroy(out->parts[i]);
    if (!good)
        plan_free(p);
    return good;
}

bool plan_cut(const st_step *step, const plan_wish *wish, const char *arch, const char *prefix,
              plan_parts *out, const char **why) {
    search s = {step, wish, cost_find_gpu(arch)};
    size_t ends[PLAN_MAX_KERNELS];
    *out = (plan_parts){.plan.count = 0};
    const char *not = st_step_why_not_parts(step);
    if (not || step->nnests > MOST_NESTS) {
        *why = not ? not : "the step has too many sweeps";
        return false;
    }
    /* In 3-D a kernel of one whole step is 0.93 to 1.12 times as fast as a kernel a sweep (H200).
     */
    int count = wish->group ? cut_evenly(&s, ends) : step->rank < 3 ? cut_cheaply(&s, ends) : 0;
    bool good = count > (wish->group ? 0 : 1) && make(&s, ends, count, prefix, out);
    if (good)
        return true;
    *out = (plan_parts){.plan.count = 0};
    *why = wish->group
               ? "a part of the step has no tile that fits; ask for smaller parts with group"
               : "a kernel a sweep is predicted to be faster";
    return false;
}
