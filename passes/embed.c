/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of stencilopt/passes.h. A compiler calls them to run the passes itself.
 */
#include "stencilopt/passes.h"

#include "bridge/bridge.h"
#include "options/options.h"
#include "passes.h"
#include "stencilopt/version.h"

#include <llvm-c/Target.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static bool is_only_copy;

static void set_up(void) {
    is_only_copy = opt_register();
    LLVMInitializeAllTargetInfos();
    LLVMInitializeAllTargets();
    LLVMInitializeAllTargetMCs();
}

static int fail(char **error, const char *message) {
    if (error)
        *error = strdup(message);
    return 1;
}

/* A machine for the module's triple. NULL if the triple is empty, or names no target of this LLVM.
 */
static LLVMTargetMachineRef machine_of(LLVMModuleRef m) {
    LLVMTargetRef target;
    char *problem = NULL;
    const char *triple = LLVMGetTarget(m);
    if (!*triple || LLVMGetTargetFromTriple(triple, &target, &problem)) {
        LLVMDisposeMessage(problem);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault,
                                   LLVMRelocDefault, LLVMCodeModelDefault);
}

/* Gives the machine's triple and data layout to a module that has none. */
static void name_machine(LLVMModuleRef m, LLVMTargetMachineRef machine) {
    if (!*LLVMGetTarget(m)) {
        char *triple = LLVMGetTargetMachineTriple(machine);
        LLVMSetTarget(m, triple);
        LLVMDisposeMessage(triple);
    }
    if (!*LLVMGetDataLayoutStr(m)) {
        LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
        LLVMSetModuleDataLayout(m, layout);
        LLVMDisposeTargetData(layout);
    }
}

int stencilopt_run(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes,
                   char **error) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char problem[1024];
    if (error)
        *error = NULL;
    pthread_once(&once, set_up);
    if (!is_only_copy)
        return fail(error, "two copies of the plugin are loaded. Load one of them");
    if (!module || !passes)
        return fail(error, "no module, or no passes");
    if (!opt_check("", problem, sizeof problem))
        return fail(error, problem);
    char *wrong = NULL;
    LLVMTargetMachineRef own = machine ? NULL : machine_of(module), used = machine ? machine : own;
    br_pipeline *p = br_pipeline_parse(module, used, passes, pass_register, &wrong);
    if (p) {
        if (used)
            name_machine(module, used);
        br_pipeline_run(p);
    }
    if (own)
        LLVMDisposeTargetMachine(own);
    if (p)
        return 0;
    fail(error, wrong);
    free(wrong);
    return 1;
}

void stencilopt_free(char *error) {
    free(error);
}

const char *stencilopt_version(void) {
    return STENCILOPT_VERSION;
}

unsigned stencilopt_llvm_major(void) {
    unsigned major;
    LLVMGetVersion(&major, NULL, NULL);
    return major;
}

int stencilopt_shares_llvm(void (*llvm_get_version)(unsigned *, unsigned *, unsigned *)) {
    return llvm_get_version == LLVMGetVersion;
}
