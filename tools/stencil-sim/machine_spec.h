/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * --cache: the caches to simulate, by a GPU's name, by sizes, or by a name with changes.
 */
#ifndef STENCIL_SIM_MACHINE_SPEC_H
#define STENCIL_SIM_MACHINE_SPEC_H

#include "target/caches.h"

typedef struct machine_spec {
    caches_gpu gpu;
    uint32_t resident; /* blocks on an SM; 0: as many as its limits allow */
} machine_spec;

/* [GPU][,l1=BYTES:LINE:WAYS|none][,l2=...][,sms=N][,blocks=N]. 0, or a message in `error`. */
int machine_spec_parse(const char *text, machine_spec *spec, char *error, size_t error_size);

/* Blocks of so many threads, in waves of so many lanes, that an SM runs at once; at least 1. */
uint32_t machine_spec_resident(const machine_spec *spec, uint32_t block_threads, uint32_t wave);

#endif
