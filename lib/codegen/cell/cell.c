/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cell kernels. One launch makes one time step of one sweep. They run where blocking in time does
 * not pay, where there is no time loop, and for each sweep of a step of several sweeps. A thread
 * has one cell; in large grids a tile of cells (tile.c).
 */
#include "codegen/cell/cell.h"

#include "codegen/module.h"
#include "codegen/ordered.h"
#include "codegen/reduce.h"

#include <stdlib.h>

typedef gen_cell generator;

/* Parameters */

static LLVMValueRef parameter(const generator *g, stencilrt_parameter_kind kind, size_t index) {
    return gen_parameter(g->function, g->p, kind, index);
}

static LLVMValueRef extent_parameter(const generator *g, int d) {
    return parameter(g, STENCILRT_ARG_EXTENT, (size_t)d);
}

/* Ports are distinct buffers unless two levels of one grid share one; the runtime makes sure that
 * nothing else overlaps. What is only read may then come through the read-only cache. */
static void mark_port(const generator *g, size_t i) {
    bool alone = true;
    for (size_t j = 0; j < g->nports; j++) {
        int32_t n = (int32_t)g->s->grids[g->ports[i].grid].buffers;
        int32_t distance = g->ports[i].level - g->ports[j].level;
        alone &= j == i || g->ports[j].grid != g->ports[i].grid || distance % n != 0;
    }
    if (alone)
        gen_mark_pointer(&g->e, g->function, gen_parameter_number(g->p, STENCILRT_ARG_PORT, i),
                         g->ports[i].writes);
}

static void create_function(generator *g) {
    g->function = gen_kernel_function(&g->e, g->s, g->p);
    g->e.target->mark_kernel(g->function, g->e.arch, g->p->block, 0);
    for (size_t i = 0; i < g->nports; i++)
        mark_port(g, i);
}

static void locate_single(generator *g) {
    LLVMBuilderRef b = g->e.b;
    for (int d = 0; d < g->s->rank; d++) {
        LLVMValueRef block = gen_launch(&g->e, TG_BLOCK, d),
                     thread = gen_launch(&g->e, TG_THREAD, d);
        LLVMValueRef first = parameter(g, STENCILRT_ARG_FIRST, (size_t)d);
        block = LLVMBuildMul(b, block, gen_int64(&g->e, g->p->block[d]), "");
        g->coordinate[d] = LLVMBuildAdd(b, LLVMBuildAdd(b, first, block, ""), thread, "");
    }
}

/* Each thread's cell or tile. Tiles are computed; then the cell is that of `single` or `rest`. */
static void locate_some(generator *g, LLVMBasicBlockRef locate) {
    LLVMBuilderRef b = g->e.b;
    LLVMBasicBlockRef single = gen_add_block(g->function, "single"),
                      tiles = gen_add_block(g->function, "tiles"), rest;
    LLVMValueRef peeled = parameter(g, STENCILRT_ARG_PEELED, 0), of_rest[ST_MAX_RANK];
    LLVMBuildCondBr(b, gen_less(&g->e, peeled, gen_int64(&g->e, 0)), single, tiles);
    LLVMPositionBuilderAtEnd(b, tiles);
    gen_tiles(g, of_rest);
    LLVMBuildBr(b, locate);
    rest = LLVMGetInsertBlock(b);
    LLVMPositionBuilderAtEnd(b, single);
    locate_single(g);
    LLVMBuildBr(b, locate);
    LLVMPositionBuilderAtEnd(b, locate);
    for (int d = 0; d < g->s->rank; d++) {
        LLVMValueRef v = LLVMBuildPhi(b, gen_i64(&g->e), "");
        LLVMAddIncoming(v, &g->coordinate[d], &single, 1);
        LLVMAddIncoming(v, &of_rest[d], &rest, 1);
        g->coordinate[d] = v;
    }
}

/* The cell of this thread; control goes to the block `cell` if it is in the domain. */
static void locate_cell(generator *g) {
    LLVMBuilderRef b = g->e.b;
    LLVMBasicBlockRef cell;
    LLVMValueRef inside = NULL;
    g->entry = gen_add_block(g->function, "entry");
    g->done = gen_add_block(g->function, "done");
    LLVMPositionBuilderAtEnd(b, g->entry);
    if (g->p->thread_tile[0]) {
        LLVMBasicBlockRef locate = gen_add_block(g->function, "locate");
        locate_some(g, locate);
        g->entry = locate;
    } else {
        locate_single(g);
    }
    cell = gen_add_block(g->function, "cell");
    for (int d = 0; d < g->s->rank; d++) {
        LLVMValueRef test = gen_less(&g->e, g->coordinate[d], extent_parameter(g, d));
        inside = inside ? LLVMBuildAnd(b, inside, test, "") : test;
    }
    LLVMBuildCondBr(b, inside, cell, g->done);
    LLVMPositionBuilderAtEnd(b, cell);
}

