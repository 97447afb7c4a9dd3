/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the arrival of a row computes: on each level, each sweep's row at the sweep's lag.
 */
#include "codegen/steps/steps.h"

#include <string.h>

/* Neighbours along x */

enum { DISTANCES = 2 * ST_MAX_RADIUS + 1 };

/* Row u of a version; one beside the warp's own may be still to load. */
static LLVMValueRef *row_of(steps *g, int32_t v, int age, int u) {
    LLVMValueRef *row = ws_kept(g, g->level, v, age, u);
    if (!row[0])
        ws_load_given(g, v, age, u);
    return row;
}

/* Cell k of row u; k may be in another lane. */
static LLVMValueRef cell(steps *g, int32_t v, int age, int u, int k) {
    int q = (k + 64 * g->V) / g->V - 64, inner = k - q * g->V;
    LLVMValueRef own = row_of(g, v, age, u)[inner];
    if (q == 0)
        return own;
    size_t at = (size_t)(ws_kept(g, 0, v, age, u) - g->kept) + (size_t)inner;
    bool near = q >= -ST_MAX_RADIUS && q <= ST_MAX_RADIUS; /* others are seldom read */
    LLVMValueRef far = NULL,
                 *moved = near ? &g->shuffled[at * DISTANCES + (size_t)(q + ST_MAX_RADIUS)] : &far;
    st_type type = g->step->arrays[g->d.versions[v].array].type;
    if (!*moved)
        *moved = gen_shuffle(&g->e, type, own, q, g->p->lanes);
    return *moved;
}

/* Leaves */

/* May indices of the access along d be brought back here, to cells near the face? */
static bool is_bent(const steps *g, int32_t access, int d) {
    return st_sweep_bend(&g->step->sweeps[g->sweep], access, d, 0) &&
           (d == g->stream ? g->mode.y : g->mode.x);
}

/* i1: is cell k so many cells from the face that the access leads to, in the sweep's domain? NULL:
 * no. The box begins with a lane's first cell. */
static LLVMValueRef is_away(steps *g, int32_t access, int d, int k, int away) {
    const st_sweep *w = &g->step->sweeps[g->sweep];
    int shift = st_sweep_shift(w)[d], low = w->low[d] + shift + away;
    bool high = w->stencil->accesses[access].offset[d] > 0;
    if (!high && d == 0 && !(w->at_high & 1) && low % g->V != k)
        return NULL;
    LLVMValueRef at = gen_int32(&g->e, low);
    if (high)
        at = w->at_low >> d & 1 ? gen_int32(&g->e, w->high[d] + shift - 1 - away)
                                : gen_add32(&g->e, g->extent[d], shift - w->high[d] - 1 - away);
    else if (w->at_high >> d & 1)
        at = gen_add32(&g->e, g->extent[d], shift - w->low[d] + away);
    return LLVMBuildICmp(g->e.b, LLVMIntEQ, ws_position(g, d, k), at, "");
}

/* Where an access brings indices back near a face: at this distance from the face, by so many
 * cells, for the cells for which `is`, an i1, holds. */
typedef struct bend {
    int next; /* the distance to look at next */
    int32_t by;
    LLVMValueRef is;
} bend;

/* The next distance at which cell k may read another cell along d. False: there is none. */
static bool next_bend(steps *g, int32_t access, int d, int k, bend *b) {
    const st_sweep *w = &g->step->sweeps[g->sweep];
    b->is = NULL;
    while (!b->is && is_bent(g, access, d) && (b->by = st_sweep_bend(w, access, d, b->next)))
        b->is = is_away(g, access, d, k, b->next++);
    return b->is;
}

