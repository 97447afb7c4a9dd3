// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More loops that are nearly stencils: what is taken of them, or the whole remark.
// RUN: %clang++ -std=c++20 -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#include <cassert>
#include <cmath>
#include <ctime>
#include <utility>
#include <vector>

// Gauss-Seidel.
void in_place(int n, double *a) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: near-misses-more.cpp:[[#@LINE+1]]:9: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other; write to a second array, or update red and black cells in two nests [-Rpass-missed=stencil]
        for (int j = 1; j < n - 1; j++)
            a[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
}

// Restriction and prolongation between two grids.
void restricts(int n, const double *fine, double *coarse) {
    // CHECK: near-misses-more.cpp:[[#@LINE+1]]:5: remark: 2-D sweep of 1 output runs on a GPU where there is one, a kernel a sweep [-Rpass=stencil]
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            coarse[i * n + j] = 0.5 * fine[2 * i * 2 * n + 2 * j] + 0.125 * (fine[2 * i * 2 * n + 2 * j - 1] + fine[2 * i * 2 * n + 2 * j + 1]);
}
void every_other(int n, const double *a, double *b) {
    // CHECK: near-misses-more.cpp:[[#@LINE+1]]:5: remark: 2-D sweep of 1 output runs on a GPU where there is one, a kernel a sweep [-Rpass=stencil]
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j += 2)
            b[i * n + j] = a[i * n + j - 1] + a[i * n + j + 1];
}

// Both colours add to one sum.
double both(int n, int steps, double *p, double w) {
    double sum = 0;
    for (int t = 0; t < steps; t++) {
        sum = 0;
        for (int c = 0; c < 2; c++)
            for (int i = 1; i < n - 1; i++)
                // CHECK: near-misses-more.cpp:[[#@LINE+1]]:17: remark: loop nest not offloaded: the bounds of an inner loop depend on an outer loop's variable; if it goes over red or black cells, update one array in place, let a time loop hold the nests of both colours, and add up floating-point numbers in a nest of their own [-Rpass-missed=stencil]
                for (int j = 1 + (i + c) % 2; j < n - 1; j += 2) {
                    double r = p[i * n + j - 1] + p[i * n + j + 1] + p[(i - 1) * n + j] + p[(i + 1) * n + j] - 4 * p[i * n + j];
                    p[i * n + j] += w * r;
                    sum += r * r;
                }
    }
    return sum;
}

// A sum in a number that the caller has.
void norm(int n, const double *a, double *b, double *sum) {
    *sum = 0;
    for (int i = 1; i < n - 1; i++)
        // CHECK: near-misses-more.cpp:[[#@LINE+1]]:9: remark: loop nest not offloaded: a value computed in the nest is used after it (a value of line [[#@LINE+3]], which every cell stores to the same place; compute it in a local variable, and store that behind the loops) [-Rpass-missed=stencil]
        for (int j = 1; j < n - 1; j++) {
            b[i * n + j] = 0.5 * (a[i * n + j - 1] + a[i * n + j + 1]);
            *sum += b[i * n + j];
        }
}

void exponential(int n, const double *a, double *b) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: near-misses-more.cpp:[[#@LINE+1]]:9: remark: loop nest not offloaded: 'exp' may set errno, and may differ from the GPU's in the last bits; compile with -fno-math-errno, and allow the difference with -mllvm -stencilopt-device-math=1 (or both with -ffast-math) [-Rpass-missed=stencil]
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = std::exp(a[i * n + j - 1] - a[i * n + j + 1]);
}

// A class with two arrays, which changes places of them.
class Heat {
    int n;
    std::vector<double> a, b;

  public:
    Heat(int n) : n(n), a(n * n), b(n * n) {}
    void step() {
        for (int i = 1; i < n - 1; i++)
            // CHECK: near-misses-more.cpp:[[#@LINE+1]]:13: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: the whole time loop [-Rpass=stencil]
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
        std::swap(a, b);
    }
    void run(int steps) {
        for (int t = 0; t < steps; t++)
            step();
    }
    double at(int i) const { return a[i]; }
};
double heat(int n, int steps) {
    Heat h(n);
    h.run(steps);
    return h.at(n + 1);
}

// Four dimensions.
void four(int n, const float *a, float *b) {
    for (int l = 1; l < n - 1; l++)
        for (int k = 1; k < n - 1; k++)
            for (int i = 1; i < n - 1; i++)
                // CHECK: near-misses-more.cpp:[[#@LINE+2]]:17: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the nest has more than three spatial dimensions; that of time is one if the array keeps all time steps [-Rpass-missed=stencil]
                // CHECK: near-misses-more.cpp:[[#@LINE+1]]:17: remark: 3-D stencil of radius 0, 2 cells read, f32, runs on a GPU where there is one: one sweep a call [-Rpass=stencil]
                for (int j = 1; j < n - 1; j++)
                    b[((l * n + k) * n + i) * n + j] = a[(((l - 1) * n + k) * n + i) * n + j] + a[(((l + 1) * n + k) * n + i) * n + j];
}

// Tiles by hand.
void tiled(int n, const double *a, double *b) {
    for (int ii = 1; ii < n - 1; ii += 32)
        for (int jj = 1; jj < n - 1; jj += 32)
            for (int i = ii; i < (ii + 32 < n - 1 ? ii + 32 : n - 1); i++)
                // CHECK: near-misses-more.cpp:[[#@LINE+1]]:17: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call [-Rpass=stencil]
                for (int j = jj; j < (jj + 32 < n - 1 ? jj + 32 : n - 1); j++)
                    b[i * n + j] = a[i * n + j - 1] + a[i * n + j + 1];
}

// A clock in each step.
double clocked(int n, int steps, double *a, double *b) {
    double busy = 0;
    for (int t = 0; t < steps; t++) {
        std::clock_t start = std::clock();
        for (int i = 1; i < n - 1; i++)
            // CHECK: near-misses-more.cpp:[[#@LINE+1]]:13: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop [-Rpass=stencil]
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.5 * (a[i * n + j - 1] + a[i * n + j + 1]);
        std::swap(a, b);
        busy += (double)(std::clock() - start);
    }
    return busy;
}

// Two arrays, each under a condition of its own.
void fluxes(int n, const double *q, double *x, double *y) {
    // CHECK: near-misses-more.cpp:[[#@LINE+1]]:5: remark: 2-D sweep of 2 outputs runs on a GPU where there is one, a kernel a sweep [-Rpass=stencil]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (j != 0)
                x[i * n + j] = q[i * n + j] - q[i * n + j - 1];
            if (i != 0)
                y[i * n + j] = q[i * n + j] - q[(i - 1) * n + j];
        }
}
