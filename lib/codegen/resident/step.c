/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One time step of a resident kernel: computes all cells of a thread from those of the step before.
 *
 * Neighbours along x are in the lane's registers, or come by a shuffle. Rows of other warps come
 * from scratchpad. Each warp leaves there the rows that others read: of all its planes the rows at
 * its ends along y, and of its outermost planes along z all other rows. Scratchpad has two halves,
 * for even and odd steps. So one barrier a step is enough.
 */
#include "codegen/resident/resident.h"

#include "model/number.h"
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, REACH = 2 * ST_MAX_RADIUS, DISTANCES = 2 * ST_MAX_RADIUS + 1 };

/* The rows and planes that a thread's cells depend on, its own in the middle. */
enum { ALL_ROWS = RS_ROWS + REACH };

/* What has been computed of a step. */
typedef struct step_memo {
    LLVMValueRef *cells;    /* [row][k]: the step before's */
    LLVMValueRef *shuffled; /* [row][k][distance] */
    LLVMValueRef *values;   /* [node][k]: of the row in hand */
    int w, u;
} step_memo;

typedef struct stepper {
    rs_kernel *t;
    step_memo memo;
} stepper;

static int size_of(const rs_kernel *t) {
    return (int)st_type_size(t->g.type);
}

/* So few that registers are left for what can be computed early? */
static bool has_few_cells(const rs_kernel *t) {
    enum { FEW_BYTES = 80 };
    return t->V * t->RY * t->RZ * size_of(t) <= FEW_BYTES;
}

/* Where rows are in scratchpad */

static int row_bytes(const rs_kernel *t) {
    return LANES * t->V * size_of(t);
}

/* Which of the `given` rows at the two ends is row u of n? -1: none. */
static int at_end(int u, int n, int reach, int given) {
    if (given == n)
        return u;
    return u < reach ? u : u >= n - reach ? u - (n - given) : -1;
}

static int end_y(const rs_kernel *t, int u) {
    return t->given[0] ? at_end(u, t->RY, t->reach[1], t->given[0]) : -1;
}

static int end_z(const rs_kernel *t, int w) {
    return t->given[1] ? at_end(w, t->RZ, t->reach[2], t->given[1]) : -1;
}

/* Rows of a plane, of one warp, that are not at its ends along y. */
static int others(const rs_kernel *t) {
    return t->RY - t->given[0];
}

/* Rows or planes at either end of the tile that are not the block's own. */
static int beyond(const rs_kernel *t, int d) {
    return t->faces ? t->reach[d] : 0;
}

/* Rows at the ends of warps along y, in a plane. */
static int rows_of_plane(const rs_kernel *t) {
    return t->NY * t->given[0] + 2 * beyond(t, 1);
}

static int rows_y(const rs_kernel *t) {
    return (t->NZ * t->RZ + 2 * beyond(t, 2)) * rows_of_plane(t);
}

int rs_scratchpad(const rs_kernel *t) {
    int rows_z = (t->NZ * t->given[1] + 2 * beyond(t, 2)) * t->NY * others(t);
    return (rows_y(t) + rows_z) * row_bytes(t);
}

/* Bytes before a row of those at ends along y, or of the others; planes and rows are counted from
 * the tile's first ones. */
int rs_scratchpad_row(const rs_kernel *t, bool ends, int plane, int row) {
    plane += beyond(t, 2);
    int before = ends ? plane * rows_of_plane(t) + beyond(t, 1) + row
                      : rows_y(t) + plane * t->NY * others(t) + row;
    return before * row_bytes(t);
}

/* The warp's place, moved on. If the tile has margins, there is nothing of use beyond its end, but
 * the own rows are there. */
static LLVMValueRef moved(rs_kernel *t, LLVMValueRef at, int by, int count) {
    LLVMBuilderRef b = t->g.e.b;
    if (by == 0)
        return at;
    if (t->faces)
        return gen_add32(&t->g.e, at, by);
    LLVMValueRef end = gen_int32(&t->g.e, by < 0 ? 0 : count - 1);
    LLVMValueRef is_end = LLVMBuildICmp(b, LLVMIntEQ, at, end, "");
    return LLVMBuildSelect(b, is_end, at, gen_add32(&t->g.e, at, by), "");
}

static LLVMValueRef plus(rs_kernel *t, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAdd(t->g.e.b, a, b, "");
}

