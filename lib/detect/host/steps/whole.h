/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From the sweeps of a time loop to the time step as a whole (model/step.h).
 */
#ifndef STENCILOPT_HOST_WHOLE_H
#define STENCILOPT_HOST_WHOLE_H

#include "detect/host/region.h"
#include "model/step.h"

/* The step of sweeps that were found good, or NULL, and *why has a few words. The stencils stay the
 * sweeps'; of a grid with two buffers, the sweep that reads it as the step begins has it at level 0,
 * and sweeps that write it have it at level 1. */
st_step *host_whole_step(const host_steps *s, const char **why);

#endif
