/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A worker: the memory for running blocks. It is made once, and prepared for each launch.
 */
#include "sim/machine/loaded.h"

#include <stdlib.h>
#include <string.h>

enum { IMPLICIT_BYTES = 256, DISPATCH_BYTES = 64 };

static void put(char *table, size_t offset, uint64_t value, size_t bytes) {
    memcpy(table + offset, &value, bytes); /* little-endian, as on the device */
}

/* LLVM's AMDGPU usage guide: "Code Object V5 Implicit Kernel Arguments", and the HSA packet. */
static void fill_amd_tables(sim_worker *worker) {
    memset(worker->implicit_args, 0, IMPLICIT_BYTES);
    memset(worker->dispatch, 0, DISPATCH_BYTES);
    for (size_t d = 0; d < 3; ++d) {
        put(worker->implicit_args, 4 * d, worker->nctaid[d], 4);
        put(worker->implicit_args, 12 + 2 * d, worker->ntid[d], 2);
        put(worker->dispatch, 4 + 2 * d, worker->ntid[d], 2);
        put(worker->dispatch, 12 + 4 * d, (uint64_t)worker->ntid[d] * worker->nctaid[d], 4);
    }
    uint64_t dimensions = worker->nctaid[2] * worker->ntid[2] > 1   ? 3
                          : worker->nctaid[1] * worker->ntid[1] > 1 ? 2
                                                                    : 1;
    put(worker->implicit_args, 64, dimensions, 2);
    put(worker->implicit_args, 120, worker->dynamic_bytes, 4);
    put(worker->dispatch, 2, dimensions, 2);
    put(worker->dispatch, 28, worker->module->scratchpad_static + worker->dynamic_bytes, 4);
}

bool sim_worker_prepare(sim_worker *worker, const sim_kernel *kernel, const stencilsim_launch *d,
                        const sim_range *ranges, size_t nranges) {
    memcpy(worker->ntid, d->block, sizeof worker->ntid);
    memcpy(worker->nctaid, d->grid, sizeof worker->nctaid);
    worker->wave_size = d->wave;
    worker->dynamic_bytes = d->dynamic_scratchpad;
    worker->kernel = kernel;
    worker->args = d->args;
    worker->ranges = ranges;
    worker->nranges = nranges;
    worker->nthreads = d->block[0] * d->block[1] * d->block[2];
    worker->nwaves = (worker->nthreads + d->wave - 1) / d->wave;
    worker->fibers = kernel->synchronises;
    worker->faulted = false;
    worker->together = d->together;
    const char *ignore = secure_getenv("STENCILOPT_SIM_IGNORE");
    worker->ignore_unwritten = ignore && strstr(ignore, "unwritten");
    worker->ignore_races = ignore && strstr(ignore, "races");
    for (size_t s = 0; s < worker->module->nsites; ++s)
        worker->caches[s] = (sim_cache){1ull << 63, 0}; /* no address is in this range */
    fill_amd_tables(worker);
    return sim_scratchpad_allocate(worker) && sim_threads_allocate(worker);
}

void sim_worker_delete(sim_worker *worker) {
    sim_scratchpad_release(worker);
    sim_threads_release(worker);
    for (size_t t = 0; worker->threads && t < SIM_MAX_THREADS; ++t)
        free(worker->threads[t].copies);
    free(worker->threads);
    free(worker->caches);
    free(worker->implicit_args);
    free(worker->dispatch);
    free(worker);
}

sim_worker *sim_worker_create(const stencilsim_module *module) {
    sim_worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return NULL;
    worker->module = module;
    worker->scratchpad_static = module->scratchpad_static;
    worker->caches = malloc((module->nsites + 1) * sizeof *worker->caches);
    worker->implicit_args = malloc(IMPLICIT_BYTES);
    worker->dispatch = malloc(DISPATCH_BYTES);
    worker->threads = calloc(SIM_MAX_THREADS, sizeof *worker->threads);
    if (worker->caches && worker->implicit_args && worker->dispatch && worker->threads)
        return worker;
    sim_worker_delete(worker);
    return NULL;
}
