/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sweeps in place over cells of one colour, as of a chess board (red-black Gauss-Seidel), that a
 * condition takes from all cells:
 *
 *     for (i..) for (j..) if ((i + j) % 2 == colour) a[i][j] = .. a[i][j - 1] .. a[i + 1][j] ..
 *
 * The store runs only where the sum of some loops' iterations is even, or only where it is odd: it
 * does not matter which. A cell that is read an odd distance away along these loops, taken
 * together, is then none that the sweep writes, if it is read under the same condition: an
 * iteration of the other colour would read a cell that is written. So iterations may run in any
 * order. A store may run under several such conditions, as (i % 2 == 0 && j % 2 == 1) of four
 * colours.
 */
#include "detect/common/calls.h"
#include "detect/host/access.h"
#include "detect/host/region.h"

enum { MAX_DEPTH = 8, MAX_SUMS = 4, MAX_SAME = 4 };

/* What decides whether a number is even: the sum of some loops' iterations, of which bit i stands
 * for loops[i], values that are the same for all cells, and whether one is added. */
typedef struct parity {
    uint32_t loops;
    br_scev same[MAX_SAME];
    int nsame;
    int64_t odd;
} parity;

/* Of numbers that are even in all cells that are stored: the condition from which that follows, and
 * whether it holds just where they are even. */
typedef struct even {
    parity of;
    bool exact;
    host_guard where;
} even;

typedef struct evens {
    const host_region *r;
    even list[MAX_SUMS];
    int count;
} evens;

static bool is_constant(LLVMValueRef v, bool odd) {
    LLVMValueRef c = LLVMIsAConstantInt(v);
    return c && LLVMGetIntTypeWidth(LLVMTypeOf(c)) <= 64 &&
           (LLVMConstIntGetZExtValue(c) & 1) == odd;
}

/* Adds a value that is the same for all cells; twice the same value is even. */
static bool add_same(parity *p, br_scev s) {
    for (int i = 0; i < p->nsame; i++)
        if (p->same[i] == s) {
            p->same[i] = p->same[--p->nsame];
            return true;
        }
    if (p->nsame == MAX_SAME)
        return false;
    p->same[p->nsame++] = s;
    return true;
}

static bool add_parity(const host_region *r, br_scev s, int depth, parity *p);

/* Adds the parity of an instruction's result. That of a remainder by an even number is the
 * dividend's, whatever its sign is. */
static bool add_value(const host_region *r, LLVMValueRef v, int depth, parity *p) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    LLVMValueRef x = op == LLVMRet || LLVMGetNumOperands(v) < 2 ? NULL : LLVMGetOperand(v, 0);
    LLVMValueRef y = x ? LLVMGetOperand(v, 1) : NULL;
    if ((op == LLVMAnd && is_constant(y, true)) ||
        ((op == LLVMURem || op == LLVMSRem) && is_constant(y, false)))
        return add_parity(r, br_scev_of(r->f, x), depth - 1, p);
    return op == LLVMXor && add_parity(r, br_scev_of(r->f, x), depth - 1, p) &&
           add_parity(r, br_scev_of(r->f, y), depth - 1, p);
}

/* .. of a number that grows in each iteration of one of the nest's loops. */
static bool add_counter(const host_region *r, br_scev s, int depth, parity *p) {
    int64_t step;
    int i = 0;
    while (i < r->axes && br_scev_loop(s) != r->loops[i])
        i++;
    if (i == r->axes || br_scev_count(s) != 2 || !br_scev_int(br_scev_operand(s, 1), &step))
        return false;
    p->loops ^= (uint32_t)(step & 1) << i;
    return add_parity(r, br_scev_operand(s, 0), depth - 1, p);
}

/* .. of a sum, or of a product of a number and a value. */
static bool add_parts(const host_region *r, br_scev s, int depth, parity *p) {
    bool product = br_scev_kind(s) == BR_MUL;
    int64_t factor = 1;
    if (product && (br_scev_count(s) != 2 || !br_scev_int(br_scev_operand(s, 0), &factor)))
        return false;
    for (size_t i = product; i < br_scev_count(s) && factor & 1; i++)
        if (!add_parity(r, br_scev_operand(s, i), depth - 1, p))
            return false;
    return true;
}

