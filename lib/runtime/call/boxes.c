/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Adds boxes to a set of disjoint boxes, and removes boxes from it.
 */
#include "runtime/call/boxes.h"
#include <stdlib.h>

bool rt_box_meets(const rt_box *a, const rt_box *b) {
    bool meet = true;
    for (int d = 0; d < 3; d++)
        meet = meet && a->lo[d] < b->hi[d] && b->lo[d] < a->hi[d];
    return meet;
}

void rt_boxes_push(rt_boxes *set, const rt_box *box) {
    if (set->count == set->room) {
        size_t room = set->room ? 2 * set->room : 8;
        rt_box *grown = realloc(set->at, room * sizeof *grown);
        if (!grown) {
            set->failed = true;
            return;
        }
        set->at = grown;
        set->room = room;
    }
    set->at[set->count++] = *box;
}

/* Pushes to `out` what is left of the box after taken[from], taken[from + 1], ... are removed. */
static void push_rest(rt_box box, const rt_boxes *taken, size_t from, rt_boxes *out) {
    while (from < taken->count && !rt_box_meets(&box, &taken->at[from]))
        from++;
    if (from == taken->count) {
        rt_boxes_push(out, &box);
        return;
    }
    const rt_box *hole = &taken->at[from];
    for (int d = 2; d >= 0; d--) {
        rt_box low = box, high = box;
        low.hi[d] = hole->lo[d];
        high.lo[d] = hole->hi[d];
        if (low.lo[d] < low.hi[d]) {
            push_rest(low, taken, from + 1, out);
            box.lo[d] = low.hi[d];
        }
        if (high.lo[d] < high.hi[d]) {
            push_rest(high, taken, from + 1, out);
            box.hi[d] = high.lo[d];
        }
    }
}

/* Do both boxes together form a box? They must differ in one dimension only, and touch there. */
static bool joins(const rt_box *a, const rt_box *b) {
    int different = 0;
    for (int d = 0; d < 3; d++) {
        bool same = a->lo[d] == b->lo[d] && a->hi[d] == b->hi[d];
        if (!same && (a->lo[d] > b->hi[d] || b->lo[d] > a->hi[d]))
            return false;
        different += !same;
    }
    return different <= 1;
}

static void add_joined(rt_boxes *set, rt_box box) {
    rt_boxes rest = {.failed = false};
    for (size_t i = 0; i < set->count; i++) {
        rt_box *other = &set->at[i];
        if (!joins(other, &box))
            continue;
        for (int d = 0; d < 3; d++) {
            box.lo[d] = other->lo[d] < box.lo[d] ? other->lo[d] : box.lo[d];
            box.hi[d] = other->hi[d] > box.hi[d] ? other->hi[d] : box.hi[d];
        }
        set->at[i] = set->at[--set->count];
        i = (size_t)-1; /* look again: the larger box may join others */
    }
    push_rest(box, set, 0, &rest);
    for (size_t i = 0; i < rest.count; i++)
        rt_boxes_push(set, &rest.at[i]);
    set->failed |= rest.failed;
    free(rest.at);
}

void rt_boxes_add(rt_boxes *set, const rt_box *box, const rt_boxes *except) {
    static const rt_boxes none;
    rt_boxes rest = {.failed = false};
    push_rest(*box, except ? except : &none, 0, &rest);
    for (size_t i = 0; i < rest.count; i++)
        add_joined(set, rest.at[i]);
    set->failed |= rest.failed;
    free(rest.at);
}

bool rt_boxes_meet(const rt_boxes *a, const rt_boxes *b) {
    bool meet = false;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
            meet = meet || rt_box_meets(&a->at[i], &b->at[k]);
    return meet;
}
