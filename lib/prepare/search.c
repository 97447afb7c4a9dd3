/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses of arrays that a nest loads only under a condition, such as fields of a struct:
 *
 *     for (i..) for (j..)                        look: for (i..) for (j..)
 *         if (!wall[i][j])                                if (!wall[i][j]) goto found
 *             cells->f[i][j] = ..          ->    as it was: for (i..) for (j..) ..; goto end
 *                                                found: f = cells->f
 *                                                    for (i..) for (j..)
 *                                                        if (!wall[i][j]) f[i][j] = ..
 *
 * Where the condition holds nowhere, the program does not load them, and there may be no memory.
 * So a search runs through the nest, up to the place where the program loads the last one of them
 * for the first time. It has no effects: the nest must not write before. Once it gets there, what
 * the program is about to load is loaded in front of a copy of the nest. That the nest never writes
 * there is required, by a condition (guard.h). A search that takes long is given up, and there is
 * none where the runtime would not be asked for the sweep.
 */
#include "prepare/search.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "prepare/checks.h"
#include "prepare/early.h"
#include "prepare/guard.h"
#include "prepare/hoist.h"
#include "prepare/sequence.h"
#include "prepare/tables.h"

#include <stdlib.h>

enum {
    MAX_BLOCKS = ST_LIMIT(256, 8),
    MAX_EARLY = ST_LIMIT(64, 4),
    MAX_PARTS = 8,
    MOST_LOOKED_AT = 1 << 14 /* cells */
};

typedef struct search {
    prep_guard g; /* of the copy */
    LLVMBasicBlockRef own[MAX_BLOCKS], copy[MAX_BLOCKS];
    size_t blocks;
    LLVMValueRef early[MAX_EARLY]; /* loads, and what their addresses are computed by, in order */
    size_t nearly;
    size_t sought, counted; /* the numbers of the block that loads the last of them, and of the head
                               of the loop around it */
} search;

/* What is loaded early */

static bool is_early(const search *s, LLVMValueRef v) {
    bool is = false;
    for (size_t i = 0; i < s->nearly && !is; i++)
        is = s->early[i] == v;
    return is;
}

static bool is_known(const search *s, br_loop l, LLVMValueRef i) {
    bool known = true;
    for (int k = 0; k < LLVMGetNumOperands(i) && known; k++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        known = !host_in_loop(l, v) || is_early(s, v);
    }
    return known;
}

/* Is an address in the loop computed of the value? */
static bool is_for_address(const search *s, br_loop l, LLVMValueRef v) {
    bool is = false;
    for (size_t b = 0; b < s->blocks && !is; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->own[b]); i && !is;
             i = LLVMGetNextInstruction(i)) {
            bool stores = LLVMIsAStoreInst(i);
            is = (stores || LLVMIsALoadInst(i)) &&
                 prep_is_part(v, LLVMGetOperand(i, stores ? 1 : 0), l);
        }
    return is;
}

static bool may_be_early(const search *s, br_loop l, LLVMValueRef i) {
    if (is_early(s, i) || !is_known(s, l, i))
        return false;
    if (LLVMIsAGetElementPtrInst(i))
        return true;
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!LLVMIsALoadInst(i) || !host_is_plain(i))
        return false;
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind ||
           (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64 &&
            is_for_address(s, l, i));
}

/* False: there are too many. */
static bool find_early(search *s, br_loop l) {
    s->nearly = 0;
    for (bool more = true; more;) {
        more = false;
        for (size_t b = 0; b < s->blocks; b++)
            for (LLVMValueRef i = LLVMGetFirstInstruction(s->own[b]); i;
                 i = LLVMGetNextInstruction(i)) {
                if (!may_be_early(s, l, i))
                    continue;
                if (s->nearly == MAX_EARLY)
                    return false;
                s->early[s->nearly++] = i;
                more = true;
            }
    }
    return true;
}

/* Where it is searched to */

/* Is the value the same in all iterations, once what is early is known? */
static bool is_same(const search *s, br_loop l, LLVMValueRef v, int depth) {
    bool same = !host_in_loop(l, v) || is_early(s, v);
    if (same || depth == 0 || LLVMIsAPHINode(v) || LLVMIsALoadInst(v) || LLVMIsACallInst(v))
        return same;
    same = LLVMGetNumOperands(v) > 0;
    for (int k = 0; k < LLVMGetNumOperands(v) && same; k++)
        same = is_same(s, l, LLVMGetOperand(v, (unsigned)k), depth - 1);
    return same;
}

/* Is the block the end of a test in front of the other one, whose result may differ from cell to
 * cell? The tests at which loops end are none. */
static bool tests_cells(const search *s, br_function *f, br_loop l, LLVMBasicBlockRef test,
                        LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(test);
    br_loop in = br_loop_of(f, test);
    bool leads = false, stays = br_is_conditional(end) && test != block;
    for (unsigned k = 0; k < 2 && stays; k++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, k);
        stays = br_loop_contains(in, to);
        leads |= host_only_predecessor(to) == test && br_dominates(f, to, block);
    }
    return stays && leads && !is_same(s, l, LLVMGetCondition(end), MAX_PARTS);
}

