/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Recognises GPU kernels as they are. Where loops over neighbours prevent that, it looks at a
 * shadow in which these loops are unrolled. Where indices depend on whether a number is odd, it
 * looks at one in which they are chosen. It also decides whether, and how, blocking a kernel pays.
 */
#include "kernels.h"

#include "codegen/block/gen.h"
#include "detect/common/calls.h"
#include "prepare/bits.h"
#include "prepare/initial.h"
#include "prepare/planes.h"
#include "prepare/unroll.h"

#include <stdio.h>
#include <stdlib.h>

/* Looks at a shadow in which indices are chosen by last bits, and by tests instead of a switch. The
 * refusal stays if it does not help. */
static kernel_region *detect_chosen(kernel_region *k, br_function *f, LLVMValueRef function,
                                    prep_shadow *shadow) {
    if (!prep_choose(shadow, f, function))
        return k;
    kernel_region *other = kernel_detect(shadow->f, shadow->function);
    bool helps = other->stencil ||
                 (k->why.reason == ST_NO_KERNEL_INDEX && other->why.reason != ST_NO_KERNEL_INDEX);
    kernel_region_destroy(helps ? k : other);
    if (!helps)
        prep_drop_shadow(shadow);
    return helps ? other : k;
}

/* Looks at a shadow whose loop goes over all planes. NULL: there is none, or it is no stencil. The
 * shadow's loop loads again what the program's keeps. */
static kernel_region *detect_planes(br_function *f, prep_shadow *shadow) {
    if (!prep_join_planes(shadow, f))
        return NULL;
    kernel_region *k = kernel_detect(shadow->f, shadow->function);
    k->carries = kernel_count_carried(f);
    if (k->stencil)
        return k;
    kernels_forget(k, shadow);
    return NULL;
}

/* Looks at a shadow in which tables of constant memory have their initial values. NULL: there are
 * none, or it is no stencil with them. */
static kernel_region *detect_initial(br_function *f, LLVMValueRef function, prep_shadow *shadow) {
    if (!prep_take_initial(shadow, f, function))
        return NULL;
    kernel_region *k = kernel_detect(shadow->f, shadow->function);
    if (k->stencil)
        return k;
    kernels_forget(k, shadow);
    return NULL;
}

/* Looks at a shadow in which loops over components are unrolled, too: the cells of such a loop lie
 * between those of other threads, guards are of records, and a component may have a statement of
 * its own. The refusal stays if it is no stencil. */
static kernel_region *detect_components(kernel_region *k, br_function *f, prep_shadow *shadow) {
    prep_shadow other;
    bool wants = k->why.reason == ST_NO_KERNEL_GUARD || k->why.reason == ST_NO_KERNEL_LOOP;
    if (!wants || !prep_unroll_kernel(&other, f, true))
        return k;
    kernel_region *found = kernel_detect(other.f, other.function);
    if (!found->stencil) {
        kernels_forget(found, &other);
        return k;
    }
    kernels_forget(k, shadow);
    *shadow = other;
    found->windows = shadow->windows;
    return found;
}

kernel_region *kernels_detect(br_function *f, LLVMValueRef function, prep_shadow *shadow) {
    kernel_region *k = detect_initial(f, function, shadow), *planes = NULL;
    if (k)
        return k;
    k = kernel_detect(f, function);
    shadow->f = NULL;
    if (k->why.reason == ST_NO_KERNEL_INDEX || k->why.reason == ST_NO_KERNEL_BOUNDARY)
        return detect_chosen(k, f, function, shadow);
    if (k->why.reason == ST_NO_KERNEL_LOOP)
        planes = detect_planes(f, shadow);
    if (planes) {
        kernel_region_destroy(k);
        return planes;
    }
    if (kernel_wants_unrolled(k) && prep_unroll_kernel(shadow, f, false)) {
        kernel_region_destroy(k);
        k = kernel_detect(shadow->f, shadow->function);
        k->windows = shadow->windows;
    }
    return detect_components(k, f, shadow);
}

kernel_region *kernels_detect_version(br_function *f, const prep_width *w, int value,
                                      prep_shadow *shadow) {
    if (!prep_fix_width(shadow, f, w, value))
        return NULL;
    kernel_region *k = kernel_detect(shadow->f, shadow->function);
    if (!k->stencil || !st_has_records(k->stencil))
        return k;
    /* The value is perhaps the distance of cells, as the number of terms of a matrix product is,
     * and no width. */
    kernels_forget(k, shadow);
    return NULL;
}

bool kernels_find_product(br_function *f, LLVMValueRef function, st_threads *form,
                          threads_product *out) {
    kernel_values *values = kernel_open(f, function);
    bool found = threads_find(values, false, form).reason == ST_OK &&
                 threads_find_product(values, form, out);
    kernel_values_destroy(values);
    return found;
}

