/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pointers and integers that a time loop reads from memory, such as fields of structs, where LLVM
 * cannot tell that the loop does not write there or would not read there if it made no iteration.
 * Bounds, strides and conditions that depend on them are no sums as long as they are loads in the
 * loop. So, while the loop is looked at, a value of its own stands for each that has an address
 * that does not change (which may itself depend on such values). It is loaded in front of the loop
 *   1. where the program, too, loads it: in each step, or before a sweep's store in that sweep's
 *      first iteration, under the guards that come before;
 *   2. and the loops run as written if it is part of what the sweeps write, or is not there what
 *      the program has seen to be stored there before.
 * The loops get their loads back in the end.
 */
#include "prepare/hoist.h"

#include <stdlib.h>
#include <string.h>

/* Which of two instructions comes first */

bool prep_precedes(const prep_hoists *h, LLVMValueRef a, LLVMValueRef b) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(a), to = LLVMGetInstructionParent(b);
    if (br_comes_first(h->f, a, b))
        return true;
    return from != to && !br_comes_first(h->f, b, a) && host_comes_before(h->scope, from, to) &&
           !host_comes_before(h->scope, to, from);
}

/* Which loads are hoisted */

enum { MAX_STEPS = 6, MAX_CARRIED = 2 }; /* operations from a number to a call; phis */

/* Is a call of a function that may set errno computed of the value? The CPU makes such a call. */
static bool feeds_call(LLVMValueRef v, int depth) {
    bool feeds = false;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && !feeds; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool goes_on =
            LLVMIsABinaryOperator(user) || LLVMIsAUnaryOperator(user) || LLVMIsACastInst(user);
        feeds = host_sets_errno(host_callee_name(user)) ||
                (goes_on && depth > 0 && feeds_call(user, depth - 1));
    }
    return feeds;
}

/* Is the value compared? Phis may carry it: LLVM loads what a step may have written once the step
 * has written something. */
static bool feeds_comparison(LLVMValueRef v, int phis) {
    bool feeds = false;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && !feeds; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        feeds = LLVMIsAFCmpInst(user) ||
                (LLVMIsAPHINode(user) && phis > 0 && feeds_comparison(user, phis - 1));
    }
    return feeds;
}

/* Is the number compared, or does it go to a function? It may be the bound at which the scope ends,
 * what a check looks at, or the frequency of a source. */
static bool is_bound(LLVMValueRef i) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
    bool bound = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
    return bound && (feeds_comparison(i, MAX_CARRIED) || feeds_call(i, MAX_STEPS));
}

/* Is the instruction in the scope, but in no loop within it? */
static bool is_beside_sweeps(const prep_hoists *h, LLVMValueRef i) {
    enum { MAX_CHILDREN = 64 };
    br_loop children[MAX_CHILDREN];
    size_t count = br_loop_children(h->scope, children, MAX_CHILDREN);
    for (size_t k = 0; k < count && k < MAX_CHILDREN; k++)
        if (host_in_loop(children[k], i))
            return false;
    return count > 0 && count <= MAX_CHILDREN;
}

/* Does the scope store to the array that is read? Then a cell is read, which may be another one in
 * each step. */
