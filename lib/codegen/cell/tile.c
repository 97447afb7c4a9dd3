/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A thread's tile of cells. Rows of neighbours are loaded by vector accesses, once a tile, in the
 * order of lib/plan/cell/tile.c. At the high ends of y and z a tile is moved back into the domain;
 * there it stores only cells that no other thread stores. Cells at the ends of rows that are in no
 * tile have threads of their own, in the blocks behind the tiles. So no thread computes much more
 * than others.
 */
#include "codegen/cell/cell.h"

#include "plan/cell/tile.h"

#include <stdlib.h>

typedef struct generator {
    gen_cell *g;
    LLVMBuilderRef b;
    tile_order *order;
    int ncells;
    LLVMValueRef
        own[ST_MAX_RANK];         /* coordinates of the cells that are this thread's to store; .. */
    LLVMValueRef at[ST_MAX_RANK]; /* ..of the tile */
    LLVMValueRef *home;           /* per grid: element index of the tile's first cell */
    LLVMValueRef **loaded;        /* per row and cell of it */
    LLVMValueRef *values;         /* per cell and node; of those with the same value, the first */
} generator;

static LLVMValueRef number(const generator *t, int64_t v) {
    return gen_int64(&t->g->e, v);
}

static LLVMValueRef extent(const generator *t, int d) {
    return gen_parameter(t->g->function, t->g->p, STENCILRT_ARG_EXTENT, (size_t)d);
}

static LLVMValueRef peeled(const generator *t) {
    return gen_parameter(t->g->function, t->g->p, STENCILRT_ARG_PEELED, 0);
}

/* Where the tile is */

/* Control goes to the returned block with a tile that is in the domain. `column`: its number in a
 * row of tiles. */
static LLVMBasicBlockRef locate(generator *t, LLVMValueRef column, LLVMValueRef columns) {
    const int *tile = t->g->p->thread_tile, *block = t->g->p->block;
    LLVMBuilderRef b = t->b;
    LLVMBasicBlockRef body = gen_add_block(t->g->function, "tile");
    LLVMValueRef inside = gen_less(&t->g->e, column, columns);
    t->own[0] = t->at[0] =
        LLVMBuildAdd(b, peeled(t), LLVMBuildMul(b, column, number(t, tile[0]), ""), "");
    for (int d = 1; d < t->g->s->rank; d++) {
        LLVMValueRef v =
            LLVMBuildMul(b, gen_launch(&t->g->e, TG_BLOCK, d), number(t, block[d]), "");
        v = LLVMBuildAdd(b, v, gen_launch(&t->g->e, TG_THREAD, d), "");
        t->own[d] = t->at[d] = LLVMBuildMul(b, v, number(t, tile[d]), "");
        inside = LLVMBuildAnd(b, inside, gen_less(&t->g->e, t->own[d], extent(t, d)), "");
        LLVMValueRef last = LLVMBuildSub(b, extent(t, d), number(t, tile[d]), "");
        if (tile[d] > 1)
            t->at[d] = gen_smaller(&t->g->e, t->own[d], last);
    }
    LLVMBuildCondBr(b, inside, body, t->g->done);
    return body;
}

/* Threads of a block by turns: rows, then planes, then cells of the row. */
static void locate_rest(const generator *t, LLVMValueRef columns, LLVMValueRef rest[ST_MAX_RANK]) {
    const int *tile = t->g->p->thread_tile, *block = t->g->p->block;
    LLVMBuilderRef b = t->b;
    LLVMValueRef thread = gen_launch(&t->g->e, TG_THREAD, t->g->s->rank - 1);
    for (int d = t->g->s->rank - 2; d >= 0; d--)
        thread = LLVMBuildAdd(b, LLVMBuildMul(b, thread, number(t, block[d]), ""),
                              gen_launch(&t->g->e, TG_THREAD, d), "");
    for (int d = 1; d < t->g->s->rank; d++) {
        LLVMValueRef size = number(t, block[d] * tile[d]);
        LLVMValueRef first = LLVMBuildMul(b, gen_launch(&t->g->e, TG_BLOCK, d), size, "");
        rest[d] = LLVMBuildAdd(b, first, LLVMBuildURem(b, thread, size, ""), "");
        thread = LLVMBuildUDiv(b, thread, size, "");
    }
    LLVMValueRef in_tiles = LLVMBuildMul(b, columns, number(t, tile[0]), "");
    LLVMValueRef low = gen_less(&t->g->e, thread, peeled(t));
    rest[0] = LLVMBuildSelect(b, low, thread, LLVMBuildAdd(b, thread, in_tiles, ""), "");
}

