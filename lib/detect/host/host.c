/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Detection of a host region, outside in: which loops, are they legal, what does the store write,
 * what does it compute. First with the loop around the spatial ones as time loop, then without.
 */
#include "detect/host/host.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A quotient of it takes a recurrence back to its start: a remainder, written x - x / 3 * 3. */
static void mark_quotient(br_scev s, const br_loop *loops, int count, bool *turns) {
    br_scev x = br_scev_operand(s, 0);
    x = br_scev_kind(x) == BR_ZEXT ? br_scev_operand(x, 0) : x;
    for (int i = 0; i < count && br_scev_kind(x) == BR_ADDREC; i++)
        turns[i] |= loops[i] == br_scev_loop(x);
}

/* Loops that an address moves with, and those of which it takes remainders. */
typedef struct movement {
    br_function *f;
    br_loop loops[HOST_MAX_LOOPS + 1];
    int count;
    bool tables; /* also where pointers are read from */
    bool moves[HOST_MAX_LOOPS + 1], turns[HOST_MAX_LOOPS + 1];
} movement;

static void mark_loops(movement *m, br_scev s);

/* a[i] of T **a. */
static void mark_table(movement *m, LLVMValueRef v) {
    if (m->tables && LLVMIsALoadInst(v) && host_in_loop(m->loops[m->count - 1], v))
        mark_loops(m, br_scev_of(m->f, LLVMGetOperand(v, 0)));
}

/* Which loops does an address move with? A recurrence of one bit only alternates. */
static void mark_loops(movement *m, br_scev s) {
    if (br_scev_kind(s) == BR_CONSTANT)
        return;
    if (br_scev_kind(s) == BR_UNKNOWN) {
        mark_table(m, br_scev_value(s));
        return;
    }
    if (br_scev_kind(s) == BR_UDIV)
        mark_quotient(s, m->loops, m->count, m->turns);
    bool recurs = br_scev_kind(s) == BR_ADDREC && br_scev_bits(m->f, s) > 1;
    for (int i = 0; recurs && i < m->count; i++)
        m->moves[i] |= m->loops[i] == br_scev_loop(s);
    for (size_t i = 0; i < br_scev_count(s); i++)
        mark_loops(m, br_scev_operand(s, i));
}

/* How many of the innermost loops, one around the other, does the address move with? */
static int count_spatial(movement *m, br_scev address, bool tables) {
    int spatial = 0;
    m->tables = tables;
    memset(m->moves, 0, sizeof m->moves);
    memset(m->turns, 0, sizeof m->turns);
    mark_loops(m, address);
    while (spatial < m->count && m->moves[spatial] && !m->turns[spatial])
        spatial++;
    return spatial;
}

LLVMValueRef host_only_store(br_loop l, int *count) {
    LLVMBasicBlockRef blocks[HOST_MAX_BLOCKS];
    LLVMValueRef store = NULL;
    size_t n = br_loop_blocks(l, blocks, HOST_MAX_BLOCKS);
    *count = 0;
    for (size_t b = 0; b < n && b < HOST_MAX_BLOCKS; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAStoreInst(i))
                continue;
            store = i;
            ++*count;
        }
    }
    return *count == 1 ? store : NULL;
}

/* Values used after the region must be ones that we can give without running it. */
static bool check_live_out(host_region *r, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        if (host_in_loop(r->outer, LLVMGetUser(u)))
            continue;
        if (host_rotates(r, v))
            return true;
        int64_t number;
        if (host_toggle(r, v, 0, &number))
            return true;
        if (r->steps && host_is_checked(r->steps) && host_known_after_step(r->steps, v))
            return true;
        br_scev at_exit = br_scev_at_exit(r->f, v, r->outer);
        if (at_exit && br_scev_invariant(r->f, at_exit, r->outer))
            return true;
        return host_refuse(r, ST_NO_LIVE_OUT, host_value_name(v));
    }
    return true;
}

