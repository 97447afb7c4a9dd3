/* constructor-busy LIBRARY MICROSECONDS: a thread sweeps with new kernels, which are compiled. Meanwhile the library is
 * loaded, whose constructor sweeps, too. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 600 };
static float a[N][N], b[N][N];

#define SWEEP(k)                                                                                                       \
    __attribute__((noinline)) static void sweep_##k(float (*restrict to)[N], float (*restrict from)[N]) {              \
        for (int i = 1; i < N - 1; i++)                                                                                \
            for (int j = 1; j < N - 1; j++)                                                                            \
                to[i][j] = 0.125f * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + 0.##k##f * from[i][j + 1]);    \
    }
SWEEP(1)
SWEEP(2)
SWEEP(3)
SWEEP(4)
SWEEP(5)
SWEEP(6)

static void *sweep_all(void *unused) {
    sweep_2(b, a);
    sweep_3(a, b);
    sweep_4(b, a);
    sweep_5(a, b);
    sweep_6(b, a);
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    double sum = 0;
    int soon = argc > 2 ? atoi(argv[2]) : 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] = (float)((i + j) % 7);
    if (soon)
        sweep_1(a, b); /* opens the device */
    pthread_create(&thread, NULL, sweep_all, NULL);
    usleep(soon);
    if (!dlopen(argv[1], RTLD_NOW))
        printf("%s\n", dlerror());
    pthread_join(thread, NULL);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += b[i][j];
    printf("loaded, %g\n", sum);
    return 0;
}
