// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of published kernels that have several arrays: hydrodynamics, Maxwell's equations, phase fields, pictures.
// (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 4 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;vector=4>' --expect changed %s
// RUN: %differ --levels 3 --runs 3 --targets sm_80 --types double,int --passes 'stencil-block<cache=l1;coarsen=2>' --passes 'thinlto<O3>' %s
// types: float double int
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define INNER (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)

// The volume before and after the fluxes through a cell's faces.
// volumes: v f g b c nx ny; threads nx,ny; bench 4096 8191
KERNEL volumes(const T *__restrict__ v, const T *__restrict__ f, const T *__restrict__ g, T *__restrict__ b, T *__restrict__ c, int nx,
               int ny) {
    PLACE;
    if (INNER) {
        int i = y * nx + x;
        T w = v[i] + (f[i + 1] - f[i] + g[i + nx] - g[i]);
        b[i] = w;
        c[i] = w - (f[i + 1] - f[i]);
    }
}

// Fluxes through the left and the lower face, each with a guard of its own.
// face_fluxes: u v p q b c nx ny; threads nx,ny; bench 4096 8191
KERNEL face_fluxes(const T *__restrict__ u, const T *__restrict__ v, const T *__restrict__ p, const T *__restrict__ q, T *__restrict__ b,
                   T *__restrict__ c, int nx, int ny) {
    PLACE;
    int i = y * nx + x;
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 2)
        b[i] = C(0.25) * p[i] * (u[i] + u[i + nx] + v[i] + v[i + nx]);
    if (x > 0 && y > 0 && x < nx - 2 && y < ny - 1)
        c[i] = C(0.25) * q[i] * (u[i] + u[i + 1] + v[i] + v[i + 1]);
}

// Velocities that a pressure drives; the own cells are read and written.
// driven: p r u v nx ny; threads nx,ny; once; bench 4096 8191
KERNEL driven(const T *__restrict__ p, const T *__restrict__ r, T *__restrict__ u, T *__restrict__ v, int nx, int ny) {
    PLACE;
    if (INNER) {
        int i = y * nx + x;
        T m = C(0.25) * (r[i] + r[i - 1] + r[i - nx] + r[i - nx - 1]);
        u[i] -= m * (p[i] - p[i - 1] + p[i - nx] - p[i - nx - 1]);
        v[i] -= m * (p[i] - p[i - nx] + p[i - 1] - p[i - nx - 1]);
    }
}

// Energy carried by the flow: the donor cell is chosen.
// donor: m d e b nx ny; threads nx,ny; bench 4096 8191
KERNEL donor(const T *__restrict__ m, const T *__restrict__ d, const T *__restrict__ e, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (x > 1 && y > 0 && x < nx - 2 && y < ny - 1) {
        int i = y * nx + x, up = m[i] > 0 ? i - 1 : i, far = m[i] > 0 ? i - 2 : i + 1;
        b[i] = m[i] * (e[up] + C(0.5) * (e[up] - e[far])) * d[up];
    }
}

// The magnetic field of two dimensions, in its own array.
// field_step: e h nx ny; threads nx,ny; once; bench 4096 8191
KERNEL field_step(const T *__restrict__ e, T *__restrict__ h, int nx, int ny) {
    PLACE;
    if (x > 0 && x < nx && y < ny) {
        int i = y * nx + x;
        h[i] = h[i] - C(0.5) * (e[i] - e[i - 1]);
    }
}

// Curl of three fields.
// curl: a b c ex ey ez nx ny nz; threads nx,ny,nz; once; bench 256 509
KERNEL curl(const T *__restrict__ a, const T *__restrict__ b, const T *__restrict__ c, T *__restrict__ ex, T *__restrict__ ey,
            T *__restrict__ ez, int nx, int ny, int nz) {
    PLACE, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx - 1 && y < ny - 1 && z < nz - 1) {
        int p = nx * ny, i = z * p + y * nx + x;
        ex[i] += C(0.5) * (c[i + nx] - c[i] - b[i + p] + b[i]);
        ey[i] += C(0.5) * (a[i + p] - a[i] - c[i + 1] + c[i]);
        ez[i] += C(0.5) * (b[i + 1] - b[i] - a[i + nx] + a[i]);
    }
}

// heat7: a b nx ny nz; threads nx,ny,nz; bench 256 509
KERNEL heat7(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    PLACE, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (INNER && z > 0 && z < nz - 1) {
        int p = nx * ny, i = z * p + y * nx + x;
        b[i] = C(0.125) * (a[i + p] - C(2) * a[i] + a[i - p]) + C(0.125) * (a[i + nx] - C(2) * a[i] + a[i - nx]) +
               C(0.125) * (a[i + 1] - C(2) * a[i] + a[i - 1]) + a[i];
    }
}

// A phase field's force: the gradient of one array, the Laplacian of another.
// force: f g b nx ny nz; threads nx,ny,nz; bench 256 509
KERNEL force(const T *__restrict__ f, const T *__restrict__ g, T *__restrict__ b, int nx, int ny, int nz) {
    PLACE, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (INNER && z > 0 && z < nz - 1) {
        int p = nx * ny, i = z * p + y * nx + x;
        T dx = g[i + 1] - g[i - 1], dy = g[i + nx] - g[i - nx], dz = g[i + p] - g[i - p];
        T l = f[i + 1] + f[i - 1] + f[i + nx] + f[i - nx] + f[i + p] + f[i - p] - C(6) * f[i];
        b[i] = l * (dx * dx + dy * dy + dz * dz) + f[i] * g[i];
    }
}

// Two fields that react.
// react: u v b c nx ny; threads nx,ny; bench 4096 8191
KERNEL react(const T *__restrict__ u, const T *__restrict__ v, T *__restrict__ b, T *__restrict__ c, int nx, int ny) {
    PLACE;
    if (INNER) {
        int i = y * nx + x;
        T r = u[i] * v[i] * v[i];
        b[i] = u[i] + C(0.2) * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - C(4) * u[i]) - r;
        c[i] = v[i] + C(0.1) * (v[i - 1] + v[i + 1] + v[i - nx] + v[i + nx] - C(4) * v[i]) + r;
    }
}

// burgers: u v b c nx ny; threads nx,ny; bench 4096 8191
KERNEL burgers(const T *u, const T *v, T *b, T *c, int nx, int ny) {
    PLACE;
    if (INNER) {
        int i = y * nx + x;
        b[i] = u[i] + C(0.1) * (u[i + 1] + u[i - 1] - C(2) * u[i]) - C(0.5) * u[i] * (u[i] - u[i - 1]) - C(0.5) * v[i] * (u[i] - u[i - nx]);
        c[i] = v[i] + C(0.1) * (v[i + nx] + v[i - nx] - C(2) * v[i]) - C(0.5) * u[i] * (v[i] - v[i - 1]) - C(0.5) * v[i] * (v[i] - v[i - nx]);
    }
}

// difference: a b n; threads n
KERNEL difference(const T *__restrict__ a, T *__restrict__ b, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n - 1)
        b[x] = a[x + 1] - a[x];
}

// edges: a b nx ny; threads nx,ny; bench 4096 8191
KERNEL edges(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (INNER) {
        const T *p = a + y * nx + x;
        T h = p[-nx - 1] - p[-nx + 1] + C(2) * (p[-1] - p[1]) + p[nx - 1] - p[nx + 1];
        T v = p[-nx - 1] + C(2) * p[-nx] + p[-nx + 1] - p[nx - 1] - C(2) * p[nx] - p[nx + 1];
        b[y * nx + x] = h * h + v * v;
    }
}
