/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From bytes to a module that can run: the list of stages, and what a loaded module owns.
 */
#include "bridge/bridge_try.h"
#include "sim/lower/lower.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static void quiet_diagnostics(LLVMDiagnosticInfoRef info, void *lower_pointer) {
    /* Without a handler an error of the code generator would end the process. */
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    sim_lower_fail(lower_pointer, "%s", text);
    LLVMDisposeMessage(text);
}

static bool parse(sim_lower *lower, const void *ir, size_t size) {
    /* The copy ends with a zero byte, which the text parser needs. LLVMParseIRInContext frees it.
     */
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, size, "kernel module");
    char *message = NULL;
    if (LLVMParseIRInContext(lower->context, buffer, &lower->module, &message)) {
        sim_lower_fail(lower, "not LLVM IR: %s", message ? message : "unknown error");
        LLVMDisposeMessage(message);
        return false;
    }
    const char *triple = LLVMGetTarget(lower->module);
    static const sim_dialect *const dialects[] = {&sim_nvptx, &sim_amdgcn};
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
        if (strncmp(triple, dialects[i]->triple, strlen(dialects[i]->triple)) == 0)
            lower->out->dialect = dialects[i];
    return lower->out->dialect || sim_lower_fail(lower, "target triple '%s' is neither %s nor %s",
                                                 triple, sim_nvptx.triple, sim_amdgcn.triple);
}

static bool verify(sim_lower *lower, const char *stage) {
    char *message = NULL;
    if (LLVMVerifyModule(lower->module, LLVMReturnStatusAction, &message))
        sim_lower_fail(lower, "%s: %s", stage, message);
    LLVMDisposeMessage(message);
    if (lower->failed && secure_getenv("STENCILOPT_SIM_DUMP"))
        LLVMDumpModule(lower->module);
    return !lower->failed;
}

static void set_types(sim_lower *lower) {
    LLVMContextRef c = lower->context;
    lower->i1 = LLVMInt1TypeInContext(c);
    lower->i8 = LLVMInt8TypeInContext(c);
    lower->i16 = LLVMInt16TypeInContext(c);
    lower->i32 = LLVMInt32TypeInContext(c);
    lower->i64 = LLVMInt64TypeInContext(c);
    lower->f32 = LLVMFloatTypeInContext(c);
    lower->f64 = LLVMDoubleTypeInContext(c);
    lower->pointer = LLVMPointerTypeInContext(c, 0);
    lower->void_type = LLVMVoidTypeInContext(c);
    lower->own_kind = LLVMGetMDKindIDInContext(c, "stencilsim.own", 14);
    lower->builder = LLVMCreateBuilderInContext(c);
}

static bool stages(sim_lower *lower, const void *ir, size_t size,
                   LLVMOrcThreadSafeContextRef context) {
    return parse(lower, ir, size) && verify(lower, "invalid module") && sim_prepare(lower) &&
           sim_lower_shuffles(lower) && sim_lower_calls(lower) && sim_guard(lower) &&
           sim_lay_out_scratchpad(lower) && sim_retarget(lower) && sim_emit_drivers(lower) &&
           verify(lower, "internal error: invalid module after lowering") &&
           sim_compile(lower, context);
}

/* LLVM ran out of memory, so LLVM's locks may still be held. Nothing may be compiled any more.
 * Kernels that are compiled already can run. */
static atomic_bool is_out_of_memory;

/* An allocator may end the process when memory runs out. So address space for a kernel is tried
 * first. */
static bool is_any_memory(void) {
    enum { TAKEN = 64 << 20 };
    void *memory = mmap(NULL, TAKEN, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED && munmap(memory, TAKEN) == 0;
}

static bool has_memory(void (*work)(void *), void *context) {
    if (!is_any_memory())
        return false;
    if (!atomic_load(&is_out_of_memory) && !br_has_memory(work, context))
        atomic_store(&is_out_of_memory, true);
    return !atomic_load(&is_out_of_memory);
}

static void initialise_target(void) {
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
}

typedef struct source {
    stencilsim_module *module;
    sim_kernel *kernel;
    const void *ir;
    size_t size;
    char *error;
    size_t error_size;
    bool ok;
} source;

static void load(void *context) {
    source *s = context;
    LLVMContextRef c = LLVMContextCreate();
    sim_lower lower = {
        .out = s->module, .context = c, .error = s->error, .error_size = s->error_size};
    LLVMContextSetDiagnosticHandler(c, quiet_diagnostics, &lower);
    LLVMOrcThreadSafeContextRef safe = LLVMOrcCreateNewThreadSafeContextFromLLVMContext(c);
    set_types(&lower);
    s->ok = stages(&lower, s->ir, s->size, safe) && !lower.failed;
    LLVMDisposeBuilder(lower.builder);
    if (lower.module) /* if it is NULL, the JIT owns the module */
        LLVMDisposeModule(lower.module);
    if (lower.layout)
        LLVMDisposeTargetData(lower.layout);
    free(lower.functions);
    LLVMContextSetDiagnosticHandler(c, NULL, NULL);
    s->module->context = safe;
    if (!s->ok)
        stencilsim_unload(s->module);
}

stencilsim_module *stencilsim_load(const void *ir, size_t size, char *error, size_t error_size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialise_target);
    if (error_size)
        error[0] = '\0';
    stencilsim_module *module = calloc(1, sizeof *module);
    if (!module)
        return NULL;
    pthread_mutex_init(&module->lock, NULL);
    source s = {.module = module, .ir = ir, .size = size, .error = error, .error_size = error_size};
    if (has_memory(load, &s))
        return s.ok ? module : NULL;
    snprintf(error, error_size, "out of memory");
    return NULL;
}

