/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For programs of the build. They work on modules outside of clang and opt.
 */
#ifndef STENCILOPT_BRIDGE_RUN_H
#define STENCILOPT_BRIDGE_RUN_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Removes all of it, with module flags and the compiler's name. */
void br_drop_named_metadata(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
