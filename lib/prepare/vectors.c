/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that assigns std::vectors by calls of their operator=, as members of a class, through
 * references, or vectors of vectors:
 *
 *     for (t..) {                         if (u and u_new have equal sizes, also of all rows)
 *         sweep;                              for (t..) { sweep; copy the elements of u_new to u; }
 *         u = u_new;              ->      else
 *     }                                       for (t..) { as it was }
 *
 * operator= then allocates nothing, and where the elements are stays what it was: begin and end of
 * each vector are read in front of the loop, and that no other store of the loop is there is
 * required (guard.h). The functions are known by their names in libstdc++, whose vectors are three
 * addresses: where the elements begin and end, and where the memory ends. Elements of a vector lie
 * in memory of their own, so stores to elements change none of these. Where a whole object is
 * assigned, its other fields, such as sizes of a grid, must be equal before.
 */
#include "prepare/vectors.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "prepare/alike.h"
#include "prepare/assigned.h"
#include "prepare/checks.h"
#include "prepare/early.h"
#include "prepare/guard.h"
#include "prepare/hoist.h"
#include "prepare/sequence.h"

#include <stdlib.h>

enum {
    MAX_BLOCKS = ST_LIMIT(256, 8),
    MAX_CALLS = 8,
    MAX_EARLY = ST_LIMIT(64, 4),
    MAX_FIELD = 64, /* bytes */
};

/* A part of an object that is assigned with its vectors: a store of what is loaded, or a memcpy. */
typedef struct field {
    LLVMValueRef store, to, from;
    uint64_t bytes;
} field;

typedef struct vectors {
    prep_guard g; /* of the copy */
    LLVMBasicBlockRef own[MAX_BLOCKS], copy[MAX_BLOCKS];
    size_t blocks, count, nearly, fields;
    assignment assigned[MAX_CALLS];
    field field[MAX_CALLS];
    LLVMValueRef early[MAX_EARLY]; /* loads that are made in front */
    LLVMTypeRef i64, pointer;
} vectors;

/* The calls */

/* Finds the calls in the loop. False: a vector is another one in each step or is not assigned in
 * each, or something else may throw. */
static bool find_calls(vectors *v, br_loop l) {
    v->count = 0;
    for (size_t b = 0; b < v->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->own[b]); i;
             i = LLVMGetNextInstruction(i)) {
            assignment a;
            bool assigns = prep_read_assignment(i, &a);
            if (!assigns && LLVMIsAInvokeInst(i))
                return false;
            if (!assigns)
                continue;
            if (v->count == MAX_CALLS || br_loop_of(v->g.f, v->own[b]) != l ||
                !prep_is_passed(v->g.f, l, v->own[b]) || host_in_loop(l, a.to) ||
                host_in_loop(l, a.from))
                return false;
            v->assigned[v->count++] = a;
        }
    return v->count > 0;
}

/* Fields */

static uint64_t bytes_of(LLVMValueRef access, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
    return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(LLVMGetGlobalParent(function)), type);
}

/* An address as a number of bytes away from a value. */
static br_scev find_place(br_function *f, LLVMValueRef address, int64_t *away) {
    br_scev s = br_scev_of(f, address);
    *away = 0;
    bool is = br_scev_kind(s) == BR_ADD && br_scev_count(s) == 2 &&
              br_scev_int(br_scev_operand(s, 0), away);
    return is ? br_scev_operand(s, 1) : s;
}

/* How far the address is from that of a vector of the same object. False: it is of another one. */
static bool find_distance(const vectors *v, LLVMValueRef address, LLVMValueRef vector,
                          int64_t *away) {
    int64_t at, start;
    bool same = find_place(v->g.f, address, &at) == find_place(v->g.f, vector, &start);
    *away = same ? at - start : 0;
    return same;
}

/* Is it copied between the objects whose vectors are assigned, at the same place of both? */
static bool is_of_objects(const vectors *v, const field *e) {
    int64_t to, from;
    bool is = false;
    for (size_t i = 0; i < v->count && !is; i++)
        is = find_distance(v, e->to, v->assigned[i].to, &to) &&
             find_distance(v, e->from, v->assigned[i].from, &from) && to == from;
    return is;
}