/* The coordinate along d that an access reads, for cell k. */
static LLVMValueRef place_read(steps *g, int32_t access, int d, int k) {
    const st_sweep *w = &g->step->sweeps[g->sweep];
    int32_t o[ST_MAX_RANK];
    st_sweep_offset(w, access, o);
    LLVMValueRef own = ws_position(g, d, k), c = gen_add32(&g->e, own, o[d]);
    if (d == g->stream || g->mode.x)
        c = ws_round(g, d, c);
    for (bend b = {0}; next_bend(g, access, d, k, &b);)
        c = LLVMBuildSelect(g->e.b, b.is, gen_add32(&g->e, own, o[d] + b.by), c, "");
    return c;
}

static LLVMValueRef load_element(steps *g, st_type type, LLVMValueRef base, LLVMValueRef index) {
    LLVMTypeRef element = gen_type(&g->e, type);
    LLVMValueRef p = gen_element(&g->e, element, base, index);
    return gen_load(&g->e, element, p, st_type_size(type));
}

/* Is what the access reads in a row that stays? Near faces it may be another row. */
static bool is_staying(const steps *g, int32_t access) {
    const st_sweep *w = &g->step->sweeps[g->sweep];
    const st_access *a = &w->stencil->accesses[access];
    return g->stays[st_sweep_array(w, a->grid, a->level)] &&
           st_step_access_stays(g->step, g->sweep, access) && !is_bent(g, access, g->stream);
}

/* What a read-only array has for the lane's V cells: one vector, where the access is at a multiple
 * of V cells. */
static void load_row(steps *g, int32_t access, LLVMValueRef *out) {
    const st_sweep *w = &g->step->sweeps[g->sweep];
    const st_access *a = &w->stencil->accesses[access];
    int32_t array = st_sweep_array(w, a->grid, a->level), o[ST_MAX_RANK];
    const st_array *of = &g->step->arrays[array];
    st_sweep_offset(w, access, o);
    if (is_staying(g, access)) {
        int32_t lag = g->level * g->d.lag + g->d.versions[g->made].lag;
        ws_read_staying(g, (size_t)array, gen_add32(&g->e, g->at.row, o[g->stream] - lag), out);
        return;
    }
    bool wide = !(of->broadcast & 1);
    int64_t element = st_sweep_element(w, access) + (int64_t)g->level * of->advance;
    LLVMValueRef index = gen_int64(&g->e, wide ? 0 : element), base = ws_source(g, (size_t)array);
    if (!(of->broadcast >> g->stream & 1)) {
        LLVMValueRef row = gen_extend(&g->e, place_read(g, access, g->stream, 0));
        row = LLVMBuildMul(g->e.b, row, ws_stride(g, (size_t)array, g->stream), "");
        index = LLVMBuildAdd(g->e.b, index, row, "");
    }
    if (g->stream == 2 && !(of->broadcast & 2)) {
        LLVMValueRef y = gen_extend(&g->e, place_read(g, access, 1, 0));
        y = LLVMBuildMul(g->e.b, y, ws_stride(g, (size_t)array, 1), "");
        index = LLVMBuildAdd(g->e.b, index, y, "");
    }
    bool scattered = wide && (ws_is_scattered(g) || is_bent(g, access, 0));
    for (int k = 0; k < g->V && scattered; k++) {
        LLVMValueRef x = gen_extend(&g->e, place_read(g, access, 0, k));
        out[k] = load_element(g, of->type, base, LLVMBuildAdd(g->e.b, index, x, ""));
    }
    if (scattered)
        return;
    if (wide) {
        LLVMValueRef x = gen_extend(&g->e, gen_add32(&g->e, g->x0, o[0]));
        index = LLVMBuildAdd(g->e.b, index, x, "");
    }
    if (wide && o[0] % g->V == 0) {
        LLVMTypeRef element = gen_type(&g->e, of->type);
        LLVMValueRef p = gen_element(&g->e, element, base, index);
        LLVMValueRef v = ws_load_vector(g, (size_t)array, p);
        gen_split(&g->e, v, g->V, out);
        return;
    }
    for (int k = 0; k < g->V; k++) {
        LLVMValueRef i = LLVMBuildAdd(g->e.b, index, gen_int64(&g->e, k), "");
        out[k] = k && !wide ? out[0] : load_element(g, of->type, base, i);
    }
}

