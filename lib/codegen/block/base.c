/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Small builders of block kernels: arithmetic, addresses, loads.
 */
#include "codegen/block/gen.h"

#include <string.h>

bool blk_refuse(blk_gen *g, const char *detail) {
    return st_refuse(g->why, ST_NO_KERNEL_SHAPE, detail);
}

/* Order of sums */

br_scev blk_axis_atom(const blk_gen *g, int d) {
    return (br_scev)(const void *)&g->l->axes[d];
}

static int rank_of(const void *context, br_scev atom) {
    const blk_gen *g = context;
    const st_launch_value *v = st_value_of(g->l, atom);
    for (int d = 0; d < g->s->rank; d++)
        if (atom == blk_axis_atom(g, d))
            return 90 + g->l->axes[d].number;
    return v ? v->rank : 0;
}

const poly_term *blk_in_order(const blk_gen *g, poly p) {
    return poly_ranked(p, rank_of, g);
}

/* Arithmetic */

/* Coordinates are below 2^30, but addresses need them as i64. The value of an extended i32 is
 * computed in 32 bits, which takes half the instructions. NULL if v is no extended i32. */
static LLVMValueRef narrow(blk_gen *g, LLVMValueRef v) {
    int64_t number = LLVMIsAConstantInt(v) ? LLVMConstIntGetSExtValue(v) : INT64_MAX;
    if (!g->checked)
        return NULL;
    if (number >= -(INT64_C(1) << 30) && number <= INT64_C(1) << 30)
        return gen_int32(&g->e, (int32_t)number);
    if (!LLVMIsASExtInst(v))
        return NULL;
    v = LLVMGetOperand(v, 0);
    return LLVMTypeOf(v) == gen_i32(&g->e) ? v : NULL;
}

static LLVMValueRef combine(blk_gen *g, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef x = narrow(g, a), y = narrow(g, b);
    if (!x || !y || (LLVMIsConstant(a) && LLVMIsConstant(b)))
        return LLVMBuildBinOp(g->e.b, op, a, b, "");
    LLVMValueRef v = LLVMBuildBinOp(g->e.b, op, x, y, "");
    if (LLVMIsAInstruction(v))
        LLVMSetNSW(v, true);
    return gen_extend(&g->e, v);
}

LLVMValueRef blk_coordinate(blk_gen *g, LLVMValueRef v) {
    return narrow(g, v) ? v : gen_extend(&g->e, LLVMBuildTrunc(g->e.b, v, gen_i32(&g->e), ""));
}

LLVMValueRef blk_add(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return combine(g, LLVMAdd, a, b);
}

LLVMValueRef blk_scale(blk_gen *g, LLVMValueRef a, int64_t by) {
    return by == 1 ? a : combine(g, LLVMMul, a, gen_int64(&g->e, by));
}

LLVMValueRef blk_sub(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return combine(g, LLVMSub, a, b);
}

LLVMValueRef blk_plus(blk_gen *g, LLVMValueRef a, int64_t b) {
    return b ? blk_add(g, a, gen_int64(&g->e, b)) : a;
}

static LLVMValueRef choose(blk_gen *g, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef x = narrow(g, a), y = narrow(g, b);
    bool both = x && y && !(LLVMIsConstant(a) && LLVMIsConstant(b));
    LLVMValueRef c = LLVMBuildICmp(g->e.b, p, both ? x : a, both ? y : b, "");
    LLVMValueRef v = LLVMBuildSelect(g->e.b, c, both ? x : a, both ? y : b, "");
    return both ? gen_extend(&g->e, v) : v;
}

LLVMValueRef blk_compare(blk_gen *g, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef x = narrow(g, a), y = narrow(g, b);
    return LLVMBuildICmp(g->e.b, p, x && y ? x : a, x && y ? y : b, "");
}

LLVMValueRef blk_least(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return choose(g, LLVMIntSLT, a, b);
}

LLVMValueRef blk_greatest(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return choose(g, LLVMIntSGT, a, b);
}

LLVMValueRef blk_bytes(blk_gen *g, LLVMValueRef pointer, LLVMValueRef bytes) {
    if (LLVMIsAConstantInt(bytes) && !LLVMConstIntGetSExtValue(bytes))
        return pointer;
    return gen_bytes_on(&g->e, pointer, bytes);
}

