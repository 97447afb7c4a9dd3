/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef STENCILOPT_PASSES_H
#define STENCILOPT_PASSES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* stencil-offload: stencil loops of host code become GPU kernels. passes/offload.c */
const char *pass_offload_check(const char *parameters);
bool pass_offload_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* print<stencil>: what is recognised, on stderr; changes nothing. passes/print.c */
const char *pass_print_check(const char *parameters);
bool pass_print_run(LLVMModuleRef m, void *analyses, const char *parameters);

#endif
