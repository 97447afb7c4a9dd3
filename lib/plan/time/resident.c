/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans the kernels that keep a small grid on chip for all time steps. Extents are known only at
 * run time, but a tile has a fixed extent. So several kernels are planned: from few cells a thread,
 * with fast steps, to many, with which a GPU holds a large grid. The runtime chooses.
 */
#include "plan/time/resident.h"

#include "model/number.h"

enum {
    LANES = 32,
    MOST_OPERATIONS = 4000, /* of a thread's cells: beyond, compiling takes seconds */
    SCRATCHPAD = 160 * 1024
};

/* Cells of a lane and row, rows, planes; warps along y and z. Faces: the tile has no margin. */
typedef struct shape {
    int cells, rows, planes, across, deep;
    bool faces;
    double from; /* it takes long to compile: for grids that are known to have so many cells */
} shape;

/* As measured on an H200 and an H100, where grids from 96^2 and 48^3 to 2048^2 and 128^3 cells were
 * fastest with one of these. */
static const shape floats_2d[] = {{2, 2, 1, 16, 1, false, 0},      {2, 5, 1, 12, 1, false, 0},
                                  {4, 8, 1, 12, 1, false, 0},      {4, 17, 1, 12, 1, false, 1.1e6},
                                  {6, 13, 1, 16, 1, false, 2.2e6}, {0, 0, 0, 0, 0, false, 0}};
static const shape doubles_2d[] = {{1, 2, 1, 16, 1, false, 0},       {2, 5, 1, 12, 1, false, 0},
                                   {2, 8, 1, 12, 1, false, 0},       {2, 13, 1, 12, 1, false, 0},
                                   {3, 10, 1, 12, 1, false, 0.85e6}, {0, 0, 0, 0, 0, false, 0}};
static const shape floats_3d[] = {
    {3, 2, 2, 4, 2, true, 0},     {4, 3, 3, 4, 2, true, 0},
    {4, 4, 4, 2, 4, true, 0},     {4, 4, 3, 4, 4, false, 0}, /* for long rows */
    {5, 5, 5, 4, 2, true, 1.9e6}, {0, 0, 0, 0, 0, false, 0}};
static const shape doubles_3d[] = {{3, 2, 2, 4, 2, true, 0},
                                   {3, 3, 3, 4, 2, true, 0},
                                   {3, 2, 2, 4, 4, false, 0}, /* for long rows */
                                   {0, 0, 0, 0, 0, false, 0}};

/* Is each step's result of the reductions the same in any order of the cells? */
static bool may_reduce(const st_stencil *s) {
    bool may = s->nreductions > 0;
    for (size_t i = 0; i < s->nreductions; i++)
        may = may && s->reductions[i].op != ST_REDUCE_ORDERED;
    return may;
}

/* May a stencil whose steps can be blocked get resident kernels? */
static bool may_stay(const st_stencil *s) {
    bool may = s->rank > 1 && s->nalso == 0 && !st_moves_along(s);
    for (size_t i = 0; i < s->nscalars; i++)
        may = may && !s->scalars[i].followed;
    for (size_t i = 0; i < s->ngrids; i++)
        may = may && s->grids[i].advance == 0;
    for (size_t i = 0; i < s->naccesses; i++)
        may =
            may && (s->accesses[i].grid != s->store_grid || st_steps_back(s, &s->accesses[i]) == 1);
    return may;
}

static int words_of(const st_stencil *s, int32_t grid) {
    return st_type_size(s->grids[grid].type) == 8 ? 2 : 1;
}

/* Registers of a cell and of what the thread keeps for it of grids that are only read. *kept: are
 * there any? */
static int words_of_cell(const st_stencil *s, bool *kept) {
    int words = words_of(s, s->store_grid);
    *kept = false;
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].grid != s->store_grid) {
            words += words_of(s, s->accesses[i].grid);
            *kept = true;
        }
    return words;
}

/* The shapes fit into registers if nothing else is kept. Else three fifths are left for it all.
 * Reductions take more: with these limits ptxas spills none, or two registers where unsigned
 * integers are compared (sm_90). */
