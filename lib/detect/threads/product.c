/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is stored must be a sum of products of two loads, however often the loop's body was
 * repeated: from the stored value back, through additions and through the loops' phis. Of each
 * pair, the address of one must move with the row alone and that of the other with the column, and
 * both with the loop: the first to the next element, the second, element by element of a row.
 */
#include "detect/threads/product.h"

#include "detect/common/calls.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SUMS = ST_LIMIT(256, 6), MAX_PAIRS = ST_LIMIT(128, 2) };

typedef struct pair {
    LLVMValueRef a, b; /* loads */
} pair;

typedef struct sums {
    LLVMValueRef visited[MAX_SUMS];
    pair pairs[MAX_PAIRS];
    int nvisited, npairs;
} sums;

static bool add_pair(sums *s, LLVMValueRef a, LLVMValueRef b) {
    if (!LLVMIsALoadInst(a) || !LLVMIsALoadInst(b) || s->npairs == MAX_PAIRS)
        return false;
    s->pairs[s->npairs++] = (pair){a, b};
    return true;
}

static bool is_product(LLVMValueRef v) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    return op == LLVMFMul || op == LLVMMul;
}

static bool collect(sums *s, LLVMValueRef v);

static bool collect_ways(sums *s, LLVMValueRef phi) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (!collect(s, LLVMGetIncomingValue(phi, i)))
            return false;
    return true;
}

static bool collect_sum(sums *s, LLVMValueRef v) {
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
    LLVMValueRef product = is_product(y) ? y : x, rest = is_product(y) ? x : y;
    return is_product(product) &&
           add_pair(s, LLVMGetOperand(product, 0), LLVMGetOperand(product, 1)) && collect(s, rest);
}

/* v is a constant, or a sum of such products and one. */
static bool collect(sums *s, LLVMValueRef v) {
    if (LLVMIsAConstant(v))
        return true;
    for (int i = 0; i < s->nvisited; i++)
        if (s->visited[i] == v)
            return true;
    if (!LLVMIsAInstruction(v) || s->nvisited == MAX_SUMS)
        return false;
    s->visited[s->nvisited++] = v;
    if (LLVMIsAPHINode(v))
        return collect_ways(s, v);
    if (host_calls(v, "llvm.fma.") || host_calls(v, "llvm.fmuladd."))
        return add_pair(s, LLVMGetOperand(v, 0), LLVMGetOperand(v, 1)) &&
               collect(s, LLVMGetOperand(v, 2));
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return (op == LLVMFAdd || op == LLVMAdd) && collect_sum(s, v);
}

/* Addresses */

static bool address_of(kernel_values *values, LLVMValueRef pointer, poly *out) {
    kernel_query maybe = {values, NULL};
    return kernel_poly(&maybe, br_scev_of(values->f, pointer), out) && poly_is_known(*out);
}

static bool growth(const kernel_values *values, poly p, const kernel_root *r, poly *by) {
    poly rest;
    return poly_split(p, kernel_root_atom(r), by, &rest) && !kernel_varies(values, *by);
}

/* How the address moves: with the thread's number along which dimension of the launch (of a flat
 * index, its column 0 or row 1), and with loops. */
typedef struct motion {
    int dim;
    poly step;            /* with the thread's number */
    bool loops, in_steps; /* moves with a loop; by a number of elements */
} motion;

static bool note_dim(motion *m, int dim, poly by) {
    if (m->dim >= 0 && m->dim != dim)
        return false;
    m->dim = dim;
    m->step = by;
    return true;
}

/* Column and row as if they were numbers of their own: flat = column + width * row. */
static bool flat_motion(kernel_values *values, const st_flat_index *f, poly *p, motion *m) {
    poly width, by, rest, share = NULL;
    if (!threads_poly(values, f->width, &width))
        return false;
    for (int i = 0; i < values->nroots; i++) {
        const kernel_root *r = &values->roots[i];
        if (r->role == KERNEL_THREAD && r->dim == f->digits[0].dim && growth(values, *p, r, &share))
            break;
    }
    poly columns = poly_mul(f->value, share);
    *p = poly_sub(*p, columns);
    if (!poly_is_zero(share) && !note_dim(m, 0, share))
        return false;
    for (int i = 0; i < values->nroots; i++) {
        const kernel_root *r = &values->roots[i];
        if (r->role != KERNEL_QUOTIENT || !poly_equal(r->numerator, f->value) ||
            !poly_equal(r->divisor, width))
            continue;
        if (!growth(values, *p, r, &by))
            return false;
        poly_split(*p, kernel_root_atom(r), &by, &rest);
        *p = rest;
        share = poly_mul(share, width);
        by = poly_add(by, share);
        return poly_is_zero(by) || note_dim(m, 1, by);
    }
    return true;
}

static bool motion_of(kernel_values *values, const st_threads *t, LLVMValueRef pointer,
                      int64_t unit, motion *m) {
    poly p, by;
    *m = (motion){.dim = -1};
    if (!address_of(values, pointer, &p) || (t->is_flat && !flat_motion(values, &t->flat, &p, m)))
        return false;
    for (int i = 0; i < values->nroots; i++) {
        const kernel_root *r = &values->roots[i];
        int64_t bytes;
        if (!growth(values, p, r, &by))
            return false;
        if (poly_is_zero(by))
            continue;
        if (r->role == KERNEL_ITERATION) {
            m->loops = true;
            m->in_steps = poly_is_int(by, &bytes) && bytes % unit == 0 && bytes <= 64 * unit;
        } else if (t->is_flat || (r->role != KERNEL_THREAD && r->role != KERNEL_BLOCK)) {
            return false;
        } else if (m->dim == r->dim && r->role == KERNEL_BLOCK) {
            continue;
        } else if (!note_dim(m, r->dim, by)) {
            return false;
        }
    }
    return true;
}

