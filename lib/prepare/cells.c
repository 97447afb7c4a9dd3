/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that copies a cell, as absorbing boundaries of one-dimensional arrays do. LLVM keeps
 * the cell in a value from step to step, and may store it behind the loop alone:
 *
 *     kept = e[0];                         for (t = 0; t < T; t++) {
 *     for (t = 0; t < T; t++) {                sweep(h, e);
 *         sweep(h, kept, e);       ->          e[0] = e[1];
 *         kept = e[1];                         sweep(e, h);
 *         sweep(e, h);                     }
 *     }
 *     e[0] = kept;
 *
 * Detection knows cells of arrays, so they are stored where the loop has their values, and loaded
 * at its head. This is legal if the cell has the value there: before the loop, as LLVM can tell of
 * a load; after a step, since nothing else in the loop writes the cell. A store behind the loop
 * comes back only if nothing in the loop may touch the cell.
 */
#include "prepare/cells.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/sequence.h"

enum { MAX_CELLS = ST_LIMIT(16, 2), MAX_SLICE = 32 };

typedef struct cell {
    LLVMValueRef phi;   /* at the head: what the cell has there; NULL: the loop does not read it */
    LLVMValueRef value; /* that it gets in each step */
    LLVMValueRef store; /* of the value */
    bool behind;        /* the store is behind the loop */
} cell;

typedef struct cells {
    br_function *f;
    br_loop l;
    LLVMBasicBlockRef latch;
    cell cell[MAX_CELLS];
    int count;
} cells;

static bool is_real(LLVMValueRef v) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static bool is_beside(const cells *c, LLVMValueRef i) {
    return br_loop_of(c->f, LLVMGetInstructionParent(i)) == c->l;
}

/* Does a nest hand the value on from cell to cell, starting with it? */
static bool starts_row(const cells *c, LLVMValueRef v) {
    bool starts = false;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && !starts; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        br_loop inner = br_loop_of(c->f, LLVMGetInstructionParent(user));
        starts = LLVMIsAPHINode(user) && host_in_loop(c->l, user) && inner != c->l &&
                 host_is_at_head(inner, user);
    }
    return starts;
}

/* Is the value computed, beside the nests, of what is loaded there? */
static bool is_of_load(const cells *c, LLVMValueRef v, int *left) {
    if (--*left < 0 || !LLVMIsAInstruction(v) || !host_in_loop(c->l, v) || !is_beside(c, v) ||
        LLVMIsAPHINode(v) || LLVMIsACallInst(v))
        return false;
    bool of = LLVMIsALoadInst(v);
    for (int i = 0; i < LLVMGetNumOperands(v) && !of; i++)
        of = is_of_load(c, LLVMGetOperand(v, (unsigned)i), left);
    return of;
}

static bool is_of_cells(const cells *c, LLVMValueRef v) {
    int left = MAX_SLICE;
    return is_real(v) && is_of_load(c, v, &left);
}

/* Can control come to the block again in the same step? It can in a cycle that is no loop. */
static bool repeats(const cells *c, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool again = false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && block != br_loop_header(c->l); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        again |= next != br_loop_header(c->l) && host_reaches(c->l, next, block);
    }
    return again;
}

/* Does each step come to it, once? */
static bool is_passed(const cells *c, LLVMValueRef i) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    return is_beside(c, i) && br_dominates(c->f, block, c->latch) && !repeats(c, block);
}

static bool comes_first(const cells *c, LLVMValueRef i, LLVMValueRef store) {
    LLVMBasicBlockRef a = LLVMGetInstructionParent(i), b = LLVMGetInstructionParent(store);
    return a == b ? br_earlier_in_block(i, store) : br_dominates(c->f, a, b);
}

/* May something else in the loop write the cell of a store? Or, of a store behind the loop, also
 * read it? */
static bool is_disturbed(const cells *c, LLVMValueRef store, bool behind) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(c->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            bool calls = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
            bool may = LLVMIsALoadInst(i) ? behind : calls || br_may_write(i);
            if (!may || i == store || host_is_annotation(host_callee_name(i)) ||
                host_writes_errno_alone(i, store))
                continue;
            if (br_may_touch(c->f, i, store))
                return true;
        }
    return false;
}

static bool is_listed(const cells *c, LLVMValueRef phi) {
    bool listed = false;
    for (int i = 0; i < c->count; i++)
        listed |= c->cell[i].phi == phi;
    return listed;
}

