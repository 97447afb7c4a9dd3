/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time step as a whole: how it is built, and what each of its sweeps reads and writes.
 */
#include "model/step.h"

#include "model/number.h"
#include <stdlib.h>
#include <string.h>

/* Building */

st_step *st_step_create(int rank) {
    st_step *step = calloc(1, sizeof *step);
    step->rank = rank;
    return step;
}

void st_step_destroy(st_step *step) {
    if (!step)
        return;
    for (size_t i = 0; i < step->nsweeps; i++) {
        free(step->sweeps[i].views);
        if (step->owns)
            st_destroy(step->sweeps[i].stencil);
    }
    free(step->sweeps);
    free(step->nests);
    free(step->arrays);
    free(step);
}

int32_t st_step_add_array(st_step *step, const char *name, st_type type) {
    step->arrays = realloc(step->arrays, (step->narrays + 1) * sizeof *step->arrays);
    st_array *a = &step->arrays[step->narrays];
    int32_t number = (int32_t)step->narrays;
    *a = (st_array){.type = type, .becomes = number, .number = number};
    snprintf(a->name, sizeof a->name, "%s", name);
    return (int32_t)step->narrays++;
}

static uint32_t all_stores(const st_stencil *s) {
    return s->stores_nothing ? 0 : (uint32_t)((UINT64_C(2) << s->nalso) - 1);
}

static st_sweep *add_sweep(st_step *step, size_t nest, uint32_t stores) {
    st_stencil *s = step->nests[nest];
    step->sweeps = realloc(step->sweeps, (step->nsweeps + 1) * sizeof *step->sweeps);
    st_sweep *w = &step->sweeps[step->nsweeps++];
    *w = (st_sweep){.stencil = s, .nest = nest, .stores = stores};
    w->views = calloc(s->ngrids + 1, sizeof *w->views);
    return w;
}

void st_step_forget_arrays(st_step *step, const char *why) {
    step->narrays = 0;
    step->ghosts = (st_ghosts){.copies = 0};
    step->unknown = why;
    for (size_t i = 0; i < step->nsweeps; i++)
        free(step->sweeps[i].views);
    step->nsweeps = 0;
    for (size_t i = 0; i < step->nnests; i++)
        add_sweep(step, i, all_stores(step->nests[i]));
}

st_sweep *st_step_add_sweep(st_step *step, st_stencil *stencil) {
    step->nests = realloc(step->nests, (step->nnests + 1) * sizeof(st_stencil *));
    step->nests[step->nnests++] = stencil;
    return add_sweep(step, step->nnests - 1, all_stores(stencil));
}

const st_sweep *st_step_first_sweep(const st_step *step, size_t nest) {
    size_t i = 0;
    while (i < step->nsweeps && step->sweeps[i].nest != nest)
        i++;
    return i < step->nsweeps ? &step->sweeps[i] : NULL;
}

/* What a sweep reads and writes */

int32_t st_sweep_array(const st_sweep *w, int32_t grid, int32_t level) {
    return w->views[grid].array[level];
}

static st_store store_of(const st_stencil *s, size_t i) {
    return i ? s->also[i - 1] : (st_store){s->root, s->store_grid, s->store_level};
}

size_t st_sweep_stores(const st_sweep *w) {
    return (size_t)__builtin_popcount(w->stores);
}

st_store st_sweep_store(const st_sweep *w, size_t i) {
    uint32_t rest = w->stores;
    for (; i > 0; i--)
        rest &= rest - 1;
    return store_of(w->stencil, rest ? (size_t)__builtin_ctz(rest) : 0);
}

bool st_step_traces(const st_step *step, size_t sweep) {
    const st_sweep *w = &step->sweeps[sweep];
    st_store store = st_sweep_store(w, 0);
    return !w->stencil->stores_nothing &&
           step->arrays[st_sweep_array(w, store.grid, store.level)].trace;
}

bool st_step_reduces(const st_step *step, size_t sweep) {
    return step->decides && step->sweeps[sweep].stencil->nreductions > 0;
}

/* Finds the nodes that node `root` needs. */
static void find_nodes(const st_stencil *s, int32_t root, bool *used) {
    int32_t *list = calloc(s->nnodes + 1, sizeof *list);
    size_t count = 0;
    if (!used[root])
        list[count++] = root;
    used[root] = true;
    while (count > 0) {
        const st_node *n = &s->nodes[list[--count]];
        for (int i = 0; i < st_ops[n->op].arity; i++)
            if (!used[n->args[i]]) {
                used[n->args[i]] = true;
                list[count++] = n->args[i];
            }
    }
    free(list);
}

