/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a kernel with a thread a cell is predicted to take: what it reads and writes, whether that
 * is one array or two.
 */
#include "plan/time/cost.h"

#include <string.h>

static int failures;

static void expect(bool holds, const char *what) {
    if (!holds) {
        printf("failed: %s\n", what);
        failures++;
    }
}

static int32_t add_grid(st_stencil *s, const char *name, st_type t, uint32_t buffers) {
    st_grid g = {.type = t, .buffers = buffers};
    strcpy(g.name, name);
    return st_add_grid(s, g);
}

static int32_t read_cell(st_stencil *s, int32_t grid, int32_t level, int x) {
    st_access a = {.grid = grid, .level = level, .offset = {x, 0, 0}};
    return st_leaf(s, ST_ACCESS, s->grids[grid].type, st_add_access(s, a));
}

/* a = a + b, of so many arrays b; a in place or in its second buffer. */
static double cost(st_type t, bool in_place, int others, const char *arch) {
    st_stencil *s = st_create();
    s->rank = 2;
    int32_t a = add_grid(s, "a", t, in_place ? 1 : 2), sum = read_cell(s, a, 0, 0);
    for (int i = 0; i < others; i++) {
        char name[] = {(char)('b' + i), 0};
        int32_t b = read_cell(s, add_grid(s, name, t, 1), 0, 1);
        sum = st_operation(s, ST_FADD, t, sum, b, -1);
    }
    s->root = sum;
    s->store_grid = a;
    s->store_level = in_place ? 0 : 1;
    double seconds = cost_of_cell(s, cost_find_gpu(arch));
    st_destroy(s);
    return seconds;
}

int main(void) {
    static const char *const archs[] = {"sm_80", "sm_90", "gfx942"};
    for (int i = 0; i < 3; i++)
        for (int t = ST_F32; t <= ST_F64; t++)
            for (int others = 0; others < 6; others++) {
                double in_place = cost((st_type)t, true, others, archs[i]);
                double apart = cost((st_type)t, false, others, archs[i]);
                expect(in_place == apart, "an array in place is read and written");
                expect(cost((st_type)t, true, others + 1, archs[i]) > in_place,
                       "an array more costs more");
            }
    printf("%d failed\n", failures);
    return failures != 0;
}
