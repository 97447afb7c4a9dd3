// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which grids of a step's sweeps are one array, where the sweeps' domains lie in the step's box, and
// why a step is not taken whole.
// RUN: %clang -O1 -ffp-contract=off -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<stencil>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-analysis=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=REMARK %s

// Loops with other bounds, layers at faces.
void fields(int steps, int n, int m, float ex[n][m], float ey[n][m], float hz[n][m], float edge) {
    // REMARK: [[#@LINE+2]]:5: remark: 2-D time loop of 6 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 3 arrays
    // REMARK: [[#@LINE+1]]:5: remark: plan: bT {{[0-9]+}} whole steps, tile
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++)
            ey[0][j] = edge;
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                ey[i][j] -= 0.5f * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                ex[i][j] -= 0.5f * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                hz[i][j] -= 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
        for (int j = 0; j < m; j++)
            hz[n - 1][j] = 0;
        for (int i = 0; i < n; i++)
            hz[i][m - 1] = hz[i][m - 2];
    }
}
// CHECK-LABEL: time loop of 6 sweeps in fields
// CHECK: step of 6 sweeps over 3 arrays
// CHECK: sweep over x 0..n-1 y 0..0 makes ey
// CHECK-NEXT: sweep over x 0..n-1 y 1..n-1 makes ey
// CHECK-NEXT: sweep over x 1..n-1 y 0..n-1 makes ex
// CHECK-NEXT: sweep over x 0..n-2 y 0..n-2 makes hz
// CHECK-NEXT: sweep over x 0..n-1 y n-1..n-1 makes hz
// CHECK-NEXT: sweep over x n-1..n-1 y 0..n-1 makes hz

// Buffers that take turns: what the second sweep reads was written in this step.
void turns(int steps, int n, int m, float (*a)[m], float (*b)[m], float (*p)[m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i - 1][j] + a[i + 1][j];
        for (int i = 2; i < n - 2; i++)
            for (int j = 1; j < m - 1; j++)
                p[i][j] = b[i - 1][j] + b[i + 1][j];
        float(*swap)[m] = a;
        a = b;
        b = swap;
    }
}
// CHECK-LABEL: time loop of 2 sweeps in turns
// CHECK: step of 2 sweeps over 2 arrays
// CHECK-NEXT: array b: f32, swapped
// CHECK-NEXT: array p: f32
// CHECK-NEXT: sweep over x 0..n-1 y 0..n-1 makes b
// CHECK-NEXT: sweep over x 0..n-1 y 1..n-2 makes p

// Two buffers of which the one that the step writes is read before.
void older(int steps, int n, int m, float (*a)[m], float (*b)[m], float (*p)[m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                p[i][j] += b[i - 1][j] + b[i + 1][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i - 1][j] + a[i + 1][j];
        float(*swap)[m] = a;
        a = b;
        b = swap;
    }
}
// CHECK-LABEL: time loop of 2 sweeps in older
// CHECK: array b: f32, only read, becomes b older
// CHECK-NEXT: array b older: f32, becomes b
// CHECK-NEXT: sweep over x 0..n-1 y 0..n-1 makes p
// CHECK-NEXT: sweep over x 0..n-1 y 0..n-1 makes b older

// A value of each step.
void source(int steps, int n, int m, float a[n][m], float b[n][m], const float *s) {
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++)
            b[0][j] = s[t];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] += a[i - 1][j] + a[i + 1][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] += b[i][j - 1] + b[i][j + 1];
    }
}
// CHECK-LABEL: time loop of 3 sweeps in source
// CHECK: step of 3 sweeps over 3 arrays
// CHECK: array s: f32, only read
// CHECK: sweep over x 0..n-1 y 0..0 makes b
// CHECK-NEXT: sweep over x 1..n-2 y 1..n-1 makes b

