/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mathematical functions in cells that the CPU computes before the sweep, because a GPU's have
 * other bits, or because they may set errno:
 *
 *     for (i..) for (j..)                      if (worthwhile && (t = memory))
 *         b[i][j] = f(a..) * sin(x[i][j]);         for (i..) for (j..) t[n] = sin(x[i][j]);
 *                                       ->         for (i..) for (j..) b[i][j] = f(a..) * t[n];
 *                                                  free(t);
 *                                              else
 *                                                  the nest as it was
 *
 * Legal if nothing that the calls need (needs.h) is written in the nest. The nest that fills the
 * tables is a copy in which only that is left, so it makes the same calls in the same order, and
 * errno is afterwards what it was. `n` counts the iterations of the loops around the call.
 *
 * It pays if a cell does more than the table costs: that is written, copied to the device and read
 * there. So a table needs a number of other accesses in a cell (LEAST_ACCESSES). Arguments must be
 * computed of few elements (MOST_LOADS), of arrays that no loop around the nest changes: the CPU
 * would compute what the device is to compute, and arrays would go to and fro. The program asks for
 * memory only if the sweep is so large that the runtime is asked, and there is a device.
 */
#include "prepare/lookups.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "prepare/checks.h"
#include "prepare/early.h"
#include "prepare/needs.h"
#include "prepare/sequence.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

enum {
    MAX_BLOCKS = HOST_MAX_BLOCKS, /* of which it is known whence control comes */
    MAX_LOOPS = 4,
    MAX_LOADS = ST_LIMIT(48, 2),
    LEAST_ACCESSES = 4, /* for each table: a store, a copy, two loads */
    MOST_LOADS = 2,     /* by which a call's arguments are computed */
    COUNT_BITS = 48,    /* of all iterations */
    ALIGNMENT = 64
};

typedef struct table {
    LLVMValueRef call, index;           /* in the sweep */
    LLVMValueRef bytes, cells, address; /* in front of it */
} table;

typedef struct lookups {
    prep_guard g; /* of the copy that becomes the sweep */
    prep_needs needs;
    LLVMBasicBlockRef own[MAX_BLOCKS], sweep[MAX_BLOCKS], fill[MAX_BLOCKS];
    size_t blocks;
    LLVMValueRef load[MAX_LOADS]; /* made in front of the nest */
    size_t loads;
    table table[NEEDS_CALLS];
    size_t tables;
    LLVMValueRef bytes; /* of all */
    /* Of each loop around a call: its counter, and how often it goes round. */
    br_loop loop[NEEDS_VALUES / 16];
    LLVMValueRef counter[NEEDS_VALUES / 16], count[NEEDS_VALUES / 16];
    size_t loops;
    LLVMTypeRef i64;
} lookups;

/* Counters */

static LLVMValueRef number(const lookups *t, uint64_t n) {
    return LLVMConstInt(t->i64, n, false);
}

