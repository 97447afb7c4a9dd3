/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Run-time element strides: arrays of assumed shape in Fortran, which may be sections of others,
 * and a[i * row + j * column] in C. Almost always such arrays have no gaps. So detection takes the
 * stride to be one element; where it is not, the loops run as written.
 */
#include "prepare/hoist.h"

#include <stdlib.h>

static bool is_new(const prep_hoists *h, LLVMValueRef v) {
    for (int i = 0; i < h->nunits; i++)
        if (h->units[i].value == v)
            return false;
    return h->nunits < HOIST_MAX_UNITS;
}

bool prep_is_stand_in(const prep_hoists *h, LLVMValueRef v) {
    for (int i = 0; i < h->count; i++)
        if (h->entries[i].value == v)
            return true;
    return false;
}

static br_scev without_factor(br_scev step, int64_t *factor) {
    *factor = 1;
    bool product = br_scev_kind(step) == BR_MUL && br_scev_count(step) == 2 &&
                   br_scev_int(br_scev_operand(step, 0), factor);
    return product ? br_scev_operand(step, 1) : step;
}

/* The number that has to be assumed so that the step has so many bytes: the step itself, or the
 * other factor of a product. */
static LLVMValueRef find_number(const prep_hoists *h, br_scev step, int64_t bytes, int64_t *is) {
    int64_t factor;
    step = without_factor(step, &factor);
    if (br_scev_kind(step) != BR_UNKNOWN || factor <= 0 || bytes % factor ||
        br_scev_bits(h->f, step) != 64)
        return NULL;
    LLVMValueRef v = br_scev_value(step);
    if (!prep_is_stand_in(h, v) && host_in_loop(h->scope, v))
        return NULL;
    *is = bytes / factor;
    return v;
}

void prep_assume(prep_hoists *h, LLVMValueRef v, LLVMValueRef is) {
    if (!is_new(h, v))
        return;
    for (int i = 0; i < h->nunits; i++)
        is = h->units[i].value == is ? h->units[i].is : is;
    h->units[h->nunits++] = (prep_unit){v, is, 0};
    for (size_t i = 0; i < h->nuses; i++)
        if (LLVMGetOperand(h->uses[i].user, h->uses[i].operand) == v)
            LLVMSetOperand(h->uses[i].user, h->uses[i].operand, is);
    if (!prep_is_stand_in(h, v))
        prep_replace_uses(h, v, is);
    br_scev_forget(h->f);
}

/* Accesses of innermost loops */

/* The address of what an instruction loads or stores in l, if it changes with l; else NULL. */
static br_scev address_of(const prep_hoists *h, br_loop l, LLVMValueRef i, int64_t *size) {
    bool stores = LLVMIsAStoreInst(i) != NULL;
    st_type type;
    if ((!stores && !LLVMIsALoadInst(i)) ||
        !host_type(LLVMTypeOf(stores ? LLVMGetOperand(i, 0) : i), &type) || type == ST_I1)
        return NULL;
    br_scev at = br_scev_of(h->f, LLVMGetOperand(i, stores ? 1 : 0));
    *size = (int64_t)st_type_size(type);
    bool good = br_scev_kind(at) == BR_ADDREC && br_scev_loop(at) == l && br_scev_count(at) == 2;
    return good ? at : NULL;
}

void prep_look_in(prep_accesses *a, br_loop l) {
    enum { MAX_CHILDREN = 64 };
    br_loop children[MAX_CHILDREN];
    LLVMBasicBlockRef blocks[HOIST_MAX_BLOCKS];
    size_t count = br_loop_children(l, children, MAX_CHILDREN);
    for (size_t k = 0; k < count && k < MAX_CHILDREN; k++)
        prep_look_in(a, children[k]);
    size_t nblocks = count ? 0 : br_loop_blocks(l, blocks, HOIST_MAX_BLOCKS);
    for (size_t b = 0; b < nblocks && b < HOIST_MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            int64_t size;
            br_scev at = address_of(a->h, l, i, &size);
            if (at)
                a->look_at(a, at, size);
        }
}

static void assume_unit(prep_accesses *a, br_scev at, int64_t size) {
    int64_t is;
    LLVMValueRef v = find_number(a->h, br_scev_operand(at, 1), size, &is);
    if (v)
        prep_assume(a->h, v, LLVMConstInt(LLVMTypeOf(v), (unsigned long long)is, true));
}

bool prep_has_gaps(br_scev address) {
    int64_t ignored;
    return br_scev_kind(address) != BR_ADDREC || br_scev_count(address) != 2 ||
           br_scev_kind(without_factor(br_scev_operand(address, 1), &ignored)) != BR_UNKNOWN;
}

/* The constant in a sum, which is its first operand; 0 if there is none. */
static int64_t constant_of(br_scev sum, size_t *others) {
    int64_t constant = 0;
    bool has = br_scev_kind(sum) == BR_ADD && br_scev_int(br_scev_operand(sum, 0), &constant);
    *others = has ? 1 : 0;
    return has ? constant : 0;
}

static br_scev term(br_scev sum, size_t i) {
    return br_scev_kind(sum) == BR_ADD ? br_scev_operand(sum, i) : sum;
}

/* Do two addresses differ by a number of bytes that is not 0? */
static bool are_beside(br_scev a, br_scev b) {
    size_t i, j;
    bool differ = constant_of(a, &i) != constant_of(b, &j);
    size_t na = br_scev_kind(a) == BR_ADD ? br_scev_count(a) : 1;
    size_t nb = br_scev_kind(b) == BR_ADD ? br_scev_count(b) : 1;
    bool equal = na - i == nb - j;
    for (; equal && i < na; i++, j++)
        equal = term(a, i) == term(b, j);
    return equal && differ;
}

static void note_walk(prep_accesses *a, br_scev at, int64_t size) {
    enum { MOST = sizeof a->walks.seen / sizeof *a->walks.seen };
    prep_walks *w = &a->walks;
    int64_t factor, step;
    br_scev start = br_scev_operand(at, 0);
    bool number = br_scev_int(br_scev_operand(at, 1), &step);
    without_factor(br_scev_operand(at, 1), &factor);
    w->elements |= number && step == size;
    if (number || factor != size)
        return;
    w->rows = true;
    for (int i = 0; i < w->nseen; i++)
        w->beside |= are_beside(w->seen[i], start);
    if (w->nseen < MOST)
        w->seen[w->nseen++] = start;
}

prep_walks prep_walks_of(br_function *f, br_loop innermost) {
    prep_accesses a = {.h = calloc(1, sizeof *a.h), .look_at = note_walk};
    a.h->f = f;
    a.h->scope = innermost;
    prep_look_in(&a, innermost);
    free(a.h);
    return a.walks;
}

bool prep_walks_columns(br_function *f, br_loop innermost) {
    prep_walks w = prep_walks_of(f, innermost);
    return w.rows && (w.elements || w.beside);
}

void prep_assume_units(prep_hoists *h) {
    prep_accesses a = {.h = h, .look_at = assume_unit};
    prep_look_in(&a, h->scope);
}