/* i64: the bytes of so many cells along d. */
static LLVMValueRef distance(blk_gen *g, int32_t grid, int d, int32_t cells) {
    const st_grid *of = &g->s->grids[grid];
    int64_t size = (int64_t)st_type_size(of->type);
    if (d == 0) /* counted in elements even where the grid does not extend along x */
        return gen_int64(&g->e, cells * size * (of->apart ? of->apart : 1));
    return LLVMBuildMul(g->e.b, g->stride[grid][d], gen_int64(&g->e, cells), "");
}

/* Elements are multiplied before their size: a product of two i32. */
LLVMValueRef blk_steps(blk_gen *g, int32_t grid, int d, LLVMValueRef cells) {
    LLVMValueRef row = g->row[grid][d];
    int64_t size = (int64_t)st_type_size(g->s->grids[grid].type);
    if (!row)
        return LLVMBuildMul(g->e.b, cells, g->stride[grid][d], "");
    row = LLVMBuildMul(g->e.b, cells, row, "");
    return LLVMBuildMul(g->e.b, row, gen_int64(&g->e, size), "");
}

LLVMValueRef blk_address(blk_gen *g, int32_t grid, LLVMValueRef const coordinate[]) {
    LLVMValueRef p = g->origin[grid];
    for (int d = g->s->rank; d-- > 0;)
        p = blk_bytes(g, p, blk_steps(g, grid, d, coordinate[d]));
    return p;
}

/* The address of the thread's first cell, moved by planes. It is computed from the address one
 * plane nearer, because multiples of the stride would take a register each. Offsets of coefficient
 * grids may be too large for the table; they are multiplied. */
static LLVMValueRef plane_address(blk_gen *g, int32_t grid, int plane) {
    int number = plane + 3 * ST_MAX_RADIUS;
    if (plane == 0)
        return g->home[grid];
    if (number < 0 || number >= BLK_MAX_PLANES)
        return blk_bytes(g, g->home[grid], distance(g, grid, g->p->dim, plane));
    LLVMValueRef *known = &g->plane[number][grid];
    if (!*known) {
        int step = plane < 0 ? -1 : 1;
        LLVMValueRef before = plane_address(g, grid, plane - step);
        *known = blk_bytes(g, before, distance(g, grid, g->p->dim, step));
    }
    return *known;
}

/* Is the plan's dimension another one than x, and does the grid extend along it? */
static bool has_planes(const blk_gen *g, int32_t grid) {
    return g->p->dim > 0 && !(g->s->grids[grid].broadcast >> g->p->dim & 1);
}

LLVMValueRef blk_tap_address(blk_gen *g, const blk_tap *t) {
    bool planes = has_planes(g, t->grid);
    LLVMValueRef p = plane_address(g, t->grid, planes ? t->offset[g->p->dim] : 0);
    for (int d = g->s->rank; d-- > 0;)
        if (d != g->p->dim || !planes)
            p = blk_bytes(g, p, distance(g, t->grid, d, t->offset[d]));
    return p;
}

LLVMValueRef blk_load_cell(blk_gen *g, int32_t grid, LLVMValueRef address) {
    return blk_load_cells(g, grid, address, 1);
}

LLVMValueRef blk_load_cells(blk_gen *g, int32_t grid, LLVMValueRef address, int count) {
    st_type type = g->s->grids[grid].type;
    LLVMTypeRef t = gen_type(&g->e, type);
    t = count > 1 ? LLVMVectorType(t, (unsigned)count) : t;
    LLVMValueRef v = gen_load(&g->e, t, address, st_type_size(type) * (size_t)count);
    if (!st_writes(g->s, grid, 0)) {
        static const char name[] = "invariant.load";
        unsigned kind = LLVMGetMDKindIDInContext(g->e.context, name, sizeof name - 1);
        LLVMMetadataRef none = LLVMMDNodeInContext2(g->e.context, NULL, 0);
        LLVMSetMetadata(v, kind, LLVMMetadataAsValue(g->e.context, none));
    }
    return v;
}

void blk_reach(const st_stencil *s, int32_t grid, int d, int32_t *low, int32_t *high) {
    int32_t lows[ST_MAX_RANK], highs[ST_MAX_RANK];
    st_halo(s, grid, lows, highs);
    *low = lows[d];
    *high = highs[d];
}

/* Does each access to the grid differ from the cell's own coordinates along one dimension at
 * most? */
