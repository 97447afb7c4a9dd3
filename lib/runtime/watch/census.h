/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Who else may reach the program's memory, by /proc.
 */
#ifndef STENCILRT_CENSUS_H
#define STENCILRT_CENSUS_H

#include <stdint.h>

/* A reason, if there is a thread that is neither this one nor one of the runtime's or of a
 * driver's, or if memory is shared with other processes. Threads of the runtime and of drivers
 * block the signals `own`. */
const char *rt_census_refusal(uint64_t own);

#endif
