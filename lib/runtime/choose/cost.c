/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The cost model.
 *
 *   host   = cells * steps * max(ops * host_op, bytes / host_bandwidth)
 *   device = call + (uploaded + downloaded) / link_bandwidth
 *            + steps * (launch + cells * bytes / (kernel_share * device_bandwidth * blocking))
 *
 * `bytes` are those of a cell and step: the element of each port once, because a cache has its
 * neighbours; on the host written elements twice, because the cache line is fetched first.
 * Broadcast grids cost nothing. `blocking`: a blocked kernel of degree bT moves the bytes once in
 * bT steps. But it also computes a halo and waits for instructions, so its degree counts only up to
 * a limit.
 *
 * Opening a device costs 0.3 s once. Most single calls cannot win as much. Whether a program makes
 * one call or a thousand is unknown. So the gains of declined calls add up, and the device is
 * opened as soon as the sum would have paid for it. That costs at most twice as much as the best
 * choice (the "ski rental" argument: Karlin, Manasse, Rudolph, Sleator 1988). A thread of the
 * runtime opens the device while the original loops run. So it begins when a part of the price is
 * forgone.
 */
#include "runtime/choose/cost.h"

#include "runtime/call/stops.h"
#include "target/gpus.h"
#include <dlfcn.h>
#include <math.h>
#include <stdatomic.h>

static const struct {
    double host_op, host_bandwidth; /* seconds; bytes a second of one core */
    double link_bandwidth, page_bandwidth;
    double call, launch, kernel_share, most_blocking;
    double open, beside, unsure, compile, load;
    double add, sum, tile;
} table = {
    /* 10 Gop/s: 4 lanes at 2.5 GHz. 12 GB/s: what one core of a server reads from memory. */
    .host_op = 1e-10,
    .host_bandwidth = 12e9,
    /* One H200 with 16 cores: 1 GiB up in 38 ms; 2 GiB down in 130 ms to a buffer, then written in
     * 80 ms. A little slower with cells of 8 bytes in 3-D, and with fewer cores (4 cores: 7 GB/s in
     * all). */
    .link_bandwidth = 10e9,
    /* pages of 4 KiB, moved one way */
    .page_bandwidth = 5e9,
    /* Allocation from the pool, synchronisation, two transfers; a queued launch. */
    .call = 100e-6,
    .launch = 4e-6,
    /* One H200: a kernel of star2d1r with one cell a thread reaches 281 of the 529 GCells/s that a
     * copy reaches. */
    .kernel_share = 0.5,
    /* A guess: 2-D stencils gain more, 3-D stencils of a large radius less. */
    .most_blocking = 4,
    /* `open`: a program with one small region took 0.36 s on an H200. `compile`: ptxas took 19 to
     * 39 ms for a kernel's PTX. */
    .open = 0.3,
    /* the share of it that counts where another core opens the device */
    .beside = 0.25,
    /* the share of a gain that counts if it needs arrays that stay there */
    .unsure = 0.2,
    .compile = 0.03,
    /* A guess for machine code: the 130 regions of CloverLeaf load in less than 0.3 s. */
    .load = 0.002,
    /* To add to a sum that the last addition made takes four cycles, on the host. On the device a
     * sum in order takes about five transfers and launches, and the CPU looks at each tile. */
    .add = 1e-9,
    .sum = 200e-6,
    .tile = 10e-9,
};

double rt_cost_cells(const int64_t extent[3]) {
    return (double)extent[0] * (double)extent[1] * (double)extent[2];
}

double rt_cost_cores(const stencilrt_region *r) {
    int (*threads)(void) = NULL;
    if (!(r->flags & STENCILRT_TEAM))
        return 1;
    *(void **)&threads = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
    int count = threads ? threads() : (int)rt_processors();
    return count > 0 ? count : 1;
}

/* The bytes that cross the link: domains only, because halos are thin. */
static double transferred(const rt_shape *shape) {
    double bytes = 0;
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        const rt_buffer *buffer = &shape->buffers[i];
        const rt_grid *grid = &shape->grids[buffer->grid];
        double domain = (double)grid->elem_size * rt_cost_cells(grid->extent);
        if (buffer->read && !buffer->domain_made_here)
            bytes += domain;
        if (buffer->written)
            bytes += domain;
    }
    return bytes;
}

double rt_cost_cell_bytes(const stencilrt_region *r) {
    double bytes = 0;
    for (uint32_t p = 0; p < r->nports; p++) {
        const stencilrt_grid *grid = &r->grids[r->ports[p].grid];
        uint32_t access = r->ports[p].access;
        if (!grid->broadcast)
            bytes += grid->elem_size * (!!(access & STENCILRT_READ) + !!(access & STENCILRT_WRITE));
    }
    return bytes;
}

/* The prediction for one sweep, without transfers. */
static rt_prediction predict_sweep(const stencilrt_region *r, double steps, double cells,
                                   double blocking, double bytes_per_second) {
    double host_bytes = 0, device_bytes = rt_cost_cell_bytes(r);
    if (bytes_per_second <= 0)
        bytes_per_second = gpu_find(90)->bandwidth;
    for (uint32_t p = 0; p < r->nports; p++) {
        const stencilrt_grid *grid = &r->grids[r->ports[p].grid];
        bool reads = r->ports[p].access & STENCILRT_READ,
             writes = r->ports[p].access & STENCILRT_WRITE;
        if (grid->broadcast)
            continue;
        host_bytes += grid->elem_size * (reads || writes ? 1 + writes : 0);
    }
    double work = steps * cells, compute = r->ops * table.host_op;
    double memory = host_bytes / table.host_bandwidth;
    return (rt_prediction){.host = work * (compute > memory ? compute : memory),
                           .device = steps * table.launch +
                                     work * device_bytes /
                                         (table.kernel_share * bytes_per_second * blocking)};
}

