/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The passes that the plugin registers, and plans as all of them make them.
 */
#ifndef STENCILOPT_PASSES_H
#define STENCILOPT_PASSES_H

#include "bridge/bridge.h"
#include "model/step.h"
#include "options/options.h"
#include "plan/time/step.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* stencil-offload: stencil loops of host code become GPU kernels. passes/offload.c */
const char *pass_offload_check(const char *parameters);
bool pass_offload_run(LLVMModuleRef m, void *analyses, const char *parameters);

void pass_register(void *builder); /* all of them. plugin.c */
/* Ends the compiler with a message unless code at this address, which is to be the compiler's, has the
 * LLVM that we have. other_llvm.c */
void pass_refuse_other_llvm(const void *caller);

/* Remarks at loops that call this function, which has a sweep and no time loop. calls.c */
void pass_remark_calls(LLVMValueRef sweep, void *analyses);

/* stencil-remap: the threads of a kernel take its cells in another order. passes/remap.c */
const char *pass_remap_check(const char *parameters);
bool pass_remap_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* The plan by these options; decides on the way where the stencils' operations contract. */
plan_of_step pass_plan(st_step *step, const opt_values *options);
/* Is it a loop of one iteration that was put around sweeps? */
bool pass_is_once(br_loop l);

/* stencil-block: spatial blocking in the kernels of device modules. passes/block.c */
const char *pass_block_check(const char *parameters);
bool pass_block_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* print<stencil>: what is recognised, on stderr; changes nothing. passes/print.c */
const char *pass_print_check(const char *parameters);
bool pass_print_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* print<plan>, print<plan><options>: what would be generated, on stderr; changes nothing. */
const char *pass_print_plan_check(const char *parameters);
bool pass_print_plan_run(LLVMModuleRef m, void *analyses, const char *parameters);

#endif
