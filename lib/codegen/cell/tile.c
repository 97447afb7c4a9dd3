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

enum {
    LANES = 32,   /* of a warp; a wave of 64 is two, of which no lane asks the other */
    EACH = 1 << 8 /* all vectors of a row */
};

typedef struct generator {
    gen_cell *g;
    LLVMBuilderRef b;
    tile_order *order;
    int ncells;
    LLVMValueRef
        own[ST_MAX_RANK];         /* coordinates of the cells that are this thread's to store; .. */
    LLVMValueRef at[ST_MAX_RANK]; /* ..of the tile */
    /* The tile's number in a row of tiles, of how many; the block's first one and its end. */
    LLVMValueRef column, columns, first, end;
    LLVMValueRef *home;    /* per grid: element index of the tile's first cell */
    LLVMValueRef **loaded; /* per row and cell of it */
    LLVMValueRef *values;  /* per cell and node; of those with the same value, the first */
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

/* The first cell along x of a tile of this number. */
static LLVMValueRef at_column(generator *t, LLVMValueRef column) {
    LLVMValueRef cells = number(t, t->g->p->thread_tile[0]);
    return LLVMBuildAdd(t->b, peeled(t), LLVMBuildMul(t->b, column, cells, ""), "");
}

/* Control goes to the returned block with a tile that is in the domain. With shuffles all threads
 * go there: those without a tile compute one again of which no cell is theirs to store. */
static LLVMBasicBlockRef locate(generator *t) {
    const int *tile = t->g->p->thread_tile, *block = t->g->p->block;
    LLVMBuilderRef b = t->b;
    LLVMBasicBlockRef body = gen_add_block(t->g->function, "tile");
    bool all = t->g->p->shuffles;
    LLVMValueRef inside = gen_less(&t->g->e, t->column, t->columns), column = t->column;
    if (all)
        column = gen_smaller(&t->g->e, column, LLVMBuildSub(b, t->columns, number(t, 1), ""));
    t->own[0] = t->at[0] = at_column(t, column);
    for (int d = 1; d < t->g->s->rank; d++) {
        LLVMValueRef v =
            LLVMBuildMul(b, gen_launch(&t->g->e, TG_BLOCK, d), number(t, block[d]), "");
        v = LLVMBuildAdd(b, v, gen_launch(&t->g->e, TG_THREAD, d), "");
        t->own[d] = t->at[d] = LLVMBuildMul(b, v, number(t, tile[d]), "");
        inside = LLVMBuildAnd(b, inside, gen_less(&t->g->e, t->own[d], extent(t, d)), "");
        LLVMValueRef last = LLVMBuildSub(b, extent(t, d), number(t, tile[d]), "");
        if (tile[d] > 1 || all)
            t->at[d] = gen_smaller(&t->g->e, t->own[d], last);
    }
    if (all) {
        t->own[1] = LLVMBuildSelect(b, inside, t->own[1], number(t, INT64_MAX), "");
        LLVMBuildBr(b, body);
    } else {
        LLVMBuildCondBr(b, inside, body, t->g->done);
    }
    return body;
}

/* The threads of those blocks behind the tiles that come before this one. */
static LLVMValueRef threads_before(const generator *t, LLVMValueRef columns) {
    const int *block = t->g->p->block;
    LLVMBuilderRef b = t->b;
    LLVMValueRef up = LLVMBuildAdd(b, columns, number(t, block[0] - 1), "");
    LLVMValueRef with_tiles = LLVMBuildUDiv(b, up, number(t, block[0]), "");
    LLVMValueRef before = LLVMBuildSub(b, gen_launch(&t->g->e, TG_BLOCK, 0), with_tiles, "");
    return LLVMBuildMul(b, before, number(t, block[0] * block[1] * block[2]), "");
}

/* Threads of a block by turns: rows, then planes, then cells of the row. */
static void locate_rest(const generator *t, LLVMValueRef columns, LLVMValueRef rest[ST_MAX_RANK]) {
    const int *tile = t->g->p->thread_tile, *block = t->g->p->block;
    LLVMBuilderRef b = t->b;
    LLVMValueRef thread = gen_launch(&t->g->e, TG_THREAD, t->g->s->rank - 1);
    for (int d = t->g->s->rank - 2; d >= 0; d--)
        thread = LLVMBuildAdd(b, LLVMBuildMul(b, thread, number(t, block[d]), ""),
                              gen_launch(&t->g->e, TG_THREAD, d), "");
    if (tile_has_more_blocks(block, tile))
        thread = LLVMBuildAdd(b, thread, threads_before(t, columns), "");
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

/* The address of its cell that is x cells away from the cell `first`. */
static LLVMValueRef along_x(generator *t, const row_place *row, LLVMValueRef first, int x) {
    LLVMValueRef at = number(t, x);
    if (gen_has_bricks(t->g, row->grid))
        at = gen_cell_term(t->g, row->grid, 0, LLVMBuildAdd(t->b, first, at, ""));
    else if (first != t->at[0])
        at = LLVMBuildAdd(t->b, LLVMBuildSub(t->b, first, t->at[0], ""), at, "");
    else if (x == 0)
        return row->address;
    return gen_element(&t->g->e, row->element, row->address, at);
}

/* Loads those cells of the row that are in the vector `away` vectors from that of a tile, whose
 * first cell is x, to loaded[number in the row]. */
static void load_vector(generator *t, const tile_row *row, const row_place *place, int away,
                        LLVMValueRef x, LLVMValueRef *loaded) {
    const gen_expr *e = &t->g->e;
    st_type type = (st_type)t->g->s->grids[place->grid].type;
    tile_load load = {0, 0};
    while (tile_next_load(t->order, row, &load)) {
        bool vector = load.width > 1;
        if (away != EACH && tile_vector(t->order, row, load.x) != away)
            continue;
        LLVMTypeRef what =
            vector ? LLVMVectorType(place->element, (unsigned)load.width) : place->element;
        LLVMValueRef v = gen_load(e, what, along_x(t, place, x, row->low + load.x),
                                  st_type_size(type) * (size_t)load.width);
        for (int i = 0; i < load.width; i++)
            loaded[load.x + i] = vector ? LLVMBuildExtractElement(t->b, v, gen_int32(e, i), "") : v;
    }
}

/* Has the lane so many lanes away, along x, a tile in the same row of lanes? */
static LLVMValueRef has_lane(generator *t, int away) {
    const gen_expr *e = &t->g->e;
    if (away < 0)
        return LLVMBuildICmp(t->b, LLVMIntSGE, gen_launch(e, TG_THREAD, 0), number(t, -away), "");
    LLVMValueRef column = LLVMBuildAdd(t->b, t->column, number(t, away), "");
    return gen_less(e, column, t->end);
}

/* How many cells to the right of the tile the nearest one begins whose vector so many vectors away
 * is no lane's. All lanes that have such a vector read the same few cells. */
static LLVMValueRef to_edge(generator *t, int away) {
    const gen_expr *e = &t->g->e;
    LLVMValueRef column;
    if (away < 0)
        column = gen_smaller(e, t->column, LLVMBuildAdd(t->b, t->first, number(t, -away - 1), ""));
    else
        column = gen_greater(e, t->column, LLVMBuildSub(t->b, t->end, number(t, away), ""));
    column = gen_smaller(e, column, LLVMBuildSub(t->b, t->columns, number(t, 1), ""));
    return at_column(t, column);
}

/* Gets the cells of another lane's vector from that lane. Where there is none, loads them: all
 * lanes load what the lanes at the end need. That takes no branch, and these lanes read few lines.
 */
static void get_vector(generator *t, const tile_row *row, const row_place *place, int away,
                       LLVMValueRef *loaded) {
    const gen_expr *e = &t->g->e;
    st_type type = (st_type)t->g->s->grids[place->grid].type;
    int width = t->order->cells[0];
    LLVMValueRef *edge = calloc((size_t)row->count, sizeof(LLVMValueRef)), has = NULL;
    for (int x = 0; x < row->count; x++) {
        if (!row->needed[x] || tile_vector(t->order, row, x) != away)
            continue;
        if (!has) {
            has = has_lane(t, away);
            load_vector(t, row, place, away, to_edge(t, away), edge);
        }
        LLVMValueRef v = gen_shuffle(e, type, loaded[x - away * width], away, LANES);
        loaded[x] = LLVMBuildSelect(t->b, has, v, edge[x], "");
    }
    free(edge);
}

/* With shuffles, a row of which the tile needs its own whole vector has its other cells from other
 * lanes. */
static void load_row(generator *t, int number_of_row) {
    const tile_row *row = &t->order->rows[number_of_row];
    LLVMValueRef *loaded = t->loaded[number_of_row];
    row_place place = find_row(t, (size_t)row->port, row->y, row->z);
    if (!t->g->p->shuffles || !tile_has_neighbours(t->order, row)) {
        load_vector(t, row, &place, EACH, t->at[0], loaded);
        return;
    }
    int first = tile_vector(t->order, row, 0), last = tile_vector(t->order, row, row->count - 1);
    load_vector(t, row, &place, 0, t->at[0], loaded);
    for (int away = first; away <= last; away++)
        if (away)
            get_vector(t, row, &place, away, loaded);
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
    s.address = along_x(t, &place, t->at[0], 0);
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
        if (t->g->p->thread_tile[d] > 1 || (d == 1 && t->g->p->shuffles))
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
    t.columns = columns;
    t.first = first;
    t.end = gen_smaller(&g->e, columns, LLVMBuildAdd(b, first, number(&t, g->p->block[0]), ""));
    t.column = LLVMBuildAdd(b, first, gen_launch(&g->e, TG_THREAD, 0), "");
    LLVMBasicBlockRef body = locate(&t);
    LLVMPositionBuilderAtEnd(b, body);
    generate(&t);
    LLVMPositionBuilderAtEnd(b, behind);
    locate_rest(&t, columns, rest);
}
