/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVPTX: PTX ISA, "shfl.sync" and "barrier". AMDGPU: LLVM's "User Guide for AMDGPU Backend" and
 * AMD's ISA manuals: data-parallel primitives (DPP) for a shift of one, ds_bpermute for the rest.
 */
#include "lanes.h"
#include "intrinsic.h"

#include <stdlib.h>
#include <string.h>

enum { ROW = 16 }; /* lanes among which DPP shifts from GFX10 on */
enum dpp_control { ROW_SHL_1 = 0x101, ROW_SHR_1 = 0x111, WAVE_SHL_1 = 0x130, WAVE_SHR_1 = 0x138 };

static LLVMValueRef function_of(LLVMBuilderRef b) {
    return LLVMGetBasicBlockParent(LLVMGetInsertBlock(b));
}

static LLVMTypeRef i32_of(LLVMBuilderRef b) {
    return LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(function_of(b))));
}

static LLVMValueRef int32(LLVMBuilderRef b, int v) {
    return LLVMConstInt(i32_of(b), (unsigned long long)v, true);
}

static bool is_nvptx(LLVMModuleRef m) {
    return !strncmp(LLVMGetTarget(m), "nvptx", 5);
}

/* The attribute's text, which is not "\0"-terminated; "" if there is none. */
static const char *attribute(LLVMValueRef f, const char *name, unsigned *length) {
    LLVMAttributeRef a =
        LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    *length = 0;
    return a ? LLVMGetStringAttributeValue(a, length) : "";
}

/* "gfx90a": 9, "gfx1100": 11; what follows is two characters, or "-generic". 0: not known. */
static int generation(LLVMValueRef kernel) {
    unsigned length;
    const char *cpu = attribute(kernel, "target-cpu", &length);
    if (length < 6 || strncmp(cpu, "gfx", 3))
        return 0;
    const char *dash = memchr(cpu, '-', length);
    int digits = (int)(dash ? dash - cpu - 3 : length - 5);
    int number = 0;
    for (int i = 0; i < digits; i++)
        number = 10 * number + (cpu[3 + i] - '0');
    return number;
}

/* Can the wave be twice the group of 32? */
static bool has_two_groups(LLVMValueRef kernel) {
    unsigned length;
    const char *features = attribute(kernel, "target-features", &length);
    static const char wide[] = "+wavefrontsize64";
    return generation(kernel) < 10 || memmem(features, length, wide, sizeof wide - 1);
}

int tg_group(LLVMValueRef kernel) {
    if (is_nvptx(LLVMGetGlobalParent(kernel)))
        return 32;
    int number = generation(kernel);
    return number == 8 || number == 9 ? 64 : 32;
}

/* Of the whole wave. */
static LLVMValueRef amdgpu_lane(LLVMBuilderRef b) {
    LLVMValueRef low[] = {int32(b, -1), int32(b, 0)};
    LLVMValueRef high[] = {int32(b, -1), tg_intrinsic(b, "llvm.amdgcn.mbcnt.lo", NULL, 0, low, 2)};
    return tg_intrinsic(b, "llvm.amdgcn.mbcnt.hi", NULL, 0, high, 2);
}

LLVMValueRef tg_lane(LLVMBuilderRef b, int lanes) {
    LLVMValueRef f = function_of(b);
    if (is_nvptx(LLVMGetGlobalParent(f)))
        return tg_intrinsic(b, "llvm.nvvm.read.ptx.sreg.laneid", NULL, 0, NULL, 0);
    LLVMValueRef lane = amdgpu_lane(b);
    return lanes == 32 && has_two_groups(f) ? LLVMBuildAnd(b, lane, int32(b, 31), "") : lane;
}

/* Both instructions use no more bits of the lane's number than there are lanes. */
LLVMValueRef tg_exchange(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes) {
    LLVMValueRef f = function_of(b);
    if (is_nvptx(LLVMGetGlobalParent(f))) {
        LLVMValueRef args[] = {int32(b, -1), v, from, int32(b, 31)};
        return tg_intrinsic(b, "llvm.nvvm.shfl.sync.idx.i32", NULL, 0, args, 4);
    }
    if (lanes == 32 && has_two_groups(f)) {
        LLVMValueRef group = LLVMBuildAnd(b, amdgpu_lane(b), int32(b, 32), "");
        from = LLVMBuildOr(b, LLVMBuildAnd(b, from, int32(b, 31), ""), group, "");
    }
    LLVMValueRef args[] = {LLVMBuildShl(b, from, int32(b, 2), ""), v};
    return tg_intrinsic(b, "llvm.amdgcn.ds.bpermute", NULL, 0, args, 2);
}

