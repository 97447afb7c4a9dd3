/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
void heat(long n, long steps, float *a, float *b) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++)
                b[i * n + j] = 0.25f * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] +
                                        a[(i + 1) * n + j]);
        float *other = a;
        a = b;
        b = other;
    }
}