/* What it loads */

static void locate_homes(generator *t) {
    const gen_cell *g = t->g;
    for (size_t i = 0; i < g->s->ngrids; i++) {
        t->home[i] = number(t, 0);
        for (int d = g->s->rank - 1; d >= 0; d--) {
            if (g->s->grids[i].broadcast >> d & 1)
                continue;
            t->home[i] = LLVMBuildAdd(t->b, t->home[i], gen_cell_term(g, i, d, t->at[d]), "");
        }
    }
}

/* The elements from the port's cell (0,0,0) to the row's cell at the tile's first cell along x. In
 * bricks: to the row's place, without the term of x. */
static LLVMValueRef row_element(generator *t, size_t grid, int y, int z) {
    const int away[3] = {0, y, z};
    bool bricks = gen_has_bricks(t->g, grid);
    LLVMValueRef at = bricks ? number(t, 0) : t->home[grid];
    for (int d = t->g->s->rank - 1; d > 0; d--) {
        LLVMValueRef cell = number(t, away[d]);
        if (bricks)
            cell = LLVMBuildAdd(t->b, t->at[d], cell, "");
        if (bricks || away[d])
            at = LLVMBuildAdd(t->b, at, gen_cell_term(t->g, grid, d, cell), "");
    }
    return at;
}

/* A row of a port. */
typedef struct row_place {
    size_t grid;
    LLVMTypeRef element;
    LLVMValueRef address;
} row_place;

static row_place find_row(generator *t, size_t port, int y, int z) {
    const gen_cell *g = t->g;
    row_place row = {.grid = (size_t)g->ports[port].grid};
    row.element = gen_type(&g->e, (st_type)g->s->grids[row.grid].type);
    row.address =
        gen_element(&g->e, row.element, gen_parameter(g->function, g->p, STENCILRT_ARG_PORT, port),
                    row_element(t, row.grid, y, z));
    return row;
}

/* The address of its cell that is x cells away from the tile's first one. */
static LLVMValueRef along_x(generator *t, const row_place *row, int x) {
    LLVMValueRef at = number(t, x);
    if (gen_has_bricks(t->g, row->grid))
        at = gen_cell_term(t->g, row->grid, 0, LLVMBuildAdd(t->b, t->at[0], at, ""));
    else if (x == 0)
        return row->address;
    return gen_element(&t->g->e, row->element, row->address, at);
}

static void load_row(generator *t, int number_of_row) {
    const tile_row *row = &t->order->rows[number_of_row];
    const gen_expr *e = &t->g->e;
    st_type type = (st_type)t->g->s->grids[t->g->ports[row->port].grid].type;
    row_place place = find_row(t, (size_t)row->port, row->y, row->z);
    tile_load load = {0, 0};
    while (tile_next_load(t->order, row, &load)) {
        bool vector = load.width > 1;
        LLVMTypeRef what =
            vector ? LLVMVectorType(place.element, (unsigned)load.width) : place.element;
        LLVMValueRef v = gen_load(e, what, along_x(t, &place, row->low + load.x),
                                  st_type_size(type) * (size_t)load.width);
        for (int i = 0; i < load.width; i++)
            t->loaded[number_of_row][load.x + i] =
                vector ? LLVMBuildExtractElement(t->b, v, gen_int32(e, i), "") : v;
    }
}

/* What it computes */

static LLVMValueRef coordinate(generator *t, int cell, int d) {
    const int *n = t->order->cells;
    const int in[3] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
    return LLVMBuildAdd(t->b, t->at[d], number(t, in[d]), "");
}

