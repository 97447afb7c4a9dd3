/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "step-programs.h"

#include "model/number.h"
#include <string.h>

#include <llvm-c/Core.h>

/* Builders */

static int32_t real(st_stencil *s, st_type t, double v) {
    uint64_t bits = 0;
    float f = (float)v;
    if (t == ST_F32)
        memcpy(&bits, &f, sizeof f);
    else
        memcpy(&bits, &v, sizeof v);
    return st_constant(s, t, bits);
}

static int32_t op(st_stencil *s, st_op o, int32_t a, int32_t b) {
    return st_operation(s, o, (st_type)s->nodes[a].type, a, b, -1);
}
static int32_t add(st_stencil *s, int32_t a, int32_t b) {
    return op(s, st_type_is_float((st_type)s->nodes[a].type) ? ST_FADD : ST_ADD, a, b);
}
static int32_t sub(st_stencil *s, int32_t a, int32_t b) {
    return op(s, st_type_is_float((st_type)s->nodes[a].type) ? ST_FSUB : ST_SUB, a, b);
}
static int32_t mul(st_stencil *s, int32_t a, int32_t b) {
    return op(s, st_type_is_float((st_type)s->nodes[a].type) ? ST_FMUL : ST_MUL, a, b);
}
static int32_t times(st_stencil *s, double c, int32_t a) {
    return mul(s, real(s, (st_type)s->nodes[a].type, c), a);
}

/* A grid of the stencil, with so many buffers. */
static int32_t grid(st_stencil *s, const char *name, st_type t, uint32_t buffers) {
    st_grid g = {.type = t, .buffers = buffers};
    strcpy(g.name, name);
    return st_add_grid(s, g);
}

static int32_t at3(st_stencil *s, int32_t g, int32_t level, int x, int y, int z) {
    st_access a = {.grid = g, .level = level, .offset = {x, y, z}};
    return st_leaf(s, ST_ACCESS, s->grids[g].type, st_add_access(s, a));
}

static int32_t at(st_stencil *s, int32_t g, int32_t level, int x, int y) {
    return at3(s, g, level, x, y, 0);
}

static void store(st_stencil *s, int32_t g, int32_t level, int32_t root) {
    if (s->root < 0) {
        s->root = root;
        s->store_grid = g;
        s->store_level = level;
        return;
    }
    st_add_store(s, (st_store){root, g, level});
}

static st_stencil *sweep_of(program *p) {
    st_stencil *s = st_create();
    s->rank = p->step->rank;
    s->timed = true;
    for (size_t i = 0; i < ST_MAX_SWEEPS; i++)
        if (!p->stencils[i])
            return p->stencils[i] = s;
    return s;
}

/* The stencil's grids are the arrays of their names. */
static st_sweep *add_sweep(program *p, st_stencil *s) {
    st_sweep *w = st_step_add_sweep(p->step, s);
    for (size_t g = 0; g < s->ngrids; g++)
        for (size_t a = 0; a < p->step->narrays; a++)
            if (!strcmp(p->step->arrays[a].name, s->grids[g].name))
                for (int level = 0; level < ST_MAX_BUFFERS; level++)
                    w->views[g].array[level] = (int32_t)a;
    for (size_t i = 0; i < st_sweep_stores(w); i++) {
        st_store one = st_sweep_store(w, i);
        p->step->arrays[st_sweep_array(w, one.grid, one.level)].written = true;
    }
    return w;
}

static void domain(st_sweep *w, int x0, int x1, int y0, int y1) {
    w->low[0] = x0;
    w->high[0] = x1;
    w->low[1] = y0;
    w->high[1] = y1;
}

static void add_swapped(program *p, const char *name, st_type t) {
    int32_t a = st_step_add_array(p->step, name, t);
    p->step->arrays[a].swapped = true;
}

static program begin(void) {
    program p = {.step = st_step_create(2)};
    return p;
}

static program begin3(void) {
    program p = {.step = st_step_create(3)};
    return p;
}

void program_free(program *p) {
    for (size_t i = 0; i < ST_MAX_SWEEPS; i++)
        st_destroy(p->stencils[i]);
    st_step_destroy(p->step);
}

