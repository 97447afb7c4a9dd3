/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The Plan: how a stencil is computed on a GPU. Plain data: the kernels that are compiled, and how
 * each works. The runtime makes any number of time steps by launches of their degrees.
 */
#ifndef STENCILOPT_PLAN_H
#define STENCILOPT_PLAN_H

#include "model/stencil.h"
#include "stencilopt/region.h"

enum {
    PLAN_MAX_KERNELS = ST_LIMIT(8, 2),
    PLAN_MAX_CELLS = 32,    /* a lane, in 1-D; of packed ones, words */
    PLAN_STREAM_CELLS = 16, /* a lane and row.. */
    PLAN_STREAM_ROWS = 8,   /* ..of so many, at most */
    PLAN_LOAD_UNIT = 16     /* cells along x to which the end of what is loaded is rounded up */
};

typedef enum st_kernel_kind {
    ST_CELL = STENCILRT_CELL,     /* one time step, a thread a cell, or a tile of cells */
    ST_STREAM = STENCILRT_STREAM, /* bT time steps; a tile of all but the last dimension streams
                                     along that */
    ST_STRIP = STENCILRT_STRIP,   /* bT time steps, in 1-D; a warp holds a strip of cells in
                                     registers */
    ST_STEPS = STENCILRT_STEPS,   /* bT whole time steps of several sweeps; a tile streams along the
                                     last dimension, in 1-D it has one row */
    ST_RESIDENT = STENCILRT_RESIDENT, /* all time steps; blocks keep the whole grid in registers */
    ST_ADDING = STENCILRT_ADDING      /* adds up floats of `cells` bytes in their order */
} st_kernel_kind;

typedef struct st_kernel {
    char name[64];
    st_kernel_kind kind;
    int bt;
    int block[3]; /* threads along x, y, z */
    /* ST_CELL. Cells along x, y, z that a thread has where rows are aligned and the grid is large;
     * 0: it always has one. ST_RESIDENT: cells of a block's tile. */
    int thread_tile[3];
    double tile_time; /* seconds, as `time`, of launches with such tiles; 0: there are none */
    /* ST_STREAM. A lane owns `cells` neighbouring cells in each of `rows` rows. A warp has `lanes`
     * lanes along x. In 2-D each warp is a tile; in 3-D the block's warps lie along y. A warp is a
     * whole warp of the GPU, or half of one. */
    int lanes, warps, cells, rows;
    int depth;     /* planes of the asynchronous prefetch ring */
    int unroll;    /* planes of an iteration of the inner loop: depth or 1 */
    int16_t waits; /* planes for which copies wait in registers, 1 or 2; 0: they are asynchronous */
    int16_t stay;  /* of rows that stay (`keep`), how many at a time, a power of two */
    int ahead;     /* planes between the one in hand and the one whose copy is begun */
    int lag;       /* how old a plane of the ring is at most when used */
    int halo[2];   /* cells at either end of a tile that are computed and not stored: x, y */
    int margin[2]; /* beyond these, cells that are loaded and not computed: neighbours of level 0
                      alone; 0: there, level 0 too has its x neighbours by shuffle */
    int tile[2];   /* cells of a tile that are stored: x, y */
    int overlap;   /* planes a chunk takes beyond those it stores */
    int lead;      /* planes of these that come before the chunk's first plane */
    int scratchpad; /* bytes a block */
    int registers;  /* the registers that a thread may use; 0: no limit */
    bool packed;    /* cells of less than a word share words */
    /* ST_RESIDENT. A lane owns `cells` neighbouring cells of each of `rows` rows of `planes`
     * planes; a block has `warps` warps, `warp_planes` of them along z. Of whole steps, `halo` is
     * what a step loses at a tile's sides. */
    int8_t planes, warp_planes;
    bool faces;      /* ST_RESIDENT: the tile has no margin; blocks exchange after each step */
    bool reduces;    /* ST_RESIDENT: each step's reductions go to slots */
    int8_t brick[3]; /* ST_CELL. Cells of the bricks that arrays lie in; zeros: they lie in rows */
    bool shuffles;   /* ST_CELL. Tiles get the cells beside their vectors from other lanes */
    bool always;     /* it runs wherever the grid fits */
    /* ST_STRIP. A warp is a tile, and a lane owns `cells` neighbouring cells. warps, halo, tile and
     * registers are as above; `depth` levels are a round of the loop over time steps.
     *
     * ST_STEPS. As ST_STREAM in 2-D, with one warp a block and no margin. halo[0] is at the low end
     * of a tile; the other cells of its lanes that are not stored are at the high end. */
    int8_t part, parts; /* it makes this part, 1 .. parts, of a step; 0: whole steps */
    bool keep;          /* What depends on the cell but not on the level stays: in registers. Of
                           ST_STEPS, rows of arrays that are only read stay in scratchpad. */
    double rate;        /* predicted cell updates a second */
    double time;        /* predicted seconds of all the device, as region.h has it */
    const char *bound;  /* what limits the rate */
    /* Expected: registers a thread, blocks that a processor holds. */
    int takes, resident;
    stencilrt_parameter *parameters; /* parameters.h: all of them, in their order */
    size_t nparameters;
} st_kernel;

