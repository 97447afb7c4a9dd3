/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Declares a kernel's function by the plan's list of parameters, and finds each parameter by its
 * kind and index.
 */
#ifndef STENCILOPT_CODEGEN_PARAMETERS_H
#define STENCILOPT_CODEGEN_PARAMETERS_H

#include "codegen/expr.h"
#include "model/step.h"
#include "plan/plan.h"

LLVMValueRef gen_kernel_function(const gen_expr *e, const st_stencil *s, const st_kernel *k);
/* Declares the function of a kernel of kind ST_STEPS. */
LLVMValueRef gen_step_function(const gen_expr *e, const st_step *step, const st_kernel *k);
/* The same, of a kernel that no scalar is handed to. */
LLVMValueRef gen_plain_function(const gen_expr *e, const st_kernel *k);
/* The number of the parameter of this kind and index; all kernels of its kind have it. */
unsigned gen_parameter_number(const st_kernel *k, stencilrt_parameter_kind kind, size_t index);
LLVMValueRef gen_parameter(LLVMValueRef function, const st_kernel *k, stencilrt_parameter_kind kind,
                           size_t index);
/* The parameter that is a grid's stride along y or z. */
LLVMValueRef gen_stride(LLVMValueRef function, const st_kernel *k, size_t grid, int d);

#endif