void st_sweep_find_nodes(const st_sweep *w, bool *used) {
    const st_stencil *s = w->stencil;
    for (size_t i = 0; i < st_sweep_stores(w); i++)
        find_nodes(s, st_sweep_store(w, i).root, used);
    for (size_t i = 0; i < s->nreductions && w->stores == all_stores(s); i++)
        find_nodes(s, s->reductions[i].root, used);
}

static bool has_access(const st_stencil *s, const bool *used, int32_t access) {
    for (size_t n = 0; n < s->nnodes; n++)
        if (used[n] && s->nodes[n].op == ST_ACCESS && s->nodes[n].index == access)
            return true;
    return false;
}

bool st_sweep_reads(const st_sweep *w, int32_t access) {
    if (w->stores == all_stores(w->stencil))
        return true;
    bool *used = calloc(w->stencil->nnodes, sizeof *used);
    st_sweep_find_nodes(w, used);
    bool reads = has_access(w->stencil, used, access);
    free(used);
    return reads;
}

bool st_step_store_reads(const st_step *step, size_t sweep, size_t store, int32_t access) {
    const st_sweep *w = &step->sweeps[sweep];
    if (step->rank < 3 || st_sweep_stores(w) <= 1)
        return st_sweep_reads(w, access);
    bool *used = calloc(w->stencil->nnodes, sizeof *used);
    find_nodes(w->stencil, st_sweep_store(w, store).root, used);
    for (size_t i = 0; i < w->stencil->nreductions && store == 0 && st_step_reduces(step, sweep);
         i++)
        find_nodes(w->stencil, w->stencil->reductions[i].root, used);
    bool reads = has_access(w->stencil, used, access);
    free(used);
    return reads;
}

const int32_t *st_sweep_shift(const st_sweep *w) {
    static const int32_t none[ST_MAX_RANK];
    return w->stencil->stores_nothing ? none : w->views[st_sweep_store(w, 0).grid].at;
}

void st_sweep_offset(const st_sweep *w, int32_t access, int32_t offset[ST_MAX_RANK]) {
    const st_access *a = &w->stencil->accesses[access];
    uint32_t broadcast = w->stencil->grids[a->grid].broadcast;
    for (int d = 0; d < ST_MAX_RANK; d++)
        offset[d] =
            broadcast >> d & 1 ? 0 : a->offset[d] + w->views[a->grid].at[d] - st_sweep_shift(w)[d];
}

st_rule st_sweep_rule(const st_sweep *w, int32_t access, int d) {
    const st_access *a = &w->stencil->accesses[access];
    bool high = a->offset[d] > 0;
    bool flat = w->stencil->grids[a->grid].broadcast >> d & 1;
    bool follows = !flat && a->offset[d] && (a->faces & ST_FACE(d, high));
    return follows ? (st_rule)w->stencil->boundary[d][high] : ST_NO_RULE;
}

int32_t st_sweep_bend(const st_sweep *w, int32_t access, int d, int32_t away) {
    int32_t offset = w->stencil->accesses[access].offset[d], beyond = abs(offset) - away;
    st_rule rule = st_sweep_rule(w, access, d);
    if (beyond <= 0 || rule == ST_NO_RULE || rule == ST_WRAP)
        return 0;
    int32_t back = rule == ST_CLAMP ? beyond : rule == ST_MIRROR ? 2 * beyond : 2 * beyond - 1;
    return offset < 0 ? back : -back;
}

int32_t st_sweep_bends(const st_sweep *w, int d) {
    int32_t most = 0;
    for (size_t i = 0; i < w->stencil->naccesses; i++)
        if (st_sweep_reads(w, (int32_t)i) && st_sweep_bend(w, (int32_t)i, d, 0))
            most = st_max32(most, abs(w->stencil->accesses[i].offset[d]));
    return most;
}

bool st_step_wraps(const st_step *step, int d) {
    bool wraps = false;
    for (size_t i = 0; i < step->nsweeps; i++)
        for (size_t j = 0; j < step->sweeps[i].stencil->naccesses; j++)
            wraps |= st_sweep_rule(&step->sweeps[i], (int32_t)j, d) == ST_WRAP;
    return wraps;
}

int32_t st_sweep_element(const st_sweep *w, int32_t access) {
    const st_access *a = &w->stencil->accesses[access];
    return a->offset[0] + w->views[a->grid].at[0];
}

/* Nests that write cells at several places */