/* Does the instruction copy so few bytes from one place to another one in each step? */
static bool read_field(br_function *f, br_loop l, LLVMValueRef i, field *out) {
    LLVMValueRef load = LLVMIsAStoreInst(i) ? LLVMIsALoadInst(LLVMGetOperand(i, 0)) : NULL;
    LLVMValueRef length = host_calls(i, "llvm.memcpy.") ? LLVMGetOperand(i, 2) : NULL;
    if (!prep_is_passed(f, l, LLVMGetInstructionParent(i)))
        return false;
    if (load && host_in_loop(l, load) && host_is_plain(load) && host_is_plain(i) &&
        prep_is_passed(f, l, LLVMGetInstructionParent(load)))
        *out = (field){i, LLVMGetOperand(i, 1), LLVMGetOperand(load, 0),
                       bytes_of(i, LLVMTypeOf(load))};
    else if (length && LLVMIsAConstantInt(length) && LLVMIsNull(LLVMGetOperand(i, 3)))
        *out = (field){i, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1),
                       LLVMConstIntGetZExtValue(length)};
    else
        return false;
    return !host_in_loop(l, out->to) && !host_in_loop(l, out->from) && out->bytes <= MAX_FIELD;
}

static void find_fields(vectors *v, br_loop l) {
    v->fields = 0;
    for (size_t b = 0; b < v->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->own[b]);
             i && br_loop_of(v->g.f, v->own[b]) == l; i = LLVMGetNextInstruction(i))
            if (v->fields < MAX_CALLS && read_field(v->g.f, l, i, &v->field[v->fields]) &&
                is_of_objects(v, &v->field[v->fields]))
                v->fields++;
}

/* The copy */

/* Takes the call out of the copy. The instruction behind it. */
static LLVMValueRef take_out(vectors *v, assignment *a, LLVMValueRef call) {
    LLVMValueRef next;
    if (LLVMIsAInvokeInst(call)) {
        LLVMPositionBuilderBefore(v->g.b, call);
        next = LLVMBuildBr(v->g.b, LLVMGetNormalDest(call));
    } else {
        next = LLVMGetNextInstruction(call);
    }
    LLVMReplaceAllUsesWith(call, a->to); /* which it returns */
    LLVMInstructionEraseFromParent(call);
    return next;
}

static bool add_early(vectors *v, LLVMValueRef load) {
    bool room = v->nearly < MAX_EARLY;
    if (room)
        v->early[v->nearly++] = load;
    return room;
}

/* May it be an element of a vector that is assigned? */
static bool may_be_element(const vectors *v, LLVMValueRef load) {
    bool may = false;
    for (size_t i = 0; i < v->count && !may; i++)
        may = v->assigned[i].element == LLVMTypeOf(load);
    return may;
}

/* Loads of addresses and sizes that the program makes in the loop, in front of the copy. */
static bool find_early(vectors *v, br_loop own) {
    for (size_t b = 0; b < v->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->own[b]); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && prep_is_there_early(v->g.f, own, i) &&
                !may_be_element(v, i) && !add_early(v, i))
                return false;
    return true;
}

/* What it loads has its type in front of the loop, too: nothing between changes it. */
static void load_earlier(const vectors *v, LLVMValueRef load) {
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(v->i64), "tbaa", 4);
    LLVMValueRef tag = LLVMGetMetadata(load, kind);
    br_load_earlier(load, v->g.in_front);
    if (tag)
        LLVMSetMetadata(load, kind, tag);
}

