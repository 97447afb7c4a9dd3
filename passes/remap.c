/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencil-remap. What it does: the threads of a GPU kernel, or its blocks, take its cells in
 * another order: in columns (N. Prasetya 2022, chapter 4) or in tiles. Host code and launch stay as
 * they are. When it is legal: each thread runs on its own and the threads' numbers go into one flat
 * index; or the blocks have numbers along two dimensions. See lib/detect/threads/threads.h. When it
 * pays: lib/plan/order/order.c says so, or an option does.
 */
#include "passes.h"

#include "codegen/remap/remap.h"
#include "detect/threads/product.h"
#include "kernels.h"
#include "ordered.h"
#include "plan/order/order.h"
#include "remark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct remap {
    opt_values options;
    br_function *f;
    LLVMValueRef function;
    kernel_values *values;
    st_threads form;
    order_plan plan;
    bool forced; /* the user gave the order by an option */
    bool is_product, is_stencil;
    threads_product product;
} remap;

const char *pass_remap_check(const char *parameters) {
    static _Thread_local char error[1024];
    return opt_check(parameters, error, sizeof error) ? NULL : error;
}

/* Plan */

static order_plan forced_plan(const opt_values *o) {
    int width, height;
    order_plan p = {.zigzag = *o->value[OPT_ZIGZAG] == '1'};
    opt_size(o->value[OPT_TILES], &width, &height);
    p.width = width ? (uint32_t)width : (uint32_t)strtoul(o->value[OPT_COLUMN], NULL, 10);
    p.height = (uint32_t)height;
    p.kind = width ? ORDER_TILES : p.width ? ORDER_COLUMNS : ORDER_ROWS;
    snprintf(p.why, sizeof p.why, "an option asks for it");
    return p;
}

static void measure(const st_stencil *s, order_work *w) {
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK];
    w->unit = (uint32_t)st_type_size(s->grids[s->store_grid].type);
    for (size_t g = 0; g < s->ngrids && s->rank > 1; g++) {
        st_halo(s, (int32_t)g, low, high);
        uint32_t wide = (uint32_t)(high[0] - low[0] + 1), tall = (uint32_t)(high[1] - low[1] + 1);
        w->wide = wide > w->wide ? wide : w->wide;
        w->tall = tall > w->tall ? tall : w->tall;
    }
}

/* The rows of cells that a thread would get from stencil-block, which comes next in clang's
 * pipeline; 0: it leaves the kernel as it is. */
static uint32_t blocked_rows(const remap *r, kernel_region *k) {
    st_refusal why;
    blk_plan plans[2];
    blk_hope hope;
    st_launch *l = kernel_launch(k);
    bool blocked =
        atoi(r->options.value[OPT_BLOCK]) && kernels_plan(k, l, &r->options, plans, &hope, &why);
    st_destroy_launch(l);
    return !blocked ? 0 : plans[0].dim > 0 ? (uint32_t)plans[0].coarsen : 1;
}

static order_plan choose(remap *r) {
    char arch[64];
    order_work w = {.is_product = r->is_product,
                    .is_flat = r->form.is_flat,
                    .arch = tg_arch(r->function, arch, sizeof arch)};
    LLVMValueRef width = r->form.is_flat ? r->form.flat.width : NULL;
    if (width && LLVMIsAConstantInt(width))
        w.row = LLVMConstIntGetSExtValue(width);
    prep_shadow shadow = {.f = NULL};
    kernel_region *k = w.is_product ? NULL : kernels_detect(r->f, r->function, &shadow);
    if (w.is_product)
        w.unit = (uint32_t)st_type_size(r->product.type);
    else if (k->stencil) {
        measure(k->stencil, &w);
        w.rows = blocked_rows(r, k);
        r->is_stencil = true;
    }
    kernels_forget(k, &shadow);
    order_plan p = order_choose(&w);
    p.zigzag = *r->options.value[OPT_ZIGZAG] == '1';
    return p;
}

/* Remark */

static void remark_refused(const remap *r, const st_refusal *why) {
    pass_remark out = {0};
    remark_text(&out, "kernel left as it is: ");
    remark_reason(&out, why->reason, why->detail);
    remark_send(&out, r->f, NULL, BR_MISSED, st_reason_name(why->reason), why->reason);
}

