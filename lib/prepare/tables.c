/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tables of what a nest's cells need, which the CPU fills in front of the sweep: see lookups.c,
 * gathers.c. `n`, an element's number, counts the iterations of the loops around what it holds.
 */
#include "prepare/tables.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "prepare/checks.h"
#include "prepare/sequence.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

enum {
    MAX_LOOPS = 4,
    COUNT_BITS = 48, /* of all iterations */
    ALIGNMENT = 64
};

#define MOST_BYTES (UINT64_C(1) << 33) /* of a time loop's tables */

/* Counters */

static LLVMValueRef number(const prep_tables *t, uint64_t n) {
    return LLVMConstInt(t->i64, n, false);
}

/* How often the loop goes round, in front of the nest; NULL: that is not known there. */
static LLVMValueRef build_count(prep_tables *t, br_loop l) {
    LLVMValueRef back =
        host_tests_last(l) ? prep_build_repeats(t->g.f, l, t->g.l, t->g.in_front, t->g.b) : NULL;
    return back ? LLVMBuildAdd(t->g.b, back, number(t, 1), "") : NULL;
}

/* Adds the edges from outside the loop, and the one from its latch, to the phi of its head. */
static void add_edges(LLVMValueRef phi, br_loop l, LLVMValueRef first, LLVMValueRef next) {
    LLVMBasicBlockRef head = br_loop_header(l);
    LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(head));
    for (; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef end = LLVMIsATerminatorInst(LLVMGetUser(u));
        LLVMBasicBlockRef from = end ? LLVMGetInstructionParent(end) : NULL;
        if (from)
            LLVMAddIncoming(phi, br_loop_contains(l, from) ? &next : &first, &from, 1);
    }
}

static LLVMValueRef build_counter(prep_tables *t, br_loop l) {
    LLVMPositionBuilderBefore(t->g.b, LLVMGetFirstInstruction(br_loop_header(l)));
    LLVMValueRef phi = LLVMBuildPhi(t->g.b, t->i64, "");
    LLVMPositionBuilderBefore(t->g.b, LLVMGetBasicBlockTerminator(br_loop_latch(l)));
    LLVMValueRef next = LLVMBuildNUWAdd(t->g.b, phi, number(t, 1), "");
    LLVMSetNSW(next, true);
    add_edges(phi, l, number(t, 0), next);
    t->needs.value[t->needs.values++] = phi;
    t->needs.value[t->needs.values++] = next;
    return phi;
}

/* The loop's number among those with counters; -1: it gets none. */
static int loop_number(prep_tables *t, br_loop l) {
    for (size_t k = 0; k < t->loops; k++)
        if (t->loop[k] == l)
            return (int)k;
    bool room = t->loops < sizeof t->loop / sizeof *t->loop && t->needs.values + 2 < NEEDS_VALUES;
    LLVMValueRef count = room ? build_count(t, l) : NULL;
    if (!count)
        return -1;
    t->loop[t->loops] = l;
    t->count[t->loops] = count;
    t->counter[t->loops] = NULL; /* built once all counts are known */
    return (int)t->loops++;
}

/* Tables */

/* By how many bytes the loop walks the array; INT64_MAX: that is known only at run time. */
static int64_t stride_of(br_function *f, LLVMValueRef address, br_loop l) {
    int64_t by = 0;
    br_scev s = br_scev_of(f, address);
    for (; br_scev_kind(s) == BR_ADDREC; s = br_scev_operand(s, 0))
        if (br_scev_loop(s) == l)
            return br_scev_int(br_scev_operand(s, 1), &by) ? llabs(by) : INT64_MAX;
    return by;
}

/* Fills in the loops around the call, in the order of the table's dimensions: as an array that the
 * nest writes is laid out, if the loops walk that in another order. */
