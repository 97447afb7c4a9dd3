// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs with arrays that a time loop swaps whole, and outputs that throw at some step and change
// the structs first. The loop itself catches, or its caller does; a destructor prints, too.
// Arguments: size, steps, the step that throws, again and again. Prints all cells in hexadecimal.
#include <cstdio>
#include <cstdlib>
#include <utility>

struct Grid {
    double *data;
    int n;
    long count;
};

static int thrown;

__attribute__((noinline)) static void show(const char *what, const Grid &g) {
    std::printf("%s %a %ld\n", what, g.data[g.n + 1], g.count);
}

// Changes the grids, and throws.
__attribute__((noinline)) static void report(Grid &a, Grid &b, int t) {
    show("step", a);
    if (t == thrown) {
        std::swap(a.data, b.data);
        a.count += 100;
        throw t;
    }
}

struct Watch {
    Grid &g;
    ~Watch() {
        show("left", g);
    }
};

static Grid make(int n, int more) {
    Grid g = {static_cast<double *>(std::malloc(sizeof(double) * n * n)), n, more};
    for (int i = 0; i < n * n; i++)
        g.data[i] = (i * 7 + more) % 13 / 3.0;
    return g;
}

static void sweep(const double *a, double *b, int n) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] +
                                   a[i * n + j + 1]);
}

static void print(Grid &a, Grid &b) {
    for (int i = 0; i < a.n * a.n; i++)
        std::printf("%a %a\n", a.data[i], b.data[i]);
    std::printf("%ld %ld\n", a.count, b.count);
    std::free(a.data);
    std::free(b.data);
}

__attribute__((noinline)) static void inside(int n, int steps) {
    Grid a = make(n, 1), b = make(n, 5);
    for (int t = 0; t < steps; t++) {
        sweep(a.data, b.data, n);
        std::swap(a, b);
        if (t % 5 == 0) {
            try {
                Watch w{b};
                report(a, b, t);
            } catch (int) {
                show("caught", a);
            }
        }
    }
    print(a, b);
}

// In each step two outputs, with one handler.
__attribute__((noinline)) static void inside_twice(int n, int steps) {
    Grid a = make(n, 1), b = make(n, 5);
    for (int t = 0; t < steps; t++) {
        sweep(a.data, b.data, n);
        std::swap(a, b);
        try {
            if (t % 10 == 0)
                report(a, b, t);
            if (t % 5 == 0)
                report(b, a, t);
        } catch (...) {
            show("caught", b);
        }
    }
    print(a, b);
}

__attribute__((noinline)) static void outside(int n, int steps) {
    Grid a = make(n, 1), b = make(n, 5);
    try {
        Watch w{b};
        for (int t = 0; t < steps; t++) {
            sweep(a.data, b.data, n);
            std::swap(a, b);
            if (t % 5 == 0)
                report(a, b, t);
        }
    } catch (int) {
        show("caught", a);
    }
    print(a, b);
}

int main(int argc, char **argv) {
    for (int k = 3; k < argc; k++) {
        thrown = std::atoi(argv[k]);
        inside(std::atoi(argv[1]), std::atoi(argv[2]));
        inside_twice(std::atoi(argv[1]), std::atoi(argv[2]));
        outside(std::atoi(argv[1]), std::atoi(argv[2]));
    }
    return 0;
}
