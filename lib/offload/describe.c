/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The structs of include/stencilopt/region.h as LLVM constants; field by field in their order.
 */
#include "bridge/bridge.h"
#include "offload/offload.h"

#include <math.h>

#include "stencilopt/region.h"

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

static LLVMValueRef record(const describer *d, LLVMValueRef *fields, unsigned count) {
    return LLVMConstStructInContext(d->c, fields, count, false);
}

/* An array of equal records, or a null pointer for none. */
static LLVMValueRef table(const describer *d, LLVMValueRef *records, size_t count,
                          const char *name) {
    if (count == 0)
        return LLVMConstPointerNull(LLVMPointerTypeInContext(d->c, 0));
    return global(d, LLVMConstArray2(LLVMTypeOf(records[0]), records, count), name);
}

static LLVMValueRef grids(const describer *d, const st_stencil *s, uint32_t *nbuffers) {
    LLVMValueRef *records = calloc(s->ngrids, sizeof *records);
    *nbuffers = 0;
    for (size_t i = 0; i < s->ngrids; i++) {
        const st_grid *g = &s->grids[i];
        LLVMValueRef fields[] = {u32(d, (uint32_t)st_type_size(g->type)),
                                 u32(d, g->buffers),
                                 u32(d, *nbuffers),
                                 u32(d, g->broadcast),
                                 u32(d, (uint32_t)g->advance),
                                 u32(d, 0)};
        records[i] = record(d, fields, sizeof fields / sizeof *fields);
        *nbuffers += g->buffers;
    }
    LLVMValueRef all = table(d, records, s->ngrids, "stencilopt.grids");
    free(records);
    return all;
}

/* What is brought back at a border is a cell of the domain. */
static uint32_t offset_along(const st_access *a, int d) {
    bool back = a->offset[d] && (a->faces & ST_FACE(d, a->offset[d] > 0));
    return back ? 0 : (uint32_t)a->offset[d];
}

/* Those that are read only under conditions come last. */
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
        LLVMValueRef fields[] = {u32(d, (uint32_t)list[i].grid), u32(d, (uint32_t)list[i].level),
                                 u32(d, access), u32(d, noffsets), where};
        records[i] = record(d, fields, 5);
    }
    return table(d, records, *count, "stencilopt.ports");
}

static LLVMValueRef scalars(const describer *d, const st_stencil *s) {
    LLVMValueRef *records = calloc(s->nscalars + 1, sizeof *records);
    for (size_t i = 0; i < s->nscalars; i++) {
        uint32_t kind = s->scalars[i].stepped    ? STENCILRT_STEPPED
                        : s->scalars[i].followed ? STENCILRT_FOLLOWED
                                                 : STENCILRT_FIXED;
        LLVMValueRef fields[] = {u32(d, (uint32_t)st_type_size(s->scalars[i].type)), u32(d, kind)};
        records[i] = record(d, fields, 2);
    }
    LLVMValueRef all = table(d, records, s->nscalars, "stencilopt.scalars");
    free(records);
    return all;
}

static LLVMValueRef reductions(const describer *d, const st_stencil *s, uint32_t *count) {
    static const uint32_t ops[] = {[ST_REDUCE_MAX] = STENCILRT_MAX,
                                   [ST_REDUCE_MIN] = STENCILRT_MIN,
                                   [ST_REDUCE_SUM] = STENCILRT_SUM};
    LLVMValueRef *records = calloc(s->nreductions + 1, sizeof *records);
    for (size_t i = 0; i < s->nreductions; i++) {
        const st_reduction *r = &s->reductions[i];
        st_type type = (st_type)s->nodes[r->root].type;
        uint32_t kind = st_type_is_float(type) ? STENCILRT_FLOAT
                        : r->is_signed         ? STENCILRT_SIGNED
                                               : STENCILRT_UNSIGNED;
        LLVMValueRef fields[] = {u32(d, ops[r->op]), u32(d, kind),
                                 u32(d, (uint32_t)st_type_size(type)), u32(d, 0)};
        records[i] = record(d, fields, 4);
    }
    LLVMValueRef all = table(d, records, s->nreductions, "stencilopt.reductions");
    free(records);
    *count = (uint32_t)s->nreductions;
    return all;
}