/* Does the program load it only under a condition, other than that there are cells? */
static bool is_hidden(const search *s, br_function *f, br_loop l, LLVMValueRef i) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    bool tests = false;
    for (size_t b = 0; b < s->blocks && !tests; b++)
        tests = tests_cells(s, f, l, s->own[b], block);
    return tests && LLVMIsALoadInst(i) && !br_is_always_there(i) &&
           !prep_is_loaded_before(f, function, l, i);
}

/* The block that loads the last one of those that are hidden. NULL: there is none, or there are
 * others on other ways. */
static LLVMBasicBlockRef find_last(const search *s, br_function *f, br_loop l) {
    LLVMBasicBlockRef last = NULL;
    for (size_t i = 0; i < s->nearly; i++) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(s->early[i]);
        if (!is_hidden(s, f, l, s->early[i]) || (last && br_dominates(f, block, last)))
            continue;
        if (last && !br_dominates(f, last, block))
            return NULL;
        last = block;
    }
    return last;
}

/* Is the block one that the search may run through: without effects? */
static bool is_quiet(LLVMBasicBlockRef block) {
    bool quiet = br_is_branch(LLVMGetBasicBlockTerminator(block));
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && quiet; i = LLVMGetNextInstruction(i))
        quiet = LLVMIsALoadInst(i) ? host_is_plain(i)
                                   : !br_may_write(i) || host_is_annotation(host_callee_name(i));
    return quiet;
}

/* Does the program load there what is loaded early, once control comes to the block? */
static bool comes_to_loads(const search *s, LLVMBasicBlockRef last) {
    bool good = true;
    LLVMValueRef end = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(last); i; i = LLVMGetNextInstruction(i))
        end = is_early(s, i) ? i : end;
    for (LLVMValueRef i = LLVMGetFirstInstruction(last); i && i != end && good;
         i = LLVMGetNextInstruction(i))
        good = !LLVMIsACallInst(i) || !br_may_write(i) || host_is_annotation(host_callee_name(i));
    return good;
}

/* Does the search go through no loop of the nest but those around the block? */
static bool is_in_chain(const search *s, br_function *f, br_loop l, LLVMBasicBlockRef last) {
    bool good = true;
    for (size_t b = 0; b < s->blocks && good; b++) {
        br_loop in = br_loop_of(f, s->own[b]);
        good = in == l || br_loop_contains(in, last) || br_dominates(f, last, br_loop_header(in));
    }
    return good;
}

static size_t number_of(const search *s, LLVMBasicBlockRef block) {
    size_t b = 0;
    while (b < s->blocks && s->own[b] != block)
        b++;
    return b;
}

/* Leaves out what is loaded elsewhere. */
static void keep_dominating(search *s, br_function *f, LLVMBasicBlockRef last) {
    size_t kept = 0;
    for (size_t i = 0; i < s->nearly; i++)
        if (br_dominates(f, LLVMGetInstructionParent(s->early[i]), last))
            s->early[kept++] = s->early[i];
    s->nearly = kept;
}

static bool find(search *s, br_function *f, br_loop l) {
    s->blocks = br_loop_blocks(l, s->own, MAX_BLOCKS);
    if (s->blocks > MAX_BLOCKS || !find_early(s, l))
        return false;
    LLVMBasicBlockRef last = find_last(s, f, l);
    if (!last || !is_in_chain(s, f, l, last) || !comes_to_loads(s, last))
        return false;
    for (size_t b = 0; b < s->blocks; b++)
        if (!br_dominates(f, last, s->own[b]) && !is_quiet(s->own[b]))
            return false;
    br_loop in = br_loop_of(f, last);
    if (br_loop_header(in) == last && in != l)
        in = br_loop_parent(in);
    keep_dominating(s, f, last);
    s->sought = number_of(s, last);
    s->counted = number_of(s, br_loop_header(in));
    return s->sought != 0;
}

/* Loops that search */

static const char mark[] = "stencilopt.seeks";

static LLVMValueRef branch_back(br_loop l, unsigned *kind) {
    LLVMBasicBlockRef latch = br_loop_latch(l);
    LLVMValueRef end = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
    LLVMContextRef c = end ? LLVMGetTypeContext(LLVMTypeOf(end)) : NULL;
    *kind = end ? LLVMGetMDKindIDInContext(c, mark, sizeof mark - 1) : 0;
    return end;
}

bool prep_is_search(br_loop l) {
    unsigned kind;
    LLVMValueRef end = branch_back(l, &kind);
    return end && LLVMGetMetadata(end, kind);
}

