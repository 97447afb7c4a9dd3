/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans kernels of whole steps. The time of a candidate is the greater of two: that of issuing its
 * instructions, and that of moving its bytes, smoothly joined. It must fit into the registers;
 * their number decides how many warps run at a time. Beyond some code size the loop runs from a
 * slower cache. In 1-D there is no loop: a tile's row is loaded, and the code makes all levels.
 */
#include "plan/time/steps.h"

#include "model/number.h"
#include "plan/parameters.h"
#include "plan/time/complete.h"
#include "plan/time/needs.h"

#include <math.h>
#include <stdlib.h>

/* The model */

/* Constants from kernels that were written by hand and measured on one H200: FDTD in both
 * precisions and Gray-Scott, ptxas 13.0. In 2-D the cost of an access and the bandwidth come from
 * generated kernels. 25 kernels of six programs are predicted with an average error of 9 %. */
typedef struct fitted {
    double base, row;       /* registers besides those kept; of each array's row in hand, a word */
    double spare;           /* of the most registers, left to ptxas: with fewer it spills; */
    double spilled;         /* what is lost for each of them. 0: such kernels are not taken */
    double loading;         /* registers of a load under way, by those of its cells and address */
    double names;           /* of a loop of four rows, a cell */
    double filled[3];       /* issue slots filled with at least 8, 12, 16 warps a processor */
    double code, beyond;    /* bytes of a loop that cost nothing; loss for each more */
    double shuffle, access; /* slots of a shuffle, and of a load with its address; */
    double stay;            /* of one from a row that stays in scratchpad */
    double again;     /* bandwidth of the second cache, from which levels load rows, as a share of
                         memory's; 0: not measured */
    double arriving;  /* slots of a row's arrival and leaving, besides its arrays' */
    double bandwidth; /* share of what a copy reaches */
    double latency;   /* of memory, seconds */
    double chunk;     /* rows, typically */
    double gain;      /* over a kernel a sweep, at least */
} fitted;

static const fitted fit_2d = {.base = 68,
                              .row = 1.5,
                              .spare = 15,
                              .spilled = 0.007,
                              .loading = 1,
                              .names = 6,
                              .filled = {0.78, 0.82, 0.84},
                              .code = 16 << 10,
                              .beyond = 0.007 / 1024,
                              .shuffle = 1.5,
                              .access = 12,
                              .stay = 4,
                              .again = 0.9,
                              .arriving = 24,
                              .bandwidth = 0.86,
                              .latency = 0.82e-6,
                              .chunk = 600,
                              .gain = 1.02};

/* From one kernel written by hand: acoustic waves, with four levels' rows of 8 cells. The rest is a
 * guess, rather too slow. */
static const fitted fit_3d = {.base = 80,
                              .row = 1.5,
                              .filled = {0.7, 0.72, 0.75},
                              .code = 24 << 10,
                              .beyond = 0.01 / 1024,
                              .shuffle = 1.5,
                              .access = 6,
                              .arriving = 70,
                              .bandwidth = 0.85,
                              .latency = 1.2e-6,
                              .chunk = 120,
                              .gain = 1.3};

/* As in 2-D. The bandwidth is that of three kernels that memory bounds: 0.93 to 1.01 on one H200.
 */
static const fitted fit_1d = {.base = 40,
                              .row = 1,
                              .spare = 15,
                              .loading = 1,
                              .filled = {0.78, 0.82, 0.84},
                              .code = 16 << 10,
                              .beyond = 0.007 / 1024,
                              .shuffle = 1.5,
                              .access = 12,
                              .arriving = 60,
                              .bandwidth = 0.95,
                              .latency = 1.2e-6};

static const fitted *fit_of(const needs *need, const st_kernel *k) {
    return need->flat ? &fit_1d : k->tile[1] > 1 || k->warps > 1 ? &fit_3d : &fit_2d;
}

