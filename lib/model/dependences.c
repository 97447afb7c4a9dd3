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
 * A sweep may make its rows later than that, up to where those that read them would have to wait.
 * In 2-D it does if fewer rows are kept then: where it scales an array at the step's end, say, and
 * others read what was there before.
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
#include "model/dependences.h"

#include "model/number.h"
#include <stdlib.h>
#include <string.h>

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
    return step->arrays[array].swapped && a->level == 0 ? array
                                                        : newest(step, d, array, sweep, access);
}

int32_t st_step_version_made(const st_dependences *d, size_t sweep, size_t store) {
    for (size_t v = 0; v < d->nversions; v++)
        if (d->versions[v].sweep == (int32_t)sweep && d->versions[v].store == (int32_t)store)
            return (int32_t)v;
    return -1;
}

/* The least and greatest offset that the access has, anywhere: others than st_sweep_offset near
 * faces where indices are brought back. */
typedef struct st_reach {
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK];
} st_reach;

/* An index that is brought back at the face: each cell nearer to the face is brought back by two
 * more cells at most. */
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
    v->below = st_max32(v->below, below);
    v->above = st_max32(v->above, above);
}

static void find_rows(const st_step *step, st_dependences *d) {
    int32_t read;
    st_reach o;
    for (size_t v = d->nversions; has_rows(d) && v-- > step->narrays;) {
        const st_version *made = &d->versions[v];
        for (size_t i = 0; i < accesses_of(step, made); i++)
            if (reads(step, d, made, i, &read, &o))
                want_rows(&d->versions[read], made->below - o.low[1], made->above + o.high[1]);
        if (!st_step_is_settled(step, made->array))
            want_rows(&d->versions[made->before], made->below, made->above);
    }
}

void st_step_beside(const st_dependences *d, size_t sweep, int32_t *below, int32_t *above) {
    *below = *above = 0;
    for (size_t v = 0; v < d->nversions; v++)
        if (d->versions[v].sweep == (int32_t)sweep) {
            *below = st_max32(*below, d->versions[v].below);
            *above = st_max32(*above, d->versions[v].above);
        }
}

/* Does the version need rows of the other beside a thread's own, of an access at rows from `low` to
 * `high`? */
static bool is_beside(const st_dependences *d, const st_version *made, int32_t low, int32_t high) {
    return has_rows(d) && (made->below - low > 0 || made->above + high > 0);
}

/* The lag of a version, from the versions that it reads. */
static int32_t find_lag(const st_step *step, const st_dependences *d, const st_version *made) {
    int32_t lag = d->versions[made->before].lag, read;
    st_reach o;
    bool late = !st_step_is_settled(step, made->array) && is_beside(d, made, 0, 0);
    if (made->before < (int32_t)step->narrays)
        lag += late;
    for (size_t i = 0; i < accesses_of(step, made); i++)
        if (reads(step, d, made, i, &read, &o)) {
            bool given = read < (int32_t)step->narrays && is_beside(d, made, o.low[1], o.high[1]);
            lag = st_max32(lag, d->versions[read].lag + o.high[d->stream] + given);
        }
    return lag;
}

/* Finds the lags of all versions, in their order. In 1-D and 2-D all stores of a sweep have the
 * sweep's lag. */
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
            lag = st_max32(lag, find_lag(step, d, &d->versions[i]));
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
            low = st_max32(low, v->low[dim] - offset.low[dim]);
        if (!(w->at_low >> dim & 1))
            high = st_max32(high, v->high[dim] + offset.high[dim]);
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
                most = st_max32(most, high ? offset[dim] : -offset[dim]);
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

/* What a sweep that stores nothing reduces, or the element of a trace, as if it were a version of
 * an array. */
