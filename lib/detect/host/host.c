/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Detection of one nest, outside in: which loops it has, whether they are legal, what the store
 * writes, what it computes. First with the loop around the spatial loops as time loop, then
 * without.
 */
#include "detect/host/host.h"
#include "detect/common/calls.h"

#include <stdlib.h>
#include <string.h>

static st_refusal build(host_region *r, int spatial, bool timed, bool device_math) {
    host_begin(r, spatial, timed);
    bool good = host_check_loops(r) && host_check_effects(r) && host_find_domain(r, &r->why) &&
                host_store_grid(r) && host_build_expression(r, device_math) &&
                host_check_live_outs(r);
    return host_outcome(r, good);
}

/* The region of `spatial` innermost loops, and the loop around them if `timed`. */
static st_refusal attempt(host_region *r, int spatial, bool timed, bool device_math) {
    r->match.use_ends = false;
    st_refusal why = build(r, spatial, timed, device_math);
    if (why.reason != ST_NO_CONDITIONAL_LOAD)
        return why;
    r->match.use_ends = true;
    if (build(r, spatial, timed, device_math).reason == ST_OK)
        why.reason = ST_OK;
    return why;
}

/* As above, with the loop around the nest, which may contain another sweep. */
static st_refusal attempt_timed(host_region *r, int spatial, bool device_math) {
    host_region *twin = host_twin(r, spatial), *copier = host_copier(r, twin, spatial);
    st_refusal why = copier ? host_build_copied(r, copier, twin, spatial, device_math)
                     : twin ? host_build_pair(r, twin, spatial, device_math)
                            : attempt(r, spatial, true, device_math);
    if (why.reason == ST_OK && (copier || twin))
        why = host_outcome(r, host_check_live_outs(r));
    host_region_destroy(twin);
    host_region_destroy(copier);
    return why;
}

static st_refusal refusal(st_reason reason) {
    return (st_refusal){.reason = reason};
}

/* The nest is computed in place. Its outermost loop may be the only one whose iterations depend on
 * each other, such as that of time in an array that keeps all time steps. The nest in it is a sweep
 * then: *time_why is why the loop around is left out. */
static st_refusal analyse_inner(host_region *r, int spatial, bool device_math,
                                st_refusal *time_why) {
    st_refusal why = refusal(host_keeps_history(r) ? ST_NO_HISTORY : ST_NO_IN_PLACE);
    if (spatial < 3 || attempt(r, spatial - 1, false, device_math).reason != ST_OK)
        return why;
    *time_why = why;
    return refusal(ST_OK);
}

/* The nest of so many loops, with the loop around them if that can be, else without: *time_why is
 * then why. */
static st_refusal analyse_nest(host_region *r, const host_movement *m, int spatial,
                               bool device_math, st_refusal *time_why) {
    if (spatial == 0)
        return refusal(ST_NO_NOT_STENCIL);
    memcpy(r->loops, m->loops, sizeof r->loops);
    if (spatial > ST_MAX_RANK) {
        *time_why = refusal(ST_NO_RANK);
        st_refusal inner = attempt(r, ST_MAX_RANK, false, device_math);
        bool good = inner.reason == ST_OK || inner.reason == ST_NO_NOT_RECTANGULAR;
        return good ? inner : refusal(ST_NO_RANK);
    }
    if (spatial < m->count) {
        st_refusal why = attempt_timed(r, spatial, device_math);
        if (why.reason == ST_OK || m->moves[spatial]) /* and turns: no loop to leave out */
            return why;
        *time_why = why;
    }
    st_refusal why = attempt(r, spatial, false, device_math);
    if (why.reason == ST_NO_IN_PLACE)
        return analyse_inner(r, spatial, device_math, time_why);
    return why;
}

static st_refusal check_first(host_region *r) {
    int count;
    br_loop child;
    if (br_loop_children(r->loops[0], &child, 1))
        return refusal(ST_NO_INNER_LOOP);
    r->store = host_only_store(r->loops[0], &count);
    if (!r->store)
        return (st_refusal){count ? ST_NO_SEVERAL_STORES : ST_NO_NO_STORE,
                            "it was not looked at as a step of its own"};
    if (LLVMGetVolatile(r->store) || LLVMGetOrdering(r->store) != LLVMAtomicOrderingNotAtomic)
        return refusal(ST_NO_VOLATILE);
    return host_outcome(r, host_check_innermost(r)); /* most loops end here, cheaply */
}

static st_refusal analyse(host_region *r, bool device_math) {
    host_movement m = host_chain_of(r->f, r->loops[0]);
    st_refusal why = check_first(r);
    if (why.reason != ST_OK)
        return why;
    br_scev address = br_scev_of(r->f, LLVMGetOperand(r->store, 1));
    int with_tables = host_count_spatial(&m, address, true);
    why = refusal(ST_NO_RANK);
    if (with_tables <= ST_MAX_RANK)
        why = analyse_nest(r, &m, with_tables, device_math, &r->time_why);
    if (why.reason == ST_OK)
        return why;
    int spatial = host_count_spatial(&m, address, false);
    if (spatial == with_tables && with_tables <= ST_MAX_RANK)
        return why;
    /* Row by row, then; what was in the way of more is why the loop around is left out. */
    st_refusal rows = analyse_nest(r, &m, spatial, device_math, &r->time_why);
    if (with_tables > ST_MAX_RANK)
        return rows;
    if (rows.reason == ST_OK)
        r->time_why = why;
    return rows.reason == ST_OK ? rows : why;
}

host_region *host_detect(br_function *f, LLVMValueRef function, br_loop innermost,
                         bool device_math) {
    host_region *r = host_region_create(f, function);
    r->loops[0] = r->outer = innermost;
    st_refusal why = host_outcome(r, host_check_function(r));
    if (why.reason == ST_OK)
        why = analyse(r, device_math);
    r->why = why;
    if (why.reason != ST_OK) {
        st_destroy(r->stencil);
        r->stencil = NULL;
    }
    return r;
}

/* Does the loop itself, not one in it, store; and does it load? Then it may be a sweep: or, if
 * there are loops in it, one whose cells these compute. So it may if it only measures. */
static bool is_candidate(br_function *f, br_loop l) {
    LLVMBasicBlockRef blocks[HOST_MAX_BLOCKS];
    br_loop children[16], chain[HOST_MAX_LOOPS + 1];
    int length;
    bool loads = false, stores = false;
    size_t inner = br_loop_children(l, children, 16);
    size_t count = br_loop_blocks(l, blocks, HOST_MAX_BLOCKS);
    for (size_t b = 0; b < count && b < HOST_MAX_BLOCKS; b++) {
        bool own = true;
        for (size_t c = 0; c < inner && c < 16; c++)
            own &= !br_loop_contains(children[c], blocks[b]);
        LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]);
        for (; i && !(loads && stores); i = LLVMGetNextInstruction(i)) {
            bool copies = inner == 0 && host_is_copy(i);
            loads |= LLVMIsALoadInst(i) || (copies && !host_calls(i, "llvm.memset."));
            stores |= own && (LLVMIsAStoreInst(i) || copies);
        }
    }
    return loads && (stores || host_measured(f, l, chain, &length));
}

size_t host_candidates(br_function *f, br_loop *out, size_t capacity) {
    size_t count = br_loops(f, NULL, 0), kept = 0;
    br_loop *all = malloc((count + 1) * sizeof *all);
    br_loops(f, all, count);
    for (size_t i = 0; i < count; i++)
        if (is_candidate(f, all[i]) && kept < capacity)
            out[kept++] = all[i];
    free(all);
    return kept;
}
