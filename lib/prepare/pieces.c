/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that prints, writes files or calls what we do not know, in some of its steps, at its
 * end or its start. Its steps without output can be a time loop of their own, a piece:
 *
 *     for (t = 0; t < T; t++) {            t = 0;
 *         sweep(a, b); swap(a, b);         while (t < T) {
 *         if (t % 100 == 0)        ->          n = steps until the next output, or the end
 *             print(a);                        for (k = 0; k < n; k++, t++) { sweep ... swap }
 *     }                                        if (the last step's t % 100 == 0) print(a);
 *                                          }
 *
 * A loop nest, or a copy, may be such an output: a residual that is computed, and perhaps tested,
 * in every N-th step, a snapshot, a mean. The nest is a region of its own then.
 *
 * This file finds which blocks are sweeps, outputs and the rest, and whether the number of steps
 * can be computed before the steps are made. It can if all conditions on the way from a step's
 * last sweep to the
 * next step's first are computed, without effects, of values that neither sweeps nor outputs make,
 * or that the time loop carries: counters, times that are summed up.
 */
#include "prepare/pieces.h"
#include "detect/common/calls.h"
#include "model/fixed_limits.h"
#include "prepare/hoist.h"
#include "prepare/team.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = ST_LIMIT(2048, 8), MAX_SLICE = ST_LIMIT(256, 4) };

int piece_number(const prep_pieces *p, LLVMBasicBlockRef b) {
    for (int i = 0; i < p->count; i++)
        if (p->block[i].b == b)
            return i;
    return -1;
}

bool piece_is_quiet(const prep_pieces *p, int number) {
    return number >= 0 && p->block[number].part == PART_QUIET;
}

bool piece_ends(const prep_pieces *p, int next) {
    return next != p->entry && !piece_is_quiet(p, next);
}

/* Effects */

static void look_at_call(piece_block *k, LLVMValueRef i, bool forks) {
    const char *name = host_callee_name(i);
    if (forks && prep_is_fork(i)) {
        k->forks = k->writes = true;
        return;
    }
    if (host_is_annotation(name) || host_is_operation(name) || !strcmp(name, HOST_ALONE))
        return;
    if (host_is_copy(i) || host_is_array_assignment(i) || host_moves_allocation(i) ||
        host_sets_errno(name) || host_allocates(name))
        k->writes = true;
    else
        k->loud |= br_may_write(i);
}

static void look_at(piece_block *k, bool forks) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(k->b); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAStoreInst(i)) {
            k->writes = true;
            k->loud |= !host_is_plain(i);
        } else if (LLVMIsALoadInst(i)) {
            k->loud |= !host_is_plain(i);
        } else if (LLVMIsACallInst(i)) {
            look_at_call(k, i, forks);
        } else {
            k->loud |= br_may_write(i);
        }
    }
}

/* Ways through a step */

/* Marks the blocks that control gets to from a block without output and without a new step.
 * `avoid`: a block that it does not get past; or -1. */
static void spread(const prep_pieces *p, int from, int avoid, bool *marked) {
    int *todo = malloc((size_t)p->count * sizeof *todo), n = 0;
    memset(marked, 0, (size_t)p->count * sizeof *marked);
    if (from != avoid && !p->block[from].loud) {
        marked[from] = true;
        todo[n++] = from;
    }
    while (n > 0) {
        const piece_block *k = &p->block[todo[--n]];
        for (int i = 0; i < k->successors; i++) {
            int next = p->next[k->first + i];
            if (next <= 0 || next == avoid || marked[next] || p->block[next].loud)
                continue;
            marked[next] = true;
            todo[n++] = next;
        }
    }
    free(todo);
}

/* The outermost loop around the block in the time loop; or that loop. */
static br_loop nest_around(const prep_pieces *p, int b) {
    br_loop nest = br_loop_of(p->f, p->block[b].b);
    while (nest != p->l && br_loop_parent(nest) != p->l)
        nest = br_loop_parent(nest);
    return nest;
}

