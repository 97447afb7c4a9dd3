/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Estimates registers, instructions and bytes of a kernel, and from these its rate on a GPU of
 * lib/target/gpus.h.
 */
#include "plan/time/cost.h"

#include "model/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const cost_gpu *cost_find_gpu(const char *arch) {
    return gpu_of_arch(arch);
}

/* Fast division and square root of floats: the hardware's approximation and little more. */
double cost_of_node(const st_node *n) {
    static const double cost[] = {
        [ST_LEAF] = 0, [ST_FREE] = 0, [ST_ALU] = 1, [ST_SLOW] = 10, [ST_MATH] = 30};
    st_class cls = st_ops[n->op].cls;
    if (cls == ST_SLOW && n->type == ST_F64)
        return n->flags & ST_AFN ? 12 : 26;
    if (cls == ST_SLOW && n->type == ST_F32 && (n->flags & ST_AFN))
        return 2;
    return cost[cls];
}

double cost_of_pairing(const st_stencil *s, const st_node *n, const cost_gpu *g) {
    /* counted in the code of star2d1r (0.4) and star2d4r (0.23) */
    static const double moves = 0.3;
    if (!g->processor.pairs || n->type != ST_F32)
        return 0;
    if (sch_is_moving(s, n))
        return s->accesses[n->index].offset[0] ? -moves : 0;
    return st_is_paired(n) ? cost_of_node(n) / 2 : 0;
}

/* Rows of planes of one age: those that accesses of the rotating grid read, and those of which they
 * read neighbours along x. */
typedef struct rows_used {
    int low, high, x_low, x_high;
    bool any, x;
} rows_used;

static void use_row(rows_used *r, const int32_t offset[ST_MAX_RANK], int row) {
    r->low = r->any ? st_min(r->low, row) : row;
    r->high = r->any ? st_max(r->high, row) : row;
    r->any = true;
    if (offset[0] == 0)
        return;
    r->x_low = r->x ? st_min(r->x_low, row) : row;
    r->x_high = r->x ? st_max(r->x_high, row) : row;
    r->x = true;
}

static void measure_rows(const st_stencil *s, const sch_schedule *c, cost_work *w) {
    rows_used *rows = calloc((size_t)c->lags + 1, sizeof *rows);
    int phases = sch_phases(c);
    for (size_t n = 0; n < s->nnodes; n++)
        for (int q = 0; q < phases && sch_is_moving(s, &s->nodes[n]); q++) {
            const int32_t *offset = s->accesses[s->nodes[n].index].offset;
            if (c->used[n * (size_t)phases + (size_t)q])
                use_row(&rows[q + c->first - offset[s->rank - 1]], offset,
                        s->rank == 3 ? offset[1] : 0);
        }
    for (int lag = 0; lag <= c->lags; lag++) {
        const rows_used *r = &rows[lag];
        w->shuffled_sets += r->x;
        w->shuffled_rows += r->x ? st_max(0, -r->x_low) + st_max(0, r->x_high) : 0;
        w->neighbour_rows += r->any ? st_max(0, -r->low) + st_max(0, r->high) : 0;
    }
    free(rows);
}

void cost_of_expression(const st_stencil *s, const cost_gpu *g, double *instructions,
                        double *slow) {
    *instructions = *slow = 0;
    for (size_t i = 0; i < s->nnodes; i++) {
        double one = cost_of_node(&s->nodes[i]);
        *instructions += one;
        *slow += s->nodes[i].type == ST_F64 ? one / g->double_rate : one;
    }
}

/* Packed cells */

/* The instructions for one word of a packed node, without those for its operands. ptxas joins two
 * additions into one instruction. */
