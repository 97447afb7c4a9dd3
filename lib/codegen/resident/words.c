/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the blocks of a resident kernel exchange after each round: the cells that other blocks need,
 * in words of 16 bytes that contain the round's number. A thread waits only for its own words.
 * There is no flag and no fence.
 *
 * Why this is right, in the terms of the PTX ISA's memory consistency model:
 *   - A word is stored and loaded as a whole (.b128, relaxed, device scope: both are morally
 * strong). So a load returns all of one store, or all of what was there before. If the number in
 * the word is that of the round, then the cells are too. Nothing else of the other block is read,
 * so no order between different words is needed.
 *   - Numbers are not used twice: each launch begins behind the last one's numbers, and the memory
 * is cleared before the first launch.
 *   - Words of round k replace those of round k - 2. By then nobody needs the old words. A block
 *     stores words of round k after a barrier behind its loads of round k - 1. The neighbour stored
 *     the words of round k - 1 after a barrier behind its own loads of round k - 2. These loads had
 *     returned the words that they waited for. So no load can see a store that waits for this load.
 *     If one block is another's neighbour, the other is also the neighbour of the first, because
 *     margins are equally deep at both ends.
 *   - Blocks whose tiles have no margins exchange after each step. Then the barriers around the
 *     step's reads of scratchpad are those that the argument needs, and two blocks are neighbours
 *     if one tile's face is the other's end.
 *   - If a word were missed, the thread would wait for a number that never comes, and give up. No
 *     wrong cell would be taken.
 * The launch runs all its blocks at once, so each word comes. A thread that has looked for a word
 * too often gives up. It leaves a mark, which the runtime reads.
 */
#include "codegen/resident/resident.h"

#include "model/number.h"

enum {
    WORD = 16,      /* bytes */
    PARTS = 4,      /* i32 of them, the last of which is the round's number */
    AT_ONCE = 16,   /* words that a thread waits for at a time, .. */
    FEW_AT_ONCE = 8 /* ..if it has many cells */
};

static LLVMValueRef mul(rs_kernel *t, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildMul(t->g.e.b, a, b, "");
}

static LLVMValueRef add(rs_kernel *t, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAdd(t->g.e.b, a, b, "");
}

/* Rows, planes or groups of cells of the whole launch along d, `own` of them a block's. */
static LLVMValueRef all_along(rs_kernel *t, int d, LLVMValueRef own, int tile) {
    LLVMValueRef others = gen_add32(&t->g.e, t->blocks[d], -1);
    return gen_add32(&t->g.e, mul(t, others, own), tile);
}

/* The thread's first row, plane or group along d, among those of the whole launch. */
static LLVMValueRef place_along(rs_kernel *t, int d, LLVMValueRef own, LLVMValueRef in_tile) {
    return add(t, mul(t, t->block[d], own), in_tile);
}

/* Rows that follow one another along y or z, or a lane's cells along x, which are all where one of
 * them is. i32, a bit each, the first one's lowest. */
typedef struct places {
    LLVMValueRef own, near, wanted;
} places;

/* Without margins: rows that another block's tile is next to. */
static LLVMValueRef at_faces(rs_kernel *t, int d, LLVMValueRef at, int count) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef none = gen_int32(&t->g.e, 0), last = gen_add32(&t->g.e, t->blocks[d], -1);
    LLVMValueRef inner = gen_add32(&t->g.e, t->own[d], -t->reach[d]);
    LLVMValueRef low = rs_below(t, at, gen_int32(&t->g.e, t->reach[d]), count);
    LLVMValueRef high = LLVMBuildNot(b, rs_below(t, at, inner, count), "");
    low = LLVMBuildSelect(b, gen_less(&t->g.e, none, t->block[d]), low, none, "");
    high = LLVMBuildSelect(b, gen_less(&t->g.e, t->block[d], last), high, none, "");
    return LLVMBuildOr(b, low, high, "");
}

/* Of the block's own rows, those near one of their ends. Bits of others, and those behind the last
 * row's, may be set as well. */
