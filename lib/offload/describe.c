/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Describes a region to the runtime: what the compiler knows of it, as constants of the structs of
 * include/stencilopt/region.def.
 */
#include "bridge/bridge.h"
#include "model/dependences.h"
#include "model/ghosts.h"
#include "model/number.h"
#include "offload/layout.h"
#include "offload/rewrite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct describer {
    LLVMModuleRef m;
    LLVMContextRef c;
} describer;

static LLVMValueRef u32(const describer *d, uint32_t v) {
    return LLVMConstInt(LLVMInt32TypeInContext(d->c), v, false);
}

static LLVMValueRef global(const describer *d, LLVMValueRef value, const char *name) {
    LLVMValueRef g = LLVMAddGlobal(d->m, LLVMTypeOf(value), name);
    LLVMSetInitializer(g, value);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(g, true);
    LLVMSetAlignment(g, 8);
    return g;
}

static LLVMValueRef bytes(const describer *d, const char *data, size_t size, bool terminate,
                          const char *name) {
    LLVMValueRef value = LLVMConstStringInContext2(d->c, data, size, !terminate);
    return global(d, value, name);
}

static LLVMValueRef text(const describer *d, const char *s) {
    return bytes(d, s, strlen(s), true, "stencilopt.text");
}

/* A constant of struct stencilrt_<name>. `slots` is an array of that name. */
#define RECORD(d, name, slots) layout_constant((d)->c, LAYOUT(name), slots)

/* An array of records of one type. NULL if there are none. */
static LLVMValueRef table(const describer *d, LLVMValueRef *records, size_t count,
                          const char *name) {
    if (count == 0)
        return NULL;
    return global(d, LLVMConstArray2(LLVMTypeOf(records[0]), records, count), name);
}

static LLVMValueRef grids(const describer *d, const st_stencil *s, uint32_t *nbuffers) {
    LLVMValueRef *records = calloc(s->ngrids, sizeof *records);
    *nbuffers = 0;
    for (size_t i = 0; i < s->ngrids; i++) {
        const st_grid *g = &s->grids[i];
        LLVMValueRef grid[SLOTS(grid)] = {[AT(grid, elem_size)] =
                                              u32(d, (uint32_t)st_type_size(g->type)),
                                          [AT(grid, buffers)] = u32(d, g->buffers),
                                          [AT(grid, first_buffer)] = u32(d, *nbuffers),
                                          [AT(grid, broadcast)] = u32(d, g->broadcast),
                                          [AT(grid, advance)] = u32(d, (uint32_t)g->advance),
                                          [AT(grid, along)] = u32(d, g->along)};
        records[i] = RECORD(d, grid, grid);
        *nbuffers += g->buffers;
    }
    LLVMValueRef all = table(d, records, s->ngrids, "stencilopt.grids");
    free(records);
    return all;
}

/* The offset along d. An index that is brought back at a border reads a cell of the domain, so its
 * offset counts as 0. */
static uint32_t offset_along(const st_access *a, int d) {
    bool back = a->offset[d] && (a->faces & ST_FACE(d, a->offset[d] > 0));
    return back ? 0 : (uint32_t)a->offset[d];
}

/* The offsets of a port. Those that are read only under conditions come last; *unsure is their
 * number. */
static LLVMValueRef offsets(const describer *d, const st_stencil *s, const st_port *p,
                            uint32_t *count, uint32_t *unsure) {
    LLVMValueRef *numbers = calloc(3 * s->naccesses + 1, sizeof *numbers);
    size_t n = 0;
    *unsure = 0;
    for (size_t i = 0; i < 2 * s->naccesses; i++) {
        const st_access *a = &s->accesses[i % s->naccesses];
        if (a->grid != p->grid || a->level != p->level || a->unsure != (i >= s->naccesses))
            continue;
        *unsure += a->unsure;
        for (int k = 0; k < 3; k++)
            numbers[n++] = u32(d, offset_along(a, k));
    }
    LLVMValueRef all = table(d, numbers, n, "stencilopt.offsets");
    free(numbers);
    *count = (uint32_t)(n / 3);
    return all;
}

