/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Closes all descriptors but the standard ones, or replaces them, after sweeps; then looks at the
 * arrays, and sweeps again.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { N = 512, LAST = 1100 };
static float a[N][N], b[N][N];

__attribute__((noinline)) static void heat(float (*restrict to)[N], float (*restrict from)[N]) {
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++)
            to[y][x] = 0.25f * (from[y][x - 1] + from[y][x + 1] + from[y - 1][x] + from[y + 1][x]);
}

static void sweep(void) {
    for (int i = 0; i < 3; i++) {
        heat(b, a);
        heat(a, b);
    }
}

static void print(void) {
    uint64_t hash = 1;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            hash = hash * 31 + (uint64_t)(1e6f * a[y][x]);
    printf("%016llx\n", (unsigned long long)hash);
    fflush(stdout);
}

static void close_all(void) {
    for (int fd = 3; fd < LAST; fd++)
        close(fd);
}

static void replace_all(void) {
    int zeros = open("/dev/zero", O_RDWR);
    for (int fd = 3; fd < LAST; fd++)
        dup2(zeros, fd);
}

int main(int argc, char **argv) {
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            a[y][x] = b[y][x] = (float)(y * x % 97);
    sweep();
    if (argc > 1 && strcmp(argv[1], "close") == 0)
        close_all();
    else
        replace_all();
    print();
    sweep();
    print();
    return 0;
}
