/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Handles one detected region: check, plan, generate, replace.
 */
#include "offloading.h"

#include "detect/host/steps/whole.h"

#include <stdlib.h>
#include <string.h>

/* Records in the region's first sweep why the region is not offloaded. */
static bool refuse(offload_region *r, st_reason reason, const char *detail) {
    return host_refuse(r->sweeps[0], reason, detail);
}

/* Do all GPUs that the options name have this mathematical function? */
static bool check_math(offload *o, const char *function) {
    const char *next = o->options.value[OPT_ARCH];
    char arch[64];
    while (opt_part(&next, arch, sizeof arch)) {
        const tg_target *t = tg_find(arch);
        if (!t->has_math())
            return refuse(&o->region, t->no_math, function);
    }
    return true;
}

static bool check_target(offload *o) {
    for (size_t i = 0; i < o->region.count; i++) {
        const char *math = st_math_function(o->region.sweeps[i]->stencil);
        if (math && !check_math(o, math))
            return false;
    }
    st_port *ports = malloc(ST_MAX_PORTS * sizeof *ports);
    bool good = true;
    for (size_t i = 0; i < o->region.count && good; i++)
        good = st_ports(o->region.sweeps[i]->stencil, ports) <= ST_MAX_PORTS ||
               refuse(&o->region, ST_NO_TOO_BIG, "128 arrays");
    free(ports);
    return good;
}

static void forget_plan(offload_region *r) {
    plan_step_free(&r->plan);
    st_step_destroy(r->step);
    r->step = NULL;
}

/* May the region have kernels that keep the grid on chip? They take about as long to compile as all
 * others of the region. So only some regions of a module get them. */
static bool may_stay(const offload *o) {
    enum { MOST_REGIONS = 2 };
    return o->on_chip < MOST_REGIONS;
}

/* Cells that the domain has at least, as far as the compiler knows. */
static double least_cells(const host_region *r) {
    double cells = 1;
    int64_t count;
    for (int i = 0; i < r->axes; i++)
        if (br_scev_kind(r->count[i]) == BR_CONSTANT && br_scev_int(r->count[i], &count))
            cells *= (double)count;
    return cells;
}

static bool has_resident(const plan_of_step *p) {
    bool has = plan_on_chip_count(p) > 0;
    for (int i = 0; i < p->whole.count; i++)
        has = has || p->whole.kernels[i].kind == ST_RESIDENT;
    for (size_t s = 0; s < p->count; s++)
        for (int i = 0; i < p->sweeps[s].count; i++)
            has = has || p->sweeps[s].kernels[i].kind == ST_RESIDENT;
    return has;
}

static void plan(offload *o) {
    offload_region *r = &o->region;
    const host_steps *steps = r->sweeps[0]->steps;
    r->step = host_step_of(r->sweeps[0]);
    r->step->once = steps && pass_is_once(steps->time);
    profile_apply(o);
    r->plan = pass_plan(r->step, &o->wanted, may_stay(o), least_cells(o->region.sweeps[0]));
}

/* Puts the branch in front of the loops, and describes the region to the runtime. */
static bool replace(offload *o, const offload_memory *memory, bool in_twin) {
    offload_region *r = &o->region;
    uint32_t flags = offload_takes_either(r->sweeps[0]) ? STENCILRT_DENORMALS_FREE : 0;
    flags |= in_twin ? STENCILRT_TEAM : 0;
    LLVMValueRef descriptor =
        offload_describe(o->m, r->step, &r->plan, flags, r->images.image, r->images.count,
                         *o->options.value[OPT_COMPRESS] == '1');
    if (offload_rewrite(r->sweeps, r->count, memory, descriptor))
        return true;
    LLVMDeleteGlobal(descriptor);
    return refuse(r, ST_NO_CODE_GENERATION, "the functions that find the runtime do not link");
}

static bool is_probed(const offload *o) {
    const host_region *first = o->region.sweeps[0];
    if (o->probes_twin)
        return team_is_in_twin(o, first->outer);
    if (o->probes_nest)
        return br_loop_header(first->outer) == o->probe;
    br_loop time = first->steps ? first->steps->time : first->time;
    return time && br_loop_header(time) == o->probe;
}

bool region_offload(offload *o, host_region *const *sweeps, size_t count) {
    offload_region *r = &o->region;
    const offload_memory *memory = prep_memory_of(o->memory.temporaries);
    char error[1024] = "";
    st_refusal why;
    memcpy(r->sweeps, sweeps, count * sizeof *sweeps);
    r->count = count;
    if (!team_may_run(o, sweeps[0]->outer, &why))
        return refuse(r, why.reason, why.detail);
    if (o->probe)
        return is_probed(o);
    if ((memory && sweeps[0]->outer != o->outer) || !check_target(o))
        return false;
    o->touched = true;
    host_region *bad = offload_prepare(sweeps, count, memory);
    if (bad)
        return bad != sweeps[0] && refuse(r, bad->reason, bad->detail);
    forget_plan(r);
    plan(o);
    offload_kernels k = {r->step, &r->plan, &o->options};
    if (!offload_make_images(&k, o->made, &r->images, error, sizeof error))
        return refuse(r, ST_NO_CODE_GENERATION, error);
    region_save(o);
    LLVMValueRef mark = team_leave_rest(o, sweeps[0]->outer);
    bool good = replace(o, memory, mark != NULL);
    o->on_chip += good && has_resident(&r->plan);
    if (good && mark)
        team_go_to_rest(o, mark, sweeps[0]->outer);
    return good;
}

void region_release(offload *o) {
    offload_release_images(&o->region.images);
    forget_plan(&o->region);
}
