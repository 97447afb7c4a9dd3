/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbours from scratchpad. The block loads what its cells read, and waits. Then each thread
 * reads by local index. GPU-UniCache section 4.3.
 *
 *   2d, 3d   all that the block's cells read, once
 *   2.5d     what they read of one plane at a time, in two buffers that take turns. A thread that
 *            writes a buffer has passed the barrier of the plane between. So all others have read
 *            the buffer's old content. One barrier a plane is enough.
 *
 *   cyclic   the tile's cells are numbered, and thread t of T loads t, t + T, t + 2T, ..
 *   branch   thread (x, y, z) of a block W loads (x, y, z), and those in steps of W from there that
 *            are in the tile: so the first threads along each dimension load the far halo
 *
 * Planes that no two threads share are not kept in scratchpad; each thread loads its own cells of
 * them.
 */
#include "codegen/block/lds.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct lds_tile {
    blk_layer layer;
    LLVMValueRef extent[ST_MAX_RANK]; /* i32 */
    int64_t known[ST_MAX_RANK];       /* the same as a number; 0: not known */
    LLVMValueRef start;               /* address */
} lds_tile;

typedef struct lds_state {
    lds_tile *tiles;
    size_t ntiles;
    int turns; /* planes kept so far */
} lds_state;

/* Versions of kernels have no name yet, and long names are cut. So sizes tell scratchpads apart,
 * too. */
static const char *scratchpad_name(const blk_gen *g, int64_t bytes, char out[160]) {
    snprintf(out, 160, "stencilopt.scratchpad.%.100s.%lld", LLVMGetValueName(g->function),
             (long long)bytes);
    return out;
}

/* The block's scratchpad, which the interior and the border share. */
static LLVMValueRef scratchpad(blk_gen *g, int64_t bytes) {
    char name[160];
    LLVMValueRef v = LLVMGetNamedGlobal(g->e.module, scratchpad_name(g, bytes, name));
    if (v)
        return v;
    LLVMTypeRef type = LLVMArrayType2(gen_byte(&g->e), (uint64_t)bytes);
    v = LLVMAddGlobalInAddressSpace(g->e.module, type, name, TG_SCRATCHPAD);
    LLVMSetInitializer(v, LLVMGetPoison(type));
    LLVMSetLinkage(v, LLVMInternalLinkage);
    LLVMSetAlignment(v, LDS_ALIGNMENT);
    return v;
}

/* Cells of a tile */

static LLVMValueRef in_scratchpad(blk_gen *g, const lds_tile *t, LLVMValueRef number) {
    int size = (int)st_type_size(g->s->grids[t->layer.grid].type);
    LLVMValueRef bytes = gen_widen(&g->e, gen_times32(&g->e, number, size));
    return LLVMBuildInBoundsGEP2(g->e.b, gen_byte(&g->e), t->start, &bytes, 1, "");
}

static LLVMValueRef number_of(blk_gen *g, const lds_tile *t, LLVMValueRef const at[]) {
    LLVMValueRef n = NULL;
    for (int d = g->s->rank - 1; d >= 0; d--) {
        n = n ? LLVMBuildMul(g->e.b, n, t->extent[d], "") : NULL;
        n = n ? LLVMBuildAdd(g->e.b, n, at[d], "") : at[d];
    }
    return n;
}

static LLVMValueRef load_cell(blk_gen *g, const lds_tile *t, LLVMValueRef const at[], bool clamp) {
    LLVMValueRef coordinate[ST_MAX_RANK];
    for (int d = 0; d < g->s->rank; d++) {
        bool sliced = lds_is_sliced(g, &t->layer, d);
        LLVMValueRef cell =
            gen_widen(&g->e, sliced ? gen_times32(&g->e, at[d], g->axes[d].cells) : at[d]);
        coordinate[d] = blk_plus(g, blk_add(g, g->axes[d].tile, cell),
                                 sliced ? t->layer.plane : t->layer.least[d]);
    }
    LLVMValueRef address = blk_address_at(g, t->layer.grid, coordinate, clamp);
    return blk_load_cell(g, t->layer.grid, address);
}

static void store_cell(blk_gen *g, const lds_tile *t, LLVMValueRef number, LLVMValueRef v) {
    gen_store(&g->e, v, in_scratchpad(g, t, number), st_type_size(g->s->grids[t->layer.grid].type));
}

/* load=cyclic */

static void take_apart(blk_gen *g, const lds_tile *t, LLVMValueRef number, LLVMValueRef at[]) {
    for (int d = 0; d < g->s->rank - 1; d++) {
        at[d] = LLVMBuildURem(g->e.b, number, t->extent[d], "");
        number = LLVMBuildUDiv(g->e.b, number, t->extent[d], "");
    }
    at[g->s->rank - 1] = number;
}

