/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which orders can be computed at a kernel's start, and which form is used: a flat index
 * (remap/flat.c) or the numbers of blocks (remap/blocks.c).
 */
#include "codegen/remap/remap.h"
#include "target/target.h"

#include <stdio.h>

static const char attribute[] = "stencilopt-order";

bool remap_is_done(LLVMValueRef function) {
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute,
                                         sizeof attribute - 1) != NULL;
}

bool remap_order_of(LLVMValueRef function, order_plan *out) {
    LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                                       attribute, sizeof attribute - 1);
    char text[64];
    unsigned length = 0;
    const char *value = a ? LLVMGetStringAttributeValue(a, &length) : "";
    snprintf(text, sizeof text, "%.*s", (int)length, value);
    return order_read(text, out);
}

void remap_forget(LLVMValueRef function) {
    LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute,
                                     sizeof attribute - 1);
}

static void mark_done(LLVMValueRef function, const st_threads *t, const order_plan *plan) {
    char text[64];
    order_text(plan, !t->is_flat, text, sizeof text);
    tg_add_attribute(function, attribute, text);
}

/* Is it a sum of products of values that can be copied? */
static bool can_compute(poly p) {
    for (int i = 0; i < poly_count(p); i++)
        for (int a = 0; a < poly_terms(p)[i].degree; a++) {
            br_scev atom = poly_terms(p)[i].atoms[a];
            if (br_scev_kind(atom) != BR_UNKNOWN || !remap_can_copy(br_scev_value(atom)))
                return false;
        }
    return true;
}

bool remap_possible(const st_threads *t) {
    const st_flat_index *f = &t->flat;
    if (!t->is_flat)
        return true;
    if (!remap_can_copy(f->width) || (f->loop && !remap_can_copy(f->limit)))
        return false;
    return (!f->height_known || can_compute(f->height)) &&
           (!f->cells_known || can_compute(f->cells));
}

void remap_kernel(LLVMValueRef function, const st_threads *t, const order_plan *plan) {
    if (t->is_flat)
        remap_flat(function, &t->flat, plan);
    else
        remap_blocks(function, t, plan);
    mark_done(function, t, plan);
}
