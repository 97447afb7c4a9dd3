/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Indices: from ScalarEvolution, and what it leaves opaque, to polynomials over roots.
 *
 * Integers of few bits are taken as exact, and what was taken so is recorded. Resolvers know what
 * conditions choose; the evaluator need not know how.
 */
#include "detect/kernel/index.h"
#include "detect/common/calls.h"

#include <stdlib.h>

static bool same_assumed(const kernel_assumed *a, const kernel_assumed *b) {
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = a->conditions[i] == b->conditions[i] && a->holds[i] == b->holds[i];
    return same;
}

bool kernel_note_narrow(const kernel_query *q, br_scev s, bool is_signed) {
    enum br_scev_kind kind = br_scev_kind(s);
    if (kind == BR_CONSTANT || kind == BR_UNKNOWN || br_scev_bits(q->values->f, s) >= 64)
        return true;
    kernel_values *v = q->values;
    for (int i = 0; i < v->nnarrow; i++)
        if (v->narrow[i].value == s && v->narrow[i].is_signed == is_signed &&
            same_assumed(&v->narrow[i].under, &v->assumed))
            return true;
    if (v->takes_exact)
        return true;
    if (v->nnarrow == KERNEL_MAX_NARROW)
        return st_refuse(q->why, ST_NO_KERNEL_TOO_BIG, "1024 indices of fewer than 64 bits");
    if (v->nnarrow % 16 == 0)
        v->narrow = realloc(v->narrow, ((size_t)v->nnarrow + 16) * sizeof *v->narrow);
    v->narrow[v->nnarrow++] = (kernel_narrow){s, is_signed, v->assumed};
    return true;
}

static bool set_root(const kernel_query *q, kernel_root *r, poly *out) {
    if (r)
        *out = poly_atom(q->values->f, kernel_root_atom(r));
    return r != NULL;
}

/* Thread and block numbers, by whatever instruction they are read. */
static bool identity(const kernel_query *q, LLVMValueRef v, kernel_role role, int dim, poly *out) {
    if (role == KERNEL_BLOCK_SIZE || role == KERNEL_GRID_SIZE) {
        br_scev *first = &q->values->sizes[role == KERNEL_GRID_SIZE][dim];
        *first = *first ? *first : br_scev_of(q->values->f, v);
        *out = poly_atom(q->values->f, *first);
        return true;
    }
    for (int i = 0; i < q->values->nroots; i++)
        if (q->values->roots[i].role == role && q->values->roots[i].dim == dim)
            return set_root(q, &q->values->roots[i], out);
    kernel_root *r = kernel_add_root(q, role);
    if (r)
        r->dim = dim;
    return set_root(q, r, out);
}

static bool iteration(const kernel_query *q, br_loop loop, poly *out) {
    for (int i = 0; i < q->values->nroots; i++)
        if (q->values->roots[i].role == KERNEL_ITERATION && q->values->roots[i].loop == loop)
            return set_root(q, &q->values->roots[i], out);
    kernel_root *r = kernel_add_root(q, KERNEL_ITERATION);
    if (r)
        r->loop = loop;
    return set_root(q, r, out);
}

bool kernel_operand(const kernel_query *q, LLVMValueRef v, bool is_signed, poly *out) {
    br_scev s = br_scev_of(q->values->f, v);
    return kernel_note_narrow(q, s, is_signed) && kernel_number(q, s, out);
}

static bool division(const kernel_query *q, LLVMValueRef v, poly *out) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool is_signed = op == LLVMSDiv || op == LLVMSRem;
    poly numerator, divisor;
    if (!kernel_operand(q, LLVMGetOperand(v, 0), is_signed, &numerator) ||
        !kernel_operand(q, LLVMGetOperand(v, 1), is_signed, &divisor))
        return false;
    if (!kernel_varies(q->values, numerator) && !kernel_varies(q->values, divisor)) {
        *out = poly_atom(q->values->f, br_scev_of(q->values->f, v));
        return true;
    }
    return op == LLVMSDiv || op == LLVMUDiv ? kernel_quotient(q, numerator, divisor, false, out)
                                            : kernel_remainder(q, numerator, divisor, false, out);
}

