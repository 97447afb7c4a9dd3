/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVPTX: PTX ISA, "shfl.sync" and "barrier". AMDGPU: LLVM's "User Guide for AMDGPU Backend" and
 * AMD's ISA manuals: data-parallel primitives (DPP) for a shift of one, ds_bpermute for the rest.
 */
#include "lanes.h"
#include "intrinsic.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROW = 16, /* lanes among which DPP shifts from GFX10 on */
    MOST_SHIFTS = 4
};
/* Data-parallel primitives; in the first two the distance is added. */
enum dpp_control { ROW_SHL = 0x100, ROW_SHR = 0x110, WAVE_SHL_1 = 0x130, WAVE_SHR_1 = 0x138 };

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
    return tg_of_module(m) == &tg_nvptx;
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

static LLVMValueRef boolean(LLVMBuilderRef b, bool v) {
    return LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(i32_of(b))), v, false);
}

/* DPP: lanes that get nothing keep `old`, or 0 if that is NULL: then the instruction that uses the
 * value can fetch it. */
static LLVMValueRef move(LLVMBuilderRef b, LLVMValueRef old, LLVMValueRef v, int control) {
    LLVMTypeRef type = i32_of(b);
    LLVMValueRef args[] = {old ? old : LLVMGetPoison(type),
                           v,
                           int32(b, control),
                           int32(b, 15),
                           int32(b, 15),
                           boolean(b, !old)};
    return tg_intrinsic(b, "llvm.amdgcn.update.dpp", &type, 1, args, 6);
}

static LLVMValueRef at_end(LLVMBuilderRef b, LLVMValueRef edge, LLVMValueRef v, int step,
                           int lanes) {
    LLVMValueRef end = int32(b, step < 0 ? 0 : lanes - 1);
    LLVMValueRef is_end = LLVMBuildICmp(b, LLVMIntEQ, tg_lane(b, lanes), end, "");
    return LLVMBuildSelect(b, is_end, edge, v, "");
}

/* Eight lanes from `first` on of a row, as permlanex16 takes them: which lane of the other row of
 * the group each reads. Lanes that `distance` leads to within their own row need none: theirs make
 * the number one that an instruction may contain, where that can be. */
static LLVMValueRef other_row(LLVMBuilderRef b, int first, int distance) {
    uint32_t lanes = 0;
    for (int i = 0; i < 8; i++) {
        int from = first + i + distance;
        bool wanted = from < 0 || from >= ROW;
        uint32_t lane = wanted ? (uint32_t)(from & (ROW - 1)) : distance < 0 ? ROW - 1 : 0;
        lanes |= lane << 4 * i;
    }
    return int32(b, (int)lanes);
}

/* What the lanes at the end of a row want from the other row of the group. */
static LLVMValueRef cross_rows(LLVMBuilderRef b, LLVMValueRef v, int distance) {
    LLVMTypeRef type = i32_of(b);
    LLVMValueRef args[] = {LLVMGetPoison(type),       v,
                           other_row(b, 0, distance), other_row(b, 8, distance),
                           boolean(b, false),         boolean(b, false)};
    return tg_intrinsic(b, "llvm.amdgcn.permlanex16", &type, 1, args, 6);
}

/* GFX10 and later shift within rows of 16 lanes. The first lanes of a group's second row want the
 * last of its first, and that the other. */
static LLVMValueRef move_in_rows(LLVMBuilderRef b, LLVMValueRef others, LLVMValueRef v,
                                 int distance) {
    return move(b, others, v, distance < 0 ? ROW_SHR - distance : ROW_SHL + distance);
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
        return move_in_rows(b, at_end(b, edge, cross_rows(b, v, step), step, 2 * ROW), v, step);
    if (number >= 8) {
        v = move(b, edge, v, step < 0 ? WAVE_SHR_1 : WAVE_SHL_1);
        return lanes == 64 ? v : at_end(b, edge, v, step, lanes);
    }
    LLVMValueRef from = LLVMBuildAdd(b, tg_lane(b, lanes), int32(b, step), "");
    return at_end(b, edge, tg_exchange(b, v, from, lanes), step, lanes);
}

/* Shifts by one, farther ones one after the other: neighbours want the shorter ones too, and each
 * is one instruction that needs no address and waits for nothing, as ds_bpermute does. */
static LLVMValueRef shift_wave(LLVMBuilderRef b, LLVMValueRef v, int distance) {
    for (int i = abs(distance); i > 0; i--)
        v = move(b, NULL, v, distance < 0 ? WAVE_SHR_1 : WAVE_SHL_1);
    return v;
}

LLVMValueRef tg_neighbour(LLVMBuilderRef b, LLVMValueRef v, int distance, int lanes) {
    LLVMValueRef f = function_of(b);
    int number = generation(f);
    if (number >= 10 && lanes == 2 * ROW && abs(distance) < ROW)
        return move_in_rows(b, cross_rows(b, v, distance), v, distance);
    if ((number == 8 || number == 9) && abs(distance) <= MOST_SHIFTS)
        return shift_wave(b, v, distance);
    LLVMValueRef from = LLVMBuildAdd(b, tg_lane(b, lanes), int32(b, distance), "");
    return tg_exchange(b, v, from, lanes);
}

LLVMValueRef tg_uniform(LLVMBuilderRef b, LLVMValueRef v, int lanes) {
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef f = function_of(b);
    if (is_nvptx(LLVMGetGlobalParent(f)) || lanes != tg_group(f) ||
        (lanes == 32 && has_two_groups(f)))
        return v;
    return tg_intrinsic(b, "llvm.amdgcn.readfirstlane", &type, 1, &v, 1);
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
