/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time step as text: its sweeps, arrays and versions.
 */
#include "model/step_print.h"

#include "model/dependences.h"
#include "model/ghosts.h"
#include <stdlib.h>

/* Prints a bound of the cells that the sweep writes. */
static void print_bound(FILE *out, const st_sweep *w, int d) {
    int32_t shift = st_sweep_shift(w)[d];
    if (w->at_place >> d & 1) {
        fprintf(out, "at a place");
        return;
    }
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
            v, step->arrays[one->array].name, one->lag, one->oldest, one->low[0], one->high[0] + 1);
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

static void print_ghosts(const st_step *step, FILE *out) {
    const st_ghosts *ghosts = &step->ghosts;
    st_step *round = st_step_without_ghosts(step);
    fprintf(out, "  without copies to ghost cells (");
    for (int d = 0; d < step->rank; d++)
        fprintf(out, "%s%c %d,%d", d ? " " : "", "xyz"[d], ghosts->margin[d][0],
                ghosts->margin[d][1]);
    fprintf(out, "), from step %d on, less %d, at least %d cells: ", ghosts->first, ghosts->last,
            ghosts->least);
    st_step_print(round, out);
    st_step_destroy(round);
}

void st_step_print(const st_step *step, FILE *out) {
    fprintf(out, "step of %zu sweeps over %zu arrays\n", step->nsweeps, step->narrays);
    for (size_t i = 0; i < step->narrays; i++)
        print_array(step, (int32_t)i, out);
    for (size_t i = 0; i < step->nsweeps; i++)
        print_sweep(step, &step->sweeps[i], out);
    if (step->ghosts.copies) {
        print_ghosts(step, out);
        return;
    }
    const char *why = st_step_why_not_whole(step);
    if (why) {
        fprintf(out, "  not taken whole: %s\n", why);
        return;
    }
    st_dependences *d = malloc(sizeof *d);
    if (st_step_dependences(step, st_step_stream(step), d))
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