static LLVMValueRef ports(const describer *d, const st_stencil *s, uint32_t *count) {
    st_port list[ST_MAX_PORTS];
    LLVMValueRef records[ST_MAX_PORTS];
    *count = (uint32_t)st_ports(s, list);
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t noffsets, unsure, access = 0;
        access |= list[i].reads ? STENCILRT_READ : 0;
        access |= list[i].writes ? STENCILRT_WRITE : 0;
        access |= list[i].masked ? STENCILRT_MAYBE : 0;
        LLVMValueRef where = offsets(d, s, &list[i], &noffsets, &unsure);
        access += unsure * STENCILRT_UNSURE;
        LLVMValueRef port[SLOTS(port)] = {[AT(port, grid)] = u32(d, (uint32_t)list[i].grid),
                                          [AT(port, level)] = u32(d, (uint32_t)list[i].level),
                                          [AT(port, access)] = u32(d, access),
                                          [AT(port, noffsets)] = u32(d, noffsets),
                                          [AT(port, offsets)] = where};
        records[i] = RECORD(d, port, port);
    }
    return table(d, records, *count, "stencilopt.ports");
}

static LLVMValueRef scalars(const describer *d, const st_stencil *s) {
    LLVMValueRef *records = calloc(s->nscalars + 1, sizeof *records);
    for (size_t i = 0; i < s->nscalars; i++) {
        uint32_t kind = s->scalars[i].stepped    ? STENCILRT_STEPPED
                        : s->scalars[i].late     ? STENCILRT_LATE
                        : s->scalars[i].followed ? STENCILRT_FOLLOWED
                                                 : STENCILRT_FIXED;
        LLVMValueRef scalar[SLOTS(scalar)] = {
            [AT(scalar, size)] = u32(d, (uint32_t)st_type_size(s->scalars[i].type)),
            [AT(scalar, kind)] = u32(d, kind)};
        records[i] = RECORD(d, scalar, scalar);
    }
    LLVMValueRef all = table(d, records, s->nscalars, "stencilopt.scalars");
    free(records);
    return all;
}

static LLVMValueRef reductions(const describer *d, const st_stencil *s) {
    static const uint32_t ops[] = {[ST_REDUCE_MAX] = STENCILRT_MAX,
                                   [ST_REDUCE_MIN] = STENCILRT_MIN,
                                   [ST_REDUCE_SUM] = STENCILRT_SUM,
                                   [ST_REDUCE_ORDERED] = STENCILRT_ORDERED};
    LLVMValueRef *records = calloc(s->nreductions + 1, sizeof *records);
    for (size_t i = 0; i < s->nreductions; i++) {
        const st_reduction *r = &s->reductions[i];
        st_type type = (st_type)s->nodes[r->root].type;
        uint32_t kind = st_type_is_float(type) ? STENCILRT_FLOAT
                        : r->is_signed         ? STENCILRT_SIGNED
                                               : STENCILRT_UNSIGNED;
        LLVMValueRef reduction[SLOTS(reduction)] = {[AT(reduction, op)] = u32(d, ops[r->op]),
                                                    [AT(reduction, type)] = u32(d, kind),
                                                    [AT(reduction, size)] =
                                                        u32(d, (uint32_t)st_type_size(type))};
        records[i] = RECORD(d, reduction, reduction);
    }
    LLVMValueRef all = table(d, records, s->nreductions, "stencilopt.reductions");
    free(records);
    return all;
}

/* The level of zstd's compression. 105 KB of PTX become 20 KB in 2 ms (level 3), 17 KB in 6 ms
 * (level 6), 16 KB in 12 ms (level 9), which is a tenth of the time that the kernels take to
 * compile. Level 3 saves 2 % of that time. */
enum { LEVEL = 3 };

static LLVMMemoryBufferRef pack(const char *data, size_t size) {
    LLVMMemoryBufferRef packed = br_compress(data, size, LEVEL);
    if (!packed || LLVMGetBufferSize(packed) < size)
        return packed;
    LLVMDisposeMemoryBuffer(packed);
    return NULL;
}

static LLVMValueRef image(const describer *d, const tg_image *i, bool packing) {
    bool is_text = i->kind == TG_PTX; /* the driver needs the NUL at its end */
    size_t size = LLVMGetBufferSize(i->bytes) + is_text;
    const char *data = LLVMGetBufferStart(i->bytes); /* LLVM ends each buffer with a NUL */
    LLVMMemoryBufferRef packed = packing ? pack(data, size) : NULL;
    if (packed) {
        data = LLVMGetBufferStart(packed);
        size = LLVMGetBufferSize(packed);
    }
    LLVMValueRef image[SLOTS(image)] = {
        [AT(image, kind)] = u32(d, (uint32_t)i->kind),
        [AT(image, packing)] = u32(d, packed ? STENCILRT_ZSTD : STENCILRT_PLAIN),
        [AT(image, arch)] = text(d, i->arch),
        [AT(image, bytes)] = bytes(d, data, size, false, "stencilopt.image"),
        [AT(image, size)] = LLVMConstInt(LLVMInt64TypeInContext(d->c), size, false)};
    if (packed)
        LLVMDisposeMemoryBuffer(packed);
    return RECORD(d, image, image);
}

