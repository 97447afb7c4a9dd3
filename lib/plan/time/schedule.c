/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Computes the phase of each operation of a stencil, and what is carried from plane to plane.
 * schedule.h has the method.
 */
#include "plan/time/schedule.h"

#include "model/number.h"

#include <limits.h>
#include <stdlib.h>

static bool rotates(const st_stencil *s, const st_node *n) {
    return n->op == ST_ACCESS && s->accesses[n->index].grid == s->store_grid;
}

bool sch_is_moving(const st_stencil *s, const st_node *n) {
    return rotates(s, n) && st_steps_back(s, &s->accesses[n->index]) == 1;
}

static void measure(const st_stencil *s, sch_schedule *c) {
    int stream = s->rank - 1;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        if (a->grid != s->store_grid)
            continue;
        c->least = st_min(c->least, a->offset[stream]);
        c->greatest = st_max(c->greatest, a->offset[stream]);
        for (int d = 0; d < stream; d++)
            c->radius[d] = st_max(c->radius[d], abs(a->offset[d]));
    }
}

/* The phase at which a leaf's value is available. */
static int availability(const st_stencil *s, const st_node *n, int latency) {
    const st_access *a = &s->accesses[n->index];
    bool exchanged = s->rank == 3 && a->offset[1] != 0;
    return a->offset[s->rank - 1] + (exchanged ? latency : 0);
}

/* Phases bottom up: from..to are the leaves' extremes under a node. */
static void assign_phases(const st_stencil *s, sch_schedule *c, int latency) {
    int *from = calloc(s->nnodes, sizeof *from), *to = calloc(s->nnodes, sizeof *to);
    bool *several = calloc(s->nnodes, sizeof *several); /* moving leaves are under it */
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        from[i] = INT_MAX;
        to[i] = INT_MIN;
        if (sch_is_moving(s, n))
            from[i] = to[i] = availability(s, n, latency);
        else if (rotates(s, n) && c->least < -c->greatest)
            from[i] = to[i] = -c->greatest; /* the level below has not made it before */
        for (int k = 0; k < st_ops[n->op].arity; k++) {
            from[i] = st_min(from[i], from[n->args[k]]);
            to[i] = st_max(to[i], to[n->args[k]]);
            several[i] |= several[n->args[k]];
            for (int j = 0; j < k; j++)
                several[i] |= n->args[j] != n->args[k] && from[n->args[j]] <= to[n->args[j]] &&
                              from[n->args[k]] <= to[n->args[k]];
        }
        c->phase[i] = from[i] < to[i] ? to[i] : SCH_ANY;
        c->early[i] = several[i] && from[i] == to[i] ? to[i] : SCH_ANY;
        c->first = st_min(c->first, from[i]);
    }
    c->last = st_max(to[s->root], c->greatest);
    free(from);
    free(to);
    free(several);
}

int sch_phases(const sch_schedule *c) {
    return c->last - c->first + 1;
}

/* Node n is used at phase q. */
static void use(const st_stencil *s, sch_schedule *c, int32_t n, int q) {
    const st_node *node = &s->nodes[n];
    bool *used = &c->used[n * sch_phases(c) + q - c->first];
    if (*used)
        return;
    *used = true;
    if (c->phase[n] == SCH_ANY && c->early[n] != SCH_ANY && c->early[n] < q)
        c->phase[n] = c->early[n];
    if (c->phase[n] != SCH_ANY && c->phase[n] < q) {
        c->age[n] = st_max(c->age[n], q - c->phase[n]);
        use(s, c, n, c->phase[n]);
        return;
    }
    if (rotates(s, node) && !sch_is_moving(s, node)) {
        c->older_phase = c->older < 0 ? q : st_min(c->older_phase, q);
        c->older = n;
        c->delay = c->last + c->older_phase;
    } else if (sch_is_moving(s, node)) {
        const st_access *a = &s->accesses[node->index];
        int lag = q - a->offset[s->rank - 1];
        c->lags = st_max(c->lags, lag);
        if (a->offset[0] != 0)
            c->x_lags = st_max(c->x_lags, lag);
        if (s->rank == 3 && a->offset[1] != 0)
            c->exchange_lags = st_max(c->exchange_lags, lag);
    }
    for (int k = 0; k < st_ops[node->op].arity; k++)
        use(s, c, node->args[k], q);
}

static void find_uses(const st_stencil *s, sch_schedule *c) {
    free(c->used);
    c->used = calloc(s->nnodes * (size_t)sch_phases(c), sizeof *c->used);
    use(s, c, s->root, c->last);
}

static sch_schedule *create(const st_stencil *s, int latency, bool early) {
    sch_schedule *c = calloc(1, sizeof *c);
    c->early = calloc(s->nnodes, sizeof *c->early);
    c->phase = calloc(s->nnodes, sizeof *c->phase);
    c->age = calloc(s->nnodes, sizeof *c->age);
    c->older = -1;
    measure(s, c);
    assign_phases(s, c, latency);
    for (size_t i = 0; i < s->nnodes && !early; i++)
        c->early[i] = SCH_ANY;
    find_uses(s, c);
    if (c->older >= 0) {
        c->phase[c->older] = c->older_phase;
        find_uses(s, c); /* what uses it later carries it: ages only grow */
    }
    return c;
}

sch_schedule *sch_create(const st_stencil *s, int latency) {
    sch_schedule *early = create(s, latency, true), *late = create(s, latency, false);
    bool better = sch_carried(s, early) <= sch_carried(s, late);
    sch_destroy(better ? late : early);
    return better ? early : late;
}

void sch_destroy(sch_schedule *c) {
    free(c->early);
    free(c->used);
    free(c->phase);
    free(c->age);
    free(c);
}

int sch_kept(const sch_schedule *c) {
    return st_max(c->lags, c->delay);
}

int sch_carried(const st_stencil *s, const sch_schedule *c) {
    int sum = sch_kept(c);
    for (size_t i = 0; i < s->nnodes; i++)
        sum += c->age[i];
    return sum;
}
