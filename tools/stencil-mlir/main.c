/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencil-mlir: compiles an MLIR file with StencilOpt's passes. MLIR's passes lower the file to the
 * LLVM dialect, MLIR translates that to LLVM IR, and stencilopt_run runs LLVM's pipeline with our
 * passes in it. Kernels of a gpu.module go the same way, as a module for a GPU. All of MLIR is used
 * through its C functions.
 */
#include "device.h"
#include "output.h"
#include "split.h"
#include "stencilopt/passes.h"
#include "stencilopt/version.h"
#include "usage.h" /* made of usage.txt */

#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <mlir-c/Diagnostics.h>
#include <mlir-c/Pass.h>
#include <mlir-c/RegisterEverything.h>
#include <mlir-c/Target/LLVMIR.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Subscripts of memrefs become sums of products of strides; then all dialects become LLVM's. Last,
 * functions without debug information get some, so that remarks name the operations' lines. */
#define LOWER                                                                                      \
    "convert-linalg-to-loops,lower-affine,convert-scf-to-cf,expand-strided-metadata,lower-affine," \
    "canonicalize,cse,convert-to-llvm,reconcile-unrealized-casts,"                                 \
    "ensure-debug-info-scope-on-llvm-func"

typedef struct {
    const char *input, *output, *lower, *passes;
    const char *gpu, *triple, *module; /* gpu: kernels for it are compiled, not the host's code */
    bool text, tells;
} request;

static int wrong(const char *what, const char *detail) {
    fprintf(stderr, "stencil-mlir: %s%s\n", what, detail);
    return 1;
}

static MlirStringRef text_of(const char *s) {
    return mlirStringRefCreateFromCString(s);
}

static void print(MlirStringRef text, void *unused) {
    (void)unused;
    fwrite(text.data, 1, text.length, stderr);
}

static void print_diagnostic(MlirDiagnostic d) {
    static const char *const kinds[] = {"error", "warning", "note", "remark"};
    mlirLocationPrint(mlirDiagnosticGetLocation(d), print, NULL);
    fprintf(stderr, ": %s: ", kinds[mlirDiagnosticGetSeverity(d)]);
    mlirDiagnosticPrint(d, print, NULL);
    fputc('\n', stderr);
    for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(d); i++)
        print_diagnostic(mlirDiagnosticGetNote(d, i));
}

static MlirLogicalResult tell(MlirDiagnostic d, void *unused) {
    (void)unused;
    print_diagnostic(d);
    return mlirLogicalResultSuccess();
}

/* Reads, lowers and translates. NULL: failed, and the reason is told. */
static LLVMModuleRef lower(MlirModule m, MlirContext mlir, const request *r,
                           LLVMContextRef context) {
    MlirPassManager manager = mlirPassManagerCreate(mlir);
    MlirOperation op = mlirModuleGetOperation(m);
    LLVMModuleRef module = NULL;
    if (mlirLogicalResultIsFailure(mlirOpPassManagerAddPipeline(
            mlirPassManagerGetAsOpPassManager(manager), text_of(r->lower), print, NULL)))
        wrong("MLIR does not take --lower=", r->lower);
    else if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, op)))
        wrong("MLIR's passes failed", "");
    else if (r->gpu && mlirOperationIsNull(op = device_find(m, r->module)))
        module = NULL; /* told */
    else if (!r->gpu && device_refuses(m))
        module = NULL; /* told */
    else if (!(module = mlirTranslateModuleToLLVMIR(op, context)))
        wrong(
            "the lowered module is not all of the LLVM dialect; see --lower, and --kernels for gpu",
            "");
    mlirPassManagerDestroy(manager);
    return module;
}

static LLVMModuleRef read_module(const request *r, LLVMContextRef context) {
    MlirDialectRegistry registry = mlirDialectRegistryCreate();
    mlirRegisterAllDialects(registry);
    mlirRegisterAllPasses();
    MlirContext mlir = mlirContextCreateWithRegistry(registry, false);
    mlirDialectRegistryDestroy(registry);
    mlirRegisterAllLLVMTranslations(mlir);
    mlirContextAttachDiagnosticHandler(mlir, tell, NULL, NULL);
    MlirModule m = mlirModuleCreateParseFromFile(mlir, text_of(r->input));
    LLVMModuleRef module = NULL;
    if (mlirModuleIsNull(m))
        wrong("cannot read ", r->input);
    else
        module = lower(m, mlir, r, context);
    if (!mlirModuleIsNull(m))
        mlirModuleDestroy(m);
    mlirContextDestroy(mlir);
    return module;
}

