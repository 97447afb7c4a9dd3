/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The choice of an order. Columns save fetches where the rows that threads share do not stay in
 * the first-level cache, and cost a few instructions a thread.
 *
 * Matrix products. The threads resident on an SM, t, take in each step one element of every column
 * and every row that they are in. In row order these are t columns and one row; in columns of
 * width c, c columns and t / c rows, which is least for c = sqrt(t). The width is that, rounded up
 * to a power of two. The thesis's bound, c = M / (u h) of section 4.4, keeps all h elements of
 * these columns in the cache; it says how far they are reused between rows, but threads that run
 * in step share them anyway. On an H200 (t = 2048, so 64) 64 and 128 were best, 1.19 to 1.42 x.
 *
 * Stencils (section 4.3). Row order needs (n + s_w) s_h u bytes for rows of n (equation 3.2, in
 * bytes). The thesis's widest column that still fits in the cache, (M - u (s_h s_w + t)) / (s_h u),
 * takes a launch's threads for one after the other. But blocks that follow each other run on
 * different SMs, so that what threads share they share in their block: T threads, c wide and T/c
 * tall, fetch T/c + s_h - 1 rows of c + s_w - 1 cells, in sectors. That is least for narrow
 * columns; they are at least a wave wide. The thesis's measurements agree: 32 to 128 were best for
 * 9x9 cells on a GPU with an L1 of 64 KiB, where the formula gives more than 1,000. On GPUs whose
 * first-level cache has 128 KiB and more, and for stencils of few rows, the instructions cost more
 * than the fetches: on an H200, columns lost in all cases.
 */
#include "plan/order/order.h"

#include "target/caches.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SMALL_CACHE = 64 * 1024, MANY_ROWS = 9, TYPICAL_ROW = 4096 };
enum { TYPICAL_BLOCK = 256, SECTOR = 32 };
static const double pays = 0.75; /* of the fetches in rows: more does not pay */

static order_plan rows(const char *why) {
    order_plan p = {.kind = ORDER_ROWS};
    snprintf(p.why, sizeof p.why, "%s", why);
    return p;
}

static order_plan product(const order_work *w, const caches_gpu *gpu) {
    order_plan p = {.kind = ORDER_COLUMNS};
    p.width = 1;
    while ((uint64_t)p.width * p.width < gpu->threads)
        p.width *= 2;
    uint32_t line = gpu->level[0].line / w->unit;
    p.width = p.width < line ? line : p.width;
    if (!w->is_flat)
        return rows("matrix product: a block's threads share rows and columns already");
    if (w->row && w->row < 2 * (int64_t)p.width)
        return rows("matrix product: its rows are too short for columns");
    snprintf(p.why, sizeof p.why,
             "matrix product: of t = %u resident threads of an SM, a step reads t columns and one "
             "row in the order of the program, c columns and t/c rows in columns of c: c = %u; "
             "these stay in a first-level cache of M = %" PRIu64
             " bytes up to a depth of M/(u c) = "
             "%" PRIu64,
             gpu->threads, p.width, gpu->level[0].bytes,
             gpu->level[0].bytes / ((uint64_t)w->unit * p.width));
    return p;
}

/* Bytes that a block of threads fetches for a cell in a column of this width: see the head of this
 * file. Where threads are blocked, those of a row do the work of w->rows rows. */
static double fetched(const order_work *w, uint32_t width) {
    uint32_t own = TYPICAL_BLOCK / width, tall = w->rows > own ? w->rows : own;
    uint32_t bytes = (width + w->wide - 1) * w->unit;
    double row = (double)((bytes + SECTOR - 1) / SECTOR + 1) * SECTOR; /* one sector is shared */
    return (tall + w->tall - 1) * row / ((double)tall * width);
}

static uint32_t best_width(const order_work *w, uint32_t lanes) {
    uint32_t best = lanes;
    for (uint32_t width = 2 * lanes; width <= TYPICAL_BLOCK; width *= 2)
        if (fetched(w, width) < fetched(w, best))
            best = width;
    return best;
}

static order_plan stencil(const order_work *w, const caches_gpu *gpu) {
    if (!w->is_flat)
        return rows("stencil: a block's threads share rows already");
    order_plan p = {.kind = ORDER_COLUMNS};
    double cache = (double)gpu->level[0].bytes, u = w->unit,
           row = w->row ? (double)w->row : TYPICAL_ROW;
    double needed = (row + w->wide) * w->tall * u;
    p.width = best_width(w, strncmp(w->arch, "gfx9", 4) ? 32 : 64);
    double less = fetched(w, p.width), more = fetched(w, TYPICAL_BLOCK);
    bool wins = w->tall >= MANY_ROWS && cache <= SMALL_CACHE && needed > cache &&
                row >= 2 * (double)p.width && less <= pays * more;
    snprintf(
        p.why, sizeof p.why,
        "stencil of %u x %u cells of u = %u bytes%s: rows of %.0f need %.0f bytes of cache, there "
        "are M = %.0f; a block of 256 threads fetches %.1f bytes a cell in columns of %u, %.1f in "
        "rows%s",
        w->wide, w->tall, w->unit, w->rows ? ", blocked" : "", row, needed, cache, less, p.width,
        more, wins ? "" : "; the fetches saved do not pay for the instructions");
    if (!wins) {
        p.kind = ORDER_ROWS;
        p.width = 0;
    }
    return p;
}

order_plan order_choose(const order_work *w) {
    const caches_gpu *gpu = caches_of_arch(w->arch);
    if (!w->is_product && !w->tall)
        return rows("neither a matrix product nor a stencil: nothing is known of what its threads "
                    "share");
    if (!gpu || !gpu->level[0].bytes)
        return rows("the caches of the GPU that the kernel is compiled for are not known");
    return w->is_product ? product(w, gpu) : stencil(w, gpu);
}

void order_text(const order_plan *p, bool of_blocks, char *out, int size) {
    const char *things = of_blocks ? " blocks" : "", *zigzag = p->zigzag ? ", zigzag" : "";
    if (p->kind == ORDER_TILES)
        snprintf(out, (size_t)size, "tiles of %ux%u%s%s", p->width, p->height, things, zigzag);
    else if (p->kind == ORDER_COLUMNS)
        snprintf(out, (size_t)size, "columns of %u%s%s", p->width, things, zigzag);
    else
        snprintf(out, (size_t)size, "as it is");
}

bool order_read(const char *text, order_plan *out) {
    memset(out, 0, sizeof *out);
    if (sscanf(text, "tiles of %ux%u", &out->width, &out->height) == 2)
        out->kind = ORDER_TILES;
    else if (sscanf(text, "columns of %u", &out->width) == 1)
        out->kind = ORDER_COLUMNS;
    out->zigzag = strstr(text, "zigzag") != NULL;
    return out->kind != ORDER_ROWS;
}