static double cost_of_word(const st_stencil *s, const pk_pack *p, int32_t n) {
    const st_node *node = &s->nodes[n];
    switch (node->op) {
    case ST_ADD:
    case ST_SUB:
        return s->nodes[node->args[1]].op == ST_CONST ? 0 : 0.6;
    case ST_ICMP:
        return 1.7;
    case ST_UDIV:
        return 6;
    case ST_SDIV:
        return 10;
    case ST_LSHR:
    case ST_ASHR:
        return 2;
    case ST_SELECT:
        return p->nodes[n].boolean ? 1 : 4;
    case ST_SMIN:
    case ST_SMAX:
    case ST_UMIN:
    case ST_UMAX:
        return 5;
    default:
        return st_ops[node->op].cls == ST_ALU;
    }
}

/* Instructions a cell to bring node n into fields of `bits` bits. Where byte cells are widened,
 * neighbouring accesses share a third of the work. */
static double cost_of_operand(const st_stencil *s, const pk_pack *p, int32_t n, int bits) {
    const pk_node *from = &p->nodes[n];
    bool is_access = s->nodes[n].op == ST_ACCESS;
    if (s->nodes[n].op == ST_CONST || (bits == PK_CELL && from->bits == PK_CELL))
        return 0;
    if (bits == PK_CELL)
        return is_access || st_ops[s->nodes[n].op].cls == ST_FREE ? 0.5 : 2;
    if (from->bits == PK_CELL)
        return 1;
    return (from->boolean ? 1 : 0.67) * (from->bits < bits) * bits / 32;
}

/* Instructions to get one cell's value, an integer that may have to be taken from a word. */
static double cost_of_cell_value(const st_stencil *s, const st_node *n) {
    bool divides = n->op == ST_UDIV || n->op == ST_SDIV || n->op == ST_UREM || n->op == ST_SREM;
    if (divides && s->nodes[n->args[1]].op == ST_CONST)
        return 4;
    return n->op == ST_ADD || n->op == ST_SUB ? 0.7 : cost_of_node(n);
}

double cost_of_packed(const st_stencil *s, const pk_pack *p, int32_t n) {
    const st_node *node = &s->nodes[n];
    if (p->group == 1)
        return cost_of_node(node);
    int bits = p->nodes[n].bits;
    double sum = bits == PK_CELL ? cost_of_cell_value(s, node) : cost_of_word(s, p, n) * bits / 32;
    if (node->op == ST_ACCESS && bits < PK_CELL) /* words of two, unless widened */
        sum = s->accesses[node->index].offset[0] ? 0.2 : 0;
    for (int i = 0; i < st_ops[node->op].arity; i++)
        sum += cost_of_operand(s, p, node->args[i], bits);
    return sum;
}

/* The operations of all nodes. `slow` is as in cost_work: GPUs do half as many integer operations
 * as they issue, except some that other units do. */
static double sum_packed(const st_stencil *s, const pk_pack *p, double *slow) {
    double sum = 1.0 / p->group; /* bringing the result to the cell's bits */
    *slow = 0;
    for (size_t i = 0; i < s->nnodes; i++) {
        double one = p->nodes[i].wanted ? cost_of_packed(s, p, (int32_t)i) : 0;
        sum += one;
        *slow += (p->nodes[i].bits < PK_CELL ? 1.7 : 1.2) * one;
    }
    return sum;
}

/* Counts with the widest fields, those of the first level: in border tiles all levels have them. */
static void measure_packed(const st_stencil *s, const sch_schedule *c, cost_work *w) {
    pk_pack *full = pk_create(s, -1), *settled = pk_create(s, pk_greatest(s, full));
    double registers = sch_kept(c) * w->words;
    for (size_t i = 0; i < s->nnodes; i++)
        registers += c->age[i] * full->nodes[i].bits / 32.0;
    w->carried = registers / w->words;
    w->first = sum_packed(s, full, &w->first_slow);
    w->instructions = sum_packed(s, settled, &w->slow);
    pk_destroy(full);
    pk_destroy(settled);
}