static LLVMValueRef load_number(blk_gen *g, const lds_tile *t, LLVMValueRef number, bool clamp) {
    LLVMValueRef at[ST_MAX_RANK];
    take_apart(g, t, number, at);
    return load_cell(g, t, at, clamp);
}

static LLVMValueRef thread_number(blk_gen *g) {
    LLVMValueRef n = NULL;
    for (int d = g->s->rank - 1; d >= 0; d--) {
        n = n ? LLVMBuildMul(g->e.b, n, g->axes[d].width, "") : NULL;
        n = n ? LLVMBuildAdd(g->e.b, n, g->axes[d].thread, "") : g->axes[d].thread;
    }
    return n;
}

static LLVMValueRef product(blk_gen *g, LLVMValueRef const factors[]) {
    LLVMValueRef n = factors[0];
    for (int d = 1; d < g->s->rank; d++)
        n = LLVMBuildMul(g->e.b, n, factors[d], "");
    return n;
}

/* Makes all loads before all stores, so that the loads are under way together. */
static void fill_known(blk_gen *g, const lds_tile *t, int64_t threads, int64_t cells, bool clamp) {
    LLVMValueRef thread = thread_number(g);
    int whole = (int)(cells / threads);
    LLVMValueRef *loaded = malloc((size_t)(whole + 1) * sizeof *loaded);
    for (int i = 0; i < whole; i++)
        loaded[i] = load_number(g, t, gen_add32(&g->e, thread, (int)threads * i), clamp);
    for (int i = 0; i < whole; i++)
        store_cell(g, t, gen_add32(&g->e, thread, (int)threads * i), loaded[i]);
    free(loaded);
    if (cells % threads == 0)
        return;
    LLVMValueRef rest = gen_int32(&g->e, (int32_t)(cells % threads));
    LLVMBasicBlockRef all = blk_begin_if(g, LLVMBuildICmp(g->e.b, LLVMIntULT, thread, rest, ""));
    LLVMValueRef number = gen_add32(&g->e, thread, (int)threads * whole);
    store_cell(g, t, number, load_number(g, t, number, clamp));
    blk_end_if(g, all, NULL, NULL);
}

static void fill_loop(blk_gen *g, const lds_tile *t, bool clamp) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef width[ST_MAX_RANK] = {NULL}, cells = product(g, t->extent);
    for (int d = 0; d < g->s->rank; d++)
        width[d] = g->axes[d].width;
    LLVMValueRef threads = product(g, width), start = thread_number(g);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), test = gen_add_block(g->function, "fill");
    LLVMBasicBlockRef some = gen_add_block(g->function, "some"),
                      all = gen_add_block(g->function, "all");
    LLVMBuildBr(b, test);
    LLVMPositionBuilderAtEnd(b, test);
    LLVMValueRef number = LLVMBuildPhi(b, gen_i32(&g->e), "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, number, cells, ""), some, all);
    LLVMPositionBuilderAtEnd(b, some);
    store_cell(g, t, number, load_number(g, t, number, clamp));
    LLVMValueRef values[] = {start, LLVMBuildAdd(b, number, threads, "")};
    LLVMBasicBlockRef from[] = {before, LLVMGetInsertBlock(b)};
    LLVMBuildBr(b, test);
    LLVMAddIncoming(number, values, from, 2);
    LLVMPositionBuilderAtEnd(b, all);
}

static void fill_cyclic(blk_gen *g, const lds_tile *t, bool clamp) {
    int64_t threads = 1, cells = 1;
    for (int d = 0; d < g->s->rank; d++) {
        threads *= g->axes[d].known_width;
        cells *= t->known[d];
    }
    if (cells)
        fill_known(g, t, threads, cells, clamp);
    else
        fill_loop(g, t, clamp);
}

/* load=branch */

/* How often the block goes into the tile along d, rounded up. */
static int steps_of(const blk_gen *g, const lds_tile *t, int d) {
    int64_t width = g->axes[d].known_width;
    if (width)
        return (int)((t->known[d] + width - 1) / width);
    if (lds_is_sliced(g, &t->layer, d))
        return 1;
    int span = t->layer.most[d] - t->layer.least[d] + 1;
    return g->axes[d].cells + (span > g->axes[d].cells);
}

/* Is step number k along d in the tile for all threads? */
static bool is_whole_step(const blk_gen *g, const lds_tile *t, int d, int k) {
    if (g->axes[d].known_width)
        return (k + 1) * g->axes[d].known_width <= t->known[d];
    return lds_is_sliced(g, &t->layer, d) || k < g->axes[d].cells;
}

