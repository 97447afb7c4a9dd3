/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows found through tables: of one block, in any order, each at a place of its own; and tables of
 * which the runtime has to say no. A star from one table to another.
 */
#include "parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 20, HEIGHT = 10, PITCH = WIDTH + 2, ROWS = HEIGHT + 2, CELLS = 2 * ROWS * PITCH };

typedef struct setting {
    float cells[2 * CELLS], want[2 * CELLS];
    float *in[ROWS], *out[ROWS];
    stencilrt_table entries[3];
    const void *kept[1];
    stencilrt_tables tables;
} setting;

/* `n` pointers to rows from number `from` on, of image `image`. */
#define ROWS_OF(table, image, from, n)                                                             \
    {                                                                                              \
        .pointers = table, .number = image, .step = {8, 8}, .first = {0, from}, .count = { 1, n }  \
    }

static void *image(int table, int row) {
    int64_t at = STENCILRT_IMAGE + table * STENCILRT_TABLE + row * STENCILRT_ROW;
    return (void *)(uintptr_t)(at + (int64_t)sizeof(float));
}

/* Rows of one block each, `distance` cells apart. */
static void begin(setting *s, int distance) {
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 2 * CELLS; i++)
        s->cells[i] = (float)(i * i % 37);
    for (int i = 0; i < ROWS; i++) {
        s->in[i] = s->cells + i * distance;
        s->out[i] = s->cells + CELLS + i * distance;
    }
    s->entries[0] = (stencilrt_table)ROWS_OF(s->in, 0, 0, ROWS);
    s->entries[1] = (stencilrt_table)ROWS_OF(s->out, 1, 1, HEIGHT);
    s->tables = (stencilrt_tables){.count = 2, .at = s->entries, .kept = s->kept};
}

static void reference(setting *s, float c) {
    memcpy(s->want, s->cells, sizeof s->want);
    for (int i = 1; i <= HEIGHT; i++)
        for (int j = 1; j <= WIDTH; j++)
            s->want[s->out[i] - s->cells + j] =
                c * (s->in[i][j - 1] + s->in[i][j + 1] + s->in[i - 1][j] + s->in[i + 1][j] +
                     s->in[i][j]) +
                7.0f;
}

/* Does it run, or not, as it must; and are the cells right for that? */
static bool runs(setting *s, int must_run) {
    float c = 0.25f;
    void *origins[] = {image(0, 1), image(1, 1)};
    int64_t strides[] = {4, STENCILRT_ROW, 0};
    uint64_t scalars[] = {0, 7, 1};
    memcpy(scalars, &c, sizeof c);
    stencilrt_call call = {.steps = 1,
                           .extent = {WIDTH, HEIGHT, 1},
                           .origins = origins,
                           .strides = strides,
                           .scalars = scalars,
                           .tables = &s->tables};
    reference(s, c);
    if (!must_run)
        memcpy(s->want, s->cells, sizeof s->want);
    int ran = rt_run_alone(rt_region("star"), &call);
    return CHECK(ran == must_run) && CHECK(!memcmp(s->cells, s->want, sizeof s->cells));
}

static void exchange(float **a, float **b) {
    float *c = *a;
    *a = *b;
    *b = c;
}

static bool takes(setting *s) {
    begin(s, PITCH);
    bool ok = CHECK(runs(s, 1));
    begin(s, 2 * PITCH); /* the rows of the tables between one another */
    for (int i = 0; i < ROWS; i++)
        s->out[i] = s->in[i] + PITCH;
    ok = CHECK(runs(s, 1)) && ok;
    begin(s, PITCH); /* each table in its own distance */
    for (int i = 0; i < ROWS; i++)
        s->out[i] = s->cells + CELLS + i * (PITCH + 3);
    ok = CHECK(runs(s, 1)) && ok;
    begin(s, PITCH); /* in another order */
    exchange(&s->in[3], &s->in[7]);
    exchange(&s->out[2], &s->out[9]);
    ok = CHECK(runs(s, 1)) && ok;
    begin(s, PITCH); /* backwards */
    for (int i = 0; i < ROWS / 2; i++)
        exchange(&s->out[i], &s->out[ROWS - 1 - i]);
    ok = CHECK(runs(s, 1)) && ok;
    begin(s, PITCH); /* what is only read may be read twice */
    s->in[5] = s->in[4];
    ok = CHECK(runs(s, 1)) && ok;
    begin(s, PITCH); /* a pointer that is read only under a condition, and in any case, too */
    s->entries[2] = (stencilrt_table)ROWS_OF(s->out, 1, 2, 3);
    s->entries[2].unsure = 1;
    s->tables.count = 3;
    return CHECK(runs(s, 1)) && ok;
}

static bool declines(setting *s) {
    begin(s, PITCH); /* two rows that are written are one */
    s->out[5] = s->out[4];
    bool ok = CHECK(runs(s, 0));
    for (int i = 0; i < ROWS; i++) /* or all are */
        s->out[i] = s->out[0];
    ok = CHECK(runs(s, 0)) && ok;
    begin(s, PITCH); /* or meet by a cell */
    s->out[5] = s->out[4] + WIDTH - 1;
    ok = CHECK(runs(s, 0)) && ok;
    begin(s, PITCH); /* a row is written that is read */
    s->out[5] = s->in[8];
    ok = CHECK(runs(s, 0)) && ok;
    begin(s, PITCH); /* a table is part of a row that is written */
    void *inside = &s->out[4][2 + (uintptr_t)&s->out[4][2] / 4 % 2];
    memcpy(inside, s->in, 4 * sizeof *s->in);
    s->entries[0] = (stencilrt_table)ROWS_OF(inside, 0, 0, 4);
    s->entries[2] = (stencilrt_table)ROWS_OF(s->in, 0, 4, ROWS - 4);
    s->tables.count = 3;
    ok = CHECK(runs(s, 0)) && ok;
    begin(s, PITCH); /* and so is something else that the loops read */
    s->kept[0] = &s->out[4][5];
    s->tables.nkept = 1;
    ok = CHECK(runs(s, 0)) && ok;
    exchange(&s->out[2], &s->out[9]);
    ok = CHECK(runs(s, 0)) && ok;
    begin(s, PITCH); /* a pointer that is read only under a condition */
    s->entries[2] = (stencilrt_table)ROWS_OF(s->out, 1, 0, 1);
    s->entries[2].unsure = 1;
    s->tables.count = 3;
    ok = CHECK(runs(s, 0)) && ok;
    begin(s, PITCH); /* no table of that number can be */
    s->entries[1].number = STENCILRT_MAX_TABLES;
    return CHECK(runs(s, 0)) && ok;
}

bool test_tables(int count) {
    setting *s = malloc(sizeof *s);
    (void)count;
    bool ok = CHECK(takes(s));
    ok = CHECK(declines(s)) && ok;
    free(s);
    return ok;
}
