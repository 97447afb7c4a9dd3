/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Chooses the tile of a thread of a cell kernel. It is as wide as an access of 16 bytes. The
 * predicted time decides the number of rows and planes: with more of them fewer rows are loaded a
 * cell, but more registers are needed.
 */
#include "plan/cell/tile.h"

#include "model/number.h"
#include "plan/time/cost.h"

#include <math.h>
#include <stdlib.h>

enum {
    ACCESS = 16, /* bytes at most */
    WIDEST = 4,  /* cells */
    MOST_ROWS = 4,
    MOST_PLANES = 4,
    MOST_REGISTERS = 255, /* a thread */
    MOST_OF_LLVM = 100,   /* the same for LLVM's AMDGPU back end, which may take 2.5 times what is
                             estimated here */
    MOST_THREADS = 2048,  /* a processor */
    USUAL_THREADS = 256,  /* a block */
    MOST_INSTRUCTIONS = 2100 /* of a tile's body, those of doubles counted twice: beyond, it takes
                                long to compile and many registers, and leaves the caches */
};

/* Might a tile divide integers by zero? A tile that is moved back computes cells that another
 * thread stores. If the sweep is in place, it may read a divisor that the other thread has already
 * changed. */
static bool divides_in_place(const st_stencil *s) {
    bool divides = false;
    for (size_t i = 0; i < s->nnodes; i++) {
        st_op op = (st_op)s->nodes[i].op;
        divides |= op == ST_UDIV || op == ST_SDIV || op == ST_UREM || op == ST_SREM;
    }
    st_port ports[ST_MAX_PORTS];
    size_t count = st_ports(s, ports);
    bool in_place = count > ST_MAX_PORTS; /* then they are not listed, and any may be in place */
    for (size_t i = 0; i < count && !in_place; i++)
        in_place = ports[i].reads && ports[i].writes;
    return divides && in_place;
}

bool tile_may_repeat(const st_stencil *s) {
    return !divides_in_place(s);
}

/* The cells of a vector. In no grid does it have more than ACCESS bytes. 1: there are no vectors.
 */
static int width_of(const st_stencil *s) {
    int width = WIDEST;
    for (size_t i = 0; i < s->ngrids; i++)
        if (!(s->grids[i].broadcast & 1))
            width = (int)st_min(width, ACCESS / (int64_t)st_type_size((st_type)s->grids[i].type));
    return width;
}

static bool can_have_tiles(const st_stencil *s) {
    bool can = s->nreductions == 0 && !(s->flat & 1);
    for (size_t i = 0; i < s->naccesses; i++)
        can = can && !s->accesses[i].faces;
    for (size_t i = 0; i < s->ngrids; i++)
        can = can && s->grids[i].type != ST_I1;
    st_port ports[ST_MAX_PORTS];
    return can && st_ports(s, ports) <= ST_MAX_PORTS;
}

/* What a thread of the tile does. */
typedef struct tile_work {
    double instructions, slow; /* issued */
    double computed;           /* of these, instructions that are the expression's */
    double words;              /* of 32 bits that L1 takes time for */
    double bytes;              /* that a block brings from L2 or takes there, a cell */
    int registers;
} tile_work;

/* Cells along x that a block reads of one row: `low` before its first cell to `high` after its
 * last.
 */
typedef struct reach {
    int32_t low, high;
    bool any;
} reach;

static bool is_of_port(const st_access *a, const st_port *port) {
    return a->grid == port->grid && a->level == port->level;
}

static void halo_of_port(const st_stencil *s, const st_port *port, int32_t low[3],
                         int32_t high[3]) {
    for (int d = 0; d < 3; d++)
        low[d] = high[d] = 0;
    for (size_t i = 0; i < s->naccesses; i++)
        for (int d = 0; d < s->rank && is_of_port(&s->accesses[i], port); d++) {
            low[d] = (int32_t)st_min(low[d], s->accesses[i].offset[d]);
            high[d] = (int32_t)st_max(high[d], s->accesses[i].offset[d]);
        }
}

/* Marks what one access reads of each row, for all cells of a block. */
static void mark_rows(const st_access *a, const int block[3], const int32_t low[3], int rows,
                      reach *r) {
    for (int z = 0; z < block[2]; z++)
        for (int y = 0; y < block[1]; y++) {
            reach *row = &r[(z + a->offset[2] - low[2]) * rows + y + a->offset[1] - low[1]];
            row->low = row->any ? (int32_t)st_min(row->low, a->offset[0]) : a->offset[0];
            row->high = row->any ? (int32_t)st_max(row->high, a->offset[0]) : a->offset[0];
            row->any = true;
        }
}

