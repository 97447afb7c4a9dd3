/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The faces of tiles without margins: the rows around a block's tile, which are in scratchpad.
 *
 * At first all of them are loaded from memory. Those that lie outside the domain keep what they
 * have. The others are rows of neighbouring blocks, and come from there after each step. The warps
 * of a block share them out: warp w brings the rows w, w + n and so on of n warps.
 */
#include "codegen/resident/resident.h"

#include "model/number.h"

static int tile_rows(const rs_kernel *t) {
    return t->NY * t->RY;
}

static int tile_planes(const rs_kernel *t) {
    return t->NZ * t->RZ;
}

/* Does a cell read one that is apart along y and along z? */
bool rs_reads_across(const rs_kernel *t) {
    const st_stencil *s = t->g.s;
    bool any = false;
    for (size_t i = 0; i < s->naccesses; i++)
        any |= s->accesses[i].grid == s->store_grid && s->accesses[i].offset[1] &&
               s->accesses[i].offset[2];
    return any;
}

/* Rows below and above the tile along y; along z; and, if cells read across, along both. */
static int count_y(const rs_kernel *t) {
    return 2 * t->reach[1] * tile_planes(t);
}

static int count_z(const rs_kernel *t) {
    return 2 * t->reach[2] * tile_rows(t);
}

static int count_all(const rs_kernel *t) {
    int corners = rs_reads_across(t) ? 4 * t->reach[1] * t->reach[2] : 0;
    return count_y(t) + count_z(t) + corners;
}

int rs_count_faces(const rs_kernel *t) {
    int warps = t->NY * t->NZ;
    return (count_all(t) + warps - 1) / warps;
}

static LLVMValueRef plus(rs_kernel *t, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAdd(t->g.e.b, a, b, "");
}

/* Of no rows (by 0) nothing is asked; but the code must not divide by 0. */
static LLVMValueRef divide(rs_kernel *t, LLVMValueRef v, int by, LLVMValueRef *rest) {
    LLVMValueRef n = gen_int32(&t->g.e, (int)st_max(by, 1));
    *rest = LLVMBuildURem(t->g.e.b, v, n, "");
    return LLVMBuildUDiv(t->g.e.b, v, n, "");
}

/* Row `number` of `reach` below the tile and as many above it, counted from the tile's first. */
static LLVMValueRef beside(rs_kernel *t, LLVMValueRef number, int reach, int extent) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef low = gen_add32(&t->g.e, number, -reach);
    LLVMValueRef high = gen_add32(&t->g.e, number, extent - reach);
    LLVMValueRef below = gen_less(&t->g.e, low, gen_int32(&t->g.e, 0));
    return LLVMBuildSelect(b, below, low, high, "");
}

/* A row around the tile: its place along y and z, counted from the tile's first. */
typedef struct face {
    LLVMValueRef y, z;
} face;

static face find_face(rs_kernel *t, LLVMValueRef number) {
    LLVMBuilderRef b = t->g.e.b;
    int ry = t->reach[1], rz = t->reach[2];
    face of_y, of_z, of_both, all;
    LLVMValueRef rest, side;
    of_y.z = divide(t, number, 2 * ry, &side);
    of_y.y = beside(t, side, ry, tile_rows(t));
    rest = gen_add32(&t->g.e, number, -count_y(t));
    side = divide(t, rest, tile_rows(t), &of_z.y);
    of_z.z = beside(t, side, rz, tile_planes(t));
    rest = gen_add32(&t->g.e, number, -count_y(t) - count_z(t));
    of_both.z = beside(t, divide(t, rest, 2 * ry, &side), rz, tile_planes(t));
    of_both.y = beside(t, side, ry, tile_rows(t));
    LLVMValueRef is_y = gen_less(&t->g.e, number, gen_int32(&t->g.e, count_y(t)));
    LLVMValueRef is_z = gen_less(&t->g.e, number, gen_int32(&t->g.e, count_y(t) + count_z(t)));
    all.y = LLVMBuildSelect(b, is_z, of_z.y, of_both.y, "");
    all.z = LLVMBuildSelect(b, is_z, of_z.z, of_both.z, "");
    all.y = LLVMBuildSelect(b, is_y, of_y.y, all.y, "");
    all.z = LLVMBuildSelect(b, is_y, of_y.z, all.z, "");
    return all;
}

/* Where step.c looks for the row: the bytes of scratchpad before it. Rows at ends of warps along y
 * are apart from the others. */
