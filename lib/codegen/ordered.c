/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums of floats in the order of the program's loops. A sweep's kernel stores what each cell adds
 * at the cell's place in that order. A kernel of its own then adds up tiles of these numbers, each
 * tile from a start that the runtime has guessed, and tells the results and how far the sum went on
 * the way. lib/runtime/device/ordered.c makes the program's sum of that.
 */
#include "codegen/ordered.h"

#include "codegen/build.h"
#include "codegen/module.h"
#include "codegen/parameters.h"
#include "stencilopt/region.h"

void gen_ordered_store(const gen_expr *e, LLVMValueRef function, LLVMValueRef reduced, size_t i,
                       LLVMValueRef place, LLVMValueRef addend) {
    LLVMBuilderRef b = e->b;
    LLVMBasicBlockRef wanted = gen_add_block(function, "wanted");
    LLVMBasicBlockRef stored = gen_add_block(function, "stored");
    LLVMValueRef slot = gen_int64(e, (int64_t)(i * STENCILRT_SLOTS));
    LLVMValueRef at = gen_element(e, gen_i64(e), reduced, slot);
    LLVMValueRef address = LLVMBuildLoad2(b, gen_i64(e), at, "");
    LLVMValueRef is = LLVMBuildICmp(b, LLVMIntNE, address, gen_int64(e, 0), "");
    LLVMBuildCondBr(b, is, wanted, stored);
    LLVMPositionBuilderAtEnd(b, wanted);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(e->context, 0), type = LLVMTypeOf(addend);
    LLVMValueRef buffer = LLVMBuildIntToPtr(b, address, pointer, "");
    LLVMBuildStore(b, addend, gen_element(e, type, buffer, place));
    LLVMBuildBr(b, stored);
    LLVMPositionBuilderAtEnd(b, stored);
}

/* The kernel that adds up tiles */

typedef struct adding {
    const gen_expr *e;
    const st_kernel *p;
    LLVMValueRef function, tile, first, end; /* i64: the thread's tile, its numbers */
    LLVMTypeRef type;
} adding;

static LLVMValueRef parameter(const adding *g, stencilrt_parameter_kind kind) {
    return gen_parameter(g->function, g->p, kind, 0);
}

/* The thread's tile; threads without one return. */
static void locate(adding *g) {
    LLVMBuilderRef b = g->e->b;
    LLVMBasicBlockRef some = gen_add_block(g->function, "some"),
                      none = gen_add_block(g->function, "none");
    LLVMValueRef at = gen_launch(g->e, TG_BLOCK, 0);
    at = LLVMBuildMul(b, at, gen_int64(g->e, g->p->block[0]), "");
    LLVMValueRef thread = gen_launch(g->e, TG_THREAD, 0);
    LLVMValueRef size = parameter(g, STENCILRT_ARG_TILE), all = parameter(g, STENCILRT_ARG_COUNT);
    g->tile = LLVMBuildAdd(b, at, thread, "");
    g->first = LLVMBuildMul(b, g->tile, size, "");
    LLVMBuildCondBr(b, gen_less(g->e, g->first, all), some, none);
    LLVMPositionBuilderAtEnd(b, none);
    LLVMBuildRetVoid(b);
    LLVMPositionBuilderAtEnd(b, some);
    LLVMValueRef end = LLVMBuildAdd(b, g->first, size, "");
    g->end = gen_smaller(g->e, all, end);
}

static LLVMValueRef element(const adding *g, LLVMValueRef array, LLVMValueRef i) {
    return gen_element(g->e, g->type, array, i);
}

/* The number next to it, away from 0. */
static LLVMValueRef next_number(const adding *g, LLVMValueRef v) {
    LLVMBuilderRef b = g->e->b;
    LLVMTypeRef bits = g->type == gen_type(g->e, ST_F32) ? gen_i32(g->e) : gen_i64(g->e);
    LLVMValueRef more =
        LLVMBuildAdd(b, LLVMBuildBitCast(b, v, bits, ""), LLVMConstInt(bits, 1, false), "");
    return LLVMBuildBitCast(b, more, g->type, "");
}

