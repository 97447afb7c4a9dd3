/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels of whole steps: parameters, rows on their way into registers, and rows on their way out.
 */
#include "codegen/steps/steps.h"

#include <stdlib.h>
#include <string.h>

/* Small builders */

LLVMValueRef ws_round(steps *g, int d, LLVMValueRef c) {
    LLVMBuilderRef b = g->e.b;
    if (!st_step_wraps(g->step, d))
        return c;
    LLVMValueRef before = gen_less(&g->e, c, gen_int32(&g->e, 0)),
                 in = gen_less(&g->e, c, g->extent[d]);
    LLVMValueRef less = LLVMBuildSub(b, c, g->extent[d], "");
    LLVMValueRef more = LLVMBuildAdd(b, c, g->extent[d], "");
    return LLVMBuildSelect(b, before, more, LLVMBuildSelect(b, in, c, less, ""), "");
}

bool ws_is_scattered(const steps *g) {
    return g->mode.x && st_step_wraps(g->step, 0);
}

/* An element's number, u rows on. */
static LLVMValueRef row_at(steps *g, LLVMValueRef index, int u) {
    if (u == 0)
        return index;
    LLVMValueRef rows = LLVMBuildMul(g->e.b, g->row_stride, gen_int64(&g->e, u), "");
    return LLVMBuildAdd(g->e.b, index, rows, "");
}

/* The element of cell k of row u, where i is the lane's first cell in the thread's first row. */
static LLVMValueRef element_across(steps *g, LLVMValueRef i, int u, int k) {
    LLVMBuilderRef b = g->e.b;
    if (g->stream == 2 && g->mode.x && st_step_wraps(g->step, 1)) {
        LLVMValueRef y = ws_round(g, 1, gen_add32(&g->e, g->y0, u));
        y = gen_extend(&g->e, LLVMBuildSub(b, y, g->y0, ""));
        i = LLVMBuildAdd(b, i, LLVMBuildMul(b, y, g->row_stride, ""), "");
    } else {
        i = row_at(g, i, u);
    }
    if (!ws_is_scattered(g))
        return k ? LLVMBuildAdd(b, i, gen_int64(&g->e, k), "") : i;
    LLVMValueRef x = ws_round(g, 0, gen_add32(&g->e, g->x0, k));
    return LLVMBuildAdd(b, i, gen_extend(&g->e, LLVMBuildSub(b, x, g->x0, "")), "");
}

LLVMValueRef ws_element_here(steps *g, int u, int k) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef i = LLVMBuildMul(b, gen_extend(&g->e, g->plane), g->stride, "");
    i = LLVMBuildAdd(b, i, gen_extend(&g->e, g->x0), "");
    if (g->stream == 2)
        i = LLVMBuildAdd(b, i, LLVMBuildMul(b, gen_extend(&g->e, g->y0), g->row_stride, ""), "");
    return element_across(g, i, u, k);
}

static LLVMTypeRef element(steps *g, size_t array) {
    return gen_type(&g->e, g->step->arrays[array].type);
}

LLVMTypeRef ws_vector(steps *g, size_t array) {
    return LLVMVectorType(element(g, array), (unsigned)g->V);
}

static int lane_bytes(const steps *g, size_t array) {
    return g->V * (int)st_type_size(g->step->arrays[array].type);
}

static unsigned alignment(const steps *g, size_t array) {
    int bytes = lane_bytes(g, array);
    return bytes < 16 ? (unsigned)bytes : 16;
}

LLVMValueRef ws_load_vector(steps *g, size_t array, LLVMValueRef from) {
    return gen_load(&g->e, ws_vector(g, array), from, alignment(g, array));
}

int ws_held(const steps *g, int level, int32_t v) {
    const st_version *one = &g->d.versions[v];
    return level + 1 >= g->p->bt && one->leaves > one->held ? one->leaves : one->held;
}

int ws_rows(const steps *g, int32_t v) {
    return g->U + g->d.versions[v].below + g->d.versions[v].above;
}

