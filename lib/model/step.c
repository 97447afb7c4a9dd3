/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Versions, lags and halos of a time step.
 *
 * Let row r of the versions 0 of all arrays arrive at time r, along the stream. A version made with
 * lag g has its row j at time j + g. A sweep that reads row j + o of it can make its own row j at
 * time j + g + o and not before, so its lag is the greatest g + o of all that it reads; and not
 * less than that of the version before, whose cells remain outside the sweep's domain. Row j + o is
 * then (sweep's lag) - g - o rows old: so many rows of the version are kept. All arrays leave the
 * step at the greatest lag.
 *
 * In 3-D the rows that a thread needs beside its own are known first, from the last sweep to the
 * first. Of what a step makes the thread makes them itself, and needs rows for that in turn. Those
 * of version 0 are other warps', who give them a plane later: so reads of these find their rows a
 * plane late. One barrier a plane serves all sweeps of all levels then. Each store has a lag of its
 * own; else those that need no such rows would wait.
 *
 * Across the stream each version has an interval of cells that are right, which starts as the tile
 * and is cut by each read: two sweeps that read to opposite sides lose a cell at each side, not
 * two.
 */
#include "model/step.h"

#include <stdlib.h>
#include <string.h>

static int32_t max(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/* Building */

st_step *st_step_create(int rank) {
    st_step *step = calloc(1, sizeof *step);
    step->rank = rank;
    return step;
}

void st_step_destroy(st_step *step) {
    if (!step)
        return;
    for (size_t i = 0; i < step->nsweeps; i++)
        free(step->sweeps[i].views);
    free(step->sweeps);
    free(step->nests);
    free(step->arrays);
    free(step);
}

int32_t st_step_add_array(st_step *step, const char *name, st_type type) {
    step->arrays = realloc(step->arrays, (step->narrays + 1) * sizeof *step->arrays);
    st_array *a = &step->arrays[step->narrays];
    *a = (st_array){.type = type, .becomes = (int32_t)step->narrays};
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
    while (step->sweeps[i].nest != nest)
        i++;
    return &step->sweeps[i];
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

bool st_step_reduces(const st_step *step, size_t sweep) {
    return step->decides && step->sweeps[sweep].stencil->nreductions > 0;
}

/* Those that node `root` needs. */
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
            most = max(most, abs(w->stencil->accesses[i].offset[d]));
    return most;
}

/* Each cell that is nearer to the face is brought back two further at most. */
static st_reach reach_of(const st_sweep *w, int32_t access) {
    st_reach r;
    st_sweep_offset(w, access, r.low);
    memcpy(r.high, r.low, sizeof r.high);
    for (int d = 0; d < ST_MAX_RANK; d++) {
        int32_t most = st_sweep_bend(w, access, d, 0);
        if (most > 0)
            r.high[d] += most;
        else
            r.low[d] += most;
    }
    return r;
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
        if (step->sweeps[i].nest < step->sweeps[sweep].nest && writes_array(&step->sweeps[i], array))
            return true;
    return false;
}

static const char *why_not_access(const st_step *step, size_t sweep, const st_access *a) {
    const st_sweep *w = &step->sweeps[sweep];
    const st_array *array = &step->arrays[st_sweep_array(w, a->grid, a->level)];
    int32_t number = (int32_t)(array - step->arrays);
    if (w->views[a->grid].opposite)
        return "a sweep reads cells of the opposite face";
    if (array->advance != w->stencil->grids[a->grid].advance)
        return "a sweep reads other cells of an array in each step";
    if (array->written && array->broadcast)
        return "a sweep writes an array that does not extend along all dimensions";
    if (array->swapped && a->level != 0 && !is_written_before(step, sweep, number))
        return "a sweep reads what was in the buffer that the step writes";
    return NULL;
}

/* Along a dimension where indices come round. */
static const char *why_not_round(const st_sweep *w, int d) {
    const st_stencil *s = w->stencil;
    bool whole = !(w->at_low >> d & 1) && !(w->at_high >> d & 1) && !w->low[d] && !w->high[d];
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

/* Versions */

/* Does the sweep read other cells than an earlier one of its nest writes? Layers at opposite faces
 * are apart: boxes in which they are not are too small for kernels of whole steps. */
static bool reads_elsewhere(const st_step *step, const st_sweep *w, const st_sweep *other,
                            int32_t access) {
    int32_t offset[ST_MAX_RANK];
    bool apart = false;
    st_sweep_offset(w, access, offset);
    for (int d = 0; d < step->rank; d++) {
        bool low = w->at_low & other->at_low & (1u << d),
             high = w->at_high & other->at_high & (1u << d);
        int32_t read = offset[d] + st_sweep_shift(w)[d] + (low ? w->low[d] : -w->low[d]);
        int32_t made = st_sweep_shift(other)[d] + (low ? other->low[d] : -other->low[d]);
        apart |= (low || high) && read != made;
        apart |= (w->at_low & other->at_high) >> d & 1 || (w->at_high & other->at_low) >> d & 1;
    }
    return apart;
}

/* The sweeps of a nest read what there was before it; or the newest version, where it is the same
 * there, so that fewer are kept. Rows that are still to come are in the older one earlier. */
static int32_t newest(const st_step *step, const st_dependences *d, int32_t array, size_t sweep,
                      int32_t access) {
    const st_sweep *w = &step->sweeps[sweep];
    int32_t found = array, offset[ST_MAX_RANK];
    st_sweep_offset(w, access, offset);
    for (size_t v = step->narrays; v < d->nversions; v++) {
        const st_sweep *other = &step->sweeps[d->versions[v].sweep];
        if (d->versions[v].array != array || d->versions[v].sweep >= (int32_t)sweep ||
            d->versions[v].reduced)
            continue;
        if (other->nest == w->nest &&
            (offset[d->stream] > 0 || !reads_elsewhere(step, w, other, access)))
            break;
        found = (int32_t)v;
    }
    return found;
}

int32_t st_step_version_read(const st_step *step, const st_dependences *d, size_t sweep,
                             int32_t access) {
    const st_sweep *w = &step->sweeps[sweep];
    const st_access *a = &w->stencil->accesses[access];
    int32_t array = st_sweep_array(w, a->grid, a->level);
    return step->arrays[array].swapped && a->level == 0
               ? array
               : newest(step, d, array, sweep, access);
}

int32_t st_step_version_made(const st_dependences *d, size_t sweep, size_t store) {
    for (size_t v = 0; v < d->nversions; v++)
        if (d->versions[v].sweep == (int32_t)sweep && d->versions[v].store == (int32_t)store)
            return (int32_t)v;
    return -1;
}

/* Arrays that are only read are loaded where they are read, wherever that is. */
bool st_step_flows(const st_step *step, int32_t array) {
    return step->arrays[array].written || step->arrays[array].becomes != array;
}

/* Do its cells outside the domain of the one sweep that writes it stay as they are? That sweep is
 * made in each step. */
static bool is_settled(const st_step *step, int32_t array) {
    int writers = 0;
    bool whole = step->arrays[array].becomes == array;
    for (size_t i = 0; i < step->nsweeps; i++)
        if (writes_array(&step->sweeps[i], array)) {
            writers++;
            whole &= !step->sweeps[i].at_low && !step->sweeps[i].at_high &&
                     step->sweeps[i].stencil->every <= 1;
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

/* Of a settled array, one sweep makes the only version; later nests read that. */
bool st_step_arrives(const st_step *step, int32_t array) {
    if (!st_step_flows(step, array))
        return false;
    bool arrives = step->arrays[array].swapped || !is_settled(step, array);
    size_t maker = 0;
    while (!writes_array(&step->sweeps[maker], array) && maker + 1 < step->nsweeps)
        maker++;
    for (size_t i = 0; i < step->nsweeps && !arrives; i++)
        arrives = step->sweeps[i].nest <= step->sweeps[maker].nest &&
                  sweep_reads_array(&step->sweeps[i], array);
    return arrives;
}

/* Does the version read the access, of an array that flows? Which version, and where. */
static bool reads(const st_step *step, const st_dependences *d, const st_version *made,
                  size_t access, int32_t *version, st_reach *reach) {
    size_t sweep = (size_t)made->sweep;
    *version = st_step_version_read(step, d, sweep, (int32_t)access);
    *reach = reach_of(&step->sweeps[sweep], (int32_t)access);
    return st_step_flows(step, d->versions[*version].array) &&
           st_step_store_reads(step, sweep, (size_t)made->store, (int32_t)access);
}

static size_t accesses_of(const st_step *step, const st_version *made) {
    return step->sweeps[made->sweep].stencil->naccesses;
}

/* Rows beside a thread's own */

static bool has_rows(const st_dependences *d) {
    return d->stream == 2;
}

static void want_rows(st_version *v, int32_t below, int32_t above) {
    v->below = max(v->below, below);
    v->above = max(v->above, above);
}

static void find_rows(const st_step *step, st_dependences *d) {
    int32_t read;
    st_reach o;
    for (size_t v = d->nversions; has_rows(d) && v-- > step->narrays;) {
        const st_version *made = &d->versions[v];
        for (size_t i = 0; i < accesses_of(step, made); i++)
            if (reads(step, d, made, i, &read, &o))
                want_rows(&d->versions[read], made->below - o.low[1], made->above + o.high[1]);
        if (!is_settled(step, made->array))
            want_rows(&d->versions[made->before], made->below, made->above);
    }
}

void st_step_beside(const st_dependences *d, size_t sweep, int32_t *below, int32_t *above) {
    *below = *above = 0;
    for (size_t v = 0; v < d->nversions; v++)
        if (d->versions[v].sweep == (int32_t)sweep) {
            *below = max(*below, d->versions[v].below);
            *above = max(*above, d->versions[v].above);
        }
}

/* Does the version need rows of the other beside a thread's own, of an access at rows from `low` to
 * `high`? */
static bool is_beside(const st_dependences *d, const st_version *made, int32_t low, int32_t high) {
    return has_rows(d) && (made->below - low > 0 || made->above + high > 0);
}

/* The lag of a version, of what it reads. */
static int32_t find_lag(const st_step *step, const st_dependences *d, const st_version *made) {
    int32_t lag = d->versions[made->before].lag, read;
    st_reach o;
    bool late = !is_settled(step, made->array) && is_beside(d, made, 0, 0);
    if (made->before < (int32_t)step->narrays)
        lag += late;
    for (size_t i = 0; i < accesses_of(step, made); i++)
        if (reads(step, d, made, i, &read, &o)) {
            bool given = read < (int32_t)step->narrays && is_beside(d, made, o.low[1], o.high[1]);
            lag = max(lag, d->versions[read].lag + o.high[d->stream] + given);
        }
    return lag;
}

/* Of all versions, in their order. In 1-D and 2-D all stores of a sweep have its lag. */
static void find_lags(const st_step *step, st_dependences *d) {
    for (size_t v = step->narrays; v < d->nversions; v++) {
        size_t first = v, end = v;
        int32_t lag = 0;
        while (!has_rows(d) && d->versions[first - 1].sweep == d->versions[v].sweep)
            first--;
        while (!has_rows(d) && end + 1 < d->nversions &&
               d->versions[end + 1].sweep == d->versions[v].sweep)
            end++;
        for (size_t i = first; i <= end; i++)
            lag = max(lag, find_lag(step, d, &d->versions[i]));
        d->versions[v].lag = lag;
    }
}

/* The cells of what a sweep makes that are right, along d. A layer at the low face is not near the
 * high end of a tile, however narrow that is, if the tile has room for what layers read (below). */
static void cut_interval(const st_step *step, const st_dependences *d, int dim, st_version *made) {
    const st_sweep *w = &step->sweeps[made->sweep];
    int32_t low = d->versions[made->before].low[dim], high = d->versions[made->before].high[dim];
    int32_t read;
    st_reach offset;
    for (size_t i = 0; i < w->stencil->naccesses; i++) {
        if (!reads(step, d, made, i, &read, &offset))
            continue;
        const st_version *v = &d->versions[read];
        if (!(w->at_high >> dim & 1))
            low = max(low, v->low[dim] - offset.low[dim]);
        if (!(w->at_low >> dim & 1))
            high = max(high, v->high[dim] + offset.high[dim]);
    }
    made->low[dim] = low;
    made->high[dim] = high;
}

/* Cells that layers at one face read towards the other one, all together: a tile, or a chunk, may
 * begin with the layer itself. */
static int32_t read_by_layers(const st_step *step, int dim, bool high) {
    int32_t sum = 0, offset[ST_MAX_RANK];
    for (size_t i = 0; i < step->nsweeps; i++) {
        const st_sweep *w = &step->sweeps[i];
        int32_t most = 0;
        for (size_t j = 0; j < w->stencil->naccesses; j++) {
            st_sweep_offset(w, (int32_t)j, offset);
            if (st_sweep_reads(w, (int32_t)j))
                most = max(most, high ? offset[dim] : -offset[dim]);
        }
        sum += (high ? w->at_low : w->at_high) >> dim & 1 ? most : 0;
    }
    return sum;
}

/* Intervals of all versions, given those of the versions 0. */
static void cut_intervals(const st_step *step, st_dependences *d) {
    for (size_t v = step->narrays; v < d->nversions; v++)
        for (int dim = 0; dim < step->rank; dim++)
            cut_interval(step, d, dim, &d->versions[v]);
}

/* What a sweep that stores nothing reduces, as if it were a version of an array that it reads. */
static bool add_reduced(const st_step *step, st_dependences *d, size_t sweep) {
    const st_sweep *w = &step->sweeps[sweep];
    if (st_sweep_stores(w) > 0 || !st_step_reduces(step, sweep))
        return true;
    if (d->nversions == ST_MAX_VERSIONS)
        return false;
    int32_t array = st_sweep_array(w, w->stencil->store_grid, 0);
    d->versions[d->nversions++] = (st_version){
        .array = array, .sweep = (int32_t)sweep, .before = d->last[array], .reduced = true};
    return true;
}

static bool add_versions(const st_step *step, st_dependences *d, size_t sweep) {
    const st_sweep *w = &step->sweeps[sweep];
    for (size_t i = 0; i < st_sweep_stores(w); i++) {
        st_store store = st_sweep_store(w, i);
        int32_t array = st_sweep_array(w, store.grid, store.level);
        if (d->nversions == ST_MAX_VERSIONS)
            return false;
        d->versions[d->nversions++] = (st_version){
            .array = array, .sweep = (int32_t)sweep, .store = (int32_t)i, .before = d->last[array]};
    }
    for (size_t v = step->narrays; v < d->nversions; v++)
        if (!d->versions[v].reduced)
            d->last[d->versions[v].array] = (int32_t)v;
    return add_reduced(step, d, sweep);
}

static void keep(st_version *v, int32_t rows, bool only_held) {
    v->held = max(v->held, rows);
    if (!only_held)
        v->oldest = max(v->oldest, rows);
}

static void keep_beside(st_version *v, int32_t rows) {
    v->beyond = max(v->beyond, rows);
}

static void find_kept(const st_step *step, st_dependences *d) {
    int32_t read;
    st_reach o;
    for (size_t v = step->narrays; v < d->nversions; v++) {
        const st_version *made = &d->versions[v];
        st_version *before = &d->versions[made->before];
        if (!made->reduced && !is_settled(step, made->array)) {
            keep(before, made->lag - before->lag, true);
            if (is_beside(d, made, 0, 0))
                keep_beside(before, made->lag - before->lag);
        }
        for (size_t i = 0; i < accesses_of(step, made); i++) {
            if (!reads(step, d, made, i, &read, &o))
                continue;
            int32_t rows = made->lag - d->versions[read].lag - o.low[d->stream];
            keep(&d->versions[read], rows, false);
            if (is_beside(d, made, o.low[1], o.high[1]))
                keep_beside(&d->versions[read], rows);
        }
    }
    for (size_t a = 0; a < step->narrays; a++) {
        st_version *last = &d->versions[d->last[a]];
        if (st_step_arrives(step, (int32_t)a))
            keep(last, d->lag - last->lag, false);
        else if (st_step_flows(step, (int32_t)a))
            last->leaves = d->lag - last->lag;
    }
}

bool st_step_dependences(const st_step *step, int stream, st_dependences *out) {
    *out = (st_dependences){.stream = stream};
    if (step->narrays > ST_MAX_VERSIONS)
        return false;
    for (size_t a = 0; a < step->narrays; a++) {
        out->versions[out->nversions++] =
            (st_version){.array = (int32_t)a, .sweep = -1, .store = -1, .before = -1};
        out->last[a] = (int32_t)a;
    }
    for (size_t i = 0; i < step->nsweeps; i++)
        if (!add_versions(step, out, i))
            return false;
    find_rows(step, out);
    find_lags(step, out);
    for (size_t v = 0; v < out->nversions; v++)
        out->lag = max(out->lag, out->versions[v].lag);
    find_kept(step, out);
    st_step_halo(step, out, 1, out->halo);
    cut_intervals(step, out);
    return true;
}

/* The intervals in which the next step's versions 0 are right. */
static void begin_step(const st_step *step, st_dependences *d) {
    st_version ends[ST_MAX_ARRAYS];
    for (size_t a = 0; a < step->narrays; a++)
        ends[step->arrays[a].becomes] = d->versions[d->last[a]];
    for (size_t a = 0; a < step->narrays; a++) {
        memcpy(d->versions[a].low, ends[a].low, sizeof ends[a].low);
        memcpy(d->versions[a].high, ends[a].high, sizeof ends[a].high);
    }
}

void st_step_halo(const st_step *step, const st_dependences *d, int count,
                  int32_t halo[ST_MAX_RANK][2]) {
    st_dependences *now = malloc(sizeof *now);
    *now = *d;
    for (int i = 0; i < count; i++) {
        cut_intervals(step, now);
        begin_step(step, now);
    }
    memset(halo, 0, sizeof(int32_t[ST_MAX_RANK][2]));
    for (size_t a = 0; a < step->narrays; a++)
        for (int dim = 0; dim < step->rank && st_step_flows(step, (int32_t)a); dim++) {
            halo[dim][0] = max(halo[dim][0], now->versions[a].low[dim]);
            halo[dim][1] = max(halo[dim][1], now->versions[a].high[dim]);
        }
    for (size_t v = step->narrays; v < now->nversions; v++)
        for (int dim = 0; dim < step->rank && now->versions[v].reduced; dim++) {
            halo[dim][0] = max(halo[dim][0], now->versions[v].low[dim]);
            halo[dim][1] = max(halo[dim][1], now->versions[v].high[dim]);
        }
    free(now);
    for (int dim = 0; dim < step->rank; dim++)
        for (int high = 0; high < 2; high++)
            halo[dim][high] += read_by_layers(step, dim, high);
}

int32_t st_step_least(const st_step *step, int dim) {
    int32_t least = 1, o[ST_MAX_RANK];
    for (size_t i = 0; i < step->nsweeps; i++) {
        const st_sweep *w = &step->sweeps[i];
        for (size_t j = 0; j < w->stencil->naccesses; j++) {
            if (!st_sweep_reads(w, (int32_t)j))
                continue;
            st_sweep_offset(w, (int32_t)j, o);
            int32_t to = o[dim] + st_sweep_shift(w)[dim];
            if (w->at_low >> dim & 1)
                least = max(least, w->high[dim] + to);
            if (w->at_high >> dim & 1)
                least = max(least, w->low[dim] - to);
        }
    }
    return least;
}

/* Printing */

/* Of the cells that it writes. */
static void print_bound(FILE *out, const st_sweep *w, int d) {
    int32_t shift = st_sweep_shift(w)[d];
    bool low = w->at_low >> d & 1, high = w->at_high >> d & 1;
    int32_t first = high ? w->low[d] - shift : w->low[d] + shift;
    int32_t last = low ? w->high[d] - 1 + shift : w->high[d] + 1 - shift;
    fprintf(out, "%s%d..%s%d", high ? "n-" : "", first, low ? "" : "n-", last);
}

static void print_sweep(const st_step *step, const st_sweep *w, FILE *out) {
    fprintf(out, "  sweep over");
    for (int d = 0; d < step->rank; d++) {
        fprintf(out, " %c ", "xyz"[d]);
        print_bound(out, w, d);
    }
    fprintf(out, " makes");
    for (size_t i = 0; i < st_sweep_stores(w); i++) {
        st_store store = st_sweep_store(w, i);
        fprintf(out, " %s", step->arrays[st_sweep_array(w, store.grid, store.level)].name);
    }
    fprintf(out, "\n");
}

static void print_array(const st_step *step, int32_t number, FILE *out) {
    const st_array *a = &step->arrays[number];
    bool made = st_step_flows(step, number) && !st_step_arrives(step, number);
    fprintf(out, "  array %s: %s%s%s%s", a->name, st_type_name(a->type),
            a->written ? "" : ", only read", a->swapped ? ", swapped" : "",
            made ? ", not read before it is made" : "");
    if (a->becomes != number)
        fprintf(out, ", becomes %s", step->arrays[a->becomes].name);
    fprintf(out, "\n");
}

static void print_version(const st_step *step, const st_dependences *d, size_t v, FILE *out) {
    const st_version *one = &d->versions[v];
    if (!st_step_flows(step, one->array))
        return;
    fprintf(out,
            one->reduced ? "  reduced (%zu) of %s: lag %d, %d rows kept, right from %d to n-%d"
                         : "  version %zu of %s: lag %d, %d rows kept, right from %d to n-%d",
            v, step->arrays[one->array].name, one->lag, one->oldest, one->low[0],
            one->high[0] + 1);
    if (one->below || one->above)
        fprintf(out, ", %d rows below and %d above", one->below, one->above);
    fprintf(out, "\n");
}

static void print_dependences(const st_step *step, const st_dependences *d, FILE *out) {
    for (size_t v = 0; v < d->nversions; v++)
        print_version(step, d, v, out);
    fprintf(out, "  lag %d, halo", d->lag);
    for (int k = 0; k < step->rank; k++)
        fprintf(out, " %d,%d", d->halo[k][0], d->halo[k][1]);
    fprintf(out, "\n");
}

void st_step_print(const st_step *step, FILE *out) {
    fprintf(out, "step of %zu sweeps over %zu arrays\n", step->nsweeps, step->narrays);
    for (size_t i = 0; i < step->narrays; i++)
        print_array(step, (int32_t)i, out);
    for (size_t i = 0; i < step->nsweeps; i++)
        print_sweep(step, &step->sweeps[i], out);
    const char *why = st_step_why_not_whole(step);
    if (why) {
        fprintf(out, "  not taken whole: %s\n", why);
        return;
    }
    st_dependences *d = malloc(sizeof *d);
    if (st_step_dependences(step, step->rank - 1, d))
        print_dependences(step, d, out);
    free(d);
}

void st_step_print_all(const st_step *step, FILE *out) {
    if (step->single) {
        st_print(step->nests[0], out);
        return;
    }
    fprintf(out, "time loop of %zu sweep%s in %s: rank %d\n", step->nnests,
            step->nnests > 1 ? "s" : "", step->where, step->rank);
    for (size_t i = 0; i < step->nnests; i++)
        st_print_sweep(step->nests[i], i + 1, out);
    if (step->unknown)
        fprintf(out, " no whole step: %s\n", step->unknown);
    else
        st_step_print(step, out);
}
