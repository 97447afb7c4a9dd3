/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One module with all kernels of a plan, each by the generator of its kind.
 */
#include "codegen/module.h"

static void gen_kernel(const gen_expr *e, const st_stencil *s, const st_kernel *k) {
    if (k->kind == ST_STREAM)
        gen_stream_kernel(e, s, k);
    else if (k->kind == ST_STRIP)
        gen_strip_kernel(e, s, k);
    else if (k->kind != ST_RESIDENT)
        gen_cell_kernel(e, s, k);
    else if (e->target->word_load) /* without, the runtime finds no such kernel */
        gen_resident_kernel(e, s, k);
}

/* Of whole steps. */
static void gen_whole(const gen_expr *e, const st_step *step, const st_kernel *k) {
    if (k->kind == ST_STEPS)
        gen_steps_kernel(e, step, k);
    else if (e->target->word_load)
        gen_fields_kernel(e, step, k);
}

/* In a new module. */
static gen_expr begin(LLVMContextRef context, const tg_target *t, const char *arch,
                      bool device_math) {
    gen_expr e = {.context = context,
                  .target = t,
                  .arch = arch,
                  .device_math = device_math,
                  .copies = t->has_copy_async(arch),
                  .pairs = t->has_pairs(arch)};
    e.module = LLVMModuleCreateWithNameInContext("stencil", context);
    e.b = LLVMCreateBuilderInContext(context);
    t->prepare(e.module, arch);
    return e;
}

LLVMModuleRef gen_module(LLVMContextRef context, const st_step *step, const plan_of_step *plan,
                         const tg_target *t, const char *arch, bool device_math) {
    gen_expr e = begin(context, t, arch, device_math);
    for (size_t s = 0; s < plan->count; s++)
        for (int i = 0; i < plan->sweeps[s].count; i++)
            gen_kernel(&e, step->nests[s], &plan->sweeps[s].kernels[i]);
    for (int i = 0; i < plan->whole.count; i++)
        gen_whole(&e, plan_step_of_kernel(plan, step, i), &plan->whole.kernels[i]);
    for (int i = 0; i < plan_on_chip_count(plan); i++)
        gen_kernel(&e, plan_on_chip_sweep(plan, step), &plan->chip->kernels[i]);
    for (size_t i = 0; i < plan->nadding; i++)
        gen_adding_kernel(&e, &plan->adding[i]);
    LLVMDisposeBuilder(e.b);
    return e.module;
}
