/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One whole time step of a resident kernel: each sweep in its order, for all cells of a thread.
 *
 * A sweep reads neighbours along x in the lane's registers or by a shuffle, and rows of other warps
 * in scratchpad. A warp leaves there the rows that others read of a version (model/dependences.h):
 * of what the step begins with in the step before, of what a sweep makes when it makes it. A step
 * has phases: the next one begins with a sweep that reads what others have left in this one.
 * Between them all warps wait. Scratchpad has two halves, for even and odd steps, and they wait at
 * the end of each step, too: so nobody replaces a row that is still to be read.
 */
#include "codegen/resident/fields.h"

#include "model/number.h"
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, DISTANCES = 2 * ST_MAX_RADIUS + 1, BELOW = 0, OWN = 1, ABOVE = 2 };

typedef struct stepper {
    rs_fields *f;
    LLVMValueRef half, other_half; /* i32: where this step's rows begin in scratchpad; the next's */
    LLVMValueRef *cells;           /* [version][row][k], rows of other warps too */
    LLVMValueRef *shuffled;        /* [version][row][k][distance] */
    LLVMValueRef *values;          /* [node][k]: of the row in hand */
    size_t sweep;
    int u;
    LLVMValueRef inside; /* i32: f->inside of the sweep; NULL: no cell is tested */
} stepper;

/* The phases */

/* Does the sweep read the access for a store, of an array that is handed on? */
static bool reads_flow(const rs_fields *f, size_t sweep, int32_t access) {
    const st_sweep *w = &f->step->sweeps[sweep];
    int32_t v = st_step_version_read(f->step, &f->d, sweep, access);
    return st_sweep_stores(w) > 0 && st_sweep_reads(w, access) &&
           st_step_flows(f->step, f->d.versions[v].array);
}

/* The rows of a version that the reads of a sweep find in other warps. */
static void find_given(rs_fields *f, size_t sweep) {
    const st_sweep *w = &f->step->sweeps[sweep];
    for (size_t j = 0; j < w->stencil->naccesses; j++) {
        int32_t v = st_step_version_read(f->step, &f->d, sweep, (int32_t)j), o[ST_MAX_RANK];
        if (!reads_flow(f, sweep, (int32_t)j))
            continue;
        st_sweep_offset(w, (int32_t)j, o);
        f->at_low[v] = st_max32(f->at_low[v], o[1]);
        f->at_high[v] = st_max32(f->at_high[v], -o[1]);
        f->reach = st_max32(f->reach, abs(o[1]));
    }
}

/* Rows of a warp that it gives. */
static int given_of(const rs_fields *f, size_t v) {
    return st_min(f->t.RY, f->at_low[v] + f->at_high[v]);
}

/* Does the sweep read rows of other warps that were made in the phase? */
static bool reads_new_rows(const rs_fields *f, size_t sweep, size_t phase) {
    const st_sweep *w = &f->step->sweeps[sweep];
    bool reads = false;
    for (size_t j = 0; j < w->stencil->naccesses && !reads; j++) {
        int32_t v = st_step_version_read(f->step, &f->d, sweep, (int32_t)j), o[ST_MAX_RANK];
        st_sweep_offset(w, (int32_t)j, o);
        reads = reads_flow(f, sweep, (int32_t)j) && f->d.versions[v].sweep >= 0 && o[1] != 0 &&
                f->phase[f->d.versions[v].sweep] == phase;
    }
    return reads;
}

void rf_plan_step(rs_fields *f) {
    size_t phase = 0;
    for (size_t i = 0; i < f->step->nsweeps; i++) {
        phase += reads_new_rows(f, i, phase);
        f->phase[i] = phase;
        find_given(f, i);
    }
    f->phases = phase + 1;
    for (size_t v = 0; v < f->d.nversions; v++) {
        f->slot[v] = f->given;
        f->given += given_of(f, v);
    }
}

/* Rows in scratchpad: of all warps those of one number lie together. */

static int row_bytes(const rs_fields *f) {
    return LANES * f->t.V * (int)st_type_size(f->t.g.type);
}

int rf_scratchpad(const rs_fields *f) {
    return f->given * f->t.NY * row_bytes(f);
}

/* There is nothing of use beyond the tile's ends, but the own rows are there. */
void rf_place_rows(rs_fields *f) {
    rs_kernel *t = &f->t;
    LLVMValueRef lane = gen_times32(&t->g.e, t->g.lane, t->V * (int)st_type_size(t->g.type));
    LLVMValueRef at[3] = {gen_add32(&t->g.e, t->warp[1], -1), t->warp[1],
                          gen_add32(&t->g.e, t->warp[1], 1)};
    at[BELOW] = gen_greater(&t->g.e, at[BELOW], gen_int32(&t->g.e, 0));
    at[ABOVE] = gen_smaller(&t->g.e, gen_int32(&t->g.e, t->NY - 1), at[ABOVE]);
    for (int i = 0; i < 3; i++)
        f->warps[i] = LLVMBuildAdd(t->g.e.b, gen_times32(&t->g.e, at[i], row_bytes(f)), lane, "");
}

