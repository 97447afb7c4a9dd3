/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans the kernels that keep small grids on chip for all time steps of several sweeps
 * (lib/codegen/resident/fields.c). As for single sweeps, some tiles are planned, and the runtime
 * chooses by the call's extents.
 */
#include "plan/time/fields.h"

#include "model/number.h"
#include "plan/parameters.h"

#include <math.h>
#include <stdlib.h>

enum {
    LANES = 32,
    MOST_OPERATIONS = 1500, /* of a cell, times a thread's cells, in each of three bodies: beyond,
                               compiling takes seconds */
    MOST_CELLS = 16,        /* of a lane and row, those of all arrays */
    MOST_BITS = 32,         /* for the rows of a thread and the cells of a row */
    SCRATCHPAD = 160 * 1024,
    MOST_KERNELS = 30, /* of a region, those that add up not counted: the runtime takes 32 */
    KINDS = 3,         /* tiles for small, middle and large grids */
    TRIED = 6
};

/* Cells of a lane and row, rows of a thread, warps; `rows` is 0 behind the last one. */
typedef struct shape {
    int cells, rows, warps;
} shape;

/* Of each kind the first one that fits. */
static const shape floats[KINDS][TRIED] = {
    {{2, 2, 16}, {2, 2, 12}, {1, 2, 16}},
    {{2, 5, 12}, {2, 4, 12}, {2, 3, 12}, {1, 4, 12}},
    {{4, 8, 12}, {4, 6, 12}, {4, 8, 8}, {4, 6, 8}, {2, 8, 8}, {2, 6, 8}}};
static const shape doubles[KINDS][TRIED] = {
    {{1, 2, 16}, {1, 2, 12}},
    {{2, 4, 12}, {2, 3, 12}, {1, 4, 12}, {1, 3, 12}, {1, 4, 8}},
    {{2, 8, 12}, {2, 6, 12}, {2, 8, 8}, {2, 6, 8}}}; /* {2, 5, 8} lost: 0.8 (H100) */

/* May the step get such kernels? */

static bool may_stay_array(const st_step *step, int32_t array) {
    enum { ALL = 3 };
    const st_array *a = &step->arrays[array];
    size_t size = st_type_size(a->type);
    if (a->trace || a->newer || (a->swapped && a->becomes != array))
        return false;
    if (!st_step_flows(step, array))
        return !a->advance || (a->broadcast & ALL) == ALL;
    return a->type == fields_type(step) && (size == 4 || size == 8) && !a->broadcast;
}

static bool may_stay_sweep(const st_step *step, size_t sweep) {
    const st_sweep *w = &step->sweeps[sweep];
    const st_stencil *s = w->stencil;
    bool may = !w->at_place && s->every <= 1 && !st_step_reduces(step, sweep);
    for (size_t i = 0; i < s->nscalars; i++)
        may = may && !s->scalars[i].followed && !s->scalars[i].late;
    for (size_t i = 0; i < s->naccesses; i++) {
        int32_t array = st_sweep_array(w, s->accesses[i].grid, s->accesses[i].level);
        int32_t o[ST_MAX_RANK];
        st_sweep_offset(w, (int32_t)i, o);
        for (int d = 0; d < step->rank; d++) {
            bool near = abs(o[d]) <= ST_MAX_RADIUS || !st_step_flows(step, array);
            may = may && near && st_sweep_rule(w, (int32_t)i, d) == ST_NO_RULE;
        }
    }
    return may;
}

static bool may_stay(const st_step *step) {
    bool may = step->rank == 2 && !step->ghosts.copies, flows = false;
    for (int d = 0; d < step->rank; d++)
        may = may && !st_step_wraps(step, d);
    for (size_t i = 0; i < step->nsweeps && may; i++)
        may = may_stay_sweep(step, i);
    for (size_t a = 0; a < step->narrays && may; a++) {
        may = may_stay_array(step, (int32_t)a);
        flows = flows || st_step_flows(step, (int32_t)a);
    }
    return may && flows;
}

/* What a step needs */

st_type fields_type(const st_step *step) {
    size_t a = 0;
    while (a + 1 < step->narrays && !st_step_flows(step, (int32_t)a))
        a++;
    return step->arrays[a].type;
}

/* With as many cells more for each further step, all versions that the step makes are right. */
int fields_reach(const st_step *step, const st_dependences *d, int dim) {
    int reach = st_max32(d->halo[dim][0], d->halo[dim][1]);
    for (size_t v = step->narrays; v < d->nversions; v++)
        reach = st_max32(reach, st_max32(d->versions[v].low[dim], d->versions[v].high[dim]));
    return reach;
}

