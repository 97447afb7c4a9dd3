/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rules for calls that both device targets use, and for the device math libraries where they were
 * not linked. The host's function of the same name replaces __nv_* and __ocml_*.
 */
#include "sim/lower/lower.h"

#include <stdio.h>
#include <string.h>

static LLVMValueRef drop(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)lower, (void)rule;
    LLVMTypeRef type = LLVMTypeOf(call);
    return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? NULL : LLVMGetUndef(type);
}

LLVMValueRef sim_same(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)lower, (void)rule;
    return sim_operand(call, 0);
}

/* Both device code generators turn fmuladd into one fused operation. */
static LLVMValueRef fuse(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef args[] = {sim_operand(call, 0), sim_operand(call, 1), sim_operand(call, 2)};
    return sim_call_intrinsic(lower, "llvm.fma", &type, 1, args, 3);
}

static LLVMValueRef trap(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    LLVMValueRef args[] = {sim_env(lower, SIM_ENV_THREAD),
                           sim_const32(lower, sim_new_site(lower, call, SIM_LOAD, 0, 1, 1))};
    sim_call_helper(lower, "stencilsim_rt_trap", lower->void_type, args, 2);
    LLVMTypeRef type = LLVMTypeOf(call);
    return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? NULL : LLVMGetUndef(type);
}

/* The integer type with the bits of a floating-point type, or of a vector of one. */
static LLVMTypeRef bits_of(sim_lower *lower, LLVMTypeRef type) {
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = vector ? LLVMGetElementType(type) : type;
    unsigned size = (unsigned)LLVMSizeOfTypeInBits(lower->layout, element);
    LLVMTypeRef integer = LLVMIntTypeInContext(lower->context, size);
    return vector ? LLVMVectorType(integer, LLVMGetVectorSize(type)) : integer;
}

/* Of two equal numbers, only zeros can differ in their bits. Then `and` of the bits gives the
 * greater zero, `or` the lesser one. */
LLVMValueRef sim_extreme(sim_lower *lower, LLVMValueRef x, LLVMValueRef y, bool is_max) {
    LLVMBuilderRef b = lower->builder;
    LLVMTypeRef type = LLVMTypeOf(x), bits = bits_of(lower, type);
    LLVMValueRef i = LLVMBuildBitCast(b, x, bits, ""), k = LLVMBuildBitCast(b, y, bits, "");
    LLVMValueRef ordered = is_max ? LLVMBuildAnd(b, i, k, "") : LLVMBuildOr(b, i, k, "");
    LLVMValueRef better = LLVMBuildFCmp(b, is_max ? LLVMRealOGT : LLVMRealOLT, x, y, "");
    LLVMValueRef alone = LLVMBuildFCmp(b, LLVMRealUNO, y, y, "");
    LLVMValueRef one = LLVMBuildSelect(b, LLVMBuildOr(b, better, alone, ""), x, y, "");
    LLVMValueRef same = LLVMBuildFCmp(b, LLVMRealOEQ, x, y, "");
    return LLVMBuildSelect(b, same, LLVMBuildBitCast(b, ordered, type, ""), one, "");
}

static LLVMValueRef extreme(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    return sim_extreme(lower, sim_operand(call, 0), sim_operand(call, 1), rule->a);
}

/* Is it a function of jit.c's table that takes and returns one type? The float form's name ends
 * with `f`. */
