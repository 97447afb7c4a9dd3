/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In which order a tile computes: each value once, after what it is made of; what several cells
 * have in common once; few registers, whatever the program's order of sums.
 */
#include "plan/cell/tile.h"

#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(bool holds, const char *what) {
    if (!holds) {
        printf("failed: %s\n", what);
        failures++;
    }
}

static st_stencil *new_stencil(int rank) {
    st_stencil *s = st_create();
    s->rank = rank;
    for (int i = 0; i < 3; i++) {
        st_grid g = {.type = ST_F32, .buffers = 1};
        snprintf(g.name, sizeof g.name, "g%d", i);
        st_add_grid(s, g);
    }
    return s; /* writes grid 0 */
}

static int32_t read_cell(st_stencil *s, int32_t grid, int x, int y, int z) {
    st_access a = {.grid = grid, .offset = {x, y, z}};
    return st_leaf(s, ST_ACCESS, ST_F32, st_add_access(s, a));
}

static int32_t product(st_stencil *s, int x, int y) {
    return st_operation(s, ST_FMUL, ST_F32, read_cell(s, 1, x, y, 0), read_cell(s, 2, x, y, 0), -1);
}

/* A star's sum, the arms one after the other: x, y, z. */
static int32_t star(st_stencil *s, int radius) {
    int32_t sum = read_cell(s, 1, 0, 0, 0);
    for (int d = 0; d < 3; d++)
        for (int r = -radius; r <= radius; r++)
            if (r)
                sum = st_operation(s, ST_FADD, ST_F32, sum,
                                   read_cell(s, 1, d == 0 ? r : 0, d == 1 ? r : 0, d == 2 ? r : 0),
                                   -1);
    return sum;
}

/* Is each step made of what was loaded or computed before, and is nothing made twice? */
static bool is_sound(const tile_order *t) {
    size_t nnodes = t->s->nnodes, cells = (size_t)(t->cells[0] * t->cells[1] * t->cells[2]);
    bool *loaded = calloc(t->nrows + 1, 1), *done = calloc(cells * nnodes, 1), sound = true;
    for (size_t i = 0; i < t->nsteps; i++) {
        const tile_step *step = &t->steps[i];
        const st_node *n = &t->s->nodes[step->node];
        size_t first = (size_t)step->cell * nnodes;
        if (step->row >= 0) {
            sound = sound && !loaded[step->row];
            loaded[step->row] = true;
            continue;
        }
        for (int k = 0; k < st_ops[n->op].arity; k++) {
            const st_node *arg = &t->s->nodes[n->args[k]];
            size_t at = (size_t)step->cell * t->s->naccesses + (size_t)arg->index;
            sound = sound && (arg->op == ST_ACCESS ? loaded[t->row[at]]
                                                   : done[t->same[first + (size_t)n->args[k]]]);
        }
        int same = t->same[first + (size_t)step->node];
        sound = sound && !done[same];
        done[same] = true;
    }
    for (size_t c = 0; c < cells; c++)
        sound = sound && done[t->same[c * nnodes + (size_t)t->s->root]];
    free(loaded);
    free(done);
    return sound;
}

static size_t computed(const tile_order *t) {
    size_t count = 0;
    for (size_t i = 0; i < t->nsteps; i++)
        count += t->steps[i].row < 0;
    return count;
}

/* a(y+1) b(y+1) - a(y-1) b(y-1): of four rows, the two in the middle share two products. */
static void test_shared(void) {
    static const int tile[3] = {4, 4, 1};
    st_stencil *s = new_stencil(2);
    s->root = st_operation(s, ST_FSUB, ST_F32, product(s, 0, 1), product(s, 0, -1), -1);
    tile_order *t = tile_create(s, tile);
    expect(is_sound(t), "products in common: order");
    expect(computed(t) == 4 * (4 + 6), "products in common are computed once");
    tile_destroy(t);
    st_destroy(s);
}

static void test_star(int radius, const int tile[3], int most) {
    st_stencil *s = new_stencil(3);
    s->root = star(s, radius);
    tile_order *t = tile_create(s, tile);
    expect(is_sound(t), "star: order");
    if (t->live > most)
        printf("radius %d, tile %dx%dx%d: %d words\n", radius, tile[0], tile[1], tile[2], t->live);
    expect(t->live <= most, "a star's arms, one after the other, take few registers");
    tile_destroy(t);
    st_destroy(s);
}

/* By their place, rows of planes that come last in the sum would wait for all others. */
int main(void) {
    test_shared();
    test_star(4, (const int[]){4, 1, 1}, 24);
    test_star(4, (const int[]){4, 1, 2}, 40);
    test_star(4, (const int[]){4, 2, 2}, 72);
    test_star(1, (const int[]){4, 2, 4}, 60);
    printf("%d failed\n", failures);
    return failures != 0;
}