typedef struct st_plan {
    /* the cell kernel first, then falling degrees, then resident kernels */
    st_kernel kernels[PLAN_MAX_KERNELS];
    int count;
    int pad_low[3],
        pad_high[3]; /* cells around the domain that kernels may load from the grid that
                        rotates; their values do not matter beyond the stencil's radius */
} st_plan;

/* Kernels that keep the whole grid on chip: none; where the model expects a gain; wherever the grid
 * fits. */
typedef enum plan_on_chip { PLAN_OFF_CHIP, PLAN_MAYBE_ON_CHIP, PLAN_ALWAYS_ON_CHIP } plan_on_chip;

/* Bricks that options ask for. Zeros of `cells` and `fold`: the model's choice. */
typedef struct plan_bricks {
    bool wanted;  /* arrays lie in bricks where they can */
    int cells[3]; /* of a brick */
    int fold[3];  /* 32 lanes along x, y, z */
} plan_bricks;

/* Choices that options force, 0: the model's choice. `lanes` is forced by naming GPUs whose warps
 * differ. */
typedef struct plan_wish {
    int bt, cells, rows, depth, warps, registers, unroll, lanes;
    plan_on_chip on_chip;
    plan_bricks bricks;
    bool shuffle;       /* tiles get neighbours along x from other lanes */
    double least_cells; /* the domain is known to have so many at least */
    int group;          /* nests of a part of a step */
} plan_wish;

/* Lanes of the GPU's warps. */
int plan_lanes(const char *arch);
/* Cells a second that the kernel is predicted to make of a large grid. */
double plan_rate(const st_kernel *k);

/* `arch`: the GPU to plan for, or NULL; `prefix` is common to the kernels' names. plan_free frees
 * what the plan points to. */
st_plan plan_choose(const st_stencil *s, const plan_wish *wish, const char *arch,
                    const char *prefix);
/* The cell kernel alone, for one of several sweeps in a time step, or for one of several outputs.
 * `bricks`: the arrays lie in bricks. */
st_plan plan_cell(const st_stencil *s, const plan_wish *wish, bool bricks, const char *arch,
                  const char *prefix);
/* Do the arrays lie in bricks? If they cannot, the reason. */
bool plan_has_bricks(const st_plan *p);
const char *plan_why_not_bricks(const st_stencil *s);
/* Can time steps be blocked? If not, the reason. */
const char *plan_why_not_blocked(const st_stencil *s);
void plan_print(const st_plan *p, FILE *out);
void plan_free(st_plan *p); /* what it points to */

#endif
