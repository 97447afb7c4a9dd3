/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Emits values in front of a region's loops: numbers and addresses from polynomials, iterations of
 * loops, arrays on the stack, conditions.
 */
#include "offload/emit.h"

LLVMValueRef emit_number(const rewriter *w, br_scev s) {
    br_function *f = w->r->f;
    unsigned bits = br_scev_bits(f, s);
    if (br_scev_is_pointer(s)) {
        LLVMValueRef p = br_scev_expand(f, s, emit_pointer(w), w->before);
        return LLVMBuildPtrToInt(w->b, p, emit_i64(w), "");
    }
    LLVMValueRef v = br_scev_expand(f, s, LLVMIntTypeInContext(w->c, bits), w->before);
    return bits < 64 ? LLVMBuildZExt(w->b, v, emit_i64(w), "") : v;
}

static LLVMValueRef emit_term(const rewriter *w, const poly_term *t, int skip) {
    LLVMValueRef product = emit_int(w, t->factor);
    for (int i = 0; i < t->degree; i++)
        if (i != skip)
            product = LLVMBuildMul(w->b, product, emit_number(w, t->atoms[i]), "");
    return product;
}

LLVMValueRef emit_poly(const rewriter *w, poly p) {
    LLVMValueRef sum = emit_int(w, 0);
    for (int i = 0; i < poly_count(p); i++)
        sum = LLVMBuildAdd(w->b, sum, emit_term(w, &poly_terms(p)[i], -1), "");
    return sum;
}

LLVMValueRef emit_address(const rewriter *w, poly p) {
    LLVMValueRef base = NULL, bytes = emit_int(w, 0);
    for (int i = 0; i < poly_count(p); i++) {
        const poly_term *t = &poly_terms(p)[i];
        bool is_base = !base && t->degree == 1 && t->factor == 1 && br_scev_is_pointer(t->atoms[0]);
        if (is_base)
            base = br_scev_expand(w->r->f, t->atoms[0], emit_pointer(w), w->before);
        else
            bytes = LLVMBuildAdd(w->b, bytes, emit_term(w, t, -1), "");
    }
    if (!base)
        return LLVMBuildIntToPtr(w->b, bytes, emit_pointer(w), "");
    return LLVMBuildGEP2(w->b, LLVMInt8TypeInContext(w->c), base, &bytes, 1, "");
}

LLVMValueRef emit_iterations(const rewriter *w, br_loop l, br_scev backedges) {
    LLVMValueRef count = emit_number(w, backedges);
    return host_tests_first(l) ? count : LLVMBuildAdd(w->b, count, emit_int(w, 1), "");
}

LLVMValueRef emit_steps(const rewriter *w) {
    const host_region *r = w->r;
    return emit_iterations(w, r->loops[r->nloops - 1], r->count[r->nloops - 1]);
}

LLVMValueRef emit_array(const rewriter *w, LLVMTypeRef element, size_t count) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(w->r->function);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->c);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    LLVMValueRef a = LLVMBuildAlloca(b, LLVMArrayType2(element, count ? count : 1), "");
    LLVMDisposeBuilder(b);
    return a;
}

static void put(const rewriter *w, LLVMValueRef array, size_t bytes, LLVMValueRef v) {
    LLVMValueRef at = emit_int(w, (int64_t)bytes);
    LLVMValueRef p = LLVMBuildGEP2(w->b, LLVMInt8TypeInContext(w->c), array, &at, 1, "");
    LLVMBuildStore(w->b, v, p);
}

LLVMValueRef emit_filled(const rewriter *w, LLVMTypeRef type, LLVMValueRef *values, size_t count) {
    LLVMValueRef array = emit_array(w, type, count);
    for (size_t i = 0; i < count; i++)
        put(w, array, 8 * i, values[i]);
    return array;
}

LLVMValueRef emit_structs(const rewriter *w, layout_id id, LLVMValueRef *slots, size_t count) {
    LLVMValueRef array = emit_array(w, layout_type(w->c, id), count);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < layout_slots(id); i++) {
            LLVMValueRef v = slots[k * layout_slots(id) + i];
            put(w, array, k * layout_size(id) + layout_offset(id, i),
                v ? v : LLVMConstNull(layout_slot_type(w->c, id, i)));
        }
    return array;
}

LLVMValueRef emit_also(const rewriter *w, LLVMValueRef all, LLVMValueRef c) {
    return all ? LLVMBuildSelect(w->b, all, c, LLVMConstInt(LLVMTypeOf(c), 0, false), "") : c;
}

LLVMValueRef emit_condition(const rewriter *w, LLVMValueRef c) {
    br_function *f = w->r->f;
    if (host_in_loop(w->r->outer, c))
        c = br_scev_expand(f, br_scev_of(f, c), LLVMTypeOf(c), w->before);
    /* The program may not come to this branch. Then the condition may be poison. */
    return LLVMBuildFreeze(w->b, c, "");
}