/* The stores of the nest's sweep w to the place that its store i writes. */
static uint32_t stores_beside(const st_sweep *w, size_t i) {
    const st_view *v = &w->views[store_of(w->stencil, i).grid];
    uint32_t found = 0;
    for (size_t k = 0; k <= w->stencil->nalso; k++) {
        const st_view *other = &w->views[store_of(w->stencil, k).grid];
        bool same = v->opposite == other->opposite && !memcmp(v->at, other->at, sizeof v->at);
        found |= (uint32_t)same << k;
    }
    return found;
}

/* From the layer's face of d to the opposite one, where what the sweep writes becomes its own
 * cell. */
static void cross(st_sweep *w, int d, int32_t at) {
    bool high = w->at_high >> d & 1;
    w->low[d] = high ? at - w->low[d] : -(w->low[d] + at);
    w->high[d] = high ? w->low[d] + 1 : w->low[d] - 1;
    w->at_low ^= 1u << d;
    w->at_high ^= 1u << d;
    for (size_t g = 0; g < w->stencil->ngrids; g++)
        if (!(w->stencil->grids[g].broadcast >> d & 1)) {
            w->views[g].at[d] -= at;
            w->views[g].opposite ^= 1u << d;
        }
}

/* A sweep of some of the nest's stores, which are to one place. */
static void split_off(st_step *step, const st_sweep *whole, uint32_t stores) {
    st_sweep *w = add_sweep(step, whole->nest, stores);
    st_view *views = w->views;
    memcpy(views, whole->views, w->stencil->ngrids * sizeof *views);
    *w = *whole;
    w->views = views;
    w->stores = stores;
    st_view of = views[st_sweep_store(w, 0).grid];
    for (int d = 0; d < step->rank; d++)
        if (of.opposite >> d & 1)
            cross(w, d, of.at[d]);
}

void st_step_split(st_step *step) {
    st_sweep *all = step->sweeps;
    size_t count = step->nsweeps;
    step->sweeps = NULL;
    step->nsweeps = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t rest = all[i].stores, stores;
        do {
            stores = rest ? stores_beside(&all[i], (size_t)__builtin_ctz(rest)) : 0;
            split_off(step, &all[i], stores);
            rest &= ~stores;
        } while (rest);
        free(all[i].views);
    }
    free(all);
}

bool st_sweep_is_layer(const st_sweep *w) {
    return (w->at_low | w->at_high | w->at_place) != 0;
}

/* Can it be taken whole? */

static bool writes_array(const st_sweep *w, int32_t array) {
    for (size_t i = 0; i < st_sweep_stores(w); i++) {
        st_store store = st_sweep_store(w, i);
        if (st_sweep_array(w, store.grid, store.level) == array)
            return true;
    }
    return false;
}

static bool is_written_before(const st_step *step, size_t sweep, int32_t array) {
    for (size_t i = 0; i < sweep; i++)
        if (step->sweeps[i].nest < step->sweeps[sweep].nest &&
            writes_array(&step->sweeps[i], array))
            return true;
    return false;
}

static const char *const why_not_opposite = "a sweep reads cells of the opposite face; periodic "
                                            "indices, u[(i + 1) % n], need no such sweep";

static const char *why_not_access(const st_step *step, size_t sweep, const st_access *a) {
    const st_sweep *w = &step->sweeps[sweep];
    const st_array *array = &step->arrays[st_sweep_array(w, a->grid, a->level)];
    int32_t number = (int32_t)(array - step->arrays);
    if (w->views[a->grid].opposite)
        return why_not_opposite;
    if (array->advance != w->stencil->grids[a->grid].advance)
        return "a sweep reads other cells of an array in each step";
    if (array->written && array->broadcast)
        return "a sweep writes an array that does not extend along all dimensions";
    if (array->swapped && a->level != 0 && !is_written_before(step, sweep, number))
        return "a sweep reads what was in the buffer that the step writes";
    return NULL;
}

/* Why indices cannot come round along d; NULL: they can. */
static const char *why_not_round(const st_sweep *w, int d) {
    const st_stencil *s = w->stencil;
    bool whole = !((w->at_low | w->at_high | w->at_place) >> d & 1) && !w->low[d] && !w->high[d];
    for (size_t i = 0; i < s->ngrids && whole; i++)
        whole = (s->grids[i].broadcast >> d & 1) || w->views[i].at[d] == 0;
    if (!whole)
        return "indices come round in a dimension that a sweep does not cover";
    for (size_t i = 0; i < s->naccesses; i++) {
        bool flat = s->grids[s->accesses[i].grid].broadcast >> d & 1;
        if (!flat && s->accesses[i].offset[d] && st_sweep_rule(w, (int32_t)i, d) != ST_WRAP)
            return "indices come round in a dimension where others do not";
    }
    return NULL;
}

