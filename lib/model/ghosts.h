/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Time steps that keep ghost cells: cells at a face to which the step copies those of the opposite
 * one, u[0][j] = u[n][j] and u[n + 1][j] = u[1][j]. Where the copies make each read find what a
 * periodic index would find, the step is the same as one without them, whose indices come round
 * (ST_WRAP). Kernels of whole steps make that one.
 */
#ifndef STENCILOPT_GHOSTS_H
#define STENCILOPT_GHOSTS_H

#include "model/step.h"

/* Fills in step->ghosts, if such copies are all that keeps the step from being taken whole. False:
 * it is not so. */
bool st_step_find_ghosts(st_step *step);
/* Of a nest's first sweep: is the grid that of ghost cells outside the window, to which it copies?
 */
bool st_step_is_ghost(const st_step *step, size_t nest, int32_t grid);
/* The step without the copies. Its box is the window of step->ghosts. */
st_step *st_step_without_ghosts(const st_step *step);

#endif
