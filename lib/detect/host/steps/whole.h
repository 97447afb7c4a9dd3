/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From the sweeps of a time loop to the time step as a whole (model/step.h).
 */
#ifndef STENCILOPT_HOST_WHOLE_H
#define STENCILOPT_HOST_WHOLE_H

#include "detect/host/region.h"
#include "model/step.h"

/* The step of sweeps that were found good; `unknown` says why their arrays are not known, if so.
 * The stencils stay the sweeps'; of a grid with two buffers, the sweep that reads it as the step
 * begins has it at level 0, and sweeps that write it have it at level 1. */
st_step *host_step_of_sweeps(const host_steps *s);
/* host_detect_steps (forms.h). Single cells that are assigned one right after the other are sweeps
 * of their own where the step's arrays are known only so, as of two sources in one array. */
host_steps *host_detect_step(br_function *f, LLVMValueRef function, br_loop time, bool device_math,
                             unsigned also);
/* The step that a region belongs to: its own, of a single sweep, or that of all its sweeps. */
st_step *host_step_of(host_region *r);

#endif
