/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stream.h"

#include <stdlib.h>

/* Small builders */

LLVMValueRef sg_add32(stream *g, LLVMValueRef a, int b) {
    return b ? LLVMBuildAdd(g->e.b, a, gen_int32(&g->e, b), "") : a;
}

LLVMValueRef sg_wide(stream *g, LLVMValueRef v) {
    return LLVMBuildSExt(g->e.b, v, gen_i64(&g->e), "");
}

LLVMValueRef sg_less(stream *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(g->e.b, LLVMIntSLT, a, b, "");
}

LLVMValueRef sg_both(stream *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAnd(g->e.b, a, b, "");
}

LLVMBasicBlockRef sg_block(stream *g, const char *name) {
    return LLVMAppendBasicBlockInContext(g->e.context, g->function, name);
}

LLVMValueRef sg_at(stream *g, LLVMValueRef pointer, LLVMValueRef index) {
    return LLVMBuildGEP2(g->e.b, g->element, pointer, &index, 1, "");
}

/* Parameters */

static size_t read_only_ports(const stream *g) {
    size_t n = 0;
    for (size_t i = 0; i < g->nports; i++)
        n += g->ports[i].grid != g->s->store_grid;
    return n;
}

bool sg_reads_older(const stream *g) {
    return g->c->older >= 0;
}

size_t sg_first_port(const stream *g) {
    return sg_reads_older(g) ? OLDER_DST + 1 : OTHER + 1;
}

size_t sg_integers_at(const stream *g) {
    return sg_first_port(g) + read_only_ports(g);
}

LLVMValueRef sg_integer(stream *g, size_t i) {
    return LLVMGetParam(g->function, (unsigned)(sg_integers_at(g) + i));
}

LLVMValueRef sg_stride_of(stream *g, int32_t grid, int d) {
    size_t rank = (size_t)g->s->rank;
    return sg_integer(g, rank + (size_t)grid * (rank - 1) + (size_t)d - 1);
}

size_t sg_chunk_at(const stream *g) {
    size_t rank = (size_t)g->s->rank;
    return rank + g->s->ngrids * (rank - 1);
}

LLVMValueRef sg_scalar(stream *g, size_t number, bool increment) {
    size_t i = sg_chunk_at(g) + 1;
    for (size_t k = 0; k < number; k++)
        i += g->s->scalars[k].stepped ? 2 : 1;
    return sg_integer(g, i + increment);
}

LLVMTypeRef sg_kernel_type(stream *g) {
    size_t pointers = sg_integers_at(g), integers = sg_chunk_at(g) + 1, n = 0;
    LLVMTypeRef *types = calloc(pointers + integers + 2 * g->s->nscalars, sizeof *types);
    while (n < pointers)
        types[n++] = LLVMPointerTypeInContext(g->e.context, 0);
    while (n < pointers + integers)
        types[n++] = gen_i64(&g->e);
    for (size_t i = 0; i < g->s->nscalars; i++)
        for (int k = 0; k <= g->s->scalars[i].stepped; k++)
            types[n++] = gen_parameter_type(&g->e, g->s->scalars[i].type);
    LLVMTypeRef t =
        LLVMFunctionType(LLVMVoidTypeInContext(g->e.context), types, (unsigned)n, false);
    free(types);
    return t;
}

/* Scratchpad: the prefetch ring, then the exchanged rows. */

int sg_exchange_rows(const stream *g) {
    return g->stream_dim == 2 ? g->c->radius[1] : 0;
}
int sg_exchange_depth(const stream *g) {
    return g->c->exchange_lags ? g->c->exchange_lags + 1 : 0;
}

LLVMValueRef sg_scratch_at(stream *g, LLVMValueRef vector_index) {
    return LLVMBuildGEP2(g->e.b, g->vector, g->scratchpad, &vector_index, 1, "");
}

/* Of a thread and plane: its rows, then those of the older level. */
int sg_ring_rows(const stream *g) {
    return sg_reads_older(g) ? 2 * g->U : g->U;
}

/* Lane's vector of the ring, for the plane that arrives i planes after the loop iteration's first:
 * row u. A warp's parts of a plane and row lie together. */
LLVMValueRef sg_ring_at(stream *g, int i, int u) {
    int row = g->p->warps * PLAN_WARP, depth = g->p->depth;
    int base = ((g->turn ? 0 : i % depth) * sg_ring_rows(g) + u) * row;
    LLVMValueRef thread = LLVMBuildAdd(
        g->e.b, LLVMBuildMul(g->e.b, g->warp, gen_int32(&g->e, PLAN_WARP), ""), g->lane, "");
    if (g->turn) {
        LLVMValueRef slot =
            LLVMBuildURem(g->e.b, sg_add32(g, g->turn, i), gen_int32(&g->e, depth), "");
        slot = LLVMBuildMul(g->e.b, slot, gen_int32(&g->e, sg_ring_rows(g) * row), "");
        thread = LLVMBuildAdd(g->e.b, thread, slot, "");
    }
    return sg_scratch_at(g, sg_wide(g, sg_add32(g, thread, base)));
}

/* Row `row` (0.. radius - 1 the top ones, then the bottom ones) that warp `warp` gave at `level`,
 * of the plane that arrived i planes after the loop iteration's first. */
LLVMValueRef sg_exchange_at(stream *g, int i, int level, LLVMValueRef warp, int row) {
    int rows = 2 * sg_exchange_rows(g), warps = g->p->warps, depth = sg_exchange_depth(g);
    int ring = g->p->depth * sg_ring_rows(g) * warps * PLAN_WARP;
    int size = g->p->bt * warps * rows * PLAN_WARP, slot = (i + depth) % depth;
    int base = ring + (level * warps * rows + row) * PLAN_WARP;
    LLVMValueRef v = LLVMBuildMul(g->e.b, warp, gen_int32(&g->e, rows * PLAN_WARP), "");
    v = LLVMBuildAdd(g->e.b, v, g->lane, "");
    if (g->turn) {
        LLVMValueRef turned =
            LLVMBuildURem(g->e.b, sg_add32(g, g->turn, i + depth), gen_int32(&g->e, depth), "");
        turned = LLVMBuildMul(g->e.b, turned, gen_int32(&g->e, size), "");
        return sg_scratch_at(g, sg_wide(g, sg_add32(g, LLVMBuildAdd(g->e.b, v, turned, ""), base)));
    }
    return sg_scratch_at(g, sg_wide(g, sg_add32(g, v, base + slot * size)));
}

/* Vectors of cells; a lane's V cells may be several 16-byte vectors, but are one LLVM vector. */

LLVMValueRef sg_load_vector(stream *g, LLVMValueRef from) {
    LLVMValueRef v = LLVMBuildLoad2(g->e.b, g->vector, from, "");
    LLVMSetAlignment(v, 16);
    return v;
}

void sg_split(stream *g, LLVMValueRef v, LLVMValueRef *out) {
    for (int k = 0; k < g->V; k++)
        out[k] = LLVMBuildExtractElement(g->e.b, v, gen_int32(&g->e, k), "");
}

static LLVMValueRef join(stream *g, LLVMValueRef *v) {
    LLVMValueRef vector = LLVMGetPoison(g->vector);
    for (int k = 0; k < g->V; k++)
        vector = LLVMBuildInsertElement(g->e.b, vector, v[k], gen_int32(&g->e, k), "");
    return vector;
}

void sg_store_vector(stream *g, LLVMValueRef *v, LLVMValueRef to) {
    LLVMSetAlignment(LLVMBuildStore(g->e.b, join(g, v), to), 16);
}
