/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the stages and the rules build IR with: fields of the machine's structs, calls of the
 * simulator's own functions, values as bits. It also notes the error of a load.
 */
#include "sim/lower/lower.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sim_lower_fail(sim_lower *lower, const char *format, ...) {
    if (!lower->failed && lower->error_size) {
        va_list args;
        va_start(args, format);
        vsnprintf(lower->error, lower->error_size, format, args);
        va_end(args);
    }
    lower->failed = true; /* the first error is the one to report */
    return false;
}

LLVMValueRef sim_operand(LLVMValueRef call, unsigned index) {
    return LLVMGetOperand(call, index);
}

LLVMValueRef sim_const32(sim_lower *lower, uint64_t value) {
    return LLVMConstInt(lower->i32, value, 0);
}

LLVMValueRef sim_const64(sim_lower *lower, uint64_t value) {
    return LLVMConstInt(lower->i64, value, 0);
}

LLVMValueRef sim_env(sim_lower *lower, unsigned which) {
    return lower->function->env[which];
}

void sim_mark_own(sim_lower *lower, LLVMValueRef instruction) {
    LLVMMetadataRef empty = LLVMMDNodeInContext2(lower->context, NULL, 0);
    LLVMSetMetadata(instruction, lower->own_kind, LLVMMetadataAsValue(lower->context, empty));
}

LLVMValueRef sim_load_field(sim_lower *lower, LLVMValueRef base, unsigned offset,
                            LLVMTypeRef type) {
    LLVMValueRef index = sim_const64(lower, offset);
    LLVMValueRef field = LLVMBuildGEP2(lower->builder, lower->i8, base, &index, 1, "");
    LLVMValueRef load = LLVMBuildLoad2(lower->builder, type, field, "");
    sim_mark_own(lower, load);
    return load;
}

void sim_load_env(sim_lower *lower, LLVMValueRef thread, LLVMValueRef worker, LLVMValueRef *env) {
    static const unsigned id_offset[] = {SIM_WORKER_NTID, SIM_WORKER_CTAID, SIM_WORKER_NCTAID};
    env[SIM_ENV_THREAD] = thread;
    env[SIM_ENV_WORKER] = worker;
    env[SIM_ENV_SCRATCHPAD] = sim_load_field(lower, worker, SIM_WORKER_SCRATCHPAD, lower->pointer);
    env[SIM_ENV_CACHES] = sim_load_field(lower, worker, SIM_WORKER_CACHES, lower->pointer);
    for (unsigned i = 0; i < 12; ++i)
        env[SIM_ENV_IDS + i] =
            i < 3 ? sim_load_field(lower, thread, SIM_THREAD_ID + 4 * i, lower->i32)
                  : sim_load_field(lower, worker, id_offset[i / 3 - 1] + 4 * (i % 3), lower->i32);
}

LLVMValueRef sim_call_helper(sim_lower *lower, const char *name, LLVMTypeRef result,
                             LLVMValueRef *args, unsigned nargs) {
    LLVMTypeRef types[8];
    for (unsigned i = 0; i < nargs; ++i)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, nargs, 0);
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, name);
    if (!function) {
        function = LLVMAddFunction(lower->module, name, type);
        static const char *const attributes[] = {"nounwind", "convergent"};
        for (size_t i = 0; i < 2; ++i) {
            unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
            LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                    LLVMCreateEnumAttribute(lower->context, kind, 0));
        }
    }
    return LLVMBuildCall2(lower->builder, type, function, args, nargs, "");
}

LLVMValueRef sim_call_intrinsic(sim_lower *lower, const char *name, LLVMTypeRef *overloads,
                                unsigned noverloads, LLVMValueRef *args, unsigned nargs) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(lower->module, id, overloads, noverloads);
    LLVMTypeRef type = LLVMIntrinsicGetType(lower->context, id, overloads, noverloads);
    return LLVMBuildCall2(lower->builder, type, function, args, nargs, "");
}

LLVMValueRef sim_call_unary(sim_lower *lower, const char *name, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return sim_call_intrinsic(lower, name, &type, 1, &value, 1);
}

const char *sim_callee_name(LLVMValueRef call) {
    size_t length;
    return LLVMGetValueName2(LLVMGetCalledValue(call), &length);
}

LLVMValueRef sim_address(sim_lower *lower, LLVMValueRef pointer) {
    return LLVMBuildPtrToInt(lower->builder, pointer, lower->i64, "");
}

LLVMValueRef sim_to_bits(sim_lower *lower, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return sim_address(lower, value);
    unsigned long long bits = LLVMSizeOfTypeInBits(lower->layout, type);
    if (bits > 64) {
        char *text = LLVMPrintTypeToString(type);
        sim_lower_fail(lower, "exchange of a %s between lanes is not supported", text);
        LLVMDisposeMessage(text);
        return NULL;
    }
    LLVMTypeRef integer = LLVMIntTypeInContext(lower->context, (unsigned)bits);
    if (type != integer)
        value = LLVMBuildBitCast(lower->builder, value, integer, "");
    return LLVMBuildZExt(lower->builder, value, lower->i64, "");
}

