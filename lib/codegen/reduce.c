/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions in kernels. Each thread's value becomes a number, of which the greatest or the sum is
 * wanted (include/stencilopt/region.h says how). So the order does not matter. A warp combines the
 * numbers of its threads by exchanges, and its first lane adds the result to a slot. There are many
 * slots, because additions to one slot wait for each other.
 *
 * A thread with several cells first joins their values. There floats are compared directly, which
 * takes one operation a cell. A NaN stays a NaN. Of zeros of both signs either is taken. So a zero
 * counts as one of both signs, unless it is an absolute value. The runtime does not decide by such
 * a zero: the sweeps' own kernels make that step again.
 */
#include "codegen/reduce.h"

#include "codegen/build.h"
#include "codegen/sum.h"
#include "stencilopt/region.h"

#include <string.h>

enum { LANES = 32 }; /* what every GPU exchanges among */

static LLVMTypeRef integer_of(const gen_expr *e, st_type t) {
    return LLVMIntTypeInContext(e->context, (unsigned)(8 * st_type_size(t)));
}

/* The key of a float: see region.h. */
static LLVMValueRef float_key(const gen_expr *e, st_type t, st_reduce_op op, LLVMValueRef v) {
    LLVMBuilderRef b = e->b;
    LLVMTypeRef bits = integer_of(e, t);
    unsigned long long top = 1ull << (8 * st_type_size(t) - 1);
    LLVMValueRef x = LLVMBuildBitCast(b, v, bits, ""), sign = LLVMConstInt(bits, top, false);
    LLVMValueRef zero = LLVMBuildFCmp(b, LLVMRealOEQ, v, LLVMConstNull(LLVMTypeOf(v)), "");
    if (op == ST_REDUCE_MAX)
        x = LLVMBuildSelect(b, zero, LLVMBuildXor(b, x, sign, ""), x, "");
    LLVMValueRef negative = gen_less(e, x, LLVMConstNull(bits));
    return LLVMBuildSelect(b, negative, LLVMBuildNot(b, x, ""), LLVMBuildXor(b, x, sign, ""), "");
}

static LLVMValueRef integer_key(const gen_expr *e, const st_reduction *r, st_type t,
                                LLVMValueRef v) {
    unsigned long long top = 1ull << (8 * st_type_size(t) - 1);
    LLVMValueRef sign = LLVMConstInt(LLVMTypeOf(v), top, false);
    return r->is_signed ? LLVMBuildXor(e->b, v, sign, "") : v;
}

LLVMValueRef gen_reduced_number(const gen_expr *e, const st_reduction *r, st_type t,
                                LLVMValueRef v) {
    LLVMBuilderRef b = e->b;
    bool is_float = st_type_is_float(t);
    if (is_float && r->op == ST_REDUCE_SUM)
        return gen_sum_number(e, v);
    LLVMValueRef key = r->op == ST_REDUCE_SUM ? v
                       : is_float             ? float_key(e, t, r->op, v)
                                              : integer_key(e, r, t, v);
    key = LLVMBuildZExtOrBitCast(b, key, gen_i64(e), "");
    if (r->op == ST_REDUCE_MIN)
        key = LLVMBuildNot(b, key, "");
    if (!is_float)
        return key;
    LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, v, v, "");
    return LLVMBuildSelect(b, nan, LLVMConstAllOnes(gen_i64(e)), key, "");
}

/* What a thread holds of a reduction */

static st_type type_of(const st_stencil *s, size_t i) {
    return (st_type)s->nodes[s->reductions[i].root].type;
}

static bool is_float(const st_stencil *s, size_t i) {
    return st_type_is_float(type_of(s, i));
}

static bool is_sum(const st_stencil *s, size_t i) {
    return s->reductions[i].op == ST_REDUCE_SUM;
}

st_type gen_held_type(const st_stencil *s, size_t i) {
    return is_sum(s, i) && is_float(s, i) ? ST_F64 : type_of(s, i);
}