/* The number of cells that a block reads, divided by the number of its own cells. */
static double cells_read(const st_stencil *s, const st_port *port, const int block[3]) {
    int32_t low[3], high[3];
    halo_of_port(s, port, low, high);
    int rows = block[1] + high[1] - low[1], planes = block[2] + high[2] - low[2];
    reach *r = calloc((size_t)rows * (size_t)planes, sizeof *r);
    double sum = 0;
    for (size_t i = 0; i < s->naccesses; i++)
        if (is_of_port(&s->accesses[i], port))
            mark_rows(&s->accesses[i], block, low, rows, r);
    for (int i = 0; i < rows * planes; i++)
        sum += r[i].any ? block[0] + r[i].high - r[i].low : 0;
    free(r);
    return sum / block[0] / block[1] / block[2];
}

/* The bytes that all grids move for a cell. With `block`, each block of that size reads its
 * neighbours anew. With NULL, each cell is read once. */
static double bytes_of(const st_stencil *s, const int *block) {
    st_port ports[ST_MAX_PORTS];
    size_t count = st_ports(s, ports);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const st_grid *grid = &s->grids[ports[i].grid];
        double part = grid->broadcast ? 0 : (double)st_type_size((st_type)grid->type);
        double read = ports[i].reads && part > 0 ? block ? cells_read(s, &ports[i], block) : 1 : 0;
        sum += part * (read + ports[i].writes);
    }
    return sum;
}

/* The share of the cells' operations that is computed. Operations that cells have in common are
 * computed once. */
static double computed_share(const tile_order *t, int ncells) {
    size_t all = 0, computed = 0;
    for (size_t i = 0; i < t->s->nnodes; i++)
        all += st_ops[t->s->nodes[i].op].cls != ST_LEAF;
    for (size_t i = 0; i < t->nsteps; i++)
        computed += t->steps[i].row < 0;
    return all ? (double)computed / (double)all / ncells : 1;
}

/* Registers of a thread. In 3-D by what ptxas takes for 40 tiles: 15 % off. */
static int estimate_registers(const st_stencil *s, const tile_order *t) {
    enum { OWN = 18, OWN_2D = 30 };
    if (s->rank < 3)
        return t->live + OWN_2D;
    return OWN + (int)(0.75 * t->live + 3.5 * (double)s->ngrids);
}

static tile_work measure(const st_stencil *s, const gpu_facts *g, const int block[3],
                         const int cells[3]) {
    enum { START = 30, PER_ROW = 3, PER_GRID = 14 }; /* instructions */
    tile_order *t = tile_create(s, cells);
    int ncells = cells[0] * cells[1] * cells[2];
    int covered[3];
    for (int d = 0; d < 3; d++)
        covered[d] = block[d] * cells[d];
    tile_work w = {.bytes = bytes_of(s, covered), .registers = estimate_registers(s, t)};
    cost_of_expression(s, g, &w.instructions, &w.slow);
    double share = computed_share(t, ncells);
    w.computed = w.instructions *= ncells * share;
    w.slow *= ncells * share;
    double others = START + PER_ROW * (double)t->nrows;
    others += ncells == 1 ? PER_GRID * (double)s->ngrids : 0; /* the fits leave tiles' to START */
    for (size_t i = 0; i < t->nrows; i++) {
        tile_load load = {0, 0};
        double size = (double)st_type_size((st_type)s->grids[t->ports[t->rows[i].port].grid].type);
        while (tile_next_load(t, &t->rows[i], &load)) {
            others++;
            w.words += t->rows[i].wide ? size * cells[0] / 4 : 0.25;
        }
    }
    w.instructions +=
        others + (double)((s->nalso + !s->stores_nothing) * (size_t)cells[1] * (size_t)cells[2]);
    tile_destroy(t);
    return w;
}

/* What was fitted to tiles measured on one H200: in 3-D to 118 of long stars and of sums of many
 * arrays, in 2-D to those of single sweeps. */
typedef struct fitted {
    double l2;    /* bandwidth, times the memory's */
    double warps; /* of a processor: with fewer, instructions wait for each other */
    bool memory;  /* with fewer warps, accesses to memory wait as well */
    double more;  /* registers that the compiler takes, times the estimate */
} fitted;

static const fitted fit_2d = {1.4, 16, true, 1}, fit_3d = {2.1, 32, false, 1.1};

