/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What plans of blocking ask of a stencil and of its launch.
 */
#include "plan/block/facts.h"

#include <stdlib.h>

/* Of a coordinate along x: which numbers of it, as x & 1, change from each cell to the next. */
static bool alternates(const st_node *n, const bool *of_x) {
    static const st_op ops[] = {ST_UREM, ST_SREM, ST_UDIV, ST_SDIV,
                                ST_LSHR, ST_ASHR, ST_AND,  ST_XOR};
    bool some = n->op == ST_TRUNC && n->type == ST_I1;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        some |= n->op == ops[i];
    return some && of_x[n->args[0]];
}

/* Finds the nodes that may differ from each cell along x to the next: with `values` those of cells
 * that are read, and such numbers of x. A comparison of x with a limit is none. */
static bool *find_uneven(const st_stencil *s, bool values) {
    bool *uneven = calloc(s->nnodes + 1, sizeof *uneven),
         *of_x = calloc(s->nnodes + 1, sizeof *of_x);
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        uneven[i] = (values && n->op == ST_ACCESS) || alternates(n, of_x);
        of_x[i] = n->op == ST_COORD && n->index == 0;
        for (int k = 0; k < st_ops[n->op].arity; k++) {
            uneven[i] |= uneven[n->args[k]];
            of_x[i] |= of_x[n->args[k]] && n->type != ST_I1;
        }
    }
    free(of_x);
    return uneven;
}

bool blk_find_lone(const st_stencil *s, bool *lone) {
    bool *uneven = find_uneven(s, true), any = false;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        int32_t apart[ST_MAX_RANK];
        lone[i] = a->conditional && uneven[a->where] && !st_find_reader(s, i, apart);
        any |= lone[i];
    }
    free(uneven);
    return any;
}

bool blk_has_lone(const st_stencil *s) {
    bool *lone = calloc(s->naccesses + 1, sizeof *lone);
    bool any = blk_find_lone(s, lone);
    free(lone);
    return any;
}

bool blk_has_alternating(const st_stencil *s) {
    bool *uneven = find_uneven(s, false), any = false;
    for (size_t i = 0; i < s->naccesses; i++)
        any |= s->accesses[i].conditional && uneven[s->accesses[i].where];
    free(uneven);
    return any;
}

bool blk_masks_borders(const st_stencil *s) {
    bool *uneven = find_uneven(s, true), good = s->nalso > 0 && s->nalso < 63 && !(s->masked & 1);
    for (size_t i = 0; i < s->nalso && good; i++) {
        const st_node *root = &s->nodes[s->also[i].root];
        good = s->masked >> (i + 1) & 1 && root->op == ST_SELECT && !uneven[root->args[0]];
    }
    free(uneven);
    return good;
}

/* The nodes that values of cells are part of. */
static bool *find_of_values(const st_stencil *s) {
    bool *of_values = calloc(s->nnodes + 1, sizeof *of_values);
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        of_values[i] = n->op == ST_ACCESS;
        for (int k = 0; k < st_ops[n->op].arity; k++)
            of_values[i] |= of_values[n->args[k]];
    }
    return of_values;
}

bool blk_guards_outputs(const st_stencil *s) {
    bool *of_values = find_of_values(s), good = s->nalso > 0 && s->nalso < 63 && s->masked;
    for (size_t i = 0; i <= s->nalso && good; i++) {
        const st_node *root = &s->nodes[i ? s->also[i - 1].root : s->root];
        bool guarded = root->op == ST_SELECT && !of_values[root->args[0]];
        good = !(s->masked >> i & 1) || guarded;
    }
    free(of_values);
    return good;
}

/* The nodes that x is part of. */
static bool *find_of_x(const st_stencil *s) {
    bool *of_x = calloc(s->nnodes + 1, sizeof *of_x);
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        of_x[i] = n->op == ST_COORD && n->index == 0;
        for (int k = 0; k < st_ops[n->op].arity; k++)
            of_x[i] |= of_x[n->args[k]];
    }
    return of_x;
}

