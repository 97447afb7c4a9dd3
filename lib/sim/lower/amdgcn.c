/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rules for llvm.amdgcn.*. LLVM's AMDGPU usage guide and AMD's ISA manuals (GCN3, CDNA3) define
 * each intrinsic. Waits and scheduling hints become nothing.
 */
#include "sim/lower/lower.h"

#include <string.h>

static LLVMValueRef drop(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)lower, (void)rule;
    LLVMTypeRef type = LLVMTypeOf(call);
    return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? NULL : LLVMConstNull(type);
}

static LLVMValueRef id(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    const char *name = sim_callee_name(call);
    unsigned dimension = (unsigned)(name[strlen(name) - 1] - 'x');
    return sim_env(lower, SIM_ENV_IDS + 3 * (unsigned)rule->a + dimension);
}

static LLVMValueRef worker_field(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    LLVMTypeRef type = LLVMTypeOf(call);
    bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    LLVMValueRef field = sim_load_field(lower, sim_env(lower, SIM_ENV_WORKER), (unsigned)rule->a,
                                        pointer ? lower->pointer : type);
    if (!pointer || LLVMGetPointerAddressSpace(type) == 0)
        return field;
    return LLVMBuildAddrSpaceCast(lower->builder, field, type, "");
}

/* mbcnt: counts the lanes of the mask before this lane. a: 0 for lanes 0-31, 32 for lanes 32-63. */
static LLVMValueRef count_lanes(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef lane = LLVMBuildZExt(b, sim_lane(lower), lower->i64, "");
    LLVMValueRef before = LLVMBuildSub(b, LLVMBuildShl(b, sim_const64(lower, 1), lane, ""),
                                       sim_const64(lower, 1), "");
    before = LLVMBuildLShr(b, before, sim_const64(lower, (uint64_t)rule->a), "");
    before = LLVMBuildTrunc(b, before, lower->i32, "");
    LLVMValueRef set = LLVMBuildAnd(b, before, sim_operand(call, 0), "");
    LLVMTypeRef type = lower->i32;
    LLVMValueRef count = sim_call_intrinsic(lower, "llvm.ctpop", &type, 1, &set, 1);
    return LLVMBuildAdd(b, count, sim_operand(call, 1), "");
}

static LLVMValueRef barrier(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    sim_call_barrier(lower, call, (sim_barrier_kind)rule->a, NULL, NULL, NULL);
    return NULL;
}

