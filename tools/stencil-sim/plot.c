/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Draws the spatial-temporal diagram.
 */
#include "plot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 2048, MOST_ROWS = 1024 };
/* Of the drawing, in pixels. */
enum { LEFT = 120, TOP = 64, WIDTH = 960, HEIGHT = 480, RIGHT = 24, BOTTOM = 56, TICKS = 8 };

static uint64_t ceil_div(uint64_t n, uint64_t d) {
    return (n + d - 1) / d;
}

static uint64_t lines_of(const plot *p, uint32_t buffer) {
    return ceil_div(p->trace->buffers[buffer].bytes, p->line);
}

bool plot_init(plot *p, const trace *t, uint32_t line, uint64_t times) {
    *p = (plot){.trace = t, .line = line};
    uint64_t lines = 0;
    for (uint32_t b = 0; b < t->nbuffers; ++b)
        lines += lines_of(p, b);
    p->per_row = lines ? ceil_div(lines, MOST_ROWS) : 1;
    p->per_column = times ? ceil_div(times, MOST_COLUMNS) : 1;
    p->ncolumns = ceil_div(times, p->per_column);
    p->first_row = calloc(t->nbuffers + 1, sizeof *p->first_row);
    for (uint32_t b = 0; p->first_row && b < t->nbuffers; ++b) {
        p->first_row[b] = p->nrows;
        p->nrows += ceil_div(lines_of(p, b), p->per_row);
    }
    if (p->first_row)
        p->first_row[t->nbuffers] = p->nrows;
    p->cells = calloc(p->nrows * p->ncolumns + 1, 1);
    return p->first_row && p->cells;
}

void plot_free(plot *p) {
    free(p->first_row);
    free(p->cells);
}

void plot_line(plot *p, uint64_t line, plot_mark mark) {
    uint64_t address = line * p->line;
    uint32_t b = 0;
    while (b + 1 < p->trace->nbuffers && p->trace->buffers[b + 1].start <= address)
        ++b;
    uint64_t row = p->first_row[b] + (address - p->trace->buffers[b].start) / p->line / p->per_row;
    unsigned char *cell = &p->cells[row * p->ncolumns + p->column];
    if (p->column < p->ncolumns && row < p->nrows && *cell < mark)
        *cell = (unsigned char)mark;
}

static void mark_resident(void *context, uint64_t line) {
    plot_line(context, line, PLOT_RESIDENT);
}

void plot_advance(plot *p, const cache *c, uint64_t time) {
    for (; p->column < time / p->per_column && p->column < p->ncolumns; ++p->column)
        cache_each(c, mark_resident, p);
}

/* Rows of the plot that a buffer has in the drawing, the first one being at `top` there. */
typedef struct part {
    uint64_t first, end, top;
} part;

/* The drawing has what is used: of each buffer the rows from the first mark to the last one, one
 * buffer below the other, and the columns up to the last mark. */
typedef struct drawing {
    const plot *plot;
    FILE *file;
    const char *time_unit;
    part *parts; /* of each buffer */
    uint64_t nrows, ncolumns;
} drawing;

/* Columns up to the row's last mark. */
static uint64_t used_columns(const plot *p, uint64_t row) {
    uint64_t n = p->ncolumns;
    while (n && !p->cells[row * p->ncolumns + n - 1])
        --n;
    return n;
}

static void crop(drawing *d, uint32_t buffer) {
    const plot *p = d->plot;
    part *own = &d->parts[buffer];
    for (uint64_t r = p->first_row[buffer]; r < p->first_row[buffer + 1]; ++r) {
        uint64_t columns = used_columns(p, r);
        if (!columns)
            continue;
        own->first = own->end ? own->first : r;
        own->end = r + 1;
        d->ncolumns = columns > d->ncolumns ? columns : d->ncolumns;
    }
    own->top = d->nrows;
    d->nrows += own->end - own->first;
}