static int find_order(prep_tables *t, LLVMValueRef call, int *order) {
    br_loop chain[MAX_LOOPS], l = br_loop_of(t->g.f, LLVMGetInstructionParent(call));
    LLVMValueRef store = host_first_store(l);
    int64_t stride[MAX_LOOPS];
    int count = 0;
    bool more = l != t->g.l || !t->needs.steps;
    for (; more; l = br_loop_parent(l)) {
        if (count == MAX_LOOPS)
            return 0;
        chain[count] = l;
        stride[count++] = store ? stride_of(t->g.f, LLVMGetOperand(store, 1), l) : 0;
        more = l != t->g.l && !(t->needs.steps && br_loop_parent(l) == t->g.l);
    }
    for (int k = 1; k < count; k++) /* the least stride first */
        for (int i = k; i > 0 && stride[i] < stride[i - 1]; i--) {
            int64_t s = stride[i];
            stride[i] = stride[i - 1], stride[i - 1] = s;
            l = chain[i], chain[i] = chain[i - 1], chain[i - 1] = l;
        }
    for (int k = 0; k < count; k++)
        if ((order[k] = loop_number(t, chain[count - 1 - k])) < 0)
            return 0;
    return count;
}

static void require(prep_tables *t, LLVMValueRef condition) {
    t->g.all = t->g.all ? LLVMBuildAnd(t->g.b, t->g.all, condition, "") : condition;
}

/* Computes how large the table is, in front of the nest. */
static void build_size(prep_tables *t, prep_table *out, const int *order, int count) {
    LLVMTargetDataRef layout =
        LLVMGetModuleDataLayout(LLVMGetGlobalParent(LLVMGetBasicBlockParent(t->sweep[0])));
    LLVMPositionBuilderBefore(t->g.b, t->g.in_front);
    LLVMValueRef most = number(t, UINT64_C(1) << (COUNT_BITS / count)), cells = number(t, 1);
    for (int k = 0; k < count; k++) {
        LLVMValueRef n = t->count[order[k]];
        LLVMValueRef less = LLVMBuildSub(t->g.b, n, number(t, 1), "");
        require(t, LLVMBuildICmp(t->g.b, LLVMIntULT, less, most, ""));
        cells = LLVMBuildMul(t->g.b, cells, n, "");
    }
    uint64_t size = LLVMABISizeOfType(layout, LLVMTypeOf(out->call));
    LLVMValueRef bytes = LLVMBuildMul(t->g.b, cells, number(t, size), "");
    bytes = LLVMBuildAdd(t->g.b, bytes, number(t, ALIGNMENT - 1), "");
    out->bytes = LLVMBuildAnd(t->g.b, bytes, number(t, ~(uint64_t)(ALIGNMENT - 1)), "");
    out->cells = cells;
}

static LLVMValueRef add_needed(prep_tables *t, LLVMValueRef v) {
    if (LLVMIsAInstruction(v) && !prep_is_needed(&t->needs, v))
        t->needs.value[t->needs.values++] = v;
    return v;
}

/* Numbers the iterations, in front of the call. No sum or product wraps, by the limits. */
static void build_index(prep_tables *t, prep_table *out, const int *order, int count) {
    LLVMValueRef index = NULL;
    for (int k = 0; k < count; k++) {
        LLVMValueRef *counter = &t->counter[order[k]];
        if (!*counter)
            *counter = build_counter(t, t->loop[order[k]]);
        LLVMPositionBuilderBefore(t->g.b, out->call);
        if (index) {
            index = add_needed(t, LLVMBuildNSWMul(t->g.b, index, t->count[order[k]], ""));
            index = add_needed(t, LLVMBuildNSWAdd(t->g.b, index, *counter, ""));
        } else {
            index = *counter;
        }
    }
    out->index = index;
}

void prep_tables_list(prep_tables *t) {
    for (size_t k = 0; k < t->needs.calls; k++)
        if (!prep_is_for_calls(&t->needs, t->needs.call[k]))
            t->table[t->tables++].call = t->needs.call[k];
}

bool prep_tables_number(prep_tables *t) {
    enum { MOST_VALUES = 4 * MAX_LOOPS }; /* of counters and indices of a table */
    int order[NEEDS_CALLS][MAX_LOOPS], count[NEEDS_CALLS];
    bool good = t->needs.values + MOST_VALUES * t->tables < NEEDS_VALUES;
    for (size_t k = 0; k < t->tables && good; k++)
        good = (count[k] = find_order(t, t->table[k].call, order[k])) > 0;
    for (size_t k = 0; k < t->tables && good; k++)
        build_size(t, &t->table[k], order[k], count[k]);
    for (size_t k = 0; k < t->tables && good; k++)
        build_index(t, &t->table[k], order[k], count[k]);
    return good;
}