/* Cell k of an access with these offsets, which along dimensions up to d may be other ones near
 * faces. */
static LLVMValueRef read_cell(steps *g, int32_t access, const int32_t offset[ST_MAX_RANK], int d,
                              int k) {
    int32_t v = st_step_version_read(g->step, &g->d, g->sweep, access);
    if (d < 0) {
        int age = g->d.versions[g->made].lag - g->d.versions[v].lag - offset[g->stream];
        return cell(g, v, age, g->stream == 2 ? g->row + offset[1] : 0, k + offset[0]);
    }
    LLVMValueRef read = read_cell(g, access, offset, d - 1, k);
    for (bend b = {0}; next_bend(g, access, d, k, &b);) {
        int32_t near[ST_MAX_RANK];
        memcpy(near, offset, sizeof near);
        near[d] += b.by;
        read = LLVMBuildSelect(g->e.b, b.is, read_cell(g, access, near, d - 1, k), read, "");
    }
    return read;
}

static void read_row(steps *g, int32_t access, LLVMValueRef *out) {
    int32_t v = st_step_version_read(g->step, &g->d, g->sweep, access), o[ST_MAX_RANK];
    const st_version *read = &g->d.versions[v];
    if (!st_step_flows(g->step, read->array)) {
        load_row(g, access, out);
        return;
    }
    st_sweep_offset(&g->step->sweeps[g->sweep], access, o);
    for (int k = 0; k < g->V; k++)
        out[k] = read_cell(g, access, o, g->step->rank - 1, k);
}

static LLVMValueRef scalar_value(steps *g, const st_node *n) {
    const st_scalar *c = &g->step->sweeps[g->sweep].stencil->scalars[n->index];
    size_t number = (size_t)n->index;
    LLVMValueRef v = c->followed ? ws_value(g, g->sweep, number)
                                 : ws_scalar(g, g->sweep, number, STENCILRT_ARG_SCALAR);
    if (c->stepped && g->level > 0) {
        LLVMValueRef level = LLVMConstInt(LLVMTypeOf(v), (unsigned long long)g->level, false);
        LLVMValueRef increment = ws_scalar(g, g->sweep, (size_t)n->index, STENCILRT_ARG_INCREMENT);
        v = LLVMBuildAdd(g->e.b, v, LLVMBuildMul(g->e.b, increment, level, ""), "");
    }
    return n->type == ST_I1 ? LLVMBuildTrunc(g->e.b, v, gen_type(&g->e, ST_I1), "") : v;
}

/* Expressions */

static LLVMValueRef value(steps *g, int32_t number, int k);

static void compute_pair(steps *g, int32_t number, int k, LLVMValueRef out[2]) {
    const st_node *n = &g->step->sweeps[g->sweep].stencil->nodes[number];
    LLVMValueRef args[2][3];
    for (int i = 0; i < st_ops[n->op].arity; i++)
        for (int j = 0; j < 2; j++)
            args[j][i] = value(g, n->args[i], k + j);
    gen_pair(&g->e, n, args, out);
}

static LLVMValueRef compute(steps *g, const st_node *n, int k) {
    LLVMValueRef args[3];
    if (n->op == ST_CONST)
        return gen_constant(&g->e, n);
    if (n->op == ST_COORD)
        return ws_coordinate(g, n->index, k);
    if (n->op == ST_SCALAR)
        return scalar_value(g, n);
    for (int i = 0; i < st_ops[n->op].arity; i++)
        args[i] = value(g, n->args[i], k);
    return gen_operation(&g->e, n, args);
}

