// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three time levels in one array: however the program writes their numbers modulo 3, it is one grid
// of three buffers.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fdiscard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s
// RUN: %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s -check-prefix=MISSED

enum { N = 64 };
float A[3][N];

#define UPDATE(to, from, before)                                                                   \
    for (int i = 1; i < N - 1; i++)                                                                \
        A[to][i] = A[from][i - 1] + A[from][i + 1] - A[before][i]

void a_from_zero(int T) {
    for (int t = 0; t < T; t++)
        UPDATE((t + 2) % 3, (t + 1) % 3, t % 3);
}
void b_from_two(unsigned T) {
    for (unsigned t = 2; t < T; t++)
        UPDATE((t + 1) % 3, t % 3, (t - 1) % 3);
}
void c_any_start(int s, int T) {
    for (int t = s; t < T; t++)
        UPDATE((t + 1) % 3, t % 3, (t + 2) % 3);
}
void d_carried(int s, int T) {
    for (int t = s, a = t % 3, b = (t + 1) % 3, c = (t + 2) % 3; t < T;
         t++, a = t % 3, b = (t + 1) % 3, c = (t + 2) % 3)
        UPDATE(b, a, c);
}
void e_long(long s, long T, int n, int m, float u[3][n][m]) {
    for (long t = s; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                u[(t + 1) % 3][i][j] = u[t % 3][i - 1][j] - u[(t + 2) % 3][i][j];
}
// The level that the new one replaces: three steps back.
void f_replaced(int T) {
    for (int t = 0; t < T; t++)
        UPDATE((t + 1) % 3, t % 3, (t + 4) % 3);
}
// Not what it is a step before: started at another number.
void g_other_start(int T) {
    for (int t = 0, a = 1; t < T; t++, a = (t + 2) % 3)
        UPDATE(a, t % 3, (t + 1) % 3);
}
// Every second number: the three are taken in another order.
void h_by_two(int T) {
    for (int t = 0; t < T; t += 2)
        UPDATE((t + 2) % 3, t % 3, (t + 1) % 3);
}
// A quotient is none of it.
void i_quotient(void) {
    for (int t = 0; t < 9; t++)
        UPDATE(t / 3, t % 3, (t + 1) % 3);
}

// CHECK-LABEL: time loop of 1 sweep in a_from_zero: rank 1
// CHECK-NEXT:  sweep 1: along x
// CHECK-NEXT:  grid A: f32, 3 buffers, halo x -1..1
// CHECK-NEXT:  reads A[+1]: (-1) (1)
// CHECK-NEXT:  reads A[0]: (0)
// CHECK-NEXT:  writes A[+2]
// CHECK-LABEL: time loop of 1 sweep in b_from_two: rank 1
// CHECK-NEXT:  sweep 1: along x
// CHECK-NEXT:  grid A: f32, 3 buffers, halo x -1..1
// CHECK-NEXT:  reads A[+1]: (-1) (1)
// CHECK-NEXT:  reads A[0]: (0)
// CHECK-NEXT:  writes A[+2]
// CHECK-LABEL: time loop of 1 sweep in c_any_start: rank 1
// CHECK-NEXT:  sweep 1: along x
// CHECK-NEXT:  grid A: f32, 3 buffers, halo x -1..1
// CHECK-NEXT:  reads A[+1]: (-1) (1)
// CHECK-NEXT:  reads A[0]: (0)
// CHECK-NEXT:  writes A[+2]
// CHECK-LABEL: time loop of 1 sweep in d_carried: rank 1
// CHECK-NEXT:  sweep 1: along x
// CHECK-NEXT:  grid A: f32, 3 buffers, halo x -1..1
// CHECK-NEXT:  reads A[+1]: (-1) (1)
// CHECK-NEXT:  reads A[0]: (0)
// CHECK-NEXT:  writes A[+2]
// CHECK-LABEL: stencil in e_long: rank 2, time loop
// CHECK-NEXT:  grid A: f32, 3 buffers
// CHECK-NEXT:  reads A[0]: (0,-1)
// CHECK-NEXT:  reads A[-1]: (0,0)
// CHECK-NEXT:  writes A[+1]
// CHECK-LABEL: stencil in f_replaced: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 3 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (1)
// CHECK-NEXT:  reads A[+1]: (0)
// CHECK-NEXT:  writes A[+1]
// CHECK-LABEL: time loop of 1 sweep in h_by_two: rank 1
// CHECK-NEXT:  sweep 1: along x
// CHECK-NEXT:  grid A: f32, 3 buffers, halo x -1..1
// CHECK-NEXT:  reads A[+1]: (-1) (1)
// CHECK-NEXT:  reads A[0]: (0)
// CHECK-NEXT:  writes A[+2]
// CHECK-NOT: stencil in
// MISSED: modulo.c:46:9: remark: loop nest not offloaded: the address
// MISSED: modulo.c:56:9: remark: loop nest not offloaded: the address

// Numbers of steps that ScalarEvolution knows to be in range are not checked at run time, in 128 bits; where the
// first one is any number they are.
// RUN: %clang -O2 -ffp-contract=off -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='thinlto-pre-link<O2>,stencil-offload' -S | FileCheck %s -check-prefix=RANGE

// RANGE-LABEL: define {{.*}}@a_from_zero(
// RANGE: call {{.*}}@stencilopt
// RANGE-LABEL: define {{.*}}@b_from_two(
// RANGE-NOT: i128
// RANGE-LABEL: define {{.*}}@c_any_start(
// RANGE: icmp {{.*}} i128
