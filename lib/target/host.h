/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which host modules can have offloaded regions: those that the code which finds the runtime, and
 * the runtime, are made for.
 */
#ifndef STENCILOPT_HOST_TARGET_H
#define STENCILOPT_HOST_TARGET_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Linux on x86-64 or AArch64, with pointers of 64 bits, little-endian, in ELF. Any C library does:
 * what is called of it is called only where it is there, and what programs lack then is the GPU. */
bool tg_has_runtime(LLVMModuleRef m);
/* Is it for a device? Then another pass, or another compiler, has the kernels in it. */
bool tg_is_device(LLVMModuleRef m);

#endif
