/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbours from the registers of the wave's lanes, in one of two forms.
 *
 * Cyclic: a tile is spread over the lanes' registers (lib/plan/time/wave.h), and every neighbour is
 * an exchange. With 2.5-D blocking the tile is that of one plane if the wave lies in one plane;
 * otherwise all that the wave reads.
 *
 * By rows, a simpler form for a wave along x. Each lane loads its own cell of a row. The outermost
 * cells that neighbours need are loaded beside it, in a second register. The lane that loads such a
 * cell is the one that would have it if the row continued around the wave: cell 32 is in lane 0,
 * cell -1 in lane 31. So a neighbour is one exchange. Before it each lane chooses whether its own
 * cell or the other one is asked for. If no neighbour is further than one cell away, the outermost
 * lanes load the cells that they need themselves (cell -1 by lane 0), and an exchange is a shift by
 * one.
 */
#include "codegen/block/layer.h"
#include "plan/time/wave.h"

#include <stdlib.h>

enum { MAX_REGISTERS = ST_LIMIT(64, 8) }; /* of a tile */

/* Cells of a row are counted from `shift`. It is 0, or where all neighbours lie to one side, the
 * nearest of them, so that no cell is loaded that nobody reads. */
typedef struct reg_row {
    int32_t grid;
    int32_t offset[ST_MAX_RANK]; /* but x */
    int shift, low, high;        /* low <= 0 <= high: of neighbours, from shift */
    LLVMValueRef own, side;
} reg_row;

typedef struct reg_tile {
    blk_layer layer;
    wave_tile tile;
    LLVMValueRef registers[MAX_REGISTERS];
} reg_tile;

typedef struct reg_state {
    int lanes;
    LLVMValueRef lane;
    LLVMValueRef corner[ST_MAX_RANK]; /* i64: the wave's first cell */
    reg_row *rows;
    size_t nrows;
    reg_tile *tiles;
    size_t ntiles;
} reg_state;

static int lanes_of(const blk_gen *g) {
    return g->axes[0].wave * g->axes[1].wave * g->axes[2].wave;
}

static bool by_rows(const blk_gen *g) {
    return g->p->load == BLK_BRANCH;
}

/* Has each plane its own tile? */
static bool by_planes(const blk_gen *g) {
    return g->s->rank > 1 && g->axes[g->p->dim].wave == 1 &&
           (g->p->blocking == BLK_25D || by_rows(g));
}

/* Launches */

static wave_shape shape_of(const blk_gen *g, const blk_layer *l) {
    wave_shape s;
    for (int d = 0; d < ST_MAX_RANK; d++) {
        s.dims[d] = d < g->s->rank ? g->axes[d].wave : 1;
        s.pitch[d] = d < g->s->rank ? g->axes[d].cells : 1;
        s.least[d] = l->least[d];
        s.most[d] = l->most[d];
    }
    return s;
}

static bool tiles_fit(blk_gen *g) {
    for (size_t i = 0; i < g->s->ngrids && !by_rows(g); i++) {
        blk_layer l;
        wave_tile t;
        if (!blk_layer_find(g, (int32_t)i, NULL, &l))
            continue;
        if (by_planes(g))
            l.least[g->p->dim] = l.most[g->p->dim] = 0;
        wave_shape s = shape_of(g, &l);
        bool fits = wave_distribute(&s, &t) && t.registers <= MAX_REGISTERS;
        blk_layer_free(&l);
        if (!fits)
            return blk_refuse(g, "a wave's tile takes too many registers");
    }
    return true;
}

/* Requires that the block consists of whole waves with `each` lanes along d. */
static LLVMValueRef whole_waves(blk_gen *g, LLVMValueRef all, int d, int each) {
    g->axes[d].wave = each;
    LLVMValueRef rest = LLVMBuildURem(g->e.b, g->axes[d].width, gen_int32(&g->e, each), "");
    LLVMValueRef whole = LLVMBuildICmp(g->e.b, LLVMIntEQ, rest, gen_int32(&g->e, 0), "");
    return all ? LLVMBuildAnd(g->e.b, all, whole, "") : whole;
}

/* The lanes of the largest group, if the block is known to consist of whole groups. */
static int choose_lanes(const blk_gen *g, int d, int along_x) {
    int most = tg_group(g->function), each = most / along_x;
    int64_t width = g->axes[d].known_width;
    return width && width % each == 0 ? most : 32;
}

