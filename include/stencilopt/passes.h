/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For compilers that hold an LLVM module: runs StencilOpt's passes on the module, in the compiler's
 * own process, LLVM and context. libstencilopt.so has these functions; link with it, or open it.
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
 * libstencilopt.so itself needs. A compiler with another LLVM inside, or with a second copy of the
 * same one, cannot hand over modules. stencilopt_shares_llvm tells. Such a compiler writes its IR
 * to a file and runs opt or clang with the plugin; docs/frontends.md has examples.
 *
 * Any thread may call the functions. Several threads may call them at the same time for modules of
 * different contexts.
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

/* Runs passes on the module. Returns 0 if they ran. Otherwise returns 1, the module is unchanged,
 * and *error is a message, which stencilopt_free frees. `error` may be NULL. If the passes ran,
 * *error is NULL.
 *
 * `passes` is a text as opt's -passes takes it. "default<O2>" is LLVM's pipeline, with StencilOpt's
 * passes at the places where clang -fpass-plugin has them. It brings loops into the form that these
 * passes need. A pass by itself, such as "stencil-offload<arch=sm_90;bt=8>", expects IR that is
 * simplified, but not yet vectorised or unrolled. Options that the text does not name are taken
 * from LLVM's command line (LLVMParseCommandLineOptions with -stencilopt-NAME=VALUE), then from the
 * environment.
 *
 * `machine` is what the module will be compiled for. It stays the caller's. NULL: a machine for the
 * module's triple is used. A module without a triple or data layout gets the machine's. Without a
 * triple and without a machine no loop is offloaded, because the target is unknown.
 *
 * The module stays the caller's. Analyses of its functions are no longer valid. Remarks go to the
 * context's diagnostic handler, as LLVM's own do. A program without a handler sees them with
 * -pass-remarks=stencil and -pass-remarks-missed=stencil on LLVM's command line. */
STENCILOPT_EXPORTED int stencilopt_run(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                       const char *passes, char **error);
STENCILOPT_EXPORTED void stencilopt_free(char *error); /* NULL is allowed */

/* stencilopt_version: StencilOpt's version, such as "0.1.0", in static storage.
 * stencilopt_llvm_major: the major version of the LLVM that it was built for. */
STENCILOPT_EXPORTED const char *stencilopt_version(void);
STENCILOPT_EXPORTED unsigned stencilopt_llvm_major(void);

/* Do the caller and the library share one LLVM? Call stencilopt_shares_llvm(LLVMGetVersion). If the
 * result is 0, stencilopt_run must not be called. */
STENCILOPT_EXPORTED int stencilopt_shares_llvm(void (*llvm_get_version)(unsigned *, unsigned *,
                                                                        unsigned *));

#ifdef __cplusplus
}
#endif
#endif