typedef struct needs {
    const st_step *step;
    st_dependences d;
    int reach[2];
    int fields, exchanged; /* arrays that are handed on; those that a step begins with */
    int words;             /* of a cell: of these arrays, and of values that stay; */
    int size;              /* bytes of an element */
    int most_rows;         /* the greatest offset of a read along y */
    int given;             /* rows of a warp that others read, at most */
    int barriers;          /* of a step, about: at its end, and before sweeps */
    int sweeps, layers;    /* sweeps that are no layers; layers */
    bool slow;             /* do some divide, or take roots? */
    double instructions, operations, slots, shuffles; /* of a cell; words from other lanes, a row */
} needs;

static void count_access(needs *n, size_t sweep, int32_t access, int low[][2], int high[][2]) {
    const st_sweep *w = &n->step->sweeps[sweep];
    const st_access *a = &w->stencil->accesses[access];
    int32_t array = st_sweep_array(w, a->grid, a->level), o[ST_MAX_RANK];
    const st_array *of = &n->step->arrays[array];
    if (!st_sweep_reads(w, access))
        return;
    if (!st_step_flows(n->step, array)) {
        n->words += of->broadcast ? 0 : (int)(st_type_size(of->type) + 3) / 4;
        return;
    }
    int32_t v = st_step_version_read(n->step, &n->d, sweep, access);
    st_sweep_offset(w, access, o);
    n->most_rows = st_max32(n->most_rows, abs(o[1]));
    for (int d = 0; d < 2; d++) {
        low[v][d] = st_max32(low[v][d], -o[d]);
        high[v][d] = st_max32(high[v][d], o[d]);
    }
}

static void count_sweep(needs *n, const cost_gpu *g, size_t sweep) {
    const st_sweep *w = &n->step->sweeps[sweep];
    double instructions = 0, slow = 0;
    cost_of_expression(w->stencil, g, &instructions, &slow);
    n->operations += (double)st_operation_count(w->stencil);
    n->slots += st_sweep_is_layer(w) ? 0 : instructions + slow;
    n->instructions += st_sweep_is_layer(w) ? 0 : instructions;
    for (size_t i = 0; i < w->stencil->nnodes; i++)
        n->slow = n->slow || st_ops[w->stencil->nodes[i].op].cls == ST_SLOW;
    n->sweeps += !st_sweep_is_layer(w);
    n->layers += st_sweep_is_layer(w);
}

/* False: there are too many versions, or no cell depends on another one. */
static bool find_needs(needs *n, const st_step *step, const cost_gpu *g) {
    int low[ST_MAX_VERSIONS][2] = {{0}}, high[ST_MAX_VERSIONS][2] = {{0}};
    *n = (needs){.step = step, .barriers = 1, .size = (int)st_type_size(fields_type(step))};
    if (!st_step_dependences(step, st_step_stream(step), &n->d))
        return false;
    for (int d = 0; d < 2; d++)
        n->reach[d] = fields_reach(step, &n->d, d);
    for (size_t i = 0; i < step->nsweeps; i++) {
        if (st_sweep_stores(&step->sweeps[i]) == 0)
            continue;
        count_sweep(n, g, i);
        for (size_t j = 0; j < step->sweeps[i].stencil->naccesses; j++)
            count_access(n, i, (int32_t)j, low, high);
    }
    for (size_t v = 0; v < n->d.nversions; v++) {
        n->shuffles += (low[v][0] + high[v][0]) * n->size / 4;
        n->given += low[v][1] + high[v][1];
        n->barriers += v >= step->narrays && low[v][1] + high[v][1] > 0;
    }
    for (size_t a = 0; a < step->narrays; a++) {
        n->fields += st_step_flows(step, (int32_t)a);
        n->exchanged += st_step_arrives(step, (int32_t)a);
    }
    n->words += n->fields * n->size / 4;
    return n->exchanged > 0 && n->reach[0] + n->reach[1] > 0;
}

/* Tiles */

static int scratchpad(const needs *n, const shape *f) {
    return 2 * n->given * f->warps * LANES * f->cells * n->size;
}

/* Do registers hold all cells, and what a step takes? Fitted to ptxas 13.0 for sm_90: FDTD,
 * Gray-Scott, waves and shallow water in both precisions, of 6 to 10 tiles each, do not spill where
 * this says so. */