LLVMValueRef *ws_kept(steps *g, int level, int32_t v, int age, int u) {
    int row = g->first[v] + age * ws_rows(g, v) + g->d.versions[v].below + u;
    return &g->kept[(level * g->first[g->d.nversions] + row) * g->V];
}

/* Parameters */

static LLVMValueRef parameter(steps *g, stencilrt_parameter_kind kind, size_t index) {
    return gen_parameter(g->function, g->p, kind, index);
}

/* Device memory, as such. */
static LLVMValueRef pointer(steps *g, stencilrt_parameter_kind kind, size_t array) {
    size_t number = (size_t)g->step->arrays[array].number;
    LLVMTypeRef device = LLVMPointerTypeInContext(g->e.context, g->e.target->device_space);
    return LLVMBuildAddrSpaceCast(g->e.b, parameter(g, kind, number), device, "");
}

static LLVMValueRef target_of(steps *g, size_t array) {
    return pointer(g, STENCILRT_ARG_DST, array);
}

LLVMValueRef ws_source(steps *g, size_t array) {
    bool newer = g->step->arrays[array].newer;
    return pointer(g, newer ? STENCILRT_ARG_NEWER : STENCILRT_ARG_SRC, array);
}

LLVMValueRef ws_other(steps *g, size_t array) {
    return pointer(g, STENCILRT_ARG_OTHER, array);
}

LLVMValueRef ws_extent(steps *g, int d) {
    return parameter(g, STENCILRT_ARG_EXTENT, (size_t)d);
}

LLVMValueRef ws_stride(steps *g, size_t array, int d) {
    if (d >= g->step->rank) /* a single row */
        return gen_int64(&g->e, 0);
    return gen_stride(g->function, g->p, (size_t)g->step->arrays[array].number, d);
}

LLVMValueRef ws_chunk(steps *g) {
    return parameter(g, STENCILRT_ARG_CHUNK, 0);
}

LLVMValueRef ws_place_of(steps *g, const st_sweep *w, int d) {
    LLVMValueRef place = parameter(g, STENCILRT_ARG_PLACE, 3 * w->nest + (size_t)d);
    return LLVMBuildTrunc(g->e.b, place, gen_i32(&g->e), "");
}

/* The number of a sweep's scalar among those of all nests. */
static size_t number_of(const steps *g, size_t sweep, size_t number) {
    for (size_t i = 0; i < g->step->sweeps[sweep].nest; i++)
        number += g->step->nests[i]->nscalars;
    return number;
}

LLVMValueRef ws_scalar(steps *g, size_t sweep, size_t number, stencilrt_parameter_kind kind) {
    return parameter(g, kind, number_of(g, sweep, number));
}

LLVMValueRef ws_value(steps *g, size_t sweep, size_t number) {
    size_t index = number_of(g, sweep, number) * STENCILRT_VALUES + (size_t)g->level;
    return parameter(g, STENCILRT_ARG_VALUE, index);
}

LLVMValueRef ws_made(steps *g, size_t sweep) {
    if (g->step->sweeps[sweep].stencil->every <= 1)
        return NULL;
    LLVMValueRef bits = parameter(g, STENCILRT_ARG_MADE, g->step->sweeps[sweep].nest);
    bits = LLVMBuildAnd(g->e.b, bits, gen_int64(&g->e, (int64_t)1 << g->level), "");
    return LLVMBuildICmp(g->e.b, LLVMIntNE, bits, gen_int64(&g->e, 0), "");
}

static bool is_trace(const steps *g, uint32_t number) {
    bool trace = false;
    for (size_t a = 0; a < g->step->narrays; a++)
        trace |= g->step->arrays[a].number == (int32_t)number && g->step->arrays[a].trace;
    return trace;
}

/* Marks parameters. No buffer that is read is one that is written: tiles overlap. */
void ws_mark_parameters(steps *g) {
    for (size_t i = 0; i < g->p->nparameters; i++) {
        uint32_t kind = g->p->parameters[i].kind;
        bool source =
            kind == STENCILRT_ARG_SRC || kind == STENCILRT_ARG_OTHER || kind == STENCILRT_ARG_NEWER;
        bool traced = source && is_trace(g, g->p->parameters[i].index);
        if (kind == STENCILRT_ARG_DST || source)
            gen_mark_pointer(&g->e, g->function, (unsigned)i, !source || traced);
    }
}