cost_work cost_measure(const st_stencil *s, const sch_schedule *c, const cost_gpu *g) {
    double size = (double)st_type_size(s->grids[s->store_grid].type);
    cost_work w = {.words = size / 4, .carried = sch_carried(s, c)};
    cost_of_expression(s, g, &w.instructions, &w.slow);
    for (size_t i = 0; i < s->nnodes; i++)
        w.chains |= s->nodes[i].type == ST_F64 && st_ops[s->nodes[i].op].cls == ST_SLOW;
    for (size_t i = 0; i < s->nnodes; i++)
        w.paired += cost_of_pairing(s, &s->nodes[i], g);
    w.first = w.instructions;
    w.first_slow = w.slow;
    if (w.words < 1)
        measure_packed(s, c, &w);
    for (size_t i = 0; i < s->naccesses; i++)
        w.loads += s->accesses[i].grid != s->store_grid;
    measure_rows(s, c, &w);
    return w;
}

/* In such a body ptxas loads neighbours later if it has few registers. Then a quarter fewer are
 * enough. */
bool cost_is_large(const cost_work *w) {
    return w->instructions >= 60;
}

/* The work of a thread for a plane. */
typedef struct plane_work {
    double slots;      /* instructions issued */
    double shuffles;   /* of these */
    double slow;       /* slots of the slowest pipe */
    double wavefronts; /* of scratchpad, shuffles, loads and stores: one a cycle and processor */
} plane_work;

/* Registers that a row takes from the lanes at either side. */
static double reach(const sch_schedule *c, const cost_work *w) {
    double registers = c->radius[0] * w->words;
    return w->words < 1 ? ceil(registers) : registers;
}

static plane_work measure_plane(const sch_schedule *c, const cost_work *w, const gpu_processor *m,
                                const st_kernel *k) {
    double cells = k->cells * k->rows, levels = k->bt;
    int vectors = st_max((int)(k->cells * w->words / 4), 1), radius = c->radius[0], rows = k->rows;
    int shuffled = w->shuffled_sets * rows + w->shuffled_rows;
    double by_ring = k->margin[0] ? shuffled * 2 * ceil((double)radius / k->cells) * vectors : 0;
    double shuffles = (k->margin[0] ? levels - 1 : levels) * shuffled * 2 * reach(c, w);
    double given = w->neighbour_rows ? (levels - 1) * st_min(rows, 2 * c->radius[1]) * vectors : 0;
    double scratchpad = by_ring + levels * w->neighbour_rows * vectors + given + rows * vectors;
    double copies = rows * vectors * (c->older < 0 ? 1 : 2) + (k->margin[0] ? rows * 0.3 : 0);
    copies *= k->waits ? 2 : 1; /* a load and a store */
    double stores = rows * vectors * (c->older < 0 ? 1 : 2);
    double elements = w->loads * levels * cells;
    double other = k->margin[1] ? 20 + 5 * rows : 14;
    double expression = cells * (w->first + (levels - 1) * w->instructions - levels * w->paired);
    double vector = 4.0 * k->lanes / m->words; /* of 16 bytes a lane */
    return (plane_work){
        .slots = expression + shuffles + scratchpad + copies + stores + 3 * elements + other,
        .shuffles = shuffles,
        .slow = cells * (w->first_slow + (levels - 1) * w->slow - levels * w->paired),
        .wavefronts =
            ((m->shift ? 0 : shuffles) + vector * (scratchpad + copies + stores + elements)) *
            (1 + 0.5 * (vectors - 1))};
}

/* In border tiles a level also keeps the plane that it completes. Where cells are packed, these
 * tiles decide how many registers a thread has, for fields are as wide as at the first level. */
static double held_planes(const sch_schedule *c, const cost_work *w) {
    return w->words < 1 ? st_max(0, c->last - sch_kept(c)) : 0;
}

