/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a stream kernel costs: the instructions, accesses to scratchpad and bytes for one plane of
 * its stream, and the registers of a thread. From these follows its rate on a GPU.
 */
#ifndef STENCILOPT_COST_H
#define STENCILOPT_COST_H

#include "model/rewrite/pack.h"
#include "plan/plan.h"
#include "plan/time/schedule.h"
#include "target/gpus.h"

typedef gpu_facts cost_gpu;

/* The GPU to plan for. NULL, and default PTX, which runs on all newer ones: the one measured. */
const cost_gpu *cost_find_gpu(const char *arch);

/* Instructions that an operation takes. Divisions by constants that need none are gone by then
 * (st_divide). */
double cost_of_node(const st_node *n);

/* The instructions of the expression, a cell, and the issue slots that they fill in their pipes. */
void cost_of_expression(const st_stencil *s, const cost_gpu *g, double *instructions, double *slow);

/* The instructions that are saved where the GPU does two cells' operations at once. Less than 0:
 * what it takes to bring a neighbour along x beside another one. */
double cost_of_pairing(const st_stencil *s, const st_node *n, const cost_gpu *g);

/* The instructions of node n, a cell, where cells may be packed. */
double cost_of_packed(const st_stencil *s, const pk_pack *p, int32_t n);

/* The work of a stencil, the same for every plan. */
typedef struct cost_work {
    double words;        /* 32-bit registers a cell of the grid; of packed ones part of one */
    double instructions; /* of the expression, a cell and level */
    double slow;         /* issue slots of its pipe that these fill, at most one a cycle */
    double paired; /* of both, what is saved where the GPU does two cells' operations at once */
    bool chains;   /* the expression divides doubles, or takes roots of them */
    double first;  /* instructions of the first level: packed cells may have more bits there */
    double first_slow;
    double loads;   /* of other grids' elements, a cell and level */
    double carried; /* as many registers as cells have, from plane to plane, a level */
    /* Rows that a thread's rows need besides themselves, summed over the ages of planes. */
    int shuffled_sets;  /* of its own rows, whose neighbours along x are needed */
    int shuffled_rows;  /* of others, likewise */
    int neighbour_rows; /* of other warps */
} cost_work;

/* Is ptxas the GPU's compiler? The estimates are fitted to ptxas. */
static inline bool cost_has_ptxas(const cost_gpu *g) {
    return g->registers == 1;
}

/* Is the body so large that registers can be traded? */
bool cost_is_large(const cost_work *w);

cost_work cost_measure(const st_stencil *s, const sch_schedule *c, const cost_gpu *g);

typedef struct cost_estimate {
    double instructions; /* a thread and plane: issue slots */
    int registers;       /* a thread */
    int resident;        /* blocks a processor */
    double time;         /* seconds of the whole device, full of such blocks, a block's plane */
    double rate;         /* cell updates a second */
    const char *bound;
} cost_estimate;

/* Seconds a cell of a kernel with one thread a cell and one step. */
double cost_of_cell(const st_stencil *s, const cost_gpu *g);

/* Warps of the GPU that a block has; blocks with so many registers that a processor holds; warps
 * that would fill an SM as so many blocks fill the processor. */
int cost_warps(const cost_gpu *g, const st_kernel *k);
int cost_resident(const cost_gpu *g, const st_kernel *k, int registers);
int cost_crowd(const cost_gpu *g, const st_kernel *k, int resident);

/* The best degree of 1 .. most. A greater degree must be 2 % faster than a smaller one. 0: no
 * degree is 2 % faster than `rate`. rate_of(choice, bt) is the rate of the best kernel of a degree,
 * or 0 if there is none. */
int cost_best_degree(double (*rate_of)(const void *choice, int bt), const void *choice, int most,
                     double rate);

cost_estimate cost_of(const st_stencil *s, const sch_schedule *c, const cost_work *w,
                      const cost_gpu *g, const st_kernel *k);

#endif
