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

/* Order in the scope */

/* In an iteration of the scope, can control get from a to b, and never from b to a? */
static bool precedes(const host_hoists *h, LLVMValueRef a, LLVMValueRef b) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(a), to = LLVMGetInstructionParent(b);
    if (br_comes_first(h->f, a, b))
        return true;
    return from != to && !br_comes_first(h->f, b, a) && host_comes_before(h->scope, from, to) &&
           !host_comes_before(h->scope, to, from);
}

/* Finding them */

/* Is it only compared? So is a bound for what ends the scope. */
static bool is_bound(LLVMValueRef i) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u))
        if (!LLVMIsAFCmpInst(LLVMGetUser(u)))
            return false;
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* In no loop of the scope? */
static bool is_beside_sweeps(const host_hoists *h, LLVMValueRef i) {
    enum { MAX_CHILDREN = 64 };
    br_loop children[MAX_CHILDREN];
    size_t count = br_loop_children(h->scope, children, MAX_CHILDREN);
    for (size_t k = 0; k < count && k < MAX_CHILDREN; k++)
        if (host_in_loop(children[k], i))
            return false;
    return count > 0 && count <= MAX_CHILDREN;
}

static LLVMValueRef array_of(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* Does the scope store to the array that this reads? Then it is a cell, perhaps another in each
 * step. */
static bool is_of_written(const host_hoists *h, LLVMValueRef load) {
    LLVMValueRef array = array_of(LLVMGetOperand(load, 0));
    LLVMBasicBlockRef blocks[HOIST_MAX_BLOCKS];
    size_t count = br_loop_blocks(h->scope, blocks, HOIST_MAX_BLOCKS);
    bool is = count > HOIST_MAX_BLOCKS;
    for (size_t b = 0; b < count && !is; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i && !is;
             i = LLVMGetNextInstruction(i))
            is = LLVMIsAStoreInst(i) && array_of(LLVMGetOperand(i, 1)) == array;
    return is;
}

static bool is_wanted(const host_hoists *h, LLVMValueRef i) {
    if (!LLVMIsALoadInst(i) || LLVMGetVolatile(i) ||
        LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic || !LLVMGetFirstUse(i))
        return false;
    LLVMTypeRef t = LLVMTypeOf(i);
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
        return LLVMGetPointerAddressSpace(t) == 0;
    if (is_bound(i) && is_beside_sweeps(h, i) && !is_of_written(h, i))
        return true;
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind &&
           (LLVMGetIntTypeWidth(t) == 32 || LLVMGetIntTypeWidth(t) == 64);
}

static host_hoisted *entry_for(host_hoists *h, LLVMValueRef load, br_scev address) {
    for (int i = 0; i < h->count; i++)
        if (h->entries[i].address == address && LLVMTypeOf(h->entries[i].load) == LLVMTypeOf(load))
            return &h->entries[i];
    if (h->count == HOIST_MAX)
        return NULL;
    size_t length;
    host_hoisted *e = &h->entries[h->count++];
    *e = (host_hoisted){.load = load, .address = address, .alignment = 8, .sweep = -1};
    e->value = host_stand_in(h->function, LLVMTypeOf(load), LLVMGetValueName2(load, &length));
    return e;
}

void host_replace_use(host_hoists *h, LLVMValueRef user, unsigned operand, LLVMValueRef was,
                      LLVMValueRef by) {
    if (h->nuses % 64 == 0)
        h->uses = realloc(h->uses, (h->nuses + 64) * sizeof *h->uses);
    h->uses[h->nuses++] = (host_hoisted_use){user, was, operand};
    LLVMSetOperand(user, operand, by);
}

/* Is it in the scope, or a phi behind it, of what the value is when the scope is left? */
static bool is_seen(const host_hoists *h, LLVMValueRef user, LLVMValueRef v) {
    if (host_in_loop(h->scope, user) || !LLVMIsAPHINode(user))
        return host_in_loop(h->scope, user);
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
        if (LLVMGetIncomingValue(user, i) == v &&
            !br_loop_contains(h->scope, LLVMGetIncomingBlock(user, i)))
            return false;
    return true;
}

bool host_replace_uses(host_hoists *h, LLVMValueRef v, LLVMValueRef by) {
    LLVMUseRef next;
    size_t before = h->nuses;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!is_seen(h, user, v))
            continue;
        for (int k = 0; k < LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, (unsigned)k) == v) {
                host_replace_use(h, user, (unsigned)k, v, by);
                break; /* other operands are other uses */
            }
    }
    return h->nuses > before;
}

