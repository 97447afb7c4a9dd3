/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a region assumes of the program: conditions that hold wherever the nest runs, and indices of
 * narrow types that do not wrap. And why it is refused.
 */
#include "algebra/bounds.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/address.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool host_add_guard(host_region *r, LLVMValueRef condition, bool holds) {
    for (int i = 0; i < r->nguards; i++)
        if (r->guards[i].condition == condition && r->guards[i].holds == holds)
            return true;
    if (r->nguards == HOST_MAX_GUARDS)
        return host_refuse(r, ST_NO_CONTROL_FLOW, "too many conditions");
    r->guards[r->nguards++] = (host_guard){condition, holds};
    return true;
}

bool host_refuse(host_region *r, st_reason reason, const char *detail) {
    return st_refuse(&r->why, reason, detail);
}

st_refusal host_outcome(const host_region *r, bool good) {
    st_refusal why = r->why;
    if (good || why.reason == ST_OK)
        why = (st_refusal){.reason = good ? ST_OK : ST_NO_NOT_STENCIL};
    return why;
}

bool host_not_affine(const host_query *q, const char *what) {
    return st_refuse(q->why, ST_NO_NOT_AFFINE, what);
}

bool host_not_affine_by(const host_query *q, LLVMValueRef v) {
    char what[HOST_DETAIL] = "it uses a value computed in the loop", name[HOST_DETAIL / 2];
    size_t length = strlen(what);
    if (!q->why)
        return false;
    if (v) {
        host_value_name(v, name, sizeof name);
        snprintf(what + length, sizeof what - length, ": %s", name);
    }
    return host_not_affine(q, what);
}

static bool same_range(const host_range *a, const host_range *b) {
    bool same = a->bits == b->bits && a->is_signed == b->is_signed &&
                poly_equal(a->index.base, b->index.base);
    for (int i = 0; i < HOST_MAX_LOOPS && same; i++)
        same = poly_equal(a->index.step[i], b->index.step[i]);
    return same;
}

/* Small enough for the check's 128-bit arithmetic: up to so many values of 32 bits, of a step two,
 * as it is multiplied by iterations of 40. */
static bool is_checkable(poly p, int values) {
    for (int i = 0; i < poly_count(p); i++)
        if (poly_terms(p)[i].degree > values || llabs(poly_terms(p)[i].factor) > 1 << 20)
            return false;
    return true;
}

/* Does ScalarEvolution know that the index is within its type, wherever the loops are? */
static bool is_known_in_range(const host_region *r, const host_range *range) {
    poly_bounds b;
    unsigned bits = range->bits - range->is_signed;
    if (bits > 62 || !poly_bound(r->f, range->index.base, &b))
        return false;
    for (int l = 0; l < HOST_MAX_LOOPS; l++)
        if (!poly_is_zero(range->index.step[l]) &&
            (l >= r->nloops || !r->count[l] ||
             !poly_bound_steps(r->f, r->loops[l], r->count[l], range->index.step[l], &b)))
            return false;
    int64_t limit = INT64_C(1) << bits;
    return b.low >= (range->is_signed ? -limit : 0) && b.high < limit;
}

/* Requires that the index is within its narrow type: checked at run time, unless it is known. */
bool host_add_range(const host_query *q, const host_affine *index, unsigned bits, bool is_signed) {
    host_region *r = q->r;
    host_range range = {*index, bits, is_signed};
    if (is_known_in_range(r, &range))
        return true;
    for (int i = 0; i < r->nranges; i++)
        if (same_range(&r->ranges[i], &range))
            return true;
    bool checkable = bits <= 32 && is_checkable(index->base, 3);
    for (int i = 0; i < HOST_MAX_LOOPS; i++)
        checkable &= is_checkable(index->step[i], 2);
    if (!checkable)
        return host_not_affine(q, "an index of a narrow type may wrap");
    if (r->nranges == HOST_MAX_RANGES)
        return host_not_affine(q, "it has too many parts of a narrow type");
    r->ranges = realloc(r->ranges, ((size_t)r->nranges + 1) * sizeof range);
    r->ranges[r->nranges++] = range;
    return true;
}
