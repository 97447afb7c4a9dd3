/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes one entry per kernel. It loads the arguments and the ids once. Then it runs one thread, as
 * a fiber. A kernel that never synchronises runs all threads of the block in one loop. The
 * optimiser inlines the kernel there.
 */
#include "sim/lower/lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does the kernel, or a function that was not inlined, meet other threads? */
static bool synchronises(const sim_lower *lower, const sim_function *function) {
    bool result = function->synchronises;
    for (size_t f = 0; f < lower->nfunctions; ++f)
        result |= !lower->functions[f].kernel && lower->functions[f].synchronises;
    return result;
}

typedef struct loop {
    LLVMBasicBlockRef head, latch;
    LLVMValueRef index, end;
} loop;

static loop open_loop(sim_lower *lower, LLVMValueRef function, LLVMValueRef end) {
    LLVMBuilderRef b = lower->builder;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    loop l = {.head = LLVMAppendBasicBlockInContext(lower->context, function, ""),
              .latch = LLVMAppendBasicBlockInContext(lower->context, function, ""),
              .end = end};
    LLVMBuildBr(b, l.head);
    LLVMPositionBuilderAtEnd(b, l.head);
    l.index = LLVMBuildPhi(b, lower->i32, "");
    LLVMValueRef zero = sim_const32(lower, 0);
    LLVMAddIncoming(l.index, &zero, &from, 1);
    return l;
}

/* The loop's test is at its end: every extent is at least 1. */
static void close_loop(sim_lower *lower, LLVMValueRef function, loop *l) {
    LLVMBuilderRef b = lower->builder;
    LLVMBuildBr(b, l->latch);
    LLVMPositionBuilderAtEnd(b, l->latch);
    LLVMValueRef next = LLVMBuildAdd(b, l->index, sim_const32(lower, 1), "");
    LLVMAddIncoming(l->index, &next, &l->latch, 1);
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntULT, next, l->end, "");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(lower->context, function, "");
    LLVMBuildCondBr(b, more, l->head, out);
    LLVMPositionBuilderAtEnd(b, out);
}

static void store_id(sim_lower *lower, LLVMValueRef thread, unsigned offset, LLVMValueRef value) {
    LLVMValueRef index = sim_const64(lower, offset);
    LLVMValueRef field = LLVMBuildGEP2(lower->builder, lower->i8, thread, &index, 1, "");
    LLVMBuildStore(lower->builder, value, field);
}

static void emit_thread_loops(sim_lower *lower, LLVMValueRef entry, LLVMValueRef body,
                              LLVMValueRef *values, unsigned nvalues) {
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef thread = values[SIM_ENV_THREAD], *ntid = values + SIM_ENV_IDS + 3;
    loop loops[3];
    for (int d = 2; d >= 0; --d) {
        loops[d] = open_loop(lower, entry, ntid[d]);
        values[SIM_ENV_IDS + d] = loops[d].index;
        store_id(lower, thread, SIM_THREAD_ID + 4 * (unsigned)d, loops[d].index);
    }
    LLVMValueRef linear = LLVMBuildMul(b, loops[2].index, ntid[1], "");
    linear = LLVMBuildMul(b, LLVMBuildAdd(b, linear, loops[1].index, ""), ntid[0], "");
    store_id(lower, thread, SIM_THREAD_LINEAR, LLVMBuildAdd(b, linear, loops[0].index, ""));
    LLVMBuildCall2(b, LLVMGlobalGetValueType(body), body, values, nvalues, "");
    for (int d = 0; d < 3; ++d)
        close_loop(lower, entry, &loops[d]);
}

static void load_values(sim_lower *lower, const sim_function *function, LLVMValueRef entry,
                        LLVMValueRef *values) {
    sim_load_env(lower, LLVMGetParam(entry, 0), LLVMGetParam(entry, 1), values);
    const sim_kernel *kernel = function->kernel;
    for (unsigned p = 0; p < kernel->nparams; ++p) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function->value, SIM_ENV_COUNT + p));
        LLVMValueRef from = sim_load_field(lower, LLVMGetParam(entry, 2), 8 * p, lower->pointer);
        bool aggregate = kernel->param_types[p][0] == '\0';
        if (!aggregate) {
            values[SIM_ENV_COUNT + p] = LLVMBuildLoad2(lower->builder, type, from, "");
            LLVMSetAlignment(values[SIM_ENV_COUNT + p], 1);
        } else {
            values[SIM_ENV_COUNT + p] = LLVMGetPointerAddressSpace(type)
                                            ? LLVMBuildAddrSpaceCast(lower->builder, from, type, "")
                                            : from;
        }
    }
}

static void emit_driver(sim_lower *lower, sim_function *function) {
    sim_kernel *kernel = function->kernel;
    kernel->synchronises = synchronises(lower, function);
    char name[64];
    snprintf(name, sizeof name, "stencilsim.entry.%zu", (size_t)(kernel - lower->out->kernels));
    LLVMTypeRef types[] = {lower->pointer, lower->pointer, lower->pointer};
    LLVMValueRef entry =
        LLVMAddFunction(lower->module, name, LLVMFunctionType(lower->void_type, types, 3, 0));
    LLVMPositionBuilderAtEnd(lower->builder,
                             LLVMAppendBasicBlockInContext(lower->context, entry, ""));
    unsigned nvalues = SIM_ENV_COUNT + kernel->nparams;
    LLVMValueRef *values = calloc(nvalues, sizeof *values), body = function->value;
    load_values(lower, function, entry, values);
    if (kernel->synchronises)
        LLVMBuildCall2(lower->builder, LLVMGlobalGetValueType(body), body, values, nvalues, "");
    else
        emit_thread_loops(lower, entry, body, values, nvalues);
    LLVMBuildRetVoid(lower->builder);
    free(values);
}

/* Device globals stay where the JIT puts them; their ranges are looked up after linking. */
static bool name_globals(sim_lower *lower) {
    stencilsim_module *out = lower->out;
    size_t count = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(lower->module); g; g = LLVMGetNextGlobal(g))
        ++count;
    out->globals = calloc(count + 1, sizeof *out->globals);
    for (LLVMValueRef g = LLVMGetFirstGlobal(lower->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        size_t length;
        const char *old = LLVMGetValueName2(g, &length);
        if (strncmp(old, "llvm.", 5) == 0) {
            LLVMDeleteGlobal(g);
            continue;
        }
        if (LLVMIsDeclaration(g)) {
            if (LLVMGetFirstUse(g))
                return sim_lower_fail(lower, "the global variable '%s' is not defined", old);
            continue;
        }
        char label[160], name[64];
        snprintf(label, sizeof label, "global '%s'", old);
        snprintf(name, sizeof name, "stencilsim.global.%zu", out->nglobals);
        out->globals[out->nglobals++] =
            (sim_range){.bytes = LLVMABISizeOfType(lower->layout, LLVMGlobalGetValueType(g)),
                        .label = strdup(label)};
        LLVMSetValueName2(g, name, strlen(name));
        LLVMSetLinkage(g, LLVMExternalLinkage);
        LLVMSetVisibility(g, LLVMDefaultVisibility);
        LLVMSetSection(g, "");
    }
    return true;
}

bool sim_emit_drivers(sim_lower *lower) {
    /* The builder still has the debug location of an earlier instruction. */
    LLVMSetCurrentDebugLocation2(lower->builder, NULL);
    for (size_t f = 0; f < lower->nfunctions; ++f)
        if (lower->functions[f].kernel)
            emit_driver(lower, &lower->functions[f]);
    return name_globals(lower) && !lower->failed;
}