static LLVMValueRef near_ends(rs_kernel *t, int d, LLVMValueRef at, int count) {
    LLVMBuilderRef b = t->g.e.b;
    if (t->faces)
        return at_faces(t, d, at, count);
    LLVMValueRef alone = LLVMBuildICmp(b, LLVMIntEQ, t->blocks[d], gen_int32(&t->g.e, 1), "");
    LLVMValueRef both = add(t, t->margin[d], t->margin[d]);
    LLVMValueRef near = LLVMBuildNot(b, rs_between(t, at, both, t->own[d], count), "");
    return LLVMBuildSelect(b, alone, gen_int32(&t->g.e, 0), near, "");
}

/* `count` rows along d, each `wide` cells wide. Those that lie in the domain or among the block's
 * own cells in part count. */
static places look_along(rs_kernel *t, int d, int count, int wide) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef at = t->in_tile[d], least = gen_int32(&t->g.e, 1 - wide);
    LLVMValueRef end = add(t, t->margin[d], t->own[d]);
    LLVMValueRef in_domain = rs_between(t, t->first[d], least, t->extent[d], count);
    LLVMValueRef own = rs_between(t, at, add(t, t->margin[d], least), end, count);
    LLVMValueRef in_tile = rs_below(t, at, add(t, end, t->margin[d]), count);
    return (places){.own = LLVMBuildAnd(b, own, in_domain, ""),
                    .near = near_ends(t, d, at, count),
                    .wanted = LLVMBuildAnd(b, in_tile, in_domain, "")};
}

/* The same for all rows of the thread. */
static places look_at_rows(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    const places y = look_along(t, 1, t->RY, 1);
    places all = {rs_of_rows(t, y.own), rs_of_rows(t, y.near), rs_of_rows(t, y.wanted)};
    if (t->g.s->rank < 3)
        return all;
    const places z = look_along(t, 2, t->RZ, 1);
    all.own = LLVMBuildAnd(b, all.own, rs_of_planes(t, z.own), "");
    all.near = LLVMBuildOr(b, all.near, rs_of_planes(t, z.near), "");
    all.wanted = LLVMBuildAnd(b, all.wanted, rs_of_planes(t, z.wanted), "");
    return all;
}

static void choose_words(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef none = gen_int32(&t->g.e, 0);
    const places x = look_along(t, 0, 1, t->V), rows = look_at_rows(t);
    LLVMValueRef own = LLVMBuildSelect(b, rs_bit(t, x.own, 0), rows.own, none, "");
    LLVMValueRef wanted = LLVMBuildSelect(b, rs_bit(t, x.wanted, 0), rows.wanted, none, "");
    LLVMValueRef sent = LLVMBuildAnd(b, own, rows.near, "");
    t->to_send = LLVMBuildSelect(b, rs_bit(t, x.near, 0), own, sent, "");
    t->to_receive = LLVMBuildAnd(b, wanted, LLVMBuildNot(b, own, ""), "");
}

/* Where there are several blocks along x, what each owns and its margins are whole lanes. */
void rs_place_words(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    bool deep = t->g.s->rank == 3;
    LLVMValueRef one = gen_int32(&t->g.e, 1), zero = gen_int32(&t->g.e, 0);
    LLVMValueRef groups = LLVMBuildUDiv(b, t->own[0], gen_int32(&t->g.e, t->V), "");
    LLVMValueRef columns = all_along(t, 0, groups, t->g.p->lanes);
    LLVMValueRef rows = all_along(t, 1, t->own[1], t->NY * t->RY);
    LLVMValueRef planes = deep ? all_along(t, 2, t->own[2], t->NZ * t->RZ) : one;
    LLVMValueRef x = place_along(t, 0, groups, t->g.lane);
    LLVMValueRef y = place_along(t, 1, t->own[1], t->in_tile[1]);
    LLVMValueRef z = deep ? place_along(t, 2, t->own[2], t->in_tile[2]) : zero;
    t->row_bytes = mul(t, gen_extend(&t->g.e, columns), gen_int64(&t->g.e, WORD));
    t->plane_bytes = mul(t, t->row_bytes, gen_extend(&t->g.e, rows));
    t->word_bytes = mul(t, t->plane_bytes, gen_extend(&t->g.e, planes));
    t->here = mul(t, gen_extend(&t->g.e, x), gen_int64(&t->g.e, WORD));
    t->here = add(t, t->here, mul(t, t->row_bytes, gen_extend(&t->g.e, y)));
    t->here = add(t, t->here, mul(t, t->plane_bytes, gen_extend(&t->g.e, z)));
    choose_words(t);
}

