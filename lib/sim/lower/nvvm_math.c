/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arithmetic among llvm.nvvm.*. Names read llvm.nvvm.OPERATION[.ROUNDING][.ftz].TYPE; only rounding
 * to nearest is modelled, and nothing is flushed to zero.
 */
#include "sim/lower/lower.h"

#include <stdio.h>
#include <string.h>

typedef struct math_rule {
    /* What follows "llvm.nvvm.": a whole name, or its start up to a dot. */
    const char *name;
    /* An intrinsic that takes the call's operands, or NULL: see `special`. */
    const char *intrinsic;
    char special;
} math_rule;

static const math_rule math_rules[] = {
    {"fma.rn", "llvm.fma", 0},
    {"sqrt.rn", "llvm.sqrt", 0},
    {"sqrt.f", "llvm.sqrt", 0},
    {"sqrt.approx", "llvm.sqrt", 0},
    {"fabs", "llvm.fabs", 0},
    {"ceil", "llvm.ceil", 0},
    {"floor", "llvm.floor", 0},
    {"trunc", "llvm.trunc", 0},
    {"round", "llvm.rint", 0},
    {"fmin.nan", "llvm.minimum", 0},
    {"fmax.nan", "llvm.maximum", 0},
    {"fmin.ftz.nan", "llvm.minimum", 0},
    {"fmax.ftz.nan", "llvm.maximum", 0},
    {"fmin", NULL, '<'},
    {"fmax", NULL, '>'},
    {"sin.approx", "llvm.sin", 0},
    {"cos.approx", "llvm.cos", 0},
    {"ex2.approx", "llvm.exp2", 0},
    {"lg2.approx", "llvm.log2", 0},
    {"tanh.approx", "llvm.tanh", 0},
    {"add.rn", NULL, '+'},
    {"mul.rn", NULL, '*'},
    {"div.rn", NULL, '/'},
    {"div.approx", NULL, '/'},
    {"div.full", NULL, '/'},
    {"rcp.rn", NULL, 'r'},
    {"rcp.approx", NULL, 'r'},
    {"rsqrt.approx", NULL, 'q'},
    {"saturate", NULL, 's'},
    {"mulhi.i", NULL, 'h'},
    {"mulhi.ll", NULL, 'h'},
    {"mulhi.s", NULL, 'h'},
    {"mulhi.ui", NULL, 'H'},
    {"mulhi.ull", NULL, 'H'},
    {"mulhi.us", NULL, 'H'},
    {"lohi.i2d", NULL, 'l'},
    {"d2i.lo", NULL, 'L'},
    {"d2i.hi", NULL, 'U'},
    {"mul24.i", NULL, 'm'},
    {"mul24.ui", NULL, 'M'},
    {"prmt", NULL, 'p'},
    {NULL, NULL, 0},
};

static LLVMValueRef multiply_high(sim_lower *lower, LLVMValueRef a, LLVMValueRef b,
                                  bool is_signed) {
    LLVMBuilderRef builder = lower->builder;
    LLVMTypeRef type = LLVMTypeOf(a);
    unsigned width = LLVMGetIntTypeWidth(type);
    LLVMTypeRef wide = LLVMIntTypeInContext(lower->context, 2 * width);
    a = LLVMBuildIntCast2(builder, a, wide, is_signed, "");
    b = LLVMBuildIntCast2(builder, b, wide, is_signed, "");
    LLVMValueRef product = LLVMBuildMul(builder, a, b, "");
    product = LLVMBuildLShr(builder, product, LLVMConstInt(wide, width, 0), "");
    return LLVMBuildTrunc(builder, product, type, "");
}

static LLVMValueRef multiply_24(sim_lower *lower, LLVMValueRef a, LLVMValueRef b, bool is_signed) {
    LLVMBuilderRef builder = lower->builder;
    LLVMValueRef eight = sim_const32(lower, 8);
    a = LLVMBuildShl(builder, a, eight, "");
    b = LLVMBuildShl(builder, b, eight, "");
    a = is_signed ? LLVMBuildAShr(builder, a, eight, "") : LLVMBuildLShr(builder, a, eight, "");
    b = is_signed ? LLVMBuildAShr(builder, b, eight, "") : LLVMBuildLShr(builder, b, eight, "");
    return LLVMBuildMul(builder, a, b, "");
}