/* How often the loop goes round, in front of the nest; NULL: that is not known there. */
static LLVMValueRef build_count(lookups *t, br_loop l) {
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

static LLVMValueRef build_counter(lookups *t, br_loop l) {
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
static int loop_number(lookups *t, br_loop l) {
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
static int find_order(lookups *t, LLVMValueRef call, int *order) {
    br_loop chain[MAX_LOOPS], l = br_loop_of(t->g.f, LLVMGetInstructionParent(call));
    LLVMValueRef store = host_first_store(l);
    int64_t stride[MAX_LOOPS];
    int count = 0;
    for (;; l = br_loop_parent(l)) {
        if (count == MAX_LOOPS)
            return 0;
        chain[count] = l;
        stride[count++] = store ? stride_of(t->g.f, LLVMGetOperand(store, 1), l) : 0;
        if (l == t->g.l)
            break;
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

static void require(lookups *t, LLVMValueRef condition) {
    t->g.all = t->g.all ? LLVMBuildAnd(t->g.b, t->g.all, condition, "") : condition;
}

/* Computes how large the table is, in front of the nest. */
static void build_size(lookups *t, table *out, const int *order, int count) {
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

static LLVMValueRef add_needed(lookups *t, LLVMValueRef v) {
    if (LLVMIsAInstruction(v) && !prep_is_needed(&t->needs, v))
        t->needs.value[t->needs.values++] = v;
    return v;
}

/* Numbers the iterations, in front of the call. No sum or product wraps, by the limits. */
static void build_index(lookups *t, table *out, const int *order, int count) {
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

/* What else a cell loads and stores. */
static size_t count_accesses(const lookups *t) {
    size_t count = 0;
    for (size_t b = 0; b < t->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->sweep[b]); i;
             i = LLVMGetNextInstruction(i))
            count += LLVMIsAStoreInst(i) || (LLVMIsALoadInst(i) && !prep_is_needed(&t->needs, i));
    return count;
}

/* The place that has the array's address, or the array. */
static LLVMValueRef array_of(LLVMValueRef address) {
    LLVMValueRef base = host_base_of(address);
    return LLVMIsALoadInst(base) ? LLVMGetOperand(base, 0) : base;
}

/* Does a loop around the nest write the array that is loaded from, or exchange it with another? The
 * CPU would then wait for it in each iteration. */
static bool changes_around(const lookups *t, LLVMValueRef load) {
    LLVMValueRef array = array_of(LLVMGetOperand(load, 0));
    br_loop around = br_loop_parent(t->g.l);
    LLVMBasicBlockRef b;
    while (around && br_loop_parent(around))
        around = br_loop_parent(around);
    bool changes = around && LLVMIsAPHINode(array) && host_in_loop(around, array);
    for (size_t k = 0; around && !changes && (b = br_loop_block(around, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !changes;
             i = LLVMGetNextInstruction(i))
            changes = host_written(i) && array_of(host_written(i)) == array;
    return changes;
}

/* Do the calls depend on few elements of arrays, none of which changes around the nest? */
static bool are_settled(const lookups *t) {
    size_t loads = 0;
    bool settled = true;
    for (size_t k = 0; k < t->needs.arguments && settled; k++) {
        LLVMValueRef v = t->needs.value[k];
        loads += LLVMIsALoadInst(v) != NULL;
        settled = !LLVMIsALoadInst(v) || !changes_around(t, v);
    }
    return settled && loads <= MOST_LOADS * t->needs.calls;
}

static bool find_tables(lookups *t) {
    enum { MOST_VALUES = 4 * MAX_LOOPS }; /* of counters and indices of a table */
    int order[NEEDS_CALLS][MAX_LOOPS], count[NEEDS_CALLS];
    for (size_t k = 0; k < t->needs.calls; k++)
        if (!prep_is_for_calls(&t->needs, t->needs.call[k]))
            t->table[t->tables++].call = t->needs.call[k];
    bool good = t->tables > 0 && count_accesses(t) >= LEAST_ACCESSES * t->tables &&
                are_settled(t) && t->needs.values + MOST_VALUES * t->tables < NEEDS_VALUES;
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
static LLVMValueRef build_call(lookups *t, const char *name, LLVMTypeRef result,
                               LLVMValueRef *given, unsigned count) {
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(t->sweep[0]));
    LLVMTypeRef types[2];
    for (unsigned k = 0; k < count; k++)
        types[k] = LLVMTypeOf(given[k]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    return LLVMBuildCall2(t->g.b, type, f ? f : LLVMAddFunction(m, name, type), given, count, "");
}

/* Asks for memory for all tables, in front of the nest. The address, which may be null. */
static LLVMValueRef ask_for_memory(lookups *t) {
    LLVMContextRef c = LLVMGetTypeContext(t->i64);
    LLVMValueRef given[2];
    t->bytes = number(t, 0);
    LLVMPositionBuilderBefore(t->g.b, t->g.in_front);
    for (size_t k = 0; k < t->tables; k++)
        t->bytes = LLVMBuildAdd(t->g.b, t->bytes, t->table[k].bytes, "");
    require(t, build_call(t, worthwhile, LLVMInt1TypeInContext(c), &t->table[0].cells, 1));
    given[0] = t->g.all;
    given[1] = t->bytes;
    return build_call(t, memory_for, LLVMPointerTypeInContext(c, 0), given, 2);
}

static void place_tables(lookups *t, LLVMValueRef memory) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(t->i64));
    LLVMPositionBuilderBefore(t->g.b, t->g.in_front);
    for (size_t k = 0; k < t->tables; k++) {
        t->table[k].address = memory;
        memory = LLVMBuildGEP2(t->g.b, byte, memory, &t->table[k].bytes, 1, "");
    }
}

/* Copies */

/* The instruction among the copies that is this one's, by its place in the block. */
static LLVMValueRef copy_of(const lookups *t, const LLVMBasicBlockRef *from,
                            const LLVMBasicBlockRef *to, LLVMValueRef v) {
    size_t b = 0;
    while (b < t->blocks && from[b] != LLVMGetInstructionParent(v))
        b++;
    LLVMValueRef i = b < t->blocks ? LLVMGetFirstInstruction(to[b]) : v;
    for (LLVMValueRef k = LLVMGetFirstInstruction(from[b]); b < t->blocks && k != v;
         k = LLVMGetNextInstruction(k))
        i = LLVMGetNextInstruction(i);
    return i;
}

static LLVMValueRef build_element(const lookups *t, size_t k, LLVMValueRef index) {
    return LLVMBuildInBoundsGEP2(t->g.b, LLVMTypeOf(t->table[k].call), t->table[k].address, &index,
                                 1, "");
}

static void drop(LLVMValueRef i) {
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
    LLVMInstructionEraseFromParent(i);
}

/* Leaves in the block of the nest that fills the tables what the calls need. */
static void leave_needed(const lookups *t, size_t b) {
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

static void make_fill(lookups *t) {
    LLVMValueRef call[NEEDS_CALLS], index[NEEDS_CALLS];
    for (size_t k = 0; k < t->tables; k++) {
        call[k] = copy_of(t, t->sweep, t->fill, t->table[k].call);
        index[k] = copy_of(t, t->sweep, t->fill, t->table[k].index);
    }
    for (size_t b = 0; b < t->blocks; b++)
        leave_needed(t, b);
    for (size_t k = 0; k < t->tables; k++) {
        LLVMPositionBuilderBefore(t->g.b, LLVMGetNextInstruction(call[k]));
        LLVMBuildStore(t->g.b, call[k], build_element(t, k, index[k]));
    }
}

/* Calls in the sweep become loads of what they gave, or nothing. */
static void make_sweep(lookups *t) {
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
static LLVMValueRef branch_back(const lookups *t) {
    size_t b = 0;
    while (t->sweep[b] != br_loop_latch(t->g.l))
        b++;
    return LLVMGetBasicBlockTerminator(t->fill[b]);
}

/* Where the nest that fills the tables ends, the sweep begins. */
static void go_on(lookups *t, LLVMBasicBlockRef in, LLVMBasicBlockRef out) {
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
}

static void free_memory(lookups *t, LLVMBasicBlockRef out) {
    LLVMPositionBuilderBefore(t->g.b, LLVMGetBasicBlockTerminator(out));
    build_call(t, drop_memory, LLVMVoidTypeInContext(LLVMGetTypeContext(t->i64)),
               (LLVMValueRef[]){t->table[0].address, t->bytes}, 2);
}

/* Makes the tables, behind block `in`, and has the sweep look them up. `out`: where the sweep goes
 * then. */
static bool use_tables(lookups *t, LLVMBasicBlockRef in, LLVMBasicBlockRef out,
                       LLVMValueRef memory) {
    LLVMBasicBlockRef filled;
    size_t fills;
    t->g.in_front = LLVMGetBasicBlockTerminator(in);
    place_tables(t, memory);
    LLVMValueRef yes = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(t->i64)), 1, false);
    br_twin(in, t->sweep, t->blocks, yes, t->fill, &filled, 1, &fills);
    if (fills != 1)
        return false;
    make_fill(t);
    make_sweep(t);
    go_on(t, in, filled);
    free_memory(t, out);
    prep_leave_loop(branch_back(t));
    return true;
}

/* Addresses and sizes */

/* Lists the loads that the value is computed of, in the loop, and that can be made in front of it.
 * The list of what calls need is not in use yet: it has the values that were looked at. */
static void list_loads(lookups *t, br_loop own, LLVMValueRef v) {
    prep_needs *seen = &t->needs;
    if (!host_in_loop(own, v) || prep_is_needed(seen, v) || seen->values == NEEDS_VALUES)
        return;
    seen->value[seen->values++] = v;
    if (LLVMIsALoadInst(v) && prep_is_there_early(t->g.f, own, v)) {
        if (t->loads < MAX_LOADS)
            t->load[t->loads++] = v;
        return;
    }
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        list_loads(t, own, LLVMGetOperand(v, (unsigned)k));
}

/* Loads of addresses and sizes move in front of the nest, in the copy: those by which places are
 * found that are stored to, arguments of calls, and where control goes. */
static void move_loads(lookups *t, br_loop own, LLVMBasicBlockRef before) {
    for (size_t b = 0; b < t->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->own[b]); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i))
                list_loads(t, own, LLVMGetOperand(i, 1));
            else if (br_is_conditional(i))
                list_loads(t, own, LLVMGetCondition(i));
            else if (prep_is_library_call(i))
                list_loads(t, own, i);
    for (size_t k = 0; k < t->loads; k++)
        t->load[k] = copy_of(t, t->own, t->sweep, t->load[k]);
    for (size_t k = 0; k < t->loads; k++)
        br_load_earlier(t->load[k], LLVMGetBasicBlockTerminator(before));
}

static bool loads_stay(lookups *t) {
    bool good = true;
    for (size_t k = 0; k < t->loads && good; k++)
        good = prep_stays(&t->g, t->load[k]);
    return good;
}

/* Whether there is something to do */

br_loop prep_calling_loop(br_function *f, br_loop l) {
    LLVMBasicBlockRef b;
    br_loop in = NULL;
    for (size_t k = 0; host_tests_last(l) && !in && (b = br_loop_block(l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !in; i = LLVMGetNextInstruction(i))
            in = prep_is_library_call(i) ? br_loop_of(f, b) : NULL;
    return in && !prep_is_guarded(l) ? in : NULL;
}

/* Makes the copy that becomes the sweep, which runs where there are tables. */
static bool look_up(lookups *t, br_loop own, LLVMBasicBlockRef before) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(t->i64));
    LLVMBasicBlockRef out;
    size_t outs;
    LLVMPositionBuilderBefore(t->g.b, LLVMGetBasicBlockTerminator(before));
    LLVMValueRef unknown = LLVMBuildFreeze(t->g.b, LLVMGetUndef(bit), "");
    LLVMBasicBlockRef in = br_twin(before, t->own, t->blocks, unknown, t->sweep, &out, 1, &outs);
    move_loads(t, own, before);
    prep_set_guarded(own);
    br_function_invalidate(t->g.f);
    t->g.l = prep_loop_at(t->g.f, t->sweep[0]);
    t->g.in_front = LLVMGetBasicBlockTerminator(before);
    LLVMPositionBuilderBefore(t->g.b, t->g.in_front);
    if (outs != 1 || !t->g.l || !loads_stay(t) || !prep_find_needs(&t->needs, &t->g) ||
        !find_tables(t))
        return false;
    LLVMValueRef memory = ask_for_memory(t), null = LLVMConstNull(LLVMTypeOf(memory));
    LLVMReplaceAllUsesWith(unknown, LLVMBuildICmp(t->g.b, LLVMIntNE, memory, null, ""));
    return use_tables(t, in, out, memory);
}

static bool look_up_in(lookups *t, prep_shadow *s, LLVMBasicBlockRef head) {
    LLVMBasicBlockRef before;
    br_loop l = prep_prepared_loop(s->f, head, &before);
    l = l && host_tests_last(l) ? l : NULL;
    t->blocks = l ? br_loop_blocks(l, t->own, MAX_BLOCKS) : 0;
    t->g.f = s->f;
    t->g.wide = LLVMIntTypeInContext(LLVMGetTypeContext(t->i64), 128);
    bool good = t->blocks > 0 && t->blocks <= MAX_BLOCKS && look_up(t, l, before);
    br_function_invalidate(s->f);
    good = good && br_function_fold(s->f);
    br_function_invalidate(s->f);
    return good;
}

LLVMBasicBlockRef prep_look_calls_up(prep_shadow *s, LLVMBasicBlockRef head) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(s->function));
    lookups *t = calloc(1, sizeof *t);
    t->g.b = LLVMCreateBuilderInContext(c);
    t->i64 = LLVMInt64TypeInContext(c);
    LLVMBasicBlockRef copy = look_up_in(t, s, head) ? t->sweep[0] : NULL;
    LLVMDisposeBuilder(t->g.b);
    free(t);
    return copy;
}
