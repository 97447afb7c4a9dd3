/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Time steps of well-known programs, built by hand.
 */
#ifndef STEP_PROGRAMS_H
#define STEP_PROGRAMS_H

#include "model/dependences.h"

typedef struct program {
    st_step *step;
    st_stencil *stencils[ST_MAX_SWEEPS]; /* of its sweeps */
} program;

typedef struct program_maker {
    const char *name;
    program (*make)(st_type type); /* of its cells, where it does not say others */
    bool integers;                 /* they are integers */
    bool deep;                     /* it is of three dimensions */
} program_maker;

extern const program_maker programs[];
extern const size_t nprograms;

void program_free(program *p);
/* The least extent of a box, along dim, in which layers at a face read nothing beyond the other
 * face. */
int32_t least_extent(const st_step *step, int dim);

#endif