static bool is_of_written(const prep_hoists *h, LLVMValueRef load) {
    LLVMValueRef array = host_base_of(LLVMGetOperand(load, 0));
    bool is = br_loop_block(h->scope, HOIST_MAX_BLOCKS);
    LLVMBasicBlockRef block;
    for (size_t b = 0; !is && (block = br_loop_block(h->scope, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !is;
             i = LLVMGetNextInstruction(i))
            is = LLVMIsAStoreInst(i) && host_base_of(LLVMGetOperand(i, 1)) == array;
    return is;
}

/* May the load be of errno, and does the scope call a function that sets it? */
static bool is_set_by_call(const prep_hoists *h, LLVMValueRef load) {
    bool is = false;
    LLVMBasicBlockRef block;
    for (size_t b = 0; !is && host_may_be_errno(load) && (block = br_loop_block(h->scope, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !is;
             i = LLVMGetNextInstruction(i))
            is = host_sets_errno(host_callee_name(i));
    return is;
}

static bool is_wanted(const prep_hoists *h, LLVMValueRef i) {
    if (!LLVMIsALoadInst(i) || !host_is_plain(i) || !LLVMGetFirstUse(i) || is_set_by_call(h, i))
        return false;
    LLVMTypeRef t = LLVMTypeOf(i);
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
        return LLVMGetPointerAddressSpace(t) == 0;
    if (is_bound(i) && is_beside_sweeps(h, i) && !is_of_written(h, i))
        return true;
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind &&
           (LLVMGetIntTypeWidth(t) == 32 || LLVMGetIntTypeWidth(t) == 64);
}

static prep_hoisted *entry_for(prep_hoists *h, LLVMValueRef load, br_scev address) {
    for (int i = 0; i < h->count; i++)
        if (h->entries[i].address == address && LLVMTypeOf(h->entries[i].load) == LLVMTypeOf(load))
            return &h->entries[i];
    if (h->count == HOIST_MAX)
        return NULL;
    size_t length;
    prep_hoisted *e = &h->entries[h->count++];
    *e = (prep_hoisted){.load = load, .address = address, .alignment = 8, .sweep = -1};
    e->value = host_stand_in(h->function, LLVMTypeOf(load), LLVMGetValueName2(load, &length));
    return e;
}

static bool hoist(prep_hoists *h, LLVMValueRef load) {
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != 0)
        return false;
    br_scev address = br_scev_of(h->f, pointer);
    if (!br_scev_invariant(h->f, address, h->scope))
        return false;
    prep_hoisted *e = entry_for(h, load, address);
    if (!e)
        return false;
    if (prep_precedes(h, load, e->load))
        e->load = load;
    unsigned alignment = LLVMGetAlignment(load);
    e->alignment = alignment < e->alignment ? alignment : e->alignment;
    return prep_replace_uses(h, load, e->value);
}

static bool hoist_in(prep_hoists *h, LLVMBasicBlockRef block) {
    bool any = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        any |= is_wanted(h, i) && hoist(h, i);
    return any;
}

/* Phis that have the hoisted value, whichever way control came */

enum { MAX_PHIS = ST_LIMIT(32, 2) };

typedef struct web {
    LLVMValueRef value, phi[MAX_PHIS];
    int count;
} web;

static bool is_in(const web *w, LLVMValueRef v) {
    bool in = v == w->value;
    for (int i = 0; i < w->count; i++)
        in |= w->phi[i] == v;
    return in;
}

static void add_phis(const prep_hoists *h, web *w, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAPHINode(user) && host_in_loop(h->scope, user) && !is_in(w, user) &&
            w->count < MAX_PHIS)
            w->phi[w->count++] = user;
    }
}

/* Does the phi have, on way i, a value from outside the scope? It comes to the head of the scope
 * from there, or was loaded there, in front of a loop in the scope. */
static bool enters(const prep_hoists *h, LLVMValueRef phi, unsigned i) {
    LLVMValueRef v = LLVMGetIncomingValue(phi, i);
    if (LLVMGetInstructionParent(phi) == br_loop_header(h->scope))
        return !br_loop_contains(h->scope, LLVMGetIncomingBlock(phi, i));
    return LLVMIsALoadInst(v) && !host_in_loop(h->scope, v);
}

static bool stays_in(const prep_hoists *h, const web *w, LLVMValueRef phi) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (!is_in(w, LLVMGetIncomingValue(phi, i)) && !enters(h, phi, i))
            return false;
    return true;
}

/* Notes the start value of a phi, for each way into the scope. False: there is no room. */
static bool add_starts(prep_hoists *h, LLVMValueRef value, LLVMValueRef phi) {
    for (int k = 0; k < h->nstarts; k++)
        if (h->starts[k].phi == phi)
            return true;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (!enters(h, phi, i))
            continue;
        if (LLVMCountIncoming(phi) != 2 || h->nstarts == HOIST_MAX)
            return false;
        h->starts[h->nstarts++] = (prep_hoisted_start){phi, LLVMGetIncomingValue(phi, i), value};
    }
    return true;
}

/* LLVM loads a value that stores may change before a loop and again in it, and carries it round. If
 * it sees what was stored there before the time loop, it loads it only once a step has stored. */
