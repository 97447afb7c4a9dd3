/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time step as text.
 */
#ifndef STENCILOPT_STEP_PRINT_H
#define STENCILOPT_STEP_PRINT_H

#include "model/step.h"

/* Prints the step's arrays and their versions. */
void st_step_print(const st_step *step, FILE *out);
/* Prints the step's sweeps, and what st_step_print does. */
void st_step_print_all(const st_step *step, FILE *out);

#endif