static LLVMValueRef images(const describer *d, const tg_image *list, size_t count, bool packing) {
    LLVMValueRef *records = calloc(count, sizeof *records);
    for (size_t i = 0; i < count; i++)
        records[i] = image(d, &list[i], packing);
    LLVMValueRef all = table(d, records, count, "stencilopt.images");
    free(records);
    return all;
}

/* Fills neighbouring slots with numbers. */
static void fill(const describer *d, LLVMValueRef *slots, const int *v, int count) {
    for (int i = 0; i < count; i++)
        slots[i] = u32(d, (uint32_t)v[i]);
}

static LLVMValueRef parameters(const describer *d, const st_kernel *k) {
    LLVMValueRef *records = calloc(k->nparameters, sizeof *records);
    for (size_t i = 0; i < k->nparameters; i++) {
        LLVMValueRef parameter[SLOTS(parameter)] = {
            [AT(parameter, kind)] = u32(d, k->parameters[i].kind),
            [AT(parameter, index)] = u32(d, k->parameters[i].index)};
        records[i] = RECORD(d, parameter, parameter);
    }
    LLVMValueRef all = table(d, records, k->nparameters, "stencilopt.parameters");
    free(records);
    return all;
}

static LLVMValueRef kernel(const describer *d, const st_stencil *s, const st_kernel *k) {
    bool resident = k->kind == ST_RESIDENT, own_tile = k->kind == ST_CELL || resident;
    bool counts_cells = resident || k->kind == ST_ADDING;
    int tiles = k->kind == ST_CELL ? 0 : counts_cells ? k->cells : s->rank < 3 ? k->warps : 1;
    uint32_t reach = resident ? (uint32_t)k->halo[0] | (uint32_t)k->halo[1] << 8 : 0;
    const int blocked[3] = {k->tile[0], k->tile[1], 0};
    LLVMValueRef kernel[SLOTS(kernel)] = {
        [AT(kernel, name)] = text(d, k->name),
        [AT(kernel, kind)] = u32(d, (uint32_t)k->kind),
        [AT(kernel, bt)] = u32(d, (uint32_t)k->bt),
        [AT(kernel, time)] = u32(d, (uint32_t)fmin(1e15 * k->time, UINT32_MAX)),
        [AT(kernel, tile_time)] = u32(d, (uint32_t)fmin(1e15 * k->tile_time, UINT32_MAX)),
        [AT(kernel, tiles)] = u32(d, (uint32_t)tiles),
        [AT(kernel, overlap)] = u32(d, (uint32_t)(resident ? k->always : k->overlap)),
        [AT(kernel, scratchpad)] = u32(d, (uint32_t)k->scratchpad),
        [AT(kernel, parts)] = u32(d, (uint32_t)k->parts),
        [AT(kernel, reach)] = u32(d, reach),
        [AT(kernel, nparameters)] = u32(d, (uint32_t)k->nparameters),
        [AT(kernel, parameters)] = parameters(d, k)};
    fill(d, &kernel[AT(kernel, block)], k->block, 3);
    fill(d, &kernel[AT(kernel, tile)], own_tile ? k->thread_tile : blocked, 3);
    return RECORD(d, kernel, kernel);
}

typedef struct slots {
    LLVMValueRef at[SLOTS(region)];
} slots;

/* Describes one sweep, without what a region has once: images, state and flags. */
/* Does a cell ask for its number along the last dimension? */
static bool has_numbered_rows(const st_stencil *s) {
    bool numbered = false;
    for (size_t i = 0; i < s->nnodes; i++)
        numbered |= s->nodes[i].op == ST_COORD && s->nodes[i].index == s->rank - 1;
    return numbered;
}

/* The most rows between a cell and one that it reads, of those whose index is brought back at an
 * end. Ports have the offsets of others only. */