/* Domains */

LLVMValueRef ws_is_before(steps *g, const st_sweep *w, int d, LLVMValueRef c) {
    int first = w->low[d] + st_sweep_shift(w)[d], from_end = st_sweep_shift(w)[d] - w->low[d];
    bool high = w->at_high >> d & 1;
    if (w->at_place >> d & 1)
        return gen_less(&g->e, c, ws_place_of(g, w, d));
    return gen_less(&g->e, c,
                    high ? gen_add32(&g->e, g->extent[d], from_end) : gen_int32(&g->e, first));
}

LLVMValueRef ws_is_before_end(steps *g, const st_sweep *w, int d, LLVMValueRef c) {
    int end = w->high[d] + st_sweep_shift(w)[d], from_end = st_sweep_shift(w)[d] - w->high[d];
    bool low = w->at_low >> d & 1;
    if (w->at_place >> d & 1)
        return gen_less(&g->e, c, gen_add32(&g->e, ws_place_of(g, w, d), 1));
    return gen_less(&g->e, c,
                    low ? gen_int32(&g->e, end) : gen_add32(&g->e, g->extent[d], from_end));
}

LLVMValueRef ws_is_in_domain(steps *g, size_t sweep, int d, LLVMValueRef c) {
    const st_sweep *w = &g->step->sweeps[sweep];
    LLVMValueRef from = LLVMBuildNot(g->e.b, ws_is_before(g, w, d, c), "");
    return LLVMBuildAnd(g->e.b, from, ws_is_before_end(g, w, d, c), "");
}

LLVMValueRef ws_position(steps *g, int d, int k) {
    if (d == g->stream)
        return g->plane;
    LLVMValueRef c = d == 0 ? gen_add32(&g->e, g->x0, k) : gen_add32(&g->e, g->y0, g->row);
    return g->mode.x ? ws_round(g, d, c) : c;
}

LLVMValueRef ws_coordinate(steps *g, int d, int k) {
    const st_sweep *w = &g->step->sweeps[g->sweep];
    LLVMValueRef c =
        gen_extend(&g->e, gen_add32(&g->e, ws_position(g, d, k), -st_sweep_shift(w)[d]));
    if (w->at_high >> d & 1)
        c = LLVMBuildSub(g->e.b, c, ws_extent(g, d), "");
    int64_t first = w->at_high >> d & 1 ? -(int64_t)w->low[d] : w->low[d];
    return LLVMBuildSub(g->e.b, c, gen_int64(&g->e, first), "");
}

/* Rows of level 0. The ring has the lane's cells of each array that flows, in pieces of 16 bytes or
 * of a whole lane. Pieces lie one after another for all threads, so that lanes use different banks.
 * A lane reads what it copied itself, so it does not wait for others. */

static int piece_bytes(const steps *g, size_t array) {
    return lane_bytes(g, array) < 16 ? lane_bytes(g, array) : 16;
}

int ws_row_bytes(const steps *g) {
    int bytes = 0;
    for (size_t a = 0; a < g->step->narrays; a++)
        bytes += g->arrives[a] ? lane_bytes(g, a) * g->threads * g->U : 0;
    return bytes;
}

static LLVMValueRef element_at(steps *g, size_t array, LLVMValueRef base, LLVMValueRef index) {
    return gen_element(&g->e, element(g, array), base, index);
}

/* From the thread's place for pieces of 16 bytes to that for smaller ones. */
static LLVMValueRef piece_at(steps *g, size_t array, LLVMValueRef slot) {
    int bytes = piece_bytes(g, array);
    if (bytes == 16)
        return slot;
    LLVMValueRef back = gen_widen(&g->e, g->thread);
    back = LLVMBuildMul(g->e.b, back, gen_int64(&g->e, bytes - 16), "");
    return gen_bytes_on(&g->e, slot, back);
}