static void remark_order(pass_remark *out, const order_plan *p) {
    if (p->width)
        remark_hidden(out, "Width", "%u", p->width);
    if (p->height)
        remark_hidden(out, "Height", "%u", p->height);
}

static void remark_why(const remap *r) {
    pass_remark out = {0};
    remark_text(&out, "thread order: ");
    remark_value(&out, "Why", "%s", r->plan.why);
    remark_order(&out, &r->plan);
    remark_send(&out, r->f, NULL, BR_ANALYSIS, "OrderModel", ST_OK);
}

static void remark_done(const remap *r) {
    char order[64];
    pass_remark out = {0};
    order_text(&r->plan, !r->form.is_flat, order, sizeof order);
    remark_text(&out, "thread order: ");
    remark_value(&out, "Order", "%s", order);
    remark_order(&out, &r->plan);
    remark_send(&out, r->f, NULL, BR_PASSED, "ThreadOrder", ST_OK);
}

/* Detect, check, plan, generate and replace, remark. */

/* Unrolls the loop of a matrix product. The threads of a column run in step and wait for their
 * loads. A longer body has more loads at a time. Of 4, 8, 16 and 32 terms, 16 and 32 were fastest
 * on one H200. */
static void unroll_product(remap *r) {
    enum { TERMS = 16, MOST = 8 };
    br_loop loops[MOST];
    size_t count = br_loops(r->f, loops, MOST);
    for (size_t i = 0; i < count && count <= MOST; i++)
        if (br_loop_children(loops[i], NULL, 0) == 0)
            br_loop_want_unrolled(loops[i], TERMS);
}

/* May stencil-block want the kernel as it is? It takes no kernel twice. */
static bool may_be_blocked(const remap *r) {
    return atoi(r->options.value[OPT_BLOCK]) && !r->is_product &&
           !ordered_is_blocked(r->function) && (r->forced || r->is_stencil);
}

static bool remap_one(remap *r) {
    st_refusal why = ordered_find(r->values, &r->form);
    if (why.reason != ST_OK) {
        if (r->forced)
            remark_refused(r, &why);
        return false;
    }
    r->is_product = threads_find_product(r->values, &r->form, &r->product);
    r->plan = r->forced ? forced_plan(&r->options) : choose(r);
    remark_why(r);
    if (r->plan.kind == ORDER_ROWS)
        return false;
    remark_done(r);
    if (r->is_product)
        unroll_product(r);
    if (may_be_blocked(r))
        ordered_keep(r->f, r->function);
    remap_kernel(r->function, &r->form, &r->plan);
    return true;
}

static bool is_wanted(const remap *r) {
    return tg_is_kernel(r->function) && !remap_is_done(r->function) && !br_is_optnone(r->function);
}

static bool remap_all(remap *r, LLVMModuleRef m, void *analyses) {
    bool changed = false;
    tg_name_cpu(m, r->options.value[OPT_GPU]);
    r->function = LLVMGetFirstFunction(m);
    for (; r->function; r->function = LLVMGetNextFunction(r->function)) {
        if (!is_wanted(r))
            continue;
        r->f = br_function_open(r->function, analyses);
        changed |= br_function_clean(r->f);
        r->values = kernel_open(r->f, r->function);
        r->is_stencil = false;
        if (remap_one(r)) {
            br_function_invalidate(r->f);
            changed = true;
        }
        kernel_values_destroy(r->values);
        br_function_close(r->f);
    }
    return changed;
}

static bool remap_module(remap *r, LLVMModuleRef m, void *analyses, const char *parameters) {
    char error[1024];
    if (!opt_read(parameters, &r->options, error, sizeof error)) {
        br_error(LLVMGetModuleContext(m), error);
        return false;
    }
    if (!strcmp(r->options.value[OPT_COLUMN], "none"))
        return false;
    r->forced =
        strcmp(r->options.value[OPT_COLUMN], "0") || strcmp(r->options.value[OPT_TILES], "0");
    return remap_all(r, m, analyses);
}

bool pass_remap_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    if (!tg_of_module(m))
        return false;
    remap *r = calloc(1, sizeof *r);
    bool changed = remap_module(r, m, analyses, parameters);
    free(r);
    return changed;
}