rt_prediction rt_cost_predict(const rt_shape *shape, double bytes_per_second) {
    double blocking = shape->bt < 1 ? 1 : shape->bt;
    if (blocking > table.most_blocking)
        blocking = table.most_blocking;
    rt_prediction p = predict_sweep(shape->region, (double)shape->steps,
                                    rt_cost_cells(shape->extent), blocking, bytes_per_second);
    p.transfers = transferred(shape) / table.link_bandwidth;
    p.device += table.call + p.transfers;
    return p;
}

/* Of a sweep's sums that are made in the program's order. */
static rt_prediction predict_sums(const stencilrt_region *r, double cells, double steps,
                                  double wanted, double bytes_per_second) {
    rt_prediction p = {.host = 0};
    double tiles = fmin(cells / 64, 1 << 16); /* device/ordered.c */
    if (bytes_per_second <= 0)
        bytes_per_second = gpu_find(90)->bandwidth;
    for (uint32_t i = 0; i < r->nreductions; i++) {
        if (r->reductions[i].op != STENCILRT_ORDERED)
            continue;
        double moved = 3 * cells * r->reductions[i].size; /* stored once, loaded twice */
        p.host += steps * cells * table.add;
        p.device += wanted * (table.sum + tiles * table.tile +
                              moved / (table.kernel_share * bytes_per_second));
    }
    return p;
}

/* A step whose reductions are looked at takes two transfers and a synchronisation. In a launch of
 * several steps all reductions are looked at together, or one of them. */
rt_prediction rt_cost_predict_sweeps(const rt_arrays *a, double bytes_per_second) {
    bool asks = rt_ends_by_condition(a->call->check) && rt_has_reductions(a->region);
    double launches = (double)a->call->steps / (a->whole.can ? a->whole.bt : 1);
    rt_prediction sum = {.device = table.call * (asks ? 1 + launches : 1)};
    for (uint32_t i = 0; i < a->count; i++)
        sum.transfers +=
            (rt_arrays_bytes(a, i, &a->uploads[i]) + rt_arrays_bytes(a, i, &a->results[i])) /
            table.link_bandwidth;
    sum.device += sum.transfers;
    double blocking = a->whole.can ? fmin(a->whole.bt, table.most_blocking) : 1;
    for (uint32_t s = 0; s < a->region->nsweeps; s++) {
        int64_t extent[3] = {1, 1, 1};
        for (uint32_t d = 0; d < a->region->rank; d++)
            extent[d] = a->call->sweeps[s].extent[d];
        uint32_t every = a->region->sweeps[s].every;
        double steps = (double)a->call->steps / (every ? every : 1);
        rt_prediction p = predict_sweep(&a->region->sweeps[s], steps, rt_cost_cells(extent),
                                        blocking, bytes_per_second);
        rt_prediction sums = predict_sums(&a->region->sweeps[s], rt_cost_cells(extent), steps,
                                          asks ? steps : 1, bytes_per_second);
        sum.host += p.host + sums.host;
        sum.device += p.device + sums.device;
    }
    return sum;
}

double rt_cost_copy(double bytes) {
    return bytes / table.link_bandwidth;
}

double rt_cost_bring_home(double bytes) {
    return bytes / table.link_bandwidth + bytes / table.page_bandwidth;
}

static bool has_machine_code(const stencilrt_region *region) {
    bool has = false;
    for (uint32_t i = 0; i < region->nimages; i++)
        has |=
            region->images[i].kind == STENCILRT_CUBIN || region->images[i].kind == STENCILRT_HSACO;
    return has;
}

/* The time to load the kernels: a guess, or the shortest time that loading a region took so far, if
 * that is shorter. A driver may keep code that it compiled earlier. */
double rt_cost_load(const rt_device *open, const stencilrt_region *region) {
    double guess = has_machine_code(region) ? table.load : table.compile;
    double least = open ? 1e-9 * (double)atomic_load(&open->load) : 0;
    if (rt_region_is_loaded(region))
        return 0;
    return least > 0 && least < guess ? least : guess;
}

double rt_cost_set_up(const rt_prediction *p, bool device_open) {
    return (device_open ? 0 : table.open) + p->load;
}

static _Atomic(int64_t) forgone; /* nanoseconds; atomic, no lock: a fork may leave a lock taken */

bool rt_cost_accept(rt_prediction prediction, bool device_open) {
    double gain = 1e9 * (prediction.host - prediction.device);
    double price = 1e9 * rt_cost_set_up(&prediction, device_open);
    if (gain <= 0)
        return false;
    if (gain >= price)
        return true;
    if (atomic_fetch_add(&forgone, (int64_t)gain) + (int64_t)gain < (int64_t)price)
        return false;
    atomic_store(&forgone, 0);
    return true;
}

void rt_cost_not_forgone(double seconds) {
    int64_t less = (int64_t)(1e9 * seconds);
    if (atomic_fetch_sub(&forgone, less) < less)
        atomic_store(&forgone, 0);
}

bool rt_cost_nears_opening(double missed) {
    return 1e-9 * (double)atomic_load(&forgone) + table.unsure * missed >=
           table.beside * table.open;
}
