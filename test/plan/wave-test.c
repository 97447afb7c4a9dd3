/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Does every lane get the neighbour that it asks for? Tiles are filled with the coordinates of
 * their cells, distributed over the lanes' registers, and read back through friend lanes, registers
 * and cut-offs. Then the worked examples of GPU-UniCache, figure 7 and the slides.
 */
#include "plan/time/wave.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void fail(const wave_tile *t, const char *format, ...) {
    if (failures++ > 20)
        return;
    const wave_shape *s = &t->shape;
    printf("wave %dx%dx%d, pitch %d %d %d, offsets %d..%d %d..%d %d..%d: ", s->dims[0], s->dims[1],
           s->dims[2], s->pitch[0], s->pitch[1], s->pitch[2], s->least[0], s->most[0], s->least[1],
           s->most[1], s->least[2], s->most[2]);
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

/* Brute force */

enum { MAX_REGISTERS = 8192 };
typedef struct cell {
    int at[ST_MAX_RANK];
} cell;
static cell held[MAX_REGISTERS][WAVE_MAX_LANES];

/* As the lanes load it, walking over the tile. */
static void load(const wave_tile *t) {
    memset(held, -1, sizeof *held * (size_t)t->registers);
    int number = 0;
    for (int z = 0; z < t->extent[2]; z++)
        for (int y = 0; y < t->extent[1]; y++)
            for (int x = 0; x < t->extent[0]; x++, number++)
                held[number / t->lanes][number % t->lanes] = (cell){{x, y, z}};
}

static cell wanted(const wave_tile *t, int lane, const int offset[ST_MAX_RANK]) {
    const wave_shape *s = &t->shape;
    int own[] = {lane % s->dims[0], lane / s->dims[0] % s->dims[1], lane / s->dims[0] / s->dims[1]};
    cell c;
    for (int d = 0; d < ST_MAX_RANK; d++)
        c.at[d] = own[d] * s->pitch[d] + offset[d] - s->least[d];
    return c;
}

/* What the friend sends in one exchange, if it chooses. */
static int sent(const wave_fetch *f, int from) {
    return f->count == 1 || from >= f->source_cut ? f->registers[0] : f->registers[1];
}

static void check_fetch(const wave_tile *t, const int offset[ST_MAX_RANK]) {
    wave_fetch f;
    if (!wave_find(t, offset, &f)) {
        fail(t, "no way to the neighbour at %d %d %d", offset[0], offset[1], offset[2]);
        return;
    }
    bool asked[WAVE_MAX_LANES] = {false}, twice = false;
    for (int lane = 0; lane < t->lanes; lane++) {
        int from = wave_friend(t, &f, lane), reg = wave_register(&f, lane);
        cell want = wanted(t, lane, offset);
        twice |= asked[from], asked[from] = true;
        if (memcmp(&held[reg][from], &want, sizeof want))
            fail(t, "lane %d gets another cell for %d %d %d", lane, offset[0], offset[1],
                 offset[2]);
        if (f.source_cut >= 0 && sent(&f, from) != reg)
            fail(t, "lane %d is sent another cell for %d %d %d", lane, offset[0], offset[1],
                 offset[2]);
    }
    if (twice && f.source_cut >= 0)
        fail(t, "a lane with two readers is to send one value");
    if (t->lanes == t->shape.dims[0] && t->shape.pitch[0] == 1 && f.source_cut < 0)
        fail(t, "one exchange is enough along a row");
    for (int i = 1; i < f.count; i++)
        if (f.cuts[i] <= f.cuts[i - 1] || f.registers[i] <= f.registers[i - 1])
            fail(t, "cut-offs out of order");
}

static void check_shape(const wave_shape *s) {
    wave_tile t;
    if (!wave_distribute(s, &t) || t.registers > MAX_REGISTERS) {
        fail(&t, "refused");
        return;
    }
    load(&t);
    int o[ST_MAX_RANK];
    for (o[2] = s->least[2]; o[2] <= s->most[2]; o[2]++)
        for (o[1] = s->least[1]; o[1] <= s->most[1]; o[1]++)
            for (o[0] = s->least[0]; o[0] <= s->most[0]; o[0]++)
                check_fetch(&t, o);
    for (int d = 0; d < ST_MAX_RANK; d++)
        for (int side = 0; side < 2; side++) {
            int beyond[] = {s->least[0], s->least[1], s->least[2]};
            beyond[d] = side ? s->most[d] + 1 : s->least[d] - 1;
            wave_fetch f;
            if (wave_find(&t, beyond, &f))
                fail(&t, "a neighbour beyond the halo");
        }
}

static const int waves[][ST_MAX_RANK] = {
    {4, 1, 1}, {2, 2, 1}, {8, 1, 1},  {4, 2, 1},  {2, 2, 2},  {32, 1, 1}, {16, 2, 1}, {8, 4, 1},
    {4, 8, 1}, {4, 4, 2}, {2, 4, 4},  {8, 2, 2},  {64, 1, 1}, {32, 2, 1}, {16, 4, 1}, {8, 8, 1},
    {4, 4, 4}, {8, 4, 2}, {1, 32, 1}, {1, 1, 64}, {6, 4, 1},  {5, 3, 2},  {7, 9, 1},  {3, 1, 1}};