static LLVMValueRef copy_loop(vectors *v, br_loop own, LLVMBasicBlockRef before) {
    size_t outs;
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(v->i64));
    LLVMPositionBuilderBefore(v->g.b, LLVMGetBasicBlockTerminator(before));
    LLVMValueRef unknown = LLVMBuildFreeze(v->g.b, LLVMGetUndef(bit), "");
    br_twin(before, v->own, v->blocks, unknown, v->copy, NULL, 0, &outs);
    v->g.in_front = LLVMGetBasicBlockTerminator(before);
    for (size_t i = 0; i < v->nearly; i++)
        v->early[i] = br_twin_of(v->own, v->blocks, v->copy, v->early[i]);
    for (size_t i = 0; i < v->count; i++)
        v->assigned[i].call = br_twin_of(v->own, v->blocks, v->copy, v->assigned[i].call);
    for (size_t i = 0; i < v->fields; i++)
        v->field[i].store = br_twin_of(v->own, v->blocks, v->copy, v->field[i].store);
    for (size_t i = 0; i < v->nearly; i++)
        load_earlier(v, v->early[i]);
    for (size_t i = v->count; i-- > 0;) /* behind one call may be the next one */
        v->assigned[i].call = take_out(v, &v->assigned[i], v->assigned[i].call);
    prep_set_guarded(own);
    return unknown;
}

/* Sizes */

static LLVMValueRef number(const vectors *v, uint64_t n) {
    return LLVMConstInt(v->i64, n, false);
}

static void require(vectors *v, LLVMValueRef condition) {
    condition = LLVMBuildFreeze(v->g.b, condition, "");
    v->g.all = v->g.all ? LLVMBuildAnd(v->g.b, v->g.all, condition, "") : condition;
}

/* What the program says of the type of such an access: as of one in its nests. */
static LLVMValueRef find_tag(const vectors *v, LLVMTypeRef type, unsigned kind) {
    LLVMValueRef tag = NULL;
    for (size_t b = 0; b < v->blocks && !tag; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->own[b]); i && !tag;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && LLVMTypeOf(i) == type)
                tag = LLVMGetMetadata(i, kind);
    return tag;
}

static void set_tag(const vectors *v, LLVMValueRef access, LLVMTypeRef type) {
    LLVMContextRef c = LLVMGetTypeContext(v->i64);
    unsigned kind = LLVMGetMDKindIDInContext(c, "tbaa", 4);
    LLVMValueRef tag = find_tag(v, type, kind);
    if (tag)
        LLVMSetMetadata(access, kind, tag);
}

/* Reads where both vectors begin, and how many bytes they have, which must be equal. False: there
 * is no room. */
static bool read_sizes(vectors *v, assignment *a) {
    LLVMValueRef bytes[2], vector[2] = {a->to, a->from};
    for (int k = 0; k < 2; k++) {
        a->begin[k] = prep_vector_word(v->g.b, v->pointer, vector[k], 0);
        LLVMValueRef end = prep_vector_word(v->g.b, v->pointer, vector[k], 1);
        bytes[k] = prep_bytes_between(v->g.b, v->i64, a->begin[k], end);
        set_tag(v, a->begin[k], v->pointer);
        set_tag(v, end, v->pointer);
        if (!add_early(v, a->begin[k]) || !add_early(v, end))
            return false;
    }
    require(v, LLVMBuildICmp(v->g.b, LLVMIntEQ, bytes[0], bytes[1], ""));
    require(v, LLVMBuildICmp(v->g.b, LLVMIntNE, a->to, a->from, ""));
    a->bytes = LLVMBuildFreeze(v->g.b, bytes[1], "");
    return true;
}

/* The bytes of a row or of a plane, as stores in nests have it: the step of the outermost loop
 * within the time loop. 0: of a cell. */
