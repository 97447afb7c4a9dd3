/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For tests and programs of the build, which work on modules outside of clang and opt.
 */
#ifndef STENCILOPT_BRIDGE_RUN_H
#define STENCILOPT_BRIDGE_RUN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs passes of a plugin. `text` as opt's -passes takes it; `register_passes` is what the plugin's entry returned. False,
 * with a message on standard error, if the text is none. */
bool br_run_passes(LLVMModuleRef module, const char *text, void (*register_passes)(void *builder));

/* All of it, module flags and what names the compiler included. */
void br_drop_named_metadata(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