/* The word that is so many bytes behind the first one, in this round. Concealed: else the addresses
 * of all words would be kept in registers from round to round. */
static LLVMValueRef word_of_round(rs_kernel *t, LLVMValueRef bytes) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef odd = LLVMBuildAnd(b, rs_get(t, t->round), gen_int32(&t->g.e, 1), "");
    LLVMValueRef half = mul(t, t->word_bytes, gen_int64(&t->g.e, t->words));
    LLVMValueRef at = add(t, bytes, mul(t, half, gen_widen(&t->g.e, odd)));
    LLVMValueRef from = gen_parameter(t->g.function, t->g.p, STENCILRT_ARG_WORDS, 0);
    from = gen_bytes_on(&t->g.e, gen_bytes_on(&t->g.e, from, gen_int64(&t->g.e, STENCILRT_HEADER)),
                        at);
    return t->g.e.target->conceal(b, from);
}

static LLVMValueRef word_at(rs_kernel *t, LLVMValueRef from, int w, int u, int q) {
    LLVMValueRef at = mul(t, t->row_bytes, gen_int64(&t->g.e, u));
    at = add(t, at, mul(t, t->plane_bytes, gen_int64(&t->g.e, w)));
    at = add(t, at, mul(t, t->word_bytes, gen_int64(&t->g.e, q)));
    return gen_bytes_on(&t->g.e, from, at);
}

static LLVMValueRef number_of_round(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef epoch = gen_parameter(t->g.function, t->g.p, STENCILRT_ARG_EPOCH, 0);
    return add(t, LLVMBuildTrunc(b, epoch, gen_i32(&t->g.e), ""), rs_get(t, t->round));
}

/* Cells that are in a word. */
static int cells_of_word(const rs_kernel *t) {
    return st_type_size(t->g.type) <= 4 ? PARTS - 1 : 1;
}

/* Which of the lane's cells is part i of word q; -1: none, the round's number is there. */
static int cell_of_part(const rs_kernel *t, int q, int i) {
    int parts = st_type_size(t->g.type) <= 4 ? 1 : 2, k = q * cells_of_word(t) + i / parts;
    return i < parts * cells_of_word(t) && k < t->group ? k : -1;
}

/* Words */

static void send_word(rs_kernel *t, LLVMValueRef to, LLVMValueRef number, int row, int q) {
    LLVMValueRef parts[PARTS], two[2];
    for (int i = 0; i < PARTS; i++) {
        int k = cell_of_part(t, q, i);
        parts[i] = number;
        if (k < 0)
            continue;
        int count = gen_to_words(&t->g.e, rs_get(t, t->cells[row][k]), two);
        parts[i] = two[count == 2 ? i : 0];
    }
    t->g.e.target->word_store(t->g.e.b, to, parts);
}

void rs_send(rs_kernel *t) {
    LLVMValueRef to = word_of_round(t, t->here), number = number_of_round(t);
    for (int w = 0; w < t->RZ; w++)
        for (int u = 0; u < t->RY; u++) {
            LLVMValueRef sent = rs_bit(t, t->to_send, rs_row(t, w, u));
            LLVMBasicBlockRef after = rs_begin_if(t, sent, "send");
            for (int q = 0; q < t->words; q++)
                send_word(t, word_at(t, to, w, u, q), number, rs_row(t, w, u), q);
            gen_end_if(&t->g.e, after);
        }
}

/* Words that a thread waits for at a time: those of some rows, of its own or around the tile. */
typedef struct batch {
    rs_kernel *t;
    LLVMValueRef from, number;
    LLVMValueRef wanted;                /* i32, a bit for each row */
    LLVMValueRef half;                  /* of scratchpad, for rows around the tile; else NULL */
    rs_put *put;                        /* .. puts a row there */
    int first, count;                   /* rows */
    LLVMValueRef parts[AT_ONCE][PARTS]; /* variables */
} batch;

static LLVMValueRef *parts_of(batch *p, int row, int q) {
    return p->parts[(row - p->first) * p->t->words + q];
}

