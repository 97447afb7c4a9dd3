/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The segments of an address space, and what the kernel's messages do to them.
 *
 * An address is free for other threads before the message of the change that made it free is sent:
 * mremap sends that its old place is unmapped after its first message was read. So a message of
 * what was at an address may come after the message of an array that the program has moved there.
 *
 * - A watch begins while no change is on its way (watch.c). Then no older message meets it.
 * - Where an array is moved to a place that by what is known so far is another one's, or memory
 *   beside another one, that is ousted: the message of where it went is still to come, and is for
 *   it alone.
 * - A message may say that an array is unmapped which the program has moved. Then its segments are
 *   doubted. When no change is on its way, the kernel is asked whether the memory is still
 *   registered (unread.c).
 */
#include "runtime/watch/watch_state.h"

/* What the kernel tells of: the arrays and memory beside them. The ranges have no owner. */
static rt_ranges enrolled;

/* Ends the process if there is no memory. */
static void reserve(rt_ranges *set, size_t more) {
    if (!rt_ranges_reserve(set, more))
        rt_die("out of memory for what is known about arrays on a device");
}

/* Memory beside an array has none. */
static void tell_owner(const rt_range *segment) {
    if (!segment->owner)
        return;
    rt_watch_change(segment->owner);
    rt_watch_ring(segment->owner);
}

static bool has_open(const rt_watch *w, uintptr_t lo, uintptr_t hi) {
    bool has = false;
    for (size_t i = 0; i < w->open_count; i++)
        has = has || (w->open[i].lo < hi && lo < w->open[i].hi);
    return has;
}

void rt_watch_tell_open(uintptr_t lo, uintptr_t hi) {
    const rt_ranges *set = &rt_claimed;
    for (size_t i = rt_ranges_after(set, lo); i < set->count && set->at[i].lo < hi; i++)
        if (has_open(set->at[i].owner, lo, hi))
            tell_owner(&set->at[i]);
}

/* The first range from `from` on. Both addresses become borders. False if there is none before
 * `to`. */
static bool first_inside(rt_ranges *set, uintptr_t from, uintptr_t to, size_t *first) {
    reserve(set, 2);
    rt_ranges_split(set, from);
    rt_ranges_split(set, to);
    *first = rt_ranges_after(set, from);
    return *first < set->count && set->at[*first].lo < to;
}

static bool take_out(rt_ranges *set, uintptr_t from, uintptr_t to, rt_range *taken) {
    size_t first;
    if (set->count == 0 || !first_inside(set, from, to, &first))
        return false;
    *taken = set->at[first];
    rt_ranges_remove(set, first, 1);
    return true;
}

static void cut(rt_ranges *set, uintptr_t from, uintptr_t to, bool tell) {
    for (rt_range r; take_out(set, from, to, &r);)
        if (tell)
            tell_owner(&r);
}

void rt_space_cut(rt_space *space, uintptr_t from, uintptr_t to, bool tell) {
    cut(&space->segments, from, to, tell);
}

static void put(rt_ranges *set, rt_range range) {
    cut(set, range.lo, range.hi, false);
    reserve(set, 1);
    rt_ranges_insert(set, range);
}

void rt_space_enrolled(uintptr_t lo, uintptr_t hi) {
    put(&enrolled, (rt_range){lo, hi, 0, NULL, false});
}

void rt_space_dismissed(uintptr_t lo, uintptr_t hi) {
    cut(&enrolled, lo, hi, false);
}

/* The set that a message about [at, *end) is for: what was ousted, or what is there. *end is
 * lowered to where this may change. */
static rt_ranges *meant(rt_space *space, uintptr_t at, uintptr_t *end) {
    const rt_ranges *set = &space->ousted;
    size_t i = rt_ranges_after(set, at);
    if (i == set->count || set->at[i].lo >= *end)
        return &space->segments;
    bool ousted = set->at[i].lo <= at;
    uintptr_t border = ousted ? set->at[i].hi : set->at[i].lo;
    *end = border < *end ? border : *end;
    return ousted ? &space->ousted : &space->segments;
}

