/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Does everything that threads do depend on the flat index, and not otherwise on their numbers?
 *
 * From the instructions that read these numbers on, each user must be a part of the sum, which
 * again is used so, or the sum. Parts are at most the sum, so none wraps where the launch has fewer
 * than 2^31 threads, which is checked at run time. A grid-stride loop starts with the sum for its
 * first iteration, which may be compared with the loop's limit, and nothing else; its next index
 * is only tested and carried on.
 */
#include "detect/threads/threads.h"

#include <string.h>

typedef struct uses {
    kernel_values *values;
    st_flat_index *f;
    st_value_list parts, next;
    st_refusal *why;
    poly after; /* of a stride loop: the next iteration's index */
} uses;

static bool is_cast(LLVMValueRef v) {
    return LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsATruncInst(v) || LLVMIsAFreezeInst(v);
}

static bool is_sum(LLVMValueRef v) {
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
        return true;
    default:
        return is_cast(v);
    }
}

static bool is_wide(LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind &&
           (LLVMGetIntTypeWidth(t) == 32 || LLVMGetIntTypeWidth(t) == 64);
}

static bool has_term(poly p, const poly_term *t) {
    for (int i = 0; i < poly_count(p); i++) {
        bool same = poly_terms(p)[i].factor == t->factor && poly_terms(p)[i].degree == t->degree;
        for (int a = 0; same && a < t->degree; a++)
            same = poly_terms(p)[i].atoms[a] == t->atoms[a];
        if (same)
            return true;
    }
    return false;
}

static bool is_within(poly part, poly sum) {
    for (int i = 0; i < poly_count(part); i++)
        if (!has_term(sum, &poly_terms(part)[i]))
            return false;
    return poly_count(part) > 0 && poly_is_known(part);
}

/* Terms of the sum, or their number of blocks: by * gridDim.x + bx. */
static bool is_part(const uses *u, poly p) {
    if (is_within(p, u->f->value))
        return true;
    br_function *f = u->values->f;
    for (int i = 0; i < u->f->ndigits; i++) {
        const st_thread_digit *d = &u->f->digits[i];
        br_scev atom = u->values->sizes[d->is_block][d->dim];
        poly size = d->size ? poly_int(f, d->size) : atom ? poly_atom(f, atom) : poly_int(f, 1);
        poly times = poly_mul(p, size);
        if (is_within(times, u->f->value))
            return true;
    }
    return poly_count(p) == 1 && poly_terms(p)[0].degree == 1 && poly_terms(p)[0].factor == 1;
}

static bool in_loop(const uses *u, LLVMValueRef i) {
    return !u->f->loop || br_loop_contains(u->f->loop, LLVMGetInstructionParent(i));
}

/* The stride loop's test */

static bool is_test(const uses *u, LLVMValueRef i) {
    LLVMBasicBlockRef block = u->f->loop ? br_loop_exiting_block(u->f->loop) : NULL;
    LLVMValueRef end = block ? LLVMGetBasicBlockTerminator(block) : NULL;
    return end && br_is_conditional(end) && LLVMGetCondition(end) == i;
}

/* The loop goes on while its index, or the next one, is below the limit. So it visits all cells
 * below, whatever else it does. */
static bool find_test(uses *u) {
    st_flat_index *f = u->f;
    LLVMBasicBlockRef block = br_loop_exiting_block(f->loop);
    LLVMValueRef end = block ? LLVMGetBasicBlockTerminator(block) : NULL;
    if (!end || !br_is_conditional(end) || !LLVMIsAICmpInst(LLVMGetCondition(end)))
        return threads_refuse(u->why, "its loop over cells does not end by one comparison");
    LLVMValueRef test = LLVMGetCondition(end);
    bool holds = br_loop_contains(f->loop, LLVMGetSuccessor(end, 0));
    for (int left = 0; left < 2; left++) {
        poly p;
        LLVMValueRef limit = threads_upper_limit(test, left, holds, &f->limit_signed);
        if (limit && tg_is_uniform(limit) &&
            threads_poly(u->values, LLVMGetOperand(test, left ? 0 : 1), &p) &&
            (poly_equal(p, f->value) || poly_equal(p, u->after))) {
            f->limit = limit;
            return true;
        }
    }
    return threads_refuse(u->why, "its loop over cells does not end at a limit of the flat index");
}

/* Does the loop carry nothing but the index? */
static bool find_carried(uses *u) {
    LLVMValueRef phi = LLVMGetFirstInstruction(br_loop_header(u->f->loop));
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        poly p;
        if (!is_wide(phi) || !threads_poly(u->values, phi, &p) || !poly_equal(p, u->f->value))
            return threads_refuse(u->why, "its loop over cells carries more than the flat index");
        if (!st_list_add(&u->f->others, phi))
            return false;
    }
    return true;
}

/* Users */

/* A value for the test and the step alone: they stay with the order of the program. */
static bool keep(uses *u, LLVMValueRef i) {
    return st_list_has(&u->f->kept, i) || st_list_add(&u->f->kept, i);
}

static bool is_header_phi(const uses *u, LLVMValueRef i) {
    return u->f->loop && LLVMIsAPHINode(i) &&
           LLVMGetInstructionParent(i) == br_loop_header(u->f->loop);
}

/* Before a stride loop: is there anything to do at all? */
static bool is_first_test(const uses *u, LLVMValueRef i, LLVMValueRef part) {
    LLVMUseRef use = LLVMIsAICmpInst(i) && u->f->loop ? LLVMGetFirstUse(i) : NULL;
    LLVMValueRef end = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    poly p, limit;
    bool ignored;
    if (!end || !br_is_branch(end))
        return false;
    bool holds = br_dominates(u->values->f, LLVMGetSuccessor(end, 0), br_loop_header(u->f->loop));
    LLVMValueRef other = threads_upper_limit(i, LLVMGetOperand(i, 0) == part, holds, &ignored);
    return other && threads_poly(u->values, other, &p) &&
           threads_poly(u->values, u->f->limit, &limit) && poly_equal(p, limit);
}

