/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which rows a launch computes in a window: pieces.h.
 */
#include "runtime/slab/pieces.h"

static int64_t ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

/* Divides the piece. An edge is a chunk, as in other launches, so no row is computed twice because
 * of it. False if there are too few chunks, or if they have too few rows. */
static bool split(const rt_span *span, const rt_piece *all, int64_t rows, rt_pieces *p) {
    int64_t low = span->edge[0] > 0 ? all->chunk : 0, high = span->edge[1] > 0 ? all->chunk : 0;
    int64_t inner = rows - low - high;
    if (low + high == 0 || inner <= 0 || all->chunk < span->edge[0] || all->chunk < span->edge[1])
        return false;
    int64_t chunks = ceil_div(inner, all->chunk), chunk = inner / chunks;
    int64_t more = inner - chunks * chunk; /* for an edge, so that chunks have equal heights */
    low += low > 0 ? more : 0;
    high += low > 0 ? 0 : more;
    p->nedges = 0;
    if (low > 0)
        p->edges[p->nedges++] = (rt_piece){all->first, low, 1};
    if (high > 0)
        p->edges[p->nedges++] = (rt_piece){all->first + rows - high, high, 1};
    p->rest = (rt_piece){all->first + low, chunk, chunks};
    return true;
}

/* Edges of the rows that others wait for alone. They are done soon, and read more rows beside their
 * own than chunks do. False if they are not much less than the rest, or higher than chunks. */
static bool split_narrow(const rt_span *span, const rt_piece *all, int64_t rows, rt_pieces *p) {
    int64_t low = span->edge[0], high = span->edge[1], inner = rows - low - high;
    if (!span->narrow || low + high == 0 || inner < RT_EDGES_LESS * (low + high) ||
        inner < all->chunks)
        return false;
    int64_t more = inner % all->chunks;
    low += low > 0 ? more : 0;
    high += low > 0 ? 0 : more;
    if (low > all->chunk || high > all->chunk)
        return false;
    p->nedges = 0;
    if (low > 0)
        p->edges[p->nedges++] = (rt_piece){all->first, low, 1};
    if (high > 0)
        p->edges[p->nedges++] = (rt_piece){all->first + rows - high, high, 1};
    p->rest = (rt_piece){all->first + low, inner / all->chunks, all->chunks};
    return true;
}

rt_pieces rt_span_pieces(const rt_span *span, int64_t extent, int64_t left, int64_t chunk) {
    int64_t margin = span->reach * left;
    int64_t lo = span->lo > margin ? span->lo - margin : 0;
    int64_t hi = extent - span->hi > margin ? span->hi + margin : extent;
    rt_pieces p = {.rest = {lo, 0, ceil_div(hi - lo, chunk)}};
    p.rest.chunk = ceil_div(hi - lo, p.rest.chunks);
    rt_piece all = p.rest;
    if (left == 0 && !split_narrow(span, &all, hi - lo, &p) && !split(span, &all, hi - lo, &p))
        p.rest = all;
    return p;
}

rt_lean_shift rt_lean_next(rt_lean_shift shift, int64_t degree, int64_t reach) {
    int64_t steps = degree > shift.degree ? degree : shift.degree;
    return (rt_lean_shift){shift.rows + steps * reach, degree};
}

void rt_lean_rows(const rt_span *span, rt_lean_shift shift, int64_t extent, int64_t rows[2]) {
    int64_t lo = span->lo - shift.rows, hi = span->hi - shift.rows;
    rows[0] = lo < 0 ? 0 : lo;
    rows[1] = span->ends ? extent : hi;
    rows[1] = rows[1] < rows[0] ? rows[0] : rows[1];
}