/* A piece of row u that begins with cell k, at `in`. */
static void copy_piece(steps *g, size_t a, LLVMValueRef in, int u, int k, LLVMValueRef to,
                       int offset) {
    int size = (int)st_type_size(g->step->arrays[a].type), bytes = piece_bytes(g, a);
    int one = ws_is_scattered(g) ? size : bytes;
    for (int i = 0; i < bytes; i += one) {
        LLVMValueRef from = element_across(g, in, u, k + i / size);
        g->e.target->copy_async(g->e.b, to, offset + i, element_at(g, a, ws_source(g, a), from),
                                one);
    }
}

static void copy_row(steps *g, LLVMValueRef in, LLVMValueRef slot, int offset) {
    for (size_t a = 0; a < g->step->narrays; a++) {
        if (!g->arrives[a])
            continue;
        int bytes = piece_bytes(g, a), cells = bytes / (int)st_type_size(g->step->arrays[a].type);
        LLVMValueRef to = piece_at(g, a, slot);
        for (int u = 0; u < g->U; u++)
            for (int k = 0; k < g->V; k += cells, offset += bytes * g->threads)
                copy_piece(g, a, in, u, k, to, offset);
    }
}

static LLVMValueRef load_row(steps *g, size_t a, LLVMValueRef in, int u) {
    LLVMValueRef source = ws_source(g, a), v = LLVMGetPoison(ws_vector(g, a));
    if (!ws_is_scattered(g))
        return ws_load_vector(g, a, element_at(g, a, source, element_across(g, in, u, 0)));
    for (int k = 0; k < g->V; k++) {
        LLVMValueRef from = element_at(g, a, source, element_across(g, in, u, k));
        LLVMValueRef one =
            gen_load(&g->e, element(g, a), from, st_type_size(g->step->arrays[a].type));
        v = LLVMBuildInsertElement(g->e.b, v, one, gen_int32(&g->e, k), "");
    }
    return v;
}

/* From the row's number to that of the row that it is, in elements. */
static LLVMValueRef come_round(steps *g, LLVMValueRef in, LLVMValueRef row) {
    if (!st_step_wraps(g->step, g->stream))
        return in;
    LLVMValueRef on = LLVMBuildSub(g->e.b, ws_round(g, g->stream, row), row, "");
    on = LLVMBuildMul(g->e.b, gen_extend(&g->e, on), g->stride, "");
    return LLVMBuildAdd(g->e.b, in, on, "");
}

/* Rows that stay: as many slots as a power of two, of which a row has the one that its number
 * gives. They lie behind the ring, the arrays' pieces as there. */

static LLVMValueRef slot_of(steps *g, LLVMValueRef row) {
    LLVMValueRef i = LLVMBuildAnd(g->e.b, row, gen_int32(&g->e, g->p->stay - 1), "");
    i = gen_widen(&g->e, gen_times32(&g->e, i, g->staying_bytes));
    return gen_bytes_on(&g->e, g->ring, i);
}

/* From the slot's start to the array's pieces. */
static int staying_at(const steps *g, size_t array) {
    int at = g->p->depth * g->row_bytes;
    for (size_t a = 0; a < array; a++)
        at += g->stays[a] ? lane_bytes(g, a) * g->threads : 0;
    return at;
}

/* Where rows come round, those that are more than once round are not needed. */
static LLVMValueRef row_inside(steps *g, LLVMValueRef row) {
    if (!st_step_wraps(g->step, g->stream))
        return row;
    LLVMValueRef extent = g->extent[g->stream];
    LLVMValueRef first = LLVMBuildNeg(g->e.b, extent, "");
    LLVMValueRef last = gen_add32(&g->e, gen_times32(&g->e, extent, 2), -1);
    return ws_round(g, g->stream, gen_smaller(&g->e, gen_greater(&g->e, row, first), last));
}