/* zstd's level. 165 KB of PTX become 26 KB in 5 ms (level 5), 22 KB in 11 ms (9), 19 KB in 0.6 s
 * (19). */
enum { LEVEL = 9 };

static LLVMMemoryBufferRef pack(const char *data, size_t size) {
    LLVMMemoryBufferRef packed = br_compress(data, size, LEVEL);
    if (!packed || LLVMGetBufferSize(packed) < size)
        return packed;
    LLVMDisposeMemoryBuffer(packed);
    return NULL;
}

static LLVMValueRef image(const describer *d, const tg_image *i, bool packing) {
    bool is_text = i->kind == TG_PTX; /* the driver wants its NUL */
    size_t size = LLVMGetBufferSize(i->bytes) + is_text;
    const char *data = LLVMGetBufferStart(i->bytes); /* LLVM ends each buffer with a NUL */
    LLVMMemoryBufferRef packed = packing ? pack(data, size) : NULL;
    if (packed) {
        data = LLVMGetBufferStart(packed);
        size = LLVMGetBufferSize(packed);
    }
    LLVMValueRef fields[] = {u32(d, (uint32_t)i->kind),
                             u32(d, packed ? STENCILRT_ZSTD : STENCILRT_PLAIN), text(d, i->arch),
                             bytes(d, data, size, false, "stencilopt.image"),
                             LLVMConstInt(LLVMInt64TypeInContext(d->c), size, false)};
    if (packed)
        LLVMDisposeMemoryBuffer(packed);
    return record(d, fields, 5);
}

static LLVMValueRef images(const describer *d, const tg_image *list, size_t count, bool packing) {
    LLVMValueRef *records = calloc(count, sizeof *records);
    for (size_t i = 0; i < count; i++)
        records[i] = image(d, &list[i], packing);
    LLVMValueRef all = table(d, records, count, "stencilopt.images");
    free(records);
    return all;
}

static LLVMValueRef triple(const describer *d, const int *v) {
    LLVMValueRef n[3] = {u32(d, (uint32_t)v[0]), u32(d, (uint32_t)v[1]), u32(d, (uint32_t)v[2])};
    return LLVMConstArray2(LLVMTypeOf(n[0]), n, 3);
}

static LLVMValueRef kernel(const describer *d, const st_stencil *s, const st_kernel *k) {
    static const uint32_t kinds[] = {
        [ST_CELL] = STENCILRT_CELL, [ST_STREAM] = STENCILRT_STREAM, [ST_STRIP] = STENCILRT_STRIP};
    int tiles = k->kind == ST_CELL ? 0 : s->rank < 3 ? k->warps : 1;
    LLVMValueRef tile[2] = {u32(d, (uint32_t)k->tile[0]), u32(d, (uint32_t)k->tile[1])};
    LLVMValueRef fields[] = {text(d, k->name),
                             u32(d, kinds[k->kind]),
                             u32(d, (uint32_t)k->bt),
                             triple(d, k->block),
                             u32(d, (uint32_t)fmin(1e15 * k->time, UINT32_MAX)),
                             LLVMConstArray2(LLVMTypeOf(tile[0]), tile, 2),
                             u32(d, (uint32_t)tiles),
                             u32(d, (uint32_t)k->overlap),
                             u32(d, (uint32_t)k->scratchpad)};
    return record(d, fields, sizeof fields / sizeof *fields);
}

/* What is the same in a region and in one of several sweeps. */
typedef struct parts {
    uint32_t ngrids, nports, nscalars, nimages, nkernels, nbuffers, ops, nsweeps, nreductions;
    uint32_t every, phase, flags;
    const int *pad_low, *pad_high;
    LLVMValueRef kernels, grids, ports, scalars, images, state, sweeps, reductions;
} parts;

