/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elastic waves, P and SV, velocity and stress on a staggered grid, differences of fourth order, a
 * free surface, a force at one point. Every fourth step a damping layer is applied. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define C1 1.125f
#define C2 (-1.0f / 24.0f)

struct medium {
    float *lambda, *mu, *buoyancy;
};

struct wavefield {
    float *vx, *vz;
    float *txx, *tzz, *txz;
};

struct model {
    int nx, nz;
    float dt, dh;
    struct medium m;
    struct wavefield w;
    float *damping;
    int source_x, source_z;
};

static float *grid(const struct model *s, float value) {
    float *g = malloc((size_t)s->nx * s->nz * sizeof *g);
    if (!g)
        exit(1);
    for (int i = 0; i < s->nx * s->nz; i++)
        g[i] = value;
    return g;
}

static struct model *new_model(int nz, int nx) {
    struct model *s = malloc(sizeof *s);
    if (!s)
        exit(1);
    s->nx = nx;
    s->nz = nz;
    s->dt = 0.1f;
    s->dh = 1.0f;
    s->source_x = nx / 2;
    s->source_z = nz / 3;
    s->m = (struct medium){grid(s, 2.0f), grid(s, 1.0f), grid(s, 1.0f)};
    s->w = (struct wavefield){grid(s, 0), grid(s, 0), grid(s, 0), grid(s, 0), grid(s, 0)};
    s->damping = grid(s, 1.0f);
    for (int z = nz / 2; z < nz; z++)
        for (int x = 0; x < nx; x++) {
            s->m.lambda[z * nx + x] = 3.0f;
            s->m.buoyancy[z * nx + x] = 0.8f;
            s->damping[z * nx + x] = 1.0f - 0.01f * (float)(z - nz / 2);
        }
    return s;
}

static void update_velocity(struct model *s) {
    const float f = s->dt / s->dh;
    const int n = s->nx;
    for (int z = 2; z < s->nz - 2; z++) // stencil
        for (int x = 2; x < s->nx - 2; x++) {
            int i = z * n + x;
            float dx = C1 * (s->w.txx[i] - s->w.txx[i - 1]) +
                       C2 * (s->w.txx[i + 1] - s->w.txx[i - 2]);
            float dz = C1 * (s->w.txz[i] - s->w.txz[i - n]) +
                       C2 * (s->w.txz[i + n] - s->w.txz[i - 2 * n]);
            s->w.vx[i] += f * s->m.buoyancy[i] * (dx + dz);
            dx = C1 * (s->w.txz[i + 1] - s->w.txz[i]) + C2 * (s->w.txz[i + 2] - s->w.txz[i - 1]);
            dz = C1 * (s->w.tzz[i + n] - s->w.tzz[i]) +
                 C2 * (s->w.tzz[i + 2 * n] - s->w.tzz[i - n]);
            s->w.vz[i] += f * s->m.buoyancy[i] * (dx + dz);
        }
}

static void update_stress(struct model *s) {
    const float f = s->dt / s->dh;
    const int n = s->nx;
    for (int z = 2; z < s->nz - 2; z++) // stencil
        for (int x = 2; x < s->nx - 2; x++) {
            int i = z * n + x;
            float xx = C1 * (s->w.vx[i + 1] - s->w.vx[i]) + C2 * (s->w.vx[i + 2] - s->w.vx[i - 1]);
            float zz = C1 * (s->w.vz[i] - s->w.vz[i - n]) +
                       C2 * (s->w.vz[i + n] - s->w.vz[i - 2 * n]);
            float xz = C1 * (s->w.vx[i + n] - s->w.vx[i]) +
                       C2 * (s->w.vx[i + 2 * n] - s->w.vx[i - n]) +
                       C1 * (s->w.vz[i] - s->w.vz[i - 1]) + C2 * (s->w.vz[i + 1] - s->w.vz[i - 2]);
            float p = s->m.lambda[i] + 2.0f * s->m.mu[i];
            s->w.txx[i] += f * (p * xx + s->m.lambda[i] * zz);
            s->w.tzz[i] += f * (p * zz + s->m.lambda[i] * xx);
            s->w.txz[i] += f * s->m.mu[i] * xz;
        }
}

static void free_surface(struct model *s) {
    const int n = s->nx;
    for (int x = 0; x < n; x++) { // stencil
        s->w.tzz[2 * n + x] = 0.0f;
        s->w.tzz[n + x] = -s->w.tzz[3 * n + x];
        s->w.txz[n + x] = -s->w.txz[2 * n + x];
    }
}

static void absorb(struct model *s) {
    for (int z = 0; z < s->nz; z++) // stencil
        for (int x = 0; x < s->nx; x++) {
            s->w.vx[z * s->nx + x] *= s->damping[z * s->nx + x];
            s->w.vz[z * s->nx + x] *= s->damping[z * s->nx + x];
        }
}

static void propagate(struct model *s, const float *wavelet, int steps) {
    for (int t = 0; t < steps; t++) {
        update_velocity(s);
        s->w.vz[s->source_z * s->nx + s->source_x] += s->dt * wavelet[t];
        update_stress(s);
        free_surface(s);
        if (t % 4 == 3)
            absorb(s);
    }
}

int main(int argc, char **argv) {
    if (argc < 5)
        return 1;
    struct model *s = new_model(atoi(argv[1]), atoi(argv[2]));
    int steps = atoi(argv[3]);
    float *wavelet = calloc((size_t)steps + 1, sizeof *wavelet);
    for (int t = 0; t < steps; t++) {
        float a = 0.3f * (float)(t - 6);
        wavelet[t] = (1.0f - 2.0f * a * a) * expf(-a * a);
    }
    propagate(s, wavelet, steps);
    float *all[] = {s->w.vx, s->w.vz, s->w.txx, s->w.tzz, s->w.txz};
    double sum = 0;
    FILE *f = fopen(argv[4], "wb");
    if (!f)
        return 1;
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < s->nx * s->nz; i++)
            sum += fabs((double)all[k][i]);
        fwrite(all[k], sizeof(float), (size_t)s->nx * s->nz, f);
    }
    fclose(f);
    printf("sum %.17g\n", sum);
    return 0;
}