/* Which of the rows that are given is row u? -1: none. */
static int place_among(const rs_fields *f, size_t v, int u) {
    int given = given_of(f, v);
    if (given == f->t.RY)
        return u;
    return u < f->at_low[v] ? u : u >= f->t.RY - f->at_high[v] ? u - (f->t.RY - given) : -1;
}

/* Row u of a version, of the own warp or the one below or above. */
static LLVMValueRef row_at(rs_fields *f, LLVMValueRef half, int warp, size_t v, int u) {
    rs_kernel *t = &f->t;
    int before = (f->slot[v] + place_among(f, v, u)) * t->NY * row_bytes(f);
    LLVMValueRef at = gen_widen(&t->g.e, LLVMBuildAdd(t->g.e.b, f->warps[warp], half, ""));
    return gen_bytes_on(&t->g.e, gen_bytes_on(&t->g.e, t->g.scratchpad, at),
                        gen_int64(&t->g.e, before));
}

/* The largest power of two that divides a lane's bytes of a row. */
static unsigned alignment(const rs_fields *f) {
    int bytes = f->t.V * (int)st_type_size(f->t.g.type);
    return (unsigned)st_min(bytes & -bytes, 16);
}

static LLVMTypeRef vector_of(const rs_fields *f) {
    return LLVMVectorType(f->t.g.element, (unsigned)f->t.V);
}

static void give_row(rs_fields *f, LLVMValueRef half, size_t v, int u, LLVMValueRef const *row) {
    const gen_expr *e = &f->t.g.e;
    if (place_among(f, v, u) >= 0)
        gen_store(e, gen_join(e, vector_of(f), f->t.V, row), row_at(f, half, OWN, v, u),
                  alignment(f));
}

static void give_array(rs_fields *f, LLVMValueRef half, size_t v) {
    LLVMValueRef row[RS_CELLS];
    for (int u = 0; u < f->t.RY; u++) {
        for (int k = 0; k < f->t.V; k++)
            row[k] = rs_get(&f->t, rf_cell(f, f->d.versions[v].array, u, k));
        give_row(f, half, v, u, row);
    }
}

static bool is_given(const rs_fields *f, size_t v) {
    return given_of(f, v) > 0;
}

void rf_give_rows(rs_fields *f, LLVMValueRef half, bool all) {
    for (size_t v = 0; v < (all ? f->d.nversions : f->step->narrays); v++)
        if (is_given(f, v))
            give_array(f, half, v);
}

/* Cells */

static int floor_div(int a, int n) {
    enum { MANY = 64 };
    return (a + MANY * n) / n - MANY;
}

static LLVMValueRef *row_of(stepper *p, size_t v, int u) {
    const rs_fields *f = p->f;
    size_t rows = (size_t)(f->t.RY + 2 * f->reach);
    return &p->cells[(v * rows + (size_t)(u + f->reach)) * (size_t)f->t.V];
}

/* The variable of what a sweep has made. */
static LLVMValueRef made(const rs_fields *f, size_t v, int u, int k) {
    return f->made[(v * RS_ROWS + (size_t)u) * RS_CELLS + (size_t)k];
}

/* So few that registers are left for what can be computed early? */
static bool has_few_cells(const rs_fields *f) {
    enum { FEW_BYTES = 80 };
    return f->fields * f->t.V * f->t.RY * (int)st_type_size(f->t.g.type) <= FEW_BYTES;
}

/* If there are many cells, those of warps at the border are concealed. Else LLVM would do what both
 * bodies have in common before the branch, and keep all of that in registers. */
static LLVMValueRef get_cell(stepper *p, size_t v, int u, int k) {
    rs_fields *f = p->f;
    if (v >= f->step->narrays)
        return rs_get(&f->t, made(f, v, u, k));
    LLVMValueRef cell = rs_get(&f->t, rf_cell(f, (int32_t)v, u, k));
    return f->body != RF_INNER && !has_few_cells(f) ? f->t.g.e.target->conceal(f->t.g.e.b, cell)
                                                    : cell;
}

static LLVMValueRef own_cell(stepper *p, size_t v, int u, int k) {
    rs_fields *f = p->f;
    LLVMValueRef *row = row_of(p, v, u);
    int warp = u < 0 ? BELOW : u < f->t.RY ? OWN : ABOVE;
    if (!row[k] && warp == OWN)
        row[k] = get_cell(p, v, u, k);
    if (!row[k]) {
        LLVMValueRef from = row_at(f, p->half, warp, v, u - (warp - OWN) * f->t.RY);
        gen_split(&f->t.g.e, gen_load(&f->t.g.e, vector_of(f), from, alignment(f)), f->t.V, row);
    }
    return row[k];
}