/* Node `number` of the sweep in hand, for cell k of the lane's row in hand. */
static LLVMValueRef value(steps *g, int32_t number, int k) {
    const st_node *n = &g->step->sweeps[g->sweep].stencil->nodes[number];
    LLVMValueRef *memo = &g->memo[number * g->V];
    if (!memo[k] && n->op == ST_ACCESS)
        read_row(g, n->index, memo);
    else if (!memo[k] && gen_is_paired(&g->e, n) && g->V % 2 == 0)
        compute_pair(g, number, k & ~1, &memo[k & ~1]);
    else if (!memo[k])
        memo[k] = compute(g, n, k);
    return memo[k];
}

/* Domains */

/* How far beyond the box, at its low or high end along d, sweeps read what is handed on. */
static int reads_beyond(const steps *g, int d, bool high) {
    int most = 0;
    for (size_t i = 0; i < g->step->nsweeps && !st_step_wraps(g->step, d); i++) {
        const st_sweep *w = &g->step->sweeps[i];
        bool made = st_sweep_stores(w) > 0 || st_step_reduces(g->step, i);
        if ((high ? w->at_low : w->at_high) >> d & 1 || !made)
            continue;
        for (size_t j = 0; j < w->stencil->naccesses; j++) {
            int32_t v = st_step_version_read(g->step, &g->d, i, (int32_t)j), o[ST_MAX_RANK];
            if (!st_sweep_reads(w, (int32_t)j))
                continue;
            st_sweep_offset(w, (int32_t)j, o);
            o[d] += st_sweep_shift(w)[d];
            int beyond = high ? o[d] - w->high[d] : -o[d] - w->low[d];
            bool back = st_sweep_rule(w, (int32_t)j, d) != ST_NO_RULE;
            if (!back && st_step_flows(g->step, g->d.versions[v].array) && beyond > most)
                most = beyond;
        }
    }
    return most;
}

/* Are there cells in the box, or beyond it and read, that the sweep does not make at this end? */
static bool leaves_cells(const steps *g, const st_sweep *w, int d, bool high) {
    int shift = high ? -st_sweep_shift(w)[d] : st_sweep_shift(w)[d];
    if (((high ? w->at_low : w->at_high) | w->at_place) >> d & 1)
        return true;
    return (high ? w->high : w->low)[d] + shift + reads_beyond(g, d, high) > 0;
}

/* May the lane's cell k be one of them? The box starts with a lane's first cell. */
static bool may_be_left(const steps *g, const st_sweep *w, int k) {
    int first = -reads_beyond(g, 0, false), end = w->low[0] + st_sweep_shift(w)[0];
    if (leaves_cells(g, w, 0, true) || w->at_high & 1)
        return true;
    if (g->stream == 2 && (leaves_cells(g, w, 1, false) || leaves_cells(g, w, 1, true)))
        return true;
    for (int x = first; x < end; x++)
        if ((x + 64 * g->V) % g->V == k)
            return true;
    return false;
}

/* i1: is coordinate c, i32, in the sweep's domain along d? NULL: it is, or does not matter. */
static LLVMValueRef in_domain(steps *g, size_t sweep, int d, LLVMValueRef c) {
    const st_sweep *w = &g->step->sweeps[sweep];
    LLVMValueRef in = NULL;
    if (leaves_cells(g, w, d, false))
        in = LLVMBuildNot(g->e.b, ws_is_before(g, w, d, c), "");
    if (leaves_cells(g, w, d, true))
        in = gen_both(&g->e, in, ws_is_before_end(g, w, d, c));
    return in;
}

/* Bits of row u's cells. */
static LLVMValueRef cells_inside(steps *g, size_t w, int u, int first) {
    LLVMValueRef zero = gen_int32(&g->e, 0), all = zero;
    LLVMValueRef row = g->stream == 2 ? in_domain(g, w, 1, gen_add32(&g->e, g->y0, u)) : NULL;
    for (int k = 0; k < g->V; k++) {
        LLVMValueRef in = in_domain(g, w, 0, gen_add32(&g->e, g->x0, k));
        LLVMValueRef bit = gen_int32(&g->e, (int32_t)(1u << (first + k)));
        bit = in ? LLVMBuildSelect(g->e.b, in, bit, zero, "") : bit;
        all = LLVMBuildOr(g->e.b, all, bit, "");
    }
    return row ? LLVMBuildSelect(g->e.b, row, all, zero, "") : all;
}

