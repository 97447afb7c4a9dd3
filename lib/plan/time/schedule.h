/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * When each part of a statement is computed while planes stream by.
 *
 * A plane is what one step of the stream brings: a row in 2-D, a plane in 3-D. Output plane j needs
 * the planes j + d of the level below, with d in least..greatest. An operation's phase is the
 * number q such that j + q is the newest plane that it waits for. A neighbour that another warp
 * holds comes one plane later, because it passes through scratchpad (`latency`). What is known of
 * output j after phase q, and used later, is carried from plane to plane: a partial sum instead of
 * the planes that it is made of. An operation whose leaves all have one phase is either computed
 * where it is used, from planes that are kept, or at once and carried: whichever keeps fewer
 * values. This is AN5D's associative optimisation (section 4.1, "partial summations"), but in the
 * order of the program's operations, so that no sum is reordered.
 *
 * A statement may also read the cell itself one time step further back, u[t-1] beside u[t]: the
 * older level. Its plane j has passed long before plane j of the output is made. So the level below
 * keeps it for `delay` planes. It can be read at any phase, but is read at one only, the earliest
 * of those that need it. Later phases get it carried.
 */
#ifndef STENCILOPT_SCHEDULE_H
#define STENCILOPT_SCHEDULE_H

#include "model/stencil.h"

typedef struct sch_schedule {
    int least, greatest; /* stream offsets read of the rotating grid: least <= 0 <= greatest */
    int first, last;     /* phases in use; outputs are complete at `last` */
    int lags;            /* planes kept besides the newest: 1..lags */
    int exchange_lags;   /* how old a plane's exchanged rows may be when used; 0: none */
    int x_lags;          /* how old a plane is at most when neighbours along x are taken from it */
    int radius[2];       /* greatest offset along x, and along y in 3-D */
    int32_t older;       /* the node that reads the older level; -1: none does */
    int older_phase;     /* the phase at which that node is read */
    int delay;           /* how old its plane is, counted from the level below's newest; 0: none */
    int *phase;          /* per node: when it is computed; SCH_ANY: where it is used */
    int *early;          /* per node: when it may be computed, if it is worth carrying; SCH_ANY */
    int *age;            /* per node: for how many planes it is carried; 0: not */
    bool *used;          /* per node and phase first..last: is it computed or taken then? */
} sch_schedule;

enum { SCH_ANY = -1000 };

/* `rank` - 1 is the stream's dimension. `latency`: of neighbours along y, 0 or 1. */
sch_schedule *sch_create(const st_stencil *s, int latency);
void sch_destroy(sch_schedule *schedule);

int sch_phases(const sch_schedule *schedule);
/* Is node n an access of the grid that rotates, at the level before the one written? */
bool sch_is_moving(const st_stencil *s, const st_node *n);
/* Planes that a level keeps besides the newest, those for boundary cells not counted. */
int sch_kept(const sch_schedule *schedule);
/* Values a cell carries from plane to plane, at one level: registers. */
int sch_carried(const st_stencil *s, const sch_schedule *schedule);

#endif