/* Marks the nest's loops, or takes the marks away. A copy has the marks of its original. */
static void mark_loops(const search *s, bool on) {
    unsigned kind;
    for (size_t b = 0; b < s->blocks; b++) {
        br_loop l = prep_loop_at(s->g.f, s->own[b]);
        LLVMValueRef end = l ? branch_back(l, &kind) : NULL;
        if (!end)
            continue;
        LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(end));
        LLVMMetadataRef node = LLVMMDNodeInContext2(c, NULL, 0);
        LLVMSetMetadata(end, kind, on ? LLVMMetadataAsValue(c, node) : NULL);
    }
}

bool prep_has_hidden(br_function *f, br_loop l) {
    if (!br_loop_latch(l) || prep_is_guarded(l))
        return false;
    search *s = calloc(1, sizeof *s);
    bool has = find(s, f, l);
    free(s);
    return has;
}

/* The copies */

/* How many cells the loops around the block have, in front of the nest. NULL: that is not known. */
static LLVMValueRef count_cells(search *s, br_loop l, LLVMValueRef in_front) {
    LLVMValueRef cells = NULL;
    br_loop end = br_loop_parent(l);
    for (br_loop in = br_loop_of(s->g.f, s->own[s->counted]); in != end; in = br_loop_parent(in)) {
        LLVMValueRef n = prep_build_repeats(s->g.f, in, l, in_front, s->g.b);
        if (!n)
            return NULL;
        LLVMPositionBuilderBefore(s->g.b, in_front);
        n = LLVMBuildAdd(s->g.b, n, LLVMConstInt(LLVMTypeOf(n), 1, false), "");
        cells = cells ? LLVMBuildMul(s->g.b, cells, n, "") : n;
    }
    return cells;
}

static void move_early(search *s, LLVMValueRef in_front) {
    for (size_t i = 0; i < s->nearly; i++)
        s->early[i] = br_twin_of(s->own, s->blocks, s->copy, s->early[i]);
    for (size_t i = 0; i < s->nearly; i++) {
        if (LLVMIsALoadInst(s->early[i])) {
            br_load_earlier(s->early[i], in_front);
            continue;
        }
        LLVMInstructionRemoveFromParent(s->early[i]);
        LLVMPositionBuilderBefore(s->g.b, in_front);
        LLVMInsertIntoBuilder(s->g.b, s->early[i]);
    }
}

/* Makes the copy that has them early. Where it runs is not known yet. NULL: it is not known how
 * many cells there are. */
static LLVMValueRef copy_nest(search *s, br_loop own, LLVMBasicBlockRef before) {
    size_t outs;
    LLVMValueRef in_front = LLVMGetBasicBlockTerminator(before);
    LLVMValueRef cells = count_cells(s, own, in_front);
    if (!cells)
        return NULL;
    LLVMPositionBuilderBefore(s->g.b, in_front);
    LLVMValueRef worth = prep_build_worthwhile(s->g.b, cells);
    LLVMValueRef unknown = LLVMBuildFreeze(s->g.b, LLVMGetUndef(LLVMTypeOf(worth)), "");
    br_twin(before, s->own, s->blocks, unknown, s->copy, NULL, 0, &outs);
    s->g.in_front = LLVMGetBasicBlockTerminator(before);
    br_split_before(s->g.in_front);
    mark_loops(s, true);
    br_search(before, s->own, s->blocks, worth, s->sought, s->counted, MOST_LOOKED_AT);
    mark_loops(s, false);
    prep_set_guarded(own);
    move_early(s, s->g.in_front);
    return unknown;
}

static bool require_unchanged(search *s) {
    bool good = true;
    LLVMPositionBuilderBefore(s->g.b, s->g.in_front);
    for (size_t i = 0; i < s->nearly && good; i++)
        good = !LLVMIsALoadInst(s->early[i]) || prep_guard_unchanged(&s->g, s->early[i]);
    return good;
}

static LLVMBasicBlockRef find_hidden(search *s, prep_shadow *shadow, LLVMBasicBlockRef head) {
    LLVMBasicBlockRef before;
    br_loop l = prep_prepared_loop(shadow->f, head, &before);
    s->g.f = shadow->f;
    if (!l || !br_loop_latch(l) || !find(s, shadow->f, l))
        return NULL;
    s->g.wide = LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(shadow->function)), 128);
    LLVMValueRef chosen = copy_nest(s, l, before);
    br_function_invalidate(shadow->f);
    s->g.l = chosen ? prep_loop_at(shadow->f, s->copy[0]) : NULL;
    if (!s->g.l || !require_unchanged(s))
        return NULL;
    LLVMValueRef always = LLVMConstInt(LLVMTypeOf(chosen), 1, false);
    LLVMReplaceAllUsesWith(chosen, s->g.all ? s->g.all : always);
    br_function_invalidate(shadow->f);
    return s->copy[0];
}

LLVMBasicBlockRef prep_find_hidden(prep_shadow *shadow, LLVMBasicBlockRef head) {
    search *s = calloc(1, sizeof *s);
    s->g.b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(shadow->function)));
    LLVMBasicBlockRef copy = find_hidden(s, shadow, head);
    bool good = copy && prep_simplify(shadow, copy);
    LLVMDisposeBuilder(s->g.b);
    free(s);
    return good ? copy : NULL;
}