enum {
    MOST_FLAT_CODE = ST_LIMIT(64 << 10, 8 << 10), /* bytes, in 1-D: a compiler takes long */
    MAX_DEGREE = ST_LIMIT(16, 3),
    MAX_DEEP = ST_LIMIT(4, 2), /* in 3-D */
    MOST_REGISTERS = 255,
    LEAST_WARPS = 8, /* a processor: fewer do not hide latencies */
    BYTES = 16       /* an instruction */
};

static double estimate_registers(const needs *need, const cost_gpu *g, const st_kernel *k) {
    const fitted *fit = fit_of(need, k);
    double cells = k->cells * k->rows, waits = k->waits * need->flow / 4 * cells;
    double hand = fit->row * need->flow / 4 * cells;
    double kept = (need->kept * cells + need->made * k->cells) * k->bt + need->leaving * cells;
    double stay = k->keep ? need->staying : 0;
    double loads = fit->loading * ((need->loads - stay) * (k->cells + 2) + stay * k->cells / 2);
    double reduced = need->reduced * k->bt;
    double names = k->unroll == 4 ? fit->names * cells : 0;
    if (need->flat) /* what is loaded serves all levels */
        return (need->live * cells + fit->base + need->loads * cells + reduced) * g->registers;
    return (kept + hand + fit->base + waits + loads + reduced + names) * g->registers;
}

/* The limit of a thread's registers: the least one above the estimate of those with which a whole
 * number of warps fits. */
static int choose_limit(const cost_gpu *g, double registers, double spare) {
    const gpu_processor *m = &g->processor;
    for (int warps = 16; warps >= LEAST_WARPS; warps -= 4) {
        int limit = GPU_PARTS * m->registers / warps / m->unit * m->unit;
        limit = limit > MOST_REGISTERS ? MOST_REGISTERS : limit;
        if (registers <= limit - (limit == MOST_REGISTERS ? spare : 0))
            return limit;
    }
    return 0;
}

/* The rows that the loop moves between registers. No move is needed if the names of registers
 * repeat within the loop. The names of a version repeat after as many rows as there are at a time:
 * those kept and the newest. If two are kept, a loop of two rows moves one of them a row, which is
 * part of the constants below. A loop of three rows moves none. */
static double moves(const needs *need, const st_kernel *k) {
    double one = need->held[1], two = need->held[2], more = need->held[3];
    double words = k->unroll == 1   ? need->kept
                   : k->unroll == 2 ? more / 2
                   : k->unroll == 3 ? (one + more) / 3 - two / 2
                                    : 0;
    return words * k->cells * k->rows * k->bt;
}

static int width_of(const st_kernel *k) {
    int width = 0;
    while (2 << width <= k->cells && width + 1 < WIDTHS)
        width++;
    return width;
}

/* Issue slots that a thread takes for a plane of its tile; *code: bytes of the loop. */
static double count_slots(const needs *need, const st_kernel *k, double *code) {
    const fitted *fit = fit_of(need, k);
    double cells = k->cells * (k->rows + need->beside);
    double stay = k->keep ? need->staying : 0;
    double loads = need->loads * k->cells / 4.0 + (need->loads - stay) * fit->access;
    double row = need->shuffles * fit->shuffle + (need->flat ? 0 : loads) + stay * fit->stay;
    double level = k->rows * row + need->given * k->cells / 2;
    double bytes = (need->flow + need->out) / 2;
    double arrays = need->arrays * (6 + bytes / need->arrays * k->cells / 16 * 3) * k->rows;
    double around = arrays + fit->arriving + moves(need, k) + (need->flat ? loads : 0);
    int width = width_of(k);
    *code = (k->bt * (need->code[width] * cells + level) + around) * k->unroll * BYTES;
    return k->bt * (need->slots[width] * cells + level) + around;
}

/* Bytes that memory moves in vain: it moves whole sectors, and a row's ends are in two that others
 * write as well. Where a warp streams alone, it moves pairs of sectors. */