static void compile(void *context) {
    source *s = context;
    sim_lower lower = {.out = s->module, .error = s->error, .error_size = s->error_size};
    lower.context = LLVMGetModuleContext(s->module->rest);
    LLVMContextSetDiagnosticHandler(lower.context, quiet_diagnostics, &lower);
    s->ok = sim_compile_kernel(&lower, s->kernel) && !lower.failed;
    LLVMContextSetDiagnosticHandler(lower.context, NULL, NULL);
    if (lower.module)
        LLVMDisposeModule(lower.module);
}

static bool compile_one(stencilsim_module *module, sim_kernel *kernel, char *error, size_t size) {
    source s = {.module = module, .kernel = kernel, .error = error, .error_size = size, .ok = true};
    if (!kernel->entry && !has_memory(compile, &s)) {
        snprintf(error, size, "out of memory");
        s.ok = false;
    }
    return s.ok;
}

static bool has_limit(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool sim_module_compile(stencilsim_module *module, sim_kernel *kernel, char *error, size_t size) {
    pthread_mutex_lock(&module->lock);
    bool ok = compile_one(module, kernel, error, size);
    bool all = module->rest && (has_limit(RLIMIT_AS) || has_limit(RLIMIT_DATA));
    for (size_t k = 0; ok && all && k < module->nkernels; ++k)
        ok = compile_one(module, &module->kernels[k], error, size);
    pthread_mutex_unlock(&module->lock);
    return ok;
}

static void kernel_release(sim_kernel *kernel) {
    for (uint32_t p = 0; p < kernel->nparams; ++p)
        free(kernel->param_types[p]);
    free(kernel->param_types);
    free(kernel->param_bytes);
    free(kernel->name);
}

void stencilsim_unload(stencilsim_module *module) {
    if (!module || atomic_load(&is_out_of_memory))
        return;
    if (module->rest)
        LLVMDisposeModule(module->rest);
    if (module->jit)
        LLVMConsumeError(LLVMOrcDisposeLLJIT(module->jit));
    LLVMOrcDisposeThreadSafeContext(module->context);
    pthread_mutex_destroy(&module->lock);
    for (size_t k = 0; k < module->nkernels; ++k)
        kernel_release(&module->kernels[k]);
    for (size_t a = 0; a < module->narrays; ++a)
        free(module->arrays[a].name);
    for (size_t g = 0; g < module->nglobals; ++g)
        free((void *)module->globals[g].label);
    for (size_t w = 0; w < module->nworkers; ++w)
        sim_worker_delete(module->workers[w]);
    free(module->workers);
    free(module->globals);
    free(module->arrays);
    free(module->sites);
    free(module->shuffles);
    free(module->kernels);
    free(module);
}

sim_kernel *sim_module_kernel(const stencilsim_module *module, const char *name) {
    for (size_t k = 0; k < module->nkernels; ++k)
        if (strcmp(module->kernels[k].name, name) == 0)
            return &module->kernels[k];
    return NULL;
}

const char *stencilsim_kernel_name(const stencilsim_module *module, size_t index) {
    return index < module->nkernels ? module->kernels[index].name : NULL;
}

int stencilsim_kernel_nparams(const stencilsim_module *module, const char *kernel) {
    const sim_kernel *found = sim_module_kernel(module, kernel);
    return found ? (int)found->nparams : -1;
}

const char *stencilsim_kernel_param(const stencilsim_module *module, const char *kernel, int param,
                                    size_t *bytes) {
    const sim_kernel *found = sim_module_kernel(module, kernel);
    *bytes = found->param_bytes[param];
    return found->param_types[param];
}

void stencilsim_observe(stencilsim_module *module, stencilsim_observer *observer, void *context) {
    module->observer = observer;
    module->observer_context = context;
}

uint32_t stencilsim_module_wave(const stencilsim_module *module) {
    return module->dialect->wave;
}