static LLVMValueRef saturate(sim_lower *lower, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef at_least_zero = sim_extreme(lower, value, LLVMConstReal(type, 0.0), true);
    return sim_extreme(lower, at_least_zero, LLVMConstReal(type, 1.0), false);
}

/* Selects four bytes of eight. A selector's top bit spreads the byte's sign over the result byte.
 */
static LLVMValueRef permute_bytes(sim_lower *lower, LLVMValueRef a, LLVMValueRef b,
                                  LLVMValueRef selector) {
    LLVMBuilderRef builder = lower->builder;
    LLVMValueRef high = LLVMBuildShl(builder, LLVMBuildZExt(builder, b, lower->i64, ""),
                                     sim_const64(lower, 32), "");
    LLVMValueRef both = LLVMBuildOr(builder, LLVMBuildZExt(builder, a, lower->i64, ""), high, "");
    LLVMValueRef result = sim_const32(lower, 0);
    for (unsigned byte = 0; byte < 4; ++byte) {
        LLVMValueRef pick = LLVMBuildLShr(builder, selector, sim_const32(lower, 4 * byte), "");
        LLVMValueRef index = LLVMBuildAnd(builder, pick, sim_const32(lower, 7), "");
        LLVMValueRef shift = LLVMBuildMul(builder, LLVMBuildZExt(builder, index, lower->i64, ""),
                                          sim_const64(lower, 8), "");
        LLVMValueRef found =
            LLVMBuildTrunc(builder, LLVMBuildLShr(builder, both, shift, ""), lower->i8, "");
        LLVMValueRef sign = LLVMBuildAShr(builder, found, LLVMConstInt(lower->i8, 7, 0), "");
        LLVMValueRef spread = LLVMBuildTrunc(
            builder, LLVMBuildLShr(builder, pick, sim_const32(lower, 3), ""), lower->i1, "");
        found = LLVMBuildSelect(builder, spread, sign, found, "");
        found = LLVMBuildShl(builder, LLVMBuildZExt(builder, found, lower->i32, ""),
                             sim_const32(lower, 8 * byte), "");
        result = LLVMBuildOr(builder, result, found, "");
    }
    return result;
}

static LLVMValueRef double_half(sim_lower *lower, LLVMValueRef value, unsigned shift) {
    LLVMValueRef bits = LLVMBuildBitCast(lower->builder, value, lower->i64, "");
    bits = LLVMBuildLShr(lower->builder, bits, sim_const64(lower, shift), "");
    return LLVMBuildTrunc(lower->builder, bits, lower->i32, "");
}

static LLVMValueRef special(sim_lower *lower, LLVMValueRef call, char what) {
    LLVMBuilderRef b = lower->builder;
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef x = sim_operand(call, 0);
    LLVMValueRef y = LLVMGetNumArgOperands(call) > 1 ? sim_operand(call, 1) : NULL;
    switch (what) {
    case '+':
        return LLVMBuildFAdd(b, x, y, "");
    case '*':
        return LLVMBuildFMul(b, x, y, "");
    case '/':
        return LLVMBuildFDiv(b, x, y, "");
    case 'r':
        return LLVMBuildFDiv(b, LLVMConstReal(type, 1.0), x, "");
    case 'q':
        return LLVMBuildFDiv(b, LLVMConstReal(type, 1.0), sim_call_unary(lower, "llvm.sqrt", x),
                             "");
    case '<':
    case '>':
        return sim_extreme(lower, x, y, what == '>');
    case 's':
        return saturate(lower, x);
    case 'h':
        return multiply_high(lower, x, y, true);
    case 'H':
        return multiply_high(lower, x, y, false);
    case 'm':
        return multiply_24(lower, x, y, true);
    case 'M':
        return multiply_24(lower, x, y, false);
    case 'p':
        return permute_bytes(lower, x, y, sim_operand(call, 2));
    case 'L':
        return double_half(lower, x, 0);
    case 'U':
        return double_half(lower, x, 32);
    default:
        break;
    }
    LLVMValueRef low = LLVMBuildZExt(b, x, lower->i64, ""),
                 high = LLVMBuildZExt(b, y, lower->i64, "");
    high = LLVMBuildShl(b, high, sim_const64(lower, 32), "");
    return LLVMBuildBitCast(b, LLVMBuildOr(b, low, high, ""), lower->f64, "");
}

