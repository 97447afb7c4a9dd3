/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where one array is copied to another, both have the same shape, as a rule; but each says its own,
 * in a struct or, in Fortran, a descriptor, and LLVM cannot tell that they are equal. So numbers
 * that are read there are taken to be
 *   1. what the function itself stored there before, or read there, which goes for pointers, too;
 *   2. of two descriptors, the same: lower bounds, extents and steps of each dimension;
 *   3. such that the steps of all accesses along a loop are equal;
 * and the loops run as written where that is not so.
 */
#include "prepare/hoist.h"

enum { DIMENSIONS = 24, DIMENSION_END = DIMENSIONS + 24 * ST_MAX_RANK }; /* see assign.c */

/* A value in front of the scope; NULL if it cannot be had there. */
static LLVMValueRef value_of(const prep_hoists *h, br_scev s, LLVMTypeRef type) {
    if (br_scev_kind(s) == BR_UNKNOWN) {
        LLVMValueRef v = br_scev_value(s);
        return prep_is_stand_in(h, v) || !host_in_loop(h->scope, v) ? v : NULL;
    }
    LLVMValueRef phi = LLVMGetFirstInstruction(br_loop_header(h->scope)), before = NULL;
    for (unsigned i = 0; LLVMIsAPHINode(phi) && i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (!br_loop_contains(h->scope, from))
            before = before ? NULL : LLVMGetBasicBlockTerminator(from);
    }
    bool good = before && !prep_hoists_in(h, s) && br_scev_invariant(h->f, s, h->scope) &&
                br_scev_expandable(h->f, s, before);
    return good ? br_scev_expand(h->f, s, type, before) : NULL;
}

/* Values that memory has before the loop */

/* The value at the entry's address that a load or store reveals, or NULL. */
static LLVMValueRef told_by(const prep_hoists *h, const prep_hoisted *e, LLVMValueRef i) {
    bool stores = LLVMIsAStoreInst(i) != NULL;
    if ((!stores && !LLVMIsALoadInst(i)) ||
        br_scev_of(h->f, LLVMGetOperand(i, stores ? 1 : 0)) != e->address)
        return NULL;
    LLVMValueRef v = stores ? LLVMGetOperand(i, 0) : i;
    return LLVMTypeOf(v) == LLVMTypeOf(e->value) ? v : NULL;
}

/* The value by the last such instruction that control passes on all ways to the scope. */
static LLVMValueRef told_before(const prep_hoists *h, const prep_hoisted *e) {
    LLVMBasicBlockRef head = br_loop_header(h->scope), at = NULL;
    LLVMValueRef told = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(h->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        if (b == head || !br_dominates(h->f, b, head) || (at && !br_dominates(h->f, at, b)))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef v = told_by(h, e, i);
            at = v ? b : at;
            told = v ? v : told;
        }
    }
    return told;
}

static bool is_number(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind;
}

static void assume_unchanged(prep_hoists *h) {
    for (int i = 0; i < h->count; i++) {
        LLVMValueRef v = told_before(h, &h->entries[i]);
        if (v && (is_number(v) || LLVMIsALoadInst(v)))
            prep_assume(h, h->entries[i].value, v);
    }
}

/* Descriptors */

static br_scev place_of(br_scev address, int64_t *offset) {
    *offset = 0;
    bool sum = br_scev_kind(address) == BR_ADD && br_scev_count(address) == 2 &&
               br_scev_int(br_scev_operand(address, 0), offset);
    return sum ? br_scev_operand(address, 1) : address;
}

/* Is a pointer read at this place? */
static bool has_base(const prep_hoists *h, br_scev place) {
    for (int i = 0; i < h->count; i++)
        if (h->entries[i].address == place && !is_number(h->entries[i].value))
            return true;
    return false;
}

static bool is_of_descriptor(const prep_hoists *h, const prep_hoisted *e, br_scev *place,
                             int64_t *offset) {
    *place = place_of(e->address, offset);
    return is_number(e->value) && *offset >= DIMENSIONS && *offset < DIMENSION_END &&
           LLVMGetIntTypeWidth(LLVMTypeOf(e->value)) == 64 && has_base(h, *place);
}

static void assume_same_fields(prep_hoists *h) {
    br_scev place, other;
    int64_t offset, at;
    for (int i = 0; i < h->count; i++)
        for (int k = i + 1; k < h->count && is_of_descriptor(h, &h->entries[i], &place, &offset);
             k++)
            if (is_of_descriptor(h, &h->entries[k], &other, &at) && at == offset && place != other)
                prep_assume(h, h->entries[k].value, h->entries[i].value);
}

/* Steps */

static size_t count_factors(br_scev s) {
    return br_scev_kind(s) == BR_MUL ? br_scev_count(s) : 1;
}

static br_scev factor(br_scev s, size_t i) {
    return br_scev_kind(s) == BR_MUL ? br_scev_operand(s, i) : s;
}

/* Is it a number that the program reads from memory? */
static bool is_read(const prep_hoists *h, br_scev s) {
    if (br_scev_kind(s) != BR_UNKNOWN)
        return false;
    LLVMValueRef v = br_scev_value(s);
    return prep_is_stand_in(h, v) || (LLVMIsALoadInst(v) && !host_in_loop(h->scope, v));
}

/* The number that factor i would have to be for the step to be `should`; NULL: there is none. */
static br_scev fitting(const prep_hoists *h, br_scev step, size_t i, br_scev should) {
    for (size_t k = 0; k < count_factors(step) && should; k++)
        if (k != i)
            should = br_scev_quotient(h->f, should, factor(step, k));
    return should;
}

static bool make_step(prep_hoists *h, br_scev step, br_scev should) {
    for (size_t i = 0; i < count_factors(step); i++) {
        br_scev s = factor(step, i), fits = is_read(h, s) ? fitting(h, step, i, should) : NULL;
        LLVMValueRef is = fits ? value_of(h, fits, LLVMTypeOf(br_scev_value(s))) : NULL;
        if (is) {
            prep_assume(h, br_scev_value(s), is);
            return true;
        }
    }
    return false;
}

static void assume_step(prep_accesses *a, br_scev at, int64_t size) {
    (void)size;
    for (int k = 0; k < ST_MAX_RANK && br_scev_kind(at) == BR_ADDREC && br_scev_count(at) == 2;
         k++, at = br_scev_operand(at, 0)) {
        br_scev step = br_scev_operand(at, 1), first = a->step[k];
        if (!first ||
            (step != first && !make_step(a->h, step, first) && make_step(a->h, first, step)))
            a->step[k] = step;
    }
}

void prep_assume_shapes(prep_hoists *h) {
    assume_unchanged(h);
    assume_same_fields(h);
    /* Plane strides can be compared only once row lengths are equal. */
    for (int round = 1; round < ST_MAX_RANK; round++) {
        prep_accesses a = {.h = h, .look_at = assume_step};
        prep_look_in(&a, h->scope);
    }
}
