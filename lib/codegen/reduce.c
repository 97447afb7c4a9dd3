/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions in kernels. Each thread's value becomes a number, of which the greatest or the sum is
 * wanted (include/stencilopt/region.h says how). So the order does not matter. A warp combines the
 * numbers of its threads by exchanges, and its first lane adds the result to a slot. There are many
 * slots, because additions to one slot wait for each other.
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

static bool sums_floats(const st_stencil *s, size_t i) {
    return s->reductions[i].op == ST_REDUCE_SUM &&
           st_type_is_float((st_type)s->nodes[s->reductions[i].root].type);
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
