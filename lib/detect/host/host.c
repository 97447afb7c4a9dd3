/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Detection of one nest, outside in: which loops it has, whether they are legal, what the store
 * writes, what it computes. First with the loop around the spatial loops as time loop, then
 * without.
 */
#include "detect/host/host.h"

#include <stdlib.h>
#include <string.h>

static bool build(host_region *r, int spatial, bool timed, bool device_math) {
    host_begin(r, spatial, timed);
    return host_check_loops(r) && host_check_effects(r) && host_find_domain(r) &&
           host_store_grid(r) && host_build_expression(r, device_math) && host_check_live_outs(r);
}

/* The region of `spatial` innermost loops, and the loop around them if `timed`. */
static bool attempt(host_region *r, int spatial, bool timed, bool device_math) {
    r->use_ends = false;
    if (build(r, spatial, timed, device_math))
        return true;
    r->use_ends = r->reason == ST_NO_CONDITIONAL_LOAD;
    return r->use_ends &&
           (build(r, spatial, timed, device_math) || host_refuse(r, ST_NO_CONDITIONAL_LOAD, NULL));
}

/* With the loop around it, which may hold another sweep. */
static bool attempt_timed(host_region *r, int spatial, bool device_math) {
    host_region *twin = host_twin(r, spatial), *copier = host_copier(r, twin, spatial);
    bool good = copier ? host_build_copied(r, copier, twin, spatial, device_math)
                : twin ? host_build_pair(r, twin, spatial, device_math)
                       : attempt(r, spatial, true, device_math);
    good = good && (!(copier || twin) || host_check_live_outs(r));
    host_region_destroy(twin);
    host_region_destroy(copier);
    return good;
}

/* The nest of so many loops, with the loop around them if that can be, else without. */
static bool analyse_nest(host_region *r, const host_movement *m, int spatial, bool device_math) {
    if (spatial == 0)
        return host_refuse(r, ST_NO_NOT_STENCIL, NULL);
    memcpy(r->loops, m->loops, sizeof r->loops);
    if (spatial > ST_MAX_RANK)
        return host_refuse(r, ST_NO_RANK, NULL);
    if (spatial < m->count) {
        if (attempt_timed(r, spatial, device_math))
            return true;
        if (m->moves[spatial]) /* and turns: no loop to leave out of a sweep */
            return false;
        r->time_reason = r->reason;
        memcpy(r->time_detail, r->detail, sizeof r->detail);
    }
    if (attempt(r, spatial, false, device_math))
        return true;
    if (r->reason == ST_NO_IN_PLACE && host_keeps_history(r))
        return host_refuse(r, ST_NO_HISTORY, NULL);
    return false;
}

static bool analyse(host_region *r, bool device_math) {
    host_movement m = host_chain_of(r->f, r->loops[0]);
    int count;
    br_loop child;
    if (br_loop_children(m.loops[0], &child, 1))
        return host_refuse(r, ST_NO_INNER_LOOP, NULL);
    r->store = host_only_store(m.loops[0], &count);
    if (!r->store)
        return host_refuse(r, ST_NO_SEVERAL_STORES, NULL);
    if (LLVMGetVolatile(r->store) || LLVMGetOrdering(r->store) != LLVMAtomicOrderingNotAtomic)
        return host_refuse(r, ST_NO_VOLATILE, NULL);
    if (!host_check_innermost(r)) /* most loops end here, cheaply */
        return false;
    br_scev address = br_scev_of(r->f, LLVMGetOperand(r->store, 1));
    int with_tables = host_count_spatial(&m, address, true);
    bool deep = with_tables <= ST_MAX_RANK && analyse_nest(r, &m, with_tables, device_math);
    int spatial = deep ? with_tables : host_count_spatial(&m, address, false);
    if (deep || (spatial == with_tables && with_tables <= ST_MAX_RANK))
        return deep;
    /* Row by row, then; what was in the way of more is why the loop around is left out. */
    st_reason reason = r->reason;
    char detail[sizeof r->detail];
    memcpy(detail, r->detail, sizeof detail);
    bool rows = analyse_nest(r, &m, spatial, device_math);
    if (with_tables > ST_MAX_RANK)
        return rows;
    if (!rows)
        return host_refuse(r, reason, detail);
    r->time_reason = reason;
    memcpy(r->time_detail, detail, sizeof detail);
    return true;
}

host_region *host_detect(br_function *f, LLVMValueRef function, br_loop innermost,
                         bool device_math) {
    host_region *r = host_region_create(f, function);
    r->loops[0] = r->outer = innermost;
    if (!host_check_function(r) || !analyse(r, device_math)) {
        st_destroy(r->stencil);
        r->stencil = NULL;
    }
    return r;
}

/* Does the loop itself, not one in it, store; and does it load? Then it may be a sweep: or, if
 * there are loops in it, one whose cells these compute. */
static bool is_candidate(br_loop l) {
    LLVMBasicBlockRef blocks[HOST_MAX_BLOCKS];
    br_loop children[16];
    bool loads = false, stores = false;
    size_t inner = br_loop_children(l, children, 16);
    size_t count = br_loop_blocks(l, blocks, HOST_MAX_BLOCKS);
    for (size_t b = 0; b < count && b < HOST_MAX_BLOCKS; b++) {
        bool own = true;
        for (size_t c = 0; c < inner && c < 16; c++)
            own &= !br_loop_contains(children[c], blocks[b]);
        LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]);
        for (; i && !(loads && stores); i = LLVMGetNextInstruction(i)) {
            loads |= LLVMIsALoadInst(i) != NULL;
            stores |= own && LLVMIsAStoreInst(i) != NULL;
        }
    }
    return loads && stores;
}

size_t host_candidates(br_function *f, br_loop *out, size_t capacity) {
    size_t count = br_loops(f, NULL, 0), kept = 0;
    br_loop *all = malloc((count + 1) * sizeof *all);
    br_loops(f, all, count);
    for (size_t i = 0; i < count; i++)
        if (is_candidate(all[i]) && kept < capacity)
            out[kept++] = all[i];
    free(all);
    return kept;
}
