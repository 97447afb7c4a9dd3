/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a thread reads after it wrote another array. The new body reads all before it writes, so
 * what is read late must not be what the same thread wrote. No ranges need be compared if a thread
 * has one cell, and the arrays have rows and planes of the same length:
 *
 *   - Suppose that a thread writes what it reads late, of another array. Then all threads do, each
 *     for its own cell, because both addresses move alike. If another access, which is made in any
 *     case, reads the same array at another offset, the thread so many cells away reads there what
 *     this one writes: two threads race, and the program has no meaning. It is enough that the
 *     cells written are more than so many along each dimension.
 *   - An array that is the same along a dimension is read by the threads in front and behind, too.
 *   - Else the two addresses are compared.
 */
#include "codegen/block/gen.h"

#include <stdlib.h>

typedef enum late_test { LATE_CELLS, LATE_ADDRESS, LATE_RANGES } late_test;

static bool is_masked(const st_stencil *s, int32_t grid) {
    bool masked = grid == s->store_grid && s->masked & 1;
    for (size_t i = 0; i < s->nalso; i++)
        masked |= s->also[i].grid == grid && (i >= 63 || s->masked >> (i + 1) & 1);
    return masked;
}

static bool move_alike(const st_launch *l, int32_t a, int32_t b) {
    bool alike = st_type_size(l->stencil->grids[a].type) == st_type_size(l->stencil->grids[b].type);
    for (int d = 0; d < l->stencil->rank; d++)
        alike &= l->grids[a].stride[d] == l->grids[b].stride[d];
    return alike;
}

/* How far along each dimension the nearest other thread is that reads the same cell. False: it is
 * not known that there is one. */
static bool find_reader(const st_launch *l, int32_t written, size_t access, int32_t apart[]) {
    const st_stencil *s = l->stencil;
    const st_access *a = &s->accesses[access];
    uint32_t same = s->grids[a->grid].broadcast;
    for (int d = 0; d < s->rank; d++)
        apart[d] = 0;
    if (is_masked(s, written))
        return false;
    for (int d = 0; d < s->rank && !a->conditional; d++)
        if (same >> d & 1) {
            apart[d] = 1;
            return true;
        }
    for (size_t i = 0; i < s->naccesses && move_alike(l, written, a->grid); i++) {
        const st_access *other = &s->accesses[i];
        bool differs = false;
        for (int d = 0; d < s->rank; d++)
            differs |= other->offset[d] != a->offset[d];
        if (other->grid != a->grid || other->conditional || other->faces || !differs)
            continue;
        for (int d = 0; d < s->rank; d++)
            apart[d] = abs(other->offset[d] - a->offset[d]);
        return true;
    }
    return false;
}

static late_test find_test(const st_launch *l, int32_t written, size_t access, int32_t apart[]) {
    const st_access *a = &l->stencil->accesses[access];
    if (a->faces)
        return LATE_RANGES;
    if (find_reader(l, written, access, apart))
        return LATE_CELLS;
    return move_alike(l, written, a->grid) ? LATE_ADDRESS : LATE_RANGES;
}

typedef void late_do(blk_gen *g, late_test test, int32_t grid, size_t access,
                     const int32_t apart[]);

/* Calls `visit`, if there is one, for each pair. Returns the greatest test. */
static late_test for_each(const st_launch *l, blk_gen *g, late_do *visit) {
    late_test most = LATE_CELLS;
    for (int32_t grid = 0; (size_t)grid < l->stencil->ngrids; grid++)
        for (size_t i = 0; i < l->stencil->naccesses; i++) {
            int32_t apart[ST_MAX_RANK];
            if (!st_writes(l->stencil, grid, 0) || l->stencil->accesses[i].grid == grid)
                continue;
            late_test test = find_test(l, grid, i, apart);
            most = test > most ? test : most;
            if (visit)
                visit(g, test, grid, i, apart);
        }
    return most;
}

bool blk_compares_ranges(const st_launch *l) {
    bool one = l->cells == 1 && !l->walks && !l->is_flat && !l->planes;
    return l->reads_late && (!one || for_each(l, NULL, NULL) == LATE_RANGES);
}

static void require(blk_gen *g, late_test test, int32_t grid, size_t access,
                    const int32_t apart[]) {
    const st_access *a = &g->s->accesses[access];
    LLVMValueRef written = LLVMBuildPtrToInt(g->e.b, g->origin[grid], gen_i64(&g->e), ""),
                 read = LLVMBuildPtrToInt(g->e.b, g->origin[a->grid], gen_i64(&g->e), "");
    for (int d = 0; d < g->s->rank; d++) {
        const blk_axis *axis = &g->axes[d];
        if (test == LATE_CELLS && apart[d])
            blk_require_sign(g,
                             blk_sub(g, axis->high, blk_plus(g, axis->low, INT64_C(1) + apart[d])));
        read = blk_add(g, read, blk_scale(g, g->stride[a->grid][d], a->offset[d]));
    }
    if (test == LATE_ADDRESS)
        blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntNE, written, read, ""));
}

void blk_require_unread(blk_gen *g) {
    if (g->l->reads_late && !blk_compares_ranges(g->l))
        for_each(g->l, g, require);
}