static uint32_t reach_of_rules(const st_stencil *s) {
    int32_t reach = 0;
    int last = s->rank - 1;
    for (size_t i = 0; i < s->naccesses; i++) {
        int32_t rows = abs(s->accesses[i].offset[last]);
        bool rule = s->accesses[i].faces & (ST_FACE(last, 0) | ST_FACE(last, 1));
        reach = rule && rows > reach ? rows : reach;
    }
    return (uint32_t)reach;
}

/* The rules that the stencil has at the ends of the last dimension, and whether it asks there for
 * numbers: STENCILRT_SLABS_BY_RULES and so on. */
static uint32_t rules_of_rows(const st_stencil *s) {
    uint32_t rules = has_numbered_rows(s) ? STENCILRT_SLABS_NUMBERED : 0;
    for (int high = 0; high < 2; high++) {
        st_rule rule = (st_rule)s->boundary[s->rank - 1][high];
        rules |= rule == ST_NO_RULE ? 0
                 : rule == ST_WRAP  ? STENCILRT_SLABS_ROUND
                                    : STENCILRT_SLABS_BY_RULES;
    }
    return rules;
}

static uint32_t flags_of_sweep(const st_stencil *s) {
    uint32_t rules = rules_of_rows(s) & ~(uint32_t)STENCILRT_SLABS_NUMBERED;
    bool unwritten = st_reads_before(s) && !st_reads_overwritten(s);
    return rules | (s->together ? STENCILRT_TOGETHER : 0) | (unwritten ? STENCILRT_UNWRITTEN : 0);
}

static uint32_t grids_before(const st_stencil *s) {
    uint32_t bits = 0;
    for (size_t g = 0; g < s->ngrids; g++)
        bits |= s->grids[g].before ? 1u << g : 0;
    return bits;
}

static slots describe_sweep(const describer *d, const st_stencil *s, const st_plan *plan) {
    LLVMValueRef records[PLAN_MAX_KERNELS];
    uint32_t nbuffers, nports;
    for (int i = 0; i < plan->count; i++)
        records[i] = kernel(d, s, &plan->kernels[i]);
    slots r = {
        {[AT(region, abi)] = u32(d, STENCILRT_ABI),
         [AT(region, rank)] = u32(d, (uint32_t)s->rank),
         [AT(region, where)] = text(d, s->where),
         [AT(region, ngrids)] = u32(d, (uint32_t)s->ngrids),
         [AT(region, nscalars)] = u32(d, (uint32_t)s->nscalars),
         [AT(region, nkernels)] = u32(d, (uint32_t)plan->count),
         [AT(region, nreductions)] = u32(d, (uint32_t)s->nreductions),
         [AT(region, ops)] = u32(d, st_operation_count(s)),
         [AT(region, every)] = u32(d, s->every),
         [AT(region, phase)] = u32(d, s->phase),
         [AT(region, flags)] = u32(d, flags_of_sweep(s)),
         [AT(region, before)] = u32(d, grids_before(s)),
         [AT(region, kernels)] = table(d, records, (size_t)plan->count, "stencilopt.kernels"),
         [AT(region, grids)] = grids(d, s, &nbuffers),
         [AT(region, ports)] = ports(d, s, &nports),
         [AT(region, scalars)] = scalars(d, s),
         [AT(region, reductions)] = reductions(d, s)}};
    r.at[AT(region, nbuffers)] = u32(d, nbuffers);
    r.at[AT(region, nports)] = u32(d, nports);
    fill(d, &r.at[AT(region, pad_low)], plan->pad_low, 3);
    fill(d, &r.at[AT(region, pad_high)], plan->pad_high, 3);
    for (int k = 0; k < 3; k++)
        r.at[AT(region, brick) + k] = u32(d, (uint32_t)plan->kernels[0].brick[k]);
    return r;
}

static LLVMValueRef places(const describer *d, const st_step *step) {
    LLVMValueRef *records = NULL;
    size_t n = 0;
    for (size_t i = 0; i < step->nnests; i++)
        for (size_t g = 0; g < step->nests[i]->ngrids; g++)
            for (uint32_t k = 0; k < step->nests[i]->grids[g].buffers; k++) {
                const st_view *v = &st_step_first_sweep(step, i)->views[g];
                uint32_t ghost = st_step_is_ghost(step, i, (int32_t)g) ? STENCILRT_GHOST : 0;
                LLVMValueRef place[SLOTS(place)] = {
                    [AT(place, array)] = u32(d, (uint32_t)v->array[k]),
                    [AT(place, turn)] = u32(d, step->arrays[v->array[k]].swapped && k > 0),
                    [AT(place, opposite)] = u32(d, v->opposite | ghost)};
                fill(d, &place[AT(place, at)], v->at, 3);
                records = realloc(records, (n + 1) * sizeof *records);
                records[n++] = RECORD(d, place, place);
            }
    LLVMValueRef all = table(d, records, n, "stencilopt.places");
    free(records);
    return all;
}