/* Refuses a loaded index, by the name of the array that it is read from; compilers keep few
 * names. */
static bool refuse_loaded(const kernel_query *q, LLVMValueRef load) {
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    size_t length;
    char own[ST_DETAIL / 2], detail[ST_DETAIL];
    bool one = tg_is_uniform_number(pointer); /* a size, of which all threads read the same */
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer) ||
           LLVMIsAConstantExpr(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    LLVMGetValueName2(pointer, &length);
    if (LLVMIsALoadInst(pointer))
        return st_refuse(q->why, ST_NO_KERNEL_INDIRECT,
                         "by a pointer that is read from memory, too");
    if (length || !LLVMIsAArgument(pointer))
        host_value_name(pointer, own, sizeof own);
    else
        snprintf(own, sizeof own, "argument %u", tg_argument_number(pointer) + 1);
    snprintf(detail, sizeof detail, "%s%s", own,
             one ? "; a size must be read before anything is written" : "");
    return st_refuse(q->why, ST_NO_KERNEL_INDIRECT, detail);
}

/* What the evaluator does not look into. */
static bool resolve(const kernel_query *q, br_scev s, poly *out) {
    kernel_answer answer = KERNEL_UNKNOWN;
    for (int i = 0; answer == KERNEL_UNKNOWN && q->values->resolvers[i]; i++)
        answer = q->values->resolvers[i](q, s, out);
    LLVMValueRef v = br_scev_kind(s) == BR_UNKNOWN ? br_scev_value(s) : NULL;
    if (answer == KERNEL_UNKNOWN && v && LLVMIsAInstruction(v) &&
        LLVMGetInstructionOpcode(v) == LLVMAnd)
        return kernel_refuse_index(q, "it is masked by a number that is no constant, and not by "
                                      "n - 1 of an argument n: write (x + n) % n");
    if (answer == KERNEL_UNKNOWN)
        return kernel_refuse_index(q, "it is not computed by sums, products and divisions");
    return answer == KERNEL_KNOWN;
}

static bool opaque(const kernel_query *q, br_scev s, poly *out) {
    LLVMValueRef v = br_scev_value(s);
    int dim = 0;
    kernel_role role = kernel_role_of(v, &dim);
    if (role != KERNEL_NO_ROLE)
        return identity(q, v, role, dim, out);
    if (!LLVMIsAInstruction(v)) {
        *out = poly_atom(q->values->f, br_scev_of(q->values->f, v));
        return true;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMFreeze:
    case LLVMAddrSpaceCast:
        return kernel_operand(q, LLVMGetOperand(v, 0), true, out);
    case LLVMPHI:
        return resolve(q, s, out);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return division(q, v, out);
    default:
        break;
    }
    if (tg_is_uniform_number(v)) {
        *out = poly_atom(q->values->f, br_scev_of(q->values->f, v));
        return true;
    }
    if (LLVMIsALoadInst(v))
        return refuse_loaded(q, v);
    return resolve(q, s, out);
}

static bool recurrence(const kernel_query *q, br_scev s, poly *out) {
    poly step, count;
    if (br_scev_count(s) != 2)
        return kernel_refuse_index(q, "it changes unevenly");
    if (!kernel_poly(q, br_scev_operand(s, 0), out) ||
        !kernel_poly(q, br_scev_operand(s, 1), &step) || !iteration(q, br_scev_loop(s), &count))
        return false;
    count = poly_mul(count, step);
    *out = poly_add(*out, count);
    return true;
}

/* A constant that LLVM chose modulo a power of 2: 4 * (y - 1) may become 4 * (y + 0x3fffffff). The
 * sum wraps, and is not what it seems to be. */
static bool is_wrapping(const kernel_query *q, br_scev s) {
    enum { MOST = 1 << 27 };
    int64_t number;
    return br_scev_kind(s) == BR_CONSTANT && br_scev_bits(q->values->f, s) <= 32 &&
           br_scev_int(s, &number) && (number >= MOST || number <= -MOST);
}

