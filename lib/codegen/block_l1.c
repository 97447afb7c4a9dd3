/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbours from memory, through L1: each thread loads what its own cells read, each once. With
 * several cells along x, aligned chunks of a row of which all is read come as one vector.
 *
 * At the border, what only cells outside read is replaced by the nearest that cells inside do: a
 * plane by one that they read at the same offset in the other dimensions, and of a row the chunk by
 * one of which they read a cell. (The rest of a chunk is in the same 16 bytes.)
 */
#include "block_gen.h"

#include <stdlib.h>
#include <string.h>

typedef struct chunk {
    blk_tap first;
    int size;
    LLVMValueRef cells;
} chunk;

typedef struct chunks {
    chunk *known;
    size_t count;
} chunks;

static void begin(blk_gen *g) {
    g->state = calloc(1, sizeof(chunks));
}

static void end(blk_gen *g) {
    chunks *c = g->state;
    free(c->known);
    free(c);
    g->state = NULL;
}

/* Does a cell of the thread, `x` from its first, read the tap by this access? */
static bool reads(const blk_gen *g, const st_access *a, const blk_tap *t, int x) {
    uint32_t fixed = g->s->grids[a->grid].broadcast;
    if (a->grid != t->grid || (!g->interior && a->faces != t->faces))
        return false;
    for (int d = 0; d < g->s->rank; d++) {
        int32_t cell = t->offset[d] - a->offset[d];
        bool along = d == g->p->dim && !(fixed >> d & 1);
        if (d == 0 && !(fixed & 1) ? cell != x : along ? cell < 0 || cell >= g->p->coarsen : cell)
            return false;
    }
    return true;
}

static bool is_read(const blk_gen *g, const blk_tap *t) {
    for (size_t i = 0; i < g->s->naccesses; i++)
        for (int x = 0; x < g->p->vector; x++)
            if (reads(g, &g->s->accesses[i], t, x))
                return true;
    return false;
}

/* The largest aligned part of the tap's row around it of which all is read. */
static chunk find_chunk(const blk_gen *g, const blk_tap *t) {
    bool alone = t->faces || g->s->grids[t->grid].broadcast & 1;
    chunk c = {*t, alone ? 1 : g->p->vector, NULL};
    for (; c.size > 1; c.size /= 2) {
        bool whole = true;
        c.first.offset[0] = t->offset[0] & ~(c.size - 1);
        for (int i = 0; i < c.size && whole; i++) {
            blk_tap part = c.first;
            part.offset[0] += i;
            whole = is_read(g, &part);
        }
        if (whole)
            return c;
    }
    c.first = *t;
    return c;
}

/* The least and greatest offset along d of accesses by which a cell of the thread reads, along x,
 * what is in the chunk; along x: of those among them that are as far as these in the plan's
 * dimension. */
static void find_reach(const blk_gen *g, const chunk *c, int32_t low[], int32_t high[]) {
    int dim = g->p->dim;
    bool found = false, moves_x = !(g->s->grids[c->first.grid].broadcast & 1);
    for (size_t i = 0; i < g->s->naccesses; i++) {
        const st_access *a = &g->s->accesses[i];
        int32_t x = a->offset[0] - c->first.offset[0];
        bool same = a->grid == c->first.grid && a->faces == c->first.faces &&
                    (moves_x && g->p->vector > 1 ? x > -g->p->vector && x < c->size : x == 0);
        for (int d = 1; d < g->s->rank; d++)
            same &= d == dim || a->offset[d] == c->first.offset[d];
        if (!same)
            continue;
        low[1] = !found || a->offset[dim] < low[1] ? a->offset[dim] : low[1];
        high[1] = !found || a->offset[dim] > high[1] ? a->offset[dim] : high[1];
        found = true;
    }
    found = false;
    for (size_t i = 0; i < g->s->naccesses; i++) {
        const st_access *a = &g->s->accesses[i];
        bool same = a->grid == c->first.grid && a->faces == c->first.faces &&
                    a->offset[dim] >= low[1] && a->offset[dim] <= high[1];
        for (int d = 1; d < g->s->rank; d++)
            same &= d == dim || a->offset[d] == c->first.offset[d];
        if (!same)
            continue;
        low[0] = !found || a->offset[0] < low[0] ? a->offset[0] : low[0];
        high[0] = !found || a->offset[0] > high[0] ? a->offset[0] : high[0];
        found = true;
    }
}

