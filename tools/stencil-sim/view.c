/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sends accesses through the simulated caches and prints what hit and missed.
 */
#include "view.h"

#include "cache.h"
#include "order.h"
#include "plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32, MOST_SECTORS = 32 }; /* bytes; in a line */

typedef struct counts {
    uint64_t accesses, hits, misses, fetched;
    uint64_t asked, brought; /* sectors of the L1 that loads asked for, and those that it lacked */
} counts;

/* The part of one line that a request touches. */
typedef struct piece {
    uint64_t line, low, high; /* bytes from `low`, before `high` */
    uint32_t sectors;         /* a bit each */
    uint32_t buffer;
    uint8_t kind;
} piece;

typedef struct view {
    const view_options *options;
    const trace *trace;
    uint32_t nsms;
    cache *l1, l2; /* one L1 for each SM */
    counts *counts[2];
    piece *pieces;
    size_t npieces, room;
    plot *plot;     /* NULL: none is drawn */
    uint64_t times; /* on the plot's axis */
    bool no_memory;
} view;

static const caches_level *level_of(const view *v, int level) {
    return &v->options->spec.gpu.level[level];
}

static void draw(const view *v, int level, uint32_t sm, uint64_t line, plot_mark mark) {
    if (v->plot && level == v->options->level && sm == 0)
        plot_line(v->plot, line, mark);
}

/* Looks for a line; one that is missing is brought in where `bring`, fetched where `fetch` too. */
static bool look_up(view *v, int level, uint32_t sm, uint64_t line, uint32_t buffer, bool bring,
                    bool fetch) {
    cache *c = level ? &v->l2 : &v->l1[sm];
    counts *n = &v->counts[level][buffer];
    bool hit = cache_touch(c, line);
    ++n->accesses;
    ++*(hit ? &n->hits : &n->misses);
    if (hit || bring)
        draw(v, level, level ? 0 : sm, line, hit ? PLOT_HIT : PLOT_FETCHED);
    if (hit || !bring)
        return hit;
    n->fetched += fetch;
    cache_bring(c, line);
    return false;
}

static void serve_l2(view *v, const piece *p) {
    uint32_t size = level_of(v, 1)->line;
    if (!size)
        return;
    for (uint64_t line = p->low / size; line * size < p->high; ++line)
        look_up(v, 1, 0, line, p->buffer, true, p->kind != STENCILSIM_STORE);
}

static uint32_t count_bits(uint32_t bits) {
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        ++count;
    return count;
}

/* An L1 may fetch the sectors that are asked for, not whole lines. */
static void count_sectors(view *v, uint32_t sm, const piece *p) {
    uint32_t *here = cache_parts(&v->l1[sm], p->line);
    counts *n = &v->counts[0][p->buffer];
    n->asked += count_bits(p->sectors);
    n->brought += count_bits(p->sectors & ~*here);
    *here |= p->sectors;
}

static void serve_piece(view *v, uint32_t sm, const piece *p) {
    uint32_t size = level_of(v, 0)->line;
    if (!size || p->kind == STENCILSIM_ATOMIC) {
        serve_l2(v, p);
        return;
    }
    bool load = p->kind == STENCILSIM_LOAD;
    bool hit = look_up(v, 0, sm, p->line, p->buffer, load, load);
    if (load)
        count_sectors(v, sm, p);
    if (hit && load)
        return;
    piece whole = *p;
    if (load)
        whole.low = p->line * size, whole.high = whole.low + size;
    serve_l2(v, &whole);
}

static piece *piece_of_line(view *v, uint64_t line) {
    for (size_t i = 0; i < v->npieces; ++i)
        if (v->pieces[i].line == line)
            return &v->pieces[i];
    if (v->npieces == v->room) {
        size_t room = v->room ? 2 * v->room : 256;
        piece *grown = realloc(v->pieces, room * sizeof *grown);
        if (!grown)
            return NULL;
        v->pieces = grown;
        v->room = room;
    }
    v->pieces[v->npieces] = (piece){.line = line, .low = UINT64_MAX};
    return &v->pieces[v->npieces++];
}

