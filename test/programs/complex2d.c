/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fields of complex numbers, as programs of waves have them: a step multiplies by complex numbers, with bounds in
 * global variables that stores of complex numbers may change for all that a compiler knows. Some cells hold infinities
 * and no numbers. Prints a digest of all bits, but one for all that is no number.
 *
 *   complex2d ROWS COLUMNS STEPS
 */
#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rows, columns;

static uint64_t digest;
static int odd; /* cells that are infinite or no numbers */

static void add(double v) {
    uint64_t bits;
    odd += v - v != 0;
    v = v == v ? v : 0.5;
    memcpy(&bits, &v, sizeof bits);
    digest = (digest ^ bits) * UINT64_C(1099511628211);
}

#define FIELDS(REAL, NAME)                                                                                             \
    typedef REAL complex NAME;                                                                                         \
    NAME *NAME##_now, *NAME##_next, *NAME##_factor;                                                                    \
                                                                                                                       \
    /* One step: the Laplacian times a number and a field. */                                                          \
    __attribute__((noinline)) static void NAME##_step(NAME turn) {                                                     \
        for (int i = 1; i < rows - 1; i++)                                                                             \
            for (int j = 1; j < columns - 1; j++)                                                                      \
                NAME##_next[i * columns + j] =                                                                         \
                    NAME##_now[i * columns + j] * turn +                                                               \
                    NAME##_factor[i * columns + j] *                                                                   \
                        (NAME##_now[(i - 1) * columns + j] + NAME##_now[(i + 1) * columns + j] +                       \
                         NAME##_now[i * columns + j - 1] + NAME##_now[i * columns + j + 1]);                           \
    }                                                                                                                  \
                                                                                                                       \
    /* The same in a time loop, of local variables. */                                                                 \
    __attribute__((noinline)) static void NAME##_steps(NAME *restrict a, NAME *restrict b, int n, int m, int steps,    \
                                                       NAME turn) {                                                    \
        for (int t = 0; t < steps; t++) {                                                                              \
            for (int i = 1; i < n - 1; i++)                                                                            \
                for (int j = 1; j < m - 1; j++)                                                                        \
                    b[i * m + j] = a[i * m + j] * turn + turn * turn * (a[(i - 1) * m + j] + a[(i + 1) * m + j]);      \
            for (int i = 1; i < n - 1; i++)                                                                            \
                for (int j = 1; j < m - 1; j++)                                                                        \
                    a[i * m + j] = b[i * m + j];                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void NAME##_fill(NAME *a, int kind, int hostile) {                                                          \
        static const double some[] = {0, -0.0, 1, -1, 3e38, 1e308, __builtin_inf(), -__builtin_inf(), __builtin_nan("")}; \
        for (int k = 0; k < rows * columns; k++) {                                                                     \
            REAL part[2] = {(REAL)((k * 7 + kind) % 11) / 8 - 1, (REAL)((k * 5 + kind) % 13) / 8 - 1};                 \
            if (hostile && k % 3 == 0) {                                                                               \
                part[0] = (REAL)some[(k / 3 + kind) % 9];                                                              \
                part[1] = (REAL)some[(k / 27 + 2 * kind) % 9];                                                         \
            }                                                                                                          \
            memcpy(&a[k], part, sizeof part);                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void NAME##_show(const NAME *a) {                                                                           \
        digest = 14695981039346656037u;                                                                                \
        odd = 0;                                                                                                       \
        for (int k = 0; k < rows * columns; k++) {                                                                     \
            REAL part[2];                                                                                              \
            memcpy(part, &a[k], sizeof part);                                                                          \
            add(part[0]);                                                                                              \
            add(part[1]);                                                                                              \
        }                                                                                                              \
        printf(#NAME " %d %016llx\n", odd, (unsigned long long)digest);                                                \
    }                                                                                                                  \
                                                                                                                       \
    static void NAME##_all(int steps, int hostile) {                                                                   \
        size_t count = (size_t)rows * (size_t)columns;                                                                 \
        NAME##_now = malloc(count * sizeof(NAME));                                                                     \
        NAME##_next = malloc(count * sizeof(NAME));                                                                    \
        NAME##_factor = malloc(count * sizeof(NAME));                                                                  \
        NAME##_fill(NAME##_now, 1, hostile);                                                                           \
        NAME##_fill(NAME##_next, 1, hostile);                                                                          \
        NAME##_fill(NAME##_factor, 3, hostile);                                                                        \
        for (int t = 0; t < steps; t++) {                                                                              \
            NAME##_step((REAL)0.4375 + (REAL)0.25 * I);                                                                \
            NAME *other = NAME##_now;                                                                                  \
            NAME##_now = NAME##_next;                                                                                  \
            NAME##_next = other;                                                                                       \
        }                                                                                                              \
        NAME##_show(NAME##_now);                                                                                       \
        NAME##_steps(NAME##_now, NAME##_factor, rows, columns, steps, (REAL)0.5 - (REAL)0.125 * I);                    \
        NAME##_show(NAME##_now);                                                                                       \
        NAME##_show(NAME##_factor);                                                                                    \
        free(NAME##_now);                                                                                              \
        free(NAME##_next);                                                                                             \
        free(NAME##_factor);                                                                                           \
    }

FIELDS(double, wide)
FIELDS(float, narrow)

int main(int argc, char **argv) {
    for (int k = 1; k + 2 < argc; k += 3) {
        rows = atoi(argv[k]);
        columns = atoi(argv[k + 1]);
        for (int hostile = 0; hostile < 2; hostile++) {
            wide_all(atoi(argv[k + 2]), hostile);
            narrow_all(atoi(argv[k + 2]), hostile);
        }
    }
    return 0;
}
