/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Decides where hoisted values (prepare/hoist.h) are loaded in front of a region's loops: in an
 * order in which each address is known, and under the guards under which the program loads them.
 */
#include "offload/place.h"

bool place_waits(const prep_hoists *h, const prep_hoisted *e, const host_guard *guard) {
    return !host_in_loop(h->scope, guard->condition) ||
           br_comes_first(h->f, guard->condition, e->load);
}

/* Does the program surely load the value if the guards before the load hold? */
static bool is_read_under_guards(const prep_hoists *h, const prep_hoisted *e,
                                 const host_region *r) {
    if (r->partial || !br_comes_first(h->f, e->load, r->store) || !host_is_always_read(r, e->load))
        return false;
    for (int g = 0; g < r->nguards; g++)
        if (!place_waits(h, e, &r->guards[g]) &&
            !br_comes_first(h->f, e->load, r->guards[g].condition))
            return false;
    for (int i = 0; i < r->nloops; i++)
        if (host_tests_first(r->loops[i]))
            return false;
    return true;
}

enum { MAX_LOADS = 64 };

static bool is_load_of(const prep_hoists *h, const prep_hoisted *e, LLVMValueRef load) {
    return LLVMIsALoadInst(load) && LLVMTypeOf(load) == LLVMTypeOf(e->load) &&
           br_scev_of(h->f, LLVMGetOperand(load, 0)) == e->address;
}

/* The blocks in the loop that load it. */
static int find_loads(const prep_hoists *h, const prep_hoisted *e, br_loop l,
                      LLVMBasicBlockRef blocks[]) {
    int count = 0;
    for (size_t k = 0; k < h->nuses && count < MAX_LOADS; k++) {
        LLVMValueRef load = h->uses[k].load;
        bool same = is_load_of(h, e, load) && host_in_loop(l, load);
        LLVMBasicBlockRef block = same ? LLVMGetInstructionParent(load) : NULL;
        if (block && !host_lists_block(blocks, (size_t)count, block))
            blocks[count++] = block;
    }
    return count;
}

/* Does the program read it on all ways through an iteration, be it on each by another load? */
static bool is_read_on_all_ways(const prep_hoists *h, const prep_hoisted *e, const host_region *r) {
    LLVMBasicBlockRef blocks[MAX_LOADS];
    if (!r->steps || r->axes == 0 || r->partial)
        return false;
    for (int g = 0; g < r->nguards; g++)
        if (!place_waits(h, e, &r->guards[g]))
            return false;
    for (int i = 0; i < r->nloops; i++)
        if (host_tests_first(r->loops[i]))
            return false;
    int count = find_loads(h, e, r->loops[0], blocks);
    return count > 0 && !host_gets_around(r->loops[0], blocks, count);
}

/* May an iteration, where the guards hold, leave the loop before it comes to the block? */
static bool may_leave_before(br_loop l, const host_guard *guards, int count,
                             LLVMBasicBlockRef block) {
    LLVMBasicBlockRef b;
    bool may = false;
    for (size_t n = 0; !may && (b = br_loop_block(l, n)); n++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; b != block && i < LLVMGetNumSuccessors(end) && !may; i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            may = !br_loop_contains(l, to) && host_edge_taken(l, guards, count, b, to) &&
                  host_gets_to(l, guards, count, block, b);
        }
    }
    return may;
}

/* Does each step read it in which those of the sweep's guards hold that the program tests before,
 * whatever else it does? A check in a step that ends the program where it fails is such a guard. */
static bool is_read_in_step(const prep_hoists *h, const prep_hoisted *e, const host_region *r) {
    const host_steps *s = r->steps;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(e->load);
    host_guard guards[HOST_MAX_GUARDS];
    int count = 0;
    for (int g = 0; g < r->nguards; g++)
        if (place_waits(h, e, &r->guards[g]))
            guards[count++] = r->guards[g];
    if (!s || s->time != h->scope || host_tests_first(s->time) ||
        !host_passes_under(s->time, guards, count, block))
        return false;
    return !may_leave_before(s->time, guards, count, block);
}

