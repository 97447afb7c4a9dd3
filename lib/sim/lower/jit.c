/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Optimises the lowered module for the host and links it into this process.
 */
#include "bridge/bridge_part.h"
#include "sim/lower/lower.h"

#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct symbol {
    const char *name;
    void (*address)(void);
} symbol;

#define SYMBOL(function) {#function, (void (*)(void))(function)}
#define MATH(function) SYMBOL(function), SYMBOL(function##f)

/* The functions' addresses: a program that loads this library may have no libm of its own. */
static const symbol symbols[] = {
    SYMBOL(stencilsim_rt_thread),
    SYMBOL(stencilsim_rt_access),
    SYMBOL(stencilsim_rt_scratchpad),
    SYMBOL(stencilsim_rt_store_scratchpad),
    SYMBOL(stencilsim_rt_range),
    SYMBOL(stencilsim_rt_wave),
    SYMBOL(stencilsim_rt_shuffle),
    SYMBOL(stencilsim_rt_barrier),
    SYMBOL(stencilsim_rt_copy),
    SYMBOL(stencilsim_rt_copy_commit),
    SYMBOL(stencilsim_rt_copy_wait),
    SYMBOL(stencilsim_rt_trap),
    SYMBOL(stencilsim_rt_word_store),
    SYMBOL(stencilsim_rt_word_load),
    SYMBOL(stencilsim_rt_word_high),
    SYMBOL(stencilsim_rt_is_scratchpad),
    SYMBOL(stencilsim_rt_is_global),
    SYMBOL(memcpy),
    SYMBOL(memmove),
    SYMBOL(memset),
    SYMBOL(memcmp),
    MATH(sin),
    MATH(cos),
    MATH(tan),
    MATH(asin),
    MATH(acos),
    MATH(atan),
    MATH(atan2),
    MATH(sinh),
    MATH(cosh),
    MATH(tanh),
    MATH(asinh),
    MATH(acosh),
    MATH(atanh),
    MATH(exp),
    MATH(exp2),
    MATH(exp10),
    MATH(expm1),
    MATH(log),
    MATH(log2),
    MATH(log10),
    MATH(log1p),
    MATH(pow),
    MATH(sqrt),
    MATH(cbrt),
    MATH(hypot),
    MATH(fabs),
    MATH(floor),
    MATH(ceil),
    MATH(trunc),
    MATH(rint),
    MATH(nearbyint),
    MATH(round),
    MATH(roundeven),
    MATH(fmod),
    MATH(remainder),
    MATH(fmin),
    MATH(fmax),
    MATH(fma),
    MATH(erf),
    MATH(erfc),
    MATH(tgamma),
    MATH(lgamma),
    MATH(copysign),
    MATH(fdim),
    MATH(ldexp),
    MATH(frexp),
    MATH(sincos),
    MATH(lrint),
    MATH(llrint),
    MATH(lround),
    MATH(llround),
};

static bool no_error(sim_lower *lower, LLVMErrorRef failure) {
    if (!failure)
        return true;
    char *text = LLVMGetErrorMessage(failure);
    sim_lower_fail(lower, "compiling for the host: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

/* STENCILOPT_SIM_OPTIMISE=0 compiles fast code generation: for many kernels that do little each. */
static bool optimises(void) {
    const char *level = secure_getenv("STENCILOPT_SIM_OPTIMISE");
    return !level || strcmp(level, "0");
}

static LLVMTargetMachineRef host_machine(void) {
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    LLVMTargetRef target;
    LLVMTargetMachineRef machine = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message) == 0)
        machine =
            LLVMCreateTargetMachine(target, triple, cpu, features,
                                    optimises() ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone,
                                    LLVMRelocPIC, LLVMCodeModelJITDefault);
    LLVMDisposeMessage(triple);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    if (message)
        LLVMDisposeMessage(message);
    return machine;
}

static bool optimise(sim_lower *lower, LLVMTargetMachineRef machine) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    /* Bounds checks call out of every loop, so vectorising would only cost compile time. */
    LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
    const char *passes = optimises() ? "globaldce,always-inline,default<O2>"
                                     : "globaldce,always-inline,function(sroa,early-cse)";
    LLVMErrorRef failure = LLVMRunPasses(lower->module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (secure_getenv("STENCILOPT_SIM_DUMP"))
        LLVMDumpModule(lower->module);
    return no_error(lower, failure) && !lower->failed;
}

