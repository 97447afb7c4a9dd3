/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows of a flat index i that the program does not divide. Only neighbours such as a[i - n] tell
 * how long a row is: a distance between neighbours, if it is known only at run time, else a number
 * from which all distances are a few cells away. Any such length is right, since neighbours are
 * those in memory.
 */
#include "detect/kernel/stages.h"

#include <stdlib.h>
#include <string.h>

/* The part of a distance that is known only at run time, without its sign; 0 if it is a number. */
static poly row_part(poly distance) {
    poly part = NULL;
    for (int i = 0; i < poly_count(distance); i++) {
        if (poly_terms(distance)[i].degree == 0)
            continue;
        part = poly_add(part, poly_term_as(distance, i, poly_terms(distance)[i].factor));
    }
    bool negative = poly_count(part) > 0 && poly_terms(part)[0].factor < 0;
    return negative ? poly_scale(part, -1) : part;
}

static void add_row(kernel_rows *r, poly stride) {
    int at = 0;
    for (; at < r->count && !poly_slower(r->stride[at], stride); at++)
        if (poly_equal(r->stride[at], stride))
            return;
    if (poly_count(stride) != 1 || r->count == ST_MAX_RANK - 1)
        return;
    memmove(r->stride + at + 1, r->stride + at, (size_t)(r->count - at) * sizeof *r->stride);
    r->stride[at] = stride;
    r->count++;
}

/* By the distances between `first` and the other loads of its array. */
static void find_rows(kernel_region *k, LLVMValueRef first, kernel_rows *r) {
    poly here, there;
    if (!kernel_poly(&k->maybe, br_scev_of(k->f, LLVMGetOperand(first, 0)), &here))
        return;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsALoadInst(i) ||
                !kernel_poly(&k->maybe, br_scev_of(k->f, LLVMGetOperand(i, 0)), &there))
                continue;
            there = poly_sub(there, here);
            bool same_array = poly_is_known(there) && !kernel_varies(k->values, there);
            for (int t = 0; t < poly_count(there) && same_array; t++)
                for (int a = 0; a < poly_terms(there)[t].degree && same_array; a++)
                    same_array = !br_scev_is_pointer(poly_terms(there)[t].atoms[a]);
            there = row_part(there);
            if (same_array && !poly_is_zero(there))
                add_row(r, there);
        }
}

/* Rows whose length is a number */

enum { MAX_FIXED = ST_LIMIT(128, 3), MAX_PITCH = 1 << 16 };

typedef struct distances {
    int64_t cells[MAX_FIXED]; /* from the thread's own */
    int count;
} distances;

/* The load's distance from an array's element of the thread's own number. */
static bool fixed_distance(kernel_region *k, LLVMValueRef load, int64_t step, int64_t *cells) {
    poly address, own = poly_scale(k->axes[0].value, step), fixed = NULL;
    int pointers = 0, others = 0;
    if (!kernel_poly(&k->maybe, br_scev_of(k->f, LLVMGetOperand(load, 0)), &address))
        return false;
    address = poly_sub(address, own);
    if (!poly_is_known(address) || kernel_varies(k->values, address))
        return false;
    for (int i = 0; i < poly_count(address); i++) {
        const poly_term *t = &poly_terms(address)[i];
        pointers += t->degree == 1 && br_scev_is_pointer(t->atoms[0]);
        others += t->degree > 0;
        if (t->degree == 0)
            fixed = poly_int(k->f, t->factor);
    }
    if (pointers != 1 || others != 1)
        return false;
    return poly_is_int(fixed, cells) && *cells % step == 0 && (*cells /= step, true);
}

static void find_distances(kernel_region *k, int64_t step, distances *d) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function);
    d->count = 0;
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && d->count < MAX_FIXED &&
                fixed_distance(k, i, step, &d->cells[d->count]))
                d->count++;
}

/* Which number from low to high is rather a pitch: the roundest one, the middle one of those. */
static int64_t roundest(int64_t low, int64_t high) {
    int64_t best = low, middle = (low + high) / 2;
    for (int64_t i = low; i <= high; i++) {
        int64_t ours = i & -i, theirs = best & -best;
        if (ours > theirs || (ours == theirs && llabs(i - middle) < llabs(best - middle)))
            best = i;
    }
    return best;
}

/* A multiple of `unit` from which those distances are a few units away that are not a few units
 * from 0; 0 if there are none. */
static int64_t next_pitch(const distances *d, int64_t unit) {
    int64_t reach = ST_MAX_RADIUS * unit + (unit > 1 ? unit / 2 : 0), low = INT64_MAX, high = 0;
    for (int i = 0; i < d->count; i++)
        if (llabs(d->cells[i]) > reach && llabs(d->cells[i]) < low)
            low = llabs(d->cells[i]);
    if (low > MAX_PITCH * unit)
        return 0;
    for (int i = 0; i < d->count; i++)
        if (llabs(d->cells[i]) >= low && llabs(d->cells[i]) <= low + 2 * reach)
            high = llabs(d->cells[i]) > high ? llabs(d->cells[i]) : high;
    return roundest((low + unit / 2) / unit, (high + unit / 2) / unit) * unit;
}

static void add_fixed_rows(kernel_region *k, poly step, kernel_rows *r) {
    distances d;
    int64_t size, pitch = 1;
    if (!poly_is_int(step, &size) || size <= 0)
        return;
    find_distances(k, size, &d);
    while (r->count < ST_MAX_RANK - 1 && (pitch = next_pitch(&d, pitch)) > 0)
        r->stride[r->count++] = poly_int(k->f, pitch * size);
}

void kernel_find_rows(kernel_region *k, poly step, kernel_rows *r) {
    int tries = 4; /* arrays, more or less */
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function);
    r->count = 0;
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && r->count == 0 && tries-- > 0)
                find_rows(k, i, r);
    if (r->count == 0)
        add_fixed_rows(k, step, r);
}