/* Element index of the thread's own cell in each grid. */
static void locate_homes(generator *g) {
    g->home = calloc(g->s->ngrids, sizeof *g->home);
    for (size_t i = 0; i < g->s->ngrids; i++) {
        LLVMValueRef at = LLVMConstInt(gen_i64(&g->e), 0, false);
        for (int d = 0; d < g->s->rank; d++) {
            if (g->s->grids[i].broadcast >> d & 1)
                continue;
            at = LLVMBuildAdd(g->e.b, at, gen_cell_term(g, i, d, g->coordinate[d]), "");
        }
        g->home[i] = at;
    }
}

/* A cell outside, as the rule says; `low`: before the first one. */
static LLVMValueRef outside(generator *g, st_rule rule, bool low, LLVMValueRef cell,
                            LLVMValueRef extent) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef one = gen_int64(&g->e, 1), last = LLVMBuildSub(b, extent, one, "");
    LLVMValueRef edge = low ? gen_int64(&g->e, 0) : last;
    switch (rule) {
    case ST_CLAMP:
        return edge;
    case ST_MIRROR:
        return LLVMBuildSub(b, LLVMBuildAdd(b, edge, edge, ""), cell, "");
    case ST_SYMMETRIC:
        edge = low ? gen_int64(&g->e, -1) : LLVMBuildAdd(b, last, extent, "");
        return LLVMBuildSub(b, edge, cell, "");
    default:
        return low ? LLVMBuildAdd(b, cell, extent, "") : LLVMBuildSub(b, cell, extent, "");
    }
}

/* The cell along a dimension that an access reads. */
static LLVMValueRef bring_back(generator *g, const st_access *a, int d) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef extent = extent_parameter(g, d), zero = gen_int64(&g->e, 0);
    LLVMValueRef cell = LLVMBuildAdd(b, g->coordinate[d], gen_int64(&g->e, a->offset[d]), ""),
                 back = cell;
    const uint8_t *rules = g->s->boundary[d];
    if (a->faces & ST_FACE(d, 0))
        back = LLVMBuildSelect(b, gen_less(&g->e, cell, zero),
                               outside(g, (st_rule)rules[0], true, cell, extent), back, "");
    if (a->faces & ST_FACE(d, 1))
        back = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSGE, cell, extent, ""),
                               outside(g, (st_rule)rules[1], false, cell, extent), back, "");
    return back;
}

static LLVMValueRef port_of(const generator *g, int32_t grid, int32_t level) {
    size_t port = 0;
    while (g->ports[port].grid != grid || g->ports[port].level != level)
        port++;
    return parameter(g, STENCILRT_ARG_PORT, port);
}

/* The address of an access with rules at faces. */
static LLVMValueRef address_by_rules(generator *g, const st_access *a) {
    LLVMValueRef at = gen_int64(&g->e, 0);
    for (int d = g->s->rank - 1; d >= 0; d--) {
        if (g->s->grids[a->grid].broadcast >> d & 1)
            continue;
        LLVMValueRef term = gen_cell_term(g, (size_t)a->grid, d, bring_back(g, a, d));
        at = LLVMBuildAdd(g->e.b, at, term, "");
    }
    LLVMTypeRef element = gen_type(&g->e, (st_type)g->s->grids[a->grid].type);
    return gen_element(&g->e, element, port_of(g, a->grid, a->level), at);
}

static LLVMValueRef address_in_bricks(generator *g, int32_t grid, int32_t level,
                                      const int32_t *offset) {
    LLVMValueRef at = gen_int64(&g->e, 0);
    for (int d = g->s->rank - 1; d >= 0; d--) {
        LLVMValueRef cell = LLVMBuildAdd(g->e.b, g->coordinate[d], gen_int64(&g->e, offset[d]), "");
        at = LLVMBuildAdd(g->e.b, at, gen_cell_term(g, (size_t)grid, d, cell), "");
    }
    LLVMTypeRef element = gen_type(&g->e, (st_type)g->s->grids[grid].type);
    return gen_element(&g->e, element, port_of(g, grid, level), at);
}

static LLVMValueRef address(generator *g, int32_t grid, int32_t level, const int32_t *offset) {
    LLVMTypeRef element = gen_type(&g->e, g->s->grids[grid].type);
    LLVMValueRef at = g->home[grid];
    if (gen_has_bricks(g, (size_t)grid))
        return address_in_bricks(g, grid, level, offset);
    for (int d = g->s->rank - 1; d > 0; d--)
        if (offset[d])
            at = LLVMBuildAdd(g->e.b, at,
                              gen_cell_term(g, (size_t)grid, d, gen_int64(&g->e, offset[d])), "");
    LLVMValueRef p = port_of(g, grid, level);
    p = gen_element(&g->e, element, p, at);
    LLVMValueRef x = LLVMConstInt(gen_i64(&g->e), (unsigned long long)(int64_t)offset[0], true);
    return offset[0] ? gen_element(&g->e, element, p, x) : p;
}