static LLVMValueRef finish(sim_lower *lower, LLVMValueRef call, LLVMValueRef bits) {
    LLVMTypeRef type = LLVMTypeOf(call);
    if (!bits || LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return NULL;
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return sim_from_bits(lower, bits, type);
    LLVMBuilderRef b = lower->builder; /* here: the swaps, whose results are two words */
    LLVMValueRef high = LLVMBuildLShr(b, bits, sim_const64(lower, 32), "");
    LLVMValueRef pair =
        LLVMBuildInsertValue(b, LLVMGetUndef(type), sim_from_bits(lower, bits, lower->i32), 0, "");
    return LLVMBuildInsertValue(b, pair, sim_from_bits(lower, high, lower->i32), 1, "");
}

/* a: the sim_wave_op. b: the number of operands of the call that it takes. */
static LLVMValueRef wave(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    LLVMValueRef operands[4] = {NULL};
    for (int i = 0; i < rule->b; ++i)
        operands[i] = sim_operand(call, (unsigned)i);
    return finish(lower, call,
                  sim_call_wave(lower, call, (sim_wave_op)rule->a, NULL, operands[0], operands[1],
                                operands[2], operands[3]));
}

/* ds_bpermute. From GFX10 on it exchanges values within halves of 32 lanes only: RDNA3's ISA
 * manual, DS_BPERMUTE_B32. */
static LLVMValueRef permute_back(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef from = sim_operand(call, 0);
    if (lower->function->halves) {
        LLVMValueRef half = LLVMBuildAnd(b, sim_lane(lower), sim_const32(lower, 32), "");
        half = LLVMBuildShl(b, half, sim_const32(lower, 2), "");
        from = LLVMBuildOr(b, LLVMBuildAnd(b, from, sim_const32(lower, 127), ""), half, "");
    }
    return finish(
        lower, call,
        sim_call_wave(lower, call, SIM_BPERMUTE, NULL, from, sim_operand(call, 1), NULL, NULL));
}

/* a: 1 if the call has an operand `old`, for lanes that read none. The controls are packed into one
 * word, which wave_eval.c unpacks. */
static LLVMValueRef dpp(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    unsigned at = rule->a ? 2 : 1;
    uint64_t control[4];
    for (unsigned i = 0; i < 4; ++i)
        control[i] = LLVMConstIntGetZExtValue(sim_operand(call, at + i));
    LLVMValueRef source = sim_operand(call, at - 1);
    LLVMValueRef old = rule->a ? sim_operand(call, 0) : LLVMConstNull(LLVMTypeOf(source));
    uint64_t packed = control[0] | control[1] << 16 | control[2] << 20 | control[3] << 24;
    return finish(
        lower, call,
        sim_call_wave(lower, call, SIM_DPP, NULL, old, source, sim_const64(lower, packed), NULL));
}

/* The call's operands: old, source, selector 0, selector 1, fetch inactive, bound control. */
static LLVMValueRef permute_row(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef low = LLVMBuildZExt(b, sim_operand(call, 2), lower->i64, "");
    LLVMValueRef high = LLVMBuildZExt(b, sim_operand(call, 3), lower->i64, "");
    LLVMValueRef selectors =
        LLVMBuildOr(b, low, LLVMBuildShl(b, high, sim_const64(lower, 32), ""), "");
    return finish(lower, call,
                  sim_call_wave(lower, call, (sim_wave_op)rule->a, NULL, sim_operand(call, 0),
                                sim_operand(call, 1), selectors, sim_operand(call, 5)));
}

static LLVMValueRef write_lane(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    LLVMValueRef here =
        LLVMBuildICmp(lower->builder, LLVMIntEQ, sim_lane(lower), sim_operand(call, 1), "");
    return LLVMBuildSelect(lower->builder, here, sim_operand(call, 0), sim_operand(call, 2), "");
}

/* icmp and fcmp: the mask of lanes for which a comparison is true. */
static LLVMValueRef compare(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    int predicate = (int)LLVMConstIntGetZExtValue(sim_operand(call, 2));
    LLVMValueRef x = sim_operand(call, 0), y = sim_operand(call, 1);
    LLVMValueRef bit = rule->a
                           ? LLVMBuildFCmp(lower->builder, (LLVMRealPredicate)predicate, x, y, "")
                           : LLVMBuildICmp(lower->builder, (LLVMIntPredicate)predicate, x, y, "");
    return finish(lower, call, sim_call_wave(lower, call, SIM_BALLOT, NULL, bit, NULL, NULL, NULL));
}

static LLVMValueRef inverse_ballot(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    LLVMValueRef mask = sim_operand(call, 0);
    LLVMValueRef lane = LLVMBuildIntCast2(lower->builder, sim_lane(lower), LLVMTypeOf(mask), 0, "");
    return LLVMBuildTrunc(lower->builder, LLVMBuildLShr(lower->builder, mask, lane, ""), lower->i1,
                          "");
}

static LLVMValueRef is_space(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    LLVMValueRef args[] = {sim_env(lower, SIM_ENV_THREAD),
                           sim_address(lower, sim_operand(call, 0))};
    LLVMValueRef found = sim_call_helper(lower, "stencilsim_rt_is_scratchpad", lower->i32, args, 2);
    if (rule->a) {
        LLVMValueRef global =
            sim_call_helper(lower, "stencilsim_rt_is_global", lower->i32, args, 2);
        found = LLVMBuildOr(lower->builder, found, global, "");
    }
    return LLVMBuildICmp(lower->builder, rule->a ? LLVMIntEQ : LLVMIntNE, found,
                         sim_const32(lower, 0), "");
}

static LLVMValueRef math(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    LLVMBuilderRef b = lower->builder;
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef x = sim_operand(call, 0);
    LLVMValueRef y = LLVMGetNumArgOperands(call) > 1 ? sim_operand(call, 1) : NULL;
    switch (rule->a) {
    case 'r':
        return LLVMBuildFDiv(b, LLVMConstReal(type, 1.0), x, "");
    case 'q':
        return LLVMBuildFDiv(b, LLVMConstReal(type, 1.0), sim_call_unary(lower, "llvm.sqrt", x),
                             "");
    case 's':
        return sim_call_unary(lower, "llvm.sqrt", x);
    case 'e':
        return sim_call_unary(lower, "llvm.exp2", x);
    case 'l':
        return sim_call_unary(lower, "llvm.log2", x);
    case 'f':
        return LLVMBuildFSub(b, x, sim_call_unary(lower, "llvm.floor", x), "");
    default:
        break;
    }
    if (rule->a == '3') { /* v_med3: the median of three */
        LLVMValueRef low = sim_extreme(lower, x, y, false), high = sim_extreme(lower, x, y, true);
        LLVMValueRef less = sim_extreme(lower, high, sim_operand(call, 2), false);
        return sim_extreme(lower, low, less, true);
    }
    LLVMValueRef eight = sim_const32(lower, 8);
    x = LLVMBuildShl(b, x, eight, "");
    y = LLVMBuildShl(b, y, eight, "");
    x = rule->b ? LLVMBuildAShr(b, x, eight, "") : LLVMBuildLShr(b, x, eight, "");
    y = rule->b ? LLVMBuildAShr(b, y, eight, "") : LLVMBuildLShr(b, y, eight, "");
    return LLVMBuildMul(b, x, y, "");
}

static const sim_rule rules[] = {
    {"llvm.amdgcn.workitem.id.*", id, 0, 0},
    {"llvm.amdgcn.workgroup.id.*", id, 2, 0},
    {"llvm.amdgcn.implicitarg.ptr", worker_field, SIM_WORKER_IMPLICIT, 0},
    {"llvm.amdgcn.dispatch.ptr", worker_field, SIM_WORKER_DISPATCH, 0},
    {"llvm.amdgcn.wavefrontsize", worker_field, SIM_WORKER_WAVE, 0},
    {"llvm.amdgcn.groupstaticsize", worker_field, SIM_WORKER_STATIC, 0},
    {"llvm.amdgcn.mbcnt.lo", count_lanes, 0, 0},
    {"llvm.amdgcn.mbcnt.hi", count_lanes, 32, 0},
    {"llvm.amdgcn.s.barrier", barrier, SIM_BARRIER_SYNC, 0},
    {"llvm.amdgcn.s.barrier.signal", barrier, SIM_BARRIER_ARRIVE, 0},
    {"llvm.amdgcn.s.barrier.wait", barrier, SIM_BARRIER_WAIT, 0},
    {"llvm.amdgcn.wave.barrier", wave, SIM_SYNC, 0},
    {"llvm.amdgcn.ds.bpermute", permute_back, 0, 0},
    {"llvm.amdgcn.ds.permute", wave, SIM_PERMUTE, 2},
    {"llvm.amdgcn.ds.swizzle", wave, SIM_SWIZZLE, 2},
    {"llvm.amdgcn.update.dpp.*", dpp, 1, 0},
    {"llvm.amdgcn.mov.dpp.*", dpp, 0, 0},
    {"llvm.amdgcn.readlane*", wave, SIM_READLANE, 2},
    {"llvm.amdgcn.readfirstlane*", wave, SIM_READFIRST, 1},
    {"llvm.amdgcn.writelane*", write_lane, 0, 0},
    {"llvm.amdgcn.permlane16.swap", wave, SIM_SWAP16, 2},
    {"llvm.amdgcn.permlane32.swap", wave, SIM_SWAP32, 2},
    {"llvm.amdgcn.permlane16*", permute_row, SIM_PERMLANE16, 0},
    {"llvm.amdgcn.permlanex16*", permute_row, SIM_PERMLANEX16, 0},
    {"llvm.amdgcn.permlane64*", wave, SIM_PERMLANE64, 1},
    {"llvm.amdgcn.ballot.*", wave, SIM_BALLOT, 1},
    {"llvm.amdgcn.icmp.*", compare, 0, 0},
    {"llvm.amdgcn.fcmp.*", compare, 1, 0},
    {"llvm.amdgcn.inverse.ballot.*", inverse_ballot, 0, 0},
    {"llvm.amdgcn.is.shared", is_space, 0, 0},
    {"llvm.amdgcn.is.private", is_space, 1, 0},
    {"llvm.amdgcn.s.wait*", drop, 0, 0},
    {"llvm.amdgcn.s.nop", drop, 0, 0},
    {"llvm.amdgcn.s.sleep*", drop, 0, 0},
    {"llvm.amdgcn.s.setprio*", drop, 0, 0},
    {"llvm.amdgcn.s.memtime", drop, 0, 0},
    {"llvm.amdgcn.s.memrealtime", drop, 0, 0},
    {"llvm.amdgcn.s.prefetch*", drop, 0, 0},
    {"llvm.amdgcn.sched.*", drop, 0, 0},
    {"llvm.amdgcn.iglp.opt", drop, 0, 0},
    {"llvm.amdgcn.wqm.*", sim_same, 0, 0},
    {"llvm.amdgcn.rcp.*", math, 'r', 0},
    {"llvm.amdgcn.rsq.*", math, 'q', 0},
    {"llvm.amdgcn.sqrt.*", math, 's', 0},
    {"llvm.amdgcn.exp2.*", math, 'e', 0},
    {"llvm.amdgcn.log.*", math, 'l', 0},
    {"llvm.amdgcn.fract.*", math, 'f', 0},
    {"llvm.amdgcn.fmed3.*", math, '3', 0},
    {"llvm.amdgcn.mul.i24*", math, 'm', 1},
    {"llvm.amdgcn.mul.u24*", math, 'm', 0},
    {NULL, NULL, 0, 0},
};

const sim_dialect sim_amdgcn = {"amdgcn", LLVMAMDGPUKERNELCallConv, rules, 64, "32, 64"};
