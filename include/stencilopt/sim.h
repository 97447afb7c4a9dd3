/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libstencilsim: runs GPU kernels on the CPU. They are given as LLVM IR for NVPTX or AMDGPU.
 *
 * Exactness comes before speed. Every thread of a block runs the kernel's own IR, compiled for the
 * CPU without contraction. Threads that synchronise (barriers, shuffles, votes) run as fibers. The
 * simulator stops at the first fault and names it. Faults are: an access outside every allocation,
 * a barrier that not all threads of the block reach, a read of scratchpad that was not written. One
 * access outside is allowed: loads of aligned vectors of at most 16 bytes that are partly inside,
 * which are safe on all devices.
 */
#ifndef STENCILOPT_SIM_H
#define STENCILOPT_SIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stencilsim_module stencilsim_module;

/* Allocates device memory: ordinary memory of this process that kernels may access. `label` names
 * it in fault messages ("argument 2") and is copied. The content is unspecified. NULL if memory ran
 * out. The caller frees it by stencilsim_free. */
void *stencilsim_alloc(size_t bytes, const char *label);
void stencilsim_free(void *memory);

/* Compiles a module, given as bitcode or text. On failure returns NULL, with a message in `error`,
 * which has `error_size` bytes. The input may be freed after the call. */
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

/* A result of stencilsim_run: a thread was stopped. */
enum { STENCILSIM_FAULT = 1 };

/* Runs a launch to its end. Returns 0 on success. Otherwise returns another number, with a message
 * in `error`. After STENCILSIM_FAULT, device memory is as the threads that ran left it. After other
 * failures no thread ran. Two threads must not call this for one module at the same time. */
int stencilsim_run(stencilsim_module *module, const stencilsim_launch *launch, char *error,
                   size_t error_size);

#ifdef __cplusplus
}
#endif
#endif
