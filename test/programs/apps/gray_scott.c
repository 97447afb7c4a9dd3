/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two substances that react and spread, on a torus kept up by a halo of one cell. */
#include <stdio.h>
#include <stdlib.h>

typedef float real;

struct parameters {
    real feed, kill, spread_u, spread_v, dt;
};

struct species {
    real *u, *v;
};

struct domain {
    int height, width, stride; /* without the halo; of a row with it */
    struct species now, next;
};

static real *field(const struct domain *d, real value) {
    size_t cells = (size_t)(d->height + 2) * d->stride;
    real *f = malloc(cells * sizeof *f);
    if (!f)
        exit(1);
    for (size_t i = 0; i < cells; i++)
        f[i] = value;
    return f;
}

static void create(struct domain *d, int height, int width) {
    d->height = height;
    d->width = width;
    d->stride = width + 2;
    d->now = (struct species){field(d, 1), field(d, 0)};
    d->next = (struct species){field(d, 1), field(d, 0)};
}

static void seed(struct domain *d) {
    for (int y = d->height / 3; y <= d->height / 2 + 1; y++)
        for (int x = d->width / 3; x <= d->width / 2 + 1; x++) {
            d->now.u[y * d->stride + x] = 0.5f + 0.01f * ((x * 5 + y * 3) % 7);
            d->now.v[y * d->stride + x] = 0.25f + 0.01f * ((x * 3 + y) % 5);
        }
}

/* Halo cells get what is on the other side. */
static void fill_halo(const struct domain *d, real *f) {
    const int s = d->stride, h = d->height, w = d->width;
    for (int y = 1; y <= h; y++) { // stencil
        f[y * s] = f[y * s + w];
        f[y * s + w + 1] = f[y * s + 1];
    }
    for (int x = 0; x < s; x++) { // stencil
        f[x] = f[h * s + x];
        f[(h + 1) * s + x] = f[s + x];
    }
}

static inline real laplacian(const real *f, int at, int s) {
    return 0.05f * (f[at - s - 1] + f[at - s + 1] + f[at + s - 1] + f[at + s + 1]) +
           0.2f * (f[at - s] + f[at + s] + f[at - 1] + f[at + 1]) - f[at];
}

static void react(struct domain *d, const struct parameters *p) {
    const real *u = d->now.u, *v = d->now.v;
    const int s = d->stride;
    for (int y = 1; y <= d->height; y++) // stencil
        for (int x = 1; x <= d->width; x++) {
            int at = y * s + x;
            real uvv = u[at] * v[at] * v[at];
            real du = p->spread_u * laplacian(u, at, s) - uvv + p->feed * (1.0f - u[at]);
            real dv = p->spread_v * laplacian(v, at, s) + uvv - (p->feed + p->kill) * v[at];
            d->next.u[at] = u[at] + p->dt * du;
            d->next.v[at] = v[at] + p->dt * dv;
        }
}

static void simulate(struct domain *d, const struct parameters *p, int steps) {
    for (int t = 0; t < steps; t++) {
        fill_halo(d, d->now.u);
        fill_halo(d, d->now.v);
        react(d, p);
        struct species other = d->now;
        d->now = d->next;
        d->next = other;
    }
}

static void write_fields(const struct domain *d, const char *file) {
    size_t cells = (size_t)(d->height + 2) * d->stride;
    real *all[4] = {d->now.u, d->now.v, d->next.u, d->next.v};
    FILE *out = fopen(file, "wb");
    if (!out)
        exit(1);
    for (int f = 0; f < 4; f++)
        fwrite(all[f], sizeof(real), cells, out);
    fclose(out);
}

static double total(const struct domain *d, const real *f) {
    double sum = 0;
    for (int y = 1; y <= d->height; y++)
        for (int x = 1; x <= d->width; x++)
            sum += f[y * d->stride + x];
    return sum;
}

int main(int argc, char **argv) {
    struct parameters p = {0.035f, 0.065f, 0.16f, 0.08f, 1.0f};
    struct domain d;
    if (argc < 5)
        return 1;
    create(&d, atoi(argv[1]), atoi(argv[2]));
    seed(&d);
    simulate(&d, &p, atoi(argv[3]));
    printf("u %.17g v %.17g\n", total(&d, d.now.u), total(&d, d.now.v));
    write_fields(&d, argv[4]);
    free(d.now.u);
    free(d.now.v);
    free(d.next.u);
    free(d.next.v);
    return 0;
}
