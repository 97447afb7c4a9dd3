/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What follows from a time step: versions, lags, rows kept, halos. The numbers are those of
 * kernels written by hand, or counted on paper.
 */
#include "step-programs.h"

#include <string.h>

static int failures;

static void expect(const char *name, const char *what, int found, int wanted) {
    if (found == wanted)
        return;
    printf("%s: %s is %d, not %d\n", name, what, found, wanted);
    failures++;
}

static const program_maker *find(const char *name) {
    for (size_t i = 0; i < nprograms; i++)
        if (!strcmp(programs[i].name, name))
            return &programs[i];
    return NULL;
}

/* Rows that a level keeps, of all versions. */
static int kept(const st_dependences *d) {
    int rows = 0;
    for (size_t v = 0; v < d->nversions; v++)
        rows += d->versions[v].oldest;
    return rows;
}

typedef struct wanted {
    const char *name;
    int versions, lag, rows; /* rows of all arrays, kept from one row of the stream to the next */
    int step[2][2];          /* halo of one step: x, y */
    int eight[2][2];         /* of eight */
} wanted;

static const wanted table[] = {
    /* one cell a side and step, though ex reads to the left and hz to the right of it */
    {"fdtd", 7, 1, 3, {{1, 1}, {1, 1}}, {{8, 8}, {8, 8}}},
    {"gray-scott", 4, 1, 4, {{1, 1}, {1, 1}}, {{8, 8}, {8, 8}}},
    /* two cells to either side, of a along x and then of b along y: a itself is not kept */
    {"smoothing", 4, 2, 4, {{2, 2}, {2, 2}}, {{16, 16}, {16, 16}}},
    /* one cell a side and step, and once the cell beside a wall */
    {"shallow-water", 11, 2, 6, {{2, 2}, {2, 2}}, {{9, 9}, {9, 9}}},
    {"upwind", 4, 0, 3, {{3, 0}, {3, 0}}, {{24, 0}, {24, 0}}},
    /* the array that is scaled at the end is made a row late: else it were kept for one more */
    {"late", 5, 1, 2, {{0, 1}, {0, 1}}, {{0, 8}, {0, 8}}},
    /* both arrays leave a step at its lag; the newer one is the older one of the next */
    {"wave", 5, 1, 3, {{1, 1}, {1, 1}}, {{8, 8}, {8, 8}}},
    {"wave3", 5, 1, 3, {{1, 1}, {1, 1}}, {{8, 8}, {8, 8}}},
};

static void check(const wanted *w) {
    program p = find(w->name)->make(ST_F32);
    st_dependences d;
    int32_t eight[ST_MAX_RANK][2];
    expect(w->name, "can be taken whole", st_step_why_not_whole(p.step) == NULL, 1);
    expect(w->name, "has few versions", st_step_dependences(p.step, 1, &d), 1);
    st_step_halo(p.step, &d, 8, eight);
    expect(w->name, "the number of versions", (int)d.nversions, w->versions);
    expect(w->name, "the lag", d.lag, w->lag);
    expect(w->name, "the number of rows kept", kept(&d), w->rows);
    for (int k = 0; k < 2; k++)
        for (int high = 0; high < 2; high++) {
            expect(w->name, "the halo of a step", d.halo[k][high], w->step[k][high]);
            expect(w->name, "the halo of eight", eight[k][high], w->eight[k][high]);
        }
    program_free(&p);
}

/* A version is read by the sweeps after the one that makes it, of swapped arrays the first one by
 * all. */
static void check_versions(void) {
    program p = find("fdtd")->make(ST_F32);
    st_dependences d;
    st_step_dependences(p.step, 1, &d);
    const st_version *hz = &d.versions[st_step_version_read(p.step, &d, 2, 1)];
    expect("fdtd", "the sweep that made the hz that ex reads", hz->sweep, -1);
    expect("fdtd", "the version of ey before the second one",
           d.versions[st_step_version_made(&d, 1, 0)].before, st_step_version_made(&d, 0, 0));
    expect("fdtd", "the lag of hz", d.versions[st_step_version_made(&d, 3, 0)].lag, 1);
    program_free(&p);
    p = find("integers")->make(ST_I32);
    st_step_dependences(p.step, 1, &d);
    /* the second sweep reads a at level 1, which the first one made, and at level 0 */
    for (int32_t i = 0; i < 2; i++) {
        bool made = p.step->sweeps[1].stencil->accesses[i].level == 1;
        expect("integers", "the version read", st_step_version_read(p.step, &d, 1, i),
               made ? st_step_version_made(&d, 0, 0) : 1);
    }
    program_free(&p);
}

/* Steps that no kernel makes. */
static void check_refused(void) {
    program p = find("gray-scott")->make(ST_F32);
    p.stencils[0]->accesses[0].level = 1;
    expect("gray-scott", "refused for a read of the buffer written",
           st_step_why_not_whole(p.step) != NULL, 1);
    p.stencils[0]->accesses[0].level = 0;
    p.stencils[0]->every = 3;
    expect("gray-scott", "refused for a sweep of every third step",
           st_step_why_not_whole(p.step) != NULL, 1);
    program_free(&p);
    p = find("shallow-water")->make(ST_F32);
    expect("shallow-water", "the least extent", least_extent(p.step, 0), 2);
    program_free(&p);
}

int main(void) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        check(&table[i]);
    check_versions();
    check_refused();
    printf("%d failed\n", failures);
    return failures != 0;
}
