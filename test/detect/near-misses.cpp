// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Containers as libraries have them, in small: what is taken of them, or the whole remark.
// RUN: %clang++ -std=c++20 -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#include <array>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

// A view with a count of its users, and a loop that takes a function: as in libraries for portable code.
template <class T> class View {
    std::shared_ptr<T[]> p;
    std::size_t e0, e1;

  public:
    View(std::size_t a, std::size_t b) : p(new T[a * b]()), e0(a), e1(b) {}
    T &operator()(std::size_t i, std::size_t j) const { return p[i * e1 + j]; }
};
struct Range {
    std::size_t b0, b1, e0, e1;
};
template <class F> void parallel_for(Range r, F f) {
    for (std::size_t i = r.b0; i < r.e0; i++)
        // CHECK: near-misses.cpp:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: one sweep a call [-Rpass=stencil]
        for (std::size_t j = r.b1; j < r.e1; j++)
            f(i, j);
}
void viewed(std::size_t n, const View<double> &a, const View<double> &b) {
    parallel_for({1, 1, n - 1, n - 1}, [=](std::size_t i, std::size_t j) {
        b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
    });
}

// A view of several dimensions over a vector's elements.
template <class T, std::size_t R> struct mdspan {
    T *p;
    std::array<std::size_t, R> e;
    template <class... I> T &operator()(I... i) const {
        std::size_t k = 0, d = 0;
        ((k = k * e[d++] + i), ...);
        return p[k];
    }
    std::size_t extent(std::size_t d) const { return e[d]; }
};
static void step(mdspan<const double, 3> a, mdspan<double, 3> b) {
    for (std::size_t i = 1; i < a.extent(0) - 1; i++)
        for (std::size_t j = 1; j < a.extent(1) - 1; j++)
            // CHECK: near-misses.cpp:[[#@LINE+1]]:13: remark: 3-D stencil of radius 1, 3 cells read, f64, runs on a GPU where there is one: the whole time loop [-Rpass=stencil]
            for (std::size_t k = 1; k < a.extent(2) - 1; k++)
                b(i, j, k) = a(i, j, k) + 0.1 * (a(i - 1, j, k) + a(i, j + 1, k));
}
void spans(std::size_t n, int steps, std::vector<double> &a, std::vector<double> &b) {
    std::vector<double> x(n * n * n), y(n * n * n);
    x[0] = a[0];
    for (int t = 0; t < steps; t++) {
        step({x.data(), {n, n, n}}, {y.data(), {n, n, n}});
        std::swap(x, y);
    }
    a.swap(x);
    b.swap(y);
}

// Strides and bases in arrays; an index gives an object.
template <class T> struct row {
    T *base;
    const long *stride;
    T &operator[](long j) const { return *(base + j * stride[0]); }
};
template <class T> class multi_array {
    T *base;
    long extent[2], stride[2], origin;

  public:
    multi_array(long a, long b) : base(new T[a * b]()), extent{a, b}, stride{b, 1}, origin(0) {}
    row<T> operator[](long i) { return {base + origin + i * stride[0], stride + 1}; }
    const long *shape() const { return extent; }
};
static void average(multi_array<double> &a, multi_array<double> &b) {
    for (long i = 1; i < a.shape()[0] - 1; i++)
        // CHECK: near-misses.cpp:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: the whole time loop [-Rpass=stencil]
        for (long j = 1; j < a.shape()[1] - 1; j++)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}
double arrays(int n, int steps) {
    multi_array<double> a(n, n), b(n, n);
    for (int t = 0; t < steps; t++) {
        average(a, b);
        std::swap(a, b);
    }
    return a[n / 2][n / 2];
}

// A matrix whose elements are checked.
class Matrix {
    double *data;
    long rows_, columns_;

  public:
    double &operator()(long r, long c) {
        assert(r >= 0 && r < rows_ && c >= 0 && c < columns_);
        return data[c * rows_ + r];
    }
    double operator()(long r, long c) const {
        assert(r >= 0 && r < rows_ && c >= 0 && c < columns_);
        return data[c * rows_ + r];
    }
    long rows() const { return rows_; }
    long columns() const { return columns_; }
};
void matrices(const Matrix &a, Matrix &b) {
    for (int j = 1; j < a.columns() - 1; j++)
        // CHECK: near-misses.cpp:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: one sweep a call [-Rpass=stencil]
        for (int i = 1; i < a.rows() - 1; i++)
            b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
}
