// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops of several sweeps: each sweep with its domain, its arrays and what it reads and writes.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=REMARK --implicit-check-not=remark: %s
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fno-discard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/fdtd.*.stencil %t/edges.*.stencil %t/two.*.stencil %t/copies.*.stencil %t/fields.*.stencil | FileCheck %s
// RUN: cat %t/edges.*.plan | FileCheck --check-prefix=PLAN %s
// RUN: %clang -O1 -ffp-contract=off -S -emit-llvm %s -o - | %opt -passes='print<stencil>' -disable-output 2>&1 | FileCheck --check-prefix=PRINT %s

// PRINT: time loop of 4 sweeps in fdtd: rank 2
// PRINT-NEXT: sweep 1: along x

// Three arrays, each updated in its own nest; an edge gets a number for each step.
void fdtd(int steps, int n, int m, float ex[n][m], float ey[n][m], float hz[n][m], float *source) {
    // REMARK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 4 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++)
            ey[0][j] = source[t];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                ey[i][j] -= 0.5f * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                ex[i][j] -= 0.5f * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                hz[i][j] -= 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}
// CHECK: time loop of 4 sweeps in fdtd: rank 2
// CHECK-NEXT: sweep 1: along x
// CHECK-NEXT: grid ey: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid source: f32, 1 buffer, halo x 0..0 y 0..0, constant along x, constant along y, 1 further each step
// CHECK-NEXT: reads source[0]: (0,0)
// CHECK-NEXT: writes ey[0]
// CHECK-NEXT: = source[0](0,0)
// CHECK-NEXT: sweep 2: along x y
// CHECK-NEXT: grid ey: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid hz: f32, 1 buffer, halo x 0..0 y -1..0
// CHECK-NEXT: reads ey[0]: (0,0)
// CHECK-NEXT: reads hz[0]: (0,0) (0,-1)
// CHECK-NEXT: writes ey[0]
// CHECK-NEXT: = fsub(ey[0](0,0), fmul(fsub(hz[0](0,0), hz[0](0,-1)), 0.5))
// CHECK-NEXT: sweep 3: along x y
// CHECK-NEXT: grid ex: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid hz: f32, 1 buffer, halo x -1..0 y 0..0
// CHECK-NEXT: reads ex[0]: (0,0)
// CHECK-NEXT: reads hz[0]: (0,0) (-1,0)
// CHECK-NEXT: writes ex[0]
// CHECK-NEXT: = fsub(ex[0](0,0), fmul(fsub(hz[0](0,0), hz[0](-1,0)), 0.5))
// CHECK-NEXT: sweep 4: along x y
// CHECK-NEXT: grid hz: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid ex: f32, 1 buffer, halo x 0..1 y 0..0
// CHECK-NEXT: grid ey: f32, 1 buffer, halo x 0..0 y 0..1
// CHECK-NEXT: reads hz[0]: (0,0)
// CHECK-NEXT: reads ex[0]: (1,0) (0,0)
// CHECK-NEXT: reads ey[0]: (0,1) (0,0)
// CHECK-NEXT: writes hz[0]
// CHECK-NEXT: = fsub(hz[0](0,0), fmul(fsub(fadd(fsub(ex[0](1,0), ex[0](0,0)), ey[0](0,1)), ey[0](0,0)), 0.699999988))
// Edges, cells, pointers that are exchanged in the middle.
void edges(int steps, int n, int m, float (*a)[m], float (*b)[m]) {
    // REMARK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 5 sweeps
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i - 1][j] + a[i + 1][j];
        for (int j = 1; j < m; j++)
            b[0][j] = b[1][j];
        for (int i = 0; i < n; i++)
            b[i][0] = b[i][m - 2];
        b[0][0] = 0.5f * (b[0][1] + b[1][0]);
        b[n - 1][0] = 2;
        float(*swap)[m] = a;
        a = b;
        b = swap;
        for (int j = 0; j < m; j++)
            a[n - 1][j] = 1.5f;
    }
}
// CHECK: time loop of 5 sweeps in edges: rank 2
// CHECK-NEXT: sweep 1: along x y
// CHECK-NEXT: grid b: f32, 2 buffers, halo x 0..0 y -1..1
// CHECK-NEXT: reads b[0]: (0,-1) (0,1)
// CHECK-NEXT: writes b[+1]
// CHECK-NEXT: = fadd(b[0](0,-1), b[0](0,1))
// CHECK-NEXT: sweep 2: along x
// CHECK-NEXT: grid b: f32, 2 buffers, halo x 0..0 y 0..1
// CHECK-NEXT: reads b[+1]: (0,1)
// CHECK-NEXT: writes b[+1]
// CHECK-NEXT: = b[+1](0,1)
// CHECK-NEXT: sweep 3: along y
// CHECK-NEXT: grid b: f32, 2 buffers, halo x 0..0 y 0..0
// CHECK-NEXT: grid b': f32, 2 buffers, halo x 0..0 y 0..0
// CHECK-NEXT: reads b'[0]: (0,0)
// CHECK-NEXT: writes b[+1]
// CHECK-NEXT: = b'[0](0,0)
// CHECK-NEXT: sweep 4: one cell
// CHECK-NEXT: grid b: f32, 2 buffers, halo x 0..1 y 0..1
// CHECK-NEXT: grid b': f32, 2 buffers, halo x 0..0 y 0..0
// CHECK-NEXT: reads b[+1]: (1,0) (0,1)
// CHECK-NEXT: writes b[+1]
// CHECK-NEXT: = fmul(fadd(b[+1](1,0), b[+1](0,1)), 0.5)
// CHECK-NEXT: writes b'[+1]
// CHECK-NEXT: = 2
// CHECK-NEXT: sweep 5: along x
// CHECK-NEXT: grid b: f32, 2 buffers, halo x 0..0 y 0..0
// CHECK-NEXT: writes b[+1]
// CHECK-NEXT: = 1.5
// PLAN: stencil_sweep1_cell: a thread a cell, block 32x8x1
// PLAN: stencil_sweep2_cell: a thread a cell, block 256x1x1
// PLAN: stencil_sweep3_cell: a thread a cell, block 1x256x1
// PLAN: stencil_sweep4_cell: a thread a cell, block 1x1x1
// PLAN: stencil_sweep5_cell: a thread a cell, block 256x1x1
void two(int steps, int n, float *u, float *v, float *p, float *q) {
    // REMARK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 1 sweep runs
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            p[i] = u[i - 1] + v[i];
            q[i] = v[i + 1] - p[i];
        }
        float *swap = u;
        u = p;
        p = swap;
        swap = v;
        v = q;
        q = swap;
    }
}
// CHECK: time loop of 1 sweep in two: rank 1
// CHECK-NEXT: sweep 1: along x
// CHECK-NEXT: grid p: f32, 2 buffers, halo x -1..0
// CHECK-NEXT: grid q: f32, 2 buffers, halo x 0..1
// CHECK-NEXT: reads p[0]: (-1)
// CHECK-NEXT: reads q[0]: (0) (1)
// CHECK-NEXT: writes p[+1]
// CHECK-NEXT: = fadd(p[0](-1), q[0](0))
// CHECK-NEXT: writes q[+1]
// CHECK-NEXT: = fsub(q[0](1), fadd(p[0](-1), q[0](0)))
void copies(int steps, int n, int m, double a[restrict n][m], double b[restrict n][m]) {
    // REMARK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 4 sweeps
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i][j - 1] + a[i][j + 1];
        __builtin_memset(b[0], 0, m * sizeof(double));
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
        __builtin_memcpy(a[n - 2], b[0], 2 * m * sizeof(double));
    }
}
// CHECK: time loop of 4 sweeps in copies: rank 2
// CHECK-NEXT: sweep 1: along x y
// CHECK-NEXT: grid b: f64, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid a: f64, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT: reads a[0]: (-1,0) (1,0)
// CHECK-NEXT: writes b[0]
// CHECK-NEXT: = fadd(a[0](-1,0), a[0](1,0))
// CHECK-NEXT: sweep 2: along x
// CHECK-NEXT: grid b: f64, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: writes b[0]
// CHECK-NEXT: = 0
// CHECK-NEXT: sweep 3: along x y
// CHECK-NEXT: grid a: f64, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid b: f64, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: reads b[0]: (0,0)
// CHECK-NEXT: writes a[0]
// CHECK-NEXT: = b[0](0,0)
// CHECK-NEXT: sweep 4: along x y
// CHECK-NEXT: grid a: f64, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid b: f64, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: reads b[0]: (0,0)
// CHECK-NEXT: writes a[0]
// CHECK-NEXT: = b[0](0,0)
// Several arrays copied back by one nest: calls of memcpy in one loop are one sweep.
void fields(int steps, int n, int m, float a[restrict n][m], float b[restrict n][m],
            float c[restrict n][m], float d[restrict n][m]) {
    // REMARK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                c[i][j] = a[i][j - 1] + b[i + 1][j];
                d[i][j] = b[i][j] - a[i][j];
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                a[i][j] = c[i][j];
                b[i][j] = d[i][j];
            }
    }
}
// CHECK: time loop of 2 sweeps in fields: rank 2
// CHECK: sweep 2: along x y
// CHECK-NEXT: grid a: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid c: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid d: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: reads c[0]: (0,0)
// CHECK-NEXT: reads d[0]: (0,0)
// CHECK-NEXT: writes a[0]
// CHECK-NEXT: = c[0](0,0)
// CHECK-NEXT: writes b[0]
// CHECK-NEXT: = d[0](0,0)