LLVMValueRef gen_held_none(const gen_expr *e, const st_stencil *s, size_t i) {
    LLVMTypeRef type = gen_type(e, gen_held_type(s, i));
    bool most = s->reductions[i].op == ST_REDUCE_MAX, is_signed = s->reductions[i].is_signed;
    unsigned bits = (unsigned)(8 * st_type_size(type_of(s, i)));
    if (is_sum(s, i))
        return LLVMConstNull(type);
    if (is_float(s, i))
        return LLVMConstRealOfString(type, most ? "-inf" : "inf");
    if (!is_signed)
        return most ? LLVMConstNull(type) : LLVMConstAllOnes(type);
    unsigned long long top = 1ull << (bits - 1);
    return LLVMConstInt(type, most ? top : top - 1, false);
}

static LLVMValueRef call_intrinsic(const gen_expr *e, const char *name, LLVMValueRef x,
                                   LLVMValueRef y) {
    LLVMTypeRef type = LLVMTypeOf(x), types[2] = {type, type};
    LLVMValueRef args[2] = {x, y};
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, &type, 1);
    return LLVMBuildCall2(e->b, LLVMFunctionType(type, types, 2, false), f, args, 2, "");
}

static LLVMValueRef extreme(const gen_expr *e, const st_stencil *s, size_t i, LLVMValueRef x,
                            LLVMValueRef y) {
    bool most = s->reductions[i].op == ST_REDUCE_MAX, is_signed = s->reductions[i].is_signed;
    if (!is_float(s, i)) {
        LLVMIntPredicate more = is_signed ? LLVMIntSGT : LLVMIntUGT;
        LLVMValueRef greater = LLVMBuildICmp(e->b, more, x, y, "");
        return LLVMBuildSelect(e->b, greater, most ? x : y, most ? y : x, "");
    }
    LLVMValueRef v = call_intrinsic(e, most ? "llvm.maximum" : "llvm.minimum", x, y);
    LLVMSetFastMathFlags(v, LLVMFastMathNoSignedZeros);
    return v;
}

LLVMValueRef gen_held_join(const gen_expr *e, const st_stencil *s, size_t i, LLVMValueRef x,
                           LLVMValueRef y) {
    LLVMTypeRef type = gen_type(e, gen_held_type(s, i));
    if (!is_sum(s, i))
        return extreme(e, s, i, x, y);
    if (!is_float(s, i))
        return LLVMBuildAdd(e->b, x, y, "");
    return LLVMBuildFAdd(e->b, x, LLVMTypeOf(y) == type ? y : LLVMBuildFPExt(e->b, y, type, ""),
                         "");
}

static bool is_absolute(const st_stencil *s, size_t i) {
    return s->nodes[s->reductions[i].root].op == ST_FABS;
}

LLVMValueRef gen_held_number(const gen_expr *e, const st_stencil *s, size_t i, LLVMValueRef v) {
    bool extreme = is_float(s, i) && !is_sum(s, i);
    if (extreme && !is_absolute(s, i)) {
        LLVMTypeRef type = LLVMTypeOf(v);
        LLVMValueRef zero = LLVMBuildFCmp(e->b, LLVMRealOEQ, v, LLVMConstNull(type), "");
        v = LLVMBuildSelect(e->b, zero, LLVMConstRealOfString(type, "-0.0"), v, "");
    }
    return gen_reduced_number(e, &s->reductions[i], type_of(s, i), v);
}

/* Slots */

static bool sums_floats(const st_stencil *s, size_t i) {
    return is_sum(s, i) && is_float(s, i);
}

static LLVMValueRef combine(const gen_expr *e, const st_stencil *s, size_t i, LLVMValueRef x,
                            LLVMValueRef y) {
    if (sums_floats(s, i))
        return gen_sum_combine(e, x, y);
    if (s->reductions[i].op == ST_REDUCE_SUM)
        return LLVMBuildAdd(e->b, x, y, "");
    LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntUGT, x, y, "");
    return LLVMBuildSelect(e->b, more, x, y, "");
}

static LLVMValueRef thread_in_block(const gen_expr *e, const int block[3]) {
    LLVMValueRef at = tg_launch(e->b, TG_THREAD, 2);
    for (int d = 1; d >= 0; d--) {
        at = LLVMBuildMul(e->b, at, gen_int32(e, block[d]), "");
        at = LLVMBuildAdd(e->b, at, tg_launch(e->b, TG_THREAD, d), "");
    }
    return at;
}

