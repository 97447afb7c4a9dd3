// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that is read again in each step, of which sizes are read before it is known to be the one of the first step: the
// addresses are computed where the first step's pointer is there.
// RUN: %clang -O2 -w -fopenmp -fno-math-errno -ffp-contract=off -fpass-plugin=%plugin -S -emit-llvm %s -o - | %opt -passes=verify -S -o /dev/null
#include <string.h>

struct grid {
    int n0, n1, n2;
    double *A, *B;
};

__attribute__((noinline)) static void show(struct grid *s) { __asm__ volatile("" ::"r"(s) : "memory"); }

double run(struct grid *s, int steps) {
    double most = 0;
    if (s->n0 < 3 || s->n1 < 3 || s->n2 < 3)
        return 0;
    for (int t = 0; t < steps; t++) {
        most = 0;
#pragma omp parallel for reduction(+ : most)
        for (int i = 1; i < s->n0 - 1; i++)
            for (int j = 1; j < s->n1 - 1; j++)
                for (int k = 1; k < s->n2 - 1; k++)
                    most += s->B[(i * s->n1 + j) * s->n2 + k] - s->A[(i * s->n1 + j) * s->n2 + k];
        for (int i = 1; i < s->n0 - 1; i++)
            for (int j = 1; j < s->n1 - 1; j++)
                memcpy(&s->A[(i * s->n1 + j) * s->n2], &s->B[(i * s->n1 + j) * s->n2], s->n2 * sizeof(double));
        show(s);
    }
    return most;
}