static bool add_structure(const host_region *r, br_scev s, int depth, parity *p) {
    switch (br_scev_kind(s)) {
    case BR_ADDREC:
        return add_counter(r, s, depth, p);
    case BR_ADD:
    case BR_MUL:
        return add_parts(r, s, depth, p);
    case BR_ZEXT:
    case BR_SEXT:
    case BR_TRUNC:
        return add_parity(r, br_scev_operand(s, 0), depth - 1, p);
    case BR_UNKNOWN:
        return add_value(r, br_scev_value(s), depth, p);
    default:
        return false;
    }
}

/* False: it is not known what the parity depends on. */
static bool add_parity(const host_region *r, br_scev s, int depth, parity *p) {
    int64_t number;
    parity before = *p;
    if (br_scev_int(s, &number)) {
        p->odd = (p->odd ^ number) & 1;
        return true;
    }
    if (depth > 0 && add_structure(r, s, depth, p))
        return true;
    *p = before;
    return br_scev_invariant(r->f, s, r->loops[r->axes - 1]) && add_same(p, s);
}

/* Do two numbers differ by one at most? */
static bool are_near(br_function *f, br_scev a, br_scev b) {
    int64_t least[2], greatest[2];
    br_scev_signed_range(f, a, &least[0], &greatest[0]);
    br_scev_signed_range(f, b, &least[1], &greatest[1]);
    for (int i = 0; i < 2; i++)
        if (least[i] < -2 || greatest[i] > 2)
            return false;
    return greatest[0] - least[1] <= 1 && greatest[1] - least[0] <= 1;
}

static void add_even(evens *all, const even *e) {
    if (e->of.loops && all->count < MAX_SUMS)
        all->list[all->count++] = *e;
}

/* Two numbers are compared. Where they are equal, their sum is even; where they are one apart, it
 * is odd. */
static void add_comparison(evens *all, LLVMValueRef c, bool holds, even e) {
    br_function *f = all->r->f;
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(c, 0));
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64 ||
        (p != LLVMIntEQ && p != LLVMIntNE))
        return;
    br_scev a = br_scev_of(f, LLVMGetOperand(c, 0)), b = br_scev_of(f, LLVMGetOperand(c, 1));
    bool equal = (p == LLVMIntEQ) == holds, near = are_near(f, a, b);
    e.exact &= near;
    e.of.odd = !equal;
    if ((equal || near) && add_parity(all->r, a, MAX_DEPTH, &e.of) &&
        add_parity(all->r, b, MAX_DEPTH, &e.of))
        add_even(all, &e);
}

static bool is_bool(LLVMValueRef v, bool what) {
    LLVMValueRef c = LLVMIsAConstantInt(v);
    return c && (LLVMConstIntGetZExtValue(c) != 0) == what;
}

/* Adds what is known where a condition holds, or does not. */
static void add_condition(evens *all, LLVMValueRef c, bool holds, int depth, even e) {
    LLVMOpcode op = LLVMIsAInstruction(c) ? LLVMGetInstructionOpcode(c) : LLVMRet;
    LLVMValueRef x = op == LLVMRet ? NULL : LLVMGetOperand(c, 0);
    bool chooses = op == LLVMSelect;
    bool both = op == LLVMAnd || (chooses && is_bool(LLVMGetOperand(c, 2), false));
    bool any = op == LLVMOr || (chooses && is_bool(LLVMGetOperand(c, 1), true));
    if (depth == 0)
        return;
    if (op == LLVMICmp) {
        add_comparison(all, c, holds, e);
    } else if (op == LLVMFreeze || (op == LLVMXor && is_bool(LLVMGetOperand(c, 1), true))) {
        add_condition(all, x, holds == (op == LLVMFreeze), depth - 1, e);
    } else if ((both && holds) || (any && !holds)) {
        e.exact = false;
        add_condition(all, x, holds, depth - 1, e);
        add_condition(all, LLVMGetOperand(c, chooses && any ? 2 : 1), holds, depth - 1, e);
    } else {
        e.of.odd = holds;
        if (add_parity(all->r, br_scev_of(all->r->f, c), MAX_DEPTH, &e.of))
            add_even(all, &e);
    }
}

