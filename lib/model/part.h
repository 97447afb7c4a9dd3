/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A part of a time step: the sweeps of some nests that follow one another, as a step of its own.
 * One kernel makes it. A step that is too large for a kernel is cut into parts, which are made one
 * after the other.
 *
 * A part is made once and not repeated, so its arrays become nothing else. It has the arrays that
 * its sweeps access. Those that other parts write it only reads, as they are then. Of two buffers
 * that take turns, the part that writes one has both as one array, as the step has. Each other part
 * reads the older buffer, the newer one (st_array's `newer`), or both, as two arrays that nobody
 * writes.
 */
#ifndef STENCILOPT_PART_H
#define STENCILOPT_PART_H

#include "model/step.h"

/* Why the step cannot be cut, a sentence; NULL: it can. The step may be taken whole but for its
 * size. */
const char *st_step_why_not_parts(const st_step *step);
/* May it be cut in front of this nest? Sweeps that write one of two buffers which take turns stay
 * together. */
bool st_step_may_cut(const st_step *step, size_t nest);
/* The sweeps of the nests first .. end - 1. NULL if there are none, or they store nothing. All
 * nests keep their numbers. */
st_step *st_step_part(const st_step *step, size_t first, size_t end);

#endif