bool blk_masks_values(const st_stencil *s) {
    const st_node *root = &s->nodes[s->root];
    bool *of_x = find_of_x(s);
    bool good = s->nalso == 0 && s->masked == 1 && root->op == ST_SELECT && !of_x[root->args[0]];
    free(of_x);
    return good;
}

/* Is something at least `far` cells away along x read only under a condition that x is part of? A
 * coefficient, which all cells share, is not away. */
static bool has_conditions(const st_stencil *s, int far) {
    bool *of_x = find_of_x(s), any = false;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        int away = s->grids[a->grid].broadcast & 1 ? 0 : abs(a->offset[0]);
        any |= a->conditional && of_x[a->where] && away >= far;
    }
    free(of_x);
    return any;
}

bool blk_has_conditions_along_x(const st_stencil *s) {
    return has_conditions(s, 0);
}

bool blk_has_far_conditions(const st_stencil *s) {
    return has_conditions(s, 2);
}

bool blk_reads_written(const st_stencil *s) {
    bool any = false;
    for (size_t i = 0; i < s->naccesses; i++)
        any |= st_writes(s, s->accesses[i].grid, 0);
    return any;
}

bool blk_is_box(const st_stencil *s) {
    size_t cells = 0;
    for (size_t i = 0; i < s->ngrids; i++) {
        int32_t low[ST_MAX_RANK], high[ST_MAX_RANK];
        size_t box = 1;
        st_halo(s, (int32_t)i, low, high);
        for (int d = 0; d < s->rank; d++)
            box *= (size_t)(high[d] - low[d] + 1);
        cells += box;
    }
    return s->naccesses + s->ngrids > cells; /* the grid written may not be read */
}

/* Cells from the access to the next one of the same row along x; 0: there is none. */
static int gap_behind(const st_stencil *s, const st_access *a) {
    int gap = 0;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *b = &s->accesses[i];
        int apart = b->offset[0] - a->offset[0];
        bool beside = b->grid == a->grid && apart > 0 && (gap == 0 || apart < gap);
        for (int d = 1; d < s->rank; d++)
            beside = beside && b->offset[d] == a->offset[d];
        gap = beside ? apart : gap;
    }
    return gap;
}

bool blk_has_gaps(const st_stencil *s) {
    bool any = false, beside = false;
    for (size_t i = 0; i < s->naccesses; i++) {
        int gap = gap_behind(s, &s->accesses[i]);
        any |= gap > 2;
        beside |= gap == 1;
    }
    return any && !beside;
}

int blk_radius(const st_stencil *s) {
    int radius = 0;
    for (size_t i = 0; i < s->naccesses; i++)
        for (int d = 0; d < s->rank; d++) {
            int at = abs(s->accesses[i].offset[d]);
            radius = at > radius ? at : radius;
        }
    return radius;
}

bool blk_is_wide(const st_stencil *s) {
    return st_type_size(s->grids[s->store_grid].type) == 8;
}

bool blk_has_rules(const st_stencil *s) {
    bool any = false;
    for (size_t i = 0; i < s->naccesses; i++)
        any |= s->accesses[i].faces != 0;
    return any;
}

bool blk_repeats_borders(const st_stencil *s) {
    bool any = false;
    for (size_t i = 0; i < s->naccesses; i++)
        for (int d = 0; d < s->rank; d++)
            for (int high = 0; high < 2; high++)
                any |= (s->accesses[i].faces & ST_FACE(d, high)) &&
                       s->boundary[d][high] == ST_SYMMETRIC;
    return any;
}

int blk_block_threads(const st_stencil *s, const blk_launch *l) {
    int64_t threads = 1;
    for (int d = 0; d < s->rank; d++)
        threads *= l->width[d];
    return l->most_threads ? l->most_threads : threads <= GPU_BLOCK_THREADS ? (int)threads : 0;
}

bool blk_has_components(const st_stencil *s, const blk_launch *l) {
    bool all = true;
    for (size_t i = 0; i < s->naccesses; i++)
        all &= s->accesses[i].offset[0] % l->cells[0] == 0;
    return all;
}

bool blk_has_own_cells(const blk_launch *l) {
    return l->cells[0] > 1 || l->cells[1] > 1 || l->cells[2] > 1;
}