/* Memory */

static const char worthwhile[] = "stencilopt.worthwhile", memory_for[] = "stencilopt.table",
                  drop_memory[] = "stencilopt.drop";

static LLVMValueRef first_call(LLVMModuleRef m, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL;
    return u ? LLVMGetUser(u) : NULL;
}

bool prep_asks_worth(LLVMValueRef i) {
    return host_calls(i, worthwhile);
}

LLVMValueRef prep_next_worthwhile(LLVMModuleRef m) {
    return first_call(m, worthwhile);
}

void prep_forget_tables(LLVMModuleRef m) {
    LLVMValueRef call;
    while ((call = first_call(m, memory_for)) || (call = first_call(m, drop_memory))) {
        if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
            LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
        LLVMInstructionEraseFromParent(call);
    }
}

void prep_drop_tables(LLVMModuleRef m) {
    static const char *const names[] = {worthwhile, memory_for, drop_memory};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        LLVMValueRef f = LLVMGetNamedFunction(m, names[k]);
        if (f && LLVMIsDeclaration(f) && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
}

/* Calls this function of the program, which lib/offload adds (stub/entry.c). */
static LLVMValueRef build_call(LLVMBuilderRef b, const char *name, LLVMTypeRef result,
                               LLVMValueRef *given, unsigned count) {
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    LLVMTypeRef types[2];
    for (unsigned k = 0; k < count; k++)
        types[k] = LLVMTypeOf(given[k]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    return LLVMBuildCall2(b, type, f ? f : LLVMAddFunction(m, name, type), given, count, "");
}

LLVMValueRef prep_build_worthwhile(LLVMBuilderRef b, LLVMValueRef cells) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(cells)));
    return build_call(b, worthwhile, bit, &cells, 1);
}

LLVMValueRef prep_tables_ask(prep_tables *t, LLVMValueRef cells) {
    LLVMContextRef c = LLVMGetTypeContext(t->i64);
    LLVMValueRef given[2];
    t->bytes = number(t, 0);
    LLVMPositionBuilderBefore(t->g.b, t->g.in_front);
    for (size_t k = 0; k < t->tables; k++)
        t->bytes = LLVMBuildAdd(t->g.b, t->bytes, t->table[k].bytes, "");
    if (t->needs.steps) /* often several tables, and of no use but to the device */
        require(t, LLVMBuildICmp(t->g.b, LLVMIntULE, t->bytes, number(t, MOST_BYTES), ""));
    require(t, prep_build_worthwhile(t->g.b, cells));
    given[0] = t->g.all;
    given[1] = t->bytes;
    return build_call(t->g.b, memory_for, LLVMPointerTypeInContext(c, 0), given, 2);
}

static void place_tables(prep_tables *t, LLVMValueRef memory) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(t->i64));
    LLVMPositionBuilderBefore(t->g.b, t->g.in_front);
    for (size_t k = 0; k < t->tables; k++) {
        t->table[k].address = memory;
        memory = LLVMBuildGEP2(t->g.b, byte, memory, &t->table[k].bytes, 1, "");
    }
}

static LLVMValueRef build_element(const prep_tables *t, size_t k, LLVMValueRef index) {
    return LLVMBuildInBoundsGEP2(t->g.b, LLVMTypeOf(t->table[k].call), t->table[k].address, &index,
                                 1, "");
}

static void drop(LLVMValueRef i) {
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
    LLVMInstructionEraseFromParent(i);
}

/* Leaves in the block of the nest that fills the tables what the calls need. */
static void leave_needed(const prep_tables *t, size_t b) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(t->i64));
    LLVMValueRef of = LLVMGetFirstInstruction(t->sweep[b]), next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(t->fill[b]); i;
         i = next, of = LLVMGetNextInstruction(of)) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsATerminatorInst(i)) {
            if (!prep_is_needed(&t->needs, of))
                drop(i);
        } else if (br_is_conditional(i) && !prep_decides(&t->needs, t->sweep[b])) {
            LLVMSetCondition(i, LLVMConstInt(bit, 1, false));
        }
    }
}