// Nests that set layers at opposite faces, or two at one face, are a sweep for each; planes of one array.
void faces(int steps, int n, int m, float u[2][n][m]) {
    // REMARK: [[#@LINE+1]]:5: remark: 2-D time loop of 4 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++) {
            u[0][0][j] = u[0][1][j];
            u[0][n - 1][j] = -u[0][n - 2][j];
        }
        for (int i = 0; i < n; i++) {
            u[0][i][m - 1] = u[0][i][m - 3];
            u[0][i][m - 2] = 2 * u[0][i][m - 4];
            u[0][i][0] = 1;
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[1][i][j] = u[0][i - 1][j] + u[0][i + 1][j] + u[0][i][j - 1] + u[0][i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[0][i][j] = u[1][i][j];
    }
}
// CHECK-LABEL: time loop of 4 sweeps in faces
// CHECK: step of 7 sweeps over 2 arrays
// CHECK-NEXT: array u: f32, not read before it is made
// CHECK-NEXT: array u: f32
// CHECK-NEXT: sweep over x 0..n-1 y 0..0 makes u
// CHECK-NEXT: sweep over x 0..n-1 y n-1..n-1 makes u
// CHECK-NEXT: sweep over x n-1..n-1 y 0..n-1 makes u
// CHECK-NEXT: sweep over x n-2..n-2 y 0..n-1 makes u
// CHECK-NEXT: sweep over x 0..0 y 0..n-1 makes u
// CHECK-NEXT: sweep over x 1..n-2 y 1..n-2 makes u
// CHECK-NEXT: sweep over x 1..n-2 y 1..n-2 makes u

// A source in a cell that the caller names, and three buffers that take turns.
void source_at(int steps, int n, int m, float *u, float *v, float *w, const float *add, int row, int column) {
    // REMARK: [[#@LINE+1]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 3 arrays
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                w[i * m + j] = u[(i - 1) * m + j] + u[i * m + j + 1] - v[i * m + j];
        w[row * m + column] += add[t];
        float *was = v;
        v = u;
        u = w;
        w = was;
    }
}
// CHECK-LABEL: time loop of 2 sweeps in source_at
// CHECK: step of 2 sweeps over 3 arrays
// CHECK: array w older: f32, swapped, becomes
// CHECK: sweep over x 0..n-1 y 0..n-1 makes w older
// CHECK-NEXT: sweep over x at a place y at a place makes w older

// Two such cells, one after the other.
void two_sources(int steps, int n, int m, float *u, const float *add, int row, int column) {
    // REMARK: [[#@LINE+1]]:5: remark: 2-D time loop of 3 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 1 array
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                u[i * m + j] *= 0.5f;
        u[row * m + column] = 1;
        u[column * m + row] = 2;
    }
}
// CHECK-LABEL: time loop of 3 sweeps in two_sources
// CHECK: sweep over x 0..n-1 y 0..n-1 makes u
// CHECK-NEXT: sweep over x at a place y at a place makes u
// CHECK-NEXT: sweep over x at a place y at a place makes u

// What the second cell gets is read before the first is assigned, so that both are one sweep.
void exchanged(int steps, int n, int m, float *u, int row, int column) {
    // REMARK: [[#@LINE+1]]:5: remark: plan: one kernel a sweep and time step; whole steps are not blocked: a sweep writes an array twice
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                u[i * m + j] *= 0.5f;
        float was = u[row * m + column];
        u[row * m + column] = u[column * m + row];
        u[column * m + row] = was;
    }
}
// CHECK-LABEL: time loop of 2 sweeps in exchanged
// CHECK: no whole step

// Reasons. Each is followed by its sentence.
void apart(int steps, int n, int k, int m, float a[n][m], float b[n][m]) {
    // REMARK: [[#@LINE+2]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, a kernel a sweep
    // REMARK: [[#@LINE+1]]:5: remark: plan: one kernel a sweep and time step; whole steps are not blocked: the sweeps' extents do not differ by constants
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] += a[i - 1][j] + a[i + 1][j];
        for (int i = 1; i < k; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] += b[i][j - 1] + b[i][j + 1];
    }
}
// CHECK-LABEL: time loop of 2 sweeps in apart
// CHECK: no whole step: the sweeps' extents do not differ by constants