/* Cells that a thread has loaded and not yet copied, of its own rows and of the margin. */
static double waiting_cells(const sch_schedule *c, const st_kernel *k) {
    int edges = k->margin[0] ? 2 : 1;
    int rows = (edges + (c->older >= 0)) * k->rows + edges * k->margin[1];
    return rows * k->cells;
}

/* Registers of a thread. Fitted to what ptxas 13.0 takes for 644 plans of AN5D's suite: 10 % off in
 * 2-D, 5 % in 3-D (root of the mean square). */
static int estimate_registers(const sch_schedule *c, const cost_work *w, const cost_gpu *g,
                              const st_kernel *k) {
    double cells = k->cells * k->rows * w->words, levels = k->bt;
    double kept = levels * (w->carried + held_planes(c, w)) * cells, sum;
    double shuffled = w->shuffled_sets * k->rows * 2 * reach(c, w);
    double neighbours = w->neighbour_rows * k->cells * w->words;
    double waiting = k->waits * waiting_cells(c, k) * w->words;
    if (!k->margin[1])
        sum = 13 + (w->words < 1 ? 1.25 : 1.13) * kept + 2 * cells +
              (1.4 + 0.53 * levels) * shuffled + 1.4 * levels + 0.062 * w->instructions * w->words +
              0.0077 * w->instructions * cells;
    else if (w->words < 1)
        sum = 26 + 1.53 * kept + 7.5 * cells + 11 * levels;
    else if (!cost_is_large(w))
        sum = 10.4 + 1.34 * kept + 0.51 * cells + 0.079 * w->instructions * cells + 14 * levels;
    else
        sum = 2.06 * kept + 3.26 * neighbours + 0.047 * w->instructions * w->words;
    if (c->older >= 0)
        sum += 6 + 4 * levels;
    sum += waiting + 10 * w->loads;
    sum *= g->registers;
    bool told = k->registers && cost_has_ptxas(g); /* only ptxas is */
    return told && k->registers < sum ? k->registers : (int)sum;
}

int cost_warps(const cost_gpu *g, const st_kernel *k) {
    return (k->lanes * k->warps + g->processor.lanes - 1) / g->processor.lanes;
}

/* A processor's parts hold whole warps. */
int cost_resident(const cost_gpu *g, const st_kernel *k, int registers) {
    const gpu_processor *m = &g->processor;
    int each = (registers + m->unit - 1) / m->unit * m->unit;
    int warps = GPU_PARTS * st_min(m->registers / each, m->warps);
    int bytes = k->scratchpad + m->of_system;
    int by_scratchpad = k->scratchpad > m->of_block ? 0 : g->scratchpad / st_max(bytes, 1);
    return st_min(warps / cost_warps(g, k), by_scratchpad);
}

/* The warps of a part of a processor that issues one instruction a cycle, which would be as busy as
 * these warps make theirs. */
int cost_crowd(const cost_gpu *g, const st_kernel *k, int resident) {
    return (int)(cost_warps(g, k) * resident * GPU_PARTS / g->processor.issue);
}

/* The extent of the domain, along each dimension, for which rates are predicted. */
static double nominal(int rank) {
    return rank == 2 ? 16384 : 512;
}

/* Planes of a chunk, as the runtime chooses them (lib/runtime/choose/schedule.c): `side` blocks
 * side by side, `full` of them at a time. */
static double typical_chunk(int rank, double n, double side, double full, int overlap) {
    double best = n, least = INFINITY;
    for (int count = 1; count < n && side * (count - 1) < GPU_MAX_WAVES * full; count++) {
        double chunk = ceil(n / count);
        double time = gpu_chunk_cost(rank, side * count / full, chunk + overlap);
        best = time < least ? chunk : best;
        least = fmin(time, least);
    }
    return best;
}

/* The useful share of the work: cells of the domain, each counted once. Half of the last tile is
 * taken to be outside, since extents are not known. */
