/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What a program may do before its first region: nothing, wait, fork; it may have none.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 900, STEPS = 9 };

__attribute__((noinline)) static void step(long n, double *to, const double *from) {
    for (long j = 1; j < n - 1; j++)
        for (long i = 1; i < n - 1; i++)
            to[j * n + i] = 0.25 * (from[j * n + i - 1] + from[j * n + i + 1] +
                                    from[(j - 1) * n + i] + from[(j + 1) * n + i]);
}

static double run(void) {
    double *a = malloc(sizeof(double) * N * N), *b = malloc(sizeof(double) * N * N), sum = 0;
    for (long i = 0; i < (long)N * N; i++)
        a[i] = b[i] = (double)(i * 7 % 101) / 16;
    for (int t = 0; t < STEPS; t++)
        step(N, t % 2 ? a : b, t % 2 ? b : a);
    for (long i = 0; i < (long)N * N; i++)
        sum = sum * 0.999 + a[i] + 3 * b[i];
    free(a);
    free(b);
    return sum;
}

/* Does a child compute the same? */
static int forks(void) {
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        exit(run() != run());
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static int count_threads(void) {
    int count = 0;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *e; d && (e = readdir(d));)
        count += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return count;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "run";
    if (!strcmp(mode, "nothing"))
        return 0;
    if (!strcmp(mode, "threads"))
        return printf("threads: %d\n", count_threads()) < 0;
    if (!strcmp(mode, "late"))
        usleep(500000);
    if (!strcmp(mode, "forks") && !forks())
        return 1;
    printf("%a\n", run());
    return 0;
}