void opposite(int steps, int n, int m, float a[n][m], float b[n][m]) {
    if (n < 3 || m < 3)
        return;
    // REMARK: [[#@LINE+2]]:5: remark: 2-D time loop of 3 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    // REMARK: [[#@LINE+1]]:5: remark: plan: bT {{[0-9]+}} whole steps, tile
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] += a[i][j - 1] + a[i][j + 1];
        for (int i = 0; i < n; i++) {
            b[i][0] = b[i][m - 2];
            b[i][m - 1] = b[i][1];
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = 0.5f * b[i][j];
    }
}
// CHECK-LABEL: time loop of 3 sweeps in opposite
// CHECK: sweep over x n-1..n-1 y 0..n-1 makes b
// CHECK: without copies to ghost cells (x 1,1 y 0,0), from step 1 on, less 0, at least 11 cells: step of 2 sweeps over 2 arrays
// CHECK: sweep over x 0..n-1 y 1..n-2 makes b
// CHECK-NEXT: sweep over x 0..n-1 y 0..n-1 makes a
// CHECK: lag 0, halo 1,1 0,0

// A ghost cell is read before it is copied again; a corner is read that is not copied; a copy is scaled.
void late(int steps, int n, int m, float a[n][m], float b[n][m]) {
    if (n < 3 || m < 3)
        return;
    // REMARK: [[#@LINE+1]]:5: remark: plan: one kernel a sweep and time step; whole steps are not blocked: a sweep reads cells of the opposite face; periodic indices, u[(i + 1) % n], need no such sweep
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            a[i][0] = a[i][m - 2];
            a[i][m - 1] = a[i][1];
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = 0.5f * a[i][j] + b[i][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] += a[i][j - 1] + a[i][j + 1];
    }
}
// CHECK-LABEL: time loop of 3 sweeps in late
// CHECK: no whole step: a sweep reads cells of the opposite face; periodic indices, u[(i + 1) % n], need no such sweep

void corner(int steps, int n, int m, float a[n][m], float b[n][m]) {
    if (n < 3 || m < 3)
        return;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            a[i][0] = a[i][m - 2];
            a[i][m - 1] = a[i][1];
        }
        for (int j = 1; j < m - 1; j++) {
            a[0][j] = a[n - 2][j];
            a[n - 1][j] = a[1][j];
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] += a[i - 1][j - 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
}
// CHECK-LABEL: time loop of 4 sweeps in corner
// CHECK: no whole step: a sweep reads cells of the opposite face

void scaled(int steps, int n, int m, float a[n][m], float b[n][m]) {
    if (n < 3 || m < 3)
        return;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            a[i][0] = 0.5f * a[i][m - 2];
            a[i][m - 1] = a[i][1];
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] += a[i][j - 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
}
// CHECK-LABEL: time loop of 3 sweeps in scaled
// CHECK: no whole step: a sweep reads cells of the opposite face

// Staggered fields share a ghost cell. Both buffers have ghost cells, copied at the start of a step.
void staggered(int steps, int n, int m, float p[restrict n + 1][m + 1], float f[restrict n + 1][m + 1]) {
    if (n < 3 || m < 3)
        return;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i <= n; i++)
            for (int j = 0; j < m; j++)
                f[i][j + 1] = 0.5f * (p[i][j + 1] - p[i][j]);
        for (int i = 0; i <= n; i++)
            f[i][0] = f[i][m];
        for (int i = 0; i <= n; i++)
            for (int j = 0; j < m; j++)
                p[i][j] -= 0.1f * (f[i][j + 1] - f[i][j]);
        for (int i = 0; i <= n; i++)
            p[i][m] = p[i][0];
    }
}
// CHECK-LABEL: time loop of 4 sweeps in staggered
// CHECK: without copies to ghost cells (x 1,0 y 0,0), from step 1 on, less {{[01]}}, at least

