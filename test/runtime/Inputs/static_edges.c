/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop on static arrays that calls a function between steps. The arrays begin and end within
 * pages; usage: static_edges CELL, where in its page the first one begins. The second one follows.
 * Between two runs the program fills them anew. Prints a number for all cells after each run.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 26, PAGE = 1024 };

static _Alignas(4096) int32_t memory[2 * N * N * N + 2 * PAGE];
static long noted;

__attribute__((noinline)) static void note(long step) {
    __asm__ volatile("" ::: "memory"); /* it may look at the arrays, and does not */
    noted += step;
}

__attribute__((noinline)) static void run(int32_t (*first)[N][N], int32_t (*second)[N][N],
                                          unsigned steps, int32_t add) {
    for (unsigned t = steps; t-- > 0;) {
        if (t % 4 == 1 || t == 6)
            note((long)t);
        int32_t (*from)[N][N] = t % 2 ? second : first, (*to)[N][N] = t % 2 ? first : second;
        for (short z = 4; z < N - 1; z++)
            for (short y = 1; y < N - 2; y++)
                for (short x = 1; x < N - 2; x++)
                    to[z][y][x] = from[z][y][x] + from[z][y][x - 1] + from[z][y][x + 1] -
                                  2 * from[z][y + 1][x] + from[z - 1][y][x] + from[z + 1][y][x] +
                                  add;
    }
}

static void fill(int32_t at[N][N][N], uint32_t seed) {
    for (int32_t *p = &at[0][0][0], i = 0; i < N * N * N; i++)
        p[i] = (int32_t)((seed = seed * 1664525 + 1013904223) >> 29);
}

static uint64_t sum_up(int32_t at[N][N][N]) {
    uint64_t sum = 0;
    for (const int32_t *p = &at[0][0][0], *end = p + N * N * N; p < end; p++)
        sum = (sum ^ (uint32_t)*p) * 0x100000001b3u;
    return sum;
}

int main(int argc, char **argv) {
    int32_t (*first)[N][N] = (int32_t (*)[N][N])(memory + (argc > 1 ? atoi(argv[1]) % PAGE : 0));
    int32_t (*second)[N][N] = first + N;
    static const unsigned steps[] = {6, 6, 1, 9, 1};
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        fill(first, i);
        fill(second, 7 * i + 1);
        run(first, second, steps[i], 5);
        printf("%016llx ", (unsigned long long)sum_up(first));
        printf("%016llx %ld\n", (unsigned long long)sum_up(second), noted);
    }
    return 0;
}