/* If a loop within the time loop has an output, all of its blocks count as outputs. */
static void make_loops_loud(prep_pieces *p) {
    for (int i = 0; i < p->count; i++) {
        br_loop inner = nest_around(p, i);
        p->block[i].nested = inner != p->l;
        for (int k = 0; inner != p->l && p->block[i].loud && k < p->count; k++)
            p->block[k].loud |= br_loop_contains(inner, p->block[k].b);
    }
}

/* The only block from which control comes to block b, or to the nest of which it is the head. -1:
 * it comes from several. */
static int comes_from_any(const prep_pieces *p, int b) {
    br_loop nest = p->block[b].nested ? br_loop_of(p->f, p->block[b].b) : NULL;
    int from = -1, ways = 0;
    for (int i = 0; i < p->count; i++)
        for (int s = 0; s < p->block[i].successors; s++) {
            bool inside = nest && br_loop_contains(nest, p->block[i].b);
            if (p->next[p->block[i].first + s] != b || inside)
                continue;
            from = i;
            ways++;
        }
    return ways == 1 ? from : -1;
}

/* The same; -1 if it comes from a nest. */
static int comes_from(const prep_pieces *p, int b) {
    int from = comes_from_any(p, b);
    return from >= 0 && !p->block[from].nested ? from : -1;
}

/* The same, past nests on the way. A step that comes to one also goes on behind it. */
static int comes_past_nests(const prep_pieces *p, int b) {
    int from = comes_from_any(p, b);
    while (from >= 0 && p->block[from].nested)
        from = comes_from_any(p, piece_number(p, br_loop_header(nest_around(p, from))));
    return from;
}

bool piece_is_guard(const prep_pieces *p, int b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[b].b);
    if (!br_is_branch(end) || p->block[b].successors < 2)
        return false;
    LLVMValueRef c = LLVMGetCondition(end);
    return !LLVMIsAInstruction(c) || piece_number(p, LLVMGetInstructionParent(c)) < 0;
}

/* If the block, or the nest with this head, has work that some steps go past: the first block of
 * the way to it, which other steps do not come to. Else -1. */
static int find_rare(const prep_pieces *p, int head, br_loop nest, bool *marked) {
    if (nest ? br_loop_parent(nest) != p->l : !p->block[head].writes)
        return -1;
    int first = head, from = comes_past_nests(p, head);
    while (from > 0 && (p->block[from].successors == 1 || piece_is_guard(p, from))) {
        first = from;
        from = comes_past_nests(p, first);
    }
    if (from == 0 && piece_is_guard(p, 0))
        return -1;
    spread(p, 0, first, marked);
    return marked[p->latch] ? first : -1;
}

static void make_rare_loud(prep_pieces *p, bool *marked) {
    for (int i = 1; i < p->count && p->rare; i++) {
        br_loop inner = br_loop_of(p->f, p->block[i].b);
        br_loop nest = inner != p->l ? inner : NULL;
        bool head = !nest || br_loop_header(nest) == p->block[i].b;
        int first = head && i != p->latch ? find_rare(p, i, nest, marked) : -1;
        for (int k = 0; first >= 0 && k < p->count; k++)
            p->block[k].loud |= k == first || (nest && br_loop_contains(nest, p->block[k].b));
    }
}

/* Does control come to block b only where a guard keeps steps from all nests that write? LLVM makes
 * ways of their own for such steps. */
static bool is_idle(const prep_pieces *p, int b, bool *marked) {
    int from = p->block[b].nested ? -1 : comes_from(p, b);
    if (from < 0 || !piece_is_guard(p, from))
        return false;
    spread(p, b, -1, marked);
    bool works = false;
    for (int i = 0; i < p->count && !works; i++)
        works = marked[i] && (p->block[i].nested || p->block[i].writes);
    return !works;
}

static void make_idle_loud(prep_pieces *p, bool *marked) {
    for (int i = 1; i < p->count && p->rare; i++)
        p->block[i].loud |= i != p->latch && is_idle(p, i, marked);
}