static double useful_share(const cost_gpu *g, const st_kernel *k, int rank, int resident) {
    double n = nominal(rank), side = 1, share = 1;
    for (int d = 0; d + 1 < rank; d++) {
        double across = n / k->tile[d] / (rank == 2 ? k->warps : 1);
        side *= across + 0.5;
        share *= across / (across + 0.5);
    }
    double chunk = typical_chunk(rank, n, side, g->processors * st_max(resident, 1), k->overlap);
    return share * chunk / (chunk + k->overlap + k->ahead + k->lag);
}

/* Constants fitted to the rates of 1614 plans of AN5D's suite, measured on one H200 by
 * tools/bench/search. They are chosen so that the fastest plan of a case has the least predicted
 * time. In 2-D warps run on their own; in 3-D the warps of a block wait for each other. */
typedef struct fitted {
    double issue[4], slow[4];  /* the share of a pipe's slots that is filled with less than 12, 16,
                                  20 warps an SM, and more; issue's relative to a loop that.. */
    double code, beyond, most; /* ..has so many instructions; the loss for each more, and at most */
    double large;   /* more, where the body is large: independent instructions lie side by side */
    double shuffle; /* slots a shuffle takes beyond its own */
    double scratchpad, bandwidth; /* shares of what is possible */
    double latency;               /* of memory, seconds */
    double meeting;               /* of warps, seconds */
    double norm;
} fitted;

static const fitted fit_2d = {.issue = {0.806, 0.887, 0.972, 1.148},
                              .slow = {0.865, 0.902, 0.864, 0.864},
                              .code = 3170,
                              .beyond = 2.5e-4,
                              .most = 0.49,
                              .large = 1.217,
                              .shuffle = 0.43,
                              .scratchpad = 0.85,
                              .bandwidth = 0.941,
                              .latency = 0.82e-6,
                              .norm = 6.4};
static const fitted fit_3d = {.issue = {0.986, 1.382, 1.5, 1.6},
                              .slow = {0.958, 0.832, 0.922, 0.922},
                              .code = 1060,
                              .beyond = 9e-4,
                              .most = 0.635,
                              .large = 1.7,
                              .shuffle = 1.5,
                              .scratchpad = 0.785,
                              .bandwidth = 1.054,
                              .latency = 0.99e-6,
                              .meeting = 0.052e-6,
                              .norm = 5.26};

/* The loop's names for planes that are kept come round only if it takes as many at a time. */
static double moves(const st_stencil *s, const sch_schedule *c, const cost_work *w,
                    const st_kernel *k) {
    double sum = st_max(0, sch_kept(c) - k->unroll);
    for (size_t n = 0; n < s->nnodes; n++)
        sum += st_max(0, c->age[n] - k->unroll);
    return sum * k->cells * k->rows * k->bt * w->words / st_max(k->unroll, 1);
}

/* A thread takes its time to start and to wait for its loads; each access is one of the L1 cache.
 * Fitted to 34 cell kernels on one H200: 6 % off. */
double cost_of_cell(const st_stencil *s, const cost_gpu *g) {
    double bytes = 0, words = 0, instructions, slow;
    cost_of_expression(s, g, &instructions, &slow);
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_grid *grid = &s->grids[s->accesses[i].grid];
        words += grid->broadcast ? 0 : fmax((double)st_type_size(grid->type) / 4, 1);
        instructions += 2;
    }
    st_port ports[ST_MAX_PORTS];
    size_t nports = st_ports(s, ports);
    for (size_t i = 0; i < nports && i < ST_MAX_PORTS; i++)
        if (!s->grids[ports[i].grid].broadcast)
            bytes += (ports[i].reads + ports[i].writes) *
                     (double)st_type_size(s->grids[ports[i].grid].type);
    double cycle = 1 / g->processors / g->clock, lanes = g->processor.issue * g->processor.lanes;
    double limits[] = {cycle / 1.16, words / g->processor.words * cycle / 0.956,
                       bytes / g->bandwidth, fmax(instructions, slow) / lanes * cycle / 1.08};
    double sum = 0, norm = 1.82;
    for (int i = 0; i < 4; i++)
        sum += pow(limits[i], norm);
    return pow(sum, 1 / norm);
}