static bool lay_out(drawing *d) {
    uint32_t n = d->plot->trace->nbuffers;
    d->parts = calloc(n + 1, sizeof *d->parts);
    for (uint32_t b = 0; d->parts && b < n; ++b)
        crop(d, b);
    return d->parts != NULL;
}

static double x_scale(const drawing *d) {
    return (double)WIDTH / (double)(d->ncolumns ? d->ncolumns : 1);
}

static double y_scale(const drawing *d) {
    return (double)HEIGHT / (double)(d->nrows ? d->nrows : 1);
}

/* A row's cells of one kind; neighbours in time share a rectangle. */
static void draw_row(const drawing *d, const unsigned char *cells, uint64_t y, plot_mark mark) {
    uint64_t n = d->ncolumns;
    for (uint64_t x = 0, end; x < n; x = end + 1) {
        for (end = x; end < n && cells[end] == mark; ++end)
            ;
        if (end > x)
            fprintf(d->file,
                    "<rect x=\"%" PRIu64 "\" y=\"%" PRIu64 "\" width=\"%" PRIu64
                    "\" height=\"1\"/>\n",
                    x, y, end - x);
    }
}

static const struct {
    plot_mark mark;
    const char *name, *colour, *meaning;
} kinds[] = {{PLOT_RESIDENT, "resident", "#c6d8ea", "resident: in the cache, not accessed"},
             {PLOT_HIT, "hit", "#2b6cb0", "hit: accessed, in the cache"},
             {PLOT_FETCHED, "fetched", "#d9480f", "fetched: brought into the cache"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void draw_cells(const drawing *d) {
    const plot *p = d->plot;
    fprintf(d->file,
            "<g transform=\"translate(%d %d) scale(%.6g %.6g)\" "
            "shape-rendering=\"crispEdges\">\n",
            LEFT, TOP, x_scale(d), y_scale(d));
    for (int k = 0; k < KINDS; ++k) {
        fprintf(d->file, "<g class=\"%s\" fill=\"%s\">\n", kinds[k].name, kinds[k].colour);
        for (uint32_t b = 0; b < p->trace->nbuffers; ++b)
            for (uint64_t r = d->parts[b].first; r < d->parts[b].end; ++r)
                draw_row(d, p->cells + r * p->ncolumns, d->parts[b].top + r - d->parts[b].first,
                         kinds[k].mark);
        fputs("</g>\n", d->file);
    }
    fputs("</g>\n", d->file);
}

static void put_text(const drawing *d, double x, double y, const char *attributes,
                     const char *text) {
    fprintf(d->file, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
    for (; *text; ++text)
        switch (*text) {
        case '<':
            fputs("&lt;", d->file);
            break;
        case '>':
            fputs("&gt;", d->file);
            break;
        case '&':
            fputs("&amp;", d->file);
            break;
        default:
            fputc((unsigned char)*text < ' ' ? ' ' : *text, d->file);
        }
    fputs("</text>\n", d->file);
}

static void draw_tick(const drawing *d, double x, double y, double dx, double dy) {
    fprintf(d->file, "<path d=\"M%.1f %.1fl%.1f %.1f\" stroke=\"#444\"/>\n", x, y, dx, dy);
}

/* 1, 2, 4, 8, ...: sizes of blocks and grids are mostly powers of two. */
static uint64_t tick_step(uint64_t extent, uint64_t most) {
    uint64_t step = 1;
    while (extent / step > most)
        step *= 2;
    return step;
}

static void draw_time_axis(const drawing *d) {
    uint64_t times = d->ncolumns * d->plot->per_column, step = tick_step(times, TICKS);
    for (uint64_t t = 0; t <= times; t += step) {
        char text[32];
        double x = LEFT + (double)t * WIDTH / (double)(times ? times : 1);
        snprintf(text, sizeof text, "%" PRIu64, t);
        draw_tick(d, x, TOP + HEIGHT, 0, 5);
        put_text(d, x, TOP + HEIGHT + 18, " text-anchor=\"middle\"", text);
    }
    char label[128];
    snprintf(label, sizeof label, "time (%s)", d->time_unit);
    put_text(d, LEFT + WIDTH / 2, TOP + HEIGHT + 40, " text-anchor=\"middle\"", label);
}

static void draw_address_axis(const drawing *d, uint32_t buffer) {
    const plot *p = d->plot;
    const part *own = &d->parts[buffer];
    uint64_t rows = own->end - own->first, all = lines_of(p, buffer);
    uint64_t first = (own->first - p->first_row[buffer]) * p->per_row;
    uint64_t end = first + rows * p->per_row < all ? first + rows * p->per_row : all;
    uint64_t share = d->nrows ? TICKS * rows / d->nrows : 0;
    uint64_t step = tick_step(end - first, share ? share : 1);
    double top = TOP + (double)own->top * y_scale(d), row = y_scale(d) / (double)p->per_row;
    for (uint64_t line = ceil_div(first, step) * step; line < end; line += step) {
        char text[32];
        double y = top + (double)(line - first) * row;
        snprintf(text, sizeof text, "%" PRIu64, line);
        draw_tick(d, LEFT, y, -5, 0);
        put_text(d, LEFT - 8, y + 4, " text-anchor=\"end\"", text);
    }
    if (own->top)
        fprintf(d->file, "<path class=\"border\" d=\"M%d %.1fh%d\" stroke=\"#444\"/>\n", LEFT, top,
                WIDTH);
    char turned[96];
    double middle = top + (double)rows * y_scale(d) / 2;
    snprintf(turned, sizeof turned, " text-anchor=\"middle\" transform=\"rotate(-90 %d %.1f)\"",
             LEFT - 70, middle);
    put_text(d, LEFT - 70, middle, turned, p->trace->buffers[buffer].label);
}

static void draw_legend(const drawing *d) {
    for (int k = 0; k < KINDS; ++k) {
        int x = LEFT + 280 * k;
        fprintf(d->file, "<rect x=\"%d\" y=\"38\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x,
                kinds[k].colour);
        put_text(d, x + 18, 48, "", kinds[k].meaning);
    }
}

static void draw(const drawing *d, const char *title) {
    const plot *p = d->plot;
    int width = LEFT + WIDTH + RIGHT, height = TOP + HEIGHT + BOTTOM;
    fprintf(d->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<desc>A column: %" PRIu64 " %s. A row: %" PRIu64 " lines of %u bytes.</desc>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            width, height, width, height, p->per_column, d->time_unit, p->per_row, p->line, width,
            height);
    put_text(d, LEFT, 22, " font-size=\"14\"", title);
    draw_legend(d);
    draw_cells(d);
    fprintf(d->file,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444\"/>\n",
            LEFT, TOP, WIDTH, HEIGHT);
    draw_time_axis(d);
    for (uint32_t b = 0; b < p->trace->nbuffers; ++b)
        if (d->parts[b].end)
            draw_address_axis(d, b);
    char label[96], turned[96];
    snprintf(label, sizeof label, "address (lines of %u bytes)", p->line);
    snprintf(turned, sizeof turned, " text-anchor=\"middle\" transform=\"rotate(-90 20 %d)\"",
             TOP + HEIGHT / 2);
    put_text(d, 20, TOP + HEIGHT / 2, turned, label);
    fputs("</svg>\n", d->file);
}

int plot_write(const plot *p, const char *path, const char *title, const char *time_unit) {
    drawing d = {.plot = p, .time_unit = time_unit};
    int error = lay_out(&d) ? 0 : ENOMEM;
    d.file = error ? NULL : fopen(path, "w");
    if (d.file) {
        draw(&d, title);
        error = ferror(d.file) ? EIO : 0;
        if (fclose(d.file) && !error)
            error = errno;
    } else if (!error) {
        error = errno;
    }
    free(d.parts);
    return error;
}
