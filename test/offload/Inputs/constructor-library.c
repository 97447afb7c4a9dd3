/* A sweep in the constructor of a library: the thread that runs it has the loader's lock. */
#include <stdio.h>

enum { N = 600 };
static float a[N][N], b[N][N];

__attribute__((constructor)) static void start(void) {
    unsigned long sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (float)((i * 7 + j * 3) % 11);
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += (unsigned long)(4 * b[i][j]);
    printf("sum %lu\n", sum);
}