/* Do the steps themselves decide whether there is an output, as `t % 100 == 0` does? A condition
 * that is the same in all steps guards a nest of each step. */
static bool is_output_rare(const prep_pieces *p) {
    for (int i = 0; i < p->count && p->rare; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[i].b);
        bool leads = false;
        for (int s = 0; s < p->block[i].successors && piece_is_quiet(p, i); s++) {
            int next = p->next[p->block[i].first + s];
            leads |= next >= 0 && p->block[next].part == PART_OUTPUT;
        }
        if (leads && (!br_is_branch(end) || p->block[i].successors != 2 || piece_is_guard(p, i)))
            return false;
    }
    return true;
}

static void find_way(prep_pieces *p, bool *marked) {
    bool changed = !p->block[p->latch].loud;
    bool *back = calloc((size_t)p->count, sizeof *back);
    spread(p, 0, -1, marked);
    back[p->latch] = changed;
    while (changed) {
        changed = false;
        for (int i = p->count - 1; i >= 0; i--) {
            const piece_block *k = &p->block[i];
            for (int s = 0; s < k->successors && !back[i] && !k->loud; s++) {
                int next = p->next[k->first + s];
                back[i] = next > 0 && back[next];
                changed |= back[i];
            }
        }
    }
    for (int i = 0; i < p->count; i++)
        p->block[i].on_way = marked[i] && back[i];
    free(back);
}

static bool is_work(const piece_block *k) {
    return k->on_way && (k->nested || k->writes);
}

static bool marks_work(const prep_pieces *p, const bool *marked) {
    bool any = false;
    for (int i = 0; i < p->count; i++)
        any |= marked[i] && is_work(&p->block[i]);
    return any;
}

/* Finds `entry`, the last block that each step without output passes before all its sweeps, and
 * `end`, the first such block behind them. */
static void find_ends(prep_pieces *p, bool *marked) {
    bool *after = malloc((size_t)p->count * sizeof *after);
    p->entry = p->end = -1;
    for (int i = 0; i < p->count; i++) {
        if (!p->block[i].on_way || p->block[i].nested)
            continue;
        spread(p, 0, i, marked);
        if (marked[p->latch]) /* there is a way around block i */
            continue;
        bool before = marks_work(p, marked);
        spread(p, i, -1, after);
        if (!before && (p->entry < 0 || !after[p->entry]))
            p->entry = i;
        if (!marks_work(p, after) && (p->end < 0 || after[p->end]))
            p->end = i;
    }
    free(after);
}

static void name_parts(prep_pieces *p, bool *marked) {
    spread(p, p->entry, p->end, marked);
    for (int i = 0; i < p->count; i++) {
        piece_block *k = &p->block[i];
        k->part = !k->on_way ? PART_OUTPUT : marked[i] ? PART_SWEEPS : PART_QUIET;
    }
}

/* Does control come to the sweeps through their entry alone? */
static bool is_entered_once(prep_pieces *p) {
    for (int i = 0; i < p->count; i++)
        for (int s = 0; s < p->block[i].successors; s++) {
            int next = p->next[p->block[i].first + s];
            bool sweeps = next >= 0 && p->block[next].part == PART_SWEEPS;
            if (p->block[i].part != PART_SWEEPS && sweeps && next != p->entry)
                return false;
            p->exits |= p->block[i].part == PART_SWEEPS && !sweeps && next != p->end;
        }
    return true;
}

/* Values that are known before a piece */

typedef struct slice {
    const prep_pieces *p;
    LLVMValueRef seen[MAX_SLICE];
    int count;
} slice;

static bool computable(slice *s, LLVMValueRef v);

/* The value where the steps make no output. */
static bool computable_phi(slice *s, LLVMValueRef phi, int at) {
    if (s->p->block[at].part == PART_SWEEPS && at != s->p->entry)
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        int from = piece_number(s->p, LLVMGetIncomingBlock(phi, i));
        if (from >= 0 && s->p->block[from].part == PART_SWEEPS)
            return false;
        if ((from < 0 || piece_is_quiet(s->p, from)) &&
            !computable(s, LLVMGetIncomingValue(phi, i)))
            return false;
    }
    return true;
}

