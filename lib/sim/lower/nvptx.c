/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rules for llvm.nvvm.*. The CUDA C++ Programming Guide (warp functions) and the PTX ISA define
 * each intrinsic. Approximations (div.approx, ex2.approx, ...) are computed exactly.
 */
#include "sim/lower/lower.h"

#include <stdlib.h>
#include <string.h>

static LLVMValueRef drop(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)lower, (void)call, (void)rule;
    return NULL;
}

static LLVMValueRef constant(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)lower;
    return LLVMConstInt(LLVMTypeOf(call), (unsigned long long)rule->a, 0);
}

/* a: tid, ntid, ctaid or nctaid. The last letter of the name is the dimension. */
static LLVMValueRef id(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    const char *name = sim_callee_name(call);
    int dimension = name[strlen(name) - 1] - 'x';
    if (dimension < 0 || dimension > 2)
        return LLVMConstNull(LLVMTypeOf(call));
    return sim_env(lower, SIM_ENV_IDS + 3 * (unsigned)rule->a + (unsigned)dimension);
}

static LLVMValueRef worker_field(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)call;
    return sim_load_field(lower, sim_env(lower, SIM_ENV_WORKER), (unsigned)rule->a, lower->i32);
}

static LLVMValueRef lane_id(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)call, (void)rule;
    return sim_lane(lower);
}

static LLVMValueRef warp_id(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)call, (void)rule;
    LLVMValueRef linear =
        sim_load_field(lower, sim_env(lower, SIM_ENV_THREAD), SIM_THREAD_LINEAR, lower->i32);
    return LLVMBuildLShr(lower->builder, linear, sim_const32(lower, 5), "");
}

static LLVMValueRef lane_mask(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    LLVMBuilderRef b = lower->builder;
    const char *kind = strrchr(sim_callee_name(call), '.') + 1;
    LLVMValueRef eq = LLVMBuildShl(b, sim_const32(lower, 1), sim_lane(lower), "");
    LLVMValueRef lt = LLVMBuildSub(b, eq, sim_const32(lower, 1), "");
    if (strcmp(kind, "eq") == 0)
        return eq;
    if (strcmp(kind, "lt") == 0)
        return lt;
    if (strcmp(kind, "le") == 0)
        return LLVMBuildOr(b, lt, eq, "");
    if (strcmp(kind, "ge") == 0)
        return LLVMBuildNot(b, lt, "");
    return LLVMBuildNot(b, LLVMBuildOr(b, lt, eq, ""), "");
}

static LLVMValueRef as_type(sim_lower *lower, LLVMValueRef value, LLVMTypeRef type) {
    if (LLVMTypeOf(value) == type)
        return value;
    if (type == lower->i1)
        return LLVMBuildICmp(lower->builder, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)),
                             "");
    return LLVMBuildZExtOrBitCast(lower->builder, value, type, "");
}

/* a: sim_barrier_kind; b: whether a thread count follows the barrier's number. */
static LLVMValueRef barrier(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    unsigned next = 0, nargs = LLVMGetNumArgOperands(call);
    LLVMValueRef number = next < nargs ? sim_operand(call, next++) : NULL;
    LLVMValueRef count = rule->b && next < nargs ? sim_operand(call, next++) : NULL;
    LLVMValueRef predicate = next < nargs ? sim_operand(call, next) : NULL;
    LLVMValueRef result =
        sim_call_barrier(lower, call, (sim_barrier_kind)rule->a, number, count, predicate);
    LLVMTypeRef type = LLVMTypeOf(call);
    return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? NULL : as_type(lower, result, type);
}

/* A result of 32 bits with a predicate in bit 32, as {value, i1}. */
static LLVMValueRef with_predicate(sim_lower *lower, LLVMValueRef bits, LLVMTypeRef pair) {
    LLVMBuilderRef b = lower->builder;
    LLVMTypeRef type = LLVMStructGetTypeAtIndex(pair, 0);
    LLVMValueRef high = LLVMBuildLShr(b, bits, sim_const64(lower, 32), "");
    LLVMValueRef predicate = LLVMBuildTrunc(b, high, lower->i1, "");
    LLVMValueRef result =
        LLVMBuildInsertValue(b, LLVMGetUndef(pair), sim_from_bits(lower, bits, type), 0, "");
    return LLVMBuildInsertValue(b, result, predicate, 1, "");
}

