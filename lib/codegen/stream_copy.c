/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Planes of level 0 on their way to the ring in scratchpad.
 *
 * Through registers, a plane is loaded before the work on another one, and stored after that: so
 * work hides the memory's latency, if only one plane's, however deep the ring. AMD's GPUs too can
 * load to scratchpad (global_load_lds), but it does not pay, or not surely:
 * - GFX9 before gfx950 does so by words alone: four instructions instead of a load and a store.
 * - LLVM 22 waits by itself only where a wave reads what it loaded. XXX
 */
#include "stream.h"

static void finish_copy(stream *g, int i) {
    LLVMValueRef to = sg_pointer(g, g->pending[i].to);
    LLVMSetAlignment(LLVMBuildStore(g->e.b, g->pending[i].value, to), 16);
    g->pending[i].value = NULL;
}

/* Copies 16 bytes to scratchpad without waiting: where the target cannot, through registers. */
static void begin_copy(stream *g, sg_place to, LLVMValueRef from) {
    if (g->e.copies) {
        g->e.target->copy_async(g->e.b, to.base, to.offset, from);
        return;
    }
    LLVMValueRef v = LLVMBuildLoad2(g->e.b, LLVMVectorType(gen_i32(&g->e), 4), from, "");
    LLVMSetAlignment(v, 16);
    g->pending[g->npending].value = v;
    g->pending[g->npending].when[0] = g->pending[g->npending].when[1] = NULL;
    g->pending[g->npending++].to = to;
}

/* Those copies that the same lanes store as copy i does, and are not stored yet. */
static void finish_alike(stream *g, int i) {
    LLVMValueRef when[2] = {g->pending[i].when[0], g->pending[i].when[1]};
    LLVMBasicBlockRef store = NULL, next = NULL;
    if (when[0]) {
        LLVMValueRef lanes = when[1] ? sg_both(g, when[0], when[1]) : when[0];
        store = sg_block(g, "copy");
        next = sg_block(g, "copied");
        LLVMBuildCondBr(g->e.b, lanes, store, next);
        LLVMPositionBuilderAtEnd(g->e.b, store);
    }
    for (; i < g->npending; i++)
        if (g->pending[i].value && g->pending[i].when[0] == when[0] &&
            g->pending[i].when[1] == when[1])
            finish_copy(g, i);
    if (when[0]) {
        LLVMBuildBr(g->e.b, next);
        LLVMPositionBuilderAtEnd(g->e.b, next);
    }
}

/* By now what was loaded has arrived, or will be waited for. */
void sg_finish_copies(stream *g) {
    for (int i = 0; i < g->npending; i++)
        if (g->pending[i].value)
            finish_alike(g, i);
    g->npending = 0;
}

/* What some lanes do: `when`. */
typedef struct branch {
    LLVMValueRef when;
    LLVMBasicBlockRef before, next;
    int npending;
} branch;

static branch open_branch(stream *g, LLVMValueRef when, const char *name) {
    LLVMBasicBlockRef some = sg_block(g, name);
    branch b = {when, LLVMGetInsertBlock(g->e.b), sg_block(g, "all"), g->npending};
    LLVMBuildCondBr(g->e.b, when, some, b.next);
    LLVMPositionBuilderAtEnd(g->e.b, some);
    return b;
}

/* Copies through registers that began in the branch must not be waited for there: they end later,
 * in another one. */
static void close_branch(stream *g, branch b) {
    LLVMBasicBlockRef some = LLVMGetInsertBlock(g->e.b);
    LLVMBuildBr(g->e.b, b.next);
    LLVMPositionBuilderAtEnd(g->e.b, b.next);
    for (int i = b.npending; i < g->npending; i++) {
        LLVMValueRef *v = &g->pending[i].value, *when = g->pending[i].when;
        LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(*v));
        LLVMValueRef phi = LLVMBuildPhi(g->e.b, LLVMTypeOf(*v), "");
        LLVMAddIncoming(phi, v, &some, 1);
        LLVMAddIncoming(phi, &none, &b.before, 1);
        *v = phi;
        when[when[0] != NULL] = b.when;
    }
}

/* Begins the copy of a lane's vector. */
static void copy_vector(stream *g, LLVMValueRef from, sg_place to) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->e.context);
    int bytes = g->V * (int)st_type_size(g->type);
    for (int i = 0; i < bytes; i += 16) {
        LLVMValueRef step = gen_int64(&g->e, i);
        begin_copy(g, (sg_place){to.base, to.offset + i},
                   LLVMBuildGEP2(g->e.b, byte, from, &step, 1, ""));
    }
}

/* A row of the ring: each lane its vector; the outermost lanes those of the margin too. */
static void copy_row(stream *g, LLVMValueRef from, sg_place to, sg_place edge_to) {
    copy_vector(g, from, to);
    if (!g->edge)
        return;
    branch edge = open_branch(g, g->edge, "edge");
    LLVMValueRef cells = LLVMBuildMul(g->e.b, g->edge_step, gen_int32(&g->e, g->V), "");
    copy_vector(g, sg_at(g, from, sg_wide(g, cells)), edge_to);
    close_branch(g, edge);
}

/* Where rows go: in the ring's slot. Found before a branch, for they may be stored after it. */
typedef struct places {
    int rows;
    sg_place to[PLAN_STREAM_ROWS], edge[PLAN_STREAM_ROWS];
} places;

static places find_places(stream *g, LLVMValueRef ring, LLVMValueRef edge, int slot, int rows) {
    places p = {.rows = rows};
    for (int u = 0; u < rows; u++) {
        p.to[u] = sg_ring_at(g, ring, slot, u, 0);
        if (g->edge)
            p.edge[u] = sg_ring_at(g, edge, slot, u, 0);
    }
    return p;
}

/* Rows from `row` on. */
static void copy_rows(stream *g, LLVMValueRef row, const places *p) {
    for (int u = 0; u < p->rows; u++) {
        copy_row(g, row, p->to[u], p->edge[u]);
        row = sg_next_row(g, row);
    }
}

/* A plane. The rows before the block's first and after its last are copied by the first and the
 * last warp: others that use them wait for these warps anyway. */
void sg_prefetch(stream *g, int slot) {
    places own = find_places(g, g->ring, g->edge_ring, slot, g->U);
    copy_rows(g, g->ahead, &own);
    if (g->outermost) {
        places outer = find_places(g, g->margin_ring, g->margin_edge_ring, slot, g->p->margin[1]);
        branch margin = open_branch(g, g->outermost, "margin");
        copy_rows(g, sg_at(g, g->ahead, g->margin_step), &outer);
        close_branch(g, margin);
    }
    g->ahead = sg_next_plane(g, g->ahead);
    if (sg_reads_older(g)) {
        LLVMValueRef row = g->older_ahead;
        for (int u = 0; u < g->U; u++) {
            copy_vector(g, row, sg_older_at(g, slot, u));
            row = sg_next_row(g, row);
        }
        g->older_ahead = sg_next_plane(g, g->older_ahead);
    }
    if (g->e.copies)
        g->e.target->copy_commit(g->e.b);
}
