/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The lanes of a wave: LLVM's "User Guide for AMDGPU Backend" and AMD's ISA manuals. Data-parallel
 * primitives (DPP) shift by one lane; ds_bpermute makes all other exchanges.
 */
#include "target/amdgcn/amdgcn.h"
#include "target/intrinsic.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROW = 16, /* lanes among which DPP shifts from GFX10 on */
    MOST_SHIFTS = 4
};
/* Controls of data-parallel primitives. ROW_SHL and ROW_SHR need the distance added. */
enum dpp_control { ROW_SHL = 0x100, ROW_SHR = 0x110, WAVE_SHL_1 = 0x130, WAVE_SHR_1 = 0x138 };

/* The number before the last two characters, or before "-generic": "gfx90a" gives 9, "gfx1100"
 * gives 11. 0: not known. */
static int generation(LLVMValueRef kernel) {
    unsigned length;
    const char *cpu = tg_attribute(kernel, "target-cpu", &length);
    if (length < 6 || strncmp(cpu, "gfx", 3))
        return 0;
    const char *dash = memchr(cpu, '-', length);
    int digits = (int)(dash ? dash - cpu - 3 : length - 5);
    int number = 0;
    for (int i = 0; i < digits; i++)
        number = 10 * number + (cpu[3 + i] - '0');
    return number;
}

/* Can a wave have 64 lanes, twice the group? */
static bool has_two_groups(LLVMValueRef kernel) {
    unsigned length;
    const char *features = tg_attribute(kernel, "target-features", &length);
    static const char wide[] = "+wavefrontsize64";
    return generation(kernel) < 10 || memmem(features, length, wide, sizeof wide - 1);
}

int amdgcn_group(LLVMValueRef kernel) {
    int number = generation(kernel);
    return number == 8 || number == 9 ? 64 : 32;
}

/* The lane's number in the whole wave. */
static LLVMValueRef lane_of_wave(LLVMBuilderRef b) {
    LLVMValueRef low[] = {tg_int32(b, -1), tg_int32(b, 0)};
    LLVMValueRef high[] = {tg_int32(b, -1),
                           tg_intrinsic(b, "llvm.amdgcn.mbcnt.lo", NULL, 0, low, 2)};
    return tg_intrinsic(b, "llvm.amdgcn.mbcnt.hi", NULL, 0, high, 2);
}

LLVMValueRef amdgcn_lane(LLVMBuilderRef b, int lanes) {
    LLVMValueRef lane = lane_of_wave(b);
    return lanes == 32 && has_two_groups(tg_function_of(b))
               ? LLVMBuildAnd(b, lane, tg_int32(b, 31), "")
               : lane;
}

/* The instruction itself takes the lane's number modulo the lanes of a wave. */
LLVMValueRef amdgcn_exchange(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes) {
    LLVMValueRef f = tg_function_of(b);
    if (lanes == 32 && has_two_groups(f)) {
        LLVMValueRef group = LLVMBuildAnd(b, lane_of_wave(b), tg_int32(b, 32), "");
        from = LLVMBuildOr(b, LLVMBuildAnd(b, from, tg_int32(b, 31), ""), group, "");
    }
    LLVMValueRef args[] = {LLVMBuildShl(b, from, tg_int32(b, 2), ""), v};
    return tg_intrinsic(b, "llvm.amdgcn.ds.bpermute", NULL, 0, args, 2);
}

static LLVMValueRef boolean(LLVMBuilderRef b, bool v) {
    return LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(tg_i32(b))), v, false);
}

/* A move by DPP. Lanes that read no other lane get `old`. If `old` is NULL they get 0, and the
 * instruction that uses the value can do the move itself. */
static LLVMValueRef move(LLVMBuilderRef b, LLVMValueRef old, LLVMValueRef v, int control) {
    LLVMTypeRef type = tg_i32(b);
    LLVMValueRef args[] = {old ? old : LLVMGetPoison(type),
                           v,
                           tg_int32(b, control),
                           tg_int32(b, 15),
                           tg_int32(b, 15),
                           boolean(b, !old)};
    return tg_intrinsic(b, "llvm.amdgcn.update.dpp", &type, 1, args, 6);
}

static LLVMValueRef at_end(LLVMBuilderRef b, LLVMValueRef edge, LLVMValueRef v, int step,
                           int lanes) {
    return tg_at_end(b, edge, v, amdgcn_lane(b, lanes), step, lanes);
}

/* An operand of permlanex16 for the eight lanes of a row from `first` on: the lane of the other row
 * that each reads, four bits each. A lane whose source is in its own row needs nothing: its number
 * is 15 or 0, so that the operand is -1 or 0 where possible, a constant that the instruction itself
 * can hold. */