/* Cell k, which may be another lane's. */
static LLVMValueRef cell(stepper *p, size_t v, int u, int k) {
    rs_kernel *t = &p->f->t;
    int q = floor_div(k, t->V), inner = k - q * t->V;
    LLVMValueRef own = own_cell(p, v, u, inner);
    size_t at = (size_t)(row_of(p, v, u) - p->cells) + (size_t)inner;
    LLVMValueRef *moved = &p->shuffled[at * DISTANCES + (size_t)(q + ST_MAX_RADIUS)];
    if (q == 0)
        return own;
    if (!*moved)
        *moved = gen_shuffle(&t->g.e, t->g.type, own, q, LANES);
    return *moved;
}

/* Expressions */

static LLVMValueRef value(stepper *p, int32_t number, int k);

/* i64: which of the sweep's cells along d cell k of the row in hand is. */
static LLVMValueRef coordinate(const stepper *p, int d, int k) {
    rs_kernel *t = &p->f->t;
    const st_sweep *w = &p->f->step->sweeps[p->sweep];
    LLVMValueRef at = gen_add32(&t->g.e, t->first[d], d == 0 ? k : p->u);
    return gen_extend(&t->g.e, LLVMBuildSub(t->g.e.b, at, rf_first(p->f, w, d), ""));
}

static LLVMValueRef read_cell(stepper *p, int32_t access, int k) {
    const rs_fields *f = p->f;
    const st_sweep *w = &f->step->sweeps[p->sweep];
    int32_t v = st_step_version_read(f->step, &f->d, p->sweep, access), o[ST_MAX_RANK];
    if (!st_step_flows(f->step, f->d.versions[v].array))
        return rf_kept(p->f, p->sweep, access, p->u, k);
    st_sweep_offset(w, access, o);
    return cell(p, (size_t)v, p->u + o[1], k + o[0]);
}

static LLVMValueRef compute(stepper *p, int32_t number, int k) {
    const gen_expr *e = &p->f->t.g.e;
    const st_node *n = &p->f->step->sweeps[p->sweep].stencil->nodes[number];
    LLVMValueRef args[3];
    switch (n->op) {
    case ST_CONST:
        return gen_constant(e, n);
    case ST_SCALAR:
        return rf_scalar(p->f, p->sweep, n->index);
    case ST_COORD:
        return coordinate(p, n->index, k);
    case ST_ACCESS:
        return read_cell(p, n->index, k);
    default:
        for (int i = 0; i < st_ops[n->op].arity; i++)
            args[i] = value(p, n->args[i], k);
        return gen_operation(e, n, args);
    }
}

static LLVMValueRef value(stepper *p, int32_t number, int k) {
    LLVMValueRef *v = &p->values[number * p->f->t.V + k];
    if (!*v)
        *v = compute(p, number, k);
    return *v;
}

/* Sweeps */

/* What a sweep makes of cell k of the row in hand. A cell outside its domain keeps what it has. */
static LLVMValueRef held(stepper *p, size_t before, int k, LLVMValueRef new) {
    rs_fields *f = p->f;
    rs_kernel *t = &f->t;
    LLVMValueRef in = NULL;
    if (p->inside && f->body == RF_BORDER && rf_leaves_cells(f, p->sweep, 1))
        in = rs_bit(t, p->inside, p->u);
    if (p->inside && rf_leaves_cells(f, p->sweep, 0))
        in = gen_both(&t->g.e, in, rs_bit(t, p->inside, t->RY + k));
    return in ? LLVMBuildSelect(t->g.e.b, in, new, own_cell(p, before, p->u, k), "") : new;
}

/* Is the version what its array has when the next step begins? Then *next is that step's. */
static bool is_last(const rs_fields *f, size_t v, size_t *next) {
    int32_t array = f->d.versions[v].array;
    *next = (size_t)f->step->arrays[array].becomes;
    return f->d.last[array] == (int32_t)v;
}

/* The row in hand of what store i of the sweep makes. */
static void settle_row(stepper *p, size_t i) {
    rs_fields *f = p->f;
    const st_sweep *w = &f->step->sweeps[p->sweep];
    size_t v = (size_t)st_step_version_made(&f->d, p->sweep, i), next;
    size_t before = (size_t)f->d.versions[v].before;
    bool elsewhere = rf_is_elsewhere(f, p->sweep);
    LLVMValueRef *row = row_of(p, v, p->u);
    for (int k = 0; k < f->t.V; k++) {
        if (elsewhere)
            row[k] = own_cell(p, before, p->u, k);
        else
            row[k] = held(p, before, k, p->values[st_sweep_store(w, i).root * f->t.V + k]);
        rs_set(&f->t, made(f, v, p->u, k), row[k]);
    }
    if (is_given(f, v))
        give_row(f, p->half, v, p->u, row);
    if (is_last(f, v, &next) && is_given(f, next))
        give_row(f, p->other_half, next, p->u, row);
}