static double ragged_bytes(const needs *need, const st_kernel *k) {
    enum { SECTOR = 32 };
    int unit = k->warps > 1 ? SECTOR : 2 * SECTOR;
    bool ragged = k->tile[0] * (int)(need->out / need->arrays) % unit != 0;
    return ragged ? 2.0 * SECTOR * need->arrays * k->tile[1] : 0;
}

/* A measured loss: rows of 44 doubles, which a warp streams alone, took 1.15 to 1.5 times what rows
 * of 40 or 48 do (H100 and H200: sweeps of two colours, ghost cells, a source, receivers). Why is
 * not known; rows of 52, and of 56 floats, did not. */
static double loss_of_rows(const needs *need, const st_kernel *k) {
    enum { LINE = 128, LOST = 96 };
    int row = k->tile[0] * (int)(need->out / need->arrays);
    return k->warps == 1 && row > 2 * LINE && row % LINE == LOST ? 0.2 : 0;
}

/* Fills in what is predicted. 0: the kernel does not fit. */
static double predict(const needs *need, const cost_gpu *g, st_kernel *k) {
    const fitted *fit = fit_of(need, k);
    double code, slots = count_slots(need, k, &code);
    double registers = estimate_registers(need, g, k);
    double ends = need->flat ? fit->spare + need->ends * k->cells + need->reduced * k->bt : 0;
    int limit = choose_limit(g, registers + ends, fit->spilled > 0 ? -1 : fit->spare);
    double spilled = limit == MOST_REGISTERS ? fmax(0, registers - limit + fit->spare) : 0;
    k->takes = limit && !need->flat ? limit : (int)registers;
    k->resident = cost_resident(g, k, k->takes);
    int warps = (int)(k->resident * cost_warps(g, k) * GPU_PARTS / g->processor.issue);
    double enough = fmin(1, (double)warps / LEAST_WARPS);
    double filled = fit->filled[(warps >= 12) + (warps >= 16)] * enough * enough;
    filled /= 1 + fmax(0, code - fit->code) * fit->beyond;
    double device = g->processors * g->clock * g->processor.issue / cost_warps(g, k);
    double cells = (double)k->lanes * k->cells * k->warps * k->rows;
    double stored = (double)k->tile[0] * k->tile[1];
    /* In 1-D what neighbouring tiles both load comes from the second cache once: they run side by
     * side. */
    double loaded = need->flat ? stored : cells;
    double bytes = need->flow * loaded + need->out * stored + need->others * loaded;
    bytes += ragged_bytes(need, k);
    double again = k->bt * cells * (need->again - (k->keep ? need->stays_again : 0));
    double issue = slots / device / filled, memory = bytes / g->bandwidth / fit->bandwidth;
    double second = fit->again > 0 ? again / g->bandwidth / fit->again : 0;
    double latency = fit->latency / k->ahead / st_max32(k->resident, 1) / g->processors;
    k->time = pow(pow(issue, 6) + pow(memory, 6) + pow(second, 6) + pow(latency, 6), 1.0 / 6);
    k->bound = latency > fmax(issue, fmax(memory, second)) ? "memory latency"
               : issue > fmax(memory, second)              ? "instruction issue"
               : memory > second                           ? "memory bandwidth"
                                                           : "the second cache";
    k->rate = stored * k->bt / k->time;
    k->rate *= need->flat ? 1 : fit->chunk / (fit->chunk + k->overlap + k->ahead);
    k->rate *= (1 - fit->spilled * spilled) * (1 - loss_of_rows(need, k));
    if (limit && cost_has_ptxas(g)) /* without a limit ptxas may take fewer, and spill */
        k->registers = limit;
    bool fits = limit && k->resident && !(need->flat && code > MOST_FLAT_CODE);
    return fits ? k->rate : 0;
}

/* Candidates */

typedef struct choice {
    const st_step *step;
    const st_dependences *d;
    const plan_wish *wish;
    const cost_gpu *g;
    cost_gpu slower; /* the GPU with the slowest memory that runs the same code */
    needs need;
    double sweeps; /* cells a second, with a kernel for each sweep */
} choice;