static void copy_staying(steps *g, LLVMValueRef row) {
    if (!g->staying_bytes)
        return;
    LLVMValueRef slot = slot_of(g, row), x0 = gen_extend(&g->e, g->x0), inside = row_inside(g, row);
    for (size_t a = 0; a < g->step->narrays; a++) {
        if (!g->stays[a])
            continue;
        int bytes = piece_bytes(g, a), cells = bytes / (int)st_type_size(g->step->arrays[a].type);
        int offset = staying_at(g, a);
        LLVMValueRef in =
            LLVMBuildMul(g->e.b, gen_extend(&g->e, inside), ws_stride(g, a, g->stream), "");
        in = LLVMBuildAdd(g->e.b, in, x0, "");
        for (int k = 0; k < g->V; k += cells, offset += bytes * g->threads)
            copy_piece(g, a, in, 0, k, piece_at(g, a, slot), offset);
    }
}

void ws_prefetch_staying(steps *g, LLVMValueRef first) {
    for (int i = -g->oldest; i < g->early && g->staying_bytes; i++)
        copy_staying(g, gen_add32(&g->e, first, i));
}

/* Begins to load row number `row`, which is at in; in moves on to the next row. Copies go to the
 * slot `offset` bytes behind `slot`; else the row is the last of those that wait. */
void ws_prefetch(steps *g, LLVMValueRef row, LLVMValueRef slot, int offset) {
    LLVMValueRef in = come_round(g, g->at.in, row);
    if (g->copies) {
        copy_row(g, in, slot, offset);
        copy_staying(g, gen_add32(&g->e, row, g->early));
        g->e.target->copy_commit(g->e.b);
    }
    for (size_t a = 0; !g->copies && a < g->step->narrays; a++)
        for (int u = 0; u < g->U && g->arrives[a]; u++)
            g->waiting[g->waits - 1][a][u] = load_row(g, a, in, u);
    g->at.in = LLVMBuildAdd(g->e.b, g->at.in, g->stride, "");
}

/* An array's row, from its pieces. */
static void read_row(steps *g, size_t array, LLVMValueRef slot, int offset, LLVMValueRef *row) {
    int bytes = lane_bytes(g, array), piece = piece_bytes(g, array), cells = g->V * piece / bytes;
    LLVMTypeRef type = LLVMVectorType(element(g, array), (unsigned)cells);
    slot = piece_at(g, array, slot);
    for (int k = 0; k < g->V; k += cells, offset += piece * g->threads) {
        LLVMValueRef from = gen_bytes_on(&g->e, slot, gen_int64(&g->e, offset));
        LLVMValueRef v = gen_load(&g->e, type, from, (size_t)piece);
        gen_split(&g->e, v, cells, row + k);
    }
}

/* The row that has arrived becomes the newest of versions 0. */
void ws_take_row(steps *g, LLVMValueRef slot, int offset) {
    for (size_t a = 0; a < g->step->narrays; a++) {
        if (!g->arrives[a])
            continue;
        for (int u = 0; u < g->U; u++, offset += lane_bytes(g, a) * g->threads)
            if (g->copies)
                read_row(g, a, slot, offset, ws_kept(g, 0, (int32_t)a, 0, u));
            else
                gen_split(&g->e, g->waiting[0][a][u], g->V, ws_kept(g, 0, (int32_t)a, 0, u));
        for (int i = 0; !g->copies && i + 1 < g->waits; i++)
            memcpy(g->waiting[i][a], g->waiting[i + 1][a], sizeof g->waiting[i][a]);
    }
}

void ws_read_staying(steps *g, size_t array, LLVMValueRef row, LLVMValueRef *out) {
    read_row(g, array, slot_of(g, row), staying_at(g, array), out);
}

/* Rows of other warps. A slot has, of each array that flows and for each level, the last rows of
 * each warp, which the next warp needs, and then its first rows. The number of slots is the
 * greatest age in planes of such rows, plus one for the slot that is being written. */

static int given_of(const steps *g, size_t array) {
    const st_version *v = &g->d.versions[array];
    return (v->below + v->above) * lane_bytes(g, array) * g->threads;
}

