/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbours from memory, through L1. Each thread loads what its own cells read, each cell once.
 * With several cells along x, aligned chunks of a row are loaded as vectors, if all of the chunk is
 * read.
 *
 * At the border, cells inside may be side by side with cells outside. A chunk that only cells
 * outside read is replaced by the nearest chunk that a cell inside reads. The rest of that chunk
 * may lie behind the array, but in the same aligned 16 bytes, so that no GPU can fault on it.
 */
#include "codegen/block/gen.h"

#include <stdlib.h>
#include <string.h>

typedef struct chunk {
    blk_tap first;
    int size;
    LLVMValueRef cells;
} chunk;

typedef struct chunks {
    chunk *known;
    size_t count, before; /* before: those from before the condition in hand */
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
    if (a->grid != t->grid || (!g->interior && a->faces != t->faces) ||
        (blk_is_guarded(g, a) && a->where != g->where))
        return false;
    for (int d = 0; d < g->s->rank; d++) {
        int32_t cell = t->offset[d] - a->offset[d];
        bool along = d == g->p->dim && !(fixed >> d & 1);
        if (d == 0 && !(fixed & 1) ? cell != x : along ? cell < 0 || cell >= g->cells : cell)
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

/* The largest aligned part of the tap's row that includes the tap and of which all cells are
 * read. */
static chunk find_chunk(const blk_gen *g, const blk_tap *t) {
    uint32_t fixed = g->s->grids[t->grid].broadcast;
    /* One row for all may be no longer than what is read of it. */
    bool alone = t->faces || fixed & 1 || (fixed && !g->interior);
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

/* Where the chunk starts in its row, from the thread's first cell. */
static LLVMValueRef start_of(blk_gen *g, const chunk *c) {
    LLVMValueRef start = gen_int64(&g->e, c->first.offset[0]);
    bool fixed = g->s->grids[c->first.grid].broadcast & 1;
    int32_t low = 0, high = 0;
    if (g->interior || g->p->vector == 1 || fixed ||
        (c->size == g->p->vector && c->first.offset[0] == 0))
        return start;
    blk_tap_reach(g, &c->first, 0, &low, &high);
    LLVMValueRef mask = gen_int64(&g->e, -c->size);
    LLVMValueRef from = LLVMBuildAnd(g->e.b, blk_plus(g, g->from_x, low), mask, "");
    LLVMValueRef to = LLVMBuildAnd(g->e.b, blk_plus(g, g->to_x, high), mask, "");
    return blk_greatest(g, blk_least(g, start, to), from);
}

static LLVMValueRef load(blk_gen *g, const chunk *c) {
    LLVMValueRef at[ST_MAX_RANK], p, start = start_of(g, c);
    blk_tap here = c->first;
    if (here.faces) {
        at[0] = blk_add(g, g->axes[0].first, start);
        for (int d = 1; d < g->s->rank; d++)
            at[d] = blk_plus(g, g->axes[d].first, here.offset[d]);
        p = blk_folded_address(g, &here, at);
    } else if (LLVMIsAConstantInt(start)) {
        p = blk_tap_address(g, &here);
    } else {
        here.offset[0] = 0;
        p = blk_bytes(g, blk_tap_address(g, &here), blk_steps(g, here.grid, 0, start));
    }
    return blk_load_cells(g, here.grid, p, c->size);
}

static LLVMValueRef tap(blk_gen *g, const blk_tap *t) {
    chunks *all = g->state;
    chunk c = find_chunk(g, t);
    if (c.size == 1)
        return load(g, &c);
    size_t i = 0;
    while (i < all->count && (all->known[i].size < c.size ||
                              memcmp(&all->known[i].first, &c.first, sizeof c.first)))
        i++;
    if (i == all->count) {
        all->known = realloc(all->known, (i + 1) * sizeof *all->known);
        c.cells = load(g, &c);
        all->known[all->count++] = c;
    }
    LLVMValueRef number = gen_int32(&g->e, t->offset[0] - c.first.offset[0]);
    return LLVMBuildExtractElement(g->e.b, all->known[i].cells, number, "");
}

static void enter(blk_gen *g) {
    chunks *c = g->state;
    c->before = c->count;
}

static void leave(blk_gen *g) {
    chunks *c = g->state;
    c->count = c->before;
}

const blk_source blk_l1 = {.name = "l1",
                           .scope = BLK_THREAD,
                           .begin = begin,
                           .tap = tap,
                           .end = end,
                           .enter = enter,
                           .leave = leave};