static bool fits_registers(const needs *n, const shape *f) {
    enum { REGISTERS = 64 * 1024, MOST = 240, FEW = 4, SLOW = 16 };
    bool wide = n->size > 4, few = f->cells * f->rows * n->size <= 4 * FEW;
    int most = st_min32(REGISTERS / (LANES * f->warps), MOST) / 8 * 8;
    double large = fmax(0, n->instructions - 30) / 3 + 2 * fmax(0, n->shuffles * 4 / n->size - 4);
    double each = few ? 48 + 6 * n->sweeps : 55 + 8 * n->sweeps + 12 * n->layers + large;
    double words = n->words * f->cells * f->rows;
    return (wide ? 1.8 : 1.6) * words + each + (wide && n->slow ? SLOW : 0) <= most;
}

/* A tile with a margin for one step at least leaves cells for the block to own, and rows that are
 * read are a neighbouring warp's. */
static bool fits(const needs *n, const shape *f) {
    int x = (int)st_round_up(n->reach[0], f->cells);
    return fits_registers(n, f) && n->reach[0] <= UINT8_MAX && n->reach[1] <= UINT8_MAX &&
           f->rows >= n->most_rows && n->fields * f->cells <= MOST_CELLS &&
           f->rows + f->cells <= MOST_BITS && LANES * f->cells >= 3 * x &&
           f->warps * f->rows >= 3 * n->reach[1] &&
           n->operations * f->cells * f->rows <= MOST_OPERATIONS && scratchpad(n, f) <= SCRATCHPAD;
}

/* As resident.c estimates, with the words of all arrays and a barrier for each sweep. */
static void estimate(const needs *n, st_kernel *k) {
    enum { SCHEDULERS = 4 };
    static const double clock = 1.98e9;
    int group = n->exchanged * k->cells, words = n->size > 4 ? group : (group + 2) / 3;
    double row = 1.03 * (n->slots * k->cells + 2 * n->shuffles + n->fields);
    double cycles = (double)k->warps / SCHEDULERS * k->rows * row + 110 * n->barriers;
    k->time = cycles / clock;
    k->tile_time = 0.66e-6 + words * 0.045e-6 * k->rows;
}

static st_kernel kernel_of(const needs *n, const shape *f, const char *prefix, int number) {
    st_kernel k = {.kind = ST_RESIDENT, .bt = 1, .lanes = LANES, .cells = f->cells};
    snprintf(k.name, sizeof k.name, "%s_resident%d", prefix, number);
    k.rows = f->rows;
    k.planes = k.warp_planes = 1;
    k.warps = f->warps;
    k.block[0] = LANES * k.warps;
    k.block[1] = k.block[2] = 1;
    k.thread_tile[0] = LANES * f->cells;
    k.thread_tile[1] = f->warps * f->rows;
    k.thread_tile[2] = 1;
    k.halo[0] = n->reach[0];
    k.halo[1] = n->reach[1];
    k.scratchpad = scratchpad(n, f);
    estimate(n, &k);
    return k;
}

static const shape *find_shape(const needs *n, const shape *shapes) {
    for (int i = 0; i < TRIED && shapes[i].rows; i++)
        if (fits(n, &shapes[i]))
            return &shapes[i];
    return NULL;
}

/* Is it of use for grids of so many cells, or more? */
static bool suits(const cost_gpu *g, const shape *f, double cells) {
    return cells <= (double)g->processors * LANES * f->warps * f->cells * f->rows;
}

void fields_choose(st_plan *p, const st_step *step, const cost_gpu *g, const plan_wish *wish,
                   const char *prefix) {
    needs *n = malloc(sizeof *n);
    bool may = cost_has_ptxas(g) && may_stay(step) && find_needs(n, step, g) &&
               (n->reach[0] > 0 || n->reach[1] > 0);
    int number = 0;
    for (int kind = 0; kind < KINDS && may; kind++) {
        const shape *f = find_shape(n, n->size > 4 ? doubles[kind] : floats[kind]);
        bool room = p->count < PLAN_MAX_KERNELS && step->nnests + (size_t)p->count < MOST_KERNELS;
        if (!f || !room || !suits(g, f, wish->least_cells))
            continue;
        st_kernel *k = &p->kernels[p->count++];
        *k = kernel_of(n, f, prefix, ++number);
        k->always = wish->on_chip == PLAN_ALWAYS_ON_CHIP;
        plan_list_fields_parameters(k, step);
        for (int d = 0; d < 2; d++) {
            p->pad_low[d] = st_max32(p->pad_low[d], n->reach[d]);
            p->pad_high[d] = st_max32(p->pad_high[d], n->reach[d]);
        }
    }
    free(n);
}