void ws_find_inside(steps *g) {
    for (size_t w = 0; w < g->step->nsweeps; w++) {
        int32_t below, above;
        st_step_beside(&g->d, w, &below, &above);
        g->inside[w] = gen_int32(&g->e, 0);
        for (int u = -below; u < g->U + above; u++) {
            LLVMValueRef row = cells_inside(g, w, u, (u + below) * g->V);
            g->inside[w] = LLVMBuildOr(g->e.b, g->inside[w], row, "");
        }
    }
}

/* A layer that no cell here is near. */
static bool is_elsewhere(const steps *g, const st_sweep *w) {
    uint32_t layers = w->at_low | w->at_high | w->at_place, across = (1u << g->stream) - 1;
    return (!g->mode.x && (layers & across)) || (!g->mode.y && (layers >> g->stream & 1));
}

/* The cells of a row that was made. Cells outside the domain have the value of the version before;
 * all cells have, if `plane` is false. The mask is hidden from LLVM, which would otherwise test all
 * its bits once and keep the results. In 3-D the mask is empty if the plane is outside. */
static void hold_outside(steps *g, LLVMValueRef plane, LLVMValueRef *made,
                         const LLVMValueRef *before) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef mask = NULL, zero = gen_int32(&g->e, 0);
    int32_t below, above;
    st_step_beside(&g->d, g->sweep, &below, &above);
    for (int k = 0; k < g->V; k++) {
        LLVMValueRef in = plane;
        if (g->mode.x && may_be_left(g, &g->step->sweeps[g->sweep], k)) {
            LLVMValueRef bit = gen_int32(&g->e, (int32_t)(1u << ((g->row + below) * g->V + k)));
            mask = mask ? mask : g->e.target->conceal(b, g->inside[g->sweep]);
            LLVMValueRef is = LLVMBuildAnd(b, mask, bit, "");
            in = gen_both(&g->e, in, LLVMBuildICmp(b, LLVMIntNE, is, zero, ""));
        }
        made[k] = in ? LLVMBuildSelect(b, in, made[k], before[k], "") : made[k];
    }
}

/* Sweeps and levels */

static bool has_row(const steps *g, const st_version *v) {
    return g->row >= -v->below && g->row < g->U + v->above;
}

/* May the access read cells that are outside the domain of the sweep that made the version? */
static bool reads_outside(const steps *g, const st_sweep *w, int32_t access,
                          const st_sweep *maker) {
    int32_t offset[ST_MAX_RANK];
    st_sweep_offset(w, access, offset);
    for (int d = 0; d < g->step->rank; d++) {
        int by = offset[d] + st_sweep_shift(w)[d] - st_sweep_shift(maker)[d];
        bool inside = w->low[d] + by >= maker->low[d] && by - w->high[d] <= -maker->high[d];
        inside &= st_sweep_rule(w, access, d) == ST_NO_RULE;
        if (!st_step_wraps(g->step, d) && !inside)
            return true;
    }
    return false;
}

/* Are cells of the version in hand, outside its sweep's domain, read in the step? */
static bool is_read_outside(const steps *g) {
    const st_sweep *maker = &g->step->sweeps[g->sweep];
    for (size_t i = 0; i < g->step->nsweeps; i++) {
        const st_sweep *w = &g->step->sweeps[i];
        for (size_t j = 0; j < w->stencil->naccesses; j++)
            if (st_sweep_reads(w, (int32_t)j) &&
                st_step_version_read(g->step, &g->d, i, (int32_t)j) == g->made &&
                (st_sweep_is_layer(w) || reads_outside(g, w, (int32_t)j, maker)))
                return true;
    }
    return false;
}

