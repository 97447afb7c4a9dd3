/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "codegen/steps/steps.h"

#include <stdlib.h>

/* Small builders */

LLVMValueRef ws_add32(steps *g, LLVMValueRef a, int b) {
    return b ? LLVMBuildAdd(g->e.b, a, gen_int32(&g->e, b), "") : a;
}

LLVMValueRef ws_less(steps *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(g->e.b, LLVMIntSLT, a, b, "");
}

LLVMValueRef ws_wide(steps *g, LLVMValueRef v) {
    return LLVMBuildSExt(g->e.b, v, gen_i64(&g->e), "");
}

LLVMBasicBlockRef ws_block(steps *g, const char *name) {
    return LLVMAppendBasicBlockInContext(g->e.context, g->function, name);
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
    LLVMValueRef v = LLVMBuildLoad2(g->e.b, ws_vector(g, array), from, "");
    LLVMSetAlignment(v, alignment(g, array));
    return v;
}

LLVMValueRef *ws_kept(steps *g, int level, int32_t v, int age) {
    int rows = g->first[g->d.nversions];
    return &g->kept[(level * rows + g->first[v] + age) * g->V];
}

/* Parameters */

static LLVMValueRef parameter(steps *g, stencilrt_parameter_kind kind, size_t index) {
    return gen_parameter(g->function, g->p, kind, index);
}

/* Device memory, as such. */
static LLVMValueRef pointer(steps *g, stencilrt_parameter_kind kind, size_t array) {
    LLVMTypeRef device = LLVMPointerTypeInContext(g->e.context, g->e.target->device_space);
    return LLVMBuildAddrSpaceCast(g->e.b, parameter(g, kind, array), device, "");
}

LLVMValueRef ws_target(steps *g, size_t array) {
    return pointer(g, STENCILRT_ARG_DST, array);
}

LLVMValueRef ws_source(steps *g, size_t array) {
    return pointer(g, STENCILRT_ARG_SRC, array);
}

LLVMValueRef ws_extent(steps *g, int d) {
    return parameter(g, STENCILRT_ARG_EXTENT, (size_t)d);
}

LLVMValueRef ws_stride(steps *g, size_t array, int d) {
    return gen_stride(g->function, g->p, array, d);
}

LLVMValueRef ws_chunk(steps *g) {
    return parameter(g, STENCILRT_ARG_CHUNK, 0);
}

LLVMValueRef ws_scalar(steps *g, size_t sweep, size_t number, stencilrt_parameter_kind kind) {
    for (size_t i = 0; i < sweep; i++)
        number += g->step->sweeps[i].stencil->nscalars;
    return parameter(g, kind, number);
}

/* What is read is no array that is written: tiles overlap. */
void ws_mark_parameters(steps *g) {
    for (size_t i = 0; i < g->p->nparameters; i++) {
        uint32_t kind = g->p->parameters[i].kind;
        if (kind == STENCILRT_ARG_DST || kind == STENCILRT_ARG_SRC)
            gen_mark_pointer(&g->e, g->function, (unsigned)i, kind == STENCILRT_ARG_DST);
    }
}

/* Rows of level 0: the lane's cells of each array that flows, in pieces of 16 bytes, which lie in
 * the ring one after another for all lanes: so lanes do not meet in a bank. A lane reads what it
 * copied itself, and so waits for no other. */

int ws_row_bytes(const steps *g) {
    int bytes = 0;
    for (size_t a = 0; a < g->step->narrays; a++)
        bytes += st_step_flows(g->step, (int32_t)a) ? lane_bytes(g, a) * g->p->lanes : 0;
    return bytes;
}

static LLVMValueRef element_at(steps *g, size_t array, LLVMValueRef base, LLVMValueRef index) {
    return LLVMBuildGEP2(g->e.b, element(g, array), base, &index, 1, "");
}

static LLVMValueRef bytes_on(steps *g, LLVMValueRef from, int bytes) {
    LLVMValueRef step = gen_int64(&g->e, bytes);
    return LLVMBuildGEP2(g->e.b, LLVMInt8TypeInContext(g->e.context), from, &step, 1, "");
}

static void copy_row(steps *g, LLVMValueRef slot, int offset) {
    for (size_t a = 0; a < g->step->narrays; a++) {
        if (!st_step_flows(g->step, (int32_t)a))
            continue;
        LLVMValueRef from = element_at(g, a, ws_source(g, a), g->at.in);
        for (int i = 0; i < lane_bytes(g, a); i += 16, offset += 16 * g->p->lanes)
            g->e.target->copy_async(g->e.b, slot, offset, bytes_on(g, from, i));
    }
    g->e.target->copy_commit(g->e.b);
}

/* Begins to load the row at in, which moves on to the next one. Copies go to the slot `offset`
 * bytes behind `slot`; else the row is the last of those that wait. */
void ws_prefetch(steps *g, LLVMValueRef slot, int offset) {
    if (g->copies)
        copy_row(g, slot, offset);
    for (size_t a = 0; !g->copies && a < g->step->narrays; a++)
        if (st_step_flows(g->step, (int32_t)a))
            g->waiting[g->p->waits - 1][a] =
                ws_load_vector(g, a, element_at(g, a, ws_source(g, a), g->at.in));
    g->at.in = LLVMBuildAdd(g->e.b, g->at.in, g->stride, "");
}