static bool check(blk_gen *g, LLVMValueRef *suits) {
    enum { SIDE = 8 }; /* lanes along x of a wave of two dimensions: 8x4 or 8x8, section 5.1 */
    bool flat = g->p->wave != 2;
    for (int d = 0; d < ST_MAX_RANK; d++)
        g->axes[d].wave = 1;
    if (g->axes[0].launch_dim != 0 || (!flat && (g->s->rank < 2 || g->axes[1].launch_dim != 1)))
        return blk_refuse(g, "a wave's lanes do not lie along x");
    if (by_rows(g) && (!flat || g->axes[0].cells > 1))
        return blk_refuse(g, "a wave that loads by rows lies along x, with one cell a lane there");
    g->alone = !blk_layers_clamp(g);
    if (flat) {
        *suits = whole_waves(g, NULL, 0, choose_lanes(g, 0, 1));
    } else {
        int lanes = choose_lanes(g, 1, SIDE);
        *suits = whole_waves(g, whole_waves(g, NULL, 0, SIDE), 1, lanes / SIDE);
    }
    return tiles_fit(g);
}

/* Waves of two dimensions take turns along x, then along y. */
static void renumber(blk_gen *g) {
    LLVMBuilderRef b = g->e.b;
    blk_axis *x = &g->axes[0], *y = &g->axes[1];
    LLVMValueRef lane = tg_lane(b, lanes_of(g)), side = gen_int32(&g->e, x->wave);
    for (int d = 0; d < ST_MAX_RANK; d++)
        g->axes[d].lane = gen_int32(&g->e, 0);
    x->lane = lane;
    if (g->p->wave != 2)
        return;
    x->lane = LLVMBuildURem(b, lane, side, "");
    y->lane = LLVMBuildUDiv(b, lane, side, "");
    LLVMValueRef thread = LLVMBuildMul(b, y->thread, x->width, "");
    thread = LLVMBuildAdd(b, thread, x->thread, "");
    LLVMValueRef wave = LLVMBuildUDiv(b, thread, gen_int32(&g->e, lanes_of(g)), "");
    LLVMValueRef row = LLVMBuildUDiv(b, x->width, side, "");
    LLVMValueRef none = LLVMBuildICmp(b, LLVMIntEQ, row, gen_int32(&g->e, 0), ""); /* unsuited */
    row = LLVMBuildSelect(b, none, gen_int32(&g->e, 1), row, "");
    x->thread = gen_times32(&g->e, LLVMBuildURem(b, wave, row, ""), x->wave);
    x->thread = LLVMBuildAdd(b, x->thread, x->lane, "");
    y->thread = gen_times32(&g->e, LLVMBuildUDiv(b, wave, row, ""), y->wave);
    y->thread = LLVMBuildAdd(b, y->thread, y->lane, "");
}

static void begin_state(blk_gen *g) {
    reg_state *s = g->state = calloc(1, sizeof *s);
    s->lanes = lanes_of(g);
    s->lane = tg_lane(g->e.b, s->lanes);
    for (int d = 0; d < g->s->rank; d++) {
        LLVMValueRef back = gen_widen(&g->e, gen_times32(&g->e, g->axes[d].lane, g->axes[d].cells));
        s->corner[d] = LLVMBuildSub(g->e.b, g->axes[d].first, back, "");
    }
}

static void end(blk_gen *g) {
    reg_state *s = g->state;
    for (size_t i = 0; i < s->ntiles; i++)
        blk_layer_free(&s->tiles[i].layer);
    free(s->tiles);
    free(s->rows);
    free(s);
    g->state = NULL;
}

/* Exchange */

static LLVMValueRef exchange(blk_gen *g, LLVMValueRef v, LLVMValueRef from, int lanes) {
    LLVMValueRef words[2];
    int count = gen_to_words(&g->e, v, words);
    for (int i = 0; i < count; i++)
        words[i] = tg_exchange(g->e.b, words[i], from, lanes);
    return gen_from_words(&g->e, LLVMTypeOf(v), words);
}

static LLVMValueRef shift(blk_gen *g, LLVMValueRef v, LLVMValueRef edge, int step, int lanes) {
    LLVMValueRef words[2], edges[2];
    int count = gen_to_words(&g->e, v, words);
    gen_to_words(&g->e, edge, edges);
    for (int i = 0; i < count; i++)
        words[i] = tg_shift(g->e.b, words[i], edges[i], step, lanes);
    return gen_from_words(&g->e, LLVMTypeOf(v), words);
}