/* Warps of neighbouring blocks have different slots. */
LLVMValueRef gen_reduce_slot(const gen_expr *e, LLVMValueRef thread, const int block[3]) {
    int warps = (block[0] * block[1] * block[2] + LANES - 1) / LANES;
    LLVMValueRef at = gen_int32(e, 0);
    for (int d = 0; d < 3; d++)
        at = LLVMBuildAdd(e->b, at, tg_launch(e->b, TG_BLOCK, d), "");
    at = LLVMBuildMul(e->b, at, gen_int32(e, warps), "");
    at = LLVMBuildAdd(e->b, at, LLVMBuildLShr(e->b, thread, gen_int32(e, 5), ""), "");
    return LLVMBuildAnd(e->b, at, gen_int32(e, STENCILRT_SLOTS - 1), "");
}

static void add_to_slot(const gen_expr *e, st_reduce_op op, LLVMValueRef slots, LLVMValueRef slot,
                        LLVMValueRef number) {
    LLVMAtomicRMWBinOp kind = op == ST_REDUCE_SUM ? LLVMAtomicRMWBinOpAdd : LLVMAtomicRMWBinOpUMax;
    LLVMValueRef at = gen_element(e, gen_i64(e), slots, slot);
    LLVMValueRef add =
        LLVMBuildAtomicRMW(e->b, kind, at, number, LLVMAtomicOrderingMonotonic, false);
    const char *scope = e->target->device_scope;
    LLVMSetAtomicSyncScopeID(add, LLVMGetSyncScopeID(e->context, scope, strlen(scope)));
}

static void add_digit(const gen_expr *e, LLVMValueRef slots, LLVMValueRef slot,
                      LLVMValueRef number) {
    add_to_slot(e, ST_REDUCE_SUM, slots, slot, number);
}

LLVMValueRef gen_reduce_lanes(const gen_expr *e, const st_stencil *s, size_t i,
                              LLVMValueRef number) {
    for (int distance = LANES / 2; distance > 0; distance /= 2)
        number = combine(e, s, i, number, gen_shuffle(e, ST_I64, number, distance, LANES));
    return number;
}

void gen_reduce_add(const gen_expr *e, const st_stencil *s, size_t i, LLVMValueRef slots,
                    LLVMValueRef slot, LLVMValueRef number) {
    LLVMValueRef wide = gen_widen(e, slot);
    size_t size = st_type_size((st_type)s->nodes[s->reductions[i].root].type);
    if (sums_floats(s, i))
        gen_accumulate(e, size, slots, wide, number, add_digit);
    else
        add_to_slot(e, s->reductions[i].op, slots, wide, number);
}

void gen_reduce(const gen_expr *e, LLVMValueRef function, const st_stencil *s, const int block[3],
                LLVMValueRef reduced, LLVMValueRef *numbers) {
    LLVMBuilderRef b = e->b;
    LLVMBasicBlockRef first = LLVMAppendBasicBlockInContext(e->context, function, "first");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(e->context, function, "end");
    LLVMValueRef thread = thread_in_block(e, block);
    for (size_t i = 0; i < s->nreductions; i++)
        numbers[i] = numbers[i] ? gen_reduce_lanes(e, s, i, numbers[i]) : NULL;
    LLVMValueRef lane = LLVMBuildAnd(b, thread, gen_int32(e, LANES - 1), "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, lane, gen_int32(e, 0), ""), first, end);
    LLVMPositionBuilderAtEnd(b, first);
    LLVMValueRef slot = gen_reduce_slot(e, thread, block);
    for (size_t i = 0; i < s->nreductions; i++) {
        if (!numbers[i])
            continue;
        LLVMValueRef from = gen_int64(e, (int64_t)(i * STENCILRT_SLOTS));
        LLVMValueRef slots = gen_element(e, gen_i64(e), reduced, from);
        gen_reduce_add(e, s, i, slots, slot, numbers[i]);
    }
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRetVoid(b);
}
