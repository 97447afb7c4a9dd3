/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads with a flat index in another order.
 *
 * The order permutes the numbers 0 .. rows * width - 1, and leaves higher numbers as they are. It
 * is right for any number of rows, if the launch has that many threads (or a grid-stride loop that
 * many iterations). Then all threads together do the same work. This is tested where the kernel
 * starts. It is also tested that there are fewer than 2^31 threads, so that 32 bits are enough. The
 * number of rows only decides what is gained. As many are taken as the program's comparisons tell.
 */
#include "codegen/remap/place.h"
#include "codegen/remap/remap.h"
#include "target/target.h"

#include <stdlib.h>

typedef struct flat {
    const st_flat_index *t;
    LLVMBuilderRef b;
    LLVMContextRef context;
    LLVMTypeRef i32, i64, type; /* `type`: of the index */
    place_grid grid;
    LLVMValueRef divisor;            /* of the program's own divisions, in the index's type */
    LLVMValueRef bound;              /* i32: indices below are permuted */
    LLVMValueRef inside;             /* i1: is the index less than `bound`? */
    LLVMValueRef index, row, column; /* in the new order */
} flat;

static LLVMValueRef i64_of(flat *o, uint64_t value) {
    return LLVMConstInt(o->i64, value, false);
}

static LLVMValueRef to(flat *o, LLVMValueRef v, LLVMTypeRef type) {
    return LLVMBuildIntCast2(o->b, v, type, false, "");
}

/* What is the same for all threads */

static LLVMValueRef product_of(flat *o, const poly_term *t) {
    LLVMValueRef product = NULL, factor = place_i32(o->b, (uint32_t)t->factor);
    for (int a = 0; a < t->degree; a++) {
        LLVMValueRef v = to(o, remap_copy(o->b, br_scev_value(t->atoms[a])), o->i32);
        product = product ? LLVMBuildMul(o->b, product, v, "") : v;
    }
    if (product && t->factor != 1)
        product = LLVMBuildMul(o->b, product, factor, "");
    return product ? product : factor;
}

/* The sum modulo 2^32. If it is not the exact sum, fewer cells are permuted, or none: any number of
 * rows is right. */
static LLVMValueRef sum_of(flat *o, poly p) {
    LLVMValueRef sum = poly_count(p) ? product_of(o, &poly_terms(p)[0]) : place_i32(o->b, 0);
    for (int i = 1; i < poly_count(p); i++)
        sum = LLVMBuildAdd(o->b, sum, product_of(o, &poly_terms(p)[i]), "");
    return sum;
}

/* good and condition; a NULL stands for true. */
static LLVMValueRef both(flat *o, LLVMValueRef good, LLVMValueRef condition) {
    return good ? LLVMBuildAnd(o->b, good, condition, "") : condition;
}

/* Threads of the launch, i64; *as_written: does it have the sizes that the program counts on? */
static LLVMValueRef launched(flat *o, LLVMValueRef *as_written) {
    LLVMValueRef threads = NULL;
    *as_written = NULL;
    for (int i = 0; i < o->t->ndigits; i++) {
        const st_thread_digit *d = &o->t->digits[i];
        LLVMValueRef size = tg_launch(o->b, d->is_block ? TG_BLOCK_COUNT : TG_BLOCK_SIZE, d->dim);
        LLVMValueRef wide = to(o, size, o->i64), wanted = place_i32(o->b, (uint32_t)d->size);
        threads = threads ? LLVMBuildMul(o->b, threads, wide, "") : wide;
        if (d->size)
            *as_written = both(o, *as_written, LLVMBuildICmp(o->b, LLVMIntEQ, size, wanted, ""));
    }
    return threads;
}

static LLVMValueRef at_least_one(flat *o, LLVMValueRef v) {
    LLVMValueRef zero = LLVMConstInt(LLVMTypeOf(v), 0, false);
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(v), 1, false);
    return LLVMBuildSelect(o->b, LLVMBuildICmp(o->b, LLVMIntEQ, v, zero, ""), one, v, "");
}

static LLVMValueRef rows_of(flat *o, LLVMValueRef width, LLVMValueRef threads) {
    if (o->t->height_known)
        return sum_of(o, o->t->height);
    LLVMValueRef cells = to(o, threads, o->i32);
    if (o->t->cells_known) {
        LLVMValueRef known = sum_of(o, o->t->cells);
        cells = o->t->loop ? known : place_min(o->b, known, cells);
    }
    return LLVMBuildUDiv(o->b, cells, at_least_one(o, width), "");
}