/* The warps that a processor holds. If blocks are large, the compiler saves some registers, so that
 * one more block fits. */
static double warps_of(const gpu_facts *g, const fitted *f, const tile_work *w, int threads) {
    static const double saved = 1.1;
    double room = (double)GPU_PARTS * g->processor.registers * g->processor.lanes;
    double each = w->registers * g->registers * threads;
    double blocks = floor(room / (threads > USUAL_THREADS ? each : f->more * each));
    if (blocks < 1 && each <= (threads > USUAL_THREADS ? saved : 1) * room)
        blocks = 1;
    return fmin(blocks, floor(MOST_THREADS / (double)threads)) * threads / g->processor.lanes;
}

static bool is_possible(const st_stencil *s, const gpu_facts *g, const tile_work *w, double warps) {
    double words = fmax(1, (double)st_type_size((st_type)s->grids[s->store_grid].type) / 4);
    int most = cost_has_ptxas(g) || s->rank < 3 ? MOST_REGISTERS : MOST_OF_LLVM;
    return w->computed * words <= MOST_INSTRUCTIONS && warps > 0 && w->registers <= most;
}

/* Seconds a cell. Limits of which each alone would take so long, joined by a norm. */
static double time_of(const st_stencil *s, const gpu_facts *g, const int block[3],
                      const int cells[3]) {
    enum { NORM = 4 };
    static const double large = 1.35; /* blocks of more threads start and end together */
    const fitted *f = s->rank < 3 ? &fit_2d : &fit_3d;
    tile_work w = measure(s, g, block, cells);
    double n = cells[0] * cells[1] * cells[2], cycle = 1 / g->processors / g->clock;
    double lanes = g->processor.issue * g->processor.lanes;
    int threads = block[0] * block[1] * block[2];
    double warps = warps_of(g, f, &w, threads);
    double few = warps < f->warps ? sqrt(f->warps / fmax(warps, 1)) : 1, all = f->memory ? few : 1;
    double limits[] = {
        all * cycle / 1.16 / n, few * w.words / n / g->processor.words * cycle / 0.956,
        all * bytes_of(s, NULL) / g->bandwidth, few * w.bytes / (f->l2 * g->bandwidth),
        few * fmax(w.instructions, w.slow) / n / lanes * cycle / 1.08};
    double sum = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sum += pow(limits[i], NORM);
    if (!is_possible(s, g, &w, warps))
        return INFINITY;
    return pow(sum, 1.0 / NORM) * (threads > USUAL_THREADS ? large : 1);
}

double tile_time_of_cell(const st_stencil *s, const gpu_facts *g, const int block[3]) {
    static const double apart = 1.2; /* each cell finds its own addresses */
    static const int one[3] = {1, 1, 1};
    double time = can_have_tiles(s) && s->rank == 3 ? apart * time_of(s, g, block, one) : 0;
    return isfinite(time) ? time : 0;
}

bool tile_has_more_blocks(const int block[3], const int tile[3]) {
    return (tile[0] - 1) * tile[1] * tile[2] > block[0];
}

void tile_choose(const st_stencil *s, const gpu_facts *g, const int block[3], int lanes,
                 double time_of_cell, int tile[3], double *time) {
    static const double gain = 0.97;          /* less is not worth a second body;.. */
    double worth = s->rank < 3 ? 0.95 : 0.97; /* ..or a larger tile, which takes registers */
    double instructions, slow, best = gain * time_of_cell;
    bool single = divides_in_place(s);
    int width = width_of(s), rows = single || s->rank < 2 || s->flat & 2 ? 1 : MOST_ROWS;
    int planes = single || s->rank < 3 || s->flat & 4 ? 1 : MOST_PLANES;
    cost_of_expression(s, g, &instructions, &slow);
    for (int d = 0; d < 3; d++)
        tile[d] = 0;
    for (int z = 1; can_have_tiles(s) && width > 1 && z <= planes; z *= 2)
        for (int y = 1; y <= rows; y *= 2) {
            int cells[3] = {width, y, z};
            bool even = planes == 1 || rows == 1 || (y <= 2 * z && z <= 2 * y && y * z <= 8);
            bool fits = even && (width - 1) * y * z <= st_max(block[0], lanes) &&
                        instructions * width * y * z <= 2 * MOST_INSTRUCTIONS;
            double one = fits ? time_of(s, g, block, cells) : best;
            if (one >= best || (tile[0] && one > worth * best))
                continue;
            best = *time = one;
            for (int d = 0; d < 3; d++)
                tile[d] = cells[d];
        }
}
