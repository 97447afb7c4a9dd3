// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps between elements that are known when the program runs are taken to be one element, and checked; and two
// arrays of which one is copied to the other to be alike.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: cat %t/*.stencil | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR <%t.ll

// CHECK-LABEL: stencil in a_arguments: rank 2, one sweep
// CHECK:       (1,0) (0,1)
// IR-LABEL: define {{.*}}@a_arguments(
// IR-DAG:   icmp eq i64 %4, 1
// IR-DAG:   icmp eq i64 %7, 1
// IR:       call {{.*}}@stencilopt.enter(
void a_arguments(long n, long m, const float *a, long row, long column, float *b, long r, long c) {
    for (long i = 0; i < n - 1; i++)
        for (long j = 0; j < m - 1; j++)
            b[i * r + j * c] = a[i * row + (j + 1) * column] + a[(i + 1) * row + j * column];
}

struct view {
    double *cells;
    long row, column;
};

// CHECK-LABEL: stencil in b_alike: rank 2, time loop
// CHECK-NEXT:  grid A: f64, 2 buffers
void b_alike(long n, long m, long steps, struct view *a, struct view *b) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b->cells[i * b->row + j * b->column] =
                    a->cells[i * a->row + (j + 1) * a->column] + a->cells[(i - 1) * a->row + j * a->column];
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                a->cells[i * a->row + j * a->column] = b->cells[i * b->row + j * b->column];
    }
}