static LLVMValueRef is_at_most(flat *o, LLVMValueRef v, uint64_t limit) {
    return LLVMBuildICmp(o->b, LLVMIntULE, v, i64_of(o, limit), "");
}

/* Are there so many cells, by threads or by iterations? */
static LLVMValueRef exist(flat *o, LLVMValueRef cells, LLVMValueRef threads) {
    if (!o->t->loop)
        return LLVMBuildICmp(o->b, LLVMIntULE, cells, threads, "");
    LLVMValueRef limit =
        LLVMBuildIntCast2(o->b, remap_copy(o->b, o->t->limit), o->i64, o->t->limit_signed, "");
    return LLVMBuildICmp(o->b, LLVMIntSLE, cells, limit, "");
}

static void prepare(flat *o, const order_plan *plan) {
    enum { MOST = INT32_MAX };
    LLVMValueRef good, any = remap_copy(o->b, o->t->width), width = to(o, any, o->i32);
    LLVMValueRef threads = launched(o, &good), rows = rows_of(o, width, threads);
    LLVMValueRef cells = LLVMBuildMul(o->b, to(o, rows, o->i64), to(o, width, o->i64), "");
    good = both(o, good, exist(o, cells, threads));
    good = both(o, good, is_at_most(o, threads, MOST));
    if (o->t->loop)
        good = both(o, good, is_at_most(o, cells, MOST));
    if (LLVMTypeOf(any) == o->i64)
        good = both(o, good, is_at_most(o, any, MOST));
    LLVMValueRef wanted[] = {place_fits(o->b, plan, width), place_matters(o->b, plan, width)};
    for (int i = 0; i < 2; i++)
        good = wanted[i] ? both(o, good, wanted[i]) : good;
    o->bound = LLVMBuildSelect(o->b, good, to(o, cells, o->i32), place_i32(o->b, 0), "order.cells");
    o->grid = place_prepare(o->b, plan, width, rows);
}

/* The program's own divisor, of which the width is the value before it was extended. */
static LLVMValueRef own_divisor(flat *o) {
    LLVMValueRef i = o->t->rows.count ? o->t->rows.values[0] : o->t->columns.values[0];
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool divides = op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
    LLVMValueRef by =
        divides ? remap_copy(o->b, LLVMGetOperand(i, 1)) : to(o, o->t->width, o->type);
    return at_least_one(o, by);
}

/* Where the index is computed */

/* Splits its block after it (a phi: after all phis). Returns the first part, without an end. */
static LLVMBasicBlockRef split_after(flat *o, LLVMValueRef index) {
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(index), b;
    LLVMBasicBlockRef first = LLVMInsertBasicBlockInContext(o->context, rest, "order.index");
    LLVMValueRef function = LLVMGetBasicBlockParent(rest), i;
    for (b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++)
            if (LLVMGetSuccessor(end, s) == rest)
                LLVMSetSuccessor(end, s, first);
    }
    LLVMPositionBuilderAtEnd(o->b, first);
    bool last = false;
    for (i = LLVMGetFirstInstruction(rest); !last || LLVMIsAPHINode(i);
         i = LLVMGetFirstInstruction(rest)) {
        last |= i == index;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(o->b, i);
    }
    return first;
}

/* Cells that stay: row and column as the program would compute them. */
static void stay(flat *o, LLVMValueRef index, LLVMValueRef *row, LLVMValueRef *column) {
    bool is_signed = o->t->is_signed;
    *row = is_signed ? LLVMBuildSDiv(o->b, index, o->divisor, "")
                     : LLVMBuildUDiv(o->b, index, o->divisor, "");
    *column = LLVMBuildSub(o->b, index, LLVMBuildMul(o->b, *row, o->divisor, ""), "");
}

