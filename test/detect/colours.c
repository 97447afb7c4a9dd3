// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps in place over cells of one colour of two, and what is none.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#define CROSS(i, j) (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[(i)*m + j - 1] + u[(i)*m + j + 1] - f[(i)*m + j])

void both(int n, int m, int steps, double *restrict u, const double *restrict f) {
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2)
                    u[i * m + j] = 0.25 * CROSS(i, j);
}

// Each cell reads one of its own colour, which may have changed already.
void same_colour(int n, int m, int steps, double *restrict u, const double *restrict f) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: colours.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the bounds of an inner loop depend on an outer loop's variable
            for (int j = 1 + (i & 1); j < m - 1; j += 2)
                u[i * m + j] = 0.25 * CROSS(i, j) + u[(i - 1) * m + j - 1];
}

// f may be u: it is tested that both lie apart.
void may_alias(int n, int m, int steps, double *u, const double *f) {
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, a kernel a sweep
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i & 1); j < m - 1; j += 2)
                u[i * m + j] = 0.25 * CROSS(i, j);
}

// A condition takes the cells of one colour.
void conditions(int n, int m, int steps, double w, double *u, const double *f) {
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    if ((i + j) % 2 == colour)
                        u[i * m + j] = (1 - w) * u[i * m + j] + w * 0.25 * CROSS(i, j);
}

// It takes others as well, or cells of the same colour are read.
void third(int n, int m, int steps, double *restrict u, const double *restrict f) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: colours.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other; write to a second array
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 3 == 0)
                    u[i * m + j] = 0.25 * CROSS(i, j);
}
void condition_and_same(int n, int m, int steps, double *restrict u, const double *restrict f) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: colours.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other; write to a second array
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 2 == 0)
                    u[i * m + j] = 0.25 * CROSS(i, j) + u[(i - 1) * m + j - 1];
}

// Without a loop around it: a colour, and one after the other.
void one(int n, int m, double *u, const double *f) {
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D sequence of 2 sweeps runs on a GPU where there is one, a kernel a sweep
    for (int i = 1; i < n - 1; i++)
        for (int j = 1 + (i & 1); j < m - 1; j += 2)
            u[i * m + j] = 0.25 * CROSS(i, j);
}
double relax(int n, int m, double *restrict u, const double *restrict f) {
    double change = 0;
    for (int colour = 0; colour < 2; colour++)
        // CHECK: colours.c:[[#@LINE+2]]:9: remark: 2-D sequence of 2 sweeps runs on a GPU where there is one, a kernel a sweep
        // CHECK: colours.c:[[#@LINE+1]]:9: remark: 2-D sequence of 2 sweeps runs on a GPU where there is one, a kernel a sweep
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2) {
                double by = 0.25 * CROSS(i, j) - u[i * m + j];
                u[i * m + j] += 1.5 * by;
                change = __builtin_fabs(by) > change ? __builtin_fabs(by) : change;
            }
    return change;
}

// A value of all cells ends the loop.
void converges(int n, int m, int steps, double *restrict u, const double *restrict f) {
    double change = 1;
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D time loop of 2 sweeps, which ends by what each step computes, runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps && change > 1e-6; t++) {
        change = 0;
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2) {
                    double by = 0.25 * CROSS(i, j) - u[i * m + j];
                    u[i * m + j] += 1.5 * by;
                    change = __builtin_fabs(by) > change ? __builtin_fabs(by) : change;
                }
    }
}
// The order of the cells counts in a sum.
double sums(int n, int m, double *restrict u, const double *restrict f) {
    double sum = 0;
    for (int i = 1; i < n - 1; i++)
        // CHECK: colours.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: the bounds of an inner loop depend on an outer loop's variable
        for (int j = 1 + (i & 1); j < m - 1; j += 2) {
            sum += u[i * m + j];
            u[i * m + j] = 0.25 * CROSS(i, j);
        }
    return sum;
}

// One colour beside sweeps over all cells of another array: nothing tells that the cells of the other colour are memory.
void beside(int n, int m, int steps, double *restrict u, double *restrict f) {
    for (int t = 0; t < steps; t++) {
        // CHECK: colours.c:[[#@LINE+3]]:13: remark: the sweep is offloaded without the loop around it, {{.*}}(one goes over an array in other distances than another one: over every other cell, or along other dimensions)
        // CHECK: colours.c:[[#@LINE+2]]:13: remark: 2-D stencil of radius 0
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                f[i * m + j] *= 0.5;
        // CHECK: colours.c:[[#@LINE+3]]:13: remark: the sweeps are offloaded without the loop around them, {{.*}}(one goes over an array in other distances than another one: over every other cell, or along other dimensions)
        // CHECK: colours.c:[[#@LINE+2]]:13: remark: 2-D sequence of 2 sweeps runs
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i & 1); j < m - 1; j += 2)
                u[i * m + j] = 0.25 * CROSS(i, j);
    }
}