static LLVMValueRef lane_compare(blk_gen *g, LLVMIntPredicate p, int with) {
    const reg_state *s = g->state;
    return LLVMBuildICmp(g->e.b, p, s->lane, gen_int32(&g->e, with), "");
}

/* Rows */

static bool in_row(const blk_tap *t, const reg_row *r) {
    return t->grid == r->grid && t->offset[1] == r->offset[1] && t->offset[2] == r->offset[2];
}

static const reg_row *find_row(const reg_state *s, const blk_tap *t) {
    for (size_t i = 0; i < s->nrows; i++)
        if (in_row(t, &s->rows[i]))
            return &s->rows[i];
    return NULL;
}

static bool is_near(const reg_row *r) {
    return r->low >= -1 && r->high <= 1;
}

/* Which lanes load a second cell, and how far from their own. */
static LLVMValueRef find_side(blk_gen *g, const reg_row *r, LLVMValueRef *distance) {
    const reg_state *s = g->state;
    int right =
        is_near(r) ? s->lanes - 1
                   : r->high - 1; /* the last lane that loads to the right, the first to the left */
    int left = is_near(r) ? 0 : s->lanes + r->low;
    int far = is_near(r) ? 1 : s->lanes;
    LLVMValueRef is_right =
        is_near(r) ? lane_compare(g, LLVMIntEQ, right) : lane_compare(g, LLVMIntSLE, right);
    LLVMValueRef is_left =
        is_near(r) ? lane_compare(g, LLVMIntEQ, left) : lane_compare(g, LLVMIntSGE, left);
    *distance =
        LLVMBuildSelect(g->e.b, is_right, gen_int64(&g->e, far), gen_int64(&g->e, -far), "");
    if (!r->low || !r->high) {
        *distance = gen_int64(&g->e, r->high ? far : -far);
        return r->high ? is_right : is_left;
    }
    return LLVMBuildOr(g->e.b, is_left, is_right, "");
}

/* `distance`: of cells along x from the lane's own, i64; NULL: none. */
static LLVMValueRef row_address(blk_gen *g, const reg_row *r, LLVMValueRef distance) {
    blk_tap own = {.grid = r->grid, .offset = {r->shift, r->offset[1], r->offset[2]}};
    LLVMValueRef at[ST_MAX_RANK];
    if (g->interior) {
        LLVMValueRef size = gen_int64(&g->e, (int64_t)st_type_size(g->s->grids[r->grid].type));
        LLVMValueRef p = blk_tap_address(g, &own);
        return distance ? blk_bytes(g, p, LLVMBuildMul(g->e.b, distance, size, "")) : p;
    }
    for (int d = 0; d < g->s->rank; d++)
        at[d] = blk_plus(g, g->axes[d].first, own.offset[d]);
    at[0] = distance ? blk_add(g, at[0], distance) : at[0];
    return blk_address_at(g, r->grid, at, false);
}

static void load_row(blk_gen *g, reg_row *r) {
    LLVMValueRef distance;
    r->own = blk_load_cell(g, r->grid, row_address(g, r, NULL));
    if (!r->low && !r->high)
        return;
    LLVMValueRef has = find_side(g, r, &distance);
    r->side = blk_load_if(g, r->grid, row_address(g, r, distance), has);
}

static void add_row(blk_gen *g, const blk_layer *l, const blk_tap *t) {
    reg_state *s = g->state;
    reg_row r = {.grid = t->grid, .offset = {0, t->offset[1], t->offset[2]}};
    r.low = r.high = t->offset[0];
    for (size_t i = 0; i < l->ntaps; i++) {
        if (!in_row(&l->taps[i], &r))
            continue;
        r.low = l->taps[i].offset[0] < r.low ? l->taps[i].offset[0] : r.low;
        r.high = l->taps[i].offset[0] > r.high ? l->taps[i].offset[0] : r.high;
    }
    r.shift = r.low > 0 ? r.low : r.high < 0 ? r.high : 0;
    r.low -= r.shift;
    r.high -= r.shift;
    load_row(g, &r);
    s->rows = realloc(s->rows, (s->nrows + 1) * sizeof r);
    s->rows[s->nrows++] = r;
}

static void load_rows(blk_gen *g, const blk_layer *l) {
    for (size_t i = 0; i < l->ntaps; i++)
        if (!find_row(g->state, &l->taps[i]))
            add_row(g, l, &l->taps[i]);
}