LLVMValueRef sim_from_bits(sim_lower *lower, LLVMValueRef bits, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(lower->builder, bits, type, "");
    unsigned width = (unsigned)LLVMSizeOfTypeInBits(lower->layout, type);
    LLVMTypeRef integer = LLVMIntTypeInContext(lower->context, width);
    if (width < 64)
        bits = LLVMBuildTrunc(lower->builder, bits, integer, "");
    return type == integer ? bits : LLVMBuildBitCast(lower->builder, bits, type, "");
}

uint32_t sim_new_site(sim_lower *lower, LLVMValueRef instruction, sim_access_kind kind,
                      uint64_t bytes, uint64_t element_bytes, unsigned alignment) {
    stencilsim_module *out = lower->out;
    if (out->nsites == out->sites_room) {
        out->sites_room = out->sites_room ? 2 * out->sites_room : 64;
        out->sites = realloc(out->sites, out->sites_room * sizeof *out->sites);
    }
    sim_site *site = &out->sites[out->nsites];
    *site = (sim_site){.kind = kind,
                       .bytes = (uint32_t)bytes,
                       .element_bytes = element_bytes ? (uint32_t)element_bytes : 1,
                       .alignment = alignment ? alignment : 1};
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    LLVMMetadataRef scope = location ? LLVMDILocationGetScope(location) : NULL;
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    unsigned length = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    if (name)
        snprintf(site->where, sizeof site->where, ", at %.*s:%u", (int)(length < 80 ? length : 80),
                 name, LLVMDILocationGetLine(location));
    return (uint32_t)out->nsites++;
}

LLVMValueRef sim_call_wave(sim_lower *lower, LLVMValueRef at, sim_wave_op op, LLVMValueRef mask,
                           LLVMValueRef a, LLVMValueRef b, LLVMValueRef c, LLVMValueRef d) {
    lower->function->synchronises = true;
    /* Bit 31 of the operation says that the active lanes take part, and that there is no mask. */
    uint32_t code = (uint32_t)op | (mask ? 0u : 1u << 31);
    LLVMValueRef operands[] = {mask, a, b, c, d};
    LLVMValueRef args[8] = {sim_env(lower, SIM_ENV_THREAD), sim_const32(lower, code),
                            sim_const32(lower, sim_new_site(lower, at, SIM_COPY, 0, 1, 1))};
    for (unsigned i = 0; i < 5; ++i) {
        args[3 + i] = operands[i] ? sim_to_bits(lower, operands[i]) : sim_const64(lower, 0);
        if (!args[3 + i])
            return NULL;
    }
    return sim_call_helper(lower, "stencilsim_rt_wave", lower->i64, args, 8);
}

LLVMValueRef sim_call_barrier(sim_lower *lower, LLVMValueRef at, sim_barrier_kind kind,
                              LLVMValueRef id, LLVMValueRef count, LLVMValueRef predicate) {
    lower->function->synchronises = true;
    LLVMValueRef zero = sim_const32(lower, 0);
    if (predicate && LLVMTypeOf(predicate) == lower->i1)
        predicate = LLVMBuildZExt(lower->builder, predicate, lower->i32, "");
    LLVMValueRef args[] = {sim_env(lower, SIM_ENV_THREAD),
                           sim_const32(lower, kind),
                           id ? id : zero,
                           count ? count : zero,
                           predicate ? predicate : zero,
                           sim_const32(lower, sim_new_site(lower, at, SIM_COPY, 0, 1, 1))};
    return sim_call_helper(lower, "stencilsim_rt_barrier", lower->i32, args, 6);
}

LLVMValueRef sim_call_copy(sim_lower *lower, LLVMValueRef at, LLVMValueRef to, LLVMValueRef from,
                           LLVMValueRef bytes, LLVMValueRef source_bytes) {
    uint64_t size = LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : 1;
    LLVMValueRef site = sim_const32(lower, sim_new_site(lower, at, SIM_COPY, size, size, 1));
    LLVMValueRef args[] = {sim_env(lower, SIM_ENV_THREAD),      to,  from, bytes,
                           source_bytes ? source_bytes : bytes, site};
    /* A copy lands at a wait. So each thread has a queue of copies, and must be a fiber. */
    lower->function->synchronises = true;
    return sim_call_helper(lower, "stencilsim_rt_copy", lower->void_type, args, 6);
}

LLVMValueRef sim_lane(sim_lower *lower) {
    LLVMValueRef linear =
        sim_load_field(lower, sim_env(lower, SIM_ENV_THREAD), SIM_THREAD_LINEAR, lower->i32);
    LLVMValueRef wave =
        sim_load_field(lower, sim_env(lower, SIM_ENV_WORKER), SIM_WORKER_WAVE, lower->i32);
    LLVMValueRef last = LLVMBuildSub(lower->builder, wave, sim_const32(lower, 1), "");
    return LLVMBuildAnd(lower->builder, linear, last, "");
}
