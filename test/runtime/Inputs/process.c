/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * process MODE [FIRST STRIDE]: a program with two stencils, built with the plugin, that checks
 * their results against the same loops in functions that no pass touches. Prints "MODE: ok".
 *
 *   run       both, of several sizes and numbers of steps, twice
 *   threads   four threads at once, each with arrays of its own, in the same regions
 *   fork      a child of a process that used the device; then the parent again
 *   fork-first  a child before the parent uses the device; both do
 *   context   a context of its own, or HIP's second device, is current
 *   faults    the stub's call number FIRST fails, with STUBGPU_STICKY=1 all that follow too; in the
 *             next process, number FIRST + STRIDE; and so on
 */
#include "../stubgpu.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAT(name, ...)                                                                            \
    static __attribute__((noinline, __VA_ARGS__)) void name(int n, int steps, float A[2][n][n]) {  \
        for (int t = 0; t < steps; t++)                                                            \
            for (int i = 1; i < n - 1; i++)                                                        \
                for (int j = 1; j < n - 1; j++)                                                    \
                    A[(t + 1) % 2][i][j] =                                                         \
                        0.2f * (A[t % 2][i][j] + A[t % 2][i - 1][j] + A[t % 2][i + 1][j] +         \
                                A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);                          \
    }
HEAT(heat, used)
HEAT(heat_as_written, optnone)

#define DRIFT(name, ...)                                                                           \
    static __attribute__((noinline, __VA_ARGS__)) void name(long n, double *to,                    \
                                                            const double *from, double c) {        \
        for (long i = 2; i < n - 1; i++)                                                           \
            to[i] = c * from[i - 2] - from[i] / 3 + from[i + 1];                                   \
    }
DRIFT(drift, used)
DRIFT(drift_as_written, optnone)

static void fill(unsigned char *to, size_t bytes, bool is_double, unsigned seed) {
    for (size_t i = 0; i < bytes; i += is_double ? 8 : 4) {
        seed = seed * 1664525u + 1013904223u;
        double value = (double)(seed >> 8) / 16777216 - 0.25;
        float small = (float)value;
        memcpy(to + i, is_double ? (void *)&value : (void *)&small, is_double ? 8 : 4);
    }
}

static bool is_same(const char *what, int n, int steps, const void *a, const void *b,
                    size_t bytes) {
    if (memcmp(a, b, bytes) == 0)
        return true;
    printf("%s of %d, %d steps: another result\n", what, n, steps);
    return false;
}

static bool heat_is_right(int n, int steps) {
    size_t bytes = 2 * sizeof(float) * (size_t)n * (size_t)n;
    void *a = malloc(bytes), *b = malloc(bytes);
    fill(a, bytes, false, (unsigned)(n + steps));
    memcpy(b, a, bytes);
    heat(n, steps, a);
    heat_as_written(n, steps, b);
    bool ok = is_same("heat", n, steps, a, b, bytes);
    free(a);
    free(b);
    return ok;
}

static bool drift_is_right(int n) {
    size_t bytes = sizeof(double) * (size_t)n;
    double *from = malloc(bytes), *a = malloc(bytes), *b = malloc(bytes);
    fill((unsigned char *)from, bytes, true, (unsigned)n);
    fill((unsigned char *)a, bytes, true, 1);
    memcpy(b, a, bytes);
    drift(n, a, from, 0.75);
    drift_as_written(n, b, from, 0.75);
    bool ok = is_same("drift", n, 1, a, b, bytes);
    free(from);
    free(a);
    free(b);
    return ok;
}

static bool run(void) {
    static const int sizes[] = {3, 9, 34, 61}, steps[] = {1, 2, 7, 12};
    bool ok = true;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            ok = heat_is_right(sizes[i], steps[k]) && drift_is_right(7 * sizes[i] + k) && ok;
    return ok;
}

static void *thread_work(void *ok) {
    *(bool *)ok = run();
    return NULL;
}

static bool run_threads(void) {
    pthread_t threads[4];
    bool good[4], ok = true;
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, thread_work, &good[i]);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        ok = good[i] && ok;
    }
    return ok;
}

static int wait_for(pid_t child) {
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The child leaves by exit, so that exit handlers run in it. */
static bool run_in_child(bool (*work)(void)) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        exit(work() ? 0 : 1);
    int status = wait_for(child);
    if (status)
        printf("the child ended with status %d\n", status);
    return status == 0;
}

static bool run_fork(void) {
    return run() && run_in_child(run) && run();
}

static bool run_fork_first(void) {
    return run_in_child(run) && run() && run_in_child(run);
}

static void *stub;

static bool is_hip(void) {
    return dlsym(stub, "hipSetDevice") != NULL;
}

static void open_stub(void) {
    const char *path = getenv("STENCILOPT_LIBHIP");
    stub = dlopen(path ? path : getenv("STENCILOPT_LIBCUDA"), RTLD_NOW);
}

static stubgpu_counts counts_now(void) {
    stubgpu_counts counts;
    ((stubgpu_get_counts *)dlsym(stub, "stubgpu_read"))(&counts);
    return counts;
}

static bool run_context(void) {
    int context, *top = NULL;
    open_stub();
    if (is_hip()) {
        ((int (*)(int))dlsym(stub, "hipSetDevice"))(1);
        return run() && counts_now().current == 1 && counts_now().last_error == 0;
    }
    ((int (*)(void *))dlsym(stub, "cuCtxPushCurrent_v2"))(&context);
    bool ok = run() && counts_now().current == 1;
    ((int (*)(int **))dlsym(stub, "cuCtxPopCurrent_v2"))(&top);
    return ok && top == &context;
}

/* 0: right; 1: wrong; 10: right, and no call failed. */
static int run_with_failure(int k) {
    char text[32];
    snprintf(text, sizeof text, "all:%d", k);
    setenv("STUBGPU_FAIL", text, 1);
    open_stub();
    bool ok = heat_is_right(34, 7) && heat_is_right(9, 5);
    stubgpu_counts counts = counts_now();
    ok = ok && counts.current == 0 && (counts.last_error == 0 || !is_hip());
    return !ok ? 1 : counts.failed ? 0 : 10;
}

static int first = 1, stride = 1;

static bool run_faults(void) {
    for (int k = first;; k += stride) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            exit(run_with_failure(k));
        int status = wait_for(child);
        if (status == 10)
            return k > 40;
        if (status != 0) {
            printf("wrong, or status %d, with call %d failing\n", status, k);
            return false;
        }
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        bool (*run)(void);
    } modes[] = {{"run", run},
                 {"threads", run_threads},
                 {"fork", run_fork},
                 {"fork-first", run_fork_first},
                 {"context", run_context},
                 {"faults", run_faults}};
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(argv[1], modes[i].name) != 0)
            continue;
        if (argc > 3) {
            first = atoi(argv[2]);
            stride = atoi(argv[3]);
        }
        bool ok = modes[i].run();
        printf("%s: %s\n", argv[1], ok ? "ok" : "FAILED");
        return ok ? 0 : 1;
    }
    fprintf(stderr, "usage: process MODE\n");
    return 2;
}