/* Loads the row in hand of the array, from where its cells are that no step writes: if buffers
 * differ there, from the buffer that the level in hand writes. */
static void load_unwritten(steps *g, size_t array, LLVMValueRef *out) {
    st_type type = g->step->arrays[array].type;
    bool other = g->apart && st_step_alternates(g->step, (int32_t)array) && g->level % 2 == 0;
    LLVMTypeRef element = gen_type(&g->e, type);
    LLVMValueRef from = other ? ws_other(g, array) : ws_source(g, array);
    for (int k = 0; k < g->V && ws_is_scattered(g); k++)
        out[k] = load_element(g, type, from, ws_element_here(g, g->row, k));
    if (ws_is_scattered(g))
        return;
    LLVMValueRef i = ws_element_here(g, g->row, 0);
    from = gen_element(&g->e, element, from, i);
    gen_split(&g->e, ws_load_vector(g, array, from), g->V, out);
}

/* The version's row of the one before, where some of its cells are held. What is not kept is in
 * the source: of a settled array, these cells never change. NULL: no cell is held, or what is there
 * does not matter: of an array that does not arrive, the last level alone stores it. */
static LLVMValueRef *find_before(steps *g, LLVMValueRef *loaded) {
    const st_version *made = &g->d.versions[g->made], *v = &g->d.versions[made->before];
    int age = made->lag - v->lag;
    bool own = g->row >= 0 && g->row < g->U, given = made->before < (int32_t)g->step->narrays;
    bool there = !given || g->arrives[v->array];
    bool kept = !there ? false
                : own  ? age <= v->held
                       : has_row(g, v) && age <= v->beyond && (age > 0 || !given);
    bool border = g->mode.x || g->mode.y;
    bool other = g->apart && given && st_step_alternates(g->step, v->array);
    if (kept && !(other && border))
        return row_of(g, made->before, age, g->row);
    bool stored = g->level + 1 == g->p->bt;
    if (!border || (!there && !stored && !is_read_outside(g)))
        return NULL;
    load_unwritten(g, (size_t)v->array, loaded);
    return loaded;
}

/* Forgets the memo, which is of one row and plane of a sweep. */
static void forget(steps *g) {
    size_t nodes = g->step->sweeps[g->sweep].stencil->nnodes;
    memset(g->memo, 0, nodes * (size_t)g->V * sizeof *g->memo);
}

/* The row in hand of what store i of the sweep makes, whose expression is computed. */
static void settle_row(steps *g, size_t i) {
    const st_sweep *w = &g->step->sweeps[g->sweep];
    LLVMValueRef plane = NULL, loaded[PLAN_STREAM_CELLS];
    LLVMValueRef *row = ws_kept(g, g->level, g->made, 0, g->row), *old = find_before(g, loaded);
    if (is_elsewhere(g, w)) {
        memcpy(row, old, (size_t)g->V * sizeof *row);
        return;
    }
    if (g->mode.y)
        plane = in_domain(g, g->sweep, g->stream, g->plane);
    LLVMValueRef level_has = ws_made(g, g->sweep);
    plane = gen_both(&g->e, plane, level_has);
    memcpy(row, &g->memo[st_sweep_store(w, i).root * g->V], (size_t)g->V * sizeof *row);
    if (old)
        hold_outside(g, plane, row, old);
}

