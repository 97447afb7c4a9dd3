/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A GPU is opened when the program starts, if an earlier run noted that this pays (note.h). The
 * entry code of programs calls stencilrt_start then. The note is withdrawn if the program gained
 * little this time, or if it forks before its first region: its children could not use the GPU.
 */
#ifndef STENCILRT_START_H
#define STENCILRT_START_H

#include <stdbool.h>

/* Did an earlier run gain by a GPU, and was it opened at the start? */
bool rt_start_knows(void);
/* A region is entered. */
void rt_start_entered(void);
/* The GPU gained `seconds` so far. Notes it, once, if that repays opening the GPU. The calling
 * thread is in a region. */
void rt_start_gained(double seconds);

#endif
