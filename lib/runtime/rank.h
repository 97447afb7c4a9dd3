/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ranks of a parallel program on one machine, such as those of MPI: which of its devices a rank
 * takes.
 */
#ifndef STENCILRT_RANK_H
#define STENCILRT_RANK_H

#include <stdbool.h>

typedef struct rt_rank {
    const char *variable; /* what the launcher told the rank by; NULL: it told nothing */
    unsigned number;      /* among the ranks of this machine, from 0 on */
    unsigned ranks;       /* on this machine; 0: unknown */
} rt_rank;

/* Reads what the launcher put into the environment. */
rt_rank rt_rank_read(void);
/* The device of the rank. */
unsigned rt_rank_device(const rt_rank *rank, unsigned devices);
/* The ranks that have this device, as far as is known. */
unsigned rt_rank_sharers(const rt_rank *rank, unsigned device, unsigned devices);

#endif
