/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbours' indices that the program keeps in tables:
 *
 *     for (i = 0; i < n; i++)              if (up[i] is i == 0 ? n - 1 : i - 1 for all i)
 *         b[i] = a[up[i]];        ->           for (i..) b[i] = a[i == 0 ? n - 1 : i - 1];
 *                                          else
 *                                              for (i..) b[i] = a[up[i]];
 *
 * In a shadow a copy of the loop computes the indices. What a table seems to hold is guessed from
 * the stores that fill it (fills.h). That it holds this is tested in front of the loop, for each
 * element that the loop reads (holds.h). The test reads elements only where the loop reads them,
 * too: control comes to the load in the first iteration of the loop, without a call before that
 * which may not return, and the conditions on the way there hold. No iteration may write the table.
 */
#include "prepare/neighbours.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/checks.h"
#include "prepare/fills.h"
#include "prepare/guard.h"
#include "prepare/holds.h"
#include "prepare/sequence.h"

#include <stdlib.h>

enum { MAX_BLOCKS = ST_LIMIT(512, 8), MAX_LOADS = ST_LIMIT(64, 2), MAX_PARTS = 8 };

typedef struct table_load {
    LLVMValueRef own, copy;
    prep_fill fill;
    LLVMValueRef first, last; /* the indices that the loop comes to, in front of the loop */
} table_load;

typedef struct neighbours {
    prep_guard g; /* of the loop as it is */
    LLVMBasicBlockRef own[MAX_BLOCKS], copy[MAX_BLOCKS];
    size_t blocks, count;
    table_load load[MAX_LOADS];
} neighbours;

/* Which loads */

static LLVMValueRef index_of(LLVMValueRef load) {
    LLVMValueRef gep = LLVMGetOperand(load, 0);
    return LLVMGetOperand(gep, (unsigned)LLVMGetNumOperands(gep) - 1);
}

/* Is an address computed of the value? */
static bool is_in_address(LLVMValueRef v, int depth) {
    bool is = false;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && !is && depth < MAX_PARTS; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMOpcode op = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMRet;
        is = op == LLVMGetElementPtr ||
             ((op == LLVMSExt || op == LLVMZExt || op == LLVMAdd || op == LLVMSub ||
               op == LLVMMul || op == LLVMShl || op == LLVMOr) &&
              is_in_address(user, depth + 1));
    }
    return is;
}

static LLVMValueRef table_of(LLVMValueRef load) {
    return LLVMGetOperand(LLVMGetOperand(load, 0), 0);
}

/* Is the table at one address while the loop runs? It may be read in the loop, as a member of a
 * struct. */
static bool is_one_table(br_loop l, LLVMValueRef table) {
    return !host_in_loop(l, table) || (LLVMIsALoadInst(table) && host_is_plain(table) &&
                                       !host_in_loop(l, LLVMGetOperand(table, 0)));
}

/* The recurrence of the index by one in a loop of l, of a load of an integer. NULL: it is no such
 * load. */