static bool fits_registers(const st_stencil *s, const shape *f, bool reduces) {
    enum { REGISTERS = 64 * 1024, MOST = 255 };
    bool kept;
    int words = words_of_cell(s, &kept) * f->cells * f->rows * f->planes;
    int most = (int)st_min(REGISTERS / (LANES * f->across * f->deep), MOST);
    int share = words_of(s, s->store_grid) == 2 ? 4 : 3;
    if (reduces && (share * words > most || (s->rank == 3 && !f->faces)))
        return false;
    return !kept || 5 * words <= 3 * most;
}

static int reach_along(const st_stencil *s, int d) {
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK];
    st_halo(s, s->store_grid, low, high);
    return d < s->rank ? (int)st_max(-low[d], high[d]) : 0;
}

/* Bytes of the rows that a block leaves in scratchpad: lib/codegen/resident/step.c. */
static int half_of_scratchpad(const st_stencil *s, const shape *f) {
    int ry = f->faces ? reach_along(s, 1) : 0, rz = f->faces ? reach_along(s, 2) : 0;
    int y = (int)st_min(f->rows, 2 * reach_along(s, 1));
    int z = (int)st_min(f->planes, 2 * reach_along(s, 2));
    int rows = (f->deep * f->planes + 2 * rz) * (f->across * y + 2 * ry) +
               (f->deep * z + 2 * rz) * f->across * (f->rows - y);
    return rows * LANES * f->cells * (int)st_type_size(s->grids[s->store_grid].type);
}

/* Two halves, or one where two of a tile without margin are too much. */
static int scratchpad(const st_stencil *s, const shape *f) {
    int half = half_of_scratchpad(s, f);
    return f->faces && 2 * half > SCRATCHPAD ? half : 2 * half;
}

/* A tile with a margin for one step at least leaves cells for the block to own, and rows that are
 * read are a neighbouring warp's. */
static bool fits(const st_stencil *s, const shape *f, bool reduces) {
    int cells = f->cells * f->rows * f->planes, margins = f->faces ? 1 : 3;
    int x = (int)st_round_up(reach_along(s, 0), f->cells);
    return f->rows >= reach_along(s, 1) && f->planes >= reach_along(s, 2) &&
           LANES * f->cells >= 3 * x && f->across * f->rows >= margins * reach_along(s, 1) &&
           (s->rank < 3 || f->deep * f->planes >= margins * reach_along(s, 2)) &&
           (int)st_operation_count(s) * cells <= MOST_OPERATIONS &&
           scratchpad(s, f) <= SCRATCHPAD && fits_registers(s, f, reduces);
}

static const shape *shapes_of(const st_stencil *s) {
    bool wide = st_type_size(s->grids[s->store_grid].type) == 8;
    if (s->rank == 3)
        return wide ? doubles_3d : floats_3d;
    return wide ? doubles_2d : floats_2d;
}

static st_kernel kernel_of(const st_stencil *s, const shape *f, const char *prefix, int number) {
    st_kernel k = {.kind = ST_RESIDENT, .bt = 1, .lanes = LANES, .cells = f->cells};
    snprintf(k.name, sizeof k.name, "%s_resident%d", prefix, number);
    k.rows = f->rows;
    k.planes = (int8_t)f->planes;
    k.warps = f->across * f->deep;
    k.warp_planes = (int8_t)f->deep;
    k.block[0] = LANES * k.warps;
    k.block[1] = k.block[2] = 1;
    k.faces = f->faces;
    k.thread_tile[0] = LANES * f->cells;
    k.thread_tile[1] = f->across * f->rows;
    k.thread_tile[2] = f->deep * f->planes;
    k.scratchpad = scratchpad(s, f);
    return k;
}

/* Has the block one half of scratchpad, not two? Then warps wait for each other twice a step. */
static bool is_single(const st_stencil *s, const st_kernel *k) {
    const shape f = {k->cells,       k->rows,  k->planes, k->warps / k->warp_planes,
                     k->warp_planes, k->faces, 0};
    return k->faces && k->scratchpad == half_of_scratchpad(s, &f);
}