static LLVMValueRef value(generator *t, int cell, int32_t node) {
    const gen_cell *g = t->g;
    const st_node *n = &g->s->nodes[node];
    size_t place = (size_t)cell * g->s->naccesses + (size_t)n->index;
    LLVMValueRef v;
    switch (n->op) {
    case ST_CONST:
        return gen_constant(&g->e, n);
    case ST_COORD:
        return coordinate(t, cell, n->index);
    case ST_SCALAR:
        v = gen_parameter(g->function, g->p, STENCILRT_ARG_SCALAR, (size_t)n->index);
        return n->type == ST_I1 ? LLVMBuildTrunc(t->b, v, gen_type(&g->e, ST_I1), "") : v;
    case ST_ACCESS:
        return t->loaded[t->order->row[place]][t->order->x[place]];
    default:
        return t->values[t->order->same[(size_t)cell * g->s->nnodes + (size_t)node]];
    }
}

static void compute(generator *t) {
    for (size_t i = 0; i < t->order->nsteps; i++) {
        const tile_step *step = &t->order->steps[i];
        const st_node *n = &t->g->s->nodes[step->node];
        LLVMValueRef args[3];
        if (step->row >= 0) {
            load_row(t, step->row);
            continue;
        }
        for (int k = 0; k < st_ops[n->op].arity; k++)
            args[k] = value(t, step->cell, n->args[k]);
        size_t place = (size_t)step->cell * t->g->s->nnodes + (size_t)step->node;
        t->values[t->order->same[place]] = gen_operation(&t->g->e, n, args);
    }
}

/* What it stores */

typedef struct store {
    LLVMValueRef value, address;
    unsigned alignment;
    int y, z;
} store;

static store vector_of(generator *t, int32_t root, int32_t grid, int32_t level, int row) {
    const int *n = t->order->cells;
    st_type type = (st_type)t->g->s->grids[grid].type;
    store s = {.y = row % n[1], .z = row / n[1]};
    size_t port = 0;
    while (t->g->ports[port].grid != grid || t->g->ports[port].level != level)
        port++;
    s.alignment = (unsigned)st_type_size(type) * (unsigned)n[0];
    s.value = LLVMGetPoison(LLVMVectorType(gen_type(&t->g->e, type), (unsigned)n[0]));
    for (int x = 0; x < n[0]; x++)
        s.value = LLVMBuildInsertElement(t->b, s.value, value(t, row * n[0] + x, root),
                                         gen_int32(&t->g->e, x), "");
    row_place place = find_row(t, port, s.y, s.z);
    s.address = along_x(t, &place, 0);
    return s;
}

/* Where the tile was moved back: stores the row if it is this thread's. */
static void build_own_store(generator *t, const store *s) {
    const int in[3] = {0, s->y, s->z};
    LLVMBasicBlockRef own = gen_add_block(t->g->function, "own"),
                      next = gen_add_block(t->g->function, "next");
    LLVMValueRef is_own = NULL;
    for (int d = 1; d < t->g->s->rank; d++) {
        LLVMValueRef v = LLVMBuildAdd(t->b, t->at[d], number(t, in[d]), "");
        LLVMValueRef test = LLVMBuildICmp(t->b, LLVMIntSGE, v, t->own[d], "");
        is_own = is_own ? LLVMBuildAnd(t->b, is_own, test, "") : test;
    }
    LLVMBuildCondBr(t->b, is_own, own, next);
    LLVMPositionBuilderAtEnd(t->b, own);
    gen_store(&t->g->e, s->value, s->address, s->alignment);
    LLVMBuildBr(t->b, next);
    LLVMPositionBuilderAtEnd(t->b, next);
}

/* Hides from LLVM which rows are the thread's to store. LLVM would see that a tile that was moved
 * back does not store its first row. It would then load and compute this row where it is stored,
 * long after the other rows. */
static void hide_own(generator *t) {
    for (int d = 1; d < t->g->s->rank; d++)
        t->own[d] = t->g->e.target->conceal(t->b, t->own[d]);
}