void ws_place_given(steps *g) {
    int bytes = 0, oldest = 0;
    for (size_t a = 0; a < g->step->narrays; a++) {
        const st_version *v = &g->d.versions[a];
        bytes += given_of(g, a);
        oldest = v->below + v->above && v->beyond > oldest ? v->beyond : oldest;
    }
    g->given_slots = bytes ? oldest + 1 : 0;
    g->given_bytes = bytes * g->p->bt;
}

/* Row `i` of an array in the slot: its lowest row below, and so on. */
static LLVMValueRef given_at(steps *g, size_t array, int i, LLVMValueRef thread,
                             LLVMValueRef slot) {
    int at = (g->copies ? g->p->depth * g->row_bytes : 0) + g->given_bytes / g->p->bt * g->level;
    for (size_t a = 0; a < array; a++)
        at += given_of(g, a);
    at += i * lane_bytes(g, array) * g->threads;
    LLVMValueRef bytes = gen_int32(&g->e, lane_bytes(g, array));
    LLVMValueRef index = LLVMBuildMul(g->e.b, thread, bytes, "");
    index = gen_widen(&g->e, LLVMBuildAdd(g->e.b, index, slot, ""));
    LLVMValueRef p = gen_bytes_on(&g->e, g->scratchpad, index);
    return gen_bytes_on(&g->e, p, gen_int64(&g->e, at));
}

static void put_given(steps *g, size_t a, int i, LLVMValueRef v, LLVMValueRef slot) {
    LLVMValueRef to = given_at(g, a, i, g->thread, slot);
    gen_store(&g->e, v, to, alignment(g, a));
}

/* Rows that are read before a warp gave them are not stored, but must have some value. */
void ws_clear_given(steps *g) {
    for (int slot = 0; slot < g->given_slots; slot++)
        for (g->level = 0; g->level < g->p->bt; g->level++)
            for (size_t a = 0; a < g->step->narrays; a++)
                for (int i = 0; i < g->d.versions[a].below + g->d.versions[a].above; i++)
                    put_given(g, a, i, LLVMConstNull(ws_vector(g, a)),
                              gen_int32(&g->e, slot * g->given_bytes));
    g->level = 0;
}

/* Gives the rows of the level in hand to the other warps. */
void ws_give_rows(steps *g) {
    for (size_t a = 0; a < g->step->narrays && g->given_slots; a++) {
        int below = g->d.versions[a].below, rows = below + g->d.versions[a].above;
        for (int i = 0; i < rows; i++) {
            int u = i < below ? g->U - below + i : i - below;
            put_given(
                g, a, i,
                gen_join(&g->e, ws_vector(g, a), g->V, ws_kept(g, g->level, (int32_t)a, 0, u)),
                g->at.give);
        }
    }
}

void ws_load_given(steps *g, int32_t v, int age, int u) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef slot = gen_add32(&g->e, g->at.give, -age * g->given_bytes);
    LLVMValueRef wrapped = gen_add32(&g->e, slot, g->given_slots * g->given_bytes);
    slot = LLVMBuildSelect(b, gen_less(&g->e, slot, gen_int32(&g->e, 0)), wrapped, slot, "");
    int above = u >= g->U, below = g->d.versions[v].below, i = above ? below + u - g->U : below + u;
    LLVMValueRef from = given_at(g, (size_t)v, i, g->beside[above], slot);
    gen_split(&g->e, ws_load_vector(g, (size_t)v, from), g->V, ws_kept(g, g->level, v, age, u));
}

void ws_next_given(steps *g) {
    if (!g->given_slots)
        return;
    LLVMValueRef next = gen_add32(&g->e, g->at.give, g->given_bytes), zero = gen_int32(&g->e, 0);
    LLVMValueRef end = gen_int32(&g->e, g->given_slots * g->given_bytes);
    LLVMValueRef at_end = LLVMBuildICmp(g->e.b, LLVMIntEQ, next, end, "");
    g->at.give = LLVMBuildSelect(g->e.b, at_end, zero, next, "");
}

/* Rows out */

