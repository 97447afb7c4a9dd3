// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that keep something of each step of a time loop, and what is refused beside them.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not='runs on a GPU' %s
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -mllvm -stencilopt-save-temps=%t.dir -c %s -o /dev/null
// RUN: cat %t.dir/*cell*.stencil %t.dir/*receivers*.stencil | FileCheck --check-prefix=MODEL %s
// RUN: %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -mllvm -stencilopt-save-temps=%t.dir/two -mllvm -stencilopt-bt=2 -c %s -o /dev/null
// RUN: FileCheck --check-prefix=STORED %s < %t.dir/two/cell.0.ptx

#define SWEEP(b, a)                                                                                \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
            b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j + 1]
#define SWAP float *was = a; a = b; b = was

// MODEL: grid B: f32, 1 buffer, halo x 0..0 y 0..0, one further along x each step
// The kernel stores there: its pointer, behind those of both buffers and the other buffer, is used.
// STORED: .entry stencil_steps2(
// STORED: ld.param.b64 {{.*}}, [stencil_steps2_param_3];
void cell(int n, int m, int steps, float *a, float *b, float *trace) {
    for (int t = 0; t < steps; t++) {
        // CHECK: traces.c:[[#@LINE-1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
        SWEEP(b, a);
        SWAP;
        trace[t] = a[n / 2 * m + 3];
    }
}

// MODEL: grid B: f32, 1 buffer, halo x 0..0 y 0..0, one further along y each step
void receivers(int n, int m, int steps, float *a, float *b, float *rec) {
    // CHECK: traces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++) {
        SWEEP(b, a);
        SWAP;
        for (int r = 0; r < m; r++)
            rec[t * m + r] = a[5 * m + r];
    }
}

// CHECK: traces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, a kernel a sweep
void snapshots(int n, int m, int steps, float *a, float *b, float *all) {
    for (int t = 0; t < steps; t++) {
        SWEEP(b, a);
        SWAP;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                all[((long)t * n + i) * m + j] = a[i * m + j];
    }
}

// Of what each step reduced.
// CHECK: traces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, a kernel a sweep
void changes(int n, int m, int steps, float *a, float *b, float *change) {
    for (int t = 0; t < steps; t++) {
        float most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j + 1];
                float d = b[i * m + j] - a[i * m + j];
                most = d > most ? d : most;
            }
        SWAP;
        change[t] = most;
    }
}

// How many steps there will be is not known, nor whether the array has an element for each.
int until(int n, int m, int steps, float *a, float *b, float *change) {
    int t;
    for (t = 0; t < steps; t++) {
        float most = 0;
        // CHECK: traces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it{{.*}}(one writes another element in each step of a time loop whose steps cannot be counted)
        // CHECK: traces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU where there is one, a kernel a sweep
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j + 1];
                float d = b[i * m + j] - a[i * m + j];
                most = d > most ? d : most;
            }
        SWAP;
        change[t] = most;
        if (most < 1e-3f)
            break;
    }
    return t;
}

// A few cells at places that a table names.
// CHECK: traces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 2-D time loop of 4 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 4 arrays
void few(int n, int m, int steps, float *a, float *b, float (*rec)[3], const int *at) {
    for (int t = 0; t < steps; t++) {
        SWEEP(b, a);
        SWAP;
        for (int r = 0; r < 3; r++)
            rec[t][r] = a[at[r]];
    }
}

// Every second cell of a row.
void apart(int n, int m, int steps, float *a, float *b, float *rec, int count) {
    for (int t = 0; t < steps; t++) {
        // CHECK: traces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweeps are offloaded without the loop around them{{.*}}(sweep 2 of 2, line {{[0-9]+}}: an array is walked with a step of more than one element
        // CHECK: traces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sequence of 2 sweeps runs on a GPU where there is one
        SWEEP(b, a);
        SWAP;
        for (int r = 0; r < count; r++)
            rec[t * count + r] = a[5 * m + 2 * r];
    }
}

// Cells that a table names.
void gathered(int n, int m, int steps, float *a, float *b, float *rec, const int *at, int count) {
    for (int t = 0; t < steps; t++) {
        // CHECK: traces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it{{.*}}(sweep 2 of 2, line {{[0-9]+}}: the address of an array access is not a linear function of the loop variables
        // CHECK: traces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil {{.*}} runs on a GPU where there is one: one sweep a call
        SWEEP(b, a);
        SWAP;
        for (int r = 0; r < count; r++)
            rec[t * count + r] = a[at[r]];
    }
}