bool kernels_is_product(br_function *f, LLVMValueRef function) {
    st_threads *form = malloc(sizeof *form);
    threads_product product;
    bool found = kernels_find_product(f, function, form, &product);
    free(form);
    return found;
}

void kernels_forget(kernel_region *k, prep_shadow *shadow) {
    kernel_region_destroy(k);
    prep_drop_shadow(shadow);
}

static blk_wish read_wish(const opt_values *o) {
    const char *axis = o->value[OPT_AXIS];
    return (blk_wish){o->value[OPT_CACHE],           o->value[OPT_LOAD],
                      o->value[OPT_BLOCKING],        o->value[OPT_WAVE],
                      atoi(o->value[OPT_COARSEN]),   atoi(o->value[OPT_VECTOR]),
                      atoi(o->value[OPT_REGISTERS]), *axis ? *axis - 'x' : -1};
}

static int most_threads(LLVMValueRef kernel) {
    int required = 1;
    for (int d = 0; d < 3; d++)
        required *= tg_required_size(kernel, d);
    return required ? required : tg_most_threads(kernel);
}

/* Does the load or store have at least the alignment of its type? */
static bool is_aligned(LLVMValueRef i) {
    st_type t;
    LLVMValueRef store = LLVMIsAStoreInst(i);
    if (!store && !LLVMIsALoadInst(i))
        return true;
    return !host_type(LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i), &t) ||
           LLVMGetAlignment(i) >= st_type_size(t);
}

static bool check_accesses(const kernel_region *k, st_refusal *why) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!is_aligned(i))
                return st_refuse(why, ST_NO_KERNEL_ALIGNMENT, NULL);
    return true;
}

static bool has_turns(const st_stencil *s) {
    bool any = false;
    for (int d = 0; d < s->rank; d++)
        any |= s->boundary[d][0] == ST_TURN || s->boundary[d][1] == ST_TURN;
    return any;
}

/* Conditions under which cells are read prevent two kinds of plans. Threads that load cells for
 * each other do not know each other's conditions. And a load in advance must know the condition in
 * advance. */
static bool check_conditions(const st_stencil *s, const blk_plan *p, st_refusal *why) {
    if (p->cache != BLK_L1 && has_turns(s))
        return st_refuse(why, ST_NO_KERNEL_SHAPE,
                         "which cell is read beyond a border depends on the reader: from L1 alone");
    if (p->cache != BLK_L1 && st_has_records(s))
        return st_refuse(why, ST_NO_KERNEL_SHAPE, "components of records come from L1 alone");
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        if (!a->conditional)
            continue;
        if (p->cache != BLK_L1)
            return st_refuse(why, ST_NO_KERNEL_CONDITION, blk_cache_name(p->cache));
        if (a->where < 0 || st_needs(s, a->where, (int32_t)i))
            return st_refuse(why, ST_NO_KERNEL_CONTROL_FLOW, "when a neighbour is read");
    }
    return true;
}

static bool has_long_calls(LLVMValueRef kernel) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (br_is_put_off(i))
                return true;
    return false;
}

static const gpu_facts *gpu_of(LLVMValueRef kernel) {
    char arch[64];
    return gpu_of_arch(tg_arch(kernel, arch, sizeof arch));
}

static void refuse_gain(const blk_hope *hope, st_refusal *why) {
    char detail[ST_DETAIL];
    snprintf(detail, sizeof detail, "counts promise %.2f times its rate%s%s", hope->gain[BLK_L1],
             hope->loss ? ", but: " : "", hope->loss ? hope->loss : "");
    st_refuse(why, ST_NO_KERNEL_GAIN, detail);
}

int kernels_plan(kernel_region *k, const st_launch *l, const opt_values *options, blk_plan plans[2],
                 blk_hope *hope, st_refusal *why) {
    blk_wish wish = read_wish(options);
    blk_launch launch;
    if (!gen_block_launch(l, &launch, why) || !check_accesses(k, why))
        return 0;
    if (!tg_has_whole_blocks(k->function)) {
        st_refuse(why, ST_NO_KERNEL_SHAPE, "its last blocks may have fewer threads");
        return 0;
    }
    launch.most_threads = most_threads(k->function);
    launch.windows = k->windows;
    launch.long_calls = has_long_calls(k->function);
    launch.gpu = gpu_of(k->function);
    int count = blk_choose(k->stencil, &launch, &wish, plans, hope);
    if (count == 0)
        refuse_gain(hope, why);
    return count && check_conditions(k->stencil, plans, why) ? count : 0;
}
