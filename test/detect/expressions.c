// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a cell computes: conditions become selects, i, j and t are coordinates, loads that GVN carries over are loads again.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fdiscard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s

enum { N = 64 };
float A[N][N], B[N][N], K[N];
int M[N][N];
unsigned char U[N][N], V[N][N];

#define CELLS                                                                                      \
    for (int j = 1; j < N - 1; j++)                                                                \
        for (int i = 1; i < N - 1; i++)

void a_conditional(void) {
    CELLS B[j][i] = M[j][i] > 3 ? A[j][i - 1] + A[j][i + 1] + A[j][i] : A[j][i - 1] * A[j][i + 1] * A[j][i];
}
void b_carried(int n, const float *restrict a, float *restrict b) {
    for (int i = 2; i < n; i++)
        b[i] = a[i - 2] * a[i - 1] + a[i];
}
void c_coordinates(void) {
    CELLS B[j][i] = A[j][i - 1] + A[j][i + 1] + (float)(i * 3 + j);
}
void d_table(const float *restrict w) {
    CELLS B[j][i] = w[0] * A[j][i - 1] + w[1] * A[j][i + 1];
}
void d_table_in_memory(const float *w) {
    CELLS B[j][i] = w[0] * A[j][i - 1] + w[1] * A[j][i + 1];
}
void e_profiles(void) {
    CELLS B[j][i] = K[i] * A[j][i - 1] + K[j] * A[j][i + 1];
}
void f_bytes(void) {
    CELLS V[j][i] = (U[j][i - 1] + U[j][i + 1] + 1) >> 1;
}
void g_division(const int *restrict d, int *restrict q, int n) {
    for (int i = 1; i < n - 1; i++)
        q[i] = d[i - 1] + d[i] + d[i + 1] + (d[i] ? d[i - 1] / d[i] : 9);
}
void h_time(int T, float (*a)[N]) {
    for (int t = 0; t < T; t++)
        for (int i = 1; i < N - 1; i++)
            a[(t + 1) & 1][i] = a[t & 1][i - 1] + (float)t;
}
void i_switch(int n, const int *restrict a, int *restrict b) {
    for (int i = 1; i < n - 1; i++) {
        int v = a[i - 1] + a[i + 1];
        switch (a[i]) {
        case 1: v /= 3; break;
        case 4: v *= v + 7; break;
        default: v -= a[i - 1];
        }
        b[i] = v;
    }
}
void j_mixed_sizes(int n, const signed char *restrict a, double *restrict b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] * 0.5 + a[i + 1];
}

