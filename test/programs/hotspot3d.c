/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Neighbours by choices of linear indices, as in Rodinia's hotspot3D; copied back with -DCOPY. */
#include "harness.h"

KERNEL void hotspot(int nx, int ny, int nz, int steps, REAL *in, REAL *out, const REAL *power) {
    for (int step = 0; step < steps; step++) {
        for (int z = 0; z < nz; z++)
            for (int y = 0; y < ny; y++)
                for (int x = 0; x < nx; x++) {
                    int c = x + y * nx + z * nx * ny;
                    int w = x == 0 ? c : c - 1, e = x == nx - 1 ? c : c + 1;
                    int n = y == 0 ? c : c - nx, s = y == ny - 1 ? c : c + nx;
                    int b = z == 0 ? c : c - nx * ny, t = z == nz - 1 ? c : c + nx * ny;
                    out[c] = in[c] * (REAL)0.4 + in[n] * (REAL)0.1 + in[s] * (REAL)0.11 +
                             in[e] * (REAL)0.12 + in[w] * (REAL)0.13 + in[t] * (REAL)0.07 +
                             in[b] * (REAL)0.05 + power[c];
                }
#ifdef COPY
        for (int c = 0; c < nx * ny * nz; c++)
            in[c] = out[c];
#else
        REAL *was = in;
        in = out;
        out = was;
#endif
    }
}

PROGRAM(3, n[0] * n[1] * n[2],
        hotspot((int)n[2], (int)n[1], (int)n[0], (int)steps, b[0], b[1], b[2]),
        REALS("A", n[0] * n[1] * n[2]), REALS("B", n[0] * n[1] * n[2]),
        REALS("power", n[0] * n[1] * n[2]))