static void place(flat *o) {
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(o->t->index);
    LLVMValueRef index[2], row[2], column[2], own_row = NULL, own_column = NULL;
    split_after(o, o->t->index);
    LLVMValueRef own = LLVMBuildFreeze(o->b, o->t->index, "");
    o->inside = LLVMBuildICmp(o->b, LLVMIntULT, own, to(o, o->bound, o->type), "");
    LLVMBasicBlockRef keep = place_add_block(rest, "order.keep");
    place_ways w = place_branch(o->b, &o->grid, to(o, own, o->i32), o->inside, keep);
    for (int i = 0; i < 2; i++) {
        place_cell c = w.cell[i];
        LLVMPositionBuilderBefore(o->b, LLVMGetBasicBlockTerminator(w.from[i]));
        index[i] = LLVMBuildAdd(o->b, LLVMBuildMul(o->b, c.y, o->grid.width, ""), c.x, "");
        index[i] = to(o, index[i], o->type);
        row[i] = to(o, c.y, o->type);
        column[i] = to(o, c.x, o->type);
    }
    LLVMPositionBuilderAtEnd(o->b, keep);
    if (o->divisor)
        stay(o, own, &own_row, &own_column);
    LLVMBuildBr(o->b, w.end);
    LLVMPositionBuilderAtEnd(o->b, w.end);
    o->index = place_join(o->b, &w, index, o->t->index);
    if (o->divisor) {
        o->row = place_join(o->b, &w, row, own_row);
        o->column = place_join(o->b, &w, column, own_column);
    }
    LLVMBuildBr(o->b, rest);
}

/* Users of the index */

typedef struct use_list {
    LLVMValueRef *users;
    int count;
} use_list;

static use_list users_of(const st_flat_index *t, LLVMValueRef v) {
    use_list l = {NULL, 0};
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        l.count++;
    l.users = malloc(((size_t)l.count + 1) * sizeof *l.users);
    l.count = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (!st_list_has(&t->kept, LLVMGetUser(u)) && !st_list_has(&t->others, LLVMGetUser(u)))
            l.users[l.count++] = LLVMGetUser(u);
    return l;
}

static void redirect(use_list *l, LLVMValueRef from, LLVMValueRef replacement) {
    for (int i = 0; i < l->count; i++)
        for (int o = 0; o < LLVMGetNumOperands(l->users[i]); o++)
            if (LLVMGetOperand(l->users[i], (unsigned)o) == from)
                LLVMSetOperand(l->users[i], (unsigned)o, replacement);
    free(l->users);
}

static void replace_other(flat *o, LLVMValueRef other) {
    use_list users = users_of(o->t, other);
    LLVMValueRef next = LLVMGetNextInstruction(other);
    if (LLVMGetInstructionParent(other) == LLVMGetInstructionParent(o->t->index))
        next = LLVMGetFirstInstruction(
            LLVMGetSuccessor(LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(o->index)), 0));
    while (LLVMIsAPHINode(next))
        next = LLVMGetNextInstruction(next);
    LLVMPositionBuilderBefore(o->b, next);
    LLVMValueRef moved = to(o, o->index, LLVMTypeOf(other));
    redirect(&users, other, LLVMBuildSelect(o->b, o->inside, moved, other, ""));
}

static void replace_all(const st_value_list *l, LLVMValueRef replacement) {
    for (int i = 0; i < l->count; i++)
        LLVMReplaceAllUsesWith(l->values[i], replacement);
    for (int i = 0; i < l->count; i++)
        if (!LLVMGetFirstUse(l->values[i]))
            LLVMInstructionEraseFromParent(l->values[i]);
}

void remap_flat(LLVMValueRef function, const st_flat_index *t, const order_plan *plan) {
    flat o = {.t = t, .context = LLVMGetTypeContext(LLVMTypeOf(function))};
    o.b = LLVMCreateBuilderInContext(o.context);
    o.i32 = LLVMInt32TypeInContext(o.context);
    o.i64 = LLVMInt64TypeInContext(o.context);
    o.type = LLVMTypeOf(t->index);
    use_list users = users_of(t, t->index);
    remap_open(o.b, function);
    prepare(&o, plan);
    if (t->rows.count + t->columns.count)
        o.divisor = own_divisor(&o);
    place(&o);
    redirect(&users, t->index, o.index);
    for (int i = 0; i < t->others.count; i++)
        replace_other(&o, t->others.values[i]);
    if (o.divisor) {
        replace_all(&t->columns, o.column);
        replace_all(&t->rows, o.row);
    }
    LLVMDisposeBuilder(o.b);
}
