/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In which order the accesses of a launch reach the caches.
 *
 * threads: one thread after the other, as the thesis looks at them (N. Prasetya, 2022, section
 * 3.2): each access by itself, all on one SM.
 *
 * warps: blocks go to the SMs in turn, as many to each as it can hold, later ones to the SM where
 * a block has ended. SMs take turns, and on each its resident warps: one instruction of one warp
 * at a time. The lanes of a warp whose next accesses are the same in the code, and equally often
 * executed, go together. What warps wait for (barriers, memory) is not simulated.
 */
#ifndef STENCIL_SIM_ORDER_H
#define STENCIL_SIM_ORDER_H

#include "trace.h"

enum { ORDER_MOST_LANES = 64 };

/* Accesses that reach a cache at once. */
typedef struct order_request {
    uint32_t sm, naccesses;
    const trace_access *accesses[ORDER_MOST_LANES];
    uint64_t time, sm_time; /* threads, or warp instructions before it: in all, on this SM */
} order_request;

typedef void order_serve(void *context, const order_request *request);

void order_threads(const trace *t, order_serve *serve, void *context);

/* `resident`: blocks an SM holds. False where memory runs out. */
bool order_warps(const trace *t, uint32_t wave, uint32_t nsms, uint32_t resident,
                 order_serve *serve, void *context);

#endif