/* A word that is not wanted looks as if it were here. */
static void begin_batch(batch *p) {
    rs_kernel *t = p->t;
    LLVMBuilderRef b = t->g.e.b;
    for (int row = p->first; row < p->first + p->count; row++) {
        LLVMValueRef wanted = rs_bit(t, p->wanted, row);
        LLVMValueRef less = LLVMBuildZExt(b, wanted, gen_i32(&t->g.e), "");
        LLVMValueRef missing = LLVMBuildSub(b, p->number, less, "");
        for (int q = 0; q < t->words; q++)
            for (int i = 0; i < PARTS; i++)
                parts_of(p, row, q)[i] =
                    rs_variable(t, gen_i32(&t->g.e), i == PARTS - 1 ? missing : p->number);
    }
}

static LLVMValueRef word_of_batch(batch *p, int row, int q) {
    rs_kernel *t = p->t;
    int w = row / t->RY;
    if (!p->half)
        return word_at(t, p->from, w, row - w * t->RY, q);
    LLVMValueRef at = mul(t, t->word_bytes, gen_int64(&t->g.e, q));
    return gen_bytes_on(&t->g.e, p->from, add(t, at, t->face_from[row]));
}

/* Loads the word if it is not here. Is it now? */
static LLVMValueRef look_for(batch *p, int row, int q) {
    rs_kernel *t = p->t;
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef v[PARTS], all[PARTS];
    int count = 0;
    for (int i = 0; i < PARTS; i++)
        v[i] = rs_get(t, parts_of(p, row, q)[i]);
    LLVMValueRef missing = LLVMBuildICmp(b, LLVMIntNE, v[PARTS - 1], p->number, "");
    missing = LLVMBuildZExt(b, missing, gen_i32(&t->g.e), "");
    t->g.e.target->word_load(b, word_of_batch(p, row, q), v, missing);
    for (int i = 0; i < PARTS; i++) {
        rs_set(t, parts_of(p, row, q)[i], v[i]);
        if (cell_of_part(t, q, i) < 0)
            all[count++] = LLVMBuildICmp(b, LLVMIntEQ, v[i], p->number, "");
    }
    return rs_all(t, all, count);
}

/* Looks for all words of the batch. i1: are all here? */
static LLVMValueRef look_for_all(batch *p) {
    LLVMValueRef here = NULL;
    for (int row = p->first; row < p->first + p->count; row++)
        for (int q = 0; q < p->t->words; q++) {
            LLVMValueRef both[] = {here, look_for(p, row, q)};
            here = here ? rs_all(p->t, both, 2) : both[1];
        }
    return here;
}

/* Looks until all words are here, or the thread has looked too often. Returns whether all are
 * here. */
static LLVMValueRef wait_for_all(batch *p) {
    rs_kernel *t = p->t;
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef look = gen_add_block(t->g.function, "look"),
                      looked = gen_add_block(t->g.function, "looked");
    LLVMValueRef looks = rs_variable(t, gen_i32(&t->g.e), gen_int32(&t->g.e, 0));
    LLVMBuildBr(b, look);
    LLVMPositionBuilderAtEnd(b, look);
    LLVMValueRef here = look_for_all(p), count = gen_add32(&t->g.e, rs_get(t, looks), 1);
    rs_set(t, looks, count);
    LLVMValueRef goes_on = gen_less(&t->g.e, count, rs_get(t, t->patience));
    goes_on = LLVMBuildAnd(b, goes_on, LLVMBuildNot(b, here, ""), "");
    LLVMBuildCondBr(b, goes_on, look, looked);
    LLVMPositionBuilderAtEnd(b, looked);
    return here;
}

/* All later words are taken as they are; the runtime finds the header's first word. */
static void give_up(rs_kernel *t, LLVMValueRef here) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef after = rs_begin_if(t, LLVMBuildNot(b, here, ""), "give.up");
    LLVMValueRef header = gen_parameter(t->g.function, t->g.p, STENCILRT_ARG_WORDS, 0);
    LLVMValueRef store = LLVMBuildStore(b, gen_int32(&t->g.e, 1), header);
    LLVMSetVolatile(store, true);
    rs_set(t, t->patience, gen_int32(&t->g.e, 0));
    gen_end_if(&t->g.e, after);
}

