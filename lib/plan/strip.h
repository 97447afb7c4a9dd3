/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The plan of a 1-D stencil: strips (lib/codegen/strip.c). Between plan.c and strip.c.
 */
#ifndef STENCILOPT_STRIP_H
#define STENCILOPT_STRIP_H

#include "pack.h"
#include "plan.h"

/* What the model knows of the GPU and of an operation on it. */
typedef struct strip_gpu {
    double processors, clock, bandwidth; /* SMs, Hz, bytes a second */
    double double_rate;
    /* Instructions, of 32 bits, of a node and cell. */
    double (*cost)(const st_stencil *s, const pk_pack *p, int32_t n);
} strip_gpu;

/* Appends kernels of falling degrees, and their padding, to a plan. */
void strip_choose(st_plan *p, const st_stencil *s, const plan_wish *wish, const strip_gpu *g,
                  const char *prefix);

#endif
