/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The passes of a call that is cut: pass.h.
 */
#include "runtime/run/pass.h"
#include <string.h>

static bool make(rt_passes *p, int64_t steps, bool goes_on, rt_pass *pass, void *context,
                 rt_error *why) {
    p->took = steps;
    bool ok = pass(context, steps, goes_on, why);
    rt_rest_advance(p->rest, p->took);
    p->made += p->took;
    p->count++;
    return ok;
}

bool rt_passes_make(rt_passes *p, rt_device *device, rt_pass *pass, void *context, rt_error *why) {
    enum { UNKNOWN = 1 << 30 };
    int64_t passes = rt_cut_passes(p->cut);
    double start = rt_seconds();
    bool ok = true;
    rt_progress_begin(&p->part->progress, start);
    for (int64_t i = 0; (p->open || i < passes) && ok && !p->stopped && p->part->done == 0; i++) {
        bool goes_on = p->open || i + 1 < passes;
        ok = make(p, p->open ? p->cut->pass : rt_cut_steps(p->cut, i), goes_on, pass, context, why);
        if (!ok || !goes_on || p->stopped ||
            !rt_part_is_to_end(p->part, device, start, p->made,
                               p->open ? UNKNOWN : p->cut->steps - p->made))
            continue;
        ok = make(p, p->cut->period, false, pass, context, why);
        p->part->done = p->stopped ? 0 : p->made;
    }
    rt_progress_erase(&p->part->progress);
    return ok;
}

void rt_passes_show(rt_passes *p, int64_t done, int64_t all) {
    rt_progress *progress = &p->part->progress;
    if (rt_progress_is_due(progress))
        rt_progress_show(progress, p->part->region->where, p->made + done, all);
}

/* Copies and kernels took turns. */
void rt_passes_tell(const rt_passes *p, double start, double kernels, rt_outcome *outcome) {
    double end = rt_seconds();
    outcome->kernel_seconds = kernels;
    memcpy(outcome->at, (double[4]){start, start, end, end}, sizeof outcome->at);
    outcome->transfer_seconds = end - start - kernels;
    outcome->split = (rt_split){.slabs = p->cut->slabs, .passes = p->count};
}
