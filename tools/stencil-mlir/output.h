/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Files of LLVM IR, objects and assembly.
 */
#ifndef STENCILOPT_MLIR_OUTPUT_H
#define STENCILOPT_MLIR_OUTPUT_H

#include <llvm-c/TargetMachine.h>

typedef enum output_kind { OUTPUT_IR, OUTPUT_OBJECT, OUTPUT_ASSEMBLY } output_kind;

/* A file appears under its name when it is whole. - is the standard output, and not for objects.
 * 0: written; else what is wrong is told. */
int output_write(LLVMModuleRef module, LLVMTargetMachineRef machine, output_kind kind,
                 const char *path);

#endif