static br_scev find_unit(const vectors *v, LLVMTypeRef element) {
    br_scev unit = NULL;
    LLVMBasicBlockRef block;
    for (size_t b = 0; !unit && (block = br_loop_block(v->g.l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !unit;
             i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAStoreInst(i) || LLVMTypeOf(LLVMGetOperand(i, 0)) != element)
                continue;
            int depth = 0;
            for (br_scev s = br_scev_of(v->g.f, LLVMGetOperand(i, 1));
                 br_scev_kind(s) == BR_ADDREC && br_scev_loop(s) != v->g.l;
                 s = br_scev_operand(s, 0)) {
                unit = br_scev_operand(s, 1);
                depth++;
            }
            unit = depth > 1 ? unit : NULL;
        }
    bool known = unit && br_scev_invariant(v->g.f, unit, v->g.l) &&
                 br_scev_expandable(v->g.f, unit, v->g.in_front);
    return known ? unit : NULL;
}

/* Requires that there are whole rows: the bytes become a multiple of a row's. */
static void require_rows(vectors *v, assignment *a) {
    br_scev s = find_unit(v, a->element);
    LLVMValueRef unit = s ? br_scev_expand(v->g.f, s, v->i64, v->g.in_front)
                          : number(v, bytes_of(v->g.in_front, a->element));
    LLVMPositionBuilderBefore(v->g.b, v->g.in_front);
    LLVMValueRef frozen = LLVMBuildFreeze(v->g.b, unit, ""), one = number(v, 1);
    LLVMValueRef some = LLVMBuildICmp(v->g.b, LLVMIntSGT, frozen, number(v, 0), "");
    LLVMValueRef by = LLVMBuildSelect(v->g.b, some, frozen, one, "");
    LLVMValueRef rest = LLVMBuildURem(v->g.b, a->bytes, by, "");
    require(v, some);
    require(v, LLVMBuildICmp(v->g.b, LLVMIntEQ, rest, number(v, 0), ""));
    LLVMValueRef whole = LLVMBuildUDiv(v->g.b, a->bytes, by, "");
    a->bytes = LLVMBuildMul(v->g.b, whole, unit, "");
}

/* Takes the store of a field out of the copy. Copies of elements may come before it. */
static void drop_field(vectors *v, const field *e) {
    for (size_t i = 0; i < v->count; i++)
        if (v->assigned[i].call == e->store)
            v->assigned[i].call = LLVMGetNextInstruction(e->store);
    LLVMInstructionEraseFromParent(e->store);
}

/* Requires that a field has what is copied to it: no step changes it then. */
static bool require_field(vectors *v, const field *e) {
    LLVMContextRef c = LLVMGetTypeContext(v->i64);
    LLVMValueRef at[2] = {e->to, e->from}, load[2];
    uint64_t size;
    for (uint64_t done = 0; done < e->bytes; done += size) {
        LLVMValueRef away = LLVMConstInt(v->i64, done, false);
        for (size = VECTOR_WORD; size > e->bytes - done; size /= 2)
            ;
        for (int k = 0; k < 2; k++) {
            LLVMValueRef p = LLVMBuildGEP2(v->g.b, LLVMInt8TypeInContext(c), at[k], &away, 1, "");
            load[k] = LLVMBuildLoad2(v->g.b, LLVMIntTypeInContext(c, (unsigned)size * 8), p, "");
            LLVMSetAlignment(load[k], 1);
            if (!add_early(v, load[k]))
                return false;
        }
        require(v, LLVMBuildICmp(v->g.b, LLVMIntEQ, load[0], load[1], ""));
    }
    drop_field(v, e);
    return true;
}

/* Has loads of the field in front of the copy load what is copied there, which is equal: two arrays
 * then have rows of one length. */
static void unite_loads(vectors *v, const field *e, size_t loads) {
    int64_t to, at;
    br_scev base = find_place(v->g.f, e->to, &to);
    for (size_t i = 0; i < loads; i++) {
        LLVMValueRef load = v->early[i];
        uint64_t size = bytes_of(load, LLVMTypeOf(load));
        if (find_place(v->g.f, LLVMGetOperand(load, 0), &at) != base || at < to ||
            (uint64_t)(at - to) + size > e->bytes)
            continue;
        LLVMValueRef away = number(v, (uint64_t)(at - to));
        LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(v->i64));
        LLVMPositionBuilderBefore(v->g.b, load);
        LLVMSetOperand(load, 0, LLVMBuildGEP2(v->g.b, byte, e->from, &away, 1, ""));
        LLVMSetAlignment(load, 1);
    }
    LLVMPositionBuilderBefore(v->g.b, v->g.in_front);
}

/* Rows */

