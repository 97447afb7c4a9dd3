/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The size of the scratchpad for the planes or boxes that the threads of a block share, and the
 * test that a launch has so much.
 */
#include "codegen/block/lds.h"

#include <string.h>

#include <llvm-c/Target.h>

/* If the block's shape is not known, scratchpad is made for blocks of USUAL_THREADS, between
 * LEAST_WIDTH and MOST_WIDTH wide along x, as far as USUAL_BLOCKS have room at a time. Other blocks
 * keep the old body if they need more. */
enum { USUAL_THREADS = 512, LEAST_WIDTH = 16, MOST_WIDTH = 64, USUAL_BLOCKS = 2 };

bool lds_by_planes(const blk_gen *g) {
    return g->p->blocking == BLK_25D && g->s->rank > 1;
}

bool lds_is_sliced(const blk_gen *g, const blk_layer *l, int d) {
    return !l->whole && d == g->p->dim;
}

int64_t lds_extent(const blk_gen *g, const blk_layer *l, int d, int64_t width) {
    if (lds_is_sliced(g, l, d))
        return width;
    return (width - 1) * g->axes[d].cells + l->most[d] - l->least[d] + 1;
}

LLVMValueRef lds_extent_value(blk_gen *g, const blk_layer *l, int d) {
    const blk_axis *a = &g->axes[d];
    if (a->known_width)
        return gen_int32(&g->e, (int32_t)lds_extent(g, l, d, a->known_width));
    if (lds_is_sliced(g, l, d))
        return a->width;
    LLVMValueRef v = gen_times32(&g->e, a->width, a->cells);
    return gen_add32(&g->e, v, l->most[d] - l->least[d] + 1 - a->cells);
}

/* The layers that are ever kept at once */

/* All planes that the grid has taps in, or all taps together: calls `visit` for those shared. */
typedef void (*layer_visit)(blk_gen *g, const blk_layer *l, void *context);

static void for_layers(blk_gen *g, int32_t grid, layer_visit visit, void *context) {
    blk_layer all, one;
    if (!blk_layer_find(g, grid, NULL, &all))
        return;
    if (!lds_by_planes(g) && all.shared)
        visit(g, &all, context);
    for (int p = all.least[g->p->dim]; p <= all.most[g->p->dim] && lds_by_planes(g); p++) {
        if (!blk_layer_find(g, grid, &p, &one))
            continue;
        if (one.shared)
            visit(g, &one, context);
        blk_layer_free(&one);
    }
    blk_layer_free(&all);
}

/* Sizes */

typedef struct block_size {
    int64_t width[ST_MAX_RANK], bytes; /* of the largest layer seen */
} block_size;

static int64_t align(int64_t bytes) {
    return (bytes + LDS_ALIGNMENT - 1) / LDS_ALIGNMENT * LDS_ALIGNMENT;
}

static void measure(blk_gen *g, const blk_layer *l, void *context) {
    block_size *size = context;
    int64_t bytes = (int64_t)st_type_size(g->s->grids[l->grid].type);
    for (int d = 0; d < g->s->rank; d++)
        bytes *= lds_extent(g, l, d, size->width[d]);
    size->bytes = align(bytes) > size->bytes ? align(bytes) : size->bytes;
}

static int64_t bytes_of_grid(blk_gen *g, int32_t grid, const int64_t width[ST_MAX_RANK]) {
    block_size size = {.bytes = 0};
    memcpy(size.width, width, sizeof size.width);
    for_layers(g, grid, measure, &size);
    return size.bytes;
}

int lds_buffers(const blk_gen *g) {
    return lds_by_planes(g) ? 2 : 1;
}

/* Makes room for blocks of this shape as well, if that takes at most `most` bytes or no other shape
 * has been seen. */
static void widen_sizes(blk_gen *g, const int64_t width[ST_MAX_RANK], int64_t most, lds_sizes *s) {
    lds_sizes wider = *s;
    wider.all = 0;
    for (size_t i = 0; i < g->s->ngrids; i++) {
        int64_t bytes = bytes_of_grid(g, (int32_t)i, width);
        wider.grid[i] = bytes > s->grid[i] ? bytes : s->grid[i];
        wider.all += wider.grid[i] * lds_buffers(g);
    }
    if (wider.all <= most || !s->all)
        *s = wider;
}