static void collapse(prep_hoists *h, LLVMValueRef value) {
    web w = {.value = value};
    add_phis(h, &w, value);
    for (int i = 0; i < w.count; i++)
        add_phis(h, &w, w.phi[i]);
    for (int i = 0; i < w.count; i++)
        if (!stays_in(h, &w, w.phi[i])) {
            w.phi[i] = w.phi[--w.count];
            i = -1;
        }
    for (int i = 0; i < w.count; i++)
        if (add_starts(h, value, w.phi[i]))
            prep_replace_uses(h, w.phi[i], value);
}

/* Does the instruction do what no region does, whatever is known of addresses? Of instructions that
 * write, a region may have stores, intrinsics, assignments of Fortran, and functions of <math.h>,
 * which write errno alone. */
static bool is_foreign(LLVMValueRef i) {
    return !LLVMIsAStoreInst(i) && br_may_write(i) && !host_calls(i, "llvm.") &&
           !host_is_array_assignment(i) && !host_sets_errno(host_callee_name(i));
}

bool prep_may_hoist(br_loop scope) {
    LLVMBasicBlockRef blocks[HOIST_MAX_BLOCKS];
    size_t count = br_loop_blocks(scope, blocks, HOIST_MAX_BLOCKS);
    for (size_t b = 0; b < count && count <= HOIST_MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (is_foreign(i))
                return false;
    return count <= HOIST_MAX_BLOCKS;
}

bool prep_stays_refused(st_reason reason) {
    static const st_reason reasons[] = {
        ST_NO_INNER_LOOP, ST_NO_SEVERAL_STORES, ST_NO_EARLY_EXIT,   ST_NO_FAILING_CHECK,
        ST_NO_INLINE_ASM, ST_NO_VOLATILE,       ST_NO_ELEMENT_TYPE, ST_NO_STRICT_FP,
        ST_NO_SANITIZER,  ST_NO_COMPLEX,        ST_NO_ERRNO,        ST_NO_ERRNO_AND_BITS,
        ST_NO_TOO_BIG,    ST_NO_NOT_STENCIL};
    bool stays = false;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        stays |= reason == reasons[i];
    return stays;
}

bool prep_is_for_gaps(st_reason reason) {
    return reason == ST_NO_NOT_CONTIGUOUS || reason == ST_NO_STEP;
}

static void hoist_all(prep_hoists *h) {
    LLVMBasicBlockRef block;
    bool more = !br_loop_block(h->scope, HOIST_MAX_BLOCKS);
    while (more) { /* addresses of some depend on others */
        more = false;
        for (size_t b = 0; (block = br_loop_block(h->scope, b)); b++)
            more |= hoist_in(h, block);
        for (int i = 0; i < h->count; i++)
            collapse(h, h->entries[i].value);
        if (h->count)
            br_scev_forget(h->f);
    }
}

prep_hoists *prep_hoist(br_function *f, LLVMValueRef function, br_loop scope,
                        prep_hoist_mode mode) {
    if (!br_loop_prepare(f, scope)) /* phis behind it */
        return NULL;
    prep_hoists *h = calloc(1, sizeof *h);
    h->f = f;
    h->function = function;
    h->scope = scope;
    prep_detach_assignments(h);
    hoist_all(h);
    bool good = prep_read_assignments(h);
    if (good && mode != HOIST_PLAIN)
        prep_assume_units(h);
    if (good && mode == HOIST_SHAPES)
        prep_assume_shapes(h);
    bool more = mode == HOIST_UNITS ? h->nunits > 0 : h->count + h->nunits > 0;
    if (good && more)
        return h;
    prep_hoists_undo(h);
    return NULL;
}

void prep_hoists_undo(prep_hoists *h) {
    if (!h)
        return;
    bool changed = h->count || h->nuses || h->ndetached;
    while (h->nuses > 0) {
        const prep_hoisted_use *u = &h->uses[--h->nuses];
        LLVMSetOperand(u->user, u->operand, u->load);
    }
    prep_attach_assignments(h);
    for (int i = 0; i < h->count; i++)
        if (h->entries[i].value)
            LLVMInstructionEraseFromParent(h->entries[i].value);
    if (changed)
        br_scev_forget(h->f);
    free(h->uses);
    free(h->detached);
    free(h->added);
    free(h);
}
