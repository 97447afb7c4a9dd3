// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers and sizes that are read in the nest, and widths that rotate with the pointers.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s

struct field {
    int width;
    float *data;
};

// CHECK-LABEL: stencil in a_fields: rank 2, one sweep
// CHECK:       reads {{.*}}[0]: (-1,0) (0,1)
void a_fields(int n, int m, struct field *to, struct field *from) {
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < m - 1; i++)
            to->data[j * to->width + i] =
                from->data[j * from->width + i - 1] + from->data[(j + 1) * from->width + i];
}

// CHECK-LABEL: stencil in b_table: rank 1, time loop
// CHECK-NEXT:  grid {{.*}}: f32, 2 buffers
void b_table(int T, int n, float **u) {
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) & 1][i] = u[t & 1][i - 1] + u[t & 1][i + 1];
}

// CHECK-LABEL: stencil in c_widths: rank 2, time loop
// CHECK-NEXT:  grid {{.*}}: f32, 2 buffers
void c_widths(int T, int n, int m, struct field a, struct field b) {
    for (int t = 0; t < T; t++) {
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < m - 1; i++)
                b.data[j * b.width + i] =
                    a.data[j * a.width + i - 1] + a.data[(j + 1) * a.width + i];
        struct field c = a;
        a = b;
        b = c;
    }
}

// CHECK-LABEL: stencil in d_rows: rank 2, time loop
// CHECK-NEXT:  grid {{.*}}: f64, 2 buffers, halo x -1..0 y 0..1
void d_rows(int T, int n, double **a, double **b) {
    for (int t = 0; t < T; t++) {
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                b[j][i] = a[j][i - 1] + a[j + 1][i];
        double **c = a;
        a = b;
        b = c;
    }
}