/* Programs */

/* PolyBench's fdtd-2d: the first row is set to the step's number, then three sweeps in place. */
static program fdtd(st_type t) {
    program p = begin();
    st_step_add_array(p.step, "ey", t);
    st_step_add_array(p.step, "ex", t);
    st_step_add_array(p.step, "hz", t);

    st_stencil *s = sweep_of(&p);
    int32_t ey = grid(s, "ey", t, 1), ex, hz;
    st_add_scalar(s, (st_scalar){.type = ST_I32, .stepped = true});
    int32_t step = st_leaf(s, ST_SCALAR, ST_I32, 0);
    store(s, ey, 0, st_operation(s, ST_SITOFP, t, step, -1, -1));
    st_sweep *w = add_sweep(&p, s);
    domain(w, 0, 0, 0, 1);
    w->at_low = 2;

    s = sweep_of(&p);
    ey = grid(s, "ey", t, 1), hz = grid(s, "hz", t, 1);
    int32_t d = sub(s, at(s, hz, 0, 0, 0), at(s, hz, 0, 0, -1));
    store(s, ey, 0, sub(s, at(s, ey, 0, 0, 0), times(s, 0.5, d)));
    domain(add_sweep(&p, s), 0, 0, 1, 0);

    s = sweep_of(&p);
    ex = grid(s, "ex", t, 1), hz = grid(s, "hz", t, 1);
    d = sub(s, at(s, hz, 0, 0, 0), at(s, hz, 0, -1, 0));
    store(s, ex, 0, sub(s, at(s, ex, 0, 0, 0), times(s, 0.5, d)));
    domain(add_sweep(&p, s), 1, 0, 0, 0);

    s = sweep_of(&p);
    hz = grid(s, "hz", t, 1), ex = grid(s, "ex", t, 1), ey = grid(s, "ey", t, 1);
    d = sub(s, at(s, ex, 0, 1, 0), at(s, ex, 0, 0, 0));
    d = sub(s, add(s, d, at(s, ey, 0, 0, 1)), at(s, ey, 0, 0, 0));
    store(s, hz, 0, sub(s, at(s, hz, 0, 0, 0), times(s, 0.7, d)));
    domain(add_sweep(&p, s), 0, 1, 0, 1);
    return p;
}

static int32_t laplacian(st_stencil *s, int32_t g) {
    int32_t sum = add(s, at(s, g, 0, 0, -1), at(s, g, 0, 0, 1));
    sum = add(s, add(s, sum, at(s, g, 0, -1, 0)), at(s, g, 0, 1, 0));
    return sub(s, sum, times(s, 4, at(s, g, 0, 0, 0)));
}

/* Two fields in one sweep, from old to new buffers, the boundary kept. */
static program gray_scott(st_type t) {
    program p = begin();
    add_swapped(&p, "u", t);
    add_swapped(&p, "v", t);
    st_stencil *s = sweep_of(&p);
    int32_t u = grid(s, "u", t, 2), v = grid(s, "v", t, 2);
    int32_t cu = at(s, u, 0, 0, 0), cv = at(s, v, 0, 0, 0), one = real(s, t, 1);
    int32_t uvv = mul(s, mul(s, cu, cv), cv);
    int32_t du = sub(s, times(s, 0.16, laplacian(s, u)), uvv);
    int32_t dv = add(s, times(s, 0.08, laplacian(s, v)), uvv);
    store(s, u, 1, add(s, cu, add(s, du, times(s, 0.035, sub(s, one, cu)))));
    store(s, v, 1, add(s, cv, sub(s, dv, times(s, 0.1, cv))));
    domain(add_sweep(&p, s), 1, 1, 1, 1);
    return p;
}

/* Velocities of heights, heights of velocities; then walls: heights at all four sides are those of
 * the neighbours, and there is no flow through the right side. */