/* Is the address known in front of the loop? */
static bool is_known_before(const cells *c, LLVMValueRef at) {
    return !LLVMIsAInstruction(at) ||
           (!host_in_loop(c->l, at) &&
            br_dominates(c->f, LLVMGetInstructionParent(at), br_loop_header(c->l)));
}

static void add(cells *c, cell found) {
    LLVMValueRef at = LLVMGetOperand(found.store, 1);
    if (c->count < MAX_CELLS && host_is_plain(found.store) && is_known_before(c, at) &&
        !LLVMIsAPHINode(found.value) && is_passed(c, found.value) &&
        !(found.phi && is_listed(c, found.phi)) && !is_disturbed(c, found.store, found.behind))
        c->cell[c->count++] = found;
}

/* A store in each step of the value that the phi has in the next one. */
static void find_stored(cells *c, LLVMValueRef phi) {
    LLVMValueRef next = host_incoming(phi, c->l, true);
    int before = c->count;
    for (LLVMUseRef u = LLVMGetFirstUse(next); u && c->count == before; u = LLVMGetNextUse(u)) {
        LLVMValueRef store = LLVMGetUser(u);
        if (LLVMIsAStoreInst(store) && LLVMGetOperand(store, 0) == next &&
            host_in_loop(c->l, store) && is_passed(c, store))
            add(c, (cell){phi, next, store, false});
    }
}

/* The value of the loop that the block behind it gets as v. */
static LLVMValueRef value_of_step(LLVMBasicBlockRef exit, LLVMValueRef v) {
    if (!LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) != exit)
        return v;
    for (unsigned i = 1; i < LLVMCountIncoming(v); i++)
        if (LLVMGetIncomingValue(v, i) != LLVMGetIncomingValue(v, 0))
            return v;
    return LLVMGetIncomingValue(v, 0);
}

static LLVMValueRef phi_of(const cells *c, LLVMValueRef value) {
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(c->l));
    while (LLVMIsAPHINode(i) && host_incoming(i, c->l, true) != value)
        i = LLVMGetNextInstruction(i);
    return LLVMIsAPHINode(i) ? i : NULL;
}

/* Does a store in front of this one, in its block, touch the same memory? */
static bool is_second(const cells *c, LLVMValueRef store) {
    bool second = false;
    for (LLVMValueRef i = store; !second && (i = LLVMGetPreviousInstruction(i));)
        second = LLVMIsAStoreInst(i) && br_may_touch(c->f, i, store);
    return second;
}

/* Stores behind the loop of what the last step has computed of cells, before anything else that may
 * touch memory. */
static void find_behind(cells *c) {
    LLVMBasicBlockRef exit = br_loop_exit_block(c->l);
    if (!exit || !host_tests_last(c->l))
        return;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(exit)); u; u = LLVMGetNextUse(u))
        if (!br_loop_contains(c->l, LLVMGetInstructionParent(LLVMGetUser(u))))
            return;
    for (LLVMValueRef i = LLVMGetFirstInstruction(exit); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsALoadInst(i) || (!LLVMIsAStoreInst(i) && br_may_write(i)))
            return;
        LLVMValueRef value = LLVMIsAStoreInst(i) ? value_of_step(exit, LLVMGetOperand(i, 0)) : NULL;
        if (value && is_of_cells(c, value) && !is_second(c, i))
            add(c, (cell){phi_of(c, value), value, i, true});
    }
}

static bool find(cells *c, br_function *f, br_loop l) {
    *c = (cells){.f = f, .l = l, .latch = br_loop_latch(l)};
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(l));
    for (; c->latch && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (is_real(i) && LLVMCountIncoming(i) == 2 &&
            (starts_row(c, i) || is_of_cells(c, host_incoming(i, l, true))))
            find_stored(c, i);
    if (c->latch)
        find_behind(c);
    return c->count > 0;
}

bool prep_has_cells(br_function *f, br_loop l) {
    cells c;
    return find(&c, f, l);
}

/* What the cells have in front of the loop */

static LLVMValueRef load_cell(const cell *k, LLVMBuilderRef b) {
    LLVMValueRef load = LLVMBuildLoad2(b, LLVMTypeOf(k->value), LLVMGetOperand(k->store, 1), "");
    LLVMSetAlignment(load, LLVMGetAlignment(k->store));
    return load;
}

