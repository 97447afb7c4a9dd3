/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a loaded module tells of its kernels: for tools that check a command line before they
 * launch, and for tools that record what kernels access.
 */
#ifndef STENCILSIM_INSPECT_H
#define STENCILSIM_INSPECT_H

#include "stencilopt/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The name of kernel number `index`, or NULL past the last one. Owned by the module. */
const char *stencilsim_kernel_name(const stencilsim_module *module, size_t index);

/* The number of the kernel's parameters; -1 if the module has no such kernel. */
int stencilsim_kernel_nparams(const stencilsim_module *module, const char *kernel);

/* A parameter's type as LLVM IR writes it ("i32", "float", "ptr addrspace(1)"); "" for a struct
 * passed by value. `*bytes` gets its size. The kernel and the parameter must exist. */
const char *stencilsim_kernel_param(const stencilsim_module *module, const char *kernel, int param,
                                    size_t *bytes);

/* One access to device memory. */
typedef struct stencilsim_access {
    uint32_t block[3], thread; /* thread: its linear number in the block */
    uint32_t place; /* the access's place in the kernel's code: later ones have greater numbers */
    enum { STENCILSIM_LOAD, STENCILSIM_STORE, STENCILSIM_ATOMIC } kind;
    uint64_t bytes;
    const char *buffer; /* its label; one allocation always has the same pointer */
    uint64_t buffer_bytes, offset;
} stencilsim_access;

/* Sets the observer that later runs of the module call; NULL: none. It is called before each access
 * to device memory that the kernel's IR makes. Asynchronous copies count as loads. Blocks are
 * observed in order, threads in the order in which the simulator runs them. Observed runs are slow.
 */
typedef void stencilsim_observer(void *context, const stencilsim_access *access);
void stencilsim_observe(stencilsim_module *module, stencilsim_observer *observer, void *context);

/* Lanes of a wave unless a launch says otherwise: 64 for AMD's code, 32 for NVIDIA's. */
uint32_t stencilsim_module_wave(const stencilsim_module *module);

#ifdef __cplusplus
}
#endif
#endif
