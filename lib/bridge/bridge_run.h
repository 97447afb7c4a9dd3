/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs passes of a plugin outside of clang and opt, many times in one process: for tests.
 */
#ifndef STENCILOPT_BRIDGE_RUN_H
#define STENCILOPT_BRIDGE_RUN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `text` as opt's -passes takes it; `register_passes` is what the plugin's entry returned. False,
 * with a message on standard error, if the text is none. */
bool br_run_passes(LLVMModuleRef module, const char *text, void (*register_passes)(void *builder));

#ifdef __cplusplus
}
#endif
#endif
