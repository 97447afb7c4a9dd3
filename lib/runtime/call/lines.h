/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where the sweeps of a region, and the arrays, lie along the last dimension: in rows that all
 * count alike. Row 0 is the first one that a sweep computes. Rows of a part of the region, computed
 * as if they were all, are a band. The sweeps of a band:
 *
 *   - Most sweeps compute all rows but a few at the ends. In a band they leave out as many.
 *   - A sweep of few rows is a layer at an end. In a band it is made at the same distance from the
 *     band's end. If that is no end of the grid, what the layer computes there is wrong.
 *
 * So at the ends of a band `face` rows are wrong from the beginning, and `reach` more after each
 * step. An index that is brought back into the domain at the grid's ends is so at the band's ends,
 * too; what is computed from it there is wrong in as many rows as the index reaches.
 *
 * If rows come round, all sweeps compute all rows, and access no row outside. Then a band may go on
 * beyond the grid's ends. It has the addresses of as many rows at the grid's beginning.
 */
#ifndef STENCILRT_LINES_H
#define STENCILRT_LINES_H

#include "runtime/call/arrays.h"

typedef struct rt_lines {
    int64_t rows;                                       /* of all sweeps */
    int64_t reach, face;                                /* see above */
    bool round;                                         /* do rows come round? */
    int64_t *sweeps;                                    /* the row of each sweep's cell 0 */
    int64_t *arrays;                                    /* the row of each array's coordinate 0 */
    enum rt_layer { RT_ALL, RT_LOW, RT_HIGH } * layers; /* what each sweep is */
    bool *known; /* of sweeps; then of arrays: do they extend along the last dimension? */
} rt_lines;

/* False if the sweeps are not as above, or memory ran out. Call rt_lines_free also then. */
bool rt_lines_make(rt_lines *lines, const rt_arrays *arrays);
void rt_lines_free(rt_lines *lines);
bool rt_lines_has(const rt_lines *lines, const rt_arrays *a, uint32_t array); /* has it rows? */
/* Does the view extend along the last dimension? */
bool rt_view_has_rows(const rt_arrays *a, const rt_view *v);
/* The rows by which a sweep of the band lo <= row < hi is moved, and the rows that it has less. */
int64_t rt_lines_moved(const rt_lines *lines, uint32_t sweep, int64_t lo, int64_t hi);
int64_t rt_lines_less(const rt_lines *lines, uint32_t sweep, int64_t lo, int64_t hi);

#endif