static void make_fill(prep_tables *t) {
    LLVMValueRef call[NEEDS_CALLS], index[NEEDS_CALLS];
    for (size_t k = 0; k < t->needs.calls; k++)
        t->made[k] = br_twin_of(t->sweep, t->blocks, t->fill, t->needs.call[k]);
    for (size_t k = 0; k < t->tables; k++) {
        call[k] = br_twin_of(t->sweep, t->blocks, t->fill, t->table[k].call);
        index[k] = br_twin_of(t->sweep, t->blocks, t->fill, t->table[k].index);
    }
    for (size_t b = 0; b < t->blocks; b++)
        leave_needed(t, b);
    for (size_t k = 0; k < t->tables; k++) {
        LLVMPositionBuilderBefore(t->g.b, LLVMGetNextInstruction(call[k]));
        LLVMBuildStore(t->g.b, call[k], build_element(t, k, index[k]));
    }
}

/* Calls in the sweep become loads of what they gave, or nothing. */
static void make_sweep(prep_tables *t) {
    for (size_t k = 0; k < t->tables; k++) {
        LLVMValueRef call = t->table[k].call;
        LLVMPositionBuilderBefore(t->g.b, call);
        LLVMValueRef from = build_element(t, k, t->table[k].index);
        LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(t->g.b, LLVMTypeOf(call), from, ""));
    }
    for (size_t k = 0; k < t->needs.calls; k++)
        drop(t->needs.call[k]);
}

/* The branch back of the nest that fills the tables. */
static LLVMValueRef branch_back(const prep_tables *t) {
    size_t b = 0;
    while (t->sweep[b] != br_loop_latch(t->g.l))
        b++;
    return LLVMGetBasicBlockTerminator(t->fill[b]);
}

/* Where the nest that fills the tables ends, the sweep begins. */
static LLVMBasicBlockRef go_on(prep_tables *t, LLVMBasicBlockRef in, LLVMBasicBlockRef out) {
    LLVMContextRef c = LLVMGetTypeContext(t->i64);
    LLVMBasicBlockRef on = LLVMInsertBasicBlockInContext(c, t->sweep[0], "");
    LLVMPositionBuilderAtEnd(t->g.b, on);
    LLVMInstructionSetDebugLoc(LLVMBuildBr(t->g.b, t->sweep[0]),
                               LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(in)));
    LLVMValueRef latch = branch_back(t);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(latch); k++)
        if (LLVMGetSuccessor(latch, k) == out)
            LLVMSetSuccessor(latch, k, on);
    br_come_from(t->sweep[0], in, on);
    return on;
}

void prep_tables_drop(prep_tables *t, LLVMBasicBlockRef at) {
    LLVMPositionBuilderBefore(t->g.b, LLVMGetBasicBlockTerminator(at));
    build_call(t->g.b, drop_memory, LLVMVoidTypeInContext(LLVMGetTypeContext(t->i64)),
               (LLVMValueRef[]){t->table[0].address, t->bytes}, 2);
}

/* No loop that fills the tables is looked at again. */
static void leave_loops(const prep_tables *t) {
    for (size_t b = 0; b < t->blocks; b++)
        for (br_loop l = br_loop_of(t->g.f, t->sweep[b]); l; l = br_loop_parent(l))
            if (br_loop_latch(l) == t->sweep[b])
                prep_leave_loop(LLVMGetBasicBlockTerminator(t->fill[b]));
}

/* The steps of a time loop need the tables once. */
static void end_loop(LLVMValueRef back, LLVMBasicBlockRef out) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(back)));
    LLVMSetCondition(back, LLVMConstInt(bit, LLVMGetSuccessor(back, 0) == out, false));
}

LLVMBasicBlockRef prep_tables_fill(prep_tables *t, LLVMBasicBlockRef in, LLVMValueRef memory) {
    LLVMBasicBlockRef filled;
    size_t fills;
    t->g.in_front = LLVMGetBasicBlockTerminator(in);
    place_tables(t, memory);
    LLVMValueRef yes = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(t->i64)), 1, false);
    br_twin(in, t->sweep, t->blocks, yes, t->fill, &filled, 1, &fills);
    if (fills != 1)
        return NULL;
    make_fill(t);
    make_sweep(t);
    leave_loops(t);
    LLVMBasicBlockRef on = go_on(t, in, filled);
    if (t->needs.steps)
        end_loop(branch_back(t), on);
    return on;
}