// CHECK-LABEL: stencil in a_conditional: rank 2, one sweep
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  grid M: i32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  grid A: f32, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT:  reads M[0]: (0,0)
// CHECK-NEXT:  reads A[0]: (-1,0) (1,0) (0,0)
// CHECK-NEXT:  writes B[0]
// CHECK-NEXT:  = select(icmp.sgt(M[0](0,0), 3), fadd(fadd(A[0](-1,0), A[0](1,0)), A[0](0,0)), fmul(fmul(A[0](-1,0), A[0](1,0)), A[0](0,0)))
// CHECK-LABEL: stencil in b_carried: rank 1, one sweep
// CHECK-NEXT:  grid A: f32, 1 buffer, halo x 0..0
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x -2..0
// CHECK-NEXT:  reads B[0]: (-2) (-1) (0)
// CHECK-NEXT:  writes A[0]
// CHECK-NEXT:  = fadd(fmul(B[0](-2), B[0](-1)), B[0](0))
// CHECK-LABEL: stencil in c_coordinates: rank 2, one sweep
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  grid A: f32, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT:  reads A[0]: (-1,0) (1,0)
// CHECK-NEXT:  writes B[0]
// CHECK-NEXT:  = fadd(fadd(A[0](-1,0), A[0](1,0)), uitofp.f32(trunc.i32(add(mul(add(1, x), 3), add(1, y)))))
// CHECK-LABEL: stencil in d_table: rank 2, one sweep
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  grid A: f32, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT:  scalar s0: f32
// CHECK-NEXT:  scalar s1: f32
// CHECK-NEXT:  reads A[0]: (-1,0) (1,0)
// CHECK-NEXT:  writes B[0]
// CHECK-NEXT:  = fadd(fmul(s0, A[0](-1,0)), fmul(s1, A[0](1,0)))
// CHECK-LABEL: stencil in d_table_in_memory: rank 2, one sweep
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x 0..1 y 0..0, constant along x, constant along y
// CHECK-NEXT:  grid A: f32, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT:  reads B[0]: (0,0) (1,0)
// CHECK-NEXT:  reads A[0]: (-1,0) (1,0)
// CHECK-NEXT:  writes B[0]
// CHECK-NEXT:  = fadd(fmul(B[0](0,0), A[0](-1,0)), fmul(B[0](1,0), A[0](1,0)))
// CHECK-LABEL: stencil in e_profiles: rank 2, one sweep
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  grid K: f32, 1 buffer, halo x 0..0 y 0..0, constant along y
// CHECK-NEXT:  grid A: f32, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT:  grid K: f32, 1 buffer, halo x 0..0 y 0..0, constant along x
// CHECK-NEXT:  reads K[0]: (0,0)
// CHECK-NEXT:  reads A[0]: (-1,0) (1,0)
// CHECK-NEXT:  reads K[0]: (0,0)
// CHECK-NEXT:  writes B[0]
// CHECK-NEXT:  = fadd(fmul(K[0](0,0), A[0](-1,0)), fmul(K[0](0,0), A[0](1,0)))
// CHECK-LABEL: stencil in f_bytes: rank 2, one sweep
// CHECK-NEXT:  grid V: i8, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  grid U: i8, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT:  reads U[0]: (-1,0) (1,0)
// CHECK-NEXT:  writes V[0]
// CHECK-NEXT:  = trunc.i8(lshr(add(add(zext.i16(U[0](-1,0)), 1), zext.i16(U[0](1,0))), 1))
// CHECK-LABEL: stencil in g_division: rank 1, one sweep
// CHECK-NEXT:  grid A: i32, 1 buffer, halo x 0..0
// CHECK-NEXT:  grid B: i32, 1 buffer, halo x -1..1
// CHECK-NEXT:  reads B[0]: (0) (-1) (1)
// CHECK-NEXT:  writes A[0]
// CHECK-NEXT:  [[X0:%[0-9]+]] = xor(icmp.eq(B[0](0), 0), 1)
// CHECK-NEXT:  = add(add(add(B[0](0), B[0](-1)), B[0](1)), select([[X0]], sdiv(B[0](-1), select([[X0]], B[0](0), 1)), 9))
// CHECK-LABEL: stencil in h_time: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..0
// CHECK-NEXT:  scalar s0: i32, advances each step
// CHECK-NEXT:  reads A[0]: (-1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](-1), uitofp.f32(s0))
// CHECK-LABEL: stencil in i_switch: rank 1, one sweep
// CHECK-NEXT:  grid A: i32, 1 buffer, halo x 0..0
// CHECK-NEXT:  grid B: i32, 1 buffer, halo x -1..1
// CHECK-NEXT:  reads B[0]: (1) (-1) (0)
// CHECK-NEXT:  writes A[0]
// CHECK-NEXT:  [[X0:%[0-9]+]] = add(B[0](1), B[0](-1))
// CHECK-NEXT:  = select(icmp.eq(B[0](0), 4), mul(add([[X0]], 7), [[X0]]), select(icmp.eq(B[0](0), 1), sdiv([[X0]], 3), B[0](1)))
// CHECK-LABEL: stencil in j_mixed_sizes: rank 1, one sweep
// CHECK-NEXT: grid A: f64, 1 buffer, halo x 0..0
// CHECK-NEXT: grid B: i8, 1 buffer, halo x -1..1
