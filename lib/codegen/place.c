/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * N. Prasetya (2022), section 4.1, equations 4.1 to 4.7. A thread divides once, by the cells of a
 * column; within a column its width is the plan's number, so shifts and masks do where that is a
 * power of two. Only in the last, narrower one (equation 4.2) there is a second division.
 *
 * Equation 4.7 has w' - x for x counted from 0; read so, columns would overlap by a cell: it is
 * w' - 1 - x.
 */
#include "place.h"

#include <stdbool.h>
#include <stddef.h>

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

place_grid place_prepare(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width,
                         LLVMValueRef height) {
    place_grid g = {plan, width, height, NULL};
    if (plan->kind == ORDER_TILES)
        g.run = LLVMBuildMul(b, place_min(b, height, place_i32(b, plan->height)), width,
                             "tiles.run");
    else
        g.run = LLVMBuildMul(b, place_min(b, width, place_i32(b, plan->width)), height,
                             "column.run");
    return g;
}

/* *rest becomes n mod d. */
static LLVMValueRef divide(LLVMBuilderRef b, LLVMValueRef n, LLVMValueRef d, LLVMValueRef *rest) {
    LLVMValueRef q = LLVMBuildUDiv(b, n, d, "");
    *rest = LLVMBuildSub(b, n, LLVMBuildMul(b, q, d, ""), "");
    return q;
}

/* Likewise, by the plan's width. */
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
    LLVMValueRef odd = LLVMBuildTrunc(b, c.y, LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(c.y))), "");
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
    LLVMValueRef actual =
        g->plan->zigzag ? place_join(b, width, full, left, narrow) : NULL;
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
    LLVMValueRef rest, column = divide(b, number, g->run, &rest);
    LLVMValueRef start = LLVMBuildMul(b, column, place_i32(b, g->plan->width), "");
    return in_column(b, g, rest, start, before);
}
