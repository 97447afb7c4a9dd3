/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Seven time loops, one of them over a grid that no GPU keeps on chip. */
#define STAR(to, from)                                                                             \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
            to[i][j] = W * from[i][j] + 0.1f * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + \
                                                from[i][j + 1]);
#define LOOP                                                                                       \
    for (int t = 0; t < steps; t++)                                                                \
        STAR(A[(t + 1) % 2], A[t % 2])

#define W 0.6f
void large(int steps, float A[2][8192][8192]) {
    enum { n = 8192, m = 8192 };
    LOOP
}
void small(int steps, float A[2][100][100]) {
    enum { n = 100, m = 100 };
    LOOP
}
void second(int n, int m, int steps, float A[2][n][m]) { LOOP }
#undef W
#define W 0.7f
void third(int n, int m, int steps, float A[2][n][m]) { LOOP }
#undef W
#define W 0.8f
void fourth(int n, int m, int steps, float A[2][n][m]) { LOOP }
#undef W
#define W 0.9f
void fifth(int n, int m, int steps, float A[2][n][m]) { LOOP }
#undef W
#define W 0.5f
void middle(int steps, float A[2][2048][2048]) {
    enum { n = 2048, m = 2048 };
    LOOP
}