static choice make_choice(const st_step *step, const st_dependences *d, const plan_wish *wish,
                          const cost_gpu *g) {
    choice o = {step, d, wish, g, *g, needs_find(step, d, g), 0};
    o.slower.bandwidth *= g->slower;
    o.sweeps = 1 / sqrt(steps_time_of_sweeps(step, g) * steps_time_of_sweeps(step, &o.slower));
    return o;
}

/* The geometric mean of what is predicted for the GPU and for the one with slower memory, if there
 * is one. What is best for the one must not be bad for the other. k gets what is predicted for the
 * GPU. */
static double predict_both(const choice *o, st_kernel *k) {
    st_kernel other = *k;
    double rate = predict(&o->need, o->g, k);
    return o->g->slower < 1 ? sqrt(rate * predict(&o->need, &o->slower, &other)) : rate;
}

/* Cells a lane: up to 16 bytes of the largest type; more lost wherever it was tried. */
static int most_cells(const st_step *step) {
    int size = 4;
    for (size_t a = 0; a < step->narrays; a++)
        if (st_step_flows(step, (int32_t)a))
            size = st_max32(size, (int)st_type_size(step->arrays[a].type));
    return 16 / size;
}

static bool try_kernel(const choice *o, st_kernel k, double *best_rate, st_kernel *best) {
    const plan_wish *wish = o->wish;
    int bytes;
    bool forced = wish->bt || wish->group || wish->cells || wish->unroll || wish->depth;
    k.lanes = wish->lanes ? wish->lanes : o->g->processor.lanes;
    k.depth = wish->depth ? wish->depth : k.depth ? k.depth : k.unroll == 3 ? 6 : 4;
    st_kernel widest = {.cells = most_cells(o->step)};
    bool copies = o->step->rank > 1 && o->g->copies && steps_measure_row(o->step, &k, &bytes);
    bool narrow = o->step->rank > 1 && !copies && !wish->cells;
    if (narrow && o->g->copies && steps_measure_row(o->step, &widest, &bytes))
        return false; /* nothing measured says that it pays */
    if (!copies && !forced && o->step->rank == 3)
        return false;
    k.waits = copies ? 0 : k.unroll % 2 ? 1 : 2;
    k.registers = wish->registers;
    if (!steps_complete(o->step, o->d, &k))
        return false;
    double rate = predict_both(o, &k);
    rate = rate > 0 ? rate : forced ? 1e-6 * k.rate : 0; /* else may spill */
    if (rate <= *best_rate)
        return false;
    *best_rate = rate;
    *best = k;
    return true;
}

/* With rows that stay in scratchpad, and without. */
static void try_both(const choice *o, st_kernel k, double *rate, st_kernel *best) {
    try_kernel(o, k, rate, best);
    k.keep = true;
    try_kernel(o, k, rate, best);
}

/* In 3-D: rows of a thread, warps and slots of the ring. */
static void try_tiles(const choice *o, st_kernel k, double *rate, st_kernel *best) {
    static const int rows[] = {4, 2, 1, 3}, warps[] = {8, 12, 16, 4}, depths[] = {2, 4, 3};
    const plan_wish *wish = o->wish;
    if (o->step->rank < 3) {
        try_both(o, k, rate, best);
        return;
    }
    enum { LEAST = 8 }; /* bytes a lane: narrower accesses are too many */
    int bytes;
    steps_measure_row(o->step, &k, &bytes);
    if (bytes < LEAST * o->need.arrays && !wish->cells)
        return;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int d = 0; d < 3; d++) {
                k.rows = wish->rows ? wish->rows : rows[i];
                k.warps = wish->warps ? wish->warps : warps[j];
                k.depth = depths[d];
                try_kernel(o, k, rate, best);
            }
}

/* In 1-D a lane may have many cells. */
static double best_flat(const choice *o, int bt, st_kernel *best) {
    enum { MOST_BYTES = 64 };
    double rate = 0;
    int most = o->wish->cells ? o->wish->cells : MOST_BYTES / 16 * most_cells(o->step);
    for (int cells = most; cells >= 1 && (cells == most || !o->wish->cells); cells /= 2)
        try_kernel(o, (st_kernel){.bt = bt, .cells = cells, .unroll = 1}, &rate, best);
    return rate;
}

