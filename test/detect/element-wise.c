// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests of two and three loops that make each element by itself: taken where no time loop is seen, with one output or
// several, and in time loops of several sweeps. One loop along a row, a column or an edge, or over all cells by one
// index, too, and loops that copy rows. Other single loops, and nests that read no array, are left alone.
// RUN: %clang -O2 -gline-tables-only -ffp-contract=off -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s

void scale(int n, int m, double *a, double c) {
    // CHECK: element-wise.c:{{[0-9]+}}:{{[0-9]+}}: remark: 2-D stencil of radius 0, 1 cells read, f64, runs on a GPU where there is one: one sweep a call
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] *= c;
}

void update(int n, int m, double *p, const double *r, double beta) {
    // CHECK: element-wise.c:{{[0-9]+}}:{{[0-9]+}}: remark: 2-D stencil of radius 0, 2 cells read, f64, {{.*}}: one sweep a call
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            p[i * m + j] = beta * p[i * m + j] + r[i * m + j];
}

void cube(int n, float *a, const float *b) {
    // CHECK: element-wise.c:{{[0-9]+}}:{{[0-9]+}}: remark: 3-D stencil of radius 0, 2 cells read, f32, {{.*}}: one sweep a call
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[(k * n + i) * n + j] += 2 * b[(k * n + i) * n + j];
}

void state(int n, int m, double *p, double *s, const double *d, const double *e) {
    // CHECK: element-wise.c:{{[0-9]+}}:{{[0-9]+}}: remark: 2-D sweep of 2 outputs runs on a GPU where there is one, a kernel a sweep
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double v = 1.0 / d[i * m + j];
            p[i * m + j] = 0.4 * d[i * m + j] * e[i * m + j];
            s[i * m + j] = v * v * p[i * m + j];
        }
}

void steps(int n, int m, double *restrict a, double *restrict b, const double *restrict c, int T) {
    // CHECK: element-wise.c:{{[0-9]+}}:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 3 arrays
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * m + j] = a[i * m + j] * 0.5 + c[i * m + j];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i * m + j] += 0.25 * a[i * m + j];
    }
}

void row(int n, double *a, const double *b) {
    // CHECK: element-wise.c:{{[0-9]+}}:{{[0-9]+}}: remark: loop nest not offloaded: the loop reads no neighbours of a cell
    for (int i = 0; i < n; i++)
        a[i] = 2 * b[i];
}

void start(int n, int m, double *a, const double *x) {
    // CHECK: element-wise.c:{{[0-9]+}}:{{[0-9]+}}: remark: loop nest not offloaded: the loop reads no neighbours of a cell
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = i * 0.5 + j + x[0];
}

void line(int row, int first, int last, int m, double *h, const double *c, const double *e) {
    // CHECK: element-wise.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil of radius 0, 3 cells read, f64, runs on a GPU where there is one: one sweep a call
    for (int j = first; j <= last; j++)
        h[row * m + j] -= c[row * m + j] * e[row + 1];
}

void column(int n, int m, double *h, const double *c) {
    // CHECK: element-wise.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 1 output runs on a GPU where there is one, a kernel a sweep
    for (int i = 0; i < n; i++)
        h[i * m] -= c[i * m];
}

void absorb(int m, double *restrict h, double *restrict old) {
    // CHECK: element-wise.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 2 outputs runs on a GPU where there is one, a kernel a sweep
    for (int j = 0; j < m; j++) {
        h[j] = old[j] + 0.5 * (h[m + j] - h[j]);
        old[j] = h[m + j];
    }
}

void flat(int n, int m, float *u, const float *k, float dt) {
    // CHECK: element-wise.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil of radius 0, 2 cells read, f32, {{.*}}: one sweep a call
    for (int i = 0; i < n * m; i++)
        u[i] += dt * k[i];
}

// Fields of structs lie apart, too, but in no rows; a loop over a part of a vector is one over a vector.
void particles(int n, struct {
    float x, y, z;
} * p) {
    // CHECK: element-wise.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop reads no neighbours of a cell
    for (int i = 0; i < n; i++)
        p[i].x *= 2;
}

void part(int first, int last, double *a, const double *b) {
    // CHECK: element-wise.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop reads no neighbours of a cell
    for (int i = first; i < last; i++)
        a[i] = 2 * b[i];
}

void copy(int n, int m, double *restrict a, const double *restrict b) {
    // CHECK: element-wise.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU where there is one, a kernel a sweep
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            a[i * m + j] = b[i * m + j];
}

typedef struct {
    unsigned char b, g, r;
} pixel;
void pixels(int n, int m, pixel to[n][m], pixel from[n][m]) {
    // CHECK: element-wise.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU where there is one, a kernel a sweep
    for (int i = 0; i < n; i++)
        __builtin_memcpy(to[i], from[i], 3 * m);
}

// Rows of two sorts of elements.
void sorts(int n, int m, double *restrict a, const double *restrict b, float *restrict c, const float *restrict d) {
    // CHECK: element-wise.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop body writes more than one array element, and is no sweep of several outputs: a loop copies elements of different sizes
    for (int i = 1; i < n - 1; i++) {
        __builtin_memcpy(a + i * m, b + i * m, m * sizeof *a);
        __builtin_memcpy(c + i * m, d + i * m, m * sizeof *c);
    }
}

// What the iteration before read; in the first one a number.
void before(int n, double first, double *restrict h, const double *restrict e) {
    double last = first;
    // CHECK: element-wise.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 1 output runs on a GPU where there is one, a kernel a sweep
    for (int i = 0; i < n; i++) {
        double here = e[i + 1];
        h[i] += (here - last) * 0.5;
        last = here;
    }
}