static program shallow_water(st_type t) {
    program p = begin();
    st_step_add_array(p.step, "h", t);
    st_step_add_array(p.step, "u", t);
    st_step_add_array(p.step, "v", t);
    for (int x = 1; x >= 0; x--) {
        st_stencil *s = sweep_of(&p);
        int32_t c = grid(s, x ? "u" : "v", t, 1), h = grid(s, "h", t, 1);
        int32_t d = sub(s, at(s, h, 0, x, 1 - x), at(s, h, 0, 0, 0));
        store(s, c, 0, sub(s, at(s, c, 0, 0, 0), times(s, 0.3, d)));
        domain(add_sweep(&p, s), 0, x, 0, 1 - x);
    }
    st_stencil *s = sweep_of(&p);
    int32_t u = grid(s, "u", t, 1), v, h;
    store(s, u, 0, real(s, t, 0));
    st_sweep *w = add_sweep(&p, s);
    domain(w, 1, 0, 0, 0);
    w->at_high = 1;

    s = sweep_of(&p);
    h = grid(s, "h", t, 1), u = grid(s, "u", t, 1), v = grid(s, "v", t, 1);
    int32_t d = sub(s, at(s, u, 0, 0, 0), at(s, u, 0, -1, 0));
    d = sub(s, add(s, d, at(s, v, 0, 0, 0)), at(s, v, 0, 0, -1));
    store(s, h, 0, sub(s, at(s, h, 0, 0, 0), times(s, 0.3, d)));
    domain(add_sweep(&p, s), 1, 1, 1, 1);
    for (int side = 0; side < 4; side++) {
        int dim = side / 2, in = side % 2 ? -1 : 1;
        s = sweep_of(&p);
        h = grid(s, "h", t, 1);
        store(s, h, 0, at(s, h, 0, dim ? 0 : in, dim ? in : 0));
        w = add_sweep(&p, s);
        w->low[dim] = side % 2;
        w->high[dim] = side % 2 ? 0 : 1;
        *(side % 2 ? &w->at_high : &w->at_low) = 1u << dim;
    }
    return p;
}

/* Pressure and velocities, with a grid of coefficients and one that has a value a row. */
static program acoustic(st_type t) {
    program p = begin();
    st_step_add_array(p.step, "p", t);
    st_step_add_array(p.step, "vx", t);
    st_step_add_array(p.step, "k", t);
    st_step_add_array(p.step, "vy", t);
    int32_t rows = st_step_add_array(p.step, "row", t);
    p.step->arrays[rows].broadcast = 1;
    for (int x = 1; x >= 0; x--) {
        st_stencil *s = sweep_of(&p);
        int32_t c = grid(s, x ? "vx" : "vy", t, 1), pr = grid(s, "p", t, 1);
        int32_t row = grid(s, "row", t, 1);
        s->grids[row].broadcast = 1;
        int32_t d = sub(s, at(s, pr, 0, 0, 0), at(s, pr, 0, -x, x - 1));
        store(s, c, 0, sub(s, at(s, c, 0, 0, 0), mul(s, at(s, row, 0, 0, 1), d)));
        add_sweep(&p, s);
    }
    st_stencil *s = sweep_of(&p);
    int32_t pr = grid(s, "p", t, 1), vx = grid(s, "vx", t, 1), vy = grid(s, "vy", t, 1);
    int32_t k = grid(s, "k", t, 1);
    int32_t d = sub(s, at(s, vx, 0, 1, 0), at(s, vx, 0, 0, 0));
    d = add(s, d, sub(s, at(s, vy, 0, 0, 1), at(s, vy, 0, 0, 0)));
    int32_t c = add(s, at(s, k, 0, 0, 0), times(s, 0.25, at(s, k, 0, 1, -1)));
    store(s, pr, 0, sub(s, at(s, pr, 0, 0, 0), mul(s, c, d)));
    add_sweep(&p, s);
    return p;
}

/* u[t+1] of u[t] and u[t-1], with damping and a value that the CPU gives for each step, added in
 * the first column. With three buffers the older one is swapped. */
