/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A launch: checks its arguments against the kernel, then has workers take blocks in order. Of
 * several faults the one in the first block is reported, so that the message does not depend on
 * timing. Kernels with atomics, small launches and observed launches run on one worker. Then the
 * order of everything is always the same.
 */
#include "sim/lower/lower.h"
#include "sim/machine/loaded.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(offsetof(sim_thread, id) == SIM_THREAD_ID, "read by compiled code");
_Static_assert(offsetof(sim_thread, linear) == SIM_THREAD_LINEAR, "read by compiled code");
_Static_assert(offsetof(sim_thread, worker) == SIM_THREAD_WORKER, "read by compiled code");
_Static_assert(offsetof(sim_worker, ntid) == SIM_WORKER_NTID, "read by compiled code");
_Static_assert(offsetof(sim_worker, ctaid) == SIM_WORKER_CTAID, "read by compiled code");
_Static_assert(offsetof(sim_worker, nctaid) == SIM_WORKER_NCTAID, "read by compiled code");
_Static_assert(offsetof(sim_worker, wave_size) == SIM_WORKER_WAVE, "read by compiled code");
_Static_assert(offsetof(sim_worker, scratchpad) == SIM_WORKER_SCRATCHPAD, "read by compiled code");
_Static_assert(offsetof(sim_worker, caches) == SIM_WORKER_CACHES, "read by compiled code");
_Static_assert(offsetof(sim_worker, implicit_args) == SIM_WORKER_IMPLICIT, "read by compiled code");
_Static_assert(offsetof(sim_worker, dispatch) == SIM_WORKER_DISPATCH, "read by compiled code");
_Static_assert(offsetof(sim_worker, dynamic_bytes) == SIM_WORKER_DYNAMIC, "read by compiled code");
_Static_assert(offsetof(sim_worker, scratchpad_static) == SIM_WORKER_STATIC,
               "read by compiled code");

/* A return value of stencilsim_run. */
enum { NOT_LAUNCHED = 2 };
enum { MOST_TOGETHER = 64 };
enum { MOST_DYNAMIC = 1 << 20, MANY_THREADS = 1 << 15 };

typedef struct launch {
    stencilsim_module *module;
    const stencilsim_launch *description;
    const sim_kernel *kernel;
    const sim_range *ranges;
    size_t nranges;
    uint64_t nblocks;
    atomic_uint_fast64_t next, first_fault; /* block numbers */
    pthread_mutex_t lock;
    char message[SIM_MESSAGE];
} launch;

