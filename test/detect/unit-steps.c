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

#define SEND(memory) __asm__ volatile("" : : "r"(memory) : "memory")

// A loop that also walks an array by one element, or accesses cells beside one another, walks a column: its step is
// the length of a row, and not taken to be one element. Columns are regions by themselves.
// CHECK-LABEL: in c_columns: rank 2
// CHECK-NEXT:  sweep 1: along y
// CHECK:       reads B[0]: (0,0)
// CHECK-LABEL: stencil in c_columns: rank 2, one sweep
// CHECK-LABEL: in c_columns: rank 2
// CHECK-NEXT:  sweep 1: along y
// CHECK:       reads B[0]: (0,0) (0,2)
// CHECK-LABEL: in c_columns: rank 2
// CHECK-NEXT:  sweep 1: along y
void c_columns(int steps, long n, long m, double *restrict a, double *restrict b, double *restrict packed) {
    for (int t = 0; t < steps; t++) {
        for (long i = 0; i < n; i++)
            packed[i] = a[i * m + 1];
        SEND(packed);
        for (long i = 1; i < n - 1; i++)
            for (long j = 2; j < m - 2; j++)
                b[i * m + j] = a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1];
        SEND(b);
        for (long i = 1; i < n - 1; i++)
            b[i * m + 1] = a[(i - 1) * m + 1] + a[(i + 1) * m + 1] + a[i * m] + a[i * m + 2];
        for (long i = 1; i < n - 1; i++)
            b[i * m + m - 2] = a[(i - 1) * m + m - 2] + a[(i + 1) * m + m - 2] + a[i * m + m - 3] + a[i * m + m - 1];
        SEND(b);
    }
}

// Without a sweep of rows beside it, a loop that only copies is left.
// CHECK-NOT: in d_copies
void d_copies(int steps, long n, long m, double *restrict a, double *restrict packed) {
    for (int t = 0; t < steps; t++) {
        for (long i = 0; i < n; i++)
            packed[i] = a[i * m + 1];
        SEND(packed);
    }
}