static program wave_of(st_type t, bool three) {
    program p = begin();
    int32_t newer = st_step_add_array(p.step, "newer", t);
    int32_t older = st_step_add_array(p.step, "older", t);
    st_step_add_array(p.step, "damp", t);
    p.step->arrays[newer].becomes = older;
    p.step->arrays[older].becomes = newer;
    p.step->arrays[older].swapped = three;
    st_stencil *s = sweep_of(&p);
    int32_t o = grid(s, "older", t, 2), n = grid(s, "newer", t, 1), damp = grid(s, "damp", t, 1);
    int32_t c = at(s, n, 0, 0, 0), next = add(s, add(s, c, c), times(s, 0.2, laplacian(s, n)));
    next = sub(s, next, mul(s, at(s, damp, 0, 0, 0), at(s, o, 0, 0, 0)));
    store(s, o, three ? 1 : 0, next);
    domain(add_sweep(&p, s), 2, 1, 1, 3);
    s = sweep_of(&p);
    o = grid(s, "older", t, 2);
    st_add_scalar(s, (st_scalar){.type = t, .followed = true});
    int32_t source = st_leaf(s, ST_SCALAR, t, 0), x = st_leaf(s, ST_COORD, ST_I64, 1);
    int32_t here = add(s, source, st_operation(s, ST_SITOFP, t, x, -1, -1));
    store(s, o, three ? 1 : 0, add(s, at(s, o, three ? 1 : 0, 0, 0), here));
    st_sweep *w = add_sweep(&p, s);
    domain(w, 2, 3, 1, 3);
    w->at_low = 1;
    return p;
}

static program wave(st_type t) {
    return wave_of(t, false);
}
static program wave3(st_type t) {
    return wave_of(t, true);
}

/* Along x into a second array, along y back, each with radius 2. */
static program smoothing(st_type t) {
    program p = begin();
    st_step_add_array(p.step, "a", t);
    st_step_add_array(p.step, "b", t);
    for (int x = 1; x >= 0; x--) {
        st_stencil *s = sweep_of(&p);
        int32_t to = grid(s, x ? "b" : "a", t, 1), from = grid(s, x ? "a" : "b", t, 1);
        int32_t sum = at(s, from, 0, 0, 0);
        for (int i = -2; i <= 2; i++)
            if (i)
                sum = add(s, sum, at(s, from, 0, x * i, (1 - x) * i));
        store(s, to, 0, times(s, 0.2, sum));
        domain(add_sweep(&p, s), 2, 2, 2, 2);
    }
    return p;
}

/* Values of each step, and coefficients: elements of arrays that do not extend. */
static program elements(st_type t) {
    program p = begin();
    st_step_add_array(p.step, "a", t);
    int32_t source = st_step_add_array(p.step, "source", t);
    int32_t weight = st_step_add_array(p.step, "weight", t);
    p.step->arrays[source].broadcast = p.step->arrays[weight].broadcast = 3;
    p.step->arrays[source].advance = 1;
    st_stencil *s = sweep_of(&p);
    int32_t a = grid(s, "a", t, 1), g = grid(s, "source", t, 1);
    s->grids[g].broadcast = 3;
    s->grids[g].advance = 1;
    store(s, a, 0, sub(s, at(s, g, 0, 1, 0), at(s, g, 0, 0, 0)));
    st_sweep *w = add_sweep(&p, s);
    w->views[g].at[0] = 2;
    domain(w, 0, 0, 0, 1);
    w->at_low = 2;
    for (int x = 1; x >= 0; x--) {
        s = sweep_of(&p);
        a = grid(s, "a", t, 1), g = grid(s, "weight", t, 1);
        s->grids[g].broadcast = 3;
        int32_t sum = mul(s, at(s, a, 0, 0, 0), at(s, g, 0, x, 0));
        int32_t b = grid(s, "source", t, 1);
        s->grids[b].broadcast = 3;
        s->grids[b].advance = 1;
        store(s, a, 0, add(s, sum, mul(s, at(s, b, 0, 0, 0), at(s, g, 0, 3, 0))));
        w = add_sweep(&p, s);
        w->views[a].at[0] = x;
        domain(w, 0, 1, 1, 0);
    }
    return p;
}