/* Rows around a tile without margin, of a warp. */
static int faces_of(const st_stencil *s, const st_kernel *k) {
    int rows = 2 * (reach_along(s, 1) * k->thread_tile[2] + reach_along(s, 2) * k->thread_tile[1]);
    return (rows + k->warps - 1) / k->warps;
}

/* Instructions of a cell that join its values to what its thread holds: those of doubles are
 * several; and of a warp, which joins its lanes'. */
static double join_time(const st_stencil *s, double *warp) {
    double cell = 0;
    *warp = 0;
    for (size_t i = 0; i < s->nreductions; i++) {
        bool wide = st_type_size(s->nodes[s->reductions[i].root].type) == 8;
        cell += wide ? 5 : 1.5;
        *warp += wide ? 60 : 35;
    }
    return cell;
}

/* The seconds of a block's step when all its warps are busy, and those of an exchange. Measured on
 * one H200: stars and boxes of floats and stars of doubles, of eight shapes, within 10 %. A warp
 * issues an instruction in 1.03 cycles of its scheduler. A barrier, and what is not hidden, take
 * 110 cycles. An exchange takes 0.66 us, and 0.045 us more for each word of a thread. Where a
 * thread has many words of cells, a row takes less: so on one H100 stars and boxes of floats and
 * stars of doubles, within 10 %. Rows of lanes whose cells are no
 * multiple of 16 bytes take more. Words around a tile without margin take 0.08 us: 3-D stars and
 * boxes, within 20 %. */
static void estimate(const st_stencil *s, const cost_gpu *g, st_kernel *k) {
    enum { SCHEDULERS = 4, MANY = 60 };
    static const double clock = 1.98e9;
    double instructions = 0, slow = 0, warp = 0;
    cost_of_expression(s, g, &instructions, &slow);
    if (k->reduces)
        instructions += join_time(s, &warp);
    int rows = k->rows * k->planes;
    bool wide = st_type_size(s->grids[s->store_grid].type) == 8;
    double row =
        1.03 * ((instructions + slow) * k->cells + 4 * reach_along(s, 0) * (wide ? 2 : 1) + 1);
    if (rows * k->cells * (wide ? 2 : 1) >= MANY)
        row = 0.58 * (instructions + slow) * k->cells + (k->cells % 4 ? 50 : 16);
    double cycles = (double)k->warps / SCHEDULERS * (rows * row + warp) + 110;
    int words = wide ? k->cells : (k->cells + 2) / 3;
    k->time = cycles / clock * (is_single(s, k) ? 1.4 : 1);
    k->tile_time = 0.66e-6 + words * (k->faces ? 0.08e-6 * faces_of(s, k) : 0.045e-6 * rows);
}

/* Is it of use for grids of so many cells, or more? A processor holds several blocks whose threads
 * have few cells. */
static bool suits(const st_stencil *s, const cost_gpu *g, const shape *f, double cells) {
    enum { FEW = 4, SOME = 16, MANY = 60 };
    int each = f->cells * f->rows * f->planes, blocks = each <= FEW ? 4 : each <= SOME ? 2 : 1;
    double held = g->processors * blocks * LANES * each * f->across * f->deep;
    bool packed = st_type_size(s->grids[s->store_grid].type) < 4; /* other kernels share words */
    return cells <= held && cells >= f->from && !(packed && each >= MANY);
}

void resident_choose(st_plan *p, const st_stencil *s, const cost_gpu *g, const plan_wish *wish,
                     const char *prefix, bool reduces) {
    int number = 0;
    if (!may_stay(s) || !cost_has_ptxas(g) || (reduces && !may_reduce(s)))
        return;
    for (const shape *f = shapes_of(s); f->cells; f++) {
        if (p->count == PLAN_MAX_KERNELS || !fits(s, f, reduces) ||
            !suits(s, g, f, wish->least_cells))
            continue;
        p->kernels[p->count] = kernel_of(s, f, prefix, ++number);
        p->kernels[p->count].reduces = reduces;
        p->kernels[p->count].always = wish->on_chip == PLAN_ALWAYS_ON_CHIP;
        estimate(s, g, &p->kernels[p->count++]);
    }
}
