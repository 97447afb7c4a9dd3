/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVPTX has a register for each. AMDGPU has the numbers in registers and the sizes among the
 * implicit arguments: "User Guide for AMDGPU Backend", code object V5.
 */
#include "launch.h"

#include "intrinsic.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONSTANT_SPACE = 4, BLOCK_COUNT_AT = 0, BLOCK_SIZE_AT = 12 };

static LLVMValueRef function_of(LLVMBuilderRef b) {
    return LLVMGetBasicBlockParent(LLVMGetInsertBlock(b));
}

static LLVMValueRef call(LLVMBuilderRef b, const char *name, LLVMTypeRef result) {
    LLVMModuleRef m = LLVMGetGlobalParent(function_of(b));
    LLVMTypeRef type = LLVMFunctionType(result, NULL, 0, false);
    LLVMValueRef callee = LLVMGetNamedFunction(m, name);
    if (!callee)
        callee = LLVMAddFunction(m, name, type);
    return LLVMBuildCall2(b, type, callee, NULL, 0, "");
}

static LLVMValueRef nvptx(LLVMBuilderRef b, LLVMTypeRef i32, tg_launch_value value, int d) {
    static const char *const registers[] = {"tid", "ctaid", "ntid", "nctaid"};
    char name[64];
    snprintf(name, sizeof name, "llvm.nvvm.read.ptx.sreg.%s.%c", registers[value], "xyz"[d]);
    return call(b, name, i32);
}

/* The back end does not pass what a kernel, as its attributes say, does not ask for. */
static void ask(LLVMBuilderRef b, const char *what) {
    char attribute[64];
    int length = snprintf(attribute, sizeof attribute, "amdgpu-no-%s", what);
    LLVMRemoveStringAttributeAtIndex(function_of(b), LLVMAttributeFunctionIndex, attribute,
                                     (unsigned)length);
}

static LLVMValueRef implicit_argument(LLVMBuilderRef b, LLVMTypeRef type, int at) {
    LLVMContextRef c = LLVMGetTypeContext(type);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, CONSTANT_SPACE);
    LLVMValueRef base = call(b, "llvm.amdgcn.implicitarg.ptr", pointer);
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(c), (unsigned)at, false);
    LLVMTypeRef byte = LLVMInt8TypeInContext(c);
    ask(b, "implicitarg-ptr");
    return LLVMBuildLoad2(b, type, LLVMBuildInBoundsGEP2(b, byte, base, &offset, 1, ""), "");
}

static LLVMValueRef amdgpu(LLVMBuilderRef b, LLVMTypeRef i32, tg_launch_value value, int d) {
    char name[64];
    LLVMTypeRef i16 = LLVMInt16TypeInContext(LLVMGetTypeContext(i32));
    if (value == TG_BLOCK_COUNT)
        return implicit_argument(b, i32, BLOCK_COUNT_AT + 4 * d);
    if (value == TG_BLOCK_SIZE)
        return LLVMBuildZExt(b, implicit_argument(b, i16, BLOCK_SIZE_AT + 2 * d), i32, "");
    const char *what = value == TG_THREAD ? "workitem" : "workgroup";
    snprintf(name, sizeof name, "%s-id-%c", what, "xyz"[d]);
    ask(b, name);
    snprintf(name, sizeof name, "llvm.amdgcn.%s.id.%c", what, "xyz"[d]);
    return call(b, name, i32);
}

static bool is_nvptx(LLVMValueRef kernel) {
    return tg_of_module(LLVMGetGlobalParent(kernel)) == &tg_nvptx;
}

LLVMValueRef tg_launch(LLVMBuilderRef b, tg_launch_value value, int d) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(function_of(b))));
    return is_nvptx(function_of(b)) ? nvptx(b, i32, value, d) : amdgpu(b, i32, value, d);
}

LLVMValueRef tg_reciprocal(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    bool nvptx = is_nvptx(function_of(b));
    return tg_intrinsic(b, nvptx ? "llvm.nvvm.rcp.approx.ftz.f" : "llvm.amdgcn.rcp", &type,
                        nvptx ? 0 : 1, &v, 1);
}

/* What the kernel says of its blocks: attributes, and metadata that OpenCL and HIP leave. */

/* Number `at` of the attribute's, which have commas between; 0 if there is none. */
static int number_in(LLVMValueRef kernel, const char *name, int at) {
    char text[64];
    unsigned length = 0;
    LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, name,
                                                       (unsigned)strlen(name));
    const char *value = a ? LLVMGetStringAttributeValue(a, &length) : "";
    snprintf(text, sizeof text, "%.*s", (int)length, value);
    const char *p = text;
    for (; at > 0 && p; at--)
        p = (p = strchr(p, ',')) ? p + 1 : NULL;
    return p ? atoi(p) : 0;
}

static LLVMValueRef metadata(LLVMValueRef kernel, const char *name) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(kernel));
    unsigned kind = LLVMGetMDKindIDInContext(c, name, (unsigned)strlen(name));
    size_t count;
    LLVMValueRef found = NULL;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(kernel, &count);
    for (unsigned i = 0; i < count; i++)
        if (LLVMValueMetadataEntriesGetKind(all, i) == kind)
            found = LLVMMetadataAsValue(c, LLVMValueMetadataEntriesGetMetadata(all, i));
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

int tg_required_size(LLVMValueRef kernel, int d) {
    LLVMValueRef operands[3], node = metadata(kernel, "reqd_work_group_size");
    int size = number_in(kernel, "nvvm.reqntid", d);
    if (size || !node || LLVMGetMDNodeNumOperands(node) != 3)
        return size;
    LLVMGetMDNodeOperands(node, operands);
    bool known = operands[d] && LLVMIsAConstantInt(operands[d]);
    return known ? (int)LLVMConstIntGetZExtValue(operands[d]) : 0;
}

int tg_most_threads(LLVMValueRef kernel) {
    int most = 1, given = number_in(kernel, "nvvm.maxntid", 0);
    for (int d = 0; d < 3 && given; d++) {
        int size = number_in(kernel, "nvvm.maxntid", d);
        most *= size ? size : 1;
    }
    return given ? most : number_in(kernel, "amdgpu-flat-work-group-size", 1);
}

void tg_add_attribute(LLVMValueRef kernel, const char *name, const char *value) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(kernel));
    LLVMAddAttributeAtIndex(
        kernel, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(c, name, (unsigned)strlen(name), value, (unsigned)strlen(value)));
}

void tg_limit_registers(LLVMValueRef kernel, int registers) {
    char text[16];
    if (!is_nvptx(kernel) || number_in(kernel, "nvvm.maxnreg", 0) ||
        number_in(kernel, "nvvm.minctasm", 0))
        return;
    snprintf(text, sizeof text, "%d", registers);
    tg_add_attribute(kernel, "nvvm.maxnreg", text);
}
