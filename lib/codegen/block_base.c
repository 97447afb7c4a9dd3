/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arithmetic, addresses, loads.
 */
#include "block_gen.h"

#include <string.h>

LLVMValueRef blk_add(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAdd(g->e.b, a, b, "");
}

LLVMValueRef blk_plus(blk_gen *g, LLVMValueRef a, int64_t b) {
    return b ? blk_add(g, a, gen_int64(&g->e, b)) : a;
}

static LLVMValueRef choose(blk_gen *g, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(g->e.b, LLVMBuildICmp(g->e.b, p, a, b, ""), a, b, "");
}

LLVMValueRef blk_least(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return choose(g, LLVMIntSLT, a, b);
}

LLVMValueRef blk_greatest(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return choose(g, LLVMIntSGT, a, b);
}

LLVMBasicBlockRef blk_block(blk_gen *g, const char *name) {
    return LLVMAppendBasicBlockInContext(g->e.context, g->function, name);
}

LLVMValueRef blk_bytes(blk_gen *g, LLVMValueRef pointer, LLVMValueRef bytes) {
    if (LLVMIsAConstantInt(bytes) && !LLVMConstIntGetSExtValue(bytes))
        return pointer;
    return LLVMBuildGEP2(g->e.b, LLVMInt8TypeInContext(g->e.context), pointer, &bytes, 1, "");
}

LLVMValueRef blk_distance(blk_gen *g, int32_t grid, int d, int32_t cells) {
    int64_t size = (int64_t)st_type_size(g->s->grids[grid].type);
    if (d == 0) /* counted in elements even where the grid does not extend along x */
        return gen_int64(&g->e, cells * size);
    return LLVMBuildMul(g->e.b, g->stride[grid][d], gen_int64(&g->e, cells), "");
}

LLVMValueRef blk_address(blk_gen *g, int32_t grid, LLVMValueRef const coordinate[]) {
    LLVMValueRef p = g->origin[grid];
    for (int d = g->s->rank; d-- > 0;)
        p = blk_bytes(g, p, LLVMBuildMul(g->e.b, coordinate[d], g->stride[grid][d], ""));
    return p;
}

/* From plane to plane: multiples of the stride would take a register each. */
static LLVMValueRef plane_address(blk_gen *g, int32_t grid, int plane) {
    LLVMValueRef *known = &g->plane[plane + 3 * ST_MAX_RADIUS][grid];
    if (plane == 0)
        return g->home[grid];
    if (!*known) {
        int step = plane < 0 ? -1 : 1;
        LLVMValueRef before = plane_address(g, grid, plane - step);
        *known = blk_bytes(g, before, blk_distance(g, grid, g->p->dim, step));
    }
    return *known;
}

bool blk_has_planes(const blk_gen *g, int32_t grid) {
    return g->p->dim > 0 && !(g->s->grids[grid].broadcast >> g->p->dim & 1);
}

LLVMValueRef blk_tap_address(blk_gen *g, const blk_tap *t) {
    bool planes = blk_has_planes(g, t->grid);
    LLVMValueRef p = plane_address(g, t->grid, planes ? t->offset[g->p->dim] : 0);
    for (int d = g->s->rank; d-- > 0;)
        if (d != g->p->dim || !planes)
            p = blk_bytes(g, p, blk_distance(g, t->grid, d, t->offset[d]));
    return p;
}

LLVMValueRef blk_load_cell(blk_gen *g, int32_t grid, LLVMValueRef address) {
    st_type type = g->s->grids[grid].type;
    LLVMValueRef v = LLVMBuildLoad2(g->e.b, gen_type(&g->e, type), address, "");
    LLVMSetAlignment(v, (unsigned)st_type_size(type));
    if (grid != g->s->store_grid) {
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

/* Do all accesses to the grid leave the cell's own coordinates but for one? */
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

static bool reads(const st_stencil *s, int32_t grid, const int32_t *offset) {
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].grid == grid &&
            !memcmp(s->accesses[i].offset, offset, ST_MAX_RANK * sizeof *offset))
            return true;
    return false;
}

/* Are the corners of what it reads read? */
static bool is_box(const st_stencil *s, int32_t grid) {
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK];
    st_halo(s, grid, low, high);
    for (int corner = 0; corner < 1 << s->rank; corner++) {
        int32_t offset[ST_MAX_RANK] = {0};
        for (int d = 0; d < s->rank; d++)
            offset[d] = corner >> d & 1 ? high[d] : low[d];
        if (!reads(s, grid, offset))
            return false;
    }
    return true;
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

static LLVMValueRef subtract(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSub(g->e.b, a, b, "");
}

LLVMValueRef blk_folded(blk_gen *g, int d, int high, LLVMValueRef c) {
    const blk_face *f = &g->axes[d].face[high];
    LLVMValueRef twice = blk_add(g, f->limit, f->limit);
    switch (f->rule) {
    case ST_CLAMP:
        return f->limit;
    case ST_MIRROR:
        return subtract(g, twice, c);
    case ST_SYMMETRIC:
        return subtract(g, blk_plus(g, twice, high ? 1 : -1), c);
    case ST_WRAP:
        return high ? subtract(g, c, f->period) : blk_add(g, c, f->period);
    default:
        return c;
    }
}

void blk_fold(blk_gen *g, uint32_t faces, LLVMValueRef coordinate[]) {
    for (int d = 0; d < g->s->rank; d++) {
        LLVMValueRef c = coordinate[d];
        for (int high = 0; high < 2; high++) {
            const blk_face *f = &g->axes[d].face[high];
            if (!(faces & ST_FACE(d, high)) || f->rule == ST_NO_RULE)
                continue;
            LLVMValueRef out = LLVMBuildICmp(g->e.b, high ? LLVMIntSGT : LLVMIntSLT, c, f->limit, "");
            coordinate[d] =
                LLVMBuildSelect(g->e.b, out, blk_folded(g, d, high, c), coordinate[d], "");
        }
    }
}