void ws_split(steps *g, LLVMValueRef v, int first, int count, LLVMValueRef *out) {
    for (int k = 0; k < count; k++)
        out[first + k] = LLVMBuildExtractElement(g->e.b, v, gen_int32(&g->e, k), "");
}

/* An array's row, from its pieces. */
static void read_row(steps *g, size_t array, LLVMValueRef slot, int offset) {
    LLVMValueRef *row = ws_kept(g, 0, (int32_t)array, 0);
    int bytes = lane_bytes(g, array), cells = g->V * 16 / bytes;
    LLVMTypeRef type = LLVMVectorType(element(g, array), (unsigned)cells);
    for (int k = 0; k < g->V; k += cells, offset += 16 * g->p->lanes) {
        LLVMValueRef v = LLVMBuildLoad2(g->e.b, type, bytes_on(g, slot, offset), "");
        LLVMSetAlignment(v, 16);
        ws_split(g, v, k, cells, row);
    }
}

/* The row that has arrived becomes the newest of versions 0. */
void ws_take_row(steps *g, LLVMValueRef slot, int offset) {
    for (size_t a = 0; a < g->step->narrays; a++) {
        if (!st_step_flows(g->step, (int32_t)a))
            continue;
        if (g->copies)
            read_row(g, a, slot, offset);
        else
            ws_split(g, g->waiting[0][a], 0, g->V, ws_kept(g, 0, (int32_t)a, 0));
        offset += lane_bytes(g, a) * g->p->lanes;
        for (int i = 0; !g->copies && i + 1 < g->p->waits; i++)
            g->waiting[i][a] = g->waiting[i + 1][a];
    }
}

/* Rows out */

static void store_vector(steps *g, size_t array, LLVMValueRef to) {
    LLVMValueRef *row = ws_kept(g, g->p->bt, (int32_t)array, 0);
    LLVMValueRef v = LLVMGetPoison(ws_vector(g, array));
    for (int k = 0; k < g->V; k++)
        v = LLVMBuildInsertElement(g->e.b, v, row[k], gen_int32(&g->e, k), "");
    LLVMSetAlignment(LLVMBuildStore(g->e.b, v, to), alignment(g, array));
}

static void store_all(steps *g) {
    for (size_t a = 0; a < g->step->narrays; a++)
        if (st_step_flows(g->step, (int32_t)a))
            store_vector(g, a, element_at(g, a, ws_target(g, a), g->at.out));
}

static void store_cell(steps *g, int k) {
    for (size_t a = 0; a < g->step->narrays; a++) {
        if (!st_step_flows(g->step, (int32_t)a))
            continue;
        LLVMValueRef i = LLVMBuildAdd(g->e.b, g->at.out, gen_int64(&g->e, k), "");
        LLVMValueRef store = LLVMBuildStore(g->e.b, ws_kept(g, g->p->bt, (int32_t)a, 0)[k],
                                            element_at(g, a, ws_target(g, a), i));
        LLVMSetAlignment(store, (unsigned)st_type_size(g->step->arrays[a].type));
    }
}

/* In the last strip the lane's last cells may be outside the box: then one by one. */
static void store_lane(steps *g) {
    LLVMBuilderRef b = g->e.b;
    if (!g->mode.x) {
        store_all(g);
        return;
    }
    LLVMBasicBlockRef whole = ws_block(g, "whole"), part = ws_block(g, "part"),
                      next = ws_block(g, "lane.done");
    LLVMValueRef past = ws_less(g, g->extent[0], ws_add32(g, g->x0, g->V));
    LLVMBuildCondBr(b, past, part, whole);
    LLVMPositionBuilderAtEnd(b, whole);
    store_all(g);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, part);
    for (int k = 0; k < g->V; k++) {
        LLVMBasicBlockRef one = ws_block(g, "one"), after = ws_block(g, "after");
        LLVMBuildCondBr(b, ws_less(g, ws_add32(g, g->x0, k), g->extent[0]), one, after);
        LLVMPositionBuilderAtEnd(b, one);
        store_cell(g, k);
        LLVMBuildBr(b, after);
        LLVMPositionBuilderAtEnd(b, after);
    }
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
}

/* Stores the row that leaves the last level, if it is one of the chunk's; lanes of the halo do not.
 */
void ws_store_row(steps *g) {
    LLVMBuilderRef b = g->e.b;
    LLVMBasicBlockRef store = ws_block(g, "store"), next = ws_block(g, "stored");
    LLVMValueRef row = ws_add32(g, g->at.row, -g->p->bt * g->d.lag);
    LLVMValueRef from = LLVMBuildSub(b, row, g->chunk0, "");
    LLVMValueRef rows = LLVMBuildSub(b, g->chunk1, g->chunk0, "");
    LLVMValueRef cell = LLVMBuildMul(b, g->lane, gen_int32(&g->e, g->V), "");
    LLVMValueRef mine = LLVMBuildICmp(b, LLVMIntULT, ws_add32(g, cell, -g->p->halo[0]),
                                      gen_int32(&g->e, g->p->tile[0]), "");
    LLVMValueRef ok = LLVMBuildICmp(b, LLVMIntULT, from, rows, "");
    LLVMBuildCondBr(b, LLVMBuildAnd(b, ok, mine, ""), store, next);
    LLVMPositionBuilderAtEnd(b, store);
    store_lane(g);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    g->at.out = LLVMBuildAdd(b, g->at.out, g->stride, "");
}