/* May a call in the loop, perhaps in an output, free memory? */
static bool frees(const prep_pieces *p) {
    unsigned kind = LLVMGetEnumAttributeKindForName("nofree", 6);
    const LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (int k = 0; k < p->count; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->block[k].b); i;
             i = LLVMGetNextInstruction(i)) {
            bool calls = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
            LLVMValueRef callee = calls ? LLVMGetCalledValue(i) : NULL;
            bool known = callee && LLVMIsAFunction(callee);
            if (calls && br_may_write(i) && !host_calls(i, "llvm.") &&
                !host_sets_errno(host_callee_name(i)) &&
                !LLVMGetCallSiteEnumAttribute(i, at, kind) &&
                !(known && LLVMGetEnumAttributeAtIndex(callee, at, kind)))
                return true;
        }
    return false;
}

bool piece_is_there(const prep_pieces *p, LLVMValueRef load) {
    return br_is_always_there(load) ||
           (prep_is_loaded_before(p->f, p->function, p->l, load) &&
            (!frees(p) || prep_is_passed(p->f, p->l, LLVMGetInstructionParent(load))));
}

bool piece_keeps(const prep_pieces *p, LLVMValueRef load) {
    LLVMValueRef base = host_base_of(LLVMGetOperand(load, 0));
    if (LLVMIsAInstruction(base) && piece_number(p, LLVMGetInstructionParent(base)) >= 0)
        return false;
    if (p->exits && !piece_is_there(p, load))
        return false;
    for (int k = 0; k < p->count; k++) {
        LLVMValueRef i = LLVMGetFirstInstruction(p->block[k].b);
        for (; i && p->block[k].part == PART_SWEEPS; i = LLVMGetNextInstruction(i))
            if (br_may_write(i) && !host_writes_errno_alone(i, load) &&
                br_may_change(p->f, i, load))
                return false;
    }
    return true;
}

bool piece_is_division(LLVMValueRef v) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

static bool is_word(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
}

bool piece_is_pure(LLVMValueRef v) {
    if (piece_is_division(v) && !is_word(LLVMTypeOf(v)))
        return false;
    if (LLVMIsACallInst(v))
        return host_is_operation(host_callee_name(v));
    return LLVMIsABinaryOperator(v) || LLVMIsAUnaryOperator(v) || LLVMIsACmpInst(v) ||
           LLVMIsASelectInst(v) || LLVMIsACastInst(v) || LLVMIsAFreezeInst(v) ||
           LLVMIsAGetElementPtrInst(v);
}

static bool computable(slice *s, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v))
        return true;
    int at = piece_number(s->p, LLVMGetInstructionParent(v));
    if (at < 0)
        return true;
    for (int i = 0; i < s->count; i++)
        if (s->seen[i] == v)
            return true;
    if (s->count == MAX_SLICE || s->p->block[at].nested || s->p->block[at].part == PART_OUTPUT)
        return false;
    s->seen[s->count++] = v;
    if (LLVMIsAPHINode(v))
        return computable_phi(s, v, at);
    if (!LLVMIsALoadInst(v) && !piece_is_pure(v))
        return false;
    if (LLVMIsALoadInst(v) && !piece_keeps(s->p, v))
        return false;
    bool all = true;
    int count = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
    for (int i = 0; i < count && all; i++)
        all = computable(s, LLVMGetOperand(v, (unsigned)i));
    return all;
}

bool piece_computable(const prep_pieces *p, LLVMValueRef v) {
    slice *s = calloc(1, sizeof *s);
    s->p = p;
    bool good = computable(s, v);
    free(s);
    return good;
}