static bool hoist(host_hoists *h, LLVMValueRef load) {
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != 0)
        return false;
    br_scev address = br_scev_of(h->f, pointer);
    if (!br_scev_invariant(h->f, address, h->scope))
        return false;
    host_hoisted *e = entry_for(h, load, address);
    if (!e)
        return false;
    if (precedes(h, load, e->load))
        e->load = load;
    unsigned alignment = LLVMGetAlignment(load);
    e->alignment = alignment < e->alignment ? alignment : e->alignment;
    return host_replace_uses(h, load, e->value);
}

static bool hoist_in(host_hoists *h, LLVMBasicBlockRef block) {
    bool any = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        any |= is_wanted(h, i) && hoist(h, i);
    return any;
}

/* Phis that are one value, whichever way control came */

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

static void add_phis(const host_hoists *h, web *w, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAPHINode(user) && host_in_loop(h->scope, user) && !is_in(w, user) &&
            w->count < MAX_PHIS)
            w->phi[w->count++] = user;
    }
}

/* Does control come from outside to the scope's head this way? */
static bool enters(const host_hoists *h, LLVMValueRef phi, unsigned i) {
    return LLVMGetInstructionParent(phi) == br_loop_header(h->scope) &&
           !br_loop_contains(h->scope, LLVMGetIncomingBlock(phi, i));
}

static bool stays_in(const host_hoists *h, const web *w, LLVMValueRef phi) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (!is_in(w, LLVMGetIncomingValue(phi, i)) && !enters(h, phi, i))
            return false;
    return true;
}

/* Is there room for what the phi starts as? Each way into the scope is one. */
static bool add_starts(host_hoists *h, LLVMValueRef value, LLVMValueRef phi) {
    for (int k = 0; k < h->nstarts; k++)
        if (h->starts[k].phi == phi)
            return true;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (!enters(h, phi, i))
            continue;
        if (LLVMCountIncoming(phi) != 2 || h->nstarts == HOIST_MAX)
            return false;
        h->starts[h->nstarts++] = (host_hoisted_start){phi, LLVMGetIncomingValue(phi, i), value};
    }
    return true;
}

/* LLVM loads a value that stores may change before a loop and again in it, and carries it round. If
 * it sees what was stored there before the time loop, it loads it only once a step has stored. */
static void collapse(host_hoists *h, LLVMValueRef value) {
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
            host_replace_uses(h, w.phi[i], value);
}

/* Does it what no region does, whatever is known of addresses? Of what writes, a region may hold
 * stores, intrinsics, and assignments of Fortran's. */
static bool is_foreign(LLVMValueRef i) {
    return !LLVMIsAStoreInst(i) && br_may_write(i) && !host_calls(i, "llvm.") &&
           !host_is_array_assignment(i);
}

