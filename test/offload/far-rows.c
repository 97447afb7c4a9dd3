// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows 512 MiB apart: host addresses have 64 bits, and only the cells of the loops are touched, for
// between them there is no memory.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -O2 -ffp-contract=off %s -o %t/plain
// RUN: %clang -O2 -ffp-contract=off -fpass-plugin=%plugin %s -o %t/offloaded
// RUN: %t/plain > %t/wanted
// RUN: env STENCILOPT_DEVICE=sim STENCILOPT_REPORT=each %t/offloaded > %t/found 2> %t/report
// RUN: cmp %t/wanted %t/found
// RUN: FileCheck %s < %t/report
// CHECK: plate: sim (simulator): grid 148x38, steps 7
// CHECK: swapped: sim (simulator): grid 148x38, steps 8
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 40, M = 150 };
static const long pitch = (1L << 27) + 3;

__attribute__((noinline)) void plate(int n, int m, long pitch, int steps, float A[2][n][pitch]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] = 0.2f * A[t % 2][i - 1][j] + 0.1f * A[t % 2][i][j - 1] +
                                       0.3f * A[t % 2][i][j] + 0.1f * A[t % 2][i][j + 1] +
                                       0.2f * A[t % 2][i + 1][j];
}

__attribute__((noinline)) void swapped(long n, long m, long pitch, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[i * pitch + j] = 0.5f * a[i * pitch + j - 1] + 0.4f * a[(i + 1) * pitch + j];
        float *other = a;
        a = b;
        b = other;
    }
}

/* The pages that hold a row's cells. */
static int make_row(float *row) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)row / page * page;
    return mprotect((void *)from, (uintptr_t)(row + M) - from, PROT_READ | PROT_WRITE);
}

int main(void) {
    size_t bytes = 2 * N * (size_t)pitch * sizeof(float);
    float *a = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (a == MAP_FAILED)
        return 1;
    for (int i = 0; i < 2 * N; i++) {
        if (make_row(a + i * pitch))
            return 1;
        for (int j = 0; j < M; j++)
            a[i * pitch + j] = (float)((i * 131 + j * 71) % 97) / 97;
    }
    plate(N, M, pitch, 7, (float(*)[N][pitch])a);
    swapped(N, M, pitch, 8, a, a + N * pitch);
    for (int i = 0; i < 2 * N; i++)
        for (int j = 0; j < M; j++)
            printf("%a\n", (double)a[i * pitch + j]);
    return 0;
}
