/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loop nests that resident.c enters once a step, from another file.
 */
#include "resident.h"

void sweep(long n, float *to, const float *from) {
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            to[i * n + j] =
                0.2f * (from[i * n + j] + from[(i - 1) * n + j] + from[(i + 1) * n + j] +
                        from[i * n + j - 1] + from[i * n + j + 1]);
}

void sweep_part(long n, long rows, float *to, const float *from) {
    for (long i = 1; i < rows; i++)
        for (long j = 2; j < n - 2; j++)
            to[i * n + j] = 0.5f * (from[i * n + j - 2] + from[(i + 1) * n + j + 2]);
}

void sweep_3d(long n, double *to, const double *from) {
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            for (long k = 1; k < n - 1; k++)
                to[(i * n + j) * n + k] =
                    0.25 * (from[((i - 1) * n + j) * n + k] + from[((i + 1) * n + j) * n + k] +
                            from[(i * n + j - 1) * n + k] + from[(i * n + j) * n + k + 1]);
}

void weighted(long n, float *to, const float *from, const float *weight) {
    for (long i = 0; i < n; i++)
        for (long j = 1; j < n - 1; j++)
            to[i * n + j] = weight[i * n + j] * (from[i * n + j - 1] + from[i * n + j + 1]);
}

void edges(long n, float *a) {
    for (long j = 0; j < n; j++) {
        a[j] = a[n + j];
        a[(n - 1) * n + j] = a[(n - 2) * n + j];
    }
}

/* Several sweeps, and both arrays are read and written. */
void sweep_and_copy(long n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++)
                b[i * n + j] = 0.5f * (a[i * n + j - 1] + a[(i + 1) * n + j]);
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j] + 0.125f * a[i * n + j];
    }
}

float difference(long n, float *a, float *b) {
    float d = 0;
    for (int t = 0; t < 3; t++) {
        d = 0;
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++) {
                b[i * n + j] = 0.25f * (a[i * n + j - 1] + a[(i + 1) * n + j] + a[i * n + j + 1] +
                                        a[(i - 1) * n + j]);
                float now = b[i * n + j] - a[i * n + j];
                if (now < 0)
                    now = -now;
                if (now > d)
                    d = now;
            }
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j];
    }
    return d;
}

void steps_inside(long n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        float *now = t % 2 ? b : a, *next = t % 2 ? a : b;
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++)
                next[i * n + j] = 0.3f * (now[i * n + j] + now[i * n + j - 1] + now[i * n + j + 1]);
    }
}