static bool is_math_name(const char *name, size_t length) {
    static const char *const names[] = {
        "sin",    "cos",      "tan",       "asin",  "acos",  "atan",  "atan2", "sinh",  "cosh",
        "tanh",   "exp",      "exp2",      "exp10", "expm1", "log",   "log2",  "log10", "log1p",
        "pow",    "sqrt",     "cbrt",      "hypot", "fabs",  "floor", "ceil",  "trunc", "rint",
        "round",  "fmod",     "remainder", "fmin",  "fmax",  "fma",   "erf",   "erfc",  "tgamma",
        "lgamma", "copysign", "asinh",     "acosh", "atanh", "fdim"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
            return true;
    return false;
}

static LLVMValueRef library_call(sim_lower *lower, LLVMValueRef call, const char *name,
                                 size_t length) {
    LLVMTypeRef type = LLVMTypeOf(call);
    char host[32];
    snprintf(host, sizeof host, "%.*s%s", (int)length, name, type == lower->f32 ? "f" : "");
    LLVMValueRef args[4];
    LLVMTypeRef types[4];
    unsigned nargs = LLVMGetNumArgOperands(call);
    bool fits = nargs <= 4 && (type == lower->f32 || type == lower->f64);
    for (unsigned i = 0; fits && i < nargs; ++i) {
        args[i] = sim_operand(call, i);
        types[i] = LLVMTypeOf(args[i]);
        fits = types[i] == type;
    }
    if (!fits || !is_math_name(name, length)) {
        size_t full;
        sim_lower_fail(lower, "the simulator does not know the function '%s'",
                       LLVMGetValueName2(LLVMGetCalledValue(call), &full));
        return NULL;
    }
    LLVMTypeRef function_type = LLVMFunctionType(type, types, nargs, 0);
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, host);
    if (!function)
        function = LLVMAddFunction(lower->module, host, function_type);
    return LLVMBuildCall2(lower->builder, function_type, function, args, nargs, "");
}

static LLVMValueRef libdevice(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length) + 5;
    length -= 5;
    if (LLVMTypeOf(call) == lower->f32 && length && name[length - 1] == 'f' &&
        !is_math_name(name, length))
        --length;
    return library_call(lower, call, name, length);
}

static LLVMValueRef ocml(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length) + 7;
    const char *end = strrchr(name, '_');
    return library_call(lower, call, name, end ? (size_t)(end - name) : length - 7);
}

static LLVMValueRef zero(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)lower, (void)rule;
    return LLVMConstNull(LLVMTypeOf(call));
}

const sim_rule sim_rules_common[] = {
    {"llvm.lifetime.*", drop, 0, 0},
    {"llvm.assume", drop, 0, 0},
    {"llvm.dbg.*", drop, 0, 0},
    {"llvm.invariant.*", drop, 0, 0},
    {"llvm.experimental.noalias.scope.decl", drop, 0, 0},
    {"llvm.donothing", drop, 0, 0},
    {"llvm.sideeffect", drop, 0, 0},
    {"llvm.pseudoprobe", drop, 0, 0},
    {"llvm.prefetch.*", drop, 0, 0},
    {"llvm.launder.invariant.group.*", sim_same, 0, 0},
    {"llvm.strip.invariant.group.*", sim_same, 0, 0},
    {"llvm.arithmetic.fence.*", sim_same, 0, 0},
    {"llvm.fmuladd.*", fuse, 0, 0},
    {"llvm.minnum.*", extreme, 0, 0},
    {"llvm.maxnum.*", extreme, 1, 0},
    {"llvm.minimumnum.*", extreme, 0, 0},
    {"llvm.maximumnum.*", extreme, 1, 0},
    {"__nv_fmin", extreme, 0, 0},
    {"__nv_fmax", extreme, 1, 0},
    {"__nv_fminf", extreme, 0, 0},
    {"__nv_fmaxf", extreme, 1, 0},
    {"__ocml_fmin_*", extreme, 0, 0},
    {"__ocml_fmax_*", extreme, 1, 0},
    {"llvm.trap", trap, 0, 0},
    {"llvm.debugtrap", trap, 0, 0},
    {"llvm.ubsantrap", trap, 0, 0},
    {"__assertfail", trap, 0, 0},
    {"__assert_fail", trap, 0, 0},
    {"llvm.readcyclecounter", zero, 0, 0},
    {"llvm.readsteadycounter", zero, 0, 0},
    {"__nvvm_reflect", zero, 0, 0},
    {"__nv_*", libdevice, 0, 0},
    {"__ocml_*", ocml, 0, 0},
    {NULL, NULL, 0, 0},
};