/* For the module's triple; a module without one is for this machine. */
static LLVMTargetMachineRef machine_of(LLVMModuleRef module, const char *gpu) {
    LLVMTargetRef target;
    char *error = NULL, *triple = *LLVMGetTarget(module) ? strdup(LLVMGetTarget(module))
                                                         : LLVMGetDefaultTargetTriple();
    LLVMTargetMachineRef machine = NULL;
    if (!*LLVMGetTarget(module))
        fprintf(stderr, "stencil-mlir: note: the module names no target; it is compiled for %s\n",
                triple);
    if (LLVMGetTargetFromTriple(triple, &target, &error))
        wrong("", error);
    else
        machine =
            LLVMCreateTargetMachine(target, triple, gpu ? gpu : "", "", LLVMCodeGenLevelDefault,
                                    LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMDisposeMessage(error);
    LLVMDisposeMessage(triple);
    return machine;
}

static output_kind kind_of(const request *r) {
    return r->text ? OUTPUT_IR : r->gpu ? OUTPUT_ASSEMBLY : OUTPUT_OBJECT;
}

static int compile(const request *r, const char *path) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = read_module(r, context);
    if (module && r->gpu)
        device_complete(module, r->triple, r->gpu);
    LLVMTargetMachineRef machine = module ? machine_of(module, r->gpu) : NULL;
    char *error = NULL;
    if (machine)
        split_phis(module);
    int failed = !machine || stencilopt_run(module, machine, r->passes, &error);
    if (error)
        wrong("", error);
    stencilopt_free(error);
    failed = failed || output_write(module, machine, kind_of(r), path);
    if (machine)
        LLVMDisposeTargetMachine(machine);
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return failed;
}

/* FILE.o of folder/FILE.mlir, FILE.ll or FILE.s. */
static char *default_output(const request *r) {
    const char *slash = strrchr(r->input, '/'), *name = slash ? slash + 1 : r->input;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    size_t size = (size_t)length + 4;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%.*s%s", length, name, r->text ? ".ll" : r->gpu ? ".s" : ".o");
    return path;
}

/* 0: understood; else 2, and what is wrong is told. */
static int parse(int count, char **words, request *r) {
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        if (!strcmp(word, "-S") || !strcmp(word, "-c"))
            r->text = word[1] == 'S';
        else if (!strcmp(word, "-R"))
            r->tells = true;
        else if (!strcmp(word, "-o") && i + 1 < count)
            r->output = words[++i];
        else if (!strncmp(word, "--lower=", 8))
            r->lower = word + 8;
        else if (!strncmp(word, "--passes=", 9))
            r->passes = word + 9;
        else if (!strncmp(word, "--kernels=", 10))
            r->gpu = word + 10;
        else if (!strncmp(word, "--module=", 9))
            r->module = word + 9;
        else if (word[0] == '-' && word[1])
            return wrong("unknown option, or one without its value: ", word) + 1;
        else if (r->input)
            return wrong("more than one file: ", word) + 1;
        else
            r->input = word;
    }
    if (!r->input)
        return wrong("no file; --help says more", "") + 1;
    r->triple = r->gpu ? device_triple(r->gpu) : NULL;
    if (r->gpu && !r->triple)
        return wrong("--kernels= takes a GPU such as sm_90 or gfx942, not ", r->gpu) + 1;
    if (r->module && !r->gpu)
        return wrong("--module= goes with --kernels=", "") + 1;
    if (!r->lower)
        r->lower = r->gpu ? device_passes(r->triple) : LOWER;
    if (r->output && !strcmp(r->output, "-") && !r->text && !r->gpu)
        return wrong("an object is not written to the standard output; use -S", "") + 1;
    return 0;
}

static void set_up(bool tells) {
    static const char *const remarks[] = {"stencil-mlir", "-pass-remarks=stencil",
                                          "-pass-remarks-missed=stencil"};
    LLVMInitializeAllTargetInfos();
    LLVMInitializeAllTargets();
    LLVMInitializeAllTargetMCs();
    LLVMInitializeAllAsmPrinters();
    if (tells)
        LLVMParseCommandLineOptions(3, remarks, NULL);
}

int main(int argc, char **argv) {
    request r = {.passes = "default<O2>"};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return fputs(usage, stdout) < 0;
        else if (!strcmp(argv[i], "--version"))
            return puts("stencil-mlir (StencilOpt) " STENCILOPT_VERSION) < 0;
        else if (!strcmp(argv[i], "--print-lower"))
            return puts(LOWER) < 0;
    int status = parse(argc, argv, &r);
    if (status)
        return status;
    set_up(r.tells);
    char *own = r.output ? NULL : default_output(&r);
    status = own || r.output ? compile(&r, own ? own : r.output) : wrong("out of memory", "");
    free(own);
    return status;
}