bool host_check_live_outs(host_region *r) {
    LLVMBasicBlockRef blocks[HOST_MAX_OUTER_BLOCKS];
    size_t count = br_loop_blocks(r->outer, blocks, HOST_MAX_OUTER_BLOCKS);
    for (size_t b = 0; b < count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (!check_live_out(r, i))
                return false;
    return true;
}

static void describe(host_region *r) {
    size_t length;
    st_stencil *s = r->stencil;
    br_location(r->outer, r->function, s->where, sizeof s->where);
    snprintf(s->function, sizeof s->function, "%s", LLVMGetValueName2(r->function, &length));
}

void host_begin(host_region *r, int spatial, bool timed) {
    r->nloops = spatial + timed;
    r->axes = spatial;
    r->time = timed ? r->loops[spatial] : NULL;
    r->outer = r->loops[r->nloops - 1];
    r->nguards = r->nranges = 0;
    r->narrow = 0;
    r->far = false;
    r->copies_back = r->partial = false;
    r->ends = r->nskipped = r->nnumbers = r->nreductions = 0;
    host_forget_loads(r);
    r->scene = NULL;
    r->end_load = NULL;
    memset(r->left_out, 0, sizeof r->left_out);
    r->sweeps = r->twin ? 2 : 1;
    r->phase = 0;
    st_destroy(r->stencil);
    r->stencil = st_create();
    r->stencil->rank = r->steps ? r->steps->rank : spatial;
    r->stencil->timed = timed;
    r->reason = ST_OK;
    describe(r);
    host_find_rings(r);
}

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

/* The innermost loop and those around it. */
static movement chain_of(br_function *f, br_loop innermost) {
    movement m = {.f = f, .loops = {innermost}, .count = 1};
    while (m.count <= HOST_MAX_LOOPS && br_loop_parent(m.loops[m.count - 1])) {
        m.loops[m.count] = br_loop_parent(m.loops[m.count - 1]);
        m.count++;
    }
    return m;
}

int host_walked(br_function *f, br_loop innermost, LLVMValueRef pointer, br_loop *chain,
                int *length, bool *beyond) {
    movement m = chain_of(f, innermost);
    br_scev address = br_scev_of(f, pointer);
    int spatial = count_spatial(&m, address, true);
    if (spatial > ST_MAX_RANK)
        spatial = count_spatial(&m, address, false);
    memcpy(chain, m.loops, sizeof m.loops);
    *length = m.count;
    *beyond = spatial < m.count && m.moves[spatial];
    return spatial;
}

/* The nest of so many loops, with the loop around them if that can be, else without. */
static bool analyse_nest(host_region *r, const movement *m, int spatial, bool device_math) {
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
    movement m = chain_of(r->f, r->loops[0]);
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
    int with_tables = count_spatial(&m, address, true);
    bool deep = with_tables <= ST_MAX_RANK && analyse_nest(r, &m, with_tables, device_math);
    int spatial = deep ? with_tables : count_spatial(&m, address, false);
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

static bool has_attribute(LLVMValueRef function, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return kind && LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

bool host_check_function(host_region *r) {
    static const char *const sanitizers[] = {
        "sanitize_address",   "sanitize_memory", "sanitize_thread",  "sanitize_type",
        "sanitize_hwaddress", "sanitize_memtag", "sanitize_realtime"};
    if (has_attribute(r->function, "strictfp"))
        return host_refuse(r, ST_NO_STRICT_FP, NULL);
    for (size_t i = 0; i < sizeof sanitizers / sizeof *sanitizers; i++)
        if (has_attribute(r->function, sanitizers[i]))
            return host_refuse(r, ST_NO_SANITIZER, sanitizers[i]);
    return true;
}

host_region *host_region_create(br_function *f, LLVMValueRef function) {
    host_region *r = malloc(sizeof *r);
    memset(r, 0, offsetof(host_region, store_at));
    r->tables.count = r->tables.nuses = r->tables.nfixed = 0;
    r->tables.distance[0] = r->tables.distance[1] = NULL;
    r->f = f;
    r->function = function;
    return r;
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

void host_region_destroy(host_region *r) {
    if (!r)
        return;
    host_forget_loads(r);
    st_destroy(r->stencil);
    free(r->grids);
    free(r->scalars);
    free(r);
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