static LLVMValueRef extreme(const adding *g, LLVMRealPredicate is, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef other = LLVMBuildFCmp(g->e->b, is, y, x, "");
    return LLVMBuildSelect(g->e->b, other, y, x, "");
}

/* Both sums, the least number and the greatest one, after one more addend. */
static void add(const adding *g, LLVMValueRef addend, LLVMValueRef *v) {
    for (int i = STENCILRT_EVEN; i <= STENCILRT_ODD; i++) {
        v[i] = LLVMBuildFAdd(g->e->b, v[i], addend, "");
        v[STENCILRT_LEAST] = extreme(g, LLVMRealOLT, v[STENCILRT_LEAST], v[i]);
        v[STENCILRT_MOST] = extreme(g, LLVMRealOGT, v[STENCILRT_MOST], v[i]);
    }
}

/* Adds up the tile's numbers; v: from what it starts, and what comes out. */
static void add_all(adding *g, LLVMValueRef *v) {
    LLVMBuilderRef b = g->e->b;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), loop = gen_add_block(g->function, "loop");
    LLVMBasicBlockRef behind = gen_add_block(g->function, "behind");
    LLVMValueRef sum[STENCILRT_SUMS];
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef i = LLVMBuildPhi(b, gen_i64(g->e), "");
    LLVMAddIncoming(i, &g->first, &before, 1);
    for (int k = 0; k < STENCILRT_SUMS; k++) {
        sum[k] = LLVMBuildPhi(b, g->type, "");
        LLVMAddIncoming(sum[k], &v[k], &before, 1);
        v[k] = sum[k];
    }
    add(g, LLVMBuildLoad2(b, g->type, element(g, parameter(g, STENCILRT_ARG_ADDENDS), i), ""), v);
    LLVMValueRef next = LLVMBuildAdd(b, i, gen_int64(g->e, 1), "");
    LLVMBuildCondBr(b, gen_less(g->e, next, g->end), loop, behind);
    LLVMAddIncoming(i, &next, &loop, 1);
    for (int k = 0; k < STENCILRT_SUMS; k++)
        LLVMAddIncoming(sum[k], &v[k], &loop, 1);
    LLVMPositionBuilderAtEnd(b, behind);
}

void gen_adding_kernel(const gen_expr *e, const st_kernel *p) {
    LLVMBuilderRef b = e->b;
    adding g = {.e = e, .p = p, .type = gen_type(e, p->cells == 4 ? ST_F32 : ST_F64)};
    LLVMValueRef v[STENCILRT_SUMS];
    g.function = gen_plain_function(e, p);
    e->target->mark_kernel(g.function, e->arch, p->block, 0);
    LLVMPositionBuilderAtEnd(b, gen_add_block(g.function, "entry"));
    locate(&g);
    LLVMValueRef start = element(&g, parameter(&g, STENCILRT_ARG_STARTS), g.tile);
    for (int i = 0; i < STENCILRT_SUMS; i++)
        v[i] = i == 0 ? LLVMBuildLoad2(b, g.type, start, "") : v[0];
    v[STENCILRT_ODD] = v[STENCILRT_MOST] = next_number(&g, v[0]);
    add_all(&g, v);
    LLVMValueRef size = parameter(&g, STENCILRT_ARG_TILE), all = parameter(&g, STENCILRT_ARG_COUNT);
    LLVMValueRef more = LLVMBuildAdd(b, all, LLVMBuildSub(b, size, gen_int64(e, 1), ""), "");
    LLVMValueRef tiles = LLVMBuildSDiv(b, more, size, ""), at = g.tile;
    for (int i = 0; i < STENCILRT_SUMS; i++) {
        LLVMBuildStore(b, v[i], element(&g, parameter(&g, STENCILRT_ARG_SUMS), at));
        at = LLVMBuildAdd(b, at, tiles, "");
    }
    LLVMBuildRetVoid(b);
}