static LLVMValueRef received(batch *p, int row, int q, int i) {
    rs_kernel *t = p->t;
    LLVMValueRef two[2] = {rs_get(t, parts_of(p, row, q)[i]), NULL};
    if (st_type_size(t->g.type) == 8)
        two[1] = rs_get(t, parts_of(p, row, q)[i + 1]);
    return gen_from_words(&t->g.e, t->g.element, two);
}

static void take_cell(batch *p, int row, int q, int i, int k) {
    rs_kernel *t = p->t;
    LLVMValueRef new = received(p, row, q, i);
    LLVMValueRef wanted = rs_bit(t, t->to_receive, row);
    LLVMValueRef old = rs_get(t, t->cells[row][k]);
    rs_set(t, t->cells[row][k], LLVMBuildSelect(t->g.e.b, wanted, new, old, ""));
}

/* Puts the rows that have come into scratchpad. */
static void take_faces(batch *p) {
    rs_kernel *t = p->t;
    int step = st_type_size(t->g.type) <= 4 ? 1 : 2;
    for (int row = p->first; row < p->first + p->count; row++) {
        LLVMValueRef cells[RS_CELLS];
        LLVMBasicBlockRef after = rs_begin_if(t, rs_bit(t, p->wanted, row), "take");
        for (int q = 0; q < t->words; q++)
            for (int i = 0; i < PARTS && cell_of_part(t, q, i) >= 0; i += step)
                cells[cell_of_part(t, q, i)] = received(p, row, q, i);
        p->put(t, p->half, row, cells);
        gen_end_if(&t->g.e, after);
    }
}

static void take_all(batch *p) {
    rs_kernel *t = p->t;
    int step = st_type_size(t->g.type) <= 4 ? 1 : 2;
    for (int row = p->first; row < p->first + p->count; row++)
        for (int q = 0; q < t->words; q++)
            for (int i = 0; i < PARTS && cell_of_part(t, q, i) >= 0; i += step)
                take_cell(p, row, q, i, cell_of_part(t, q, i));
}

static void receive_batch(batch *p) {
    rs_kernel *t = p->t;
    LLVMBuilderRef b = t->g.e.b;
    uint32_t bits = (uint32_t)(((1ull << p->count) - 1) << p->first);
    LLVMValueRef none = gen_int32(&t->g.e, 0);
    LLVMValueRef some = LLVMBuildAnd(b, p->wanted, gen_int32(&t->g.e, (int32_t)bits), "");
    LLVMBasicBlockRef after =
        rs_begin_if(t, LLVMBuildICmp(b, LLVMIntNE, some, none, ""), "receive");
    begin_batch(p);
    give_up(t, wait_for_all(p));
    if (p->half)
        take_faces(p);
    else
        take_all(p);
    gen_end_if(&t->g.e, after);
}

void rs_receive(rs_kernel *t) {
    int rows = t->RY * t->RZ, most = rows * t->group > t->many ? FEW_AT_ONCE : AT_ONCE;
    int at_once = most / t->words > 0 ? most / t->words : 1;
    batch p = {.t = t,
               .from = word_of_round(t, t->here),
               .number = number_of_round(t),
               .wanted = t->to_receive};
    for (p.first = 0; p.first < rows; p.first += at_once) {
        p.count = rows - p.first < at_once ? rows - p.first : at_once;
        receive_batch(&p);
    }
    t->g.e.target->sync_warp(t->g.e.b);
}

/* The same for tiles without margins: the rows around the tile go to a half of scratchpad. */
void rs_receive_faces(rs_kernel *t, LLVMValueRef half, int rows, rs_put *put) {
    int at_once = (int)st_max(AT_ONCE / t->words, 1);
    batch p = {.t = t,
               .from = word_of_round(t, gen_int64(&t->g.e, 0)),
               .number = number_of_round(t),
               .wanted = t->faces_wanted,
               .half = half,
               .put = put};
    for (p.first = 0; p.first < rows; p.first += at_once) {
        p.count = rows - p.first < at_once ? rows - p.first : at_once;
        receive_batch(&p);
    }
    t->g.e.target->sync_warp(t->g.e.b);
}