static void doubt(rt_space *space, uintptr_t from, uintptr_t to, bool tell) {
    rt_ranges *set = &space->segments;
    size_t i;
    if (!first_inside(set, from, to, &i))
        return;
    while (i < set->count && set->at[i].lo < to) {
        if (tell)
            tell_owner(&set->at[i]);
        if (((rt_watch *)set->at[i].owner)->moved) {
            space->doubts = set->at[i++].doubted = true;
            continue;
        }
        rt_ranges_remove(set, i, 1);
    }
}

void rt_space_unmap(rt_space *space, uintptr_t from, uintptr_t to, bool tell) {
    for (uintptr_t end; from < to; from = end) {
        end = to;
        rt_ranges *set = meant(space, from, &end);
        if (set != &space->segments) {
            cut(set, from, end, tell);
            continue;
        }
        doubt(space, from, end, tell);
        if (space == &rt_program)
            rt_space_dismissed(from, end);
    }
}

/* Moves registered pages, with those beside the array. */
static void shift_outer(rt_watch *w, uintptr_t from, uintptr_t to, uintptr_t moved_to) {
    bool before = w->away_lo < w->away_hi;
    uintptr_t lo = before ? w->away_lo : w->outer_lo, hi = before ? w->away_hi : w->outer_hi;
    lo = lo > from ? lo : from;
    hi = hi < to ? hi : to;
    if (lo < hi) {
        w->away_lo = lo - from + moved_to;
        w->away_hi = hi - from + moved_to;
    }
}

/* The place is another one's now. A segment there that is doubted was unmapped. */
static void oust(rt_space *space, uintptr_t lo, uintptr_t hi) {
    rt_range old;
    while (space == &rt_program && take_out(&enrolled, lo, hi, &old))
        put(&space->ousted, old);
    while (take_out(&space->segments, lo, hi, &old))
        if (old.doubted)
            cut(&space->ousted, old.lo, old.hi, false);
        else
            put(&space->ousted, old);
}

static void move(rt_space *space, rt_range segment, uintptr_t to) {
    rt_watch *w = segment.owner;
    if (!w)
        return;
    segment = (rt_range){to, to + (segment.hi - segment.lo), segment.offset, w, false};
    w->moved = true;
    put(&space->segments, segment);
}

void rt_space_shift(rt_space *space, uintptr_t from, uintptr_t to, uintptr_t moved_to, bool tell) {
    for (uintptr_t at = from, end; at < to; at = end) {
        end = to;
        rt_ranges *set = meant(space, at, &end);
        oust(space, at - from + moved_to, end - from + moved_to);
        for (rt_range segment; take_out(set, at, end, &segment);) {
            if (space == &rt_program && segment.owner)
                shift_outer(segment.owner, from, to, moved_to);
            if (tell)
                tell_owner(&segment);
            move(space, segment, segment.lo - from + moved_to);
        }
        if (space == &rt_program && set == &space->segments)
            rt_space_dismissed(at, end);
        if (space == &rt_program)
            rt_space_enrolled(at - from + moved_to, end - from + moved_to);
    }
}

const rt_range *rt_space_piece(const rt_space *space, const rt_watch *w) {
    const rt_ranges *set = &space->segments;
    for (size_t i = rt_ranges_after(set, w->lo); i < set->count && set->at[i].lo < w->hi; i++)
        if (set->at[i].owner == w)
            return &set->at[i];
    for (size_t i = 0; i < set->count && w->moved; i++)
        if (set->at[i].owner == w)
            return &set->at[i];
    return NULL;
}

static bool is_ousted(const rt_space *space, const rt_watch *w) {
    for (size_t i = 0; i < space->ousted.count; i++)
        if (space->ousted.at[i].owner == w)
            return true;
    return false;
}

void rt_space_forget(rt_watch *w) {
    rt_ranges *set = &rt_program.ousted;
    for (const rt_range *s; (s = rt_space_piece(&rt_program, w));)
        rt_space_cut(&rt_program, s->lo, s->hi, false);
    for (size_t i = set->count; i-- > 0;)
        if (set->at[i].owner == w)
            rt_ranges_remove(set, i, 1);
}

bool rt_watch_is_gone(const rt_watch *w) {
    pthread_mutex_lock(&rt_watch_lock);
    bool gone = !rt_space_piece(&rt_program, w) && !is_ousted(&rt_program, w);
    for (const rt_space *child = rt_children; child && gone; child = child->next)
        gone = !rt_space_piece(child, w);
    pthread_mutex_unlock(&rt_watch_lock);
    return gone;
}
