/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A wave's tile of a grid, halo included, in the registers of its lanes: which lane holds which
 * cell, and how each lane gets a neighbour. After GPU-UniCache (Hou, Wang, Feng, CF '17), section
 * 4.2, figures 7 to 10.
 *
 * The tile's cells are numbered along x, then y, then z. Cell s is in register s / lanes of lane s
 * mod lanes. A neighbour lies at one distance from each lane's own first cell, so the cell that
 * lane l reads has the number
 *
 *     s(l) = first + l step[0] + (l / dims[0]) step[1] + (l / (dims[0] dims[1])) step[2]
 *
 * Its friend lane is s(l) mod lanes: F is first mod lanes. Its register is s(l) / lanes, which
 * never decreases from lane to lane. So cut-offs M between registers N tell which register it is.
 *
 * Differences from the paper, where the printed text is not right for all shapes:
 *  - Figure 9 shifts by `wav_dim[0] + 2 * h`. Section 4.2's text and the slides have
 *    (lane >> wav_dim[0]) * 2h, which is step[1] of a wave that covers each cell of its rows once.
 *    In general step[1] is what a row of the tile has beyond the wave's own part of the row: an
 *    uneven halo, or several cells a lane along x.
 *  - Waves of three dimensions need a third term: step[2], what a plane has beyond.
 *  - Figure 10 puts a lane's c-th cell c rows (planes) further. That is right if the wave is one
 * lane high along that dimension. Otherwise it is c * dims[d] further, as in the slides' examples,
 * or c further with the lanes `pitch` apart. So cells are told apart by their offset here, not by a
 *    formula.
 *  - As printed, calculate_F passes one point too many at the end of each row and plane.
 *    calculate_NM never counts, and takes cells of the rows between two planes for cells that are
 *    read. Here registers and cut-offs come from s(l) itself, for any number of exchanges.
 *  - The three exchanges and two selections of figure 9 are one selection and one exchange if no
 * two lanes have the same friend: then each friend knows which of two registers it is asked for.
 */
#ifndef STENCILOPT_WAVE_H
#define STENCILOPT_WAVE_H

#include "model/stencil.h"

enum { WAVE_MAX_LANES = 64 };

typedef struct wave_shape {
    int dims[ST_MAX_RANK];  /* lanes along x, y and z; 1 where there is no such dimension */
    int pitch[ST_MAX_RANK]; /* cells from a lane's first cell to the next lane's */
    /* Offsets from its first cell at which a lane reads: with one cell a lane -low halo..high
     * halo. What lanes read between these is the tile. */
    int least[ST_MAX_RANK], most[ST_MAX_RANK];
} wave_shape;

typedef struct wave_tile {
    wave_shape shape;
    int lanes;
    int extent[ST_MAX_RANK];
    int cells;     /* of the tile: the product */
    int registers; /* of a lane, the last of them not used by all lanes */
    int step[ST_MAX_RANK];
} wave_tile;

typedef struct wave_fetch {
    int first;                     /* the cell that lane 0 reads */
    int friend;                    /* F: the lane that has it */
    int count;                     /* of registers that lanes read */
    int registers[WAVE_MAX_LANES]; /* N1.. */
    int cuts[WAVE_MAX_LANES];      /* M0 = 0, M1..: the first lane that reads each */
    /* No two lanes have the same friend, and friends from this one on are asked for the first
     * register, those before for the second. Else -1. */
    int source_cut;
} wave_fetch;

/* False if the shape cannot be: it has too many lanes. */
bool wave_distribute(const wave_shape *shape, wave_tile *out);
/* How lanes get the cells at `offset` from their first cells; false if some are not in the tile. */
bool wave_find(const wave_tile *t, const int offset[ST_MAX_RANK], wave_fetch *out);
int wave_friend(const wave_tile *t, const wave_fetch *f, int lane);
int wave_register(const wave_fetch *f, int lane);

#endif