static LLVMValueRef row_tap(blk_gen *g, const reg_row *r, const blk_tap *t) {
    const reg_state *s = g->state;
    int distance = t->offset[0] - r->shift;
    if (distance == 0)
        return r->own;
    if (is_near(r))
        return shift(g, r->own, r->side, distance, s->lanes);
    bool right = distance > 0;
    LLVMValueRef asked =
        lane_compare(g, right ? LLVMIntSLT : LLVMIntSGE, right ? distance : s->lanes + distance);
    LLVMValueRef v = LLVMBuildSelect(g->e.b, asked, r->side, r->own, "");
    return exchange(g, v, gen_add32(&g->e, s->lane, right ? distance : s->lanes + distance),
                    s->lanes);
}

/* Tiles */

/* By register, the lanes whose cell some lane reads: not the corners, if taps make a star. */
static void find_needed(const reg_tile *t, uint64_t needed[MAX_REGISTERS]) {
    for (int i = 0; i < MAX_REGISTERS; i++)
        needed[i] = 0;
    for (size_t i = 0; i < t->layer.ntaps; i++) {
        wave_fetch f;
        wave_find(&t->tile, t->layer.taps[i].offset, &f);
        for (int lane = 0; lane < t->tile.lanes; lane++)
            needed[wave_register(&f, lane)] |= 1ull << wave_friend(&t->tile, &f, lane);
    }
}

static LLVMValueRef is_needed(blk_gen *g, uint64_t mask) {
    const reg_state *s = g->state;
    uint64_t all = s->lanes == 64 ? ~0ull : (1ull << s->lanes) - 1;
    if (mask == all)
        return NULL;
    if (!(mask & (mask + 1))) /* the first lanes */
        return lane_compare(g, LLVMIntULT, __builtin_popcountll(mask));
    LLVMTypeRef type = LLVMIntTypeInContext(g->e.context, (unsigned)s->lanes);
    LLVMValueRef lane = LLVMBuildZExtOrBitCast(g->e.b, s->lane, type, "");
    LLVMValueRef bit = LLVMBuildLShr(g->e.b, LLVMConstInt(type, mask, false), lane, "");
    return LLVMBuildTrunc(g->e.b, bit, LLVMInt1TypeInContext(g->e.context), "");
}

static LLVMValueRef load_register(blk_gen *g, const reg_tile *t, int reg, uint64_t needed) {
    const reg_state *s = g->state;
    LLVMValueRef rest = gen_add32(&g->e, s->lane, reg * s->lanes), at[ST_MAX_RANK];
    for (int d = 0; d < g->s->rank; d++) {
        LLVMValueRef extent = gen_int32(&g->e, t->tile.extent[d]);
        LLVMValueRef cell = d < g->s->rank - 1 ? LLVMBuildURem(g->e.b, rest, extent, "") : rest;
        rest = LLVMBuildUDiv(g->e.b, rest, extent, "");
        at[d] = blk_add(g, s->corner[d], gen_widen(&g->e, cell));
        at[d] = blk_plus(g, at[d], t->layer.least[d]);
    }
    LLVMValueRef address = blk_address_at(g, t->layer.grid, at, false);
    return blk_load_if(g, t->layer.grid, address, is_needed(g, needed));
}

/* Takes over the layer. */
static void load_tile(blk_gen *g, const blk_layer *l) {
    reg_state *s = g->state;
    s->tiles = realloc(s->tiles, (s->ntiles + 1) * sizeof *s->tiles);
    reg_tile *t = &s->tiles[s->ntiles++];
    t->layer = *l;
    wave_shape shape = shape_of(g, l);
    wave_distribute(&shape, &t->tile);
    uint64_t needed[MAX_REGISTERS];
    find_needed(t, needed);
    for (int i = 0; i < t->tile.registers; i++)
        t->registers[i] = needed[i] ? load_register(g, t, i, needed[i]) : NULL;
}

static const reg_tile *find_tile(const blk_gen *g, const blk_tap *tap) {
    const reg_state *s = g->state;
    for (size_t i = 0; i < s->ntiles; i++)
        if (blk_layer_has(g, &s->tiles[i].layer, tap))
            return &s->tiles[i];
    return NULL;
}

/* i32; NULL: each lane is its own friend. */
static LLVMValueRef friend_lane(blk_gen *g, const wave_tile *t, const wave_fetch *f) {
    const reg_state *s = g->state;
    bool own = true;
    for (int lane = 0; lane < t->lanes; lane++)
        own &= wave_friend(t, f, lane) == lane;
    if (own)
        return NULL;
    LLVMValueRef sum = gen_int32(&g->e, f->friend), number = s->lane;
    for (int d = 0; d < ST_MAX_RANK; d++) {
        if (t->step[d] % t->lanes)
            sum = LLVMBuildAdd(g->e.b, sum, gen_times32(&g->e, number, t->step[d] % t->lanes), "");
        number = LLVMBuildUDiv(g->e.b, number, gen_int32(&g->e, t->shape.dims[d]), "");
    }
    return sum;
}

