/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loaded module: the compiled kernels and what is known of them.
 */
#ifndef STENCILSIM_LOADED_H
#define STENCILSIM_LOADED_H

#include "sim/machine/machine.h"

#pragma GCC visibility push(default)
#include "sim/inspect.h"
#include "stencilopt/sim.h"
#pragma GCC visibility pop

#include <llvm-c/LLJIT.h>
#include <pthread.h>

typedef void sim_entry(sim_thread *thread, sim_worker *worker, const void *const *args);

typedef struct sim_kernel {
    char *name;
    uint32_t nparams;
    uint64_t *param_bytes;
    char **param_types; /* as the IR writes them; "" for a struct passed by value */
    bool synchronises;
    sim_entry *entry;
} sim_kernel;

struct stencilsim_module {
    LLVMOrcLLJITRef jit;
    /* From this module a kernel is compiled at its first launch, under a lock. NULL: all are
     * compiled. */
    LLVMModuleRef rest;
    LLVMOrcThreadSafeContextRef context;
    pthread_mutex_t lock;
    const struct sim_dialect *dialect; /* the target of the module's IR: lower.h */
    bool has_atomics;
    /* Private variables of all functions, which a fiber's stack must hold. */
    uint64_t private_bytes;
    sim_kernel *kernels;
    size_t nkernels;
    sim_site *sites;
    size_t nsites, sites_room;
    sim_shuffle *shuffles;
    size_t nshuffles;
    sim_array *arrays; /* static scratchpad */
    size_t narrays;
    uint32_t scratchpad_static; /* bytes of all static arrays, with gaps between them */
    sim_range *globals;         /* device globals */
    size_t nglobals;
    sim_worker **workers;
    size_t nworkers;
    stencilsim_observer *observer; /* NULL: no run is observed */
    void *observer_context;
};

sim_kernel *sim_module_kernel(const stencilsim_module *module, const char *name);

/* Compiles the kernel's entry, if that has not been done. Where memory has a limit, all kernels are
 * compiled: a launch must not fail for want of memory when others of a call have changed arrays. */
bool sim_module_compile(stencilsim_module *module, sim_kernel *kernel, char *error, size_t size);

/* In worker.c. NULL: out of memory. */
sim_worker *sim_worker_create(const stencilsim_module *module);
void sim_worker_delete(sim_worker *worker);
/* Prepares the worker for a launch. `ranges` has all allocations. False: out of memory. */
bool sim_worker_prepare(sim_worker *worker, const sim_kernel *kernel,
                        const stencilsim_launch *launch, const sim_range *ranges, size_t nranges);

#endif