static bool combine(const kernel_query *q, br_scev s, bool multiply, poly *out) {
    poly part;
    *out = poly_int(q->values->f, multiply);
    for (size_t i = 0; i < br_scev_count(s); i++) {
        if (!multiply && is_wrapping(q, br_scev_operand(s, i)))
            return kernel_refuse_index(q,
                                       "a constant of 2^27 or more is added in 32 bits, which may "
                                       "wrap around; add it in 64 bits");
        if (!kernel_poly(q, br_scev_operand(s, i), &part))
            return false;
        *out = multiply ? poly_mul(*out, part) : poly_add(*out, part);
    }
    return poly_is_known(*out) || kernel_refuse_index(q, "it has too many terms");
}

static bool divided(const kernel_query *q, br_scev s, poly *out) {
    poly numerator, divisor;
    if (!kernel_note_narrow(q, br_scev_operand(s, 0), false) ||
        !kernel_note_narrow(q, br_scev_operand(s, 1), false) ||
        !kernel_number(q, br_scev_operand(s, 0), &numerator) ||
        !kernel_number(q, br_scev_operand(s, 1), &divisor))
        return false;
    if (!kernel_varies(q->values, numerator) && !kernel_varies(q->values, divisor)) {
        *out = poly_atom(q->values->f, s);
        return true;
    }
    return kernel_quotient(q, numerator, divisor, false, out);
}

/* To 32 bits: an index that fits. To fewer: kernel_number brings what is computed so into range. */
static bool truncated(const kernel_query *q, br_scev s, poly *out) {
    br_scev x = br_scev_operand(s, 0);
    return (br_scev_bits(q->values->f, s) != 32 || kernel_note_narrow(q, s, true)) &&
           kernel_poly(q, x, out);
}

/* ScalarEvolution writes x & 255 as an extension of what is computed, modulo 256, in 8 bits. */
bool kernel_number(const kernel_query *q, br_scev s, poly *out) {
    unsigned bits = br_scev_bits(q->values->f, s);
    enum br_scev_kind kind = br_scev_kind(s);
    poly wide;
    int64_t constant;
    if (bits == 32 || bits == 64 || kind == BR_UNKNOWN || kind == BR_ZEXT || kind == BR_UDIV)
        return kernel_poly(q, s, out);
    if (bits > 62)
        return kernel_refuse_index(q, "it has 63 bits or more than 64; make it an int or a long");
    poly modulus = poly_int(q->values->f, INT64_C(1) << bits);
    if (!kernel_poly(q, s, &wide))
        return false;
    if (!poly_is_int(wide, &constant))
        return kernel_remainder(q, wide, modulus, true, out);
    *out = poly_int(q->values->f, constant & ((INT64_C(1) << bits) - 1));
    return true;
}

/* A condition, or its complement, which ScalarEvolution writes as 1 + x of one bit. */
static bool extended_bit(const kernel_query *q, br_scev x, bool is_signed, poly *out) {
    bool inverse = br_scev_kind(x) == BR_ADD && br_scev_count(x) == 2 &&
                   br_scev_kind(br_scev_operand(x, 0)) == BR_CONSTANT;
    br_scev bit = inverse ? br_scev_operand(x, 1) : x;
    if (br_scev_kind(bit) == BR_TRUNC || br_scev_kind(bit) == BR_ADD ||
        br_scev_kind(bit) == BR_ADDREC)
        return kernel_refuse_index(q, "it depends on whether a number is odd");
    if (br_scev_kind(bit) != BR_UNKNOWN || !kernel_poly(q, bit, out))
        return kernel_refuse_index(q, "it is computed with conditions");
    if (inverse)
        *out = poly_sub(poly_int(q->values->f, 1), *out);
    *out = poly_scale(*out, is_signed ? -1 : 1);
    return true;
}

/* CUDA's __mul24 takes the low 24 bits of each factor. Of the numbers of threads and blocks these
 * are all, if there are fewer blocks than they can count. */
enum { FACTOR_BITS = 24 };