static LLVMValueRef other_row(LLVMBuilderRef b, int first, int distance) {
    uint32_t lanes = 0;
    for (int i = 0; i < 8; i++) {
        int from = first + i + distance;
        bool wanted = from < 0 || from >= ROW;
        uint32_t lane = wanted ? (uint32_t)(from & (ROW - 1)) : distance < 0 ? ROW - 1 : 0;
        lanes |= lane << 4 * i;
    }
    return tg_int32(b, (int)lanes);
}

/* Brings the values that lanes near the end of a row need from the other row of the group. */
static LLVMValueRef cross_rows(LLVMBuilderRef b, LLVMValueRef v, int distance) {
    LLVMTypeRef type = tg_i32(b);
    LLVMValueRef args[] = {LLVMGetPoison(type),       v,
                           other_row(b, 0, distance), other_row(b, 8, distance),
                           boolean(b, false),         boolean(b, false)};
    return tg_intrinsic(b, "llvm.amdgcn.permlanex16", &type, 1, args, 6);
}

/* GFX10 and later shift within rows of 16 lanes. Lanes near a row's end take their value from
 * `others`. */
static LLVMValueRef move_in_rows(LLVMBuilderRef b, LLVMValueRef others, LLVMValueRef v,
                                 int distance) {
    return move(b, others, v, distance < 0 ? ROW_SHR - distance : ROW_SHL + distance);
}

LLVMValueRef amdgcn_shift(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step,
                          int lanes) {
    LLVMValueRef f = tg_function_of(b);
    int number = generation(f);
    if (number >= 10)
        return move_in_rows(b, at_end(b, edge, cross_rows(b, v, step), step, 2 * ROW), v, step);
    if (number >= 8) {
        v = move(b, edge, v, step < 0 ? WAVE_SHR_1 : WAVE_SHL_1);
        return lanes == 64 ? v : at_end(b, edge, v, step, lanes);
    }
    LLVMValueRef from = LLVMBuildAdd(b, amdgcn_lane(b, lanes), tg_int32(b, step), "");
    return at_end(b, edge, amdgcn_exchange(b, v, from, lanes), step, lanes);
}

/* Shifts one lane at a time. A stencil needs the values of the nearer lanes anyway. Each shift is
 * one instruction. It needs no address and does not wait, unlike ds_bpermute. */
static LLVMValueRef shift_wave(LLVMBuilderRef b, LLVMValueRef v, int distance) {
    for (int i = abs(distance); i > 0; i--)
        v = move(b, NULL, v, distance < 0 ? WAVE_SHR_1 : WAVE_SHL_1);
    return v;
}

LLVMValueRef amdgcn_shuffle(LLVMBuilderRef b, LLVMValueRef v, int distance, int lanes) {
    LLVMValueRef f = tg_function_of(b);
    int number = generation(f);
    if (number >= 10 && lanes == 2 * ROW && abs(distance) < ROW)
        return move_in_rows(b, cross_rows(b, v, distance), v, distance);
    if ((number == 8 || number == 9) && abs(distance) <= MOST_SHIFTS)
        return shift_wave(b, v, distance);
    LLVMValueRef from = LLVMBuildAdd(b, amdgcn_lane(b, lanes), tg_int32(b, distance), "");
    return amdgcn_exchange(b, v, from, lanes);
}

LLVMValueRef amdgcn_uniform(LLVMBuilderRef b, LLVMValueRef v, int lanes) {
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef f = tg_function_of(b);
    if (lanes != amdgcn_group(f) || (lanes == 32 && has_two_groups(f)))
        return v;
    return tg_intrinsic(b, "llvm.amdgcn.readfirstlane", &type, 1, &v, 1);
}

static void fence(LLVMBuilderRef b, LLVMAtomicOrdering ordering, const char *scope) {
    LLVMContextRef c = LLVMGetTypeContext(tg_i32(b));
    LLVMBuildFenceSyncScope(b, ordering, LLVMGetSyncScopeID(c, scope, strlen(scope)), "");
}

/* The same instructions as __syncthreads in HIP's headers. */
void amdgcn_barrier(LLVMBuilderRef b) {
    fence(b, LLVMAtomicOrderingRelease, "workgroup");
    tg_intrinsic(b, "llvm.amdgcn.s.barrier", NULL, 0, NULL, 0);
    fence(b, LLVMAtomicOrderingAcquire, "workgroup");
}

/* Lanes of a wave run in step. The fence only keeps the compiler from changing the order. */
void amdgcn_sync_warp(LLVMBuilderRef b) {
    fence(b, LLVMAtomicOrderingRelease, "wavefront");
    tg_intrinsic(b, "llvm.amdgcn.wave.barrier", NULL, 0, NULL, 0);
    fence(b, LLVMAtomicOrderingAcquire, "wavefront");
}