static const char *why_not_sweep(const st_step *step, size_t sweep) {
    const st_sweep *w = &step->sweeps[sweep];
    const st_stencil *s = w->stencil;
    if (st_step_reduces(step, sweep) && w->stores != all_stores(s))
        return "a sweep that writes cells at several places decides whether the loop goes on";
    if (st_math_node(s) >= 0 && st_inexact_node(s) >= 0)
        return "a sweep calls a library function";
    for (size_t i = 0; i < s->ngrids; i++) /* also of grids that nothing reads any more */
        if (w->at_place && w->views[i].opposite)
            return why_not_opposite;
    for (size_t i = 0; i < st_sweep_stores(w); i++) {
        st_store store = st_sweep_store(w, i);
        if (s->every > 1 && step->arrays[st_sweep_array(w, store.grid, store.level)].swapped)
            return "a sweep of every N-th step writes an array whose buffers take turns";
        for (size_t j = 0; j < i; j++) {
            st_store other = st_sweep_store(w, j);
            if (st_sweep_array(w, other.grid, other.level) ==
                st_sweep_array(w, store.grid, store.level))
                return "a sweep writes an array twice";
        }
    }
    const char *why = NULL;
    for (size_t i = 0; i < s->naccesses && !why; i++)
        why = st_sweep_reads(w, (int32_t)i) ? why_not_access(step, sweep, &s->accesses[i]) : NULL;
    for (int d = 0; d < step->rank && !why; d++)
        why = st_step_wraps(step, d) ? why_not_round(w, d) : NULL;
    return why;
}

const char *st_step_why_not_whole(const st_step *step) {
    if (step->unknown)
        return step->unknown;
    for (size_t i = 0; i < step->nnests; i++)
        if (st_reads_overwritten(step->nests[i]))
            return "a sweep reads neighbours from an array that it writes";
    if (step->nsweeps > ST_MAX_SWEEPS)
        return "the step has too many sweeps";
    if (step->narrays > ST_MAX_ARRAYS)
        return "the step has too many arrays";
    const char *why = step->nsweeps ? NULL : "the step has no sweep";
    for (size_t i = 0; i < step->nsweeps && !why; i++)
        why = why_not_sweep(step, i);
    for (size_t i = 0; i < step->narrays && !why; i++) {
        const st_array *a = &step->arrays[i];
        if (a->type == ST_I1)
            why = "an array has bits for cells";
        if (a->advance && a->written)
            why = "an array is written of which each step reads other cells";
        if (step->arrays[a->becomes].type != a->type)
            why = "arrays of different types take turns";
        if (a->becomes != (int32_t)i && !(a->written || step->arrays[a->becomes].written))
            why = "arrays that are only read take turns";
    }
    return why;
}

/* How arrays go from step to step */

/* Arrays that are only read are loaded where they are read, wherever that is. */
bool st_step_flows(const st_step *step, int32_t array) {
    const st_array *a = &step->arrays[array];
    return !a->trace && (a->written || a->becomes != array);
}

bool st_step_alternates(const st_step *step, int32_t array) {
    return step->arrays[array].swapped && step->arrays[array].becomes == array;
}

bool st_step_is_settled(const st_step *step, int32_t array) {
    int writers = 0;
    bool whole = step->arrays[array].becomes == array;
    for (size_t i = 0; i < step->nsweeps; i++)
        if (writes_array(&step->sweeps[i], array)) {
            writers++;
            whole &= !st_sweep_is_layer(&step->sweeps[i]) && step->sweeps[i].stencil->every <= 1;
        }
    return writers == 1 && whole;
}

static bool sweep_reads_array(const st_sweep *w, int32_t array) {
    bool reads = false;
    for (size_t i = 0; i < w->stencil->naccesses && !reads; i++) {
        const st_access *a = &w->stencil->accesses[i];
        reads = st_sweep_array(w, a->grid, a->level) == array && st_sweep_reads(w, (int32_t)i);
    }
    return reads;
}

/* One sweep makes the only version of a settled array; later nests read that version. */
bool st_step_arrives(const st_step *step, int32_t array) {
    if (!st_step_flows(step, array))
        return false;
    bool arrives = step->arrays[array].swapped || !st_step_is_settled(step, array);
    size_t maker = 0;
    while (!writes_array(&step->sweeps[maker], array) && maker + 1 < step->nsweeps)
        maker++;
    for (size_t i = 0; i < step->nsweeps && !arrives; i++)
        arrives = step->sweeps[i].nest <= step->sweeps[maker].nest &&
                  sweep_reads_array(&step->sweeps[i], array);
    return arrives;
}
