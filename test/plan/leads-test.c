/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What neighbouring cells compute in common: values that are the same but for the cell, along x.
 */
#include "plan/time/leads.h"

#include <stdlib.h>
#include <string.h>

static int failures;
static st_stencil *s;

static int32_t cell(int grid, int x, int y) {
    st_access a = {.grid = grid, .offset = {x, y, 0}};
    return st_leaf(s, ST_ACCESS, ST_F32, st_add_access(s, a));
}

/* A flux between two cells. */
static int32_t flux(int32_t left, int32_t right) {
    int32_t half = st_constant(s, ST_F32, 0x3f000000);
    return st_operation(s, ST_FMUL, ST_F32, half, st_operation(s, ST_FSUB, ST_F32, right, left, -1),
                        -1);
}

static void expect(const char *what, int32_t node, int32_t lead) {
    int32_t *leads = steps_find_leads(s);
    if (leads[node] != lead) {
        printf("failed: %s: %d, not %d\n", what, leads[node], lead);
        failures++;
    }
    free(leads);
}

int main(void) {
    s = st_create();
    s->rank = 2;
    for (int i = 0; i < 2; i++) {
        st_grid g = {.type = ST_F32, .buffers = 1};
        snprintf(g.name, sizeof g.name, "g%d", i);
        st_add_grid(s, g);
    }
    int32_t left = flux(cell(0, -1, 0), cell(0, 0, 0)), right = flux(cell(0, 0, 0), cell(0, 1, 0));
    int32_t far = flux(cell(0, 3, 0), cell(0, 4, 0));
    int32_t below = flux(cell(0, 0, -1), cell(0, 0, 0)), above = flux(cell(0, 0, 0), cell(0, 0, 1));
    int32_t other = flux(cell(1, 0, 0), cell(1, 1, 0)), mixed = flux(cell(0, 1, 0), cell(1, 2, 0));
    int32_t back = flux(cell(0, 1, 0), cell(0, 0, 0));
    expect("the flux furthest left", left, INT32_MAX);
    expect("the next one", right, 1);
    expect("one three cells further on", far, 3);
    expect("fluxes along y are not each other's", above, INT32_MAX);
    expect("nor is the one below", below, INT32_MAX);
    expect("another array's", other, INT32_MAX);
    expect("two arrays'", mixed, INT32_MAX);
    expect("cells the other way round", back, INT32_MAX);
    expect("a cell", cell(0, 1, 0), 1);
    expect("a constant", st_constant(s, ST_F32, 0x3f000000), INT32_MAX);

    /* x + u(x), x + u(x + 1): the number is another one in the next cell. */
    int32_t x = st_operation(s, ST_SITOFP, ST_F32, st_leaf(s, ST_COORD, ST_I64, 0), -1, -1);
    int32_t here = st_operation(s, ST_FADD, ST_F32, x, cell(0, 0, 0), -1);
    int32_t beside = st_operation(s, ST_FADD, ST_F32, x, cell(0, 1, 0), -1);
    expect("a column's number", here, INT32_MAX);
    expect("and the next cell", beside, INT32_MAX);
    int32_t y = st_operation(s, ST_SITOFP, ST_F32, st_leaf(s, ST_COORD, ST_I64, 1), -1, -1);
    int32_t row = st_operation(s, ST_FADD, ST_F32, y, cell(0, 0, 0), -1);
    expect("a row's number", st_operation(s, ST_FADD, ST_F32, y, cell(0, 1, 0), -1), 1);
    expect("in the first cell", row, INT32_MAX);
    st_destroy(s);
    printf("%d failed\n", failures);
    return failures > 0;
}