/* The first row of a warp among the rows around the tile and in it. */
static void place_rows_between_faces(rs_kernel *t, int dz, int dy) {
    LLVMValueRef wz = moved(t, t->warp[2], dz, t->NZ), wy = moved(t, t->warp[1], dy, t->NY);
    LLVMValueRef lane = gen_times32(&t->g.e, t->g.lane, t->V * size_of(t));
    LLVMValueRef y = plus(t, gen_times32(&t->g.e, wz, t->RZ * rows_of_plane(t)),
                          gen_times32(&t->g.e, wy, t->given[0]));
    LLVMValueRef z = plus(t, gen_times32(&t->g.e, wz, t->given[1] * t->NY * others(t)),
                          gen_times32(&t->g.e, wy, others(t)));
    y = gen_add32(&t->g.e, gen_times32(&t->g.e, y, row_bytes(t)), rs_scratchpad_row(t, true, 0, 0));
    z = gen_add32(&t->g.e, gen_times32(&t->g.e, z, row_bytes(t)),
                  rs_scratchpad_row(t, false, 0, 0));
    t->given_y[dz + 1][dy + 1] = plus(t, y, lane);
    t->given_z[dz + 1][dy + 1] = plus(t, z, lane);
}

static void place_rows_of(rs_kernel *t, int dz, int dy) {
    if (t->faces) {
        place_rows_between_faces(t, dz, dy);
        return;
    }
    LLVMValueRef wz = moved(t, t->warp[2], dz, t->NZ), wy = moved(t, t->warp[1], dy, t->NY);
    LLVMValueRef lane = gen_times32(&t->g.e, t->g.lane, t->V * size_of(t));
    LLVMValueRef y =
        gen_times32(&t->g.e, plus(t, gen_times32(&t->g.e, wz, t->RZ * t->NY), wy), t->given[0]);
    LLVMValueRef z =
        gen_times32(&t->g.e, plus(t, gen_times32(&t->g.e, wz, t->given[1] * t->NY), wy), others(t));
    z = gen_add32(&t->g.e, z, rows_y(t));
    t->given_y[dz + 1][dy + 1] = plus(t, gen_times32(&t->g.e, y, row_bytes(t)), lane);
    t->given_z[dz + 1][dy + 1] = plus(t, gen_times32(&t->g.e, z, row_bytes(t)), lane);
}

void rs_place_rows(rs_kernel *t) {
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            place_rows_of(t, dz, dy);
}

/* Row u of plane w of the warp that is dz and dy further; NULL: nobody gives it. */
static LLVMValueRef place_of(rs_kernel *t, LLVMValueRef half, int dz, int dy, int w, int u) {
    int y = end_y(t, u), z = end_z(t, w), more;
    if (y < 0 && z < 0)
        return NULL;
    if (y >= 0)
        more = w * rows_of_plane(t) + y;
    else
        more = z * t->NY * others(t) + u - t->reach[1] * (t->given[0] > 0);
    LLVMValueRef base = (y >= 0 ? t->given_y : t->given_z)[dz + 1][dy + 1];
    LLVMValueRef at = plus(t, base, half);
    LLVMValueRef offset = gen_int64(&t->g.e, (int64_t)more * row_bytes(t));
    if (t->faces) /* the base may be in front of scratchpad */
        return gen_bytes_on(&t->g.e, t->g.scratchpad, plus(t, gen_extend(&t->g.e, at), offset));
    at = gen_widen(&t->g.e, at);
    return gen_bytes_on(&t->g.e, gen_bytes_on(&t->g.e, t->g.scratchpad, at), offset);
}

/* The largest power of two that divides a lane's bytes of a row. */
unsigned rs_alignment(const rs_kernel *t) {
    int bytes = t->V * size_of(t);
    return (unsigned)st_min(bytes & -bytes, 16);
}

/* `half` is NULL: rows are given later. */
static void give_row(rs_kernel *t, LLVMValueRef half, int w, int u, LLVMValueRef const *cells) {
    LLVMValueRef to = half ? place_of(t, half, 0, 0, w, u) : NULL;
    LLVMTypeRef vector = LLVMVectorType(t->g.element, (unsigned)t->V);
    if (to)
        gen_store(&t->g.e, gen_join(&t->g.e, vector, t->V, cells), to, rs_alignment(t));
}

void rs_give_rows(rs_kernel *t, LLVMValueRef half) {
    LLVMValueRef row[RS_CELLS];
    for (int w = 0; w < t->RZ; w++)
        for (int u = 0; u < t->RY; u++) {
            for (int k = 0; k < t->V; k++)
                row[k] = rs_get(t, t->cells[rs_row(t, w, u)][k]);
            give_row(t, half, w, u, row);
        }
}

/* Cells of the step before */