/* Volatile stores keep what LLVM finds. */
static LLVMValueRef keep(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef memory) {
    LLVMValueRef store = LLVMBuildStore(b, v, memory);
    LLVMSetVolatile(store, true);
    return store;
}

/* Has LLVM find what each cell has in front of the loop. known[i]: that is what the phi starts
 * from. The loop is in a copy of the function that is not kept. */
static void look(prep_shadow *copy, LLVMBasicBlockRef head, bool known[]) {
    cells c;
    br_loop l = prep_loop_at(copy->f, head);
    LLVMBasicBlockRef before = l ? prep_entering_block(copy->function, l) : NULL;
    LLVMValueRef loaded[MAX_CELLS], start[MAX_CELLS];
    if (!before || !find(&c, copy->f, l))
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(copy->function)));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(copy->function)));
    LLVMValueRef memory = LLVMBuildAlloca(
        b, LLVMDoubleTypeInContext(LLVMGetTypeContext(LLVMTypeOf(copy->function))), "");
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(before));
    for (int i = 0; i < c.count; i++) {
        loaded[i] = c.cell[i].phi ? keep(b, load_cell(&c.cell[i], b), memory) : NULL;
        start[i] = loaded[i] ? keep(b, host_incoming(c.cell[i].phi, l, false), memory) : NULL;
    }
    LLVMDisposeBuilder(b);
    bool good = prep_run_passes(copy->function, "gvn");
    for (int i = 0; i < c.count && good; i++)
        known[i] = !loaded[i] || LLVMGetOperand(loaded[i], 0) == LLVMGetOperand(start[i], 0);
}

/* In the loop */

/* What is computed beside the nests, before the store, loads the cell where it needs it: detection
 * wants to see it loaded behind the sweeps in front of it. */
static void load_late(const cells *c, const cell *k, LLVMValueRef store, LLVMValueRef load,
                      LLVMBuilderRef b) {
    LLVMUseRef next;
    for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (LLVMIsAPHINode(user) || !host_in_loop(c->l, user) || !is_beside(c, user) ||
            !comes_first(c, user, store))
            continue;
        LLVMPositionBuilderBefore(b, user);
        LLVMValueRef late = load_cell(k, b);
        for (int i = 0; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == load)
                LLVMSetOperand(user, (unsigned)i, late);
        next = LLVMGetFirstUse(load);
    }
}

static void restore(const cells *c, const cell *k, LLVMBuilderRef b) {
    LLVMValueRef store = k->store;
    if (k->behind) {
        store = LLVMInstructionClone(k->store);
        LLVMSetOperand(store, 0, k->value);
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(k->value));
        LLVMInsertIntoBuilder(b, store);
    }
    if (!k->phi)
        return;
    LLVMPositionBuilderBefore(b, host_first_after_phis(br_loop_header(c->l)));
    LLVMValueRef load = load_cell(k, b);
    LLVMReplaceAllUsesWith(k->phi, load);
    LLVMInstructionEraseFromParent(k->phi);
    load_late(c, k, store, load, b);
}

/* Their stores behind the loop are no more. */
static void finish(const cell *k) {
    if (k->behind)
        LLVMInstructionEraseFromParent(k->store);
}

LLVMBasicBlockRef prep_restore_cells(prep_shadow *s, LLVMBasicBlockRef head) {
    cells c;
    prep_shadow copy;
    bool known[MAX_CELLS] = {false};
    br_loop l = prep_loop_at(s->f, head);
    if (!l || !find(&c, s->f, l) || !br_loop_prepare(s->f, l))
        return head;
    br_function_invalidate(s->f);
    l = prep_loop_at(s->f, head);
    if (!l || !find(&c, s->f, l) || !prep_make_shadow(&copy, s->f))
        return head;
    look(&copy, br_function_copied(copy.f, head), known);
    prep_drop_shadow(&copy);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
    for (int i = 0; i < c.count; i++)
        if (known[i])
            restore(&c, &c.cell[i], b);
    for (int i = 0; i < c.count; i++)
        if (known[i])
            finish(&c.cell[i]);
    LLVMDisposeBuilder(b);
    bool good = prep_run_passes(s->function, "adce"); /* behind the loop phis have no uses now */
    s->body = LLVMGetEntryBasicBlock(s->function);
    br_function_invalidate(s->f);
    return good && prep_has_block(s->function, head) ? head : NULL;
}
