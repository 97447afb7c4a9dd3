/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plan/time/needs.h"

#include "model/number.h"
#include "plan/time/leads.h"

#include <math.h>
#include <stdlib.h>

static double words_of(st_type t) {
    return st_type_size(t) > 4 ? 2 : 1;
}

/* The version that the store makes which reads the access. */
static int32_t version_of(const st_step *step, const st_dependences *d, size_t sweep,
                          int32_t access) {
    size_t store = 0;
    while (store + 1 < st_sweep_stores(&step->sweeps[sweep]) &&
           !st_step_store_reads(step, sweep, store, access))
        store++;
    return st_step_version_made(d, sweep, store);
}

/* Counts the words that lanes get from their neighbours: of each row of a version that is read
 * beside the cell's own x, as many cells as reads reach to either side. */
static void count_shuffles(const st_step *step, const st_dependences *d, needs *need) {
    for (size_t v = 0; v < d->nversions; v++)
        for (int age = 0; age <= d->versions[v].oldest; age++) {
            int low = 0, high = 0;
            for (size_t i = 0; i < step->nsweeps; i++) {
                const st_sweep *w = &step->sweeps[i];
                int32_t o[ST_MAX_RANK];
                if (st_sweep_stores(w) == 0 && !st_step_reduces(step, i))
                    continue;
                for (size_t j = 0; j < w->stencil->naccesses; j++) {
                    if (!st_sweep_reads(w, (int32_t)j))
                        continue;
                    int32_t made = version_of(step, d, i, (int32_t)j);
                    int32_t read = st_step_version_read(step, d, i, (int32_t)j);
                    st_sweep_offset(w, (int32_t)j, o);
                    if (read != (int32_t)v ||
                        d->versions[made].lag - d->versions[v].lag - o[d->stream] != age)
                        continue;
                    low = st_max32(low, -o[0]);
                    high = st_max32(high, o[0]);
                }
            }
            const st_array *a = &step->arrays[d->versions[v].array];
            if (st_step_flows(step, d->versions[v].array))
                need->shuffles += (low + high) * words_of(a->type);
        }
}

/* What a node's value depends on: cells, or where the cell is, along the stream and across it. */
enum { ON_CELLS = 1, ON_STREAM = 2, ON_PLACE = 4 };

/* Is the value computed for each cell? A value that depends on no cell is computed once for a row,
 * or once for all rows. Tests of a cell's place are cheap in the same way. */
static bool is_made_for_each_cell(const st_stencil *s, size_t n, uint8_t *depends) {
    const st_node *node = &s->nodes[n];
    depends[n] = node->op == ST_ACCESS ? ON_CELLS : 0;
    if (node->op == ST_COORD)
        depends[n] = node->index == s->rank - 1 ? ON_STREAM : ON_PLACE;
    for (int i = 0; i < st_ops[node->op].arity; i++)
        depends[n] |= depends[node->args[i]];
    return (depends[n] & ON_CELLS) || depends[n] == (ON_STREAM | ON_PLACE);
}

/* Further slots for an exact division or root in float. It has a branch for rare values, so it
 * cannot overlap with the instructions around it. Without this, D2Q9 and shallow water took 1.5
 * to 1.6 times the predicted time (H200). */
static double cost_of_branching(const st_node *n) {
    bool branches = st_ops[n->op].cls == ST_SLOW && n->type == ST_F32 && !(n->flags & ST_AFN);
    return branches ? 20 : 0;
}

/* Adds what a node costs each cell of a lane. */
static void count_node(needs *need, double code, double slots, int32_t lead) {
    for (int i = 0; i < WIDTHS; i++) {
        double share = fmin(1, (double)lead / (1 << i));
        need->code[i] += share * code;
        need->slots[i] += share * slots;
    }
}

