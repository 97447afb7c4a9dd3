/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A front end that hands over a machine: machine IN.ll TRIPLE OUT.ll. Four threads read the module,
 * each into a context of its own, and run StencilOpt's passes for the triple. All must get the
 * same module, which is written.
 */
#include "stencilopt/passes.h"

#include "read_module.h"

#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4 };
static const char *input, *triple;

static LLVMTargetMachineRef machine_of_triple(void) {
    LLVMTargetRef target;
    char *error = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &error)) {
        fprintf(stderr, "%s\n", error);
        LLVMDisposeMessage(error);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                   LLVMCodeModelDefault);
}

/* The module's text after the passes; NULL: failed. */
static void *run(void *unused) {
    (void)unused;
    char *text = NULL, *error = NULL;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = read_module(context, input);
    LLVMTargetMachineRef machine = machine_of_triple();
    if (module && machine) {
        if (!stencilopt_run(module, machine, "default<O2>", &error))
            text = LLVMPrintModuleToString(module);
        else
            fprintf(stderr, "error: %s\n", error);
    }
    stencilopt_free(error);
    if (machine)
        LLVMDisposeTargetMachine(machine);
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return text;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    void *texts[THREADS];
    int failed = 0;
    if (argc != 4)
        return 2;
    input = argv[1];
    triple = argv[2];
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, run, NULL))
            return 2;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], &texts[i]);
    for (int i = 0; i < THREADS; i++)
        failed |= !texts[i] || !texts[0] || strcmp(texts[i], texts[0]);
    FILE *out = failed ? NULL : fopen(argv[3], "w");
    if (out)
        failed = fputs(texts[0], out) < 0 || fclose(out);
    for (int i = 0; i < THREADS; i++)
        LLVMDisposeMessage(texts[i]);
    return failed || !out;
}