void lds_find_sizes(blk_gen *g, lds_sizes *s) {
    int64_t known[ST_MAX_RANK], width[ST_MAX_RANK], room = tg_scratchpad_limit(g->e.module);
    memset(s, 0, sizeof *s);
    s->known = true;
    for (int d = 0; d < ST_MAX_RANK; d++) {
        known[d] = d < g->s->rank ? g->axes[d].known_width : 1;
        s->known &= known[d] != 0;
    }
    int threads = tg_most_threads(g->function);
    threads = threads && threads < USUAL_THREADS ? threads : USUAL_THREADS;
    int least = g->s->rank > 1 && threads > LEAST_WIDTH ? LEAST_WIDTH : threads;
    int most = g->s->rank > 1 ? MOST_WIDTH : threads;
    for (int x = least; x <= most && x <= threads; x *= 2)
        for (int y = 1; y <= threads / x; y *= 2) {
            int usual[] = {x, g->s->rank > 2 ? y : threads / x, threads / x / y};
            for (int d = 0; d < ST_MAX_RANK; d++)
                width[d] = known[d] ? known[d] : usual[d];
            widen_sizes(g, width, room / USUAL_BLOCKS, s);
        }
}

/* Launches */

/* Does the function use v, directly or through constant expressions? The value of another global
 * counts as a use by any function. */
static bool is_used_by(LLVMValueRef v, LLVMValueRef function) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool used = LLVMIsAInstruction(user)
                        ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function
                        : LLVMIsAGlobalValue(user) || is_used_by(user, function);
        if (used)
            return true;
    }
    return false;
}

/* Bytes that the kernel has already; -1: as many as the launch says. */
static int64_t scratchpad_used(const blk_gen *g) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(g->e.module);
    int64_t sum = 0;
    for (LLVMValueRef v = LLVMGetFirstGlobal(g->e.module); v; v = LLVMGetNextGlobal(v)) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != TG_SCRATCHPAD ||
            !is_used_by(v, g->function))
            continue;
        int64_t bytes = (int64_t)LLVMABISizeOfType(layout, LLVMGlobalGetValueType(v));
        if (bytes == 0)
            return -1;
        sum += align(bytes);
    }
    return sum;
}

typedef struct fit {
    LLVMValueRef all; /* i1 so far */
    int64_t bytes;
} fit;

static void require(blk_gen *g, fit *f, LLVMIntPredicate p, LLVMValueRef v, int64_t with) {
    LLVMValueRef c =
        LLVMBuildICmp(g->e.b, p, v, LLVMConstInt(LLVMTypeOf(v), (uint64_t)with, 0), "");
    f->all = f->all ? LLVMBuildAnd(g->e.b, f->all, c, "") : c;
}

/* With load=branch, where the block's width W is not known, the code has as many loads for a thread
 * as it has cells, and one more for the halo. So the halo may not be wider than the block. */
static void require_fit(blk_gen *g, const blk_layer *l, void *context) {
    fit *f = context;
    LLVMValueRef cells = gen_int64(&g->e, 1);
    for (int d = 0; d < g->s->rank; d++) {
        const blk_axis *a = &g->axes[d];
        int64_t halo = l->most[d] - l->least[d] + 1 - a->cells;
        cells = LLVMBuildMul(g->e.b, cells, gen_widen(&g->e, lds_extent_value(g, l, d)), "");
        if (g->p->load == BLK_BRANCH && !a->known_width && !lds_is_sliced(g, l, d) && halo > 1)
            require(g, f, LLVMIntUGE, a->width, halo);
    }
    require(g, f, LLVMIntULE, cells, f->bytes / (int64_t)st_type_size(g->s->grids[l->grid].type));
}

bool lds_check(blk_gen *g, LLVMValueRef *suits) {
    lds_sizes sizes;
    fit f = {NULL, 0};
    for (int d = 0; d < g->s->rank; d++)
        if (g->axes[d].launch_dim < 0)
            return blk_refuse(g, "its blocks are not blocks of cells");
    if (!blk_layers_clamp(g))
        return blk_refuse(g, "its neighbours make neither a box nor a star");
    int64_t used = scratchpad_used(g);
    if (used < 0)
        return blk_refuse(g, "how much scratchpad it has is known only to its launch");
    if (g->s->ngrids > ST_MAX_PORTS)
        return blk_refuse(g, "it has too many arrays");
    lds_find_sizes(g, &sizes);
    if (sizes.all + used > tg_scratchpad_limit(g->e.module))
        return blk_refuse(g, "a block's tile is more than its scratchpad");
    for (size_t i = 0; i < g->s->ngrids && !sizes.known; i++) {
        f.bytes = sizes.grid[i];
        for_layers(g, (int32_t)i, require_fit, &f);
    }
    *suits = f.all;
    return true;
}