/* Requires that all rows of both have so many bytes, and some. */
static void require_alike(vectors *v, assignment *a) {
    LLVMModuleRef m =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(v->g.in_front)));
    LLVMValueRef f = prep_add_alike(m), given[] = {NULL, a->to, a->from};
    LLVMPositionBuilderBefore(v->g.b, v->g.in_front);
    LLVMValueRef all = a->bytes, bytes;
    given[0] = LLVMBuildFreeze(v->g.b, v->g.all, "");
    bytes = LLVMBuildCall2(v->g.b, LLVMGlobalGetValueType(f), f, given, 3, "");
    require(v, LLVMBuildICmp(v->g.b, LLVMIntSGT, bytes, number(v, 0), ""));
    a->count = LLVMBuildUDiv(v->g.b, all, number(v, VECTOR_BYTES), "");
    a->bytes = bytes;
}

/* What stores change */

/* Is it where the elements of an assigned vector, or of a vector of vectors, begin? */
static bool is_begin(const vectors *v, LLVMValueRef p, bool rows) {
    br_scev at = LLVMIsALoadInst(p) ? br_scev_of(v->g.f, LLVMGetOperand(p, 0)) : NULL;
    bool is = false;
    for (size_t i = 0; at && i < v->count && !is; i++)
        is = v->assigned[i].rows == rows && (br_scev_of(v->g.f, v->assigned[i].to) == at ||
                                             br_scev_of(v->g.f, v->assigned[i].from) == at);
    return is;
}

/* Does it store to an element of such a vector, or of a row of one? Where a row is, and its size,
 * are none. */
static bool stores_element(const vectors *v, LLVMValueRef store) {
    LLVMValueRef base = LLVMIsAStoreInst(store) ? host_base_of(LLVMGetOperand(store, 1)) : NULL;
    LLVMValueRef row = base && LLVMIsALoadInst(base) ? host_base_of(LLVMGetOperand(base, 0)) : NULL;
    return base && (is_begin(v, base, false) || (row && is_begin(v, row, true)));
}

/* Is it loaded from an object that has such a vector? No element lies there. */
static bool is_of_object(const vectors *v, LLVMValueRef load) {
    int64_t away;
    bool is = false;
    for (size_t i = 0; i < v->count && !is; i++)
        is = find_distance(v, LLVMGetOperand(load, 0), v->assigned[i].to, &away) ||
             find_distance(v, LLVMGetOperand(load, 0), v->assigned[i].from, &away);
    return is;
}