/* A sweep of every third step between two of each, and a layer of every other one. */
static program rare(st_type t) {
    program p = begin();
    st_step_add_array(p.step, "a", t);
    st_step_add_array(p.step, "b", t);
    for (int i = 0; i < 4; i++) {
        st_stencil *s = sweep_of(&p);
        int32_t to = grid(s, i % 2 ? "b" : "a", t, 1), from = grid(s, i % 2 ? "a" : "b", t, 1);
        int32_t sum = add(s, at(s, from, 0, i - 1, 1), at(s, from, 0, 0, i - 2));
        store(s, to, 0, add(s, times(s, 0.4, at(s, to, 0, 0, 0)), times(s, 0.3, sum)));
        s->every = i == 1 ? 3 : i == 2 ? 2 : 0;
        s->phase = i == 2;
        st_sweep *w = add_sweep(&p, s);
        domain(w, 1, 2, 2, 1);
        if (i == 2) {
            domain(w, 0, 1, 0, 0);
            w->at_low = 1;
        }
    }
    return p;
}

/* Integers: swapped, with a mask of bytes, cells' coordinates, and a sweep that writes another
 * array one cell to the right and two up. */
static program integers(st_type t) {
    program p = begin();
    st_step_add_array(p.step, "mask", ST_I8);
    add_swapped(&p, "a", t);
    st_step_add_array(p.step, "b", t);
    st_stencil *s = sweep_of(&p);
    int32_t a = grid(s, "a", t, 2), b = grid(s, "b", t, 1), m = grid(s, "mask", ST_I8, 1);
    int32_t x = st_leaf(s, ST_COORD, ST_I64, 0), y = st_leaf(s, ST_COORD, ST_I64, 1);
    int32_t xy = add(s, x, mul(s, y, st_constant(s, ST_I64, 3)));
    if (st_type_size(t) < 8)
        xy = st_operation(s, ST_TRUNC, t, xy, -1, -1);
    int32_t sum = add(s, add(s, at(s, a, 0, -1, -1), at(s, a, 0, 2, 1)), at(s, b, 0, 1, 0));
    int32_t zero = st_constant(s, ST_I8, 0);
    int32_t is = st_operation(s, ST_ICMP, ST_I1, at(s, m, 0, 0, 0), zero, -1);
    st_node compare = s->nodes[is];
    compare.predicate = LLVMIntEQ;
    is = st_add_node(s, compare);
    sum = add(s, op(s, ST_XOR, sum, at(s, a, 0, 0, 0)), xy);
    store(s, a, 1, st_operation(s, ST_SELECT, t, is, sum, at(s, b, 0, 0, 1)));
    domain(add_sweep(&p, s), 3, 0, 1, 2);
    s = sweep_of(&p);
    b = grid(s, "b", t, 1), a = grid(s, "a", t, 2);
    store(s, b, 0, sub(s, at(s, a, 1, 1, -1), at(s, a, 0, 0, 0)));
    st_sweep *w = add_sweep(&p, s);
    w->views[b].at[0] = 1;
    w->views[b].at[1] = -2;
    domain(w, 0, 2, 2, 1);
    return p;
}

/* Nests that set layers at opposite faces, and an array that is made before it is read, and copied
 * back. */
static program edges(st_type t) {
    program p = begin();
    st_step_add_array(p.step, "a", t);
    st_step_add_array(p.step, "b", t);
    for (int d = 0; d < 2; d++) {
        st_stencil *s = sweep_of(&p);
        int32_t near = grid(s, "a", t, 1), far = grid(s, "a", t, 1), way = d ? -1 : 1;
        store(s, near, 0, add(s, at(s, near, 0, d ? -1 : 0, d ? 0 : 2), real(s, t, 0.25)));
        store(s, far, 0, times(s, 0.5, at(s, far, 0, d ? 1 : 0, d ? 0 : -1)));
        st_sweep *w = add_sweep(&p, s);
        domain(w, d, 0, 0, d ? 0 : 1);
        if (d)
            w->at_high = 1;
        else
            w->at_low = 2;
        w->views[far].opposite = d ? 1 : 2;
        w->views[far].at[d ? 0 : 1] = -way;
    }
    for (int i = 0; i < 2; i++) {
        st_stencil *s = sweep_of(&p);
        int32_t to = grid(s, i ? "a" : "b", t, 1), from = grid(s, i ? "b" : "a", t, 1);
        int32_t sum = add(s, at(s, from, 0, -1, 0), at(s, from, 0, 0, 1));
        sum = add(s, sum, add(s, at(s, from, 0, 1, 0), at(s, from, 0, 0, -1)));
        store(s, to, 0, i ? at(s, from, 0, 0, 0) : times(s, 0.25, sum));
        domain(add_sweep(&p, s), 1, 1, 1, 1);
    }
    st_step_split(p.step);
    return p;
}

