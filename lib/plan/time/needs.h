/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What kernels of whole steps need, whatever their plan: operations, words in registers, bytes.
 */
#ifndef STENCILOPT_PLAN_NEEDS_H
#define STENCILOPT_PLAN_NEEDS_H

#include "model/dependences.h"
#include "plan/time/cost.h"

enum { MOST_HELD = 3, WIDTHS = 8 }; /* cells of a lane: 1, 2, 4 and so on */

/* What a lane's row of V = 1 needs for one level of a step, in words of 32 bits. In 3-D a thread
 * has several rows. */
typedef struct needs {
    double slots[WIDTHS]; /* issue slots of the sweeps' operations, a cell: by log2 of the lane's */
    double code[WIDTHS];  /* instructions of them, likewise */
    double shuffles;      /* words from neighbouring lanes, a level */
    double kept;          /* words that a level keeps, a cell */
    double held[MOST_HELD +
                1]; /* of these, by how many rows of their version are kept; the last: or more */
    double loads;   /* accesses to arrays that are only read, a cell; */
    double staying; /* those of them whose rows may stay in scratchpad */
    double again, stays_again; /* bytes of `loads` and of `staying` that no near cache has */
    double flow;               /* bytes a cell of arrays that arrive */
    double out;                /* bytes a cell of arrays that leave */
    double others;             /* bytes a cell of arrays that are only read */
    double leaving;            /* further words a cell that the last level keeps */
    double beside;  /* in 3-D: rows beside a thread's own that are computed, on average */
    double made;    /* words a cell of these rows that are kept */
    double given;   /* words a cell that a warp gives to others and takes from them */
    double reduced; /* words of a thread for a level's reductions */
    int arrays;     /* that flow */
    bool flat;      /* 1-D: a single row, all of whose levels are made at once */
    double live;    /* of that row: words a cell that a level has at a time, at most */
    double ends;    /* further ones that tiles at its ends load: cells that no step writes */
} needs;

needs needs_find(const st_step *step, const st_dependences *d, const cost_gpu *g);

#endif
