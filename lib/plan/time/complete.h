/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What follows from the choices for a kernel of whole steps: see complete.c.
 */
#ifndef STENCILOPT_PLAN_COMPLETE_H
#define STENCILOPT_PLAN_COMPLETE_H

#include "model/dependences.h"
#include "plan/plan.h"

/* The bytes of a lane's cells of all arrays that arrive. False if some of them are not made of
 * pieces that can be copied: of 16 or 8 bytes; in 3-D also of 4. If x is periodic, cells must have
 * at least 4 bytes. */
bool steps_measure_row(const st_step *step, const st_kernel *k, int *bytes);

/* Fills in what follows from bt, cells, unroll, depth, lanes and waits. False if the tile is empty
 * or such a kernel cannot be. */
bool steps_complete(const st_step *step, const st_dependences *d, st_kernel *k);

/* Cells around the box that the kernel may load; to be joined with those of other kernels. */
void steps_padding(const st_step *step, const st_dependences *d, const st_kernel *k, int low[3],
                   int high[3]);

#endif
