/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What follows from a time step: the versions of each array, the halo of a step, and the rows that
 * a kernel of several whole steps keeps.
 *
 * A version is what an array holds from one sweep that writes it to the next: version 0 of an array
 * is what the step begins with. A sweep reads the newest version that there is before it, but of
 * swapped arrays, at level 0, version 0. A cell outside the domain of the sweep that makes a
 * version has the value of the version before. Tiles overlap: a tile is loaded with the halo of all
 * its steps, and the interval in which a version is right shrinks with each read.
 *
 * A step of one dimension is a single row. "Along the stream" is then along y, where nothing reads
 * another row: all lags are 0, and no row is kept.
 */
#ifndef STENCILOPT_DEPENDENCES_H
#define STENCILOPT_DEPENDENCES_H

#include "model/step.h"

enum { ST_MAX_VERSIONS = ST_LIMIT(64, 4) };

/* What one version of an array is. Versions 0 come first, by the arrays' numbers; then those that
 * sweeps make, in their order, each sweep's in the order of its stores. Where the step decides by
 * what a sweep reduces that stores nothing, that stands among them: what is reduced of a cell. So
 * does the element of a trace. */
typedef struct st_version {
    int32_t array;
    int32_t sweep,
        store;      /* that makes it, the sweep's store 0, 1, ..; -1: the step begins with it */
    int32_t before; /* the version before it; -1: none */
    bool reduced;   /* no version of the array, but what a sweep reduces that stores nothing */
    int32_t lag;    /* planes behind the newest plane of versions 0, along the stream */
    int32_t oldest; /* planes from its making to its last read, along the stream */
    int32_t held;   /* the same if cells outside a domain are read from the version before, but of
                       settled arrays */
    int32_t leaves; /* planes from its making to the step's end; 0 of versions that do not leave it.
                       Of arrays that do not arrive, no read but the launch's last step needs it */
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK]; /* how far its right cells lie inside a tile */
    /* In 3-D, where a thread has rows of its own and those beside them are other warps': rows of
     * the version below and above its own that a thread needs too, and how many planes old they are
     * at most. Of version 0 they come from these warps, and are a plane old at least; of the others
     * the thread makes them itself. */
    int32_t below, above, beyond;
} st_version;

/* What a kernel of whole steps needs to know, with the dimension `stream` streamed. */
typedef struct st_dependences {
    st_version versions[ST_MAX_VERSIONS];
    size_t nversions;
    int32_t last[ST_MAX_ARRAYS]; /* version of each array */
    int stream;
    int32_t lag;                  /* of the step: planes from input to output */
    int32_t halo[ST_MAX_RANK][2]; /* a step's: cells lost at each side of a tile */
} st_dependences;

/* The dimension that kernels of whole steps stream: the last one, in 1-D the one behind it. */
int st_step_stream(const st_step *step);
/* Versions, lags, rows and halos; `step` can be taken whole. False if there are too many versions.
 */
bool st_step_dependences(const st_step *step, int stream, st_dependences *out);
/* The version that an access of a sweep reads. */
int32_t st_step_version_read(const st_step *step, const st_dependences *d, size_t sweep,
                             int32_t access);
/* The version that a store of a sweep makes; store 0 of one that stores nothing: what it reduces.
 */
int32_t st_step_version_made(const st_dependences *d, size_t sweep, size_t store);
/* Cells that `count` steps lose at each side of a tile. */
void st_step_halo(const st_step *step, const st_dependences *d, int count,
                  int32_t halo[ST_MAX_RANK][2]);
/* Of an array that is only read, in 2-D: may a lane with so many cells keep its rows in scratchpad?
 * They serve the accesses that lead to the cell's own column, of any row. How old these rows are
 * when the first level reads them, in planes; less than 0, of rows that are still to come. */
bool st_step_stays(const st_step *step, const st_dependences *d, int32_t array, int cells,
                   int32_t *least, int32_t *most);
bool st_step_access_stays(const st_step *step, size_t sweep, int32_t access);
/* Rows below and above a thread's own for which some version of the sweep is made. */
void st_step_beside(const st_dependences *d, size_t sweep, int32_t *below, int32_t *above);

#endif