static bool is_factor(const kernel_query *q, br_scev x) {
    int dim;
    br_scev whole = br_scev_kind(x) == BR_TRUNC ? br_scev_operand(x, 0) : NULL;
    return whole && !q->values->takes_exact && br_scev_bits(q->values->f, x) == FACTOR_BITS &&
           br_scev_kind(whole) == BR_UNKNOWN &&
           kernel_role_of(br_scev_value(whole), &dim) != KERNEL_NO_ROLE;
}

static bool factor(const kernel_query *q, br_scev x, poly *out) {
    br_scev whole = br_scev_operand(x, 0);
    int dim;
    kernel_role role = kernel_role_of(br_scev_value(whole), &dim);
    if (role == KERNEL_BLOCK || role == KERNEL_GRID_SIZE) {
        poly blocks = poly_atom(q->values->f, kernel_grid_size(q->values, dim));
        poly most = poly_int(q->values->f, INT64_C(1) << (FACTOR_BITS - 1));
        if (!kernel_need(q->values, poly_sub(most, blocks)))
            return kernel_refuse_index(q, "it has too many terms");
    }
    return kernel_poly(q, whole, out);
}

static bool extended(const kernel_query *q, br_scev s, poly *out) {
    br_scev x = br_scev_operand(s, 0);
    bool is_signed = br_scev_kind(s) == BR_SEXT;
    unsigned bits = br_scev_bits(q->values->f, x);
    if (bits == 1)
        return extended_bit(q, x, is_signed, out);
    if (is_factor(q, x))
        return factor(q, x, out);
    if (is_signed && bits < 32 && br_scev_kind(x) != BR_UNKNOWN)
        return kernel_refuse_index(q,
                                   "it is computed with fewer than 32 bits; compute it as an int");
    return kernel_note_narrow(q, x, is_signed) && kernel_number(q, x, out);
}

/* Made of uniform values alone, whatever the operations? */
static bool is_uniform_sum(br_scev s, int depth) {
    if (br_scev_kind(s) == BR_UNKNOWN)
        return tg_is_uniform_number(br_scev_value(s));
    if (br_scev_kind(s) == BR_ADDREC || depth == 0)
        return false;
    for (size_t i = 0; i < br_scev_count(s); i++)
        if (!is_uniform_sum(br_scev_operand(s, i), depth - 1))
            return false;
    return br_scev_kind(s) == BR_CONSTANT || br_scev_count(s) > 0;
}

static bool expand(const kernel_query *q, br_scev s, poly *out) {
    int64_t constant;
    switch (br_scev_kind(s)) {
    case BR_CONSTANT:
        if (!br_scev_int(s, &constant))
            return kernel_refuse_index(q, "a constant has more than 64 bits");
        *out = poly_int(q->values->f, constant);
        return true;
    case BR_ADD:
    case BR_MUL:
        return combine(q, s, br_scev_kind(s) == BR_MUL, out);
    case BR_ADDREC:
        return recurrence(q, s, out);
    case BR_ZEXT:
    case BR_SEXT:
        return extended(q, s, out);
    case BR_TRUNC:
        return truncated(q, s, out);
    case BR_PTRTOINT:
        return kernel_poly(q, br_scev_operand(s, 0), out);
    case BR_UDIV:
        return divided(q, s, out);
    case BR_UNKNOWN:
        return opaque(q, s, out);
    default:
        if (is_uniform_sum(s, 8)) {
            *out = poly_atom(q->values->f, s);
            return true;
        }
        return br_scev_kind(s) != BR_OTHER
                   ? resolve(q, s, out)
                   : kernel_refuse_index(q, "it is not a sum of multiples of them");
    }
}

enum { MAX_DEPTH = ST_LIMIT(200, 9), MAX_WORK = ST_LIMIT(1000000, 300) };

bool kernel_poly(const kernel_query *q, br_scev s, poly *out) {
    if (q->values->depth == MAX_DEPTH || q->values->work++ > MAX_WORK)
        return st_refuse(q->why, ST_NO_KERNEL_TOO_BIG,
                         "200 operations in an index, or a million in all");
    q->values->depth++;
    bool good = expand(q, s, out);
    q->values->depth--;
    return good;
}
