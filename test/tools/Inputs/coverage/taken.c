/* A time loop that runs whole, a nest that is refused, and one that a condition leaves out of the run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40, STEPS = 6 };
static float a[N][N], b[N][N];

__attribute__((noinline)) static void heat(void) {
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        memcpy(a, b, sizeof a);
    }
}

__attribute__((noinline)) static void in_place(void) {
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            a[i][j] = 0.5f * (a[i - 1][j] + a[i][j - 1]);
}

int main(int argc, char **argv) {
    for (int i = 0; i < N * N; i++)
        a[i / N][i % N] = b[i / N][i % N] = (float)(i * 31 % 17);
    heat();
    in_place();
    FILE *file = fopen("field", "wb");
    fwrite(a, sizeof a, 1, file);
    fclose(file);
    printf("done\nat %p\n", (void *)argv);
    return argc > 9;
}
