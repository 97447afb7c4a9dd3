/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A thread counts in a cell of an array that a mask leaves out, while another one sweeps over the
 * array. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60, M = 70, AT = 31 * M + 17 };

static atomic_bool over;
static uint32_t counted;

static void *count(void *cell) {
    volatile uint32_t *at = cell;
    while (!atomic_load(&over)) {
        ++*at;
        ++counted;
    }
    return NULL;
}

__attribute__((noinline)) static void sweep(uint32_t *a, const uint32_t *b, const int32_t *mask) {
    for (long i = 1; i < N - 1; i++)
        for (long j = 1; j < M - 1; j++)
            if (mask[i * M + j])
                a[i * M + j] = b[i * M + j - 1] + b[(i + 1) * M + j];
}

int main(void) {
    uint32_t *a = calloc(N * M, sizeof *a), *b = calloc(N * M, sizeof *b);
    int32_t *mask = calloc(N * M, sizeof *mask);
    pthread_t thread;
    int wrong = 0;
    for (int i = 0; i < N * M; i++) {
        b[i] = (uint32_t)i;
        mask[i] = i != AT && i % 3 == 0;
    }
    pthread_create(&thread, NULL, count, &a[AT]);
    for (int t = 0; t < 300; t++)
        sweep(a, b, mask);
    atomic_store(&over, 1);
    pthread_join(thread, NULL);
    for (int i = 0; i < N * M; i++) {
        int inner = i >= M && i < (N - 1) * M && i % M > 0 && i % M < M - 1;
        uint32_t swept = mask[i] && inner ? b[i - 1] + b[i + M] : 0;
        wrong += a[i] != (i == AT ? counted : swept);
    }
    puts(wrong ? "cells are wrong" : "nothing is lost");
    free(a);
    free(b);
    free(mask);
    return wrong != 0;
}
