/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A field on a periodic lattice of three dimensions that relaxes under a force, phi to the fourth;
 * neighbours come from indices that are brought back by remainders. The residual is printed at the
 * end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    long lx, ly, lz;
    double mass, coupling, step;
} lattice;

static inline long site(const lattice *l, long x, long y, long z) {
    return (z * l->ly + y) * l->lx + x;
}

static inline long up(long i, long n) {
    return (i + 1) % n;
}

static inline long down(long i, long n) {
    return (i + n - 1) % n;
}

static double force(const lattice *l, const double *phi, long x, long y, long z) {
    double here = phi[site(l, x, y, z)];
    double sum = phi[site(l, up(x, l->lx), y, z)] + phi[site(l, down(x, l->lx), y, z)] +
                 phi[site(l, x, up(y, l->ly), z)] + phi[site(l, x, down(y, l->ly), z)] +
                 phi[site(l, x, y, up(z, l->lz))] + phi[site(l, x, y, down(z, l->lz))];
    return sum - 6.0 * here - l->mass * here - l->coupling * here * here * here;
}

static void flow(const lattice *l, double *phi, double *next, int steps) {
    double *from = phi, *to = next;
    for (int t = 0; t < steps; t++) {
        for (long z = 0; z < l->lz; z++) // stencil
            for (long y = 0; y < l->ly; y++)
                for (long x = 0; x < l->lx; x++)
                    to[site(l, x, y, z)] =
                        from[site(l, x, y, z)] + l->step * force(l, from, x, y, z);
        double *swap = from;
        from = to;
        to = swap;
    }
}

/* Momenta and fields in turn (leapfrog). */
static void molecular_dynamics(const lattice *l, double *phi, double *momentum, int steps) {
    for (int t = 0; t < steps; t++) {
        for (long z = 0; z < l->lz; z++) // stencil
            for (long y = 0; y < l->ly; y++)
                for (long x = 0; x < l->lx; x++)
                    momentum[site(l, x, y, z)] += l->step * force(l, phi, x, y, z);
        for (long z = 0; z < l->lz; z++) // stencil
            for (long y = 0; y < l->ly; y++)
                for (long x = 0; x < l->lx; x++)
                    phi[site(l, x, y, z)] += l->step * momentum[site(l, x, y, z)];
    }
}

static double residual(const lattice *l, const double *phi) {
    double sum = 0;
    for (long z = 0; z < l->lz; z++)
        for (long y = 0; y < l->ly; y++)
            for (long x = 0; x < l->lx; x++) {
                double f = force(l, phi, x, y, z);
                sum += f * f;
            }
    return sqrt(sum);
}

static double *field(const lattice *l, unsigned seed) {
    long volume = l->lx * l->ly * l->lz;
    double *f = malloc((size_t)volume * sizeof *f);
    if (!f)
        exit(1);
    for (long i = 0; i < volume; i++) {
        seed = seed * 1664525u + 1013904223u;
        f[i] = (double)(seed >> 8) / 16777216.0 - 0.5;
    }
    return f;
}

int main(int argc, char **argv) {
    if (argc < 5)
        return 1;
    lattice l = {atoi(argv[2]), atoi(argv[1]), atoi(argv[1]) / 2 + 4, 0.3, 0.5, 0.05};
    size_t volume = (size_t)(l.lx * l.ly * l.lz);
    double *phi = field(&l, 1), *next = field(&l, 2), *momentum = field(&l, 3);
    int steps = atoi(argv[3]);
    flow(&l, phi, next, steps);
    molecular_dynamics(&l, phi, momentum, steps / 2);
    printf("residual %.17g\n", residual(&l, phi));
    FILE *f = fopen(argv[4], "wb");
    if (!f)
        return 1;
    fwrite(phi, sizeof *phi, volume, f);
    fwrite(next, sizeof *next, volume, f);
    fwrite(momentum, sizeof *momentum, volume, f);
    fclose(f);
    free(phi);
    free(next);
    free(momentum);
    return 0;
}