static bool place_as(const prep_hoists *h, prep_hoisted *e, host_region *const *sweeps,
                     size_t count) {
    if (br_is_always_there(e->load) ||
        prep_always_passed(h->f, h->scope, LLVMGetInstructionParent(e->load)) ||
        prep_is_loaded_before(h->f, h->function, h->scope, e->load))
        return true;
    for (size_t k = 0; k < count && e->sweep < 0; k++)
        if (is_read_under_guards(h, e, sweeps[k]) || is_read_on_all_ways(h, e, sweeps[k]) ||
            is_read_in_step(h, e, sweeps[k]))
            e->sweep = (int)k;
    return e->sweep >= 0;
}

/* The program may load the value in several places, on other ways through a step. */
static bool place(const prep_hoists *h, prep_hoisted *e, host_region *const *sweeps, size_t count) {
    LLVMValueRef first = e->load;
    bool placed = place_as(h, e, sweeps, count);
    for (size_t k = 0; k < h->nuses && !placed; k++) {
        LLVMValueRef load = h->uses[k].load;
        if (load == first || !is_load_of(h, e, load))
            continue;
        e->load = load;
        placed = place_as(h, e, sweeps, count);
    }
    return placed;
}

static void swap(prep_hoisted *a, prep_hoisted *b) {
    prep_hoisted c = *a;
    *a = *b;
    *b = c;
}

static void sort(prep_hoists *h) {
    for (int i = 0; i < h->count; i++)
        for (int k = i + 1; k < h->count; k++)
            if (prep_precedes(h, h->entries[k].load, h->entries[i].load)) {
                swap(&h->entries[i], &h->entries[k]);
                k = i;
            }
}

/* ScalarEvolution knows no sum for a guard's condition. So the condition's operands are looked at.
 */
static bool condition_depends_on(const prep_hoists *h, LLVMValueRef v, int first, int depth) {
    br_scev s = br_scev_of(h->f, v);
    if (!s || br_scev_kind(s) != BR_UNKNOWN || br_scev_value(s) != v)
        return !s || prep_depends_on(h, s, first, true);
    if (prep_depends_on(h, s, first, true) || depth == 0)
        return true;
    bool inner = LLVMIsAInstruction(v) && host_in_loop(h->scope, v) && !LLVMIsAPHINode(v);
    for (int k = 0; inner && k < LLVMGetNumOperands(v); k++)
        if (!LLVMIsABasicBlock(LLVMGetOperand(v, (unsigned)k)) &&
            condition_depends_on(h, LLVMGetOperand(v, (unsigned)k), first, depth - 1))
            return true;
    return false;
}

static bool depends_on_later(prep_hoists *h, int i, host_region *const *sweeps) {
    const prep_hoisted *e = &h->entries[i];
    const host_region *r = e->sweep >= 0 ? sweeps[e->sweep] : NULL;
    if (prep_depends_on(h, e->address, i, true))
        return true;
    for (int g = 0; r && g < r->nguards; g++)
        if (place_waits(h, e, &r->guards[g]) &&
            condition_depends_on(h, r->guards[g].condition, i, 16))
            return true;
    return r && r->stencil->every && prep_depends_on(h, r->count[r->nloops - 1], i, true);
}

bool place_hoists(prep_hoists *h, host_region *const *sweeps, size_t count) {
    static const char why[] = "a pointer or size is read in the loop under a condition";
    host_region *first = sweeps[0];
    if (first->outer != h->scope || first->sweeps > 1)
        return host_refuse(first, ST_NO_NOT_AFFINE, why);
    for (int i = 0; i < h->count; i++)
        if (!place(h, &h->entries[i], sweeps, count))
            return host_refuse(first, ST_NO_NOT_AFFINE, why);
    sort(h);
    for (int i = 0; i < h->count; i++)
        if (depends_on_later(h, i, sweeps))
            return host_refuse(first, ST_NO_NOT_AFFINE, why);
    for (size_t k = 0; k < count; k++)
        sweeps[k]->hoists = h;
    return true;
}