static bool define_symbols(sim_lower *lower, LLVMOrcJITDylibRef library) {
    enum { COUNT = sizeof symbols / sizeof *symbols };
    LLVMOrcCSymbolMapPair pairs[COUNT];
    LLVMOrcLLJITRef jit = lower->out->jit;
    for (size_t s = 0; s < COUNT; ++s)
        pairs[s] = (LLVMOrcCSymbolMapPair){
            LLVMOrcLLJITMangleAndIntern(jit, symbols[s].name),
            {(LLVMOrcJITTargetAddress)(uintptr_t)symbols[s].address,
             {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0}}};
    return no_error(lower, LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(pairs, COUNT)));
}

static bool look_up_kernel(sim_lower *lower, sim_kernel *kernel) {
    LLVMOrcExecutorAddress address;
    char name[64];
    snprintf(name, sizeof name, "stencilsim.entry.%zu", (size_t)(kernel - lower->out->kernels));
    if (!no_error(lower, LLVMOrcLLJITLookup(lower->out->jit, &address, name)))
        return false;
    kernel->entry = (sim_entry *)(uintptr_t)address;
    return true;
}

static bool look_up(sim_lower *lower) {
    stencilsim_module *out = lower->out;
    LLVMOrcExecutorAddress address;
    char name[64];
    for (size_t k = 0; k < out->nkernels; ++k)
        if (!look_up_kernel(lower, &out->kernels[k]))
            return false;
    for (size_t g = 0; g < out->nglobals; ++g) {
        snprintf(name, sizeof name, "stencilsim.global.%zu", g);
        LLVMErrorRef failure = LLVMOrcLLJITLookup(out->jit, &address, name);
        if (failure) { /* the optimiser removed the global, because nothing uses it */
            LLVMConsumeError(failure);
            address = 0;
        }
        out->globals[g].low = address;
        out->globals[g].bytes = address ? out->globals[g].bytes : 0;
    }
    return true;
}

static void report_quietly(void *context, LLVMErrorRef failure) {
    (void)context; /* the lookup that failed returns its own error */
    LLVMConsumeError(failure);
}

static bool open_jit(sim_lower *lower) {
    LLVMTargetMachineRef machine = host_machine();
    if (!machine)
        return sim_lower_fail(lower, "LLVM has no code generator for this host");
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        /* Takes the machine. */
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
    if (!no_error(lower, LLVMOrcCreateLLJIT(&lower->out->jit, builder)))
        return false;
    LLVMOrcLLJITRef jit = lower->out->jit;
    LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit), report_quietly,
                                            NULL);
    return define_symbols(lower, LLVMOrcLLJITGetMainJITDylib(jit));
}

/* Optimises lower->module and hands it to the JIT, which owns it from then on. */
static bool add(sim_lower *lower, LLVMOrcThreadSafeContextRef context) {
    LLVMOrcLLJITRef jit = lower->out->jit;
    LLVMTargetMachineRef machine = host_machine();
    bool ok = optimise(lower, machine);
    LLVMDisposeTargetMachine(machine);
    if (!ok)
        return false;
    LLVMSetDataLayout(lower->module, LLVMOrcLLJITGetDataLayoutStr(jit));
    LLVMOrcThreadSafeModuleRef module = LLVMOrcCreateNewThreadSafeModule(lower->module, context);
    lower->module = NULL;
    return no_error(lower,
                    LLVMOrcLLJITAddLLVMIRModule(jit, LLVMOrcLLJITGetMainJITDylib(jit), module));
}

/* Compiles the module's kernels. Most kernels of a program are never launched: they are for other
 * sizes and numbers of steps. Such kernels share nothing but device globals. Without device globals
 * each is compiled when it is first launched; with them all are compiled at once. */
bool sim_compile(sim_lower *lower, LLVMOrcThreadSafeContextRef context) {
    if (!open_jit(lower))
        return false;
    if (lower->out->nkernels < 2 || lower->out->nglobals)
        return add(lower, context) && look_up(lower);
    lower->out->rest = lower->module;
    lower->module = NULL;
    return true;
}

bool sim_compile_kernel(sim_lower *lower, sim_kernel *kernel) {
    char name[64];
    snprintf(name, sizeof name, "stencilsim.entry.%zu", (size_t)(kernel - lower->out->kernels));
    lower->module = br_part_of_module(LLVMGetNamedFunction(lower->out->rest, name));
    return add(lower, lower->out->context) && look_up_kernel(lower, kernel);
}
