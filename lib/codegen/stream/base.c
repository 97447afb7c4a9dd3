/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The streaming generator's parameters, scratchpad, vectors of cells, and addresses.
 */
#include "codegen/stream/stream.h"

#include <stdlib.h>

/* Small builders */

LLVMValueRef sg_at(stream *g, LLVMValueRef pointer, LLVMValueRef index) {
    return gen_element(&g->e, g->element, pointer, index);
}

/* A block's threads lie along x alone. */
void sg_find_lane(stream *g, LLVMValueRef thread) {
    int lanes = g->p->lanes;
    g->lane = LLVMBuildAnd(g->e.b, thread, gen_int32(&g->e, lanes - 1), "");
    LLVMValueRef warp = LLVMBuildLShr(g->e.b, thread, gen_int32(&g->e, lanes == 64 ? 6 : 5), "");
    g->warp = tg_uniform(g->e.b, warp, lanes);
}

LLVMValueRef sg_plane_stride(stream *g) {
    return g->stride[g->stream_dim - 1];
}

LLVMValueRef sg_next_plane(stream *g, LLVMValueRef p) {
    return g->e.target->conceal(g->e.b, sg_at(g, p, sg_plane_stride(g)));
}

/* Parameters */

bool sg_reads_older(const stream *g) {
    return g->c && g->c->older >= 0; /* a strip kernel has no schedule */
}

LLVMValueRef sg_moving(const stream *g, stencilrt_parameter_kind kind) {
    return gen_parameter(g->function, g->p, kind, (size_t)g->s->store_grid);
}

LLVMValueRef sg_port(const stream *g, const st_access *a) {
    size_t i = 0;
    while (g->ports[i].grid != a->grid || g->ports[i].level != a->level)
        i++;
    return gen_parameter(g->function, g->p, STENCILRT_ARG_PORT, i);
}

LLVMValueRef sg_extent(const stream *g, int d) {
    return gen_parameter(g->function, g->p, STENCILRT_ARG_EXTENT, (size_t)d);
}

LLVMValueRef sg_stride_of(const stream *g, int32_t grid, int d) {
    return gen_stride(g->function, g->p, (size_t)grid, d);
}

LLVMValueRef sg_first(const stream *g) {
    return gen_parameter(g->function, g->p, STENCILRT_ARG_FIRST, (size_t)g->stream_dim);
}

LLVMValueRef sg_chunk(const stream *g) {
    return gen_parameter(g->function, g->p, STENCILRT_ARG_CHUNK, 0);
}

LLVMValueRef sg_scalar(const stream *g, size_t number, bool increment) {
    return gen_parameter(g->function, g->p,
                         increment ? STENCILRT_ARG_INCREMENT : STENCILRT_ARG_SCALAR, number);
}

/* The buffers of the grid that rotates may be the same in part: no promise about them. */
void sg_create_function(stream *g) {
    g->function = gen_kernel_function(&g->e, g->s, g->p);
    g->e.target->mark_kernel(g->function, g->e.arch, g->p->block, g->p->registers);
    for (size_t i = 0; i < g->p->nparameters; i++)
        if (g->p->parameters[i].kind == STENCILRT_ARG_PORT)
            gen_mark_pointer(&g->e, g->function, (unsigned)i, false);
}

/* Scratchpad: the prefetch ring, then the exchanged rows. */

/* Vectors of a ring's row beyond the lanes' own, at either end. */
int sg_margin_vectors(const stream *g) {
    return g->p->margin[0] / g->V;
}

static int ring_row(const stream *g) {
    return g->p->lanes + 2 * sg_margin_vectors(g);
}
/* A plane's rows, and after them those of the older level, without a margin. */
static int ring_rows(const stream *g) {
    return (g->p->warps * g->U + 2 * g->p->margin[1]) * ring_row(g);
}
static int ring_plane(const stream *g) {
    return ring_rows(g) + (sg_reads_older(g) ? g->p->warps * g->U * g->p->lanes : 0);
}

int sg_exchange_depth(const stream *g) {
    return g->stream_dim == 2 && g->c->exchange_lags && g->p->bt > 1 ? g->c->exchange_lags + 1 : 0;
}

/* The rows that a warp gives: its first and last ones, as far as neighbours reach. */
static int exchange_rows(const stream *g) {
    int both = 2 * g->c->radius[1];
    return g->U < both ? g->U : both;
}

/* Does the warp give row u? Other rows have no place in scratchpad. */
bool sg_gives_row(const stream *g, int u) {
    return u < g->c->radius[1] || u >= g->U - g->c->radius[1];
}

/* `to` moved by vectors. */
static LLVMValueRef vectors_on(stream *g, LLVMValueRef to, LLVMValueRef vectors) {
    return gen_element(&g->e, g->vector, to, vectors);
}

static int vector_bytes(const stream *g) {
    return g->V * (int)st_type_size(g->type);
}

/* A place in scratchpad, as a pointer and a number of bytes that stays an immediate operand. It is
 * slot `i` of a ring of `depth` parts with `size` vectors each, and `more` vectors further. The
 * pointer is `base`; in a loop that shifts values, it is computed from the loop's turn. */
static sg_place slot_of(stream *g, LLVMValueRef base, int i, int depth, int size, int more) {
    i = (i + depth) % depth;
    if (!g->turn)
        return (sg_place){base, (i * size + more) * vector_bytes(g)};
    LLVMValueRef slot =
        LLVMBuildURem(g->e.b, gen_add32(&g->e, g->turn, i), gen_int32(&g->e, depth), "");
    slot = LLVMBuildMul(g->e.b, slot, gen_int32(&g->e, size), "");
    base = vectors_on(g, base, gen_widen(&g->e, slot));
    return (sg_place){base, more * vector_bytes(g)};
}