static bool is_star(const st_stencil *s, int32_t grid) {
    for (size_t i = 0; i < s->naccesses; i++) {
        int moved = 0;
        for (int d = 0; d < s->rank; d++)
            moved += s->accesses[i].offset[d] != 0;
        if (s->accesses[i].grid == grid && moved > 1)
            return false;
    }
    return true;
}

/* Does the statement read the corners of the box between its least and greatest offsets? */
static bool is_box(const st_stencil *s, int32_t grid) {
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK];
    st_halo(s, grid, low, high);
    for (int corner = 0; corner < 1 << s->rank; corner++) {
        int32_t offset[ST_MAX_RANK] = {0};
        for (int d = 0; d < s->rank; d++)
            offset[d] = corner >> d & 1 ? high[d] : low[d];
        if (!st_reads(s, grid, offset))
            return false;
    }
    return true;
}

LLVMValueRef blk_is_aligned(blk_gen *g) {
    LLVMValueRef bad = gen_int64(&g->e, 0), zero = bad;
    if (g->p->vector == 1)
        return NULL;
    for (size_t i = 0; i < g->s->ngrids; i++) {
        int64_t size = g->p->vector * (int64_t)st_type_size(g->s->grids[i].type);
        if (g->s->grids[i].broadcast & 1)
            continue;
        LLVMValueRef sum = LLVMBuildPtrToInt(g->e.b, g->origin[i], gen_i64(&g->e), "");
        for (int d = 1; d < g->s->rank; d++)
            sum = LLVMBuildOr(g->e.b, sum, g->stride[i][d], "");
        sum = LLVMBuildAnd(g->e.b, sum, gen_int64(&g->e, size - 1), "");
        bad = LLVMBuildOr(g->e.b, bad, sum, "");
    }
    return LLVMBuildICmp(g->e.b, LLVMIntEQ, bad, zero, "");
}

bool blk_can_clamp(const st_stencil *s, int32_t grid) {
    return s->grids[grid].broadcast == 0 && (is_box(s, grid) || is_star(s, grid));
}

void blk_clamp(blk_gen *g, int32_t grid, LLVMValueRef coordinate[]) {
    LLVMValueRef outside = NULL, twice = NULL, inner[ST_MAX_RANK];
    bool box = is_box(g->s, grid);
    for (int d = 0; d < g->s->rank; d++) {
        int32_t low, high;
        blk_reach(g->s, grid, d, &low, &high);
        LLVMValueRef first = g->axes[d].low, last = blk_plus(g, g->axes[d].high, -1);
        LLVMValueRef c = blk_least(g, coordinate[d], blk_plus(g, last, high));
        c = coordinate[d] = blk_greatest(g, c, blk_plus(g, first, low));
        inner[d] = blk_greatest(g, blk_least(g, c, last), first);
        LLVMValueRef out = LLVMBuildICmp(g->e.b, LLVMIntNE, c, inner[d], "");
        if (outside) {
            LLVMValueRef both = LLVMBuildAnd(g->e.b, outside, out, "");
            twice = twice ? LLVMBuildOr(g->e.b, twice, both, "") : both;
        }
        outside = outside ? LLVMBuildOr(g->e.b, outside, out, "") : out;
    }
    for (int d = 0; d < g->s->rank && twice && !box; d++)
        coordinate[d] = LLVMBuildSelect(g->e.b, twice, inner[d], coordinate[d], "");
}

/* What is read in place of coordinate c, of an access at this offset, outside the face. */
static LLVMValueRef folded(blk_gen *g, int d, int high, int32_t offset, LLVMValueRef c) {
    const blk_face *f = &g->axes[d].face[high];
    LLVMValueRef twice = blk_add(g, f->limit, f->limit);
    switch (f->rule) {
    case ST_CLAMP:
        return f->limit;
    case ST_MIRROR:
        return blk_sub(g, twice, c);
    case ST_SYMMETRIC:
        return blk_sub(g, blk_plus(g, twice, high ? 1 : -1), c);
    case ST_WRAP:
        return high ? blk_sub(g, c, f->period) : blk_add(g, c, f->period);
    case ST_TURN:
        return blk_plus(g, f->limit, -offset);
    default:
        return c;
    }
}

