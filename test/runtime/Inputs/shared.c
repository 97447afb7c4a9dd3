/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A sweep that reads an array, whose copy on the device then is no newer than the program's; and one
 * call that writes some rows of the frame by others: each of these is a use of its own. With "forks"
 * a child shares the program's pages meanwhile, which cannot be taken away then. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef REAL
#define REAL double
#endif
#define AT(a, j, i) (a)[(j)*nx + (i)]

__attribute__((noinline)) static void sweep(long nx, long ny, REAL *to, const REAL *from) {
    for (long j = 2; j < ny - 2; j++)
        for (long i = 1; i < nx - 1; i++)
            AT(to, j, i) = (REAL)0.25 * (AT(from, j, i - 1) + AT(from, j, i + 1) -
                                         AT(from, j - 2, i) + AT(from, j + 2, i)) + 1;
}

__attribute__((noinline)) static void frame(long nx, long ny, long times, REAL *a) {
    for (long t = 0; t < times; t++) {
        for (long j = 0; j < 2; j++)
            for (long i = 1; i < nx - 1; i++)
                AT(a, j, i) = AT(a, j + ny / 2, i - 1) + AT(a, j + ny / 2, i + 1);
        for (long j = ny - 2; j < ny; j++)
            for (long i = 1; i < nx - 1; i++)
                AT(a, j, i) = AT(a, j - ny / 3, i - 1) - AT(a, j - ny / 3, i + 1);
    }
}

/* A child that ends when the pipe does. */
static pid_t start_child(int pipe_ends[2]) {
    char byte;
    if (pipe(pipe_ends) != 0)
        abort();
    pid_t child = fork();
    if (child != 0)
        return child;
    close(pipe_ends[1]);
    _exit(read(pipe_ends[0], &byte, 1) == 0 ? 0 : 1);
}

static void end_child(pid_t child, const int pipe_ends[2]) {
    int status;
    close(pipe_ends[1]);
    close(pipe_ends[0]);
    if (waitpid(child, &status, 0) != child || status != 0)
        abort();
}

static double sum_of(size_t cells, const REAL *a, const REAL *b) {
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum = sum * 0.999 + (double)a[i] + 3 * (double)b[i];
    return sum;
}

int main(int argc, char **argv) {
    long nx = argc > 1 ? atol(argv[1]) : 200, ny = argc > 2 ? atol(argv[2]) : 150;
    long steps = argc > 3 ? atol(argv[3]) : 7, times = argc > 4 ? atol(argv[4]) : 2;
    int ends[2];
    size_t cells = (size_t)(nx * ny);
    REAL *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b);
    for (size_t i = 0; i < cells; i++)
        a[i] = b[i] = (REAL)(i * 7 % 101) / 16;
    for (long t = 0; t < steps; t++) {
        sweep(nx, ny, b, a);
        frame(nx, ny, times, a);
        sweep(nx, ny, b, a);
        int forks = argc > 5 && t % 3 == 2;
        pid_t child = forks ? start_child(ends) : 0;
        frame(nx, ny, times, b);
        if (forks)
            end_child(child, ends);
        if (t % 3 == 2)
            printf("%a\n", sum_of(cells, a, b));
        REAL *c = a;
        a = b;
        b = c;
    }
    printf("%a\n", sum_of(cells, a, b));
    free(a);
    free(b);
}