/* Upwind: reads to one side alone, in two stages. */
static program upwind(st_type t) {
    program p = begin();
    add_swapped(&p, "a", t);
    st_step_add_array(p.step, "b", t);
    st_stencil *s = sweep_of(&p);
    int32_t a = grid(s, "a", t, 2), b = grid(s, "b", t, 1);
    int32_t d = sub(s, at(s, a, 0, 0, 0), at(s, a, 0, -1, -2));
    store(s, b, 0, sub(s, at(s, a, 0, 0, 0), times(s, 0.5, d)));
    add_sweep(&p, s);
    s = sweep_of(&p);
    a = grid(s, "a", t, 2), b = grid(s, "b", t, 1);
    d = sub(s, at(s, b, 0, -2, -1), at(s, b, 0, 0, -1));
    store(s, a, 1, add(s, at(s, a, 0, 0, 0), times(s, 0.5, d)));
    domain(add_sweep(&p, s), 1, 2, 0, 0);
    return p;
}

/* The first sweep's array is scaled at the step's end, when the second sweep has read it; that can
 * be made at once, or a row later. */
static program late(st_type t) {
    program p = begin();
    st_step_add_array(p.step, "a", t);
    st_step_add_array(p.step, "b", t);
    st_stencil *s = sweep_of(&p);
    int32_t a = grid(s, "a", t, 1), b = grid(s, "b", t, 1);
    store(s, a, 0, add(s, at(s, a, 0, 0, 0), times(s, 0.25, at(s, b, 0, 0, 0))));
    add_sweep(&p, s);
    s = sweep_of(&p);
    a = grid(s, "a", t, 1), b = grid(s, "b", t, 1);
    store(s, b, 0, sub(s, at(s, b, 0, 0, 0), times(s, 0.25, at(s, a, 0, 1, 1))));
    domain(add_sweep(&p, s), 0, 1, 0, 1);
    s = sweep_of(&p);
    a = grid(s, "a", t, 1);
    store(s, a, 0, times(s, 0.5, at(s, a, 0, 0, 0)));
    add_sweep(&p, s);
    return p;
}

/* In 3-D */

static void domain3(st_sweep *w, int low, int high) {
    for (int d = 0; d < 3; d++) {
        w->low[d] = low;
        w->high[d] = high;
    }
}

/* Pressure and velocities, which one sweep makes all. */
static program acoustic3(st_type t) {
    static const char *const names[] = {"vx", "vy", "vz"};
    program p = begin3();
    st_step_add_array(p.step, "p", t);
    for (int d = 0; d < 3; d++)
        st_step_add_array(p.step, names[d], t);
    st_stencil *s = sweep_of(&p);
    int32_t pr = grid(s, "p", t, 1), v[3], sum = -1;
    for (int d = 0; d < 3; d++) {
        v[d] = grid(s, names[d], t, 1);
        int32_t one = sub(s, at(s, pr, 0, 0, 0), at3(s, pr, 0, -(d == 0), -(d == 1), -(d == 2)));
        store(s, v[d], 0, sub(s, at(s, v[d], 0, 0, 0), times(s, 0.3, one)));
    }
    domain3(add_sweep(&p, s), 1, 0);
    s = sweep_of(&p);
    pr = grid(s, "p", t, 1);
    for (int d = 0; d < 3; d++) {
        v[d] = grid(s, names[d], t, 1);
        int32_t one = sub(s, at3(s, v[d], 0, d == 0, d == 1, d == 2), at(s, v[d], 0, 0, 0));
        sum = d ? add(s, sum, one) : one;
    }
    store(s, pr, 0, sub(s, at(s, pr, 0, 0, 0), times(s, 0.4, sum)));
    domain3(add_sweep(&p, s), 1, 1);
    return p;
}