void buffers(int steps, int n, int m, float (*a)[m], float (*b)[m]) {
    if (n < 3 || m < 3)
        return;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            a[i][0] = a[i][m - 2];
            a[i][m - 1] = a[i][1];
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i][j - 1] + a[i][j + 1];
        float(*swap)[m] = a;
        a = b;
        b = swap;
    }
}
// CHECK-LABEL: time loop of 2 sweeps in buffers
// CHECK: without copies to ghost cells (x 1,1 y 0,0), from step 1 on, less 2, at least

// One dimension: cells at the ends and at a place are sweeps, too.
void line(int steps, int n, int at, float *restrict e, float *restrict h, const float *source) {
    // REMARK: [[#@LINE+2]]:5: remark: 1-D time loop of 4 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 3 arrays
    // REMARK: [[#@LINE+1]]:5: remark: plan: bT {{[0-9]+}} whole steps, tile {{[0-9]+}}, 1 warps, {{[0-9]+}} cells a lane
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++)
            h[i] += 0.5f * (e[i + 1] - e[i]);
        h[at] -= source[t];
        for (int i = 1; i < n - 1; i++)
            e[i] += 0.5f * (h[i] - h[i - 1]);
        e[0] = e[1];
        e[n - 1] = e[n - 2];
    }
}
// CHECK-LABEL: time loop of 4 sweeps in line
// CHECK: step of 5 sweeps over 3 arrays
// CHECK: sweep over x 0..n-2 makes h
// CHECK-NEXT: sweep over x {{.*}} makes h
// CHECK-NEXT: sweep over x 1..n-2 makes e
// CHECK-NEXT: sweep over x 0..0 makes e
// CHECK-NEXT: sweep over x n-1..n-1 makes e
// CHECK: lag 0, halo

// Ends that are set from each other.
void ring(int steps, int n, float *restrict a, float *restrict b) {
    // REMARK: [[#@LINE+1]]:5: remark: 1-D time loop of 3 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        b[0] = b[n - 2];
        b[n - 1] = b[1];
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
}

// Two time levels in 1-D: one sweep, looked at as a step.
void levels(int steps, int n, double *a, double *b) {
    // REMARK: [[#@LINE+1]]:5: remark: 1-D time loop of 1 sweep runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            a[i] = 2 * b[i] - a[i] + 0.5 * (b[i - 1] + b[i + 1]);
        double *swap = a;
        a = b;
        b = swap;
    }
}

// A cell that LLVM keeps in a register: the time loop sets it in each step, and no sweep writes it.
void driven(int steps, int n, float *restrict e, float *restrict h) {
    // REMARK: [[#@LINE+1]]:5: remark: 1-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++)
            h[i] += 0.5f * (e[i + 1] - e[i]);
        for (int i = 1; i < n; i++)
            e[i] += 0.5f * (h[i] - h[i - 1]);
        e[0] = 0.25f * t;
    }
}

// The same with a number that depends on cells.
void absorbed(int steps, int n, float *restrict e, float *restrict h) {
    // REMARK: [[#@LINE+1]]:5: remark: 1-D time loop of 3 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++)
            h[i] += 0.5f * (e[i + 1] - e[i]);
        for (int i = 1; i < n; i++)
            e[i] += 0.5f * (h[i] - h[i - 1]);
        e[0] = h[3];
    }
}

// A length in bytes of cells that are counted in fewer bits.
void counted(int steps, long size, float *restrict a, float *restrict b) {
    int n = (int)size;
    // REMARK: [[#@LINE+1]]:5: remark: 1-D time loop of 3 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++) {
        a[0] = 1;
        a[n - 1] = 0;
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}