static LLVMValueRef wave_result(sim_lower *lower, LLVMValueRef call, LLVMValueRef bits) {
    LLVMTypeRef type = LLVMTypeOf(call);
    if (!bits || LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return NULL;
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? with_predicate(lower, bits, type)
                                                       : sim_from_bits(lower, bits, type);
}

/* a: the sim_wave_op. The call's first operand is the mask; up to three operands follow. */
static LLVMValueRef masked(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    LLVMValueRef operands[4] = {NULL};
    for (unsigned i = 0; i < 4 && i < LLVMGetNumArgOperands(call); ++i)
        operands[i] = sim_operand(call, i);
    return wave_result(lower, call,
                       sim_call_wave(lower, call, (sim_wave_op)rule->a, operands[0], operands[1],
                                     operands[2], operands[3], NULL));
}

/* The forms for GPUs before Volta. The active lanes take part. */
static LLVMValueRef unmasked(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    LLVMValueRef operands[3] = {NULL};
    for (unsigned i = 0; i < 3 && i < LLVMGetNumArgOperands(call); ++i)
        operands[i] = sim_operand(call, i);
    return wave_result(lower, call,
                       sim_call_wave(lower, call, (sim_wave_op)rule->a, NULL, operands[0],
                                     operands[1], operands[2], NULL));
}

static LLVMValueRef redux(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    return wave_result(lower, call,
                       sim_call_wave(lower, call, (sim_wave_op)rule->a, sim_operand(call, 1),
                                     sim_operand(call, 0), NULL, NULL, NULL));
}

static LLVMValueRef async_copy(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    const char *bytes = strstr(sim_callee_name(call), "shared.global.") + 14;
    return (void)sim_call_copy(lower, call, sim_address(lower, sim_operand(call, 0)),
                               sim_address(lower, sim_operand(call, 1)),
                               sim_const32(lower, (uint64_t)atoi(bytes)),
                               LLVMGetNumArgOperands(call) > 2 ? sim_operand(call, 2) : NULL),
           NULL;
}

static LLVMValueRef async_commit(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)call, (void)rule;
    LLVMValueRef thread = sim_env(lower, SIM_ENV_THREAD);
    lower->function->synchronises = true;
    sim_call_helper(lower, "stencilsim_rt_copy_commit", lower->void_type, &thread, 1);
    return NULL;
}

static LLVMValueRef async_wait(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    LLVMValueRef left = LLVMGetNumArgOperands(call) ? sim_operand(call, 0) : NULL;
    /* wait.all also waits for copies that no commit has put into a group. */
    LLVMValueRef args[] = {sim_env(lower, SIM_ENV_THREAD),
                           left ? left : sim_const32(lower, UINT32_MAX)};
    lower->function->synchronises = true;
    sim_call_helper(lower, "stencilsim_rt_copy_wait", lower->void_type, args, 2);
    return NULL;
}

static LLVMValueRef is_space(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    static const char *const helpers[] = {"stencilsim_rt_is_scratchpad", "stencilsim_rt_is_global"};
    LLVMValueRef args[] = {sim_env(lower, SIM_ENV_THREAD),
                           sim_address(lower, sim_operand(call, 0))};
    if (rule->a < 2)
        return as_type(lower, sim_call_helper(lower, helpers[rule->a], lower->i32, args, 2),
                       lower->i1);
    LLVMValueRef scratchpad = sim_call_helper(lower, helpers[0], lower->i32, args, 2);
    LLVMValueRef global = sim_call_helper(lower, helpers[1], lower->i32, args, 2);
    LLVMValueRef either = LLVMBuildOr(lower->builder, scratchpad, global, "");
    return LLVMBuildICmp(lower->builder, LLVMIntEQ, either, sim_const32(lower, 0), "");
}

static LLVMValueRef cached_load(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    LLVMValueRef load = LLVMBuildLoad2(lower->builder, LLVMTypeOf(call), sim_operand(call, 0), "");
    if (LLVMIsAConstantInt(sim_operand(call, 1)))
        LLVMSetAlignment(load, (unsigned)LLVMConstIntGetZExtValue(sim_operand(call, 1)));
    return load;
}

static LLVMValueRef atomic(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    if (rule->b) {
        LLVMValueRef pair =
            LLVMBuildAtomicCmpXchg(lower->builder, sim_operand(call, 0), sim_operand(call, 1),
                                   sim_operand(call, 2), order, order, 0);
        return LLVMBuildExtractValue(lower->builder, pair, 0, "");
    }
    return LLVMBuildAtomicRMW(lower->builder, (LLVMAtomicRMWBinOp)rule->a, sim_operand(call, 0),
                              sim_operand(call, 1), order, 0);
}

