/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For compilers that hold an LLVM module: runs StencilOpt's passes on it, in the compiler's own
 * process, LLVM and context. libstencilopt.so has these functions; link with it, or open it.
 *
 *     char *error;
 *     if (stencilopt_run(module, machine, "default<O2>", &error)) {
 *         fprintf(stderr, "%s\n", error);
 *         stencilopt_free(error);
 *     }
 *
 * The result is that of `opt -load-pass-plugin=libstencilopt.so -passes=...` on the same module,
 * triple and data layout.
 *
 * The library and the compiler share one LLVM: the shared library (libLLVM.so) that
 * libstencilopt.so itself needs. A compiler with another LLVM inside, or a second copy of the same
 * one, cannot hand over modules. stencilopt_shares_llvm tells. Such a compiler writes its IR to a
 * file and runs opt or clang with the plugin; docs/frontends.md has examples.
 *
 * The functions may be called from any thread, for modules of different contexts at a time.
 */
#ifndef STENCILOPT_FRONT_END_PASSES_H
#define STENCILOPT_FRONT_END_PASSES_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define STENCILOPT_EXPORTED __attribute__((visibility("default")))
#else
#define STENCILOPT_EXPORTED
#endif

/* Runs passes on the module. 0: they ran. 1: they did not; the module is as it was, and *error is a
 * message, which stencilopt_free frees. `error` may be NULL; else *error is NULL if the passes ran.
 *
 * `passes`, a text as opt's -passes takes it. "default<O2>" is LLVM's pipeline with StencilOpt's
 * passes where clang -fpass-plugin has them; it brings loops into the form that these need. A pass
 * by itself, "stencil-offload<arch=sm_90;bt=8>", expects IR that is simplified, but not yet
 * vectorised or unrolled. Options that the text does not name are taken from LLVM's command line
 * (LLVMParseCommandLineOptions with -stencilopt-NAME=VALUE), then from the environment.
 *
 * `machine`: what the module will be compiled for; it stays the caller's. NULL: what the module's
 * triple says. A module without a triple or data layout gets the machine's. Without a machine, too,
 * no loop is offloaded, for nothing says what the program is for.
 *
 * The module stays the caller's. What was known of its functions, such as analyses, holds no
 * longer. Remarks go to the context's diagnostic handler, as LLVM's own do: a program that has none
 * sees them with -pass-remarks=stencil, -pass-remarks-missed=stencil on LLVM's command line. */
STENCILOPT_EXPORTED int stencilopt_run(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                       const char *passes, char **error);
STENCILOPT_EXPORTED void stencilopt_free(char *error); /* NULL is allowed */

/* "0.1.0": StencilOpt's; static storage. And the major version of the LLVM it was built for. */
STENCILOPT_EXPORTED const char *stencilopt_version(void);
STENCILOPT_EXPORTED unsigned stencilopt_llvm_major(void);

/* Is the caller's LLVM the library's? Call stencilopt_shares_llvm(LLVMGetVersion). If the answer is
 * 0, stencilopt_run must not be called. */
STENCILOPT_EXPORTED int stencilopt_shares_llvm(void (*llvm_get_version)(unsigned *, unsigned *,
                                                                        unsigned *));

#ifdef __cplusplus
}
#endif
#endif
