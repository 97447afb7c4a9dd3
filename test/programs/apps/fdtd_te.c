/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Electromagnetic waves in the plane, TE: ex, ey and hz on Yee's staggered grid, a source in one
 * cell, metal around. The clock is a number of seconds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct grid {
    size_t nx, ny;
    double *ex, *ey, *hz;
    double *ca, *cb; /* the material's coefficients */
} grid;

typedef struct source {
    size_t x, y;
    double frequency, *signal;
} source;

static double *zeros(size_t count) {
    double *a = calloc(count, sizeof *a);
    if (!a)
        abort();
    return a;
}

static void make_grid(grid *g, size_t ny, size_t nx) {
    size_t cells = nx * ny;
    g->nx = nx;
    g->ny = ny;
    g->ex = zeros(cells);
    g->ey = zeros(cells);
    g->hz = zeros(cells);
    g->ca = zeros(cells);
    g->cb = zeros(cells);
}

static void fill_material(grid *g) {
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; i < g->nx; i++) {
            double loss = i > g->nx * 2 / 3 ? 0.02 : 0.0;
            double permittivity = j > g->ny / 2 ? 2.0 : 1.0;
            g->ca[j * g->nx + i] = (1.0 - loss) / (1.0 + loss);
            g->cb[j * g->nx + i] = 0.5 / (permittivity * (1.0 + loss));
        }
}

static source make_source(const grid *g, int steps, double dt) {
    source s = {g->nx / 3, g->ny / 2, 0.05, zeros((size_t)steps + 1)};
    double now = 0.0;
    for (int t = 0; t < steps; t++) {
        s.signal[t] = sin(6.283185307179586 * s.frequency * now);
        now += dt;
    }
    return s;
}

static void update_e(grid *g) {
    size_t nx = g->nx;
    for (size_t j = 1; j < g->ny; j++) // stencil
        for (size_t i = 0; i < nx; i++) {
            size_t k = j * nx + i;
            g->ex[k] = g->ca[k] * g->ex[k] + g->cb[k] * (g->hz[k] - g->hz[k - nx]);
        }
    for (size_t j = 0; j < g->ny; j++) // stencil
        for (size_t i = 1; i < nx; i++) {
            size_t k = j * nx + i;
            g->ey[k] = g->ca[k] * g->ey[k] - g->cb[k] * (g->hz[k] - g->hz[k - 1]);
        }
}

static void update_h(grid *g) {
    size_t nx = g->nx;
    for (size_t j = 0; j < g->ny - 1; j++) // stencil
        for (size_t i = 0; i < nx - 1; i++) {
            size_t k = j * nx + i;
            g->hz[k] += 0.5 * (g->ex[k + nx] - g->ex[k] - g->ey[k + 1] + g->ey[k]);
        }
}

static void run(grid *g, const source *s, int steps) {
    for (int t = 0; t < steps; t++) {
        update_e(g);
        update_h(g);
        g->hz[s->y * g->nx + s->x] += s->signal[t];
    }
}

static double energy(const grid *g) {
    double sum = 0.0;
    for (size_t k = 0; k < g->nx * g->ny; k++)
        sum += g->ex[k] * g->ex[k] + g->ey[k] * g->ey[k] + g->hz[k] * g->hz[k];
    return 0.5 * sum;
}

static void dump(const grid *g, const char *name) {
    FILE *f = fopen(name, "wb");
    if (!f)
        abort();
    fwrite(g->ex, sizeof(double), g->nx * g->ny, f);
    fwrite(g->ey, sizeof(double), g->nx * g->ny, f);
    fwrite(g->hz, sizeof(double), g->nx * g->ny, f);
    fclose(f);
}

int main(int argc, char **argv) {
    if (argc < 5)
        return 1;
    grid g;
    int steps = atoi(argv[3]);
    make_grid(&g, (size_t)atoi(argv[1]), (size_t)atoi(argv[2]));
    fill_material(&g);
    source s = make_source(&g, steps, 0.7);
    run(&g, &s, steps);
    printf("energy %.17g\n", energy(&g));
    dump(&g, argv[4]);
    free(g.ex);
    free(g.ey);
    free(g.hz);
    free(g.ca);
    free(g.cb);
    free(s.signal);
    return 0;
}