static void make_row(stepper *p) {
    rs_fields *f = p->f;
    const st_sweep *w = &f->step->sweeps[p->sweep];
    memset(p->values, 0, w->stencil->nnodes * (size_t)f->t.V * sizeof *p->values);
    bool made = !rf_is_elsewhere(f, p->sweep);
    for (int k = 0; k < f->t.V && made; k++)
        for (size_t i = 0; i < st_sweep_stores(w); i++)
            value(p, st_sweep_store(w, i).root, k);
    for (size_t i = 0; i < st_sweep_stores(w); i++)
        settle_row(p, i);
}

/* Loads what the sweep reads of other warps before anything is stored, if that takes few registers:
 * the compiler would not do a load before a store that may be to the same place. */
static void load_others(stepper *p) {
    enum { FEW_BYTES = 64 };
    const rs_fields *f = p->f;
    const st_sweep *w = &f->step->sweeps[p->sweep];
    if (f->given * f->t.V * (int)st_type_size(f->t.g.type) > FEW_BYTES)
        return;
    for (size_t j = 0; j < w->stencil->naccesses; j++) {
        int32_t v = st_step_version_read(f->step, &f->d, p->sweep, (int32_t)j), o[ST_MAX_RANK];
        if (!reads_flow(f, p->sweep, (int32_t)j))
            continue;
        st_sweep_offset(w, (int32_t)j, o);
        for (int u = 0; u < f->t.RY; u++)
            if (u + o[1] < 0 || u + o[1] >= f->t.RY)
                own_cell(p, (size_t)v, u + o[1], 0);
    }
}

/* The mask is hidden from LLVM, which would otherwise test all its bits once and keep the results.
 */
static void make_sweep(stepper *p) {
    rs_fields *f = p->f;
    p->inside = NULL;
    if (f->body != RF_INNER && !rf_is_elsewhere(f, p->sweep))
        p->inside = f->t.g.e.target->conceal(f->t.g.e.b, f->inside[p->sweep]);
    load_others(p);
    for (p->u = 0; p->u < f->t.RY; p->u++)
        make_row(p);
}

/* The step's end: each array is what it becomes. Of what the step only reads other warps get the
 * next step's rows now. */
static void hand_on(stepper *p) {
    rs_fields *f = p->f;
    rs_kernel *t = &f->t;
    for (int u = 0; u < t->RY; u++) {
        LLVMValueRef out[RS_CELLS];
        for (size_t a = 0; a < f->step->narrays; a++)
            for (int k = 0; k < t->V && f->place[a] >= 0; k++)
                out[f->place[f->step->arrays[a].becomes] * t->V + k] =
                    own_cell(p, (size_t)f->d.last[a], u, k);
        for (size_t a = 0; a < f->step->narrays; a++) {
            size_t next;
            if (f->place[a] < 0)
                continue;
            for (int k = 0; k < t->V; k++)
                rs_set(t, rf_cell(f, (int32_t)a, u, k), out[f->place[a] * t->V + k]);
            if (is_last(f, a, &next) && is_given(f, next))
                give_row(f, p->other_half, next, u, &out[f->place[next] * t->V]);
        }
    }
}

static size_t most_nodes(const st_step *step) {
    size_t most = 0;
    for (size_t i = 0; i < step->nsweeps; i++)
        most = step->sweeps[i].stencil->nnodes > most ? step->sweeps[i].stencil->nnodes : most;
    return most;
}

void rf_make_phase(rs_fields *f, size_t phase) {
    rs_kernel *t = &f->t;
    stepper p = {.f = f};
    size_t cells = f->d.nversions * (size_t)(t->RY + 2 * f->reach) * (size_t)t->V;
    p.cells = calloc(cells, sizeof *p.cells);
    p.shuffled = calloc(cells * DISTANCES, sizeof *p.shuffled);
    p.values = calloc(most_nodes(f->step) * (size_t)t->V, sizeof *p.values);
    p.half = rs_get(t, t->parity);
    p.other_half = LLVMBuildSub(t->g.e.b, gen_int32(&t->g.e, rf_scratchpad(f)), p.half, "");
    for (p.sweep = 0; p.sweep < f->step->nsweeps; p.sweep++)
        if (f->phase[p.sweep] == phase && st_sweep_stores(&f->step->sweeps[p.sweep]) > 0)
            make_sweep(&p);
    if (phase + 1 == f->phases) {
        hand_on(&p);
        rf_load_coming(f);
    }
    free(p.cells);
    free(p.shuffled);
    free(p.values);
}