bool host_may_hoist(br_loop scope) {
    LLVMBasicBlockRef blocks[HOIST_MAX_BLOCKS];
    size_t count = br_loop_blocks(scope, blocks, HOIST_MAX_BLOCKS);
    for (size_t b = 0; b < count && count <= HOIST_MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (is_foreign(i))
                return false;
    return count <= HOIST_MAX_BLOCKS;
}

bool host_stays_refused(st_reason reason) {
    static const st_reason reasons[] = {ST_NO_INNER_LOOP, ST_NO_SEVERAL_STORES, ST_NO_EARLY_EXIT,
                                        ST_NO_INLINE_ASM, ST_NO_VOLATILE,       ST_NO_ELEMENT_TYPE,
                                        ST_NO_STRICT_FP,  ST_NO_SANITIZER,      ST_NO_ERRNO,
                                        ST_NO_TOO_BIG,    ST_NO_NOT_STENCIL};
    bool stays = false;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        stays |= reason == reasons[i];
    return stays;
}

static void hoist_all(host_hoists *h) {
    LLVMBasicBlockRef blocks[HOIST_MAX_BLOCKS];
    size_t nblocks = br_loop_blocks(h->scope, blocks, HOIST_MAX_BLOCKS);
    for (bool more = nblocks <= HOIST_MAX_BLOCKS; more;) { /* addresses of some depend on others */
        more = false;
        for (size_t b = 0; b < nblocks; b++)
            more |= hoist_in(h, blocks[b]);
        for (int i = 0; i < h->count; i++)
            collapse(h, h->entries[i].value);
        if (h->count)
            br_scev_forget(h->f);
    }
}

host_hoists *host_hoist(br_function *f, LLVMValueRef function, br_loop scope,
                        host_hoist_mode mode) {
    if (!br_loop_prepare(f, scope)) /* phis behind it */
        return NULL;
    host_hoists *h = calloc(1, sizeof *h);
    h->f = f;
    h->function = function;
    h->scope = scope;
    host_detach_assignments(h);
    hoist_all(h);
    bool good = host_read_assignments(h);
    if (good && mode != HOIST_PLAIN)
        host_assume_units(h);
    if (good && mode == HOIST_SHAPES)
        host_assume_shapes(h);
    bool more = mode == HOIST_UNITS ? h->nunits > 0 : h->count + h->nunits > 0;
    if (good && more)
        return h;
    host_hoists_undo(h);
    return NULL;
}

void host_hoists_undo(host_hoists *h) {
    if (!h)
        return;
    bool changed = h->count || h->nuses || h->ndetached;
    while (h->nuses > 0) {
        const host_hoisted_use *u = &h->uses[--h->nuses];
        LLVMSetOperand(u->user, u->operand, u->load);
    }
    host_attach_assignments(h);
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

/* Where they are read */

bool host_hoisted_waits(const host_hoists *h, const host_hoisted *e, const host_guard *guard) {
    return !host_in_loop(h->scope, guard->condition) ||
           br_comes_first(h->f, guard->condition, e->load);
}

/* Does the program read it if the guards that come before hold? */
static bool is_read_under_guards(const host_hoists *h, const host_hoisted *e,
                                 const host_region *r) {
    if (r->partial || !br_comes_first(h->f, e->load, r->store) || !host_is_always_read(r, e->load))
        return false;
    for (int g = 0; g < r->nguards; g++)
        if (!host_hoisted_waits(h, e, &r->guards[g]) &&
            !br_comes_first(h->f, e->load, r->guards[g].condition))
            return false;
    for (int i = 0; i < r->nloops; i++)
        if (host_tests_first(r->loops[i]))
            return false;
    return true;
}

bool host_always_passed(br_function *f, br_loop scope, LLVMBasicBlockRef block) {
    LLVMBasicBlockRef blocks[HOIST_MAX_BLOCKS];
    size_t count = br_loop_blocks(scope, blocks, HOIST_MAX_BLOCKS);
    for (size_t b = 0; b < count && count <= HOIST_MAX_BLOCKS; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(blocks[b]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            bool stays = br_loop_contains(scope, to) && to != br_loop_header(scope);
            if (!stays && !br_dominates(f, block, blocks[b]))
                return false;
        }
    }
    return count <= HOIST_MAX_BLOCKS;
}

static bool place(host_hoists *h, host_hoisted *e, host_region *const *sweeps, size_t count) {
    if (host_always_passed(h->f, h->scope, LLVMGetInstructionParent(e->load)))
        return true;
    for (size_t k = 0; k < count && e->sweep < 0; k++)
        if (is_read_under_guards(h, e, sweeps[k]))
            e->sweep = (int)k;
    return e->sweep >= 0;
}

static void swap(host_hoisted *a, host_hoisted *b) {
    host_hoisted c = *a;
    *a = *b;
    *b = c;
}

static void sort(host_hoists *h) {
    for (int i = 0; i < h->count; i++)
        for (int k = i + 1; k < h->count; k++)
            if (precedes(h, h->entries[k].load, h->entries[i].load)) {
                swap(&h->entries[i], &h->entries[k]);
                k = i;
            }
}

LLVMValueRef host_hoisted_start_of(const host_hoists *h, LLVMValueRef value) {
    for (int i = 0; i < h->nstarts; i++)
        if (h->starts[i].value == value)
            return h->starts[i].start;
    return NULL;
}

/* Does it depend on an entry from number `first` on? `known`: those known before the first step do
 * not count. */
static bool depends_on(const host_hoists *h, br_scev s, int first, bool known) {
    if (br_scev_kind(s) == BR_UNKNOWN)
        for (int i = first; i < h->count; i++)
            if (h->entries[i].value == br_scev_value(s))
                return !known || !host_hoisted_start_of(h, h->entries[i].value);
    for (size_t i = 0; i < br_scev_count(s); i++)
        if (depends_on(h, br_scev_operand(s, i), first, known))
            return true;
    return false;
}

/* A guard's condition is no sum: its operands are. */
static bool condition_depends_on(const host_hoists *h, LLVMValueRef v, int first, int depth) {
    br_scev s = br_scev_of(h->f, v);
    if (!s || br_scev_kind(s) != BR_UNKNOWN || br_scev_value(s) != v)
        return !s || depends_on(h, s, first, true);
    if (depends_on(h, s, first, true) || depth == 0)
        return true;
    bool inner = LLVMIsAInstruction(v) && host_in_loop(h->scope, v) && !LLVMIsAPHINode(v);
    for (int k = 0; inner && k < LLVMGetNumOperands(v); k++)
        if (!LLVMIsABasicBlock(LLVMGetOperand(v, (unsigned)k)) &&
            condition_depends_on(h, LLVMGetOperand(v, (unsigned)k), first, depth - 1))
            return true;
    return false;
}

bool host_hoists_in(const host_hoists *h, br_scev s) {
    return depends_on(h, s, 0, false);
}

static bool depends_on_later(host_hoists *h, int i, host_region *const *sweeps) {
    const host_hoisted *e = &h->entries[i];
    const host_region *r = e->sweep >= 0 ? sweeps[e->sweep] : NULL;
    if (depends_on(h, e->address, i, true))
        return true;
    for (int g = 0; r && g < r->nguards; g++)
        if (host_hoisted_waits(h, e, &r->guards[g]) &&
            condition_depends_on(h, r->guards[g].condition, i, 16))
            return true;
    return r && r->stencil->every && depends_on(h, r->count[r->nloops - 1], i, true);
}

bool host_hoists_place(host_hoists *h, host_region *const *sweeps, size_t count) {
    static const char why[] = "a pointer or size is read in the loop under a condition";
    host_region *first = sweeps[0];
    if (first->outer != h->scope || first->sweeps > 1)
        return host_refuse(first, ST_NO_NOT_AFFINE, why);
    sort(h);
    for (int i = 0; i < h->count; i++)
        if (!place(h, &h->entries[i], sweeps, count) || depends_on_later(h, i, sweeps))
            return host_refuse(first, ST_NO_NOT_AFFINE, why);
    for (size_t k = 0; k < count; k++)
        sweeps[k]->hoists = h;
    return true;
}