/* Adds what is known where control comes to the block, and to the other one, by the same branch. */
static void add_conditions_of(evens *all, LLVMBasicBlockRef to, LLVMBasicBlockRef other) {
    br_loop nest = all->r->loops[all->r->axes - 1];
    LLVMBasicBlockRef b;
    for (size_t k = 0; (b = br_loop_block(nest, k)); k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned no = 0; br_is_conditional(end) && no < 2; no++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, no);
            even e = {.exact = true, .where = {LLVMGetCondition(end), !no}};
            if (host_has_one_edge(next) && br_dominates(all->r->f, next, to) &&
                br_dominates(all->r->f, next, other))
                add_condition(all, LLVMGetCondition(end), !no, MAX_DEPTH, e);
        }
    }
}

/* The only store of the sweep to the grid; NULL: there are several. */
static LLVMValueRef only_store(const host_region *r, int32_t grid) {
    LLVMValueRef only = r->stencil->store_grid == grid ? r->store : NULL;
    int count = only != NULL;
    for (int i = 0; i < r->nalso; i++)
        if (r->stencil->also[i].grid == grid) {
            only = r->also[i];
            count++;
        }
    return count == 1 && LLVMIsAStoreInst(only) ? only : NULL;
}

bool host_is_other_colour(const host_region *r, const st_access *access) {
    evens all = {.r = r};
    bool other = false;
    LLVMValueRef store = r->axes > 0 && !r->form ? only_store(r, access->grid) : NULL;
    if (store && r->match.load)
        add_conditions_of(&all, LLVMGetInstructionParent(store),
                          LLVMGetInstructionParent(r->match.load));
    for (int k = 0; k < all.count && !other; k++) {
        int32_t distance = 0;
        for (int i = 0; i < r->axes; i++)
            if (all.list[k].of.loops >> i & 1)
                distance += access->offset[r->dim_of_loop[i]];
        other = distance & 1;
    }
    return other;
}

/* Two sweeps of a step that go over all cells between them, each over those of one colour: what
 * both access at the same place, the step accesses for each cell. */

/* Is it just the cells of one colour for which control comes to the block? */
static bool find_colour(const host_region *r, LLVMBasicBlockRef block, parity *colour) {
    evens all = {.r = r};
    if (r->axes == 0 || r->partial || r->copies || r->measures || r->stencil->every)
        return false;
    add_conditions_of(&all, block, block);
    for (int k = 0; k < all.count; k++)
        if (all.list[k].exact && host_passes_under(r->loops[0], &all.list[k].where, 1, block)) {
            *colour = all.list[k].of;
            return true;
        }
    return false;
}

/* .. for which the access is made? */
static bool find_colour_of(const host_region *r, int32_t access, parity *colour) {
    const st_access *a = &r->stencil->accesses[access];
    if (st_is_own(a) && a->grid == r->stencil->store_grid && a->level == r->stencil->store_level)
        return find_colour(r, LLVMGetInstructionParent(r->store), colour);
    for (int i = 0; i < r->match.nskipped; i++)
        if (r->match.skipped_access[i] == access &&
            find_colour(r, LLVMGetInstructionParent(r->match.skipped[i]), colour))
            return true;
    return false;
}

static bool are_opposite(const parity *a, const parity *b) {
    int found = 0;
    for (int i = 0; i < a->nsame; i++)
        for (int k = 0; k < b->nsame; k++)
            found += a->same[i] == b->same[k];
    return a->loops == b->loops && a->odd != b->odd && a->nsame == b->nsame && found == a->nsame;
}

