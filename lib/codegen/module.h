/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The generator: step + Plan -> kernel IR.
 */
#ifndef STENCILOPT_CODEGEN_MODULE_H
#define STENCILOPT_CODEGEN_MODULE_H

#include "codegen/expr.h"
#include "model/step.h"
#include "plan/time/step.h"

/* A module in `context` with the plan's kernels for `arch`. include/stencilopt/region.h lists their
 * parameters. With `device_math`, library functions are called by the names of the target's device
 * library, to which the module will be linked; otherwise they are LLVM intrinsics. The caller owns
 * the module. */
LLVMModuleRef gen_module(LLVMContextRef context, const st_step *step, const plan_of_step *plan,
                         const tg_target *t, const char *arch, bool device_math);

/* Between the files of this folder: one kernel. */
void gen_steps_kernel(const gen_expr *e, const st_step *step, const st_kernel *p);  /* steps.c */
void gen_cell_kernel(const gen_expr *e, const st_stencil *s, const st_kernel *p);   /* cell.c */
void gen_stream_kernel(const gen_expr *e, const st_stencil *s, const st_kernel *p); /* stream.c */
void gen_strip_kernel(const gen_expr *e, const st_stencil *s, const st_kernel *p);  /* strip.c */
void gen_adding_kernel(const gen_expr *e, const st_kernel *p);                      /* ordered.c */
void gen_resident_kernel(const gen_expr *e, const st_stencil *s,
                         const st_kernel *p); /* resident.c */
void gen_fields_kernel(const gen_expr *e, const st_step *step, const st_kernel *p); /* fields.c */

#endif