static bool is_elements(poly step, int64_t unit) {
    int64_t bytes;
    return poly_is_int(step, &bytes) && bytes == unit;
}

/* a[y][k] and b[k][x]? */
static bool check_pair(kernel_values *values, const st_threads *t, LLVMValueRef a, LLVMValueRef b,
                       int64_t unit, bool *loops) {
    motion left, right;
    if (!motion_of(values, t, LLVMGetOperand(a, 0), unit, &left) ||
        !motion_of(values, t, LLVMGetOperand(b, 0), unit, &right))
        return false;
    *loops |= left.loops && right.loops;
    return left.loops == right.loops && left.dim >= 0 && right.dim >= 0 && left.dim != right.dim &&
           !is_elements(left.step, unit) && is_elements(right.step, unit) &&
           (!left.loops || (left.in_steps && !right.in_steps));
}

/* The pointer that an address is an offset from. */
static LLVMValueRef base_of(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* The first base that a pointer comes from and that is not the pointer itself, advanced in a loop.
 */
static LLVMValueRef first_base(LLVMValueRef phi) {
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef base = base_of(LLVMGetIncomingValue(phi, k));
        if (base != phi)
            return base;
    }
    return NULL;
}

/* The array that is read. Pointers of nested loops can come from each other: only so many are
 * followed. */
static LLVMValueRef array_of(LLVMValueRef access, unsigned operand) {
    enum { MOST_POINTERS = 16 };
    LLVMValueRef pointer = base_of(LLVMGetOperand(access, operand));
    for (int k = 0; k < MOST_POINTERS && LLVMIsAPHINode(pointer) && first_base(pointer); k++)
        pointer = first_base(pointer);
    return pointer;
}

static LLVMValueRef only_store(LLVMValueRef function) {
    LLVMValueRef store = NULL;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAStoreInst(i) && store)
                return NULL;
            store = LLVMIsAStoreInst(i) ? i : store;
        }
    return store;
}

/* Is it a copy of a sum that was found? An unrolled loop leaves the rest to another loop. The start
 * of that loop is chosen among several values, and so are its addresses: they are no polynomials.
 * But like all copies of a sum it reads the same arrays. */
static bool is_copy(const threads_product *found, const pair *p) {
    LLVMValueRef a = array_of(p->a, 0), b = array_of(p->b, 0);
    return (a == found->left && b == found->right) || (b == found->left && a == found->right);
}

/* The first pair of loads that tells which array is which. */
static bool find_arrays(kernel_values *values, const st_threads *t, const sums *s, int64_t unit,
                        threads_product *out) {
    for (int i = 0; i < 2 * s->npairs; i++) {
        const pair *p = &s->pairs[i / 2];
        LLVMValueRef a = i % 2 ? p->b : p->a, b = i % 2 ? p->a : p->b;
        bool loops = false;
        if (!check_pair(values, t, a, b, unit, &loops) || !loops)
            continue;
        out->left = array_of(a, 0);
        out->right = array_of(b, 0);
        return true;
    }
    return false;
}

static bool is_sum_of_products(kernel_values *values, const st_threads *t, LLVMValueRef stored,
                               sums *s, threads_product *out) {
    int64_t unit = (int64_t)st_type_size(out->type);
    if (!collect(s, stored) || !find_arrays(values, t, s, unit, out))
        return false;
    for (int i = 0; i < s->npairs; i++)
        if (!is_copy(out, &s->pairs[i]))
            return false;
    return true;
}

bool threads_find_product(kernel_values *values, const st_threads *t, threads_product *out) {
    LLVMValueRef store = only_store(values->function);
    LLVMValueRef stored = store ? LLVMGetOperand(store, 0) : NULL;
    if (!store || !host_type(LLVMTypeOf(stored), &out->type))
        return false;
    sums *s = calloc(1, sizeof *s);
    bool good = is_sum_of_products(values, t, stored, s, out);
    free(s);
    out->result = array_of(store, 1);
    return good;
}

/* Without what front ends append to an argument's name. */
static void print_name(LLVMValueRef array, const char *index, FILE *out) {
    char name[64];
    host_value_name(array, name, sizeof name);
    fprintf(out, "%.*s[%c][%c]", (int)strcspn(name, "."), name, index[0], index[1]);
}

void threads_print_product(const threads_product *p, const st_threads *t, const char *where,
                           FILE *out) {
    fprintf(out, "matrix product in %s: %s%s; ", where, t->is_flat ? "flat index" : "blocks",
            t->is_flat && t->flat.loop ? ", grid-stride loop" : "");
    print_name(p->result, "yx", out);
    fputs(" = sum of ", out);
    print_name(p->left, "yk", out);
    fputs(" * ", out);
    print_name(p->right, "kx", out);
    fprintf(out, ", %s\n", st_type_name(p->type));
}
