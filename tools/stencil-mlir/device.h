/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels of the gpu dialect: how a gpu.module is lowered and compiled for one GPU.
 */
#ifndef STENCILOPT_MLIR_DEVICE_H
#define STENCILOPT_MLIR_DEVICE_H

#include <llvm-c/Core.h>
#include <mlir-c/IR.h>
#include <stdbool.h>

/* The triple of sm_90, gfx942 and their like; NULL: no GPU that is known. */
const char *device_triple(const char *gpu);
/* MLIR's passes that lower gpu.modules for the triple. */
const char *device_passes(const char *triple);
/* The gpu.module of that name; without a name, the only one. A null operation: there is none, or
 * more than one, and this is told. */
MlirOperation device_find(MlirModule m, const char *name);
/* Does the lowered module have operations of the gpu dialect? Then this is told: host code has
 * none. */
bool device_refuses(MlirModule m);
/* What the translation leaves out: the triple, the GPU of each function, and on AMD's the size of a
 * block as an argument that each kernel has. */
void device_complete(LLVMModuleRef module, const char *triple, const char *gpu);

#endif
