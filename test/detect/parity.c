// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two copies in one array: however the program writes "the other one", it is one grid of two buffers.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fdiscard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s

enum { N = 64 };
float A[2][N];

#define UPDATE(to, from)                                                                           \
    for (int i = 1; i < N - 1; i++)                                                                \
        A[to][i] = A[from][i - 1] + A[from][i + 1]

void remainder_int(int T) {
    for (int t = 0; t < T; t++)
        UPDATE((t + 1) % 2, t % 2);
}
void and_unsigned(unsigned T) {
    for (unsigned t = 0; t < T; t++)
        UPDATE((t + 1) & 1, t & 1);
}
void xor_long(long T) {
    for (long t = 0; t < T; t++)
        UPDATE((t & 1) ^ 1, t & 1);
}
void from_odd(int T) {
    for (int t = 1; t < T; t++)
        UPDATE((t + 1) & 1, t & 1);
}
void any_start(int s, int T) {
    for (int t = s; t < T; t++)
        UPDATE((t + 1) & 1, t & 1);
}
void counts_down(int T) {
    for (int t = T; t > 0; t--)
        UPDATE((t + 1) & 1, t & 1);
}
void byte_counter(unsigned char T) {
    for (unsigned char t = 0; t < T; t++)
        UPDATE((t + 1) & 1, t & 1);
}
void conditional_pointers(int T, float *a, float *b) {
    for (int t = 0; t < T; t++) {
        float *from = t & 1 ? b : a, *to = t & 1 ? a : b;
        for (int i = 1; i < N - 1; i++)
            to[i] = from[i - 1] + from[i + 1];
    }
}
// An unknown step may be even: then the buffers do not alternate, and each sweep is a region.
void unknown_step(unsigned T, unsigned step) {
    unsigned t = 0;
    for (unsigned k = 0; k < T; k++, t += step)
        UPDATE((t + 1) & 1, t & 1);
}

// CHECK-LABEL: stencil in and_unsigned: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](-1), A[0](1))
// CHECK-LABEL: stencil in any_start: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](-1), A[0](1))
// CHECK-LABEL: stencil in byte_counter: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](-1), A[0](1))
// CHECK-LABEL: stencil in conditional_pointers: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](-1), A[0](1))
// CHECK-LABEL: stencil in counts_down: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](-1), A[0](1))
// CHECK-LABEL: stencil in from_odd: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](-1), A[0](1))
// CHECK-LABEL: stencil in remainder_int: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](-1), A[0](1))
// CHECK-LABEL: stencil in unknown_step: rank 1, one sweep
// CHECK-LABEL: stencil in xor_long: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](-1), A[0](1))
