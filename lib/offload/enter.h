/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions that a program with offloaded regions contains. They find the runtime.
 */
#ifndef STENCILOPT_ENTER_H
#define STENCILOPT_ENTER_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Adds these functions to the module, unless they are there. False, with nothing changed, if the
 * runtime does not exist for the module's system. */
bool enter_add_functions(LLVMModuleRef m);
/* Is it one of these functions? Their loops are not looked at. */
bool enter_is_own(LLVMValueRef function);

/* i1 stencilopt.ready(i64 cells x, y, z, i64 steps): is the region large enough to ask the runtime?
 * A cheap test. */
LLVMValueRef enter_ready(LLVMModuleRef m);
/* void stencilopt.settle(i1 ready): with `ready` false, brings back memory that the program keeps
 * on the device (stencilopt.h), because the original loops will run. */
LLVMValueRef enter_settle(LLVMModuleRef m);
/* i1 stencilopt.enter(ptr region, ptr call): asks the runtime to run the region. True if it did. */
LLVMValueRef enter_run(LLVMModuleRef m);

#endif
