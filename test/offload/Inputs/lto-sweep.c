/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
            b[i * m + j] = 0.25f * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j]);

void sweep(int n, int m, const float *a, float *b) {
    CELLS
}

void whole(int n, int m, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        CELLS
        float *c = a;
        a = b;
        b = c;
    }
}
