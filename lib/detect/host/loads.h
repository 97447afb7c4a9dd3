/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pointers and sizes that the nest reads from memory. Reads: addresses. Hands on: what is to be
 * loaded in front of the region, and a stand-in for each value.
 */
#ifndef STENCILOPT_HOST_LOADS_H
#define STENCILOPT_HOST_LOADS_H

#include "detect/common/calls.h"
#include "detect/host/resolver.h"

/* A value that the nest reads, and does not write. loads.c */
typedef struct host_load {
    poly address;
    unsigned alignment;
    LLVMValueRef value; /* stands for the value; NULL once the load is made */
} host_load;

struct host_region;

/* What a load of a pointer or an integer in the nest yields. loads.c */
host_resolver host_load_value;
void host_forget_loads(struct host_region *r);
/* Does the address that the load reads change in the nest? */
bool host_moves(const struct host_region *r, LLVMValueRef load);
bool host_is_always_read(const struct host_region *r, LLVMValueRef load);
/* Does store number i (0: the first) of the sweep, one of several, run only under a condition? */
bool host_is_masked(const struct host_region *r, int i);

#endif
