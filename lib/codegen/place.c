/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * N. Prasetya (2022), section 4.1, equations 4.1 to 4.7. A thread divides once, by the cells of a
 * column; within a column its width is the plan's number, so shifts and masks do where that is a
 * power of two. Only in the last, narrower one (equation 4.2) there is a second division.
 *
 * The first division is by a floating-point reciprocal: there are fewer than 2^18 columns. The
 * number and the cells of a column become floats with relative errors of 2^-24 each, the
 * approximate reciprocal has one of 2^-22 at most (PTX: 1 or 2 units in the last place; AMD: 1),
 * the two products 2^-24 each: less than 2^-20 in all. So, with the reciprocal times 1 - 2^-20, the
 * quotient is less than the exact one, by 2^18 * 2^-19 at most: rounded down, it is right or one
 * too small, and the remainder tells. That is 10 instructions where a division by integers is 17.
 *
 * Equation 4.7 has w' - x for x counted from 0; read so, columns would overlap by a cell: it is
 * w' - 1 - x.
 */
#include "place.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COLUMN_BITS = 18 };

LLVMValueRef place_i32(LLVMBuilderRef b, uint64_t value) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(LLVMGetInsertBlock(b))));
    return LLVMConstInt(LLVMInt32TypeInContext(c), value, false);
}

LLVMValueRef place_min(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y) {
    return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, x, y, ""), x, y, "");
}

LLVMValueRef place_join(LLVMBuilderRef b, LLVMValueRef one, LLVMBasicBlockRef from_one,
                        LLVMValueRef other, LLVMBasicBlockRef from_other) {
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(one), "");
    LLVMAddIncoming(phi, &one, &from_one, 1);
    LLVMAddIncoming(phi, &other, &from_other, 1);
    return phi;
}

/* *rest becomes n mod d. */
static LLVMValueRef divide(LLVMBuilderRef b, LLVMValueRef n, LLVMValueRef d, LLVMValueRef *rest) {
    LLVMValueRef q = LLVMBuildUDiv(b, n, d, "");
    *rest = LLVMBuildSub(b, n, LLVMBuildMul(b, q, d, ""), "");
    return q;
}

/* Where the rounding mode may be another one. */
static bool is_strict(LLVMBuilderRef b) {
    unsigned kind = LLVMGetEnumAttributeKindForName("strictfp", 8);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(b));
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

LLVMValueRef place_fits(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width) {
    uint64_t most = (uint64_t)plan->width << COLUMN_BITS;
    if (plan->kind != ORDER_COLUMNS || most > INT32_MAX)
        return NULL;
    return LLVMBuildICmp(b, LLVMIntULT, width, place_i32(b, most), "");
}

static LLVMValueRef to_float(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef type = LLVMFloatTypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
    return LLVMBuildUIToFP(b, v, type, "");
}

static LLVMValueRef inverse_of(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMValueRef divisor = to_float(b, v), one = LLVMConstReal(LLVMTypeOf(divisor), 1);
    LLVMValueRef inverse = LLVMBuildFDiv(b, one, divisor, "");
    if (LLVMIsAInstruction(inverse))
        LLVMSetFastMathFlags(inverse, LLVMFastMathApproxFunc | LLVMFastMathAllowReciprocal);
    return LLVMBuildFMul(b, inverse, LLVMConstReal(LLVMTypeOf(inverse), 1 - 0x1p-20), "");
}

place_grid place_prepare(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width,
                         LLVMValueRef height) {
    place_grid g = {plan, width, height, NULL, NULL};
    if (plan->kind == ORDER_TILES)
        g.run =
            LLVMBuildMul(b, place_min(b, height, place_i32(b, plan->height)), width, "tiles.run");
    else
        g.run =
            LLVMBuildMul(b, place_min(b, width, place_i32(b, plan->width)), height, "column.run");
    if (plan->kind == ORDER_COLUMNS && !is_strict(b))
        g.inverse = inverse_of(b, g.run);
    return g;
}