enum { WAVES = sizeof waves / sizeof *waves };

/* Several cells a lane: those of a lane together, or copies of the wave one after the other. */
static void set_cells(wave_shape *s, int d, int count, bool together, int low, int high) {
    s->pitch[d] = together ? count : 1;
    s->least[d] = -low;
    s->most[d] = (count - 1) * (together ? 1 : s->dims[d]) + high;
}

static void check_halos(const int dims[ST_MAX_RANK]) {
    for (int low = 0; low <= 4; low++)
        for (int high = 0; high <= 4; high += 2)
            for (int along = 0; along < ST_MAX_RANK; along++)
                for (int count = 1; count <= 4; count++)
                    for (int together = 0; together < 2; together++) {
                        wave_shape s;
                        for (int d = 0; d < ST_MAX_RANK; d++) {
                            s.dims[d] = dims[d];
                            bool flat = d == 2 && dims[2] == 1;
                            set_cells(&s, d, d == along ? count : 1, together,
                                      flat ? 0 : (low + d) % 5, flat ? 0 : (high + 2 * d) % 5);
                        }
                        check_shape(&s);
                    }
}

static void check_random(int tries) {
    srand(1);
    for (int i = 0; i < tries; i++) {
        wave_shape s;
        for (int d = 0; d < ST_MAX_RANK; d++) {
            s.dims[d] = waves[i % WAVES][d];
            set_cells(&s, d, 1 + (rand() % 4 == 0 ? rand() % 3 : 0), rand() % 2, rand() % 9,
                      rand() % 9);
            if (rand() % 8 == 0) /* neighbours on one side only */
                s.least[d] = rand() % (s.most[d] + 1);
        }
        check_shape(&s);
    }
}

/* Worked examples */

typedef struct example {
    const char *from;
    int dims[2], rows; /* of lanes; cells a lane, along y */
    int offset[2], copy;
    int friend, per_row, registers[2], count, cut; /* as printed */
} example;

static const example examples[] = {
    {"figure 7: NE", {4, 2}, 1, {1, -1}, 0, 2, 2, {0, 1}, 2, 4},
    {"slides, 4x1 with 3 cells a lane: NW of the first", {4, 1}, 3, {-1, -1}, 0, 0, 2, {0}, 1, 0},
    {"slides, 4x1: SE of the last", {4, 1}, 3, {1, 1}, 2, 2, 2, {6, 7}, 2, 2},
    {"slides, 2x2 with 3 cells a lane: NW of the first",
     {2, 2},
     3,
     {-1, -1},
     0,
     0,
     2,
     {0, 1},
     2,
     2},
    {"slides, 2x2: SE of the last", {2, 2}, 3, {1, 1}, 2, 2, 2, {6, 7}, 2, 2},
};

static void check_example(const example *e) {
    wave_shape s = {.dims = {e->dims[0], e->dims[1], 1}, .pitch = {1, 1, 1}};
    set_cells(&s, 0, 1, false, 1, 1);
    set_cells(&s, 1, e->rows, false, 1, 1);
    wave_tile t;
    wave_fetch f;
    int offset[] = {e->offset[0], e->offset[1] + e->copy * e->dims[1], 0};
    if (!wave_distribute(&s, &t) || !wave_find(&t, offset, &f)) {
        fail(&t, "%s: refused", e->from);
        return;
    }
    if (f.friend != e->friend || f.count != e->count || f.registers[0] != e->registers[0])
        fail(&t, "%s: friend %d, %d registers from %d", e->from, f.friend, f.count, f.registers[0]);
    if (e->count == 2 && (f.registers[1] != e->registers[1] || f.cuts[1] != e->cut))
        fail(&t, "%s: register %d from lane %d on", e->from, f.registers[1], f.cuts[1]);
    for (int lane = 0; lane < t.lanes; lane++) {
        int printed = (lane + e->friend + lane / e->dims[0] * e->per_row) & (t.lanes - 1);
        if (wave_friend(&t, &f, lane) != printed)
            fail(&t, "%s: friend of lane %d", e->from, lane);
    }
}

/* Section 5.2 counts what waves load: 66 x 3 cells, and 8 x 8 with its halo (10 x 10; it is printed
 * as 9 x 9). */
static void check_loaded(int x, int y, int cells, int registers) {
    wave_shape s = {{x, y, 1}, {1, 1, 1}, {-1, -1, 0}, {1, 1, 0}};
    wave_tile t;
    if (!wave_distribute(&s, &t) || t.cells != cells || t.registers != registers)
        fail(&t, "%d cells in %d registers", t.cells, t.registers);
}

int main(void) {
    for (int i = 0; i < WAVES; i++)
        check_halos(waves[i]);
    check_random(1500);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        check_example(&examples[i]);
    check_loaded(4, 2, 24, 3); /* figure 7 */
    check_loaded(64, 1, 198, 4);
    check_loaded(8, 8, 100, 2);
    printf("%d failures\n", failures);
    return failures != 0;
}