void blk_fold(blk_gen *g, uint32_t faces, const int32_t turned[], LLVMValueRef coordinate[]) {
    for (int d = 0; d < g->s->rank; d++) {
        LLVMValueRef c = coordinate[d];
        for (int high = 0; high < 2; high++) {
            const blk_face *f = &g->axes[d].face[high];
            if (!(faces & ST_FACE(d, high)) || f->rule == ST_NO_RULE)
                continue;
            LLVMValueRef out =
                LLVMBuildICmp(g->e.b, high ? LLVMIntSGT : LLVMIntSLT, c, f->limit, "");
            LLVMValueRef inside = folded(g, d, high, turned ? turned[d] : 0, c);
            coordinate[d] = LLVMBuildSelect(g->e.b, out, inside, coordinate[d], "");
        }
    }
}

LLVMValueRef blk_folded_address(blk_gen *g, const blk_tap *t, LLVMValueRef coordinate[]) {
    blk_fold(g, t->faces, t->turned, coordinate);
    LLVMValueRef p = blk_address(g, t->grid, coordinate);
    bool counts = g->s->grids[t->grid].broadcast & 1; /* elements along x, where it has no stride */
    return counts ? blk_bytes(g, p, distance(g, t->grid, 0, t->offset[0])) : p;
}

LLVMValueRef blk_load_tap(blk_gen *g, const blk_tap *t) {
    LLVMValueRef at[ST_MAX_RANK];
    if (!t->faces)
        return blk_load_cell(g, t->grid, blk_tap_address(g, t));
    for (int d = 0; d < g->s->rank; d++)
        at[d] = blk_plus(g, g->axes[d].first, t->offset[d]);
    return blk_load_cell(g, t->grid, blk_folded_address(g, t, at));
}

/* What is read of the launch, and what is required of it and of the program's numbers */

LLVMValueRef blk_launched(blk_gen *g, tg_launch_value v, int d) {
    if (!g->launch[v][d])
        g->launch[v][d] = tg_launch(g->e.b, v, d);
    return g->launch[v][d];
}

bool blk_divides(LLVMValueRef v) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

LLVMValueRef blk_safe_divisor(const blk_gen *g, LLVMValueRef d) {
    LLVMTypeRef t = LLVMTypeOf(d);
    d = LLVMBuildFreeze(g->e.b, d, "");
    LLVMValueRef next = LLVMBuildAdd(g->e.b, d, LLVMConstInt(t, 1, false), "");
    LLVMValueRef bad = LLVMBuildICmp(g->e.b, LLVMIntULE, next, LLVMConstInt(t, 1, false), "");
    return LLVMBuildSelect(g->e.b, bad, LLVMConstInt(t, 1, false), d, "");
}

void blk_require(blk_gen *g, LLVMValueRef condition) {
    if (LLVMIsAConstantInt(condition) && LLVMConstIntGetZExtValue(condition))
        return;
    g->holds = gen_both(&g->e, g->holds, condition);
}

void blk_require_sign(blk_gen *g, LLVMValueRef v) {
    g->all_signs = g->all_signs ? LLVMBuildOr(g->e.b, g->all_signs, v, "") : v;
}

void blk_require_small(blk_gen *g, LLVMValueRef v) {
    if (LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) < UINT64_C(1) << BLK_SMALL_BITS)
        return;
    for (int i = 0; i < g->nsmall; i++)
        if (g->small[i] == v)
            return;
    if (g->nsmall < BLK_MAX_ATOMS)
        g->small[g->nsmall++] = v;
    else
        blk_require(g, LLVMConstInt(LLVMInt1TypeInContext(g->e.context), 0, false));
}

bool blk_is_guarded(const blk_gen *g, const st_access *a) {
    return a->conditional && !(g->interior && g->has_readers[a - g->s->accesses]);
}

void blk_tap_reach(const blk_gen *g, const blk_tap *t, int dim, int32_t *low, int32_t *high) {
    bool found = false;
    for (size_t i = 0; i < g->s->naccesses; i++) {
        const st_access *a = &g->s->accesses[i];
        bool same = a->grid == t->grid && a->faces == t->faces && !blk_is_guarded(g, a);
        for (int d = 0; d < g->s->rank; d++)
            same &= d == dim || a->offset[d] == t->offset[d];
        if (!same)
            continue;
        *low = !found || a->offset[dim] < *low ? a->offset[dim] : *low;
        *high = !found || a->offset[dim] > *high ? a->offset[dim] : *high;
        found = true;
    }
}
