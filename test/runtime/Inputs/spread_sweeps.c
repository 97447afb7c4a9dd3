/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loop nests that spread.c enters, from another file.
 */
#include "spread.h"

void jacobi(long rows, long n, REAL *to, const REAL *from) {
    for (long i = 1; i < rows - 1; i++)
        for (long j = 1; j < n - 1; j++)
            to[i * n + j] = (REAL)0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] +
                                          from[i * n + j - 1] + from[i * n + j + 1]);
}

void wide(long rows, long n, REAL *to, const REAL *from) {
    for (long i = 2; i < rows - 2; i++)
        for (long j = 2; j < n - 2; j++)
            to[i * n + j] = (REAL)0.3 * from[(i - 2) * n + j] + (REAL)0.3 * from[(i + 2) * n + j] +
                            (REAL)0.2 * from[i * n + j - 2] + (REAL)0.2 * from[i * n + j + 2];
}

void steps(long rows, long n, int count, REAL *a, REAL *b) {
    for (int t = 0; t < count; t++) {
        REAL *from = t % 2 ? b : a, *to = t % 2 ? a : b;
        for (long i = 1; i < rows - 1; i++)
            for (long j = 1; j < n - 1; j++)
                to[i * n + j] =
                    (REAL)0.2 * (from[i * n + j] + from[(i - 1) * n + j] + from[(i + 1) * n + j] +
                                 from[i * n + j - 1] + from[i * n + j + 1]);
    }
}

void two_sweeps(long rows, long n, int count, REAL *a, REAL *b) {
    for (int t = 0; t < count; t++) {
        for (long i = 1; i < rows; i++)
            for (long j = 0; j < n; j++)
                a[i * n + j] += (REAL)0.5 * (b[(i - 1) * n + j] - b[i * n + j]);
        for (long i = 0; i < rows - 1; i++)
            for (long j = 0; j < n; j++)
                b[i * n + j] += (REAL)0.25 * (a[(i + 1) * n + j] - a[i * n + j]);
    }
}

void scale(long rows, long n, REAL *a) {
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < n; j++)
            a[i * n + j] = (REAL)0.75 * a[i * n + j] + (REAL)0.125;
}

void walls(long rows, long n, REAL *a) {
    for (long j = 0; j < n; j++) {
        a[j] = a[n + j];
        a[(rows - 1) * n + j] = a[(rows - 2) * n + j];
    }
    for (long i = 0; i < rows; i++) {
        a[i * n] = a[i * n + 1];
        a[i * n + n - 1] = a[i * n + n - 2];
    }
}

void beside(long rows, long n, int count, REAL *a, REAL *b, REAL *c) {
    for (int t = 0; t < count; t++) {
        for (long i = 1; i < rows - 1; i++)
            for (long j = 0; j < n; j++)
                b[i * n + j] =
                    (REAL)0.25 * (a[(i - 1) * n + j] + 2 * a[i * n + j] + a[(i + 1) * n + j]);
        for (long i = 1; i < 3; i++)
            for (long j = 0; j < n; j++)
                c[i * n + j] = 2 * b[i * n + j];
        for (long i = 1; i < rows - 1; i++)
            for (long j = 0; j < n; j++)
                a[i * n + j] = b[i * n + j];
    }
}

REAL change(long rows, long n, int count, REAL *a, REAL *b) {
    REAL most = 0;
    for (int t = 0; t < count; t++) {
        most = 0;
        for (long i = 1; i < rows - 1; i++)
            for (long j = 1; j < n - 1; j++) {
                b[i * n + j] = (REAL)0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] +
                                             a[i * n + j - 1] + a[i * n + j + 1]);
                REAL now = b[i * n + j] - a[i * n + j];
                now = now < 0 ? -now : now;
                most = now > most ? now : most;
            }
        for (long i = 1; i < rows - 1; i++)
            for (long j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j];
    }
    return most;
}

int settle(long rows, long n, REAL limit, REAL *a, REAL *b) {
    REAL most = 2 * limit;
    int t = 0;
    while (most > limit && t < 40) {
        most = 0;
        for (long i = 1; i < rows - 1; i++)
            for (long j = 1; j < n - 1; j++) {
                b[i * n + j] = (REAL)0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] +
                                             a[i * n + j - 1] + a[i * n + j + 1]);
                REAL now = b[i * n + j] - a[i * n + j];
                now = now < 0 ? -now : now;
                most = now > most ? now : most;
            }
        for (long i = 1; i < rows - 1; i++)
            for (long j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j];
        t++;
    }
    return t;
}

REAL greatest(long rows, long n, const REAL *a) {
    REAL most = a[0];
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < n; j++)
            most = a[i * n + j] > most ? a[i * n + j] : most;
    return most;
}

REAL greatest_of_all(long cells, const REAL *a) {
    REAL most = a[0];
    for (long i = 0; i < cells; i++)
        most = a[i] > most ? a[i] : most;
    return most;
}

void around(long rows, long n, int count, REAL *a, REAL *b) {
    for (int t = 0; t < count; t++) {
        for (long i = 0; i < rows; i++)
            for (long j = 0; j < n; j++)
                b[i * n + j] = (REAL)0.25 * (a[(i + rows - 1) % rows * n + j] +
                                             a[(i + 1) % rows * n + j] + 2 * a[i * n + j]);
        for (long i = 0; i < rows; i++)
            for (long j = 0; j < n; j++)
                a[i * n + j] = b[i * n + j];
    }
}

void jacobi_3d(long planes, long rows, long n, REAL *to, const REAL *from) {
    for (long k = 1; k < planes - 1; k++)
        for (long i = 1; i < rows - 1; i++)
            for (long j = 1; j < n - 1; j++)
                to[(k * rows + i) * n + j] =
                    (REAL)0.25 *
                    (from[((k - 1) * rows + i) * n + j] + from[((k + 1) * rows + i) * n + j] +
                     from[(k * rows + i - 1) * n + j] + from[(k * rows + i) * n + j + 1]);
}
