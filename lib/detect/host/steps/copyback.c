/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A sweep and a copy in one time loop, B = f(A) and then A = B: the same steps as if the two arrays
 * were exchanged, but each reads the border of A, and in the end both arrays hold the last one. The
 * copy is a nest of loops that assign, or a memcpy, in loops or alone. The copy may take more
 * cells than the sweep computed; these must be equal in both arrays, which is checked when the
 * program runs.
 */
#include "detect/common/affine.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/access.h"
#include "detect/host/address.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"
#include "detect/host/statement.h"
#include "detect/host/steps/forms.h"

#include <stdlib.h>
#include <string.h>

/* Finding the copy */

static bool is_memory_copy(LLVMValueRef i) {
    return host_calls(i, "llvm.memcpy.") || host_calls(i, "llvm.memmove.");
}

static bool is_assignment(LLVMValueRef store, br_loop l) {
    LLVMValueRef from = LLVMGetOperand(store, 0);
    return LLVMIsALoadInst(from) && host_in_loop(l, from) &&
           LLVMGetInstructionParent(from) == LLVMGetInstructionParent(store);
}

/* The only thing in the loop that writes, but for this store, if it copies; else NULL. */
static LLVMValueRef only_copy(br_loop l, LLVMValueRef store) {
    LLVMBasicBlockRef blocks[HOST_MAX_BLOCKS];
    LLVMValueRef found = NULL;
    size_t count = br_loop_blocks(l, blocks, HOST_MAX_BLOCKS);
    for (size_t b = 0; b < count && b < HOST_MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (is_memory_copy(i) || (LLVMIsAStoreInst(i) && i != store)) {
                if (found)
                    return NULL;
                found = i;
            }
    return found && (!LLVMIsAStoreInst(found) || is_assignment(found, l)) ? found : NULL;
}

bool host_may_hold_pair(br_loop time) {
    LLVMBasicBlockRef block;
    int writers = 0;
    bool assigns = false; /* an array of Fortran's, with stores to its descriptor */
    for (size_t b = 0; (block = br_loop_block(time, b)) && !assigns; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            writers += op == LLVMStore || (op == LLVMCall && is_memory_copy(i));
            assigns |= op == LLVMCall && host_is_array_assignment(i);
        }
    return writers == 2 || assigns;
}

/* The loops between the time loop and what copies, innermost first; false if they are too many. */
static bool find_loops(host_region *c, br_loop time) {
    br_loop chain[ST_MAX_RANK], l = time, children[16];
    LLVMBasicBlockRef block = LLVMGetInstructionParent(c->store);
    int depth = 0;
    for (bool deeper = true; deeper;) {
        size_t count = br_loop_children(l, children, 16);
        deeper = false;
        for (size_t i = 0; i < count && i < 16 && !deeper; i++)
            if (br_loop_contains(children[i], block)) {
                if (depth == ST_MAX_RANK)
                    return false;
                chain[depth++] = l = children[i];
                deeper = true;
            }
    }
    for (int i = 0; i < depth; i++)
        c->loops[i] = chain[depth - 1 - i];
    c->loops[depth] = c->time = c->outer = time;
    c->nloops = depth + 1;
    c->axes = depth;
    return true;
}

static host_region *new_copier(const host_region *r, LLVMValueRef instruction, br_loop time) {
    host_region *c = host_region_create(r->f, r->function);
    c->store = instruction;
    c->stencil = st_create();
    if (find_loops(c, time)) {
        c->stencil->rank = c->nloops - 1;
        return c;
    }
    host_region_destroy(c);
    return NULL;
}

host_region *host_copier(host_region *r, host_region *twin, int spatial) {
    br_loop time = r->loops[spatial];
    if (!twin) {
        LLVMValueRef copy = only_copy(time, r->store);
        return copy ? new_copier(r, copy, time) : NULL;
    }
    bool first = is_assignment(r->store, time), second = is_assignment(twin->store, time);
    return first == second ? NULL : new_copier(r, first ? r->store : twin->store, time);
}

/* Checking it */

static bool refuse(host_region *r, const char *what) {
    return host_refuse(r, ST_NO_COPY_BACK, what);
}

static bool address(host_region *r, host_region *copier, LLVMValueRef pointer, host_affine *at) {
    if (!host_affine_of(copier, br_scev_of(r->f, pointer), 0, at))
        return host_refuse(r, copier->why.reason, copier->why.detail);
    return poly_is_zero(at->step[copier->nloops - 1]) ||
           refuse(r, "where it copies depends on the time step");
}

static bool row_bytes(host_region *r, host_region *copier, poly *bytes) {
    LLVMValueRef i = copier->store;
    host_affine size;
    st_type type;
    if (LLVMIsAStoreInst(i)) {
        if (!host_type(LLVMTypeOf(LLVMGetOperand(i, 0)), &type) || type == ST_I1)
            return refuse(r, "its elements are of an unknown type");
        *bytes = poly_int(r->f, (int64_t)st_type_size(type));
        return true;
    }
    if (!host_affine_of(copier, br_scev_of(r->f, LLVMGetOperand(i, 2)), 0, &size))
        return host_refuse(r, copier->why.reason, copier->why.detail);
    for (int l = 0; l < copier->nloops; l++)
        if (!poly_is_zero(size.step[l]))
            return refuse(r, "its rows have different lengths");
    *bytes = size.base;
    return true;
}

static bool read_copy(host_region *r, host_region *copier) {
    LLVMValueRef i = copier->store;
    bool stores = LLVMIsAStoreInst(i) != NULL;
    LLVMValueRef to = LLVMGetOperand(i, stores ? 1 : 0);
    LLVMValueRef from = stores ? LLVMGetOperand(LLVMGetOperand(i, 0), 0) : LLVMGetOperand(i, 1);
    host_affine written, read;
    host_copy *c = &r->copy;
    if (!address(r, copier, to, &written) || !address(r, copier, from, &read) ||
        !row_bytes(r, copier, &c->bytes))
        return false;
    c->to = written.base;
    c->from = read.base;
    c->nloops = copier->nloops - 1;
    for (int l = 0; l < c->nloops; l++) {
        if (!poly_equal(written.step[l], read.step[l]))
            return refuse(r, "the rows of the two arrays have different lengths");
        c->loops[l] = copier->loops[l];
        c->step[l] = written.step[l];
        c->count[l] = copier->count[l];
    }
    return true;
}

static bool check_order(host_region *r, const host_region *copier) {
    LLVMBasicBlockRef sweep = br_loop_header(r->loops[0]);
    LLVMBasicBlockRef copy = LLVMGetInstructionParent(copier->store);
    if (!host_comes_before(r->time, sweep, copy) || host_comes_before(r->time, copy, sweep))
        return refuse(r, "it does not follow the sweep");
    return true;
}

static bool check_loops(host_region *r, host_region *copier) {
    if (!host_check_loops(r))
        return false;
    host_copy_requirements(copier, r);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(copier->store);
    if (!host_check_loops(copier) || !host_find_guards(copier, copier->loops[0], NULL, block))
        return host_refuse(r, copier->why.reason, copier->why.detail);
    host_copy_requirements(r, copier);
    return true;
}

/* The sweep reads the array copied to, and of the one copied from nothing. */
static bool check_reads(host_region *r) {
    const st_stencil *s = r->stencil;
    bool reads = false;
    for (size_t i = 0; i < s->naccesses; i++) {
        if (s->accesses[i].grid != s->store_grid)
            continue;
        if (s->accesses[i].level != 0)
            return refuse(r, "the sweep also reads the array that it writes");
        reads = true;
    }
    return reads || refuse(r, "the sweep does not read the array copied to");
}

static bool check_both(host_region *r, host_region *copier, bool device_math) {
    if (!check_order(r, copier) || !check_loops(r, copier) || !read_copy(r, copier))
        return false;
    host_copy_requirements(r, copier);
    return host_store_grid_copied(r) && host_build_expression(r, device_math) && check_reads(r) &&
           host_check_effects(r);
}

st_refusal host_build_copied(host_region *r, host_region *copier, host_region *twin, int spatial,
                             bool device_math) {
    bool exchanged = twin && copier->store == r->store;
    if (exchanged)
        host_exchange(r, twin);
    r->twin = copier; /* its effects are known; all else is as of one of two sweeps */
    copier->twin = r;
    host_begin(r, spatial, true);
    r->sweeps = 1;
    copier->nests = r->nests = copier->nloops > 1 ? 2 : 1;
    copier->period = 1;
    bool good = check_both(r, copier, device_math);
    r->twin = NULL;
    r->copies_back = good;
    if (exchanged && !good)
        host_exchange(r, twin);
    return host_outcome(r, good);
}
