/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What kernels of whole steps are predicted to reach: what a row or a column has in common costs
 * nothing, what each cell has of its own does.
 */
#include "plan/time/steps.h"

#include <string.h>

enum { ALONG_STREAM, ACROSS, BOTH, CELL, KINDS };

static const char *const names[] = {"along the stream", "across it", "both", "a cell"};
static int failures;

static int32_t read_cell(st_stencil *s, int32_t grid, int x, int y) {
    st_access a = {.grid = grid, .offset = {x, y, 0}};
    return st_leaf(s, ST_ACCESS, s->grids[grid].type, st_add_access(s, a));
}

/* An integer of the kind: what `more` operations are made of. */
static int32_t start_of(st_stencil *s, int kind, int32_t cell) {
    int32_t x = st_leaf(s, ST_COORD, ST_I64, 0), y = st_leaf(s, ST_COORD, ST_I64, 1);
    if (kind == BOTH)
        return st_operation(s, ST_ADD, ST_I64, x, y, -1);
    return kind == ALONG_STREAM ? y : kind == ACROSS ? x : cell;
}

/* A star's sum, and where a test of so many operations holds the cell's own value; the best degree
 * of all. */
static double rate(int kind, int more, const char *arch) {
    st_step *step = st_step_create(2);
    st_stencil *s = st_create();
    s->rank = 2;
    s->timed = true;
    int32_t array = st_step_add_array(step, "a", ST_I64);
    step->arrays[array].swapped = step->arrays[array].written = true;
    int32_t g = st_add_grid(s, (st_grid){.type = ST_I64, .buffers = 2, .name = "a"});
    int32_t own = read_cell(s, g, 0, 0), sum = own;
    int32_t beside[] = {read_cell(s, g, -1, 0), read_cell(s, g, 1, 0), read_cell(s, g, 0, -1),
                        read_cell(s, g, 0, 1)};
    for (int i = 0; i < 4; i++)
        sum = st_operation(s, ST_ADD, ST_I64, sum, beside[i], -1);
    int32_t v = start_of(s, kind, own);
    for (int i = 0; i < more; i++)
        v = st_operation(s, i % 2 ? ST_MUL : ST_XOR, ST_I64, v,
                         st_constant(s, ST_I64, (uint64_t)(3 + i)), -1);
    s->root = st_operation(s, ST_ADD, ST_I64, sum, v, -1);
    s->store_grid = g;
    s->store_level = 1;
    st_step_add_sweep(step, s);
    plan_wish wish = {.bt = 4, .cells = 2, .unroll = 2};
    const char *why;
    st_plan plan = plan_steps(step, &wish, arch, "k", &why);
    double found = plan.count > 0 ? plan.kernels[0].rate : 0;
    plan_free(&plan);
    st_step_destroy(step);
    st_destroy(s);
    return found;
}

int main(void) {
    static const char *const archs[] = {"sm_80", "sm_90"};
    for (int i = 0; i < 2; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            bool costs = kind == BOTH || kind == CELL;
            double few = rate(kind, 1, archs[i]), many = rate(kind, 41, archs[i]);
            if (few > 0 && many > 0 && (costs ? many < 0.95 * few : many == few))
                continue;
            printf("failed: %s: %s, %g and %g\n", archs[i], names[kind], few, many);
            failures++;
        }
    printf("%d failed\n", failures);
    return failures != 0;
}