static LLVMValueRef clamp(blk_gen *g, int32_t at, LLVMValueRef low, LLVMValueRef high) {
    return blk_greatest(g, blk_least(g, gen_int64(&g->e, at), high), low);
}

/* Where the chunk starts in its row. */
static LLVMValueRef border_x(blk_gen *g, const chunk *c, int32_t low, int32_t high) {
    LLVMValueRef mask = gen_int64(&g->e, -c->size);
    LLVMValueRef from = LLVMBuildAnd(g->e.b, blk_plus(g, g->from_x, low), mask, "");
    LLVMValueRef to = LLVMBuildAnd(g->e.b, blk_plus(g, g->to_x, high), mask, "");
    return clamp(g, c->first.offset[0], from, to);
}

/* Does it move with the thread's cells along x, or along the plan's dimension? */
static bool moves(const blk_gen *g, int32_t grid, int d) {
    return d < g->s->rank && !(g->s->grids[grid].broadcast >> d & 1) &&
           (d > 0 ? d == g->p->dim : g->p->vector > 1);
}

/* How far it is from the thread's first cell, brought to where cells inside read. */
static void find_border(blk_gen *g, const chunk *c, LLVMValueRef offset[]) {
    const blk_tap *t = &c->first;
    int32_t low[2] = {0, 0}, high[2] = {0, 0};
    int dim = g->p->dim;
    find_reach(g, c, low, high);
    for (int d = 0; d < g->s->rank; d++)
        offset[d] = gen_int64(&g->e, t->offset[d]);
    if (moves(g, t->grid, 0) && (c->size < g->p->vector || t->offset[0]))
        offset[0] = border_x(g, c, low[0], high[0]);
    if (moves(g, t->grid, dim))
        offset[dim] =
            clamp(g, t->offset[dim], blk_plus(g, g->from, low[1]), blk_plus(g, g->to, high[1]));
}

static LLVMValueRef border_address(blk_gen *g, const chunk *c) {
    LLVMValueRef at[ST_MAX_RANK], p;
    const blk_tap *t = &c->first;
    find_border(g, c, at);
    if (t->faces) {
        for (int d = 0; d < g->s->rank; d++)
            at[d] = blk_add(g, g->axes[d].first, at[d]);
        blk_fold(g, t->faces, at);
        return blk_address(g, t->grid, at);
    }
    blk_tap here = *t;
    for (int d = 0; d < g->s->rank; d++)
        here.offset[d] = LLVMIsAConstantInt(at[d]) ? (int32_t)LLVMConstIntGetSExtValue(at[d]) : 0;
    p = blk_tap_address(g, &here);
    for (int d = 0; d < g->s->rank; d++)
        if (!LLVMIsAConstantInt(at[d]))
            p = blk_bytes(g, p, blk_steps(g, t->grid, d, at[d]));
    return p;
}

static LLVMValueRef load(blk_gen *g, const chunk *c) {
    LLVMValueRef p = g->interior ? blk_tap_address(g, &c->first) : border_address(g, c);
    return blk_load_cells(g, c->first.grid, p, c->size);
}

static LLVMValueRef tap(blk_gen *g, const blk_tap *t) {
    chunks *all = g->state;
    chunk c = find_chunk(g, t);
    if (c.size == 1)
        return load(g, &c);
    size_t i = 0;
    while (i < all->count && memcmp(&all->known[i].first, &c.first, sizeof c.first))
        i++;
    if (i == all->count) {
        all->known = realloc(all->known, (i + 1) * sizeof *all->known);
        c.cells = load(g, &c);
        all->known[all->count++] = c;
    }
    LLVMValueRef number = gen_int32(&g->e, t->offset[0] - c.first.offset[0]);
    return LLVMBuildExtractElement(g->e.b, all->known[i].cells, number, "");
}

const blk_source blk_l1 = {
    .name = "l1", .scope = BLK_THREAD, .begin = begin, .tap = tap, .end = end};