/* Those of a line that have bytes from `low`, before `high`. */
static uint32_t sectors_of(uint64_t low, uint64_t high, uint32_t size) {
    uint32_t bits = 0;
    for (uint64_t s = low / SECTOR; s * SECTOR < high; ++s)
        bits |= 1u << (size > SECTOR ? s % (size / SECTOR) % MOST_SECTORS : 0);
    return bits;
}

/* Accesses of a request to one line are one access of the cache. */
static void add_pieces(view *v, const trace_access *a) {
    uint32_t size = level_of(v, 0)->line ? level_of(v, 0)->line : level_of(v, 1)->line;
    uint64_t low = a->address, end = a->address + a->bytes;
    while (low < end) {
        uint64_t line = low / size, high = (line + 1) * size < end ? (line + 1) * size : end;
        piece *p = piece_of_line(v, line);
        if (!p) {
            v->no_memory = true;
            return;
        }
        p->low = p->low < low ? p->low : low;
        p->high = p->high > high ? p->high : high;
        p->sectors |= sectors_of(low, high, size);
        p->buffer = a->buffer;
        p->kind = a->kind;
        low = high;
    }
}

static const cache *plotted_cache(const view *v) {
    return v->options->level ? &v->l2 : v->l1;
}

static void serve(void *context, const order_request *request) {
    view *v = context;
    bool first_sm = v->options->level == 0;
    if (!first_sm || request->sm == 0) {
        uint64_t time = first_sm ? request->sm_time : request->time;
        v->times = time + 1;
        if (v->plot)
            plot_advance(v->plot, plotted_cache(v), time);
    }
    v->npieces = 0;
    for (uint32_t i = 0; i < request->naccesses; ++i)
        add_pieces(v, request->accesses[i]);
    for (size_t i = 0; i < v->npieces; ++i)
        serve_piece(v, request->sm, &v->pieces[i]);
}

static bool view_init(view *v, const view_options *o, const trace *t, plot *p) {
    *v = (view){.options = o, .trace = t, .plot = p};
    v->nsms = o->warps ? o->spec.gpu.processors : 1;
    v->l1 = calloc(v->nsms, sizeof *v->l1);
    bool ok = v->l1 != NULL;
    for (int level = 0; level < 2; ++level) {
        v->counts[level] = calloc(t->nbuffers + 1, sizeof *v->counts[level]);
        ok = ok && v->counts[level];
    }
    for (uint32_t sm = 0; ok && level_of(v, 0)->bytes && sm < v->nsms; ++sm)
        ok = cache_init(&v->l1[sm], level_of(v, 0));
    return ok && (!level_of(v, 1)->bytes || cache_init(&v->l2, level_of(v, 1)));
}

static void view_free(view *v) {
    for (uint32_t sm = 0; v->l1 && sm < v->nsms; ++sm)
        cache_free(&v->l1[sm]);
    cache_free(&v->l2);
    free(v->l1);
    free(v->counts[0]);
    free(v->counts[1]);
    free(v->pieces);
}

static bool simulate(view *v) {
    const view_options *o = v->options;
    const trace *t = v->trace;
    if (o->warps) {
        uint32_t resident = machine_spec_resident(&o->spec, t->block_threads, o->wave);
        if (!order_warps(t, o->wave, v->nsms, resident, serve, v))
            return false;
    } else {
        order_threads(t, serve, v);
        v->times = t->nthreads;
    }
    if (v->plot)
        plot_advance(v->plot, plotted_cache(v), v->plot->ncolumns * v->plot->per_column);
    return !v->no_memory;
}

static void describe_level(const caches_level *l, int level, char *text, size_t size) {
    char ways[64] = "fully associative";
    if (l->ways)
        snprintf(ways, sizeof ways, "%u ways, %" PRIu64 " sets", l->ways,
                 l->bytes / l->line / l->ways);
    snprintf(text, size, "L%d: %" PRIu64 " lines of %u bytes, %s, LRU", level + 1,
             l->bytes / l->line, l->line, ways);
}

