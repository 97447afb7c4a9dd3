/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A front end in C: run IN.ll PASSES OUT.ll. Reads a module, runs StencilOpt's passes on it in this
 * process, writes it.
 */
#include "stencilopt/passes.h"

#include "read_module.h"

#include <stdio.h>

int main(int argc, char **argv) {
    char *error = NULL;
    if (argc != 4 || !stencilopt_shares_llvm(LLVMGetVersion))
        return 2;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = read_module(context, argv[1]);
    int failed = !module || stencilopt_run(module, NULL, argv[2], &error);
    if (error)
        fprintf(stderr, "error: %s\n", error);
    stencilopt_free(error);
    if (module) {
        failed |= LLVMPrintModuleToFile(module, argv[3], NULL);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return failed;
}
