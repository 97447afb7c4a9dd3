/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pointers and sizes that the nest reads from memory: fields of structs, tables of pointers. As
 * long as the nest does not write there they are what they were at its start. So they are loaded in
 * front of it, where its guards hold and each of them is read at least once; that none is part of
 * what the nest writes is checked there, too.
 *
 * Of a table of rows, a[i] of T **a, the first row and the distance to the next are loaded; that
 * all rows lie so far apart, in all tables, is checked.
 *
 * Until then a value of its own stands for each, so that sums of them are sums like others: a
 * freeze of poison in the function's first block.
 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

LLVMValueRef host_stand_in(LLVMValueRef function, LLVMTypeRef type, const char *name) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    LLVMValueRef v = LLVMBuildFreeze(b, LLVMGetPoison(type), name);
    LLVMDisposeBuilder(b);
    return v;
}

static LLVMValueRef loaded_from(host_region *r, const poly *address, LLVMTypeRef type,
                                LLVMValueRef like, LLVMValueRef from) {
    for (int i = 0; i < r->nloads; i++)
        if (LLVMTypeOf(r->loads[i].value) == type && r->loads[i].from == from &&
            poly_equal(&r->loads[i].address, address))
            return r->loads[i].value;
    if (r->nloads == HOST_MAX_LOADS)
        return NULL;
    host_load *l = &r->loads[r->nloads++];
    size_t length;
    const char *name = from ? "distance" : LLVMGetValueName2(like, &length);
    *l =
        (host_load){*address, LLVMGetAlignment(like), from, host_stand_in(r->function, type, name)};
    return l->value;
}

/* Tables of rows */

enum { POINTER = 8, FARTHEST = 64 };

/* The table that has a row at this address, and which of its rows that is in a loop's first
 * iteration: 0 if it is a new one. */
static host_rows *table_at(host_region *r, const poly *address, int loop, int64_t *row) {
    for (int i = 0; i < r->ntables; i++) {
        poly away = poly_sub(address, &r->tables[i].base);
        if (r->tables[i].loop == loop && poly_is_int(&away, row) && *row % POINTER == 0 &&
            llabs(*row) <= FARTHEST * POINTER) {
            *row /= POINTER;
            return &r->tables[i];
        }
    }
    *row = 0;
    if (r->ntables == HOST_MAX_TABLES)
        return NULL;
    host_rows *table = &r->tables[r->ntables++];
    *table = (host_rows){.base = *address, .loop = loop};
    return table;
}

static bool find_distance(host_region *r, host_rows *table, LLVMValueRef load) {
    LLVMTypeRef pointer = LLVMTypeOf(load);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(pointer));
    poly one = poly_int(POINTER), next = poly_add(&table->base, &one);
    table->first = loaded_from(r, &table->base, pointer, load, NULL);
    if (table->first && !r->row_distance[table->loop])
        r->row_distance[table->loop] = loaded_from(r, &next, i64, load, table->first);
    return table->first && r->row_distance[table->loop];
}

/* a[i + row]: the first row and so many distances. */
static bool row_of_table(host_region *r, LLVMValueRef load, int loop, int step, host_affine *at) {
    int64_t row;
    host_rows *table = table_at(r, &at->base, loop, &row);
    host_affine distance;
    if (!table || (!table->first && !find_distance(r, table, load)))
        return host_refuse(r, ST_NO_NOT_AFFINE, "it uses too many values read in the loop");
    table->low = row < table->low ? row : table->low;
    table->high = row > table->high ? row : table->high;
    if (!host_affine_of(r, br_scev_of(r->f, r->row_distance[loop]), step, &distance) ||
        !host_affine_of(r, br_scev_of(r->f, table->first), step, at))
        return false;
    poly away = poly_scale(&distance.base, row);
    at->base = poly_add(&at->base, &away);
    at->step[loop] = distance.base;
    return true;
}

/* The only loop in which the address of a pointer moves, by one pointer, other than the innermost;
 * -1: it moves in another way; or not at all: HOST_MAX_LOOPS. */
static int table_loop(const host_region *r, LLVMValueRef load, const host_affine *at) {
    int found = HOST_MAX_LOOPS;
    int64_t by;
    for (int i = 0; i < HOST_MAX_LOOPS; i++) {
        if (poly_is_zero(&at->step[i]))
            continue;
        if (found < HOST_MAX_LOOPS || i == 0 || i >= r->stencil->rank ||
            !poly_is_int(&at->step[i], &by) || by != POINTER ||
            LLVMGetTypeKind(LLVMTypeOf(load)) != LLVMPointerTypeKind)
            return -1;
        found = i;
    }
    return found;
}

/* Is it read in every iteration that writes a cell? */
static bool is_always_read(const host_region *r, LLVMValueRef load) {
    return br_dominates(r->f, LLVMGetInstructionParent(load), LLVMGetInstructionParent(r->store));
}

bool host_loaded(host_region *r, LLVMValueRef load, int step, host_affine *out) {
    host_affine at;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(load));
    bool number = kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(load)) >= 32 &&
                  LLVMGetIntTypeWidth(LLVMTypeOf(load)) <= 64;
    if ((kind != LLVMPointerTypeKind && !number) || r->form || r->twin || r->steps || r->scene)
        return host_refuse(r, ST_NO_NOT_AFFINE, "it uses a value read in the loop");
    if (!host_affine_of(r, br_scev_of(r->f, LLVMGetOperand(load, 0)), step, &at))
        return false;
    int loop = table_loop(r, load, &at);
    if (loop < 0)
        return host_refuse(r, ST_NO_NOT_AFFINE,
                           kind == LLVMPointerTypeKind
                               ? "it uses a pointer read in the loop, such as a[i][j] of T ***a"
                               : "it uses an index read in the loop");
    if (!is_always_read(r, load))
        return host_refuse(r, ST_NO_NOT_AFFINE, "it uses a value read under a condition");
    r->least_steps = step + 1 > r->least_steps ? step + 1 : r->least_steps;
    if (loop < HOST_MAX_LOOPS) {
        *out = at;
        return row_of_table(r, load, loop, step, out);
    }
    LLVMValueRef value = loaded_from(r, &at.base, LLVMTypeOf(load), load, NULL);
    if (!value)
        return host_refuse(r, ST_NO_NOT_AFFINE, "it uses too many values read in the loop");
    return host_affine_of(r, br_scev_of(r->f, value), step, out);
}

void host_forget_loads(host_region *r) {
    for (int i = r->nloads; i-- > 0;)
        if (r->loads[i].value)
            LLVMInstructionEraseFromParent(r->loads[i].value);
    r->nloads = r->ntables = 0;
    memset(r->row_distance, 0, sizeof r->row_distance);
    r->least_steps = 1;
}