/* DPP: lanes that get nothing keep `old`. */
static LLVMValueRef move(LLVMBuilderRef b, LLVMValueRef old, LLVMValueRef v,
                         enum dpp_control control) {
    LLVMTypeRef type = i32_of(b);
    LLVMValueRef no = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(type)), 0, false);
    LLVMValueRef args[] = {old, v, int32(b, control), int32(b, 15), int32(b, 15), no};
    return tg_intrinsic(b, "llvm.amdgcn.update.dpp", &type, 1, args, 6);
}

static LLVMValueRef at_end(LLVMBuilderRef b, LLVMValueRef edge, LLVMValueRef v, int step,
                           int lanes) {
    LLVMValueRef end = int32(b, step < 0 ? 0 : lanes - 1);
    LLVMValueRef is_end = LLVMBuildICmp(b, LLVMIntEQ, tg_lane(b, lanes), end, "");
    return LLVMBuildSelect(b, is_end, edge, v, "");
}

/* GFX10 and later shift within rows of 16 lanes. The first lane of a group's second row wants the
 * last of its first, and that the other: permlanex16, by which rows read each other. */
static LLVMValueRef shift_rows(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step) {
    LLVMTypeRef type = i32_of(b);
    LLVMValueRef no = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(type)), 0, false);
    LLVMValueRef lane = int32(b, step < 0 ? -1 : 0); /* 16 times 15, or 0: of the other row */
    LLVMValueRef args[] = {v, v, lane, lane, no, no};
    LLVMValueRef other = tg_intrinsic(b, "llvm.amdgcn.permlanex16", &type, 1, args, 6);
    return move(b, at_end(b, edge, other, step, 2 * ROW), v, step < 0 ? ROW_SHR_1 : ROW_SHL_1);
}

LLVMValueRef tg_shift(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step, int lanes) {
    LLVMValueRef f = function_of(b);
    if (is_nvptx(LLVMGetGlobalParent(f))) {
        LLVMValueRef args[] = {int32(b, -1), v, int32(b, 1), int32(b, step < 0 ? 0 : 31)};
        v = tg_intrinsic(b,
                         step < 0 ? "llvm.nvvm.shfl.sync.up.i32" : "llvm.nvvm.shfl.sync.down.i32",
                         NULL, 0, args, 4);
        return at_end(b, edge, v, step, lanes);
    }
    int number = generation(f);
    if (number >= 10)
        return shift_rows(b, v, edge, step);
    if (number >= 8) {
        v = move(b, edge, v, step < 0 ? WAVE_SHR_1 : WAVE_SHL_1);
        return lanes == 64 ? v : at_end(b, edge, v, step, lanes);
    }
    LLVMValueRef from = LLVMBuildAdd(b, tg_lane(b, lanes), int32(b, step), "");
    return at_end(b, edge, tg_exchange(b, v, from, lanes), step, lanes);
}

static void amdgpu_fence(LLVMBuilderRef b, LLVMAtomicOrdering ordering) {
    static const char workgroup[] = "workgroup";
    LLVMContextRef c = LLVMGetTypeContext(i32_of(b));
    LLVMBuildFenceSyncScope(b, ordering, LLVMGetSyncScopeID(c, workgroup, sizeof workgroup - 1),
                            "");
}

/* AMDGPU: as __syncthreads is written in HIP's headers. */
void tg_barrier(LLVMBuilderRef b) {
    if (is_nvptx(LLVMGetGlobalParent(function_of(b)))) {
        LLVMValueRef args[] = {int32(b, 0)};
        tg_intrinsic(b, "llvm.nvvm.barrier.cta.sync.aligned.all", NULL, 0, args, 1);
        return;
    }
    amdgpu_fence(b, LLVMAtomicOrderingRelease);
    tg_intrinsic(b, "llvm.amdgcn.s.barrier", NULL, 0, NULL, 0);
    amdgpu_fence(b, LLVMAtomicOrderingAcquire);
}

/* PTX: more is only for dynamic scratchpad. AMDGPU: the local memory that a workgroup can have. */
int64_t tg_scratchpad_limit(LLVMModuleRef m) {
    return is_nvptx(m) ? 48 << 10 : 64 << 10;
}