/* Selects from `by[i / each]`, where i is the number of the register that the lane reads. */
static LLVMValueRef by_cuts(blk_gen *g, const wave_fetch *f, LLVMValueRef const by[], int each) {
    LLVMValueRef v = by[0];
    for (int i = each; i < f->count; i += each) {
        LLVMValueRef later = lane_compare(g, LLVMIntSGE, f->cuts[i]);
        v = LLVMBuildSelect(g->e.b, later, by[i / each], v, "");
    }
    return v;
}

/* Cells of 8 and 16 bits go four and two to a word. */
static LLVMValueRef exchange_packed(blk_gen *g, const reg_tile *t, const wave_fetch *f,
                                    LLVMValueRef from, int bits) {
    LLVMValueRef words[WAVE_MAX_LANES], amounts[WAVE_MAX_LANES] = {NULL}, one[2] = {NULL};
    LLVMTypeRef type = LLVMTypeOf(t->registers[f->registers[0]]);
    int each = 32 / bits;
    for (int i = 0; i < f->count; i++) {
        LLVMValueRef word, amount = amounts[i] = gen_int32(&g->e, i % each * bits);
        gen_to_words(&g->e, t->registers[f->registers[i]], one);
        word = LLVMBuildShl(g->e.b, one[0], amount, "");
        words[i / each] = i % each ? LLVMBuildOr(g->e.b, words[i / each], word, "") : word;
    }
    for (int i = 0; i <= (f->count - 1) / each; i++)
        words[i] = tg_exchange(g->e.b, words[i], from, t->tile.lanes);
    one[0] = LLVMBuildLShr(g->e.b, by_cuts(g, f, words, each), by_cuts(g, f, amounts, 1), "");
    return gen_from_words(&g->e, type, one);
}

static LLVMValueRef tile_tap(blk_gen *g, const reg_tile *t, const blk_tap *tap) {
    wave_fetch f;
    LLVMValueRef got[WAVE_MAX_LANES] = {NULL};
    int bits = 8 * (int)st_type_size(g->s->grids[tap->grid].type);
    wave_find(&t->tile, tap->offset, &f);
    LLVMValueRef from = friend_lane(g, &t->tile, &f), first = t->registers[f.registers[0]];
    if (!from && f.count == 1)
        return first;
    from = from ? from : ((reg_state *)g->state)->lane;
    if (f.source_cut >= 0) {
        if (f.count > 1)
            first = LLVMBuildSelect(g->e.b, lane_compare(g, LLVMIntSGE, f.source_cut), first,
                                    t->registers[f.registers[1]], "");
        return exchange(g, first, from, t->tile.lanes);
    }
    if (bits < 32)
        return exchange_packed(g, t, &f, from, bits);
    for (int i = 0; i < f.count; i++)
        got[i] = exchange(g, t->registers[f.registers[i]], from, t->tile.lanes);
    return by_cuts(g, &f, got, 1);
}

/* The source */

static void load_layers(blk_gen *g, const int *plane) {
    for (size_t i = 0; i < g->s->ngrids; i++) {
        blk_layer l;
        if (!blk_layer_find(g, (int32_t)i, plane, &l))
            continue;
        if (l.shared && !by_rows(g)) {
            load_tile(g, &l);
            continue;
        }
        if (l.shared)
            load_rows(g, &l);
        blk_layer_free(&l);
    }
}

static void begin(blk_gen *g) {
    begin_state(g);
    if (!by_planes(g))
        load_layers(g, NULL);
}

static void arrive(blk_gen *g, int plane) {
    if (by_planes(g))
        load_layers(g, &plane);
}

static LLVMValueRef tap(blk_gen *g, const blk_tap *t) {
    const reg_tile *tile = find_tile(g, t);
    const reg_row *row = find_row(g->state, t);
    return tile ? tile_tap(g, tile, t) : row ? row_tap(g, row, t) : blk_load_own(g, t);
}

const blk_source blk_reg = {.name = "reg",
                            .scope = BLK_WAVE,
                            .check = check,
                            .renumber = renumber,
                            .begin = begin,
                            .arrive = arrive,
                            .tap = tap,
                            .end = end};