/* The best kernel of degree bt: its rate, 0 if there is none. */
static double best_of_degree(const choice *o, int bt, st_kernel *best) {
    if (o->step->rank == 1)
        return best_flat(o, bt, best);
    const plan_wish *wish = o->wish;
    double rate = 0;
    for (int cells = most_cells(o->step); cells >= 1; cells /= 2)
        for (int i = 0; i < 4; i++) {
            static const int unrolls[] = {2, 4, 3, 1};
            st_kernel k = {.bt = bt, .cells = wish->cells ? wish->cells : cells};
            k.unroll = wish->unroll ? wish->unroll : unrolls[i];
            if (k.unroll == 3 && o->step->rank == 3 && !wish->unroll)
                continue; /* not measured */
            try_tiles(o, k, &rate, best);
        }
    return rate;
}

static int choose_degree(const choice *o) {
    bool deep = o->step->rank == 3;
    double rate = o->sweeps * (deep ? fit_3d.gain : fit_2d.gain) / fit_2d.gain;
    int best = 0;
    for (int bt = 1; bt <= (deep ? MAX_DEEP : MAX_DEGREE); bt++) {
        st_kernel k;
        double one = best_of_degree(o, bt, &k);
        if (one > rate * fit_2d.gain) {
            rate = one;
            best = bt;
        }
    }
    return best;
}

/* In 3-D a kernel of one whole step was measured to be slower than a kernel a sweep. */
static void add_kernels(st_plan *p, const choice *o, const char *prefix) {
    int least = o->step->rank == 3 && !o->wish->bt ? 2 : 1;
    for (int bt = o->wish->bt ? o->wish->bt : choose_degree(o); bt >= least; bt /= 2) {
        st_kernel *k = &p->kernels[p->count];
        if (p->count == PLAN_MAX_KERNELS || best_of_degree(o, bt, k) <= 0)
            continue;
        snprintf(k->name, sizeof k->name, "%s_steps%d", prefix, bt);
        steps_padding(o->step, o->d, k, p->pad_low, p->pad_high);
        plan_list_step_parameters(k, o->step);
        p->count++;
    }
}

double steps_time_of_sweeps(const st_step *step, const cost_gpu *g) {
    double sum = 0;
    for (size_t i = 0; i < step->nnests; i++) {
        const st_sweep *w = st_step_first_sweep(step, i);
        if (w && !st_sweep_is_layer(w))
            sum += cost_of_cell(w->stencil, g);
    }
    return sum;
}

double steps_plan_part(const st_step *part, const plan_wish *wish, const cost_gpu *g, st_kernel *k,
                       st_plan *pads) {
    double rate = 0;
    st_dependences *d = malloc(sizeof *d);
    if (part->narrays <= ST_MAX_ARRAYS && st_step_dependences(part, st_step_stream(part), d)) {
        choice o = make_choice(part, d, wish, g);
        rate = best_of_degree(&o, 1, k);
        if (rate > 0)
            steps_padding(part, d, k, pads->pad_low, pads->pad_high);
    }
    free(d);
    return rate;
}

st_plan plan_steps(const st_step *step, const plan_wish *wish, const char *arch, const char *prefix,
                   const char **why) {
    st_plan p = {.count = 0};
    const cost_gpu *g = cost_find_gpu(arch);
    st_dependences *d = malloc(sizeof *d);
    *why = st_step_why_not_whole(step);
    if (!*why && !st_step_dependences(step, st_step_stream(step), d))
        *why = "arrays are written too often in a step";
    if (!*why) {
        choice o = make_choice(step, d, wish, g);
        add_kernels(&p, &o, prefix);
        if (p.count == 0)
            *why = "a kernel a sweep is predicted to be faster";
    }
    free(d);
    return p;
}
