/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The mapping from a number to a cell: N. Prasetya (2022), section 4.1, equations 4.1 to 4.7. It
 * divides once, by the cells of a column (blocks in three dimensions once more, by their rows). The
 * width of a column is a number of the plan; if it is a power of two, shifts and masks replace
 * divisions. Only the last, narrower column (equation 4.2) needs a second division.
 *
 * A thread waits for the instructions before its first load as it waits for the load itself. So the
 * chain of instructions must be short. The mapping of full columns has one branch, at its end. The
 * division runs beside the comparisons that tell whether its result is used.
 *
 * The division uses a floating-point reciprocal, because there are fewer than 2^18 columns. The
 * number and the divisor become floats with relative errors of 2^-24 each. The reciprocal has an
 * error of at most 2^-23, the two products 2^-24 each: less than 2^-20 in all. The reciprocal is
 * multiplied by 1 - 2^-20. Then the quotient is less than the exact one, by at most 2^18 * 2^-19.
 * Rounded down it is right or one too small, and the remainder tells which.
 *
 * Equation 4.7 has w' - x for x counted from 0. Taken literally, columns would overlap by a cell.
 * It is w' - 1 - x.
 */
#include "codegen/remap/place.h"
#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LLVMValueRef place_i32(LLVMBuilderRef b, uint64_t value) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(LLVMGetInsertBlock(b))));
    return LLVMConstInt(LLVMInt32TypeInContext(c), value, false);
}

LLVMValueRef place_min(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y) {
    return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, x, y, ""), x, y, "");
}

LLVMValueRef place_join(LLVMBuilderRef b, const place_ways *w, const LLVMValueRef moved[2],
                        LLVMValueRef kept) {
    LLVMValueRef values[] = {moved[0], moved[1], kept};
    LLVMBasicBlockRef from[] = {w->from[0], w->from[1], w->keep};
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(kept), "");
    LLVMAddIncoming(phi, values, from, 3);
    return phi;
}

static LLVMValueRef to_float(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef type = LLVMFloatTypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
    return LLVMBuildUIToFP(b, v, type, "");
}

static bool is_strict(LLVMBuilderRef b) {
    unsigned kind = LLVMGetEnumAttributeKindForName("strictfp", 8);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(b));
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

LLVMValueRef place_inverse(LLVMBuilderRef b, LLVMValueRef d) {
    if (is_strict(b))
        return NULL;
    LLVMValueRef inverse = tg_reciprocal(b, to_float(b, d));
    return LLVMBuildFMul(b, inverse, LLVMConstReal(LLVMTypeOf(inverse), 1 - 0x1p-20), "");
}

/* *rest becomes n mod d. */
static LLVMValueRef divide(LLVMBuilderRef b, LLVMValueRef n, LLVMValueRef d, LLVMValueRef *rest) {
    LLVMValueRef q = LLVMBuildUDiv(b, n, d, "");
    *rest = LLVMBuildSub(b, n, LLVMBuildMul(b, q, d, ""), "");
    return q;
}

LLVMValueRef place_divide(LLVMBuilderRef b, LLVMValueRef n, LLVMValueRef d, LLVMValueRef inverse,
                          LLVMValueRef *rest) {
    if (!inverse)
        return divide(b, n, d, rest);
    LLVMTypeRef i32 = LLVMTypeOf(n);
    LLVMValueRef quotient = LLVMBuildFMul(b, to_float(b, n), inverse, "");
    quotient = LLVMBuildFreeze(b, LLVMBuildFPToUI(b, quotient, i32, ""), "");
    *rest = LLVMBuildSub(b, n, LLVMBuildMul(b, quotient, d, ""), "");
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntUGE, *rest, d, "");
    *rest = LLVMBuildSelect(b, more, LLVMBuildSub(b, *rest, d, ""), *rest, "");
    return LLVMBuildAdd(b, quotient, LLVMBuildZExt(b, more, i32, ""), "");
}

LLVMValueRef place_fits(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width) {
    uint64_t most = (uint64_t)plan->width * PLACE_QUOTIENTS;
    if (plan->kind != ORDER_COLUMNS || most > INT32_MAX)
        return NULL;
    return LLVMBuildICmp(b, LLVMIntULT, width, place_i32(b, most), "");
}

LLVMValueRef place_matters(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width) {
    if (plan->kind != ORDER_COLUMNS || plan->zigzag)
        return NULL;
    return LLVMBuildICmp(b, LLVMIntUGT, width, place_i32(b, plan->width), "");
}

