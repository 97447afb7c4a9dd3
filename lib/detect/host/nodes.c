/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nodes of an expression that need no others: constants, scalars, values that are affine in the
 * iteration numbers; and which value has a node already.
 */
#include "detect/common/affine.h"
#include "detect/host/address.h"
#include "detect/host/after.h"
#include "detect/host/region.h"
#include "detect/host/slice.h"

#include <stdlib.h>
#include <string.h>

/* Memo: values, and blocks for their conditions */

static memo_entry *memo_find(slice *b, const void *key, int shift) {
    size_t i = ((uintptr_t)key >> 4) * 2654435761u + (size_t)(shift + 64);
    for (i &= b->capacity - 1; b->memo[i].key; i = (i + 1) & (b->capacity - 1))
        if (b->memo[i].key == key && b->memo[i].shift == shift)
            break;
    return &b->memo[i];
}

void slice_remember(slice *b, const void *key, int shift, int32_t node) {
    if (2 * b->used >= b->capacity) {
        memo_entry *old = b->memo;
        size_t count = b->capacity;
        b->capacity = count ? 2 * count : 256;
        b->memo = calloc(b->capacity, sizeof *b->memo);
        for (size_t i = 0; i < count; i++)
            if (old[i].key)
                *memo_find(b, old[i].key, old[i].shift) = old[i];
        free(old);
    }
    *memo_find(b, key, shift) = (memo_entry){key, shift, node};
    b->used++;
}

int32_t slice_recall(const slice *b, const void *key, int shift) {
    if (!b->capacity)
        return -1;
    const memo_entry *e = memo_find((slice *)b, key, shift);
    return e->key ? e->node : -1;
}

/* Leaves */

int32_t slice_refuse(slice *b, st_reason reason, const char *detail) {
    host_refuse(b->r, reason, detail);
    return -1;
}

int32_t slice_refuse_value(slice *b, st_reason reason, LLVMValueRef v) {
    char name[HOST_DETAIL];
    host_value_name(v, name, sizeof name);
    return slice_refuse(b, reason, name);
}

int32_t slice_refuse_type(slice *b, LLVMTypeRef t) {
    char text[HOST_DETAIL];
    host_type_name(t, text, sizeof text);
    return slice_refuse(b, ST_NO_ELEMENT_TYPE, text);
}

int32_t slice_constant(slice *b, LLVMValueRef v, st_type t) {
    LLVMBool lossy;
    if (LLVMIsUndef(v) || LLVMIsPoison(v))
        return st_constant(b->s, t, 0);
    if (LLVMIsAConstantInt(v))
        return st_constant(b->s, t, LLVMConstIntGetZExtValue(v));
    if (!LLVMIsAConstantFP(v))
        return -2; /* an expression: a scalar computed on the host */
    double d = LLVMConstRealGetDouble(v, &lossy);
    float f = (float)d;
    uint64_t bits = 0;
    memcpy(&bits, t == ST_F32 ? (void *)&f : (void *)&d, st_type_size(t));
    return st_constant(b->s, t, bits);
}

static int32_t new_scalar(slice *b, st_type t, host_scalar h, bool stepped) {
    st_scalar c;
    memset(&c, 0, sizeof c);
    c.type = t;
    c.stepped = stepped;
    int32_t number = st_add_scalar(b->s, c);
    b->r->scalars = realloc(b->r->scalars, b->s->nscalars * sizeof h);
    b->r->scalars[number] = h;
    return st_leaf(b->s, ST_SCALAR, t, number);
}

int32_t slice_invariant(slice *b, LLVMValueRef v, st_type t) {
    host_scalar h = {.value = v, .start = NULL, .step = NULL};
    return new_scalar(b, t, h, false);
}

/* Computed by the CPU for each step. */
int32_t slice_followed(slice *b, LLVMValueRef v, bool late) {
    st_type t;
    host_scalar h = {.value = v, .start = NULL, .step = NULL, .followed = true};
    host_type(LLVMTypeOf(v), &t);
    int32_t node = new_scalar(b, t, h, false);
    b->s->scalars[b->s->nscalars - 1].followed = true;
    b->s->scalars[b->s->nscalars - 1].late = late;
    return node;
}

/* A run-time integer: a literal where it is one. */
static int32_t integer(slice *b, st_type t, poly start, poly step) {
    int64_t value;
    if (poly_is_int(start, &value) && poly_is_zero(step))
        return st_constant(b->s, t, (uint64_t)value);
    for (size_t i = 0; i < b->s->nscalars; i++) {
        const host_scalar *h = &b->r->scalars[i];
        if (!h->value && b->s->scalars[i].type == t && poly_equal(h->start, start) &&
            poly_equal(h->step, step))
            return st_leaf(b->s, ST_SCALAR, t, (int32_t)i);
    }
    host_scalar h = {.start = start, .step = step};
    return new_scalar(b, t, h, !poly_is_zero(step));
}

int32_t slice_binary(slice *b, st_op op, st_type t, int32_t x, int32_t y) {
    return st_operation(b->s, op, t, x, y, -1);
}

/* base + sum of step * coordinate, wrapping in type t. */
int32_t slice_affine(slice *b, const host_affine *a, st_type t, int shift) {
    host_region *r = b->r;
    poly moved = poly_scale(a->step[0], shift);
    poly base = poly_add(a->base, moved);
    int32_t sum = integer(b, t, base, r->time ? a->step[r->nloops - 1] : NULL);
    for (int i = 0; i < b->r->axes; i++) {
        int64_t one;
        if (poly_is_zero(a->step[i]))
            continue;
        int32_t term = st_leaf(b->s, ST_COORD, ST_I64, r->dim_of_loop[i]);
        if (t != ST_I64)
            term = st_operation(b->s, ST_TRUNC, t, term, -1, -1);
        if (!poly_is_int(a->step[i], &one) || one != 1)
            term = slice_binary(b, ST_MUL, t, term, integer(b, t, a->step[i], NULL));
        const st_node *n = &b->s->nodes[sum];
        sum = n->op == ST_CONST && n->bits == 0 ? term : slice_binary(b, ST_ADD, t, sum, term);
    }
    return sum;
}
