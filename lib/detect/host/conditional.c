/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cells that the program reads only under a condition, or chooses between by a condition: may a
 * device read them for every cell?
 */
#include "detect/host/ends.h"
#include "detect/host/region.h"
#include "detect/host/statement.h"

/* Does the access read no cell outside the domain? */
static bool is_inside(const st_access *a) {
    for (int d = 0; d < ST_MAX_RANK; d++)
        if (a->offset[d] && !(a->faces & ST_FACE(d, a->offset[d] > 0)))
            return false;
    return true;
}

/* The one dimension along which the access is away from the cell, and to which side; -1 if there
 * are several. */
static int only_direction(const st_access *a, int *side) {
    int found = -1;
    for (int d = 0; d < ST_MAX_RANK; d++) {
        if (!a->offset[d])
            continue;
        if (found >= 0)
            return -1;
        found = d;
        *side = a->offset[d] > 0;
    }
    return found;
}

/* Does the program read all cells of the domain from this array, whatever is skipped? It does if it
 * always reads the cell itself; or one to each side, or one that comes round. */
static bool covers_domain(const st_stencil *s, const st_access *of) {
    bool sides[ST_MAX_RANK][2] = {{false}};
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        int side = 0, d = only_direction(a, &side);
        if (a->conditional || a->grid != of->grid || a->level != of->level)
            continue;
        if (!a->offset[0] && !a->offset[1] && !a->offset[2])
            return true;
        if (d < 0 || !is_inside(a))
            continue;
        sides[d][side] = true;
        if (s->boundary[d][side] == ST_WRAP || sides[d][!side])
            return true;
    }
    return false;
}

static bool has_offset(const st_access *a, const int32_t *offset) {
    bool same = true;
    for (int d = 0; d < ST_MAX_RANK; d++)
        same &= a->offset[d] == offset[d];
    return same;
}

/* An access that stays inside along some dimensions, as that of a clamped column of the next row:
 * does the program always read the cells beside the domain among which this one's are, as those
 * of the next row? */
static bool covers_beside(const st_stencil *s, const st_access *of) {
    int32_t beside[ST_MAX_RANK];
    for (int d = 0; d < ST_MAX_RANK; d++) {
        int32_t o = of->offset[d];
        beside[d] = o && of->faces & ST_FACE(d, o > 0) ? 0 : o;
    }
    bool covers = false;
    for (size_t i = 0; i < s->naccesses && !covers; i++) {
        const st_access *a = &s->accesses[i];
        covers = !a->conditional && !a->faces && a->grid == of->grid && a->level == of->level &&
                 has_offset(a, beside);
    }
    return covers;
}

/* Is the cell itself always accessed, or every cell of the domain for others? */
static bool is_sure_here(const st_stencil *s, int32_t grid) {
    bool sure = grid == s->store_grid && !(s->masked & 1);
    for (size_t i = 0; i < s->nalso; i++)
        sure |= grid == s->also[i].grid && !(s->masked >> (i + 1) & 1);
    for (size_t i = 0; i < s->naccesses && !sure; i++)
        sure = s->accesses[i].grid == grid && covers_domain(s, &s->accesses[i]);
    return sure;
}

/* A cell that is always read, or (number `naccesses`) the cell itself if that is always accessed;
 * NULL if it is another grid's, read under a condition only, or at a border another one. */
static const int32_t *sure_cell(const st_stencil *s, size_t number, int32_t grid) {
    static const int32_t here[ST_MAX_RANK];
    if (number == s->naccesses)
        return is_sure_here(s, grid) ? here : NULL;
    const st_access *a = &s->accesses[number];
    return a->grid == grid && !a->conditional && !a->faces ? a->offset : NULL;
}

/* A device reads what the program reads under a condition for every cell. That is memory of the
 * program's whatever the strides are if it lies between two cells that the program does access:
 * beside a corner, say, of the cells that a star reads, there may be none. Of several sweeps,
 * others may always access it: the runtime looks. */
bool host_check_conditional(host_region *r) {
    st_stencil *s = r->stencil;
    for (size_t i = 0; i < s->naccesses; i++)
        s->accesses[i].conditional &= !host_never_skipped(r, (int32_t)i);
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        bool sure = a->faces ? (is_inside(a) && covers_domain(s, a)) || covers_beside(s, a)
                             : !a->conditional;
        for (size_t p = 0; p <= s->naccesses && !sure; p++) {
            const int32_t *one = sure_cell(s, p, a->grid);
            for (size_t q = p; one && q <= s->naccesses && !sure; q++) {
                const int32_t *other = sure_cell(s, q, a->grid);
                sure = other && st_is_between(a->offset, one, other);
            }
        }
        s->accesses[i].unsure = !sure;
        if (!sure && !r->match.use_others)
            return host_refuse(r, ST_NO_CONDITIONAL_LOAD, NULL);
    }
    return true;
}

void host_release_conditional(host_region *r) {
    st_stencil *s = r->stencil;
    for (size_t i = 0; i < s->naccesses; i++)
        s->accesses[i].conditional = !st_is_readable(s, i);
}
