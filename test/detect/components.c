// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that are not side by side: each is a row of one cell.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
typedef struct {
    unsigned char b, g, r;
} pixel;
void image(int n, int m, pixel from[n][m], pixel to[n][m]) {
    // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 3 outputs runs on a GPU where there is one
    CELLS {
        to[i][j].b = (from[i][j - 1].b + from[i][j + 1].b) / 2;
        to[i][j].g = (from[i - 1][j].g + from[i + 1][j].g) / 2;
        to[i][j].r = (from[i][j - 1].r + from[i + 1][j].r) / 2;
    }
}
// LLVM makes a shift of the index where that is one of 32 bits.
void lattice(int n, int m, const double *restrict f, double *restrict g) {
    // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 3 outputs runs on a GPU where there is one
    CELLS {
        g[3 * (i * m + j)] = f[3 * (i * m + j)];
        g[3 * (i * m + j + 1) + 1] = f[3 * (i * m + j) + 1];
        g[3 * (i * m - m + j) + 2] = f[3 * (i * m + j) + 2];
    }
}
void column(int n, int m, const float *a, float *b) {
    // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 1 output runs on a GPU where there is one
    for (int i = 1; i < n - 1; i++)
        b[i * (m + 1)] = a[i * (m + 1) - m - 1] + a[i * (m + 1) + m + 1];
}
void in_place(int n, int m, const float *a, float *b) {
    // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
    CELLS {
        b[3 * (i * m + j)] = a[i * m + j] + b[3 * (i * m + j - 1) + 1];
        b[3 * (i * m + j) + 1] = a[i * m + j];
    }
}
void cubes(int n, int m, const float *a, float *b) {
    // CHECK: components.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: no loop of the nest walks the arrays with a step of one element
    for (int k = 1; k < n - 1; k++)
        CELLS b[2 * ((k * n + i) * m + j)] = a[2 * ((k * n + i) * m + j - 1)];
}
void output(float *);
void edges(int n, int m, int steps, float *restrict a, float *restrict b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: components.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1
        CELLS b[i * (m + 1) + j] = a[i * (m + 1) + j - 1] + a[i * (m + 1) + j + 1];
        output(b);
        // CHECK: components.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweeps are offloaded without the loop around them
        // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sequence of 2 sweeps runs on a GPU where there is one
        for (int j = 0; j < m; j++)
            b[j] = b[(n - 2) * (m + 1) + j];
        for (int i = 0; i < n; i++)
            b[i * (m + 1)] = b[i * (m + 1) + m];
    }
}
void edge(int n, int m, float *restrict a, float *restrict b) {
    // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 1 output runs on a GPU where there is one
    for (int i = 0; i < n; i++)
        b[i * (m + 1)] = a[i * (m + 1) + m];
}

// Components that come round at the ends; which of them is written first does not matter.
typedef struct {
    float f[3];
} speeds;
void periodic(int n, int m, speeds *restrict to, const speeds *restrict from) {
    // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 3 outputs runs on a GPU where there is one
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = (i + 1) % n, left = j == 0 ? m - 1 : j - 1;
            to[i * m + j].f[2] = from[up * m + left].f[2] - from[i * m + j].f[1];
            to[i * m + j].f[0] = from[i * m + left].f[1];
            to[i * m + j].f[1] = from[up * m + j].f[0];
        }
}
// The neighbour is no few cells away.
void askew(int n, int m, speeds *restrict to, const speeds *restrict from) {
    // CHECK: components.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables (it is not a sum of multiples of them)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int other = 2 * j % m;
            to[i * m + j].f[0] = from[i * m + other].f[1];
            to[i * m + j].f[1] = from[i * m + j].f[0];
        }
}
// Pointers that are read only under a condition.
typedef struct {
    float *f[4];
} planes;
void masked(int n, int m, planes *restrict p, const int *wall) {
    // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 2 outputs runs on a GPU where there is one
    for (int j = 0; j < m; j++) {
        int c = (n - 2) * m + j;
        if (!wall[c] && p->f[3][c] > 0.1f) {
            p->f[1][c] += 0.1f;
            p->f[3][c] -= 0.1f;
        }
    }
}
// They are read on all ways, by one load or another.
void walls(int n, int m, planes *to, const planes *from, const int *wall) {
    // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 2 outputs runs on a GPU where there is one
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int c = i * m + j;
            if (wall[c]) {
                to->f[0][c] = from->f[1][c];
                to->f[1][c] = from->f[0][c];
            } else {
                to->f[0][c] = from->f[0][c] * 0.5f;
                to->f[1][c] = from->f[1][c] + from->f[0][c];
            }
        }
}
// One of them only on one way.
void a_wall(int n, int m, planes *to, const planes *from, const int *wall) {
    // CHECK: components.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables (a pointer or size is read in the loop under a condition)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int c = i * m + j;
            if (wall[c]) {
                to->f[0][c] = from->f[1][c];
                to->f[1][c] = from->f[0][c];
            } else {
                to->f[0][c] = from->f[2][c] * 0.5f;
                to->f[1][c] = from->f[1][c] + from->f[0][c];
            }
        }
}
// A picture from the bottom up, clamped: LLVM writes 63 - i as i ^ 63.
#define CLAMP(v, most) ((v) < 0 ? 0 : (v) > (most) ? (most) : (v))
void bottom_up(const pixel from[64][48], pixel to[64][48]) {
    // CHECK: components.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 3 outputs runs on a GPU where there is one
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 48; j++) {
            pixel sum = {0, 0, 0};
            for (int k = -1; k <= 1; k++) {
                sum.b += from[63 - CLAMP(i + k, 63)][j].b;
                sum.g += from[63 - i][CLAMP(j + k, 47)].g * (k + 2);
                sum.r += from[63 - CLAMP(i + k, 63)][CLAMP(j - k, 47)].r;
            }
            to[63 - i][j] = sum;
        }
}
