/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The generator: Stencil + Plan -> kernel IR.
 */
#ifndef STENCILOPT_KERNEL_H
#define STENCILOPT_KERNEL_H

#include "plan.h"
#include "target.h"

/* A module in `context` with one kernel, `name`, whose parameters include/stencilopt/region.h lists.
 * `device_math`: library functions are called by the names of the target's device library, for a
 * module that it will be linked to; else they stay LLVM intrinsics. The caller owns the module. */
LLVMModuleRef gen_kernel(LLVMContextRef context, const st_stencil *s, const st_plan *p,
                         const tg_target *t, const char *name, bool device_math);

#endif
