/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libstencilsim: runs GPU kernels, given as LLVM IR for NVPTX or AMDGPU, on the CPU.
 *
 * Exact before fast: every thread of a block runs the kernel's own IR, compiled for the CPU
 * without contraction; threads that synchronise (barriers, shuffles, votes) run as fibers.
 * It stops at the first fault and names it: an access outside every allocation (but for loads of
 * aligned vectors of at most 16 bytes that are partly inside, which are safe on all devices), a
 * barrier not reached by all threads of the block, a read of scratchpad that nobody wrote.
 */
#ifndef STENCILOPT_SIM_H
#define STENCILOPT_SIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stencilsim_module stencilsim_module;

/* Device memory: ordinary memory of this process that kernels may access. `label` names it in
 * fault messages ("argument 2"); it is copied. Contents are unspecified. NULL when out of memory.
 */
void *stencilsim_alloc(size_t bytes, const char *label);
void stencilsim_free(void *memory);

/* Compiles a module, bitcode or text. `error` (of `error_size` bytes) receives a message on
 * failure; NULL is returned then. The input may be freed after the call. */
stencilsim_module *stencilsim_load(const void *ir, size_t size, char *error, size_t error_size);
void stencilsim_unload(stencilsim_module *module);

typedef struct stencilsim_launch {
    const char *kernel;
    uint32_t grid[3], block[3];  /* blocks and threads along x, y, z; all at least 1 */
    uint32_t dynamic_scratchpad; /* bytes */
    uint32_t wave;               /* lanes: 32 or 64 */
    const void *const *args;     /* nargs pointers to the parameters' values, as cuLaunchKernel's */
    const size_t *arg_sizes;     /* bytes each; checked against the kernel's parameters */
    uint32_t nargs;
    uint32_t together; /* 1: all blocks run at once, and may wait for each other's words */
} stencilsim_launch;

/* stencilsim_run's: a thread was stopped. */
enum { STENCILSIM_FAULT = 1 };

/* Runs a launch to its end. 0 on success; else a message in `error` and a nonzero code. After
 * STENCILSIM_FAULT device memory is as the threads that ran left it; else none ran. Not to be
 * called by two threads for one module at once. */
int stencilsim_run(stencilsim_module *module, const stencilsim_launch *launch, char *error,
                   size_t error_size);

#ifdef __cplusplus
}
#endif
#endif