static void fill_step(blk_gen *g, const lds_tile *t, const int k[ST_MAX_RANK], bool clamp) {
    LLVMValueRef at[ST_MAX_RANK], condition = NULL;
    for (int d = 0; d < g->s->rank; d++) {
        const blk_axis *a = &g->axes[d];
        at[d] = k[d] ? LLVMBuildAdd(g->e.b, a->thread, gen_times32(&g->e, a->width, k[d]), "")
                     : a->thread;
        if (is_whole_step(g, t, d, k[d]))
            continue;
        LLVMValueRef inside = LLVMBuildICmp(g->e.b, LLVMIntULT, at[d], t->extent[d], "");
        condition = condition ? LLVMBuildAnd(g->e.b, condition, inside, "") : inside;
    }
    LLVMBasicBlockRef all = condition ? blk_begin_if(g, condition) : NULL;
    store_cell(g, t, number_of(g, t, at), load_cell(g, t, at, clamp));
    if (all)
        blk_end_if(g, all, NULL, NULL);
}

static void fill_branch(blk_gen *g, const lds_tile *t, bool clamp) {
    int count[ST_MAX_RANK] = {1, 1, 1}, k[ST_MAX_RANK];
    for (int d = 0; d < g->s->rank; d++)
        count[d] = steps_of(g, t, d);
    for (k[2] = 0; k[2] < count[2]; k[2]++)
        for (k[1] = 0; k[1] < count[1]; k[1]++)
            for (k[0] = 0; k[0] < count[0]; k[0]++)
                fill_step(g, t, k, clamp);
}

/* The source */

static void fill(blk_gen *g, lds_tile *t) {
    bool clamp = !blk_layer_is_box(&t->layer);
    if (g->p->load == BLK_BRANCH)
        fill_branch(g, t, clamp);
    else
        fill_cyclic(g, t, clamp);
}

/* Takes over the layer. */
static void add_tile(blk_gen *g, const blk_layer *l, int64_t at, int64_t bytes) {
    lds_state *s = g->state;
    LLVMValueRef offset = gen_int64(&g->e, at);
    s->tiles = realloc(s->tiles, (s->ntiles + 1) * sizeof *s->tiles);
    lds_tile *t = &s->tiles[s->ntiles++];
    *t = (lds_tile){.layer = *l};
    t->start = LLVMBuildInBoundsGEP2(g->e.b, gen_byte(&g->e), scratchpad(g, bytes), &offset, 1, "");
    for (int d = 0; d < g->s->rank; d++) {
        int64_t width = g->axes[d].known_width;
        t->extent[d] = lds_extent_value(g, l, d);
        t->known[d] = width ? lds_extent(g, l, d, width) : 0;
    }
    fill(g, t);
}

static void load_layers(blk_gen *g, const int *plane) {
    lds_state *s = g->state;
    size_t before = s->ntiles;
    lds_sizes sizes;
    lds_find_sizes(g, &sizes);
    int64_t at = s->turns % lds_buffers(g) * (sizes.all / lds_buffers(g));
    for (size_t i = 0; i < g->s->ngrids; i++) {
        blk_layer l;
        if (!blk_layer_find(g, (int32_t)i, plane, &l))
            continue;
        if (l.shared)
            add_tile(g, &l, at, sizes.all);
        else
            blk_layer_free(&l);
        at += sizes.grid[i];
    }
    if (s->ntiles == before)
        return;
    s->turns++;
    tg_barrier(g->e.b);
}

static void begin(blk_gen *g) {
    g->state = calloc(1, sizeof(lds_state));
    if (!lds_by_planes(g))
        load_layers(g, NULL);
}

static void arrive(blk_gen *g, int plane) {
    if (lds_by_planes(g))
        load_layers(g, &plane);
}

static const lds_tile *find_tile(const blk_gen *g, const blk_tap *tap) {
    const lds_state *s = g->state;
    for (size_t i = 0; i < s->ntiles; i++)
        if (blk_layer_has(g, &s->tiles[i].layer, tap))
            return &s->tiles[i];
    return NULL;
}

static LLVMValueRef tap(blk_gen *g, const blk_tap *tap) {
    const lds_tile *t = find_tile(g, tap);
    LLVMValueRef at[ST_MAX_RANK];
    if (!t)
        return blk_load_own(g, tap);
    for (int d = 0; d < g->s->rank; d++) {
        const blk_axis *a = &g->axes[d];
        at[d] = a->thread;
        if (!lds_is_sliced(g, &t->layer, d))
            at[d] = gen_add32(&g->e, gen_times32(&g->e, a->thread, a->cells),
                              tap->offset[d] - t->layer.least[d]);
    }
    st_type type = g->s->grids[tap->grid].type;
    LLVMValueRef p = in_scratchpad(g, t, number_of(g, t, at));
    return gen_load(&g->e, gen_type(&g->e, type), p, st_type_size(type));
}

static void end(blk_gen *g) {
    lds_state *s = g->state;
    for (size_t i = 0; i < s->ntiles; i++)
        blk_layer_free(&s->tiles[i].layer);
    free(s->tiles);
    free(s);
    g->state = NULL;
}

const blk_source blk_lds = {.name = "lds",
                            .scope = BLK_BLOCK,
                            .check = lds_check,
                            .begin = begin,
                            .arrive = arrive,
                            .tap = tap,
                            .end = end};