/* Adds the needs of a sweep. Sweeps over layers are not counted, since few tiles make them. */
static void count_sweep(const st_step *step, size_t sweep, const cost_gpu *g, needs *need) {
    const st_sweep *w = &step->sweeps[sweep];
    const st_stencil *s = w->stencil;
    bool reduces = st_step_reduces(step, sweep);
    if (st_sweep_is_layer(w) || (s->stores_nothing && !reduces))
        return;
    for (size_t i = 0; i < s->nreductions && reduces; i++) {
        double words = words_of((st_type)s->nodes[s->reductions[i].root].type);
        count_node(need, words, words, INT32_MAX);
        need->reduced += words;
    }
    uint8_t *depends = calloc(s->nnodes, 1);
    bool *used = calloc(s->nnodes, sizeof *used);
    int32_t *leads = steps_find_leads(s);
    st_sweep_find_nodes(w, used);
    for (size_t n = 0; n < s->nnodes; n++) {
        double one = cost_of_node(&s->nodes[n]) - cost_of_pairing(s, &s->nodes[n], g) +
                     cost_of_branching(&s->nodes[n]);
        if (!is_made_for_each_cell(s, n, depends) || !used[n])
            continue;
        bool slow = s->nodes[n].type == ST_F64;
        count_node(need, one, slow ? one / g->double_rate : one, leads[n]);
    }
    free(depends);
    free(used);
    free(leads);
    for (size_t i = 0; i < s->naccesses; i++) {
        int32_t array = st_sweep_array(w, s->accesses[i].grid, s->accesses[i].level);
        if (st_step_flows(step, array) || !st_sweep_reads(w, (int32_t)i))
            continue;
        bool stays = st_step_access_stays(step, sweep, (int32_t)i);
        double size =
            step->arrays[array].broadcast ? 0 : (double)st_type_size(step->arrays[array].type);
        need->loads += 1;
        need->staying += stays;
        need->again += size;
        need->stays_again += stays ? size : 0;
    }
}

/* In 3-D: counts the rows of other threads that a thread keeps beside its own. */
static void count_beside(const st_step *step, const st_dependences *d, needs *need) {
    double all = 0, beside = 0;
    for (size_t v = 0; v < d->nversions; v++) {
        const st_version *one = &d->versions[v];
        const st_sweep *w = one->sweep < 0 ? NULL : &step->sweeps[one->sweep];
        double words = words_of(step->arrays[one->array].type), rows = one->below + one->above;
        need->given += w ? 0 : 2 * rows * words;
        need->made += w ? rows * one->beyond * words : 0;
        double nodes = w && !st_sweep_is_layer(w) ? (double)w->stencil->nnodes : 0;
        all += nodes;
        beside += nodes * rows;
    }
    need->beside = all > 0 ? beside / all : 0;
}

/* The last sweep that needs the version. One that leaves the step is needed to its end. */
static int32_t last_use(const st_step *step, const st_dependences *d, int32_t v) {
    int32_t last = d->versions[v].sweep;
    for (size_t i = 0; i < step->nsweeps; i++)
        for (size_t j = 0; j < step->sweeps[i].stencil->naccesses; j++)
            if (st_sweep_reads(&step->sweeps[i], (int32_t)j) &&
                st_step_version_read(step, d, i, (int32_t)j) == v)
                last = (int32_t)i;
    int32_t array = d->versions[v].array;
    bool leaves = d->last[array] == v && st_step_arrives(step, array);
    return leaves ? (int32_t)step->nsweeps : last;
}

/* The words a cell of versions that are there at a time, at most: while a sweep is made, those made
 * so far that it or a later one needs. */
static double count_live(const st_step *step, const st_dependences *d) {
    double most = 0;
    for (int32_t i = 0; i < (int32_t)step->nsweeps; i++) {
        double words = 0;
        for (size_t v = 0; v < d->nversions; v++) {
            const st_version *one = &d->versions[v];
            bool there = one->sweep >= 0 || st_step_arrives(step, one->array);
            if (there && one->sweep <= i && last_use(step, d, (int32_t)v) >= i)
                words += words_of(step->arrays[one->array].type);
        }
        most = fmax(most, words);
    }
    return most;
}

needs needs_find(const st_step *step, const st_dependences *d, const cost_gpu *g) {
    needs need = {.flat = step->rank == 1};
    for (size_t i = 0; i < step->nsweeps; i++)
        count_sweep(step, i, g, &need);
    count_shuffles(step, d, &need);
    count_beside(step, d, &need);
    need.live = need.flat ? count_live(step, d) : 0;
    for (size_t v = 0; v < d->nversions; v++) {
        const st_array *a = &step->arrays[d->versions[v].array];
        int32_t held = d->versions[v].held, leaves = d->versions[v].leaves;
        double words = words_of(a->type) * held;
        need.kept += words;
        need.held[held < MOST_HELD ? held : MOST_HELD] += words;
        need.leaving += words_of(a->type) * st_max32(0, leaves - held);
    }
    for (size_t a = 0; a < step->narrays; a++) {
        double size = (double)st_type_size(step->arrays[a].type);
        bool flows = st_step_flows(step, (int32_t)a);
        need.arrays += flows;
        need.ends += st_step_alternates(step, (int32_t)a) ? words_of(step->arrays[a].type) : 0;
        need.flow += st_step_arrives(step, (int32_t)a) ? size : 0;
        need.out += flows ? size : 0;
        need.others += flows || step->arrays[a].broadcast ? 0 : size;
    }
    return need;
}
