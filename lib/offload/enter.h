/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions that a program with offloaded regions carries: they find the runtime.
 */
#ifndef STENCILOPT_ENTER_H
#define STENCILOPT_ENTER_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Adds them to the module unless they are there. False, with nothing changed, if the module is for
 * a system that has no runtime. */
bool enter_add_functions(LLVMModuleRef m);
/* Is it one of them? Their loops are nobody's stencils. */
bool enter_is_own(LLVMValueRef function);

/* i1 stencilopt.ready(i64 cells x, y, z, i64 steps): is it worth asking the runtime? Cheap. */
LLVMValueRef enter_ready(LLVMModuleRef m);
/* void stencilopt.settle(i1 ready): unless the runtime is asked, memory that the program keeps on the
 * device (stencilopt.h) comes back for the original loops. */
LLVMValueRef enter_settle(LLVMModuleRef m);
/* i1 stencilopt.enter(ptr region, ptr call): did the runtime run it? */
LLVMValueRef enter_run(LLVMModuleRef m);

#endif
