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
    MOST_INSTRUCTIONS = 2100 /* of a tile's body, those of doubles counted twice: beyond, it takes
                                long to compile and many registers, and leaves the caches */
};

/* Rows are also taken by threads that have computed elsewhere what is stored there: an integer
 * division of what another thread wrote meanwhile might be one by zero. */
static bool divides_in_place(const st_stencil *s) {
    bool divides = false;
    for (size_t i = 0; i < s->nnodes; i++) {
        st_op op = (st_op)s->nodes[i].op;
        divides |= op == ST_UDIV || op == ST_SDIV || op == ST_UREM || op == ST_SREM;
    }
    st_port ports[ST_MAX_PORTS];
    size_t count = st_ports(s, ports);
    bool in_place = count > ST_MAX_PORTS; /* not all are told */
    for (size_t i = 0; i < count && !in_place; i++)
        in_place = ports[i].reads && ports[i].writes;
    return divides && in_place;
}

/* Cells of a vector that no access needs more than ACCESS bytes for; 1: there are no vectors. */
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
    double words;              /* of 32 bits that L1 takes time for */
    double bytes;              /* that a block brings from L2 or takes there, a cell */
    int registers;
} tile_work;

/* Bytes of all grids a cell, those that several of the blocks of so many cells read counted for
 * each of them. */
static double bytes_of(const st_stencil *s, const double block[3]) {
    st_port ports[ST_MAX_PORTS];
    size_t count = st_ports(s, ports);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const st_grid *grid = &s->grids[ports[i].grid];
        double part = grid->broadcast ? 0 : (double)st_type_size((st_type)grid->type);
        int32_t low[3] = {0}, high[3] = {0};
        for (size_t a = 0; a < s->naccesses; a++)
            for (int d = 0; d < s->rank && s->accesses[a].grid == ports[i].grid &&
                            s->accesses[a].level == ports[i].level;
                 d++) {
                low[d] = (int32_t)st_min(low[d], s->accesses[a].offset[d]);
                high[d] = (int32_t)st_max(high[d], s->accesses[a].offset[d]);
            }
        double read = part * ports[i].reads;
        for (int d = 0; d < s->rank; d++)
            read *= 1 + (high[d] - low[d]) / block[d];
        sum += read + part * ports[i].writes;
    }
    return sum;
}

static tile_work measure(const st_stencil *s, const gpu_facts *g, const int block[3],
                         const int cells[3]) {
    enum { START = 30, PER_ROW = 3, OWN = 30 }; /* instructions; registers for addresses */
    tile_order *t = tile_create(s, cells);
    int ncells = cells[0] * cells[1] * cells[2];
    double covered[3];
    for (int d = 0; d < 3; d++)
        covered[d] = (double)block[d] * cells[d];
    tile_work w = {.bytes = bytes_of(s, covered), .registers = t->live + OWN};
    cost_of_expression(s, g, &w.instructions, &w.slow);
    w.instructions *= ncells;
    w.slow *= ncells;
    double others = START + PER_ROW * (double)t->nrows;
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

/* Seconds a cell. Limits of which each alone would take so long, joined by a norm. */
static double time_of(const st_stencil *s, const gpu_facts *g, const int block[3],
                      const int cells[3]) {
    enum { NORM = 4, ENOUGH = 16 /* warps of a processor */ };
    static const double l2 = 1.4; /* times the memory's bandwidth */
    tile_work w = measure(s, g, block, cells);
    double n = cells[0] * cells[1] * cells[2], cycle = 1 / g->processors / g->clock;
    double lanes = g->processor.issue * g->processor.lanes;
    int threads = block[0] * block[1] * block[2];
    double room = (double)GPU_PARTS * g->processor.registers * g->processor.lanes;
    double blocks = floor(room / (w.registers * g->registers * threads));
    double warps = fmax(blocks, 0.5) * threads / g->processor.lanes;
    static const double whole[3] = {INFINITY, INFINITY, INFINITY};
    double limits[] = {cycle / 1.16 / n, w.words / n / g->processor.words * cycle / 0.956,
                       bytes_of(s, whole) / g->bandwidth, w.bytes / (l2 * g->bandwidth),
                       fmax(w.instructions, w.slow) / n / lanes * cycle / 1.08};
    double sum = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sum += pow(limits[i], NORM);
    return pow(sum, 1.0 / NORM) * (warps < ENOUGH ? sqrt(ENOUGH / warps) : 1);
}

void tile_choose(const st_stencil *s, const gpu_facts *g, const int block[3], double time_of_cell,
                 int tile[3], double *time) {
    static const double gain = 0.97;  /* less is not worth a second body;.. */
    static const double worth = 0.95; /* ..or a larger tile, which takes registers */
    double instructions, slow, best = gain * time_of_cell;
    bool single = divides_in_place(s);
    int width = width_of(s), rows = single || s->rank < 2 || s->flat & 2 ? 1 : MOST_ROWS;
    int planes = single || s->rank < 3 || s->flat & 4 ? 1 : MOST_PLANES;
    double words = fmax(1, (double)st_type_size((st_type)s->grids[s->store_grid].type) / 4);
    cost_of_expression(s, g, &instructions, &slow);
    for (int d = 0; d < 3; d++)
        tile[d] = 0;
    for (int z = 1; can_have_tiles(s) && width > 1 && z <= planes; z *= 2)
        for (int y = 1; y <= rows; y *= 2) {
            int cells[3] = {width, y, z};
            bool even = planes == 1 || rows == 1 || (y <= 2 * z && z <= 2 * y && y * z <= 8);
            bool fits = even && (width - 1) * y * z <= block[0] &&
                        instructions * words * width * y * z <= MOST_INSTRUCTIONS;
            double one = fits ? time_of(s, g, block, cells) : best;
            if (one >= best || (tile[0] && one > worth * best))
                continue;
            best = *time = one;
            for (int d = 0; d < 3; d++)
                tile[d] = cells[d];
        }
}