static bool refuse_use(uses *u) {
    return threads_refuse(u->why,
                          "a thread's or block's number is used for more than the flat index");
}

static bool visit_part(uses *u, LLVMValueRef part, LLVMValueRef user) {
    poly p;
    if (st_list_has(&u->parts, user) || st_list_has(&u->f->others, user) ||
        is_header_phi(u, user) || is_first_test(u, user, part))
        return true;
    if (!is_sum(user) || !threads_poly(u->values, user, &p))
        return refuse_use(u);
    if (poly_equal(p, u->f->value) && is_wide(user))
        return st_list_add(&u->f->others, user) || refuse_use(u);
    return (is_part(u, p) && st_list_add(&u->parts, user)) || refuse_use(u);
}

/* Visits a user of the loop's next index. */
static bool visit_next(uses *u, LLVMValueRef user) {
    poly p;
    if (st_list_has(&u->next, user) || is_header_phi(u, user) || is_test(u, user))
        return keep(u, user);
    return (is_cast(user) && threads_poly(u->values, user, &p) && poly_equal(p, u->after) &&
            st_list_add(&u->next, user) && keep(u, user)) ||
           threads_refuse(u->why,
                          "the next index of its loop over cells is used in this iteration");
}

/* Visits a user of the index. Only casts of it, and in a loop the test and the step, are looked at.
 */
static bool visit_index(uses *u, LLVMValueRef index, LLVMValueRef user) {
    (void)index;
    poly p;
    if (!LLVMIsAInstruction(user) || !in_loop(u, user))
        return refuse_use(u);
    if (!u->f->loop)
        return true;
    if (is_test(u, user))
        return keep(u, user);
    if (!is_sum(user) || !threads_poly(u->values, user, &p))
        return !is_header_phi(u, user) || refuse_use(u);
    if (is_cast(user) && poly_equal(p, u->f->value) && is_wide(user))
        return st_list_has(&u->f->others, user) || st_list_add(&u->f->others, user) ||
               refuse_use(u);
    if (!poly_equal(p, u->after))
        return true;
    return (st_list_has(&u->next, user) || st_list_add(&u->next, user)) && keep(u, user);
}

typedef bool visit_function(uses *u, LLVMValueRef value, LLVMValueRef user);

static bool visit_next_of(uses *u, LLVMValueRef value, LLVMValueRef user) {
    (void)value;
    return visit_next(u, user);
}

/* The list may grow on the way. */
static bool visit_all(uses *u, const st_value_list *list, visit_function *visit) {
    for (int i = 0; i < list->count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(list->values[i]); use; use = LLVMGetNextUse(use))
            if (!visit(u, list->values[i], LLVMGetUser(use)))
                return false;
    return true;
}

static bool find_readers(uses *u) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(u->values->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            int dim;
            kernel_role role = kernel_role_of(i, &dim);
            for (int d = 0; d < u->f->ndigits; d++)
                if (role == (u->f->digits[d].is_block ? KERNEL_BLOCK : KERNEL_THREAD) &&
                    u->f->digits[d].dim == dim && !st_list_add(&u->parts, i))
                    return threads_refuse(u->why, "its thread numbers are read in too many places");
        }
    return true;
}

/* The test and the step are of the index itself, not of what is computed from it. */
static bool check_kept(uses *u) {
    br_loop loop = u->f->loop;
    LLVMValueRef phi = loop ? LLVMGetFirstInstruction(br_loop_header(loop)) : NULL;
    bool good = !loop || st_list_has(&u->f->kept, LLVMGetCondition(LLVMGetBasicBlockTerminator(
                                                      br_loop_exiting_block(loop))));
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (br_loop_contains(loop, LLVMGetIncomingBlock(phi, i)))
                good &= st_list_has(&u->next, LLVMGetIncomingValue(phi, i));
    return good ||
           threads_refuse(u->why, "its loop over cells does not step by its flat index alone");
}

/* The index that comes before all others becomes `index`. */
static bool choose_index(uses *u) {
    st_value_list *l = &u->f->others;
    for (int i = 0; i < l->count; i++) {
        int before = 0;
        for (int j = 0; j < l->count; j++)
            before += br_comes_first(u->values->f, l->values[i], l->values[j]);
        if (before == l->count) {
            u->f->index = l->values[i];
            l->values[i] = l->values[--l->count];
            return true;
        }
    }
    return threads_refuse(u->why, "the flat index is computed in several places");
}

static poly after(const kernel_values *values, const st_flat_index *f) {
    for (int i = 0; f->loop && i < values->nroots; i++) {
        poly by, rest;
        if (values->roots[i].role == KERNEL_ITERATION && values->roots[i].loop == f->loop &&
            poly_split(f->value, kernel_root_atom(&values->roots[i]), &by, &rest))
            return poly_add(f->value, by);
    }
    return f->value;
}

bool threads_find_uses(kernel_values *values, st_flat_index *f, st_refusal *why) {
    uses u = {.values = values, .f = f, .why = why, .after = after(values, f)};
    if (f->loop && (!find_test(&u) || !find_carried(&u)))
        return false;
    if (!find_readers(&u) || !visit_all(&u, &u.parts, visit_part) ||
        !visit_all(&u, &f->others, visit_index) || !visit_all(&u, &u.next, visit_next_of) ||
        !check_kept(&u) || !choose_index(&u))
        return false;
    threads_find_limits(values, f);
    return true;
}