static const sim_rule rules[] = {
    {"llvm.nvvm.read.ptx.sreg.tid.*", id, 0, 0},
    {"llvm.nvvm.read.ptx.sreg.ntid.*", id, 1, 0},
    {"llvm.nvvm.read.ptx.sreg.ctaid.*", id, 2, 0},
    {"llvm.nvvm.read.ptx.sreg.nctaid.*", id, 3, 0},
    {"llvm.nvvm.read.ptx.sreg.laneid", lane_id, 0, 0},
    {"llvm.nvvm.read.ptx.sreg.warpid", warp_id, 0, 0},
    {"llvm.nvvm.read.ptx.sreg.warpsize", worker_field, SIM_WORKER_WAVE, 0},
    {"llvm.nvvm.read.ptx.sreg.lanemask.*", lane_mask, 0, 0},
    {"llvm.nvvm.read.ptx.sreg.dynamic.smem.size", worker_field, SIM_WORKER_DYNAMIC, 0},
    {"llvm.nvvm.read.ptx.sreg.nsmid", constant, 1, 0},
    {"llvm.nvvm.read.ptx.sreg.smid", constant, 0, 0},
    {"llvm.nvvm.read.ptx.sreg.gridid", constant, 0, 0},
    {"llvm.nvvm.read.ptx.sreg.clock*", constant, 0, 0},
    {"llvm.nvvm.read.ptx.sreg.globaltimer*", constant, 0, 0},
    {"llvm.nvvm.reflect*", constant, 0, 0},
    {"llvm.nvvm.barrier.cta.sync.aligned.all", barrier, SIM_BARRIER_SYNC, 0},
    {"llvm.nvvm.barrier.cta.sync.all", barrier, SIM_BARRIER_SYNC, 0},
    {"llvm.nvvm.barrier.cta.sync.*", barrier, SIM_BARRIER_SYNC, 1},
    {"llvm.nvvm.barrier.cta.arrive.*", barrier, SIM_BARRIER_ARRIVE, 1},
    {"llvm.nvvm.barrier.cta.red.popc.aligned.all", barrier, SIM_BARRIER_POPC, 0},
    {"llvm.nvvm.barrier.cta.red.popc.all", barrier, SIM_BARRIER_POPC, 0},
    {"llvm.nvvm.barrier.cta.red.popc.*", barrier, SIM_BARRIER_POPC, 1},
    {"llvm.nvvm.barrier.cta.red.and.aligned.all", barrier, SIM_BARRIER_AND, 0},
    {"llvm.nvvm.barrier.cta.red.and.all", barrier, SIM_BARRIER_AND, 0},
    {"llvm.nvvm.barrier.cta.red.and.*", barrier, SIM_BARRIER_AND, 1},
    {"llvm.nvvm.barrier.cta.red.or.aligned.all", barrier, SIM_BARRIER_OR, 0},
    {"llvm.nvvm.barrier.cta.red.or.all", barrier, SIM_BARRIER_OR, 0},
    {"llvm.nvvm.barrier.cta.red.or.*", barrier, SIM_BARRIER_OR, 1},
    {"llvm.nvvm.bar.warp.sync", masked, SIM_SYNC, 0},
    {"llvm.nvvm.shfl.sync.idx.*", masked, SIM_SHFL_IDX, 0},
    {"llvm.nvvm.shfl.sync.up.*", masked, SIM_SHFL_UP, 0},
    {"llvm.nvvm.shfl.sync.down.*", masked, SIM_SHFL_DOWN, 0},
    {"llvm.nvvm.shfl.sync.bfly.*", masked, SIM_SHFL_BFLY, 0},
    {"llvm.nvvm.shfl.idx.*", unmasked, SIM_SHFL_IDX, 0},
    {"llvm.nvvm.shfl.up.*", unmasked, SIM_SHFL_UP, 0},
    {"llvm.nvvm.shfl.down.*", unmasked, SIM_SHFL_DOWN, 0},
    {"llvm.nvvm.shfl.bfly.*", unmasked, SIM_SHFL_BFLY, 0},
    {"llvm.nvvm.vote.all.sync", masked, SIM_VOTE_ALL, 0},
    {"llvm.nvvm.vote.any.sync", masked, SIM_VOTE_ANY, 0},
    {"llvm.nvvm.vote.uni.sync", masked, SIM_VOTE_UNI, 0},
    {"llvm.nvvm.vote.ballot.sync", masked, SIM_BALLOT, 0},
    {"llvm.nvvm.vote.all", unmasked, SIM_VOTE_ALL, 0},
    {"llvm.nvvm.vote.any", unmasked, SIM_VOTE_ANY, 0},
    {"llvm.nvvm.vote.uni", unmasked, SIM_VOTE_UNI, 0},
    {"llvm.nvvm.vote.ballot", unmasked, SIM_BALLOT, 0},
    {"llvm.nvvm.match.any.sync.*", masked, SIM_MATCH_ANY, 0},
    {"llvm.nvvm.match.all.sync.*", masked, SIM_MATCH_ALL, 0},
    {"llvm.nvvm.elect.sync", masked, SIM_ELECT, 0},
    {"llvm.nvvm.activemask", unmasked, SIM_ACTIVE, 0},
    {"llvm.nvvm.redux.sync.add", redux, SIM_REDUX_ADD, 0},
    {"llvm.nvvm.redux.sync.and", redux, SIM_REDUX_AND, 0},
    {"llvm.nvvm.redux.sync.or", redux, SIM_REDUX_OR, 0},
    {"llvm.nvvm.redux.sync.xor", redux, SIM_REDUX_XOR, 0},
    {"llvm.nvvm.redux.sync.min", redux, SIM_REDUX_MIN, 0},
    {"llvm.nvvm.redux.sync.max", redux, SIM_REDUX_MAX, 0},
    {"llvm.nvvm.redux.sync.umin", redux, SIM_REDUX_UMIN, 0},
    {"llvm.nvvm.redux.sync.umax", redux, SIM_REDUX_UMAX, 0},
    {"llvm.nvvm.cp.async.ca.shared.global.*", async_copy, 0, 0},
    {"llvm.nvvm.cp.async.cg.shared.global.*", async_copy, 0, 0},
    {"llvm.nvvm.cp.async.commit.group", async_commit, 0, 0},
    {"llvm.nvvm.cp.async.wait.group", async_wait, 0, 0},
    {"llvm.nvvm.cp.async.wait.all", async_wait, 0, 0},
    {"llvm.nvvm.membar.*", drop, 0, 0},
    {"llvm.nvvm.fence.*", drop, 0, 0},
    {"llvm.nvvm.nanosleep", drop, 0, 0},
    {"llvm.nvvm.prefetch.*", drop, 0, 0},
    {"llvm.nvvm.griddepcontrol.*", drop, 0, 0},
    {"llvm.nvvm.isspacep.shared", is_space, 0, 0},
    {"llvm.nvvm.isspacep.shared.cluster", is_space, 0, 0},
    {"llvm.nvvm.isspacep.global", is_space, 1, 0},
    {"llvm.nvvm.isspacep.local", is_space, 2, 0},
    {"llvm.nvvm.isspacep.const", constant, 0, 0},
    {"llvm.nvvm.ldg.global.*", cached_load, 0, 0},
    {"llvm.nvvm.ldu.global.*", cached_load, 0, 0},
    {"llvm.nvvm.atomic.add.gen.i.*", atomic, LLVMAtomicRMWBinOpAdd, 0},
    {"llvm.nvvm.atomic.add.gen.f.*", atomic, LLVMAtomicRMWBinOpFAdd, 0},
    {"llvm.nvvm.atomic.exch.gen.i.*", atomic, LLVMAtomicRMWBinOpXchg, 0},
    {"llvm.nvvm.atomic.and.gen.i.*", atomic, LLVMAtomicRMWBinOpAnd, 0},
    {"llvm.nvvm.atomic.or.gen.i.*", atomic, LLVMAtomicRMWBinOpOr, 0},
    {"llvm.nvvm.atomic.xor.gen.i.*", atomic, LLVMAtomicRMWBinOpXor, 0},
    {"llvm.nvvm.atomic.max.gen.i.*", atomic, LLVMAtomicRMWBinOpMax, 0},
    {"llvm.nvvm.atomic.min.gen.i.*", atomic, LLVMAtomicRMWBinOpMin, 0},
    {"llvm.nvvm.atomic.inc.gen.i.*", atomic, LLVMAtomicRMWBinOpUIncWrap, 0},
    {"llvm.nvvm.atomic.dec.gen.i.*", atomic, LLVMAtomicRMWBinOpUDecWrap, 0},
    {"llvm.nvvm.atomic.cas.gen.i.*", atomic, 0, 1},
    {"llvm.nvvm.*", sim_lower_nvvm_math, 0, 0},
    {NULL, NULL, 0, 0},
};

const sim_dialect sim_nvptx = {"nvptx", LLVMPTXKernelCallConv, rules, 32, "32"};
