/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums of floats in a cell kernel, where the program leaves their order free. A warp adds doubles
 * in an order that is always the same. The sums of the warps are added exactly, as integers, to
 * digits of a long accumulator (include/stencilopt/region.h). So the order of the warps does not
 * matter, and the result is the same each time.
 */
#include "codegen/sum.h"

#include "codegen/build.h"
#include "stencilopt/region.h"

LLVMValueRef gen_sum_number(const gen_expr *e, LLVMValueRef v) {
    LLVMTypeRef wide = gen_type(e, ST_F64);
    v = LLVMTypeOf(v) == wide ? v : LLVMBuildFPExt(e->b, v, wide, "");
    return LLVMBuildBitCast(e->b, v, gen_i64(e), "");
}

LLVMValueRef gen_sum_combine(const gen_expr *e, LLVMValueRef x, LLVMValueRef y) {
    LLVMTypeRef wide = gen_type(e, ST_F64);
    LLVMValueRef sum = LLVMBuildFAdd(e->b, LLVMBuildBitCast(e->b, x, wide, ""),
                                     LLVMBuildBitCast(e->b, y, wide, ""), "");
    return LLVMBuildBitCast(e->b, sum, gen_i64(e), "");
}

/* A double as mantissa * 2^(at - 1074). */
typedef struct parts {
    LLVMValueRef mantissa, at, negative, finite;
} parts;

static parts take_apart(const gen_expr *e, LLVMValueRef number) {
    LLVMBuilderRef b = e->b;
    LLVMValueRef zero = gen_int64(e, 0), one = gen_int64(e, 1);
    LLVMValueRef exponent =
        LLVMBuildAnd(b, LLVMBuildLShr(b, number, gen_int64(e, 52), ""), gen_int64(e, 0x7ff), "");
    LLVMValueRef normal = LLVMBuildICmp(b, LLVMIntNE, exponent, zero, "");
    LLVMValueRef mantissa = LLVMBuildAnd(b, number, gen_int64(e, ((int64_t)1 << 52) - 1), "");
    LLVMValueRef implicit = LLVMBuildSelect(b, normal, gen_int64(e, (int64_t)1 << 52), zero, "");
    return (parts){LLVMBuildOr(b, mantissa, implicit, ""),
                   LLVMBuildSelect(b, normal, LLVMBuildSub(b, exponent, one, ""), zero, ""),
                   gen_less(e, number, zero),
                   LLVMBuildICmp(b, LLVMIntNE, exponent, gen_int64(e, 0x7ff), "")};
}

static LLVMValueRef with_sign(const gen_expr *e, const parts *p, LLVMValueRef digit) {
    return LLVMBuildSelect(e->b, p->negative, LLVMBuildNeg(e->b, digit, ""), digit, "");
}

void gen_accumulate(const gen_expr *e, size_t size, LLVMValueRef slots, LLVMValueRef which,
                    LLVMValueRef number,
                    void (*add)(const gen_expr *e, LLVMValueRef slots, LLVMValueRef slot,
                                LLVMValueRef number)) {
    LLVMBuilderRef b = e->b;
    parts p = take_apart(e, number);
    LLVMValueRef mask = gen_int64(e, UINT32_MAX), one = gen_int64(e, 1);
    LLVMValueRef least = gen_int64(e, 32 * STENCILRT_FIRST_DIGIT(size));
    LLVMValueRef low_enough = LLVMBuildICmp(b, LLVMIntULT, p.at, least, ""); /* so only for 0.0 */
    LLVMValueRef at = LLVMBuildSelect(b, low_enough, least, p.at, "");
    LLVMValueRef shift = LLVMBuildAnd(b, at, gen_int64(e, 31), "");
    LLVMValueRef low = LLVMBuildShl(b, p.mantissa, shift, "");
    /* In two steps, because a shift by 64 bits is undefined. */
    LLVMValueRef high = LLVMBuildLShr(b, LLVMBuildLShr(b, p.mantissa, gen_int64(e, 32), ""),
                                      LLVMBuildSub(b, gen_int64(e, 32), shift, ""), "");
    LLVMValueRef digits[3] = {LLVMBuildAnd(b, low, mask, ""),
                              LLVMBuildLShr(b, low, gen_int64(e, 32), ""), high};
    LLVMValueRef count = gen_int64(e, STENCILRT_ACCUMULATORS(size));
    LLVMValueRef words = gen_int64(e, STENCILRT_ACCUMULATOR(size));
    LLVMValueRef start = LLVMBuildMul(b, LLVMBuildURem(b, which, count, ""), words, "");
    LLVMValueRef digit = LLVMBuildLShr(b, LLVMBuildSub(b, at, least, ""), gen_int64(e, 5), "");
    /* Word 0 counts numbers that are not finite; it has no digits. */
    LLVMValueRef slot = LLVMBuildAdd(b, start, LLVMBuildAdd(b, digit, one, ""), "");
    slot = LLVMBuildSelect(b, p.finite, slot, start, "");
    for (int i = 0; i < 3; i++) {
        LLVMValueRef v = with_sign(e, &p, digits[i]);
        LLVMValueRef other = i == 0 ? one : gen_int64(e, 0);
        add(e, slots, LLVMBuildAdd(b, slot, gen_int64(e, i), ""),
            LLVMBuildSelect(b, p.finite, v, other, ""));
    }
}