static LLVMValueRef region(const describer *d, const st_stencil *s, const parts *p) {
    LLVMValueRef fields[] = {u32(d, STENCILRT_ABI),
                             u32(d, (uint32_t)s->rank),
                             text(d, s->where),
                             u32(d, p->ngrids),
                             u32(d, p->nports),
                             u32(d, p->nscalars),
                             u32(d, p->nimages),
                             u32(d, p->nkernels),
                             u32(d, p->nbuffers),
                             u32(d, p->ops),
                             u32(d, p->nsweeps),
                             triple(d, p->pad_low),
                             triple(d, p->pad_high),
                             p->kernels,
                             p->grids,
                             p->ports,
                             p->scalars,
                             p->images,
                             p->state,
                             p->sweeps,
                             p->reductions,
                             u32(d, p->nreductions),
                             u32(d, p->every),
                             u32(d, p->phase),
                             u32(d, p->flags)};
    return record(d, fields, sizeof fields / sizeof *fields);
}

static parts describe_sweep(const describer *d, const st_stencil *s, const st_plan *plan) {
    LLVMValueRef records[PLAN_MAX_KERNELS];
    LLVMValueRef none = LLVMConstPointerNull(LLVMPointerTypeInContext(d->c, 0));
    parts p = {.ngrids = (uint32_t)s->ngrids,
               .nscalars = (uint32_t)s->nscalars,
               .nkernels = (uint32_t)plan->count,
               .ops = st_operation_count(s),
               .every = s->every,
               .phase = s->phase,
               .pad_low = plan->pad_low,
               .pad_high = plan->pad_high,
               .images = none,
               .state = none,
               .sweeps = none};
    p.reductions = reductions(d, s, &p.nreductions);
    for (int i = 0; i < plan->count; i++)
        records[i] = kernel(d, s, &plan->kernels[i]);
    p.kernels = table(d, records, (size_t)plan->count, "stencilopt.kernels");
    p.grids = grids(d, s, &p.nbuffers);
    p.ports = ports(d, s, &p.nports);
    p.scalars = scalars(d, s);
    return p;
}

/* The whole of several sweeps, which has no grids, ports and scalars of its own. */
static parts describe_sweeps(const describer *d, host_region *const *sweeps, const st_plan *plans,
                             size_t count) {
    LLVMValueRef regions[HOST_MAX_SWEEPS], all[HOST_MAX_SWEEPS];
    LLVMValueRef none = LLVMConstPointerNull(LLVMPointerTypeInContext(d->c, 0));
    parts p = {.nkernels = (uint32_t)count,
               .nsweeps = (uint32_t)count,
               .pad_low = plans[0].pad_low,
               .pad_high = plans[0].pad_high,
               .grids = none,
               .ports = none,
               .scalars = none,
               .reductions = none};
    for (size_t i = 0; i < count; i++) {
        parts sweep = describe_sweep(d, sweeps[i]->stencil, &plans[i]);
        regions[i] = region(d, sweeps[i]->stencil, &sweep);
        all[i] = kernel(d, sweeps[i]->stencil, &plans[i].kernels[0]);
        p.ops += sweep.ops;
    }
    p.sweeps = table(d, regions, count, "stencilopt.sweeps");
    p.kernels = table(d, all, count, "stencilopt.kernels");
    return p;
}

LLVMValueRef offload_describe(LLVMModuleRef m, host_region *const *sweeps, const st_plan *plans,
                              size_t count, const tg_image *list, size_t nimages, bool packed) {
    describer d = {m, LLVMGetModuleContext(m)};
    parts p = sweeps[0]->steps ? describe_sweeps(&d, sweeps, plans, count)
                               : describe_sweep(&d, sweeps[0]->stencil, plans);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(d.c, 0);
    p.state = global(&d, LLVMConstPointerNull(pointer), "stencilopt.state");
    LLVMSetGlobalConstant(p.state, false);
    p.nimages = (uint32_t)nimages;
    p.flags = offload_takes_either(sweeps[0]) ? STENCILRT_DENORMALS_FREE : 0;
    p.images = images(&d, list, nimages, packed);
    return global(&d, region(&d, sweeps[0]->stencil, &p), "stencilopt.region");
}