/* Yee's scheme: three sweeps of electric fields, and one of all magnetic fields. */
static program maxwell(st_type t) {
    static const char *const e[] = {"ex", "ey", "ez"}, *const h[] = {"hx", "hy", "hz"};
    program p = begin3();
    for (int i = 0; i < 3; i++)
        st_step_add_array(p.step, e[i], t);
    for (int i = 0; i < 3; i++)
        st_step_add_array(p.step, h[i], t);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        st_stencil *s = sweep_of(&p);
        int32_t to = grid(s, e[i], t, 1), a = grid(s, h[k], t, 1), b = grid(s, h[j], t, 1);
        int32_t u = sub(s, at(s, a, 0, 0, 0), at3(s, a, 0, -(j == 0), -(j == 1), -(j == 2)));
        int32_t v = sub(s, at(s, b, 0, 0, 0), at3(s, b, 0, -(k == 0), -(k == 1), -(k == 2)));
        store(s, to, 0, add(s, at(s, to, 0, 0, 0), times(s, 0.5, sub(s, u, v))));
        domain3(add_sweep(&p, s), 1, 0);
    }
    st_stencil *s = sweep_of(&p);
    int32_t from[3], to[3];
    for (int i = 0; i < 3; i++) {
        from[i] = grid(s, e[i], t, 1);
        to[i] = grid(s, h[i], t, 1);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        int32_t a = from[k], b = from[j];
        int32_t u = sub(s, at3(s, a, 0, j == 0, j == 1, j == 2), at(s, a, 0, 0, 0));
        int32_t v = sub(s, at3(s, b, 0, k == 0, k == 1, k == 2), at(s, b, 0, 0, 0));
        store(s, to[i], 0, sub(s, at(s, to[i], 0, 0, 0), times(s, 0.5, sub(s, u, v))));
    }
    domain3(add_sweep(&p, s), 0, 1);
    return p;
}

static int32_t laplacian3(st_stencil *s, int32_t g) {
    int32_t sum = times(s, -6, at(s, g, 0, 0, 0));
    for (int d = 0; d < 3; d++)
        for (int i = -1; i < 2; i += 2)
            sum = add(s, sum, at3(s, g, 0, d == 0 ? i : 0, d == 1 ? i : 0, d == 2 ? i : 0));
    return sum;
}

static program gray_scott3(st_type t) {
    program p = begin3();
    add_swapped(&p, "u", t);
    add_swapped(&p, "v", t);
    st_stencil *s = sweep_of(&p);
    int32_t u = grid(s, "u", t, 2), v = grid(s, "v", t, 2);
    int32_t cu = at(s, u, 0, 0, 0), cv = at(s, v, 0, 0, 0), one = real(s, t, 1);
    int32_t uvv = mul(s, mul(s, cu, cv), cv);
    int32_t du = sub(s, times(s, 0.16, laplacian3(s, u)), uvv);
    int32_t dv = add(s, times(s, 0.08, laplacian3(s, v)), uvv);
    store(s, u, 1, add(s, cu, add(s, du, times(s, 0.035, sub(s, one, cu)))));
    store(s, v, 1, add(s, cv, sub(s, dv, times(s, 0.1, cv))));
    domain3(add_sweep(&p, s), 1, 1);
    return p;
}

/* u[t+1] of u[t] and u[t-1] in two buffers that become each other, with a grid of coefficients and
 * one that has a value a row; then a source along x, and a wall at the high face of y. */