/* Stores `first` to `end`, which have one lag. */
static void advance_stores(steps *g, size_t first, size_t end) {
    const st_sweep *w = &g->step->sweeps[g->sweep];
    g->made = st_step_version_made(&g->d, g->sweep, first);
    int32_t lag = g->d.versions[g->made].lag;
    g->plane = gen_add32(&g->e, g->at.row, -(g->level * g->d.lag + lag));
    g->plane = ws_round(g, g->stream, g->plane);
    forget(g);
    for (int k = 0; k < g->V && !is_elsewhere(g, w); k++)
        for (size_t i = first; i < end; i++)
            if (has_row(g, &g->d.versions[st_step_version_made(&g->d, g->sweep, i)]))
                value(g, st_sweep_store(w, i).root, k);
    bool own = g->row >= 0 && g->row < g->U;
    if (st_step_reduces(g->step, g->sweep) && !is_elsewhere(g, w) && own && first == 0)
        ws_reduce_row(g, value);
    if (st_step_traces(g->step, g->sweep) && !is_elsewhere(g, w))
        ws_trace_row(g, value);
    for (size_t i = first; i < end; i++) {
        g->made = st_step_version_made(&g->d, g->sweep, i);
        if (has_row(g, &g->d.versions[g->made]))
            settle_row(g, i);
    }
}

static int32_t lag_of(const steps *g, size_t store) {
    return g->d.versions[st_step_version_made(&g->d, g->sweep, store)].lag;
}

static void advance_sweep(steps *g) {
    bool traces = st_step_traces(g->step, g->sweep);
    size_t count = traces ? 0 : st_sweep_stores(&g->step->sweeps[g->sweep]), end;
    int32_t below, above;
    if (count == 0 && !traces && !st_step_reduces(g->step, g->sweep))
        return;
    for (g->row = 0; g->row < g->U && count == 0; g->row++)
        advance_stores(g, 0, 0);
    if (count == 0)
        return;
    st_step_beside(&g->d, g->sweep, &below, &above);
    for (g->row = -below; g->row < g->U + above; g->row++)
        for (size_t first = 0; first < count; first = end) {
            for (end = first + 1; end < count && lag_of(g, end) == lag_of(g, first);)
                end++;
            advance_stores(g, first, end);
        }
}

static void hand_on(steps *g) {
    for (size_t a = 0; a < g->step->narrays; a++) {
        bool at_end = g->level + 1 == g->p->bt;
        if (!(at_end ? st_step_flows(g->step, (int32_t)a) : g->arrives[a]))
            continue;
        int32_t last = g->d.last[a], next = g->step->arrays[a].becomes;
        memcpy(ws_kept(g, g->level + 1, next, 0, 0),
               ws_kept(g, g->level, last, g->d.lag - g->d.versions[last].lag, 0),
               (size_t)(g->U * g->V) * sizeof *g->kept);
    }
}

static void age_rows(steps *g) {
    for (size_t v = 0; v < g->d.nversions; v++) {
        int32_t n = (int32_t)v;
        int below = g->d.versions[v].below;
        for (int age = ws_held(g, g->level, n); age > 0; age--)
            memcpy(ws_kept(g, g->level, n, age, -below), ws_kept(g, g->level, n, age - 1, -below),
                   (size_t)(ws_rows(g, n) * g->V) * sizeof *g->kept);
    }
}

/* Rows of other warps are loaded once for each plane that arrives. */
static void forget_given(steps *g) {
    for (size_t a = 0; a < g->step->narrays; a++)
        for (int age = 0; age <= g->d.versions[a].held; age++)
            for (int u = -g->d.versions[a].below; u < g->U + g->d.versions[a].above; u++)
                if (u < 0 || u >= g->U)
                    memset(ws_kept(g, g->level, (int32_t)a, age, u), 0,
                           (size_t)g->V * sizeof *g->kept);
}

void ws_advance(steps *g) {
    size_t rows = (size_t)g->first[g->d.nversions];
    for (g->level = 0; g->level < g->p->bt; g->level++) {
        memset(g->shuffled, 0, rows * (size_t)g->V * DISTANCES * sizeof *g->shuffled);
        forget_given(g);
        ws_give_rows(g);
        for (g->sweep = 0; g->sweep < g->step->nsweeps; g->sweep++)
            advance_sweep(g);
        hand_on(g);
        age_rows(g);
    }
}