/* How far the step's sweeps read along d, where indices come round. */
static int32_t reach_round(const st_step *step, int d) {
    int32_t most = 0, offset[ST_MAX_RANK];
    for (size_t i = 0; i < step->nsweeps && st_step_wraps(step, d); i++)
        for (size_t j = 0; j < step->sweeps[i].stencil->naccesses; j++) {
            st_sweep_offset(&step->sweeps[i], (int32_t)j, offset);
            most = st_max32(most, abs(offset[d]));
        }
    return most;
}

/* The least extent for a kernel, if what it makes has periodic indices: its halo, and the cells
 * that it reads beside its own. */
static int32_t least_extent(const st_step *step, const st_kernel *kernel) {
    st_dependences *d = malloc(sizeof *d);
    int32_t halo[ST_MAX_RANK][2], least = 0;
    st_step_dependences(step, st_step_stream(step), d);
    st_step_halo(step, d, kernel->bt, halo);
    for (int k = 0; k < step->rank; k++)
        for (int side = 0; side < 2 && st_step_wraps(step, k); side++)
            least = st_max32(least, st_max32(halo[k][side], reach_round(step, k)));
    free(d);
    return least;
}

static LLVMValueRef whole_step(const describer *d, const st_step *step, const plan_of_step *all) {
    const st_ghosts *ghosts = &step->ghosts;
    int32_t least = ghosts->least;
    for (int i = 0; i < (all->parts ? all->whole.count : 1); i++)
        least = st_max32(least,
                         least_extent(plan_step_of_kernel(all, step, i), &all->whole.kernels[i]));
    LLVMValueRef domains[ST_MAX_SWEEPS]; /* one for each nest, from the nest's first sweep */
    for (size_t i = 0; i < step->nnests; i++) {
        const st_sweep *w = st_step_first_sweep(step, i);
        LLVMValueRef domain[SLOTS(domain)] = {[AT(domain, at_low)] = u32(d, w->at_low),
                                              [AT(domain, at_high)] = u32(d, w->at_high),
                                              [AT(domain, at_place)] = u32(d, w->at_place)};
        fill(d, &domain[AT(domain, low)], w->low, 3);
        fill(d, &domain[AT(domain, high)], w->high, 3);
        domains[i] = RECORD(d, domain, domain);
    }
    LLVMValueRef slots[SLOTS(step)] = {[AT(step, narrays)] = u32(d, (uint32_t)step->narrays),
                                       [AT(step, least)] = u32(d, (uint32_t)least),
                                       [AT(step, first)] = u32(d, (uint32_t)ghosts->first),
                                       [AT(step, last)] = u32(d, (uint32_t)ghosts->last),
                                       [AT(step, places)] = places(d, step),
                                       [AT(step, domains)] =
                                           table(d, domains, step->nnests, "stencilopt.domains")};
    for (int k = 0; k < 3; k++) {
        slots[AT(step, margin_low) + k] = u32(d, (uint32_t)ghosts->margin[k][0]);
        slots[AT(step, margin_high) + k] = u32(d, (uint32_t)ghosts->margin[k][1]);
    }
    return global(d, RECORD(d, step, slots), "stencilopt.step");
}

/* Adds the kernels of the sweeps, then those of whole steps, then those that keep the grid on chip,
 * then those that add up. */
static void add_kernels(const describer *d, const st_step *step, const plan_of_step *all,
                        LLVMValueRef *kernels, slots *r) {
    const st_plan *plan = &all->whole;
    size_t count = step->nnests;
    for (int i = 0; i < plan->count; i++)
        kernels[count++] = kernel(d, step->nests[0], &plan->kernels[i]);
    for (int i = 0; i < plan_on_chip_count(all); i++)
        kernels[count++] = kernel(d, step->nests[0], &all->chip->kernels[i]);
    for (size_t i = 0; i < all->nadding; i++)
        kernels[count++] = kernel(d, step->nests[0], &all->adding[i]);
    r->at[AT(region, nkernels)] = u32(d, (uint32_t)count);
    r->at[AT(region, kernels)] = table(d, kernels, count, "stencilopt.kernels");
    if (plan->count == 0)
        return;
    fill(d, &r->at[AT(region, pad_low)], plan->pad_low, 3);
    fill(d, &r->at[AT(region, pad_high)], plan->pad_high, 3);
    r->at[AT(region, step)] = whole_step(d, step, all);
}

