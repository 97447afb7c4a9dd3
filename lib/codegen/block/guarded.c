/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cells that the program reads only under a condition. The interior reads a cell without it if
 * other threads of the program read the cell in any case. Blocks at the ends of the launch lack
 * such threads, and are border. All other cells are read under the program's condition. If the
 * condition holds for all of the thread's cells, they are read together, and share what they read.
 * Otherwise cell by cell.
 */
#include "codegen/block/body.h"

#include <stdlib.h>
#include <string.h>

/* The reads of all cells under one condition. */
typedef struct read {
    int32_t node;
    int cell;
    blk_tap tap;
    LLVMValueRef value;
} read;

typedef struct group {
    blk_body *b;
    int32_t where;
    read *reads;
    size_t count;
} group;

static bool is_waiting(const blk_body *b, size_t node) {
    const st_node *n = &b->g->s->nodes[node];
    return n->op == ST_ACCESS && blk_is_guarded(b->g, &b->g->s->accesses[n->index]) &&
           !*blk_value_of(b, (int32_t)node, 0);
}

static const st_access *access_of(const blk_body *b, size_t node) {
    return &b->g->s->accesses[b->g->s->nodes[node].index];
}

static void collect(group *all) {
    const blk_body *b = all->b;
    all->reads = calloc(b->g->s->nnodes * (size_t)b->cells, sizeof *all->reads);
    for (size_t i = 0; i < b->g->s->nnodes; i++)
        for (int c = 0; is_waiting(b, i) && access_of(b, i)->where == all->where && c < b->cells;
             c++) {
            read *r = &all->reads[all->count++];
            r->node = (int32_t)i;
            r->cell = c;
            blk_tap_of(b, access_of(b, i), c, &r->tap);
        }
}

/* i1: does the program read for the cell? At the border the condition says nothing of cells
 * outside. */
static LLVMValueRef reads_of(group *all, int cell) {
    blk_gen *g = all->b->g;
    LLVMValueRef c = *blk_value_of(all->b, all->where, cell);
    if (g->interior || g->p->vector == 1)
        return c;
    LLVMValueRef inside = blk_is_between(g, g->from_x, cell % g->p->vector, g->to_x);
    return LLVMBuildSelect(g->e.b, inside, c, LLVMConstNull(LLVMTypeOf(c)), "");
}

static LLVMValueRef join(blk_gen *g, LLVMValueRef a, LLVMBasicBlockRef from, LLVMValueRef b,
                         LLVMBasicBlockRef other) {
    LLVMValueRef phi = LLVMBuildPhi(g->e.b, LLVMTypeOf(a), "");
    LLVMValueRef values[] = {a, b ? b : LLVMConstNull(LLVMTypeOf(a))};
    LLVMBasicBlockRef blocks[] = {from, other};
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

/* Reads the tap of one cell under the cell's own condition. */
static void read_cell(group *all, int cell) {
    blk_gen *g = all->b->g;
    LLVMValueRef reads = reads_of(all, cell);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->e.b);
    LLVMBasicBlockRef next = gen_begin_if(&g->e, g->function, reads, "reads", "read");
    LLVMBasicBlockRef yes = LLVMGetInsertBlock(g->e.b);
    for (size_t i = 0; i < all->count; i++)
        if (all->reads[i].cell == cell)
            all->reads[i].value = blk_load_tap(g, &all->reads[i].tap);
    gen_end_if(&g->e, next);
    for (size_t i = 0; i < all->count; i++)
        if (all->reads[i].cell == cell)
            all->reads[i].value = join(g, all->reads[i].value, yes, NULL, before);
}

static void read_each(group *all) {
    for (int c = 0; c < all->b->cells; c++)
        read_cell(all, c);
}

/* Reads each cell once that several reads have in common; the values in `out`. */
static void read_shared(group *all, LLVMValueRef *out) {
    blk_body *b = all->b;
    size_t before = b->ntaps;
    b->g->where = all->where;
    b->g->source->enter(b->g);
    for (size_t i = 0; i < all->count; i++)
        out[i] = blk_take(b, &all->reads[i].tap);
    b->g->source->leave(b->g);
    b->g->where = -1;
    b->ntaps = before;
}

/* Reads for all cells at once where `together` holds. `alike`: elsewhere none of the cells
 * reads. */
static void read_together(group *all, LLVMValueRef together, bool alike) {
    blk_gen *g = all->b->g;
    LLVMValueRef *shared = calloc(all->count, sizeof *shared);
    LLVMBasicBlockRef yes = gen_add_block(g->function, "read_all"),
                      no = gen_add_block(g->function, "read_some");
    LLVMBasicBlockRef next = gen_add_block(g->function, "read");
    LLVMBuildCondBr(g->e.b, together, yes, no);
    LLVMPositionBuilderAtEnd(g->e.b, yes);
    read_shared(all, shared);
    LLVMBuildBr(g->e.b, next);
    LLVMPositionBuilderAtEnd(g->e.b, no);
    if (!alike)
        read_each(all);
    no = LLVMGetInsertBlock(g->e.b);
    LLVMBuildBr(g->e.b, next);
    LLVMPositionBuilderAtEnd(g->e.b, next);
    for (size_t i = 0; i < all->count; i++)
        all->reads[i].value = join(g, shared[i], yes, alike ? NULL : all->reads[i].value, no);
    free(shared);
}

/* Do cells read the same, or side by side, so that reading them at once is less work? */
static bool is_shared(const group *all) {
    bool shared = all->b->g->p->vector > 1;
    for (size_t i = 0; i < all->count && !shared; i++)
        for (size_t k = 0; k < i && !shared; k++)
            shared = !memcmp(&all->reads[i].tap, &all->reads[k].tap, sizeof(blk_tap));
    return shared;
}

static void read_group(group *all) {
    blk_gen *g = all->b->g;
    LLVMValueRef first = reads_of(all, 0), together = NULL;
    bool alike = true;
    collect(all);
    for (size_t i = 0; i < all->count; i++) /* addresses of planes are kept for all blocks */
        blk_tap_address(g, &all->reads[i].tap);
    for (int c = 0; c < all->b->cells && g->interior; c++) {
        alike &= reads_of(all, c) == first;
        together = alike ? first : gen_both(&g->e, together, reads_of(all, c));
    }
    if (g->interior && all->b->cells > 1 && (alike || is_shared(all)))
        read_together(all, together, alike);
    else
        read_each(all);
    for (size_t i = 0; i < all->count; i++)
        *blk_value_of(all->b, all->reads[i].node, all->reads[i].cell) = all->reads[i].value;
    free(all->reads);
}

static bool is_known(const blk_body *b, int32_t node) {
    bool known = true;
    for (int c = 0; c < b->cells && known; c++)
        known = *blk_value_of(b, node, c) != NULL;
    return known;
}

bool blk_load_guarded(blk_body *b) {
    bool any = false;
    for (size_t i = 0; i < b->g->s->nnodes; i++) {
        if (!is_waiting(b, i) || !is_known(b, access_of(b, i)->where))
            continue;
        group all = {.b = b, .where = access_of(b, i)->where};
        read_group(&all);
        any = true;
    }
    return any;
}
