/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tables of rows: describes them to the runtime. See lib/detect/host/tables.c.
 */
#include "offload/list.h"

#include <stdlib.h>

static host_tables *tables_of(const rewriter *w) {
    return host_tables_of(w->sweeps[0]);
}

/* Replaces the stand-ins for row addresses by addresses in the table's image. */
static void place_images(rewriter *w) {
    static const int64_t distances[2] = {STENCILRT_PLANE, STENCILRT_ROW};
    host_tables *all = tables_of(w);
    for (int i = 0; i < all->count; i++) {
        LLVMValueRef at = emit_int(w, STENCILRT_IMAGE + i * STENCILRT_TABLE);
        LLVMReplaceAllUsesWith(all->table[i].rows, LLVMConstIntToPtr(at, emit_pointer(w)));
        LLVMInstructionEraseFromParent(all->table[i].rows);
        all->table[i].rows = NULL;
    }
    for (int i = 0; i < 2; i++) {
        if (!all->distance[i])
            continue;
        LLVMReplaceAllUsesWith(all->distance[i], emit_int(w, distances[i]));
        LLVMInstructionEraseFromParent(all->distance[i]);
        all->distance[i] = NULL;
    }
}

/* The number of the first row pointer, and the number of rows. `fixed`: the rows whose numbers are
 * known only when the program runs. */
static void emit_rows(const rewriter *w, const host_table_use *u, const host_rows *rows,
                      const LLVMValueRef *fixed, LLVMValueRef *first, LLVMValueRef *count) {
    const host_region *r = w->sweeps[u->sweep];
    LLVMValueRef extent =
        r->axes > 0 ? w->extent[u->sweep][r->dim_of_loop[rows->loop]] : emit_int(w, 1);
    LLVMValueRef last = LLVMBuildSub(w->b, extent, emit_int(w, 1), "");
    *first = emit_int(w, rows->low);
    *count = emit_int(w, rows->high - rows->low + 1);
    if (rows->from == HOST_BETWEEN)
        *count = LLVMBuildAdd(w->b, *count, last, "");
    if (rows->from == HOST_END)
        *first = LLVMBuildAdd(w->b, *first, last, "");
    if (rows->fixed)
        *first = LLVMBuildAdd(w->b, *first, fixed[rows->fixed - 1], "");
}

static void emit_use(const rewriter *w, const host_table_use *u, const LLVMValueRef *fixed,
                     LLVMValueRef table[SLOTS(table)]) {
    LLVMValueRef *first = &table[AT(table, first)], *count = &table[AT(table, count)];
    count[0] = emit_int(w, 1);
    if (tables_of(w)->table[u->table].planes)
        emit_rows(w, u, &u->rows[0], fixed, &first[0], &count[0]);
    emit_rows(w, u, &u->rows[1], fixed, &first[1], &count[1]);
    if (u->step > 0) { /* if the loop makes fewer steps, these rows are not read */
        LLVMValueRef reads = LLVMBuildICmp(w->b, LLVMIntSGT, w->steps, emit_int(w, u->step), "");
        count[1] = LLVMBuildSelect(w->b, reads, count[1], emit_int(w, 0), "");
    }
}

void emit_tables(rewriter *w) {
    const host_tables *all = tables_of(w);
    LLVMValueRef fixed[HOST_MAX_FIXED_ROWS];
    if (!w->has_tables)
        return;
    place_images(w);
    w->ntables = (size_t)all->nuses;
    w->tables = calloc(w->ntables * SLOTS(table), sizeof *w->tables);
    list_emit_role(w, w->values, LIST_ROW, 0, fixed);
    for (size_t k = 0; k < w->count; k++) {
        w->r = w->sweeps[k];
        list_emit_role(w, w->values, LIST_TABLE, k, w->tables);
    }
    w->r = w->sweeps[0];
    for (size_t i = 0; i < w->ntables; i++)
        emit_use(w, &all->use[i], fixed, w->tables + i * SLOTS(table));
}

LLVMValueRef emit_tables_stored(rewriter *w) {
    if (!w->has_tables)
        return NULL;
    LLVMValueRef at = emit_structs(w, LAYOUT(table), w->tables, w->ntables);
    LLVMValueRef tables[SLOTS(tables)] = {[AT(tables, count)] = emit_int(w, (int64_t)w->ntables),
                                          [AT(tables, at)] = at,
                                          [AT(tables, nkept)] = emit_int(w, (int64_t)w->nkept),
                                          [AT(tables, kept)] =
                                              emit_filled(w, emit_i64(w), w->kept, w->nkept)};
    free(w->tables);
    w->tables = NULL;
    return emit_structs(w, LAYOUT(tables), tables, 1);
}

bool emit_keep(rewriter *w, LLVMValueRef at) {
    if (w->has_tables)
        w->kept[w->nkept++] = at;
    return w->has_tables;
}