static void print_row(int level, const char *name, const counts *n) {
    printf("L%-5d %-24s %14" PRIu64 " %14" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n", level + 1, name,
           n->accesses, n->hits, n->misses, n->fetched);
}

static void print_sectors(const view *v) {
    counts all = {0};
    printf("%-31s %14s %14s\n", "sectors of 32 bytes, of the L1", "asked for", "fetched");
    for (uint32_t b = 0; b < v->trace->nbuffers; ++b) {
        const counts *n = &v->counts[0][b];
        if (n->asked)
            printf("sectors %-23s %14" PRIu64 " %14" PRIu64 "\n", v->trace->buffers[b].label,
                   n->asked, n->brought);
        all.asked += n->asked, all.brought += n->brought;
    }
    printf("sectors %-23s %14" PRIu64 " %14" PRIu64 "\n", "all", all.asked, all.brought);
}

static void print_table(const view *v) {
    const view_options *o = v->options;
    for (int level = 0; level < 2; ++level) {
        char text[160];
        if (!level_of(v, level)->bytes)
            continue;
        describe_level(level_of(v, level), level, text, sizeof text);
        puts(text);
    }
    if (o->warps)
        printf("order: warps, of up to %u blocks on each of %u SMs\n",
               machine_spec_resident(&o->spec, v->trace->block_threads, o->wave), v->nsms);
    else
        puts("order: threads, one after the other");
    printf("%-6s %-24s %14s %14s %14s %14s\n", "cache", "buffer", "accesses", "hits", "misses",
           "lines fetched");
    for (int level = 0; level < 2; ++level) {
        counts all = {0};
        for (uint32_t b = 0; b < v->trace->nbuffers; ++b) {
            const counts *n = &v->counts[level][b];
            if (n->accesses)
                print_row(level, v->trace->buffers[b].label, n);
            all.accesses += n->accesses, all.hits += n->hits;
            all.misses += n->misses, all.fetched += n->fetched;
        }
        if (level_of(v, level)->bytes)
            print_row(level, "all", &all);
    }
    if (level_of(v, 0)->bytes)
        print_sectors(v);
}

static int out_of_memory(char *error, size_t size) {
    return snprintf(error, size, "out of memory for the cache view"), 1;
}

static int write_plot(const view_options *o, const plot *p, char *error, size_t error_size) {
    char text[160], title[400];
    describe_level(&o->spec.gpu.level[o->level], o->level, text, sizeof text);
    const char *where = o->warps && o->level == 0 ? ", SM 0" : "";
    snprintf(title, sizeof title, "%s%s, %s", o->kernel, where, text);
    int code = plot_write(p, o->plot, title,
                          o->warps ? "instructions of warps that access memory, in their order"
                                   : "threads, in their order");
    if (code)
        snprintf(error, error_size, "cannot write '%s': %s", o->plot, strerror(code));
    return code;
}

/* A second run draws: only then is it known how long time is. */
static int draw_plot(const view_options *o, const trace *t, uint64_t times, char *error,
                     size_t error_size) {
    plot p;
    view v;
    bool ok = plot_init(&p, t, o->spec.gpu.level[o->level].line, times);
    ok = view_init(&v, o, t, &p) && ok && simulate(&v);
    int status = ok ? write_plot(o, &p, error, error_size) : out_of_memory(error, error_size);
    view_free(&v);
    plot_free(&p);
    return status;
}

int view_show(const view_options *o, const trace *t, char *error, size_t error_size) {
    view v;
    int status = 0;
    if (view_init(&v, o, t, NULL) && simulate(&v))
        print_table(&v);
    else
        status = out_of_memory(error, error_size);
    if (!status && o->plot)
        status = draw_plot(o, t, v.times, error, error_size);
    view_free(&v);
    return status;
}
