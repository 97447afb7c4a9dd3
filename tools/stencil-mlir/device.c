/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels of the gpu dialect. MLIR lowers a gpu.module to LLVM's dialect with the intrinsics of one
 * vendor, and translates it as a module of its own.
 */
#include "device.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/Diagnostics.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NVPTX "nvptx64-nvidia-cuda"
#define AMDGCN "amdgcn-amd-amdhsa"

/* Bodies of gpu.launch become kernels; then as host code is lowered, see main.c. More of debug
 * information than lines would make NVPTX ask for code to debug. */
#define PASSES(vendor, kind)                                                                       \
    "canonicalize,gpu-launch-sink-index-computations,gpu-kernel-outlining,gpu.module(convert-"     \
    "linalg-to-loops,lower-affine,convert-scf-to-cf,"                                              \
    "expand-strided-metadata,lower-affine,canonicalize,cse,convert-gpu-to-" vendor                 \
    ",canonicalize,reconcile-unrealized-casts),ensure-debug-info-scope-on-llvm-func{emission-"     \
    "kind=" kind "}"

const char *device_triple(const char *gpu) {
    return !strncmp(gpu, "sm_", 3) ? NVPTX : !strncmp(gpu, "gfx", 3) ? AMDGCN : NULL;
}

const char *device_passes(const char *triple) {
    return !strcmp(triple, NVPTX) ? PASSES("nvvm", "DebugDirectivesOnly")
                                  : PASSES("rocdl", "LineTablesOnly");
}

/* Modules */

static bool is(MlirStringRef s, const char *text) {
    return s.length == strlen(text) && !memcmp(s.data, text, s.length);
}

static MlirStringRef symbol_of(MlirOperation op) {
    MlirAttribute name =
        mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("sym_name"));
    return mlirAttributeIsNull(name) ? mlirStringRefCreateFromCString("")
                                     : mlirStringAttrGetValue(name);
}

MlirOperation device_find(MlirModule m, const char *name) {
    MlirOperation found = {NULL};
    size_t count = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(m));
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
        MlirStringRef own = symbol_of(op);
        if (!is(mlirIdentifierStr(mlirOperationGetName(op)), "gpu.module") ||
            (name && !is(own, name)))
            continue;
        found = op;
        if (++count > 1 && !name) {
            fprintf(stderr, "stencil-mlir: more than one gpu.module: name one with --module=%.*s\n",
                    (int)own.length, own.data);
            return (MlirOperation){NULL};
        }
    }
    if (!count)
        fprintf(stderr, "stencil-mlir: the file has no gpu.module%s%s\n", name ? " " : "",
                name ? name : "");
    return found;
}

static MlirWalkResult find_of_gpu(MlirOperation op, void *found) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    if (name.length < 4 || memcmp(name.data, "gpu.", 4))
        return MlirWalkResultAdvance;
    bool module = is(name, "gpu.module");
    if (!module || mlirOperationIsNull(*(MlirOperation *)found))
        *(MlirOperation *)found = op;
    return module ? MlirWalkResultSkip : MlirWalkResultInterrupt;
}

bool device_refuses(MlirModule m) {
    char message[256];
    MlirOperation found = {NULL};
    mlirOperationWalk(mlirModuleGetOperation(m), find_of_gpu, &found, MlirWalkPreOrder);
    if (mlirOperationIsNull(found))
        return false;
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(found));
    snprintf(message, sizeof message,
             "'%.*s' is not compiled with host code, for it needs a runtime of MLIR's: compile the "
             "kernels with --kernels=GPU, or lower it first with passes of --lower=",
             (int)name.length, name.data);
    mlirEmitError(mlirOperationGetLocation(found), message);
    return true;
}

/* What translation leaves out */

/* MLIR asks a library function of ROCm for the size of a block. It is in the arguments that each
 * kernel has of itself, for MLIR's kernels have blocks of one size ("uniform-work-group-size"). */
static LLVMValueRef block_size(LLVMModuleRef module, LLVMBuilderRef b, unsigned dimension) {
    enum { SIZE_OF_X = 12 }; /* bytes; 2 more for each dimension after it */
    static const char name[] = "llvm.amdgcn.implicitarg.ptr";
    LLVMContextRef c = LLVMGetModuleContext(module);
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
    LLVMValueRef base = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, NULL, 0, "");
    LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(c), SIZE_OF_X + 2 * dimension, false);
    LLVMValueRef place = LLVMBuildGEP2(b, LLVMInt8TypeInContext(c), base, &at, 1, "");
    LLVMValueRef size = LLVMBuildLoad2(b, LLVMInt16TypeInContext(c), place, "");
    LLVMSetAlignment(size, 2);
    return LLVMBuildZExt(b, size, LLVMInt64TypeInContext(c), "");
}

static void replace_block_sizes(LLVMModuleRef module) {
    LLVMValueRef f = LLVMGetNamedFunction(module, "__ockl_get_local_size");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMUseRef next;
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use), dimension;
        next = LLVMGetNextUse(use);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != f ||
            !LLVMIsAConstantInt(dimension = LLVMGetOperand(call, 0)) ||
            LLVMConstIntGetZExtValue(dimension) > 2)
            continue;
        LLVMPositionBuilderBefore(b, call);
        LLVMReplaceAllUsesWith(
            call, block_size(module, b, (unsigned)LLVMConstIntGetZExtValue(dimension)));
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDisposeBuilder(b);
}

void device_complete(LLVMModuleRef module, const char *triple, const char *gpu) {
    static const char key[] = "target-cpu";
    LLVMSetTarget(module, triple);
    LLVMAttributeRef cpu = LLVMCreateStringAttribute(
        LLVMGetModuleContext(module), key, (unsigned)strlen(key), gpu, (unsigned)strlen(gpu));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, cpu);
    replace_block_sizes(module);
}