static bool add_reduced(const st_step *step, st_dependences *d, size_t sweep) {
    const st_sweep *w = &step->sweeps[sweep];
    bool reduces = st_sweep_stores(w) == 0 && st_step_reduces(step, sweep);
    if (!reduces && !st_step_traces(step, sweep))
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
    size_t count = st_step_traces(step, sweep) ? 0 : st_sweep_stores(w);
    for (size_t i = 0; i < count; i++) {
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
    v->held = st_max32(v->held, rows);
    if (!only_held)
        v->oldest = st_max32(v->oldest, rows);
}

static void keep_beside(st_version *v, int32_t rows) {
    v->beyond = st_max32(v->beyond, rows);
}

static void find_kept(const st_step *step, st_dependences *d) {
    int32_t read;
    st_reach o;
    for (size_t v = step->narrays; v < d->nversions; v++) {
        const st_version *made = &d->versions[v];
        st_version *before = &d->versions[made->before];
        if (!made->reduced && !st_step_is_settled(step, made->array)) {
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

/* Later sweeps */

/* Finds what is kept: bytes of a cell of each level, those that the last one alone keeps counted as
 * if there were eight levels. */
static int64_t count_kept(const st_step *step, st_dependences *d) {
    enum { LEVELS = 8 };
    int64_t sum = 0;
    for (size_t v = 0; v < d->nversions; v++)
        d->versions[v].held = d->versions[v].oldest = d->versions[v].leaves =
            d->versions[v].beyond = 0;
    find_kept(step, d);
    for (size_t v = 0; v < d->nversions; v++) {
        const st_version *one = &d->versions[v];
        int32_t more = st_max32(0, one->leaves - one->held);
        sum += (LEVELS * one->held + more) * (int64_t)st_type_size(step->arrays[one->array].type);
    }
    return sum;
}

static void set_lag(st_dependences *d, int32_t sweep, int32_t lag) {
    for (size_t v = 0; v < d->nversions; v++)
        if (d->versions[v].sweep == sweep)
            d->versions[v].lag = lag;
}

/* Is each version made no earlier than what it reads? */
static bool is_in_time(const st_step *step, const st_dependences *d) {
    bool good = true;
    for (size_t v = step->narrays; v < d->nversions && good; v++)
        good = find_lag(step, d, &d->versions[v]) <= d->versions[v].lag;
    return good;
}

static void delay_sweep(const st_step *step, st_dependences *d, int32_t sweep, int32_t lag) {
    int64_t least = count_kept(step, d);
    int32_t best = lag;
    for (int32_t later = lag + 1; later <= d->lag; later++) {
        set_lag(d, sweep, later);
        int64_t kept = is_in_time(step, d) ? count_kept(step, d) : least;
        if (kept < least) {
            least = kept;
            best = later;
        }
    }
    set_lag(d, sweep, best);
}

static void delay_sweeps(const st_step *step, st_dependences *d) {
    for (size_t v = d->nversions; !has_rows(d) && v-- > step->narrays;)
        if (d->versions[v].sweep != d->versions[v - 1].sweep)
            delay_sweep(step, d, d->versions[v].sweep, d->versions[v].lag);
}

int st_step_stream(const st_step *step) {
    return step->rank == 3 ? 2 : 1;
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
        out->lag = st_max32(out->lag, out->versions[v].lag);
    delay_sweeps(step, out);
    count_kept(step, out);
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
            halo[dim][0] = st_max32(halo[dim][0], now->versions[a].low[dim]);
            halo[dim][1] = st_max32(halo[dim][1], now->versions[a].high[dim]);
        }
    for (size_t v = step->narrays; v < now->nversions; v++)
        for (int dim = 0; dim < step->rank && now->versions[v].reduced; dim++) {
            halo[dim][0] = st_max32(halo[dim][0], now->versions[v].low[dim]);
            halo[dim][1] = st_max32(halo[dim][1], now->versions[v].high[dim]);
        }
    free(now);
    for (int dim = 0; dim < step->rank; dim++)
        for (int high = 0; high < 2; high++)
            halo[dim][high] += read_by_layers(step, dim, high);
}

/* Rows that stay */

bool st_step_access_stays(const st_step *step, size_t sweep, int32_t access) {
    const st_sweep *w = &step->sweeps[sweep];
    const st_access *a = &w->stencil->accesses[access];
    int32_t array = st_sweep_array(w, a->grid, a->level), offset[ST_MAX_RANK];
    const st_array *of = &step->arrays[array];
    st_sweep_offset(w, access, offset);
    return step->rank == 2 && !st_step_flows(step, array) && !of->broadcast && !of->advance &&
           offset[0] == 0;
}

/* How old a row is that an access of the sweep reads, at the first level. */
static int32_t age_of(const st_step *step, const st_dependences *d, size_t sweep, int32_t access) {
    int32_t made = st_step_version_made(d, sweep, 0), offset[ST_MAX_RANK];
    st_sweep_offset(&step->sweeps[sweep], access, offset);
    return d->versions[made].lag - offset[d->stream];
}

/* Copies take pieces of 4, 8 or 16 bytes; where x comes round, also of single cells. */
bool st_step_stays(const st_step *step, const st_dependences *d, int32_t array, int cells,
                   int32_t *least, int32_t *most) {
    int size = (int)st_type_size(step->arrays[array].type), one = size * cells;
    bool any = false, pieces = one == 4 || one == 8 || one % 16 == 0;
    if (!pieces || (st_step_wraps(step, 0) && size < 4))
        return false;
    for (size_t i = 0; i < step->nsweeps; i++) {
        const st_sweep *w = &step->sweeps[i];
        for (size_t j = 0; j < w->stencil->naccesses; j++) {
            const st_access *a = &w->stencil->accesses[j];
            if (st_sweep_array(w, a->grid, a->level) != array ||
                !st_step_access_stays(step, i, (int32_t)j) || !st_sweep_reads(w, (int32_t)j) ||
                st_step_version_made(d, i, 0) < 0)
                continue;
            int32_t age = age_of(step, d, i, (int32_t)j);
            *least = any ? st_min32(*least, age) : age;
            *most = any ? st_max32(*most, age) : age;
            any = true;
        }
    }
    return any;
}