/* Bytes that a block moves for a plane. Grids that are only read are read at each level, for the
 * halo too. */
static double bytes_of_plane(const st_stencil *s, const sch_schedule *c, const st_kernel *k,
                             double stored) {
    double own = (double)st_type_size(s->grids[s->store_grid].type) * (c->older < 0 ? 2.1 : 4.2);
    double computed = (double)k->lanes * k->cells * k->warps * k->rows, others = 0;
    for (size_t i = 0; i < s->ngrids; i++)
        if ((int32_t)i != s->store_grid && !s->grids[i].broadcast)
            others += (double)st_type_size(s->grids[i].type);
    return own * stored + others * k->bt * computed;
}

/* Five limits, each alone the seconds that a block's plane takes; joined by a norm, for where two
 * are close both are felt. */
cost_estimate cost_of(const st_stencil *s, const sch_schedule *c, const cost_work *w,
                      const cost_gpu *g, const st_kernel *k) {
    static const char *const names[] = {"instruction issue", "its slowest arithmetic", "scratchpad",
                                        "memory bandwidth", "memory latency"};
    const fitted *f = s->rank == 3 ? &fit_3d : &fit_2d;
    const gpu_processor *m = &g->processor;
    plane_work p = measure_plane(c, w, m, k);
    double shuffle = m->shift ? m->shift - 1 : f->shuffle;
    double issued = p.slots + shuffle * p.shuffles + moves(s, c, w, k);
    cost_estimate e = {.instructions = p.slots, .registers = estimate_registers(c, w, g, k)};
    e.resident = cost_resident(g, k, e.registers);
    int warps = cost_crowd(g, k, e.resident);
    int crowd = (warps >= 12) + (warps >= 16) + (warps >= 20);
    double excess = fmax(0, issued * k->unroll - f->code);
    /* A longer ring than needed costs a little, whatever the size. */
    double filled = f->issue[crowd] * (1 - 0.012 * k->depth) * (cost_is_large(w) ? f->large : 1) /
                    (1 + fmin(f->beyond * excess, f->most));
    double stored = (double)k->tile[0] * (s->rank == 3 ? k->tile[1] : k->warps), sum = 0;
    double cycle = 1 / g->clock / g->processors, slot = cycle * cost_warps(g, k) / m->issue;
    /* The steps of a division or root in double wait for one another. */
    double slow = f->slow[crowd] * (w->chains && crowd < 3 ? 0.88 : 1);
    double limits[] = {issued * slot / filled, p.slow * slot / slow,
                       p.wavefronts * k->warps * cycle / f->scratchpad,
                       bytes_of_plane(s, c, k, stored) / g->bandwidth / f->bandwidth,
                       f->latency / (k->waits ? k->waits : k->ahead) / st_max(e.resident, 1) /
                           g->processors};
    int most = 0;
    for (int i = 0; i < 5; i++) {
        sum += pow(limits[i], f->norm);
        most = limits[i] > limits[most] ? i : most;
    }
    double meeting = f->meeting / g->processors / st_max(e.resident, 1);
    e.time = pow(sum, 1 / f->norm) + meeting;
    e.rate = stored * k->bt / e.time * useful_share(g, k, s->rank, e.resident);
    e.bound = names[most];
    return e;
}

int cost_best_degree(double (*rate_of)(const void *, int), const void *choice, int most,
                     double rate) {
    int best = 0;
    for (int bt = 1; bt <= most; bt++) {
        double one = rate_of(choice, bt);
        if (one > rate * 1.02) {
            rate = one;
            best = bt;
        }
    }
    return best;
}