static LLVMValueRef leaf(generator *g, const st_node *n) {
    LLVMTypeRef type = gen_type(&g->e, (st_type)n->type);
    LLVMValueRef v;
    switch (n->op) {
    case ST_CONST:
        return gen_constant(&g->e, n);
    case ST_COORD:
        return g->coordinate[n->index];
    case ST_SCALAR:
        v = parameter(g, STENCILRT_ARG_SCALAR, (size_t)n->index);
        return n->type == ST_I1 ? LLVMBuildTrunc(g->e.b, v, type, "") : v;
    default: {
        const st_access *a = &g->s->accesses[n->index];
        LLVMValueRef at =
            a->faces ? address_by_rules(g, a) : address(g, a->grid, a->level, a->offset);
        v = gen_load(&g->e, type, at, st_type_size((st_type)n->type));
        return v;
    }
    }
}

static void store(generator *g, int32_t root, int32_t grid, int32_t level) {
    static const int32_t here[ST_MAX_RANK];
    gen_store(&g->e, g->values[root], address(g, grid, level, here),
              st_type_size(g->s->grids[grid].type));
}

static void compute(generator *g) {
    g->values = calloc(g->s->nnodes, sizeof *g->values);
    for (size_t i = 0; i < g->s->nnodes; i++) {
        const st_node *n = &g->s->nodes[i];
        LLVMValueRef args[3];
        for (int k = 0; k < st_ops[n->op].arity; k++)
            args[k] = g->values[n->args[k]];
        g->values[i] = st_ops[n->op].cls == ST_LEAF ? leaf(g, n) : gen_operation(&g->e, n, args);
    }
    if (!g->s->stores_nothing)
        store(g, g->s->root, g->s->store_grid, g->s->store_level);
    for (size_t i = 0; i < g->s->nalso; i++)
        store(g, g->s->also[i].root, g->s->also[i].grid, g->s->also[i].level);
}

/* Where a thread's cell is in the order of the program's loops. */
static LLVMValueRef place_in_order(generator *g, const st_reduction *r) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef at = NULL;
    for (int i = g->s->rank - 1; i >= 0; i--) {
        int d = r->order[i];
        at = at ? LLVMBuildMul(b, at, extent_parameter(g, d), "") : NULL;
        at = at ? LLVMBuildAdd(b, at, g->coordinate[d], "") : g->coordinate[d];
    }
    return at;
}

/* Stores what the cell adds to each sum that is made in order. */
static void store_addends(generator *g) {
    for (size_t i = 0; i < g->s->nreductions; i++) {
        const st_reduction *r = &g->s->reductions[i];
        if (r->op == ST_REDUCE_ORDERED)
            gen_ordered_store(&g->e, g->function, parameter(g, STENCILRT_ARG_REDUCED, 0), i,
                              place_in_order(g, r), g->values[r->root]);
    }
}

/* A phi where the threads with and without a cell meet: threads without a cell have the number 0.
 */
static LLVMValueRef number_of_all(generator *g, LLVMBasicBlockRef cell, LLVMValueRef number) {
    LLVMValueRef zero = gen_int64(&g->e, 0), v = LLVMBuildPhi(g->e.b, gen_i64(&g->e), "");
    LLVMAddIncoming(v, &number, &cell, 1);
    LLVMAddIncoming(v, &zero, &g->entry, 1);
    return v;
}

static void finish(generator *g) {
    size_t count = g->s->nreductions;
    LLVMValueRef *numbers = calloc(count + 1, sizeof *numbers);
    store_addends(g);
    LLVMBasicBlockRef cell = LLVMGetInsertBlock(g->e.b);
    size_t numbered = 0;
    for (size_t i = 0; i < count; i++) {
        const st_reduction *r = &g->s->reductions[i];
        st_type type = (st_type)g->s->nodes[r->root].type;
        if (r->op == ST_REDUCE_ORDERED)
            continue;
        numbers[i] = gen_reduced_number(&g->e, r, type, g->values[r->root]);
        numbered++;
    }
    LLVMBuildBr(g->e.b, g->done);
    LLVMPositionBuilderAtEnd(g->e.b, g->done);
    for (size_t i = 0; i < count; i++)
        numbers[i] = numbers[i] ? number_of_all(g, cell, numbers[i]) : NULL;
    if (numbered > 0)
        gen_reduce(&g->e, g->function, g->s, g->p->block, parameter(g, STENCILRT_ARG_REDUCED, 0),
                   numbers);
    else
        LLVMBuildRetVoid(g->e.b);
    free(numbers);
}

void gen_cell_kernel(const gen_expr *e, const st_stencil *s, const st_kernel *p) {
    generator g = {.e = *e, .s = s, .p = p};
    g.nports = st_ports(s, g.ports);
    create_function(&g);
    locate_cell(&g);
    locate_homes(&g);
    compute(&g);
    finish(&g);
    free(g.home);
    free(g.values);
}
