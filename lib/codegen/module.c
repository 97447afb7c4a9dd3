/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel.h"

LLVMModuleRef gen_module(LLVMContextRef context, const st_stencil *s, const st_plan *p,
                         const tg_target *t, const char *arch, bool device_math) {
    gen_expr e = {.context = context,
                  .target = t,
                  .arch = arch,
                  .device_math = device_math,
                  .copies = t->has_copy_async(arch),
                  .pairs = t->has_pairs(arch)};
    e.module = LLVMModuleCreateWithNameInContext("stencil", context);
    e.b = LLVMCreateBuilderInContext(context);
    t->prepare(e.module, arch);
    for (int i = 0; i < p->count; i++) {
        if (p->kernels[i].kind == ST_STREAM)
            gen_stream_kernel(&e, s, &p->kernels[i]);
        else if (p->kernels[i].kind == ST_STRIP)
            gen_strip_kernel(&e, s, &p->kernels[i]);
        else
            gen_cell_kernel(&e, s, &p->kernels[i]);
    }
    LLVMDisposeBuilder(e.b);
    return e.module;
}