static int fail(char *error, size_t error_size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int fail(char *error, size_t error_size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (error_size)
        vsnprintf(error, error_size, format, args);
    va_end(args);
    return NOT_LAUNCHED;
}

static void note_fault(launch *l, uint64_t block, const sim_worker *worker) {
    pthread_mutex_lock(&l->lock);
    if (block < atomic_load(&l->first_fault)) {
        atomic_store(&l->first_fault, block);
        memcpy(l->message, worker->message, sizeof l->message);
    }
    pthread_mutex_unlock(&l->lock);
}

typedef struct job {
    launch *launch;
    sim_worker *worker;
} job;

static void take_blocks(const job *j) {
    launch *l = j->launch;
    sim_worker *worker = j->worker;
    const uint32_t *grid = l->description->grid;
    for (;;) {
        uint64_t block = atomic_fetch_add(&l->next, 1);
        if (block >= l->nblocks || block > atomic_load(&l->first_fault))
            return;
        worker->ctaid[0] = (uint32_t)(block % grid[0]);
        worker->ctaid[1] = (uint32_t)(block / grid[0] % grid[1]);
        worker->ctaid[2] = (uint32_t)(block / grid[0] / grid[1]);
        sim_run_block(worker);
        if (worker->faulted) {
            note_fault(l, block, worker);
            return;
        }
    }
}

/* Runs in the default floating-point environment: the program may have set flushing to zero. */
static void *run_blocks(void *job_pointer) {
    fenv_t environment;
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    take_blocks(job_pointer);
    fesetenv(&environment);
    return NULL;
}

/* sysconf would read a file, by a descriptor that another thread of the program may close or
 * replace meanwhile. */
static long core_count(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static size_t worker_count(const launch *l) {
    const stencilsim_launch *d = l->description;
    uint64_t threads = l->nblocks * d->block[0] * d->block[1] * d->block[2];
    const char *forced = secure_getenv("STENCILOPT_SIM_THREADS");
    long cores = forced ? atol(forced) : core_count();
    if (cores < 1 || l->module->has_atomics || l->module->observer || threads < MANY_THREADS)
        return 1;
    return (uint64_t)cores < l->nblocks ? (size_t)cores : (size_t)l->nblocks;
}

static bool add_workers(stencilsim_module *module, size_t count) {
    if (module->nworkers >= count)
        return true;
    sim_worker **workers = realloc(module->workers, count * sizeof(sim_worker *));
    if (!workers)
        return false;
    module->workers = workers;
    while (module->nworkers < count) {
        workers[module->nworkers] = sim_worker_create(module);
        if (!workers[module->nworkers])
            return false;
        ++module->nworkers;
    }
    return true;
}

/* The calling thread is worker 0. If a thread cannot be made, fewer workers run. */
static bool run_workers(launch *l, size_t count) {
    if (!add_workers(l->module, count))
        return false;
    job *jobs = calloc(count, sizeof *jobs);
    pthread_t *threads = calloc(count, sizeof *threads);
    bool ok = jobs && threads;
    for (size_t w = 0; ok && w < count; ++w) {
        jobs[w] = (job){l, l->module->workers[w]};
        ok = sim_worker_prepare(jobs[w].worker, l->kernel, l->description, l->ranges, l->nranges);
    }
    size_t started = 1;
    while (ok && started < count &&
           pthread_create(&threads[started], NULL, run_blocks, &jobs[started]) == 0)
        ++started;
    if (ok)
        run_blocks(&jobs[0]);
    for (size_t w = 1; ok && w < started; ++w)
        pthread_join(threads[w], NULL);
    free(threads);
    free(jobs);
    return ok;
}

/* Blocks of a launch that run together. Each has a worker of its own. All of them run on the
 * calling thread, one at a time, so that the order of everything is always the same.
 * STENCILOPT_SIM_ORDER, if not 0, seeds a random order: each turn draws a block, and one block is
 * passed over for a round. STENCILOPT_SIM_LATE names a block that begins when all others are done.
 */
typedef struct turns {
    launch *launch;
    uint64_t seed, late, left;
    bool *done;
} turns;

static uint64_t draw(turns *t, uint64_t below) {
    t->seed = t->seed * 6364136223846793005ull + 1442695040888963407ull;
    return (t->seed >> 33) % below;
}

static bool may_go_on(const turns *t, uint64_t block) {
    return !t->done[block] && (block != t->late || t->left == 1);
}

/* Runs the block until it waits or is done. False after a fault. */
static bool continue_one(turns *t, uint64_t block) {
    sim_worker *worker = t->launch->module->workers[block];
    if (!may_go_on(t, block))
        return true;
    if (sim_continue_block(worker)) {
        t->done[block] = true;
        --t->left;
    }
    if (worker->faulted)
        note_fault(t->launch, block, worker);
    return !worker->faulted;
}

static void take_turns(turns *t) {
    uint64_t count = t->launch->nblocks;
    while (t->left > 0) {
        /* The block that this round passes over. */
        uint64_t idle = t->seed ? draw(t, 2 * count) : count;
        for (uint64_t i = 0; i < count; ++i) {
            uint64_t block = t->seed ? draw(t, count) : i;
            if (block != idle && !continue_one(t, block))
                return;
        }
        for (uint64_t i = 0; t->seed && i < count && draw(t, 4) == 0; ++i)
            if (!continue_one(t, count - 1 - i))
                return;
    }
}

static bool prepare_together(launch *l) {
    const uint32_t *grid = l->description->grid;
    for (uint64_t i = 0; i < l->nblocks; ++i) {
        sim_worker *worker = l->module->workers[i];
        if (!sim_worker_prepare(worker, l->kernel, l->description, l->ranges, l->nranges))
            return false;
        worker->ctaid[0] = (uint32_t)(i % grid[0]);
        worker->ctaid[1] = (uint32_t)(i / grid[0] % grid[1]);
        worker->ctaid[2] = (uint32_t)(i / grid[0] / grid[1]);
        sim_begin_block(worker);
    }
    return true;
}

static uint64_t number_in(const char *variable, uint64_t otherwise) {
    const char *text = secure_getenv(variable);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static bool run_together(launch *l) {
    fenv_t environment;
    turns t = {.launch = l,
               .seed = number_in("STENCILOPT_SIM_ORDER", 0),
               .late = number_in("STENCILOPT_SIM_LATE", UINT64_MAX),
               .left = l->nblocks,
               .done = calloc(l->nblocks, sizeof(bool))};
    bool ok = t.done && add_workers(l->module, l->nblocks) && prepare_together(l);
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    if (ok)
        take_turns(&t);
    fesetenv(&environment);
    free(t.done);
    return ok;
}

static int check_shape(const stencilsim_module *module, const stencilsim_launch *d, char *error,
                       size_t error_size) {
    uint64_t threads = 1;
    for (int i = 0; i < 3; ++i) {
        if (!d->grid[i] || !d->block[i])
            return fail(error, error_size, "grid and block extents must be at least 1");
        threads *= d->block[i] > SIM_MAX_THREADS ? SIM_MAX_THREADS + 1 : d->block[i];
    }
    if (threads > SIM_MAX_THREADS)
        return fail(error, error_size, "a block of %u x %u x %u threads; at most %d are allowed",
                    d->block[0], d->block[1], d->block[2], SIM_MAX_THREADS);
    if (d->wave != 32 && d->wave != module->dialect->wave)
        return fail(error, error_size, "a wave of %u lanes; allowed: %s", d->wave,
                    module->dialect->waves);
    uint64_t blocks = (uint64_t)d->grid[0] * d->grid[1] * d->grid[2];
    if (d->together && blocks > MOST_TOGETHER)
        return fail(error, error_size, "%llu blocks at once; at most %d are allowed",
                    (unsigned long long)blocks, MOST_TOGETHER);
    if (d->dynamic_scratchpad > MOST_DYNAMIC)
        return fail(error, error_size, "%u bytes of dynamic scratchpad; at most %d are allowed",
                    d->dynamic_scratchpad, MOST_DYNAMIC);
    return 0;
}

static int check_args(const sim_kernel *kernel, const stencilsim_launch *d, char *error,
                      size_t error_size) {
    if (d->nargs != kernel->nparams)
        return fail(error, error_size, "kernel '%s' takes %u arguments, %u given", kernel->name,
                    kernel->nparams, d->nargs);
    for (uint32_t p = 0; p < kernel->nparams; ++p)
        if (d->arg_sizes[p] != kernel->param_bytes[p])
            return fail(error, error_size, "argument %u of kernel '%s' has %llu bytes, %zu given",
                        p, kernel->name, (unsigned long long)kernel->param_bytes[p],
                        d->arg_sizes[p]);
    return 0;
}

int stencilsim_run(stencilsim_module *module, const stencilsim_launch *description, char *error,
                   size_t error_size) {
    launch l = {.module = module, .description = description};
    sim_kernel *kernel = sim_module_kernel(module, description->kernel);
    l.kernel = kernel;
    if (!kernel)
        return fail(error, error_size, "the module has no kernel '%s'", description->kernel);
    if (check_shape(module, description, error, error_size) ||
        check_args(l.kernel, description, error, error_size) ||
        !sim_module_compile(module, kernel, error, error_size))
        return NOT_LAUNCHED;
    sim_range *ranges = sim_registry_snapshot(module->globals, module->nglobals, &l.nranges);
    l.ranges = ranges;
    l.nblocks = (uint64_t)description->grid[0] * description->grid[1] * description->grid[2];
    atomic_init(&l.next, 0);
    atomic_init(&l.first_fault, UINT64_MAX);
    pthread_mutex_init(&l.lock, NULL);
    bool together = description->together && kernel->synchronises;
    bool ok = ranges && (together ? run_together(&l) : run_workers(&l, worker_count(&l)));
    pthread_mutex_destroy(&l.lock);
    free(ranges);
    if (!ok)
        return fail(error, error_size, "out of memory");
    if (atomic_load(&l.first_fault) != UINT64_MAX)
        return fail(error, error_size, "%s", l.message), STENCILSIM_FAULT;
    return 0;
}
