/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A sweep in each step, and what a program may do between: nothing, read a column, sweep a few
 * cells.
 *
 * The runtime reads this program's clock, so that what it learns does not depend on the machine.
 * Cells take what the program says, copies what the stub of a GPU says. The rest takes a fiftieth
 * of its time.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef CELLS
#define CELLS 2000
#endif
enum { N = CELLS, STEPS = 62 };

__attribute__((noinline)) static void sweep(long n, double *to, const double *from) {
    for (long j = 1; j < n - 1; j++)
        for (long i = 1; i < n - 1; i++)
            to[j * n + i] = 0.25 * (from[j * n + i - 1] + from[j * n + i + 1] +
                                    from[(j - 1) * n + i] + from[(j + 1) * n + i]);
}

static atomic_long spent; /* nanoseconds */

void stub_spends(double seconds) {
    spent += (long)(1e9 * seconds);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    long failed = syscall(SYS_clock_gettime, clock, now);
    if (failed || clock != CLOCK_MONOTONIC)
        return (int)failed;
    long time = (now->tv_sec * 1000000000 + now->tv_nsec) / 50 + spent;
    *now = (struct timespec){time / 1000000000, time % 1000000000};
    return 0;
}

/* A thread of the runtime opens the device meanwhile, in the machine's time. */
static void take(void) {
    stub_spends(2e-9 * N * N);
    usleep(3000);
}

/* So many operations that the loops take longer than to bring an array home and back. */
#define TWICE(x) x x
#define MORE v = v * 0.999 + 0.001;
__attribute__((noinline)) static void dear(long n, double *to, const double *from) {
    for (long j = 1; j < n - 1; j++)
        for (long i = 1; i < n - 1; i++) {
            double v = from[j * n + i - 1] + from[j * n + i + 1];
            TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(MORE)))))))
            to[j * n + i] = v + from[(j - 1) * n + i];
        }
}

/* Too few cells to pay by themselves. */
__attribute__((noinline)) static void border(long n, long depth, double *a) {
    for (long k = 1; k <= depth; k++)
        for (long i = 0; i < n; i++)
            a[(depth - k) * n + i] = a[(depth - 1 + k) * n + i];
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "quiet";
    double *a = malloc(sizeof(double) * N * N), *b = malloc(sizeof(double) * N * N), sum = 0;
    for (long i = 0; i < (long)N * N; i++)
        a[i] = b[i] = (double)(i * 7 % 101) / 16;
    int steps = strcmp(mode, "border") ? STEPS : 20; /* dear ones */
    for (int t = 0; t < steps; t++) {
        if (!strcmp(mode, "border"))
            dear(N / 2, b, a);
        else
            sweep(N, b, a);
        take();
        if (!strcmp(mode, "looks"))
            for (long j = 0; j < N; j++)
                sum += b[j * N + t];
        if (!strcmp(mode, "border"))
            border(N / 2, argc + 0L, b);
        double *c = a;
        a = b;
        b = c;
    }
    for (long i = 0; i < (long)N * N; i++)
        sum = sum * 0.999 + a[i] + 3 * b[i];
    printf("%a\n", sum);
    free(a);
    free(b);
    return 0;
}