static int floor_div(int a, int n) {
    return (a + REACH * n) / n - REACH;
}

static void load_row(rs_kernel *t, int w, int u, LLVMValueRef *out) {
    int dz = floor_div(w, t->RZ), dy = floor_div(u, t->RY);
    LLVMValueRef half = rs_get(t, t->parity);
    LLVMValueRef from = place_of(t, half, dz, dy, w - dz * t->RZ, u - dy * t->RY);
    LLVMTypeRef vector = LLVMVectorType(t->g.element, (unsigned)t->V);
    gen_split(&t->g.e, gen_load(&t->g.e, vector, from, rs_alignment(t)), t->V, out);
}

/* The number of a row in the memo. */
static int place_in_memo(const rs_kernel *t, int w, int u) {
    return (w + t->reach[2]) * (t->RY + 2 * t->reach[1]) + u + t->reach[1];
}

static LLVMValueRef own_cell(stepper *p, int w, int u, int k) {
    rs_kernel *t = p->t;
    LLVMValueRef *row = &p->memo.cells[place_in_memo(t, w, u) * t->V];
    bool own = w >= 0 && w < t->RZ && u >= 0 && u < t->RY;
    if (!row[k] && !own)
        load_row(t, w, u, row);
    return row[k];
}

/* Cell k, which may be another lane's. */
static LLVMValueRef cell(stepper *p, int w, int u, int k) {
    rs_kernel *t = p->t;
    int q = floor_div(k, t->V), inner = k - q * t->V;
    int at = place_in_memo(t, w, u) * t->V + inner;
    LLVMValueRef own = own_cell(p, w, u, inner);
    LLVMValueRef *v = &p->memo.shuffled[at * DISTANCES + q + ST_MAX_RADIUS];
    if (q == 0)
        return own;
    if (!*v)
        *v = gen_shuffle(&t->g.e, t->g.type, own, q, LANES);
    return *v;
}

/* Expressions */

static LLVMValueRef value(stepper *p, int32_t number, int k);

/* i64: of cell k of the row in hand. */
static LLVMValueRef coordinate(const stepper *p, int d, int k) {
    const int more[] = {k, p->memo.u, p->memo.w};
    return gen_extend(&p->t->g.e, gen_add32(&p->t->g.e, p->t->first[d], more[d]));
}

static LLVMValueRef compute(stepper *p, int32_t number, int k) {
    const st_stencil *s = p->t->g.s;
    const st_node *n = &s->nodes[number];
    const st_access *a = &s->accesses[n->op == ST_ACCESS ? n->index : 0];
    LLVMValueRef args[3];
    switch (n->op) {
    case ST_CONST:
        return gen_constant(&p->t->g.e, n);
    case ST_SCALAR:
        return rs_scalar(p->t, n->index);
    case ST_COORD:
        return coordinate(p, n->index, k);
    case ST_ACCESS:
        if (a->grid != s->store_grid)
            return rs_kept(p->t, n->index, rs_row(p->t, p->memo.w, p->memo.u), k);
        return cell(p, p->memo.w + a->offset[2], p->memo.u + a->offset[1], k + a->offset[0]);
    default:
        for (int i = 0; i < st_ops[n->op].arity; i++)
            args[i] = value(p, n->args[i], k);
        return gen_operation(&p->t->g.e, n, args);
    }
}

static LLVMValueRef value(stepper *p, int32_t number, int k) {
    LLVMValueRef *v = &p->memo.values[number * p->t->V + k];
    if (!*v)
        *v = compute(p, number, k);
    return *v;
}

/* A cell outside the domain keeps what it has. */
static LLVMValueRef held(stepper *p, int row, int k, LLVMValueRef new) {
    rs_kernel *t = p->t;
    LLVMValueRef outside = LLVMBuildOr(t->g.e.b, rs_bit(t, t->rows_outside, row),
                                       rs_bit(t, t->columns_outside, k), "");
    return LLVMBuildSelect(t->g.e.b, outside, own_cell(p, p->memo.w, p->memo.u, k), new, "");
}

static void reduce_row(stepper *p, bool border) {
    rs_kernel *t = p->t;
    LLVMValueRef v[RS_CELLS];
    for (size_t i = 0; i < t->g.s->nreductions && t->reduces; i++) {
        for (int k = 0; k < t->V; k++)
            v[k] = value(p, t->g.s->reductions[i].root, k);
        rs_hold_row(t, border, i, rs_row(t, p->memo.w, p->memo.u), v);
    }
}