static bool have_same_loops(const host_region *a, const host_region *b) {
    bool same = a->axes == b->axes;
    for (int i = 0; i < a->axes && same; i++)
        same = a->dim_of_loop[i] == b->dim_of_loop[i] && a->count[i] &&
               a->count[i] == b->count[i] &&
               host_tests_first(a->loops[i]) == host_tests_first(b->loops[i]);
    return same;
}

static bool are_same_place(const host_region *a, const st_access *x, const host_region *b,
                           const st_access *y) {
    const host_grid *g = &a->grids[x->grid], *h = &b->grids[y->grid];
    bool same = a->stencil->grids[x->grid].buffers == 1 &&
                b->stencil->grids[y->grid].buffers == 1 && x->faces == 0 && y->faces == 0 &&
                poly_equal(g->origin[0], h->origin[0]);
    for (int d = 0; d < ST_MAX_RANK && same; d++)
        same = x->offset[d] == y->offset[d] && poly_equal(g->stride[d], h->stride[d]);
    return same;
}

/* Does another sweep access the place for the cells of the other colour? */
static bool is_met(const host_steps *s, const host_region *r, const st_access *a,
                   const parity *colour) {
    for (int k = 0; k < s->count; k++) {
        const host_region *other = s->sweeps[k];
        parity theirs;
        for (size_t i = 0; other != r && have_same_loops(r, other) && i < other->stencil->naccesses;
             i++)
            if (are_same_place(r, a, other, &other->stencil->accesses[i]) &&
                find_colour_of(other, (int32_t)i, &theirs) && are_opposite(colour, &theirs))
                return true;
    }
    return false;
}

static void join_colours(host_steps *s) {
    for (int k = 0; k < s->count; k++) {
        host_region *r = s->sweeps[k];
        for (size_t i = 0; i < r->stencil->naccesses; i++) {
            st_access *a = &r->stencil->accesses[i];
            parity colour;
            if (a->unsure && find_colour_of(r, (int32_t)i, &colour) && is_met(s, r, a, &colour))
                a->unsure = false;
        }
    }
}

/* Has the sweep cells in the array, through the same base pointer, that it surely accesses? */
static bool surely_has(const host_region *r, LLVMValueRef base) {
    const st_stencil *s = r->stencil;
    bool has = false;
    for (size_t i = 0; i < s->naccesses && !has; i++)
        has = !s->accesses[i].unsure &&
              host_base_pointer(r->grids[s->accesses[i].grid].origin[0]) == base;
    return has || (!(s->masked & 1) && !s->stores_nothing &&
                   host_base_pointer(r->grids[s->store_grid].origin[0]) == base);
}

/* Does the sweep change cells of one colour in place, and does nothing tell that the others are
 * memory? The runtime makes few steps of such a loop, because a signal could not end it. */
static bool lacks_other_colour(const host_steps *s, const host_region *r) {
    const st_stencil *own = r->stencil;
    LLVMValueRef base = host_base_pointer(r->grids[own->store_grid].origin[0]);
    bool unwritten = false, unsure = false;
    for (size_t g = 0; g < own->ngrids; g++)
        unwritten |= own->grids[g].unwritten;
    for (size_t i = 0; i < own->naccesses; i++)
        unsure |= own->accesses[i].unsure && own->accesses[i].grid == own->store_grid;
    for (int k = 0; k < s->count && unwritten && unsure; k++)
        unsure =
            s->sweeps[k] == r || !host_walks_all(s->sweeps[k]) || !surely_has(s->sweeps[k], base);
    return unwritten && unsure;
}

bool host_join_colours(host_steps *s) {
    int64_t back;
    br_scev count = br_backedge_count(s->f, s->time);
    bool few = count && br_scev_int(count, &back) && back >= 0 && back < 2, lacks = false;
    join_colours(s);
    for (int k = 0; k < s->count && !few; k++)
        lacks |= lacks_other_colour(s, s->sweeps[k]);
    return !lacks;
}
