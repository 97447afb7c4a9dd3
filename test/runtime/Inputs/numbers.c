/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Closes standard input and output, uses the device, and says which descriptor numbers are open then.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { N = 512 };
static float a[N][N], b[N][N];

__attribute__((noinline)) static void heat(float (*restrict to)[N], float (*restrict from)[N]) {
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++)
            to[y][x] = 0.25f * (from[y][x - 1] + from[y][x + 1] + from[y - 1][x] + from[y + 1][x]);
}

int main(int argc, char **argv) {
    struct rlimit limit = {(rlim_t)atoi(argv[1]), (rlim_t)atoi(argv[1])};
    int lowest = -1, count = 0;
    if (argc != 2 || setrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 1;
    for (int fd = 3; fd < (int)limit.rlim_cur; fd++)
        close(fd);
    close(0);
    close(1);
    a[5][5] = 1;
    heat(b, a);
    heat(a, b);
    for (int fd = 0; fd < (int)limit.rlim_cur; fd++)
        if (fd != 2 && fcntl(fd, F_GETFD) >= 0) {
            count++;
            lowest = lowest < 0 ? fd : lowest;
        }
    fprintf(stderr, "%d open, lowest %d, value %g\n", count, lowest, (double)a[5][5]);
    return 0;
}