static void make_row(stepper *p, LLVMValueRef other_half, bool border) {
    rs_kernel *t = p->t;
    int row = rs_row(t, p->memo.w, p->memo.u);
    LLVMValueRef out[RS_CELLS];
    memset(p->memo.values, 0, t->g.s->nnodes * (size_t)t->V * sizeof *p->memo.values);
    for (int k = 0; k < t->V; k++) {
        out[k] = value(p, t->g.s->root, k);
        if (border)
            out[k] = held(p, row, k, out[k]);
    }
    reduce_row(p, border);
    for (int k = 0; k < t->V; k++)
        rs_set(t, t->cells[row][k], out[k]);
    give_row(t, other_half, p->memo.w, p->memo.u, out);
}

/* If there are many cells, those of warps at the border are concealed. Else LLVM would do what both
 * bodies have in common before the branch, and keep all of that in registers. */
static LLVMValueRef begin_cell(rs_kernel *t, int row, int k, bool border) {
    LLVMValueRef v = rs_get(t, t->cells[row][k]);
    return border && !has_few_cells(t) ? t->g.e.target->conceal(t->g.e.b, v) : v;
}

static void load_own(stepper *p, bool border) {
    rs_kernel *t = p->t;
    for (int w = 0; w < t->RZ; w++)
        for (int u = 0; u < t->RY; u++)
            for (int k = 0; k < t->V; k++)
                p->memo.cells[place_in_memo(t, w, u) * t->V + k] =
                    begin_cell(t, rs_row(t, w, u), k, border);
}

/* Loads what row u of plane w reads of other warps, and if `shuffles` also of other lanes. */
static void load_others(stepper *p, int w, int u, bool shuffles) {
    const st_stencil *s = p->t->g.s;
    for (size_t i = 0; i < s->naccesses; i++) {
        const int32_t *offset = s->accesses[i].offset;
        if (s->accesses[i].grid != s->store_grid)
            continue;
        own_cell(p, w + offset[2], u + offset[1], 0);
        for (int k = 0; k < p->t->V && shuffles; k++)
            cell(p, w + offset[2], u + offset[1], k + offset[0]);
    }
}

/* Do other warps read the row? */
static bool is_given(const rs_kernel *t, int w, int u) {
    return end_y(t, u) >= 0 || end_z(t, w) >= 0;
}

/* What is read of other warps is loaded before anything is stored, if that takes few registers: the
 * compiler would not do a load before a store that may be to the same place. If threads have few
 * cells, shuffles come first, too, so that nothing waits for them; then the rows that other warps
 * read, so that they are in scratchpad long before the barrier. Where the tile has no margin, some
 * of these rows are other blocks', which get them before the other rows are made. */
static void make_rows(stepper *p, LLVMValueRef other_half, bool border) {
    enum { FEW_BYTES = 64 };
    rs_kernel *t = p->t;
    int others = 2 * (t->reach[1] * t->RZ + t->reach[2] * t->RY);
    bool few = has_few_cells(t), in_turns = few || t->early;
    for (int w = 0; w < t->RZ; w++)
        for (int u = 0; u < t->RY && others * t->V * size_of(t) <= FEW_BYTES; u++)
            load_others(p, w, u, few);
    for (int first = in_turns; first >= 0; first--) {
        for (p->memo.w = 0; p->memo.w < t->RZ; p->memo.w++)
            for (p->memo.u = 0; p->memo.u < t->RY; p->memo.u++)
                if (!in_turns || is_given(t, p->memo.w, p->memo.u) == first)
                    make_row(p, other_half, border);
        if (first && t->early)
            rs_send(t);
    }
}

void rs_make_step(rs_kernel *t, bool border) {
    stepper p = {.t = t};
    size_t rows = (size_t)(t->RZ + 2 * t->reach[2]) * (size_t)(t->RY + 2 * t->reach[1]);
    size_t cells = rows * (size_t)t->V;
    p.memo.cells = calloc(cells, sizeof *p.memo.cells);
    p.memo.shuffled = calloc(cells * DISTANCES, sizeof *p.memo.shuffled);
    p.memo.values = calloc(t->g.s->nnodes * (size_t)t->V, sizeof *p.memo.values);
    load_own(&p, border);
    LLVMValueRef all = gen_int32(&t->g.e, rs_scratchpad(t));
    LLVMValueRef other_half =
        t->halves == 2 ? LLVMBuildSub(t->g.e.b, all, rs_get(t, t->parity), "") : NULL;
    rs_begin_held(t);
    make_rows(&p, other_half, border);
    rs_add_held(t, border);
    free(p.memo.cells);
    free(p.memo.shuffled);
    free(p.memo.values);
}