LLVMValueRef sg_pointer(stream *g, sg_place at) {
    LLVMValueRef offset = gen_int64(&g->e, at.offset);
    return gen_bytes_on(&g->e, at.base, offset);
}

/* A vector of the ring, in the plane that arrives i planes after the loop iteration's first. `base`
 * is an address in slot 0; the vector is u rows and q lanes further. */
sg_place sg_ring_at(stream *g, LLVMValueRef base, int i, int u, int q) {
    return slot_of(g, base, i + g->p->lag, g->p->depth, ring_plane(g), u * ring_row(g) + q);
}

/* The lane's vector in row u of the older level's plane, which arrives beside that one. */
sg_place sg_older_at(stream *g, int i, int u) {
    return slot_of(g, g->older_ring, i + g->p->lag, g->p->depth, ring_plane(g), u * g->p->lanes);
}

/* The vectors of one plane that warps give each other. There is room for a warp before the first
 * one and for one after the last. */
static int exchange_plane(const stream *g) {
    return (g->p->bt - 1) * (g->p->warps + 2) * exchange_rows(g) * g->p->lanes;
}

/* The lane's vector of a row that another warp gave: row u of the warp `warp` further on, at
 * `level` (not 0), of the plane that arrived i planes after the loop iteration's first. */
sg_place sg_exchange_at(stream *g, int i, int level, int warp, int u) {
    int rows = exchange_rows(g);
    int row = u < g->c->radius[1] || rows == g->U ? u : u - (g->U - rows);
    int more = (((level - 1) * (g->p->warps + 2) + warp) * rows + row) * g->p->lanes;
    return slot_of(g, g->exchange, i, sg_exchange_depth(g), exchange_plane(g), more);
}

static LLVMValueRef vector_index(stream *g, LLVMValueRef row, int unit, int more) {
    LLVMValueRef v = LLVMBuildMul(g->e.b, row, gen_int32(&g->e, unit), "");
    return gen_extend(&g->e, gen_add32(&g->e, LLVMBuildAdd(g->e.b, v, g->lane, ""), more));
}

/* The addresses that a thread needs, once. */
void sg_place_scratchpad(stream *g) {
    LLVMBuilderRef b = g->e.b;
    int margin = sg_margin_vectors(g), rows = g->p->margin[1];
    LLVMValueRef row = LLVMBuildMul(b, g->warp, gen_int32(&g->e, g->U), "");
    row = gen_add32(&g->e, row, rows);
    g->ring = vectors_on(g, g->scratchpad, vector_index(g, row, ring_row(g), margin));
    g->edge_ring = margin ? vectors_on(g, g->ring, gen_extend(&g->e, g->edge_step)) : NULL;
    if (rows) {
        LLVMValueRef first = LLVMBuildICmp(b, LLVMIntEQ, g->warp, gen_int32(&g->e, 0), "");
        LLVMValueRef last =
            LLVMBuildICmp(b, LLVMIntEQ, g->warp, gen_int32(&g->e, g->p->warps - 1), "");
        LLVMValueRef step =
            LLVMBuildSelect(b, first, gen_int64(&g->e, -rows), gen_int64(&g->e, g->U), "");
        LLVMValueRef vectors = LLVMBuildMul(b, step, gen_int64(&g->e, ring_row(g)), "");
        g->outermost = LLVMBuildOr(b, first, last, "");
        g->margin_step = LLVMBuildMul(b, step, g->stride[0], "");
        g->margin_ring = vectors_on(g, g->ring, vectors);
        g->margin_edge_ring = margin ? vectors_on(g, g->edge_ring, vectors) : NULL;
    }
    if (sg_reads_older(g))
        g->older_ring = vectors_on(g, g->scratchpad,
                                   vector_index(g, g->warp, g->U * g->p->lanes, ring_rows(g)));
    if (sg_exchange_depth(g)) {
        int unit = exchange_rows(g) * g->p->lanes, start = g->p->depth * ring_plane(g) + unit;
        g->exchange = vectors_on(g, g->scratchpad, vector_index(g, g->warp, unit, start));
    }
}

/* Packed cells */

void sg_choose_packing(stream *g) {
    g->full = g->pack = g->p->packed ? pk_create(g->s, -1) : pk_create_single(g->s);
    g->W = g->V / g->full->group;
    g->word_type = g->full->group > 1 ? ST_I32 : g->type;
    g->word = gen_type(&g->e, g->word_type);
    g->vector = LLVMVectorType(g->word, (unsigned)g->W);
}

/* Cell k of a lane's words. */
LLVMValueRef sg_cell(stream *g, LLVMValueRef *words, int k) {
    int group = g->V / g->W;
    LLVMValueRef word = words[k / group];
    return group > 1 ? gen_cell_of_word(&g->e, word, 32 / group, k % group) : word;
}

/* Values of node n for a thread's row: words, or cells. */
int sg_values(const stream *g, int32_t n) {
    return g->W * pk_words(g->pack, n);
}

/* Vectors of words; a lane's W words may be several 16-byte vectors, but are one LLVM vector. */

LLVMValueRef sg_load_vector(stream *g, LLVMValueRef from) {
    return gen_load(&g->e, g->vector, from, 16);
}

void sg_store_vector(stream *g, LLVMValueRef *v, LLVMValueRef to) {
    gen_store(&g->e, gen_join(&g->e, g->vector, g->W, v), to, 16);
}