// Both colours beside sweeps over all cells, edges and what they leave: one region.
double mixed(int n, int m, int steps, double *restrict u, double *restrict f) {
    double most = 1;
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D time loop of {{[45]}} sweeps, which ends by what each step computes, runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps && most > 1e-9; t++) {
        for (int i = 1; i < n - 1; i++) {
            u[i * m] = u[i * m + 1];
            u[i * m + m - 1] = u[i * m + m - 2];
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i & 1); j <= m - 2; j += 2)
                u[i * m + j] = 0.25 * CROSS(i, j);
        for (int i = 1; i < n - 1; i++)
            for (int j = 2 - (i & 1); j <= m - 2; j += 2)
                u[i * m + j] = 0.25 * CROSS(i, j);
        most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double left = __builtin_fabs(CROSS(i, j) - 4 * u[i * m + j]);
                most = left > most ? left : most;
            }
    }
    return most;
}
// .. where edges follow each colour, and the number of the step decides which comes first.
void edges(int n, int m, int steps, double *restrict u, double *restrict f) {
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D time loop of {{[46]}} sweeps runs on a GPU where there is one
    for (int t = 0; t < steps; t++)
        for (int colour = 0; colour < 2; colour++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    if (((i + j + t) & 1) == colour)
                        u[i * m + j] = 0.25 * CROSS(i, j);
            for (int i = 1; i < n - 1; i++) {
                u[i * m] = u[i * m + 1];
                u[i * m + m - 1] = u[i * m + m - 2];
            }
        }
}
// .. in three dimensions.
#define CUBE(k, i, j) u[((k) * n + (i)) * m + (j)]
#define STAR(k, i, j) (CUBE(k - 1, i, j) + CUBE(k + 1, i, j) + CUBE(k, i - 1, j) + CUBE(k, i + 1, j) + CUBE(k, i, j - 1) + CUBE(k, i, j + 1))
void cubes(long l, long n, long m, int steps, float *restrict u, float *restrict f) {
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 3-D time loop of 3 sweeps runs on a GPU where there is one
    for (int t = 0; t < steps; t++) {
        for (int colour = 0; colour < 2; colour++)
            for (long k = 1; k < l - 1; k++)
                for (long i = 1; i < n - 1; i++)
                    for (long j = 1 + (k + i + colour) % 2; j < m - 1; j += 2)
                        CUBE(k, i, j) = (STAR(k, i, j) - f[(k * n + i) * m + j]) / 6;
        for (long k = 0; k < l; k++)
            for (long i = 0; i < n; i++)
                for (long j = 0; j < m; j++)
                    f[(k * n + i) * m + j] += CUBE(k, i, j);
    }
}
// A diagonal neighbour is of the cell's own colour.
void mixed_and_same(int n, int m, int steps, double *restrict u, double *restrict f) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            // CHECK: colours.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other; write to a second array
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 2 == 0)
                    u[i * m + j] = 0.25 * CROSS(i, j) + u[(i - 1) * m + j - 1];
        // CHECK: colours.c:[[#@LINE+3]]:13: remark: the sweep is offloaded without the loop around it
        // CHECK: colours.c:[[#@LINE+2]]:13: remark: 2-D {{(stencil|sweep)}}
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                f[i * m + j] += u[i * m + j];
    }
}

// Cells of the other colour read neighbours, which the sweep writes.
void reads_written(int n, int m, int steps, double *restrict u, double *restrict f) {
    for (int t = 0; t < steps; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < n - 1; i++)
                // CHECK: colours.c:[[#@LINE+1]]:17: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other; write to a second array
                for (int j = 1; j < m - 1; j++) {
                    double left = u[i * m + j - 1];
                    if ((i + j) % 2 == colour)
                        u[i * m + j] = 0.25 * CROSS(i, j);
                    f[i * m + j] += left;
                }
}

// Over other arrays in the same piece of memory, whose rows have other lengths.
void staggered(long n, long m, int steps, float *restrict b) {
    float *u = b, *v = u + n * (m + 1), *p = v + (n + 1) * m;
    // CHECK: colours.c:[[#@LINE+1]]:5: remark: 2-D time loop of 3 sweeps runs
    for (int t = 0; t < steps; t++) {
        for (long i = 0; i < n; i++)
            for (long j = 1; j < m; j++)
                u[i * (m + 1) + j] -= 0.25f * (p[i * m + j] - p[i * m + j - 1]);
        for (long i = 1; i < n; i++)
            for (long j = 0; j < m; j++)
                v[i * m + j] -= 0.25f * (p[i * m + j] - p[(i - 1) * m + j]);
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++)
                p[i * m + j] -= 0.25f * (u[i * (m + 1) + j + 1] - u[i * (m + 1) + j] + v[(i + 1) * m + j] - v[i * m + j]);
    }
}

// Behind another time loop in a loop: there is no OpenMP of which to tell.
float behind(int n, int m, int steps, float *restrict u, float *restrict f, float *restrict w) {
    float v = 0;
    for (int t = 0; t < steps; t++) {
        // CHECK: colours.c:[[#@LINE+1]]:9: remark: 2-D time loop of 2 sweeps runs
        for (int z = 0; z < steps; z++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    u[i * m + j] = f[i * m + j] + 0.5f * f[(i - 1) * m + j];
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    f[i * m + j] = u[i * m + j] - 0.5f * u[(i - 1) * m + j];
        }
        // CHECK: colours.c:[[#@LINE+3]]:13: remark: the sweeps are offloaded without the loop around them, {{.*}}(a loop in it holds several loops)
        // CHECK: colours.c:[[#@LINE+2]]:13: remark: 2-D sequence of 2 sweeps runs
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i & 1); j < m - 1; j += 2) {
                float x = w[i * m + j];
                w[i * m + j] = 0.5f * x;
                v = x > v ? x : v;
            }
    }
    return v;
}
