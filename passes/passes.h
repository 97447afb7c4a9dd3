/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The passes that the plugin registers, and functions that several passes use.
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

void pass_register(void *builder); /* registers all of them; plugin.c */
/* Ends the compiler with a message if the compiler has another LLVM than the plugin. `caller` is an
 * address in the compiler's code. In other_llvm.c. */
void pass_refuse_other_llvm(const void *caller);

/* Sends remarks at loops that call this function, which contains a sweep without a time loop. In
 * calls.c. */
void pass_remark_calls(LLVMValueRef sweep, void *analyses);

/* stencil-remap: the threads of a kernel take its cells in another order. passes/remap.c */
const char *pass_remap_check(const char *parameters);
bool pass_remap_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* The plan of the step by these options. Also decides where the operations of its stencils
 * contract. `may_stay`: may it have kernels that keep the grid on chip, if the options leave that
 * to the model? `cells`: the domain is known to have so many at least. */
plan_of_step pass_plan(st_step *step, const opt_values *options, bool may_stay, double cells);
/* Is it a loop of one iteration that sequence.c put around sweeps? */
bool pass_is_once(br_loop l);

/* stencil-block: spatial blocking in the kernels of device modules. passes/block.c */
const char *pass_block_check(const char *parameters);
bool pass_block_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* print<stencil>: prints on stderr what is recognised; changes nothing. passes/print.c */
const char *pass_print_check(const char *parameters);
bool pass_print_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* print<plan>, print<plan><options>: prints on stderr the kernels that would be generated; changes
 * nothing. */
const char *pass_print_plan_check(const char *parameters);
bool pass_print_plan_run(LLVMModuleRef m, void *analyses, const char *parameters);

#endif