static br_scev moving_index(br_function *f, br_loop l, LLVMValueRef load) {
    int64_t by;
    LLVMTypeRef type = LLVMTypeOf(load);
    if (!LLVMIsALoadInst(load) || !host_is_plain(load) ||
        LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return NULL;
    unsigned bits = LLVMGetIntTypeWidth(type);
    LLVMValueRef gep = LLVMGetOperand(load, 0);
    if ((bits != 32 && bits != 64) || !LLVMIsAGetElementPtrInst(gep) ||
        LLVMGetNumOperands(gep) != 2 || LLVMGetGEPSourceElementType(gep) != type ||
        !is_one_table(l, table_of(load)) || !is_in_address(load, 0))
        return NULL;
    br_scev index = br_scev_of(f, index_of(load));
    bool moves = br_scev_kind(index) == BR_ADDREC && br_scev_count(index) == 2 &&
                 br_loop_contains(l, br_loop_header(br_scev_loop(index))) &&
                 br_scev_int(br_scev_operand(index, 1), &by) && by == 1;
    return moves ? index : NULL;
}

/* A loop that does not begin at the first elements seems not to come to the ends of the table. */
static void leave_ends(br_scev index, prep_fill *fill) {
    int64_t first;
    if (br_scev_int(br_scev_operand(index, 0), &first) && first >= llabs(fill->away))
        fill->ends = FILL_OPEN;
}

/* Fills in the loads of which it is known what they seem to be. */
static bool find_loads(neighbours *n) {
    for (size_t b = 0; b < n->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(n->own[b]); i;
             i = LLVMGetNextInstruction(i)) {
            table_load t = {.own = i};
            br_scev index = moving_index(n->g.f, n->g.l, i);
            if (!index || !prep_guess_fill(n->g.f, i, &t.fill))
                continue;
            if (n->count == MAX_LOADS)
                return false;
            leave_ends(index, &t.fill);
            n->load[n->count++] = t;
        }
    return n->count > 0;
}

bool prep_has_neighbours(br_function *f, br_loop l) {
    LLVMBasicBlockRef b;
    bool has = false;
    for (size_t k = 0; br_loop_latch(l) && (b = br_loop_block(l, k)) && !has; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !has;
             i = LLVMGetNextInstruction(i)) {
            prep_fill ignored;
            has = LLVMIsALoadInst(i) && moving_index(f, l, i) && prep_guess_fill(f, i, &ignored);
        }
    return has && !prep_is_guarded(l);
}

/* Whether the loop comes to the load */

/* May a call before the load not return? */
static bool may_end_before(const neighbours *n, LLVMBasicBlockRef block) {
    bool may = false;
    for (size_t b = 0; b < n->blocks && !may; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(n->own[b]); i && !may;
             i = LLVMGetNextInstruction(i))
            may = (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && !host_calls(i, "llvm.") &&
                  host_reaches(n->g.l, n->own[b], block);
    return may;
}

/* The innermost loop with both blocks. */
static br_loop common_loop(const neighbours *n, LLVMBasicBlockRef a, LLVMBasicBlockRef b) {
    br_loop l = br_loop_of(n->g.f, a);
    while (!br_loop_contains(l, b))
        l = br_loop_parent(l);
    return l;
}

static bool gets_to(br_loop l, LLVMBasicBlockRef from, LLVMBasicBlockRef block) {
    return br_loop_contains(l, from) && host_reaches(l, from, block);
}

/* Requires the condition of the branch, if control comes to the block on one of its ways only. */
static bool require_branch(neighbours *n, LLVMBasicBlockRef from, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    br_loop l = common_loop(n, from, block);
    if (from == block || from == br_loop_latch(l) || !gets_to(l, from, block))
        return true;
    if (!br_is_conditional(end))
        return br_is_branch(end);
    bool yes = gets_to(l, LLVMGetSuccessor(end, 0), block);
    bool no = gets_to(l, LLVMGetSuccessor(end, 1), block);
    return yes == no || prep_guard_holds(&n->g, LLVMGetCondition(end), yes);
}

/* Requires the conditions without which control does not come to the block in an iteration. Each
 * inner loop with the block must come to its end in its first iteration. */
static bool require_way(neighbours *n, LLVMBasicBlockRef block) {
    bool good = !may_end_before(n, block);
    for (br_loop l = br_loop_of(n->g.f, block); good && l != n->g.l; l = br_loop_parent(l))
        good = host_tests_last(l);
    for (size_t b = 0; b < n->blocks && good; b++)
        good = require_branch(n, n->own[b], block);
    return good;
}

/* In front of the loop */

static LLVMValueRef signed_number(LLVMTypeRef t, int64_t n) {
    return LLVMConstInt(t, (uint64_t)n, true);
}

/* What does not change in the loop, as a number of 64 bits in front of it. */
static LLVMValueRef in_front(neighbours *n, br_scev s) {
    LLVMContextRef c = LLVMGetTypeContext(n->g.wide);
    unsigned bits = br_scev_bits(n->g.f, s);
    if (!s || bits > 64 || !br_scev_invariant(n->g.f, s, n->g.l) ||
        !br_scev_expandable(n->g.f, s, n->g.in_front))
        return NULL;
    LLVMTypeRef type = LLVMIntTypeInContext(c, bits);
    LLVMValueRef v = br_scev_expand(n->g.f, s, type, n->g.in_front);
    LLVMPositionBuilderBefore(n->g.b, n->g.in_front);
    v = LLVMBuildFreeze(n->g.b, v, "");
    return bits < 64 ? LLVMBuildSExt(n->g.b, v, LLVMInt64TypeInContext(c), "") : v;
}

/* Fills in the indices that the load comes to. False: they are not known in front of the loop. */
static bool find_range(neighbours *n, table_load *t) {
    br_scev index = moving_index(n->g.f, n->g.l, t->own);
    bool ends = host_tests_last(br_scev_loop(index));
    br_scev back = ends ? br_backedge_count(n->g.f, br_scev_loop(index)) : NULL;
    t->first = in_front(n, br_scev_operand(index, 0));
    LLVMValueRef more = back ? in_front(n, br_scev_zext(n->g.f, back, 64)) : NULL;
    if (!t->first || !more)
        return false;
    t->last = LLVMBuildAdd(n->g.b, t->first, more, "");
    return true;
}

/* `reads`: the conditions under which the table is there. */
static LLVMValueRef build_test(neighbours *n, LLVMValueRef reads, const table_load *t) {
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(n->own[0]));
    LLVMValueRef table = table_of(t->own);
    bool through = host_in_loop(n->g.l, table);
    prep_holds h = {.reads = reads,
                    .table = through ? LLVMGetOperand(table, 0) : table,
                    .through = through,
                    .first = t->first,
                    .last = t->last,
                    .fill = t->fill};
    return prep_build_holds(n->g.b, m, LLVMTypeOf(t->own), &h);
}

static bool stays(neighbours *n, LLVMValueRef load) {
    LLVMValueRef table = table_of(load);
    return prep_guard_unchanged(&n->g, load) &&
           (!host_in_loop(n->g.l, table) || prep_guard_unchanged(&n->g, table));
}

/* The loads that are not known in front of the loop are left as they are. */
static bool build_guard(neighbours *n) {
    size_t count = 0;
    for (size_t i = 0; i < n->count; i++) {
        LLVMPositionBuilderBefore(n->g.b, n->g.in_front);
        LLVMValueRef before = n->g.all;
        if (find_range(n, &n->load[i]) &&
            require_way(n, LLVMGetInstructionParent(n->load[i].own)) && stays(n, n->load[i].own))
            n->load[count++] = n->load[i];
        else
            n->g.all = before;
    }
    n->count = count;
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(n->g.wide));
    LLVMValueRef reads = n->g.all ? n->g.all : LLVMConstInt(bit, 1, false);
    n->g.all = reads;
    for (size_t i = 0; i < count; i++)
        n->g.all = LLVMBuildAnd(n->g.b, n->g.all, build_test(n, reads, &n->load[i]), "");
    return count > 0;
}

