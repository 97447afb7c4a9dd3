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
#include "ordered.h"
#include "prepare/initial.h"
#include "prepare/powers.h"
#include "remark.h"

#include <stdlib.h>
#include <string.h>

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

/* What is expected of each cache, by counts, before measurements have their say. */
static void remark_hope(const kernel_region *k, const blk_hope *hope) {
    static const char *const keys[] = {"GainL1", "GainScratchpad", "GainRegisters"};
    pass_remark r = {0};
    if (hope->gain[0] == 0)
        return;
    remark_text(&r, "expected by counts:");
    for (int cache = BLK_L1; cache <= BLK_REG; cache++) {
        remark_text(&r, "%s from %s ", cache ? "," : "", blk_cache_name((blk_cache)cache));
        remark_value(&r, keys[cache], "%.2f", hope->gain[cache]);
    }
    if (hope->loss) {
        remark_text(&r, "; but: ");
        remark_value(&r, "Loss", "%s", hope->loss);
    }
    remark_send(&r, k->f, NULL, BR_ANALYSIS, "BlockModel", ST_OK);
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

/* Handles one detected kernel: check, plan, generate. *plan is what was done. */
static bool block_stencil(kernel_region *k, const st_launch *l, const opt_values *options,
                          blk_plan *plan, st_refusal *why) {
    blk_plan plans[2];
    blk_hope hope = {.loss = NULL};
    int count = kernels_plan(k, l, options, plans, &hope, why);
    remark_hope(k, &hope);
    if (count == 0)
        return false;
    if (plans[0].coarsen > 1)
        plans[0].row_sums = plans[1].row_sums = st_regroup(k->stencil, plans[0].dim);
    remark_plan(k, plans);
    *plan = plans[0];
    return gen_block(l, plans, count, tg_of_module(LLVMGetGlobalParent(k->function)), why);
}

static bool block_kernel(kernel_region *k, const opt_values *options, blk_plan *plan,
                         st_refusal *why) {
    st_launch *l = k->stencil ? kernel_launch(k) : NULL;
    *why = k->why;
    bool changed = l && block_stencil(k, l, options, plan, why);
    st_destroy_launch(l);
    return changed;
}

/* Versions of a kernel, by the value of an argument on which its loops over neighbours depend. */

typedef struct versions {
    prep_width width;
    prep_shadow shadows[WIDTH_MAX_VALUES];
    int values[WIDTH_MAX_VALUES];
    bool blocked[WIDTH_MAX_VALUES];
    int count;
    blk_plan plan; /* of the first one that is blocked */
} versions;

static int count_of(const versions *v, bool blocked) {
    int count = 0;
    for (int i = 0; i < v->count; i++)
        count += v->blocked[i] == blocked;
    return count;
}

static bool has_blocked(const versions *v) {
    return count_of(v, true) > 0;
}

/* The limit of registers for a kernel with versions. The kernel's own body runs for the values
 * without a version. It has as few threads at a time as the largest version allows, and must not
 * become slower. With 32 registers all threads of a processor fit. Versions are faster with this
 * limit, too, although some spill: on an H200 five such kernels (test/kernels/widths.cu, 64 rows)
 * were 1.79 times as fast as their own bodies, 1.74 times with 40 registers, 1.66 with 48 and 1.53
 * with 64. */
enum { VERSIONS_REGISTERS = 32 };

/* Coefficients read from memory that all cells of a thread share. */
static int coefficients(const st_stencil *s, int dim) {
    int count = 0;
    for (size_t i = 0; i < s->naccesses; i++)
        count += s->grids[s->accesses[i].grid].broadcast >> dim & 1;
    return count;
}

/* Would coefficients, which stay in registers, and the sums of all cells of a thread spill? */
static bool is_too_long(const kernel_region *k, const blk_plan *p) {
    const st_stencil *s = k->stencil;
    int words = (int)st_type_size(s->grids[s->store_grid].type) / 4;
    return p->coarsen > 1 &&
           words * (coefficients(s, p->dim) + p->coarsen * p->vector) > VERSIONS_REGISTERS;
}

/* Blocks the version. If that gains nothing, the version is left as it is, with its loops unrolled.
 */
static bool block_version(kernel_region **k, versions *v, br_function *f, int value,
                          const opt_values *options, blk_plan *plan, st_refusal *why) {
    bool blocked = block_kernel(*k, options, plan, why);
    if (!blocked || !is_too_long(*k, plan))
        return blocked;
    kernels_forget(*k, &v->shadows[v->count]);
    *k = kernels_detect_version(f, &v->width, value, &v->shadows[v->count]);
    why->reason = ST_NO_KERNEL_GAIN;
    return false;
}

/* Adds the version for a value. It is kept where blocking it gains nothing: unrolled alone, it is
 * faster than the kernel's own body beside other versions. */
static void add_version(versions *v, br_function *f, int value, const opt_values *options,
                        st_refusal *why) {
    prep_shadow *s = &v->shadows[v->count];
    kernel_region *k = kernels_detect_version(f, &v->width, value, s);
    blk_plan plan;
    if (!k)
        return;
    bool blocked = block_version(&k, v, f, value, options, &plan, why);
    if (!blocked && why->reason != ST_NO_KERNEL_GAIN) {
        kernels_forget(k, s);
        return;
    }
    kernel_region_destroy(k);
    if (blocked && !has_blocked(v))
        v->plan = plan;
    v->blocked[v->count] = blocked;
    v->values[v->count++] = value;
}

/* Lists the values of the versions that are blocked, or of those that are not. */
static void list_values(pass_remark *r, const versions *v, bool blocked) {
    int left = count_of(v, blocked);
    for (int i = 0, given = 0; i < v->count; i++) {
        if (v->blocked[i] != blocked)
            continue;
        remark_text(r, "%s", given++ == 0 ? "" : left > 1 ? ", " : " or ");
        remark_value(r, blocked ? "Width" : "Unrolled", "%d", v->values[i]);
        left--;
    }
}

static void remark_versions(br_function *f, const versions *v) {
    char plan[256];
    pass_remark r = {0};
    bool has = has_blocked(v);
    remark_text(&r, has ? "kernel blocked where argument "
                        : "loops over neighbours unrolled where argument ");
    remark_value(&r, "Argument", "%u", v->width.arguments[0] + 1);
    if (v->width.count > 1) {
        remark_text(&r, " and argument ");
        remark_value(&r, "Argument", "%u", v->width.arguments[1] + 1);
    }
    remark_text(&r, v->width.count > 1 ? " are both " : " is ");
    list_values(&r, v, has);
    if (!has) {
        remark_text(&r, "; nothing is gained by blocking it");
        remark_send(&r, f, NULL, BR_PASSED, "Unrolled", ST_OK);
        return;
    }
    blk_print(&v->plan, plan, sizeof plan);
    remark_text(&r, ", with its loops over neighbours unrolled; ");
    remark_value(&r, "Plan", "%s", plan);
    if (count_of(v, false)) {
        remark_text(&r, "; loops unrolled alone where it is ");
        list_values(&r, v, false);
    }
    remark_fields(&r, &v->plan);
    remark_send(&r, f, NULL, BR_PASSED, "Blocked", ST_OK);
}

static void make_versions(versions *v, br_function *f, const opt_values *options, st_refusal *why) {
    for (int i = 0; i < v->width.nvalues; i++) {
        st_refusal of_version = {0};
        add_version(v, f, v->width.values[i], options, &of_version);
        if (of_version.reason == ST_NO_KERNEL_GAIN)
            *why = of_version;
    }
}

/* Is it a stencil for one of the values? */
static bool is_stencil(br_function *f, const prep_width *w) {
    bool found = false;
    for (int i = 0; i < w->nvalues && !found; i++) {
        prep_shadow shadow;
        kernel_region *k = kernels_detect_version(f, w, w->values[i], &shadow);
        found = k && k->stencil;
        if (k)
            kernels_forget(k, &shadow);
    }
    return found;
}

/* Versions of kernels that halve a width which may be negative gain nothing: on an H200 masks of
 * floats ran at 0.83 to 0.99 of their rate. A window's own loop tests nothing inside. */
static bool gains_nothing(br_function *f, const prep_width *w, st_refusal *why) {
    if (w->windows && is_stencil(f, w)) {
        st_refuse(why, ST_NO_KERNEL_GAIN,
                  "its loops go over the cells in the grid alone, as far as an argument says: "
                  "versions for usual values are not measured; a constant reach can be unrolled");
        return true;
    }
    if (w->computed && is_stencil(f, w))
        st_refuse(why, ST_NO_KERNEL_GAIN,
                  "it halves a width that may be negative: versions for usual widths were measured "
                  "at 0.83 to 0.99; give it the radius, or an unsigned width");
    return w->computed || w->windows;
}

/* Puts versions of the kernel in front of it. A loop of a matrix product is as long as a row,
 * whatever small numbers would make of it. */
static bool block_versions(br_function *f, LLVMValueRef kernel, const opt_values *options,
                           st_refusal *why) {
    versions v = {.count = 0};
    if (kernels_is_product(f, kernel) || !prep_find_width(&v.width, f, kernel) ||
        gains_nothing(f, &v.width, why))
        return false;
    make_versions(&v, f, options, why);
    for (int i = 0; i < v.count; i++) {
        prep_test_width(&v.shadows[i], &v.width, v.values[i]);
        /* What one version made untrue of the kernel stays untrue when the next one comes in. */
        gen_block_drop_attributes(v.shadows[i].function, kernel);
        prep_adopt_shadow(&v.shadows[i], f);
        prep_drop_shadow(&v.shadows[i]);
    }
    if (v.count) /* only now the kernel has its name back */
        remark_versions(f, &v);
    return v.count > 0;
}

/* The limit of registers for a body that was unrolled here. It is long, and would spill under the
 * limit of its plan. With these registers a block of 1024 threads still fits. */
static int unrolled_registers(const blk_plan *p) {
    enum { FITS = 64 };
    return p->registers > FITS ? p->registers : FITS;
}

static bool block_function(br_function *f, LLVMValueRef function, const opt_values *options) {
    prep_shadow shadow;
    kernel_region *k = kernels_detect(f, function, &shadow);
    st_refusal why;
    blk_plan plan = {0};
    bool changed = block_kernel(k, options, &plan, &why);
    bool longer = shadow.f && !shadow.powers;
    int registers = longer ? unrolled_registers(&plan) : plan.registers;
    if (changed)
        remark_done(k, &plan);
    if (changed && shadow.f && shadow.initial)
        prep_test_initial(&shadow, function);
    if (changed && shadow.f && shadow.powers)
        prep_test_powers(&shadow, f, function);
    if (changed && shadow.f)
        prep_adopt_shadow(&shadow, f);
    kernels_forget(k, &shadow);
    if (!changed && why.reason == ST_NO_KERNEL_COUNT) {
        changed = block_versions(f, function, options, &why);
        int asked = atoi(options->value[OPT_REGISTERS]);
        registers = asked ? asked : VERSIONS_REGISTERS;
    }
    if (changed) {
        ordered_mark_blocked(function);
        if (registers)
            tg_limit_registers(function, registers);
        br_function_invalidate(f);
    } else {
        remark_missed(f, &why);
    }
    return changed;
}

/* The kernel was reordered, and got back its own body; now the new body is reordered, or that one
 * again. */
static void order_again(br_function *f, LLVMValueRef function, const order_plan *order) {
    pass_remark r = {0};
    st_refusal why = ordered_redo(f, function, order);
    if (why.reason == ST_OK)
        return;
    remark_text(&r, "thread order dropped: ");
    remark_reason(&r, why.reason, why.detail);
    remark_send(&r, f, NULL, BR_MISSED, st_reason_name(why.reason), why.reason);
}

static bool visit(LLVMValueRef function, void *analyses, const opt_values *options) {
    if (!tg_is_kernel(function) || ordered_is_blocked(function) || br_is_optnone(function))
        return false;
    order_plan order;
    br_function *f = br_function_open(function, analyses);
    bool changed = br_function_clean(f), ordered = ordered_undo(f, function, &order);
    changed |= block_function(f, function, options);
    if (ordered)
        order_again(f, function, &order);
    br_function_close(f);
    return changed || ordered;
}

static bool visit_all(LLVMModuleRef m, void *analyses, const opt_values *options) {
    bool changed = false, wanted = atoi(options->value[OPT_BLOCK]);
    tg_name_cpu(m, options->value[OPT_GPU]);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f && wanted; f = LLVMGetNextFunction(f))
        changed |= visit(f, analyses, options);
    return ordered_forget(m) || changed;
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