static void build_stores(generator *t, const store *stores, size_t count) {
    LLVMValueRef moved = NULL;
    for (int d = 1; d < t->g->s->rank; d++) {
        LLVMValueRef test = LLVMBuildICmp(t->b, LLVMIntNE, t->at[d], t->own[d], "");
        if (t->g->p->thread_tile[d] > 1)
            moved = moved ? LLVMBuildOr(t->b, moved, test, "") : test;
    }
    if (moved) {
        LLVMBasicBlockRef some = gen_add_block(t->g->function, "some"),
                          all = gen_add_block(t->g->function, "all");
        LLVMBuildCondBr(t->b, moved, some, all);
        LLVMPositionBuilderAtEnd(t->b, some);
        hide_own(t);
        for (size_t i = 0; i < count; i++)
            build_own_store(t, &stores[i]);
        LLVMBuildBr(t->b, t->g->done);
        LLVMPositionBuilderAtEnd(t->b, all);
    }
    for (size_t i = 0; i < count; i++)
        gen_store(&t->g->e, stores[i].value, stores[i].address, stores[i].alignment);
    LLVMBuildBr(t->b, t->g->done);
}

static void store_all(generator *t) {
    const st_stencil *s = t->g->s;
    int rows = t->order->cells[1] * t->order->cells[2];
    size_t count = 0;
    store *stores = calloc((size_t)rows * (s->nalso + 1), sizeof *stores);
    for (int row = 0; row < rows; row++) {
        if (!s->stores_nothing)
            stores[count++] = vector_of(t, s->root, s->store_grid, s->store_level, row);
        for (size_t i = 0; i < s->nalso; i++)
            stores[count++] = vector_of(t, s->also[i].root, s->also[i].grid, s->also[i].level, row);
    }
    build_stores(t, stores, count);
    free(stores);
}

static void generate(generator *t) {
    const st_stencil *s = t->g->s;
    t->order = tile_create(s, t->g->p->thread_tile);
    size_t ncells = (size_t)(t->order->cells[0] * t->order->cells[1] * t->order->cells[2]);
    t->home = calloc(s->ngrids + 1, sizeof(LLVMValueRef));
    t->values = calloc(ncells * s->nnodes, sizeof(LLVMValueRef));
    t->loaded = calloc(t->order->nrows + 1, sizeof *t->loaded);
    for (size_t i = 0; i < t->order->nrows; i++)
        t->loaded[i] = calloc((size_t)t->order->rows[i].count, sizeof(LLVMValueRef));
    locate_homes(t);
    compute(t);
    store_all(t);
    for (size_t i = 0; i < t->order->nrows; i++)
        free(t->loaded[i]);
    free(t->loaded);
    free(t->values);
    free(t->home);
    tile_destroy(t->order);
}

void gen_tiles(gen_cell *g, LLVMValueRef rest[ST_MAX_RANK]) {
    generator t = {.g = g, .b = g->e.b};
    LLVMBuilderRef b = t.b;
    LLVMBasicBlockRef in_tiles = gen_add_block(g->function, "columns"),
                      behind = gen_add_block(g->function, "rest");
    LLVMValueRef columns = LLVMBuildUDiv(b, LLVMBuildSub(b, extent(&t, 0), peeled(&t), ""),
                                         number(&t, g->p->thread_tile[0]), "");
    LLVMValueRef first =
        LLVMBuildMul(b, gen_launch(&g->e, TG_BLOCK, 0), number(&t, g->p->block[0]), "");
    LLVMBuildCondBr(b, gen_less(&g->e, first, columns), in_tiles, behind);
    LLVMPositionBuilderAtEnd(b, in_tiles);
    LLVMBasicBlockRef body =
        locate(&t, LLVMBuildAdd(b, first, gen_launch(&g->e, TG_THREAD, 0), ""), columns);
    LLVMPositionBuilderAtEnd(b, body);
    generate(&t);
    LLVMPositionBuilderAtEnd(b, behind);
    locate_rest(&t, columns, rest);
}
