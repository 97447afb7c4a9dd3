/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much of a program detection looks at: a nest that exceeds one of these limits is refused.
 */
#ifndef STENCILOPT_COMMON_LIMITS_H
#define STENCILOPT_COMMON_LIMITS_H

#include "model/refusal.h"
#include "model/stencil.h"

enum {
    HOST_DETAIL = ST_DETAIL,
    HOST_MAX_LOOPS = ST_MAX_RANK + 1,
    HOST_MAX_BLOCKS = ST_LIMIT(256, 6),        /* of a loop */
    HOST_MAX_OUTER_BLOCKS = ST_LIMIT(512, 16), /* of the outermost one */
    HOST_MAX_GUARDS = ST_LIMIT(32, 2),
    HOST_MAX_RANGES = ST_LIMIT(64, 3),
    HOST_MAX_RINGS = ST_LIMIT(20, 1),
    HOST_MAX_CHOICES = ST_LIMIT(4, 1), /* conditions by which an address is chosen */
    HOST_MAX_SKIPPED = ST_LIMIT(64, 2),
    HOST_MAX_LOADS = ST_LIMIT(16, 1),
    HOST_MAX_TABLES = ST_LIMIT(8, 1), /* as STENCILRT_MAX_TABLES */
    HOST_MAX_TABLE_USES = ST_LIMIT(96, 2),
    HOST_MAX_FIXED_ROWS = ST_LIMIT(16, 1),
    HOST_MAX_NUMBERS = ST_LIMIT(4, 1),
    HOST_MAX_NODES = ST_LIMIT(20000, 40),
    HOST_MAX_DEPTH = ST_LIMIT(5000, 10),
    HOST_MAX_SWEEPS = ST_LIMIT(64, 3),    /* of a time step */
    HOST_MAX_REDUCTIONS = ST_LIMIT(8, 1), /* of a sweep */
    HOST_MAX_CALLS = ST_LIMIT(16, 2),     /* of <math.h> that the CPU makes in each step */
    HOST_MAX_ADDENDS = ST_LIMIT(8, 1),    /* of a cell, in a sum of floats */
    HOST_MAX_EXITS = ST_LIMIT(8, 1),      /* of a time loop */
    HOST_MAX_CARRIED = ST_LIMIT(16, 1),   /* numbers that the time loop carries from step to step */
    HOST_MOST_APART = 32,                 /* elements from a cell of a kernel to the next one */
    HOST_MAX_STORES = ST_LIMIT(63, 1)     /* of a sweep, beside the first: a bit each of `masked` */
};

#endif