/* The number of the column, fewer than 2^COLUMN_BITS. */
static LLVMValueRef column_of(LLVMBuilderRef b, const place_grid *g, LLVMValueRef number,
                              LLVMValueRef *rest) {
    if (!g->inverse)
        return divide(b, number, g->run, rest);
    LLVMTypeRef i32 = LLVMTypeOf(number);
    LLVMValueRef quotient = LLVMBuildFMul(b, to_float(b, number), g->inverse, "");
    quotient = LLVMBuildFPToUI(b, quotient, i32, "");
    *rest = LLVMBuildSub(b, number, LLVMBuildMul(b, quotient, g->run, ""), "");
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntUGE, *rest, g->run, "");
    LLVMValueRef less = LLVMBuildSub(b, *rest, g->run, "");
    *rest = LLVMBuildSelect(b, more, less, *rest, "");
    return LLVMBuildAdd(b, quotient, LLVMBuildZExt(b, more, i32, ""), "column");
}

/* *rest becomes n mod width, the plan's. */
static LLVMValueRef divide_by_width(LLVMBuilderRef b, LLVMValueRef n, uint32_t width,
                                    LLVMValueRef *rest) {
    unsigned bits = 0;
    if (width & (width - 1))
        return divide(b, n, place_i32(b, width), rest);
    while (1u << bits < width)
        bits++;
    *rest = LLVMBuildAnd(b, n, place_i32(b, width - 1), "");
    return LLVMBuildLShr(b, n, place_i32(b, bits), "");
}

static LLVMBasicBlockRef add_block(LLVMBasicBlockRef before, const char *name) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(before)));
    return LLVMInsertBasicBlockInContext(c, before, name);
}

static LLVMValueRef backwards_if_even(LLVMBuilderRef b, place_cell c, LLVMValueRef width) {
    LLVMValueRef last = LLVMBuildSub(b, width, place_i32(b, 1), "");
    LLVMValueRef odd =
        LLVMBuildTrunc(b, c.y, LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(c.y))), "");
    return LLVMBuildSelect(b, odd, c.x, LLVMBuildSub(b, last, c.x, ""), "");
}

/* Cell `rest` of a column, or tile, that starts at x = start and is as wide as there is room. */
static place_cell in_column(LLVMBuilderRef b, const place_grid *g, LLVMValueRef rest,
                            LLVMValueRef start, LLVMBasicBlockRef before) {
    LLVMBasicBlockRef full = add_block(before, "column.full");
    LLVMBasicBlockRef narrow = add_block(before, "column.narrow");
    LLVMBasicBlockRef end = add_block(before, "column.end");
    LLVMValueRef width = place_i32(b, g->plan->width), x0, x1;
    LLVMValueRef left = LLVMBuildSub(b, g->width, start, "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntUGE, left, width, "");
    LLVMBuildCondBr(b, fits, full, narrow);
    LLVMPositionBuilderAtEnd(b, full);
    LLVMValueRef y0 = divide_by_width(b, rest, g->plan->width, &x0);
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, narrow);
    LLVMValueRef y1 = divide(b, rest, left, &x1);
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, end);
    place_cell c = {place_join(b, x0, full, x1, narrow), place_join(b, y0, full, y1, narrow)};
    LLVMValueRef actual = g->plan->zigzag ? place_join(b, width, full, left, narrow) : NULL;
    if (actual)
        c.x = backwards_if_even(b, c, actual);
    c.x = LLVMBuildAdd(b, start, c.x, "x");
    return c;
}

static place_cell in_tiles(LLVMBuilderRef b, const place_grid *g, LLVMValueRef number,
                           LLVMBasicBlockRef before) {
    LLVMValueRef rest, height = place_i32(b, g->plan->height), width = place_i32(b, g->plan->width);
    LLVMValueRef top = LLVMBuildMul(b, divide(b, number, g->run, &rest), height, "");
    LLVMValueRef tall = place_min(b, LLVMBuildSub(b, g->height, top, ""), height);
    LLVMValueRef tile = divide(b, rest, LLVMBuildMul(b, tall, width, ""), &rest);
    place_cell c = in_column(b, g, rest, LLVMBuildMul(b, tile, width, ""), before);
    c.y = LLVMBuildAdd(b, top, c.y, "y");
    return c;
}

place_cell place_emit(LLVMBuilderRef b, const place_grid *g, LLVMValueRef number,
                      LLVMBasicBlockRef before) {
    if (g->plan->kind == ORDER_TILES)
        return in_tiles(b, g, number, before);
    LLVMValueRef rest, column = column_of(b, g, number, &rest);
    LLVMValueRef start = LLVMBuildMul(b, column, place_i32(b, g->plan->width), "");
    return in_column(b, g, rest, start, before);
}
