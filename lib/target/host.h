/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which host modules can have offloaded regions. Their system must be one for which the runtime,
 * and the code that finds it, is made.
 */
#ifndef STENCILOPT_HOST_TARGET_H
#define STENCILOPT_HOST_TARGET_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* True for Linux on x86-64 or AArch64 with pointers of 64 bits, little-endian, in ELF files. Any C
 * library will do: its functions are called only where they exist. A program without them does not
 * use the GPU. */
bool tg_has_runtime(LLVMModuleRef m);
/* Is the module for a device? Then another pass, or another compiler, handles its kernels. */
bool tg_is_device(LLVMModuleRef m);

#endif