static void store_vector(steps *g, size_t array, int u, LLVMValueRef to) {
    LLVMValueRef v =
        gen_join(&g->e, ws_vector(g, array), g->V, ws_kept(g, g->p->bt, (int32_t)array, 0, u));
    gen_store(&g->e, v, to, alignment(g, array));
}

static void store_all(steps *g, int u, LLVMValueRef at) {
    for (size_t a = 0; a < g->step->narrays; a++)
        if (st_step_flows(g->step, (int32_t)a))
            store_vector(g, a, u, element_at(g, a, target_of(g, a), at));
}

static void store_cell(steps *g, int u, int k, LLVMValueRef at) {
    for (size_t a = 0; a < g->step->narrays; a++) {
        if (!st_step_flows(g->step, (int32_t)a))
            continue;
        LLVMValueRef i = LLVMBuildAdd(g->e.b, at, gen_int64(&g->e, k), "");
        gen_store(&g->e, ws_kept(g, g->p->bt, (int32_t)a, 0, u)[k],
                  element_at(g, a, target_of(g, a), i), st_type_size(g->step->arrays[a].type));
    }
}

/* In the last strip the lane's last cells may be outside the box: then one by one. */
static void store_lane(steps *g, int u) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef at = row_at(g, g->at.out, u);
    if (!g->mode.x) {
        store_all(g, u, at);
        return;
    }
    LLVMBasicBlockRef whole = gen_add_block(g->function, "whole"),
                      part = gen_add_block(g->function, "part"),
                      next = gen_add_block(g->function, "lane.done");
    LLVMValueRef past = gen_less(&g->e, g->extent[0], gen_add32(&g->e, g->x0, g->V));
    LLVMBuildCondBr(b, past, part, whole);
    LLVMPositionBuilderAtEnd(b, whole);
    store_all(g, u, at);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, part);
    for (int k = 0; k < g->V; k++) {
        LLVMBasicBlockRef after =
            gen_begin_if(&g->e, g->function,
                         gen_less(&g->e, gen_add32(&g->e, g->x0, k), g->extent[0]), "one", "after");
        store_cell(g, u, k, at);
        gen_end_if(&g->e, after);
    }
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
}

/* In 3-D: stores those of the thread's rows that are the tile's. */
static void store_rows(steps *g) {
    LLVMBuilderRef b = g->e.b;
    if (g->stream < 2) {
        store_lane(g, 0);
        return;
    }
    for (int u = 0; u < g->U; u++) {
        LLVMValueRef bit = LLVMBuildAnd(b, g->stored_rows, gen_int32(&g->e, 1 << u), "");
        LLVMBasicBlockRef next = gen_begin_if(
            &g->e, g->function, LLVMBuildICmp(b, LLVMIntNE, bit, gen_int32(&g->e, 0), ""),
            "store.row", "row.stored");
        store_lane(g, u);
        gen_end_if(&g->e, next);
    }
}

/* Stores the row that leaves the last level, if it is one of the chunk's; lanes of the halo do not.
 */
void ws_store_row(steps *g) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef row = gen_add32(&g->e, g->at.row, -g->p->bt * g->d.lag);
    LLVMValueRef from = LLVMBuildSub(b, row, g->chunk0, "");
    LLVMValueRef rows = LLVMBuildSub(b, g->chunk1, g->chunk0, "");
    LLVMValueRef cell = LLVMBuildMul(b, g->lane, gen_int32(&g->e, g->V), "");
    LLVMValueRef mine = LLVMBuildICmp(b, LLVMIntULT, gen_add32(&g->e, cell, -g->p->halo[0]),
                                      gen_int32(&g->e, g->p->tile[0]), "");
    LLVMValueRef ok = LLVMBuildICmp(b, LLVMIntULT, from, rows, "");
    LLVMBasicBlockRef next =
        gen_begin_if(&g->e, g->function, LLVMBuildAnd(b, ok, mine, ""), "store", "stored");
    store_rows(g);
    gen_end_if(&g->e, next);
    g->at.out = LLVMBuildAdd(b, g->at.out, g->stride, "");
}