/* Looks at the branches of quiet blocks. False: they cannot be looked at. */
static bool find_counts(prep_pieces *p) {
    bool all = true;
    p->counts = false;
    p->stops = p->exits;
    for (int i = 0; i < p->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[i].b);
        if (!piece_is_quiet(p, i) || p->block[i].successors < 2)
            continue;
        if (!br_is_branch(end))
            return false;
        bool known = piece_computable(p, LLVMGetCondition(end)), ends = false;
        p->block[i].known = known;
        for (int s = 0; s < 2; s++) {
            int next = p->next[p->block[i].first + s];
            ends |= piece_ends(p, next);
            p->counts |= known && next >= 0 && piece_ends(p, next);
        }
        all &= known || ends;
        p->stops |= !known && ends;
    }
    p->counts &= all;
    return true;
}

/* Loops */

static bool list_blocks(prep_pieces *p) {
    size_t count = br_loop_blocks(p->l, NULL, 0), edges = 0;
    LLVMBasicBlockRef latch = br_loop_latch(p->l);
    if (!latch || count > MAX_BLOCKS)
        return false;
    LLVMBasicBlockRef *blocks = malloc(count * sizeof *blocks);
    br_loop_blocks(p->l, blocks, count);
    p->block = calloc(count, sizeof *p->block);
    p->count = (int)count;
    for (size_t i = 0; i < count; i++) {
        piece_block *k = &p->block[i];
        k->b = blocks[i];
        k->first = (int)edges;
        k->successors = (int)LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(k->b));
        edges += (size_t)k->successors;
        look_at(k, p->forks);
    }
    free(blocks);
    p->latch = piece_number(p, latch);
    p->next = malloc((edges + 1) * sizeof *p->next);
    return true;
}

static void find_edges(prep_pieces *p) {
    for (int i = 0; i < p->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[i].b);
        for (int s = 0; s < p->block[i].successors; s++)
            p->next[p->block[i].first + s] = piece_number(p, LLVMGetSuccessor(end, (unsigned)s));
    }
}

static bool has(const prep_pieces *p, bool loud) {
    bool any = false;
    for (int i = 0; i < p->count; i++) {
        const piece_block *k = &p->block[i];
        any |= loud ? k->loud : k->on_way && (k->nested || k->forks) && k->writes;
    }
    return any;
}

/* Finds which blocks are what. `middle`: is control to come to sweeps from an output? */
static bool find(prep_pieces *p, bool middle) {
    if (!list_blocks(p))
        return false;
    find_edges(p);
    make_loops_loud(p);
    bool *marked = malloc((size_t)p->count * sizeof *marked);
    make_rare_loud(p, marked);
    if (has(p, true))
        make_idle_loud(p, marked);
    find_way(p, marked);
    bool good = has(p, true) && has(p, false);
    if (good)
        find_ends(p, marked);
    good = good && p->entry >= 0;
    if (good)
        name_parts(p, marked);
    free(marked);
    return good && is_entered_once(p) != middle;
}

/* Has a nest in the loop a twin? Then the twin is no output, though a condition leads to it. */
static bool has_twin(br_loop l) {
    LLVMBasicBlockRef b;
    for (size_t k = 0; (b = br_loop_block(l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (host_calls(i, HOST_ALONE))
                return true;
    return false;
}

static prep_pieces *start(br_function *f, LLVMValueRef function, br_loop l, bool rare) {
    prep_pieces *p = calloc(1, sizeof *p);
    p->rare = rare;
    p->forks = !has_twin(l);
    p->f = f;
    p->function = function;
    p->l = l;
    return p;
}

prep_pieces *prep_find_pieces(br_function *f, LLVMValueRef function, br_loop l, bool rare) {
    if (rare && has_twin(l))
        return NULL;
    prep_pieces *p = start(f, function, l, rare);
    if (find(p, false) && is_output_rare(p) && find_counts(p))
        return p;
    prep_pieces_destroy(p);
    return NULL;
}

prep_pieces *prep_find_between(br_function *f, LLVMValueRef function, br_loop l) {
    prep_pieces *p = start(f, function, l, false);
    if (find(p, true))
        return p;
    prep_pieces_destroy(p);
    return NULL;
}

void prep_pieces_destroy(prep_pieces *p) {
    if (!p)
        return;
    free(p->block);
    free(p->next);
    free(p);
}
