/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a kernel knows of its launch. Numbers of threads and blocks are in registers. Sizes are in
 * the implicit arguments, or in the HSA dispatch packet: "User Guide for AMDGPU Backend", code
 * object V5.
 */
#include "target/amdgcn/amdgcn.h"
#include "target/intrinsic.h"

#include <stdio.h>
#include <string.h>

/* Offsets in the implicit arguments, and in the packet. */
enum { BLOCK_COUNT_AT = 0, BLOCK_SIZE_AT = 12, PACKET_BLOCK_SIZE_AT = 4 };

static const char implicit_arguments[] = "llvm.amdgcn.implicitarg.ptr";
static const char packet[] = "llvm.amdgcn.dispatch.ptr";

/* Is the offset `at` that of one of three numbers, which start at `first`? *dim gets which. */
static bool is_number_of(int64_t at, int64_t first, int bytes, int *dim) {
    *dim = (int)(at - first) / bytes;
    return at >= first && at <= first + 2 * bytes && (at - first) % bytes == 0;
}

bool amdgcn_loads(const char *base, int64_t at, unsigned bits, tg_launch_value *value, int *dim) {
    bool implicit = !strcmp(base, implicit_arguments);
    if (!implicit && strcmp(base, packet) != 0)
        return false;
    if (bits == 16) {
        *value = TG_BLOCK_SIZE;
        return is_number_of(at, implicit ? BLOCK_SIZE_AT : PACKET_BLOCK_SIZE_AT, 2, dim);
    }
    *value = TG_BLOCK_COUNT;
    return implicit && bits == 32 && is_number_of(at, BLOCK_COUNT_AT, 4, dim);
}

int amdgcn_most_threads(LLVMValueRef kernel) {
    return tg_attribute_number(kernel, "amdgpu-flat-work-group-size", 1);
}

/* Removes the attribute by which a kernel says that it does not read a launch value. With it the
 * back end would not pass the value. */
static void ask(LLVMBuilderRef b, const char *what) {
    char attribute[64];
    int length = snprintf(attribute, sizeof attribute, "amdgpu-no-%s", what);
    LLVMRemoveStringAttributeAtIndex(tg_function_of(b), LLVMAttributeFunctionIndex, attribute,
                                     (unsigned)length);
}

static LLVMValueRef implicit_argument(LLVMBuilderRef b, LLVMTypeRef type, int at) {
    LLVMContextRef c = LLVMGetTypeContext(type);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, TG_CONSTANT);
    LLVMValueRef base = tg_read(b, implicit_arguments, pointer);
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(c), (unsigned)at, false);
    LLVMTypeRef byte = LLVMInt8TypeInContext(c);
    ask(b, "implicitarg-ptr");
    return LLVMBuildLoad2(b, type, LLVMBuildInBoundsGEP2(b, byte, base, &offset, 1, ""), "");
}

LLVMValueRef amdgcn_launch(LLVMBuilderRef b, tg_launch_value value, int d) {
    char name[64];
    LLVMTypeRef i32 = tg_i32(b), i16 = LLVMInt16TypeInContext(LLVMGetTypeContext(i32));
    if (value == TG_BLOCK_COUNT)
        return implicit_argument(b, i32, BLOCK_COUNT_AT + 4 * d);
    if (value == TG_BLOCK_SIZE)
        return LLVMBuildZExt(b, implicit_argument(b, i16, BLOCK_SIZE_AT + 2 * d), i32, "");
    const char *what = value == TG_THREAD ? "workitem" : "workgroup";
    snprintf(name, sizeof name, "%s-id-%c", what, "xyz"[d]);
    ask(b, name);
    snprintf(name, sizeof name, "llvm.amdgcn.%s.id.%c", what, "xyz"[d]);
    return tg_read(b, name, i32);
}

LLVMValueRef amdgcn_reciprocal(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    return tg_intrinsic(b, "llvm.amdgcn.rcp", &type, 1, &v, 1);
}