static program wave3d(st_type t) {
    program p = begin3();
    int32_t newer = st_step_add_array(p.step, "newer", t);
    int32_t older = st_step_add_array(p.step, "older", t);
    st_step_add_array(p.step, "c", t);
    int32_t row = st_step_add_array(p.step, "row", t);
    p.step->arrays[row].broadcast = 5;
    p.step->arrays[newer].becomes = older;
    p.step->arrays[older].becomes = newer;
    st_stencil *s = sweep_of(&p);
    int32_t o = grid(s, "older", t, 1), n = grid(s, "newer", t, 1);
    int32_t c = grid(s, "c", t, 1), r = grid(s, "row", t, 1);
    int32_t next = mul(s, at3(s, c, 0, 1, -1, 1), laplacian3(s, n));
    next = sub(s, add(s, at(s, n, 0, 0, 0), next), mul(s, at(s, r, 0, 0, 1), at(s, o, 0, 0, 0)));
    store(s, o, 0, next);
    domain3(add_sweep(&p, s), 2, 1);
    s = sweep_of(&p);
    o = grid(s, "older", t, 1);
    int32_t x = st_leaf(s, ST_COORD, ST_I64, 0), y = st_leaf(s, ST_COORD, ST_I64, 1);
    x = add(s, x, add(s, y, st_leaf(s, ST_COORD, ST_I64, 2)));
    store(s, o, 0, add(s, at(s, o, 0, 0, 0), st_operation(s, ST_SITOFP, t, x, -1, -1)));
    st_sweep *w = add_sweep(&p, s);
    domain3(w, 2, 1);
    w->high[2] = 3;
    w->at_low = 4;
    s = sweep_of(&p);
    o = grid(s, "older", t, 1);
    store(s, o, 0, at(s, o, 0, 0, -1));
    w = add_sweep(&p, s);
    w->low[1] = 1;
    w->at_high = 2;
    return p;
}

/* A field smoothed twice in place of itself by way of another, with reads two rows away. */
static program smoothing3(st_type t) {
    program p = begin3();
    st_step_add_array(p.step, "a", t);
    st_step_add_array(p.step, "b", t);
    for (int d = 0; d < 3; d++) {
        st_stencil *s = sweep_of(&p);
        int32_t to = grid(s, d == 1 ? "a" : "b", t, 1), from = grid(s, d == 1 ? "b" : "a", t, 1);
        int32_t sum = at3(s, from, 0, d == 0, d == 1, d == 2);
        sum = add(s, sum, at3(s, from, 0, -(d == 0), -2 * (d == 1), -(d == 2)));
        store(s, to, 0, times(s, 0.4, add(s, sum, at3(s, from, 0, 0, d == 2, 1))));
        domain3(add_sweep(&p, s), d, 1);
    }
    st_stencil *s = sweep_of(&p);
    int32_t a = grid(s, "a", t, 1), b = grid(s, "b", t, 1);
    store(s, a, 0, add(s, at3(s, a, 0, 0, 0, 0), times(s, 0.3, at3(s, b, 0, 0, -1, -1))));
    domain3(add_sweep(&p, s), 1, 2);
    return p;
}

const program_maker programs[] = {
    {"acoustic-3d", acoustic3, false, true},
    {"maxwell", maxwell, false, true},
    {"gray-scott-3d", gray_scott3, false, true},
    {"wave-3d", wave3d, false, true},
    {"smoothing-3d", smoothing3, false, true},
    {"fdtd", fdtd, false, false},
    {"gray-scott", gray_scott, false, false},
    {"shallow-water", shallow_water, false, false},
    {"acoustic", acoustic, false, false},
    {"wave", wave, false, false},
    {"wave3", wave3, false, false},
    {"smoothing", smoothing, false, false},
    {"edges", edges, false, false},
    {"upwind", upwind, false, false},
    {"late", late, false, false},
    {"elements", elements, false, false},
    {"rare", rare, false, false},
    {"integers", integers, true, false},
};
const size_t nprograms = sizeof programs / sizeof *programs;

int32_t least_extent(const st_step *step, int dim) {
    int32_t least = 1, o[ST_MAX_RANK];
    for (size_t i = 0; i < step->nsweeps; i++) {
        const st_sweep *w = &step->sweeps[i];
        for (size_t j = 0; j < w->stencil->naccesses; j++) {
            if (!st_sweep_reads(w, (int32_t)j))
                continue;
            st_sweep_offset(w, (int32_t)j, o);
            int32_t to = o[dim] + st_sweep_shift(w)[dim];
            if (w->at_low >> dim & 1)
                least = st_max32(least, w->high[dim] + to);
            if (w->at_high >> dim & 1)
                least = st_max32(least, w->low[dim] - to);
        }
    }
    return least;
}