place_grid place_prepare(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width,
                         LLVMValueRef height) {
    place_grid g = {plan, width, height, NULL, NULL};
    LLVMValueRef least = place_i32(b, plan->width);
    if (plan->kind == ORDER_TILES)
        g.run =
            LLVMBuildMul(b, place_min(b, height, place_i32(b, plan->height)), width, "tiles.run");
    else
        g.run = LLVMBuildMul(b, plan->zigzag ? place_min(b, width, least) : least, height,
                             "column.run");
    if (plan->kind == ORDER_COLUMNS)
        g.inverse = place_inverse(b, g.run);
    return g;
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

/* A column, or a tile: it starts at (start, top), there is room for `left` cells along x; cell
 * `rest` of it is wanted. */
typedef struct column {
    LLVMValueRef start, top, left, rest;
} column;

static column find(LLVMBuilderRef b, const place_grid *g, LLVMValueRef number) {
    LLVMValueRef width = place_i32(b, g->plan->width), height = place_i32(b, g->plan->height), q;
    column c = {.top = NULL};
    if (g->plan->kind == ORDER_TILES) {
        c.top = LLVMBuildMul(b, divide(b, number, g->run, &number), height, "");
        LLVMValueRef tall = place_min(b, LLVMBuildSub(b, g->height, c.top, ""), height);
        q = divide(b, number, LLVMBuildMul(b, tall, width, ""), &c.rest);
    } else {
        q = place_divide(b, number, g->run, g->inverse, &c.rest);
    }
    c.start = LLVMBuildMul(b, q, width, "column.start");
    c.left = LLVMBuildSub(b, g->width, c.start, "");
    return c;
}

static LLVMValueRef backwards_if_even(LLVMBuilderRef b, place_cell c, LLVMValueRef width) {
    LLVMValueRef last = LLVMBuildSub(b, width, place_i32(b, 1), "");
    LLVMValueRef odd =
        LLVMBuildTrunc(b, c.y, LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(c.y))), "");
    return LLVMBuildSelect(b, odd, c.x, LLVMBuildSub(b, last, c.x, ""), "");
}

/* The cell of a number in the column. `narrow`: the column is narrower than the plan's. */
static place_cell in_column(LLVMBuilderRef b, const place_grid *g, column c, bool narrow) {
    place_cell in;
    LLVMValueRef width = narrow ? c.left : place_i32(b, g->plan->width);
    in.y = narrow ? divide(b, c.rest, c.left, &in.x)
                  : divide_by_width(b, c.rest, g->plan->width, &in.x);
    if (g->plan->zigzag)
        in.x = backwards_if_even(b, in, width);
    in.x = LLVMBuildAdd(b, c.start, in.x, "x");
    if (c.top)
        in.y = LLVMBuildAdd(b, c.top, in.y, "y");
    return in;
}

LLVMBasicBlockRef place_add_block(LLVMBasicBlockRef before, const char *name) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(before)));
    return LLVMInsertBasicBlockInContext(c, before, name);
}

/* Without an inverse, integers are divided, which must not be done where nothing moves. */
place_ways place_branch(LLVMBuilderRef b, const place_grid *g, LLVMValueRef number,
                        LLVMValueRef moves, LLVMBasicBlockRef keep) {
    place_ways w = {.keep = keep};
    bool at_once = g->inverse != NULL;
    LLVMBasicBlockRef move = at_once ? NULL : place_add_block(keep, "order.move");
    LLVMBasicBlockRef other = at_once ? place_add_block(keep, "order.other") : NULL;
    w.from[1] = place_add_block(keep, "column.narrow");
    w.end = place_add_block(LLVMGetNextBasicBlock(keep), "order.end");
    if (!at_once) {
        LLVMBuildCondBr(b, moves, move, w.keep);
        LLVMPositionBuilderAtEnd(b, move);
    }
    w.from[0] = LLVMGetInsertBlock(b);
    column c = find(b, g, number);
    w.cell[0] = in_column(b, g, c, false);
    LLVMValueRef full =
        LLVMBuildICmp(b, LLVMIntUGE, c.left, place_i32(b, g->plan->width), "column.full");
    if (at_once) {
        full = LLVMBuildAnd(b, moves, full, "");
        LLVMBuildCondBr(b, full, w.end, other);
        LLVMPositionBuilderAtEnd(b, other);
        LLVMBuildCondBr(b, moves, w.from[1], w.keep);
    } else {
        LLVMBuildCondBr(b, full, w.end, w.from[1]);
    }
    LLVMPositionBuilderAtEnd(b, w.from[1]);
    w.cell[1] = in_column(b, g, c, true);
    LLVMBuildBr(b, w.end);
    return w;
}