/* In the copy */

/* The index, moved, and brought back at the end that it passes. No sum wraps: the comparison limits
 * the indices. */
static LLVMValueRef build_value(LLVMBuilderRef b, const table_load *t) {
    int64_t away = t->fill.away;
    LLVMValueRef first = t->first, last = t->last;
    LLVMTypeRef type = LLVMTypeOf(first);
    LLVMValueRef x = LLVMBuildIntCast2(b, index_of(t->copy), type, true, "");
    LLVMValueRef at = LLVMBuildNSWAdd(b, x, signed_number(type, away), "");
    LLVMValueRef edge = LLVMBuildNSWSub(b, away < 0 ? first : last, signed_number(type, away), "");
    LLVMValueRef other = away < 0 ? first : last;
    if (t->fill.ends == FILL_PERIODIC) {
        LLVMValueRef count = LLVMBuildNSWSub(b, last, first, "");
        count = LLVMBuildNSWAdd(b, count, signed_number(type, 1), "");
        other = away < 0 ? LLVMBuildNSWAdd(b, at, count, "") : LLVMBuildNSWSub(b, at, count, "");
    }
    if (t->fill.ends != FILL_OPEN) {
        LLVMValueRef past = LLVMBuildICmp(b, away < 0 ? LLVMIntSLT : LLVMIntSGT, x, edge, "");
        at = LLVMBuildSelect(b, past, other, at, "");
    }
    return t->fill.base ? LLVMBuildNSWAdd(b, at, signed_number(type, t->fill.base), "") : at;
}

/* Numbers of 64 bits that are made of the load become the value itself. */
static void replace_load(LLVMBuilderRef b, const table_load *t) {
    LLVMPositionBuilderBefore(b, t->copy);
    LLVMValueRef value = build_value(b, t), user;
    for (LLVMUseRef u = LLVMGetFirstUse(t->copy), next; u; u = next) {
        next = LLVMGetNextUse(u);
        user = LLVMGetUser(u);
        if (LLVMIsASExtInst(user) && LLVMTypeOf(user) == LLVMTypeOf(value))
            LLVMReplaceAllUsesWith(user, value);
    }
    LLVMReplaceAllUsesWith(t->copy, LLVMBuildIntCast2(b, value, LLVMTypeOf(t->copy), true, ""));
    LLVMInstructionEraseFromParent(t->copy);
}

static void replace_loads(neighbours *n) {
    for (size_t i = 0; i < n->count; i++)
        n->load[i].copy = br_twin_of(n->own, n->blocks, n->copy, n->load[i].own);
    for (size_t i = 0; i < n->count; i++)
        replace_load(n->g.b, &n->load[i]);
}

static LLVMBasicBlockRef guard(neighbours *n, prep_shadow *s, LLVMBasicBlockRef head) {
    size_t outs;
    LLVMBasicBlockRef before;
    br_loop l = prep_prepared_loop(s->f, head, &before);
    l = l && br_loop_latch(l) ? l : NULL;
    n->blocks = l ? br_loop_blocks(l, n->own, MAX_BLOCKS) : 0;
    if (n->blocks == 0 || n->blocks > MAX_BLOCKS)
        return NULL;
    n->g.f = s->f;
    n->g.l = l;
    n->g.in_front = LLVMGetBasicBlockTerminator(before);
    n->g.wide = LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)), 128);
    if (!find_loads(n) || !build_guard(n))
        return NULL;
    br_twin(before, n->own, n->blocks, n->g.all, n->copy, NULL, 0, &outs);
    prep_set_guarded(l);
    replace_loads(n);
    br_function_invalidate(s->f);
    return n->copy[0];
}

LLVMBasicBlockRef prep_guard_neighbours(prep_shadow *s, LLVMBasicBlockRef head) {
    neighbours *n = calloc(1, sizeof *n);
    n->g.b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
    LLVMBasicBlockRef copy = guard(n, s, head);
    bool good = copy && prep_simplify(s, copy);
    LLVMDisposeBuilder(n->g.b);
    free(n);
    return good ? copy : NULL;
}