static LLVMValueRef place_in_scratchpad(rs_kernel *t, face f) {
    LLVMBuilderRef b = t->g.e.b;
    int given = t->given[0], reach = t->reach[1], all = tile_rows(t), others = t->RY - given;
    int row = rs_scratchpad_row(t, true, 0, 1) - rs_scratchpad_row(t, true, 0, 0);
    int plane = rs_scratchpad_row(t, true, 1, 0) - rs_scratchpad_row(t, true, 0, 0);
    LLVMValueRef zero = gen_int32(&t->g.e, 0), u, warp = divide(t, f.y, t->RY, &u);
    LLVMValueRef is_low = gen_less(&t->g.e, u, gen_int32(&t->g.e, reach));
    LLVMValueRef is_high = LLVMBuildICmp(b, LLVMIntSGE, u, gen_int32(&t->g.e, t->RY - reach), "");
    LLVMValueRef at_end =
        given == t->RY ? LLVMConstAllOnes(LLVMTypeOf(is_low)) : LLVMBuildOr(b, is_low, is_high, "");
    LLVMValueRef end =
        given == t->RY ? u : LLVMBuildSelect(b, is_low, u, gen_add32(&t->g.e, u, -others), "");
    LLVMValueRef inner = plus(t, gen_times32(&t->g.e, warp, given), end);
    LLVMValueRef below = gen_less(&t->g.e, f.y, zero);
    LLVMValueRef above = LLVMBuildICmp(b, LLVMIntSGE, f.y, gen_int32(&t->g.e, all), "");
    LLVMValueRef y =
        LLVMBuildSelect(b, above, gen_add32(&t->g.e, f.y, t->NY * given - all), inner, "");
    y = LLVMBuildSelect(b, below, f.y, y, "");
    LLVMValueRef outside = LLVMBuildOr(b, below, above, "");
    LLVMValueRef of_ends = plus(t, gen_times32(&t->g.e, f.z, plane), gen_times32(&t->g.e, y, row));
    of_ends = gen_add32(&t->g.e, of_ends, rs_scratchpad_row(t, true, 0, 0));
    LLVMValueRef z =
        LLVMBuildSelect(b, gen_less(&t->g.e, f.z, zero), f.z,
                        gen_add32(&t->g.e, f.z, t->NZ * t->given[1] - tile_planes(t)), "");
    LLVMValueRef of_others = plus(t, gen_times32(&t->g.e, z, t->NY), warp);
    of_others = plus(t, gen_times32(&t->g.e, of_others, others), gen_add32(&t->g.e, u, -reach));
    of_others =
        gen_add32(&t->g.e, gen_times32(&t->g.e, of_others, row), rs_scratchpad_row(t, false, 0, 0));
    return LLVMBuildSelect(b, LLVMBuildOr(b, outside, at_end, ""), of_ends, of_others, "");
}

/* i1: does the row, or do the lane's cells along x, lie in the domain, in part at least? */
static LLVMValueRef is_in_domain(rs_kernel *t, int d, LLVMValueRef at, int count) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef from = LLVMBuildICmp(b, LLVMIntSGE, at, gen_int32(&t->g.e, 1 - count), "");
    return LLVMBuildAnd(b, from, gen_less(&t->g.e, at, t->extent[d]), "");
}

/* The row, counted along the whole domain. */
static LLVMValueRef in_domain(rs_kernel *t, int d, LLVMValueRef at) {
    return plus(t, at, LLVMBuildMul(t->g.e.b, t->block[d], t->own[d], ""));
}

static LLVMValueRef number_of(rs_kernel *t, int i) {
    return gen_add32(&t->g.e, t->g.warp, i * t->NY * t->NZ);
}

/* Rows before the grid's first one have no words; they are not wanted. */
static void place_face(rs_kernel *t, int i, LLVMValueRef lane) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef number = number_of(t, i);
    face f = find_face(t, number);
    LLVMValueRef y = in_domain(t, 1, f.y), z = in_domain(t, 2, f.z);
    LLVMValueRef wanted[] = {gen_less(&t->g.e, number, gen_int32(&t->g.e, count_all(t))), lane,
                             is_in_domain(t, 1, y, 1), is_in_domain(t, 2, z, 1)};
    t->faces_wanted =
        LLVMBuildOr(b, t->faces_wanted, gen_bit_if(&t->g.e, rs_all(t, wanted, 4), i), "");
    LLVMValueRef from = gen_times32(&t->g.e, t->g.lane, 16);
    t->face_from[i] = plus(t, gen_extend(&t->g.e, from),
                           plus(t, LLVMBuildMul(b, gen_extend(&t->g.e, y), t->row_bytes, ""),
                                LLVMBuildMul(b, gen_extend(&t->g.e, z), t->plane_bytes, "")));
    int bytes = t->V * (int)st_type_size(t->g.type);
    t->face_to[i] = plus(t, place_in_scratchpad(t, f), gen_times32(&t->g.e, t->g.lane, bytes));
}

void rs_place_faces(rs_kernel *t) {
    LLVMValueRef lane = is_in_domain(t, 0, t->first[0], t->V);
    t->faces_wanted = gen_int32(&t->g.e, 0);
    for (int i = 0; i < rs_count_faces(t); i++)
        place_face(t, i, lane);
}

void rs_put_face(rs_kernel *t, LLVMValueRef half, int i, LLVMValueRef const *cells) {
    LLVMTypeRef vector = LLVMVectorType(t->g.element, (unsigned)t->V);
    LLVMValueRef at = gen_widen(&t->g.e, plus(t, t->face_to[i], half));
    gen_store(&t->g.e, gen_join(&t->g.e, vector, t->V, cells),
              gen_bytes_on(&t->g.e, t->g.scratchpad, at), rs_alignment(t));
}

/* Of the first step. All halves get them, because rows outside the domain are not put there again.
 */
void rs_load_faces(rs_kernel *t) {
    for (int i = 0; i < rs_count_faces(t); i++) {
        LLVMValueRef number = number_of(t, i), cells[RS_CELLS];
        LLVMValueRef is_face = gen_less(&t->g.e, number, gen_int32(&t->g.e, count_all(t)));
        LLVMBasicBlockRef after = rs_begin_if(t, is_face, "face");
        face f = find_face(t, number);
        rs_load_cells(t, in_domain(t, 1, f.y), in_domain(t, 2, f.z), cells);
        for (int half = 0; half < t->halves; half++)
            rs_put_face(t, gen_int32(&t->g.e, half * rs_scratchpad(t)), i, cells);
        gen_end_if(&t->g.e, after);
    }
}