/* Describes the whole step. It has no grids, ports and scalars of its own. If there is one sweep,
 * the whole step has the sweep's kernels. */
static slots describe_step(const describer *d, const st_step *step, const plan_of_step *plan) {
    LLVMValueRef *regions = calloc(step->nnests, sizeof *regions);
    LLVMValueRef *kernels =
        calloc(step->nnests + 2 * PLAN_MAX_KERNELS + plan->nadding, sizeof *kernels);
    const st_stencil *first = step->nests[0];
    uint32_t ops = 0;
    slots sweep;
    for (size_t i = 0; i < step->nnests; i++) {
        const st_stencil *s = step->nests[i];
        sweep = describe_sweep(d, s, &plan->sweeps[i]);
        regions[i] = RECORD(d, region, sweep.at);
        kernels[i] = kernel(d, s, &plan->sweeps[i].kernels[0]);
        ops += st_operation_count(s);
    }
    slots r = {{[AT(region, abi)] = u32(d, STENCILRT_ABI),
                [AT(region, rank)] = u32(d, (uint32_t)first->rank),
                [AT(region, where)] = text(d, first->where),
                [AT(region, nsweeps)] = u32(d, (uint32_t)step->nnests),
                [AT(region, ops)] = u32(d, ops),
                [AT(region, sweeps)] = table(d, regions, step->nnests, "stencilopt.sweeps")}};
    if (step->single) {
        r.at[AT(region, nkernels)] = sweep.at[AT(region, nkernels)];
        r.at[AT(region, kernels)] = sweep.at[AT(region, kernels)];
    } else {
        add_kernels(d, step, plan, kernels, &r);
    }
    free(regions);
    free(kernels);
    return r;
}

/* How rows along the last dimension may be computed as if they were all; 0: they may not. */
static uint32_t slabs_of_step(const st_step *step, const plan_of_step *plan) {
    uint32_t rules = 0, reach = 0;
    for (size_t i = 0; i < step->nnests; i++) {
        uint32_t one = reach_of_rules(step->nests[i]);
        rules |= rules_of_rows(step->nests[i]);
        reach = one > reach ? one : reach;
    }
    bool round = rules & STENCILRT_SLABS_ROUND;
    if (plan_has_bricks(&plan->sweeps[0]) || reach > STENCILRT_MOST_REACH ||
        (round && rules != STENCILRT_SLABS_ROUND))
        return 0;
    return rules ? rules | reach << STENCILRT_REACH_SHIFT : STENCILRT_SLABS;
}

/* Is the last dimension's loop around those of the others, for all sums that are made in order? */
static bool sums_go_by_rows(const st_step *step) {
    bool all = true;
    for (size_t i = 0; i < step->nnests; i++) {
        const st_stencil *s = step->nests[i];
        for (size_t k = 0; k < s->nreductions; k++)
            all = all && (s->reductions[k].op != ST_REDUCE_ORDERED ||
                          s->reductions[k].order[s->rank - 1] == s->rank - 1);
    }
    return all;
}

static uint32_t flags_of_step(const st_step *step, const plan_of_step *plan) {
    return (step->single ? STENCILRT_ALONE : 0) | slabs_of_step(step, plan) |
           (sums_go_by_rows(step) ? STENCILRT_SUMS_BY_ROWS : 0);
}

LLVMValueRef offload_describe(LLVMModuleRef m, const st_step *step, const plan_of_step *plan,
                              uint32_t flags, const tg_image *list, size_t nimages, bool packed) {
    describer d = {m, LLVMGetModuleContext(m)};
    slots r = describe_step(&d, step, plan);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(d.c, 0);
    LLVMValueRef state = global(&d, LLVMConstPointerNull(pointer), "stencilopt.state");
    LLVMSetGlobalConstant(state, false);
    r.at[AT(region, state)] = state;
    r.at[AT(region, nimages)] = u32(&d, (uint32_t)nimages);
    r.at[AT(region, images)] = images(&d, list, nimages, packed);
    r.at[AT(region, flags)] = u32(&d, flags | flags_of_step(step, plan));
    return global(&d, RECORD(&d, region, r.at), "stencilopt.region");
}