static LLVMValueRef unknown(sim_lower *lower, const char *name) {
    sim_lower_fail(lower, "the simulator does not know the intrinsic 'llvm.nvvm.%s'", name);
    return NULL;
}

/* Conversions X2Y.ROUNDING. Floats are d and f, integers are i, ui, ll and ull. Others, such as
 * h2f, are refused. */
static LLVMValueRef convert(sim_lower *lower, LLVMValueRef call, const char *name) {
    static const char *const roundings[][2] = {{".rn", "llvm.roundeven"},
                                               {".rz", "llvm.trunc"},
                                               {".rm", "llvm.floor"},
                                               {".rp", "llvm.ceil"}};
    const char *to = strchr(name, '2') + 1;
    LLVMValueRef x = sim_operand(call, 0);
    LLVMTypeRef from_type = LLVMTypeOf(x), type = LLVMTypeOf(call);
    bool from_real = name[0] == 'd' || name[0] == 'f', to_real = to[0] == 'd' || to[0] == 'f';
    const char *mode = strchr(name, '.');
    size_t r = 0;
    while (mode && r < 4 && strncmp(mode, roundings[r][0], 3) != 0)
        ++r;
    if (!mode || r == 4 || (to_real && r != 0) || (!from_real && !to_real))
        return unknown(lower, name);
    if (from_real && to_real)
        return LLVMBuildFPCast(lower->builder, x, type, "");
    if (to_real)
        return name[0] == 'u' ? LLVMBuildUIToFP(lower->builder, x, type, "")
                              : LLVMBuildSIToFP(lower->builder, x, type, "");
    x = sim_call_unary(lower, roundings[r][1], x);
    LLVMTypeRef overloads[] = {type, from_type};
    return sim_call_intrinsic(lower, to[0] == 'u' ? "llvm.fptoui.sat" : "llvm.fptosi.sat",
                              overloads, 2, &x, 1);
}

/* Has the name a suffix that makes it another operation than the name's start says? */
static bool has_modifier(const char *name) {
    static const char *const modifiers[] = {".sat", ".relu", ".xorsign", ".oob"};
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; ++i)
        if (strstr(name, modifiers[i]))
            return true;
    return false;
}

LLVMValueRef sim_lower_nvvm_math(sim_lower *lower, LLVMValueRef call, const sim_rule *rule) {
    (void)rule;
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length) + strlen("llvm.nvvm.");
    if (has_modifier(name))
        return unknown(lower, name);
    for (const math_rule *m = math_rules; m->name; ++m) {
        size_t prefix = strlen(m->name);
        if (strncmp(name, m->name, prefix) != 0 || (name[prefix] && name[prefix] != '.'))
            continue;
        if (!m->intrinsic)
            return special(lower, call, m->special);
        LLVMTypeRef type = LLVMTypeOf(call);
        LLVMValueRef args[3];
        unsigned nargs = LLVMGetNumArgOperands(call);
        for (unsigned i = 0; i < nargs && i < 3; ++i)
            args[i] = sim_operand(call, i);
        return sim_call_intrinsic(lower, m->intrinsic, &type, 1, args, nargs);
    }
    if (strncmp(name, "bitcast.", 8) == 0)
        return LLVMBuildBitCast(lower->builder, sim_operand(call, 0), LLVMTypeOf(call), "");
    if (strchr("dfiul", name[0]) && strcspn(name, "2") <= 3 && strchr(name, '2'))
        return convert(lower, call, name);
    return unknown(lower, name);
}
