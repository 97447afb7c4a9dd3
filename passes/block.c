/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencil-block. What it does: in a GPU kernel whose threads compute one cell each, it replaces the
 * body. Then a thread computes several cells and loads their neighbours once, into the cache level
 * that fits. Source and launch stay as they are. When it is legal: lib/detect says so, or gives the
 * reason. The kernel tests at its entry what is only known at run time, and runs its old body if a
 * test fails. When it pays: lib/plan/block/block.c.
 */
#include "passes.h"

#include "codegen/block/gen.h"
#include "detect/common/calls.h"
#include "kernels.h"
#include "remark.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "stencilopt-block";

const char *pass_block_check(const char *parameters) {
    return pass_offload_check(parameters);
}

static void remark_missed(br_function *f, const st_refusal *why) {
    pass_remark r = {0};
    remark_text(&r, "kernel left as it is: ");
    remark_reason(&r, why->reason, why->detail);
    remark_send(&r, f, NULL, BR_MISSED, st_reason_name(why->reason), why->reason);
}

static void remark_fields(pass_remark *r, const blk_plan *p) {
    remark_hidden(r, "Cache", "%s", blk_cache_name(p->cache));
    remark_hidden(r, "CellsPerThread", "%d", p->coarsen);
    remark_hidden(r, "Along", "%c", "xyz"[p->dim]);
    remark_hidden(r, "Vector", "%d", p->vector);
    if (p->registers)
        remark_hidden(r, "Registers", "%d", p->registers);
}

static void remark_plan(const kernel_region *k, const blk_plan *p) {
    char plan[256];
    pass_remark r = {0};
    blk_print(p, plan, sizeof plan);
    remark_text(&r, "plan: ");
    remark_value(&r, "Plan", "%s", plan);
    remark_text(&r, "; predicted ");
    remark_value(&r, "PredictedGain", "%.2f", p->gain);
    remark_text(&r, " times as fast");
    remark_fields(&r, p);
    remark_send(&r, k->f, NULL, BR_ANALYSIS, "BlockPlan", ST_OK);
}

static void remark_done(const kernel_region *k, const blk_plan *p) {
    const st_stencil *s = k->stencil;
    char plan[256];
    pass_remark r = {0};
    blk_print(p, plan, sizeof plan);
    remark_text(&r, "kernel blocked: ");
    remark_value(&r, "Dimensions", "%d", s->rank);
    remark_text(&r, "-D stencil, ");
    remark_value(&r, "CellsRead", "%zu", s->naccesses);
    remark_text(&r, " cells read, ");
    remark_value(&r, "ElementType", "%s", st_type_name(s->grids[s->store_grid].type));
    remark_text(&r, "; ");
    remark_value(&r, "Plan", "%s", plan);
    remark_fields(&r, p);
    remark_send(&r, k->f, NULL, BR_PASSED, "Blocked", ST_OK);
}

/* Handles one detected kernel: check, plan, generate, remark. */
static bool block_kernel(kernel_region *k, const st_launch *l, const opt_values *options,
                         LLVMValueRef kernel, st_refusal *why) {
    blk_plan plans[2];
    int count = kernels_plan(k, l, options, plans, why);
    if (count == 0)
        return false;
    if (plans[0].coarsen > 1)
        plans[0].row_sums = plans[1].row_sums = st_regroup(k->stencil, plans[0].dim);
    remark_plan(k, plans);
    const tg_target *target = tg_of_module(LLVMGetGlobalParent(k->function));
    if (!gen_block(l, plans, count, target, why))
        return false;
    if (plans[0].registers)
        tg_limit_registers(kernel, plans[0].registers);
    remark_done(k, plans);
    return true;
}

static bool is_done(LLVMValueRef f) {
    return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, mark, sizeof mark - 1);
}

static bool visit(LLVMValueRef function, void *analyses, const opt_values *options) {
    if (!tg_is_kernel(function) || is_done(function) || br_is_optnone(function))
        return false;
    br_function *f = br_function_open(function, analyses);
    bool cleaned = br_function_clean(f);
    prep_shadow shadow;
    kernel_region *k = kernels_detect(f, function, &shadow);
    st_launch *l = k->stencil ? kernel_launch(k) : NULL;
    st_refusal why = k->why;
    bool changed = l && block_kernel(k, l, options, function, &why);
    st_destroy_launch(l);
    if (changed) {
        if (shadow.f)
            prep_adopt_shadow(&shadow, f);
        tg_add_attribute(function, mark, "done");
    } else {
        remark_missed(k->f, &why);
    }
    kernels_forget(k, &shadow);
    if (changed)
        br_function_invalidate(f);
    br_function_close(f);
    return changed || cleaned;
}

static bool visit_all(LLVMModuleRef m, void *analyses, const opt_values *options) {
    bool changed = false, wanted = atoi(options->value[OPT_BLOCK]);
    tg_name_cpu(m, options->value[OPT_GPU]);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f && wanted; f = LLVMGetNextFunction(f))
        changed |= visit(f, analyses, options);
    return changed;
}

bool pass_block_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    char error[1024];
    bool changed = false;
    if (!tg_of_module(m))
        return false;
    opt_values *options = malloc(sizeof *options);
    if (opt_read(parameters, options, error, sizeof error))
        changed = visit_all(m, analyses, options);
    else
        br_error(LLVMGetModuleContext(m), error);
    free(options);
    return changed;
}
