/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Planes of level 0 on their way to the ring in scratchpad.
 *
 * If the target has no asynchronous copies, a plane is loaded to registers before the work on
 * another plane, and stored after that plane or the next one. So this work hides the memory's
 * latency.
 *
 * AMD's GFX9 can load to scratchpad too (global_load_lds). This is not used, for these reasons:
 * - Before gfx950 it loads only words, not vectors of 16 bytes. That takes four instructions, and
 * as many to set m0, instead of a load and a store.
 * - In LLVM 22 a wave waits for all such loads before it reads scratchpad, even for those that have
 *   just begun. The exception are reads that alias.scope and noalias tell apart from these loads.
 *   Slots are told apart only if the loop is unrolled by the ring's depth.
 * - LLVM 22 does not wait for these loads before a barrier, after which other waves read what was
 *   loaded. So the generator would have to count how many may be under way. Stores are counted with
 *   loads, and may be skipped.
 * - LLVM 22 also does not delay such a load until reads of the slot's old content are done.
 */
#include "codegen/stream/stream.h"

/* What is done with the vectors of a plane, which always come in one order. */
typedef enum copy_part { WHOLE, LOAD, STORE } copy_part;

/* Copies a lane's vector. */
static void copy_vector(stream *g, copy_part part, LLVMValueRef from, sg_place to) {
    LLVMTypeRef type = LLVMVectorType(gen_i32(&g->e), 4);
    int bytes = g->V * (int)st_type_size(g->type);
    for (int i = 0; i < bytes; i += 16) {
        sg_place there = {to.base, to.offset + i};
        LLVMValueRef here = gen_bytes_on(&g->e, from, gen_int64(&g->e, i));
        if (part == WHOLE) {
            g->e.target->copy_async(g->e.b, there.base, there.offset, here, 16);
        } else if (part == LOAD) {
            g->arriving[g->narriving++] = gen_load(&g->e, type, here, 16);
        } else {
            gen_store(&g->e, g->waiting[g->nstored++], sg_pointer(g, there), 16);
        }
    }
}

/* What some lanes do. */
typedef struct branch {
    LLVMBasicBlockRef before, next;
    int narriving;
} branch;

static branch open_branch(stream *g, LLVMValueRef when, const char *name) {
    LLVMBasicBlockRef some = gen_add_block(g->function, name);
    branch b = {LLVMGetInsertBlock(g->e.b), gen_add_block(g->function, "all"), g->narriving};
    LLVMBuildCondBr(g->e.b, when, some, b.next);
    LLVMPositionBuilderAtEnd(g->e.b, some);
    return b;
}

/* What these lanes have loaded is stored later, by them again. */
static void close_branch(stream *g, branch b, copy_part part) {
    LLVMBasicBlockRef some = LLVMGetInsertBlock(g->e.b);
    LLVMBuildBr(g->e.b, b.next);
    LLVMPositionBuilderAtEnd(g->e.b, b.next);
    for (int i = b.narriving; part == LOAD && i < g->narriving; i++) {
        LLVMValueRef v = g->arriving[i], none = LLVMGetPoison(LLVMTypeOf(v));
        g->arriving[i] = LLVMBuildPhi(g->e.b, LLVMTypeOf(v), "");
        LLVMAddIncoming(g->arriving[i], &v, &some, 1);
        LLVMAddIncoming(g->arriving[i], &none, &b.before, 1);
    }
}

/* A row of the ring: each lane its vector; the outermost lanes those of the margin too. */
static void copy_row(stream *g, copy_part part, LLVMValueRef from, sg_place to, sg_place edge_to) {
    copy_vector(g, part, from, to);
    if (!g->edge)
        return;
    branch edge = open_branch(g, g->edge, "edge");
    LLVMValueRef cells = LLVMBuildMul(g->e.b, g->edge_step, gen_int32(&g->e, g->V), "");
    copy_vector(g, part, sg_at(g, from, gen_extend(&g->e, cells)), edge_to);
    close_branch(g, edge, part);
}

/* Rows from `row` on, to the ring's slot. */
static void copy_rows(stream *g, copy_part part, LLVMValueRef row, LLVMValueRef ring,
                      LLVMValueRef edge, int slot, int rows) {
    for (int u = 0; u < rows; u++) {
        sg_place edge_to = g->edge ? sg_ring_at(g, edge, slot, u, 0) : (sg_place){NULL, 0};
        copy_row(g, part, row, sg_ring_at(g, ring, slot, u, 0), edge_to);
        row = sg_next_row(g, row);
    }
}

/* A plane. The rows before the block's first and after its last are copied by the first and the
 * last warp: others that use them wait for these warps anyway. */
static void copy_plane(stream *g, copy_part part, int slot) {
    copy_rows(g, part, g->ahead, g->ring, g->edge_ring, slot, g->U);
    if (g->outermost) {
        branch margin = open_branch(g, g->outermost, "margin");
        copy_rows(g, part, sg_at(g, g->ahead, g->margin_step), g->margin_ring, g->margin_edge_ring,
                  slot, g->p->margin[1]);
        close_branch(g, margin, part);
    }
    LLVMValueRef row = g->older_ahead;
    for (int u = 0; sg_reads_older(g) && u < g->U; u++) {
        copy_vector(g, part, row, sg_older_at(g, slot, u));
        row = sg_next_row(g, row);
    }
}

void sg_prefetch(stream *g, int slot) {
    g->narriving = 0;
    copy_plane(g, g->e.copies ? WHOLE : LOAD, slot);
    g->ahead = sg_next_plane(g, g->ahead);
    if (sg_reads_older(g))
        g->older_ahead = sg_next_plane(g, g->older_ahead);
    if (g->e.copies)
        g->e.target->copy_commit(g->e.b);
}

void sg_let_wait(stream *g) {
    for (int i = 0; i < g->narriving; i++)
        g->waiting[i] = g->arriving[i];
}

void sg_open_waiting(stream *g, LLVMBasicBlockRef from) {
    g->nwaiting = g->waits > 1 ? g->narriving : 0;
    for (int i = 0; i < g->nwaiting; i++) {
        g->phis[i] = LLVMBuildPhi(g->e.b, LLVMTypeOf(g->waiting[i]), "");
        LLVMAddIncoming(g->phis[i], &g->waiting[i], &from, 1);
        g->waiting[i] = g->phis[i];
    }
}

void sg_close_waiting(stream *g, LLVMBasicBlockRef latch) {
    for (int i = 0; i < g->nwaiting; i++)
        LLVMAddIncoming(g->phis[i], &g->waiting[i], &latch, 1);
}

void sg_store_waiting(stream *g, int slot) {
    g->nstored = 0;
    if (!g->e.copies)
        copy_plane(g, STORE, slot);
}
