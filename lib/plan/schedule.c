/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "schedule.h"

#include <limits.h>
#include <stdlib.h>

int sch_steps_back(const st_stencil *s, const st_access *a) {
    int buffers = (int)s->grids[a->grid].buffers, back = (s->store_level - a->level) % buffers;
    return back > 0 ? back : back + buffers;
}

static bool rotates(const st_stencil *s, const st_node *n) {
    return n->op == ST_ACCESS && s->accesses[n->index].grid == s->store_grid;
}

bool sch_is_moving(const st_stencil *s, const st_node *n) {
    return rotates(s, n) && sch_steps_back(s, &s->accesses[n->index]) == 1;
}

static int max(int a, int b) {
    return a > b ? a : b;
}
static int min(int a, int b) {
    return a < b ? a : b;
}

static void measure(const st_stencil *s, sch_schedule *c) {
    int stream = s->rank - 1;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        if (a->grid != s->store_grid)
            continue;
        c->least = min(c->least, a->offset[stream]);
        c->greatest = max(c->greatest, a->offset[stream]);
        for (int d = 0; d < stream; d++)
            c->radius[d] = max(c->radius[d], abs(a->offset[d]));
    }
}

/* The phase at which a leaf is there. */
static int availability(const st_stencil *s, const st_node *n, int latency) {
    const st_access *a = &s->accesses[n->index];
    bool exchanged = s->rank == 3 && a->offset[1] != 0;
    return a->offset[s->rank - 1] + (exchanged ? latency : 0);
}

/* Phases bottom up: from..to are the leaves' extremes under a node. */
static void assign_phases(const st_stencil *s, sch_schedule *c, int latency) {
    int *from = malloc(s->nnodes * sizeof *from), *to = malloc(s->nnodes * sizeof *to);
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        from[i] = INT_MAX;
        to[i] = INT_MIN;
        if (sch_is_moving(s, n))
            from[i] = to[i] = availability(s, n, latency);
        else if (rotates(s, n) && c->least < -c->greatest)
            from[i] = to[i] = -c->greatest; /* the level below has not made it before */
        for (int k = 0; k < st_ops[n->op].arity; k++) {
            from[i] = min(from[i], from[n->args[k]]);
            to[i] = max(to[i], to[n->args[k]]);
        }
        c->phase[i] = from[i] < to[i] ? to[i] : SCH_ANY;
        c->first = min(c->first, from[i]);
    }
    c->last = max(to[s->root], c->greatest);
    free(from);
    free(to);
}

typedef struct user {
    const st_stencil *s;
    sch_schedule *c;
    bool *seen; /* node * phases + phase */
    int phases;
} user;

/* Node n is used at phase q. */
static void use(user *u, int32_t n, int q) {
    sch_schedule *c = u->c;
    const st_node *node = &u->s->nodes[n];
    bool *seen = &u->seen[n * u->phases + q - c->first];
    if (*seen)
        return;
    *seen = true;
    if (c->phase[n] != SCH_ANY && c->phase[n] < q) {
        c->age[n] = max(c->age[n], q - c->phase[n]);
        use(u, n, c->phase[n]);
        return;
    }
    if (rotates(u->s, node) && !sch_is_moving(u->s, node)) {
        c->older_phase = c->older < 0 ? q : min(c->older_phase, q);
        c->older = n;
        c->delay = c->last + c->older_phase;
    } else if (sch_is_moving(u->s, node)) {
        const st_access *a = &u->s->accesses[node->index];
        int lag = q - a->offset[u->s->rank - 1];
        c->lags = max(c->lags, lag);
        if (u->s->rank == 3 && a->offset[1] != 0)
            c->exchange_lags = max(c->exchange_lags, lag);
    }
    for (int k = 0; k < st_ops[node->op].arity; k++)
        use(u, node->args[k], q);
}

static void find_uses(const st_stencil *s, sch_schedule *c) {
    user u = {s, c, NULL, c->last - c->first + 1};
    u.seen = calloc(s->nnodes * (size_t)u.phases, sizeof *u.seen);
    use(&u, s->root, c->last);
    free(u.seen);
}

sch_schedule *sch_create(const st_stencil *s, int latency) {
    sch_schedule *c = calloc(1, sizeof *c);
    c->phase = calloc(s->nnodes, sizeof *c->phase);
    c->age = calloc(s->nnodes, sizeof *c->age);
    c->older = -1;
    measure(s, c);
    assign_phases(s, c, latency);
    find_uses(s, c);
    if (c->older >= 0) {
        c->phase[c->older] = c->older_phase;
        find_uses(s, c); /* what uses it later carries it: ages only grow */
    }
    return c;
}

void sch_destroy(sch_schedule *c) {
    free(c->phase);
    free(c->age);
    free(c);
}

int sch_kept(const sch_schedule *c) {
    return max(c->lags, c->delay);
}

int sch_carried(const st_stencil *s, const sch_schedule *c) {
    int sum = sch_kept(c);
    for (size_t i = 0; i < s->nnodes; i++)
        sum += c->age[i];
    return sum;
}
