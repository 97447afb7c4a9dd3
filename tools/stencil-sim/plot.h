/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The spatial-temporal diagram (N. Prasetya, 2022, section 3.2): address against time, and in it
 * what a cache fetched, what was a hit, and what it held. A long launch or a large buffer is
 * drawn with several times in a column or several lines in a row: then a cell shows the rarest
 * thing that happened in it, fetched before hit before resident.
 */
#ifndef STENCIL_SIM_PLOT_H
#define STENCIL_SIM_PLOT_H

#include "cache.h"
#include "trace.h"

typedef enum plot_mark { PLOT_NOTHING, PLOT_RESIDENT, PLOT_HIT, PLOT_FETCHED } plot_mark;

typedef struct plot {
    const trace *trace;
    uint32_t line;                /* bytes */
    uint64_t per_column, per_row; /* times, lines */
    uint64_t ncolumns, nrows, column;
    uint64_t *first_row;  /* of each buffer */
    unsigned char *cells; /* rows of plot_marks */
} plot;

/* False where memory runs out. `times`: as many as there will be. */
bool plot_init(plot *p, const trace *t, uint32_t line, uint64_t times);
void plot_free(plot *p);

/* Time goes on: what the cache holds until then is resident. Times must not decrease. */
void plot_advance(plot *p, const cache *c, uint64_t time);

/* Something happens to a line now. */
void plot_line(plot *p, uint64_t line, plot_mark mark);

/* Writes the diagram of those buffers that have marks. 0, or errno's value. */
int plot_write(const plot *p, const char *path, const char *title, const char *time_unit);

#endif