/* Does it change no address that the copy loads, such as that of a row? */
static bool keeps_addresses(const vectors *v, LLVMValueRef store) {
    LLVMBasicBlockRef block;
    bool keeps = true;
    for (size_t b = 0; keeps && (block = br_loop_block(v->g.l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && keeps;
             i = LLVMGetNextInstruction(i))
            keeps = !LLVMIsALoadInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind ||
                    !br_may_ever_change(v->g.f, store, i);
    return keeps;
}

static bool keeps_early(vectors *v, LLVMValueRef i) {
    bool keeps = true, element = stores_element(v, i);
    for (size_t k = 0; k < v->nearly && keeps; k++)
        keeps = (element && is_of_object(v, v->early[k])) ||
                !br_may_ever_change(v->g.f, i, v->early[k]) ||
                (LLVMIsAStoreInst(i) && prep_guard_apart(&v->g, i, v->early[k]));
    return keeps;
}

/* Requires that it is loaded from in front of the elements that are written, or from behind them.
 */
static void require_outside(vectors *v, const assignment *a, LLVMValueRef load) {
    LLVMBuilderRef b = v->g.b;
    LLVMPositionBuilderBefore(b, v->g.in_front);
    LLVMValueRef at = LLVMBuildPtrToInt(b, LLVMGetOperand(load, 0), v->i64, "");
    LLVMValueRef low = LLVMBuildPtrToInt(b, a->begin[0], v->i64, "");
    LLVMValueRef high = LLVMBuildAdd(b, low, a->bytes, "");
    LLVMValueRef end = LLVMBuildAdd(b, at, number(v, bytes_of(load, LLVMTypeOf(load))), "");
    require(v, LLVMBuildOr(b, LLVMBuildICmp(b, LLVMIntULE, end, low, ""),
                           LLVMBuildICmp(b, LLVMIntULE, high, at, ""), ""));
}

/* Requires that copies of elements change nothing that is loaded in front. False: that is not known
 * of elements of rows. */
static bool copy_keeps_early(vectors *v, const assignment *a) {
    LLVMValueRef zero = LLVMConstNull(LLVMInt8TypeInContext(LLVMGetTypeContext(v->i64))), to;
    bool keeps = true;
    LLVMPositionBuilderBefore(v->g.b, a->call);
    to = a->rows ? prep_vector_word(v->g.b, v->pointer, a->begin[0], 0) : a->begin[0];
    LLVMValueRef copy = LLVMBuildMemSet(v->g.b, to, zero, a->bytes, 1); /* writes what it will */
    set_tag(v, copy, a->element);
    for (size_t k = 0; k < v->nearly && keeps; k++) {
        if (is_of_object(v, v->early[k]) || !br_may_ever_change(v->g.f, copy, v->early[k]))
            continue;
        keeps = !a->rows;
        if (keeps)
            require_outside(v, a, v->early[k]);
    }
    LLVMInstructionEraseFromParent(copy);
    if (a->rows)
        LLVMInstructionEraseFromParent(to);
    return keeps;
}

static bool require_unchanged(vectors *v) {
    LLVMBasicBlockRef block;
    bool good = true, rows = false;
    for (size_t i = 0; i < v->count; i++)
        rows |= v->assigned[i].rows;
    for (size_t b = 0; good && (block = br_loop_block(v->g.l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && good;
             i = LLVMGetNextInstruction(i))
            if (br_may_write(i) && !host_is_annotation(host_callee_name(i)))
                good =
                    (!rows || stores_element(v, i) || keeps_addresses(v, i)) && keeps_early(v, i);
    for (size_t i = 0; i < v->count && good; i++)
        good = copy_keeps_early(v, &v->assigned[i]);
    return good;
}

static bool require_sizes(vectors *v) {
    for (size_t i = 0; i < v->fields; i++)
        unite_loads(v, &v->field[i], v->nearly);
    br_scev_forget(v->g.f);
    LLVMPositionBuilderBefore(v->g.b, v->g.in_front);
    for (size_t i = 0; i < v->count; i++)
        if (!read_sizes(v, &v->assigned[i]))
            return false;
    for (size_t i = 0; i < v->fields; i++)
        if (!require_field(v, &v->field[i]))
            return false;
    for (size_t i = 0; i < v->count; i++)
        if (!v->assigned[i].rows)
            require_rows(v, &v->assigned[i]);
    return true;
}

/* Copies of elements */

static LLVMValueRef build_counter(LLVMBuilderRef b, LLVMTypeRef type, LLVMBasicBlockRef from) {
    LLVMValueRef counter = LLVMBuildPhi(b, type, ""), zero = LLVMConstNull(type);
    LLVMAddIncoming(counter, &zero, &from, 1);
    return counter;
}

/* Ends the block: goes back to `head` until it was there so often. */
static void go_back(const vectors *v, LLVMValueRef counter, LLVMValueRef count,
                    LLVMBasicBlockRef head, LLVMBasicBlockRef out) {
    LLVMBasicBlockRef at = LLVMGetInsertBlock(v->g.b);
    LLVMValueRef next = LLVMBuildNUWAdd(v->g.b, counter, number(v, 1), "");
    LLVMAddIncoming(counter, &next, &at, 1);
    LLVMBuildCondBr(v->g.b, LLVMBuildICmp(v->g.b, LLVMIntEQ, next, count, ""), out, head);
}

/* Copies all rows before the instruction. There are some, and cells in each. */
static void copy_rows(vectors *v, assignment *a, LLVMValueRef cells) {
    LLVMContextRef c = LLVMGetTypeContext(v->i64);
    LLVMBuilderRef b = v->g.b;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(a->call), block[3];
    LLVMBasicBlockRef rest = br_split_before(a->call);
    for (int k = 0; k < 3; k++) /* of a row, of a cell, the end of a row */
        block[k] = LLVMInsertBasicBlockInContext(c, rest, "");
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from));
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(from));
    LLVMPositionBuilderAtEnd(b, from);
    LLVMBuildBr(b, block[0]);
    LLVMPositionBuilderAtEnd(b, block[0]);
    LLVMValueRef row = build_counter(b, v->i64, from), at[2];
    LLVMValueRef away = LLVMBuildNUWMul(b, row, number(v, VECTOR_BYTES), "");
    for (int k = 0; k < 2; k++) {
        LLVMValueRef p = LLVMBuildGEP2(b, LLVMInt8TypeInContext(c), a->begin[k], &away, 1, "");
        at[k] = prep_vector_word(b, v->pointer, p, 0);
        set_tag(v, at[k], v->pointer);
    }
    LLVMBuildBr(b, block[1]);
    LLVMPositionBuilderAtEnd(b, block[1]);
    LLVMValueRef cell = build_counter(b, v->i64, block[0]);
    for (int k = 0; k < 2; k++)
        at[k] = LLVMBuildInBoundsGEP2(b, a->element, at[k], &cell, 1, "");
    LLVMValueRef value = LLVMBuildLoad2(b, a->element, at[1], "");
    set_tag(v, value, a->element);
    set_tag(v, LLVMBuildStore(b, value, at[0]), a->element);
    go_back(v, cell, cells, block[1], block[2]);
    LLVMPositionBuilderAtEnd(b, block[2]);
    go_back(v, row, a->count, block[0], rest);
}

static void copy_elements(vectors *v, assignment *a) {
    unsigned size = (unsigned)bytes_of(v->g.in_front, a->element);
    if (a->rows) {
        LLVMPositionBuilderBefore(v->g.b, v->g.in_front);
        copy_rows(v, a, LLVMBuildExactUDiv(v->g.b, a->bytes, number(v, size), ""));
        return;
    }
    LLVMPositionBuilderBefore(v->g.b, a->call);
    LLVMBuildMemCpy(v->g.b, a->begin[0], size, a->begin[1], size, a->bytes);
}

static LLVMBasicBlockRef guard(vectors *v, prep_shadow *s, LLVMBasicBlockRef head) {
    LLVMBasicBlockRef before;
    br_loop l = prep_prepared_loop(s->f, head, &before);
    v->g.f = s->f;
    v->blocks =
        l && br_loop_latch(l) && !host_tests_first(l) ? br_loop_blocks(l, v->own, MAX_BLOCKS) : 0;
    if (v->blocks == 0 || v->blocks > MAX_BLOCKS || !find_calls(v, l) || !find_early(v, l))
        return NULL;
    find_fields(v, l);
    LLVMValueRef chosen = copy_loop(v, l, before);
    br_function_invalidate(s->f);
    v->g.l = prep_loop_at(s->f, v->copy[0]);
    if (!v->g.l || !require_sizes(v) || !require_unchanged(v))
        return NULL;
    for (size_t i = 0; i < v->count; i++) /* once it is known that steps keep the rows */
        if (v->assigned[i].rows)
            require_alike(v, &v->assigned[i]);
    for (size_t i = 0; i < v->count; i++)
        copy_elements(v, &v->assigned[i]);
    LLVMReplaceAllUsesWith(chosen, v->g.all);
    br_function_invalidate(s->f);
    return v->copy[0];
}

LLVMBasicBlockRef prep_guard_assigned(prep_shadow *s, LLVMBasicBlockRef head) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(s->function));
    vectors *v = calloc(1, sizeof *v);
    v->g.b = LLVMCreateBuilderInContext(c);
    v->g.wide = LLVMIntTypeInContext(c, 128);
    v->i64 = LLVMInt64TypeInContext(c);
    v->pointer = LLVMPointerTypeInContext(c, 0);
    LLVMBasicBlockRef copy = guard(v, s, head);
    bool good = copy && prep_simplify(s, copy);
    LLVMDisposeBuilder(v->g.b);
    free(v);
    return good ? copy : NULL;
}
